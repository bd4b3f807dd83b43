/* SPDX-License-Identifier: Apache-2.0 */
/* Models that move: poses of all bodies at any time are those of configurations; clearance of links; bad input. */
#include "robot/robot_support.h"

#include "abut/clearance.h"

#include <string.h>

enum { ROWS = 4 };

/* Positions at a time: straight between the rows, balls and free bodies along the shorter turn. */
static void positions_at(const Case *c, const double *rows, const double *times, double t, double *out) {
    double between[ROBOT_NUMBERS];
    int i = 0;
    while (i + 2 < ROWS && t >= times[i + 1]) ++i;
    const double *a = rows + (size_t)i * (size_t)c->nq, *b = a + c->nq;
    abut_configuration_difference(c->c, a, b, between);
    abut_configuration_integrate(c->c, a, between, (t - times[i]) / (times[i + 1] - times[i]), out);
}

static void check_poses(const Case *c, const AbutRobotMotion *motion, double t) {
    for (int32_t body = 0; body < c->model->body_count; ++body) {
        AbutMotion m = abut_robot_motion_body(motion, body);
        AbutPose p = abut_motion_pose(&m, t), q = abut_configuration_body_pose(c->c, body);
        CHECK_VEC_NEAR(p.p, q.p, 1e-10);
        CHECK_NEAR(fabs(abut_quat_dot(p.q, q.q)), 1, 1e-12);
    }
}

static void rows_of_positions(void **state) {
    (void)state;
    AbutRng rng = abut_rng(1301, 1);
    for (int i = 0; i < check_cases(200); ++i) {
        Case c = case_of(&rng, random_tree(&rng, 8));
        double rows[ROWS * ROBOT_NUMBERS], times[ROWS], q[ROBOT_NUMBERS], v[ROBOT_NUMBERS];
        AbutRobotMotion *motion;
        AbutError error;
        for (int k = 0; k < ROWS; ++k) {
            random_state(&rng, c.model, rows + (size_t)k * (size_t)c.nq, v);
            times[k] = k + 0.5 * abut_rng_unit(&rng);
        }
        good(motion_of(c.model, ROWS, times, rows, &motion, &error), &error);
        for (int k = 0; k < 10; ++k) {
            double t = abut_rng_between(&rng, times[0], times[ROWS - 1]);
            positions_at(&c, rows, times, t, q);
            good(abut_configuration_set(c.c, c.nq, q, 0, NULL, &error), &error);
            check_poses(&c, motion, t);
        }
        abut_robot_motion_free(motion);
        good(motion_of(c.model, 1, times, rows, &motion, &error), &error); /* it stands */
        good(abut_configuration_set(c.c, c.nq, rows, 0, NULL, &error), &error);
        check_poses(&c, motion, times[0] + 5);
        abut_robot_motion_free(motion);
        case_free(&c);
    }
}

static AbutCurve random_curve(AbutRng *rng, AbutCurvePiece *piece) {
    double b[6];
    for (int k = 0; k < 6; ++k) b[k] = abut_rng_between(rng, -2, 2);
    *piece = abut_curve_bernstein(0, 1, 5, b);
    return (AbutCurve){1, piece, 1};
}

static void curves_of_positions(void **state) {
    (void)state;
    AbutRng rng = abut_rng(1302, 1);
    for (int i = 0; i < check_cases(200); ++i) {
        Case c = case_of(&rng, random_tree(&rng, 8));
        AbutCurvePiece piece[ROBOT_NUMBERS];
        AbutCurve curves[ROBOT_NUMBERS];
        AbutRobotMotion *motion;
        AbutError error;
        memset(curves, 0, sizeof curves);
        for (int32_t j = 0; j < c.model->joint_count; ++j) {
            int32_t at = abut_configuration_joint_place(c.c, j, ABUT_NUMBERS_POSITIONS);
            if (c.model->joints[j].kind != ABUT_JOINT_BALL && j % 3 < 2) /* others stay */
                curves[at] = random_curve(&rng, &piece[at]);
        }
        for (int32_t b = 0; b < c.model->body_count; ++b) {
            int32_t at = abut_configuration_body_place(c.c, b, ABUT_NUMBERS_POSITIONS);
            for (int k = 0; k < 3 && at >= 0; k += 1 + b % 2) curves[at + k] = random_curve(&rng, &piece[at + k]);
        }
        good(curve_motion_of(c.model, c.nq, curves, &motion, &error), &error);
        for (int k = 0; k < 5; ++k) {
            double q[ROBOT_NUMBERS], t = abut_rng_unit(&rng);
            abut_configuration_reset(c.c);
            memcpy(q, abut_configuration_positions(c.c), sizeof(double) * (size_t)c.nq);
            for (int32_t n = 0; n < c.nq; ++n)
                q[n] = curves[n].piece_count > 0 ? abut_curve_value(&curves[n], t) : q[n];
            good(abut_configuration_set(c.c, c.nq, q, 0, NULL, &error), &error);
            check_poses(&c, motion, t);
        }
        for (int32_t j = 0; j < c.model->joint_count; ++j) assert_true(abut_robot_motion_joint(motion, j) >= 0);
        abut_robot_motion_free(motion);
        case_free(&c);
    }
}

