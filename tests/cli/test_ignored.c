/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No option is ignored in silence. Every option that the help of a command lists is added to command lines of several
 * kinds: each time the answer, the messages or the files change, or the tool refuses it by name. A new option needs a
 * row in `samples` of cli/ignored.h, with an argument that matters on one of the lines at least.
 */
#define _XOPEN_SOURCE 700
#include "support/cli.h"

#include "abut/picture.h"

#include "cli/ignored.h"

#include <ftw.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct Result {
    int status;
    char *said; /* both streams, less lines with times */
    char files[4000];
} Result;

/* ---- files ------------------------------------------------------------------------------------------------------- */

static char *listing;
static size_t listing_room;

/* Name and a sum over the bytes of each file. */
static int list_file(const char *path, const struct stat *about, int kind, struct FTW *at) {
    (void)at;
    (void)about;
    if (kind != FTW_F) return 0;
    unsigned long sum = 5381;
    FILE *file = fopen(path, "rb");
    for (int c; file && (c = getc(file)) != EOF;) sum = sum * 33 + (unsigned long)c;
    if (file) fclose(file);
    size_t used = strlen(listing);
    snprintf(listing + used, listing_room - used, "%s %lx\n", strstr(path, "/w/"), sum);
    return 0;
}

static int remove_file(const char *path, const struct stat *about, int kind, struct FTW *at) {
    (void)about;
    (void)kind;
    return at->level > 0 ? remove(path) : 0;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Appends the lines of a text that do not tell times. */
static void keep_lines(char *to, const char *text) {
    static const char *const times[] = {"seconds", "wall", " us", "time\":", " ms"};
    for (size_t length; *text; text += length) {
        length = strcspn(text, "\n");
        length += text[length] == '\n';
        char line[2000];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        int told = 0;
        for (size_t i = 0; i < sizeof times / sizeof *times; ++i) told = told || strstr(line, times[i]);
        if (!told) strcat(to, line);
    }
}

static Result try(const Line *line, const char *option, const char *argument) {
    Result r = {.said = NULL};
    nftw(tool_path(&tool, "w"), remove_file, 8, FTW_DEPTH | FTW_PHYS);
    r.status = tool_run(&tool, ABUT_CLI, "%s %s %s %s", line->command, line->words, option, argument);
    r.said = calloc(strlen(tool.out) + strlen(tool.err) + 1, 1);
    assert_non_null(r.said);
    keep_lines(r.said, tool.out);
    strcat(r.said, tool.err);
    listing = r.files, listing_room = sizeof r.files;
    nftw(tool_path(&tool, "w"), list_file, 8, FTW_PHYS);
    return r;
}

static int same(const Result *a, const Result *b) {
    return a->status == b->status && strcmp(a->said, b->said) == 0 && strcmp(a->files, b->files) == 0;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static const char *find_sample(const char *command, const char *option) {
    const char *found = NULL;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; ++i)
        if (strcmp(samples[i].option, option) == 0 &&
            (strcmp(samples[i].command, command) == 0 || (!*samples[i].command && !found)))
            found = samples[i].argument;
    return found;
}

static int is_quiet(const char *command, const char *option) {
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; ++i)
        if (strcmp(quiet[i].option, option) == 0 && (!*quiet[i].command || strcmp(quiet[i].command, command) == 0))
            return 1;
    return 0;
}

enum { OPTIONS = 80 };

/* The long names of the options of a command, by its help. */
static int list_options(const char *command, char out[OPTIONS][40]) {
    int count = 0;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s --help", command), 0);
    for (const char *at = strstr(tool.out, "\noptions:\n"); at && (at = strstr(at + 1, "\n  ")) != NULL;) {
        const char *name = strstr(at, "--");
        assert_true(name && count < OPTIONS);
        snprintf(out[count++], 40, "%.*s", (int)strcspn(name, " \n"), name);
    }
    assert_true(count > 0);
    return count;
}

/* Does a text have the option as a word? */
static int has_word(const char *text, const char *option) {
    size_t length = strlen(option);
    for (const char *at = text; (at = strstr(at, option)) != NULL; at += length)
        if (!at[length] || at[length] == ' ') return 1;
    return 0;
}

/* Is an option to be tried on a line? */
static int is_wanted(const Line *line, const char *option) {
    return (!line->only || has_word(line->only, option)) && strcmp(option, "--help") != 0 &&
           strcmp(option, "--open") != 0;
}

/* Does an option stand in a line, by its long or its short name? */
static int stands_in(const Line *line, const char *option) {
    const char *brief = strcmp(option, "--output") == 0 ? " -o " : strcmp(option, "--size") == 0 ? " -s " : NULL;
    return has_word(line->words, option) || (brief && strstr(line->words, brief));
}

