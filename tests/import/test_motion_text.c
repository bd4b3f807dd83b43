/* SPDX-License-Identifier: Apache-2.0 */
/* Motions from text: poses as CSV, animations, chains as JSON; bad texts are refused with their line. */
#include "abut/import.h"
#include "support/check.h"
#include "import/motion_text.h"

#include <string.h>

/* Animations of the PolyDepth release: rotations column by column, then translations. */
static void animations_are_read(void **state) {
    (void)state;
    static const char text[] = "2f\n0f 1 0 0 0 1 0 0 0 1 0.5 0 0\n7f\n0 1 0\n-1 0 0\n0 0 1\n1 2 3\n";
    static const char *const bad[][2] = {{"", "a:1: expected a number of frames from 1f to 10000000f"},
        {"0f", "a:1: expected a number of frames from 1f"}, {"2 1 0", "a:1: expected a number of frames"},
        {"2f 0f 1 0 0 0 1 0 0 0 1 0 0 0", "a:1: expected 54 bytes or more for 2 frames, got 27"},
        {"1f\n0f 1 0 0 0 1 0 0 0 -1 0 0 0\n", "a:2: expected a rotation"},
        {"1f\n0f 1e300 0 0 0 1 0 0 0 1 0 0 0\n", "a:2: expected a rotation"},
        {"1f\n0f 1 0 0 0 1 0 0 0 nan 0 0 0\n", "a:2: expected finite number of a rotation"},
        {"2f\n1f 1 0 0 0 1 0 0 0 1 0 0 0\n1f 1 0 0 0 1 0 0 0 1 0 0 0\n", "a:3: expected a frame from 2f to 10000000f"},
        {"1f\n0f 1 0 0 0 1 0 0 0 1 0 0 0\n5", "a:3: expected end of file behind 1 frames, got '5'"}};
    AbutKeyframe *key = NULL;
    AbutError error;
    int32_t count = 0;
    assert_true(abut_keyframes_are_animation(text, sizeof text - 1));
    assert_false(abut_keyframes_are_animation("0,0,0,0,1,0,0,0", 15) || abut_keyframes_are_animation("", 0));
    int animation = 0;
    good(abut_keyframes_parse(text, sizeof text - 1, "a", &count, &key, &animation, &error), &error);
    assert_true(animation && count == 2 && key[1].t == 7);
    CHECK_VEC_NEAR(key[1].pose.p, abut_vec3(1, 2, 3), 0);
    CHECK_VEC_NEAR(abut_quat_rotate(key[1].pose.q, abut_axis(0)), abut_axis(1), 1e-15);
    abut_free(key);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        AbutStatus status = abut_keyframes_parse_animation(bad[i][0], strlen(bad[i][0]), "a", &count, &key, &error);
        if (status == ABUT_OK || key || strncmp(error.text, bad[i][1], strlen(bad[i][1])) != 0)
            fail_msg("case %zu: %d %s", i, status, error.text);
    }
}

static AbutStatus parse(const char *text, AbutMotion **out, AbutError *error) {
    return abut_motion_parse(text, strlen(text), "m.json", out, NULL, error);
}

static void text_becomes_motions(void **state) {
    (void)state;
    AbutMotion *file;
    AbutError error;
    double from, to;
    good(parse("{\"format\":\"abut-motion\",\"version\":1,\"joints\":[\n"
               "{\"kind\":\"place\",\"x\":{\"times\":[0,1,2],\"polynomials\":[[0,1],[1,0,2]]},\"y\":0.5,\n"
               "\"z\":{\"degree\":1,\"from\":0,\"to\":2,\"control\":[0,3,1]}},\n"
               "{\"kind\":\"hinge\",\"axis\":[0,0,2],\"curve\":{\"times\":[0,2],\"bernstein\":[[0,1,2]]}},\n"
               "{\"kind\":\"screw\",\"axis\":[1,0,0],\"rate\":0.5,\"speed\":0.25,\"from\":0,\"to\":2},\n"
               "{\"kind\":\"ball\",\"times\":[0,2],\"rotations\":[[1,0,0,0],[1,0,1,0]]},\n"
               "{\"kind\":\"fixed\",\"position\":[0,0,1],\"rotation\":[1,0,0,1]}]}",
             &file, &error),
        &error);
    AbutMotion m = *file;
    abut_motion_span(&m, &from, &to);
    assert_true(from == 0 && to == 2);
    CHECK_NEAR(abut_motion_next_break(&m, 0), 1, 0);
    AbutPose p = abut_pose_mul(abut_pose(abut_vec3(3, 0.5, 1), abut_quat_axis_angle(abut_axis(2), 2)),
        abut_pose_mul(abut_pose(abut_vec3(0.5, 0, 0), abut_quat_axis_angle(abut_axis(0), 1)),
            abut_pose_mul(abut_pose(abut_zero(), abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI)),
                abut_pose(abut_vec3(0, 0, 1), abut_quat_axis_angle(abut_axis(2), 0.5 * ABUT_PI)))));
    CHECK_VEC_NEAR(abut_motion_pose(&m, 2).p, p.p, 1e-14);
    CHECK_NEAR(fabs(abut_quat_dot(abut_motion_pose(&m, 2).q, p.q)), 1, 1e-14);
    abut_motion_free(file);
    good(parse("0,1,0,0,1,0,0,0\n2,3,0,0,1,0,0,0\n", &file, &error), &error);
    m = *file;
    CHECK_VEC_NEAR(abut_motion_pose(&m, 1).p, abut_vec3(2, 0, 0), 1e-15);
    abut_motion_free(file);
    abut_motion_free(NULL);
}

