/* SPDX-License-Identifier: Apache-2.0 */
/* Capsules with polynomial ends: brackets against dense samples with refinement, few evaluations, crossing axes; the
 * same through motions. */
#include "clearance_support.h"
#include "query/capsules.h"

static AbutCapsule value(const AbutCapsulePath *p, double u) {
    AbutVec3 x[2][6];
    memcpy(x[0], p->a, sizeof x[0]);
    memcpy(x[1], p->b, sizeof x[1]);
    for (int k = 5; k > 0; --k)
        for (int i = 0; i < k; ++i)
            for (int w = 0; w < 2; ++w) x[w][i] = abut_lerp(x[w][i], x[w][i + 1], u);
    return (AbutCapsule){x[0][0], x[1][0], p->radius};
}

/* Within `reach` of a random place, with an axis that turns. */
static AbutCapsulePath random_path(AbutRng *rng, double reach, double turn, double radius) {
    AbutCapsulePath p = {.radius = radius};
    AbutVec3 axis = abut_random_direction(rng), spin = abut_perpendicular(axis);
    double half = abut_rng_between(rng, 0.1, 0.3);
    for (int k = 0; k < 6; ++k) {
        AbutVec3 c = abut_vec3(abut_rng_between(rng, -reach, reach), abut_rng_between(rng, -reach, reach),
            abut_rng_between(rng, -reach, reach));
        AbutVec3 d = abut_scale(abut_add_scaled(axis, spin, turn * abut_rng_between(rng, -1, 1)), half);
        p.a[k] = abut_sub(c, d), p.b[k] = abut_add(c, d);
    }
    return p;
}

static AbutCapsulePath still_path(AbutRng *rng) {
    AbutCapsulePath p = {.radius = abut_rng_between(rng, 0.04, 0.12)};
    for (int k = 0; k < 6; ++k) p.a[k] = abut_vec3(-0.2, 0, 0), p.b[k] = abut_vec3(0.2, 0, 0);
    return p;
}

static double reference(const AbutCapsulePath *a, const AbutCapsulePath *b) {
    enum { SAMPLES = 400 };
    double least = INFINITY, at = 0, h = 1.0 / SAMPLES;
    for (int k = 0; k <= SAMPLES; ++k) {
        double d = abut_capsule_distance(value(a, k / (double)SAMPLES), value(b, k / (double)SAMPLES)).distance;
        if (d < least) least = d, at = k / (double)SAMPLES;
    }
    for (int k = 0; k < 40; ++k, h *= 0.6)
        for (int side = -1; side <= 1; side += 2) {
            double t = abut_smaller(1, abut_larger(0, at + side * h));
            double d = abut_capsule_distance(value(a, t), value(b, t)).distance;
            if (d < least) least = d, at = t;
        }
    return least;
}

static void paths_are_bracketed(void **state) {
    (void)state;
    AbutRng rng = abut_rng(601, 1);
    long evaluations = 0;
    int count = check_cases(4000);
    for (int i = 0; i < count; ++i) {
        double eps = i % 2 ? 1e-3 : pow(10, abut_rng_between(&rng, -6, -2));
        AbutCapsulePath a = random_path(&rng, 0.6, 0.5, abut_rng_between(&rng, 0.04, 0.12)), b = still_path(&rng);
        if (i % 4 == 2) b = random_path(&rng, 0.2, 0.5, 0.1);
        AbutClearance x = abut_clearance_capsules(&a, &b, 0, 1, eps);
        double truth = reference(&a, &b);
        assert_true(x.certified && x.ub - x.lb <= eps);
        assert_true(x.lb <= truth + 1e-13 && x.ub - truth <= eps);
        CHECK_NEAR(abut_capsule_distance(value(&a, x.t), value(&b, x.t)).distance, x.ub, 1e-12);
        assert_true(x.ub >= -(a.radius + b.radius));
        evaluations += i % 2 ? x.evaluations : 0;
    }
    assert_true((double)evaluations / (count / 2 + 1) <= 14);
}

static void crossing_axes_are_saturated(void **state) {
    (void)state;
    AbutRng rng = abut_rng(602, 1);
    AbutCapsulePath a = still_path(&rng), b = still_path(&rng);
    for (int k = 0; k < 6; ++k) {
        a.a[k] = abut_vec3(0, -0.3, -0.5 + 0.2 * k), a.b[k] = abut_vec3(0, 0.3, -0.5 + 0.2 * k);
    }
    AbutClearance x = abut_clearance_capsules(&a, &b, 0, 2, 1e-4);
    assert_true(x.certified && x.saturated && x.status == ABUT_CLEARANCE_CONTACT);
    CHECK_NEAR(x.ub, -(a.radius + b.radius), 1e-4);
    CHECK_NEAR(x.t, 1, 1e-3);
    a.a[2].x = NAN;
    x = abut_clearance_capsules(&a, &b, 0, 1, 1e-4);
    assert_true(x.status == ABUT_CLEARANCE_INVALID && isnan(x.ub) && isnan(x.lb) && isnan(x.t) && isnan(x.normal.x));
    assert_int_equal(abut_clearance_capsules(&b, &b, 1, 0, 1e-4).status, ABUT_CLEARANCE_INVALID);
    assert_int_equal(abut_clearance_capsules(&b, &b, 0, 1, 0).status, ABUT_CLEARANCE_INVALID);
    for (int k = 0; k < 2; ++k) { /* sizes of which rounding is more than eps: the search ends, and says so */
        AbutCapsulePath wide = b, far = b, small = b;
        wide.radius = k ? 1e30 : 1e15;
        for (int i = 0; i < 6; ++i) far.a[i].x = far.b[i].x = (k ? 1e30 : 1e15) * (i - 1.3);
        x = abut_clearance_capsules(&small, &wide, 0, 1, 1e-4);
        assert_true(x.status == ABUT_CLEARANCE_CONTACT && x.lb <= x.ub && x.ub < 0.0);
        x = abut_clearance_capsules(&small, &far, 0, 1, 1e-4);
        assert_true(x.status != ABUT_CLEARANCE_INVALID && x.lb <= x.ub && !x.certified);
    }
}

