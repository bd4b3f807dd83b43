/* SPDX-License-Identifier: Apache-2.0 */
/* abut collide and abut toi: known answers, all pairs, containment, paths and motions, exit status, bad input. Ground
 * from files of heights. */
#include "support/cli.h"

static void make_meshes(void) {
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 0.2,0.2,0.2 -o small.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus -o ring.obj"), 0);
}

static void meshes_meet_or_not(void **state) {
    (void)state;
    make_meshes();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide box.obj box.obj --pose-b 0.5,0.25,0.125 --json"), 0);
    assert_true(json_valid(tool.out));
    assert_true(json_is(tool.out, "collide", "true") && json_is(tool.out, "outcome", "\"penetrating\""));
    assert_int_equal(json_count(tool.out, "pairs"), 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide box.obj box.obj --pose-b 0.5,0.25,0.125 --all --json"), 0);
    assert_true(json_count(tool.out, "pairs") > 4 && json_is(tool.out, "more", "false"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide box.obj box.obj --limit 2"), 2);
    assert_non_null(strstr(tool.err, "--all"));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "collide box.obj box.obj --pose-b 0.5,0.25,0.125 --all --limit 2 --json"), 0);
    assert_true(json_count(tool.out, "pairs") == 2 && json_is(tool.out, "more", "true"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide box.obj box.obj --pose-b 1,0,0"), 0); /* touching faces */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide box.obj box.obj --pose-b 1.001,0,0"), 1);
    assert_true(has(tool.out, "separated"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide box.obj small.obj --json"), 0);
    assert_true(json_is(tool.out, "outcome", "\"b_in_a\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide ring.obj small.obj --json"), 1); /* in the hole */
    assert_true(json_is(tool.out, "outcome", "\"separated\"") && json_count(tool.out, "pairs") == 0);
    tool_file(&tool, "open.obj", "v -2 -2 -2\nv 4 -1 -1\nv -1 4 -1\nv -1 -1 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide open.obj small.obj"), 1);
    assert_true(has(tool.out, "open"));
}

static void bodies_in_words_meet_meshes(void **state) {
    (void)state;
    make_meshes();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide box.obj sphere:0.25 --pose-b 0,0,0.7 --all --json"), 0);
    assert_true(
        json_is(tool.out, "outcome", "\"penetrating\"") && json_count(tool.out, "pairs") == 2); /* the upper face */
    assert_true(json_number(tool.out, "pairs.0.1") == -1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide sphere:0.25 box.obj --pose-a 0,0,0.7 --json"), 0);
    assert_true(json_number(tool.out, "pairs.0.0") == -1 && json_number(tool.out, "pairs.0.1") >= 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide box.obj sphere:0.25 --pose-b 0,0,0.76"), 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide sphere:0.25 box.obj --json"), 0);
    assert_true(json_is(tool.out, "outcome", "\"a_in_b\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide sphere:1 box:1,1,1 --pose-b 1.9,0,0 --json"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide sphere:1 box:1,1,1 --pose-b 2.1,0,0 --json"), 1);
    refuses("collide", "ring.obj plane:0,0,1,0", "plane:0,0,1,0: a plane goes with convex bodies alone");
    refuses("distance", "plane:0,0,1,0 ring.obj", "plane:0,0,1,0: a plane goes with convex bodies alone");
    tool_file(&tool, "drop.csv", "0,0,0,2,1,0,0,0\n1,0,0,0,1,0,0,0\n");
    refuses("toi", "plane:0,0,1,0 box.obj --motion-b drop.csv", "plane:0,0,1,0: a plane goes with convex bodies alone");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "toi box.obj sphere:0.25 --motion-b drop.csv --json"), 0);
    CHECK_NEAR(json_number(tool.out, "t"), 1.25 / 2, 1e-5);
}

static void paths_give_rows(void **state) {
    (void)state;
    make_meshes();
    tool_file(&tool, "one.csv", "0,3,0,0,1,0,0,0\n");
    refuses("collide", "box.obj box.obj --path one.csv --pose-b 1,0,0", "--pose-b and --path both place the body");
    refuses("distance", "box.obj box.obj --path one.csv --pose-b 1,0,0", "--pose-b and --path both place the body");
    tool_file(&tool, "path.csv",
        "t,x,y,z,qw,qx,qy,qz\n# far, near, inside\n0,3,0,0,1,0,0,0\n1,1,0,0,2,0,0,0\n2,0,0,0,1,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide box.obj small.obj --path path.csv"), 0);
    assert_int_equal(lines_of(tool.out), 4);
    assert_true(has(tool.out, "0,0,separated,-1,-1\n") && has(tool.out, "2,1,b_in_a,-1,-1\n"));
    refuses("collide", "box.obj small.obj --path path.csv --json", "--path");
    tool_file(&tool, "bad.csv", "0,3,0,0,1,0,0\n");
    refuses("collide", "box.obj small.obj --path bad.csv", "bad.csv:1:");
    tool_file(&tool, "bad.csv", "0,3,0,0,0,0,0,0\n");
    refuses("collide", "box.obj small.obj --path bad.csv", "quaternion");
    refuses("collide", "box.obj small.obj --path none.csv", "none.csv");
    refuses("collide", "box.obj", "two mesh files");
}

static void motions_hit(void **state) {
    (void)state;
    make_meshes();
    tool_file(&tool, "b.csv", "0,3.5,0,0,1,0,0,0\n1,0.5,0,0,1,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "toi box.obj box.obj --motion-b b.csv --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "outcome", "\"hit\""));
    CHECK_NEAR(json_number(tool.out, "t"), 2.5 / 3, 1e-5);
    assert_true(json_number(tool.out, "t_lo") <= 2.5 / 3 && json_number(tool.out, "t_hi") >= 2.5 / 3 - 1e-9);
    CHECK_VEC_NEAR(json_vec3("normal"), abut_axis(0), 1e-6);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "toi box.obj box.obj --motion-b b.csv --to 0.5"), 1);
    assert_true(has(tool.out, "none"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "toi box.obj box.obj --motion-a b.csv --motion-b b.csv"), 0);
    assert_true(has(tool.out, "at_start"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "toi box.obj box.obj --pose-a 0,0,5 --motion-b b.csv --json"), 1);
    for (int i = 0; i < 4; ++i) { /* the way passes between two times: no proof of anything */
        static const char *const far[4] = {"5e15", "1e16", "2e16", "3e16"};
        char text[100];
        snprintf(text, sizeof text, "0,%s,0,0,1,0,0,0\n1,0,0,0,1,0,0,0\n", far[i]);
        tool_file(&tool, "far.csv", text);
        assert_int_not_equal(tool_run(&tool, ABUT_CLI, "toi box.obj sphere:0.25 --motion-b far.csv"), 1);
        assert_int_not_equal(tool_run(&tool, ABUT_CLI, "toi box.obj box.obj --motion-b far.csv"), 1);
    }
    tool_file(&tool, "still.csv", "1,0,0,0,1,0,0,0\n1,0,0,0,1,0,0,0\n");
    refuses("toi", "box.obj box.obj --motion-b still.csv", "still.csv:2: its time 1 is not after 1");
    refuses("toi", "box.obj box.obj", "--motion-a");
    refuses("toi", "box.obj box.obj --motion-b b.csv --tol -1", "--tol");
}

