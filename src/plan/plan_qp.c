/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The step D of the control points that minimizes
 *   1/2 (P + D)' H (P + D) + lambda/2 D' W D + penalty * sum of slacks
 * under the linearized constraints (elastic: multipliers up to the penalty), the limits of the control points (hard,
 * added where they are violated) and the postures on the way (equations). Every row is a vector b over the control
 * points times a vector g over the coordinates, so that with (H + lambda W) c = b the matrix of the dual is K_ij =
 * (b_i.c_j)(g_i.g_j). The dual, bounds on multipliers and nothing else, is solved by an active set: the worst row is
 * let go, all that are free are solved for exactly, those that meet a bound stay there. Few rows of a hundred bear, so
 * the matrix is filled by columns, each when its row is first let go. Always feasible. The programs of room solve take
 * the rows as they stand, with a slack for each: 300 rows of 500 numbers, where this kernel needs b and g, which is why
 * this file has its own.
 */
#include "plan/planner.h"

#include <string.h>

enum { LIMIT_ROUNDS = 30, LD = ABUT_PLAN_ROWS };
static const double DONE = 1e-9;
static const double RATE_TOP = 1e3; /* multiplier of a speed or acceleration: a duration may be too short for all */

typedef struct Qp {
    AbutPlanWork *work;
    int32_t count, near; /* rows; those of constraints end at `near` */
    int32_t equations;
    double chol[ABUT_SPLINE_MOST * ABUT_SPLINE_MOST]; /* of H + lambda W, on the free control points */
    double scale[ABUT_SPLINE_MOST];
    double q[ABUT_PLAN_ROWS], v[ABUT_PLAN_ROWS]; /* right sides less the first step; K y */
    int32_t free[ABUT_PLAN_ROWS];
    double goal[ABUT_PLAN_ROWS], scales[ABUT_PLAN_ROWS];
} Qp;

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static AbutPlanQpRow *new_row(Qp *qp, double rhs, double top) {
    AbutPlanQpRow *row = &qp->work->qp[qp->count++];
    memset(row->basis, 0, sizeof row->basis);
    memset(row->gradient, 0, (size_t)qp->work->width * sizeof *row->gradient);
    row->rhs = rhs;
    row->top = top;
    row->y = 0.0;
    row->equation = row->loose = 0;
    row->filled = 0;
    row->mark = 0;
    return row;
}

static void set_basis(const AbutPlanSpline *spline, double s, double *basis) {
    double value[6];
    int32_t first = abut_plan_spline_basis(spline, s, value);
    for (int a = 0; a < 6; ++a) {
        int32_t k = first + a - ABUT_SPLINE_ENDS;
        if (k >= 0 && k < spline->free) basis[k] = value[a];
    }
}

/* Coordinates that a row has an effect on; gives their number. */
static int32_t find_used(const Qp *qp, const AbutPlanQpRow *row, int32_t *used) {
    int32_t count = 0;
    for (int32_t c = 0; c < qp->work->width; ++c)
        if (row->gradient[c] != 0.0) used[count++] = c;
    return count;
}

/* Effect of a unit of the multiplier of b, which uses these coordinates, along row a. */
static double kernel(const AbutPlanQpRow *a, const AbutPlanQpRow *b, int32_t count, const int32_t *used) {
    double g = 0.0, t = 0.0;
    for (int32_t i = 0; i < count; ++i) g += a->gradient[used[i]] * b->gradient[used[i]];
    for (int32_t k = a->from; k < a->to && g != 0.0; ++k) t += a->basis[k] * b->solved[k];
    return g * t;
}

static void finish_row(const Qp *qp, AbutPlanQpRow *row) {
    memcpy(row->solved, row->basis, sizeof row->solved);
    abut_cholesky_solve(qp->work->spline->free, qp->chol, qp->scale, row->solved);
    for (row->from = 0; row->from < qp->work->spline->free && row->basis[row->from] == 0.0;) ++row->from;
    for (row->to = qp->work->spline->free; row->to > row->from && row->basis[row->to - 1] == 0.0;) --row->to;
    int32_t *used = qp->work->used, count = find_used(qp, row, used);
    row->norm = sqrt(fmax(kernel(row, row, count, used), 0.0));
}