/* Capsules on the links of an arm of hinges: brackets of all pairs, against samples. */
static void links_keep_clear(void **state) {
    (void)state;
    enum { LINKS = 6 };
    AbutRng rng = abut_rng(1303, 1);
    AbutConvex capsule = abut_convex_segment(abut_zero(), abut_vec3(0.1, 0, 0), 0.02);
    AbutClearanceBody *body;
    AbutError error;
    good(abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(&capsule)}, &body, &error), &error);
    for (int i = 0; i < check_cases(20); ++i) {
        Case c = case_of(&rng, hinge_chain(LINKS));
        double rows[2 * ROBOT_NUMBERS], v[ROBOT_NUMBERS];
        const double times[2] = {0, 1};
        AbutRobotMotion *motion;
        AbutMover mover[LINKS];
        AbutPair pair[LINKS * LINKS];
        AbutClearance out[LINKS * LINKS];
        random_state(&rng, c.model, rows, v);
        random_state(&rng, c.model, rows + c.nq, v);
        good(motion_of(c.model, 2, times, rows, &motion, &error), &error);
        for (int32_t k = 0; k < LINKS; ++k)
            mover[k] = (AbutMover){abut_solid_prepared(body), abut_robot_motion_body(motion, k)};
        AbutClearanceDef def = {.from = 0, .to = 1, .eps = 1e-4};
        int32_t pairs = 0;
        for (int32_t b = 1; b < LINKS; ++b)
            for (int32_t a = 0; a < b; ++a) pair[pairs++] = (AbutPair){a, b};
        good(abut_clearance_pairs(LINKS, mover, pairs, pair, &def, out, 1, &error), &error);
        for (int32_t p = 0; p < pairs; ++p) {
            assert_true(out[p].certified && out[p].ub - out[p].lb <= 1e-4);
            for (int k = 0; k <= 20; ++k) {
                AbutPose a = abut_motion_pose(&mover[pair[p].a].motion, k / 20.0);
                AbutPose b = abut_motion_pose(&mover[pair[p].b].motion, k / 20.0);
                double d = abut_convex_distance(&capsule, &capsule, abut_pose_between(a, b), NULL, NULL).distance;
                assert_true(d >= out[p].lb - 1e-12);
            }
        }
        abut_robot_motion_free(motion);
        case_free(&c);
    }
    abut_clearance_body_free(body);
}

static void bad_motions_are_refused(void **state) {
    (void)state;
    AbutModel *model = hinge_chain(2);
    double times[2] = {0, 0}, rows[4] = {0, 0, 1, 1};
    AbutCurve curves[2];
    AbutRobotMotion *motion;
    AbutError error;
    memset(curves, 0, sizeof curves);
    assert_int_equal(motion_of(model, 2, times, rows, &motion, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "times: number 1 does not grow");
    assert_null(motion);
    assert_int_equal(motion_of(model, 0, times, rows, &motion, &error), ABUT_ERROR_ARGUMENT);
    times[1] = 1, rows[3] = NAN;
    assert_int_equal(motion_of(model, 2, times, rows, &motion, &error), ABUT_ERROR_NUMBER);
    assert_int_equal(curve_motion_of(model, 1, curves, &motion, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "curves: expected 2, got 1");
    AbutCurvePiece piece = {0, {NAN, 0, 0, 0, 0, 0}};
    curves[1] = (AbutCurve){1, &piece, 1};
    assert_int_equal(curve_motion_of(model, 2, curves, &motion, &error), ABUT_ERROR_NUMBER);
    assert_int_equal(strncmp(error.text, "curve of position 1:", 20), 0);
    abut_model_free(model);
    AbutRng rng = abut_rng(1304, 1);
    for (int i = 0; i < 40; ++i) { /* a quaternion of zeros, and one that would follow a curve */
        Case c = case_of(&rng, random_tree(&rng, 6));
        AbutCurve many[ROBOT_NUMBERS];
        int32_t ball = -1;
        for (int32_t j = 0; j < c.model->joint_count; ++j)
            ball = c.model->joints[j].kind == ABUT_JOINT_BALL
                       ? abut_configuration_joint_place(c.c, j, ABUT_NUMBERS_POSITIONS)
                       : ball;
        if (ball >= 0) {
            memset(many, 0, sizeof many);
            piece.c[0] = 1;
            many[ball + 2] = (AbutCurve){1, &piece, 1};
            assert_int_equal(curve_motion_of(c.model, c.nq, many, &motion, &error), ABUT_ERROR_UNSUPPORTED);
            memset(c.q + ball, 0, 4 * sizeof *c.q);
            assert_int_equal(motion_of(c.model, 1, times, c.q, &motion, &error), ABUT_ERROR_ARGUMENT);
        }
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_positions),
        cmocka_unit_test(curves_of_positions),
        cmocka_unit_test(links_keep_clear),
        cmocka_unit_test(bad_motions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
