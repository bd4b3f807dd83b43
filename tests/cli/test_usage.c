/* SPDX-License-Identifier: Apache-2.0 */
/* abut, the tool: help, version, exit statuses, and errors that name the argument and what was expected. */
#include "support/cli.h"

#include "abut/version.h"

#include <string.h>

/* Refused, with both parts in the line of error. */
static void refuses_both(const char *arguments, const char *part, const char *other) {
    refuses("", arguments, part);
    assert_true(has(tool.err, other));
}

static void version_and_help(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "--version"), 0);
    assert_true(has(tool.out, "abut " ABUT_VERSION "\ncommit   ") && has(tool.out, "\nfeatures"));
#ifdef ABUT_TEST_XML
    assert_true(has(tool.out, " xml"));
#endif
    assert_int_equal(tool_run(&tool, ABUT_CLI, "help"), 0);
    assert_true(has(tool.out, "info") && has(tool.out, "make") && has(tool.out, "exit status"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "--help"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "help info"), 0);
    assert_true(has(tool.out, "usage: abut info") && has(tool.out, "--capsule"));
    char *first = strdup(tool.out);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --help"), 0);
    assert_string_equal(first, tool.out);
    free(first);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make -h"), 0);
    assert_true(has(tool.out, "--triangles N"));
    assert_string_equal(tool.err, "");
}

/* The help tells the values that hold without an option, whatever stands beside --help. */
static void help_tells_defaults(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate --rolling 0.25 --seed 7 --every 3 --help"), 0);
    assert_true(has(tool.out, "(default: 0.005)\n") && has(tool.out, "random scenes (default: 1)\n"));
    assert_true(has(tool.out, "step (default: 1)\n") && has(tool.out, "(default: by the step size)\n"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render -o --help"), 2); /* the name of a file */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render -- --help"), 2); /* an operand */
}

static void bad_commands(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", ""), 2);
    assert_true(has(tool.err, "usage: abut COMMAND"));
    refuses_both("inof x.obj", "'inof'", "did you mean 'info'?");
    refuses_both("xyzzy", "'xyzzy'", "abut help");
    refuses_both("help nothing-like-it", "nothing-like-it", "unknown command");
    refuses_both("help info make", "help", "one command");
    refuses_both("help plan make", "help", "one command");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "help plan check"), 0);
    assert_true(has(tool.out, "abut plan check: ") && has(tool.out, "--interpolate KIND"));
}

static void standard_input_is_read_once(void **state) {
    (void)state;
    const char *said = "standard input can be read only once";
    refuses("distance", "- box:1,1,1 --path -", said);
    refuses("distance", "- -", said);
    refuses("clearance", "sphere:1 - --motion-b -", said);
    refuses("toi", "sphere:1 sphere:2 --motion-a - --motion-b -", said);
}

static void outputs_are_files(void **state) {
    (void)state;
    const char *said = "output '-': files are not written to standard output";
    refuses("clearance", "sphere:1 sphere:1 --pose-b 3,0,0 --curve -", said);
    refuses("distance", "sphere:1 sphere:1 --pose-b 3,0,0 --html -", said);
    refuses("modes", "no.json -o -", said);
}

static void bad_options(void **state) {
    (void)state;
    refuses_both("info", "FILE", "expected");
    refuses_both("info --hul x.obj", "'--hul'", "did you mean '--hull'?");
    refuses_both("info --volume x.obj", "'--volume'", "abut help info");
    refuses_both("info --json=yes x.obj", "--json", "'yes'");
    refuses_both("make torus --triangles -o x.obj", "--triangles", "'-o'");
    refuses_both("make torus --triangles 12.5 -o x.obj", "--triangles", "whole number");
    refuses_both("make torus --triangles=0 -o x.obj", "--triangles", "'0'");
    refuses_both("make torus --triangles 99999999999999999999 -o x.obj", "--triangles", "whole number");
    refuses_both("make torus -o x.obj --triangles", "--triangles", "needs an argument");
    refuses_both("make torus --size 1,,2 -o x.obj", "--size", "'1,,2'");
    refuses_both("make torus --size 1,nan -o x.obj", "--size", "finite");
    refuses_both("make torus --size 1,2, -o x.obj", "--size", "'1,2,'");
    refuses_both("make torus -o ''", "--output", "empty");
}

