/* SPDX-License-Identifier: Apache-2.0 */
/* abut plan --srdf: states as postures, groups as joints, disabled pairs, with a robot of xacro; and what is refused.
 */
#include "support/cli.h"

static const char robot[] =
    "<robot name='arm' xmlns:xacro='x'><xacro:arg name='length' default='0.3'/>"
    "<xacro:macro name='part' params='name parent at shift axis'>"
    "<link name='${name}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial><collision>"
    "<origin xyz='${at / 2} 0 0'/><geometry><box size='${at} 0.05 0.05'/></geometry></collision></link>"
    "<joint name='${name}_joint' type='revolute'><parent link='${parent}'/><child link='${name}'/><origin "
    "xyz='${shift} 0 0'/>"
    "<axis xyz='${axis}'/><limit lower='-3' upper='3' effort='1' velocity='2'/></joint></xacro:macro>"
    "<link name='base'><collision><origin xyz='-0.4 0 0'/><geometry><box size='0.1 0.1 "
    "0.1'/></geometry></collision></link><xacro:part name='upper' parent='base' at='$(arg length)' shift='0' axis='0 0 "
    "1'/>"
    "<xacro:part name='lower' parent='upper' at='$(arg length)' shift='$(arg length)' axis='0 0 1'/>"
    "<xacro:part name='hand' parent='lower' at='0.1' shift='$(arg length)' axis='0 0 1'/></robot>";

static const char srdf[] =
    "<robot name='arm'><group name='arm'><chain base_link='base' tip_link='lower'/></group>"
    "<group name='all'><group name='arm'/><joint name='hand_joint'/><joint name='fixed'/></group>"
    "<group_state name='home' group='arm'><joint name='upper_joint' value='0'/><joint name='lower_joint' value=' 0.5 "
    "'/></group_state>"
    "<group_state name='bent' group='arm'><joint name='upper_joint' value='0.4'/><joint name='lower_joint' "
    "value='1.5'/></group_state>"
    "<group_state name='folded' group='all'><joint name='lower_joint' value='0'/><joint name='hand_joint' "
    "value='3'/></group_state>"
    "<disable_collisions link1='upper' link2='hand' reason='Never'/><virtual_joint name='v'/></robot>";

static void write_files(void) {
    tool_file(&tool, "arm.xacro", robot);
    tool_file(&tool, "arm.srdf", srdf);
}

static void states_and_groups(void **state) {
    (void)state;
    write_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan arm.xacro --srdf arm.srdf --start state:home --goal state:arm/bent --joints group:arm "
                         "-o m.csv --csv m.csv --json"),
        2); /* one name twice */
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan arm.xacro --srdf arm.srdf --start state:home --goal state:arm/bent --joints group:arm "
                         "--csv m.csv --json"),
        0);
    assert_true(json_is(tool.out, "status", "\"certified\""));
    char *text = tool_text(&tool, "m.csv");
    assert_non_null(text);
    assert_true(strncmp(text, "t,upper_joint,lower_joint", 25) == 0); /* the hand is held */
    double first[3], last[3];
    assert_int_equal(sscanf(strchr(text, '\n'), " %lf,%lf,%lf", &first[0], &first[1], &first[2]), 3);
    char *end = text + strlen(text) - 1;
    while (end > text && end[-1] != '\n') --end;
    assert_int_equal(sscanf(end, "%lf,%lf,%lf", &last[0], &last[1], &last[2]), 3);
    CHECK_NEAR(first[1], 0.0, 1e-12);
    CHECK_NEAR(first[2], 0.5, 1e-12);
    CHECK_NEAR(last[1], 0.4, 1e-9);
    CHECK_NEAR(last[2], 1.5, 1e-9);
    free(text);
}

/* The hand folds back through the upper link: a contact, unless the pair is disabled. */
static void disabled_pairs_may_meet(void **state) {
    (void)state;
    write_files();
    tool_file(&tool, "fold.csv", "t,upper_joint,lower_joint,hand_joint\n0,0,3,0\n1,0,3,0.5\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm.xacro fold.csv --args length:=0.15 --json"), 1);
    assert_true(json_is(tool.out, "status", "\"contact\""));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan check arm.xacro fold.csv --args length:=0.15 --srdf arm.srdf --json"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan check arm.xacro fold.csv --args length:=0.15 --srdf arm.srdf --pairs upper:hand --json"),
        1);
}

static void refuse(const char *text, const char *more, const char *part) {
    write_files();
    tool_file(&tool, "bad.srdf", text);
    int status = tool_run(&tool, ABUT_CLI, "plan arm.xacro --srdf bad.srdf %s", more);
    if (status != 2 || !has(tool.err, part))
        fail_msg("%s\n%s gave %d '%s', expected '%s'", text, more, status, tool.err, part);
}

static void bad_files_are_refused(void **state) {
    (void)state;
    const char *goal = "--goal state:home";
    refuse("<robot/>", goal, "--goal: expected a state of bad.srdf, got 'home'");
    refuse("<robot><disable_collisions link1='upper'/></robot>", goal,
        "bad.srdf:1: <disable_collisions>: expected attribute link2");
    refuse("<robot><disable_collisions link1='upper' link2='gone'/></robot>", goal,
        "attribute link2: expected a link of the robot, got 'gone'");
    refuse("<robot><disable_collisions link1='upper' link2='upper'/></robot>", goal, "two different links");
    refuse("<robot><group name='a'><group name='a'/></group></robot>", goal, "hold themselves");
    refuse("<robot><group name='a'><group name='b'/></group></robot>", goal, "expected a group of the file, got 'b'");
    refuse("<robot><group name='a'><chain base_link='hand' tip_link='base'/></group></robot>", goal,
        "does not hang on it");
    refuse("<robot><group_state name='home' group='a'><joint name='upper_joint' value='1 2'/></group_state></robot>",
        goal, "one number, got '1 2'");
    refuse("<robot><group_state name='home' group='a'><joint name='x' value='1'/></group_state></robot>", goal,
        "joint that moves, got 'x'");
    refuse("<robot><group_state name='home' group='a'><joint name='upper_joint' value='x'/></group_state></robot>",
        goal, "expected joint=value, got 'upper_joint=x'");
    refuse("<robot><group_state name='home' group='a'/><group_state name='home' group='b'/></robot>", goal,
        "expected one state");
    refuse("<robot><group_state name='home' group='a'/></robot>", goal, "no joint that moves");
    refuse("<mujoco/>", goal, "expected root element <robot>");
    refuse("<robot", goal, "well-formed");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan arm.xacro --goal state:home"), 2);
    assert_true(has(tool.err, "'state:home' requires --srdf"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan arm.xacro --goal hand_joint=1 --args length"), 2);
    assert_true(has(tool.err, "--args: expected at most 100 of NAME:=VALUE, got 'length'"));
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(states_and_groups, open_tool, close_tool),
        cmocka_unit_test_setup_teardown(disabled_pairs_may_meet, open_tool, close_tool),
        cmocka_unit_test_setup_teardown(bad_files_are_refused, open_tool, close_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
