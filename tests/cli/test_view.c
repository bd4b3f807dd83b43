/* SPDX-License-Identifier: Apache-2.0 */
/* abut view, abut render, abut playground and --html: files appear, bad input is named. */
#include "support/cli.h"

#include "abut/picture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Does the file begin with these bytes? */
static int begins(const char *name, const char *bytes, size_t count) {
    char path[400], head[16] = "";
    snprintf(path, sizeof path, "%s/%s", tool.folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    size_t n = fread(head, 1, sizeof head, file);
    fclose(file);
    return n >= count && memcmp(head, bytes, count) == 0;
}

static void a_run_becomes_pictures(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:2 --time 0.1 --every 10 -o run.npz"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render run.npz -o frame.png --size 64,48 --time 0.05 --forces"), 0);
    CHECK(begins("frame.png", "\x89PNG", 4));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render run.npz -o film.gif --size 64,48 --rate 50"), 0);
    CHECK(begins("film.gif", "GIF89a\x40\0\x30\0", 10));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "render run.npz -o side.png --size 64,48 --eye 3,0,0.2 --target 0,0,0.2 --angle 20"),
        0);
    CHECK(begins("side.png", "\x89PNG", 4));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render run.npz -o small.gif --rate 10"), 0);
    CHECK(begins("small.gif", "GIF89a\x80\x02\x68\x01", 10)); /* 640 x 360 */
}

static void pages_are_written(void **state) {
    (void)state;
    if (!abut_page_available()) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:2 --time 0.01 --html run.html"), 2);
        CHECK(strstr(tool.err, "--html") != NULL);
        return;
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view run.npz"), 0);
    CHECK(begins("run.html", "<!", 2));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:2 --time 0.01 --html sim.html"), 0);
    CHECK(begins("sim.html", "<!", 2));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 2,0,0 --html d.html"), 0);
    CHECK(begins("d.html", "<!", 2));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make cup -o cup.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj cup.obj --pose-b 2,0,0 --html mesh.html"), 0);
    CHECK(begins("mesh.html", "<!", 2));
    tool_file(&tool, "path.csv", "0,3,0,0,1,0,0,0\n0.5,2,0,0,1,0,0,0\n1,0.5,0,0,1,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj cup.obj --path path.csv --html curve.html"), 0);
    CHECK(begins("curve.html", "<!", 2) && strstr(tool.out, "0.5,separated,") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj cup.obj --convex --path path.csv --html h.html"), 0);
    CHECK(begins("h.html", "<!", 2));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume box.obj box.obj --html v.html"), 0);
    CHECK(begins("v.html", "<!", 2));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume box.obj box.obj --pose-b 9,0,0 --html none.html"), 1);
    CHECK(begins("none.html", "<!", 2));
}

/* Nothing happens over time in a model: sliders for its joints, no charts. */
static void a_model_has_no_charts(void **state) {
    (void)state;
    if (!abut_page_available()) return;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view arm6 -o arm6.html"), 0);
    char *model = tool_text(&tool, "arm6.html");
    CHECK(strstr(model, "\"type\":\"joints\"") != NULL && strstr(model, "\"group\":\"Energy\"") == NULL);
    CHECK(strstr(model, "joints: 6, keyframes: ") != NULL);
    free(model);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate arm6 --time 0.01 --html ran.html"), 0);
    char *run = tool_text(&tool, "ran.html");
    CHECK(strstr(run, "\"group\":\"Energy\"") != NULL);
    free(run);
}

