/* SPDX-License-Identifier: Apache-2.0 */
/* The contact of two convex bodies: exact for any number of corners, from A to B, in any frame; what is refused. */
#include "abut/contact.h"
#include "support/check.h"
#include "contact/grown.h"

#include <string.h>

static const AbutPlane ground_plane = {{0.0, 0.0, 1.0}, 0.0};

static AbutGrownBody grown(AbutConvex convex, double margin) {
    AbutGrownBody body;
    AbutError error;
    good(abut_grown_body_create(&convex, margin, &body, &error), &error);
    return body;
}

static int find(const AbutGrownBody *a, AbutPose pose_a, const AbutGrownBody *b, AbutPose pose_b, AbutContact *out) {
    size_t bytes = abut_contact_workspace_size(a, b);
    void *room = abut_alloc(bytes);
    AbutGrownPair pair = {a, b, pose_a, pose_b};
    int found = abut_contact_find(&pair, room, bytes, out);
    abut_free(room);
    return found;
}

/* Area and second moment of a regular polygon of radius r. */
static double disc_area(int sides, double r) { return 0.5 * sides * r * r * sin(2.0 * ABUT_PI / sides); }

/* A disc on the ground and on a block: no number of sides is too many. */
static void discs_of_many_sides(void **state) {
    (void)state;
    static const int sides[] = {3, 8, 9, 64, 255, 256, 257, 300, 400, 600, 1000, 2500};
    const double radius = 0.1, half = 0.05, depth = 1e-4;
    AbutConvex floor[2] = {abut_convex_half_space(ground_plane, 0.0), abut_convex_box(abut_vec3(1.0, 1.0, 0.5), 0.0)};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; ++i)
        for (int kind = 0; kind < 2; ++kind) {
            AbutPolyhedron *prism;
            AbutContact c;
            assert_int_equal(abut_polyhedron_prism(sides[i], radius, radius, 2.0 * half, &prism, NULL), ABUT_OK);
            AbutGrownBody a = grown(floor[kind], 0.0), b = grown(abut_convex_polyhedron(prism, 0.0), 0.0);
            AbutVec3 down = abut_vec3(0.0, 0.0, kind ? -0.5 : 0.0), at = abut_vec3(0.3, -0.2, half - depth);
            CHECK(find(&a, abut_pose(down, abut_quat_identity()), &b, abut_pose(at, abut_quat_identity()), &c) == 1);
            double area = disc_area(sides[i], radius);
            CHECK_NEAR(c.area, area, 1e-11 * area);
            CHECK_NEAR(c.volume, area * depth, 1e-9 * area * depth);
            CHECK_NEAR(c.depth, depth, 1e-14);
            CHECK_VEC_NEAR(c.center, abut_vec3(0.3, -0.2, -0.5 * depth), 1e-12);
            CHECK_VEC_NEAR(c.normal, abut_axis(2), 1e-12);
            assert_int_equal(c.vertex_count, sides[i] < 8 ? sides[i] : ABUT_CONTACT_VERTICES);
            for (int k = 0; k < c.vertex_count; ++k)
                CHECK_NEAR(abut_point_distance(c.vertex[k].point, c.center), radius, 2e-4); /* corners of the rim */
            abut_grown_body_free(&a);
            abut_grown_body_free(&b);
            abut_polyhedron_free(prism);
        }
}

/* Two discs that cross, and a disc tilted so that many faces look up. */
static void many_sides_against_many(void **state) {
    (void)state;
    AbutPolyhedron *prism;
    AbutContact c, turned;
    assert_int_equal(abut_polyhedron_prism(600, 0.1, 0.1, 0.1, &prism, NULL), ABUT_OK);
    AbutGrownBody disc = grown(abut_convex_polyhedron(prism, 0.0), 0.0);
    AbutPose low = abut_pose_identity(), high = abut_pose(abut_vec3(0.1, 0.0, 0.0999), abut_quat_identity());
    CHECK(find(&disc, low, &disc, high, &c) == 1);
    double lens = 0.01 * (2.0 * ABUT_PI / 3.0 - sqrt(0.75)); /* of two circles, each through the center of the other */
    CHECK_NEAR(c.area, lens, 1e-4 * lens);
    CHECK_NEAR(c.volume, lens * 1e-4, 1e-4 * lens * 1e-4);
    CHECK_VEC_NEAR(c.center, abut_vec3(0.05, 0.0, 0.04995), 1e-12);
    AbutQuat tilt = abut_quat_exp(abut_vec3(0.3, 0.0, 0.0));
    high.q = tilt;
    high.p = abut_vec3(0.0, 0.0, 0.12);
    CHECK(find(&disc, low, &disc, high, &c) == 1);
    AbutPose world = abut_pose(abut_vec3(1.0, 2.0, 3.0), abut_quat_exp(abut_vec3(0.4, -1.0, 2.0)));
    CHECK(find(&disc, abut_pose_mul(world, low), &disc, abut_pose_mul(world, high), &turned) == 1);
    CHECK_NEAR(turned.area, c.area, 1e-9 * c.area);
    CHECK_NEAR(turned.volume, c.volume, 1e-9 * c.volume);
    CHECK_VEC_NEAR(turned.center, abut_pose_apply(world, c.center), 1e-11);
    CHECK_VEC_NEAR(turned.normal, abut_quat_rotate(world.q, c.normal), 1e-9);
    abut_grown_body_free(&disc);
    abut_polyhedron_free(prism);
}

