/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built-in scenes of robots that are hard to solve: loops that connects close, ropes and nets of many links, a light
 * cube between heavy fingers. Lengths in meters, masses in kilograms; z is up.
 */
#include <stdio.h>

#include "model/builtin_scene.h"

/* A rod along x of its frame, with a capsule unless its radius is 0. */
typedef struct Rod {
    double length, mass, radius;
    AbutJointKind joint;
    double damping, friction;
} Rod;

static AbutMat3 rod_inertia(const Rod *rod) {
    double thick = rod->radius > 0.0 ? rod->radius : 0.05 * rod->length, along = 0.5 * rod->mass * thick * thick,
           across = rod->mass * rod->length * rod->length / 12.0 + 0.5 * along;
    return abut_mat3_diagonal(along, across, across);
}

/* Hangs a rod on a body (-1: the world) by its joint; hinges turn about y. */
static AbutStatus add_rod(
    AbutBuild *build, const Rod *rod, int32_t parent, AbutPose at, const char *name, int number, int32_t *out) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutJointDef joint = abut_joint_default();
    char text[40];
    snprintf(text, sizeof text, "%s%d", name, number);
    body.name = joint.name = text;
    body.kind = ABUT_BODY_LINK;
    body.parent = parent;
    body.pose = at;
    body.mass = rod->mass;
    body.center = shape.pose.p = abut_vec3(0.5 * rod->length, 0.0, 0.0);
    body.inertia = rod_inertia(rod);
    AbutStatus status = abut_model_add_body(build->model, &body, out, build->error);
    shape.body = joint.body = *out;
    shape.pose.q = abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI);
    shape.form.kind = ABUT_SHAPE_CAPSULE;
    shape.form.size = abut_vec3(rod->radius, 0.5 * rod->length, 0.0);
    if (!status && rod->radius > 0.0) status = abut_model_add_shape(build->model, &shape, NULL, build->error);
    joint.kind = rod->joint;
    joint.axis = abut_axis(1);
    joint.damping = rod->damping;
    joint.friction_loss = rod->friction;
    return status ? status : abut_model_add_joint(build->model, &joint, NULL, build->error);
}

static AbutStatus connect(AbutBuild *build, int32_t a, AbutVec3 at_a, int32_t b, AbutVec3 at_b) {
    AbutEqualityDef equality = abut_equality_default();
    equality.kind = ABUT_EQUALITY_CONNECT;
    equality.a = a, equality.b = b;
    equality.pose_a = abut_pose(at_a, abut_quat_identity());
    equality.pose_b = abut_pose(at_b, abut_quat_identity());
    return abut_model_add_equality(build->model, &equality, NULL, build->error);
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

/* Three parallel bars carry a head: two connects hold what one would, and friction loss acts in every joint. */
AbutStatus abut_build_loops(AbutBuild *build) {
    Rod bar = {0.3, 0.4, 0.0, ABUT_JOINT_HINGE, 0.0, 0.02}, head = {0.3, 1.0, 0.0, ABUT_JOINT_HINGE, 0.0, 0.02};
    AbutQuat lean = abut_quat_axis_angle(abut_axis(1), -1.2), back = abut_quat_conj(lean);
    int32_t bars[3], plate = -1;
    ABUT_TRY(abut_build_ground(build, abut_pose_identity(), 1.0));
    for (int i = 0; i < 3; ++i)
        ABUT_TRY(add_rod(build, &bar, -1, abut_pose(abut_vec3(0.1 * i, 0.0, 1.0), lean), "bar", i, &bars[i]));
    ABUT_TRY(add_rod(build, &head, bars[0], abut_pose(abut_vec3(0.3, 0.0, 0.0), back), "head", 0, &plate));
    for (int i = 1; i < 3; ++i)
        ABUT_TRY(connect(build, plate, abut_vec3(0.1 * i, 0.0, 0.0), bars[i], abut_vec3(0.3, 0.0, 0.0)));
    return ABUT_OK;
}

static AbutStatus add_servo(AbutBuild *build, int32_t joint, double kp, double kv, double most) {
    AbutActuatorDef servo = abut_actuator_default();
    servo.name = build->model->joints[joint].name;
    servo.number = joint;
    servo.gain = kp;
    servo.bias[1] = -kp;
    servo.bias[2] = -kv;
    servo.force_limited = 1;
    servo.force_range[0] = -most;
    servo.force_range[1] = most;
    return abut_model_add_actuator(build->model, &servo, NULL, build->error);
}

/* An arm of the delta with its two rods, whose ends are on the platform: 0.27 m in, 0.36 m down. */
static AbutStatus add_delta_arm(AbutBuild *build, int number, int32_t platform) {
    const Rod arm = {0.2, 0.3, 0.0, ABUT_JOINT_HINGE, 0.01, 0.0}, rod = {0.45, 0.05, 0.0, ABUT_JOINT_BALL, 1e-4, 0.0};
    AbutQuat turn = abut_quat_axis_angle(abut_axis(2), 2.0 * ABUT_PI / 3.0 * number),
             down = abut_quat(sqrt(0.2), 0.0, sqrt(0.8), 0.0);
    int32_t upper, lower;
    AbutStatus status = add_rod(
        build, &arm, -1, abut_pose(abut_quat_rotate(turn, abut_vec3(0.15, 0.0, 0.0)), turn), "arm", number, &upper);
    if (!status) status = add_servo(build, build->model->joint_count - 1, 200.0, 10.0, 20.0);
    for (int side = -1; side <= 1 && !status; side += 2) {
        AbutVec3 on_platform = abut_quat_rotate(turn, abut_vec3(0.08, 0.04 * side, 0.0));
        status = add_rod(build, &rod, upper, abut_pose(abut_vec3(0.2, 0.04 * side, 0.0), down), "rod",
            2 * number + (side > 0), &lower);
        if (!status) status = connect(build, lower, abut_vec3(0.45, 0.0, 0.0), platform, on_platform);
    }
    return status;
}

/* A delta robot upside up: its base is the origin of the world, and the platform hangs below. */
AbutStatus abut_build_delta(AbutBuild *build) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.pose.p = abut_vec3(0.0, 0.0, -0.36);
    body.mass = 0.5;
    body.inertia = abut_mat3_diagonal(1e-3, 1e-3, 2e-3);
    shape.form.kind = ABUT_SHAPE_BOX;
    shape.form.size = abut_vec3(0.08, 0.08, 0.01);
    AbutStatus status = abut_build_body(build, &body, &shape, "platform", -1);
    int32_t platform = build->model->body_count - 1;
    for (int i = 0; i < 3 && !status; ++i) status = add_delta_arm(build, i, platform);
    return status;
}

