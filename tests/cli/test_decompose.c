/* SPDX-License-Identifier: Apache-2.0 */
/* abut decompose: files, JSON, page, exit status, bad input; depth by pieces. */
#include "support/cli.h"

static void pieces_are_written(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make cross -o cross.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose cross.obj -o pieces --excess 0.02 --max 64 --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "target_met", "true") && json_is(tool.out, "closed", "true"));
    int count = (int)json_number(tool.out, "pieces");
    assert_true(count > 1 && json_count(tool.out, "files") == count);
    assert_true(json_number(tool.out, "excess") <= 0.02 && json_number(tool.out, "excess") >= 0);
    double volume = json_number(tool.out, "volume"), sum = 0;
    for (int i = 0; i < count; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "info pieces/piece_%03d.obj --json", i), 0);
        sum += json_number(tool.out, "volume");
    }
    CHECK_NEAR(sum, volume, 1e-9 * volume);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose cross.obj --max 2 --html page.html"), 1);
    assert_true(has(tool.out, "--max came first"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose cross.obj -o again --html nowhere/page.html"), 2);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "decompose cross.obj -o again --html page.html"), 0); /* nothing stayed */
    tool_file(&tool, "twice.obj",
        "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nv 1 0 0\nv 5 0 0\nv 1 4 0\nv 1 0 4\n"
        "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose twice.obj --json"), 0);
    assert_true(json_is(tool.out, "excess", "null") && json_is(tool.out, "mesh_volume", "null"));
    tool_run(&tool, ABUT_CLI, "decompose twice.obj --html page.html");
    assert_true(has(tool.out, "parts of the mesh overlap"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose box.obj --json"), 0);
    assert_true(json_number(tool.out, "pieces") == 1 && json_count(tool.out, "files") == 0);
}

static void open_meshes_are_said(void **state) {
    (void)state;
    tool_file(&tool, "open.obj", "v -2 -2 -2\nv 4 -1 -1\nv -1 4 -1\nv -1 -1 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose open.obj"), 0);
    assert_true(has(tool.out, "the mesh is open"));
    tool_file(&tool, "flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    refuses("decompose", "flat.obj", "flat.obj");
    refuses("decompose", "none.obj", "none.obj");
    refuses("decompose", "open.obj --excess -1", "--excess");
    refuses("decompose", "open.obj --max 0", "--max");
    refuses("decompose", "open.obj --max 5000", "--max");
    refuses("decompose", "open.obj open.obj", "one mesh file");
    refuses("decompose", "open.obj -o open.obj", "open.obj");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose open.obj -o twice"), 0);
    refuses("decompose", "open.obj -o twice", "twice: expected an empty folder, got pieces");
}

static void depths_come_from_pieces(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make cross -o cross.obj"), 0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 0.75,0.1,0 --depth decomposition --json"), 0);
    assert_true(json_is(tool.out, "kind", "\"decomposition\"") && json_is(tool.out, "certified", "true"));
    assert_true(json_is(tool.out, "verified_free", "false"));
    CHECK_NEAR(json_number(tool.out, "distance"), -0.25, 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance cross.obj box.obj --pose-b 0.4,0,0 --json"), 0);
    double deep = json_number(tool.out, "distance");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance cross.obj box.obj --pose-b 0.4,0,0 --depth decomposition --json"), 0);
    assert_true(deep < 0 && json_number(tool.out, "distance") < 0 && json_number(tool.out, "distance") >= deep - 0.01);
}

/* Two sheets in planes of the axes: their pieces meet what the sheets meet; boxes that touch are 0 deep, not -0. */
static void depths_of_sheets_and_of_touching_boxes(void **state) {
    (void)state;
    tool_file(&tool, "sheets.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose sheets.obj --max 4 --json"), 0);
    CHECK_NEAR(json_number(tool.out, "volume"), 1.0 / 6.0, 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 0.1,0.1,0.1 -o dot.obj"), 0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance sheets.obj dot.obj --pose-b 0.2,0.7,0 --depth decomposition --json"), 0);
    assert_true(json_number(tool.out, "distance") < 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 1,0,0 --depth decomposition"), 0);
    assert_true(has(tool.out, " 0 m") && !has(tool.out, "-0 m"));
}

static void volumes_sum_over_pieces(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make cross -o cross.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume box.obj box.obj --pose-b 0.5,0.25,0 --pieces --json"), 0);
    CHECK_NEAR(json_number(tool.out, "volume"), 0.375, 1e-9);
    CHECK_VEC_NEAR(json_vec3("centroid"), abut_vec3(0.25, 0.125, 0), 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume cross.obj box.obj --pieces --json"), 0);
    assert_true(json_number(tool.out, "volume_low") <= json_number(tool.out, "volume_high"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume cross.obj box.obj --pieces --pose-b 9,0,0"), 1);
    refuses("volume", "cross.obj box.obj --pieces --convex", "--pieces");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume cross.obj sphere:9 --pieces --json"), 0);
    double all = json_number(tool.out, "volume");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info cross.obj --json"), 0);
    CHECK_NEAR(json_number(tool.out, "volume"), all, 1e-12); /* the ball holds all of it */
    refuses("volume", "cross.obj box.obj --pieces --html x.html", "--pieces gives the volume alone");
}

/* A ball falls into a cup, as a mesh or in convex pieces, and stays on top of its hull. */
static void cups_hold_balls(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make cup -t 1000 -o cup.obj"), 0);
    tool_file(&tool, "cup.xml",
        "<mujoco><asset><mesh name='cup' file='cup.obj'/></asset><worldbody><geom type='mesh' mesh='cup'/>"
        "<body name='ball' pos='0 0 0.6'><freejoint/><geom type='sphere' size='0.05'/></body></worldbody></mujoco>");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate cup.xml --time 1 --dt 0.005 --json"), 0);
    double whole = json_number(tool.out, "potential_energy");
    assert_true(!has(tool.err, "convex pieces"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate cup.xml --time 1 --dt 0.005 --pieces --json"), 0);
    double low = json_number(tool.out, "potential_energy");
    assert_true(has(tool.err, "convex pieces"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate cup.xml --time 1 --dt 0.005 --hulls --json"), 0);
    assert_true(!has(tool.err, "convex pieces"));
    double high = json_number(tool.out, "potential_energy") - 0.1;
    assert_true(low < high && whole < high);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_written),
        cmocka_unit_test(open_meshes_are_said),
        cmocka_unit_test(depths_come_from_pieces),
        cmocka_unit_test(depths_of_sheets_and_of_touching_boxes),
        cmocka_unit_test(volumes_sum_over_pieces),
        cmocka_unit_test(cups_hold_balls),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
