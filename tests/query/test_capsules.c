/* SPDX-License-Identifier: Apache-2.0 */
/* Capsules whose axes are nearly parallel or nearly meet, against long double: the gap holds the error at every angle.
 */
#include "abut/query.h"
#include "support/check.h"
#include "support/random_bodies.h"
#include "query/capsules.h"

typedef struct Long3 {
    long double x, y, z;
} Long3;

static Long3 long_sub(AbutVec3 a, AbutVec3 b) {
    return (Long3){(long double)a.x - b.x, (long double)a.y - b.y, (long double)a.z - b.z};
}

static long double long_dot(Long3 a, Long3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static Long3 long_cross(Long3 a, Long3 b) {
    return (Long3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Long3 long_add_scaled(Long3 a, Long3 b, long double k) {
    return (Long3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

/* From a segment along u to a point at r from its start. */
static long double to_segment(Long3 u, Long3 r) {
    long double t = long_dot(u, r) / long_dot(u, u);
    Long3 rest = long_add_scaled(r, u, -fminl(1.0L, fmaxl(0.0L, t)));
    return sqrtl(long_dot(rest, rest));
}

/* The least of: each end to the other segment, and the point of B's line nearest to A's line. */
static long double distance_of_axes(AbutCapsule a, AbutCapsule b) {
    Long3 u = long_sub(a.b, a.a), v = long_sub(b.b, b.a), r = long_sub(b.a, a.a), n = long_cross(u, v);
    long double best = fminl(to_segment(u, r), to_segment(u, long_sub(b.b, a.a)));
    best = fminl(best, fminl(to_segment(v, long_sub(a.a, b.a)), to_segment(v, long_sub(a.b, b.a))));
    long double nn = long_dot(n, n);
    if (nn > 0.0L) {
        long double t = fminl(1.0L, fmaxl(0.0L, long_dot(long_cross(r, u), n) / nn));
        best = fminl(best, to_segment(u, long_add_scaled(r, v, t)));
    }
    return best;
}

static void check_pair(AbutCapsule a, AbutCapsule b) {
    AbutGap d = abut_capsule_distance(a, b), e = abut_capsule_distance(b, a);
    double truth = (double)(distance_of_axes(a, b) - a.radius - b.radius);
    CHECK_NEAR(d.distance, truth, d.error);
    CHECK_NEAR(e.distance, truth, e.error);
}

/* Axes of length `length`, `apart` from each other where they cross, at the sine `angle`, turned anyhow. */
static void crossing_pair(AbutRng *rng, double length, double apart, double angle) {
    AbutQuat q = abut_random_quat(rng);
    AbutVec3 u = abut_quat_rotate(q, abut_axis(0)), w = abut_quat_rotate(q, abut_axis(1)),
             n = abut_quat_rotate(q, abut_axis(2)), v = abut_add_scaled(u, w, angle);
    double before = abut_rng_between(rng, -0.2, 1.2) * length, behind = abut_rng_between(rng, -0.2, 1.2) * length;
    AbutVec3 at = abut_scale(abut_random_direction(rng), length), other = abut_add_scaled(at, n, apart);
    AbutCapsule a = {abut_add_scaled(at, u, -before), abut_add_scaled(at, u, length - before), 0.1 * apart};
    AbutCapsule b = {abut_add_scaled(other, v, -behind), abut_add_scaled(other, v, length - behind), 0.2 * apart};
    check_pair(a, b);
}

static void gap_holds_at_every_angle(void **state) {
    (void)state;
    AbutRng rng = abut_rng(311, 0);
    for (int i = 0; i < check_cases(200000); ++i) {
        double length = pow(10.0, abut_rng_between(&rng, -2, 3));
        double apart = length * pow(10.0, abut_rng_between(&rng, -14, 0));
        crossing_pair(&rng, length, apart, pow(10.0, abut_rng_between(&rng, -17, 1)));
    }
}

/* Axes that cross, B placed there from anywhere: as deep as the radii say, along the direction across both. */
static void crossing_after_a_pose(void **state) {
    (void)state;
    AbutRng rng = abut_rng(312, 0);
    for (int i = 0; i < check_cases(20000); ++i) {
        AbutVec3 u = abut_random_direction(&rng), v = abut_random_direction(&rng);
        AbutPose pose = abut_pose(abut_scale(abut_random_direction(&rng), 10.0), abut_random_quat(&rng));
        double length = pow(10.0, abut_rng_between(&rng, -2, 2)), sine = abut_length(abut_cross(u, v));
        AbutVec3 ends[2] = {abut_scale(v, -abut_rng_unit(&rng)), abut_scale(v, length * abut_rng_unit(&rng))};
        AbutConvex a = abut_convex_segment(abut_scale(u, -length), abut_scale(u, abut_rng_unit(&rng)), 0.03);
        AbutConvex b = abut_convex_segment(abut_pose_apply_inv(pose, ends[0]), abut_pose_apply_inv(pose, ends[1]), 0.1);
        AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        assert_int_equal(d.outcome, ABUT_PENETRATING);
        CHECK_NEAR(d.distance, -0.13, d.error);
        if (sine > 0.01 && length > 0.1) {
            CHECK_NEAR(abut_dot(d.normal, u), 0.0, 1e-10);
            CHECK_NEAR(abut_dot(d.normal, v), 0.0, 1e-10);
        }
    }
}

/* Axes that nearly meet, inside both or at an end: the plane across the normal still parts them to rounding. */
static void planes_part_axes_that_nearly_meet(void **state) {
    (void)state;
    AbutRng rng = abut_rng(313, 0);
    for (int i = 0; i < check_cases(20000); ++i) {
        AbutQuat q = abut_random_quat(&rng);
        AbutVec3 u = abut_quat_rotate(q, abut_axis(0)), n = abut_quat_rotate(q, abut_axis(2)), at = abut_scale(n, 0.3);
        AbutVec3 v = abut_quat_rotate(q, abut_normalize(abut_vec3(abut_rng_between(&rng, -9, 9), 1, 0)));
        double apart = pow(10.0, abut_rng_between(&rng, -13, -2)), back = abut_rng_between(&rng, -0.2, 1.0);
        AbutVec3 other = abut_add_scaled(at, n, apart);
        AbutConvex a = abut_convex_segment(abut_add_scaled(at, u, -2.0), abut_add_scaled(at, u, 1.0), 0.0);
        AbutConvex b = abut_convex_segment(abut_add_scaled(other, v, -back), abut_add_scaled(other, v, 2.0), 0.0);
        AbutGap d = abut_convex_distance(&a, &b, abut_pose_identity(), NULL, NULL);
        double top = fmax(abut_dot(d.normal, a.p[0]), abut_dot(d.normal, a.p[1]));
        double bottom = fmin(abut_dot(d.normal, b.p[0]), abut_dot(d.normal, b.p[1]));
        CHECK_NEAR(bottom - top, d.distance, 2e-13);
    }
}

/* The axes part by 4.5e-8 rad: the bodies touch at one end only, whichever it is. */
static void mirror_images_agree(void **state) {
    (void)state;
    AbutConvex a = abut_convex_segment(abut_vec3(0, 0, -50), abut_vec3(0, 0, 50), 0.1);
    for (int side = -1; side <= 1; side += 2) {
        AbutPose pose = abut_pose(abut_vec3(0.200005, 0, 0), abut_quat(1, 0, side * 4.5e-8, 0));
        AbutGap d = abut_convex_distance(&a, &a, pose, NULL, NULL);
        assert_int_equal(d.outcome, ABUT_SEPARATED);
        CHECK_NEAR(d.distance, 0.200005 - 50.0 * 9e-8 - 0.2, 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap_holds_at_every_angle),
        cmocka_unit_test(crossing_after_a_pose),
        cmocka_unit_test(planes_part_axes_that_nearly_meet),
        cmocka_unit_test(mirror_images_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
