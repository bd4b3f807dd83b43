/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Round bodies against closed forms, beyond rolling: rings and hollow balls, rocking, tipping, spinning, whirling,
 * rows of balls that strike, glancing hits, thin plates, steps of a floor.
 */
#include "dynamics/world_support.h"
#include "math/functions.h"

#define G 9.80665

static AbutShapeDef round_def(AbutShapeKind kind, AbutVec3 size, double friction) {
    AbutShapeDef def = box_def(size.x, size.y, size.z, 1000.0, friction);
    def.form.kind = kind;
    return def;
}

/* A body of 1 kg with this inertia instead of that of its shape. */
static AbutBodyId add_given(AbutScene *scene, AbutPose pose, AbutVec3 moments, const AbutShapeDef *shape) {
    AbutBodyDef body = abut_body_default();
    AbutBodyId id;
    AbutError error;
    body.pose = pose;
    body.mass = 1.0;
    body.inertia = abut_mat3_diagonal(moments.x, moments.y, moments.z);
    good(abut_scene_add_body(scene, &body, &id, &error), &error);
    add_shape(scene, id, shape);
    return id;
}

/* A thin ring goes down a slope at 1/2 g sin a, a hollow ball at 3/5. */
static void rings_and_hollow_balls(void **state) {
    (void)state;
    const double r = 0.1, h = 0.02, angle = 0.1;
    for (int ball = 0; ball < 2; ++ball) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape =
            round_def(ball ? ABUT_SHAPE_SPHERE : ABUT_SHAPE_CYLINDER, abut_vec3(r, r, ball ? r : h), 1.0);
        double axis = ball ? 2.0 / 3.0 * r * r : r * r, across = ball ? axis : 0.5 * r * r + h * h / 3.0;
        shape.pose.q = abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI);
        def.gravity = abut_vec3(G * sin(angle), 0.0, -G * cos(angle));
        add_ground(scene, abut_quat_identity(), 1.0);
        AbutBodyId id = add_given(scene, at(0, 0, r), abut_vec3(across, axis, across), &shape);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 1000);
        double exact = G * sin(angle) / (1.0 + axis / (r * r));
        CHECK_NEAR(body_of(&world, id).velocity.x / exact, 1.0, 1e-6);
        world_free(&world);
    }
}

/* An ellipsoid rocks about its lowest point with w^2 = g (rho - h) / (k^2 + h^2), and keeps its amplitude. */
static void an_ellipsoid_rocks(void **state) {
    (void)state;
    const double a = 0.15, c = 0.05, rho = a * a / c, k2 = (a * a + c * c) / 5.0, start = 0.002,
                 w = sqrt(G * (rho - c) / (k2 + c * c));
    for (int k = 0; k < 2; ++k) {
        double dt = k ? 5e-3 : 1e-3, last = start, first_time = 0.0, last_time = 0.0, most = 0.0;
        int crossings = 0;
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(ABUT_SHAPE_ELLIPSOID, abut_vec3(a, 0.1, c), 1.0);
        AbutQuat q = abut_quat_axis_angle(abut_axis(1), start);
        AbutVec3 down = abut_quat_rotate_inv(q, abut_vec3(0, 0, -1));
        double height = abut_length(abut_vec3(a * down.x, 0.0, c * down.z));
        def.sleeping = 0;
        add_ground(scene, abut_quat_identity(), 1.0);
        AbutBodyId id = throw_box(scene, abut_pose(abut_vec3(0, 0, height), q), abut_zero(), abut_zero(), &shape);
        World world = world_of(scene, &def);
        for (double t = 0.0; t < 5.0; t += dt) {
            AbutStepReport report = world_step(&world, dt);
            double tilt = asin(-abut_quat_rotate(body_of(&world, id).pose.q, abut_axis(0)).z);
            if (t > 4.0) most = abut_larger(most, fabs(tilt));
            if (tilt * last < 0.0) {
                double when = report.time - dt * tilt / (tilt - last);
                first_time = crossings++ ? first_time : when;
                last_time = when;
            }
            last = tilt;
        }
        double period = 2.0 * (last_time - first_time) / (crossings - 1);
        print_message("dt %g: period %.5f s, exact %.5f s; %d swings, amplitude %.5f of %.5f\n", dt, period,
            2.0 * ABUT_PI / w, crossings, most, start);
        CHECK_NEAR(period * w / (2.0 * ABUT_PI), 1.0, 1e-3);
        CHECK_NEAR(most / start, 1.0, k ? 0.1 : 0.02);
        world_free(&world);
    }
}

