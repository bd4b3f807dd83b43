/* SPDX-License-Identifier: Apache-2.0 */
/* Trajectories in files: there and back, joints that follow, and what is refused, with its place. */
#include "abut/file.h"
#include "support/check.h"
#include "support/tool.h"
#include "support/tree_of.h"

#include <string.h>

static AbutModel *model;
static AbutConfiguration *posture;

static void open_robot(const char *name) {
    AbutError error;
    good(abut_model_build(name, 1, &model, &error), &error);
    good(configuration_of(model, &posture, &error), &error);
    good(abut_configuration_set_keyframe(posture, 0, &error), &error);
}

static void close_robot(void) {
    abut_configuration_free(posture);
    abut_model_free(model);
}

static AbutStatus parse(const char *text, int kind, AbutTrajectory *t, uint8_t *given, AbutError *error) {
    return abut_trajectory_read("t.csv", text, strlen(text), posture, kind, t, given, error);
}

static void columns_stand_in_any_order(void **state) {
    (void)state;
    uint8_t given[8];
    double q[8];
    AbutTrajectory t;
    AbutError error;
    open_robot("arm6");
    good(parse("\xef\xbb\xbf# a comment\n\n t , fore,upper\r\n0,1,2\n 2 , 3 , 4 \n", -1, &t, given, &error), &error);
    int32_t fore = abut_model_find(model, ABUT_MODEL_JOINT, "fore"),
            upper = abut_model_find(model, ABUT_MODEL_JOINT, "upper");
    assert_int_equal(t.piece_count, 1);
    assert_int_equal(t.joint_count, 6);
    abut_trajectory_value(&t, 1.0, 0, q);
    CHECK_NEAR(q[fore], 2.0, 1e-15);
    CHECK_NEAR(q[upper], 3.0, 1e-15);
    CHECK_NEAR(q[abut_model_find(model, ABUT_MODEL_JOINT, "wrist")], 0.77, 0.0); /* as in the posture */
    assert_true(given[fore] && given[upper] && !given[abut_model_find(model, ABUT_MODEL_JOINT, "wrist")]);
    abut_trajectory_free(&t);
    close_robot();
}

/* Speeds make cubics, accelerations quintics, unless another kind is asked for. */
static void columns_choose_the_kind(void **state) {
    (void)state;
    uint8_t given[8];
    double q[8];
    AbutTrajectory t;
    AbutError error;
    open_robot("arm6");
    good(parse("t,fore,fore:v\n0,0,1\n1,0,-1\n", -1, &t, given, &error), &error);
    abut_trajectory_value(&t, 0.5, 0, q);
    CHECK_NEAR(q[abut_model_find(model, ABUT_MODEL_JOINT, "fore")], 0.25, 1e-15);
    abut_trajectory_free(&t);
    good(parse("t,fore,fore:v,fore:a\n0,0,0,2\n1,1,2,2\n", -1, &t, given, &error), &error); /* t^2 */
    abut_trajectory_value(&t, 0.5, 0, q);
    CHECK_NEAR(q[abut_model_find(model, ABUT_MODEL_JOINT, "fore")], 0.25, 1e-15);
    abut_trajectory_free(&t);
    good(parse("t,fore,fore:v\n0,0,1\n1,0,-1\n", ABUT_INTERPOLATE_LINEAR, &t, given, &error), &error);
    abut_trajectory_value(&t, 0.5, 0, q);
    CHECK_NEAR(q[abut_model_find(model, ABUT_MODEL_JOINT, "fore")], 0.0, 0.0);
    abut_trajectory_free(&t);
    close_robot();
}

static void coupled_joints_follow(void **state) {
    (void)state;
    uint8_t given[8];
    double q[8];
    AbutTrajectory t;
    AbutError error;
    open_robot("gripper");
    good(parse("t,left\n0,0\n1,-0.02\n", -1, &t, given, &error), &error);
    int32_t right = abut_model_find(model, ABUT_MODEL_JOINT, "right");
    abut_trajectory_value(&t, 0.5, 0, q);
    CHECK_NEAR(q[right], 0.01, 1e-15);
    assert_true(given[right]);
    abut_trajectory_free(&t);
    close_robot();
}