static void add_vias(Qp *qp) {
    AbutPlanWork *w = qp->work;
    for (int32_t i = 0; i < w->task->via_count; ++i) {
        abut_plan_spline_at(w->spline, w->width, w->control, w->task->via_s[i], w->coordinates);
        for (int32_t c = 0; c < w->width; ++c) {
            AbutPlanQpRow *row = new_row(qp, w->task->via[i][c] - w->coordinates[c], INFINITY);
            set_basis(w->spline, w->task->via_s[i], row->basis);
            row->gradient[c] = 1.0;
            row->equation = row->loose = 1;
            finish_row(qp, row);
        }
    }
    qp->equations = qp->count;
}

static void add_constraints(Qp *qp, double penalty) {
    AbutPlanWork *w = qp->work;
    int32_t room = ABUT_PLAN_ROWS_NEAR - qp->count;
    for (int32_t i = 0; i < w->now.count && i < room; ++i) {
        const AbutPlanRow *near = &w->now.rows[i];
        AbutPlanQpRow *row = new_row(qp, near->wanted - near->value, penalty);
        set_basis(w->spline, near->s, row->basis);
        memcpy(row->gradient, near->gradient, (size_t)w->width * sizeof *row->gradient);
        finish_row(qp, row);
    }
    qp->near = qp->count;
}

/* b' D g */
static double along_row(const Qp *qp, const AbutPlanQpRow *row, const double *step) {
    const AbutPlanWork *w = qp->work;
    double sum = 0.0;
    for (int32_t k = 0; k < w->spline->free; ++k) {
        double part = 0.0;
        if (row->basis[k] == 0.0) continue;
        for (int32_t c = 0; c < w->width; ++c) part += row->gradient[c] * step[k * w->width + c];
        sum += row->basis[k] * part;
    }
    return sum;
}

/* Value of a joint of the problem at a control point after the step. */
static double joint_after(const Qp *qp, int32_t joint, int32_t point) {
    const AbutPlanWork *w = qp->work;
    const AbutPlanProblem *p = w->problem;
    int32_t k = point - ABUT_SPLINE_ENDS;
    double sum = p->offset[joint];
    for (int32_t e = 0; e < p->entry_count; ++e)
        if (p->entries[e].joint == joint) {
            int32_t c = p->entries[e].coordinate;
            double step = k >= 0 && k < w->spline->free ? w->step[k * w->width + c] : 0.0;
            sum += p->entries[e].factor * (w->control[point * w->width + c] + step);
        }
    return sum;
}

/* Is a row with this mark there already? */
static int is_marked(const Qp *qp, int32_t mark) {
    for (int32_t i = qp->near; i < qp->count; ++i)
        if (qp->work->qp[i].mark == mark) return 1;
    return 0;
}

/* A row for a sum of control points of a joint from number `first` on, order + 1 of them, which is at `now` and must
 * keep to the other side of `limit`. */
static void add_joint_row(
    Qp *qp, int32_t joint, int32_t first, int order, const double *part, double now, double limit) {
    AbutPlanWork *w = qp->work;
    const AbutPlanProblem *p = w->problem;
    double sign = now > limit ? -1.0 : 1.0;
    int32_t mark = 1 + 6 * (joint * ABUT_SPLINE_MOST + first) + 2 * order + (now > limit);
    if (qp->count == ABUT_PLAN_ROWS || is_marked(qp, mark)) return;
    AbutPlanQpRow *row = new_row(qp, 0.0, order > 0 ? RATE_TOP : INFINITY);
    row->mark = mark;
    for (int32_t e = 0; e < p->entry_count; ++e)
        if (p->entries[e].joint == joint) row->gradient[p->entries[e].coordinate] = sign * p->entries[e].factor;
    for (int i = 0; i <= order; ++i) {
        int32_t k = first + i - ABUT_SPLINE_ENDS;
        if (k >= 0 && k < w->spline->free) row->basis[k] = part[i];
    }
    row->rhs = sign * (limit - now) + along_row(qp, row, w->step);
    finish_row(qp, row);
}

