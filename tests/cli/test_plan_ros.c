/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of MoveIt in `abut plan` and `plan check`: trajectories against the same as CSV; planning scenes against the
 * same obstacles as a model; what is refused. */
#include "support/cli.h"

#include <math.h>

static const char robot[] =
    "<robot name='arm'><link name='base'><collision><origin xyz='-0.4 0 0'/><geometry><box size='0.1 0.1 "
    "0.1'/></geometry></collision></link>"
    "<link name='upper'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial><collision><origin "
    "xyz='0.15 0 0'/><geometry><box size='0.3 0.05 0.05'/></geometry></collision>"
    "</link><joint name='upper_joint' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 0 1'/>"
    "<limit lower='-3' upper='3' effort='1' velocity='2'/></joint>"
    "<link name='lower'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial><collision><origin "
    "xyz='0.15 0 0'/><geometry><box size='0.3 0.05 0.05'/></geometry></collision>"
    "</link><joint name='lower_joint' type='revolute'><parent link='upper'/><child link='lower'/><origin xyz='0.3 0 "
    "0'/><axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='2'/></joint>"
    "<link name='hand'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial><collision><origin "
    "xyz='0.05 0 0'/><geometry><box size='0.1 0.05 0.05'/></geometry></collision>"
    "</link><joint name='hand_joint' type='revolute'><parent link='lower'/><child link='hand'/><origin xyz='0.3 0 0'/>"
    "<axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='2'/></joint></robot>";

static void write_robot(void) { tool_file(&tool, "arm.urdf", robot); }

/* The answer of `plan check` of a file, which must be the same as of another one. */
static void check_same(const char *one, const char *other, int expected) {
    char text[4000];
    int status = tool_run(&tool, ABUT_CLI, "plan check arm.urdf %s --json", other);
    if (status != expected) fail_msg("%s: %d, %s", other, status, tool.err);
    snprintf(text, sizeof text, "%s", tool.out);
    status = tool_run(&tool, ABUT_CLI, "plan check arm.urdf %s --json", one);
    if (status != expected || strcmp(text, tool.out) != 0) fail_msg("%s: %d, %s%s", one, status, tool.err, tool.out);
}

/* Joints in another order, with speeds, inside the messages that hold a trajectory. */
static void trajectories_are_those_of_csv(void **state) {
    (void)state;
    write_robot();
    tool_file(&tool, "a.csv", "t,upper_joint,lower_joint\n0.5,0,0\n1.25,0.3,2\n2,1,0\n");
    tool_file(&tool, "a.yaml",
        "---\nheader:\n  stamp:\n    sec: 3\n    nanosec: 5\n  frame_id: base\njoint_names:\n- lower_joint\n- "
        "upper_joint\n"
        "points:\n- positions:\n  - 0.0\n  - 0.0\n  velocities: []\n  accelerations: []\n  effort: []\n"
        "  time_from_start:\n    sec: 0\n    nanosec: 500000000\n- positions: [2.0, .3]\n  velocities: []\n"
        "  time_from_start: {sec: 1, nanosec: 250000000}\n- positions: [0, 1]\n  time_from_start:\n    sec: 2\n---\n");
    check_same("a.yaml", "a.csv", 0);
    tool_file(&tool, "a.json",
        "{\"op\": \"publish\", \"topic\": \"/plan\", \"msg\": {\"trajectory\": [{\"joint_trajectory\": "
        "{\"joint_names\": "
        "[\"lower_joint\", \"upper_joint\"], \"points\": [{\"positions\": [0, 0], \"time_from_start\": {\"secs\": 0, "
        "\"nsecs\": 500000000}}, {\"positions\": [2, 0.3], \"time_from_start\": {\"secs\": 1, \"nsecs\": 250000000}}, "
        "{\"positions\": [0, 1], \"time_from_start\": {\"secs\": 2, \"nsecs\": 0}}]}, "
        "\"multi_dof_joint_trajectory\": {\"points\": []}}]}}");
    check_same("a.json", "a.csv", 0);
    tool_file(&tool, "b.csv",
        "t,upper_joint,lower_joint,upper_joint:v,lower_joint:v,upper_joint:a,lower_joint:a\n0,0,0,1,2,0,0\n1,1,2.9,0,0,"
        "0,0.5\n");
    tool_file(&tool, "b.yaml",
        "joint_names: [upper_joint, lower_joint]\npoints:\n- positions: [0, 0]\n  velocities: [1, 2]\n  accelerations: "
        "[0, 0]\n"
        "- positions: [1, 2.9]\n  velocities: [0, 0]\n  accelerations: [0, 0.5]\n  time_from_start: {sec: 1}\n");
    check_same("b.yaml", "b.csv", 0);
}

