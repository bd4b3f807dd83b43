/* SPDX-License-Identifier: Apache-2.0 */
/* The distance query beside its oracle test: kernels, closed forms, rounding, support functions, caches, bad input. */
#include "abut/query.h"
#include "math/scan.h"
#include "support/check.h"
#include "support/random_bodies.h"
#include "query/capsules.h"

#include <string.h>

static void kernels_give_the_same_index(void **state) {
    (void)state;
    const AbutScan *sets[3];
    int count = abut_scan_all(sets), most = 512;
    double *rows = abut_alloc_array(3 * (size_t)most, sizeof *rows);
    AbutRng rng = abut_rng(3, 0);
    for (int i = 0; i < 3000; ++i) {
        int n = 8 * (1 + (int)abut_rng_below(&rng, (uint32_t)most / 8));
        for (int k = 0; k < 3 * n; ++k) /* small integers make many equals: the first must win */
            rows[k] = i % 2 ? (double)abut_rng_below(&rng, 3) : abut_rng_normal(&rng);
        AbutVec3 v = abut_random_direction(&rng);
        double d[3] = {i % 2 ? 1.0 : v.x, i % 2 ? -1.0 : v.y, v.z * (i % 4 != 1)};
        for (int s = 1; s < count; ++s) {
            assert_int_equal(sets[s]->farthest(rows, n, d), sets[0]->farthest(rows, n, d));
            assert_int_equal(sets[s]->smallest(rows, n), sets[0]->smallest(rows, n));
        }
    }
    rows[0] = rows[5] = NAN;
    double d[3] = {1, 2, 3};
    for (int s = 0; s < count; ++s) {
        int i = sets[s]->farthest(rows, 8, d), j = sets[s]->smallest(rows, 8);
        CHECK(i >= 0 && i < 8 && j >= 0 && j < 8);
    }
    abut_free(rows);
}

static void kernels_see_the_same_planes(void **state) {
    (void)state;
    enum { MOST = 192 };
    const AbutScan *sets[3];
    int count = abut_scan_all(sets);
    double *planes = abut_alloc_array(4 * MOST, sizeof *planes);
    AbutRng rng = abut_rng(3, 1);
    for (int i = 0; i < 2000; ++i) {
        int n = 8 * (1 + (int)abut_rng_below(&rng, MOST / 8));
        for (int k = 0; k < 4 * MOST; ++k) planes[k] = i % 2 ? (double)abut_rng_below(&rng, 3) : abut_rng_normal(&rng);
        for (int k = 0; k < n; ++k) /* unused places, and sometimes nothing else */
            if (i % 8 == 0 || abut_rng_below(&rng, 4) == 0) planes[3 * MOST + k] = INFINITY;
        double w[3] = {abut_rng_normal(&rng), 1.0, -1.0}, least = i % 3 ? -0.01 : 0.0, low = INFINITY;
        uint64_t seen[3][MOST / 64];
        int at[3];
        for (int s = 0; s < count; ++s) at[s] = sets[s]->sees(planes, MOST, n, w, least, seen[s]);
        for (int k = 0; k < n; ++k) {
            double d = planes[3 * MOST + k];
            int bit = planes[k] * w[0] + planes[MOST + k] * w[1] + planes[2 * MOST + k] * w[2] - d >= least;
            for (int s = 0; s < count; ++s) assert_int_equal(seen[s][k / 64] >> (k % 64) & 1, bit);
            low = bit ? low : fmin(low, d);
        }
        for (int s = 0; s < count; ++s) {
            assert_int_equal(at[s], at[0]);
            CHECK(low == INFINITY ? at[s] == 0 : planes[3 * MOST + at[s]] == low);
        }
    }
    abut_free(planes);
}

