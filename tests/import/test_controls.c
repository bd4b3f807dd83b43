/* SPDX-License-Identifier: Apache-2.0 */
/* Controls over time from CSV: what holds when, and what is refused with its line. */
#include <string.h>

#include "abut/import.h"
#include "support/check.h"
#include "import/parse.h"

static AbutModel *gripper(void) {
    AbutModel *model;
    AbutError error;
    good(abut_model_build("gripper", 1, &model, &error), &error);
    return model;
}

static void rows_hold_until_the_next(void **state) {
    (void)state;
    AbutModel *model = gripper();
    AbutControls controls;
    AbutError error;
    const char text[] = "\xef\xbb\xbf# a comment\n t , left \r\n0.5, 1e-2\n\n1,-3\n2.5,4";
    good(abut_controls_read("c.csv", text, sizeof text - 1, model, &controls, &error), &error);
    assert_int_equal(controls.row_count, 3);
    assert_int_equal(controls.actuator_count, 1);
    double u[2] = {7.0, 8.0};
    abut_controls_at(&controls, 0.4, u);
    CHECK(u[0] == 7.0 && u[1] == 8.0);
    abut_controls_at(&controls, 0.5, u);
    CHECK(u[0] == 7.0 && u[1] == 0.01);
    abut_controls_at(&controls, 2.4, u);
    CHECK(u[1] == -3.0);
    abut_controls_at(&controls, 1e9, u);
    CHECK(u[1] == 4.0);
    abut_controls_free(&controls);
    abut_model_free(model);
}

/* As other programs write them: in quotes, quotes inside doubled. */
static void names_in_quotes(void **state) {
    (void)state;
    static const char xml[] =
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
        "<motor name='m,1' joint='j'/><motor name='say &quot;go&quot;' joint='j'/><motor name='two&#10;lines' "
        "joint='j'/><motor name='a\"b' joint='j'/><motor name=' c ' joint='j'/></actuator></mujoco>";
    static const char text[] =
        "# \"no quote here\n t ,\"m,1\", \"say \"\"go\"\"\" ,\"two\nlines\",a\"b,\" c \"\n# \"\n0,1,2,3,4,5\n";
    AbutModel *model;
    AbutControls controls;
    AbutError error;
    double u[5] = {0};
    good(abut_model_parse_mjcf(xml, sizeof xml - 1, "m.xml", NULL, &model, &error), &error);
    good(abut_controls_read("c.csv", text, sizeof text - 1, model, &controls, &error), &error);
    abut_controls_at(&controls, 0.0, u);
    for (int i = 0; i < 5; ++i) CHECK(u[i] == i + 1);
    abut_controls_free(&controls);
    abut_model_free(model);
}

static void bad_tables_are_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "c.csv: there are no controls in it"},
        {"t,left\n", "c.csv: there are no controls in it"},
        {"left,t\n0,1\n", "c.csv:1: expected a first line t,NAME,... with names of actuators"},
        {"0,1\n", "c.csv:1: expected a first line t,NAME,... with names of actuators"},
        {"t,wrist\n0,1\n", "c.csv:1: the model has no actuator 'wrist'"},
        {"t,left,left\n0,1,2\n", "c.csv:1: the actuator 'left' stands here twice"},
        {"t,left\n0,1\n0,2\n", "c.csv:3: the time 0 does not grow"},
        {"t,left\n0\n", "c.csv:2: expected 2 numbers, got 1"},
        {"t,left\n0,1,2\n", "c.csv:2: expected no more than 2 numbers"},
        {"t,left\n0,nan\n", "c.csv:2: expected 2 finite numbers, got 'nan'"},
        {"t,left\n0,x\n", "c.csv:2: expected 2 finite numbers, got 'x'"},
        {"t,left\n0,0x1\n", "c.csv:2: expected 2 finite numbers, got '0x1'"},
        {"t,left\n0,,1\n", "c.csv:2: expected 2 finite numbers, got ''"},
        {"t,\"left\n0,1\n", "c.csv:1: expected a name of at most 1000 characters between two quotes"},
        {"t,\"left\"x\n0,1\n", "c.csv:1: expected a name of at most 1000 characters between two quotes"},
        {"t,\"\"\n0,1\n", "c.csv:1: the model has no actuator ''"},
        {"t,\"le,ft\"\n0,1\n", "c.csv:1: the model has no actuator 'le,ft'"},
        {"t,left,\"left\"\n0,1,2\n", "c.csv:1: the actuator 'left' stands here twice"},
    };
    AbutModel *model = gripper();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        AbutControls controls;
        AbutError error;
        AbutStatus status = abut_controls_read("c.csv", cases[i][0], strlen(cases[i][0]), model, &controls, &error);
        assert_int_equal(status, ABUT_ERROR_FORMAT);
        assert_string_equal(error.text, cases[i][1]);
        assert_null(controls.numbers);
    }
    abut_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_hold_until_the_next),
        cmocka_unit_test(names_in_quotes),
        cmocka_unit_test(bad_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
