/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings around spheres and cylinders against a slow reference: the shortest way over points of the circle that stays
 * outside it. Pulls against differences of lengths. Paths that are refused are in
 * python/tests/adapters/test_tendons.py.
 */
#include "robot/wrap.h"
#include "support/check.h"

enum { POINTS = 800 };

static AbutVec3 on_circle(double angle, double radius) {
    return abut_vec3(radius * cos(angle), radius * sin(angle), 0.0);
}

/* Does the segment from outside end at a point of the circle that it can see? */
static int sees(AbutVec3 from, AbutVec3 at) { return abut_dot(abut_sub(from, at), at) >= -1e-12; }

/* Over the circle, counterclockwise or clockwise: the shortest sum of two straight parts and the arc between. */
static double slow_way(AbutVec3 a, AbutVec3 b, double radius, double turn) {
    double best = INFINITY, step = 2.0 * ABUT_PI / POINTS;
    for (int i = 0; i < POINTS; ++i) {
        AbutVec3 first = on_circle(i * step, radius);
        if (!sees(a, first)) continue;
        for (int k = 0; k < POINTS; ++k) {
            AbutVec3 last = on_circle(i * step + turn * k * step, radius);
            double length = abut_point_distance(a, first) + radius * k * step + abut_point_distance(last, b);
            if (length < best && sees(b, last)) best = length;
        }
    }
    return best;
}

static double length_of(AbutVec3 a, AbutVec3 b, const AbutVec3 *side, double radius, int kind) {
    AbutVec3 on[2];
    double arc;
    if (!abut_wrap(kind, abut_pose_identity(), radius, a, b, side, on, &arc)) return abut_point_distance(a, b);
    return abut_point_distance(a, on[0]) + arc + abut_point_distance(on[1], b);
}

/* The shorter way, where a straight one would pass through. */
static void test_against_a_slow_reference(void **state) {
    (void)state;
    AbutRng rng = abut_rng(33, 40);
    for (int i = 0; i < check_cases(40); ++i) {
        double radius = 0.1, angle = abut_rng_between(&rng, 0.0, 2.0 * ABUT_PI);
        AbutVec3 a = on_circle(angle, abut_rng_between(&rng, 0.12, 0.5)),
                 b = on_circle(angle + abut_rng_between(&rng, 2.6, 3.0), abut_rng_between(&rng, 0.15, 0.5)),
                 with = on_circle(angle + 1.4, 0.3), against = on_circle(angle - 1.7, 0.3);
        double right = slow_way(a, b, radius, 1.0), left = slow_way(a, b, radius, -1.0), most = 1e-4 * radius;
        if (!(length_of(a, b, NULL, radius, ABUT_PATH_CYLINDER) > abut_point_distance(a, b))) continue;
        for (int kind = ABUT_PATH_SPHERE; kind <= ABUT_PATH_CYLINDER; ++kind) {
            CHECK_NEAR(length_of(a, b, NULL, radius, kind), right, most);
            CHECK_NEAR(length_of(a, b, &with, radius, kind), right, most);
            CHECK_NEAR(length_of(a, b, &against, radius, kind), left, most);
        }
    }
}

/* A helix, unrolled: the straight way in the plane of the string. */
static void test_helix(void **state) {
    (void)state;
    double radius = 0.2, height = 0.7, reach = 0.5;
    AbutVec3 a = abut_vec3(-reach, radius, 0.0), b = abut_vec3(reach, radius, height), low = abut_vec3(0.0, -1.0, 0.0);
    CHECK_NEAR(length_of(a, b, NULL, radius * 1.000001, ABUT_PATH_CYLINDER), hypot(2.0 * reach, height), 1e-6);
    /* around below: from each end the other tangent, as long as the one along y = radius, and the arc between the two
     */
    double arc = radius * (2.0 * ABUT_PI - 4.0 * atan2(reach, radius));
    CHECK_NEAR(length_of(a, b, &low, radius, ABUT_PATH_CYLINDER), hypot(2.0 * reach + arc, height), 1e-9);
}

