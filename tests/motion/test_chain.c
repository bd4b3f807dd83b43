/* SPDX-License-Identifier: Apache-2.0 */
/* Curves, splines, chains of joints and Taylor models of poses: values against other ways, bounds against samples. */
#include "abut/motion.h"
#include "motion/chain.h"
#include "motion/curve.h"
#include "motion/pose_model.h"
#include "support/check.h"
#include "support/random_chain.h"

#include <string.h>

/* The basis function of Cox and de Boor, straight from its definition. */
static double basis(int i, int degree, const double *knots, double t) {
    if (degree == 0) return knots[i] <= t && t < knots[i + 1];
    double a = knots[i + degree] - knots[i], b = knots[i + degree + 1] - knots[i + 1];
    double left = a > 0 ? (t - knots[i]) / a * basis(i, degree - 1, knots, t) : 0;
    double right = b > 0 ? (knots[i + degree + 1] - t) / b * basis(i + 1, degree - 1, knots, t) : 0;
    return left + right;
}

static void splines_follow_their_definition(void **state) {
    (void)state;
    AbutRng rng = abut_rng(301, 1);
    for (int i = 0; i < check_cases(500); ++i) {
        enum { COUNT = 12 };
        int degree = 1 + (int)abut_rng_below(&rng, 5);
        double knots[COUNT + 6], control[COUNT], at = 0;
        AbutCurvePiece pieces[COUNT];
        AbutCurve curve;
        AbutError error;
        for (int k = 0; k <= COUNT + degree; ++k) {
            at += abut_rng_below(&rng, 4) == 0 && k > 0 && k < COUNT ? 0.0 : abut_rng_between(&rng, 0.1, 1);
            knots[k] = at;
        }
        for (int k = 0; k < COUNT; ++k) control[k] = abut_rng_between(&rng, -1, 1);
        if (abut_curve_spline(degree, COUNT, knots, control, pieces, &curve, &error) != ABUT_OK)
            continue; /* so many equal knots that the spline jumps */
        for (int k = 0; k < 50; ++k) {
            double t = abut_rng_between(&rng, knots[degree], knots[COUNT]), sum = 0;
            for (int j = 0; j < COUNT; ++j) sum += control[j] * basis(j, degree, knots, t);
            CHECK_NEAR(abut_curve_value(&curve, t), sum, 1e-9);
        }
        CHECK_NEAR(abut_curve_value(&curve, knots[degree] - 9), abut_curve_value(&curve, knots[degree]), 0);
        CHECK_NEAR(abut_curve_value(&curve, curve.to + 9), abut_curve_value(&curve, curve.to), 0);
    }
}

static void bernstein_pieces_and_ranges(void **state) {
    (void)state;
    AbutRng rng = abut_rng(302, 1);
    for (int i = 0; i < check_cases(2000); ++i) {
        double b[6], from = abut_rng_between(&rng, -2, 2), to = from + abut_rng_between(&rng, 0.1, 3);
        for (int k = 0; k < 6; ++k) b[k] = abut_rng_between(&rng, -1, 1);
        AbutCurvePiece piece = abut_curve_bernstein(from, to, 5, b);
        AbutCurve curve = {1, &piece, to};
        double u = abut_rng_unit(&rng), c[6], t = from + u * (to - from);
        memcpy(c, b, sizeof c);
        for (int k = 5; k > 0; --k) /* de Casteljau */
            for (int j = 0; j < k; ++j) c[j] = (1 - u) * c[j] + u * c[j + 1];
        CHECK_NEAR(abut_curve_value(&curve, t), c[0], 1e-12);
        assert_true(fabs(c[0]) <= abut_curve_largest(&curve, from, to, 0) + 1e-12);
        double h = 1e-6 * (to - from),
               rate = (abut_curve_value(&curve, t + h) - abut_curve_value(&curve, t - h)) / (2 * h);
        if (u > 0.01 && u < 0.99)
            assert_true(fabs(rate) <= abut_curve_largest(&curve, from, to, 1) * (1 + 1e-6) + 1e-6);
    }
}

/* ---- chains ------------------------------------------------------------------------------------------------------ */

/* Control points of the model in no way: its value at s. */
static AbutVec3 model_apply(const AbutPoseModel *m, double s, AbutVec3 p) {
    AbutVec3 out = abut_zero();
    for (int k = ABUT_MODEL_TERMS - 1; k >= 0; --k)
        out = abut_add(abut_scale(out, s), abut_add(m->t[k], abut_mat3_apply(m->r[k], p)));
    return out;
}