/* Bytes of a file in the folder of the tool; -1: none. */
static long file_size(const char *name) {
    char path[400];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", tool.folder, name);
    return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

static void what_is_left_out_is_said(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:3 --time 0.5 --keep motion -o motion.npz"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:3 --time 0.5 --keep poses -o poses.npz"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:3 --time 0.5 -o all.npz"), 0);
    CHECK(file_size("poses.npz") < file_size("motion.npz"));
    CHECK(file_size("motion.npz") < file_size("all.npz"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:3 --keep some -o some.npz"), 2);
    CHECK(strstr(tool.err, "--keep: expected all, motion or poses, got 'some'") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view all.npz --page-size 0"), 2);
    CHECK(strstr(tool.err, "--page-size") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render poses.npz -o poses.png --size 64,48"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render poses.npz -o poses.gif --size 64,48 --rate 8 --follow"), 0);
    if (!abut_page_available()) return;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view poses.npz"), 0);
    CHECK(strstr(tool.err, "page: file:///") == tool.err && strstr(tool.err, "/poses.html\n"));
    CHECK(strchr(tool.err, '\n')[1] == 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box:1,1,1 box:1,1,1 --json --html 'two bodies.html'"), 0);
    CHECK(strstr(tool.err, "/two%20bodies.html\n") != NULL && tool.out[0] == '{');
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box:1,1,1 box:1,1,1 --open"), 2);
    CHECK(strstr(tool.err, "--open shows the page of --html") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view poses.npz all.npz -o both.html"), 0);
    CHECK(file_size("both.html") > file_size("poses.html"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view all.npz absent.npz -o unmade.html"), 2);
    CHECK(strstr(tool.err, "absent.npz") != NULL && file_size("unmade.html") < 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view all.npz all.npz all.npz"), 2);
    CHECK(strstr(tool.err, "two to compare, got 3") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view all.npz --page-size 780e3"), 0);
    CHECK(strstr(tool.err, "the charts have all 501 steps") != NULL && strstr(tool.err, "--page-size") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view all.npz --page-size 1e5"), 0);
    char said[120];
    snprintf(said, sizeof said, "all.html has %.0f kB, above --page-size 1e5", (double)file_size("all.html") / 1e3);
    CHECK(has(tool.err, said));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view all.npz --page-size 4e6"), 0);
    CHECK(strstr(tool.err, "warning") == NULL);
    refuses("view", "gripper -o g.html --page-size 1e6", "--page-size means nothing here");
}

/* Options of films for a picture, and the other way round, are refused; so are forces of a log without contacts. */
static void options_that_would_be_ignored(void **state) {
    (void)state;
    refuses("render", "all.npz -o no.gif --time 0.2", "--time means nothing here: a film shows the whole run");
    refuses("render", "all.npz -o no.png --follow", "--follow means nothing here: a .png is one picture");
    refuses("render", "all.npz -o no.png --rate 9", "--rate means nothing here");
    refuses("render", "all.npz -o no.png --speed 9", "--speed means nothing here");
    refuses("render", "poses.npz -o no.png --forces", "--forces: poses.npz holds no contacts");
    refuses("simulate", "drop --page-size 2e6", "--page-size goes with --html, which is missing");
    refuses("simulate", "drop --model pressure --rolling 0.1", "--rolling goes with --model vol, not with pressure");
    refuses("simulate", "drop --reach 0.1", "--reach goes with --model pressure, not with vol");
    refuses("simulate", "--list drop", "--list takes no operand, got 'drop'");
    refuses("simulate", "--list --time 3", "--time means nothing beside --list");
    CHECK(file_size("no.gif") < 0 && file_size("no.png") < 0);
}

/* An ffmpeg that writes a part and fails, or ends at once, leaves no film behind, and an older one as it was. */
static void films_appear_whole(void **state) {
    (void)state;
    tool_file(
        &tool, "ffmpeg", "#!/bin/sh\nfor last; do :; done\necho part >\"${last#file:}\"\ncat >/dev/null\nexit 1\n");
    assert_int_equal(chmod(tool_path(&tool, "ffmpeg"), 0755), 0);
    const char *line = "-c 'PATH=$PWD:$PATH \"%s\" render all.npz -o film.mp4 --size 64,48'";
    tool_file(&tool, "film.mp4", "older");
    assert_int_equal(tool_run(&tool, "/bin/sh", line, ABUT_CLI), 2);
    CHECK(has(tool.err, "film.mp4: ffmpeg failed") && file_size("film.mp4") == 5);
    tool_file(&tool, "ffmpeg", "#!/bin/sh\nexit 3\n");
    assert_int_equal(tool_run(&tool, "/bin/sh", line, ABUT_CLI), 2);
    CHECK(has(tool.err, "film.mp4: ffmpeg") && file_size("film.mp4") == 5);
    assert_int_equal(tool_run(&tool, "/bin/sh", "-c 'ls -A | grep -c film'"), 0);
    CHECK(has(tool.out, "1\n") || has(tool.out, "2\n")); /* film.gif of another test may be there */
    tool_file(&tool, "ffmpeg", "#!/bin/sh\nfor last; do :; done\ncat >\"${last#file:}\"\n");
    assert_int_equal(tool_run(&tool, "/bin/sh", line, ABUT_CLI), 0);
    CHECK(file_size("film.mp4") > 3 * 64 * 48);
}

/* The page of the playground, or where the build has none, where to get it. */
static void the_playground_is_written(void **state) {
    (void)state;
    int status = tool_run(&tool, ABUT_CLI, "playground -o play.html");
    if (status == 2) {
        CHECK(strstr(tool.err, "npm install abut") != NULL);
        CHECK(!begins("play.html", "", 0));
    } else {
        assert_int_equal(status, 0);
        CHECK(strstr(tool.err, "page: file://") != NULL);
        CHECK(begins("play.html", "<!doctype html>", 15));
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "playground boxes:50"), 2);
    CHECK(strstr(tool.err, "boxes:50") != NULL);
}

static void bad_input_is_named(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render missing.npz -o a.png"), 2);
    CHECK(strstr(tool.err, "missing.npz") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render run.npz"), 2);
    CHECK(strstr(tool.err, "-o") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render run.npz -o picture.bmp"), 2);
    CHECK(strstr(tool.err, "picture.bmp") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render run.npz -o a.png --size 5"), 2);
    CHECK(strstr(tool.err, "--size") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render run.npz -o a.png --eye 1,2"), 2);
    CHECK(strstr(tool.err, "--eye") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render run.npz -o a.gif --eye 1,2,3 --follow"), 2);
    CHECK(strstr(tool.err, "--follow") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render run.npz -o a.png --angle 170"), 2);
    CHECK(strstr(tool.err, "--angle") != NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view"), 2);
    tool_file(&tool, "text.npz", "not an archive");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "view text.npz"), 2);
    CHECK(strstr(tool.err, "text.npz") != NULL);
    CHECK(!begins("text.html", "", 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_becomes_pictures),
        cmocka_unit_test(pages_are_written),
        cmocka_unit_test(a_model_has_no_charts),
        cmocka_unit_test(what_is_left_out_is_said),
        cmocka_unit_test(options_that_would_be_ignored),
        cmocka_unit_test(films_appear_whole),
        cmocka_unit_test(the_playground_is_written),
        cmocka_unit_test(bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
