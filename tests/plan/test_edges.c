/* SPDX-License-Identifier: Apache-2.0 */
/* Edges and postures that are called free: never refuted by distances at many places, by the kinematics of another room
 * and by mass centers; the same edges that certificates prove; batches, meshes, windows, bad input. */
#include "plan_support.h"

#include "abut/mesh.h"
#include "proof/problem.h"

static const char *const ROBOTS[] = {"arm6", "gripper", "biped", "hand16", "planar-arm:5", "two-arms", "humanoid-mesh"};
enum { ROBOT_COUNT = 7 };

static void random_coordinates(AbutRng *rng, const AbutPlanProblem *problem, double *u) {
    for (int32_t c = 0; c < abut_plan_coordinate_count(problem); ++c) {
        double limits[2];
        abut_plan_coordinate_limits(problem, c, limits);
        u[c] = abut_rng_between(rng, fmax(limits[0], -7.0), fmin(limits[1], 7.0));
    }
}

/* From a posture, which is free if one is found, a way off in a random direction. */
static void draw_edge(AbutRng *rng, const AbutPlanProblem *problem, double length, double *from, double *to) {
    int32_t n = abut_plan_coordinate_count(problem);
    double square = 0.0;
    AbutError error;
    uint8_t is_free = 0;
    for (int i = 0; i < 40 && !is_free; ++i) {
        random_coordinates(rng, problem, from);
        good(abut_plan_free_batch(problem, 0.0, 1, from, NULL, 1, &is_free, &error), &error);
    }
    for (int32_t c = 0; c < n; ++c) {
        to[c] = abut_rng_normal(rng);
        square += to[c] * to[c];
    }
    for (int32_t c = 0; c < n; ++c) to[c] = from[c] + to[c] * length / sqrt(square);
}

/* 10,000 free edges at 1,000 places each with ABUT_TEST_SCALE=230. */
static void no_free_edge_is_refuted(void **state) {
    (void)state;
    AbutRng rng = abut_rng(61, 0);
    int64_t asked = 0, free = 0;
    for (int k = 0; k < 3 * ROBOT_COUNT; ++k) { /* three worlds for each robot */
        int r = k / 3;
        World w = make_world(ROBOTS[r], mixed(&rng, 12), NULL);
        AbutPlanProver *prover[2];
        AbutError error;
        good(abut_plan_prover_create(w.problem, 0.0, &prover[0], &error), &error);
        good(abut_plan_prover_create(w.problem, 0.004, &prover[1], &error), &error);
        int trials = 1 + check_cases(r < 5 ? 16 : 3) / 3;
        for (int i = 0; i < trials; ++i) {
            double from[PLAN_JOINTS], to[PLAN_JOINTS];
            draw_edge(&rng, w.problem, abut_rng_between(&rng, 0.02, i % 4 ? 0.6 : 3.0), from, to);
            int is_free = abut_plan_edge_free(prover[i % 2], from, to);
            ++asked;
            free += is_free;
            if (is_free) refute(&w, from, to, i % 2 ? 0.004 : 0.0, 1000, r < 5 ? 5 : 1);
        }
        abut_plan_prover_free(prover[0]);
        abut_plan_prover_free(prover[1]);
        free_world(&w);
    }
    CHECK(4 * free > asked); /* measured: 0.5 */
}

/* Far angles, tiny and huge obstacles: what is called free holds there too. */
static void far_postures_hold(void **state) {
    (void)state;
    AbutRng rng = abut_rng(62, 0);
    int free = 0, trials = 20 + check_cases(40);
    World w = make_world("planar-arm:4", mixed(&rng, 14), NULL);
    AbutPlanProver *prover;
    AbutError error;
    good(abut_plan_prover_create(w.problem, 0.0, &prover, &error), &error);
    for (int i = 0; i < trials; ++i) {
        double from[PLAN_JOINTS], to[PLAN_JOINTS],
            far = 2.0 * ABUT_PI * floor(abut_rng_between(&rng, 0, i % 2 ? 10 : 1e7));
        draw_edge(&rng, w.problem, 0.5, from, to);
        for (int32_t c = 0; c < abut_plan_coordinate_count(w.problem); ++c) {
            from[c] += far;
            to[c] += far;
        }
        if (abut_plan_edge_free(prover, from, to)) {
            ++free;
            refute(&w, from, to, 0.0, 200, 10);
        }
    }
    CHECK(free > 0);
    abut_plan_prover_free(prover);
    free_world(&w);
}

