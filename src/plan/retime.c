/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A path in the least time. In: a trajectory, of which the path is kept; limits of speeds, accelerations, torques, and
 * the support polygon. Out: a trajectory of cubics along the same path. Method: with the length along the path as its
 * parameter, x its squared speed and u its acceleration, speeds bound x, and accelerations, torques and the zero moment
 * point are linear in u and x. From the end backwards, the largest x in every place from which the end can still be
 * reached; from the beginning forwards, the largest u that stays below it (Pham and Pham 2018, "A new approach to
 * time-optimal path parameterization based on reachability analysis"). Limits are taken in the middle of each of CELLS
 * cells, so that the result may break them a little: it is slowed down as a whole until it does not.
 */
#include "plan/effort.h"
#include "plan/planner.h"

#include <string.h>

enum { CELLS = 400, HALVINGS = 60, ROUNDS = 4 };

/* low <= by_u u + by_x x <= high in the middle of a cell. */
typedef struct Row {
    double by_u, by_x, low, high;
} Row;

typedef struct Cell {
    double length, most; /* of the path; largest x that speeds allow */
    int32_t first, count;
} Cell;

typedef struct Retiming {
    const AbutPlanProblem *problem;
    const AbutPlanSettings *settings;
    const AbutTrajectory *path;
    AbutPlanDynamics d;
    int dynamic; /* 1: torques or balance count */
    int32_t row_count, row_most;
    Row *rows;
    Cell cell[CELLS];
    double reach[CELLS + 1]; /* largest x, then x itself */
    double *q, *along, *bend, *torque[3], *all;
} Retiming;

/* ---- the path ---------------------------------------------------------------------------------------------------- */

static double parameter(const Retiming *r, double i) {
    const AbutTrajectory *t = r->path;
    return t->times[0] + (t->times[t->piece_count] - t->times[0]) * i / CELLS;
}

static double norm(int32_t n, const double *x) {
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) sum += x[i] * x[i];
    return sqrt(sum);
}

static void pick(const Retiming *r, double i, int order, double *out) {
    abut_trajectory_value(r->path, parameter(r, i), order, r->all);
    abut_plan_pick_joints(r->problem, r->all, out);
}

/* Speed along the old parameter. */
static double pace(const Retiming *r, double i) {
    pick(r, i, 1, r->torque[0]);
    return norm(r->problem->tree.joint_count, r->torque[0]);
}

