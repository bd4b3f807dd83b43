/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts of round bodies: a point, a line, a disc, where geometry says they are; the passage from one to the other
 * without a jump; normals and depths against the distance of random pairs; what has no contact.
 */
#include "contact/patch.h"
#include "support/check.h"
#include "support/random_bodies.h"
#include "math/functions.h"

#include <string.h>

static AbutGrownBody grown(AbutConvex convex, double margin) {
    AbutGrownBody body;
    AbutError error;
    good(abut_grown_body_create(&convex, margin, &body, &error), &error);
    return body;
}

static AbutConvex floor_of(int box) {
    AbutPlane ground = {{0.0, 0.0, 1.0}, 0.5};
    return box ? abut_convex_box(abut_vec3(1.0, 1.0, 0.5), 0.0) : abut_convex_half_space(ground, 0.0);
}

static AbutConvex capsule(double r, double h) {
    return abut_convex_segment(abut_vec3(0, 0, -h), abut_vec3(0, 0, h), r);
}

/* The patch of B over A; 0, 1, -1. */
static int patch_of(AbutConvex a, AbutConvex b, AbutPose b_in_a, double margin, AbutPatch *out) {
    AbutGrownBody ga = grown(a, margin), gb = grown(b, margin);
    AbutPatchPair pair = {.a = &ga, .b = &gb, .b_in_a = b_in_a};
    AbutOverlap overlap;
    int found = abut_patch_find(&pair, NULL, NULL, 0, &overlap, out);
    abut_grown_body_free(&ga);
    abut_grown_body_free(&gb);
    return found;
}

static AbutPose lying(double x, double z) {
    return abut_pose(abut_vec3(x, 0.0, 0.5 + z), abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI));
}

static void points(void **state) {
    (void)state;
    const double m = 1e-4, depth = 3e-5;
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1), egg = abut_convex_ellipsoid(abut_vec3(0.2, 0.15, 0.1), 0.0);
    for (int k = 0; k < 4; ++k) {
        AbutPatch p;
        AbutPose pose = abut_pose(abut_vec3(0.3, -0.2, 0.6 - depth), abut_quat_identity());
        assert_int_equal(patch_of(floor_of(k & 1), k & 2 ? egg : ball, pose, m, &p), 1);
        assert_int_equal(p.vertex_count, 1);
        CHECK_VEC_NEAR(p.normal, abut_axis(2), 0.0);
        CHECK_VEC_NEAR(p.centroid, abut_vec3(0.3, -0.2, 0.5 - 0.5 * depth), 1e-14);
        CHECK_NEAR(p.thickness[0], 2.0 * m + depth, 1e-15);
        CHECK_NEAR(p.high - p.low, 2.0 * m + depth, 1e-15);
        pose.p.z = 0.6 + 2.0 * m + 1e-9;
        assert_int_equal(patch_of(floor_of(k & 1), k & 2 ? egg : ball, pose, m, &p), 0);
    }
}

/* A capsule and a cylinder that lie, on the whole floor and over the edge of a box. */
static void lines(void **state) {
    (void)state;
    const double m = 1e-4;
    for (int k = 0; k < 4; ++k) {
        int box = k & 1, over = k == 1 || k == 3;
        double r = 0.1, h = 0.3, x = over ? 0.9 : 0.0, right = over ? 1.0 : h, left = x - h;
        AbutPatch p;
        AbutConvex body = k & 2 ? abut_convex_cylinder(r, h, 0.0) : capsule(r, h);
        assert_int_equal(patch_of(floor_of(box), body, lying(x, r), m, &p), 1);
        assert_int_equal(p.vertex_count, 2);
        AbutVec3 a = abut_patch_vertex(&p, 0), b = abut_patch_vertex(&p, 1);
        CHECK_NEAR(abut_smaller(a.x, b.x), left, 1e-12);
        CHECK_NEAR(abut_larger(a.x, b.x), right, 1e-4); /* faces are widened a little */
        CHECK_NEAR(a.y, 0.0, 1e-12);
        for (int i = 0; i < 2; ++i) CHECK_NEAR(p.thickness[i], 2.0 * m, 1e-14);
    }
}

