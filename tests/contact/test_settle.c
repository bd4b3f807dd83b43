/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settling: boxes over a floor, in a corner and on an edge, whose closed gaps are measured by distances of their
 * corners; the motion against the closed form of a plane; bodies that nothing holds, gaps that cannot be closed, bad
 * numbers.
 */
#include "abut/contact.h"
#include "abut/solid.h"
#include "support/check.h"

#include <math.h>

static const AbutVec3 half = {0.05, 0.04, 0.03};

static AbutConvex box(double x, double y, double z) { return abut_convex_box(abut_vec3(x, y, z), 0.0); }

static AbutVec3 corner(AbutPose pose, int i) {
    return abut_pose_apply(
        pose, abut_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z));
}

/* A box a little over a floor, tilted: four corners end on it, and it neither slides nor spins. */
static void onto_a_floor(void **state) {
    (void)state;
    AbutConvex floor = box(1.0, 1.0, 0.1), body = box(half.x, half.y, half.z);
    AbutRng rng = abut_rng(3, 0);
    for (int c = 0, n = check_cases(500); c < n; ++c) {
        double tilt = 1e-3 * abut_rng_unit(&rng), spin = 3.0 * abut_rng_unit(&rng), way = 6.0 * abut_rng_unit(&rng);
        AbutQuat q = abut_quat_mul(
            abut_quat_axis_angle(abut_vec3(cos(way), sin(way), 0.0), tilt), abut_quat_axis_angle(abut_axis(2), spin));
        double z = 0.1 + half.z + 1e-4 * abut_rng_between(&rng, -1.0, 1.0);
        AbutPose at = abut_pose(abut_vec3(0.3 * abut_rng_unit(&rng), 0.1, z), q), move;
        AbutConvexContact pair = {&floor, &body, abut_pose_identity(), at, 2e-4};
        assert_int_equal(abut_contact_settle(&pair, 1, 0.05, &move), 4);
        AbutPose to = abut_pose_mul(move, at);
        for (int i = 0; i < 4; ++i) CHECK_NEAR(corner(to, i).z, 0.1, 1e-9);
        CHECK_NEAR(to.p.z, 0.1 + half.z, 1e-9);
        CHECK_NEAR(to.p.x, at.p.x, 1e-9); /* about its origin: straight down */
        CHECK_NEAR(to.p.y, at.p.y, 1e-9);
        CHECK_NEAR(abut_length(abut_quat_log(move.q)), tilt, 1e-8); /* the tilt alone is undone */
        CHECK_NEAR(abut_quat_log(move.q).z, 0.0, 1e-6);
    }
}

/* Two parts of one body, in a corner of floor and wall: all of them close. */
static void into_a_corner(void **state) {
    (void)state;
    AbutConvex floor = box(1.0, 1.0, 0.1), wall = box(0.1, 1.0, 1.0), body = box(half.x, half.y, half.z);
    AbutRng rng = abut_rng(4, 0);
    for (int c = 0, n = check_cases(300); c < n; ++c) {
        AbutVec3 turn = abut_scale(abut_random_direction(&rng), 5e-4 * abut_rng_unit(&rng));
        AbutVec3 off = abut_scale(abut_random_direction(&rng), 5e-5);
        AbutPose first = abut_pose(abut_add(abut_vec3(0.1 + half.x, 0.0, 0.1 + half.z), off), abut_quat_exp(turn));
        AbutPose second = abut_pose_mul(first, abut_pose(abut_vec3(0.0, 3.0 * half.y, 0.0), abut_quat_identity()));
        AbutPose still = abut_pose_identity(), move;
        AbutConvexContact pairs[4] = {{&floor, &body, still, first, 2e-4}, {&wall, &body, still, first, 2e-4},
            {&floor, &body, still, second, 2e-4}, {&wall, &body, still, second, 2e-4}};
        assert_int_equal(abut_contact_settle(pairs, 4, 0.05, &move), 16);
        for (int k = 0; k < 2; ++k) {
            AbutPose to = abut_pose_mul(move, k ? second : first);
            for (int i = 0; i < 8; ++i) {
                if (!(i & 4)) CHECK_NEAR(corner(to, i).z, 0.1, 1e-9);
                if (!(i & 1)) CHECK_NEAR(corner(to, i).x, 0.1, 1e-9);
            }
        }
    }
}

