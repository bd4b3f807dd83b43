/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed distance on families of pairs that are known to break distance and depth code: aligned and concentric boxes,
 * kissing tilted cubes, edges on faces, thin plates, containment, flat hulls, identical bodies. Boxes are asked as the
 * box kind and as polyhedra.
 */
#include "oracle/convex_oracle.h"
#include "oracle/oracle_vec.h"
#include "support/check.h"
#include "support/random_bodies.h"

static AbutPolyhedron *box_hull(AbutVec3 half) {
    AbutVec3 corner[8];
    for (int i = 0; i < 8; ++i)
        corner[i] = abut_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    return hull_of(corner, 8);
}

/* The answer is right by the definition: distance, witness points, normal. */
static void check_distance(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, double truth, double tolerance) {
    AbutGap d = abut_convex_distance(a, b, b_in_a, NULL, NULL);
    CHECK(d.outcome != ABUT_NOT_CONVERGED && d.outcome != ABUT_INVALID);
    CHECK_NEAR(d.distance, truth, tolerance);
    if (fabs(truth) > tolerance) CHECK(d.outcome == (truth > 0.0 ? ABUT_SEPARATED : ABUT_PENETRATING));
    CHECK_NEAR(abut_length(d.normal), 1.0, 1e-12);
    OracleBody oa = oracle_body(a, abut_pose_identity()), ob = oracle_body(b, b_in_a);
    double size = (double)fmaxl(oa.size, ob.size), slack = 2.0 * tolerance + 1e-9 * size;
    CHECK_VEC_NEAR(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, d.distance), slack);
    CHECK((double)oracle_point_outside(&oa, d.point_a) <= slack);
    CHECK((double)oracle_point_outside(&ob, d.point_b) <= slack);
    CHECK_NEAR((double)oracle_push(&oa, &ob, ov_from(d.normal)), -truth, slack);
    oracle_body_free(&oa);
    oracle_body_free(&ob);
    if (fabs(truth) > 1e-9 * size) assert_int_equal(abut_convex_meet(a, b, b_in_a, NULL), truth < 0.0);
}

static double reference(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a) {
    OracleBody oa = oracle_body(a, abut_pose_identity()), ob = oracle_body(b, b_in_a);
    OracleDistance d = oracle_distance(&oa, &ob, 0);
    oracle_body_free(&oa);
    oracle_body_free(&ob);
    return (double)d.distance;
}

/* Both ways round, against the reference, to 1e-9 of the larger body. */
static void check_both(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a) {
    OracleBody oa = oracle_body(a, abut_pose_identity()), ob = oracle_body(b, b_in_a);
    double truth = reference(a, b, b_in_a),
           reach = abut_length(b_in_a.p) + (double)(ov_length(oa.middle) + ov_length(ob.middle));
    double tolerance = 1e-9 * (double)fmaxl(oa.size, ob.size) + 4e-15 * reach;
    oracle_body_free(&oa);
    oracle_body_free(&ob);
    check_distance(a, b, b_in_a, truth, tolerance);
    check_distance(b, a, abut_pose_inv(b_in_a), truth, tolerance);
}

/* Boxes in every mix of kinds. */
static void check_boxes(AbutVec3 half_a, AbutVec3 half_b, AbutPose b_in_a, double truth, double tolerance) {
    AbutPolyhedron *hull_a = box_hull(half_a), *hull_b = box_hull(half_b);
    AbutConvex a[2] = {abut_convex_box(half_a, 0.0), abut_convex_polyhedron(hull_a, 0.0)};
    AbutConvex b[2] = {abut_convex_box(half_b, 0.0), abut_convex_polyhedron(hull_b, 0.0)};
    for (int i = 0; i < 4; ++i) check_distance(&a[i & 1], &b[i >> 1], b_in_a, truth, tolerance);
    abut_polyhedron_free(hull_a);
    abut_polyhedron_free(hull_b);
}

static void check_boxes_reference(AbutVec3 half_a, AbutVec3 half_b, AbutPose b_in_a) {
    AbutConvex a = abut_convex_box(half_a, 0.0), b = abut_convex_box(half_b, 0.0);
    double size = fmax(abut_length(half_a), abut_length(half_b));
    check_boxes(half_a, half_b, b_in_a, reference(&a, &b, b_in_a), 1e-9 * size);
}

static AbutVec3 cube(double half) { return abut_vec3(half, half, half); }

/* ---- the families ------------------------------------------------------------------------------------------------ */