/* A standing cylinder tips where its center of mass leaves the base, whatever the azimuth. */
static void a_cylinder_tips(void **state) {
    (void)state;
    const double r = 0.05, h = 0.1, limit = r / h;
    for (int k = 0; k < 32; ++k) {
        double azimuth = 0.05 + ABUT_PI / 8.0 * (int)(k / 2), slope = atan(limit * (k % 2 ? 1.01 : 0.99));
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(ABUT_SHAPE_CYLINDER, abut_vec3(r, r, h), 2.0);
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

/* A standing cylinder that spins is slowed by its rim: w' = mu g r / (r^2 / 2), and stays where it is. */
static void a_cylinder_spins_down(void **state) {
    (void)state;
    const double r = 0.05, mu = 0.1, start = 20.0, time = 0.25, exact = start - 2.0 * mu * G / r * time;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef shape = round_def(ABUT_SHAPE_CYLINDER, abut_vec3(r, r, 0.05), mu);
    add_ground(scene, abut_quat_identity(), mu);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.05), abut_zero(), abut_vec3(0, 0, start), &shape);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 250);
    AbutBodyState b = body_of(&world, id);
    print_message(
        "spin %.5f rad/s, exact %.5f; drifts at %.2g m/s\n", b.spin.z, exact, abut_hypot(b.velocity.x, b.velocity.y));
    CHECK_NEAR(b.spin.z, exact, 1e-3 * (start - exact));
    CHECK(abut_hypot(b.velocity.x, b.velocity.y) < 1e-5);
    world_free(&world);
}

/* A coin, and a flat cone on its base, let go as it rolls in a circle at a tilt: the energy never passes its start. */
static void a_coin_whirls(void **state) {
    (void)state;
    const double r = 0.0375, h = 0.003, tilt = 0.3, c = cos(tilt), s = sin(tilt);
    for (int k = 0; k < 4; ++k) {
        double dt = k % 2 ? 1e-3 : 1e-4, start = 0.0, most = 0.0, end = 0.0;
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(k < 2 ? ABUT_SHAPE_CYLINDER : ABUT_SHAPE_CONE, abut_vec3(r, r, h), 1.0);
        /* A thin disc in steady whirling about its resting center: rate^2 = 4 g / (r sin tilt). */
        double rate = sqrt(4.0 * G / (r * s));
        AbutQuat q = abut_quat_axis_angle(abut_axis(1), tilt);
        AbutVec3 radial = abut_quat_rotate(q, abut_axis(0));
        def.sleeping = 0;
        add_ground(scene, abut_quat_identity(), 1.0);
        throw_box(
            scene, abut_pose(abut_vec3(0, 0, r * s + h * c), q), abut_zero(), abut_scale(radial, -rate * s), &shape);
        World world = world_of(scene, &def);
        for (double t = 0.0; t < 2.0; t += dt) {
            AbutStepReport report = world_step(&world, dt);
            end = report.kinetic + report.potential;
            start = start == 0.0 ? end : start;
            most = abut_larger(most, end);
        }
        print_message("%s, dt %g: energy at most %.5f of its start, at the end %.4f\n", k < 2 ? "coin" : "cone", dt,
            most / start, end / start);
        CHECK(most < 1.001 * start);
        world_free(&world);
    }
}

/* Newton's cradle: the last of five balls that touch leaves with all the speed. */
static void a_cradle_swings(void **state) {
    (void)state;
    const double r = 0.05;
    for (int k = 0; k < 4; ++k) {
        double dt = k % 2 ? 1e-4 : 1e-3, gap = k / 2 ? 1e-3 : 0.0;
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(ABUT_SHAPE_SPHERE, abut_vec3(r, r, r), 0.0);
        AbutBodyId id[5];
        shape.material.restitution = 1.0;
        def.gravity = abut_zero();
        for (int i = 0; i < 5; ++i)
            id[i] = throw_box(scene, at(i * (2.0 * r + gap) - (i == 0 ? 0.05 : 0.0), 0, 0),
                abut_vec3(i == 0 ? 1.0 : 0.0, 0, 0), abut_zero(), &shape);
        World world = world_of(scene, &def);
        world_run(&world, dt, (int)(0.5 / dt));
        double v[5];
        for (int i = 0; i < 5; ++i) v[i] = body_of(&world, id[i]).velocity.x;
        print_message("gap %g, dt %g: %.6f %.6f %.6f %.6f %.6f\n", gap, dt, v[0], v[1], v[2], v[3], v[4]);
        for (int i = 0; i < 5; ++i) CHECK_NEAR(v[i], i == 4 ? 1.0 : 0.0, 1e-6);
        world_free(&world);
    }
}