static void hill_climbing_finds_the_farthest(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4, 0);
    AbutPolyhedron *big = random_hull(&rng, 4000, abut_vec3(1, 2, 0.5)),
                   *other = random_hull(&rng, 3000, abut_vec3(1, 1, 1));
    CHECK(big->vertex_count > 1024);
    AbutConvex a = abut_convex_polyhedron(big, 0), b = abut_convex_polyhedron(other, 0);
    for (int i = 0; i < check_cases(300); ++i) {
        AbutPose pose = abut_pose(
            abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0.0, 5.0)), abut_random_quat(&rng));
        AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        CHECK(d.outcome == ABUT_SEPARATED || d.outcome == ABUT_PENETRATING);
        /* the normal supports both bodies at the witness points */
        double top = abut_dot(d.normal, abut_convex_farthest(&a, d.normal));
        AbutVec3 nb = abut_quat_rotate_inv(pose.q, abut_neg(d.normal));
        double bottom = abut_dot(d.normal, abut_pose_apply(pose, abut_convex_farthest(&b, nb)));
        CHECK_NEAR(bottom - top, d.distance, 1e-11);
        CHECK_NEAR(abut_dot(d.normal, d.point_a), top, 1e-11);
        CHECK_NEAR(abut_dot(d.normal, d.point_b), bottom, 1e-11);
    }
    abut_polyhedron_free(big);
    abut_polyhedron_free(other);
}

static void capsules_in_closed_form(void **state) {
    (void)state;
    AbutRng rng = abut_rng(5, 0);
    for (int i = 0; i < check_cases(20000); ++i) {
        AbutCapsule a = {abut_random_direction(&rng), abut_random_direction(&rng), abut_rng_between(&rng, 0, 0.5)},
                    b = a;
        b.a = abut_scale(abut_random_direction(&rng), 2.0);
        b.b = i % 5 == 0 ? b.a : abut_scale(abut_random_direction(&rng), 2.0);
        if (i % 7 == 0) /* parallel */
            b.b = abut_add_scaled(b.a, abut_sub(a.b, a.a), abut_rng_between(&rng, -2, 2));
        AbutGap d = abut_capsule_distance(a, b);
        /* brute force: the distance is convex in (s, t); golden sections over s of the exact best t */
        double best = INFINITY, low = 0.0, high = 1.0;
        for (int step = 0; step < 100; ++step) {
            double value[2], m[2] = {low + 0.382 * (high - low), low + 0.618 * (high - low)};
            for (int k = 0; k < 2; ++k) {
                AbutVec3 p = abut_lerp(a.a, a.b, m[k]), v = abut_sub(b.b, b.a);
                double vv = abut_length_sq(v), t = vv > 0 ? abut_dot(abut_sub(p, b.a), v) / vv : 0;
                value[k] = abut_point_distance(p, abut_add_scaled(b.a, v, fmin(1, fmax(0, t))));
                best = fmin(best, value[k]);
            }
            if (value[0] < value[1])
                high = m[1];
            else
                low = m[0];
        }
        CHECK_NEAR(d.distance, best - a.radius - b.radius, 2e-8);
        CHECK_VEC_NEAR(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, d.distance), 1e-12);
        AbutConvex ca = abut_convex_segment(a.a, a.b, a.radius), cb = abut_convex_segment(b.a, b.b, b.radius);
        AbutGap e = abut_convex_distance(&ca, &cb, abut_pose_identity(), NULL, NULL);
        CHECK_NEAR(e.distance, d.distance, 1e-14);
    }
}

static void meeting_cores_have_a_normal(void **state) {
    (void)state;
    AbutCapsule a = {{-1, 0, 0}, {1, 0, 0}, 0.1}, b = {{0, -1, 0}, {0, 1, 0}, 0.2};
    AbutGap d = abut_capsule_distance(a, b);
    CHECK_NEAR(d.distance, -0.3, 1e-15);
    CHECK_NEAR(fabs(d.normal.z), 1.0, 1e-15);
    d = abut_capsule_distance(a, a);
    CHECK_NEAR(d.distance, -0.2, 1e-15);
    CHECK_NEAR(d.normal.x, 0.0, 1e-15);
    AbutSphere ball = {{1, 2, 3}, 0.5};
    AbutConvex s = abut_convex_point(ball.center, ball.radius);
    d = abut_convex_distance(&s, &s, abut_pose_identity(), NULL, NULL);
    CHECK_NEAR(d.distance, -1.0, 1e-15);
    CHECK_NEAR(abut_length(d.normal), 1.0, 1e-15);
}

