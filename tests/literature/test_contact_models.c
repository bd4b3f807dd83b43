/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contact models beside `vol`: what each does with a box at rest, on slopes, sliding, spinning, dropped, on a
 * bridge; the active set against a slow reference; generator and joint models against each other; errors.
 */
#include "dynamics/world.h"
#include "abut/literature.h"
#include "oracle/contact_oracle.h"

static World box_on_ground(int model) {
    World w = world_begin(model);
    world_ground(&w);
    world_box(&w, abut_vec3(0.0, 0.0, WORLD_REST), abut_quat_identity());
    return w;
}

static AbutQuat drop_pose(void) {
    double d = ABUT_PI / 180.0;
    return abut_quat_mul(abut_quat_axis_angle(abut_axis(2), 60 * d),
        abut_quat_mul(abut_quat_axis_angle(abut_axis(1), 45 * d), abut_quat_axis_angle(abut_axis(2), 30 * d)));
}

static void test_names(void **state) {
    (void)state;
    static const char *const names[ABUT_CONTACT_MODEL_COUNT] = {
        "vol", "vol-generator", "convex", "emin", "paper", "paper-guarded", "direct", "point", "pressure", "penalty"};
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i) {
        assert_string_equal(abut_contact_model_name(i), names[i]);
        assert_int_equal(abut_contact_model_find(names[i]), i);
        assert_int_equal(abut_contact_model(i)->number, i);
    }
    assert_int_equal(abut_contact_model_find("rubber"), -1);
}

/* Every model carries a resting box, by either fit; but those that give way, which test_world_pressure.c looks at. */
static void test_rest(void **state) {
    (void)state;
    for (int i = 0; i < 2 * ABUT_CONTACT_MODEL_PRESSURE; ++i) {
        World w = box_on_ground((i / 2));
        w.def.fit = i % 2 ? ABUT_FIT_MOMENTS : ABUT_FIT_THICKNESS;
        world_start(&w);
        world_run(&w, 0.1);
        AbutBodyState s = world_get(&w, 0);
        double force = world_support(&w, 0).z / WORLD_WEIGHT;
        MEASURED("rest: %s: F/mg - 1 %.2g, |v| %.2g, z %.9f\n", abut_contact_model_name(w.def.model), force - 1.0,
            abut_length(s.velocity), s.center.z);
        CHECK_NEAR(force, 1.0, 1e-6);
        CHECK(abut_length(s.velocity) < 1e-9);
        CHECK_NEAR(s.center.z, WORLD_REST, 1e-8);
        world_end(&w);
    }
}

/* Sticking is exact for all models but the printed ones. */
static void test_slope_sticks(void **state) {
    (void)state;
    static const int models[6] = {ABUT_CONTACT_MODEL_VOL, ABUT_CONTACT_MODEL_VOL_GENERATOR, ABUT_CONTACT_MODEL_CONVEX,
        ABUT_CONTACT_MODEL_EMIN, ABUT_CONTACT_MODEL_DIRECT, ABUT_CONTACT_MODEL_POINT};
    for (int i = 0; i < 12; ++i) {
        World w = box_on_ground(models[i / 2]);
        w.def.iterations = w.def.model == ABUT_CONTACT_MODEL_POINT ? 500 : w.def.iterations;
        world_slope(&w, 0.3, i % 2 ? 0.4 : 0.0);
        world_start(&w);
        world_run(&w, 0.3);
        double v = abut_length(world_get(&w, 0).velocity);
        MEASURED("slope .3: %s: |v| %.2g m/s\n", abut_contact_model_name(w.def.model), v);
        CHECK(v < 1e-10);
        world_end(&w);
    }
}

/* Sliding: exact with Coulomb's law; the convex models lift the box by mu times its speed, so that it hops. */
static void test_slope_slides(void **state) {
    (void)state;
    static const int models[6] = {ABUT_CONTACT_MODEL_VOL, ABUT_CONTACT_MODEL_VOL_GENERATOR, ABUT_CONTACT_MODEL_DIRECT,
        ABUT_CONTACT_MODEL_POINT, ABUT_CONTACT_MODEL_CONVEX, ABUT_CONTACT_MODEL_EMIN};
    double angle = atan(0.6), exact = WORLD_GRAVITY * (sin(angle) - 0.5 * cos(angle));
    for (int i = 0; i < 6; ++i) {
        World w = box_on_ground(models[i]);
        w.def.iterations = w.def.model == ABUT_CONTACT_MODEL_POINT ? 500 : w.def.iterations;
        world_slope(&w, 0.6, 0.0);
        world_start(&w);
        double hop = 0.0;
        for (int k = 0; k < 10000; ++k) {
            world_step(&w);
            hop = abut_larger(hop, world_get(&w, 0).velocity.z);
        }
        double v = hypot(world_get(&w, 0).velocity.x, world_get(&w, 0).velocity.y);
        MEASURED("slope .6: %s: v(1 s) %.4f (exact %.4f), hop %.2g m/s\n", abut_contact_model_name(w.def.model), v,
            exact, hop);
        if (i < 4) {
            CHECK_NEAR(v, exact, 1e-3 * exact);
            CHECK(hop < 1e-6);
        } else {
            CHECK(hop > 0.01);
        }
        world_end(&w);
    }
}

