/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut sweep: the cases that are run, the table, the same bytes however the work is spread, going on after workers and
 * the sweep itself were killed, shards, MPI, and bad input.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/cli.h"

#define RUN "sweep \"simulate boxes:8 --time 0.1 --seed {seed}\" --seed 1..6 --mu 0.2,0.5 "

static void same_files(const char *a, const char *b) {
    char *x = tool_text(&tool, a), *y = tool_text(&tool, b);
    assert_non_null(x);
    assert_non_null(y);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static int is_there(const char *name) { return access(tool_path(&tool, name), F_OK) == 0; }

static void cases(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "sweep \"distance sphere:{r} box:1,1,1 --pose-b {p}\" --r 0..1/3 --p '3,0,0;0,5,0' --dry-run"),
        0);
    assert_string_equal(tool.out, "abut distance sphere:0 box:1,1,1 --pose-b 3,0,0 --json\nabut distance sphere:0 "
                                  "box:1,1,1 --pose-b 0,5,0 --json\n"
                                  "abut distance sphere:0.5 box:1,1,1 --pose-b 3,0,0 --json\n"
                                  "abut distance sphere:0.5 box:1,1,1 --pose-b 0,5,0 --json\n"
                                  "abut distance sphere:1 box:1,1,1 --pose-b 3,0,0 --json\nabut distance sphere:1 "
                                  "box:1,1,1 --pose-b 0,5,0 --json\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "sweep \"info 'a b.obj' --json\" --k 3..1,9 --dry-run --shard 2/2"), 0);
    assert_string_equal(tool.out, "abut info 'a b.obj' --json --k 2\nabut info 'a b.obj' --json --k 9\n");
    tool_file(&tool, "cases.csv", "a,pose\nsphere:1,\"5,0,0\"\r\nbox:1,1,1\n");
    refuses("sweep", "\"distance {a} sphere:1 --pose-b {pose}\" --cases cases.csv -o t.csv", "cases.csv:3");
    tool_file(&tool, "cases.csv", "a,pose\n\nsphere:1,\"5,0,0\n\"\nbox:1,1,1\n");
    refuses("sweep", "\"distance {a} sphere:1 --pose-b {pose}\" --cases cases.csv -o t.csv", "cases.csv:5");
    tool_file(&tool, "cases.csv", "a,pose\nsphere:1,\"5,0,0\"\r\n\"box:1,1,1\",\"0,0,5\"\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "sweep \"distance {a} sphere:1 --pose-b {pose}\" --cases cases.csv --tol 1e-9,1e-6 --dry-run"),
        0);
    assert_string_equal(tool.out, "abut distance sphere:1 sphere:1 --pose-b 5,0,0 --tol 1e-9 --json\n"
                                  "abut distance sphere:1 sphere:1 --pose-b 5,0,0 --tol 1e-6 --json\n"
                                  "abut distance box:1,1,1 sphere:1 --pose-b 0,0,5 --tol 1e-9 --json\n"
                                  "abut distance box:1,1,1 sphere:1 --pose-b 0,0,5 --tol 1e-6 --json\n");
}

/* Ranges are exact decimals: what is written is the shortest text of the true fraction. */
static void ranges(void **state) {
    (void)state;
    static const struct {
        const char *range, *values;
    } cases[] = {{"0.1..1.0/10", "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 "},
        {"0..1/4", "0 0.3333333333333333 0.6666666666666666 1 "}, {"-1e-3..2e-3/4", "-0.001 0 0.001 0.002 "},
        {"1..0.4/4", "1 0.8 0.6 0.4 "}, {"3e2..1e2/3", "300 200 100 "}, {"0.7..0.7/1", "0.7 "},
        {"0..1e300/3", "0 5e+299 1e+300 "}, {"0.1234567890123456789..1/2", "0.12345678901234568 1 "}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char command[200], found[400] = "";
        snprintf(command, sizeof command, "sweep \"info {x}.obj\" --x %s --dry-run", cases[i].range);
        assert_int_equal(tool_run(&tool, ABUT_CLI, command), 0);
        for (const char *at = tool.out; (at = strstr(at, "info ")) != NULL;) {
            const char *end = strstr(at += 5, ".obj");
            size_t used = strlen(found);
            snprintf(found + used, sizeof found - used, "%.*s ", (int)(end - at), at);
        }
        assert_string_equal(found, cases[i].values);
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate incline:0.49899999999999994 --time 0.01"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate bridge:1e-300 --time 0.01"), 0);
}