/* Rounded bodies: the core distance minus the radii, also where the cores overlap. */
static void radius_shifts_the_distance(void **state) {
    (void)state;
    AbutRng rng = abut_rng(6, 0);
    for (int i = 0; i < check_cases(2000); ++i) {
        AbutPolyhedron *h = random_hull(&rng, 12, abut_vec3(1, 1, 1)), *k = random_hull(&rng, 20, abut_vec3(1, 0.5, 1));
        AbutConvex a = abut_convex_polyhedron(h, 0), b = abut_convex_polyhedron(k, 0);
        AbutPose pose =
            abut_pose(abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0, 3)), abut_random_quat(&rng));
        AbutGap core = abut_convex_distance(&a, &b, pose, NULL, NULL);
        a.radius = 0.3, b.radius = 0.04;
        AbutGap round = abut_convex_distance(&a, &b, pose, NULL, NULL);
        CHECK_NEAR(round.distance, core.distance - 0.34, 1e-12);
        CHECK_VEC_NEAR(abut_sub(round.point_b, round.point_a), abut_scale(round.normal, round.distance), 1e-11);
        assert_int_equal(abut_convex_meet(&a, &b, pose, NULL), round.distance <= 0 || round.outcome == ABUT_TOUCHING);
        abut_polyhedron_free(h);
        abut_polyhedron_free(k);
    }
}

static AbutVec3 ellipsoid_support(AbutVec3 d, const void *user) {
    AbutVec3 r = *(const AbutVec3 *)user, s = abut_mul(d, r);
    return abut_mul(abut_scale(s, 1.0 / abut_length(s)), r);
}

/* A ball given by its support function against the closed form, apart and deep. */
static void support_functions_converge(void **state) {
    (void)state;
    AbutRng rng = abut_rng(7, 0);
    AbutVec3 unit = {1, 1, 1};
    AbutConvex ball = abut_convex_support(ellipsoid_support, &unit, 0.0),
               box = abut_convex_box(abut_vec3(1, 1, 1), 0.0);
    for (int i = 0; i < check_cases(500); ++i) {
        AbutPose pose =
            abut_pose(abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0.01, 5)), abut_random_quat(&rng));
        AbutGap d = abut_convex_distance(&ball, &ball, pose, NULL, NULL);
        double exact = abut_length(pose.p) - 2.0;
        if (d.outcome == ABUT_NOT_CONVERGED)
            CHECK(fabs(d.distance - exact) <= d.error + 1e-9);
        else
            CHECK_NEAR(d.distance, exact, 1e-6);
        AbutConvex sphere = abut_convex_point(abut_zero(), 1.0);
        double reference = abut_convex_distance(&box, &sphere, pose, NULL, NULL).distance;
        d = abut_convex_distance(&box, &ball, pose, NULL, NULL);
        CHECK(d.outcome == ABUT_NOT_CONVERGED ? fabs(d.distance - reference) <= d.error + 1e-9
                                              : fabs(d.distance - reference) < 1e-6);
    }
}

/* A cache changes the work, never the answer, along a path and between unrelated pairs. */
static void caches_do_not_change_answers(void **state) {
    (void)state;
    AbutRng rng = abut_rng(8, 0);
    int saved = 0, total = 0;
    for (int i = 0; i < check_cases(300); ++i) {
        AbutPolyhedron *h = random_hull(&rng, 40, abut_vec3(1, 0.8, 0.6)),
                       *k = random_hull(&rng, 30, abut_vec3(1, 0.5, 1));
        AbutConvex a = abut_convex_polyhedron(h, 0), b = abut_convex_polyhedron(k, 0);
        AbutConvexCache cache;
        memset(&cache, 0, sizeof cache);
        if (i % 3 == 0) { /* nonsense must be survived */
            cache.count = 4;
            cache.vertex_a[1] = 1000000, cache.vertex_b[2] = -5;
            cache.direction = abut_vec3(NAN, 0, INFINITY);
        } else if (i % 3 == 1) { /* a degenerate simplex too */
            cache.count = 4;
        }
        AbutVec3 from = abut_scale(abut_random_direction(&rng), 3), to = abut_scale(abut_random_direction(&rng), 1.0);
        AbutQuat q = abut_random_quat(&rng);
        for (int step = 0; step <= 50; ++step) {
            AbutPose pose = abut_pose(abut_lerp(from, to, step / 50.0), q);
            AbutWork cold_work = {0}, warm_work = {0};
            AbutGapDef cold_def = {.work = &cold_work}, warm_def = {.work = &warm_work};
            AbutGap cold = abut_convex_distance(&a, &b, pose, &cold_def, NULL),
                    warm = abut_convex_distance(&a, &b, pose, &warm_def, &cache);
            CHECK_NEAR(warm.distance, cold.distance, 1e-10);
            assert_int_equal(
                abut_convex_meet(&a, &b, pose, &cache), cold.distance <= 0 || cold.outcome == ABUT_TOUCHING);
            total += cold.distance > 0;
            saved += cold.distance > 0 && warm_work.supports < cold_work.supports;
        }
        abut_polyhedron_free(h);
        abut_polyhedron_free(k);
    }
    CHECK(saved > total / 2);
}