/* Joints that follow several coordinates have limits of their own. */
static void add_mixed_limits(Qp *qp) {
    AbutPlanWork *w = qp->work;
    const AbutPlanProblem *p = w->problem;
    const double one = 1.0;
    for (int32_t j = 0; j < p->tree.joint_count; ++j)
        for (int32_t i = ABUT_SPLINE_ENDS; i < w->spline->points - ABUT_SPLINE_ENDS && abut_plan_is_mixed(p, j); ++i) {
            double now = joint_after(qp, j, i), low = p->limits[j].lower, high = p->limits[j].upper;
            if (!(now >= low - 1e-9 && now <= high + 1e-9))
                add_joint_row(qp, j, i, 0, &one, now, now < low ? low : high);
        }
}

/* Speeds (order 1) and accelerations (order 2) where the duration is given. */
static void add_rates(Qp *qp, int order) {
    AbutPlanWork *w = qp->work;
    const AbutPlanProblem *p = w->problem;
    for (int32_t j = 0; j < p->tree.joint_count; ++j) {
        double T = w->settings->duration;
        double limit = abut_plan_rate_limit(p, w->settings, j, order) * (order == 1 ? T : T * T);
        for (int32_t i = ABUT_SPLINE_ENDS - order; i + ABUT_SPLINE_ENDS < w->spline->points; ++i) {
            double part[4], now = 0.0;
            abut_plan_spline_difference(w->spline->spans, order, i, part);
            for (int k = 0; k <= order; ++k) now += part[k] * joint_after(qp, j, i + k);
            if (fabs(now) > limit * (1.0 + 1e-7)) add_joint_row(qp, j, i, order, part, now, now > 0.0 ? limit : -limit);
        }
    }
}

/* Rows for control points beyond their limits; gives how many were added. */
static int32_t add_limits(Qp *qp) {
    AbutPlanWork *w = qp->work;
    int32_t before = qp->count;
    add_mixed_limits(qp);
    for (int order = 1; order <= 2 && w->settings->duration > 0.0; ++order) add_rates(qp, order);
    for (int32_t k = 0; k < w->spline->free; ++k)
        for (int32_t c = 0; c < w->width && qp->count < ABUT_PLAN_ROWS; ++c) {
            double from = w->control[(k + ABUT_SPLINE_ENDS) * w->width + c], x = from + w->step[k * w->width + c];
            double low = w->problem->lower[c], high = w->problem->upper[c];
            if (x >= low - 1e-9 && x <= high + 1e-9) continue;
            double sign = x < low ? 1.0 : -1.0;
            AbutPlanQpRow *row = new_row(qp, sign * ((x < low ? low : high) - from), INFINITY);
            row->basis[k] = 1.0;
            row->gradient[c] = sign;
            finish_row(qp, row);
        }
    return qp->count - before;
}

/* ---- the dual ---------------------------------------------------------------------------------------------------- */

/* Column j of the matrix, with the rows that came since it was asked for last. */
static const double *column(Qp *qp, int32_t j) {
    AbutPlanQpRow *row = &qp->work->qp[j];
    double *out = qp->work->kernel + (size_t)j * LD;
    if (row->filled == qp->count) return out;
    int32_t *used = qp->work->used, count = find_used(qp, row, used);
    for (; row->filled < qp->count; ++row->filled)
        out[row->filled] = kernel(&qp->work->qp[row->filled], row, count, used);
    return out;
}

/* Adds y times four columns to v, one after the other. */
static void add_columns(int32_t count, const double *const *column, const double *y, double *v) {
    const double *a = column[0], *b = column[1], *c = column[2], *d = column[3];
    for (int32_t i = 0; i < count; ++i) v[i] = (((v[i] + y[0] * a[i]) + y[1] * b[i]) + y[2] * c[i]) + y[3] * d[i];
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void add_columns_avx2(
    int32_t count, const double *const *column, const double *y, double *v) {
    const double *a = column[0], *b = column[1], *c = column[2], *d = column[3];
    for (int32_t i = 0; i < count; ++i) v[i] = (((v[i] + y[0] * a[i]) + y[1] * b[i]) + y[2] * c[i]) + y[3] * d[i];
}
#endif

typedef void AddColumns(int32_t count, const double *const *column, const double *y, double *v);

static AddColumns *choose_unit(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) return add_columns_avx2;
#endif
    return add_columns;
}