static void table(void **state) {
    (void)state;
    assert_int_equal(
        tool_run(&tool, ABUT_CLI,
            "sweep \"distance sphere:1 {b} --pose-b 3,0,0\" --b 'sphere:0.5;nothing.obj;box:1,1,1' -o d.csv"),
        1);
    assert_true(has(tool.out, "failed   1"));
    char *text = tool_text(&tool, "d.csv");
    assert_true(has(text, "case,b,exit,message,outcome,distance,normal.0,normal.1,normal.2,"));
    assert_true(has(text, "\n0,sphere:0.5,0,,separated,1.5,1,0,0,"));
    assert_true(
        has(text, "\n1,nothing.obj,2,abut distance: nothing.obj: cannot be opened: No such file or directory,,,"));
    assert_true(has(text, "\n2,\"box:1,1,1\",0,,separated,1,1,0,0,"));
    free(text);
    assert_false(is_there("d.csv.journal"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "sweep \"modes box-box:1\" --nt 2 -o m.csv"), 0);
    assert_true(has(tool.err, "arrays with more than 16 elements") && has(tool.err, "modes"));
    text = tool_text(&tool, "m.csv");
    assert_true(has(text, "modes.count") && !strstr(text, "seconds"));
    free(text);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "sweep \"modes box-box:1\" --nt 2 -o m.csv --times"), 0);
    text = tool_text(&tool, "m.csv");
    assert_true(has(text, "seconds"));
    free(text);
}

/* The time that a plan took is a wall time, that of a simulation is not. */
static void plans(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "sweep \"plan arm6 --goal shoulder={s}\" --s 1,2 -o plans.csv"), 0);
    char *text = tool_text(&tool, "plans.csv");
    assert_true(has(text, "clearance.lb") && has(text, "duration") && !strstr(text, ",time"));
    free(text);
}

/* One job, several jobs, shards in any order: the same bytes. */
static void spread(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, RUN "-o one.csv --jobs 1 --json"), 0);
    assert_true(json_valid(tool.out) && json_number(tool.out, "cases") == 12 && json_number(tool.out, "ran") == 12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, RUN "-o four.csv --jobs 4"), 0);
    same_files("one.csv", "four.csv");
    for (int i = 3; i >= 1; --i) assert_int_equal(tool_run(&tool, ABUT_CLI, RUN "-o part.csv --shard %d/3", i), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "sweep --merge part.csv.shard-* -o part.csv"), 0);
    same_files("one.csv", "part.csv");
    refuses("sweep", "--merge part.csv.shard-1-of-3 part.csv.shard-3-of-3 -o x.csv", "4 of 12 cases are missing");
    refuses("sweep", "--merge part.csv.shard-1-of-3 part.csv.shard-1-of-3 -o x.csv", "case 0 is in");
    assert_false(is_there("x.csv"));
}

