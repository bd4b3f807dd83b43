/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cylinders, cones, ellipsoids and planes in the distance query: known answers, bodies stood almost upright, degenerate
 * and bad ones. Random pairs of all kinds are in test_all_kinds.c.
 */
#include "abut/query.h"
#include "support/check.h"

/* ---- known answers ----------------------------------------------------------------------------------------------- */

static void known_answers(void **state) {
    (void)state;
    AbutConvex can = abut_convex_cylinder(0.5, 1, 0), cone = abut_convex_cone(0.5, 1, 0),
               egg = abut_convex_ellipsoid(abut_vec3(1, 2, 3), 0), ball = abut_convex_point(abut_zero(), 0.25);
    AbutQuat straight = abut_quat_identity();
    AbutGap d = abut_convex_distance(&can, &ball, abut_pose(abut_vec3(3, 4, 0), straight), NULL, NULL);
    CHECK_NEAR(d.distance, 4.25, 1e-14);
    CHECK_VEC_NEAR(d.normal, abut_vec3(0.6, 0.8, 0), 1e-9);
    d = abut_convex_distance(&cone, &ball, abut_pose(abut_vec3(0, 0, 3), straight), NULL, NULL);
    CHECK_NEAR(d.distance, 1.75, 1e-13);
    d = abut_convex_distance(&egg, &ball, abut_pose(abut_vec3(0, 0, 5), straight), NULL, NULL);
    CHECK_NEAR(d.distance, 1.75, 1e-14);
    CHECK_VEC_NEAR(d.normal, abut_axis(2), 1e-12);
    d = abut_convex_distance(&can, &can, abut_pose(abut_vec3(0.2, 0.1, 1.99), straight), NULL, NULL);
    CHECK_NEAR(d.distance, -0.01, 1e-12);
    d = abut_convex_distance(&egg, &egg, abut_pose(abut_vec3(2, 0, 0), straight), NULL, NULL);
    assert_int_equal(d.outcome, ABUT_TOUCHING);
    CHECK_VEC_NEAR(abut_convex_farthest(&egg, abut_vec3(0, 7, 0)), abut_vec3(0, 2, 0), 1e-15);
    CHECK_VEC_NEAR(abut_convex_farthest(&cone, abut_vec3(0, 0, 1e-70)), abut_vec3(0, 0, 1), 0);
}

static void planes_among_themselves(void **state) {
    (void)state;
    AbutPlane floor = {{0, 0, 1}, 0};
    AbutConvex sheet = abut_convex_plane(floor, 0), ground = abut_convex_half_space(floor, 0);
    AbutQuat over = abut_quat_exp(abut_vec3(ABUT_PI, 0, 0)), tilt = abut_quat_exp(abut_vec3(0.1, 0, 0));
    AbutQuat turns[2] = {abut_quat_identity(), over};
    for (int i = 0; i < 2; ++i)
        for (int sign = -1; sign <= 1; sign += 2) {
            AbutPose pose = abut_pose(abut_vec3(1, 2, 3 * sign), turns[i]);
            CHECK_NEAR(abut_convex_distance(&sheet, &sheet, pose, NULL, NULL).distance, 3, 1e-14);
            CHECK_NEAR(abut_convex_distance(&ground, &sheet, pose, NULL, NULL).distance, 3 * sign, 1e-14);
        }
    AbutPose above = abut_pose(abut_vec3(0, 0, 1), over), tilted = abut_pose(abut_vec3(0, 0, 9), tilt);
    CHECK_NEAR(abut_convex_distance(&sheet, &ground, above, NULL, NULL).distance, 1, 1e-14);
    assert_true(abut_convex_distance(&sheet, &sheet, tilted, NULL, NULL).distance == -INFINITY);
    assert_true(abut_convex_distance(&sheet, &ground, tilted, NULL, NULL).distance == -INFINITY);
    assert_int_equal(abut_convex_meet(&ground, &sheet, tilted, NULL), 1);
}