/* No true point lies farther from the polynomial than the bounds say. */
static void taylor_models_hold(void **state) {
    (void)state;
    AbutRng rng = abut_rng(303, 1);
    for (int i = 0; i < check_cases(1000); ++i) {
        RandomChain c, d;
        AbutPoseModel m, n, between;
        AbutMotion motion, other;
        AbutError error;
        random_chain(&rng, &c, 0, abut_rng_between(&rng, 0.1, 2));
        random_chain(&rng, &d, 0, abut_rng_between(&rng, 0.1, 2));
        good(abut_motion_chain(&c.chain, JOINTS - 1, &motion, &error), &error);
        good(abut_motion_chain(&d.chain, JOINTS - 1, &other, &error), &error);
        double length = ldexp(0.5, -(int)abut_rng_below(&rng, 6)), a = abut_rng_below(&rng, 2) * 0.5, e = a + length;
        abut_motion_model(&motion, a, e, &m);
        abut_motion_model(&other, a, e, &n);
        abut_model_between(&n, &m, &between);
        for (int k = 0; k < 20; ++k) {
            double s = k < 2 ? 2.0 * k - 1 : abut_rng_between(&rng, -1, 1), t = 0.5 * (a + e) + 0.5 * (e - a) * s;
            AbutVec3 p = abut_scale(abut_random_direction(&rng), abut_rng_unit(&rng));
            AbutPose x = abut_motion_pose(&motion, t), y = abut_motion_pose(&other, t);
            double slack = m.error_t + m.error_r * abut_length(p) + 1e-14;
            assert_true(abut_point_distance(model_apply(&m, s, p), abut_pose_apply(x, p)) <= slack);
            slack = between.error_t + between.error_r * abut_length(p) + 1e-14;
            assert_true(
                abut_point_distance(model_apply(&between, s, p), abut_pose_apply(abut_pose_between(y, x), p)) <= slack);
        }
    }
}

/* Angles whose cosine rounds to 1 turn all the same, in hinges and in fixed frames. */
static void tiny_turns_count(void **state) {
    (void)state;
    const double angle = 2e-8;
    double still = angle;
    AbutCurvePiece piece = abut_curve_bernstein(0, 1, 0, &still);
    AbutChainJoint joint = {.parent = -1,
        .kind = ABUT_CHAIN_HINGE,
        .fixed = abut_pose(abut_zero(), abut_quat_axis_angle(abut_axis(2), angle)),
        .axis = abut_axis(2),
        .curve = {{1, &piece, 1}}};
    AbutChain chain = {1, &joint};
    AbutMotion motion;
    AbutPoseModel m;
    AbutError error;
    good(abut_motion_chain(&chain, 0, &motion, &error), &error);
    CHECK_NEAR(abut_pose_apply(abut_motion_pose(&motion, 0.5), abut_axis(0)).y, 2 * angle, 1e-15);
    abut_motion_model(&motion, 0, 1, &m);
    CHECK_NEAR(model_apply(&m, 0, abut_axis(0)).y, 2 * angle, 1e-15 + m.error_t + m.error_r);
}

/* Seven hinges at up to 1.5 rad/s: the remainder is small, and falls fast with the length. */
static void taylor_models_are_narrow(void **state) {
    (void)state;
    AbutRng rng = abut_rng(304, 1);
    for (int i = 0; i < check_cases(50); ++i) {
        RandomChain c;
        AbutPoseModel m;
        AbutMotion motion;
        AbutError error;
        random_chain(&rng, &c, 1, 1.2);
        good(abut_motion_chain(&c.chain, 6, &motion, &error), &error);
        double wider = 0;
        for (int k = 2; k < 6; ++k) {
            double length = ldexp(1, -k);
            abut_motion_model(&motion, 0.5 - 0.5 * length, 0.5 + 0.5 * length, &m);
            if (k == 3) assert_true(m.error_t <= 1e-4);
            if (k > 2 && wider > 1e-11) assert_true(m.error_t * 30 <= wider);
            wider = m.error_t;
        }
        abut_motion_model(&motion, 0.4, 0.6, &m);
        assert_true(m.error_t <= 1e-4);
    }
}

static void motions_without_chains_have_models(void **state) {
    (void)state;
    AbutRng rng = abut_rng(305, 1);
    for (int i = 0; i < check_cases(500); ++i) {
        AbutMotion m = abut_motion_static(abut_pose(abut_random_direction(&rng), abut_random_quat(&rng)));
        AbutKeyframe keys[3];
        AbutPoseModel model;
        AbutError error;
        m.center = abut_random_direction(&rng);
        m.from = abut_rng_between(&rng, -1, 1);
        for (int k = 0; k < 3; ++k) {
            m.path[k] = abut_random_direction(&rng);
            keys[k] = (AbutKeyframe){0.25 * k, abut_pose(abut_random_direction(&rng), abut_random_quat(&rng))};
        }
        m.spin = abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0, 4));
        if (i % 2) good(abut_motion_keyframes(3, keys, &m, &error), &error);
        abut_motion_model(&m, 0.25, 0.5, &model);
        for (int k = 0; k < 10; ++k) {
            double s = abut_rng_between(&rng, -1, 1);
            AbutVec3 p = abut_random_direction(&rng),
                     truth = abut_pose_apply(abut_motion_pose(&m, 0.375 + 0.125 * s), p);
            assert_true(abut_point_distance(model_apply(&model, s, p), truth) <= model.error_t + model.error_r + 1e-14);
        }
        assert_true(model.error_t < 0.01);
    }
}