/* A start state sets joints that the trajectory does not name: the hand folds back into the upper link. */
static void start_states_count(void **state) {
    (void)state;
    write_robot();
    tool_file(&tool, "c.csv", "t,upper_joint,lower_joint,hand_joint\n0,0,2.9,1.8\n1,1,2.9,1.8\n");
    tool_file(&tool, "c.yaml",
        "model_id: arm\ntrajectory:\n- joint_trajectory:\n    joint_names: [upper_joint]\n    points:\n"
        "    - positions: [0]\n    - positions: [1]\n      time_from_start: {sec: 1}\n"
        "trajectory_start:\n  joint_state:\n    name: [hand_joint, other_robot, lower_joint, upper_joint]\n"
        "    position: [1.8, 7.0, 2.9, 0.0]\n");
    check_same("c.yaml", "c.csv", 1);
}

static void refuse(const char *text, const char *part) {
    write_robot();
    tool_file(&tool, "bad.yaml", text);
    int status = tool_run(&tool, ABUT_CLI, "plan check arm.urdf bad.yaml");
    if (status != 2 || !has(tool.err, part)) fail_msg("%s\ngave %d '%s', expected '%s'", text, status, tool.err, part);
}

static void bad_trajectories_are_refused(void **state) {
    (void)state;
    refuse("a: 1", "bad.yaml:1: expected a trajectory_msgs/JointTrajectory, got no joint_names");
    refuse("- 1", "got no joint_names");
    refuse("joint_names: []\npoints: []", "bad.yaml:1: joint_names: expected an array of names, got an array");
    refuse("joint_names: [1]", "joint_names[0]: expected a name, got a number");
    refuse("joint_names:\n- uper_joint", "bad.yaml:2: joint_names[0]: joint 'uper_joint': no such joint; did you mean "
                                         "'upper_joint'?");
    refuse("joint_names: [hand_joint, hand_joint]", "joint_names[1]: expected each joint once, got 'hand_joint' twice");
    refuse("joint_names: [hand_joint]\npoints:\n- positions: [1]", "points: expected two points or more, got 1");
    refuse("joint_names: [hand_joint]\npoints: '<sequence type: x, length: 3>'",
        "points: expected an array, got a string");
    refuse("joint_names: [hand_joint]\npoints:\n- positions: [1]\n- positions: [2]\n",
        "bad.yaml:4: points[1]: expected a time_from_start after 0 s, got 0 s: this path has no times yet");
    refuse("joint_names: [hand_joint]\npoints:\n- positions: [1]\n- positions: [2]\n  time_from_start: {sec: 1}\n"
           "- positions: [2]\n  time_from_start: {nanosec: 999999999}\n",
        "bad.yaml:7: points[2].time_from_start: expected a time_from_start after 1 s, got 1 s");
    refuse(
        "joint_names: [hand_joint]\npoints:\n- positions: [1]\n- positions: [2]\n  time_from_start: {nanosec: 1e9}\n",
        "expected whole seconds and 0 to 999999999 nanoseconds");
    refuse("joint_names: [hand_joint]\npoints:\n- positions: [1]\n- positions: [2]\n  time_from_start: 1\n",
        "time_from_start: expected an object, got a number");
    refuse("joint_names: [hand_joint]\npoints:\n- {}\n- positions: [2]\n", "points[0]: expected positions, got none");
    refuse("joint_names: [hand_joint]\npoints:\n- positions: [.nan]\n- positions: [2]\n",
        "points[0].positions[0]: expected a number, got a string");
    refuse("joint_names: [hand_joint]\npoints:\n- positions: ['...']\n- positions: [2]\n",
        "ros2 topic echo --full-length");
    refuse("joint_names: [hand_joint]\npoints:\n- positions: [1, 2]\n- positions: [2]\n",
        "expected 1 numbers, got 2 values");
    refuse("joint_names: [hand_joint]\npoints:\n- positions: [1]\n  velocities: [0]\n- positions: [2]\n"
           "  time_from_start: {sec: 1}\n",
        "points[1]: expected velocities at all points or at none");
    refuse("joint_names: [hand_joint]\npoints:\n- positions: [1]\n  accelerations: [0]\n- positions: [2]\n"
           "  accelerations: [0]\n  time_from_start: {sec: 1}\n",
        "accelerations without speeds");
    refuse("trajectory_start: {}\ntrajectory:\n- joint_trajectory: {}\n- joint_trajectory: {}\n",
        "trajectory: expected one trajectory, got 2");
    refuse("joint_trajectory:\n  joint_names: [hand_joint]\n  points: []\nmulti_dof_joint_trajectory:\n  points:\n  - "
           "{}\n",
        "bad.yaml:6: multi_dof_joint_trajectory.points: expected no points");
    tool_file(&tool, "x.mcap", "\x89MCAP0\r\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm.urdf x.mcap"), 2);
    assert_true(has(tool.err, "an MCAP bag, which abut.ros of the Python package reads"));
}