/* v = K y, four columns at a time; the sums are those of one column after the other. */
static void refresh(Qp *qp) {
    static const double none[ABUT_PLAN_ROWS];
    AddColumns *add = choose_unit();
    const double *k[4] = {none, none, none, none};
    double y[4] = {0.0, 0.0, 0.0, 0.0};
    int found = 0;
    memset(qp->v, 0, (size_t)qp->count * sizeof *qp->v);
    for (int32_t j = 0; j < qp->count; ++j) {
        if (qp->work->qp[j].y == 0.0) continue;
        y[found] = qp->work->qp[j].y;
        k[found++] = column(qp, j);
        if (found < 4) continue;
        add(qp->count, k, y, qp->v);
        found = 0;
    }
    for (int i = found; i < 4; ++i) k[i] = none;
    if (found > 0) add(qp->count, k, y, qp->v);
}

/* How much of the way to `goal` the free multipliers may go. */
static double way_to_bound(const Qp *qp, int32_t free) {
    double part = 1.0;
    for (int32_t a = 0; a < free; ++a) {
        const AbutPlanQpRow *row = &qp->work->qp[qp->free[a]];
        double change = qp->goal[a] - row->y;
        if (row->equation) continue;
        if (qp->goal[a] < 0.0) part = fmin(part, row->y / -change);
        if (qp->goal[a] > row->top) part = fmin(part, (row->top - row->y) / change);
    }
    return part;
}

/* The free multipliers without bounds, in qp->goal; -1: there are none, else their number. */
static int32_t aim(Qp *qp) {
    AbutPlanWork *w = qp->work;
    int32_t n = 0;
    for (int32_t i = 0; i < qp->count; ++i)
        if (w->qp[i].loose) qp->free[n++] = i;
    for (int32_t a = 0; a < n; ++a) {
        const double *k = column(qp, qp->free[a]);
        qp->goal[a] = qp->q[qp->free[a]] - qp->v[qp->free[a]];
        for (int32_t b = 0; b <= a; ++b) w->factor[(size_t)a * (size_t)n + (size_t)b] = k[qp->free[b]];
        w->factor[(size_t)a * (size_t)n + (size_t)a] *= 1.0 + 1e-9;
    }
    if (abut_cholesky_factor(n, w->factor, qp->scales, 1e-14) >= 0) return -1;
    abut_cholesky_solve(n, w->factor, qp->scales, qp->goal);
    for (int32_t a = 0; a < n; ++a) qp->goal[a] += w->qp[qp->free[a]].y;
    return n;
}

/* The free multipliers go to their goal; those that meet a bound stay there, and the others aim again. 0: no goal. */
static int settle(Qp *qp) {
    for (double part = 0.0; part < 1.0;) {
        int32_t n = aim(qp);
        if (n < 0) return 0;
        part = way_to_bound(qp, n);
        for (int32_t a = 0; a < n; ++a) {
            AbutPlanQpRow *row = &qp->work->qp[qp->free[a]];
            int below = !row->equation && qp->goal[a] < 0.0, above = !row->equation && qp->goal[a] > row->top;
            double y = row->y + part * (qp->goal[a] - row->y);
            int low = below && y <= 1e-14 * (1.0 + row->y), high = above && y >= row->top * (1.0 - 1e-14);
            row->y = low ? 0.0 : high ? row->top : y;
            row->loose = !low && !high;
        }
        refresh(qp);
    }
    return 1;
}

/* The row at a bound whose multiplier gains most by leaving it; -1: none does. */
static int32_t worst_row(const Qp *qp) {
    double most = DONE;
    int32_t worst = -1;
    for (int32_t i = 0; i < qp->count; ++i) {
        const AbutPlanQpRow *row = &qp->work->qp[i];
        double gain = (row->y > 0.0 ? -1.0 : 1.0) * (qp->q[i] - qp->v[i]) / row->norm;
        if (!row->loose && row->norm > 1e-7 && gain > most) {
            most = gain;
            worst = i;
        }
    }
    return worst;
}

