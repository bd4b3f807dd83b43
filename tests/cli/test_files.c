/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut and its files: no input is ever written over, no file stands under two names, links and permissions stay, pipes
 * and standard input are read, and what is interrupted leaves nothing half-written behind.
 */
#include "abut/picture.h"
#include "support/cli.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char cube[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char contacts[] = "{\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1]}]}";

static int write_inputs(void **state) {
    (void)state;
    open_tool(state);
    tool_file(&tool, "a.obj", cube);
    tool_file(&tool, "b.obj", cube);
    tool_file(&tool, "c.json", contacts);
    tool_file(&tool, "planes.txt", "1 0 0 1\n-1 0 0 0\n0 1 0 1\n0 -1 0 0\n0 0 1 1\n0 0 -1 0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --time 0.01 -o run.npz"), 0);
    assert_int_equal(tool_run(&tool, "ln", "-s run.npz link.npz"), 0);
    assert_int_equal(tool_run(&tool, "ln", "run.npz hard.npz"), 0);
    assert_int_equal(tool_run(&tool, "ln", "-s nowhere.csv dangling.csv"), 0);
    return 0;
}

/* Names in the folder of the tool that hold `part`. */
static int count_files(const char *part) {
    int count = 0;
    DIR *folder = opendir(tool.folder);
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += strstr(entry->d_name, part) != NULL;
    closedir(folder);
    return count;
}

static void no_input_is_written_over(void **state) {
    (void)state;
    static const struct {
        const char *command, *arguments;
    } bad[] = {{"view", "run.npz -o run.npz"}, {"view", "run.npz -o ./run.npz"}, {"view", "run.npz -o link.npz"},
        {"view", "link.npz -o run.npz"}, {"view", "run.npz -o hard.npz"}, {"modes", "c.json -o c.json"},
        {"modes", "c.json --html c.json"}, {"volume", "a.obj b.obj -o b.obj"}, {"volume", "a.obj b.obj --html a.obj"},
        {"distance", "a.obj b.obj --html $PWD/a.obj"}, {"simulate", "drop -o x.npz --contacts ./x.npz"},
        {"simulate", "drop --contacts nowhere.csv --html dangling.csv"}, {"modes", "c.json -o same --html ./same"}};
    char *before = tool_text(&tool, "c.json");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        refuses(bad[i].command, bad[i].arguments, "cannot be written: it is ");
    char *after = tool_text(&tool, "c.json");
    assert_string_equal(before, after);
    free(before);
    free(after);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info a.obj b.obj"), 0);
    assert_int_equal(count_files(".part"), 0);
}