/* Stood almost upright on a box: the distance is that of the lowest point of the rim, within the gap. */
static void slightly_tilted(void **state) {
    (void)state;
    AbutRng rng = abut_rng(5, 5);
    AbutConvex a = abut_convex_box(abut_vec3(3, 3, 1), 0);
    for (int i = 0; i < check_cases(20000); ++i) {
        double angle = pow(10, abut_rng_between(&rng, -7, -3)), r = abut_rng_between(&rng, 0.3, 1);
        double h = abut_rng_between(&rng, 0.3, 1), phi = abut_rng_between(&rng, 0, 6), s = sin(0.5 * angle);
        AbutConvex b = i % 2 ? abut_convex_cone(r, h, 0) : abut_convex_cylinder(r, h, 0);
        AbutPose pose = abut_pose(abut_vec3(0.3, -0.2, 1 + h + r * angle + pow(10, abut_rng_between(&rng, -6, 0))),
            abut_quat(cos(0.5 * angle), s * cos(phi), s * sin(phi), 0));
        long double w = pose.q.w, x = pose.q.x, y = pose.q.y, one = w * w + x * x + y * y;
        long double sine = 2 * w * sqrtl(x * x + y * y) / one, cosine = (w * w - x * x - y * y) / one;
        AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        CHECK_NEAR(d.distance, (double)(pose.p.z - 1 - h * cosine - r * sine), d.error);
    }
}

/* A speck almost in the middle of a plate: two ways out, of which one is shorter by less than the polytope can tell. */
static void two_ways_out(void **state) {
    (void)state;
    AbutRng rng = abut_rng(6, 5);
    AbutConvex plate = abut_convex_box(abut_vec3(1, 1, 0.004), 0);
    for (int i = 0; i < check_cases(2000); ++i) {
        AbutVec3 s = abut_vec3(0.003, abut_rng_between(&rng, 0.001, 0.003), abut_rng_between(&rng, 0.001, 0.003));
        AbutQuat q = abut_random_quat(&rng);
        double up = abut_rng_between(&rng, -3e-8, 3e-8);
        AbutVec3 z = abut_mul(s, abut_quat_rotate_inv(q, abut_axis(2)));
        AbutConvex egg = abut_convex_ellipsoid(s, 0);
        AbutGap d = abut_convex_distance(&plate, &egg, abut_pose(abut_vec3(0.1, 0.2, up), q), NULL, NULL);
        CHECK_NEAR(d.distance, -0.004 - abut_length(z) + fabs(up), 1e-9);
    }
}

static void degenerate_and_bad(void **state) {
    (void)state;
    AbutConvex ball = abut_convex_point(abut_zero(), 0.5), disc = abut_convex_cylinder(1, 0, 0),
               needle = abut_convex_cone(0, 1, 0), dot_like = abut_convex_cylinder(0, 0, 0);
    AbutPose up = abut_pose(abut_vec3(0, 0, 2), abut_quat_identity());
    CHECK_NEAR(abut_convex_distance(&disc, &ball, up, NULL, NULL).distance, 1.5, 1e-12);
    CHECK_NEAR(abut_convex_distance(&needle, &ball, up, NULL, NULL).distance, 0.5, 1e-12);
    CHECK_NEAR(abut_convex_distance(&dot_like, &ball, up, NULL, NULL).distance, 1.5, 1e-12);
    AbutConvex bad[] = {abut_convex_cylinder(-1, 1, 0), abut_convex_cylinder(1, NAN, 0),
        abut_convex_cone(INFINITY, 1, 0), abut_convex_cone(1, -1, 0), abut_convex_ellipsoid(abut_vec3(1, 0, 1), 0),
        abut_convex_ellipsoid(abut_vec3(1, 1e-9, 1), 0), abut_convex_ellipsoid(abut_vec3(1, NAN, 1), 0),
        abut_convex_ellipsoid(abut_vec3(1, 1, 1), -1)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_equal(abut_convex_distance(&bad[i], &ball, up, NULL, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_convex_distance(&ball, &bad[i], up, NULL, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_convex_meet(&bad[i], &ball, up, NULL), -1);
    }
}

/* A speck of subnormal size, seen from afar. */
static void specks(void **state) {
    (void)state;
    AbutConvex speck = abut_convex_ellipsoid(abut_vec3(4e-313, 1e-312, 4e-313), 0.0);
    AbutConvex point = abut_convex_point(abut_vec3(1.0, 2.0, -2.0), 0.5);
    AbutGap d = abut_convex_distance(&speck, &point, abut_pose_identity(), NULL, NULL);
    assert_int_equal(d.outcome, ABUT_SEPARATED);
    CHECK_NEAR(d.distance, 2.5, 1e-15);
    CHECK_VEC_NEAR(d.normal, abut_vec3(1.0 / 3, 2.0 / 3, -2.0 / 3), 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specks),
        cmocka_unit_test(known_answers),
        cmocka_unit_test(planes_among_themselves),
        cmocka_unit_test(slightly_tilted),
        cmocka_unit_test(two_ways_out),
        cmocka_unit_test(degenerate_and_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
