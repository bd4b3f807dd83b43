/* SPDX-License-Identifier: Apache-2.0 */
/* Half-spaces in the distance query: against a huge box in their place, both ways round, rounded, two of them, bad
 * input. */
#include "abut/query.h"
#include "support/check.h"
#include "support/random_bodies.h"

static AbutVec3 ellipsoid(AbutVec3 d, const void *user) {
    (void)user;
    AbutVec3 r = {0.5, 0.7, 0.9}, s = abut_mul(r, d);
    return abut_scale(abut_mul(r, s), 1.0 / abut_length(s));
}

static AbutConvex body_of_kind(AbutRng *rng, int kind, const AbutPolyhedron *hull, double radius) {
    AbutVec3 p[3];
    for (int i = 0; i < 3; ++i) p[i] = abut_random_direction(rng);
    switch (kind) {
    case ABUT_CONVEX_POINT:
        return abut_convex_point(p[0], radius);
    case ABUT_CONVEX_SEGMENT:
        return abut_convex_segment(p[0], p[1], radius);
    case ABUT_CONVEX_TRIANGLE:
        return abut_convex_triangle(p[0], p[1], p[2], radius);
    case ABUT_CONVEX_BOX:
        return abut_convex_box(abut_vec3(0.5, 0.7, 0.9), radius);
    case ABUT_CONVEX_SUPPORT:
        return abut_convex_support(ellipsoid, NULL, radius);
    default:
        return abut_convex_polyhedron(hull, radius);
    }
}

/* The lowest point of the body over the plane, by its vertices and by walking around it for a support function. */
static double height_over(AbutPlane plane, const AbutConvex *body, AbutPose pose) {
    AbutVec3 down = abut_neg(abut_quat_rotate_inv(pose.q, plane.normal));
    AbutVec3 lowest = abut_pose_apply(pose, abut_convex_farthest(body, down));
    return abut_dot(plane.normal, lowest) - plane.offset - body->radius;
}

static void every_kind_has_its_height(void **state) {
    (void)state;
    AbutRng rng = abut_rng(61, 1);
    AbutPolyhedron *hull = random_hull(&rng, 40, abut_vec3(0.5, 0.8, 1.1));
    int apart = 0, cases = check_cases(6000);
    for (int i = 0; i < cases; ++i) {
        double grown = i % 3 ? 0.0 : 0.25, radius = i % 2 ? 0.0 : 0.1;
        AbutPlane plane = {abut_random_direction(&rng), abut_rng_between(&rng, -1, 1)};
        AbutConvex ground = abut_convex_half_space(plane, grown), body = body_of_kind(&rng, i % 6, hull, radius);
        AbutPose pose = abut_pose(abut_scale(abut_random_direction(&rng), 2), abut_random_quat(&rng));
        AbutGap d = abut_convex_distance(&ground, &body, pose, NULL, NULL);
        AbutGap back = abut_convex_distance(&body, &ground, abut_pose_inv(pose), NULL, NULL);
        double height = height_over(plane, &body, pose) - grown;
        apart += height > 0;
        CHECK_NEAR(d.distance, height, 1e-14);
        CHECK_NEAR(back.distance, height, 1e-14);
        assert_int_equal(d.outcome, height > 0 ? ABUT_SEPARATED : ABUT_PENETRATING);
        assert_int_equal(back.outcome, d.outcome);
        CHECK_VEC_NEAR(d.normal, plane.normal, 0);
        CHECK_VEC_NEAR(abut_quat_rotate(pose.q, back.normal), abut_neg(plane.normal), 1e-14);
        CHECK_VEC_NEAR(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, d.distance), 1e-14);
        CHECK_VEC_NEAR(abut_sub(back.point_b, back.point_a), abut_scale(back.normal, back.distance), 1e-14);
        CHECK_NEAR(abut_dot(plane.normal, d.point_a), plane.offset + grown, 1e-14);
        CHECK_VEC_NEAR(abut_pose_apply(pose, back.point_a), d.point_b, 1e-14);
        assert_int_equal(d.part_a.index[0], -1);
        assert_int_equal(d.part_b.index[0], back.part_a.index[0]);
        assert_int_equal(abut_convex_meet(&ground, &body, pose, NULL), height <= 0);
        assert_int_equal(abut_convex_meet(&body, &ground, abut_pose_inv(pose), NULL), height <= 0);
    }
    assert_true(apart > cases / 5 && apart < cases - cases / 5);
    abut_polyhedron_free(hull);
}

