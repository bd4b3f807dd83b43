/* SPDX-License-Identifier: Apache-2.0 */
/* A task made ready: checked, its shapes as convex bodies, its numbers in the units of the search. */
#include "manipulation/manip.h"

#include "math/numbers.h"
#include "model/geometry.h"
#include "model/mass.h"

#include <string.h>

AbutManipTask abut_manip_task_of(const AbutModel *model, int32_t object, AbutPose goal) {
    AbutManipTask task = {.model = model,
        .object = object,
        .goal = goal,
        .goal_distance = 0.005,
        .goal_angle = 0.05,
        .fingers = 2,
        .finger_radius = 0.006,
        .force = 6.0,
        .finger_friction = 0.8,
        .step = 0.005};
    if (!model || object < 0 || object >= model->body_count) return task;
    AbutPose start = model->bodies[object].pose;
    AbutVec3 turn = abut_quat_log(abut_quat_mul(goal.q, abut_quat_conj(start.q)));
    AbutVec3 beside = abut_vec3(0.15, 0.15, 0.15), meter = abut_vec3(1.0, 1.0, 1.0);
    task.low = abut_sub(abut_min(start.p, goal.p), beside), task.high = abut_add(abut_max(start.p, goal.p), beside);
    task.finger_low = abut_sub(task.low, meter), task.finger_high = abut_add(task.high, meter);
    if (abut_length(turn) < 1e-6) return task;
    task.axis = abut_normalize(turn);
    task.angle_low = -0.3, task.angle_high = abut_length(turn) + 0.3;
    return task;
}

AbutPose abut_manip_frame_pose(const AbutManip *m, AbutPose center) {
    return abut_pose(abut_sub(center.p, abut_quat_rotate(center.q, m->center)), center.q);
}

AbutPose abut_manip_center_pose(const AbutManip *m, AbutPose frame) {
    return abut_pose(abut_pose_apply(frame, m->center), abut_quat_normalize(frame.q));
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static AbutStatus expect(int good, const char *field, const char *what, double got, AbutError *error) {
    if (good) return ABUT_OK;
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s of a task: expected %s, got %g", field, what, got);
}

static AbutStatus check_positive(const char *field, double x, AbutError *error) {
    return expect(x > 0.0 && isfinite(x), field, "a number above 0", x, error);
}

static AbutStatus check_box(const char *field, AbutVec3 low, AbutVec3 high, AbutError *error) {
    for (int k = 0; k < 3; ++k) {
        double a = abut_get(low, k), b = abut_get(high, k);
        ABUT_TRY(expect(isfinite(a) && isfinite(b) && a <= b, field, "a box with low <= high", b, error));
    }
    return ABUT_OK;
}

static AbutStatus check_numbers(const AbutManipTask *t, AbutError *error) {
    ABUT_TRY(expect(abut_pose_is_finite(t->goal), "goal", "a finite pose", t->goal.p.x, error));
    ABUT_TRY(check_positive("goal_distance", t->goal_distance, error));
    ABUT_TRY(check_positive("goal_angle", t->goal_angle, error));
    ABUT_TRY(check_positive("finger_radius", t->finger_radius, error));
    ABUT_TRY(check_positive("force", t->force, error));
    ABUT_TRY(expect(t->force_least >= 0.0 && t->force_least < t->force, "force_least", "0 to less than force",
        t->force_least, error));
    ABUT_TRY(check_positive("finger_friction", t->finger_friction, error));
    ABUT_TRY(check_positive("step", t->step, error));
    ABUT_TRY(check_box("low, high", t->low, t->high, error));
    ABUT_TRY(check_box("finger_low, finger_high", t->finger_low, t->finger_high, error));
    ABUT_TRY(expect(isfinite(t->angle_low) && isfinite(t->angle_high) && t->angle_low <= t->angle_high,
        "angle_low, angle_high", "a range", t->angle_high, error));
    ABUT_TRY(expect(t->fingers >= 1 && t->fingers <= ABUT_MANIP_FINGERS, "fingers", "1 to 3", t->fingers, error));
    ABUT_TRY(expect(t->forbidden_count >= 0 && t->forbidden_count <= ABUT_MANIP_FORBIDDEN, "forbidden_count", "0 to 4",
        t->forbidden_count, error));
    double axis = abut_length(t->axis);
    return expect(isfinite(axis), "axis", "a finite vector", axis, error);
}

static AbutStatus check_model(const AbutManipTask *t, AbutError *error) {
    if (!t->model) return abut_fail(error, ABUT_ERROR_ARGUMENT, "model of a task: expected a model, got NULL");
    if (t->object < 0 || t->object >= t->model->body_count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "object of a task: expected a body from 0 to %d, got %d",
            (int)t->model->body_count - 1, (int)t->object);
    for (int32_t b = 0; b < t->model->body_count; ++b) {
        AbutBodyKind want = b == t->object ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC, kind = t->model->bodies[b].kind;
        if (kind != want)
            return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "body %d '%s' of a task: expected a %s body, got a %s one",
                (int)b, t->model->bodies[b].name ? t->model->bodies[b].name : "", abut_body_kind_names[want],
                abut_body_kind_names[kind]);
    }
    return ABUT_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static int counts(const AbutShapeDef *shape) { return !shape->visual && !shape->sensor; }

static AbutStatus add_shape(AbutManip *m, int32_t number, AbutError *error) {
    const AbutShapeDef *def = &m->task->model->shapes[number];
    int own = def->body == m->task->object;
    if (def->geometry->field || def->geometry->surface_closed || (own && !def->geometry->polyhedron))
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "shape %d of a task: expected a convex body, got a %s",
            (int)number, def->geometry->surface_closed ? "mesh" : abut_shape_kind_names[def->geometry->kind]);
    AbutPose at = own ? def->pose : abut_pose_mul(m->task->model->bodies[def->body].pose, def->pose);
    if (own) at.p = abut_sub(at.p, m->center);
    AbutManipShape *shape = own ? &m->part[m->part_count++] : &m->wall[m->wall_count++];
    *shape = (AbutManipShape){.convex = abut_geometry_convex(def->geometry),
        .pose = at,
        .friction = def->material.friction,
        .priority = def->priority,
        .geometry = def->geometry};
    shape->reach = def->geometry->polyhedron
                       ? abut_length(def->geometry->polyhedron->bound.center) + def->geometry->polyhedron->bound.radius
                       : INFINITY;
    return ABUT_OK;
}

