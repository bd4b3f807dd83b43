/* SPDX-License-Identifier: Apache-2.0 */
/* abut intersect and abut volume: boxes with known answers, half-space files, methods, exit status, bad input. */
#include "support/cli.h"

#include <string.h>

static void make_box(void) { assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0); }

static void boxes_meet_or_not(void **state) {
    (void)state;
    static const char *const methods[] = {"ren", "lp", "gjk"};
    make_box();
    for (int m = 0; m < 3; ++m)
        for (int i = 0; i < 4; ++i) {
            double shift = 0.4 * (i + 1); /* 0.4, 0.8: meet */
            int status = tool_run(&tool, ABUT_CLI,
                "intersect box.obj box.obj --method %s --pose-a 5,0,0 --pose-b %g,0.1,0,0.96,0,0,0.28 --json",
                methods[m], 5 + shift);
            assert_true(json_valid(tool.out));
            assert_int_equal(status, shift > 1.1 ? 1 : 0);
            assert_true(json_is(tool.out, "meets", status ? "false" : "true"));
            assert_non_null(json_at(tool.out, "tests"));
            if (status == 0) {
                CHECK(json_number(tool.out, "witness.0") >= 4.5 + shift - 0.6 &&
                      json_number(tool.out, "witness.0") <= 5.5 + 1e-9);
            } else {
                assert_int_equal(json_count(tool.out, "plane"), 4);
                CHECK(json_number(tool.out, "plane.0") > 0);
            }
        }
}

static void half_spaces(void **state) {
    (void)state;
    make_box();
    tool_file(&tool, "wedge.txt", "# a wedge\n\n1 0 0 0.75   # x <= 0.75\n-2 0 0 -0.8\n0 0 1 9\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect box.obj wedge.txt --json"), 0);
    CHECK(json_number(tool.out, "witness.0") >= 0.4 - 1e-9 && json_number(tool.out, "witness.0") <= 0.5 + 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect box.obj wedge.txt --method ren --pose-b 0.2,0,0 --json"), 1);
    CHECK_NEAR(json_number(tool.out, "plane.0"), 1, 1e-12);
    CHECK_NEAR(json_number(tool.out, "plane.3"), 0.55, 1e-12);
    CHECK_NEAR(json_number(tool.out, "gap"), 0.1, 1e-12);
    tool_file(&tool, "none.txt", "1 0 0 0\n-1 0 0 -1\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect box.obj none.txt --json"), 1);
    assert_true(json_is(tool.out, "empty", "\"b\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect wedge.txt wedge.txt --method gjk"), 2);
    assert_non_null(strstr(tool.err, "--method lp"));
}

static void bad_input_is_named(void **state) {
    (void)state;
    static const char *const lines[] = {"1 0 0", "1 0 0 x", "1 0 0 1 1", "nan 0 0 1", "1 0 0 1e999"};
    make_box();
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        char text[100];
        snprintf(text, sizeof text, "1 0 0 1\n%s\n", lines[i]);
        tool_file(&tool, "bad.txt", text);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect bad.txt box.obj"), 2);
        assert_non_null(strstr(tool.err, "bad.txt:2:"));
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect box.obj"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect box.obj missing.txt"), 2);
    tool_file(&tool, "empty.txt", "# nothing\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect box.obj empty.txt"), 2);
    assert_non_null(strstr(tool.err, "empty.txt"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect box.obj box.obj --method magic"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume box.obj missing.obj"), 2);
}

/* Numbers of very different sizes: the default method verifies neither answer. */
static void what_is_not_decided_has_its_own_status(void **state) {
    (void)state;
    tool_file(&tool, "a.txt",
        "1.6259287450900686e-05 1.2928878321791878e-05 -9.335228152158964e-06 7.4369980842073599e+41\n");
    tool_file(&tool, "b.txt",
        "12.923595069284985 -2.3767373273461372 -4.2601860690610343 0\n"
        "-0.07717933357175405 0.012107731193901608 -0.0069041981334910536 -5.1304907175094436e+33\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect a.txt b.txt"), 3);
    assert_non_null(strstr(tool.err, "undecided"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect a.txt b.txt --json"), 3);
    assert_true(json_is(tool.out, "meets", "null"));
}

static void volume_of_boxes(void **state) {
    (void)state;
    make_box();
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "volume box.obj box.obj --pose-a 10,0,0 --pose-b 10.75,0.5,0 -o overlap.obj --json"),
        0);
    assert_true(json_valid(tool.out));
    CHECK_NEAR(json_number(tool.out, "volume"), 0.125, 1e-14);
    CHECK_NEAR(json_number(tool.out, "area"), 1.75, 1e-14);
    CHECK_NEAR(json_number(tool.out, "centroid.0"), 10.375, 1e-14);
    CHECK_NEAR(json_number(tool.out, "centroid.1"), 0.25, 1e-14);
    CHECK_NEAR(json_number(tool.out, "normal.0"), 0.5 / sqrt(0.3125), 1e-14);
    CHECK_NEAR(json_number(tool.out, "faces"), 6, 0);
    CHECK_NEAR(json_number(tool.out, "vertices"), 8, 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info overlap.obj --json"), 0);
    CHECK_NEAR(json_number(tool.out, "volume"), 0.125, 1e-14);
    CHECK_NEAR(json_number(tool.out, "min.0"), 10.25, 1e-14);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume box.obj box.obj --pose-b 1,0,0 --json"), 1);
    assert_true(json_is(tool.out, "outcome", "\"touching\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume box.obj box.obj --pose-b 2,0,0 --json"), 1);
    assert_true(json_is(tool.out, "outcome", "\"separated\""));
}

