/* SPDX-License-Identifier: Apache-2.0 */
/* Motions: poses, bounds of speed against samples, keyframes. */
#include "abut/motion.h"
#include "support/check.h"
#include "support/slerp.h"
#include "support/random_bodies.h"
#include "support/random_motion.h"

static void poses_follow_their_path(void **state) {
    (void)state;
    AbutPose start = abut_pose(abut_vec3(1, 2, 3), abut_quat_axis_angle(abut_axis(2), 0.5));
    AbutMotion line = abut_motion_translation(start, abut_vec3(1, 0, -1));
    CHECK_VEC_NEAR(abut_motion_pose(&line, 2).p, abut_vec3(3, 2, 1), 1e-15);
    AbutMotion screw = abut_motion_screw(start, abut_vec3(0, 2, 0), abut_axis(2), 2, 0.5);
    AbutPose p = abut_motion_pose(&screw, 0.25 * acos(-1.0)); /* a quarter turn about a line at distance 1 */
    CHECK_VEC_NEAR(p.p, abut_vec3(0, 3, 3 + 0.125 * acos(-1.0)), 1e-14);
    AbutKeyframe keys[3] = {{0, start}, {1, abut_pose(abut_vec3(2, 2, 3), abut_quat_axis_angle(abut_axis(2), 1.5))},
        {3, abut_pose(abut_vec3(2, 4, 3), abut_quat_axis_angle(abut_axis(0), 1))}};
    AbutMotion path;
    AbutError error;
    good(abut_motion_keyframes(3, keys, &path, &error), &error);
    CHECK_VEC_NEAR(abut_motion_pose(&path, -1).p, start.p, 0);
    CHECK_VEC_NEAR(abut_motion_pose(&path, 9).p, keys[2].pose.p, 0);
    CHECK_VEC_NEAR(abut_motion_pose(&path, 0.5).p, abut_vec3(1.5, 2, 3), 1e-15);
    CHECK_NEAR(abut_quat_dot(abut_motion_pose(&path, 0.5).q, abut_quat_axis_angle(abut_axis(2), 1)), 1, 1e-15);
    CHECK_NEAR(abut_quat_dot(abut_motion_pose(&path, 2).q, slerp(keys[1].pose.q, keys[2].pose.q, 0.5)), 1, 1e-14);
    keys[1].t = 0;
    assert_int_equal(abut_motion_keyframes(3, keys, &path, &error), ABUT_ERROR_ARGUMENT);
    keys[1].t = NAN;
    assert_int_equal(abut_motion_keyframes(3, keys, &path, &error), ABUT_ERROR_NUMBER);
    assert_int_equal(abut_motion_keyframes(0, keys, &path, &error), ABUT_ERROR_EMPTY);
}

/* No point of the ball moves farther in a short time than the bounds allow. */
static void speeds_are_bounds(void **state) {
    (void)state;
    AbutRng rng = abut_rng(101, 1);
    for (int i = 0; i < check_cases(500); ++i) {
        AbutMotion m = random_motion(&rng, random_arm(&rng, 2), 2, 5);
        AbutKeyframe keys[5];
        AbutError error;
        for (int k = 0; k < 5; ++k) keys[k] = (AbutKeyframe){0.25 * k, random_pose(&rng, 2)};
        if (i % 2) good(abut_motion_keyframes(5, keys, &m, &error), &error);
        AbutVec3 around = random_arm(&rng, 1), n = abut_random_direction(&rng);
        double radius = abut_rng_unit(&rng), a = abut_rng_unit(&rng), b = abut_rng_unit(&rng);
        double most = abut_motion_speed(&m, a, b, NULL, around, radius);
        double along = abut_motion_speed(&m, a, b, &n, around, radius);
        assert_true(along <= most + 1e-12);
        for (int k = 0; k < 50; ++k) {
            double t = a + (b - a) * abut_rng_unit(&rng), h = (b > a ? 1e-6 : -1e-6), end = t + h;
            if ((end - b) * h > 0) continue;
            AbutVec3 p = abut_add(around, random_arm(&rng, radius));
            AbutVec3 d =
                abut_sub(abut_pose_apply(abut_motion_pose(&m, end), p), abut_pose_apply(abut_motion_pose(&m, t), p));
            assert_true(abut_length(d) <= (most + 1e-7) * 1e-6 * (1 + 1e-8));
            assert_true(abut_dot(d, n) / h <= along + 1e-7 * (1 + fabs(along)));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_follow_their_path),
        cmocka_unit_test(speeds_are_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
