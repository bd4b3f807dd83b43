/* SPDX-License-Identifier: Apache-2.0 */
/* Built-in tasks: boxes on tables, over edges, in rows and holes. One function each, in one table. */
#include "manipulation/manip.h"

#include <stdio.h>
#include <string.h>

typedef struct Making {
    AbutModel *model;
    AbutManipTask task;
    AbutStatus status;
    AbutError *error;
} Making;

/* A static box by half sizes and center. */
static void wall(Making *k, double friction, AbutVec3 half, AbutVec3 at) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    if (k->status) return;
    body.kind = ABUT_BODY_STATIC;
    body.name = k->model->body_count ? NULL : "ground";
    body.pose.p = at;
    shape.form = (AbutGeometryDef){.kind = ABUT_SHAPE_BOX, .size = half};
    shape.material.friction = friction;
    k->status = abut_model_add_body(k->model, &body, &shape.body, k->error);
    if (!k->status) k->status = abut_model_add_shape(k->model, &shape, NULL, k->error);
}

static void table(Making *k, double friction) {
    wall(k, friction, abut_vec3(0.6, 0.6, 0.05), abut_vec3(0.0, 0.0, -0.05));
}

/* The object, a box without friction of its own. */
static void object(Making *k, AbutVec3 half, double mass, AbutVec3 at) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    if (k->status) return;
    body.name = "object";
    body.pose.p = at;
    shape.form = (AbutGeometryDef){.kind = ABUT_SHAPE_BOX, .size = half};
    shape.material.friction = 0.0;
    shape.density = mass / (8.0 * half.x * half.y * half.z);
    k->status = abut_model_add_body(k->model, &body, &shape.body, k->error);
    if (!k->status) k->status = abut_model_add_shape(k->model, &shape, NULL, k->error);
    k->task.object = shape.body;
}

static void goal(Making *k, AbutVec3 at, AbutVec3 axis, double angle) {
    k->task.goal = abut_pose(at, abut_quat_axis_angle(axis, angle));
}

static void tries(Making *k, AbutVec3 low, AbutVec3 high, AbutVec3 axis, double angle_low, double angle_high) {
    k->task.low = low, k->task.high = high;
    k->task.axis = axis, k->task.angle_low = angle_low, k->task.angle_high = angle_high;
}

static void fingers(Making *k, int32_t count, double force, double friction, double radius) {
    k->task.fingers = count, k->task.force = force;
    k->task.finger_friction = friction, k->task.finger_radius = radius;
}

/* ---- the tasks --------------------------------------------------------------------------------------------------- */

/* Two fingers that are too weak to lift a box push it along a table. */
static void push(Making *k) {
    table(k, 0.3);
    object(k, abut_vec3(0.05, 0.05, 0.04), 0.5, abut_vec3(0.0, 0.0, 0.04));
    goal(k, abut_vec3(0.2, 0.1, 0.04), abut_axis(2), ABUT_PI / 3.0);
    tries(k, abut_vec3(-0.1, -0.15, 0.04), abut_vec3(0.3, 0.25, 0.04), abut_axis(2), -0.5, 1.6);
    fingers(k, 2, 2.5, 0.8, 0.006);
}

static void pivot(Making *k) {
    table(k, 0.5);
    object(k, abut_vec3(0.08, 0.05, 0.05), 0.5, abut_vec3(0.0, 0.0, 0.05));
    goal(k, abut_vec3(0.13, 0.0, 0.08), abut_axis(1), 0.5 * ABUT_PI);
    tries(k, abut_vec3(-0.1, -0.05, 0.05), abut_vec3(0.25, 0.05, 0.12), abut_axis(1), 0.0, 1.6);
}

/* A flat plate cannot be grasped on the table: over the edge it goes, then up. */
static void plate(Making *k) {
    wall(k, 0.3, abut_vec3(0.3, 0.3, 0.05), abut_vec3(-0.3, 0.0, -0.05));
    object(k, abut_vec3(0.08, 0.06, 0.005), 0.3, abut_vec3(-0.12, 0.0, 0.005));
    goal(k, abut_vec3(0.05, 0.0, 0.1), abut_axis(1), 0.0);
    tries(k, abut_vec3(-0.15, -0.05, 0.005), abut_vec3(0.08, 0.05, 0.12), abut_axis(1), -1.6, 0.3);
    fingers(k, 3, 8.0, 0.8, 0.008);
    k->task.goal_distance = 0.01, k->task.goal_angle = 0.1;
}

/* A book between two others and a back wall, with 1.5 mm to spare. */
static void shelf(Making *k, double mu) {
    table(k, mu);
    wall(k, mu, abut_vec3(0.04, 0.07, 0.1), abut_vec3(-0.0565, 0.0, 0.1));
    wall(k, mu, abut_vec3(0.04, 0.07, 0.1), abut_vec3(0.0565, 0.0, 0.1));
    wall(k, mu, abut_vec3(0.2, 0.02, 0.15), abut_vec3(0.0, 0.091, 0.15));
    object(k, abut_vec3(0.015, 0.07, 0.1), 0.4, abut_vec3(0.0, 0.0, 0.1));
    goal(k, abut_vec3(0.0, -0.15, 0.1), abut_axis(0), 0.0);
    tries(k, abut_vec3(-0.005, -0.2, 0.1), abut_vec3(0.005, 0.0, 0.14), abut_axis(0), -0.2, 0.8);
    fingers(k, 2, 8.0, 0.9, 0.006);
    k->task.forbidden_count = 2;
    k->task.forbidden[0] = abut_vec3(0.0, 0.0, -1.0), k->task.forbidden[1] = abut_axis(1);
}