static void solve_dual(Qp *qp, const double *first) {
    for (int32_t i = 0; i < qp->count; ++i) qp->q[i] = qp->work->qp[i].rhs - along_row(qp, &qp->work->qp[i], first);
    refresh(qp);
    int32_t worst = qp->equations > 0 && !settle(qp) ? -1 : worst_row(qp);
    for (int32_t left = 2 * qp->count; worst >= 0 && left > 0; --left) {
        qp->work->qp[worst].loose = 1;
        if (!settle(qp)) {
            qp->work->qp[worst].loose = 0;
            return;
        }
        worst = worst_row(qp);
    }
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

/* The step without rows, and the gradient of the cost. */
static void first_step(Qp *qp, double *first, double *slope) {
    AbutPlanWork *w = qp->work;
    double x[ABUT_SPLINE_MOST];
    for (int32_t c = 0; c < w->width; ++c) {
        for (int32_t a = 0; a < w->spline->free; ++a) {
            double sum = 0.0;
            for (int32_t b = 0; b < w->spline->points; ++b)
                sum += w->spline->jerk[a + ABUT_SPLINE_ENDS][b] * w->control[b * w->width + c];
            slope[a * w->width + c] = sum;
            x[a] = -sum;
        }
        abut_cholesky_solve(w->spline->free, qp->chol, qp->scale, x);
        for (int32_t a = 0; a < w->spline->free; ++a) first[a * w->width + c] = x[a];
    }
}

static void sum_step(const Qp *qp, const double *first) {
    AbutPlanWork *w = qp->work;
    memcpy(w->step, first, (size_t)w->spline->free * (size_t)w->width * sizeof *w->step);
    for (int32_t i = 0; i < qp->count; ++i)
        for (int32_t c = 0; c < w->width; ++c) {
            double x = w->qp[i].y * w->qp[i].gradient[c];
            for (int32_t a = 0; a < w->spline->free && x != 0.0; ++a)
                w->step[a * w->width + c] += x * w->qp[i].solved[a];
        }
}

/* Gain of the step by the model of the merit function. */
static double promised(const Qp *qp, const double *slope, double penalty) {
    const AbutPlanWork *w = qp->work;
    double cost = 0.0, missing = 0.0;
    for (int32_t c = 0; c < w->width; ++c)
        for (int32_t a = 0; a < w->spline->free; ++a) {
            double row = 0.0;
            for (int32_t b = 0; b < w->spline->free; ++b)
                row += w->spline->jerk[a + ABUT_SPLINE_ENDS][b + ABUT_SPLINE_ENDS] * w->step[b * w->width + c];
            cost += w->step[a * w->width + c] * (slope[a * w->width + c] + 0.5 * row);
        }
    for (int32_t i = qp->equations; i < qp->near; ++i)
        missing += fmax(w->qp[i].rhs, 0.0) - fmax(w->qp[i].rhs - along_row(qp, &w->qp[i], w->step), 0.0);
    return penalty * missing - cost;
}

/* H + lambda W. */
static void factor_metric(Qp *qp, double lambda) {
    const AbutPlanSpline *s = qp->work->spline;
    for (int32_t a = 0; a < s->free; ++a)
        for (int32_t b = 0; b < s->free; ++b)
            qp->chol[a * s->free + b] = s->jerk[a + ABUT_SPLINE_ENDS][b + ABUT_SPLINE_ENDS] +
                                        lambda * s->mass[a + ABUT_SPLINE_ENDS][b + ABUT_SPLINE_ENDS];
    abut_cholesky_factor(s->free, qp->chol, qp->scale, 1e-14);
}

void abut_plan_qp_step(AbutPlanWork *work, double lambda, double penalty, double *decrease) {
    Qp qp = {.work = work};
    double *first = work->first, *slope = work->slope;
    factor_metric(&qp, lambda);
    first_step(&qp, first, slope);
    add_vias(&qp);
    add_constraints(&qp, penalty);
    for (int round = 0; round < LIMIT_ROUNDS; ++round) {
        solve_dual(&qp, first);
        sum_step(&qp, first);
        if (!add_limits(&qp)) break;
    }
    *decrease = promised(&qp, slope, penalty);
}
