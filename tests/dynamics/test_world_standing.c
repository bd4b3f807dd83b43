/* SPDX-License-Identifier: Apache-2.0 */
/* Structures that stand must stand: stacks of 20 and 50 boxes, an arch of 25 blocks, a wall, a pyramid, and towers that
 * are heavy above and light below; at short steps and long ones. */
#include "dynamics/world_support.h"

static const double DT = 1e-3;

typedef struct Places {
    AbutVec3 x[256];
    int count;
} Places;

static Places places_of(const World *world) {
    Places p;
    p.count = abut_scene_body_count(world->scene);
    for (int i = 0; i < p.count; ++i) p.x[i] = body_of(world, abut_scene_body_at(world->scene, i)).center;
    return p;
}

static double farthest(const Places *a, const Places *b) {
    double most = 0.0;
    for (int i = 0; i < a->count; ++i) most = abut_larger(most, abut_point_distance(a->x[i], b->x[i]));
    return most;
}

static double fastest(const World *world) {
    double most = 0.0;
    for (int i = 0; i < abut_scene_body_count(world->scene); ++i)
        most = abut_larger(most, abut_length(body_of(world, abut_scene_body_at(world->scene, i)).velocity));
    return most;
}

/*
 * Settles for 10 s, then stands for the other 50 of a minute. It must not creep. It is not wholly still; `trembling`
 * bounds the largest speed in that time, and the message says what it was.
 */
static void stands_for_a_minute(const char *spec, double settle, double creep, double trembling) {
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from(spec, 0, &def);
    Places start = places_of(&world);
    double energy = abut_simulation_energy(world.sim, NULL, NULL), rise = 0.0, speed = 0.0;
    int steps = check_cases(50000);
    for (int i = 0; i < 10000; ++i) {
        AbutStepReport r = world_step(&world, DT);
        rise = abut_larger(rise, (r.kinetic + r.potential - energy) / energy);
    }
    Places settled = places_of(&world);
    for (int i = 0; i < steps; ++i) {
        world_step(&world, DT);
        speed = abut_larger(speed, fastest(&world));
    }
    Places end = places_of(&world);
    print_message("%s: settles by %.3g m, creeps by %.3g m in %g s, largest speed then %.3g m/s, energy rise %.3g\n",
        spec, farthest(&start, &settled), farthest(&settled, &end), steps * DT, speed, rise);
    CHECK(farthest(&start, &settled) <= settle);
    CHECK(farthest(&settled, &end) <= creep);
    CHECK(speed <= trembling);
    CHECK(rise <= 1e-3);
    world_free(&world);
}

static void a_stack_of_20_stands(void **state) {
    (void)state;
    stands_for_a_minute("stack:20", 2e-4, 5e-5, 1e-3);
}

static void an_arch_of_25_stands(void **state) {
    (void)state;
    stands_for_a_minute("arch:25", 2e-4, 5e-5, 1e-3);
}

/* Without friction the arch cannot take its thrust: the test above can fail. */
static void an_arch_without_friction_falls(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("arch:25", 0, &def);
    AbutError error;
    for (int i = 0; i < abut_scene_body_count(world.scene); ++i)
        for (int k = 0; k < i; ++k)
            good(abut_scene_set_pair_friction(world.scene,
                     abut_scene_shape_at(world.scene, abut_scene_body_at(world.scene, i), 0),
                     abut_scene_shape_at(world.scene, abut_scene_body_at(world.scene, k), 0), 0.0, 0.0, &error),
                &error);
    Places start = places_of(&world);
    world_run(&world, DT, 1000);
    Places end = places_of(&world);
    CHECK(farthest(&start, &end) > 0.1);
    world_free(&world);
}

/* A structure for `length` seconds at a step: how far it has moved, how fast it trembles and how deep it sinks in the
 * last quarter. */