static void refuses_with(const char *joint, const char *says) {
    char text[600];
    AbutMotion *file = NULL;
    AbutError error;
    snprintf(text, sizeof text, "{\"format\":\"abut-motion\",\"version\":1,\"joints\":[\n%s]}", joint);
    AbutStatus status = parse(text, &file, &error);
    if (status == ABUT_OK || file || !strstr(error.text, says) || strncmp(error.text, "m.json:2:", 9) != 0)
        fail_msg("%s: %s", joint, status == ABUT_OK ? "accepted" : error.text);
}

static void bad_text_is_refused(void **state) {
    (void)state;
    AbutMotion *file;
    AbutError error;
    refuses_with("{\"kind\":\"hing\",\"curve\":0}", "hinge");
    refuses_with("{\"kind\":\"hinge\"}", "a curve");
    refuses_with("{\"kind\":\"hinge\",\"curv\":0}", "curve");
    refuses_with("{\"kind\":\"hinge\",\"axis\":[0,0,0],\"curve\":0}", "axis");
    refuses_with("{\"kind\":\"hinge\",\"axis\":[0,0],\"curve\":0}", "3 numbers");
    refuses_with("{\"kind\":\"slide\",\"curve\":{\"times\":[0,0],\"polynomials\":[[1]]}}", "times[1]");
    refuses_with("{\"kind\":\"slide\",\"curve\":{\"times\":[0,1,2],\"polynomials\":[[0,1],[5]]}}", "jump");
    refuses_with("{\"kind\":\"slide\",\"curve\":{\"times\":[0,1,2],\"polynomials\":[[0,1]]}}", "each piece");
    refuses_with("{\"kind\":\"slide\",\"curve\":{\"times\":[0,1],\"polynomials\":[[0,1,2,3,4,5,6]]}}", "six");
    refuses_with("{\"kind\":\"slide\",\"curve\":{\"degree\":6,\"control\":[0,1,2,3,4,5,6]}}", "degree");
    refuses_with("{\"kind\":\"slide\",\"curve\":{\"degree\":2,\"knots\":[0,1],\"control\":[0,1,2]}}", "6 knots");
    refuses_with("{\"kind\":\"slide\",\"curve\":{\"degree\":2,\"knots\":[0,0,0,1,0,1],\"control\":[0,1,2]}}", "falls");
    refuses_with("{\"kind\":\"slide\",\"curve\":{}}", "polynomials");
    refuses_with("{\"kind\":\"slide\",\"curve\":\"x\"}", "a number or an object");
    refuses_with("{\"kind\":\"ball\",\"times\":[1,0],\"rotations\":[[1,0,0,0],[1,0,0,0]]}", "not after");
    refuses_with("{\"kind\":\"ball\",\"times\":[1],\"rotations\":[[0,0,0,0]]}", "direction");
    refuses_with("{\"kind\":\"screw\",\"from\":1,\"to\":0}", "after");
    refuses_with("7", "an object");
    assert_int_equal(
        parse("{\"format\":\"abut-motion\",\"version\":1,\"joints\":[]}", &file, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(parse("{\"format\":\"other\"}", &file, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(parse("{", &file, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(parse("", &file, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(parse("1,0,0,0,1,0,0,0\n0,0,0,0,1,0,0,0\n", &file, &error), ABUT_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(animations_are_read),
        cmocka_unit_test(text_becomes_motions),
        cmocka_unit_test(bad_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