static void a_box_standing_on_it_touches(void **state) {
    (void)state;
    AbutPlane plane = {{0, 0, 1}, 0};
    AbutConvex ground = abut_convex_half_space(plane, 0), cube = abut_convex_box(abut_vec3(1, 1, 1), 0);
    AbutGap d = abut_convex_distance(&ground, &cube, abut_pose(abut_vec3(3, 4, 1), abut_quat_identity()), NULL, NULL);
    assert_int_equal(d.outcome, ABUT_TOUCHING);
    CHECK_NEAR(d.distance, 0, 0);
    assert_int_equal(d.error, 0);
}

static void two_half_spaces(void **state) {
    (void)state;
    AbutRng rng = abut_rng(62, 1);
    for (int i = 0; i < check_cases(1000); ++i) {
        double gap = abut_rng_between(&rng, -1, 1);
        AbutPlane plane = {abut_random_direction(&rng), abut_rng_between(&rng, -2, 2)};
        AbutPose pose = abut_pose(abut_random_direction(&rng), abut_random_quat(&rng));
        /* the plane that faces it at that gap, as seen from B */
        AbutPlane facing = {
            abut_neg(abut_quat_rotate_inv(pose.q, plane.normal)), abut_dot(plane.normal, pose.p) - plane.offset - gap};
        AbutConvex a = abut_convex_half_space(plane, 0), b = abut_convex_half_space(facing, 0);
        AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        CHECK_NEAR(d.distance, gap, 1e-14);
        CHECK_VEC_NEAR(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, gap), 1e-11);
        CHECK_VEC_NEAR(d.normal, plane.normal, 0);
        assert_int_equal(abut_convex_meet(&a, &b, pose, NULL), gap <= 0);
        pose.q = abut_quat_mul(abut_quat_exp(abut_scale(abut_perpendicular(plane.normal), 1e-6)), pose.q);
        d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        assert_int_equal(d.outcome, ABUT_PENETRATING);
        assert_true(d.distance == -INFINITY && abut_is_finite(d.point_a) && abut_is_finite(d.normal));
        assert_int_equal(abut_convex_meet(&a, &b, pose, NULL), 1);
    }
}

static void bad_half_spaces(void **state) {
    (void)state;
    AbutPlane bad[] = {{{0, 0, 2}, 0}, {{0, 0, 0}, 0}, {{NAN, 0, 1}, 0}, {{0, 0, 1}, NAN}, {{0, 0, 1}, INFINITY}};
    AbutPlane good = {{0, 0, 1}, 0};
    AbutConvex cube = abut_convex_box(abut_vec3(1, 1, 1), 0), fine = abut_convex_half_space(good, 0),
               negative = abut_convex_half_space(good, -1);
    for (int i = 0; i < 5; ++i) {
        AbutConvex ground = abut_convex_half_space(bad[i], 0);
        assert_int_equal(abut_convex_distance(&ground, &cube, abut_pose_identity(), NULL, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_convex_distance(&cube, &ground, abut_pose_identity(), NULL, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_convex_distance(&fine, &ground, abut_pose_identity(), NULL, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_convex_meet(&ground, &cube, abut_pose_identity(), NULL), -1);
    }
    assert_int_equal(abut_convex_distance(&negative, &cube, abut_pose_identity(), NULL, NULL).outcome, ABUT_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_height),
        cmocka_unit_test(a_box_standing_on_it_touches),
        cmocka_unit_test(two_half_spaces),
        cmocka_unit_test(bad_half_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
