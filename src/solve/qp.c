/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small dense convex quadratic programs: min 1/2 x'Hx + g'x subject to A x <= b, some rows as equations.
 *
 * In: H, g, A, b. Out: x, multipliers, how it ended.
 * Method: with H = L L' and u = L'x + inv(L) g the problem is the nearest point to the origin of a polyhedron
 * (least_distance.c). A singular H gets a small multiple rho of the identity and the answer is corrected by repeating
 * with g - rho x (proximal iterations, warm started): they end at the exact problem's answer, or walk along a direction
 * in which the objective falls for ever.
 */
#include "solve/least_distance.h"
#include "solve/tolerance.h"
#include "solve/vector.h"

#include <string.h>

enum { PROXIMAL_CAP = 300, PROXIMAL_TURNS = 25 };

typedef struct Qp {
    const AbutQp *in;
    AbutLeastDistance core;
    double *factor, *scale; /* n x n, n: H + rho = inv(S) L L' inv(S) */
    double *rows, *length;  /* m x n, m: A S inv(L') with unit rows, and their lengths before */
    double *d, *size;       /* m */
    double *v, *x, *step;   /* n */
    double rho;
} Qp;

static size_t doubles_needed(size_t n, size_t m) {
    return n * n + m * n + 3 * m + 5 * n + 3 * (n + 1) + (n + 1) * n + (n + 1) * (n + 1) + (m + n + 2);
}

size_t abut_qp_workspace_size(int variables, int rows) {
    if (variables < 1 || rows < 0) return 0;
    return sizeof(double) * doubles_needed((size_t)variables, (size_t)rows) + 64;
}

static double *take(double **memory, int count) {
    double *block = *memory;
    *memory += count;
    return block;
}

static void bind(Qp *s, const AbutQp *in, double *memory) {
    int n = in->variables, m = in->rows;
    AbutLeastDistance *core = &s->core;
    memset(s, 0, sizeof *s);
    s->in = in;
    s->factor = take(&memory, n * n), s->scale = take(&memory, n);
    s->rows = take(&memory, m * n), s->length = take(&memory, m);
    s->d = take(&memory, m), s->size = take(&memory, m);
    s->v = take(&memory, n), s->x = take(&memory, n), s->step = take(&memory, n);
    core->n = n, core->m = m, core->equalities = in->equalities;
    core->rows = s->rows, core->d = s->d, core->size = s->size;
    core->u = take(&memory, n);
    core->lambda = take(&memory, n + 1), core->aim = take(&memory, n + 1), core->work = take(&memory, n + 1);
    core->q = take(&memory, (n + 1) * n), core->r = take(&memory, (n + 1) * (n + 1));
    core->state = (int *)(void *)memory;
    core->active = core->state + m;
    core->cap = 20 * (n + m) + 100;
}

static int is_valid(const AbutQp *in) {
    int n = in->variables, m = in->rows;
    if (in->equalities < 0 || in->equalities > m || !in->h || !in->g || (m > 0 && (!in->a || !in->b))) return 0;
    return isfinite(abut_row_largest_finite(n * n, in->h)) && isfinite(abut_row_largest_finite(n, in->g)) &&
           isfinite(abut_row_largest_finite(m * n, in->a)) && isfinite(abut_row_largest_finite(m, in->b));
}

/* Factors H + rho I. */
static int factor_shifted(Qp *s) {
    int n = s->in->variables;
    memcpy(s->factor, s->in->h, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; ++i) s->factor[i * n + i] += s->rho;
    return abut_cholesky_factor(n, s->factor, s->scale, ABUT_QP_PIVOT) < 0;
}