static void bad_input_is_invalid(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(abut_vec3(1, 1, 1), 0), bad;
    AbutPose pose = abut_pose_identity(), far = abut_pose(abut_vec3(1e70, 0, 0), abut_quat_identity());
    AbutPose nan_pose = abut_pose(abut_vec3(0, NAN, 0), abut_quat_identity());
    AbutPose not_unit = abut_pose(abut_zero(), abut_quat(2, 0, 0, 0));
    assert_int_equal(abut_convex_distance(&box, &box, nan_pose, NULL, NULL).outcome, ABUT_INVALID);
    assert_int_equal(abut_convex_distance(&box, &box, not_unit, NULL, NULL).outcome, ABUT_INVALID);
    assert_int_equal(abut_convex_distance(&box, &box, far, NULL, NULL).outcome, ABUT_INVALID);
    assert_int_equal(abut_convex_meet(&box, &box, nan_pose, NULL), -1);
    bad = abut_convex_box(abut_vec3(1, -1, 1), 0);
    assert_int_equal(abut_convex_distance(&bad, &box, pose, NULL, NULL).outcome, ABUT_INVALID);
    bad = abut_convex_point(abut_vec3(0, 0, INFINITY), 0);
    assert_int_equal(abut_convex_distance(&bad, &box, pose, NULL, NULL).outcome, ABUT_INVALID);
    assert_int_equal(abut_convex_distance(&bad, &bad, pose, NULL, NULL).outcome, ABUT_INVALID);
    bad = abut_convex_segment(abut_zero(), abut_axis(0), -1.0);
    assert_int_equal(abut_convex_distance(&bad, &bad, pose, NULL, NULL).outcome, ABUT_INVALID);
    assert_int_equal(abut_convex_distance(&box, &bad, pose, NULL, NULL).outcome, ABUT_INVALID);
    bad.kind = (AbutConvexKind)77;
    assert_int_equal(abut_convex_distance(&box, &bad, pose, NULL, NULL).outcome, ABUT_INVALID);
    assert_int_equal(abut_convex_meet(&box, &bad, pose, NULL), -1);
    bad = abut_convex_support(NULL, NULL, 0.0);
    assert_int_equal(abut_convex_distance(&box, &bad, pose, NULL, NULL).outcome, ABUT_INVALID);
}

