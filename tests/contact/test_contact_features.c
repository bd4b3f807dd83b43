/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contact points on the true bodies: face on face against all corners and crossings of two rectangles, lines, discs and
 * crossed edges where geometry says they are, random pairs against point distances, no memory taken.
 */
#include "abut/contact.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/random_bodies.h"

static int features(AbutConvex a, AbutConvex b, AbutPose b_in_a, double margin, AbutContactFeatures *out) {
    AbutConvexContact query = {&a, &b, abut_pose_identity(), b_in_a, margin};
    return abut_contact_features(&query, out);
}

/* Is p (x, y) inside the rectangle of these half sizes, turned and moved? */
static int is_inside(AbutVec3 p, AbutVec3 half, AbutPose pose) {
    AbutVec3 q = abut_pose_apply_inv(pose, p);
    return fabs(q.x) <= half.x + 1e-12 && fabs(q.y) <= half.y + 1e-12;
}

static AbutVec3 corner(AbutVec3 half, AbutPose pose, int i) {
    double x = i == 0 || i == 3 ? half.x : -half.x, y = i < 2 ? half.y : -half.y;
    return abut_pose_apply(pose, abut_vec3(x, y, 0.0));
}

/* Corners of each rectangle inside the other, and crossings of their sides: every corner of what both share. */
static int all_corners(AbutVec3 half_a, AbutVec3 half_b, AbutPose b, AbutVec3 *out) {
    AbutPose here = abut_pose_identity();
    int n = 0;
    for (int i = 0; i < 4; ++i) {
        AbutVec3 p = corner(half_a, here, i), q = corner(half_b, b, i),
                 u = abut_sub(corner(half_a, here, (i + 1) % 4), p);
        if (is_inside(p, half_b, b)) out[n++] = p;
        if (is_inside(q, half_a, here)) out[n++] = q;
        for (int k = 0; k < 4; ++k) {
            AbutVec3 r = corner(half_b, b, k), v = abut_sub(corner(half_b, b, (k + 1) % 4), r), w = abut_sub(r, p);
            double cross = u.x * v.y - u.y * v.x, s = (w.x * v.y - w.y * v.x) / cross,
                   t = (w.x * u.y - w.y * u.x) / cross;
            if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) out[n++] = abut_add_scaled(p, u, s);
        }
    }
    return n;
}

static double nearest(AbutVec3 p, const AbutVec3 *list, int count) {
    double least = INFINITY;
    for (int i = 0; i < count; ++i) least = fmin(least, hypot(p.x - list[i].x, p.y - list[i].y));
    return least;
}

static void face_on_face(void **state) {
    (void)state;
    AbutRng rng = abut_rng(5, 1);
    for (int c = 0, n = check_cases(2000); c < n; ++c) {
        AbutVec3 a = abut_vec3(abut_rng_between(&rng, 0.5, 2.0), abut_rng_between(&rng, 0.5, 2.0), 1.0);
        AbutVec3 b = abut_vec3(abut_rng_between(&rng, 0.5, 2.0), abut_rng_between(&rng, 0.5, 2.0), 1.0);
        double gap = abut_rng_between(&rng, -1e-6, 1e-6), turn = abut_rng_between(&rng, 0.1, 3.0);
        AbutPose pose = abut_pose(abut_vec3(abut_rng_between(&rng, -1, 1), abut_rng_between(&rng, -1, 1), 2.0 + gap),
            abut_quat_axis_angle(abut_axis(2), turn));
        AbutContactFeatures f;
        AbutVec3 wanted[24];
        int count = all_corners(a, b, pose, wanted);
        assert_int_equal(features(abut_convex_box(a, 0.0), abut_convex_box(b, 0.0), pose, 1e-6, &f), 1);
        CHECK(f.part_a == ABUT_PART_FACE && f.part_b == ABUT_PART_FACE);
        CHECK_VEC_NEAR(f.normal, abut_axis(2), 0.0);
        for (int i = 0; i < f.count; ++i) {
            CHECK_NEAR(nearest(f.point[i], wanted, count), 0.0, 5e-6);
            CHECK_NEAR(f.point[i].z, 1.0 + 0.5 * gap, 1e-14);
            CHECK_NEAR(f.gap[i], gap, 1e-14);
        }
        for (int i = 0; i < count; ++i) CHECK_NEAR(nearest(wanted[i], f.point, f.count), 0.0, 5e-6);
    }
}

