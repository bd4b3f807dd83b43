/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of an attempt, in one block, and its end by the clock. */
#include "base/system.h"
#include "base/taker.h"
#include "plan/planner.h"

#include <string.h>

int abut_plan_is_over(const AbutPlanWork *work) { return abut_clock() > work->deadline; }

static void take_rows(AbutTaker *t, AbutPlanRows *rows, size_t width) {
    rows->rows = abut_take(t, ABUT_PLAN_ROWS_NEAR, sizeof *rows->rows);
    double *gradients = abut_take(t, ABUT_PLAN_ROWS_NEAR * width, sizeof *gradients);
    for (size_t i = 0; t->block && i < ABUT_PLAN_ROWS_NEAR; ++i) rows->rows[i].gradient = gradients + i * width;
}

static void take_qp(AbutTaker *t, AbutPlanWork *w, size_t width) {
    w->qp = abut_take(t, ABUT_PLAN_ROWS, sizeof *w->qp);
    double *gradients = abut_take(t, ABUT_PLAN_ROWS * width, sizeof *gradients);
    for (size_t i = 0; t->block && i < ABUT_PLAN_ROWS; ++i) w->qp[i].gradient = gradients + i * width;
    w->used = abut_take(t, width, sizeof *w->used);
    w->kernel = abut_take(t, (size_t)ABUT_PLAN_ROWS * ABUT_PLAN_ROWS, sizeof *w->kernel);
    w->factor = abut_take(t, (size_t)ABUT_PLAN_ROWS * ABUT_PLAN_ROWS, sizeof *w->factor);
    w->first = abut_take(t, ABUT_SPLINE_MOST * width, sizeof *w->first);
    w->slope = abut_take(t, ABUT_SPLINE_MOST * width, sizeof *w->slope);
}

static void take_postures(AbutTaker *t, AbutPlanWork *w, size_t grid) {
    size_t each = abut_plan_posture_size(&w->problem->tree);
    w->postures = abut_take(t, grid + 1, sizeof *w->postures);
    for (size_t i = 0; i <= grid; ++i) {
        void *memory = abut_take(t, 1, each);
        if (t->block) w->postures[i] = abut_plan_posture_in(&w->problem->tree, memory);
    }
}

static void take_all(AbutTaker *t, AbutPlanWork *w, size_t grid) {
    size_t items = (size_t)w->problem->item_count + 1, width = (size_t)w->width + 1;
    size_t points = (size_t)w->spline->points * width;
    take_postures(t, w, grid);
    w->centers = abut_take(t, grid * ((size_t)w->problem->piece_count + 1), sizeof *w->centers);
    w->moves = abut_take(t, grid * ((size_t)w->problem->piece_count + 1), sizeof *w->moves);
    w->joints = abut_take(t, (size_t)w->problem->tree.joint_count + 1, sizeof *w->joints);
    w->coordinates = abut_take(t, width, sizeof *w->coordinates);
    w->caches = abut_take(t, items, sizeof *w->caches);
    w->extra = abut_take(t, (size_t)abut_plan_constraint_count(w->problem) + 1, sizeof *w->extra);
    w->torques = abut_take(t, (size_t)w->problem->tree.joint_count + 1, sizeof *w->torques);
    w->joint_row = abut_take(t, (size_t)w->problem->tree.joint_count + 1, sizeof *w->joint_row);
    w->along = abut_take(t, grid, sizeof *w->along);
    w->distance = abut_take(t, grid, sizeof *w->distance);
    w->depth = abut_take(t, items * grid, sizeof *w->depth);
    for (int i = 0; i < ABUT_PLAN_ESCAPES; ++i) {
        w->escapes[i].first = abut_take(t, items, sizeof *w->escapes[i].first);
        w->escapes[i].last = abut_take(t, items, sizeof *w->escapes[i].last);
    }
    take_rows(t, &w->now, width);
    take_rows(t, &w->next, width);
    w->control = abut_take(t, points, sizeof *w->control);
    w->trial = abut_take(t, points, sizeof *w->trial);
    w->step = abut_take(t, points, sizeof *w->step);
    w->best = abut_take(t, points, sizeof *w->best);
    take_qp(t, w, width);
}

/* Dynamics of its own, where torques are rows. */
static AbutStatus take_dynamics(AbutPlanWork *w, AbutError *error) {
    if (!w->settings->torque) return ABUT_OK;
    w->dynamics = abut_alloc(sizeof *w->dynamics);
    if (!w->dynamics) return abut_fail_memory(error);
    memset(w->dynamics, 0, sizeof *w->dynamics);
    return abut_plan_dynamics_make(w->problem, w->dynamics, error);
}

AbutStatus abut_plan_work_make(const AbutPlanProblem *problem, const AbutPlanSpline *spline, const AbutPlanTask *task,
    const AbutPlanSettings *settings, int32_t grid_most, AbutPlanWork *out, AbutError *error) {
    AbutPlanWork w = {
        .problem = problem, .spline = spline, .task = task, .settings = settings, .width = problem->coordinate_count};
    AbutTaker size = {NULL, 0}, taker = {NULL, 0};
    take_all(&size, &w, (size_t)grid_most);
    taker.block = w.memory = abut_alloc(size.used);
    *out = w;
    if (!w.memory)
        return abut_fail(
            error, ABUT_ERROR_MEMORY, "no memory for a plan of %d pairs of pieces", (int)problem->item_count);
    take_all(&taker, &w, (size_t)grid_most);
    memset(w.caches, 0, ((size_t)problem->item_count + 1) * sizeof *w.caches);
    memset(w.extra, 0, ((size_t)abut_plan_constraint_count(problem) + 1) * sizeof *w.extra);
    w.deadline = INFINITY;
    AbutStatus status = take_dynamics(&w, error);
    *out = w;
    if (status) abut_plan_work_free(out);
    return status;
}

void abut_plan_work_free(AbutPlanWork *work) {
    if (work->dynamics) abut_plan_dynamics_free(work->dynamics);
    abut_free(work->dynamics);
    abut_free(work->memory);
    memset(work, 0, sizeof *work);
}