/* Is the option in a message, by its long or its short name, or the file that it names? */
static int names(const char *said, const char *option, const char *argument) {
    return strstr(said, option) || (*argument && strstr(said, argument)) ||
           (strcmp(option, "--output") == 0 && strstr(said, "-o"));
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static int faults;

static void complain(const Line *line, const char *option, const char *argument, const char *what) {
    print_error("abut %s %s %s %s: %s\n", line->command, line->words, option, argument, what);
    ++faults;
}

/* 1: the option had an effect on this line. */
static int walk(const Line *line, const Result *plain, const char *option) {
    const char *argument = find_sample(line->command, option);
    if (!argument) {
        complain(line, option, "", "no row in the table of samples");
        return 1;
    }
    Result r = try(line, option, argument);
    int effect = r.status != 2 && !same(plain, &r);
    if (same(plain, &r) && plain->status != 2 && !is_quiet(line->command, option))
        complain(line, option, argument, "ignored in silence");
    if (r.status == 2 && plain->status != 2 && !names(r.said, option, argument))
        complain(line, option, argument, r.said);
    free(r.said);
    return effect;
}

static void walk_line(const Line *line, int count, char options[OPTIONS][40], int *effect) {
    int only_stands = line->only && !*line->only;
    Result plain = try(line, "", ""), again = try(line, "", "");
    if (plain.status == 2 && (only_stands || !line->only)) complain(line, "", "", plain.said);
    if (!same(&plain, &again) && !only_stands) complain(line, "", "", "is not the same twice");
    for (int i = 0; i < count; ++i)
        if (stands_in(line, options[i]))
            effect[i] = 1;
        else if (is_wanted(line, options[i]))
            effect[i] |= walk(line, &plain, options[i]);
    free(plain.said);
    free(again.said);
}

static void no_option_is_ignored_in_silence(void **state) {
    (void)state;
    char options[OPTIONS][40];
    int effect[OPTIONS], count = 0;
    const Line all = {"", "", NULL};
    if (!abut_page_available()) skip(); /* --html is refused everywhere */
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        if (i == 0 || strcmp(lines[i].command, lines[i - 1].command) != 0) {
            count = list_options(lines[i].command, options);
            memset(effect, 0, sizeof effect);
        }
        walk_line(&lines[i], count, options, effect);
        if (i + 1 < sizeof lines / sizeof *lines && strcmp(lines[i].command, lines[i + 1].command) == 0) continue;
        for (int k = 0; k < count; ++k)
            if (!effect[k] && !is_quiet(lines[i].command, options[k]) && is_wanted(&all, options[k]))
                complain(&lines[i], options[k], "", "has no effect on any line of the test");
    }
    assert_int_equal(faults, 0);
}

/* ---- what the lines read ------------------------------------------------------------------------------------------ */

/* A robot of two hinges on a stand; `mesh` is the file of its base. */
static void write_arm(const char *name, const char *mesh) {
    char text[2000];
    snprintf(text, sizeof text,
        "<mujoco><compiler angle='radian'/><asset><mesh name='m' file='%s'/></asset><worldbody>\n"
        "<body name='base' pos='0 0 0.5'><geom type='mesh' mesh='m'/>\n"
        "<body name='upper' pos='0 0 0.2'><joint name='a' axis='0 1 0' range='-2 2' limited='true'/>\n"
        "<geom type='capsule' fromto='0.1 0 0 0.3 0 0' size='0.03'/>\n"
        "<body name='fore' pos='0.4 0 0'><joint name='b' axis='0 1 0'/>\n"
        "<geom type='capsule' fromto='0.1 0 0 0.3 0 0' size='0.03'/><site name='tip' pos='0.4 0 0'/>\n"
        "</body></body></body></worldbody>\n"
        "<actuator><position name='ma' joint='a' kp='50' forcerange='-9 9'/><position name='mb' joint='b' "
        "kp='50'/></actuator>\n"
        "<keyframe><key name='up' qpos='0.1 0.2'/></keyframe></mujoco>\n",
        mesh);
    tool_file(&tool, name, text);
}

/* A foot on the ground, with a joint that lifts it. */
static void write_foot(void) {
    tool_file(&tool, "foot.xml",
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='toe' pos='0 0 0.1'>\n"
        "<joint name='lift' type='slide' axis='0 0 1'/><joint name='way' type='slide' axis='1 0 0'/>\n"
        "<geom type='box' size='0.1 0.1 0.1'/></body></worldbody>\n"
        "<keyframe><key name='up' qpos='0.2 0'/><key name='near' qpos='0.01 0'/></keyframe></mujoco>");
}

