/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of the distance against central differences of the query itself, over all pairs of kinds. */
#include "abut/query.h"
#include "support/check.h"
#include "support/random_bodies.h"
#include "math/functions.h"

static AbutVec3 random_point(AbutRng *rng, double size) {
    return abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.3, 1.0) * size);
}

static AbutConvex random_body(AbutRng *rng, int kind, const AbutPolyhedron *hull, double radius) {
    switch (kind) {
    case ABUT_CONVEX_POINT:
        return abut_convex_point(random_point(rng, 0.3), radius);
    case ABUT_CONVEX_SEGMENT:
        return abut_convex_segment(random_point(rng, 1.0), random_point(rng, 1.0), radius);
    case ABUT_CONVEX_TRIANGLE:
        return abut_convex_triangle(random_point(rng, 1.0), random_point(rng, 1.0), random_point(rng, 1.0), radius);
    case ABUT_CONVEX_BOX:
        return abut_convex_box(abut_vec3(0.5, 0.7, 0.9), radius);
    case ABUT_CONVEX_CYLINDER:
        return abut_convex_cylinder(0.6, 0.8, radius);
    case ABUT_CONVEX_CONE:
        return abut_convex_cone(0.7, 0.6, radius);
    case ABUT_CONVEX_ELLIPSOID:
        return abut_convex_ellipsoid(abut_vec3(0.5, 0.7, 0.9), radius);
    default:
        return abut_convex_polyhedron(hull, radius);
    }
}

static AbutPose moved(AbutPose pose, int k, double h) {
    AbutVec3 d = abut_scale(abut_axis(k % 3), h);
    if (k % 6 < 3) return abut_pose(abut_add(pose.p, d), pose.q);
    return abut_pose(pose.p, abut_quat_mul(abut_quat_exp(d), pose.q));
}

static AbutGap ask(const AbutConvex *a, const AbutConvex *b, AbutPose pa, AbutPose pb, AbutVec3 world[2]) {
    AbutGap d = abut_convex_distance(a, b, abut_pose_between(pa, pb), NULL, NULL);
    world[0] = abut_pose_apply(pa, d.point_a);
    world[1] = abut_pose_apply(pa, d.point_b);
    return d;
}

/* Is column k of a witness point what the two places of the point say? */
static int agrees(double g[3][12], int k, AbutVec3 before, AbutVec3 after, double h) {
    for (int i = 0; i < 3; ++i)
        if (!(fabs((abut_get(after, i) - abut_get(before, i)) / (2 * h) - g[i][k]) <= 5e-3 * (1 + fabs(g[i][k]))))
            return 0;
    return 1;
}

/* Compares all columns; gives whether the witness columns were compared too. *off counts columns that do not agree. */
static int compare(const AbutConvex *a, const AbutConvex *b, AbutPose pa, AbutPose pb, int *off) {
    AbutVec3 w[2], w0[2], w1[2];
    AbutGap d = ask(a, b, pa, pb, w);
    AbutDistanceDerivative g = abut_distance_derivative(a, b, pa, pb, &d);
    if (!g.valid) return -1;
    const double h = 1e-6;
    for (int k = 0; k < 12; ++k) {
        AbutGap d0 = ask(a, b, k < 6 ? moved(pa, k, -h) : pa, k < 6 ? pb : moved(pb, k, -h), w0);
        AbutGap d1 = ask(a, b, k < 6 ? moved(pa, k, h) : pa, k < 6 ? pb : moved(pb, k, h), w1);
        CHECK_NEAR((d1.distance - d0.distance) / (2 * h), g.distance[k], 2e-4);
        if (!g.points_valid) continue;
        double jump = abut_point_distance(w1[0], w0[0]) + abut_point_distance(w1[1], w0[1]);
        if (jump > 1e-3 || fabs(d.distance + a->radius + b->radius) < 0.02)
            continue; /* the feature changed within the step */
        *off += !agrees(g.point_a, k, w0[0], w1[0], h) || !agrees(g.point_b, k, w0[1], w1[1], h);
    }
    return g.points_valid;
}

