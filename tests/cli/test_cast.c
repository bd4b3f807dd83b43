/* SPDX-License-Identifier: Apache-2.0 */
/* abut cast: rays and moved bodies against bodies in words, meshes and scenes; exit status, JSON, bad input. */
#include "support/cli.h"

static void rays(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast cylinder:0.1,0.2 --ray 0,0,5,0,0,-10 --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "outcome", "\"hit\""));
    CHECK_NEAR(json_number(tool.out, "t"), 0.48, 1e-15);
    CHECK(json_number(tool.out, "t_lo") <= 0.48 && json_number(tool.out, "t_hi") >= 0.48);
    CHECK_VEC_NEAR(json_vec3("point"), abut_vec3(0, 0, 0.2), 1e-15);
    CHECK_VEC_NEAR(json_vec3("normal"), abut_axis(2), 0);
    assert_true(json_is(tool.out, "feature", "-1"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast box:1,1,1 --pose-a 0,0,1 --ray -5,0,0,2,0,0 --json"), 1);
    assert_true(json_is(tool.out, "outcome", "\"none\"") && json_at(tool.out, "point") == NULL);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast sphere:1 --ray -5,1,0,10,0,0"), 3);
    assert_true(has(tool.out, "grazing"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast sphere:1 --ray 0,0,0,10,0,0"), 0);
    assert_true(has(tool.out, "at_start"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus -o ring.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast ring.obj --ray 0,0,5,0,0,-10"), 1); /* through the hole */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast ring.obj --ray 0.3,0,5,0,0,-10 --json"), 0);
    CHECK(json_number(tool.out, "feature") >= 0);
}

static void moved_bodies(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast sphere:1 sphere:0.5 --pose-b 5,0,0 --way -5,0,0 --json"), 0);
    CHECK(json_number(tool.out, "t_lo") <= 0.7 && json_number(tool.out, "t_hi") >= 0.7);
    CHECK_NEAR(json_number(tool.out, "t"), 0.7, 1e-6);
    CHECK_VEC_NEAR(json_vec3("normal"), abut_axis(0), 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast sphere:1 box:1,1,1 --pose-b 5,0,0 --way 0,5,0"), 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast plane:0,0,1,0 plane:0,0,1,5 --way 0,0,-10 --json"), 0);
    CHECK_NEAR(json_number(tool.out, "t"), 0.5, 1e-6);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    refuses("cast", "plane:0,0,1,0 box.obj --pose-b 0,0,3 --way 0,0,-10", "a plane goes with convex bodies alone");
    refuses("cast", "box.obj plane:0,0,1,0 --pose-b 0,0,3 --way 0,0,-10", "a plane goes with convex bodies alone");
}

static void scenes(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast --scene stack:3 --ray 0.01,0.02,5,0,0,-10 --all --json"), 0);
    assert_true(json_is(tool.out, "body", "\"box2\"") && json_is(tool.out, "hits.3.body", "\"ground\""));
    CHECK(json_number(tool.out, "hits.0.t") < json_number(tool.out, "hits.1.t"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast --scene stack:3 sphere:0.1 --pose-a 0,0,5 --way 0,0,-10"), 0);
    assert_true(has(tool.out, "box2"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast --scene stack:3 --ray 0,0,5,0,0,10"), 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus -o ring.obj"), 0);
    tool_file(&tool, "ring.xml",
        "<mujoco><asset><mesh name='m' file='ring.obj'/></asset><worldbody><geom type='mesh' "
        "mesh='m'/></worldbody></mujoco>");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "cast --scene ring.xml --ray 0,0,5,0,0,-10"), 1); /* through the hole */
    assert_true(has(tool.err, "convex pieces"));
}

static void bad_input(void **state) {
    (void)state;
    refuses("cast", "sphere:1", "--ray");
    refuses("cast", "sphere:1 --ray 1,2", "--ray");
    refuses("cast", "sphere:1 sphere:1 --way 1,2", "--way");
    refuses("cast", "sphere:1 --ray 0,0,0,1,1,1 --way 1,2,3", "not both");
    refuses("cast", "sphere:1 --ray 0,0,0,1,1,1 --pose-b 1,1,1", "--pose-b");
    refuses("cast", "sphere:1 --ray 0,0,0,1,1,1 --tol 0.1", "--tol");
    refuses("cast", "--scene stack:3 --ray 0,0,5,0,0,-1 --pose-a 0,0,1", "--pose-a");
    refuses("cast", "--scene stack:3 sphere:1 --way 0,0,-1 --pose-b 0,0,1", "--pose-b");
    refuses("cast", "sphere:1 --way 1,2,3", "bodies");
    refuses("cast", "sphere:1 --ray 0,0,0,1,1,1 --all", "--all");
    refuses("cast", "sphere:1 --ray 1e80,0,0,1,1,1", "too large");
    refuses("cast", "missing.obj --ray 0,0,0,1,1,1", "missing.obj");
    refuses("cast", "--scene nothing --ray 0,0,0,1,1,1", "nothing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays),
        cmocka_unit_test(moved_bodies),
        cmocka_unit_test(scenes),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