/* Factors H, or H + rho I where H alone is singular; rho 0 tells which. False when H has a negative direction. */
static int factor(Qp *s) {
    int n = s->in->variables;
    size_t bytes = sizeof(double) * (size_t)n * (size_t)n;
    double top = abut_row_largest_finite(n * n, s->in->h), reach = 0.0;
    memcpy(s->factor, s->in->h, bytes);
    if (abut_cholesky_factor(n, s->factor, s->scale, ABUT_QP_PIVOT_SINGULAR) < 0) return 1;
    for (int i = 0; i < s->in->rows; ++i) {
        double row = abut_row_largest_finite(n, s->in->a + i * n);
        if (row > 0.0) reach = fmax(reach, fabs(s->in->b[i]) / row);
    }
    /* one proximal step may span the bounds many times, and no more: what cancels costs digits */
    s->rho = fmax(ABUT_QP_SHIFT * top,
        reach > 0.0 || top == 0.0
            ? ABUT_QP_SHIFT_LINEAR * abut_row_largest_finite(n, s->in->g) / (reach > 0.0 ? reach : 1.0)
            : 0.0);
    if (!(s->rho > 0.0)) s->rho = 1.0;
    return factor_shifted(s);
}

/* Rows in the coordinates of u. Gives the number of a zero row that cannot hold, or -1. */
static int transform_rows(Qp *s) {
    int n = s->in->variables;
    for (int i = 0; i < s->in->rows; ++i) {
        double *row = s->rows + i * n, b = s->in->b[i];
        memcpy(row, s->in->a + i * n, sizeof(double) * (size_t)n);
        abut_cholesky_forward(n, s->factor, s->scale, row);
        s->length[i] = sqrt(abut_row_dot(n, row, row));
        s->core.state[i] = s->length[i] > 0.0 ? ABUT_ROW_OPEN : ABUT_ROW_OUT;
        if (s->length[i] == 0.0 && (b < 0.0 || (i < s->in->equalities && b != 0.0))) return i;
        for (int j = 0; j < n && s->length[i] > 0.0; ++j) row[j] /= s->length[i];
    }
    return -1;
}

/* Nearest point for the gradient g - rho x; the new x. */
static AbutNearest solve_once(Qp *s, double *x) {
    int n = s->in->variables;
    for (int j = 0; j < n; ++j) s->v[j] = s->in->g[j] - s->rho * s->x[j];
    abut_cholesky_forward(n, s->factor, s->scale, s->v);
    double v_size = abut_row_largest_finite(n, s->v);
    for (int i = 0; i < s->in->rows; ++i) {
        if (s->core.state[i] == ABUT_ROW_OUT && s->length[i] == 0.0) continue;
        double b = s->in->b[i] / s->length[i];
        s->d[i] = b;
        for (int j = 0; j < n; ++j) s->d[i] += s->rows[i * n + j] * s->v[j];
        s->size[i] = fabs(b) + v_size;
    }
    AbutNearest found = abut_least_distance(&s->core);
    for (int j = 0; j < n; ++j) x[j] = s->core.u[j] - s->v[j];
    abut_cholesky_backward(n, s->factor, s->scale, x);
    return found;
}

/* True when the objective falls along `step` for ever: no curvature, no row in the way. */
static int falls_forever(const Qp *s) {
    const AbutQp *in = s->in;
    int n = in->variables;
    double length = abut_row_largest_finite(n, s->step), fall = 0.0, limit = ABUT_QP_RAY * length;
    for (int i = 0; i < n; ++i) {
        if (fabs(abut_row_dot(n, in->h + i * n, s->step)) > limit * abut_row_largest_finite(n * n, in->h)) return 0;
        fall += in->g[i] * s->step[i];
    }
    for (int i = 0; i < in->rows; ++i) {
        double along = abut_row_dot(n, in->a + i * n, s->step);
        if ((i < in->equalities ? fabs(along) : along) > limit * abut_row_largest_finite(n, in->a + i * n)) return 0;
    }
    return fall < -limit * abut_row_largest_finite(n, in->g);
}

/* How large the terms of the gradient are at x. */
static double gradient_size(const Qp *s) {
    int n = s->in->variables;
    return abut_row_largest_finite(n, s->in->g) +
           abut_row_largest_finite(n * n, s->in->h) * abut_row_largest_finite(n, s->x);
}