/* Four heights, in MuJoCo's way: rows, columns, numbers. */
static void write_heights(const char *name) {
    const int32_t size[2] = {2, 2};
    const float heights[4] = {0.0f, 0.5f, 1.0f, 0.25f};
    FILE *file = fopen(tool_path(&tool, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(size, sizeof size, 1, file) + fwrite(heights, sizeof heights, 1, file), 2);
    fclose(file);
}

/* An arm whose length is an argument, one whose mesh is in a package, and what MoveIt knows of the arm of two hinges.
 */
static void write_packed(void) {
    tool_file(&tool, "arm.xacro",
        "<robot name='r' xmlns:xacro='x'><xacro:arg name='length' default='0.3'/><link name='l'/><link name='m'/>"
        "<joint name='j' type='fixed'><origin xyz='$(arg length) 0 0'/><parent link='l'/><child link='m'/></joint>"
        "</robot>");
    tool_file(&tool, "packed.urdf",
        "<robot name='r'><link name='l'><collision><geometry><mesh filename='package://parts/box.obj'/></geometry>"
        "</collision></link></robot>");
    tool_file(
        &tool, "arm.srdf", "<robot name='arm'><disable_collisions link1='base' link2='fore' reason='Never'/></robot>");
    tool_file(&tool, "packages/parts/package.xml", "<package/>");
    assert_int_not_equal(tool_run(&tool, ABUT_CLI, "make box -o packages/parts/box.obj"), 2);
}

static void write_points(const char *name) {
    const double points[2][3] = {{0.6, 0.5, 0.6}, {0.6, -0.5, 0.6}};
    FILE *file = fopen(tool_path(&tool, name), "wb");
    assert_non_null(file);
    fprintf(
        file, "\x93NUMPY%c%c%c%c%-117s\n", 1, 0, 118, 0, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }");
    assert_int_equal(fwrite(points, sizeof points, 1, file), 1);
    fclose(file);
}

static void write_tables(void) {
    tool_file(&tool, "planes.txt", "1 0 0 1\n-1 0 0 1\n0 1 0 1\n0 -1 0 1\n0 0 1 1\n0 0 -1 1\n");
    tool_file(&tool, "path.csv", "0,0.9,0.1,0,1,0,0,0\n0.5,0.5,0.1,0,1,0,0,0\n1,0.02,0.1,0.01,1,0,0,0\n");
    tool_file(&tool, "other.csv", "0,0.9,0.1,0,1,0,0,0\n1,-0.4,0.1,0,1,0,0,0\n");
    tool_file(&tool, "plan.csv", "t,a,b\n0,0,0\n0.5,0.3,0\n1,0.5,0.2\n");
    tool_file(&tool, "half.csv", "t,a\n0,0\n1,-0.5\n");
    tool_file(&tool, "other_plan.csv", "t,a,b\n0,0,0\n1,0.1,0.2\n");
    tool_file(
        &tool, "pass.csv", "0,0.9,0.5,0,1,0,0,0\n1,0.2,0.6,0,1,0,0,0\n2,0.7,0.7,0,1,0,0,0\n3,0.1,0.65,0,1,0,0,0\n");
    tool_file(
        &tool, "far.csv", "0,2,2,0,1,0,0,0\n1,1.5,1,0,1,0,0,0\n2,2,2,0,1,0,0,0\n3,1.6,1,0,1,0,0,0\n4,2,2,0,1,0,0,0\n");
    tool_file(&tool, "foot.csv", "t,lift\n0,0.1\n1,0\n");
    tool_file(&tool, "ctrl.csv", "t,ma\n0,3\n");
    tool_file(&tool, "limits.csv", "joint,lower,upper,speed,acceleration,torque\na,-1,0.45,0.1,0.1,1\n");
    tool_file(&tool, "state.json", "{\"qpos\": [0.2, 0.3]}\n");
    tool_file(&tool, "cases.csv", "shape\nbox\nsphere\n");
    tool_file(&tool, "post.xml",
        "<mujoco><worldbody><geom name='post' type='box' size='0.02 0.02 0.3' pos='0.6 0.2 "
        "0.6'/></worldbody></mujoco>");
    tool_file(&tool, "contacts.json",
        "{\"contacts\": [{\"body_a\": \"box\", \"point\": [0.5, 0.5, 0], \"normal\": [0, 0, 1]},\n"
        "{\"body_a\": \"box\", \"point\": [-0.5, 0.5, 0], \"normal\": [0, 0, 1]}]}\n");
}

static int make_files(void **state) {
    static const char *const made[] = {"make cross -t 10 -o cup.obj", "make torus -t 60 -o ring.obj",
        "make box -o box.obj", "decompose cup.obj --max 8 -o pieces",
        "simulate stack:2 --time 0.1 --every 5 -o run.npz", "simulate stack:2 --time 0.1 --keep poses -o poses.npz",
        "simulate boxes:5 --time 0.5 --every 5 -o long.npz"};
    open_tool(state);
    static const char *const folders[] = {"w", "sub", "packages", "packages/parts"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i)
        assert_int_equal(mkdir(tool_path(&tool, folders[i]), 0777), 0);
    for (size_t i = 0; i < sizeof made / sizeof *made; ++i)
        assert_int_not_equal(tool_run(&tool, ABUT_CLI, "%s", made[i]), 2);
    write_arm("arm.xml", "box.obj");
    write_arm("sub/outside.xml", "../box.obj");
    write_foot();
    write_heights("h.bin");
    write_packed();
    write_points("points.npy");
    write_tables();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_option_is_ignored_in_silence)};
    return cmocka_run_group_tests(tests, make_files, close_tool);
}
