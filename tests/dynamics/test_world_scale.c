/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No constant of a simulation has a unit of its own. The same scene, larger by a factor with times longer by its root,
 * gives the same picture: for powers of four the same bits, since every rounding is then the same; for other factors to
 * one percent. Gravity may be absent or a hundred times the usual.
 */
#include "dynamics/world_support.h"

#include <string.h>

enum { BODIES = 8 };

typedef struct Picture {
    AbutPose pose[BODIES];
    AbutVec3 velocity[BODIES], spin[BODIES];
    int asleep[BODIES];
} Picture;

/* Boxes, a hull and a capsule that fall onto each other, tilted; lengths times `size`, speeds times its root. */
static World falling(double size, const AbutSimulationDef *def) {
    AbutScene *scene = new_scene();
    AbutRng rng = abut_rng(17, 0);
    add_ground(scene, abut_quat_identity(), 0.5);
    for (int i = 0; i < BODIES; ++i) {
        AbutPose pose = abut_pose(
            abut_vec3(0.02 * size * (i % 3), 0.01 * size * (i % 2), size * (0.08 + 0.13 * i)), abut_random_quat(&rng));
        AbutShapeDef shape = box_def(0.05 * size, 0.03 * size, 0.04 * size, 1000.0, 0.5);
        if (i == 5) shape.form.kind = ABUT_SHAPE_CAPSULE;
        throw_box(scene, pose, abut_vec3(0.1 * sqrt(size), 0.0, 0.0), abut_vec3(0.0, 2.0 / sqrt(size), 0.0), &shape);
    }
    return world_of(scene, def);
}

static Picture take_picture(const World *world) {
    Picture p;
    for (int i = 0; i < BODIES; ++i) {
        AbutBodyId id = abut_scene_body_at(world->scene, i + 1);
        AbutBodyState b = body_of(world, id);
        CHECK(abut_simulation_get_activity(world->sim, id, &p.asleep[i], NULL));
        p.pose[i] = b.pose, p.velocity[i] = b.velocity, p.spin[i] = b.spin;
    }
    return p;
}

static int same_vector(AbutVec3 a, AbutVec3 b, double factor) {
    return a.x == factor * b.x && a.y == factor * b.y && a.z == factor * b.z;
}

static void powers_of_four_give_the_same_bits(void **state) {
    (void)state;
    static const double roots[] = {1.0 / 8.0, 32.0};
    enum { STEPS = 1500, EVERY = 50 };
    AbutSimulationDef def = abut_simulation_default();
    def.sleeping = 1;
    for (size_t k = 0; k < sizeof roots / sizeof *roots; ++k) {
        double root = roots[k], size = root * root;
        World small = falling(1.0, &def), other = falling(size, &def);
        int asleep = 0;
        for (int i = 1; i <= STEPS; ++i) {
            world_step(&small, 1e-3);
            world_step(&other, 1e-3 * root);
            if (i % EVERY) continue;
            Picture a = take_picture(&small), b = take_picture(&other);
            for (int j = 0; j < BODIES; ++j) {
                if (!same_vector(b.pose[j].p, a.pose[j].p, size) || !same_vector(b.velocity[j], a.velocity[j], root) ||
                    !same_vector(b.spin[j], a.spin[j], 1.0 / root) || a.asleep[j] != b.asleep[j])
                    fail_msg("size %g, step %d, body %d: another picture, off by %g", size, i, j,
                        abut_point_distance(abut_scale(b.pose[j].p, 1.0 / size), a.pose[j].p));
                asleep += a.asleep[j];
            }
        }
        CHECK(asleep > 0);
        world_free(&small);
        world_free(&other);
    }
}

/* One box lands on its edge and comes to rest, one slides to a stop, three stand on each other, out of line. */
static World quiet_scene(double size) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef box = box_def(0.5 * size, 0.5 * size, 0.25 * size, 1000.0, 0.5);
    add_ground(scene, abut_quat_identity(), 0.5);
    throw_box(scene, abut_pose(abut_vec3(0, 0, size), abut_quat_exp(abut_vec3(0.3, 0.0, 0.0))), abut_zero(),
        abut_zero(), &box);
    throw_box(scene, at(0.0, 4.0 * size, 0.25 * size), abut_vec3(3.0 * sqrt(size), 0, 0), abut_zero(), &box);
    for (int i = 0; i < 3; ++i)
        throw_box(scene, at(0.2 * size * i, 8.0 * size, size * (0.25 + 0.5 * i)), abut_zero(), abut_zero(), &box);
    return world_of(scene, &def);
}