/* Starts a sweep, and kills it or one of its processes after `ms` milliseconds. */
static void kill_in_the_middle(const char *arguments, int ms, int workers_only) {
    pid_t pid = fork();
    if (pid == 0) {
        char line[1200];
        snprintf(line, sizeof line, "cd %s && exec %s %s >/dev/null 2>&1", tool.folder, ABUT_CLI, arguments);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    nanosleep(&(struct timespec){ms / 1000, (ms % 1000) * 1000000L}, NULL);
    if (workers_only) {
        char line[80];
        snprintf(line, sizeof line, "pkill -KILL -P %d", (int)pid);
        assert_int_not_equal(system(line), -1);
    } else
        kill(pid, SIGKILL);
    int how;
    waitpid(pid, &how, 0);
    if (workers_only) assert_int_equal(WEXITSTATUS(how), 0);
}

/* Lines of the journal that are whole. */
static int journal_cases(const char *name) {
    char *text = tool_text(&tool, name);
    int lines = text ? lines_of(text) - 1 : 0;
    free(text);
    return lines;
}

static void killed(void **state) {
    (void)state;
    const char *run = "sweep \"simulate boxes:20 --time 0.3 --seed {seed}\" --seed 1..30 --jobs 2";
    char line[300];
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s -o whole.csv", run), 0);
    snprintf(line, sizeof line, "%s -o killed.csv", run);
    for (int k = 0; k < 3 && !is_there("killed.csv"); ++k) kill_in_the_middle(line, 150, 0);
    int before = journal_cases("killed.csv.journal");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s -o killed.csv --json", run), 0);
    CHECK_NEAR(json_number(tool.out, "kept"), before, 0);
    CHECK_NEAR(json_number(tool.out, "ran") + json_number(tool.out, "kept"), 30, 0);
    same_files("whole.csv", "killed.csv");
    snprintf(line, sizeof line, "%s -o worker.csv", run);
    kill_in_the_middle(line, 100, 1);
    same_files("whole.csv", "worker.csv");
}

/* A journal cut off in the middle of a line, of another sweep, and in use. */
static void journals(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, RUN "-o whole.csv --jobs 2"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, RUN "-o cut.csv --shard 1/2"), 0);
    char *text = tool_text(&tool, "cut.csv.shard-1-of-2");
    text[strlen(text) - 40] = 0;
    tool_file(&tool, "cut.csv.shard-1-of-2", text);
    free(text);
    assert_int_equal(tool_run(&tool, ABUT_CLI, RUN "-o cut.csv --shard 1/2 --json"), 0);
    CHECK(json_number(tool.out, "ran") == 1 && json_number(tool.out, "kept") == 5);
    assert_int_equal(tool_run(&tool, ABUT_CLI, RUN "-o cut.csv --shard 2/2"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "sweep --merge cut.csv.shard-* -o cut.csv"), 0);
    same_files("whole.csv", "cut.csv");
    refuses("sweep", "\"simulate boxes:8\" --seed 1..2 --shard 1/2 -o cut.csv", "another sweep");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "sweep \"simulate boxes:8 --time 0.1\" --seed 1..2 --shard 1/2 -o cut.csv --fresh"),
        0);
    refuses("sweep", "--merge cut.csv.shard-* -o cut.csv", "different sweeps");
    tool_file(&tool, "bad.csv.journal", "{\"a\": 1}\n");
    refuses("sweep", &RUN[6], "-o: expected");
    refuses("sweep", "\"simulate boxes:8\" --seed 1..2 -o bad.csv", "another sweep");
    refuses("sweep", "--merge bad.csv.journal -o x.csv", "not the journal of a sweep");
}

static void limits(void **state) {
    (void)state;
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "sweep \"simulate boxes:60 --time 1000\" --seed 1..2 -o slow.csv --timeout 0.2"), 1);
    char *text = tool_text(&tool, "slow.csv");
    assert_true(has(text, "\n0,1,124,not done within its time") && has(text, "\n1,2,124,"));
    free(text);
}

static void over_mpi(void **state) {
    (void)state;
    char mpi[600];
    snprintf(mpi, sizeof mpi, "%s-mpi", ABUT_CLI);
    if (access(mpi, X_OK) != 0 || system("command -v mpirun >/dev/null 2>&1") != 0) {
        print_message("abut-mpi or mpirun is not here: skipped\n");
        skip();
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, RUN "-o serial.csv --jobs 1"), 0);
    snprintf(mpi, sizeof mpi,
        "ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "mpirun --oversubscribe -n 3 %s-mpi \"$@\"\n",
        ABUT_CLI);
    tool_file(&tool, "mpi", mpi);
    assert_int_equal(tool_run(&tool, "/bin/sh", "mpi " RUN "-o mpi.csv"), 0);
    same_files("serial.csv", "mpi.csv");
    assert_int_equal(tool_run(&tool, "/bin/sh", "mpi sweep \"info nothing.obj\" --x 1..2 -o no.csv"), 1);
    assert_int_equal(tool_run(&tool, "/bin/sh", "mpi sweep \"infox nothing.obj\" --x 1..2 -o no.csv"), 2);
}