/* On one edge, at 30 degrees: two points close, and the tilt stays. */
static void onto_an_edge(void **state) {
    (void)state;
    AbutConvex floor = box(1.0, 1.0, 0.1), body = box(half.x, half.y, half.z);
    AbutQuat q =
        abut_quat_mul(abut_quat_axis_angle(abut_axis(0), 4e-4), abut_quat_axis_angle(abut_axis(1), ABUT_PI / 6.0));
    AbutPose at = abut_pose(abut_vec3(0.0, 0.0, 0.1), q), move;
    double low = INFINITY, next = INFINITY;
    for (int i = 0; i < 8; ++i) low = fmin(low, corner(at, i).z);
    at.p.z += 0.1 + 3e-5 - low;
    AbutConvexContact pair = {&floor, &body, abut_pose_identity(), at, 2e-4};
    assert_int_equal(abut_contact_settle(&pair, 1, 0.05, &move), 2);
    AbutPose to = abut_pose_mul(move, at);
    low = INFINITY;
    for (int i = 0; i < 8; ++i) {
        double z = corner(to, i).z;
        if (z < low)
            next = low, low = z;
        else
            next = fmin(next, z);
    }
    CHECK_NEAR(low, 0.1, 1e-9);
    CHECK_NEAR(next, 0.1, 1e-9);
    CHECK_NEAR(abut_quat_log(move.q).x, -4e-4, 1e-6); /* the rest closes the gap of the middle */
}

static void what_does_not_settle(void **state) {
    (void)state;
    AbutConvex floor = box(1.0, 1.0, 0.1), body = box(half.x, half.y, half.z);
    AbutPose still = abut_pose_identity(), move, high = still;
    high.p.z = 0.1 + half.z + 1e-2;
    AbutConvexContact pair = {&floor, &body, still, high, 2e-4};
    assert_int_equal(abut_contact_settle(&pair, 1, 0.05, &move), 0);
    assert_int_equal(abut_contact_settle(NULL, 0, 0.05, &move), 0);
    assert_true(move.q.w == 1.0 && abut_length(move.p) == 0.0);
    /* a slot that is 0.2 mm too wide: floor and ceiling cannot both be touched */
    AbutPose above = still, between = still;
    above.p.z = 0.2 + 2.0 * half.z + 2e-4, between.p.z = 0.1 + half.z + 1e-4;
    AbutConvexContact both[2] = {{&floor, &body, still, between, 2e-4}, {&floor, &body, above, between, 2e-4}};
    assert_int_equal(abut_contact_settle(both, 2, 0.05, &move), -1);
    assert_true(move.q.w == 1.0 && abut_length(move.p) == 0.0);
    pair.pose_b.p.z = NAN;
    assert_int_equal(abut_contact_settle(&pair, 1, 0.05, &move), -1);
    pair.pose_b = high, pair.margin = 0.0;
    assert_int_equal(abut_contact_settle(&pair, 1, 0.05, &move), -1);
    pair.margin = 2e-4;
    assert_int_equal(abut_contact_settle(&pair, 1, 0.0, &move), -1);
    assert_int_equal(abut_contact_settle(&pair, 1, INFINITY, &move), -1);
    assert_int_equal(abut_contact_settle(&pair, -1, 0.05, &move), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onto_a_floor),
        cmocka_unit_test(into_a_corner),
        cmocka_unit_test(onto_an_edge),
        cmocka_unit_test(what_does_not_settle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