/* A ball hits another of the same mass half a radius off its center line: the line of centers gives the angle. */
static void a_glancing_hit(void **state) {
    (void)state;
    static const double speeds[] = {0.1, 1.0, 10.0, 50.0, 200.0, 1000.0};
    const double r = 0.05, off = 0.5 * r, sine = off / (2.0 * r), cosine = sqrt(1.0 - sine * sine);
    for (int k = 0; k < 6; ++k) {
        double v = speeds[k], dt = 1e-4;
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(ABUT_SHAPE_SPHERE, abut_vec3(r, r, r), 0.0);
        shape.material.restitution = 1.0;
        def.gravity = abut_zero();
        throw_box(scene, at(-0.3, off, 0), abut_vec3(v, 0, 0), abut_zero(), &shape);
        AbutBodyId id = throw_box(scene, at(0, 0, 0), abut_zero(), abut_zero(), &shape);
        World world = world_of(scene, &def);
        double start = abut_simulation_energy(world.sim, NULL, NULL);
        world_run(&world, dt, (int)(0.6 / (v * dt)) + 3);
        AbutVec3 got = body_of(&world, id).velocity;
        print_message("%g m/s: angle %.4f (exact %.4f), speed %.4f (%.4f), energy %.6f\n", v, atan2(-got.y, got.x),
            asin(sine), abut_length(got) / v, cosine, abut_simulation_energy(world.sim, NULL, NULL) / start);
        CHECK_NEAR(atan2(-got.y, got.x), asin(sine), 1e-3);
        CHECK_NEAR(abut_length(got) / v, cosine, 1e-3);
        world_free(&world);
    }
}

/* Nothing passes a plate of 2 mm. */
static void plates_stop_round_bodies(void **state) {
    (void)state;
    static const double speeds[] = {5.0, 50.0, 300.0, 1000.0}, steps[] = {1e-3, 1e-2};
    static const AbutShapeKind kinds[] = {ABUT_SHAPE_SPHERE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CONE};
    for (int k = 0; k < 24; ++k) {
        double v = speeds[k % 4], dt = steps[k / 4 % 2];
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(kinds[k / 8], abut_vec3(0.02, 0.02, 0.03), 0.3),
                     plate = box_def(1, 1, 1e-3, 1000, 0.3);
        AbutRng rng = abut_rng(500 + (uint64_t)k, 0);
        add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0, 0, 0)), &plate);
        AbutPose pose = abut_pose(abut_vec3(0, 0, 0.5), abut_random_quat(&rng));
        AbutBodyId id = throw_box(scene, pose, abut_vec3(0, 0, -v), abut_zero(), &shape);
        World world = world_of(scene, &def);
        world_run(&world, dt, (int)(1.0 / (v * dt)) + 20);
        if (!(body_of(&world, id).center.z > 0.0))
            fail_msg("%s at %g m/s, dt %g: passed", abut_word(abut_shape_kind_names, kinds[k / 8]), v, dt);
        world_free(&world);
    }
}

/* A ball of 2 cm radius meets a step of 1 mm: turned back at 0.1 m/s, over it at 0.5 m/s. */
static void a_step_is_climbed(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double v = k ? 0.5 : 0.1;
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef ball = round_def(ABUT_SHAPE_SPHERE, abut_vec3(0.02, 0.02, 0.02), 0.5),
                     tile = box_def(0.5, 0.5, 0.05, 1000.0, 0.5);
        for (int i = 0; i < 2; ++i)
            add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(1.0 * i, 0, -0.05 + 1e-3 * i)), &tile);
        AbutBodyId id = throw_box(scene, at(0.4, 0, 0.02), abut_vec3(v, 0, 0), abut_vec3(0, v / 0.02, 0), &ball);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, k ? 600 : 1500);
        AbutBodyState b = body_of(&world, id);
        print_message("%g m/s at the step: ends at %.3f m with %.4f m/s\n", v, b.center.x, b.velocity.x);
        CHECK((b.center.x > 0.5) == k);
        world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_and_hollow_balls),
        cmocka_unit_test(an_ellipsoid_rocks),
        cmocka_unit_test(a_cylinder_tips),
        cmocka_unit_test(a_cylinder_spins_down),
        cmocka_unit_test(a_coin_whirls),
        cmocka_unit_test(a_cradle_swings),
        cmocka_unit_test(a_glancing_hit),
        cmocka_unit_test(plates_stop_round_bodies),
        cmocka_unit_test(a_step_is_climbed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