static void bad_input(void **state) {
    (void)state;
    refuses("sweep", "-o t.csv", "one command in quotes");
    refuses("sweep", "simulate boxes:5 -o t.csv --seed 1..2", "one command in quotes");
    refuses("sweep", "\"\" -o t.csv", "empty");
    refuses("sweep", "\"abut simulate boxes:5\" -o t.csv", "without abut");
    refuses("sweep", "\"simulate 'boxes:5\" -o t.csv", "quote");
    refuses("sweep", "\"simulte boxes:5\" -o t.csv", "simulte");
    refuses("sweep", "\"sweep x\" -o t.csv", "cannot be swept");
    refuses("sweep", "\"simulate boxes:{n}\" -o t.csv", "{n}");
    refuses("sweep", "\"simulate boxes:5\" --seed", "--seed");
    refuses("sweep", "\"simulate boxes:5\" --seed 1,,2 -o t.csv", "--seed");
    refuses("sweep", "\"simulate boxes:5\" --seed 1 --seed 2 -o t.csv", "twice");
    refuses("sweep", "\"simulate boxes:5 -o run.npz\" --seed 1..2 -o t.csv", "run.npz");
    refuses("sweep", "\"simulate boxes:5\" --seed 1..9999999 --dt 1..9 -o t.csv", "cases");
    refuses("sweep", "\"simulate boxes:5\" --seed 1..2 --shard 3/2 -o t.csv", "--shard");
    refuses("sweep", "\"simulate boxes:5\" --seed 1..2 --timeout -1 -o t.csv", "--timeout");
    refuses("sweep", "\"simulate boxes:5\" --cases nothing.csv -o t.csv", "nothing.csv");
    refuses("sweep", "\"simulate boxes:5\" --seed 1..2 -o nowhere/t.csv", "nowhere/t.csv");
    refuses("sweep", "--merge -o t.csv", "--merge");
    refuses("sweep", "\"simulate boxes:5 --contacts=c.csv\" --seed 1..2 -o t.csv", "c.csv");
    refuses("sweep", "\"simulate boxes:5 -o q-{a}.npz --seed {b}\" --a 1,2 --b 1..3 -o t.csv", "q-{a}.npz");
    refuses("sweep", "\"simulate boxes:5 -o q-{a}.npz --seed {a}\" --a 1,1 -o t.csv", "twice");
    static const char *const ranges[] = {
        "1.5..3", "1..1e9", "1..999999999999", "0..1/0", "1..3/2.5", "0..inf/3", "1..", "1...3"};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        char line[100];
        snprintf(line, sizeof line, "\"simulate boxes:5\" --seed %s -o t.csv", ranges[i]);
        refuses("sweep", line, "is no range");
    }
    refuses("sweep", "\"distance box:1,1,1 sphere:{exit}\" --exit 1,2 -o t.csv", "'exit'");
    refuses("sweep", "\"distance box:1,1,1 sphere:{r\" --r 1,2 -o t.csv", "not closed");
    refuses("sweep", "\"reproduce {p}\" --p modes,mcd -o t.csv", "no JSON");
    refuses("sweep", "\"simulate boxes:5\" --seed 1..2 -o t.txt", ".csv");
    char folder[300];
    snprintf(folder, sizeof folder, "%s", tool_path(&tool, "folder.csv"));
    assert_int_equal(mkdir(folder, 0777), 0);
    refuses("sweep", "\"simulate boxes:5\" --seed 1..2 -o folder.csv", "it is a folder");
    tool_file(&tool, "open.csv", "r\n\"1\n");
    refuses("sweep", "\"distance box:1,1,1 sphere:{r}\" --cases open.csv -o t.csv", "open.csv:2: a quote");
    assert_false(is_there("t.csv") || is_there("t.csv.journal"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases),
        cmocka_unit_test(ranges),
        cmocka_unit_test(table),
        cmocka_unit_test(plans),
        cmocka_unit_test(spread),
        cmocka_unit_test(killed),
        cmocka_unit_test(journals),
        cmocka_unit_test(limits),
        cmocka_unit_test(over_mpi),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