/* A capsule passes a ball at speed, without and with a half turn, from so far that rounding is more than eps: the
 * search ends after a few intervals, with a bracket as narrow as rounding lets it be. */
static void far_motions_end(void **state) {
    (void)state;
    const double far[] = {1, 100, 1e3, 1e4, 1e5, 1e6, 1e8, 1e10, 1e11, 1e12}, eps[] = {1e-12, 1e-10, 1e-7, 1e-3};
    AbutClearanceSpace *space = new_space();
    AbutConvex piece[2] = {
        abut_convex_point(abut_zero(), 0.1), abut_convex_segment(abut_vec3(0, 0, -0.5), abut_vec3(0, 0.1, 0.5), 0.1)};
    AbutClearanceBody *body[2] = {body_of_pieces(1, &piece[0]), body_of_pieces(1, &piece[1])};
    for (int i = 0; i < 80; ++i) {
        double x = far[i / 8], e = eps[i / 2 % 4];
        AbutQuat end = i % 2 ? abut_quat_axis_angle(abut_axis(2), ABUT_PI) : abut_quat_identity();
        AbutKeyframe keys[2] = {
            {0, abut_pose(abut_vec3(x, 0, 0), abut_quat_identity())}, {1, abut_pose(abut_vec3(-x, 0.3, 0), end)}};
        AbutMotion line;
        AbutError error;
        good(abut_motion_keyframes(2, keys, &line, &error), &error);
        AbutMover a = {abut_solid_prepared(body[0]), abut_motion_static(abut_pose_identity())},
                  b = {abut_solid_prepared(body[1]), line};
        AbutClearanceDef def = over_unit(e);
        AbutClearance c = abut_clearance(&a, &b, &def, space);
        assert_true(c.lb <= c.ub && c.ub - c.lb <= e + 2e-13 * x && c.node_pairs < 1000000);
        AbutPose at = pose_of_b_in_a(&a, &b, 0.5);
        assert_true(c.lb <= abut_convex_distance(&piece[0], &piece[1], at, NULL, NULL).distance);
    }
    for (int k = 0; k < 2; ++k) abut_clearance_body_free(body[k]);
    abut_clearance_space_free(space);
}

/* Motions of joints, both bodies moving. */
static void motions_are_bracketed(void **state) {
    (void)state;
    AbutRng rng = abut_rng(603, 1);
    AbutClearanceSpace *space = new_space();
    for (int i = 0; i < check_cases(1000); ++i) {
        AbutConvex c[2];
        AbutMover m[2];
        FreeMotion motion[2];
        double eps = pow(10, abut_rng_between(&rng, -6, -2));
        for (int k = 0; k < 2; ++k) {
            c[k] = abut_convex_segment(abut_vec3(-0.1, 0.05, 0), abut_scale(abut_random_direction(&rng), 0.3), 0.08);
            if (i % 5 == 0) c[k] = abut_convex_point(abut_vec3(0.1, 0, 0), 0.1);
            m[k].solid = abut_solid_prepared(body_of_pieces(1, &c[k]));
            m[k].motion = random_free_motion(&rng, 0.3, 0.4, 1.5, &motion[k]);
        }
        AbutClearanceDef def = over_unit(eps);
        AbutClearance x = abut_clearance(&m[0], &m[1], &def, space);
        assert_true(x.certified && x.ub - x.lb <= eps);
        for (int k = 0; k < 100; ++k) {
            double t = sample_time(k, 50, 100, x.t);
            AbutGap d = abut_convex_distance(&c[0], &c[1], pose_of_b_in_a(&m[0], &m[1], t), NULL, NULL);
            assert_true(d.distance >= x.lb - 1e-12);
        }
        CHECK_NEAR(
            abut_convex_distance(&c[0], &c[1], pose_of_b_in_a(&m[0], &m[1], x.t), NULL, NULL).distance, x.ub, 1e-12);
        def.care = 0.05;
        AbutClearance y = abut_clearance(&m[0], &m[1], &def, space);
        assert_true(y.ub == INFINITY ? y.lb >= 0.05 && x.ub >= 0.05 : fabs(y.ub - x.ub) <= eps);
        abut_clearance_body_free((AbutClearanceBody *)m[0].solid.prepared);
        abut_clearance_body_free((AbutClearanceBody *)m[1].solid.prepared);
    }
    abut_clearance_space_free(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_bracketed),
        cmocka_unit_test(crossing_axes_are_saturated),
        cmocka_unit_test(far_motions_end),
        cmocka_unit_test(motions_are_bracketed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