/* ---- planning scenes --------------------------------------------------------------------------------------------- */

static const char motion[] = "t,upper_joint,lower_joint,hand_joint\n0,-0.5,0,0\n1,0.5,0.5,0.2\n";

/* Primitives, a mesh, frames of links and fixed ones, as in an MJCF of the same things. */
static const char scene[] =
    "name: (noname)+\nrobot_state:\n  joint_state:\n    header: {frame_id: map}\n    name: [hand_joint]\n    position: "
    "[0.1]\n"
    "  attached_collision_objects: []\nfixed_frame_transforms:\n- header: {frame_id: map}\n  child_frame_id: shelf\n"
    "  transform:\n    translation: {x: 1.0, y: 2.0, z: 0.0}\n    rotation: {x: 0.0, y: 0.0, z: 0.7071067811865476, w: "
    "0.7071067811865476}\nworld:\n  collision_objects:\n"
    "  - header: {frame_id: base}\n    id: post\n    pose:\n      position: {x: 1.2, y: -0.5, z: 0.0}\n"
    "    primitives:\n    - type: 3\n      dimensions: [1.0, 0.1]\n    - type: 1\n      dimensions:\n      - 0.2\n     "
    " - 0.3\n"
    "      - 0.4\n    primitive_poses:\n    - position: {x: 0.0, y: 0.0, z: 0.5}\n"
    "    - position: {x: 0.0, y: 0.0, z: -0.5}\n      orientation: {x: 0.0, y: 0.0, z: 0.0, w: 0.0}\n    operation: "
    "\"\\0\"\n"
    "  - header: {frame_id: shelf}\n    id: 'ball'\n    primitives:\n    - type: 2\n      dimensions: [0.3]\n"
    "  - header: {frame_id: ''}\n    id: cone\n    primitives:\n    - type: 4\n      dimensions: [0.4, 0.2]\n"
    "    primitive_poses:\n    - position: {x: -1.0, y: 0.0, z: 0.0}\n"
    "  - header: {frame_id: hand}\n    id: chip\n    primitives:\n    - type: 1\n      dimensions: [0.01, 0.01, 0.01]\n"
    "    primitive_poses:\n    - position: {x: 0.4, y: 0.0, z: 0.0}\n"
    "  - id: gone\n    operation: 1\n  octomap:\n    octomap:\n      data: []\n";

static void objects_are_those_of_a_model(void **state) {
    (void)state;
    char model[2000];
    write_robot();
    tool_file(&tool, "scene.yaml", scene);
    tool_file(&tool, "m.csv", motion);
    double c = cos(0.1), s = sin(0.1); /* the hand at the state of the scene */
    snprintf(model, sizeof model,
        "<mujoco><worldbody><body name='post' pos='1.2 -0.5 0'><geom type='cylinder' size='0.1 0.5' pos='0 0 0.5'/>"
        "<geom type='box' size='0.1 0.15 0.2' pos='0 0 -0.5'/></body><body name='ball' pos='1 2 0'><geom "
        "size='0.3'/></body>"
        "<body name='chip' pos='%.17g %.17g 0' quat='%.17g 0 0 %.17g'><geom type='box' size='0.005 0.005 "
        "0.005'/></body>"
        "</worldbody></mujoco>",
        0.6 + 0.4 * c, 0.4 * s, cos(0.05), sin(0.05));
    tool_file(&tool, "model.xml", model);
    static const char *const names[] = {"post", "ball", "chip"};
    static const char *const links[] = {"upper", "lower", "hand"};
    for (int i = 0; i < 9; ++i) {
        double d[2][2];
        for (int k = 0; k < 2; ++k) {
            assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm.urdf m.csv --obstacles %s --pairs %s:%s --json",
                                 k ? "scene.yaml" : "model.xml", links[i % 3], names[i / 3]),
                0);
            d[k][0] = json_number(tool.out, "clearance.ub");
            d[k][1] = json_number(tool.out, "clearance.t");
        }
        CHECK_NEAR(d[0][0], d[1][0], 1e-9);
        CHECK_NEAR(d[0][1], d[1][1], 1e-9);
    }
    /* A cone of ROS has its origin halfway up: the rim of its base is 0.35 m beside and 0.15 m below the base link. */
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan check arm.urdf m.csv --obstacles scene.yaml --pairs base:cone --json"), 0);
    CHECK_NEAR(json_number(tool.out, "clearance.ub"), hypot(0.35, 0.15), 1e-6);
}