/* Points of kinds that touch in a point, a line or a disc, on a box and on a half-space. */
static void known_contacts(void **state) {
    (void)state;
    const AbutPlane plane = {{0, 0, 1}, 1.0};
    const AbutQuat up = abut_quat_identity(), flat = abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI);
    const AbutQuat tilted = abut_quat_axis_angle(abut_axis(1), 0.3);
    const struct {
        AbutConvex body;
        AbutQuat turn;
        double height;
        int count;
        int32_t kind;
        double reach; /* of the points from the middle, largest */
    } cases[] = {
        {abut_convex_point(abut_zero(), 0.2), up, 0.2, 1, ABUT_PART_VERTEX, 0.0},
        {abut_convex_ellipsoid(abut_vec3(0.3, 0.2, 0.1), 0.0), up, 0.1, 1, ABUT_PART_VERTEX, 0.0},
        {abut_convex_segment(abut_vec3(0, 0, -0.5), abut_vec3(0, 0, 0.5), 0.2), flat, 0.2, 2, ABUT_PART_EDGE, 0.5},
        {abut_convex_segment(abut_vec3(0, 0, -0.5), abut_vec3(0, 0, 0.5), 0.2), up, 0.7, 1, ABUT_PART_VERTEX, 0.0},
        {abut_convex_cylinder(0.3, 0.5, 0.0), up, 0.5, 8, ABUT_PART_FACE, 0.3},
        {abut_convex_cylinder(0.3, 0.5, 0.0), flat, 0.3, 2, ABUT_PART_EDGE, 0.5},
        {abut_convex_cylinder(0.3, 0.5, 0.0), tilted, 0.3 * sin(0.3) + 0.5 * cos(0.3), 1, ABUT_PART_VERTEX,
            fabs(-0.3 * cos(0.3) + 0.5 * sin(0.3))},
        {abut_convex_cone(0.3, 0.5, 0.0), up, 0.5, 8, ABUT_PART_FACE, 0.3},
        {abut_convex_box(abut_vec3(0.3, 0.3, 0.5), 0.1), up, 0.6, 4, ABUT_PART_FACE, 0.3 * sqrt(2.0)},
        {abut_convex_box(abut_vec3(0.3, 0.4, 0.5), 0.0), tilted, 0.3 * sin(0.3) + 0.5 * cos(0.3), 2, ABUT_PART_EDGE,
            hypot(0.3 * cos(0.3) - 0.5 * sin(0.3), 0.4)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (int box = 0; box < 2; ++box) {
            AbutConvex under = box ? abut_convex_box(abut_vec3(3, 3, 1), 0.0) : abut_convex_half_space(plane, 0.0);
            AbutContactFeatures f;
            double reach = 0.0;
            assert_int_equal(features(under, cases[i].body,
                                 abut_pose(abut_vec3(0, 0, 1.0 + cases[i].height), cases[i].turn), 1e-7, &f),
                1);
            assert_int_equal(f.count, cases[i].count);
            CHECK(f.part_b == cases[i].kind && f.part_a == (box ? ABUT_PART_FACE : ABUT_PART_PLANE));
            CHECK_VEC_NEAR(f.normal, abut_axis(2), 1e-12);
            for (int k = 0; k < f.count; ++k) {
                reach = fmax(reach, hypot(f.point[k].x, f.point[k].y));
                CHECK_NEAR(f.point[k].z, 1.0, 1e-8);
                CHECK_NEAR(f.gap[k], 0.0, 1e-8);
            }
            CHECK_NEAR(reach, cases[i].reach, 1e-7);
        }
}

/* Two long boxes on edge, one across the other: one point, and the normal is the product of the edges. */
static void crossed_edges(void **state) {
    (void)state;
    AbutRng rng = abut_rng(7, 1);
    AbutConvex beam = abut_convex_box(abut_vec3(2.0, 0.1, 0.1), 0.0);
    AbutQuat on_edge = abut_quat_axis_angle(abut_axis(0), 0.25 * ABUT_PI);
    for (int c = 0, n = check_cases(500); c < n; ++c) {
        double turn = abut_rng_between(&rng, 0.2, 2.9), lean = abut_rng_between(&rng, -0.2, 0.2);
        AbutQuat q = abut_quat_mul(
            abut_quat_axis_angle(abut_axis(2), turn), abut_quat_mul(abut_quat_axis_angle(abut_axis(1), lean), on_edge));
        AbutPose a = {abut_zero(), on_edge}, b = {abut_vec3(0, 0, 1.0), q};
        AbutVec3 wanted = abut_normalize(abut_cross(abut_axis(0), abut_quat_rotate(q, abut_axis(0))));
        AbutGap d = abut_convex_distance(&beam, &beam, abut_pose_between(a, b), NULL, NULL);
        b.p = abut_add_scaled(b.p, abut_quat_rotate(a.q, d.normal), -d.distance);
        AbutConvexContact query = {&beam, &beam, a, b, 1e-6};
        AbutContactFeatures f;
        assert_int_equal(abut_contact_features(&query, &f), 1);
        assert_int_equal(f.count, 1);
        CHECK(f.part_a == ABUT_PART_EDGE && f.part_b == ABUT_PART_EDGE);
        CHECK_VEC_NEAR(f.normal, abut_scale(wanted, wanted.z < 0.0 ? -1.0 : 1.0), 1e-13);
    }
}

static AbutConvex random_body(AbutRng *rng, AbutPolyhedron **own) {
    double s = abut_rng_between(rng, 0.2, 1.0), t = abut_rng_between(rng, 0.2, 1.0);
    *own = NULL;
    switch ((int)abut_rng_between(rng, 0.0, 5.0)) {
    case 0:
        return abut_convex_box(abut_vec3(s, t, 0.5), 0.0);
    case 1:
        return abut_convex_cylinder(s, t, 0.0);
    case 2:
        return abut_convex_segment(abut_vec3(s, 0, 0), abut_vec3(-s, t, 0), 0.3);
    case 3:
        return abut_convex_ellipsoid(abut_vec3(s, t, 0.4), 0.0);
    default:
        *own = random_hull(rng, 20, abut_vec3(s, t, 0.6));
        return abut_convex_polyhedron(*own, 0.0);
    }
}

/* Random pairs moved together: every point lies on both bodies, in one plane. */
static void random_pairs(void **state) {
    (void)state;
    AbutRng rng = abut_rng(9, 1);
    for (int c = 0, n = check_cases(3000); c < n; ++c) {
        AbutPolyhedron *own[2];
        AbutConvex a = random_body(&rng, &own[0]), b = random_body(&rng, &own[1]);
        AbutPose pose = random_pose(&rng, 4.0);
        const double margin = 1e-5;
        AbutContactFeatures f;
        AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        if (d.outcome == ABUT_SEPARATED) {
            pose.p = abut_add_scaled(pose.p, d.normal, abut_rng_between(&rng, -0.5, 1.5) * margin - d.distance);
            assert_int_equal(features(a, b, pose, margin, &f), 1);
            CHECK(f.count >= 1);
            for (int i = 0; i < f.count; ++i) {
                AbutConvex dot = abut_convex_point(f.point[i], 0.0);
                AbutPose back = abut_pose_between(pose, abut_pose_identity());
                CHECK(fabs(abut_convex_distance(&a, &dot, abut_pose_identity(), NULL, NULL).distance) < 5.0 * margin);
                CHECK(fabs(abut_convex_distance(&b, &dot, back, NULL, NULL).distance) < 5.0 * margin);
                CHECK_NEAR(abut_dot(f.normal, abut_sub(f.point[i], f.point[0])), 0.0, 1e-13);
                CHECK(fabs(f.gap[i]) <= 2.0 * margin + 1e-9);
            }
            pose.p = abut_add_scaled(pose.p, f.normal, 4.0 * margin);
            assert_int_equal(features(a, b, pose, margin, &f), 0);
        }
        abut_polyhedron_free(own[0]);
        abut_polyhedron_free(own[1]);
    }
}

/* Bodies deeper inside another than they are thick: what they show is the side that has to leave last. */
static void bodies_inside(void **state) {
    (void)state;
    AbutConvex around = abut_convex_box(abut_vec3(1, 1, 1), 0.0);
    const AbutConvex inside[] = {abut_convex_box(abut_vec3(0.2, 0.3, 0.05), 0.0),
        abut_convex_box(abut_vec3(0.2, 0.3, 0.03), 0.02), abut_convex_cylinder(0.2, 0.05, 0.0),
        abut_convex_cone(0.2, 0.05, 0.0), abut_convex_segment(abut_vec3(-0.2, 0, 0), abut_vec3(0.2, 0, 0), 0.05)};
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; ++i)
        for (double z = 0.98; z > 0.3; z -= 0.06) {
            AbutPose pose = abut_pose(abut_vec3(0.1, 0.05, z), abut_quat_axis_angle(abut_axis(2), z));
            AbutContactFeatures f;
            assert_int_equal(features(around, inside[i], pose, 1e-6, &f), 1);
            CHECK_NEAR(f.distance, z - 0.05 - 1.0, 1e-9);
            CHECK(f.count >= (inside[i].kind == ABUT_CONVEX_SEGMENT ? 2 : 4));
            for (int k = 0; k < f.count; ++k) {
                CHECK_NEAR(f.gap[k], f.distance, 1e-9);
                CHECK_NEAR(f.point[k].z, 0.5 * (1.0 + z - 0.05), 1e-9);
            }
        }
}