static void test_slide_and_spin(void **state) {
    (void)state;
    static const int models[3] = {
        ABUT_CONTACT_MODEL_VOL_GENERATOR, ABUT_CONTACT_MODEL_DIRECT, ABUT_CONTACT_MODEL_POINT};
    for (int i = 0; i < 6; ++i) {
        World w = box_on_ground(models[i % 3]);
        int spins = i / 3;
        w.def.iterations = w.def.model == ABUT_CONTACT_MODEL_POINT ? 500 : w.def.iterations;
        world_velocity(&w, 0, spins ? abut_zero() : abut_axis(0), spins ? abut_vec3(0.0, 0.0, 10.0) : abut_zero());
        world_start(&w);
        double stop = 0.0, hop = 0.0;
        for (int k = 0; k < 4000 && stop == 0.0; ++k) {
            world_step(&w);
            AbutBodyState s = world_get(&w, 0);
            hop = abut_larger(hop, fabs(s.velocity.z));
            if (fabs(s.spin.z) < 1e-7 && fabs(s.velocity.x) < 1e-7) stop = w.report.time;
        }
        MEASURED("%s: %s: stop %.5f s, distance %.6f m, hop %.2g\n", spins ? "spin" : "slide",
            abut_contact_model_name(w.def.model), stop, world_get(&w, 0).center.x, hop);
        CHECK_NEAR(stop, spins ? 0.07601 : 0.20394, 3.0 * w.dt);
        CHECK_NEAR(world_get(&w, 0).center.x, spins ? 0.0 : 0.1019716, 1.01 * w.dt);
        CHECK(hop < 1e-3);
        world_end(&w);
    }
}

/* Uniform torsion with generators. */
static void test_uniform_torsion(void **state) {
    (void)state;
    World w = box_on_ground(ABUT_CONTACT_MODEL_VOL_GENERATOR);
    w.def.torsion_uniform = 1;
    w.def.generators = 16;
    world_velocity(&w, 0, abut_zero(), abut_vec3(0.0, 0.0, 10.0));
    world_start(&w);
    double stop = 0.0;
    for (int k = 0; k < 3000 && stop == 0.0; ++k) {
        world_step(&w);
        stop = fabs(world_get(&w, 0).spin.z) < 1e-7 ? w.report.time : 0.0;
    }
    MEASURED("spin, uniform torsion: stop %.5f s\n", stop);
    CHECK_NEAR(stop, 0.14324, 3.0 * w.dt);
    world_end(&w);
}

static void test_drop(void **state) {
    (void)state;
    static const int models[5] = {ABUT_CONTACT_MODEL_VOL_GENERATOR, ABUT_CONTACT_MODEL_CONVEX, ABUT_CONTACT_MODEL_EMIN,
        ABUT_CONTACT_MODEL_DIRECT, ABUT_CONTACT_MODEL_POINT};
    static const double limit[5] = {0.03, 0.2, 0.6, 0.03, 0.2};
    for (int i = 0; i < 5; ++i) {
        World w = world_begin(models[i]);
        world_ground(&w);
        world_box(&w, abut_vec3(0.0, 0.0, 1.0), drop_pose());
        world_start(&w);
        double start = abut_simulation_energy(w.sim, NULL, NULL), most = 0.0, up = -1.0;
        int touched = 0;
        for (int k = 0; k < 15000; ++k) {
            world_step(&w);
            touched |= w.report.contacts > 0;
            most = abut_larger(most, w.report.kinetic + w.report.potential);
            up = touched ? abut_larger(up, world_get(&w, 0).velocity.z) : up;
        }
        double force = world_support(&w, 0).z / WORLD_WEIGHT;
        MEASURED("drop: %s: energy %.6f E0, upward %.4f m/s, F/mg - 1 %.2g\n", abut_contact_model_name(w.def.model),
            most / start, up, force - 1.0);
        CHECK(most <= 1.0001 * start);
        CHECK(up < limit[i]);
        CHECK_NEAR(force, 1.0, 1e-6);
        world_end(&w);
    }
}

