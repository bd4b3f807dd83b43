/* SPDX-License-Identifier: Apache-2.0 */
/* The option parser of the tool, called directly: every kind of argument, operands, and what is refused. */
#include "support/check.h"

#include "apps/abut/cli.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const CliCommand command = {"try", NULL, "", "", ""};

typedef struct Values {
    int flag, count;
    double real;
    CliReals reals;
    const char *text;
    AbutPose pose;
} Values;

/* Splits `line` at spaces and parses it; gives the number of operands. */
static int parse(const char *line, Values *v, char **words) {
    static char copy[500];
    const CliOption options[] = {
        OPTION("--flag", CLI_FLAG, &v->flag, NULL, "", .brief = "-f"),
        OPTION("--count", CLI_COUNT, &v->count, "N", "", .brief = "-c"),
        OPTION("--real", CLI_REAL, &v->real, "X", ""),
        OPTION("--reals", CLI_REALS, &v->reals, "X,..", ""),
        OPTION("--text", CLI_TEXT, &v->text, "T", ""),
        OPTION("--pose", CLI_POSE, &v->pose, "POSE", ""),
    };
    int count = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word && count < 20; word = strtok(NULL, " ")) words[count++] = word;
    memset(v, 0, sizeof *v);
    cli_command = &command;
    return cli_parse(options, 6, count, words);
}

/* The exit status of a process that parses the line, whose errors and help go where those of the test go. */
static int exit_of(const char *line) {
    Values v;
    char *words[20];
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        parse(line, &v, words);
        _exit(100);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void takes_every_kind(void **state) {
    (void)state;
    Values v;
    char *words[20];
    assert_int_equal(parse("a -f --count 7 b --real=-2.5e3 --reals 1,-2,.5 --text=x=y - c", &v, words), 4);
    assert_string_equal(words[0], "a");
    assert_string_equal(words[1], "b");
    assert_string_equal(words[2], "-");
    assert_string_equal(words[3], "c");
    assert_true(v.flag && v.count == 7 && v.real == -2.5e3);
    assert_true(v.reals.count == 3 && v.reals.value[1] == -2.0 && v.reals.value[2] == 0.5);
    assert_string_equal(v.text, "x=y");
    assert_int_equal(parse("-c 3 -- --flag -c", &v, words), 2);
    assert_true(v.count == 3 && !v.flag);
    assert_int_equal(parse("", &v, words), 0);
    assert_int_equal(exit_of("--help"), CLI_OK);
}

static void takes_poses(void **state) {
    (void)state;
    Values v;
    char *words[20];
    assert_int_equal(parse("--pose -1,2,3e-1", &v, words), 0);
    CHECK_VEC_NEAR(v.pose.p, abut_vec3(-1, 2, 0.3), 0);
    assert_true(v.pose.q.w == 1.0 && v.pose.q.x == 0.0);
    assert_int_equal(parse("--pose 0,0,0,2,0,0,2", &v, words), 0);
    CHECK_NEAR(v.pose.q.w, sqrt(0.5), 1e-15);
    CHECK_NEAR(v.pose.q.z, sqrt(0.5), 1e-15);
    assert_int_equal(parse("--pose 0,0,0,1e300,0,0,-1e300", &v, words), 0);
    CHECK_NEAR(v.pose.q.z, -sqrt(0.5), 1e-15);
    CHECK_VEC_NEAR(abut_pose_apply(v.pose, abut_axis(0)), abut_vec3(0, -1, 0), 1e-15);
    assert_int_equal(parse("--pose rpy:1,2,3,0.3,-0.4,0.5", &v, words), 0);
    CHECK_VEC_NEAR(v.pose.p, abut_vec3(1, 2, 3), 0);
    /* the columns of Rz(0.5) Ry(-0.4) Rx(0.3) */
    CHECK_VEC_NEAR(
        abut_quat_rotate(v.pose.q, abut_axis(0)), abut_vec3(cos(0.5) * cos(0.4), sin(0.5) * cos(0.4), sin(0.4)), 1e-15);
    CHECK_NEAR(abut_quat_rotate(v.pose.q, abut_axis(2)).z, cos(0.4) * cos(0.3), 1e-15);
    CHECK_NEAR(abut_quat_rotate(v.pose.q, abut_axis(1)).z, cos(0.4) * sin(0.3), 1e-15);
    assert_int_equal(parse("--pose axis:1,2,3,0,0,2e300,1.5", &v, words), 0);
    CHECK_VEC_NEAR(abut_quat_rotate(v.pose.q, abut_axis(0)), abut_vec3(cos(1.5), sin(1.5), 0), 1e-15);
    assert_int_equal(parse("--pose 0,0,0,1e308,1e308,1e308,1e308", &v, words), 0);
    CHECK_NEAR(v.pose.q.y, 0.5, 1e-15);
}

static void refuses(void **state) {
    (void)state;
    static const char *const bad[] = {"--count 0", "--count -3", "--count 1x", "--count", "--count=", "--real",
        "--real x", "--real 1e999", "--real nan", "--real 1,2", "--reals 1,2,", "--reals ,1", "--reals 1,,2",
        "--reals=", "--text=", "--flag=1", "--reals 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "--pose 1,2",
        "--pose 1,2,3,4", "--pose rpy:1,2,3", "--pose rpy:1,2,3,4,5,6,7", "--pose axis:1,2,3,0,0,0,1",
        "--pose axis:1,2,3,0,0,1", "--pose euler:1,2,3,4,5,6", "--pose 1,2,3,0,0,0,0", "--pose 1,2,3,inf,0,0,0",
        "--pose 1,2,3,1,0,0,0,0", "--flags", "-x", "--coun 3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        if (exit_of(bad[i]) != CLI_BAD) fail_msg("accepted %s", bad[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_every_kind),
        cmocka_unit_test(takes_poses),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
