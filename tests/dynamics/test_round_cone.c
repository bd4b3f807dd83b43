/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cones roll, stand and tip as mechanics says. A cone of height H and half angle a that rolls about its apex has the
 * kinetic energy 3/40 m H^2 (1 + 5 cos^2 a) of its rate about the normal squared (L. Landau and E. Lifshitz, Mechanics,
 * section 32).
 */
#include "dynamics/world_support.h"
#include "math/functions.h"

#define G 9.80665

static AbutShapeDef cone_def(double radius, double half, double friction) {
    AbutShapeDef def = box_def(radius, radius, half, 1000.0, friction);
    def.form.kind = ABUT_SHAPE_CONE;
    return def;
}

static void add_floor(AbutScene *scene, int box, double friction) {
    AbutShapeDef def = box_def(5.0, 5.0, 0.5, 1000.0, friction);
    if (box)
        add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0.0, 0.0, -0.5)), &def);
    else
        add_ground(scene, abut_quat_identity(), friction);
}

/* Lying on its side with the apex at the origin and the line of contact along -x turned by `turn` about z; `rate` about
 * z. */
static AbutBodyId lay_cone(AbutScene *scene, double radius, double half, double turn, double rate) {
    AbutShapeDef shape = cone_def(radius, half, 1.0);
    double angle = atan(radius / (2.0 * half));
    AbutQuat q = abut_quat_mul(
        abut_quat_axis_angle(abut_axis(2), turn), abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI + angle));
    AbutVec3 axis = abut_quat_rotate(q, abut_axis(2)), line = abut_vec3(cos(turn), sin(turn), 0.0),
             spin = abut_scale(line, rate / tan(angle));
    return throw_box(
        scene, abut_pose(abut_scale(axis, -half), q), abut_cross(spin, abut_scale(axis, -1.5 * half)), spin, &shape);
}

static AbutVec3 apex_of(const World *world, AbutBodyId id, double half) {
    return abut_pose_apply(body_of(world, id).pose, abut_vec3(0.0, 0.0, half));
}

static void rolls_about_its_apex(void **state) {
    (void)state;
    const double r = 0.05, h = 0.1, a = atan(r / (2.0 * h)), rate = 3.0;
    for (int k = 0; k < 4; ++k) {
        double dt = k % 2 ? 2.5e-4 : 1e-3;
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        add_floor(scene, k / 2, 1.0);
        AbutBodyId id = lay_cone(scene, r, h, 0.0, rate);
        World world = world_of(scene, &def);
        double start = world_step(&world, dt).kinetic, mass = body_of(&world, id).mass,
               exact = 3.0 / 40.0 * mass * 4.0 * h * h * (1.0 + 5.0 * cos(a) * cos(a)) * rate * rate;
        world_run(&world, dt, (int)(3.0 / dt) - 1);
        AbutStepReport last = world_step(&world, dt);
        AbutVec3 apex = apex_of(&world, id, h);
        print_message(
            "floor %d, dt %g: energy %.4g of the closed form, %.4g of it left after 3 s, apex moved %.2g mm\n", k / 2,
            dt, start / exact, last.kinetic / start, 1e3 * abut_hypot(apex.x, apex.y));
        CHECK_NEAR(start / exact, 1.0, 1e-3);
        CHECK(last.kinetic < start && last.kinetic > (1.0 - 10.0 * dt) * start);
        CHECK(abut_hypot(apex.x, apex.y) < 0.3 * dt);
        world_free(&world);
    }
}

/* On a slope it swings about the line of fall: w^2 = 5 g sin b cos a / (H (1 + 5 cos^2 a)). */
static void swings_on_a_slope(void **state) {
    (void)state;
    const double r = 0.05, h = 0.1, a = atan(r / (2.0 * h)), b = 0.2,
                 w = sqrt(5.0 * G * sin(b) * cos(a) / (2.0 * h * (1.0 + 5.0 * cos(a) * cos(a))));
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    def.gravity = abut_vec3(-G * sin(b), 0.0, -G * cos(b));
    add_ground(scene, abut_quat_identity(), 1.0);
    AbutBodyId id = lay_cone(scene, r, h, 0.05, 0.0);
    World world = world_of(scene, &def);
    double last = body_of(&world, id).center.y, crossed[2] = {0.0, 0.0};
    for (int i = 0, n = 0; i < 12000 && n < 5; ++i) {
        AbutStepReport report = world_step(&world, 5e-4);
        double side = body_of(&world, id).center.y;
        if (side * last < 0.0) crossed[n++ == 0 ? 0 : 1] = report.time;
        last = side;
    }
    double half_period = (crossed[1] - crossed[0]) / 4.0;
    print_message("half a swing %.5f s, exact %.5f s\n", half_period, ABUT_PI / w);
    CHECK_NEAR(half_period * w / ABUT_PI, 1.0, 1e-3);
    world_free(&world);
}

