/* SPDX-License-Identifier: Apache-2.0 */
/* Distance within limits: what is cut off says so, bounds hold against the full answer, and no limit changes no bit. */
#include "abut/query.h"
#include "support/check.h"
#include "support/random_bodies.h"

#include <string.h>

typedef struct Pair {
    AbutPolyhedron *hull[2];
    AbutConvex a, b;
    AbutPose pose;
    AbutGap full;
    int64_t supports; /* that it took */
} Pair;

/* Hulls, or a box against a hull, or two boxes; apart or not. */
static Pair random_pair(AbutRng *rng, int k) {
    Pair p;
    for (int i = 0; i < 2; ++i)
        p.hull[i] = random_hull(rng, 8 + (int)abut_rng_below(rng, 200), abut_vec3(1.0, 0.7, 0.4));
    p.a = k % 3 > 0 ? abut_convex_box(abut_vec3(0.5, 0.4, 0.3), 0.0) : abut_convex_polyhedron(p.hull[0], 0.01);
    p.b = k % 3 > 1 ? abut_convex_box(abut_vec3(0.2, 0.4, 0.6), 0.02) : abut_convex_polyhedron(p.hull[1], 0.0);
    p.pose = random_pose(rng, 4.0);
    AbutWork work = {0};
    AbutGapDef counted = {.work = &work};
    p.full = abut_convex_distance(&p.a, &p.b, p.pose, &counted, NULL);
    p.supports = work.supports;
    return p;
}

static void free_pair(Pair *p) {
    abut_polyhedron_free(p->hull[0]);
    abut_polyhedron_free(p->hull[1]);
}

static void cut_off(void **state) {
    (void)state;
    AbutRng rng = abut_rng(711, 0);
    for (int k = check_cases(3000); k > 0; --k) {
        Pair p = random_pair(&rng, k);
        AbutWork work = {0};
        AbutGapDef def = {.within = 0.5, .work = &work};
        AbutGap d = abut_convex_distance(&p.a, &p.b, p.pose, &def, NULL);
        if (p.full.distance <= def.within) {
            assert_memory_equal(&d.distance, &p.full.distance, sizeof d.distance);
        } else {
            assert_true(d.outcome == ABUT_FARTHER || d.outcome == ABUT_SEPARATED);
            assert_int_equal(d.outcome == ABUT_FARTHER, d.distance - d.error > def.within);
            CHECK(d.distance >= p.full.distance - 1e-12 && d.distance - d.error <= p.full.distance + 1e-12);
            CHECK(d.distance - d.error >= def.within - 1e-12);
            CHECK(work.supports <= p.supports);
        }
        free_pair(&p);
    }
}

/* Cylinders and cones that sink in: the bound on the distance does not end the search for their depth early. */
static void sunk_round_bodies_within(void **state) {
    (void)state;
    AbutRng rng = abut_rng(717, 0);
    AbutConvex box = abut_convex_box(abut_vec3(0.1, 0.08, 0.06), 0.0);
    for (int k = check_cases(2000); k > 0; --k) {
        AbutConvex body = k % 2 ? abut_convex_cylinder(0.1, 0.12, 0.0) : abut_convex_cone(0.07, 0.1, 0.0);
        AbutGapDef def = {.within = 2e-5};
        AbutPose pose = random_pose(&rng, 0.3);
        AbutGap full = abut_convex_distance(&box, &body, pose, NULL, NULL);
        pose.p = abut_add_scaled(pose.p, full.normal, -full.distance - 5e-6);
        full = abut_convex_distance(&box, &body, pose, NULL, NULL);
        AbutGap d = abut_convex_distance(&box, &body, pose, &def, NULL);
        CHECK_NEAR(d.distance, full.distance, 1e-12);
    }
}