/* Bodies that the fuzzer found: each gave a wrong witness, normal, gap or derivative once. */
static void found_by_fuzzing(void **state) {
    (void)state;
    AbutPose pose = abut_pose_identity();
    /* a needle of 1e6 through a body of 1: weights of a sliver */
    const AbutVec3 small[5] = {
        {0, 0, 0}, {1.52587890625e-05, 0, 0}, {0, 1.0000019073486328, 0}, {0, 0, -2.3283064365386963e-10}, {1, 1, 1}};
    AbutPolyhedron *hull = NULL, *line = NULL;
    assert_int_equal(abut_polyhedron_from_points(small, 5, NULL, &hull, NULL), ABUT_OK);
    AbutConvex a = abut_convex_polyhedron(hull, 0), needle = abut_convex_box(abut_vec3(1e6, 0, 0), 0);
    pose.q = abut_quat_normalize(
        abut_quat(0.89438772116689291, 2.7294547154751371e-05, 0.26848072585763533, 0.35775508846675719));
    AbutGap d = abut_convex_distance(&a, &needle, pose, NULL, NULL);
    CHECK_NEAR(d.distance, 0, 1e-3);
    CHECK_VEC_NEAR(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, d.distance), 1e-3);
    /* a point far above a long, hardly tilted line: |v| cannot show the progress */
    const AbutVec3 ends[2] = {{0, 0, 1}, {2e6, 0, 1.00014686584474}};
    assert_int_equal(abut_polyhedron_from_points(ends, 2, NULL, &line, NULL), ABUT_OK);
    AbutConvex tilted = abut_convex_polyhedron(line, 0), point = abut_convex_point(abut_vec3(0, 0, 2e6), 0);
    d = abut_convex_distance(&tilted, &point, abut_pose_identity(), NULL, NULL);
    assert_int_equal(d.outcome, ABUT_SEPARATED);
    CHECK_NEAR(d.distance, 1999999, 1e-8);
    /* bodies too small for their squares are points that touch */
    AbutConvex speck = abut_convex_box(abut_vec3(1e-80, 1e-80, 1e-80), 0), origin = abut_convex_point(abut_zero(), 0);
    AbutConvex near = abut_convex_point(abut_vec3(1e-160, 1e-161, 0), 0);
    d = abut_convex_distance(&speck, &origin, abut_pose_identity(), NULL, NULL);
    assert_int_equal(d.outcome, ABUT_TOUCHING);
    CHECK_NEAR(abut_length(d.normal), 1, 1e-12);
    d = abut_convex_distance(&near, &origin, abut_pose_identity(), NULL, NULL);
    assert_int_equal(d.outcome, ABUT_TOUCHING);
    CHECK_NEAR(abut_length(d.normal), 1, 1e-12);
    /* equal points have no derivative */
    d = abut_convex_distance(&origin, &origin, abut_pose_identity(), NULL, NULL);
    AbutDistanceDerivative g =
        abut_distance_derivative(&origin, &origin, abut_pose_identity(), abut_pose_identity(), &d);
    CHECK(!g.valid && !g.points_valid);
    abut_polyhedron_free(hull);
    abut_polyhedron_free(line);
}

/* Long boxes turned by next to nothing: the direction across their edges has to be right at any angle. */
static void boxes_meet_as_their_distance_says(void **state) {
    (void)state;
    AbutRng rng = abut_rng(12, 0);
    int apart = 0, meet = 0;
    for (int i = 0; i < check_cases(200000); ++i) {
        double lengthy = pow(10.0, abut_rng_between(&rng, 0.0, 5.0));
        double angle = pow(10.0, abut_rng_between(&rng, -16.0, -1.0));
        AbutConvex a = abut_convex_box(abut_vec3(lengthy, abut_rng_between(&rng, 0.5, 1.0), 1.0), 0.0);
        AbutConvex b = abut_convex_box(abut_vec3(lengthy, abut_rng_between(&rng, 0.5, 1.0), 1.0), 0.0);
        AbutQuat roll = abut_quat_axis_angle(abut_axis(0), abut_rng_between(&rng, 0.0, 3.0));
        AbutQuat lean = abut_quat_axis_angle(abut_random_direction(&rng), angle);
        AbutPose pose = abut_pose(abut_zero(), abut_quat_mul(lean, roll));
        double turn = abut_rng_between(&rng, 0.0, 2.0 * ABUT_PI);
        AbutVec3 away = abut_vec3(0.0, cos(turn), sin(turn));
        AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        pose.p = abut_add_scaled(pose.p, away, -d.distance); /* then to about contact */
        d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        double miss = pow(10.0, abut_rng_between(&rng, -14.0, -2.0)) * (i % 2 ? lengthy : -lengthy);
        pose.p = abut_add_scaled(pose.p, d.normal, miss - d.distance);
        d = abut_convex_distance(&a, &b, pose, NULL, NULL);
        if (fabs(d.distance) <= 2.0 * d.error) continue;
        CHECK(abut_convex_meet(&a, &b, pose, NULL) == (d.distance < 0.0));
        apart += d.distance > 0.0;
        meet += d.distance < 0.0;
    }
    CHECK(apart > 0 && meet > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_by_fuzzing),
        cmocka_unit_test(kernels_give_the_same_index),
        cmocka_unit_test(kernels_see_the_same_planes),
        cmocka_unit_test(boxes_meet_as_their_distance_says),
        cmocka_unit_test(hill_climbing_finds_the_farthest),
        cmocka_unit_test(capsules_in_closed_form),
        cmocka_unit_test(meeting_cores_have_a_normal),
        cmocka_unit_test(radius_shifts_the_distance),
        cmocka_unit_test(support_functions_converge),
        cmocka_unit_test(caches_do_not_change_answers),
        cmocka_unit_test(bad_input_is_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