/* On its base it stands up to the slope where the center of mass, half of `half` above the base, leaves the base. */
static void stands_and_tips(void **state) {
    (void)state;
    const double r = 0.05, h = 0.1, limit = 2.0 * r / h;
    for (int k = 0; k < 8; ++k) {
        double azimuth = 0.1 + 0.25 * ABUT_PI * (k / 2), slope = atan(limit * (k % 2 ? 1.01 : 0.99));
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = cone_def(r, h, 2.0);
        def.gravity = abut_vec3(G * sin(slope) * cos(azimuth), G * sin(slope) * sin(azimuth), -G * cos(slope));
        add_ground(scene, abut_quat_identity(), 2.0);
        AbutBodyId id = throw_box(scene, at(0, 0, h), abut_zero(), abut_zero(), &shape);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 2000);
        double upright = abut_quat_rotate(body_of(&world, id).pose.q, abut_axis(2)).z;
        if ((upright > 0.999) != (k % 2 == 0))
            fail_msg("azimuth %.2f, slope %.3f of the limit: upright %.4f", azimuth, tan(slope) / limit, upright);
        world_free(&world);
    }
}

/* Balanced on its apex, a little off, it falls: no step adds energy, and it comes to lie on its side. */
static void falls_from_its_apex(void **state) {
    (void)state;
    const double r = 0.05, h = 0.06, tilt = 0.02;
    for (int box = 0; box < 2; ++box) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = cone_def(r, h, 0.5);
        shape.material.friction_rolling = 1e-3;
        AbutQuat q = abut_quat_axis_angle(abut_axis(1), ABUT_PI - tilt);
        add_floor(scene, box, 0.5);
        AbutBodyId id = throw_box(
            scene, abut_pose(abut_neg(abut_quat_rotate(q, abut_vec3(0, 0, h))), q), abut_zero(), abut_zero(), &shape);
        World world = world_of(scene, &def);
        double start = abut_simulation_energy(world.sim, NULL, NULL), last = start, rise = 0.0;
        for (int i = 0; i < 4000; ++i) {
            AbutStepReport report = world_step(&world, 1e-3);
            rise = abut_larger(rise, report.kinetic + report.potential - last);
            last = report.kinetic + report.potential;
        }
        AbutContact c;
        AbutBodyState b = body_of(&world, id);
        CHECK(abut_simulation_get_contact(world.sim, 0, &c));
        print_message("floor %d: a step adds %.2g of the energy; at the end %d vertices, %.2g m/s\n", box, rise / start,
            c.vertex_count, abut_length(b.velocity));
        CHECK(rise < 1e-3 * start && last < start);
        assert_int_equal(c.vertex_count, 2);
        CHECK_NEAR(b.center.z, 1.5 * h * sin(atan(r / (2.0 * h))), 1e-5);
        CHECK(abut_length(b.velocity) < 1e-6);
        world_free(&world);
    }
}

/* Apex over apex, a base on a tip, side on side: they part or rest, none sinks into another. */
static void cones_meet_cones(void **state) {
    (void)state;
    for (int k = 0; k < check_cases(40); ++k) {
        AbutRng rng = abut_rng(8800 + (uint64_t)k, 0);
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        add_floor(scene, k % 2, 0.5);
        for (int i = 0; i < 3; ++i) {
            AbutShapeDef shape = cone_def(abut_rng_between(&rng, 0.02, 0.08), abut_rng_between(&rng, 0.02, 0.08), 0.5);
            AbutPose pose = at(0.0, 0.0, 0.12 + 0.25 * i);
            if (k % 4 < 2)
                pose.q = abut_random_quat(&rng);
            else if (k % 4 == 2)
                pose.q = abut_quat_axis_angle(abut_axis(0), i % 2 ? ABUT_PI : 0.0);
            throw_box(scene, pose, abut_zero(), abut_zero(), &shape);
        }
        World world = world_of(scene, &def);
        double start = abut_simulation_energy(world.sim, NULL, NULL), deepest = 0.0;
        for (int i = 0; i < 2500; ++i) {
            AbutStepReport report = world_step(&world, 1e-3);
            CHECK(report.kinetic + report.potential < start * (1.0 + 1e-3));
            if (i >= 2300) deepest = abut_larger(deepest, report.max_depth);
        }
        if (!(deepest < 1e-3)) fail_msg("case %d: %.3g mm deep", k, 1e3 * deepest);
        world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolls_about_its_apex),
        cmocka_unit_test(swings_on_a_slope),
        cmocka_unit_test(stands_and_tips),
        cmocka_unit_test(falls_from_its_apex),
        cmocka_unit_test(cones_meet_cones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