/* Round kinds are searched as bodies that lie deeper: near pairs are answered in full for all that. */
static void cut_off_of_round_kinds(void **state) {
    (void)state;
    AbutRng rng = abut_rng(714, 0);
    const AbutConvex kinds[] = {abut_convex_ellipsoid(abut_vec3(0.2, 0.3, 0.5), 0.0),
        abut_convex_cylinder(0.3, 0.4, 0.0), abut_convex_cone(0.3, 0.5, 0.0)};
    const AbutGapDef def = {.within = 0.5};
    for (int k = check_cases(3000); k > 0; --k) {
        const AbutConvex *a = &kinds[k % 3], *b = &kinds[k / 3 % 3];
        AbutVec3 p = abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0.5, 2.0));
        AbutPose pose = abut_pose(p, abut_random_quat(&rng));
        AbutGap full = abut_convex_distance(a, b, pose, NULL, NULL);
        AbutGap d = abut_convex_distance(a, b, pose, &def, NULL);
        if (full.distance <= def.within)
            CHECK_NEAR(d.distance, full.distance, 1e-12);
        else
            CHECK(d.distance - d.error >= def.within - 1e-12);
    }
}

static void budget(void **state) {
    (void)state;
    AbutRng rng = abut_rng(712, 0);
    int ended = 0;
    for (int k = check_cases(3000); k > 0; --k) {
        Pair p = random_pair(&rng, k);
        if (k % 2 == 0) {
            p.pose.p = abut_scale(p.pose.p, 0.02);
            p.full = abut_convex_distance(&p.a, &p.b, p.pose, NULL, NULL);
        }
        AbutWork work = {0};
        AbutGapDef def = {.max_supports = 1 + k % 20, .work = &work};
        AbutGap d = abut_convex_distance(&p.a, &p.b, p.pose, &def, NULL);
        CHECK(work.supports <= def.max_supports + 24);
        CHECK_NEAR(d.distance, p.full.distance, d.error + 1e-10);
        CHECK_NEAR(abut_length(d.normal), 1.0, 1e-12);
        ended += d.outcome == ABUT_NOT_CONVERGED;
        free_pair(&p);
    }
    CHECK(ended > 0);
}

static void no_limit(void **state) {
    (void)state;
    AbutRng rng = abut_rng(713, 0);
    AbutGapDef zero;
    memset(&zero, 0, sizeof zero);
    for (int k = check_cases(300); k > 0; --k) {
        Pair p = random_pair(&rng, k);
        AbutGap d = abut_convex_distance(&p.a, &p.b, p.pose, k % 2 ? &zero : NULL, NULL);
        assert_memory_equal(&d.distance, &p.full.distance, sizeof d.distance);
        assert_int_equal(d.outcome, p.full.outcome);
        free_pair(&p);
    }
    AbutConvex ball = abut_convex_point(abut_zero(), 1.0);
    AbutGapDef def = {.within = 0.1, .max_supports = 1};
    AbutGap d =
        abut_convex_distance(&ball, &ball, abut_pose(abut_vec3(3.0, 0.0, 0.0), abut_quat_identity()), &def, NULL);
    CHECK_NEAR(d.distance, 1.0, 1e-15);
    d = abut_convex_distance(&ball, &ball, abut_pose(abut_vec3(NAN, 0.0, 0.0), abut_quat_identity()), &def, NULL);
    assert_int_equal(d.outcome, ABUT_INVALID);
}

/* An ellipsoid with these half axes. */
static AbutVec3 ellipsoid(AbutVec3 d, const void *axes) {
    AbutVec3 h = *(const AbutVec3 *)axes, s = abut_mul(d, h);
    return abut_scale(abut_mul(s, h), 1.0 / abut_length(s));
}

