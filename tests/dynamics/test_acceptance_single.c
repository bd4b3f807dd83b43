/* SPDX-License-Identifier: Apache-2.0 */
/* Acceptance checks 5 to 13 and 22: one box at rest, on slopes, sliding, spinning; model `vol`. Numbers as in the
 * specification. */
#include "dynamics/world.h"
#include "abut/literature.h"

static const double degree = ABUT_PI / 180.0;

/* A box at its resting depth on the ground. */
static World box_on_ground(int model) {
    World w = world_begin(model);
    world_ground(&w);
    world_box(&w, abut_vec3(0.0, 0.0, WORLD_REST), abut_quat_identity());
    return w;
}

typedef struct Force {
    double mean, deviation, largest;
    int zero, steps;
} Force;

/* Normal force in weights over a time. */
static Force run_force(World *w, double time) {
    Force f = {0, 0, 0, 0, (int)lround(time / w->dt)};
    double squares = 0.0;
    for (int i = 0; i < f.steps; ++i) {
        world_step(w);
        double n = world_support(w, 0).z / WORLD_WEIGHT;
        f.mean += n;
        squares += (n - 1.0) * (n - 1.0);
        f.largest = abut_larger(f.largest, n);
        f.zero += n == 0.0;
    }
    f.mean /= f.steps;
    f.deviation = sqrt(abut_larger(0.0, squares / f.steps - (f.mean - 1.0) * (f.mean - 1.0)));
    return f;
}

static void test_05_06_rest(void **state) {
    (void)state;
    World w = world_begin(ABUT_CONTACT_MODEL_VOL);
    world_ground(&w);
    world_box(&w, abut_vec3(0.0, 0.0, 0.025), abut_quat_identity());
    world_start(&w);
    world_run(&w, 0.1); /* sinks by the slop */
    Force f = run_force(&w, 0.5);
    double z = world_get(&w, 0).center.z;
    MEASURED("5: mean F/mg - 1 %.2g, deviation %.2g, zero-force steps %d; 6: z - .024999 %.2g m\n", f.mean - 1.0,
        f.deviation, f.zero, z - WORLD_REST);
    CHECK_NEAR(f.mean, 1.0, 1e-6);
    CHECK(f.deviation < 1e-5);
    assert_int_equal(f.zero, 0);
    CHECK_NEAR(z, WORLD_REST, 1e-8);
    world_end(&w);
}

/*
 * Without slop the overlap is driven to nothing. The measured 0.28 % of steps without force came from a clipper that
 * loses overlaps below 4e-15 m; this one keeps a face that lies in the plane of the other body within rounding, so the
 * box stays on the edge of losing contact (even with the geometry computed anew in every step), and the least lift
 * shows a step without force.
 */
static void test_07_rest_without_slop(void **state) {
    (void)state;
    World w = world_begin(ABUT_CONTACT_MODEL_VOL);
    AbutError error;
    w.def.slop = 0.0;
    world_ground(&w);
    world_box(&w, abut_vec3(0.0, 0.0, WORLD_REST), abut_quat_identity());
    world_start(&w);
    w.sim->contacts.coherence = 0.0;
    Force f = run_force(&w, 1.0);
    double depth = 0.025 - world_get(&w, 0).center.z;
    world_ok(abut_scene_set_pose(
                 w.scene, w.box[0], abut_pose(abut_vec3(0.0, 0.0, 0.025 + 1e-12), abut_quat_identity()), &error),
        &error);
    Force lifted = run_force(&w, 0.01);
    MEASURED("7: depth %.2g m, zero-force steps %d of %d, then %d, mean F/mg - 1 %.2g\n", depth, f.zero, f.steps,
        lifted.zero, f.mean - 1.0);
    CHECK(fabs(depth) < 1e-14);
    CHECK(f.zero <= 28 * f.steps / 10000);
    CHECK_NEAR(f.mean, 1.0, 1e-6);
    CHECK(lifted.zero > 0);
    world_end(&w);
}