static void matches_finite_differences(void **state) {
    (void)state;
    AbutRng rng = abut_rng(11, 0);
    int compared = 0, skipped = 0, off = 0;
    for (int i = 0; i < check_cases(4000); ++i) {
        int ka = i % 5, kb = i / 5 % 5;
        AbutPolyhedron *ha = random_hull(&rng, 14, abut_vec3(0.5, 0.8, 1.1)),
                       *hb = random_hull(&rng, 14, abut_vec3(0.5, 0.8, 1.1));
        double r = i % 3 == 0 ? 0.1 : 0.0;
        AbutConvex a = random_body(&rng, ka, ha, r), b = random_body(&rng, kb, hb, 0.5 * r);
        AbutPose pa = abut_pose(random_point(&rng, 3.0), abut_random_quat(&rng));
        AbutPose pb = abut_pose(abut_add(pa.p, random_point(&rng, i % 2 ? 4.0 : 1.2)), abut_random_quat(&rng));
        int outcome = compare(&a, &b, pa, pb, &off);
        compared += outcome == 1;
        skipped += outcome < 0;
        abut_polyhedron_free(ha);
        abut_polyhedron_free(hb);
    }
    assert_int_equal(off, 0);
    CHECK(compared > check_cases(4000) * 3 / 4);
    CHECK(skipped < check_cases(4000) / 5 + 1);
}

static void half_spaces_match_finite_differences(void **state) {
    (void)state;
    AbutRng rng = abut_rng(12, 0);
    int compared = 0, off = 0, cases = check_cases(500);
    for (int i = 0; i < cases; ++i) {
        AbutPolyhedron *hull = random_hull(&rng, 14, abut_vec3(0.5, 0.8, 1.1));
        AbutPlane plane = {abut_random_direction(&rng), abut_rng_between(&rng, -1, 1)};
        double r = i % 3 == 0 ? 0.1 : 0.0;
        AbutConvex ground = abut_convex_half_space(plane, r), body = random_body(&rng, i % 5, hull, 0.5 * r);
        AbutPose pa = abut_pose(random_point(&rng, 3.0), abut_random_quat(&rng));
        AbutPose pb = abut_pose(abut_add(pa.p, random_point(&rng, 3.0)), abut_random_quat(&rng));
        compared += (i & 1 ? compare(&body, &ground, pa, pb, &off) : compare(&ground, &body, pa, pb, &off)) == 1;
        abut_polyhedron_free(hull);
    }
    assert_int_equal(off, 0);
    CHECK(compared > cases * 9 / 10);
    AbutPlane up = {{0, 0, 1}, 0}, down = {{0, 0, -1}, 1};
    AbutConvex a = abut_convex_half_space(up, 0), b = abut_convex_half_space(down, 0);
    AbutGap d = abut_convex_distance(&a, &b, abut_pose_identity(), NULL, NULL);
    assert_int_equal(abut_distance_derivative(&a, &b, abut_pose_identity(), abut_pose_identity(), &d).valid, 0);
}

/* Cylinders, cones and ellipsoids with each other, with bodies that have vertices and with half-spaces. Where a pair is
 * about to touch in another way one of the distances compared with may be GJK's own, its points good to 1e-6 only. */
static void round_kinds_match_finite_differences(void **state) {
    (void)state;
    AbutRng rng = abut_rng(13, 0);
    int compared = 0, skipped = 0, strange = 0, cases = check_cases(3000);
    AbutPolyhedron *hull = random_hull(&rng, 14, abut_vec3(0.5, 0.8, 1.1));
    for (int i = 0; i < cases; ++i) {
        static const int partner[] = {ABUT_CONVEX_POINT, ABUT_CONVEX_SEGMENT, ABUT_CONVEX_TRIANGLE, ABUT_CONVEX_BOX,
            ABUT_CONVEX_POLYHEDRON, ABUT_CONVEX_CYLINDER, ABUT_CONVEX_CONE, ABUT_CONVEX_ELLIPSOID,
            ABUT_CONVEX_HALF_SPACE};
        int kind = partner[i / 3 % 9];
        double r = i % 2 ? 0.1 : 0.0;
        AbutPlane plane = {abut_random_direction(&rng), -1.0};
        AbutConvex a = random_body(&rng, ABUT_CONVEX_CYLINDER + i % 3, NULL, r);
        AbutConvex b =
            kind == ABUT_CONVEX_HALF_SPACE ? abut_convex_half_space(plane, r) : random_body(&rng, kind, hull, 0.5 * r);
        AbutPose pa = abut_pose(random_point(&rng, 3.0), abut_random_quat(&rng));
        AbutPose pb = abut_pose(abut_add(pa.p, random_point(&rng, 4.0)), abut_random_quat(&rng));
        int off = 0, outcome = i & 4 ? compare(&a, &b, pa, pb, &off) : compare(&b, &a, pb, pa, &off);
        strange += off > 0;
        compared += outcome == 1;
        skipped += outcome < 0;
    }
    CHECK(strange <= 1 + cases / 300);
    CHECK(compared > cases * 3 / 4);
    CHECK(skipped < cases / 5 + 1);
    abut_polyhedron_free(hull);
}