/* Balls as support functions, whose distance is known: what is asked for is kept, and the gap holds. */
static void asked_tolerance(void **state) {
    (void)state;
    static const double asked[] = {0.0, 1e-5, 1e-9, 1e-12};
    AbutRng rng = abut_rng(714, 0);
    AbutVec3 large = abut_vec3(1.0, 1.0, 1.0), small = abut_vec3(0.4, 0.4, 0.4);
    AbutConvex a = abut_convex_support(ellipsoid, &large, 0.0), b = abut_convex_support(ellipsoid, &small, 0.0);
    double size = sqrt(3.0) * 1.4;
    for (int k = check_cases(400); k > 0; --k) {
        AbutPose pose = random_pose(&rng, 3.0);
        AbutGapDef def = {.tolerance = asked[k % 4]};
        double truth = abut_length(pose.p) - 1.4, wanted = k % 4 ? asked[k % 4] : truth < 0.0 ? 1e-7 : 1e-10;
        AbutGap d = abut_convex_distance(&a, &b, pose, &def, NULL);
        CHECK(fabs(d.distance - truth) <= d.error);
        CHECK(d.outcome == ABUT_NOT_CONVERGED || d.error <= 1.01 * wanted * size + 1e-12);
        CHECK(d.outcome != ABUT_NOT_CONVERGED || truth < -0.7);
        if (d.outcome != ABUT_NOT_CONVERGED && fabs(truth) > d.error)
            assert_int_equal(d.outcome, truth > 0.0 ? ABUT_SEPARATED : ABUT_PENETRATING);
    }
}

/* Ellipsoids against boxes and each other: the depth along the normal is what it is said to be, to 1e-12. */
static void tolerance_of_ellipsoids(void **state) {
    (void)state;
    AbutRng rng = abut_rng(715, 0);
    AbutVec3 axes = abut_vec3(1.0, 0.5, 0.3), other = abut_vec3(0.4, 0.9, 0.7);
    AbutConvex a = abut_convex_support(ellipsoid, &axes, 0.0);
    AbutConvex body[2] = {abut_convex_box(other, 0.0), abut_convex_support(ellipsoid, &other, 0.0)};
    int deep = 0, count = check_cases(300);
    for (int k = count; k > 0; --k) {
        AbutPose pose = random_pose(&rng, 1.5);
        const AbutConvex *b = &body[k % 2];
        AbutGapDef fine = {.tolerance = 1e-12}, coarse = {.tolerance = 1e-6};
        AbutGap d = abut_convex_distance(&a, b, pose, &fine, NULL);
        AbutGap rough = abut_convex_distance(&a, b, pose, &coarse, NULL);
        AbutVec3 top = abut_convex_farthest(&a, d.normal);
        AbutVec3 low = abut_convex_farthest(b, abut_neg(abut_quat_rotate_inv(pose.q, d.normal)));
        double slab = abut_dot(d.normal, abut_sub(abut_pose_apply(pose, low), top));
        CHECK(d.outcome != ABUT_NOT_CONVERGED && d.error <= 4e-12);
        CHECK_NEAR(slab, d.distance, d.error);
        CHECK_NEAR(rough.distance, d.distance, rough.error + d.error);
        deep += d.outcome == ABUT_PENETRATING;
    }
    CHECK(deep > count / 4);
}

/* Bad limits are refused for every pair, searched or with a closed form. */
static void bad_limits(void **state) {
    (void)state;
    AbutConvex ball = abut_convex_point(abut_zero(), 1.0), box = abut_convex_box(abut_vec3(1.0, 1.0, 1.0), 0.0),
               can = abut_convex_cylinder(1.0, 1.0, 0.0);
    const AbutConvex *body[3] = {&ball, &box, &can};
    const AbutGapDef bad[4] = {{.tolerance = NAN}, {.tolerance = -1e-9}, {.tolerance = 2.0}, {.within = NAN}};
    AbutPose pose = abut_pose(abut_vec3(3.0, 0.0, 0.0), abut_quat_identity());
    for (int k = 0; k < 4 * 9; ++k) {
        AbutGap d = abut_convex_distance(body[k / 4 / 3], body[k / 4 % 3], pose, &bad[k % 4], NULL);
        assert_int_equal(d.outcome, ABUT_INVALID);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_off),
        cmocka_unit_test(sunk_round_bodies_within),
        cmocka_unit_test(cut_off_of_round_kinds),
        cmocka_unit_test(budget),
        cmocka_unit_test(no_limit),
        cmocka_unit_test(asked_tolerance),
        cmocka_unit_test(tolerance_of_ellipsoids),
        cmocka_unit_test(bad_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