/* Swapping the bodies turns the normal and nothing else. */
static void a_and_b_swap(void **state) {
    (void)state;
    AbutRng rng = abut_rng(71, 0);
    int met = 0;
    for (int i = 0; i < check_cases(300); ++i) {
        AbutVec3 half = abut_vec3(0.1, 0.05, 0.025);
        AbutGrownBody body = grown(abut_convex_box(half, 0.0), 1e-5);
        AbutPose pose = abut_pose(abut_scale(abut_random_direction(&rng), 0.09), abut_random_quat(&rng));
        AbutContact ab, ba;
        int found = find(&body, abut_pose_identity(), &body, pose, &ab);
        assert_int_equal(find(&body, pose, &body, abut_pose_identity(), &ba), found);
        if (found == 1) {
            CHECK_NEAR(ab.volume, ba.volume, 1e-9 * ab.volume + 1e-18);
            if (ab.volume > 1e-9) CHECK_VEC_NEAR(ab.center, ba.center, 1e-9);
            AbutGap d = abut_convex_distance(&body.convex, &body.convex, pose, NULL, NULL);
            if (-d.distance < 2e-3) /* shallow: the way out is near the normal of the contact */
                CHECK(abut_dot(ab.normal, d.normal) > 0.0 && abut_dot(ba.normal, d.normal) < 0.0);
            ++met;
        }
        abut_grown_body_free(&body);
    }
    CHECK(met > check_cases(300) / 3);
}

/* Bodies farther apart than their margins together do not touch; where only margins meet the depth is 0. */
static void margins(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(abut_vec3(0.1, 0.1, 0.1), 0.0);
    AbutGrownBody a = grown(box, 1e-3), b = grown(box, 2e-3);
    AbutContact c;
    AbutPose near = abut_pose(abut_vec3(0.0, 0.0, 0.2029), abut_quat_identity());
    AbutPose far = abut_pose(abut_vec3(0.0, 0.0, 0.2031), abut_quat_identity());
    CHECK(find(&a, abut_pose_identity(), &b, far, &c) == 0);
    CHECK(find(&a, abut_pose_identity(), &b, near, &c) == 1);
    CHECK(c.depth == 0.0);
    CHECK(c.body_a.index1 == 0 && c.shape_b.index1 == 0);
    CHECK_NEAR(c.area, 0.202 * 0.202, 1e-12);
    CHECK_NEAR(c.volume, 0.202 * 0.202 * 1e-4, 1e-12);
    near.p.z = 0.19;
    CHECK(find(&a, abut_pose_identity(), &b, near, &c) == 1);
    CHECK_NEAR(c.depth, 0.01, 1e-14);
    abut_grown_body_free(&a);
    abut_grown_body_free(&b);
}

/* A body wholly below the ground has no cap; the way out is up all the same. */
static void sunken_body(void **state) {
    (void)state;
    AbutGrownBody a = grown(abut_convex_half_space(ground_plane, 0.0), 0.0),
                  b = grown(abut_convex_box(abut_vec3(0.1, 0.05, 0.02), 0.0), 0.0);
    AbutContact c;
    CHECK(find(&a, abut_pose_identity(), &b, abut_pose(abut_vec3(0.0, 0.0, -0.5), abut_quat_identity()), &c) == 1);
    CHECK_VEC_NEAR(c.normal, abut_axis(2), 1e-12);
    CHECK_NEAR(c.volume, 0.2 * 0.1 * 0.04, 1e-15);
    CHECK_NEAR(c.area, 0.2 * 0.1, 1e-15);
    abut_grown_body_free(&a);
    abut_grown_body_free(&b);
}

/* Equal boxes on each other, flush or out of line: sides of the margin do not turn the normal, the depth is true. */
static void flush_faces(void **state) {
    (void)state;
    static const double shifts[] = {0.0, 1e-15, -1e-15, 1e-9, 3e-6, 1e-3, 0.03};
    const double margin = 5e-6;
    AbutGrownBody box = grown(abut_convex_box(abut_vec3(0.05, 0.05, 0.05), 0.0), margin);
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; ++i)
        for (int deep = 0; deep < 2; ++deep) {
            AbutContact c;
            double depth = deep ? 2e-6 : 0.0;
            CHECK(find(&box, abut_pose_identity(), &box,
                      abut_pose(abut_vec3(shifts[i], -0.5 * shifts[i], 0.1 - depth), abut_quat_identity()), &c) == 1);
            CHECK_VEC_NEAR(c.normal, abut_axis(2), 1e-15);
            CHECK_NEAR(c.depth, depth, 1e-15);
        }
    AbutPose tilted = abut_pose(abut_vec3(0.01, 0.0, 0.1), abut_quat_exp(abut_vec3(0.0, 2e-5, 0.0)));
    AbutContact c;
    CHECK(find(&box, abut_pose_identity(), &box, tilted, &c) == 1);
    CHECK_VEC_NEAR(c.normal, abut_vec3(1e-5, 0.0, 1.0), 1e-9); /* the mean of both faces */
    abut_grown_body_free(&box);
}