static void book(Making *k) { shelf(k, 0.2); }

/* Three fingers, together too weak to lift, tumble a cube onto a step of 30 mm. */
static void tumble(Making *k) {
    table(k, 0.5);
    wall(k, 0.5, abut_vec3(0.25, 0.3, 0.015), abut_vec3(0.35, 0.0, 0.015));
    object(k, abut_vec3(0.04, 0.04, 0.04), 0.5, abut_vec3(0.04, 0.0, 0.04));
    goal(k, abut_vec3(0.16, 0.0, 0.07), abut_axis(1), 0.5 * ABUT_PI);
    tries(k, abut_vec3(0.0, -0.04, 0.04), abut_vec3(0.22, 0.04, 0.12), abut_axis(1), 0.0, 1.7);
    fingers(k, 3, 3.0, 0.8, 0.006);
    k->task.goal_distance = 0.01, k->task.goal_angle = 0.08;
}

/* A square hole with 1 mm to spare, 50 mm deep. */
static void hole(Making *k) {
    table(k, 0.3);
    for (int side = -1; side < 2; side += 2) {
        wall(k, 0.3, abut_vec3(0.03, 0.1, 0.025), abut_vec3(side * 0.043, 0.0, 0.025));
        wall(k, 0.3, abut_vec3(0.013, 0.03, 0.025), abut_vec3(0.0, side * 0.043, 0.025));
    }
    object(k, abut_vec3(0.012, 0.012, 0.04), 0.2, abut_vec3(0.0, 0.0, 0.04));
    fingers(k, 3, 6.0, 0.8, 0.006);
    k->task.step = 0.003;
}

static void peg(Making *k) {
    hole(k);
    goal(k, abut_vec3(0.0, 0.0, 0.11), abut_axis(1), 0.0);
    tries(k, abut_vec3(-0.01, -0.01, 0.04), abut_vec3(0.01, 0.01, 0.13), abut_axis(1), -0.3, 0.3);
}

/* This peg comes to lie on its side on the rim. */
static void peg_down(Making *k) {
    hole(k);
    goal(k, abut_vec3(0.07, 0.0, 0.062), abut_axis(1), 0.5 * ABUT_PI);
    tries(k, abut_vec3(-0.01, -0.01, 0.04), abut_vec3(0.08, 0.01, 0.13), abut_axis(1), -0.3, 1.7);
}

/* The plate ends upright in the air. */
static void flip(Making *k) {
    plate(k);
    goal(k, abut_vec3(0.05, 0.0, 0.1), abut_axis(1), -0.5 * ABUT_PI);
    k->task.force_least = 0.4;
}

/* That book where friction is too high to drag it: it must be tilted. */
static void book_tilt(Making *k) { shelf(k, 0.6); }

/* One finger pushes a block over, which falls on its side. */
static void topple(Making *k) {
    table(k, 0.5);
    object(k, abut_vec3(0.03, 0.04, 0.08), 0.4, abut_vec3(0.0, 0.0, 0.08));
    goal(k, abut_vec3(0.11, 0.0, 0.03), abut_axis(1), 0.5 * ABUT_PI);
    tries(k, abut_vec3(-0.05, -0.02, 0.03), abut_vec3(0.15, 0.02, 0.1), abut_axis(1), 0.0, 1.6);
    fingers(k, 1, 6.0, 0.8, 0.006);
    k->task.goal_distance = 0.01, k->task.goal_angle = 0.08;
    k->task.falls = 1;
}

const char *const abut_manip_tasks[] = {
    "push", "pivot", "tumble", "topple", "book", "book-tilt", "plate", "flip", "peg", "peg-down", NULL};
static void (*const makers[])(Making *) = {push, pivot, tumble, topple, book, book_tilt, plate, flip, peg, peg_down};

static AbutStatus unknown(const char *name, AbutError *error) {
    char list[200] = "";
    for (int i = 0; abut_manip_tasks[i]; ++i) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", abut_manip_tasks[i]);
    }
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "task: expected one of %s, got '%s'", list, name);
}

AbutStatus abut_manip_task_build(const char *name, AbutManipTask *out, AbutModel **model, AbutError *error) {
    ABUT_ASSERT(name && out && model);
    Making k = {.task = abut_manip_task_of(NULL, 0, abut_pose_identity()), .error = error};
    int found = 0;
    *model = NULL;
    while (abut_manip_tasks[found] && strcmp(abut_manip_tasks[found], name) != 0) ++found;
    if (!abut_manip_tasks[found]) return unknown(name, error);
    ABUT_TRY(abut_model_create(&k.model, error));
    k.task.finger_low = abut_vec3(-1.0, -1.0, -1.0), k.task.finger_high = abut_vec3(1.0, 1.0, 1.0);
    makers[found](&k);
    if (!k.status) k.status = abut_model_set_name(k.model, name, error);
    if (k.status) {
        abut_model_free(k.model);
        return k.status;
    }
    k.task.model = *model = k.model;
    *out = k.task;
    return ABUT_OK;
}