/* Posture, tangent and curvature vector at a place where the path moves; 0: it stands there. */
static int set_place(const Retiming *r, double i) {
    int32_t n = r->problem->tree.joint_count;
    double dot = 0.0;
    pick(r, i, 0, r->q);
    pick(r, i, 1, r->along);
    pick(r, i, 2, r->bend);
    double speed = norm(n, r->along);
    if (!(speed > 1e-12)) return 0;
    for (int32_t j = 0; j < n; ++j) {
        r->along[j] /= speed;
        dot += r->along[j] * r->bend[j];
    }
    for (int32_t j = 0; j < n; ++j) r->bend[j] = (r->bend[j] - dot * r->along[j]) / (speed * speed);
    return 1;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static void add_row(Retiming *r, Row row) {
    if (isfinite(row.low) || isfinite(row.high)) r->rows[r->row_count++] = row;
}

/* Torques and moments about the edges of the support are a constant, a part of u and a part of x. */
static AbutStatus add_dynamics(Retiming *r, AbutError *error) {
    const AbutPlanProblem *p = r->problem;
    int32_t n = p->tree.joint_count;
    AbutPlanWrench still, by_u, by_x;
    double *zero = r->all;
    memset(zero, 0, (size_t)n * sizeof *zero);
    AbutStatus status = abut_plan_dynamics_at(&r->d, r->q, NULL, NULL, r->torque[0], &still, error);
    if (!status) status = abut_plan_dynamics_at(&r->d, r->q, zero, r->along, r->torque[1], &by_u, error);
    if (!status) status = abut_plan_dynamics_at(&r->d, r->q, r->along, r->bend, r->torque[2], &by_x, error);
    for (int32_t j = 0; j < n && !status && r->settings->torque; ++j) {
        double rest = r->torque[0][j], most = p->limits[j].torque;
        add_row(r, (Row){r->torque[1][j] - rest, r->torque[2][j] - rest, -most - rest, most - rest});
    }
    for (int32_t e = 0; e < p->edge_count && !status; ++e) {
        double rest = abut_plan_edge_moment(p, &p->edges[e], &still);
        add_row(r, (Row){abut_plan_edge_moment(p, &p->edges[e], &by_u) - rest,
                       abut_plan_edge_moment(p, &p->edges[e], &by_x) - rest, -rest, INFINITY});
    }
    return status;
}

static AbutStatus set_cell(Retiming *r, int32_t i, AbutError *error) {
    Cell *cell = &r->cell[i];
    *cell = (Cell){.first = r->row_count, .most = INFINITY};
    cell->length = (pace(r, i) + 4.0 * pace(r, i + 0.5) + pace(r, i + 1)) / 6.0 * (parameter(r, 1) - parameter(r, 0));
    if (!set_place(r, i + 0.5)) return ABUT_OK;
    for (int32_t j = 0; j < r->problem->tree.joint_count; ++j) {
        double v = abut_plan_rate_limit(r->problem, r->settings, j, 1) / fabs(r->along[j]);
        double a = abut_plan_rate_limit(r->problem, r->settings, j, 2);
        cell->most = fmin(cell->most, v * v);
        add_row(r, (Row){r->along[j], r->bend[j], -a, a});
    }
    AbutStatus status = r->dynamic ? add_dynamics(r, error) : ABUT_OK;
    cell->count = r->row_count - cell->first;
    return status;
}

/* ---- the fastest way --------------------------------------------------------------------------------------------- */

/* Accelerations with which a cell can be run through from x to at most `next`; 0: none. */
static int find_range(const Retiming *r, const Cell *cell, double x, double next, double *low, double *high) {
    double l = cell->length;
    *low = -x / (2.0 * l);
    *high = fmin((next - x) / (2.0 * l), (cell->most - x) / l);
    for (int32_t i = cell->first; i < cell->first + cell->count; ++i) {
        const Row *row = &r->rows[i];
        double c = row->by_u + row->by_x * l, rest = row->by_x * x; /* x in the middle is x + u l */
        if (fabs(c) < 1e-14) {
            if (rest < row->low || rest > row->high) return 0;
            continue;
        }
        double one = (row->low - rest) / c, two = (row->high - rest) / c;
        *low = fmax(*low, fmin(one, two));
        *high = fmin(*high, fmax(one, two));
    }
    return *low <= *high;
}

static double most_at(const Retiming *r, int32_t i, double next) {
    double low, high, from = 0.0, to = fmin(r->cell[i].most, i ? r->cell[i - 1].most : INFINITY);
    if (find_range(r, &r->cell[i], to, next, &low, &high)) return to;
    for (int k = 0; k < HALVINGS; ++k) {
        double middle = 0.5 * (from + to);
        *(find_range(r, &r->cell[i], middle, next, &low, &high) ? &from : &to) = middle;
    }
    return from;
}

/* Does the path turn back here, or stand? */
static int stops(const Retiming *r, int32_t i) {
    int32_t n = r->problem->tree.joint_count;
    double dot = 0.0;
    if (i == 0 || i == CELLS || !set_place(r, i - 0.5)) return 1;
    memcpy(r->torque[1], r->along, (size_t)n * sizeof *r->along);
    if (!set_place(r, i + 0.5)) return 1;
    for (int32_t j = 0; j < n; ++j) dot += r->torque[1][j] * r->along[j];
    return dot < 0.5;
}

static AbutStatus find_speeds(Retiming *r, AbutError *error) {
    double low, high;
    r->reach[CELLS] = 0.0;
    for (int32_t i = CELLS - 1; i >= 0; --i) {
        if (!(r->cell[i].length > 0.0) || !find_range(r, &r->cell[i], 0.0, r->reach[i + 1], &low, &high))
            return abut_fail(error, ABUT_ERROR_ARGUMENT,
                "retiming: at %.3g of the path no speed keeps the limits, or it stands still", (double)i / CELLS);
        r->reach[i] = stops(r, i) ? 0.0 : most_at(r, i, r->reach[i + 1]);
    }
    for (int32_t i = 0; i < CELLS; ++i) {
        find_range(r, &r->cell[i], r->reach[i], r->reach[i + 1], &low, &high);
        double next = fmin(r->reach[i] + 2.0 * r->cell[i].length * high, r->reach[i + 1]);
        r->reach[i + 1] = fmax(next, 0.0);
        if (!(r->reach[i] + r->reach[i + 1] > 0.0))
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "retiming: the path cannot be gone beyond %.3g of it", (double)i / CELLS);
    }
    return ABUT_OK;
}

/* ---- the trajectory ---------------------------------------------------------------------------------------------- */

/* Speeds of all joints in knot i. */
static void knot_speeds(const Retiming *r, int32_t i, double *out) {
    double old = pace(r, i), speed = sqrt(r->reach[i]);
    abut_trajectory_value(r->path, parameter(r, i), 1, out);
    for (int32_t j = 0; j < r->path->joint_count; ++j) out[j] = old > 1e-12 ? out[j] * speed / old : 0.0;
}

static AbutStatus make_cubics(const Retiming *r, AbutTrajectory *out, AbutError *error) {
    size_t n = (size_t)r->path->joint_count;
    double *times = abut_alloc_array((CELLS + 1) * (1 + 2 * n), sizeof *times);
    if (!times) return abut_fail_memory(error);
    double *values = times + CELLS + 1, *speeds = values + (CELLS + 1) * n;
    for (int32_t i = 0; i <= CELLS; ++i) {
        abut_trajectory_value(r->path, parameter(r, i), 0, values + (size_t)i * n);
        knot_speeds(r, i, speeds + (size_t)i * n);
        times[i] = i ? times[i - 1] + 2.0 * r->cell[i - 1].length / (sqrt(r->reach[i - 1]) + sqrt(r->reach[i])) : 0.0;
    }
    AbutJointSamples samples = {(int32_t)n, CELLS + 1, times, values, speeds, NULL};
    AbutStatus status = abut_trajectory_interpolate(ABUT_INTERPOLATE_CUBIC, &samples, out, error);
    abut_free(times);
    return status;
}