static void check_refused(AbutConvex convex, double margin, const char *word) {
    AbutGrownBody body;
    AbutError error;
    AbutStatus status = abut_grown_body_create(&convex, margin, &body, &error);
    CHECK(status != ABUT_OK);
    if (!strstr(error.text, word)) fail_msg("'%s' does not say '%s'", error.text, word);
    abut_grown_body_free(&body); /* an empty one may be freed */
}

static void what_is_refused(void **state) {
    (void)state;
    AbutVec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    AbutPolyhedron *sheet;
    assert_int_equal(abut_polyhedron_from_points(flat, 4, NULL, &sheet, NULL), ABUT_OK);
    check_refused(abut_convex_point(abut_zero(), 0.0), 0.0, "kind");
    check_refused(abut_convex_box(abut_vec3(1.0, 1.0, 1.0), 0.1), 0.0, "radius");
    check_refused(abut_convex_box(abut_vec3(1.0, 0.0, 1.0), 0.0), 0.0, "half sizes");
    check_refused(abut_convex_box(abut_vec3(1.0, 1.0, 1.0), 0.0), -1e-3, "margin");
    check_refused(abut_convex_box(abut_vec3(1.0, 1.0, 1.0), 0.0), (double)NAN, "margin");
    check_refused(abut_convex_polyhedron(sheet, 0.0), 0.0, "volume");
    abut_polyhedron_free(sheet);

    AbutGrownBody half = grown(abut_convex_half_space(ground_plane, 0.0), 0.0),
                  box = grown(abut_convex_box(abut_vec3(1.0, 1.0, 1.0), 0.0), 0.0);
    AbutContact c;
    char small[16];
    AbutPose broken = abut_pose(abut_vec3((double)NAN, 0.0, 0.0), abut_quat_identity());
    CHECK(find(&half, abut_pose_identity(), &half, abut_pose_identity(), &c) == -1);
    CHECK(find(&half, abut_pose_identity(), &box, broken, &c) == -1);
    AbutGrownPair pair = {&half, &box, abut_pose_identity(), abut_pose_identity()};
    CHECK(abut_contact_find(&pair, small, sizeof small, &c) == -1);
    CHECK(c.vertex_count == 0);
    abut_grown_body_free(&half);
    abut_grown_body_free(&box);
}

/* One call: the polygon of two boxes, a point of a ball, the rim of a can, nothing apart, bad numbers. */
static void pairs_in_one_call(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(abut_vec3(0.5, 0.5, 0.5), 0), ball = abut_convex_point(abut_zero(), 0.5),
               can = abut_convex_cylinder(0.25, 0.5, 0), sheet = abut_convex_plane((AbutPlane){{0, 0, 1}, 0.5}, 0),
               bad = abut_convex_cylinder(-1, 1, 0);
    AbutPose low = abut_pose_identity(), high = abut_pose(abut_vec3(0.25, 0, 0.9999), abut_quat_identity());
    AbutConvexContact q = {&box, &box, low, high, 1e-4};
    AbutContact c;
    AbutError error;
    int found = 0;
    good(abut_contact_of_pair(&q, &c, &found, &error), &error);
    assert_true(found == 1 && c.vertex_count == 4);
    CHECK_VEC_NEAR(c.normal, abut_axis(2), 1e-9);
    CHECK_NEAR(c.area, 0.75, 1e-2);
    const AbutConvex *others[] = {&ball, &can};
    for (int i = 0; i < 2; ++i) {
        q.b = others[i];
        good(abut_contact_of_pair(&q, &c, &found, &error), &error);
        assert_true(found == 1 && c.vertex_count == (i ? 8 : 1));
        CHECK_VEC_NEAR(c.normal, abut_axis(2), 1e-9);
        CHECK_NEAR(c.depth, 1e-4, 1e-9);
        CHECK_NEAR(c.vertex[0].point.z, 0.49995, 1e-9);
    }
    q.a = &sheet;
    good(abut_contact_of_pair(&q, &c, &found, &error), &error);
    assert_int_equal(found, 1);
    q.pose_b.p.z = 2;
    good(abut_contact_of_pair(&q, &c, &found, &error), &error);
    assert_true(found == 0 && c.vertex_count == 0);
    q.a = &bad;
    good(abut_contact_of_pair(&q, &c, &found, &error), &error);
    assert_int_equal(found, -1);
    q.margin = -1;
    assert_int_equal(abut_contact_of_pair(&q, &c, &found, &error), ABUT_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_of_many_sides),
        cmocka_unit_test(many_sides_against_many),
        cmocka_unit_test(a_and_b_swap),
        cmocka_unit_test(margins),
        cmocka_unit_test(sunken_body),
        cmocka_unit_test(flush_faces),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(pairs_in_one_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
