/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built-in robots: arms, a gripper, a hand and bipeds, made from rows of a table. A row is a link: a solid box, or a
 * rounded hull, at the end of a joint, with a servo on it. Lengths in meters, masses in kilograms; z is up and every
 * robot stands over the ground.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/builtin_scene.h"

typedef struct Row {
    const char *name, *parent; /* "": the world */
    double at[3];              /* of its frame in the parent's */
    char joint;                /* 'x', 'y', 'z': hinge about this axis; 'X', 'Y', 'Z': slide; 'f': free; '-': none */
    double range[2];
    double mass, center[3], half[3]; /* of the box */
    double kp, kv, force;            /* of the servo; 0: none */
} Row;

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static AbutVec3 vec(const double v[3]) { return abut_vec3(v[0], v[1], v[2]); }

static AbutStatus add_servo(AbutBuild *build, const Row *row, const char *name, int32_t joint) {
    AbutActuatorDef servo = abut_actuator_default();
    if (!(row->kp > 0.0) || build->friction > 0.0) return ABUT_OK;
    servo.name = name;
    servo.number = joint;
    servo.gain = row->kp;
    servo.bias[1] = -row->kp;
    servo.bias[2] = -row->kv;
    servo.control_limited = servo.force_limited = 1;
    memcpy(servo.control_range, row->range, sizeof servo.control_range);
    servo.force_range[0] = -row->force;
    servo.force_range[1] = row->force;
    return abut_model_add_actuator(build->model, &servo, NULL, build->error);
}

static AbutStatus add_joint(AbutBuild *build, const Row *row, const char *name, int32_t body) {
    AbutJointDef joint = abut_joint_default();
    int slide = row->joint >= 'X' && row->joint <= 'Z', axis = row->joint - (slide ? 'X' : 'x');
    int32_t number;
    if (row->joint == '-' || row->joint == 'f') return ABUT_OK;
    joint.kind = slide ? ABUT_JOINT_SLIDE : ABUT_JOINT_HINGE;
    joint.name = name;
    joint.body = body;
    joint.axis = abut_axis(axis);
    joint.limited = 1;
    memcpy(joint.range, row->range, sizeof joint.range);
    joint.armature = slide ? 0.1 : 0.01;
    joint.damping = slide ? 5.0 : 0.1;
    joint.friction_loss = build->friction * row->force;
    AbutStatus status = abut_model_add_joint(build->model, &joint, &number, build->error);
    return status ? status : add_servo(build, row, name, number);
}

/* ---- rounded links ----------------------------------------------------------------------------------------------- */

enum { MOST_AROUND = 60, MOST_POINTS = 1900 };