static void discs(void **state) {
    (void)state;
    const double m = 1e-4, r = 0.1;
    for (int k = 0; k < 4; ++k) {
        AbutConvex body = k & 2 ? abut_convex_cone(r, 0.2, 0.0) : abut_convex_cylinder(r, 0.2, 0.0);
        AbutPatch p;
        assert_int_equal(
            patch_of(floor_of(k & 1), body, abut_pose(abut_vec3(0, 0, 0.7), abut_quat_identity()), m, &p), 1);
        assert_int_equal(p.vertex_count, 8);
        CHECK_NEAR(p.polygon_area, ABUT_PI * r * r, 1e-12);
        for (int i = 0; i < 8; ++i) {
            CHECK_NEAR(abut_hypot(p.x[i], p.y[i]), r, 1e-12);
            CHECK_NEAR(p.thickness[i], 2.0 * m, 1e-14);
        }
    }
    /* half over the edge: a half disc */
    AbutPatch p;
    AbutPose edge = abut_pose(abut_vec3(1.0, 0, 0.7), abut_quat_identity());
    assert_int_equal(patch_of(floor_of(1), abut_convex_cylinder(r, 0.2, 0.0), edge, m, &p), 1);
    for (int i = 0; i < p.vertex_count; ++i) CHECK(abut_patch_vertex(&p, i).x < 1.0 + 1e-4);
    CHECK(p.vertex_count >= 5);
}

/* Rods on rods: side by side they share a line, crossed they touch in a point. */
static void rods(void **state) {
    (void)state;
    AbutPatch p;
    AbutConvex rod = abut_convex_cylinder(0.1, 0.5, 0.0);
    assert_int_equal(patch_of(rod, rod, abut_pose(abut_vec3(0.2, 0, 0.3), abut_quat_identity()), 1e-5, &p), 1);
    assert_int_equal(p.vertex_count, 2);
    double low = abut_smaller(abut_patch_vertex(&p, 0).z, abut_patch_vertex(&p, 1).z);
    CHECK_NEAR(low, -0.2, 1e-9);
    CHECK_NEAR(p.length, 0.35, 1e-9);
    AbutPose crossed = abut_pose(abut_vec3(0.2, 0, 0.1), abut_quat_axis_angle(abut_axis(0), 0.7));
    assert_int_equal(patch_of(rod, rod, crossed, 1e-5, &p), 1);
    assert_int_equal(p.vertex_count, 1);
    CHECK_VEC_NEAR(p.centroid, abut_vec3(0.1, 0, 0.1), 1e-7); /* places are known to the root of the gap */
}

/* Tilts a body in small steps over the floor, held at one depth: what is solved with moves by small steps too. */
typedef struct Passage {
    AbutConvex body;
    double from, to;
} Passage;

static void tilt(const Passage *t, int box, int steps, double *jump) {
    const double m = 1e-3;
    AbutPatch last = {0}, p;
    jump[0] = jump[1] = 0.0;
    for (int i = 0; i <= steps; ++i) {
        double angle = t->from + (t->to - t->from) * i / steps;
        AbutQuat q = abut_quat_axis_angle(abut_normalize(abut_vec3(0.3, 1.0, 0.0)), angle);
        AbutVec3 low = abut_quat_rotate_inv(q, abut_vec3(0, 0, -1));
        double reach = -abut_quat_rotate(q, abut_convex_farthest(&t->body, low)).z + t->body.radius;
        AbutPose pose = abut_pose(abut_vec3(0, 0, 0.5 + reach), q);
        assert_int_equal(patch_of(floor_of(box), t->body, pose, m, &p), 1);
        if (i > 0) {
            jump[0] = abut_larger(jump[0], abut_point_distance(p.centroid, last.centroid));
            jump[1] = abut_larger(jump[1], fabs((p.high - p.low) - (last.high - last.low)));
        }
        last = p;
    }
}

static void passages_have_no_jump(void **state) {
    (void)state;
    const Passage all[] = {
        {abut_convex_cylinder(0.1, 0.1, 0.0), 0.0, 0.06},                  /* disc to rim */
        {abut_convex_cylinder(0.1, 0.1, 0.0), 0.75, 0.82},                 /* rim of the end to rim of the side */
        {abut_convex_cylinder(0.1, 0.1, 0.0), 1.52, 0.5 * ABUT_PI},        /* rim to line */
        {capsule(0.1, 0.1), 1.52, 0.5 * ABUT_PI},                          /* end to line */
        {abut_convex_cone(0.1, 0.1, 0.0), 0.0, 0.06},                      /* base to rim */
        {abut_convex_cone(0.1, 0.1, 0.0), ABUT_PI - 1.14, ABUT_PI - 1.07}, /* rim to slant to apex */
    };
    for (size_t k = 0; k < 2 * sizeof all / sizeof all[0]; ++k) {
        const Passage *t = &all[k / 2];
        double coarse[2], fine[2];
        tilt(t, (int)(k % 2), 500, coarse);
        tilt(t, (int)(k % 2), 8000, fine);
        print_message("passage %d: largest step of the center %.2g of %.2g\n", (int)(k / 2), fine[0], coarse[0]);
        CHECK(fine[0] < 0.01 * 0.1);      /* of the radius */
        CHECK(fine[0] < 0.1 * coarse[0]); /* a jump would stay */
        CHECK(fine[1] < 1e-9);
    }
}