/* Whatever certificates prove with 2 mm to spare is free, but for a few; and nothing that they refute. */
static void certificates_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(63, 0);
    int proved = 0, missed = 0;
    for (int r = 0; r < ROBOT_COUNT - 1; ++r) {
        World w = make_world(ROBOTS[r], mixed(&rng, 10), NULL);
        AbutPlanProver *prover;
        AbutError error;
        good(abut_plan_prover_create(w.problem, 0.002, &prover, &error), &error);
        for (int i = 0; i < 5 + check_cases(r < 5 ? 35 : 3); ++i) {
            double from[PLAN_JOINTS], to[PLAN_JOINTS], q[2 * PLAN_JOINTS], times[2] = {0.0, 1.0};
            AbutJointSamples samples = {w.robot->joint_count, 2, times, q, NULL, NULL};
            AbutTrajectory t;
            draw_edge(&rng, w.problem, abut_rng_between(&rng, 0.1, 1.5), from, to);
            abut_plan_joints_of(w.problem, from, q);
            abut_plan_joints_of(w.problem, to, q + w.robot->joint_count);
            good(abut_trajectory_interpolate(ABUT_INTERPOLATE_LINEAR, &samples, &t, &error), &error);
            AbutCertificate at[2] = {{.status = ABUT_CERTIFICATE_CLEAR}};
            int free = abut_plan_edge_free(prover, from, to);
            for (int k = !free; k < 2; ++k) {
                AbutCertifyDef def = {k ? 0.004 : 0.002, 20000, 1};
                good(abut_plan_certify(w.problem, &t, &def, &at[k], NULL, &error), &error);
            }
            CHECK(!free || at[0].status != ABUT_CERTIFICATE_CONTACT);
            int clear = at[1].status == ABUT_CERTIFICATE_CLEAR || at[1].status == ABUT_CERTIFICATE_CLEAR_EXCEPT;
            proved += clear;
            missed += clear && !free;
            abut_trajectory_free(&t);
        }
        abut_plan_prover_free(prover);
        free_world(&w);
    }
    CHECK(proved > 0 && 33 * missed <= proved);
}

/* Postures are free where the least distance is above the level, but for what balls lose by single precision. */
static void postures_are_told_apart(void **state) {
    (void)state;
    enum { COUNT = 203 };
    AbutRng rng = abut_rng(64, 0);
    int found[2] = {0, 0};
    for (int r = 0; r < ROBOT_COUNT; ++r) {
        static double u[COUNT * PLAN_JOINTS], to[COUNT * PLAN_JOINTS];
        uint8_t free[3][COUNT], alone;
        World w = make_world(ROBOTS[r], mixed(&rng, 10), NULL);
        int32_t n = abut_plan_coordinate_count(w.problem);
        AbutError error;
        for (int i = 0; i < COUNT; ++i) draw_edge(&rng, w.problem, i % 2 ? 0.2 : 0.001, u + i * n, to + i * n);
        for (int i = 0; i < COUNT; i += 3) random_coordinates(&rng, w.problem, u + i * n);
        u[5 * n] = NAN; /* its neighbors do not suffer */
        u[6 * n] = 1e300;
        u[7 * n] = INFINITY;
        for (int k = 0; k < 3; ++k)
            good(abut_plan_free_batch(w.problem, 0.001, COUNT, u, NULL, k, free[k], &error), &error);
        assert_memory_equal(free[0], free[1], COUNT);
        assert_memory_equal(free[0], free[2], COUNT);
        for (int i = 0; i < COUNT; ++i) {
            double joints[PLAN_JOINTS];
            AbutPlanNear near;
            abut_plan_joints_of(w.problem, u + i * n, joints);
            if (i >= 5 && i <= 7) {
                assert_int_equal(free[0][i], 0);
                continue;
            }
            good(abut_plan_nearest(w.problem, joints, &near, NULL, &error), &error);
            CHECK(free[0][i] ? near.pair < 0 || near.distance > 0.001 : near.distance < 0.001 + 1e-4);
            ++found[free[0][i]];
            good(abut_plan_free_batch(w.problem, 0.001, 1, u + i * n, NULL, 1, &alone, &error), &error);
            assert_int_equal(alone, free[0][i]);
        }
        good(abut_plan_free_batch(w.problem, 0.001, COUNT, u, to, 1, free[0], &error), &error);
        good(abut_plan_free_batch(w.problem, 0.001, COUNT, u, to, 2, free[1], &error), &error);
        assert_memory_equal(free[0], free[1], COUNT);
        free_world(&w);
    }
    CHECK(found[0] > 50 && found[1] > 50);
}

/* A ring of triangles: postures inside of it are not free though no triangle is near, edges through it neither. */
static void meshes_count(void **state) {
    (void)state;
    AbutRng rng = abut_rng(65, 0);
    int found[2] = {0, 0};
    for (int large = 0; large < 2; ++large) {
        const double sizes[2][3] = {{0.3, 0.05, 0.0}, {100.0, 40.0, 0.0}};
        AbutMesh mesh = {0};
        AbutPlanObstacles made;
        AbutPlanDef def = abut_plan_def_default();
        AbutPlanProver *prover;
        AbutError error;
        good(abut_mesh_make("torus", 800, sizes[large], &mesh, &error), &error);
        good(abut_plan_obstacles_from_mesh(&mesh, "ring", 0, &made, &error), &error);
        def.mesh_count = made.mesh_count;
        def.meshes = made.meshes;
        World w = make_world("arm6", made.model, &def);
        AbutPose at = {large ? abut_vec3(100, 0, 0) : abut_vec3(0.1, 0.1, 0.5), abut_quat_identity()};
        abut_plan_move_obstacle(w.problem, w.robot->body_count, at);
        good(abut_plan_prover_create(w.problem, 0.001, &prover, &error), &error);
        for (int i = 0; i < 20 + check_cases(40); ++i) {
            double from[PLAN_JOINTS], to[PLAN_JOINTS], joints[PLAN_JOINTS];
            AbutPlanNear near;
            uint8_t free;
            draw_edge(&rng, w.problem, 0.5, from, to);
            abut_plan_joints_of(w.problem, from, joints);
            good(abut_plan_nearest(w.problem, joints, &near, NULL, &error), &error);
            good(abut_plan_free_batch(w.problem, 0.001, 1, from, NULL, 1, &free, &error), &error);
            CHECK(free ? near.distance > 0.001 : near.distance < 0.001 + 1e-6);
            int is_free = abut_plan_edge_free(prover, from, to);
            if (is_free) refute(&w, from, to, 0.001, 100, 0);
            ++found[is_free];
            CHECK(!large || !is_free);
        }
        abut_plan_prover_free(prover);
        made.model = NULL; /* of the world now */
        free_world(&w);
        abut_plan_obstacles_free(&made);
        abut_mesh_free(&mesh);
    }
    CHECK(found[0] > 0 && found[1] > 0);
}

