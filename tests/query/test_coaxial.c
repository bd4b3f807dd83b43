/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Depth of round bodies about one axis against a search over the meridian: thousands of directions and a golden section
 * about the best of them. The gap holds the error and the witness points lie in the bodies.
 */
#include "abut/query.h"
#include "support/check.h"
#include "support/random_bodies.h"

enum { KINDS = 5, DIRECTIONS = 4000 };

static AbutConvex body_of(AbutRng *rng, int kind) {
    double r = abut_rng_between(rng, 0.2, 2), h = abut_rng_between(rng, 0.2, 2), radius = abut_rng_between(rng, 0.1, 1);
    switch (kind) {
    case 0:
        return abut_convex_cylinder(r, h, 0);
    case 1:
        return abut_convex_cone(r, h, 0);
    case 2:
        return abut_convex_ellipsoid(abut_vec3(r, r, h), 0);
    case 3:
        return abut_convex_segment(abut_vec3(0, 0, -h), abut_vec3(0, 0, h), radius);
    default:
        return abut_convex_cylinder(r, h, radius);
    }
}

typedef struct Pair {
    AbutConvex a, b;
    double shift; /* of B along the axis */
    int flip;     /* B stands on its head */
} Pair;

/* Where A - B ends in the direction at `angle` from the axis. */
static double extent(const Pair *p, double angle) {
    AbutVec3 d = abut_vec3(sin(angle), 0, cos(angle)), back = abut_vec3(-d.x, 0, p->flip ? d.z : -d.z);
    return abut_dot(d, abut_convex_farthest(&p->a, d)) + p->a.radius +
           abut_dot(back, abut_convex_farthest(&p->b, back)) + p->b.radius - p->shift * d.z;
}

static double least_extent(const Pair *p) {
    double best = INFINITY, at = 0.0, step = ABUT_PI / DIRECTIONS, golden = 0.5 * (sqrt(5.0) - 1.0);
    for (int i = 0; i <= DIRECTIONS; ++i)
        if (extent(p, i * step) < best) best = extent(p, at = i * step);
    double low = at - step, high = at + step;
    for (int k = 0; k < 80; ++k) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        if (extent(p, left) < extent(p, right))
            high = right;
        else
            low = left;
    }
    return abut_smaller(best, extent(p, 0.5 * (low + high)));
}

/* The point, in the frame of the body, is not outside by more than the depth is unsure. */
static void check_inside(const AbutConvex *body, AbutVec3 point, double gap) {
    AbutConvex dot = abut_convex_point(point, 0);
    CHECK(abut_convex_distance(body, &dot, abut_pose_identity(), NULL, NULL).distance < gap);
}

static void check_pair(const Pair *p, AbutPose turn) {
    AbutPose pose = abut_pose(abut_vec3(0, 0, p->shift), p->flip ? abut_quat(0, 1, 0, 0) : abut_quat_identity());
    AbutGap d = abut_convex_distance(&p->a, &p->b, pose, NULL, NULL);
    double depth = least_extent(p);
    assert_int_equal(d.outcome, ABUT_PENETRATING);
    CHECK_NEAR(-d.distance, depth, d.error + 1e-14);
    CHECK(d.error < 1e-12);
    check_inside(&p->a, d.point_a, d.error);
    check_inside(&p->b, abut_pose_apply_inv(pose, d.point_b), d.error);
    CHECK_VEC_NEAR(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, d.distance), 1e-9);
    d = abut_gap_in(turn, abut_convex_distance(&p->a, &p->b, abut_pose_between(turn, abut_pose_mul(turn, pose)), NULL,
                              NULL)); /* the axis anyhow */
    assert_int_equal(d.outcome, ABUT_PENETRATING);
    CHECK_NEAR(-d.distance, depth, d.error + 1e-14);
    CHECK(d.error < 1e-12);
}

static void about_one_axis(void **state) {
    (void)state;
    AbutRng rng = abut_rng(97, 2);
    for (int i = 0; i < check_cases(2500); ++i) {
        int a = i % KINDS, b = i / KINDS % KINDS;
        if (a == 3 && b == 3) continue; /* two capsules: closed form */
        Pair p = {body_of(&rng, a), body_of(&rng, b), 0.0, (int)abut_rng_below(&rng, 2)};
        p.shift = abut_rng_below(&rng, 2) ? abut_rng_between(&rng, -0.15, 0.15) : 0.0;
        check_pair(&p, random_pose(&rng, 1));
    }
}

/* Almost one axis, B to any side: still an answer, its gap as wide as the axes are apart. */
static void almost_one_axis(void **state) {
    (void)state;
    AbutConvex a = abut_convex_cylinder(1, 1, 0), b = abut_convex_cylinder(0.5, 2, 0);
    for (double off = 1e-15; off < 2e-7; off *= 10.0)
        for (int side = 0; side < 8; ++side) {
            AbutVec3 to = abut_vec3(cos(0.25 * ABUT_PI * side), sin(0.25 * ABUT_PI * side), 0);
            AbutPose pose = abut_pose(abut_scale(to, off), abut_quat_identity());
            AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
            assert_int_equal(d.outcome, ABUT_PENETRATING);
            CHECK_NEAR(d.distance, off - 1.5, d.error);
            CHECK(d.error < 2.0 * off + 1e-12);
            if (off > 1e-13) CHECK_NEAR(d.distance, off - 1.5, 1e-13);
        }
}

/* The gap holds the error of a tilted pair: across the plane in which B leans nothing has changed. */
static void almost_one_direction(void **state) {
    (void)state;
    AbutConvex a = abut_convex_cylinder(1, 3, 0), b = abut_convex_cylinder(0.5, 1, 0);
    for (double tilt = 1e-12; tilt < 2e-7; tilt *= 10.0)
        for (int side = 0; side < 8; ++side) {
            AbutVec3 about = abut_vec3(cos(0.25 * ABUT_PI * side), sin(0.25 * ABUT_PI * side), 0);
            AbutPose pose = abut_pose(abut_zero(), abut_quat_axis_angle(about, tilt));
            AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
            assert_int_equal(d.outcome, ABUT_PENETRATING);
            CHECK_NEAR(d.distance, -1.5, d.error);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(about_one_axis),
        cmocka_unit_test(almost_one_axis),
        cmocka_unit_test(almost_one_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