static void test_08_slope_sticks(void **state) {
    (void)state;
    double tangents[4] = {0.3, 0.499, 0.499, 0.499}, yaws[4] = {0.0, 0.0, 10.0, 22.5};
    for (int i = 0; i < 4; ++i) {
        World w = box_on_ground(ABUT_CONTACT_MODEL_VOL);
        world_slope(&w, tangents[i], yaws[i] * degree);
        world_start(&w);
        world_run(&w, 0.5);
        AbutVec3 from = world_get(&w, 0).center;
        world_run(&w, 0.5);
        AbutBodyState s = world_get(&w, 0);
        double drift = abut_point_distance(from, s.center), slipped = hypot(from.x, from.y);
        MEASURED("8: tan %.3f yaw %4.1f: |v| %.2g m/s, drift in .5 s %.2g m, slip before %.2g m\n", tangents[i],
            yaws[i], abut_length(s.velocity), drift, slipped);
        CHECK(abut_length(s.velocity) < 1e-10);
        CHECK(drift < 1e-10);
        CHECK(slipped < 1e-6);
        world_end(&w);
    }
}

static void test_09_slope_slides(void **state) {
    (void)state;
    double tangents[2] = {0.501, 0.6}, yaws[3] = {0.0, 10.0, 22.5};
    for (int i = 0; i < 6; ++i) {
        World w = box_on_ground(ABUT_CONTACT_MODEL_VOL);
        double tangent = tangents[i / 3], angle = atan(tangent),
               exact = WORLD_GRAVITY * (sin(angle) - 0.5 * cos(angle));
        world_slope(&w, tangent, yaws[i % 3] * degree);
        world_start(&w);
        world_run(&w, 1.0);
        AbutBodyState s = world_get(&w, 0);
        MEASURED(
            "9: tan %.3f yaw %4.1f: v(1 s) %.6g (exact %.6g)\n", tangent, yaws[i % 3], abut_length(s.velocity), exact);
        CHECK_NEAR(abut_length(s.velocity), exact, 1e-3 * exact);
        CHECK_NEAR(atan2(s.velocity.y, s.velocity.x), yaws[i % 3] * degree, 1e-6);
        world_end(&w);
    }
}

typedef struct Slide {
    double stop, distance, deviation;
    AbutVec3 way;
} Slide;

/* Pushes the box and waits until it stands. */
static Slide slide(World *w, double yaw) {
    Slide out = {0.0, 0.0, 0.0, {0, 0, 0}};
    double squares = 0.0, moving = 0.0;
    world_velocity(w, 0, abut_vec3(cos(yaw), sin(yaw), 0.0), abut_zero());
    world_start(w);
    for (int i = 0; i < 4000 && out.stop == 0.0; ++i) {
        world_step(w);
        double n = world_support(w, 0).z / WORLD_WEIGHT;
        AbutBodyState s = world_get(w, 0);
        squares += (n - 1.0) * (n - 1.0);
        moving += 1.0;
        if (hypot(s.velocity.x, s.velocity.y) < 1e-9) out.stop = w->report.time;
    }
    out.way = world_get(w, 0).center;
    out.distance = hypot(out.way.x, out.way.y);
    out.deviation = sqrt(squares / moving);
    return out;
}

static void test_10_slide(void **state) {
    (void)state;
    double yaws[4] = {0.0, 10.0, 22.5, 37.0}, stop = 1.0 / (0.5 * WORLD_GRAVITY), distance = 0.5 * stop;
    for (int i = 0; i < 5; ++i) {
        World w = box_on_ground(ABUT_CONTACT_MODEL_VOL);
        double yaw = yaws[i % 4] * degree;
        w.dt = i < 4 ? 1e-4 : 1e-3;
        w.def.slop = i < 4 ? 1e-6 : 1e-5;
        Slide s = slide(&w, yaw);
        MEASURED("10: yaw %4.1f dt %g: stop %.5f s (exact %.5f), distance %.7f (exact %.7f), F/mg deviation %.2g\n",
            yaws[i % 4], w.dt, s.stop, stop, s.distance, distance, s.deviation);
        CHECK_NEAR(s.distance, distance, w.dt);
        CHECK_NEAR(atan2(s.way.y, s.way.x), yaw, 1e-6);
        if (i < 4) { /* at 1 ms the box first sinks from 1 um to the slop of 10 um, carrying less */
            CHECK_NEAR(s.stop, stop, 1.01 * w.dt);
            CHECK(s.deviation < 1e-5);
        }
        world_end(&w);
    }
}

static void test_11_kinetic_slide(void **state) {
    (void)state;
    World w = world_begin(ABUT_CONTACT_MODEL_VOL);
    w.mu_kinetic = 0.45;
    world_ground(&w);
    world_box(&w, abut_vec3(0.0, 0.0, WORLD_REST), abut_quat_identity());
    double stop = 1.0 / (0.45 * WORLD_GRAVITY), distance = 0.5 * stop;
    Slide s = slide(&w, 0.0);
    MEASURED("11: stop %.5f s (exact %.5f), distance %.6f (exact %.6f)\n", s.stop, stop, s.distance, distance);
    CHECK_NEAR(s.stop, stop, 2.0 * w.dt);
    CHECK_NEAR(s.distance, distance, 1e-3 * distance);
    world_end(&w);
}