/* Free edges of a robot on its feet keep the center of mass over them. */
static void balance_holds_on_edges(void **state) {
    (void)state;
    AbutRng rng = abut_rng(66, 0);
    AbutPlanDef def = abut_plan_def_default();
    World plain = make_world("biped", NULL, NULL);
    int32_t feet[2];
    int free = 0;
    assert_int_equal(abut_plan_find_feet(plain.c, feet), 2);
    free_world(&plain);
    def.support = feet[0];
    def.other_foot = feet[1];
    def.balance = 1;
    World w = make_world("biped", NULL, &def);
    int32_t n = abut_plan_coordinate_count(w.problem);
    AbutPlanProver *prover;
    AbutError error;
    good(abut_plan_prover_create(w.problem, 0.001, &prover, &error), &error);
    double rest[PLAN_JOINTS], home[PLAN_JOINTS];
    abut_plan_joints_at(w.c, home);
    abut_plan_coordinates_of(w.problem, home, rest);
    for (int i = 0; i < check_cases(200); ++i) {
        double from[PLAN_JOINTS], to[PLAN_JOINTS], u[PLAN_JOINTS], joints[PLAN_JOINTS];
        for (int32_t c = 0; c < n; ++c) {
            from[c] = rest[c] + 0.08 * abut_rng_normal(&rng);
            to[c] = rest[c] + 0.08 * abut_rng_normal(&rng);
        }
        if (!abut_plan_edge_free(prover, from, to)) continue;
        ++free;
        refute(&w, from, to, 0.001, 50, 0);
        for (int k = 0; k <= 50; ++k) {
            AbutPlanBalance balance;
            for (int32_t c = 0; c < n; ++c) u[c] = from[c] + (to[c] - from[c]) * k / 50;
            abut_plan_joints_of(w.problem, u, joints);
            good(abut_plan_balance(w.problem, joints, &balance, &error), &error);
            CHECK(balance.inside > 0.001);
        }
    }
    CHECK(free > 0);
    abut_plan_prover_free(prover);
    free_world(&w);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    World w = make_world("arm6", NULL, NULL);
    AbutPlanProver *prover;
    AbutError error;
    const double bad[4] = {-1e-3, NAN, INFINITY, 1e61};
    double from[PLAN_JOINTS] = {0}, to[PLAN_JOINTS] = {0};
    for (int i = 0; i < 4; ++i) {
        uint8_t free = 7;
        assert_int_equal(abut_plan_prover_create(w.problem, bad[i], &prover, &error), ABUT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "level: expected a number of 0 or more"));
        assert_null(prover);
        assert_int_equal(abut_plan_free_batch(w.problem, bad[i], 1, from, NULL, 1, &free, &error), ABUT_ERROR_ARGUMENT);
        assert_int_equal(free, 7);
    }
    good(abut_plan_free_batch(w.problem, 0.0, 0, NULL, NULL, 1, NULL, &error), &error);
    good(abut_plan_prover_create(w.problem, 0.0, &prover, &error), &error);
    assert_int_equal(abut_plan_edge_free(prover, from, from), 1);
    for (int i = 0; i < 3; ++i) {
        const double wrong[3] = {NAN, INFINITY, 1e300};
        to[2] = wrong[i];
        assert_int_equal(abut_plan_edge_free(prover, from, to), 0);
        assert_int_equal(abut_plan_edge_free(prover, to, from), 0);
        assert_int_equal(abut_plan_edge_free(prover, to, to), 0);
    }
    to[2] = 1e-12; /* next to no length */
    assert_int_equal(abut_plan_edge_free(prover, from, to), 1);
    abut_plan_prover_free(prover);
    abut_plan_prover_free(NULL);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_free_edge_is_refuted),
        cmocka_unit_test(far_postures_hold),
        cmocka_unit_test(certificates_agree),
        cmocka_unit_test(postures_are_told_apart),
        cmocka_unit_test(meshes_count),
        cmocka_unit_test(balance_holds_on_edges),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