/* Random pairs of all kinds near contact: normal and depth are those of the distance; vertices lie between the bodies.
 */
static AbutConvex random_round(AbutRng *rng, int kind) {
    double x = 0.05 + 0.1 * abut_rng_unit(rng), y = 0.05 + 0.1 * abut_rng_unit(rng),
           z = 0.05 + 0.1 * abut_rng_unit(rng);
    switch (kind) {
    case 0:
        return abut_convex_point(abut_zero(), x);
    case 1:
        return capsule(x, z);
    case 2:
        return abut_convex_cylinder(x, z, 0.0);
    case 3:
        return abut_convex_cone(x, z, 0.0);
    case 4:
        return abut_convex_ellipsoid(abut_vec3(x, y, z), 0.0);
    default:
        return abut_convex_box(abut_vec3(x, y, z), 0.0);
    }
}

static void random_pairs(void **state) {
    (void)state;
    AbutRng rng = abut_rng(8101, 0);
    const double m = 1e-5;
    for (int k = check_cases(6000); k > 0; --k) {
        AbutConvex a = random_round(&rng, k % 5), b = random_round(&rng, (k / 5) % 6);
        AbutPose pose = random_pose(&rng, 0.3);
        AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        AbutPatch p;
        pose.p = abut_add_scaled(pose.p, d.normal, -d.distance + 2e-5 * (abut_rng_unit(&rng) - 0.7));
        d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        if (d.outcome == ABUT_NOT_CONVERGED || fabs(d.distance - 2.0 * m) < 1e-8) continue;
        int found = patch_of(a, b, pose, m, &p);
        assert_int_equal(found, d.distance < 2.0 * m);
        if (!found) continue;
        CHECK_NEAR(p.high - p.low, 2.0 * m - d.distance, 1e-9 + 2.0 * d.error);
        CHECK(p.vertex_count >= 1 && p.vertex_count <= 8);
        AbutConvex point = abut_convex_point(abut_zero(), 0.0);
        for (int i = 0; i < p.vertex_count; ++i) {
            AbutVec3 v = abut_patch_vertex(&p, i);
            CHECK(p.thickness[i] > 0.0 && p.thickness[i] <= p.high - p.low + 1e-15);
            double to_a = abut_convex_distance(&a, &point, abut_pose(v, abut_quat_identity()), NULL, NULL).distance;
            CHECK(to_a < (a.kind == ABUT_CONVEX_CONE ? 1e-3 : 1e-4)); /* cones bend more towards their tip */
        }
    }
}

static void refused(void **state) {
    (void)state;
    AbutConvex bad[] = {abut_convex_point(abut_zero(), 0.0), abut_convex_point(abut_zero(), NAN),
        abut_convex_cylinder(0.0, 1.0, 0.0), abut_convex_cone(1.0, -1.0, 0.0), abut_convex_cylinder(1.0, 1.0, 0.1),
        abut_convex_ellipsoid(abut_vec3(1.0, 1.0, 1e-9), 0.0)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        AbutGrownBody body;
        AbutError error;
        assert_int_equal(abut_grown_body_create(&bad[i], 0.0, &body, &error), ABUT_ERROR_ARGUMENT);
    }
    AbutPatch p;
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1);
    assert_int_equal(patch_of(ball, ball, abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity()), 0.0, &p), -1);
    assert_int_equal(patch_of(ball, ball, abut_pose_identity(), 0.0, &p), 1); /* concentric: some normal */
    CHECK_NEAR(abut_length(p.normal), 1.0, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points),
        cmocka_unit_test(lines),
        cmocka_unit_test(discs),
        cmocka_unit_test(rods),
        cmocka_unit_test(passages_have_no_jump),
        cmocka_unit_test(random_pairs),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
