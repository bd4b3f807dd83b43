/* SPDX-License-Identifier: Apache-2.0 */
/* abut robot and abut ik: what they print, exit status, bad input. */
#include "abut/picture.h"
#include "support/cli.h"

/* A planar arm of two links with a site at its tip, and a free box. */
static void make_arm(void) {
    tool_file(&tool, "arm.xml",
        "<mujoco model='arm'><compiler angle='radian'/><worldbody><body name='upper'><joint name='shoulder' axis='0 -1 "
        "0' "
        "range='-3 3' armature='.5'/><geom type='capsule' fromto='0 0 0 1 0 0' size='.1' mass='2'/>"
        "<body name='lower' pos='1 0 0'><joint name='elbow' axis='0 -1 0' range='-3 3'/>"
        "<inertial pos='.5 0 0' mass='1' diaginertia='.01 .1 .1'/><site name='tip' pos='1 0 0'/>"
        "<camera name='eye'/></body></body></worldbody><actuator><motor name='m' joint='elbow'/></actuator>"
        "<keyframe><key name='up' qpos='0 1.5707963267948966'/></keyframe></mujoco>");
    tool_file(&tool, "state.json", "{\"qpos\": [1.5707963267948966, 0], \"qvel\": [0, 0]}");
}

static void models_are_described(void **state) {
    (void)state;
    make_arm();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot arm.xml"), 0);
    assert_true(has(tool.out, "arm: 2 bodies, 2 joints, 1 actuators"));
    assert_true(has(tool.out, "shoulder") && has(tool.out, "[-3, 3]") && has(tool.out, "tip"));
    assert_true(has(tool.err, "<camera>: is ignored"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot arm.xml --dynamics --json"), 0);
    assert_true(json_valid(tool.out));
    CHECK_NEAR(json_number(tool.out, "mass"), 3.0, 1e-12);
    assert_int_equal(json_count(tool.out, "mass_matrix"), 2);
    /* lower link about the elbow: 0.1 + 1 * 0.5^2; both hold against gravity (9.81 of MJCF) */
    CHECK_NEAR(json_number(tool.out, "mass_matrix.1.1"), 0.35, 1e-12);
    CHECK_NEAR(json_number(tool.out, "bias.1"), 0.5 * 9.81, 1e-12);
    CHECK_NEAR(json_number(tool.out, "bias.0"), (2.0 * 0.5 + 1.5) * 9.81, 1e-12);
    assert_int_equal(json_count(tool.out, "warnings"), 1);
    CHECK_NEAR(json_number(tool.out, "bodies.1.position.0"), 1.0, 1e-15);
}

static void states_are_set(void **state) {
    (void)state;
    make_arm();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot arm.xml --state state.json --json"), 0);
    CHECK_NEAR(json_number(tool.out, "bodies.1.position.2"), 1.0, 1e-15);
    CHECK_NEAR(json_number(tool.out, "bodies.1.orientation.0"), sqrt(0.5), 1e-15);
    CHECK_NEAR(json_number(tool.out, "com.2"), (2.0 * 0.5 + 1.5) / 3.0, 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot arm.xml --keyframe up --json"), 0);
    CHECK_NEAR(json_number(tool.out, "qpos.1"), 0.5 * ABUT_PI, 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot arm.xml --keyframe 0"), 0);
    tool_file(&tool, "r.urdf", "<robot name='u'><link name='base'/></robot>");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot r.urdf --dynamics --json"), 0);
    assert_true(json_is(tool.out, "name", "\"u\"") && json_count(tool.out, "mass_matrix") == 0);
}

static void targets_are_reached(void **state) {
    (void)state;
    make_arm();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "ik arm.xml --frame tip --target 1,0,1 --json"), 0);
    assert_true(json_is(tool.out, "reached", "true") && json_number(tool.out, "error_position") <= 1e-6);
    double a = json_number(tool.out, "qpos.0"), b = a + json_number(tool.out, "qpos.1");
    CHECK_NEAR(cos(a) + cos(b), 1.0, 2e-6);
    CHECK_NEAR(sin(a) + sin(b), 1.0, 2e-6);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "ik arm.xml --frame tip --target 5,0,0 --restarts 1 --json"), 1);
    assert_true(json_is(tool.out, "reached", "false") && json_number(tool.out, "restarts") == 1);
    CHECK_NEAR(json_number(tool.out, "error_position"), 3.0, 1e-2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "ik arm.xml --frame lower --target 0,0,1,1,0,0,0"), 0);
    assert_true(has(tool.out, "reached          yes"));
}