static void test_12_static_and_kinetic(void **state) {
    (void)state;
    double tangents[4] = {0.44, 0.47, 0.49, 0.51};
    for (int i = 0; i < 4; ++i) {
        World w = world_begin(ABUT_CONTACT_MODEL_VOL);
        w.mu_kinetic = 0.45;
        world_ground(&w);
        world_box(&w, abut_vec3(0.0, 0.0, WORLD_REST), abut_quat_identity());
        world_slope(&w, tangents[i], 0.0);
        world_start(&w);
        world_run(&w, 0.5);
        double v = abut_length(world_get(&w, 0).velocity);
        /* below 1 mm/s the box is held by 0.5, above by 0.45 */
        double angle = atan(0.51), slow = WORLD_GRAVITY * (sin(angle) - 0.5 * cos(angle)),
               fast = WORLD_GRAVITY * (sin(angle) - 0.45 * cos(angle));
        double expected = i < 3 ? 0.0 : 1e-3 + fast * (0.5 - 1e-3 / slow);
        MEASURED("12: tan %.2f: v(.5 s) %.6g (by hand %.6g)\n", tangents[i], v, expected);
        CHECK_NEAR(v, expected, i < 3 ? 1e-10 : 1e-3 * expected);
        world_end(&w);
    }
}

/* Time to stop a spin of 10 rad/s: I w / (mu N r), r the mean lever arm of friction. */
static void test_13_spin(void **state) {
    (void)state;
    double expected[2] = {0.07601, 0.14324};
    for (int uniform = 0; uniform < 2; ++uniform) {
        World w = box_on_ground(ABUT_CONTACT_MODEL_VOL);
        w.def.torsion_uniform = uniform;
        world_velocity(&w, 0, abut_zero(), abut_vec3(0.0, 0.0, 10.0));
        world_start(&w);
        double stop = 0.0, hop = 0.0;
        for (int i = 0; i < 3000 && stop == 0.0; ++i) {
            world_step(&w);
            AbutBodyState s = world_get(&w, 0);
            hop = abut_larger(hop, fabs(s.velocity.z));
            if (fabs(s.spin.z) < 1e-9) stop = w.report.time;
        }
        MEASURED(
            "13: torsion %d: stop %.5f s (model %.5f), largest |v_z| %.2g\n", uniform, stop, expected[uniform], hop);
        CHECK_NEAR(stop, expected[uniform], 2.01 * w.dt);
        CHECK(hop < 1e-4);
        world_end(&w);
    }
}

/* Distance from the law of contact after the solve: rest, slide, spin; with the vertex solver and the generators. */
static void test_22_law(void **state) {
    (void)state;
    int models[2] = {ABUT_CONTACT_MODEL_VOL, ABUT_CONTACT_MODEL_VOL_GENERATOR};
    for (int i = 0; i < 6; ++i) {
        World w = box_on_ground(models[i / 3]);
        w.def.iterations = 2000;
        w.def.tolerance = 1e-11;
        world_velocity(
            &w, 0, i % 3 == 1 ? abut_axis(0) : abut_zero(), i % 3 == 2 ? abut_vec3(0.0, 0.0, 10.0) : abut_zero());
        world_start(&w);
        w.sim->solver.wants_violation = 1;
        double worst = 0.0;
        for (int k = 0; k < 500; ++k) {
            world_step(&w);
            CHECK(w.sim->islands.count == 1);
            worst = abut_larger(worst, w.sim->islands.at[0].violation);
        }
        MEASURED("22: %s case %d: violation %.2g m/s\n", abut_contact_model_name(models[i / 3]), i % 3, worst);
        CHECK(worst < 1e-10);
        world_end(&w);
    }
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_05_06_rest),
        cmocka_unit_test(test_07_rest_without_slop),
        cmocka_unit_test(test_08_slope_sticks),
        cmocka_unit_test(test_09_slope_slides),
        cmocka_unit_test(test_10_slide),
        cmocka_unit_test(test_11_kinetic_slide),
        cmocka_unit_test(test_12_static_and_kinetic),
        cmocka_unit_test(test_13_spin),
        cmocka_unit_test(test_22_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