static void gradients_and_speeds_of_chains(void **state) {
    (void)state;
    AbutRng rng = abut_rng(306, 1);
    for (int i = 0; i < check_cases(300); ++i) {
        RandomChain c;
        double gradient[3 * JOINTS], t = abut_rng_between(&rng, 0.01, 0.99);
        random_chain(&rng, &c, 0, 1);
        int32_t link = (int32_t)abut_rng_below(&rng, JOINTS), j = (int32_t)abut_rng_below(&rng, JOINTS);
        AbutPose pose = abut_chain_pose(&c.chain, link, t);
        AbutVec3 local = abut_random_direction(&rng), n = abut_random_direction(&rng), p = abut_pose_apply(pose, local);
        abut_chain_gradient(&c.chain, link, t, p, n, gradient);
        AbutChainJoint *joint = &c.joint[j];
        for (int k = 0; k < 3; ++k) {
            double h = 1e-5, value[2];
            RandomChain keep = c;
            for (int side = 0; side < 2; ++side) {
                double d = side ? h : -h;
                if (joint->kind == ABUT_CHAIN_BALL)
                    for (int q = 0; q < TURNS; ++q)
                        c.turn[j][q].pose.q =
                            abut_quat_mul(abut_quat_exp(abut_scale(abut_axis(k), d)), keep.turn[j][q].pose.q);
                else
                    c.piece[j][k].c[0] = keep.piece[j][k].c[0] + d;
                value[side] = abut_dot(n, abut_pose_apply(abut_chain_pose(&c.chain, link, t), local));
            }
            memcpy(c.piece, keep.piece, sizeof c.piece);
            memcpy(c.turn, keep.turn, sizeof c.turn);
            CHECK_NEAR((value[1] - value[0]) / (2 * h), gradient[3 * j + k], 1e-8);
        }
        AbutMotion motion;
        AbutError error;
        good(abut_motion_chain(&c.chain, link, &motion, &error), &error);
        double h = 1e-6, most = abut_motion_speed(&motion, 0, 1, NULL, abut_zero(), 1);
        AbutVec3 step = abut_sub(abut_pose_apply(abut_motion_pose(&motion, t + h), local), p);
        assert_true(abut_length(step) <= most * h * (1 + 1e-6) + 1e-9);
    }
}

static void bad_chains_are_refused(void **state) {
    (void)state;
    AbutRng rng = abut_rng(307, 1);
    RandomChain c;
    AbutMotion m;
    AbutError error;
    for (int fault = 0; fault < 7; ++fault) {
        random_chain(&rng, &c, 1, 1);
        AbutChainJoint *j = &c.joint[3];
        if (fault == 0) j->parent = 3;
        if (fault == 1) j->axis = abut_vec3(1, 1, 0);
        if (fault == 2) c.piece[3][0].c[2] = NAN;
        if (fault == 3) j->curve[0].to = -1;
        if (fault == 4) j->fixed.p.x = INFINITY;
        if (fault == 5) j->kind = ABUT_CHAIN_KIND_COUNT;
        if (fault == 6) j->kind = ABUT_CHAIN_BALL, j->turn_count = 0;
        assert_int_not_equal(abut_motion_chain(&c.chain, 8, &m, &error), ABUT_OK);
        assert_non_null(strstr(error.text, "joint 3"));
    }
    random_chain(&rng, &c, 1, 1);
    assert_int_equal(abut_motion_chain(&c.chain, 9, &m, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(abut_chain_kind_name(ABUT_CHAIN_BALL), "ball");
    assert_string_equal(abut_chain_kind_name(ABUT_CHAIN_KIND_COUNT), "invalid");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splines_follow_their_definition),
        cmocka_unit_test(bernstein_pieces_and_ranges),
        cmocka_unit_test(taylor_models_hold),
        cmocka_unit_test(tiny_turns_count),
        cmocka_unit_test(taylor_models_are_narrow),
        cmocka_unit_test(motions_without_chains_have_models),
        cmocka_unit_test(gradients_and_speeds_of_chains),
        cmocka_unit_test(bad_chains_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