/* Half sizes 0.25 * {1..6}, offsets 0.125 * {-2..2} * (sum of the half sizes), all on one grid: every tie happens. */
static void aligned_boxes(void **state) {
    (void)state;
    int cases = check_cases(40000);
    AbutRng rng = abut_rng(3, 0);
    for (int i = 0; i < cases; ++i) {
        double h[3], g[3], t[3], depth = INFINITY;
        for (int k = 0; k < 3; ++k) {
            h[k] = 0.25 * (1 + (int)abut_rng_below(&rng, 6));
            g[k] = 0.25 * (1 + (int)abut_rng_below(&rng, 6));
            t[k] = 0.125 * ((int)abut_rng_below(&rng, 5) - 2) * (h[k] + g[k]);
            if (i % 10 == 0) t[k] = 0.0;
            depth = fmin(depth, h[k] + g[k] - fabs(t[k]));
        }
        AbutPose pose = abut_pose(abut_vec3(t[0], t[1], t[2]), abut_quat_identity());
        check_boxes(abut_vec3(h[0], h[1], h[2]), abut_vec3(g[0], g[1], g[2]), pose, -depth, 1e-12);
    }
}

/* The same over one cube pair: every offset that meets, and some beyond, where the distance is exact too. */
static void aligned_cubes_on_a_grid(void **state) {
    (void)state;
    AbutVec3 h = cube(0.5), g = abut_vec3(0.25, 0.5, 0.75);
    for (int i = 0; i < 11 * 11 * 11; ++i) {
        double t[3] = {0.25 * (i % 11 - 5), 0.25 * (i / 11 % 11 - 5), 0.25 * (i / 121 - 5)};
        double depth = INFINITY, sq = 0.0;
        for (int k = 0; k < 3; ++k) {
            double overlap = abut_get(h, k) + abut_get(g, k) - fabs(t[k]);
            depth = fmin(depth, overlap);
            sq += overlap < 0.0 ? overlap * overlap : 0.0;
        }
        check_boxes(
            h, g, abut_pose(abut_vec3(t[0], t[1], t[2]), abut_quat_identity()), sq > 0.0 ? sqrt(sq) : -depth, 1e-12);
    }
}

static void cubes_along_z(void **state) {
    (void)state;
    static const double z[] = {1.9, 1.99, 1.9999, 2.0, 2.0001, 0.1, 0.0};
    for (int i = 0; i < 7; ++i) {
        AbutPose pose = abut_pose(abut_vec3(0.0, 0.0, z[i]), abut_quat_identity());
        check_boxes(cube(1.0), cube(1.0), pose, z[i] - 2.0, 1e-12);
    }
}

/* Two cubes, tilted together, face against face at a gap at the edge of the number format. */
static void tilted_kissing_cubes(void **state) {
    (void)state;
    static const double gaps[] = {0.0, 1e-16, -1e-16, 1e-15, -1e-15};
    static const double sides[] = {0.01, 0.1, 0.5, 1.0, 3.0, 10.0, 100.0, 1000.0};
    int turns = check_cases(60);
    AbutRng rng = abut_rng(11, 0);
    for (int i = 0; i < 5 * 8 * turns; ++i) {
        double side = sides[i / 5 % 8], gap = gaps[i % 5] * fmax(1.0, side);
        AbutVec3 axis = abut_normalize(abut_vec3(abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng)));
        AbutQuat tilt = abut_quat_axis_angle(axis, abut_rng_between(&rng, 0.0, 3.0));
        AbutQuat quarter = abut_quat_axis_angle(abut_axis(i % 3), 0.5 * ABUT_PI * (int)abut_rng_below(&rng, 4));
        AbutVec3 u = abut_axis((int)abut_rng_below(&rng, 3));
        AbutPose a = abut_pose(abut_vec3(1.0, 2.0, -0.5), tilt);
        AbutPose b =
            abut_pose(abut_add_scaled(a.p, abut_quat_rotate(tilt, u), side + gap), abut_quat_mul(tilt, quarter));
        check_boxes(cube(0.5 * side), cube(0.5 * side), abut_pose_between(a, b), gap, 1.5e-8);
    }
}

/* An edge, then a corner, of B into the top of A. */
static void edge_and_corner_on_face(void **state) {
    (void)state;
    AbutQuat edge = abut_quat_axis_angle(abut_axis(0), 0.25 * ABUT_PI);
    AbutQuat corner = abut_quat_mul(abut_quat_axis_angle(abut_axis(1), -atan(sqrt(0.5))), edge);
    for (int i = -4; i <= 4; ++i) {
        double gap = i * 0.05;
        AbutPose on_edge = abut_pose(abut_vec3(0.1, -0.2, 1.0 + 0.5 * sqrt(2.0) + gap), edge);
        check_boxes(cube(1.0), cube(0.5), on_edge, gap, 1e-12);
        AbutPose on_corner = abut_pose(abut_vec3(0.1, -0.2, 1.0 + 0.5 * sqrt(3.0) + gap), corner);
        check_boxes(cube(1.0), cube(0.5), on_corner, gap, 1e-12);
        AbutQuat turn = abut_quat_axis_angle(abut_axis(2), 0.3 * i);
        check_boxes_reference(cube(1.0), cube(0.5), abut_pose(on_edge.p, abut_quat_mul(turn, edge)));
    }
}