/* What the robot holds moves along, may meet what it touches, and nothing else. */
static void held_objects_move_along(void **state) {
    (void)state;
    static const char held[] =
        "robot_state:\n  attached_collision_objects:\n  - link_name: hand\n    touch_links: [lower]\n    object:\n"
        "      header: {frame_id: hand}\n      id: stick\n      primitives:\n      - type: 1\n"
        "        dimensions: [0.5, 0.02, 0.02]\n      primitive_poses:\n      - position: {x: 0.3, y: 0.0, z: 0.0}\n"
        "world:\n  collision_objects:\n  - id: wall\n    header: {frame_id: world}\n    primitives:\n    - type: 1\n"
        "      dimensions: [0.1, 4.0, 1.0]\n    primitive_poses:\n    - position: {x: 1.1, y: 0.0, z: 0.0}\n";
    write_robot();
    tool_file(&tool, "held.yaml", held);
    tool_file(&tool, "turn.csv", "t,upper_joint\n0,1.5\n1,0\n"); /* 0.7 m of arm, 1.15 with the stick */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm.urdf turn.csv --obstacles held.yaml --json"), 1);
    assert_true(has(tool.out, "stick") && has(tool.out, "wall"));
    CHECK_NEAR(json_number(tool.out, "first_seen"), 1.0 - acos(1.05 / 1.15) / 1.5, 0.1);
    tool_file(&tool, "fold.csv", "t,lower_joint,hand_joint\n0,0,0\n1,2.9,0.4\n"); /* the stick meets the base link */
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan check arm.urdf fold.csv --obstacles held.yaml --pairs stick:base --json"), 1);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI,
            "plan check arm.urdf fold.csv --obstacles held.yaml --allow stick:base,stick:upper,stick:wall --json"),
        0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI,
            "plan arm.urdf --start upper_joint=1.5 --goal upper_joint=0,hand_joint=2 --obstacles held.yaml "
            "--csv o.csv --json"),
        0);
    assert_true(json_is(tool.out, "status", "\"certified\""));
}

/* The matrix of collisions allows pairs, entries before defaults. */
static void allowed_pairs_may_meet(void **state) {
    (void)state;
    static const char matrix[] =
        "allowed_collision_matrix:\n  entry_names: [base, hand, upper, wall]\n  entry_values:\n"
        "  - enabled: [false, false, false, false]\n  - enabled: [false, false, %s, %s]\n  - enabled: [false, %s, "
        "false, "
        "false]\n  - enabled: [false, %s, false, false]\n  default_entry_names: [%s]\n  default_entry_values: [%s]\n"
        "world:\n  collision_objects:\n  - id: wall\n    primitives:\n    - type: 1\n      dimensions: [0.1, 4.0, "
        "1.0]\n"
        "    primitive_poses:\n    - position: {x: 0.68, y: 0.0, z: 0.0}\n";
    static const struct {
        const char *upper, *wall, *name, *value;
        int expected;
    } cases[] = {{"false", "false", "", "", 1}, {"false", "true", "", "", 0}, {"true", "false", "", "", 1},
        {"false", "false", "hand", "true", 1}, {"false", "true", "hand", "false", 0}};
    write_robot();
    tool_file(&tool, "in.csv", "t,hand_joint\n0,0\n1,0.1\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[2000];
        snprintf(text, sizeof text, matrix, cases[i].upper, cases[i].wall, cases[i].upper, cases[i].wall, cases[i].name,
            cases[i].value);
        tool_file(&tool, "acm.yaml", text);
        int status = tool_run(&tool, ABUT_CLI, "plan check arm.urdf in.csv --obstacles acm.yaml");
        if (status != cases[i].expected) fail_msg("case %d: %d\n%s%s", (int)i, status, tool.err, tool.out);
    }
    tool_file(&tool, "default.yaml",
        "allowed_collision_matrix:\n  entry_names: []\n  entry_values: []\n  default_entry_names: [wall]\n  "
        "default_entry_values: [true]\nworld:\n  collision_objects:\n  - id: wall\n    primitives:\n    - type: 1\n"
        "      dimensions: [0.1, 4.0, 1.0]\n    primitive_poses:\n    - position: {x: 0.68, y: 0.0, z: 0.0}\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm.urdf in.csv --obstacles default.yaml"), 0);
}