static AbutStatus add_shapes(AbutManip *m, AbutError *error) {
    const AbutModel *model = m->task->model;
    int good = 1;
    m->part = abut_pool_take_array(&m->pool, (size_t)model->shape_count, sizeof *m->part, &good);
    m->wall = abut_pool_take_array(&m->pool, (size_t)model->shape_count, sizeof *m->wall, &good);
    if (!good) return abut_fail_memory(error);
    for (int32_t i = 0; i < model->shape_count; ++i)
        if (counts(&model->shapes[i])) ABUT_TRY(add_shape(m, i, error));
    if (!m->part_count) return abut_fail(error, ABUT_ERROR_ARGUMENT, "object of a task: expected shapes, got none");
    return ABUT_OK;
}

static AbutStatus set_object(AbutManip *m, AbutError *error) {
    const AbutManipTask *t = m->task;
    AbutRigid rigid = abut_rigid_of_body(t->model, t->object);
    ABUT_TRY(check_positive("mass of the object", rigid.mass, error));
    m->mass = rigid.mass;
    m->weight = rigid.mass * ABUT_GRAVITY;
    m->inertia = rigid.inertia;
    m->center = rigid.center;
    double a[9], value[3], vector[9];
    for (int i = 0; i < 9; ++i) a[i] = abut_get(abut_mat3_apply(rigid.inertia, abut_axis(i / 3)), i % 3);
    int good = abut_eigen_symmetric(3, a, value, vector);
    for (int i = 0; i < 3; ++i)
        m->principal[i] = good ? abut_vec3(vector[3 * i], vector[3 * i + 1], vector[3 * i + 2]) : abut_axis(i);
    m->start = abut_manip_center_pose(m, t->model->bodies[t->object].pose);
    m->goal = abut_manip_center_pose(m, t->goal);
    m->force_least = t->force_least > 0.0 ? t->force_least : t->force / 6.0;
    m->turn_step = 0.05;
    return ABUT_OK;
}

/* 0.7 times half the diagonal of the object's box. */
static void set_length(AbutManip *m) {
    AbutVec3 low = abut_vec3(INFINITY, INFINITY, INFINITY), high = abut_neg(low);
    for (int32_t i = 0; i < m->part_count; ++i) {
        const AbutManipShape *part = &m->part[i];
        const AbutVec3 *vertex = abut_polyhedron_vertices(part->geometry->polyhedron);
        for (int32_t k = 0; k < part->geometry->polyhedron->vertex_count; ++k) {
            AbutVec3 p = abut_pose_apply(part->pose, vertex[k]);
            low = abut_min(low, p), high = abut_max(high, p);
        }
    }
    m->length = 0.35 * abut_length(abut_sub(high, low));
}

static AbutStatus take_work(AbutManip *m, AbutError *error) {
    size_t rows = 6 + ABUT_MANIP_FINGERS, columns = ABUT_MANIP_COLUMNS;
    size_t quadratic = abut_qp_workspace_size((int)columns, (int)(columns + rows));
    int good = 1;
    m->workspace_size = abut_nnls_workspace_size((int)rows, (int)columns);
    m->workspace_size = m->workspace_size > quadratic ? m->workspace_size : quadratic;
    m->matrix = abut_pool_take_array(&m->pool, columns * (2 * columns + 6 * rows), sizeof(double), &good);
    m->side = abut_pool_take_array(&m->pool, 2 * columns + rows, sizeof(double), &good);
    m->answer = abut_pool_take_array(&m->pool, columns, sizeof(double), &good);
    m->column = abut_pool_take_array(&m->pool, columns, sizeof *m->column, &good);
    m->edge = abut_pool_take_array(&m->pool, columns, sizeof *m->edge, &good);
    m->workspace = abut_pool_take(&m->pool, m->workspace_size);
    return good && m->workspace ? ABUT_OK : abut_fail_memory(error);
}

void abut_manip_free(AbutManip *m) { abut_pool_free(&m->pool); }

static AbutStatus fill(AbutManip *m, AbutError *error) {
    ABUT_TRY(check_model(m->task, error));
    ABUT_TRY(check_numbers(m->task, error));
    ABUT_TRY(set_object(m, error));
    ABUT_TRY(add_shapes(m, error));
    set_length(m);
    ABUT_TRY(take_work(m, error));
    AbutManipStance stance;
    abut_manip_stand(m, m->start, 1e-3, 0, &stance);
    if (!(stance.nearest >= -ABUT_MANIP_DEEP))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "start of a task: expected an object that overlaps nothing, got one %g m deep", -stance.nearest);
    return abut_manip_make_points(m, error);
}

AbutStatus abut_manip_setup(const AbutManipTask *task, uint64_t seed, AbutManip *out, AbutError *error) {
    *out = (AbutManip){.task = task, .rng = abut_rng(seed, 7), .jam = 0.3};
    AbutStatus status = fill(out, error);
    if (status) abut_manip_free(out);
    return status;
}