static void bad_input_is_refused(void **state) {
    (void)state;
    static const char *const bad[][2] = {{"robot", "expected one model"}, {"robot gone.xml", "cannot be opened"},
        {"robot arm.xml --state gone.json", "cannot be opened"},
        {"robot arm.xml --state short.json", "expected 2 numbers"},
        {"robot arm.xml --keyframe upp", "did you mean 'up'"},
        {"robot arm.xml --keyframe up --state state.json", "not both"},
        {"robot light.xml", "light.xml:1: body 'a' moves and has no mass"},
        {"robot far.xml", "far.xml:1: <body>: attribute pos: expected numbers of at most 1e+60"},
        {"robot heavy.xml", "heavy.xml: expected smaller lengths and masses"},
        {"robot arm.xml --state fast.json --dynamics", "fast.json: expected smaller velocities, lengths and masses"},
        {"robot arm.xml --state fast.json --dynamics --json", "bias or energy are not finite"},
        {"robot arm7", "no built-in model 'arm7'"},
        {"robot planar-arm:31", "model 'planar-arm': expected a whole number from 1 to 30, got '31'"},
        {"ik arm.xml", "expected --frame and --target"}, {"ik arm.xml --frame tip --target 1,2", "got 2 numbers"},
        {"ik arm.xml --frame tipp --target 1,2,3", "no frame or body 'tipp' in arm.xml; frames: tip"},
        {"ik arm.xml --frame tip --target 0,0,0,0,0,0,0", "quaternion is zero"},
        {"ik arm.xml --frame tip --target 1e300,0,0", "--target: expected a number from -1e+60 to 1e+60"},
        {"ik arm.xml --frame tip --target 1,2,3 --tol -1", "--tol"}};
    make_arm();
    tool_file(&tool, "fast.json", "{\"qpos\": [0, 1], \"qvel\": [1e200, 0]}");
    tool_file(&tool, "short.json", "{\"qpos\": [1]}");
    tool_file(&tool, "far.xml",
        "<mujoco><worldbody><body pos='1e308 0 0'><joint/><geom size='1'/></body></worldbody></mujoco>");
    tool_file(&tool, "heavy.xml",
        "<mujoco><worldbody><body pos='1e9 0 0'><geom size='.1' mass='1e300'/></body></worldbody></mujoco>");
    tool_file(&tool, "light.xml", "<mujoco><worldbody><body name='a'><joint/></body></worldbody></mujoco>");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        if (tool_run(&tool, ABUT_CLI, "%s", bad[i][0]) != 2) fail_msg("%s: status", bad[i][0]);
        assert_true(has(tool.err, bad[i][1]));
        assert_string_equal(tool.out, "");
    }
}

/* A box in the hole of a ring: the hull of the ring would hold it. */
static void meshes_are_measured_by_their_triangles(void **state) {
    (void)state;
    static const char mjcf[] =
        "<mujoco><asset><mesh name='r' file='ring.obj'/></asset><worldbody><body><joint/><geom type='mesh' mesh='r'/>"
        "<body><joint/><geom type='sphere' size='0.01' pos='2 0 0'/><body><joint axis='1 0 0'/>"
        "<geom type='box' size='0.05 0.05 0.05'/></body></body></body></worldbody></mujoco>";
#define INERTIAL "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    static const char urdf[] =
        "<robot name='r'><link name='a'>" INERTIAL
        "<collision><geometry><mesh filename='ring.obj'/></geometry></collision></link><link name='m'>" INERTIAL
        "</link><link name='b'>" INERTIAL "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
        "<joint name='i' type='continuous'><parent link='a'/><child link='m'/></joint>"
        "<joint name='j' type='continuous'><parent link='m'/><child link='b'/></joint></robot>";
#undef INERTIAL
    static const char *const files[] = {"ring.xml", "ring.urdf"};
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus -o ring.obj"), 0);
    tool_file(&tool, "ring.xml", mjcf);
    tool_file(&tool, "ring.urdf", urdf);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "robot %s --distance --json", files[k]), 0);
        CHECK_NEAR(json_number(tool.out, "distances.0.distance"), 0.129978, 1e-4);
        assert_true(json_is(tool.out, "distances.0.mesh_a", "true"));
        assert_true(json_is(tool.out, "distances.0.mesh_b", "false"));
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot ring.xml --distance"), 0);
    CHECK(has(tool.out, "the first by its triangles"));
}

static void nearest_pairs_and_capsules(void **state) {
    (void)state;
    char path[4096], row[400];
    int rows = 0;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot biped --keyframe stand --distance --json"), 0);
    assert_true(json_valid(tool.out));
    assert_int_equal(json_count(tool.out, "distances"), 79);
    CHECK_NEAR(json_number(tool.out, "distances.0.distance"), 0.0, 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot arm6 --distance --capsules capsules.csv"), 0);
    CHECK(has(tool.out, "pairs that may meet"));
    snprintf(path, sizeof path, "%s/capsules.csv", tool.folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (; fgets(row, sizeof row, file); ++rows)
        if (rows == 0) assert_string_equal(row, "body,ax,ay,az,bx,by,bz,radius,volume\n");
    fclose(file);
    assert_int_equal(rows, 8); /* a header and seven bodies: the ground has no points */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "robot arm6 --distance --json"), 0);
    assert_true(json_is(tool.out, "distances.0.depth_uncertified", "null"));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "robot arm6 --distance --html page.html"), abut_page_available() ? 0 : 2);
    refuses("view", "nothing", "no built-in model 'nothing'");
    refuses("view", "biped --keyframe run", "biped has no keyframe 'run'");
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_are_described), cmocka_unit_test(states_are_set),
        cmocka_unit_test(targets_are_reached), cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(nearest_pairs_and_capsules), cmocka_unit_test(meshes_are_measured_by_their_triangles)};
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
