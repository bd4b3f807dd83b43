/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks as rows. A position error is the way to the target; a rotation error the turn to the target as a rotation
 * vector along world axes; of a direction (upright, look-at) the turn that brings the axis onto it, which has no part
 * about the axis. Rows of look-at know that the direction changes when the frame moves.
 */
#include "math/functions.h"
#include "robot/ik_task.h"

#include <string.h>

AbutIkTask abut_ik_task_default(void) {
    AbutIkTask task = {.kind = ABUT_IK_POSE,
        .body = -1,
        .pose = abut_pose_identity(),
        .target = abut_pose_identity(),
        .axis = abut_axis(2),
        .direction = abut_axis(2),
        .weight = 1.0};
    return task;
}

static int is_unit(AbutVec3 v) { return fabs(abut_length(v) - 1.0) <= 1e-6; }

static int is_unit_quat(AbutQuat q) { return fabs(abut_quat_dot(q, q) - 1.0) <= 1e-6; }

AbutStatus abut_ik_check(const AbutConfiguration *c, int32_t count, const AbutIkTask *tasks, AbutError *error) {
    if (count < 1 || count > ABUT_IK_TASKS)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "inverse kinematics: expected 1 to %d tasks, got %d",
            ABUT_IK_TASKS, (int)count);
    for (int32_t i = 0; i < count; ++i) {
        const AbutIkTask *t = &tasks[i];
        if ((int)t->kind < 0 || t->kind >= ABUT_IK_KIND_COUNT || t->body < -1 || t->body >= c->tree->model->body_count)
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "task %d: expected a known kind and a body of the model", (int)i);
        if (!abut_pose_is_finite(t->pose) || !abut_pose_is_finite(t->target) || !is_unit_quat(t->pose.q) ||
            !is_unit_quat(t->target.q))
            return abut_fail(error, ABUT_ERROR_NUMBER, "task %d: expected finite poses with unit quaternions", (int)i);
        if (!(abut_max_abs(t->target.p) <= 1e60) || !(abut_max_abs(t->pose.p) <= 1e60))
            return abut_fail(error, ABUT_ERROR_NUMBER, "task %d: expected positions of at most 1e60 m", (int)i);
        if (!(t->weight > 0.0) || !isfinite(t->weight) || !is_unit(t->axis) || !is_unit(t->direction))
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "task %d: expected a weight above 0, unit axis and direction", (int)i);
    }
    return ABUT_OK;
}

/* The turn from unit a to unit b as a rotation vector; half a turn about any axis when they are opposite. */
static AbutVec3 turn_between(AbutVec3 a, AbutVec3 b) {
    AbutVec3 n = abut_cross(a, b);
    double s = abut_length(n), angle = abut_atan2(s, abut_dot(a, b));
    if (s > 1e-9) return abut_scale(n, angle / s);
    return angle > 1.0 ? abut_scale(abut_perpendicular(a), ABUT_PI) : n;
}

/* ---- reach ------------------------------------------------------------------------------------------------------- */

/* How far a point of a link can be from the root of its tree, limits of hinges apart. */
static double chain_length(const AbutConfiguration *c, int32_t link, AbutVec3 point) {
    double sum = abut_length(point);
    for (; link >= 0; link = c->tree->links[link].parent) {
        const AbutLink *l = &c->tree->links[link];
        sum += l->parent >= 0 ? abut_length(l->fixed.p) : 0.0;
        for (int32_t i = l->first_move; i < l->first_move + l->move_count; ++i)
            if (c->tree->moves[i].kind == ABUT_MOVE_SLIDE && c->tree->model->joints[c->tree->moves[i].joint].limited)
                sum += abut_larger(fabs(c->tree->model->joints[c->tree->moves[i].joint].range[0]),
                    fabs(c->tree->model->joints[c->tree->moves[i].joint].range[1]));
    }
    return sum;
}

double abut_ik_reach(const AbutConfiguration *c, int32_t count, const AbutIkTask *tasks) {
    double reach = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const AbutIkTask *t = &tasks[i];
        if (t->kind == ABUT_IK_CENTER)
            for (int32_t k = 0; k < c->tree->link_count; ++k)
                reach = abut_larger(reach, chain_length(c, k, c->tree->links[k].center));
        else if (t->body >= 0 && c->tree->bodies[t->body].link >= 0)
            reach = abut_larger(reach, chain_length(c, c->tree->bodies[t->body].link,
                                           abut_pose_apply(c->tree->bodies[t->body].pose, t->pose.p)));
    }
    return reach > 0.0 ? reach : 1.0;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

typedef struct Rows {
    AbutConfiguration *c;
    AbutIkRows *out;
    double weight, length;
    int32_t link; /* -1: does not move */
    AbutPose pose;
} Rows;