static void parallel_faces_are_flagged(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(abut_vec3(1, 1, 1), 0.0);
    AbutPose pa = abut_pose_identity(), pb = abut_pose(abut_vec3(0.2, 0.1, 3.0), abut_quat_identity());
    AbutGap d = abut_convex_distance(&box, &box, abut_pose_between(pa, pb), NULL, NULL);
    assert_int_equal(abut_distance_derivative(&box, &box, pa, pb, &d).valid, 0);
    AbutGap bad = d;
    bad.outcome = ABUT_INVALID;
    AbutDistanceDerivative unknown = abut_distance_derivative(&box, &box, pa, pb, &bad);
    assert_true(!unknown.valid && !unknown.points_valid);
    for (int k = 0; k < 12; ++k)
        assert_true(isnan(unknown.distance[k]) && isnan(unknown.point_a[0][k]) && isnan(unknown.point_b[2][k]));
}

/* Round kinds nearest along a line or a face are flagged; those nearest in one point are not. */
static void parallel_sides_are_flagged(void **state) {
    (void)state;
    AbutConvex can = abut_convex_cylinder(1, 1, 0), thin = abut_convex_cylinder(0.5, 2, 0.1),
               box = abut_convex_box(abut_vec3(0.5, 0.5, 0.5), 0), cone = abut_convex_cone(1, 1, 0),
               ball = abut_convex_point(abut_zero(), 0.2),
               ground = abut_convex_half_space((AbutPlane){{0, 0, 1}, -1.5}, 0);
    AbutQuat same = abut_quat_identity(), lying = abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI),
             head = abut_quat(0, 1, 0, 0), skew = abut_quat_axis_angle(abut_axis(0), 0.3);
    const struct {
        const AbutConvex *a, *b;
        AbutPose pose;
        int valid;
    } cases[] = {{&can, &thin, {{3, 0, 0.5}, same}, 0}, {&can, &thin, {{3, 0, 0.5}, skew}, 1},
        {&can, &thin, {{0.3, 0.1, 4}, same}, 0}, {&can, &thin, {{0.3, 0.1, 3}, lying}, 0},
        {&can, &thin, {{0.3, 0.1, 4}, skew}, 1}, {&can, &box, {{0.3, 0.1, 3}, same}, 0},
        {&box, &can, {{3, 0.1, 0.2}, same}, 0}, {&can, &cone, {{0.3, 0.1, 3}, same}, 0},
        {&can, &cone, {{0.3, 0.1, 3}, head}, 1}, {&cone, &cone, {{3, 0, 0}, head}, 0},
        {&cone, &cone, {{0, 0, 3}, same}, 1}, {&can, &ball, {{0.3, 0.1, 3}, same}, 1},
        {&can, &ball, {{3, 0, 0.1}, same}, 1}, {&ground, &can, {{0, 0, 0}, same}, 0},
        {&ground, &can, {{0, 0, 0}, lying}, 0}, {&ground, &can, {{0, 0, 0}, skew}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        AbutPose world = abut_pose(abut_vec3(0.3, -0.2, 0.7), abut_quat_axis_angle(abut_vec3(0.6, 0, 0.8), 0.9));
        AbutGap d = abut_convex_distance(cases[i].a, cases[i].b, cases[i].pose, NULL, NULL);
        AbutPose pb = abut_pose_mul(world, cases[i].pose);
        assert_int_equal(abut_distance_derivative(cases[i].a, cases[i].b, world, pb, &d).valid, cases[i].valid);
    }
}