/*
 * Uneven bridge: it comes to rest on both supports. While it turns, the forces by which the supports squeeze it are
 * nearly undetermined, and sweeps take thousands to find them; the joint problem needs none.
 */
static void test_bridge(void **state) {
    (void)state;
    static const int models[4] = {ABUT_CONTACT_MODEL_VOL_GENERATOR, ABUT_CONTACT_MODEL_DIRECT,
        ABUT_CONTACT_MODEL_CONVEX, ABUT_CONTACT_MODEL_EMIN};
    for (int i = 0; i < 4; ++i) {
        World w = world_begin(models[i]);
        w.def.iterations = 50;
        for (int k = 0; k < 2; ++k) {
            double half = 0.025 - 0.5 * k * 1e-5;
            world_add(&w, ABUT_BODY_STATIC, abut_vec3(0.02, 0.05, half),
                abut_pose(abut_vec3(k ? 0.08 : -0.08, 0.0, half), abut_quat_identity()));
        }
        world_box(&w, abut_vec3(0.0, 0.0, 0.05 + WORLD_REST), abut_quat_identity());
        world_start(&w);
        w.sim->solver.wants_violation = 1;
        double worst = 0.0;
        for (int k = 0; k < 3000; ++k) {
            world_step(&w);
            worst = abut_larger(worst, w.sim->islands.at[0].violation);
        }
        AbutBodyState s = world_get(&w, 0);
        double force = world_support(&w, 0).z / WORLD_WEIGHT;
        MEASURED("bridge: %s: F/mg - 1 %.2g, v %.2g %.2g %.2g, largest violation %.2g\n",
            abut_contact_model_name(models[i]), force - 1.0, s.velocity.x, s.velocity.y, s.velocity.z, worst);
        int drifts =
            models[i] ==
            ABUT_CONTACT_MODEL_EMIN; /* each contact minimizes its own error: they do not agree on one answer */
        CHECK_NEAR(force, 1.0, drifts ? 0.05 : 1e-6);
        CHECK(hypot(s.velocity.x, s.velocity.y) < (drifts ? 1e-3 : 1e-10));
        CHECK(models[i] != ABUT_CONTACT_MODEL_DIRECT || worst < 1e-8);
        world_end(&w);
    }
}

/* A body pinched between walls that overlap it has no rigid answer, and the report says so; compliance gives one. */
static void test_pinched(void **state) {
    (void)state;
    static const int models[3] = {ABUT_CONTACT_MODEL_CONVEX, ABUT_CONTACT_MODEL_DIRECT, ABUT_CONTACT_MODEL_VOL};
    for (int i = 0; i < 6; ++i) {
        World w = world_begin(models[i % 3]);
        w.def.iterations = 5000;
        w.def.compliance = i / 3 ? 0.01 : 0.0;
        for (int k = 0; k < 2; ++k)
            world_add(&w, ABUT_BODY_STATIC, abut_vec3(0.1, 0.2, 0.2),
                abut_pose(abut_vec3(k ? 0.1999 : -0.1999, 0.0, 0.0), abut_quat_identity()));
        world_box(&w, abut_zero(), abut_quat_identity());
        world_start(&w);
        for (int k = 0; k < 20; ++k) world_step(&w);
        MEASURED("pinched: %s, compliance %g: capped %d, residual %.2g, |v| %.2g\n",
            abut_contact_model_name(w.def.model), w.def.compliance, w.report.capped_islands, w.report.residual,
            abut_length(world_get(&w, 0).velocity));
        CHECK(isfinite(world_get(&w, 0).velocity.x));
        CHECK(abut_length(world_get(&w, 0).velocity) < 1.0);
        CHECK(w.report.capped_islands == (i / 3 ? 0 : 1));
        world_end(&w);
    }
}