/* ---- ropes and nets ---------------------------------------------------------------------------------------------- */

static const Rod cord = {0.04, 0.01, 0.006, ABUT_JOINT_BALL, 1e-6, 0.0};

/* Links in a row along x, the first held at `at`. */
static AbutStatus add_rope(AbutBuild *build, AbutVec3 at, int first, int count, int32_t *links) {
    AbutPose pose = abut_pose(at, abut_quat_identity());
    int32_t last = -1;
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && !status; ++i) {
        status = add_rod(build, &cord, last, pose, "link", first + i, &last);
        pose.p = abut_vec3(cord.length, 0.0, 0.0);
        if (links) links[i] = last;
    }
    return status;
}

AbutStatus abut_build_rope(AbutBuild *build) {
    double way = cord.length * build->number;
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), 1.0);
    return status ? status : add_rope(build, abut_vec3(0.0, 0.0, 0.6 * way), 0, (int)build->number, NULL);
}

/* Ropes side by side, and cords across from each link to the next rope: every mesh is a loop. */
AbutStatus abut_build_net(AbutBuild *build) {
    enum { MOST = 12 };
    int n = (int)build->number, across = 0;
    int32_t links[MOST][MOST], bridge;
    AbutPose side = abut_pose(abut_vec3(cord.length, 0.0, 0.0), abut_quat_axis_angle(abut_axis(2), 0.5 * ABUT_PI));
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), 1.0);
    for (int i = 0; i < n && !status; ++i)
        status = add_rope(build, abut_vec3(0.0, cord.length * i, 0.6 * cord.length * n), n * i, n, links[i]);
    for (int i = 0; i + 1 < n; ++i)
        for (int k = 0; k < n && !status; ++k) {
            status = add_rod(build, &cord, links[i][k], side, "across", across++, &bridge);
            if (!status) status = connect(build, bridge, side.p, links[i + 1][k], side.p);
        }
    return status;
}

/* ---- squeeze ----------------------------------------------------------------------------------------------------- */

/* A finger on a slide along x that presses with 50 N. */
static AbutStatus add_finger(AbutBuild *build, int side) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutJointDef joint = abut_joint_default();
    AbutActuatorDef motor = abut_actuator_default();
    body.name = joint.name = motor.name = side < 0 ? "left" : "right";
    body.kind = ABUT_BODY_LINK;
    body.pose.p = abut_vec3(0.0501 * side, 0.0, 0.3);
    body.mass = 10.0;
    body.inertia = abut_mat3_diagonal(0.01, 0.01, 0.01);
    shape.form.size = abut_vec3(0.03, 0.03, 0.05);
    shape.material.friction = 0.8;
    joint.kind = ABUT_JOINT_SLIDE;
    joint.axis = abut_vec3(-side, 0.0, 0.0);
    ABUT_TRY(abut_model_add_body(build->model, &body, &shape.body, build->error));
    joint.body = shape.body;
    ABUT_TRY(abut_model_add_shape(build->model, &shape, NULL, build->error));
    ABUT_TRY(abut_model_add_joint(build->model, &joint, &motor.number, build->error));
    motor.bias[0] = 50.0;
    return abut_model_add_actuator(build->model, &motor, NULL, build->error);
}

AbutStatus abut_build_squeeze(AbutBuild *build) {
    AbutBodyDef cube = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    double edge = 0.04;
    cube.mass = 10.0 / build->number;
    cube.inertia = abut_mat3_scale(abut_mat3_diagonal(1.0, 1.0, 1.0), cube.mass * edge * edge / 6.0);
    cube.pose.p = abut_vec3(0.0, 0.0, 0.3);
    shape.form.size = abut_vec3(0.5 * edge, 0.5 * edge, 0.5 * edge);
    shape.material.friction = 0.8;
    ABUT_TRY(abut_build_ground(build, abut_pose_identity(), 1.0));
    ABUT_TRY(abut_build_body(build, &cube, &shape, "cube", -1));
    for (int side = -1; side <= 1; side += 2) ABUT_TRY(add_finger(build, side));
    return ABUT_OK;
}