/* An arm whose joints `wrist` and `roll` follow: wrist = 0.1 + 3 fore^2, roll = 2 wrist, the second one told first. */
static void open_tied_arm(void) {
    AbutEqualityDef tie = abut_equality_default();
    AbutError error;
    good(abut_model_build("arm6", 1, &model, &error), &error);
    int32_t fore = abut_model_find(model, ABUT_MODEL_JOINT, "fore"),
            wrist = abut_model_find(model, ABUT_MODEL_JOINT, "wrist");
    tie.a = abut_model_find(model, ABUT_MODEL_JOINT, "roll");
    tie.b = wrist;
    tie.polynomial[1] = 2.0;
    good(abut_model_add_equality(model, &tie, NULL, &error), &error);
    tie.a = wrist;
    tie.b = fore;
    tie.polynomial[0] = 0.1;
    tie.polynomial[1] = 0.0;
    tie.polynomial[2] = 3.0;
    good(abut_model_add_equality(model, &tie, NULL, &error), &error);
    good(configuration_of(model, &posture, &error), &error);
}

/* Chains and curves are followed; a curve that makes polynomials above degree 5 is refused, unless the file has it. */
static void chains_and_curves_are_followed(void **state) {
    (void)state;
    uint8_t given[8];
    double q[8];
    AbutTrajectory t;
    AbutError error;
    open_tied_arm();
    int32_t fore = abut_model_find(model, ABUT_MODEL_JOINT, "fore"),
            wrist = abut_model_find(model, ABUT_MODEL_JOINT, "wrist");
    int32_t roll = abut_model_find(model, ABUT_MODEL_JOINT, "roll");
    good(parse("t,fore\n0,-0.2\n1,0.5\n2,0.1\n", -1, &t, given, &error), &error);
    assert_true(given[wrist] && given[roll]);
    for (int i = 0; i <= 20; ++i) {
        abut_trajectory_value(&t, 0.1 * i, 0, q);
        double y = q[fore] - model->joints[fore].reference;
        CHECK_NEAR(q[wrist] - model->joints[wrist].reference, 0.1 + 3.0 * y * y, 1e-15);
        CHECK_NEAR(q[roll] - model->joints[roll].reference, 2.0 * (q[wrist] - model->joints[wrist].reference), 1e-15);
    }
    abut_trajectory_free(&t);
    assert_int_equal(parse("t,fore,fore:v\n0,0,0\n1,0.5,0\n", -1, &t, given, &error), ABUT_ERROR_UNSUPPORTED);
    assert_true(strstr(error.text, "t.csv: joint 'wrist' follows 'fore' on a curve") && !t.times);
    good(parse("t,fore,fore:v,wrist,wrist:v\n0,0,0,0.1,0\n1,0.5,0,0.3,0\n", -1, &t, given, &error), &error);
    assert_true(given[roll]);
    abut_trajectory_free(&t);
    close_robot();
}

static void check_same(const AbutTrajectory *a, const AbutTrajectory *b, double tolerance) {
    double p[8], q[8];
    for (int i = 0; i <= 50; ++i) {
        double t = a->times[0] + (a->times[a->piece_count] - a->times[0]) * i / 50;
        abut_trajectory_value(a, t, 0, p);
        abut_trajectory_value(b, t, 0, q);
        for (int32_t j = 0; j < a->joint_count; ++j) CHECK_NEAR(p[j], q[j], tolerance);
    }
}

static void what_is_written_is_read(void **state) {
    (void)state;
    uint8_t given[8], again[8];
    AbutTrajectory t, back;
    AbutError error;
    Tool tool = tool_open();
    open_robot("arm6");
    good(parse("t,fore,wrist\n0,0.1,0.3\n1,0.4,0.2\n2.5,0,1\n", ABUT_INTERPOLATE_CUBIC, &t, given, &error), &error);
    good(abut_trajectory_write(tool_path(&tool, "t.csv"), model, &t, given, 200.0, &error), &error);
    good(abut_trajectory_read(tool_path(&tool, "t.csv"), NULL, 0, posture, -1, &back, again, &error), &error);
    check_same(&t, &back, 1e-6); /* quintics through rows 5 ms apart */
    assert_memory_equal(given, again, 6);
    abut_trajectory_free(&back);
#ifdef ABUT_TEST_ZLIB
    good(abut_trajectory_write(tool_path(&tool, "t.npz"), model, &t, given, 100.0, &error), &error);
    good(abut_trajectory_read(tool_path(&tool, "t.npz"), NULL, 0, posture, -1, &back, again, &error), &error);
    assert_memory_equal(t.coefficients, back.coefficients, 6 * 6 * (size_t)t.piece_count * sizeof(double));
    assert_memory_equal(t.times, back.times, ((size_t)t.piece_count + 1) * sizeof(double));
    assert_memory_equal(given, again, 6);
    abut_trajectory_free(&back);
    assert_int_equal(abut_trajectory_read(
                         tool_path(&tool, "t.npz"), NULL, 0, posture, ABUT_INTERPOLATE_LINEAR, &back, again, &error),
        ABUT_ERROR_ARGUMENT);
    assert_true(strstr(error.text, "no interpolation of polynomials") && !back.times);
#endif
    assert_int_equal(abut_trajectory_write("x.csv", model, &t, given, 0.0, &error), ABUT_ERROR_ARGUMENT);
    abut_trajectory_free(&t);
    close_robot();
    tool_close(&tool);
}