static void millimeters_and_hundreds_of_metres_look_alike(void **state) {
    (void)state;
    static const double sizes[] = {1e-3, 100.0};
    static const double steps[] = {1e-3, 5e-3};
    for (size_t k = 0; k < 2; ++k)
        for (size_t s = 0; s < 2; ++s) {
            World plain = quiet_scene(0.1), other = quiet_scene(sizes[k]);
            double factor = sizes[k] / 0.1;
            world_run(&plain, steps[s], (int)(1.0 / steps[s]));
            world_run(&other, steps[s] * sqrt(factor), (int)(1.0 / steps[s]));
            for (int i = 1; i < abut_scene_body_count(plain.scene); ++i) {
                AbutPose a = body_of(&plain, abut_scene_body_at(plain.scene, i)).pose,
                         b = body_of(&other, abut_scene_body_at(other.scene, i)).pose;
                CHECK_VEC_NEAR(abut_scale(b.p, 0.1 / sizes[k]), a.p, 1e-3); /* one percent of the size */
                CHECK_NEAR(abut_length(abut_quat_log(abut_quat_mul(b.q, abut_quat_conj(a.q)))), 0.0, 1e-2);
            }
            world_free(&plain);
            world_free(&other);
        }
}

/* 100 boxes of 2 mm in a row of heaps: pairs that may touch are few, as for boxes of 0.1 m. */
static void small_bodies_have_few_candidates(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef box = box_def(1e-3, 1e-3, 1e-3, 1000.0, 0.5);
    add_ground(scene, abut_quat_identity(), 0.5);
    for (int i = 0; i < 100; ++i)
        throw_box(scene, at(2.1e-3 * (i % 10), 2.1e-3 * (i / 10 % 2), 1e-3 + 2e-3 * (i / 20)), abut_zero(), abut_zero(),
            &box);
    World world = world_of(scene, &def);
    AbutStepReport report = world_step(&world, 1e-4);
    assert_int_equal(report.contacts, 100);
    CHECK(report.candidates < 1000); /* of 5050 */
    world_free(&world);
}

static void gravity_may_be_absent(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    def.gravity = abut_zero();
    AbutShapeDef box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    AbutBodyId a = throw_box(scene, at(0, 0, 0), abut_vec3(1, 0, 0), abut_zero(), &box);
    AbutBodyId b = throw_box(scene, at(0.2, 0.01, 0.01), abut_zero(), abut_zero(), &box);
    World world = world_of(scene, &def);
    AbutVec3 before, after, spin_before, spin_after;
    total_momentum(&world, &before, &spin_before);
    for (int i = 0; i < 1000; ++i) CHECK(world_step(&world, 1e-3).max_depth < 1e-6);
    total_momentum(&world, &after, &spin_after);
    CHECK_VEC_NEAR(after, before, 1e-12);
    CHECK_VEC_NEAR(spin_after, spin_before, 1e-12);
    CHECK(
        body_of(&world, b).velocity.x > 0.4 && body_of(&world, a).velocity.x < 0.6); /* they share it, without bounce */
    world_free(&world);
}

/* A pile under gravity 1000 after 2 s: fastest body and deepest overlap in the next 0.2 s. */
static void strong_gravity(double dt, uint64_t seed) {
    AbutSimulationDef def = abut_simulation_default();
    def.gravity = abut_vec3(0.0, 0.0, -1000.0);
    World world = world_from("boxes:20", seed, &def);
    double speed = 0.0, depth = 0.0;
    world_run(&world, dt, (int)(2.0 / dt));
    for (int i = 0; i < (int)(0.2 / dt); ++i) {
        depth = abut_larger(depth, world_step(&world, dt).max_depth);
        for (int k = 0; k < abut_scene_body_count(world.scene); ++k)
            speed = abut_larger(speed, abut_length(body_of(&world, abut_scene_body_at(world.scene, k)).velocity));
    }
    print_message("gravity 1000, steps of %g s: boxes move at %.3g m/s, %.3g m deep\n", dt, speed, depth);
    CHECK(speed < 0.05); /* at rest by the measure of such a gravity: 5 mm/s times ten */
    CHECK(depth < 5e-5);
    world_free(&world);
}

static void gravity_may_be_a_hundred_times_ours(void **state) {
    (void)state;
    static const double steps[] = {1e-3, 5e-3, 1e-2, 1.0 / 60.0};
    for (uint64_t i = 0; i < 4; ++i) strong_gravity(steps[i], 1 + i);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_four_give_the_same_bits),
        cmocka_unit_test(millimeters_and_hundreds_of_metres_look_alike),
        cmocka_unit_test(small_bodies_have_few_candidates),
        cmocka_unit_test(gravity_may_be_absent),
        cmocka_unit_test(gravity_may_be_a_hundred_times_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