/* The answer is far away: ten times less pull towards the last point. Starts the active set afresh. */
static int loosen(Qp *s) {
    double before = s->rho;
    s->rho *= 0.1;
    if (!factor_shifted(s)) {
        s->rho = before;
        if (!factor_shifted(s)) return 0;
    }
    s->core.active_count = 0;
    transform_rows(s);
    return 1;
}

static AbutQpOutcome iterate(Qp *s) {
    int n = s->in->variables;
    for (int turn = 0; turn < PROXIMAL_CAP; ++turn) {
        if (turn % PROXIMAL_TURNS == PROXIMAL_TURNS - 1 && !loosen(s)) break;
        s->core.cap = s->core.iterations + 20 * (n + s->in->rows) + 100;
        AbutNearest found = solve_once(s, s->step);
        if (found != ABUT_NEAREST_FOUND) return found == ABUT_NEAREST_NONE ? ABUT_QP_INFEASIBLE : ABUT_QP_ITERATION_CAP;
        for (int j = 0; j < n; ++j) {
            double moved = s->step[j];
            s->step[j] -= s->x[j];
            s->x[j] = moved;
        }
        if (s->rho == 0.0 || s->rho * abut_row_largest_finite(n, s->step) <= ABUT_QP_DONE * gradient_size(s))
            return ABUT_QP_OK;
        if (falls_forever(s)) {
            memcpy(s->x, s->step, sizeof(double) * (size_t)n);
            return ABUT_QP_UNBOUNDED;
        }
    }
    return s->rho * abut_row_largest_finite(n, s->step) <= ABUT_QP_ACCEPTED * gradient_size(s) ? ABUT_QP_OK
                                                                                               : ABUT_QP_ITERATION_CAP;
}

static double objective(const AbutQp *in, const double *x) {
    double value = 0.0;
    for (int i = 0; i < in->variables; ++i)
        value += x[i] * (0.5 * abut_row_dot(in->variables, in->h + i * in->variables, x) + in->g[i]);
    return value;
}

/* Multipliers of the caller's rows from those of the unit rows; an infeasible core has its proof one row longer. */
static void write_multipliers(const Qp *s, AbutQpOutcome outcome, double *multipliers) {
    int count = s->core.active_count + (outcome == ABUT_QP_INFEASIBLE);
    for (int i = 0; i < s->in->rows; ++i) multipliers[i] = 0.0;
    for (int k = 0; k < count && (outcome == ABUT_QP_OK || outcome == ABUT_QP_INFEASIBLE); ++k)
        multipliers[s->core.active[k]] = s->core.lambda[k] / s->length[s->core.active[k]];
}

AbutQpResult abut_qp_solve(const AbutQp *qp, double *x, double *multipliers, void *workspace, size_t workspace_size) {
    ABUT_ASSERT(qp && x);
    AbutQpResult result = {ABUT_QP_BAD_INPUT, 0, 0, NAN};
    size_t need = abut_qp_workspace_size(qp->variables, qp->rows);
    Qp s;
    if (need == 0 || !workspace || workspace_size < need || !is_valid(qp)) return result;
    bind(&s, qp, (double *)workspace);
    memset(s.x, 0, sizeof(double) * (size_t)qp->variables);
    if (!factor(&s)) return result;
    int impossible = transform_rows(&s);
    result.outcome = impossible >= 0 ? ABUT_QP_INFEASIBLE : iterate(&s);
    result.iterations = s.core.iterations;
    result.active_count = result.outcome == ABUT_QP_OK ? s.core.active_count : 0;
    memcpy(x, s.x, sizeof(double) * (size_t)qp->variables);
    result.value = result.outcome == ABUT_QP_UNBOUNDED ? -INFINITY : (impossible >= 0 ? NAN : objective(qp, x));
    if (multipliers && impossible < 0) write_multipliers(&s, result.outcome, multipliers);
    for (int i = 0; multipliers && impossible >= 0 && i < qp->rows; ++i)
        multipliers[i] = i == impossible ? (qp->b[i] < 0.0 ? 1.0 : -1.0) : 0.0;
    return result;
}