/* An option that needs another is refused without it, and one that plays no part is told. */
static void nothing_is_ignored(void **state) {
    (void)state;
    refuses("modes", "box:1 --at 0.5", "--at goes with --plan, which is missing");
    refuses("collide", "a.obj b.obj --limit 5", "--limit goes with --all, which is missing");
    refuses("clearance", "a.obj b.obj --minima 0", "--minima: expected a whole number from 1 to 1000000, got '0'");
    refuses("modes", "box:1 --nt -1", "--nt: expected a whole number from 0 to 64, got '-1'");
    refuses("modes", "box:1 --margin 0.01", "--margin means nothing here");
    refuses("distance", "a.obj b.obj --direction euclid --tau 1",
        "--tau goes with --direction soft or kernel, not with euclid");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume box:1,1,1 box:1,1,1 --directions 30 --json"), 0);
    assert_true(has(tool.err, "--directions plays no part") && json_is(tool.out, "normal_from_depth", "true"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume box:1,1,1 box:1,1,1 --pose-b 1,0,0"), 0);
    assert_true(has(tool.out, "normal       1 0 0\n"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "minkowski box.obj box.obj -o sum.obj --grid 8"), 0);
    assert_true(has(tool.err, "--grid plays no part") && has(tool.out, "exact"));
}

static void bad_makes(void **state) {
    (void)state;
    refuses_both("make -o x.obj", "SHAPE", "expected");
    refuses_both("make torus knot -o x.obj", "'knot'", "one SHAPE");
    refuses_both("make tours -o x.obj", "'tours'", "'torus'");
    refuses_both("make teapot -o x.obj", "'teapot'", "--list");
    refuses_both("make torus", "--output", "-o");
    refuses_both("make torus --size 1 -o x.obj", "--size", "2 numbers");
    refuses_both("make torus --size 1,-0.2 -o x.obj", "make", "-0.2");
    refuses_both("make torus -o no/such/folder/x.obj", "no/such/folder/x.obj", "abut make");
    refuses_both("make torus -o x.txt", "x.txt", ".obj");
    refuses_both("make torus --triangles 2147483647 -o x.obj", "triangles", "make");
}

static void bad_files(void **state) {
    (void)state;
    refuses_both("info no-such-file.obj", "no-such-file.obj", "abut info");
    tool_file(&tool, "empty.stl", "");
    refuses_both("info empty.stl", "empty.stl", "abut info");
    tool_file(&tool, "noise.obj", "this is not a mesh\n");
    refuses_both("info noise.obj", "noise.obj", "abut info");
    tool_file(&tool, "nan.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n");
    refuses_both("info nan.obj", "nan.obj", "3");
    tool_file(&tool, "range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
    refuses_both("info range.obj", "range.obj", "4");
    refuses_both("info .", ".", "abut info");
}

/* With --json standard output stays JSON even when a file cannot be read. */
static void errors_in_json(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --json no-such-file.obj"), 2);
    assert_true(json_valid(tool.out));
    assert_true(json_is(tool.out, "file", "\"no-such-file.obj\""));
    assert_non_null(json_at(tool.out, "error"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box -o good.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --json no-such-file.obj good.obj"), 2);
    assert_int_equal(json_count(tool.out, ""), 2);
    assert_non_null(json_at(tool.out, "0.error"));
    assert_null(json_at(tool.out, "1.error"));
    assert_true(json_is(tool.out, "1.closed", "true"));
}

static void lost_output_is_an_error(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full) skip();
    fclose(full);
    char command[600];
    snprintf(command, sizeof command, "'%s' help >/dev/full 2>/dev/null", ABUT_CLI);
    assert_int_not_equal(system(command), 0);
}

/* A name with control characters stays within its line of error. */
static void names_do_not_split_lines(void **state) {
    (void)state;
    refuses("info", "\"$(printf 'a\\nb\\033[31m.obj')\"", "a\\nb\\x1b[31m.obj");
    refuses("info", "\"$(printf -- '--x\\ny')\"", "--x\\ny");
}

/* A reader that goes away ends the tool quietly with 141, whether the caller ignores SIGPIPE or not. */
static void closed_pipe(void **state) {
    (void)state;
    static const char *const before[] = {"trap - PIPE", "trap '' PIPE"};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(
            tool_run(&tool, "sh", "-c \"%s; { '%s' modes box-box:1; echo \\$? >status; } 2>said | head -n 1 >first\"",
                before[i], ABUT_CLI),
            0);
        char *status = tool_text(&tool, "status"), *said = tool_text(&tool, "said"), *first = tool_text(&tool, "first");
        assert_string_equal(status, "141\n");
        assert_string_equal(said, "");
        assert_int_equal(lines_of(first), 1);
        free(status);
        free(said);
        free(first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_and_help),
        cmocka_unit_test(help_tells_defaults),
        cmocka_unit_test(bad_commands),
        cmocka_unit_test(standard_input_is_read_once),
        cmocka_unit_test(outputs_are_files),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(nothing_is_ignored),
        cmocka_unit_test(bad_makes),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(errors_in_json),
        cmocka_unit_test(lost_output_is_an_error),
        cmocka_unit_test(names_do_not_split_lines),
        cmocka_unit_test(closed_pipe),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