/* Names that CSV must put in quotes. */
static void quoted_names_come_back(void **state) {
    (void)state;
    static const char *const names[] = {"a,b", "say \"go\"", "plain", " c "};
    uint8_t given[4], again[4];
    double value[4];
    AbutTrajectory t, back;
    AbutError error;
    Tool tool = tool_open();
    good(abut_model_create(&model, &error), &error);
    for (int i = 0; i < 4; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutJointDef joint = abut_joint_default();
        body.kind = ABUT_BODY_LINK;
        body.mass = 1.0;
        body.inertia = abut_mat3_diagonal(1, 1, 1);
        joint.name = names[i];
        good(abut_model_add_body(model, &body, &joint.body, &error), &error);
        good(abut_model_add_joint(model, &joint, NULL, &error), &error);
    }
    good(configuration_of(model, &posture, &error), &error);
    good(parse("t,\"a,b\",\"say \"\"go\"\"\",plain,\" c \"\n0,1,2,3,4\n1,5,6,7,8\n", -1, &t, given, &error), &error);
    good(abut_trajectory_write(tool_path(&tool, "t.csv"), model, &t, given, 10.0, &error), &error);
    good(abut_trajectory_read(tool_path(&tool, "t.csv"), NULL, 0, posture, -1, &back, again, &error), &error);
    assert_memory_equal(given, again, sizeof given);
    abut_trajectory_value(&back, 1.0, 0, value);
    for (int i = 0; i < 4; ++i) CHECK_NEAR(value[i], 5.0 + i, 1e-12);
    abut_trajectory_free(&t);
    abut_trajectory_free(&back);
    assert_int_equal(parse("t,\"a,b\"c\n0,1\n1,2\n", -1, &t, given, &error), ABUT_ERROR_FORMAT);
    assert_string_equal(error.text, "t.csv:1: expected a name of at most 1000 characters between two quotes");
    close_robot();
    tool_close(&tool);
}

static void bad_text_is_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "two rows"},
        {"t,fore\n", "two rows"},
        {"t,fore\n0,1\n", "two rows"},
        {"time,fore\n0,1\n1,2\n", "t.csv:1: expected a first line t,JOINT"},
        {"0,1\n1,2\n", "t.csv:1: expected a first line"},
        {"t,for\n0,1\n1,2\n", "did you mean 'fore'"},
        {"t,elbowpiece\n0,1\n1,2\n", "no such joint"},
        {"t,fore,fore\n0,1,1\n1,2,2\n", "twice"},
        {"t,fore\n0,1\n1,nan\n", "t.csv:3: expected a finite number"},
        {"t,fore\n0,1\n1\n", "t.csv:3: expected 2 numbers"},
        {"t,fore\n0,1\n1,2,3\n", "got more"},
        {"t,fore\n0,1\n0,2\n", "a time after 0"},
        {"t,fore,wrist,wrist:v\n0,1,1,0\n1,2,2,0\n", "joint 'fore': expected positions and speeds"},
        {"t,fore,fore:a\n0,1,0\n1,2,0\n", "accelerations without speeds"},
        {"t,fore\n0,1\n1,2e12\n", "numbers below 1e9"},
        {"PK\3\4 no archive", "t.csv"},
    };
    open_robot("arm6");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint8_t given[8];
        AbutTrajectory t;
        AbutError error = {0};
        if (parse(cases[i][0], -1, &t, given, &error) == ABUT_OK || !strstr(error.text, cases[i][1]) || t.times)
            fail_msg("'%s': '%s' is not in '%s'", cases[i][0], cases[i][1], error.text);
    }
    close_robot();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_stand_in_any_order),
        cmocka_unit_test(columns_choose_the_kind),
        cmocka_unit_test(coupled_joints_follow),
        cmocka_unit_test(chains_and_curves_are_followed),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(quoted_names_come_back),
        cmocka_unit_test(bad_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