static double *next_row(Rows *r, double error) {
    double *row = r->c->ik_rows + (size_t)r->out->count * (size_t)r->c->tree->nv;
    memset(row, 0, (size_t)r->c->tree->nv * sizeof *row);
    r->out->error[r->out->count++] = error;
    return row;
}

static void add_position(Rows *r, AbutVec3 error) {
    double *rows[3];
    for (int k = 0; k < 3; ++k) rows[k] = next_row(r, r->weight * abut_get(error, k));
    r->out->position = abut_larger(r->out->position, abut_length(error));
    if (r->link < 0) return;
    const AbutLink *link = &r->c->tree->links[r->link];
    AbutVec3 arm = abut_sub(r->pose.p, r->c->origins[link->root]);
    for (int32_t d = link->last; d >= 0; d = r->c->tree->dofs[d].parent) {
        AbutSpatial s = r->c->axes[d];
        AbutVec3 v = abut_scale(abut_add(s.l, abut_cross(s.w, arm)), r->weight);
        rows[0][d] = v.x, rows[1][d] = v.y, rows[2][d] = v.z;
    }
}

/* `sight` is the way to a point that is looked at, zero for fixed directions; `axis` then is the direction looked in.
 */
static void add_rotation(Rows *r, AbutVec3 error, AbutVec3 axis, AbutVec3 sight) {
    double scale = r->weight * r->length, far = abut_length_sq(sight);
    double *rows[3];
    for (int k = 0; k < 3; ++k) rows[k] = next_row(r, scale * abut_get(error, k));
    r->out->rotation = abut_larger(r->out->rotation, abut_length(error));
    if (r->link < 0) return;
    const AbutLink *link = &r->c->tree->links[r->link];
    AbutVec3 arm = abut_sub(r->pose.p, r->c->origins[link->root]);
    for (int32_t d = link->last; d >= 0; d = r->c->tree->dofs[d].parent) {
        AbutSpatial s = r->c->axes[d];
        AbutVec3 w = abut_add_scaled(s.w, axis, -abut_dot(s.w, axis));
        if (far > 0.0) /* moving the eye turns the way to the point the other way round */
            w = abut_add(w, abut_scale(abut_cross(sight, abut_add(s.l, abut_cross(s.w, arm))), 1.0 / far));
        rows[0][d] = scale * w.x, rows[1][d] = scale * w.y, rows[2][d] = scale * w.z;
    }
}

static void add_center(Rows *r, AbutVec3 error) {
    AbutConfiguration *c = r->c;
    double *rows[3];
    for (int k = 0; k < 3; ++k) rows[k] = next_row(r, r->weight * abut_get(error, k));
    r->out->position = abut_larger(r->out->position, abut_length(error));
    abut_configuration_center_jacobian(c, rows[0]); /* the three rows lie behind each other */
    for (int32_t d = 0; d < 3 * c->tree->nv; ++d) rows[0][d] *= r->weight;
}

static void add_look(Rows *r, const AbutIkTask *task) {
    AbutVec3 sight = abut_sub(task->target.p, r->pose.p), to = abut_normalize(sight);
    AbutVec3 axis = abut_quat_rotate(r->pose.q, task->axis);
    if (abut_length_sq(to) > 0.0) /* at the very point every direction will do */
        add_rotation(r, turn_between(axis, to), to, sight);
}

static void add_task(Rows *r, const AbutIkTask *task) {
    AbutVec3 way = abut_sub(task->target.p, r->pose.p);
    AbutVec3 turn = abut_quat_log(abut_quat_mul(task->target.q, abut_quat_conj(r->pose.q)));
    AbutVec3 axis = abut_quat_rotate(r->pose.q, task->axis);
    switch (task->kind) {
    case ABUT_IK_POSE:
        add_position(r, way);
        add_rotation(r, turn, abut_zero(), abut_zero());
        break;
    case ABUT_IK_ROTATION:
        add_rotation(r, turn, abut_zero(), abut_zero());
        break;
    case ABUT_IK_UPRIGHT:
        add_rotation(r, turn_between(axis, task->direction), axis, abut_zero());
        break;
    case ABUT_IK_LOOK_AT:
        add_look(r, task);
        break;
    case ABUT_IK_CENTER:
        add_center(r, abut_sub(task->target.p, abut_configuration_center(r->c)));
        break;
    default:
        add_position(r, way);
    }
}

void abut_ik_rows(AbutConfiguration *c, int32_t count, const AbutIkTask *tasks, double length, AbutIkRows *out) {
    out->count = 0;
    out->position = out->rotation = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const AbutIkTask *task = &tasks[i];
        AbutPose body = task->body < 0 ? abut_pose_identity() : abut_configuration_body_pose(c, task->body);
        Rows rows = {c, out, task->weight, length, task->body < 0 ? -1 : c->tree->bodies[task->body].link,
            abut_pose_mul(body, task->pose)};
        add_task(&rows, task);
    }
}