/* One output that cannot be written is told before the work, and no other one is left behind. */
static void all_outputs_or_none(void **state) {
    (void)state;
    static const struct {
        const char *command, *arguments;
    } bad[] = {{"clearance", "a.obj b.obj --motion-b m.csv --curve first.out --html nowhere/x.html"},
        {"simulate", "drop --time 0.01 -o first.out --html nowhere/x.html"},
        {"modes", "c.json -o first.out --html nowhere/x.html"},
        {"volume", "a.obj b.obj -o first.out --html nowhere/x.html"},
        {"robot", "arm6 --capsules first.out --html nowhere/x.html"},
        {"plan check", "planar-arm:3 m.csv --cert first.out --html nowhere/x.html"}};
    tool_file(&tool, "m.csv", "t,x,y,z,qw,qx,qy,qz\n0,4,0,0,1,0,0,0\n1,3,0,0,1,0,0,0\n");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        refuses(bad[i].command, bad[i].arguments, "nowhere/x.html: cannot be written: No such file or directory");
    refuses("modes", "c.json -o .", ".: cannot be written: it is a folder");
    assert_int_equal(count_files("first.out"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume a.obj b.obj --html /dev/null"), 0);
}

/* Files that an input names are inputs as well. */
static void no_file_of_a_model_is_written_over(void **state) {
    (void)state;
    static const struct {
        const char *command, *arguments;
    } bad[] = {{"simulate", "mesh.xml --time 0.01 -o a.obj"}, {"simulate", "around.xml --time 0.01 --html ./a.obj"},
        {"simulate", "around.xml --time 0.01 --contacts mesh.xml"}, {"modes", "mesh.xml -o a.obj"},
        {"modes", "around.xml --html mesh.xml"}, {"view", "around.xml -o a.obj"}, {"view", "mesh.xml -o to_a.obj"}};
    tool_file(&tool, "mesh.xml",
        "<mujoco><asset><mesh name='m' file='a.obj'/></asset><worldbody><geom type='plane' size='5 5 1'/>"
        "<body pos='0 0 1'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
    tool_file(&tool, "around.xml", "<mujoco><include file='mesh.xml'/></mujoco>");
    assert_int_equal(tool_run(&tool, "ln", "-s a.obj to_a.obj"), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        refuses(bad[i].command, bad[i].arguments, ": is read, and an output is to be written over it");
    char *after = tool_text(&tool, "a.obj");
    assert_string_equal(after, cube);
    free(after);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate around.xml --time 0.01 -o other.npz"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate around.xml --time 0.01 -o other.npz"), 0);
}

static void links_and_permissions_stay(void **state) {
    (void)state;
    struct stat about;
    char path[400];
    tool_file(&tool, "real.csv", "old");
    snprintf(path, sizeof path, "%s/real.csv", tool.folder);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(tool_run(&tool, "ln", "-sf real.csv to.csv"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --time 0.01 --contacts to.csv"), 0);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0640);
    char *text = tool_text(&tool, "real.csv");
    assert_true(has(text, "t,body_a,body_b"));
    free(text);
    snprintf(path, sizeof path, "%s/to.csv", tool.folder);
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --time 0.01 --contacts dangling.csv"), 0);
    snprintf(path, sizeof path, "%s/dangling.csv", tool.folder);
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    text = tool_text(&tool, "nowhere.csv");
    assert_non_null(text);
    free(text);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --time 0.01 --contacts /dev/null"), 0);
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

static void pipes_and_standard_input_are_read(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, "cat", "a.obj | %s info --json -", ABUT_CLI), 0);
    assert_true(json_number(tool.out, "triangles") == 4);
    assert_int_equal(tool_run(&tool, "cat", "c.json | %s modes - --count --json", ABUT_CLI), 0);
    assert_true(json_number(tool.out, "ss") == 10);
    assert_int_equal(tool_run(&tool, "cat", "planes.txt | %s intersect a.obj -", ABUT_CLI), 0);
    assert_int_equal(tool_run(&tool, "cat", "b.obj | %s intersect a.obj - --json", ABUT_CLI), 0);
    assert_true(json_is(tool.out, "meets", "true"));
    assert_int_equal(tool_run(&tool, "cat", "run.npz | %s view - -o piped.html", ABUT_CLI), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info - < a.obj"), 0);
    assert_int_equal(
        tool_run(&tool, "mkfifo", "pipe.obj && (cat a.obj > pipe.obj & %s info --json pipe.obj)", ABUT_CLI), 0);
    assert_true(json_number(tool.out, "triangles") == 4);
    refuses("info", "- < /dev/null", "standard input: expected file or pipe, got a device");
    refuses("distance", "- - < a.obj", "only once");
    refuses("view", "- < run.npz", "expected -o");
}

static void marks_and_empty_files(void **state) {
    (void)state;
    char text[600];
    snprintf(text, sizeof text, "\xef\xbb\xbf%s", contacts);
    tool_file(&tool, "mark.json", text);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes mark.json --count"), 0);
    tool_file(&tool, "mark.txt",
        "\xef\xbb\xbf"
        "1 0 0 1\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect a.obj mark.txt"), 0);
    tool_file(&tool, "empty.txt", "");
    refuses("intersect", "a.obj empty.txt", "got 0 bytes");
    tool_file(&tool, "comment.txt", "# nothing\n");
    refuses("intersect", "a.obj comment.txt", "no half-space");
}

static void numbers_and_ranges_are_told_as_they_are(void **state) {
    (void)state;
    refuses("modes", "box:1 --nt 65", "--nt: expected a whole number from 0 to 64, got '65'");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --nt 0 --count"), 0);
    refuses("modes", "box:1 --nt -1", "a whole number from 0");
    refuses("simulate", "drop --dt 1234567.5", "got 1234567.5");
    refuses("simulate", "drop --gravity 1e308,0,0", "--gravity: expected a number from -1000000 to 1000000, got 1e308");
    refuses("simulate", "boxs:5", "did you mean 'boxes:5'?");
    refuses("simulate", "stack:100001", "expected a whole number from 1 to 100000, got '100001'");
    tool_file(&tool, "flat.json", "{\"planar\":true,\"contacts\":[{\"point\":[0,0],\"normal\":[0,1]}]}");
    refuses("modes", "flat.json --nt 4", "one line each");
}

static void what_nobody_could_keep_is_refused(void **state) {
    (void)state;
    refuses("render", "run.npz -o film.gif --speed 1e-9", "frames");
    refuses("render", "run.npz -o film.gif --speed 1e-300", "frames");
    refuses("simulate", "boxes:1000 --time 1000 --dt 1e-3 -o big.npz", "bytes");
    tool_file(
        &tool, "huge.obj", "v 0 0 0\nv 1e300 0 0\nv 0 1e300 0\nv 0 0 1e300\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --json huge.obj"), 2);
}

static void a_full_disk_is_called_one(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    assert_int_equal(tool_run(&tool, "sh", "-c '%s info a.obj > /dev/full'", ABUT_CLI), 2);
    assert_true(has(tool.err, "No space left on device"));
    assert_ptr_equal(strchr(tool.err, '\n') + 1, strchr(tool.err, '\0'));
    assert_int_equal(tool_run(&tool, "sh", "-c '%s distance sphere:1 sphere:2 > /dev/full'", ABUT_CLI), 2);
    assert_ptr_equal(strchr(tool.err, '\n') + 1, strchr(tool.err, '\0'));
    assert_int_equal(tool_run(&tool, "sh", "-c '%s info --json a.obj > /dev/full'", ABUT_CLI), 2);
    assert_true(has(tool.err, "No space left on device"));
    refuses("simulate", "drop --time 0.01 --contacts /dev/full", "No space left on device");
    refuses("simulate", "boxes:20 --time 0.05 -o /dev/full", "No space left on device");
}

/* Beyond the size that is allowed for files: one line, and no part is left. */
static void a_file_that_is_too_large_leaves_nothing(void **state) {
    (void)state;
    static const char *const runs[] = {"boxes:20 --time 0.2 -o big.npz", "boxes:20 --time 0.2 --contacts big.csv",
        "boxes:20 --time 0.2 --html big.html"};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
        if (i == 2 && !abut_page_available()) continue;
        assert_int_equal(tool_run(&tool, "sh", "-c 'ulimit -f 8; %s simulate %s'", ABUT_CLI, runs[i]), 2);
        assert_true(has(tool.err, ": cannot be written: File too large\n"));
        assert_ptr_equal(strchr(tool.err, '\n') + 1, strchr(tool.err, '\0'));
        assert_int_equal(count_files("big."), 0);
    }
}

/* Starts a long run, and after half a second sends it `count` signals; gives its exit status. */
static int interrupt(const char *arguments, const char *name, int count) {
    char line[2000];
    int used = snprintf(line, sizeof line, "-c '%s %s & pid=$!; sleep 0.5", ABUT_CLI, arguments);
    for (int i = 0; i < count; ++i) used += snprintf(line + used, sizeof line - (size_t)used, "; kill -%s $pid", name);
    snprintf(line + used, sizeof line - (size_t)used, "; wait $pid'");
    return tool_run(&tool, "sh", "%s", line);
}

static void interrupted_runs_leave_a_log(void **state) {
    (void)state;
    static const char *const signals[] = {"TERM", "HUP"};
    for (int i = 0; i < 2; ++i)
        for (int count = 1; count <= 2; ++count) {
            assert_int_equal(
                interrupt("simulate boxes:20 --time 1000 -o part.npz --contacts part.csv", signals[i], count), 1);
            assert_int_equal(tool_run(&tool, ABUT_CLI, "view part.npz"), 0);
            assert_int_equal(tool_run(&tool, "rm", "part.npz part.csv"), 0);
        }
    assert_int_equal(count_files(".part"), 0);
}

static void interrupted_films_leave_nothing(void **state) {
    (void)state;
    assert_int_equal(interrupt("render run.npz -o slow.gif --speed 1e-5 --size 1280,720", "TERM", 1), 1);
    assert_int_equal(count_files(".part"), 0);
    assert_int_equal(count_files("slow.gif"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_input_is_written_over),
        cmocka_unit_test(all_outputs_or_none),
        cmocka_unit_test(no_file_of_a_model_is_written_over),
        cmocka_unit_test(links_and_permissions_stay),
        cmocka_unit_test(pipes_and_standard_input_are_read),
        cmocka_unit_test(marks_and_empty_files),
        cmocka_unit_test(numbers_and_ranges_are_told_as_they_are),
        cmocka_unit_test(what_nobody_could_keep_is_refused),
        cmocka_unit_test(a_full_disk_is_called_one),
        cmocka_unit_test(a_file_that_is_too_large_leaves_nothing),
        cmocka_unit_test(interrupted_runs_leave_a_log),
        cmocka_unit_test(interrupted_films_leave_nothing),
    };
    return cmocka_run_group_tests(tests, write_inputs, close_tool);
}
