/* SPDX-License-Identifier: Apache-2.0 */
/* abut simulate with robots: keyframes, controls from a table, the table of joints, and what is refused. */
#include "support/cli.h"

#include <string.h>

static void a_biped_stands(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate biped --keyframe stand --time 0.3 --json"), 0);
    assert_true(json_valid(tool.out));
    assert_int_equal((int)json_number(tool.out, "contacts"), 2);
    CHECK(json_number(tool.out, "kinetic_energy") < 0.1);
}

static void a_gripper_lifts_its_box(void **state) {
    (void)state;
    char path[4096], last[2000] = "", header[2000];
    tool_file(&tool, "ctrl.csv", "t,palm,left\n0,-0.13,0.02\n1,-0.13,-0.04\n1.5,0.1,-0.04\n");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "simulate gripper --ctrl ctrl.csv --joints joints.csv --time 3 --every 10"), 0);
    snprintf(path, sizeof path, "%s/joints.csv", tool.folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(header, sizeof header, file));
    assert_string_equal(header,
        "t,box.x,box.y,box.z,box.qw,box.qx,box.qy,box.qz,palm,left,right,box.vx,box.vy,box.vz,box.wx,box.wy,box.wz,"
        "palm.v,left.v,right.v,palm.force,left.force\n");
    while (fgets(last, sizeof last, file)) continue;
    fclose(file);
    double t, x, y, z;
    assert_int_equal(sscanf(last, "%lf,%lf,%lf,%lf", &t, &x, &y, &z), 4);
    CHECK_NEAR(t, 3.0, 1e-9);
    CHECK(z > 0.2);
}

/* Names with commas and quotes: in quotes in the table of joints, and read so in that of controls. */
static void names_are_quoted(void **state) {
    (void)state;
    char path[4096], text[4000];
    tool_file(&tool, "names.xml",
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j,&quot;1' type='slide' axis='0 0 1'/>"
        "<geom size='.1' mass='1'/></body></worldbody><actuator><motor name='m,1' joint='j,&quot;1'/>"
        "<motor name='a-name-of-more-than-eighty-characters-which-is-not-cut-off-in-the-first-line-of-a-table' "
        "joint='j,&quot;1'/></actuator></mujoco>");
    tool_file(&tool, "ctrl.csv", "t,\"m,1\"\n0,2\n");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "simulate names.xml --ctrl ctrl.csv --joints names.csv --time 1 --dt 0.5 --every 2"),
        0);
    snprintf(path, sizeof path, "%s/names.csv", tool.folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text,
        "t,\"j,\"\"1\",\"j,\"\"1.v\",\"m,1.force\","
        "a-name-of-more-than-eighty-characters-which-is-not-cut-off-in-the-first-line-of-a-table.force\n");
    double t, q, v, force, other;
    while (fgets(text, sizeof text, file))
        assert_int_equal(sscanf(text, "%lf,%lf,%lf,%lf,%lf", &t, &q, &v, &force, &other), 5);
    fclose(file);
    CHECK_NEAR(v, 2.0, 1e-12);
    CHECK(force == 2.0 && other == 0.0);
}

static void bad_words_are_refused(void **state) {
    (void)state;
    tool_file(&tool, "ctrl.csv", "t,wrist\n0,1\n");
    refuses("simulate", "biped --keyframe stant", "no keyframe 'stant'; did you mean 'stand'?");
    refuses("simulate", "stack:3 --keyframe stand", "stack:3 has no keyframes");
    refuses("simulate", "stack:3 --ctrl ctrl.csv", "--ctrl: stack:3 has no joints or actuators");
    refuses("simulate", "gripper --ctrl ctrl.csv", "ctrl.csv:1: the model has no actuator 'wrist'");
    refuses("simulate", "gripper --ctrl missing.csv", "missing.csv");
    refuses("simulate", "gripper --model direct", "the contact model direct does not take robots");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_biped_stands),
        cmocka_unit_test(a_gripper_lifts_its_box),
        cmocka_unit_test(names_are_quoted),
        cmocka_unit_test(bad_words_are_refused),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