/* The hull of a mesh that is not convex is another body: it is taken only when asked for. */
static void meshes_that_are_not_convex_are_refused(void **state) {
    (void)state;
    static const char *const commands[] = {"intersect", "volume"};
    make_box();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make cup -o cup.obj"), 0);
    tool_file(&tool, "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s box.obj cup.obj", commands[i]), 2);
        assert_non_null(strstr(tool.err, "cup.obj: expected a convex mesh, but its hull has another volume; --convex"));
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s open.obj box.obj", commands[i]), 2);
        assert_non_null(strstr(tool.err, "open.obj: expected a convex mesh, but its surface is not closed"));
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s box.obj cup.obj --convex", commands[i]), 0);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s open.obj box.obj --convex", commands[i]), 0);
    }
    assert_int_equal(tool_run(&tool, "cat", "cup.obj | %s intersect box.obj -", ABUT_CLI), 2);
    assert_non_null(strstr(tool.err, "--convex"));
}

/* A ball over the opening of a cup: inside its hull, and free of the cup itself and of its convex pieces. */
static void all_commands_on_pairs_take_the_same(void **state) {
    (void)state;
    static const struct {
        const char *command, *words, *key, *as_hull, *in_pieces;
        int hull, pieces; /* exit status */
    } cases[] = {
        {"distance", "--pose-b 0,0,0.05 --json", "outcome", "\"penetrating\"", "\"separated\"", 0, 0},
        {"collide", "--pose-b 0,0,0.05 --json", "outcome", "\"penetrating\"", "\"separated\"", 0, 1},
        {"volume", "--pose-b 0,0,0.05 --json", "outcome", "\"penetrating\"", "\"separated\"", 0, 1},
        {"toi", "--motion-b drop.csv --json", "outcome", "\"hit\"", "\"none\"", 0, 1},
        {"cast", "--pose-b 0,0,3 --way 0,0,-2.95 --json", "outcome", "\"hit\"", "\"none\"", 0, 1},
        {"clearance", "--motion-b drop.csv --json", "status", "\"contact\"", "\"clear\"", 1, 0},
    };
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make cup --triangles 400 -o cup.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose cup.obj -o pieces --max 64"), 0);
    tool_file(&tool, "drop.csv", "0,0,0,3,1,0,0,0\n1,0,0,0.05,1,0,0,0\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        static const char *const by[] = {"--convex", "--pieces", "--pieces-a pieces"};
        for (int k = 0; k < 3; ++k) {
            int status =
                tool_run(&tool, ABUT_CLI, "%s cup.obj sphere:0.05 %s %s", cases[i].command, cases[i].words, by[k]);
            assert_true(json_valid(tool.out));
            assert_int_equal(status, k ? cases[i].pieces : cases[i].hull);
            assert_true(json_is(tool.out, cases[i].key, k ? cases[i].in_pieces : cases[i].as_hull));
        }
        assert_int_equal(
            tool_run(&tool, ABUT_CLI, "%s cup.obj sphere:0.05 %s --convex --pieces", cases[i].command, cases[i].words),
            2);
        assert_non_null(strstr(tool.err, "exclude --convex"));
    }
    refuses("intersect", "cup.obj sphere:0.05 --pieces", "abut collide takes pieces");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_meet_or_not),
        cmocka_unit_test(half_spaces),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(what_is_not_decided_has_its_own_status),
        cmocka_unit_test(volume_of_boxes),
        cmocka_unit_test(meshes_that_are_not_convex_are_refused),
        cmocka_unit_test(all_commands_on_pairs_take_the_same),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