/* Deep in each other about one axis: where all directions around it are as good there is no derivative; aside there is
 * one, and along the axis too. */
static void rings_are_flagged(void **state) {
    (void)state;
    AbutPose world = abut_pose(abut_vec3(0.3, -0.2, 0.7), abut_quat_axis_angle(abut_vec3(0.6, 0, 0.8), 0.9));
    AbutConvex kind[] = {abut_convex_cylinder(0.5, 2, 0), abut_convex_cylinder(0.5, 2, 0.1),
        abut_convex_cone(0.5, 3, 0), abut_convex_ellipsoid(abut_vec3(0.5, 0.5, 2), 0),
        abut_convex_segment(abut_vec3(0, 0, -2), abut_vec3(0, 0, 2), 0.3), abut_convex_point(abut_zero(), 0.4)};
    enum { COUNT = sizeof kind / sizeof kind[0] };
    int moved_valid = 0;
    for (int i = 0; i < COUNT * COUNT; ++i) {
        const AbutConvex *a = &kind[i / COUNT], *b = &kind[i % COUNT];
        if (a->kind <= ABUT_CONVEX_SEGMENT && b->kind <= ABUT_CONVEX_SEGMENT)
            continue; /* closed forms: their cores meet */
        for (int aside = 0; aside < 2; ++aside) {
            AbutPose pose = abut_pose(abut_vec3(0.12 * aside, 0.05 * aside, 0.01), abut_quat_identity());
            AbutGap d = abut_convex_distance(a, b, pose, NULL, NULL);
            int across = abut_hypot(d.normal.x, d.normal.y) > 0.01, off = 0;
            AbutPose pb = abut_pose_mul(world, pose);
            int valid = abut_distance_derivative(a, b, world, pb, &d).valid;
            assert_int_equal(d.outcome, ABUT_PENETRATING);
            if (!aside && across) assert_int_equal(valid, 0);
            if (aside && compare(a, b, world, pb, &off) >= 0) ++moved_valid;
        }
    }
    CHECK(moved_valid > 20);
    AbutConvex plate = abut_convex_cylinder(2, 0.2, 0), ball = abut_convex_point(abut_vec3(0, 0, 0.05), 0.1);
    AbutGap d = abut_convex_distance(&plate, &ball, abut_pose_identity(), NULL, NULL);
    CHECK_NEAR(d.normal.z, 1.0, 1e-12);
    assert_int_equal(abut_distance_derivative(&plate, &ball, world, world, &d).valid, 1);
}

static AbutVec3 ball_support(AbutVec3 d, const void *user) {
    return abut_scale(abut_normalize_or(d, abut_axis(0)), *(const double *)user);
}

static void support_function_gives_the_distance_only(void **state) {
    (void)state;
    double radius = 0.7;
    AbutConvex ball = abut_convex_support(ball_support, &radius, 0.0), box = abut_convex_box(abut_vec3(1, 1, 1), 0.0);
    AbutPose pa = abut_pose_identity(), pb = abut_pose(abut_vec3(0.2, 0.1, 3.0), abut_quat_identity());
    AbutGap d = abut_convex_distance(&box, &ball, abut_pose_between(pa, pb), NULL, NULL);
    AbutDistanceDerivative g = abut_distance_derivative(&box, &ball, pa, pb, &d);
    assert_int_equal(g.valid, 1);
    assert_int_equal(g.points_valid, 0);
    CHECK_NEAR(g.distance[8], 1.0, 1e-4);
    CHECK_NEAR(g.distance[2], -1.0, 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_finite_differences),
        cmocka_unit_test(half_spaces_match_finite_differences),
        cmocka_unit_test(round_kinds_match_finite_differences),
        cmocka_unit_test(parallel_faces_are_flagged),
        cmocka_unit_test(parallel_sides_are_flagged),
        cmocka_unit_test(rings_are_flagged),
        cmocka_unit_test(support_function_gives_the_distance_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