/* The way over the inside has equal angles: no other point of the circle is nearer. */
static void test_inside(void **state) {
    (void)state;
    AbutRng rng = abut_rng(33, 41);
    for (int i = 0; i < check_cases(200); ++i) {
        double radius = 0.1, angle = abut_rng_between(&rng, 0.0, 2.0 * ABUT_PI), best = INFINITY;
        AbutVec3 a = on_circle(angle, abut_rng_between(&rng, 0.2, 0.5)), inner = abut_vec3(0.01, 0.0, 0.0),
                 b = on_circle(angle + abut_rng_between(&rng, 0.1, 1.6), abut_rng_between(&rng, 0.2, 0.5));
        double length = length_of(a, b, &inner, radius, ABUT_PATH_CYLINDER);
        for (int k = 0; k < 20000; ++k) {
            AbutVec3 at = on_circle(k * 2.0 * ABUT_PI / 20000, radius);
            best = abut_smaller(best, abut_point_distance(a, at) + abut_point_distance(at, b));
        }
        CHECK_NEAR(length, best, 1e-7);
    }
}

/* ---- pulls ------------------------------------------------------------------------------------------------------- */

typedef struct Bodies {
    AbutPose pose[3];
    AbutVec3 force[3], torque[3];
} Bodies;

static AbutPose pose_of(const void *user, int32_t body) {
    return body < 0 ? abut_pose_identity() : ((const Bodies *)user)->pose[body];
}

static void add(void *user, const AbutPathPull *pull) {
    Bodies *b = user;
    if (pull->body < 0) return;
    AbutVec3 arm = abut_sub(pull->point, b->pose[pull->body].p);
    b->force[pull->body] = abut_add(b->force[pull->body], pull->pull);
    b->torque[pull->body] = abut_add(b->torque[pull->body], abut_cross(arm, pull->pull));
}

static AbutPathPoint site(int32_t body, double x) {
    return (AbutPathPoint){
        .kind = ABUT_PATH_SITE, .body = body, .pose = abut_pose(abut_vec3(x, 0.02, 0.0), abut_quat_identity())};
}

static void test_pulls_are_derivatives(void **state) {
    (void)state;
    AbutRng rng = abut_rng(33, 42);
    for (int i = 0; i < check_cases(200); ++i) {
        AbutPathPoint around = {.kind = i % 2 ? ABUT_PATH_SPHERE : ABUT_PATH_CYLINDER, .body = 1, .radius = 0.1};
        around.pose = abut_pose(abut_zero(), abut_random_quat(&rng));
        AbutPathPoint path[] = {site(0, 0.1), around, site(2, -0.1), {.kind = ABUT_PATH_PULLEY, .divisor = 2.0},
            site(-1, 1.0), site(0, -0.1)};
        AbutTendonDef def = {.path_count = 6, .path = path};
        Bodies b = {0};
        for (int k = 0; k < 3; ++k) {
            AbutVec3 p = abut_scale(abut_random_direction(&rng), k == 1 ? 0.02 : 0.0);
            b.pose[k] = abut_pose(abut_add(p, abut_vec3(0.4 * (k - 1), 0.0, 0.0)), abut_random_quat(&rng));
        }
        (void)abut_path_length(&def, pose_of, &b, add, &b);
        for (int k = 0; k < 3; ++k) {
            AbutVec3 way = abut_random_direction(&rng), turn = abut_random_direction(&rng);
            double e = 1e-6, length[2];
            AbutPose kept = b.pose[k];
            for (int s = 0; s < 2; ++s) {
                double by = s ? e : -e;
                b.pose[k] = abut_pose(
                    abut_add_scaled(kept.p, way, by), abut_quat_mul(abut_quat_exp(abut_scale(turn, by)), kept.q));
                length[s] = abut_path_length(&def, pose_of, &b, NULL, NULL);
            }
            b.pose[k] = kept;
            CHECK_NEAR(
                (length[1] - length[0]) / (2.0 * e), abut_dot(b.force[k], way) + abut_dot(b.torque[k], turn), 2e-6);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_a_slow_reference),
        cmocka_unit_test(test_helix),
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_pulls_are_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