/* Plates of thickness 1e-2 .. 1e-6, tilted against each other by 0 and 1e-16 .. 1e-2. */
static void thin_plates(void **state) {
    (void)state;
    int cases = check_cases(2000);
    AbutRng rng = abut_rng(5, 0);
    for (int i = 0; i < cases; ++i) {
        double thick = pow(10.0, -2.0 - (double)(i % 5)), tilt = i % 16 == 0 ? 0.0 : pow(10.0, -2.0 - (double)(i % 15));
        AbutVec3 half = abut_vec3(1.0, abut_rng_between(&rng, 0.2, 1.0), thick);
        AbutVec3 axis = abut_vec3(abut_rng_normal(&rng), abut_rng_normal(&rng), 0.1 * abut_rng_normal(&rng));
        AbutQuat q = abut_quat_axis_angle(abut_normalize(axis), tilt);
        double z = 2.0 * thick * abut_rng_between(&rng, -1.5, 1.5);
        AbutVec3 p =
            abut_vec3(abut_rng_between(&rng, -1.0, 1.0), abut_rng_between(&rng, -1.0, 1.0), i % 7 ? z : 2.0 * thick);
        check_boxes_reference(half, half, abut_pose(p, q));
    }
}

static void one_inside_the_other(void **state) {
    (void)state;
    int cases = check_cases(1500);
    AbutRng rng = abut_rng(6, 0);
    for (int i = 0; i < cases; ++i) {
        double small = pow(10.0, abut_rng_between(&rng, -6.0, -0.5));
        AbutVec3 p = abut_vec3(abut_rng_between(&rng, -0.4, 0.4), abut_rng_between(&rng, -0.4, 0.4),
            i % 3 ? abut_rng_between(&rng, -0.4, 0.4) : 0.0);
        AbutQuat q = i % 2 ? random_turn(&rng) : abut_quat_identity();
        check_boxes_reference(cube(1.0), cube(small), abut_pose(i % 5 ? p : abut_zero(), q));
        check_boxes_reference(cube(small), cube(1.0), abut_pose(i % 5 ? p : abut_zero(), q));
    }
}

/* ---- flat and thin hulls ----------------------------------------------------------------------------------------- */

enum { SHAPES = 12 };

typedef struct Shapes {
    AbutConvex shape[SHAPES];
    AbutPolyhedron *hull[SHAPES];
    int hulls;
} Shapes;

static AbutConvex keep_hull(Shapes *s, const AbutVec3 *points, int count) {
    s->hull[s->hulls] = hull_of(points, count);
    return abut_convex_polyhedron(s->hull[s->hulls++], 0.0);
}

/* Point, segment, triangle as kinds and as hulls; a square plate, a needle, a thin slab, a rounded box and bodies. */
static Shapes make_shapes(void) {
    Shapes s = {0};
    AbutVec3 t[3] = {abut_vec3(-0.6, -0.3, 0.1), abut_vec3(0.7, -0.2, 0.0), abut_vec3(0.0, 0.8, -0.1)};
    AbutVec3 square[4] = {
        abut_vec3(-0.5, -0.5, 0), abut_vec3(0.5, -0.5, 0), abut_vec3(0.5, 0.5, 0), abut_vec3(-0.5, 0.5, 0)};
    AbutVec3 needle[4] = {
        abut_vec3(-1, 0, 0), abut_vec3(1, 1e-5, 0), abut_vec3(1, 0, 1e-5), abut_vec3(1, -1e-5, -1e-5)};
    AbutVec3 wedge[6] = {t[0], t[1], t[2], abut_vec3(0, 0, 1), abut_vec3(0.3, 0.1, -0.9), abut_vec3(-0.2, 0.4, 0.7)};
    int n = 0;
    s.shape[n++] = abut_convex_point(t[0], 0.0);
    s.shape[n++] = abut_convex_segment(t[0], t[1], 0.0);
    s.shape[n++] = abut_convex_triangle(t[0], t[1], t[2], 0.0);
    s.shape[n++] = keep_hull(&s, t, 1);
    s.shape[n++] = keep_hull(&s, t, 2);
    s.shape[n++] = keep_hull(&s, t, 3);
    s.shape[n++] = keep_hull(&s, square, 4);
    s.shape[n++] = keep_hull(&s, needle, 4);
    s.shape[n++] = keep_hull(&s, wedge, 6);
    s.shape[n++] = abut_convex_box(abut_vec3(1.0, 0.5, 1e-7), 0.0);
    s.shape[n++] = abut_convex_box(abut_vec3(0.5, 0.3, 0.2), 0.1);
    s.shape[n++] = abut_convex_segment(t[1], t[2], 0.2);
    assert_int_equal(n, SHAPES);
    return s;
}

