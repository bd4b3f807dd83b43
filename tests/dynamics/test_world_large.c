/* SPDX-License-Identifier: Apache-2.0 */
/* Large islands are swept in a compact copy: the same physics, the same bits for any number of threads, and a saved
 * state goes on as before. */
#include "dynamics/packed.h"
#include "dynamics/tolerance.h"
#include "dynamics/world_support.h"

/* Both from the same state: one step with the copy and without. Responses that are added up in another order leave less
 * than 1e-6 of what the step changes. */
static void the_copy_does_what_the_original_does(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    def.tolerance = 0.0;
    def.iterations = 10;
    World world = world_from("pyramid:36", 1, &def), plain = world_from("pyramid:36", 1, &def);
    AbutPacked *packed = plain.sim->solver.packed;
    plain.sim->solver.packed = NULL;
    for (int step = 0; step < 3; ++step) {
        world_step(&world, 1e-3);
        world_step(&plain, 1e-3);
        int used = 0;
        for (int32_t i = 0; i < world.sim->islands.count; ++i)
            used |= world.sim->islands.at[i].packed && world.sim->islands.at[i].contacts >= ABUT_PACKED_LEAST;
        CHECK(used || step == 0);
        double most = 0.0;
        for (int i = 0; i < abut_scene_body_count(world.scene); ++i) {
            AbutBodyState a = body_of(&world, abut_scene_body_at(world.scene, i)),
                          b = body_of(&plain, abut_scene_body_at(plain.scene, i));
            most = fmax(most, abut_point_distance(a.velocity, b.velocity));
        }
        CHECK(most < 1e-6 * 9.80665e-3 * (step + 1));
    }
    plain.sim->solver.packed = packed;
    world_free(&world);
    world_free(&plain);
}

static void a_large_pyramid_stands(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("pyramid:36", 1, &def), start = world_from("pyramid:36", 1, &def);
    double most = 0.0;
    for (int i = 0; i < check_cases(150); ++i) CHECK(world_step(&world, 1e-3).max_depth < 5e-4);
    for (int i = 0; i < abut_scene_body_count(world.scene); ++i)
        most = fmax(most, abut_point_distance(body_of(&world, abut_scene_body_at(world.scene, i)).center,
                              body_of(&start, abut_scene_body_at(start.scene, i)).center));
    CHECK(most < 0.01); /* of 0.1 m: rows close their gaps, nothing slides off */
    world_free(&world);
    world_free(&start);
}

/* The largest island is packed and holds more than its share of the contacts: all threads solve it together. */
static void is_solved_by_all(const World *world) {
    const AbutIsland *island = &world->sim->islands.at[0];
    CHECK(island->packed && 2 * island->contacts > abut_simulation_contact_count(world->sim));
}

/* Without Newton steps where `swept` says so: then islands are swept that would not be otherwise. */
static World world_swept(const char *spec, int threads, int swept, AbutNewton **newton) {
    AbutSimulationDef def = abut_simulation_default();
    def.threads = threads;
    World world = world_from(spec, 1, &def);
    *newton = world.sim->solver.newton;
    world.sim->solver.newton = swept ? NULL : *newton;
    return world;
}

static void end_world(World *world, AbutNewton *newton) {
    world->sim->solver.newton = newton;
    world_free(world);
}

static void threads_and_restoring_keep_the_bits(const char *spec, int swept) {
    static const int threads[] = {2, 3, 4};
    AbutError error;
    AbutNewton *newton, *other_newton;
    World one = world_swept(spec, 1, swept, &newton);
    world_run(&one, 1e-3, 20);
    size_t bytes = abut_simulation_state_size(one.sim);
    void *saved = malloc(bytes);
    abut_simulation_save(one.sim, saved);
    uint64_t before = abut_simulation_hash(one.sim);
    world_run(&one, 1e-3, 20);
    uint64_t after = abut_simulation_hash(one.sim);
    is_solved_by_all(&one);
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; ++i) {
        World other = world_swept(spec, threads[i], swept, &other_newton);
        world_run(&other, 1e-3, i == 0 ? 20 : 2);
        CHECK(i > 0 || abut_simulation_hash(other.sim) == before);
        good(abut_simulation_restore(other.sim, saved, bytes, &error), &error);
        world_run(&other, 1e-3, 20);
        CHECK(abut_simulation_hash(other.sim) == after);
        end_world(&other, other_newton);
    }
    free(saved);
    end_world(&one, newton);
}

static void a_pyramid_has_the_same_bits(void **state) {
    (void)state;
    threads_and_restoring_keep_the_bits("pyramid:36", 0);
}

static void a_wall_has_the_same_bits(void **state) {
    (void)state;
    threads_and_restoring_keep_the_bits("wall:30", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_copy_does_what_the_original_does),
        cmocka_unit_test(a_large_pyramid_stands),
        cmocka_unit_test(a_pyramid_has_the_same_bits),
        cmocka_unit_test(a_wall_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