static void slow_down(AbutTrajectory *t, double factor) {
    for (int32_t i = 0; i <= t->piece_count; ++i) t->times[i] *= factor;
}

/* By how much it is too fast: of cubics the acceleration is largest at ends, the speed there or where that is 0. */
static double excess(const Retiming *r, const AbutTrajectory *t) {
    double most = 1.0;
    for (int32_t k = 0; k < t->piece_count; ++k)
        for (int32_t i = 0; i < r->problem->tree.joint_count; ++i) {
            const double *c = abut_trajectory_piece(t, k, r->problem->tree.joints[i]);
            double h = t->times[k + 1] - t->times[k], a = fmax(fabs(2.0 * c[2]), fabs(2.0 * c[2] + 6.0 * c[3]));
            double x = c[3] != 0.0 ? fmin(fmax(-c[2] / (3.0 * c[3]), 0.0), 1.0) : 0.0;
            double v = fmax(fabs(c[1]), fabs(c[1] + 2.0 * c[2] + 3.0 * c[3]));
            v = fmax(v, fabs(c[1] + x * (2.0 * c[2] + x * 3.0 * c[3])));
            most = fmax(most, v / h / abut_plan_rate_limit(r->problem, r->settings, i, 1));
            most = fmax(most, sqrt(a / (h * h) / abut_plan_rate_limit(r->problem, r->settings, i, 2)));
        }
    return most > 1.0 ? most * (1.0 + 1e-12) : 1.0;
}

/* Torques and balance, looked at as in abut_plan_effort. */
static AbutStatus keep_effort(const Retiming *r, AbutTrajectory *t, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < ROUNDS && r->dynamic && !status; ++i) {
        AbutPlanEffort effort;
        double duration = t->times[t->piece_count], longer = duration;
        status = abut_plan_effort(r->problem, t, &effort, NULL, error);
        if (!status && r->settings->torque && isfinite(effort.torque_duration))
            longer = fmax(longer, effort.torque_duration);
        if (!status && r->problem->edge_count && isfinite(effort.zmp_duration))
            longer = fmax(longer, effort.zmp_duration);
        if (!(longer > duration)) break;
        slow_down(t, longer / duration * (1.0 + 1e-6));
    }
    return status;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static AbutStatus take_memory(Retiming *r, AbutError *error) {
    size_t n = (size_t)r->problem->tree.joint_count + 1, all = (size_t)r->path->joint_count + n;
    r->row_most = CELLS * (2 * r->problem->tree.joint_count + r->problem->edge_count);
    r->rows = abut_alloc_array((size_t)r->row_most + 1, sizeof *r->rows);
    r->q = abut_alloc_array(6 * n + all, sizeof *r->q);
    if (!r->rows || !r->q) return abut_fail_memory(error);
    r->along = r->q + n;
    r->bend = r->along + n;
    for (int k = 0; k < 3; ++k) r->torque[k] = r->bend + (size_t)(k + 1) * n;
    r->all = r->torque[2] + n;
    return r->dynamic ? abut_plan_dynamics_make(r->problem, &r->d, error) : ABUT_OK;
}

static AbutStatus check(const AbutPlanProblem *problem, const AbutTrajectory *t, AbutError *error) {
    AbutStatus status = abut_trajectory_check(t, error);
    if (!status && t->joint_count != problem->model->joint_count)
        status = abut_fail(error, ABUT_ERROR_ARGUMENT, "trajectory: expected %d joints, got %d",
            (int)problem->model->joint_count, (int)t->joint_count);
    return status;
}

AbutStatus abut_plan_retime(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    const AbutPlanSettings *settings, AbutTrajectory *out, AbutError *error) {
    ABUT_ASSERT(problem && trajectory && settings && out);
    Retiming *r = abut_alloc(sizeof *r);
    if (!r) return abut_fail_memory(error);
    *r = (Retiming){.problem = problem, .settings = settings, .path = trajectory};
    r->dynamic = settings->torque || problem->edge_count > 0;
    *out = (AbutTrajectory){0};
    AbutStatus status = check(problem, trajectory, error);
    if (!status) status = take_memory(r, error);
    for (int32_t i = 0; i < CELLS && !status; ++i) status = set_cell(r, i, error);
    if (!status) status = find_speeds(r, error);
    if (!status) status = make_cubics(r, out, error);
    if (!status) {
        slow_down(out, excess(r, out));
        status = keep_effort(r, out, error);
    }
    if (status) abut_trajectory_free(out);
    abut_free(r->rows);
    abut_free(r->q);
    if (r->d.c) abut_plan_dynamics_free(&r->d);
    abut_free(r);
    return status;
}