static void stands_at(const char *spec, double dt, double length, double moved, double trembling, double depth) {
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from(spec, 0, &def);
    Places start = places_of(&world);
    int steps = (int)(length / dt);
    double speed = 0.0, deepest = 0.0;
    for (int i = 0; i < steps; ++i) {
        AbutStepReport r = world_step(&world, dt);
        if (4 * i < 3 * steps) continue;
        speed = abut_larger(speed, fastest(&world));
        deepest = abut_larger(deepest, r.max_depth);
    }
    Places end = places_of(&world);
    print_message("%s, steps of %g s: moved by %.3g m, trembles at %.3g m/s, %.3g m deep\n", spec, dt,
        farthest(&start, &end), speed, deepest);
    CHECK(farthest(&start, &end) <= moved);
    CHECK(speed <= trembling);
    CHECK(deepest <= depth);
    world_free(&world);
}

static void stacks_of_50_stand(void **state) {
    (void)state;
    static const double steps[] = {1e-3, 5e-3, 1e-2, 1.0 / 60.0};
    stands_at("stack:50", 1e-4, 0.2, 1e-3, 2e-3, 2e-5);
    for (int i = 0; i < 4; ++i) stands_at("stack:50", steps[i], 2.0, 1e-3, 2e-3, 2e-5);
}

static void walls_and_pyramids_stand(void **state) {
    (void)state;
    stands_at("wall:10", 1e-3, 0.4, 1e-4, 1e-3, 1e-5);
    stands_at("pyramid:20", 1e-3, 0.2, 2e-4, 1e-3, 1e-5);
    stands_at("arch:25", 5e-3, 2.0, 5e-4, 1e-3, 3e-5);
    static const double steps[] = {1e-4, 5e-3, 1e-2, 1.0 / 60.0};
    for (int i = 0; i < 4; ++i) {
        int count = i == 0 ? 400 : 60;
        double margin = fmax(3e-5, 7e-3 * steps[i]); /* of the blocks of the arch, whose steps are not cut */
        stands_at("arch:25", steps[i], 2 * count * steps[i], 1e-3, 1e-3, margin);
        stands_at("wall:10", steps[i], count * steps[i], 1e-3, 1e-3, 3e-5);
        stands_at("pyramid:20", steps[i], 0.5 * count * steps[i], 1e-3, 1e-3, 3e-5);
    }
}

/* Light cubes with heavy ones on them, in turns: `ratio` is the mass of a heavy one over that of a light one. */
static World tower(double ratio, int levels) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    add_ground(scene, abut_quat_identity(), 0.5);
    for (int i = 0; i < levels; ++i) {
        AbutShapeDef shape = box_def(0.05, 0.05, 0.05, i % 2 ? 1000.0 * ratio : 1000.0, 0.5);
        throw_box(scene, at(0.0, 0.0, 0.05 + 0.1 * i), abut_zero(), abut_zero(), &shape);
    }
    return world_of(scene, &def);
}

static void heavy_bodies_stand_on_light_ones(void **state) {
    (void)state;
    static const double ratios[] = {1.0, 1e3, 1e4, 1e6};
    static const double steps[] = {1e-3, 5e-3, 1e-2, 1.0 / 60.0, 1e-4};
    for (int k = 0; k < 4; ++k)
        for (int s = 0; s < 5; ++s)
            for (int levels = 2; levels <= 4; levels += 2) {
                World world = tower(ratios[k], levels);
                Places before = places_of(&world);
                double depth = 0.0;
                for (int i = 0; i < (int)((s == 4 ? 0.3 : 2.0) / steps[s]); ++i)
                    depth = abut_larger(depth, world_step(&world, steps[s]).max_depth);
                Places after = places_of(&world);
                print_message("1:%g, %d levels, steps of %g s: moved %.3g m, deepest %.3g m\n", ratios[k], levels,
                    steps[s], farthest(&before, &after), depth);
                CHECK(farthest(&before, &after) < 3e-4);
                CHECK(depth < 3e-4);
                world_free(&world);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_20_stands),
        cmocka_unit_test(an_arch_of_25_stands),
        cmocka_unit_test(an_arch_without_friction_falls),
        cmocka_unit_test(stacks_of_50_stand),
        cmocka_unit_test(walls_and_pyramids_stand),
        cmocka_unit_test(heavy_bodies_stand_on_light_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