static void refuse_object(const char *object, const char *part) {
    char text[2000];
    write_robot();
    tool_file(&tool, "m.csv", motion);
    snprintf(text, sizeof text, "world:\n  collision_objects:\n  - {%s}\n", object);
    tool_file(&tool, "bad.yaml", text);
    int status = tool_run(&tool, ABUT_CLI, "plan check arm.urdf m.csv --obstacles bad.yaml");
    if (status != 2 || !has(tool.err, part)) fail_msg("%s\ngave %d '%s', expected '%s'", text, status, tool.err, part);
}

static void bad_scenes_are_refused(void **state) {
    (void)state;
    refuse_object("id: ''", "bad.yaml:3: world.collision_objects[0]: expected an id, got none");
    refuse_object("id: a, header: {frame_id: camera}", "or of fixed_frame_transforms, got camera");
    refuse_object("id: a, primitives: [{type: 5, dimensions: []}]", "expected type 1, 2, 3 or 4");
    refuse_object("id: a, primitives: [{type: 1, dimensions: [1, 2]}]", "expected 3 numbers, got 2 values");
    refuse_object("id: a, primitives: [{type: 2, dimensions: [0]}]", "expected lengths above 0");
    refuse_object("id: a, primitives: [{type: 2}]", "expected dimensions, got none");
    refuse_object(
        "id: a, primitives: [{type: 2, dimensions: [1]}], primitive_poses: [{}, {}]", "a pose for each shape");
    refuse_object("id: a, pose: {orientation: {x: 1, y: 1}}", "expected a quaternion of length 1");
    refuse_object("id: a, planes: [{coef: [0, 0, 1, 0]}]", "expected a box in place of a plane");
    refuse_object("id: a, operation: 3", "expected operation add or remove");
    refuse_object("id: a, meshes: [{vertices: [], triangles: []}]", "expected vertices and triangles");
    refuse_object("id: a, meshes: [{vertices: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, {x: 0, y: 1}], triangles: "
                  "[{vertex_indices: [0, 1, 2]}]}]",
        "expected numbers x, y and z");
    refuse_object("id: a, meshes: [{vertices: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, {x: 0, y: 1, z: 0}], triangles: "
                  "[{vertex_indices: [0, 1, 3]}]}]",
        "expected numbers of vertices");
    refuse_object("id: a}\n  - {id: a", "bad.yaml:4: world.collision_objects[1].id: expected a name of its own, got a");
    refuse_object("id: a}\n  octomap: {octomap: {data: [1, 2]}", "expected no octomap");
    refuse_object("id: a}\nrobot_state: {attached_collision_objects: [{link_name: gone, object: {id: b}}]",
        "link_name of a link");
    refuse_object("id: a}\nrobot_state: {attached_collision_objects: [{link_name: hand, object: {id: upper}}]",
        "a name of its own");
    refuse_object(
        "id: a}\nrobot_state: {joint_state: {name: [hand_joint], position: []}", "expected a position for each name");
    tool_file(&tool, "empty.yaml", "a: 1\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm.urdf m.csv --obstacles empty.yaml"), 2);
    assert_true(has(tool.err, "expected a moveit_msgs/PlanningScene"));
    tool_file(&tool, "g.jsonl", "{\"goal\": \"hand_joint=1\"}\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan batch arm.urdf g.jsonl --obstacles empty.yaml"), 2);
    assert_true(has(tool.err, "got a planning scene"));
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(trajectories_are_those_of_csv, open_tool, close_tool),
        cmocka_unit_test_setup_teardown(start_states_count, open_tool, close_tool),
        cmocka_unit_test_setup_teardown(bad_trajectories_are_refused, open_tool, close_tool),
        cmocka_unit_test_setup_teardown(objects_are_those_of_a_model, open_tool, close_tool),
        cmocka_unit_test_setup_teardown(held_objects_move_along, open_tool, close_tool),
        cmocka_unit_test_setup_teardown(allowed_pairs_may_meet, open_tool, close_tool),
        cmocka_unit_test_setup_teardown(bad_scenes_are_refused, open_tool, close_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
