/* SPDX-License-Identifier: Apache-2.0 */
/* Large islands are swept in a compact copy: the same physics, the same bits for any number of threads, and a saved
 * state goes on as before. */
#include "dynamics/packed.h"
#include "dynamics/tolerance.h"
#include "dynamics/world_support.h"

/* Both from the same state: one step with the copy and without. Single precision of responses leaves 1e-6 of what the
 * step changes. */
static void the_copy_does_what_the_original_does(void **state)
{
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    def.tolerance = 0.0;
    def.iterations = 10;
    World world = world_from("pyramid:36", 1, &def), plain = world_from("pyramid:36", 1, &def);
    AbutPacked *packed = plain.sim->packed;
    plain.sim->packed = NULL;
    for (int step = 0; step < 3; ++step) {
        world_step(&world, 1e-3);
        world_step(&plain, 1e-3);
        int used = 0;
        for (int32_t i = 0; i < world.sim->island_count; ++i)
            used |= world.sim->island[i].packed && world.sim->island[i].contacts >= ABUT_PACKED_LEAST;
        CHECK(used || step == 0);
        double most = 0.0;
        for (int i = 0; i < abut_scene_body_count(world.scene); ++i) {
            AbutBodyState a = body_of(&world, abut_scene_body_at(world.scene, i)),
                          b = body_of(&plain, abut_scene_body_at(plain.scene, i));
            most = fmax(most, abut_distance(a.velocity, b.velocity));
        }
        CHECK(most < 1e-6 * 9.80665e-3 * (step + 1));
    }
    plain.sim->packed = packed;
    world_free(&world);
    world_free(&plain);
}

static void a_large_pyramid_stands(void **state)
{
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("pyramid:36", 1, &def), start = world_from("pyramid:36", 1, &def);
    double most = 0.0;
    for (int i = 0; i < check_cases(150); ++i)
        CHECK(world_step(&world, 1e-3).max_depth < 5e-4);
    for (int i = 0; i < abut_scene_body_count(world.scene); ++i)
        most = fmax(most, abut_distance(body_of(&world, abut_scene_body_at(world.scene, i)).center,
                              body_of(&start, abut_scene_body_at(start.scene, i)).center));
    CHECK(most < 0.01); /* of 0.1 m: rows close their gaps, nothing slides off */
    world_free(&world);
    world_free(&start);
}

static void threads_and_restoring_keep_the_bits(void **state)
{
    (void)state;
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    World one = world_from("pyramid:36", 1, &def);
    def.threads = 3;
    World three = world_from("pyramid:36", 1, &def);
    world_run(&one, 1e-3, 20);
    world_run(&three, 1e-3, 20);
    CHECK(abut_simulation_hash(one.sim) == abut_simulation_hash(three.sim));
    size_t bytes = abut_simulation_state_size(one.sim);
    void *saved = malloc(bytes);
    abut_simulation_save(one.sim, saved);
    world_run(&one, 1e-3, 20);
    good(abut_simulation_restore(three.sim, saved, bytes, &error), &error);
    world_run(&three, 1e-3, 20);
    CHECK(abut_simulation_hash(one.sim) == abut_simulation_hash(three.sim));
    free(saved);
    world_free(&one);
    world_free(&three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_copy_does_what_the_original_does),
        cmocka_unit_test(a_large_pyramid_stands),
        cmocka_unit_test(threads_and_restoring_keep_the_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
