/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Impacts: what falls flat bounces by its restitution and does not spin, what does not bounce stays, however fast it
 * came; overlap at the start is pushed out slowly.
 */
#include "dynamics/world_support.h"
#include "math/matrix.h"

static AbutShapeDef bouncing(double restitution) {
    AbutShapeDef def = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    def.material.restitution = restitution;
    return def;
}

/* Heights of the first peaks of a body that falls by 1 m onto the ground, and its largest spin. */
static void bounce(AbutShapeDef def, double bottom, double *peak, int peaks, double *spin) {
    AbutScene *scene = new_scene();
    AbutSimulationDef settings = abut_simulation_default();
    AbutBodyId ground = add_body(scene, ABUT_BODY_STATIC, abut_pose_identity());
    AbutShapeDef floor = def;
    floor.form.kind = ABUT_SHAPE_HALF_SPACE;
    add_shape(scene, ground, &floor);
    AbutBodyId id = throw_box(scene, at(0, 0, 1.0 + bottom), abut_zero(), abut_zero(), &def);
    World world = world_of(scene, &settings);
    double before = 0.0;
    *spin = 0.0;
    for (int found = 0, i = 0; found < peaks && i < 10000; ++i) {
        world_step(&world, 1e-3);
        AbutBodyState b = body_of(&world, id);
        if (before > 0.0 && b.velocity.z <= 0.0) peak[found++] = b.center.z - bottom;
        before = b.velocity.z;
        *spin = abut_larger(*spin, abut_length(b.spin));
    }
    world_free(&world);
}

static void flat_boxes_bounce_by_their_restitution(void **state) {
    (void)state;
    static const double restitution[] = {0.8, 1.0};
    for (int k = 0; k < 2; ++k) {
        double peak[3], spin, e = restitution[k], exact = 1.0;
        bounce(bouncing(e), 0.05, peak, 3, &spin);
        for (int i = 0; i < 3; ++i) {
            exact *= e * e;
            CHECK_NEAR(peak[i], exact, 0.01 * exact);
        }
        CHECK(spin < 1e-3);
    }
}

/* A sphere of many facets lands on a facet of eight corners and more: it used to leave with a spin of 16 rad/s. */
static void faceted_spheres_bounce_without_spin(void **state) {
    (void)state;
    AbutShapeDef def = bouncing(0.8);
    double peak[3], spin;
    def.form.kind = ABUT_SHAPE_SPHERE;
    bounce(def, 0.05, peak, 3, &spin);
    CHECK_NEAR(peak[0], 0.64, 0.01);
    CHECK_NEAR(peak[1], 0.41, 0.01);
    CHECK_NEAR(peak[2], 0.262, 0.01);
    CHECK(spin < 0.1);
}

static void projectiles_do_not_bounce(void **state) {
    (void)state;
    static const double speeds[] = {10.0, 100.0, 1000.0};
    for (int k = 0; k < 3; ++k) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        def.gravity = abut_zero();
        add_box(scene, ABUT_BODY_STATIC, at(0, 0, 0), abut_vec3(1.0, 1.0, 1e-4));
        AbutShapeDef box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
        AbutBodyId id = throw_box(scene, at(0, 0, 0.5123), abut_vec3(0, 0, -speeds[k]), abut_zero(), &box);
        World world = world_of(scene, &def);
        double most = 0.0;
        for (int i = 0; i < 200; ++i) {
            world_step(&world, 1e-3);
            most = abut_larger(most, body_of(&world, id).velocity.z);
        }
        print_message("%g m/s: comes back at %.3g m/s\n", speeds[k], most);
        CHECK(body_of(&world, id).center.z > 0.0);
        CHECK(most < 0.35);
        world_free(&world);
    }
}

static void overlap_at_the_start_is_pushed_out_slowly(void **state) {
    (void)state;
    static const double steps[] = {1e-4, 1e-3, 5e-3};
    for (int k = 0; k < 3; ++k) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        add_ground(scene, abut_quat_identity(), 0.5);
        AbutShapeDef box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
        AbutBodyId low = throw_box(scene, at(0, 0, 0.02), abut_zero(), abut_zero(), &box),
                   high = throw_box(scene, at(0.01, 0, 0.08), abut_zero(), abut_zero(), &box);
        World world = world_of(scene, &def);
        double most = 0.0;
        for (int i = 0; i < (int)(2.0 / steps[k]); ++i) {
            world_step(&world, steps[k]);
            most = abut_larger(most,
                abut_larger(abut_length(body_of(&world, low).velocity), abut_length(body_of(&world, high).velocity)));
        }
        print_message("steps of %g s: pushed out at %.3g m/s\n", steps[k], most);
        CHECK(most < 1.0);
        CHECK_NEAR(body_of(&world, high).center.z, 0.15, 1e-4);
        world_free(&world);
    }
}

/* Boxes in a closed room without gravity and without loss keep their energy. */
static void elastic_impacts_keep_energy(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutRng rng = abut_rng(9, 0);
    def.gravity = abut_zero();
    AbutShapeDef box = bouncing(1.0);
    box.material.friction = 0.0;
    for (int i = 0; i < 6; ++i) {
        AbutVec3 out = abut_scale(abut_axis(i / 2), i % 2 ? 1.0 : -1.0);
        AbutBodyId wall = add_body(
            scene, ABUT_BODY_STATIC, abut_pose(abut_scale(out, 0.5), abut_quat_between(abut_axis(2), abut_neg(out))));
        AbutShapeDef plane = box;
        plane.form.kind = ABUT_SHAPE_HALF_SPACE;
        add_shape(scene, wall, &plane);
    }
    for (int i = 0; i < 8; ++i) {
        AbutVec3 place = abut_vec3(i & 1 ? 0.2 : -0.2, i & 2 ? 0.2 : -0.2, i & 4 ? 0.2 : -0.2);
        AbutVec3 velocity = abut_random_direction(&rng);
        throw_box(scene, abut_pose(place, abut_random_quat(&rng)), velocity, abut_zero(), &box);
    }
    World world = world_of(scene, &def);
    double start = abut_simulation_energy(world.sim, NULL, NULL);
    world_run(&world, 1e-3, 2000);
    double end = abut_simulation_energy(world.sim, NULL, NULL);
    print_message("energy after 2 s: %.5f of the start\n", end / start);
    CHECK(end < start * (1.0 + 1e-6));
    CHECK(end > 0.99 * start);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_boxes_bounce_by_their_restitution),
        cmocka_unit_test(faceted_spheres_bounce_without_spin),
        cmocka_unit_test(projectiles_do_not_bounce),
        cmocka_unit_test(overlap_at_the_start_is_pushed_out_slowly),
        cmocka_unit_test(elastic_impacts_keep_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