/* The active set against steps along one coordinate at a time. */
static void test_active_set(void **state) {
    (void)state;
    enum { MAX_ROWS = 12, MAX_COLUMNS = 60 };
    AbutRng rng = abut_rng(77, 0);
    static AbutConeColumn column[MAX_COLUMNS];
    static double b[MAX_COLUMNS][MAX_ROWS], h[MAX_COLUMNS * MAX_COLUMNS],
        room[2 * MAX_ROWS * MAX_ROWS + 5 * (MAX_ROWS + 1)];
    int degenerate = 0;
    for (int it = 0; it < check_cases(400); ++it) {
        int blocks = 1 + (int)abut_rng_below(&rng, 2), rows = 6 * blocks,
            count = 3 + (int)abut_rng_below(&rng, MAX_COLUMNS - 3);
        double g[MAX_COLUMNS], x[MAX_COLUMNS], ours[MAX_COLUMNS] = {0}, target[MAX_ROWS], value[2] = {0, 0};
        int32_t passive[MAX_ROWS + 1];
        for (int k = 0; k < rows; ++k) target[k] = abut_rng_between(&rng, -1.0, 1.0);
        for (int i = 0; i < count; ++i) {
            int copy = i > 4 && abut_rng_below(&rng, 8) == 0; /* repeated columns */
            degenerate += copy;
            for (int k = 0; k < rows; ++k)
                b[i][k] = copy ? b[i - 3][k] : (k == 0 ? 1.0 : abut_rng_between(&rng, -1.0, 1.0));
            g[i] = abut_rng_between(&rng, 0.0, 0.1); /* as the sliding term: no right side gives it */
            for (int k = 0; k < rows; ++k) g[i] -= b[i][k] * target[k];
            column[i].blocks = blocks;
            for (int k = 0; k < rows; ++k) {
                column[i].at[k / 6] = k / 6 * 6;
                column[i].v[k / 6][k % 6] = b[i][k];
            }
            column[i].g = g[i];
        }
        for (int i = 0; i < count; ++i)
            for (int k = 0; k < count; ++k) {
                h[i * count + k] = 0.0;
                for (int l = 0; l < rows; ++l) h[i * count + k] += b[i][l] * b[k][l];
            }
        AbutConeProblem p;
        memset(&p, 0, sizeof p);
        abut_cone_place(&p, rows, room);
        p.count = count;
        p.column = column;
        p.passive = passive;
        p.tolerance = 1e-12;
        CHECK(abut_cone_solve(&p));
        CHECK(!p.unbounded);
        for (int i = 0; i < p.passive_count; ++i) ours[p.passive[i]] = p.x[i];
        oracle_nonnegative(count, h, g, x, 3000);
        for (int pass = 0; pass < 2; ++pass)
            for (int i = 0; i < count; ++i) {
                const double *z = pass ? x : ours;
                value[pass] += g[i] * z[i];
                CHECK(z[i] >= 0.0);
                for (int k = 0; k < count; ++k) value[pass] += 0.5 * z[i] * h[i * count + k] * z[k];
            }
        CHECK(value[0] <= value[1] + 1e-9 * (1.0 + fabs(value[1])));
        CHECK(value[0] >= value[1] - 1e-5 * (1.0 + fabs(value[1])));
    }
    CHECK(degenerate > 0);
}

/* Two islands, several threads: bit for bit the same, for every model. */
static void test_threads(void **state) {
    (void)state;
    for (int m = 0; m < ABUT_CONTACT_MODEL_COUNT; ++m) {
        AbutVec3 place[2][4];
        for (int t = 0; t < 2; ++t) {
            World w = world_begin(m);
            w.def.threads = t ? 3 : 1;
            world_ground(&w);
            for (int i = 0; i < 4; ++i)
                world_box(
                    &w, abut_vec3(i / 2, 0.02 * i, 0.03 + 0.06 * (i % 2)), abut_quat_axis_angle(abut_axis(2), 0.3 * i));
            world_start(&w);
            world_run(&w, 0.1);
            for (int i = 0; i < 4; ++i) place[t][i] = world_get(&w, i).center;
            world_end(&w);
        }
        for (int i = 0; i < 4; ++i) CHECK(memcmp(&place[0][i], &place[1][i], sizeof(AbutVec3)) == 0);
    }
}

/* The joint model says what it cannot do. */
static void test_joint_limit(void **state) {
    (void)state;
    AbutScene *scene;
    AbutSimulation *sim;
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    def.model = ABUT_CONTACT_MODEL_DIRECT;
    world_ok(abut_scene_create(&scene, &error), &error);
    world_ok(abut_scene_build(scene, "pyramid:40", 0, &error), &error);
    world_ok(abut_simulation_create(scene, &def, &sim, &error), &error);
    assert_int_equal(abut_simulation_step(sim, 1e-3, NULL, &error), ABUT_ERROR_LIMIT);
    CHECK(strstr(error.text, "direct") != NULL);
    abut_simulation_free(sim);
    abut_scene_free(scene);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_slope_sticks),
        cmocka_unit_test(test_slope_slides),
        cmocka_unit_test(test_slide_and_spin),
        cmocka_unit_test(test_uniform_torsion),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_bridge),
        cmocka_unit_test(test_pinched),
        cmocka_unit_test(test_active_set),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_joint_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