/* Triangles of a link, after the meshes of HRP-2 in Lee's thesis, Table 6.2. */
static int triangles_of(const char *name) {
    static const struct {
        const char *name;
        int triangles;
    } sizes[] = {{"head", 893}, {"chest", 332}, {"pelvis", 1849}, {"fore", 783}, {"upper", 294}, {"hand", 3482},
        {"thigh", 894}, {"shin", 448}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        if (strcmp(sizes[i].name, name) == 0) return sizes[i].triangles;
    return 200;
}

static double rounded(double x) { return x < 0.0 ? -sqrt(-x) : sqrt(x); }

/* A box with round edges, |x|^4 + |y|^4 + |z|^4 = 1 scaled, as a hull of about that many triangles. */
static AbutStatus add_round(AbutBuild *build, AbutShapeDef *shape, int triangles) {
    int around = (int)(sqrt((double)triangles) + 0.5), rings = triangles / (2 * around), n = 0;
    AbutVec3 points[MOST_POINTS], h = shape->form.size;
    AbutPolyhedron *hull;
    around = around < MOST_AROUND ? around : MOST_AROUND;
    for (int i = 1; i <= rings; ++i)
        for (int k = 0; k < around && n + 2 < MOST_POINTS; ++k) {
            double a = ABUT_PI * i / (rings + 1), b = 2.0 * ABUT_PI * (k + 0.5 * (i & 1)) / around;
            AbutVec3 d = abut_vec3(abut_sin(a) * abut_cos(b), abut_sin(a) * abut_sin(b), abut_cos(a));
            points[n++] = abut_mul(h, abut_vec3(rounded(d.x), rounded(d.y), rounded(d.z)));
        }
    points[n++] = abut_vec3(0.0, 0.0, h.z);
    points[n++] = abut_vec3(0.0, 0.0, -h.z);
    ABUT_TRY(abut_polyhedron_from_points(points, n, NULL, &hull, build->error));
    shape->form.kind = ABUT_SHAPE_POLYHEDRON;
    shape->form.polyhedron = hull;
    AbutStatus status = abut_model_add_shape(build->model, shape, NULL, build->error);
    abut_polyhedron_free(hull);
    return status;
}

/* Feet stay boxes, so that the soles are flat. */
static AbutStatus add_link_shape(AbutBuild *build, AbutShapeDef *shape, const char *name) {
    if (build->round && strcmp(name, "foot") != 0) return add_round(build, shape, triangles_of(name));
    return abut_model_add_shape(build->model, shape, NULL, build->error);
}

/* A link with its box, joint and servo; names have the prefix, and y is mirrored when `side` is -1. */
static AbutStatus add_row(AbutBuild *build, const Row *row, const char *prefix, int side) {
    AbutModel *model = build->model;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    char name[60], parent[60];
    AbutVec3 h = vec(row->half), mirror = abut_vec3(1.0, side, 1.0);
    snprintf(name, sizeof name, "%s%s", prefix, row->name);
    snprintf(parent, sizeof parent, "%s%s", prefix, row->parent);
    body.name = name;
    body.parent = abut_model_find(model, ABUT_MODEL_BODY, parent);
    if (body.parent < 0) body.parent = abut_model_find(model, ABUT_MODEL_BODY, row->parent);
    body.kind = row->joint == 'f'                      ? ABUT_BODY_DYNAMIC
                : body.parent < 0 && row->joint == '-' ? ABUT_BODY_STATIC
                                                       : ABUT_BODY_LINK;
    body.pose.p = abut_mul(vec(row->at), mirror);
    body.mass = row->mass;
    body.center = abut_mul(vec(row->center), mirror);
    body.inertia = abut_mat3_diagonal(row->mass / 3.0 * (h.y * h.y + h.z * h.z),
        row->mass / 3.0 * (h.x * h.x + h.z * h.z), row->mass / 3.0 * (h.x * h.x + h.y * h.y));
    ABUT_TRY(abut_model_add_body(model, &body, &shape.body, build->error));
    shape.form.size = h;
    shape.pose.p = body.center;
    shape.material.friction = 1.0;
    ABUT_TRY(add_link_shape(build, &shape, row->name));
    return add_joint(build, row, name, shape.body);
}

static AbutStatus add_rows(AbutBuild *build, int count, const Row *rows, const char *prefix, int side) {
    for (int i = 0; i < count; ++i) ABUT_TRY(add_row(build, &rows[i], prefix, side));
    return ABUT_OK;
}

static AbutStatus add_frame(AbutBuild *build, const char *name, const char *body, AbutVec3 at) {
    AbutFrameDef frame = abut_frame_default();
    frame.name = name;
    frame.body = abut_model_find(build->model, ABUT_MODEL_BODY, body);
    frame.pose.p = at;
    return abut_model_add_frame(build->model, &frame, NULL, build->error);
}

/* On a body; those of touch feel everything within 0.2 m. */
static AbutStatus add_sensor(AbutBuild *build, const char *kind, const char *name, const char *body, AbutVec3 at) {
    AbutSensorDef sensor = {.kind = kind, .name = name, .zone = ABUT_SHAPE_SPHERE, .zone_size = {0.2, 0.2, 0.2}};
    sensor.body = abut_model_find(build->model, ABUT_MODEL_BODY, body);
    sensor.pose.p = at;
    return abut_model_add_sensor(build->model, &sensor, NULL, build->error);
}

/* A keyframe with the joints at `positions`, behind those of a free body if there is one, and servos that hold them. */
static AbutStatus add_key(AbutBuild *build, const char *name, AbutVec3 base, const double *positions) {
    enum { MOST = 64 };
    AbutModel *model = build->model;
    double q[MOST] = {base.x, base.y, base.z, 1.0}, controls[MOST];
    AbutKeyframeDef key = {
        .name = name, .position_count = abut_model_number_count(model, ABUT_NUMBERS_POSITIONS), .positions = q};
    int32_t before = key.position_count - model->joint_count; /* 7, or 0 */
    memcpy(q + before, positions, (size_t)model->joint_count * sizeof *q);
    key.control_count = model->actuator_count;
    for (int32_t i = 0; i < model->actuator_count; ++i) controls[i] = positions[model->actuators[i].number];
    key.controls = controls;
    return abut_model_add_keyframe(model, &key, NULL, build->error);
}

/* A link that turns on what stands still never meets it. */
static AbutStatus keep_apart(AbutBuild *build, const char *a, const char *b) {
    AbutPairDef pair = {.exclude = 1};
    pair.a = abut_model_find(build->model, ABUT_MODEL_BODY, a);
    pair.b = abut_model_find(build->model, ABUT_MODEL_BODY, b);
    return abut_model_add_pair(build->model, &pair, NULL, build->error);
}

static AbutStatus begin(AbutBuild *build) {
    build->model->time = 4.0;
    return abut_build_ground(build, abut_pose_identity(), 1.0);
}

/* ---- arms -------------------------------------------------------------------------------------------------------- */

AbutStatus abut_build_planar_arm(AbutBuild *build) {
    Row link = {"link0", "base", {0, 0, 0.5}, 'y', {-2.6, 2.6}, 1.0, {0.2, 0, 0}, {0.2, 0.03, 0.03}, 200, 20, 100};
    Row base = {"base", "", {0, 0, 0}, '-', {0, 0}, 10.0, {0, 0, 0.25}, {0.1, 0.1, 0.25}, 0, 0, 0};
    double home[32];
    char names[2][20] = {"link0", "base"};
    AbutStatus status = begin(build);
    if (!status) status = add_row(build, &base, "", 1);
    for (int i = 0; i < (int)build->number && !status; ++i) {
        snprintf(names[0], sizeof names[0], "link%d", i);
        link.name = names[0];
        link.parent = names[1];
        status = add_row(build, &link, "", 1);
        link.at[0] = 0.4;
        link.at[2] = 0.0;
        home[i] = i == 0 ? -0.8 : 0.4;
        memcpy(names[1], names[0], sizeof names[1]);
    }
    if (!status) status = keep_apart(build, "base", "link0");
    if (!status) status = add_frame(build, "tip", names[1], abut_vec3(0.4, 0.0, 0.0));
    return status ? status : add_key(build, "home", abut_zero(), home);
}

/* Joint a is `factor` times joint b. */
static AbutStatus couple(AbutBuild *build, const char *a, const char *b, double factor) {
    AbutEqualityDef equality = abut_equality_default();
    equality.a = abut_model_find(build->model, ABUT_MODEL_JOINT, a);
    equality.b = abut_model_find(build->model, ABUT_MODEL_JOINT, b);
    equality.polynomial[1] = factor;
    return abut_model_add_equality(build->model, &equality, NULL, build->error);
}

/* An arm of six hinges on a base that stands at y = at, with or without two fingers. */
static AbutStatus add_arm(AbutBuild *build, const char *prefix, double at, int fingers) {
    static const Row rows[] = {
        {"base", "", {0, 0, 0}, '-', {0, 0}, 5.0, {0, 0, 0.05}, {0.08, 0.08, 0.05}, 0, 0, 0},
        {"shoulder", "base", {0, 0, 0.1}, 'z', {-3.1, 3.1}, 4.0, {0, 0, 0.05}, {0.06, 0.06, 0.05}, 1000, 100, 150},
        {"upper", "shoulder", {0, 0.1, 0.1}, 'y', {-2.6, 2.6}, 8.0, {0, 0, 0.2}, {0.05, 0.04, 0.2}, 2000, 200, 300},
        {"fore", "upper", {0, -0.05, 0.4}, 'y', {-2.6, 2.6}, 3.0, {0, 0, 0.18}, {0.04, 0.035, 0.18}, 1000, 100, 150},
        {"wrist", "fore", {0, 0, 0.36}, 'y', {-2.6, 2.6}, 1.2, {0, 0.05, 0}, {0.035, 0.05, 0.035}, 300, 30, 40},
        {"roll", "wrist", {0, 0.1, 0}, 'z', {-3.1, 3.1}, 1.2, {0, 0, 0.04}, {0.035, 0.035, 0.04}, 200, 20, 40},
        {"flange", "roll", {0, 0, 0.08}, 'y', {-3.1, 3.1}, 0.3, {0, 0.03, 0}, {0.03, 0.03, 0.03}, 100, 10, 40},
        {"finger", "flange", {0.03, 0.06, 0}, 'X', {-0.02, 0.01}, 0.1, {0, 0.03, 0}, {0.005, 0.03, 0.01}, 500, 30, 20},
        {"thumb", "flange", {-0.03, 0.06, 0}, 'X', {-0.01, 0.02}, 0.1, {0, 0.03, 0}, {0.005, 0.03, 0.01}, 0, 0, 0},
    };
    char names[4][40];
    static const char *const parts[4] = {"base", "shoulder", "finger", "thumb"};
    Row base = rows[0];
    base.at[1] = at;
    AbutStatus status = add_row(build, &base, prefix, 1);
    for (int i = 0; i < 4; ++i) snprintf(names[i], sizeof names[i], "%s%s", prefix, parts[i]);
    if (!status) status = add_rows(build, fingers ? 8 : 6, rows + 1, prefix, 1);
    if (!status) status = keep_apart(build, names[0], names[1]);
    if (!status && fingers) status = couple(build, names[3], names[2], -1.0);
    snprintf(names[0], sizeof names[0], "%stool", prefix);
    snprintf(names[1], sizeof names[1], "%sflange", prefix);
    snprintf(names[2], sizeof names[2], "%stool_force", prefix);
    snprintf(names[3], sizeof names[3], "%stool_torque", prefix);
    AbutVec3 tool = abut_vec3(0.0, fingers ? 0.1 : 0.06, 0.0);
    if (!status) status = add_frame(build, names[0], names[1], tool);
    if (!status) status = add_sensor(build, "force", names[2], names[1], tool);
    return status ? status : add_sensor(build, "torque", names[3], names[1], tool);
}

AbutStatus abut_build_arm6(AbutBuild *build) {
    static const double home[] = {0, -0.6, 1.4, 0.77, 0, 0};
    ABUT_TRY(begin(build));
    ABUT_TRY(add_arm(build, "", 0.0, 0));
    return add_key(build, "home", abut_zero(), home);
}

AbutStatus abut_build_arm_gripper(AbutBuild *build) {
    static const double home[] = {0, -0.6, 1.4, 0.77, 0, 0, 0, 0};
    ABUT_TRY(begin(build));
    ABUT_TRY(add_arm(build, "", 0.0, 1));
    return add_key(build, "home", abut_zero(), home);
}

AbutStatus abut_build_two_arms(AbutBuild *build) {
    static const double home[] = {0, -0.6, 1.4, 0.77, 0, 0, 0, 0, 0, -0.6, 1.4, 0.77, 0, 0, 0, 0};
    ABUT_TRY(begin(build));
    ABUT_TRY(add_arm(build, "left_", 0.35, 1));
    ABUT_TRY(add_arm(build, "right_", -0.35, 1));
    return add_key(build, "home", abut_zero(), home);
}

/* ---- gripper and hand -------------------------------------------------------------------------------------------- */

/* Two fingers over a free box; the right one follows the left. */
AbutStatus abut_build_gripper(AbutBuild *build) {
    static const Row rows[] = {
        {"box", "", {0, 0, 0.03}, 'f', {0, 0}, 0.2, {0, 0, 0}, {0.03, 0.03, 0.03}, 0, 0, 0},
        {"palm", "", {0, 0, 0.25}, 'Z', {-0.16, 0.3}, 1.0, {0, 0, 0}, {0.04, 0.1, 0.02}, 4000, 200, 200},
        {"left", "palm", {0, 0.06, -0.02}, 'Y', {-0.04, 0.02}, 0.2, {0, 0, -0.05}, {0.02, 0.01, 0.05}, 1000, 50, 50},
        {"right", "palm", {0, -0.06, -0.02}, 'Y', {-0.02, 0.04}, 0.2, {0, 0, -0.05}, {0.02, 0.01, 0.05}, 0, 0, 0},
    };
    static const double home[] = {0, 0, 0};
    ABUT_TRY(begin(build));
    ABUT_TRY(add_rows(build, 4, rows, "", 1));
    ABUT_TRY(couple(build, "right", "left", -1.0));
    ABUT_TRY(add_frame(build, "grip", "palm", abut_vec3(0.0, 0.0, -0.08)));
    return add_key(build, "home", abut_vec3(0.0, 0.0, 0.03), home);
}

/* Four fingers of four joints on a palm that looks up; the thumb stands against the others. */
AbutStatus abut_build_hand16(AbutBuild *build) {
    static const Row palm = {"palm", "", {0, 0, 0.1}, '-', {0, 0}, 0.5, {0, 0, 0.05}, {0.02, 0.06, 0.05}, 0, 0, 0};
    static const Row rows[] = {
        {"base", "palm", {0, 0, 0.1}, 'x', {-0.5, 0.5}, 0.02, {0, 0, 0.01}, {0.009, 0.009, 0.009}, 3, 0.1, 1},
        {"proximal", "base", {0, 0, 0.02}, 'y', {-0.3, 1.6}, 0.06, {0, 0, 0.025}, {0.009, 0.009, 0.024}, 3, 0.1, 1},
        {"middle", "proximal", {0, 0, 0.05}, 'y', {-0.2, 1.7}, 0.04, {0, 0, 0.018}, {0.008, 0.008, 0.017}, 2, 0.1, 1},
        {"distal", "middle", {0, 0, 0.036}, 'y', {-0.2, 1.7}, 0.02, {0, 0, 0.014}, {0.007, 0.007, 0.013}, 1, 0.05, 1},
    };
    static const char *const fingers[] = {"index_", "long_", "ring_", "thumb_"};
    static const double at[4][3] = {{0, 0.045, 0.1}, {0, 0, 0.1}, {0, -0.045, 0.1}, {0.03, 0.03, 0.05}};
    static const double home[16] = {0, 0.4, 0.4, 0.4, 0, 0.4, 0.4, 0.4, 0, 0.4, 0.4, 0.4, 0, 0.3, 0.3, 0.3};
    AbutStatus status = begin(build);
    if (!status) status = add_row(build, &palm, "", 1);
    for (int f = 0; f < 4 && !status; ++f) {
        Row first = rows[0];
        char tip[20], last[20];
        memcpy(first.at, at[f], sizeof first.at);
        snprintf(tip, sizeof tip, "%stip", fingers[f]);
        snprintf(last, sizeof last, "%sdistal", fingers[f]);
        status = add_row(build, &first, fingers[f], 1);
        if (!status) status = add_rows(build, 3, rows + 1, fingers[f], 1);
        if (!status) status = add_frame(build, tip, last, abut_vec3(0.0, 0.0, 0.028));
    }
    return status ? status : add_key(build, "home", abut_zero(), home);
}

/* ---- biped ------------------------------------------------------------------------------------------------------- */

/* Sensors of the biped and the humanoid, which mount them on a body of their own. */
static const Row legs[] = {
    {"yaw", "", {0, 0.1, 0}, 'z', {-0.8, 0.8}, 1.0, {0, 0, -0.02}, {0.03, 0.03, 0.02}, 2000, 60, 200},
    {"hip", "yaw", {0, 0, -0.04}, 'x', {-0.6, 0.6}, 1.0, {0, 0, -0.02}, {0.03, 0.03, 0.02}, 3000, 90, 300},
    {"thigh", "hip", {0, 0, -0.04}, 'y', {-1.8, 1.0}, 5.0, {0, 0, -0.19}, {0.05, 0.05, 0.18}, 3000, 90, 300},
    {"shin", "thigh", {0, 0, -0.4}, 'y', {0, 2.4}, 3.0, {0, 0, -0.18}, {0.04, 0.04, 0.17}, 3000, 90, 300},
    {"ankle", "shin", {0, 0, -0.38}, 'y', {-0.9, 0.9}, 0.5, {0, 0, -0.02}, {0.02, 0.02, 0.02}, 3000, 90, 200},
    {"foot", "ankle", {0, 0, -0.04}, 'x', {-0.5, 0.5}, 1.0, {0.03, 0, -0.02}, {0.11, 0.05, 0.02}, 2000, 60, 200},
};

/* Both legs of a body, and a frame under each foot. */
static AbutStatus add_legs(AbutBuild *build, const char *body) {
    AbutStatus status = ABUT_OK;
    for (int side = 1; side >= -1 && !status; side -= 2) {
        const char *prefix = side > 0 ? "left_" : "right_";
        Row first = legs[0];
        first.parent = body;
        status = add_row(build, &first, prefix, side);
        if (!status) status = add_rows(build, 5, legs + 1, prefix, side);
    }
    return status;
}

/* A frame and a touch sensor under each foot; what the body that carries the legs feels. */
static AbutStatus add_soles(AbutBuild *build, const char *body) {
    ABUT_TRY(add_frame(build, "left_sole", "left_foot", abut_vec3(0.03, 0.0, -0.04)));
    ABUT_TRY(add_frame(build, "right_sole", "right_foot", abut_vec3(0.03, 0.0, -0.04)));
    ABUT_TRY(add_sensor(build, "accelerometer", "acceleration", body, abut_zero()));
    ABUT_TRY(add_sensor(build, "gyro", "spin", body, abut_zero()));
    ABUT_TRY(add_sensor(build, "touch", "left_load", "left_foot", abut_vec3(0.03, 0.0, -0.04)));
    return add_sensor(build, "touch", "right_load", "right_foot", abut_vec3(0.03, 0.0, -0.04));
}

/* A trunk on two legs of six joints; the feet are boxes. It stands with the knees a little bent. */
AbutStatus abut_build_biped(AbutBuild *build) {
    static const Row trunk = {"trunk", "", {0, 0, 0.94}, 'f', {0, 0}, 30.0, {0, 0, 0.25}, {0.1, 0.16, 0.25}, 0, 0, 0};
    static const double stand[12] = {0, 0, -0.3, 0.6, -0.3, 0, 0, 0, -0.3, 0.6, -0.3, 0};
    /* the height of the trunk at which both soles are on the ground: 0.16 m of straight pieces, thigh and shin bent */
    double bent = 0.4 * abut_cos(0.3) + 0.38 * abut_cos(0.3);
    ABUT_TRY(begin(build));
    ABUT_TRY(add_row(build, &trunk, "", 1));
    ABUT_TRY(add_legs(build, "trunk"));
    ABUT_TRY(add_soles(build, "trunk"));
    return add_key(build, "stand", abut_vec3(0.0, 0.0, 0.16 + bent), stand);
}

/* ---- humanoid ---------------------------------------------------------------------------------------------------- */

/* A pelvis on the legs of the biped, a chest on two joints, a head on two, arms of seven; thirty joints. */
AbutStatus abut_build_humanoid(AbutBuild *build) {
    Row pelvis = {"pelvis", "", {0, 0, 0.94}, 'f', {0, 0}, 12.0, {0, 0, 0.06}, {0.09, 0.13, 0.06}, 0, 0, 0};
    static const Row trunk[] = {
        {"waist", "pelvis", {0, 0, 0.14}, 'z', {-1.2, 1.2}, 2.0, {0, 0, 0.03}, {0.07, 0.07, 0.025}, 2000, 100, 200},
        {"chest", "waist", {0, 0, 0.08}, 'y', {-0.3, 0.8}, 16.0, {0, 0, 0.18}, {0.1, 0.15, 0.16}, 3000, 150, 300},
        {"neck", "chest", {0, 0, 0.36}, 'z', {-1.2, 1.2}, 0.8, {0, 0, 0.03}, {0.03, 0.03, 0.025}, 100, 5, 20},
        {"head", "neck", {0, 0, 0.07}, 'y', {-0.4, 0.7}, 3.0, {0.01, 0, 0.1}, {0.09, 0.075, 0.1}, 100, 5, 20},
    };
    static const Row arm[] = {
        {"shoulder", "chest", {0, 0.2, 0.28}, 'y', {-2.8, 1.0}, 1.5, {0, 0.02, 0}, {0.04, 0.03, 0.04}, 500, 20, 100},
        {"roll", "shoulder", {0, 0.07, 0}, 'x', {-2.6, 2.6}, 0.8, {0, 0, -0.02}, {0.03, 0.015, 0.025}, 500, 20, 100},
        {"upper", "roll", {0, 0, -0.05}, 'z', {-2.4, 2.4}, 2.0, {0, 0, -0.12}, {0.04, 0.04, 0.12}, 300, 15, 70},
        {"fore", "upper", {0, 0, -0.27}, 'y', {-2.2, 0}, 1.5, {0, 0, -0.11}, {0.035, 0.035, 0.1}, 300, 15, 70},
        {"wrist", "fore", {0, 0, -0.22}, 'z', {-2.4, 2.4}, 0.4, {0, 0, -0.02}, {0.025, 0.025, 0.018}, 100, 5, 20},
        {"bend", "wrist", {0, 0, -0.045}, 'x', {-1.0, 1.0}, 0.2, {0, 0, -0.01}, {0.02, 0.02, 0.01}, 50, 3, 10},
        {"hand", "bend", {0, 0, -0.025}, 'y', {-1.2, 1.2}, 0.6, {0, 0, -0.07}, {0.02, 0.04, 0.065}, 50, 3, 10},
    };
    static const double stand[30] = {0, 0, -0.3, 0.6, -0.3, 0, 0, 0, -0.3, 0.6, -0.3, 0, 0, 0, 0, 0, 0, 0.15, 0, -0.6,
        0, 0, 0, 0, -0.15, 0, -0.6, 0, 0, 0};
    double bent = 0.4 * abut_cos(0.3) + 0.38 * abut_cos(0.3); /* as the biped */
    ABUT_TRY(begin(build));
    if (build->friction > 0.0) pelvis.at[2] += 0.05;
    ABUT_TRY(add_row(build, &pelvis, "", 1));
    ABUT_TRY(add_legs(build, "pelvis"));
    ABUT_TRY(add_rows(build, 4, trunk, "", 1));
    for (int side = 1; side >= -1; side -= 2) ABUT_TRY(add_rows(build, 7, arm, side > 0 ? "left_" : "right_", side));
    ABUT_TRY(add_soles(build, "pelvis"));
    ABUT_TRY(add_frame(build, "left_grip", "left_hand", abut_vec3(0.0, 0.0, -0.07)));
    ABUT_TRY(add_frame(build, "right_grip", "right_hand", abut_vec3(0.0, 0.0, -0.07)));
    return add_key(build, "stand", abut_vec3(0.0, 0.0, 0.16 + bent), stand);
}

AbutStatus abut_build_humanoid_friction(AbutBuild *build) {
    build->friction = 0.005;
    return abut_build_humanoid(build);
}

AbutStatus abut_build_humanoid_mesh(AbutBuild *build) {
    build->round = 1;
    return abut_build_humanoid(build);
}