/* However deep and tilted, no gap is below the distance: that is what parts the bodies along the normal. */
static void deep_pairs(void **state) {
    (void)state;
    AbutRng rng = abut_rng(9, 4);
    int met = 0;
    for (int c = 0, n = check_cases(2000); c < n; ++c) {
        AbutPolyhedron *own[2];
        AbutConvex a = random_body(&rng, &own[0]), b = random_body(&rng, &own[1]);
        AbutPose pose = random_pose(&rng, 1.0);
        AbutContactFeatures f;
        if (features(a, b, pose, 1e-6, &f) == 1) {
            ++met;
            for (int i = 0; i < f.count; ++i) CHECK(f.gap[i] >= f.distance && f.gap[i] <= 2e-6 + 1e-9);
        }
        abut_polyhedron_free(own[0]);
        abut_polyhedron_free(own[1]);
    }
    CHECK(met > check_cases(2000) / 4);
}

static void refusals_and_memory(void **state) {
    (void)state;
    const AbutPlane plane = {{0, 0, 1}, 0.0};
    AbutConvex ground = abut_convex_half_space(plane, 0.0), box = abut_convex_box(abut_vec3(1, 1, 1), 0.0);
    AbutPose on = abut_pose(abut_vec3(0, 0, 1), abut_quat_identity());
    AbutContactFeatures f;
    assert_int_equal(features(ground, ground, on, 1e-6, &f), -1);
    assert_int_equal(features(ground, box, abut_pose(abut_vec3(NAN, 0, 1), on.q), 1e-6, &f), -1);
    assert_int_equal(features(ground, box, on, -1.0, &f), -1);
    FailingMemory memory = {0, 0};
    AbutAllocator allocator = {failing_alloc, failing_release, &memory};
    abut_set_allocator(&allocator);
    assert_int_equal(features(ground, box, on, 0.0, &f), 1);
    abut_set_allocator(NULL);
    assert_int_equal(f.count, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(face_on_face),
        cmocka_unit_test(known_contacts),
        cmocka_unit_test(crossed_edges),
        cmocka_unit_test(random_pairs),
        cmocka_unit_test(bodies_inside),
        cmocka_unit_test(deep_pairs),
        cmocka_unit_test(refusals_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
