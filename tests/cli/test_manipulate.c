/* SPDX-License-Identifier: Apache-2.0 */
/* abut manipulate: exit status for plans that arrive, are not found, or miss; tasks of a file; fields as JSON;
 * refusals. */
#include "support/cli.h"

static const char block[] = "<mujoco><worldbody>"
                            "<geom type='box' size='0.5 0.5 0.05' pos='0 0 -0.05' friction='0.4'/>"
                            "<body name='block' pos='0 0 0.03'><freejoint/>"
                            "<geom type='box' size='0.04 0.03 0.03' mass='0.3' friction='0'/></body>"
                            "<site name='goal' pos='0.08 0 0.03'/></worldbody></mujoco>";

static void plans_and_arrives(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate --list"), 0);
    assert_true(has(tool.out, "push\n") && has(tool.out, "peg-down\n"));
    int lines = 0;
    for (const char *p = tool.out; *p; ++p) lines += *p == '\n';
    assert_int_equal(lines, 10);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "manipulate push --seed 2 --simulate --json --html p.html --log p.npz"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "found", "true") && json_is(tool.out, "arrives", "true"));
    assert_true(json_is(tool.out, "unbalanced", "0"));
    char *page = tool_text(&tool, "p.html");
    assert_true(has(page, "</html>") && has(page, "\"beside\""));
    assert_true(has(page, "Forces of fingers") && has(page, "Friction of fingers in use"));
    assert_true(has(page, "Disturbance that is held") && has(page, "Contacts with the surroundings"));
    free(page);
    char *first = strdup(tool.out);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate push --seed 2 --simulate --json"), 0);
    assert_string_equal(first, tool.out); /* the same seed, the same plan */
    free(first);
}

static void statuses(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate push --goal 0,0,0.3 --attempts 30"), 1);
    assert_true(has(tool.out, "found        no"));
    /* too heavy by far: the plan is found, and the simulation misses */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate push --simulate --mass 30"), 3);
    assert_true(has(tool.out, "arrives      no"));
}

static void tasks_of_a_file(void **state) {
    (void)state;
    tool_file(&tool, "block.xml", block);
    tool_file(
        &tool, "fingers.json", "{\"fingers\": 1, \"force\": 2.5, \"forbidden\": [[0,0,1]], \"goal_distance\": 0.004}");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate block.xml --task fingers.json --fingers 2 --simulate"), 0);
    tool_file(&tool, "bad.json", "{\"finger\": 1}");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate block.xml --task bad.json"), 2);
    assert_true(has(tool.err, "bad.json: expected fields of a task, such as fingers or force, got 'finger'"));
    tool_file(&tool, "bad.json", "{\"force\": \"2\"}");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate block.xml --task bad.json"), 2);
    assert_true(has(tool.err, "bad.json: force: expected a number, got '2'"));
    tool_file(&tool, "bad.json", "{\"fingers\": 1.5}");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate block.xml --task bad.json"), 2);
    assert_true(has(tool.err, "expected a small whole number, got 1.5"));
    tool_file(&tool, "bad.json", "{\"low\": [0, 0, 0, 0]}");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate block.xml --task bad.json"), 2);
    assert_true(has(tool.err, "expected at most 3 elements"));
    tool_file(&tool, "bad.json", "{\"forbidden\": [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1]]}");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate block.xml --task bad.json"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate block.xml --task none.json"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate pusch"), 2);
    assert_true(has(tool.err, "no task 'pusch'; did you mean 'push'?"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "manipulate arm6"), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_and_arrives),
        cmocka_unit_test(statuses),
        cmocka_unit_test(tasks_of_a_file),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