static void free_shapes(Shapes *s) {
    for (int i = 0; i < s->hulls; ++i) abut_polyhedron_free(s->hull[i]);
}

static AbutPose flat_pose(AbutRng *rng, int kind) {
    AbutVec3 p =
        abut_vec3(abut_rng_between(rng, -1.0, 1.0), abut_rng_between(rng, -1.0, 1.0), abut_rng_between(rng, -1.0, 1.0));
    switch (kind) {
    case 0:
        return abut_pose_identity();
    case 1: /* in one plane, or along one line */
        return abut_pose(abut_vec3(p.x, 0.0, 0.0), abut_quat_identity());
    case 2:
        return abut_pose(abut_vec3(p.x, p.y, 0.0), abut_quat_axis_angle(abut_axis(2), p.z));
    case 3:
        return abut_pose(abut_scale(p, 4.0), random_turn(rng));
    default:
        return abut_pose(abut_scale(p, 0.4), random_turn(rng));
    }
}

static void flat_and_thin_shapes(void **state) {
    (void)state;
    int rounds = check_cases(30);
    Shapes s = make_shapes();
    AbutRng rng = abut_rng(9, 0);
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < SHAPES; ++i)
            for (int j = 0; j < SHAPES; ++j) check_both(&s.shape[i], &s.shape[j], flat_pose(&rng, round % 6));
    free_shapes(&s);
}

static void identical_bodies(void **state) {
    (void)state;
    Shapes s = make_shapes();
    for (int i = 0; i < SHAPES; ++i) check_both(&s.shape[i], &s.shape[i], abut_pose_identity());
    free_shapes(&s);
    static const int faces[] = {4, 6, 8, 12, 20};
    for (int i = 0; i < 5; ++i) {
        AbutPolyhedron *regular = NULL;
        assert_int_equal(abut_polyhedron_regular(faces[i], 1.0, &regular, NULL), ABUT_OK);
        AbutConvex body = abut_convex_polyhedron(regular, 0.0);
        check_both(&body, &body, abut_pose_identity());
        for (int k = 1; k < 8; ++k)
            check_both(&body, &body, abut_pose(abut_vec3(0.25 * k, 0.0, 0.0), abut_quat_identity()));
        abut_polyhedron_free(regular);
    }
}

/* NaN, infinity and a negative radius are named, and give no numbers. */
static void bad_input_is_named(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(cube(1.0), 0.0), bad[4];
    bad[0] = abut_convex_box(abut_vec3(1.0, NAN, 1.0), 0.0);
    bad[1] = abut_convex_point(abut_vec3(INFINITY, 0.0, 0.0), 0.0);
    bad[2] = abut_convex_box(cube(1.0), -1.0);
    bad[3] = abut_convex_box(cube(1.0), 0.0);
    bad[3].kind = ABUT_CONVEX_KIND_COUNT;
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(abut_convex_distance(&box, &bad[i], abut_pose_identity(), NULL, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_convex_distance(&bad[i], &box, abut_pose_identity(), NULL, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_convex_meet(&box, &bad[i], abut_pose_identity(), NULL), -1);
    }
    AbutPose pose = abut_pose(abut_vec3(0.0, NAN, 0.0), abut_quat_identity());
    assert_int_equal(abut_convex_distance(&box, &box, pose, NULL, NULL).outcome, ABUT_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligned_boxes),
        cmocka_unit_test(aligned_cubes_on_a_grid),
        cmocka_unit_test(cubes_along_z),
        cmocka_unit_test(tilted_kissing_cubes),
        cmocka_unit_test(edge_and_corner_on_face),
        cmocka_unit_test(thin_plates),
        cmocka_unit_test(one_inside_the_other),
        cmocka_unit_test(flat_and_thin_shapes),
        cmocka_unit_test(identical_bodies),
        cmocka_unit_test(bad_input_is_named),
    };
    return cmocka_run_group_tests_name("signed distance, hard families", tests, NULL, NULL);
}