/* A pyramid of 3 by 3 points: 16 m^2 of ground 0.5 m deep, and the pyramid on it, a third of 16 m^2 times 3 m. */
static void ground_is_made_from_heights(void **state) {
    (void)state;
    static const unsigned char bytes[44] = {3, 0, 0, 0, 3, 0, 0, 0, [26] = 0x80, [27] = 0x3f}; /* 1 in the middle */
    FILE *file = fopen(tool_path(&tool, "peak.bin"), "wb");
    assert_true(file && fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes && fclose(file) == 0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "make height-field --heights peak.bin --size 2,2,3,0.5 -o ground.obj --json"), 0);
    assert_true(json_is(tool.out, "triangles", "32") && json_is(tool.out, "shape", "\"height-field\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info ground.obj --json"), 0);
    assert_true(json_is(tool.out, "closed", "true"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance ground.obj sphere:0.5 --pose-b 0,0,4 --json"), 0);
    CHECK_NEAR(json_number(tool.out, "distance"), 0.5, 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make height-field -o x.obj"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus --heights peak.bin -o x.obj"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make height-field --heights peak.bin --size 2,2 -o x.obj"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make height-field --heights ground.obj --size 2,2,1,1 -o x.obj"), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_meet_or_not),
        cmocka_unit_test(bodies_in_words_meet_meshes),
        cmocka_unit_test(paths_give_rows),
        cmocka_unit_test(motions_hit),
        cmocka_unit_test(ground_is_made_from_heights),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
