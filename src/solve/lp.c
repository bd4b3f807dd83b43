/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear programs in few dimensions: preparation, verdict, certificates. The recursion is in lp_core.c.
 *
 * In: rows a_i.x <= b_i, an objective. Out: a checked answer: an optimal point that every row accepts, a ray, or
 * conflicting rows with Farkas multipliers. Rows are brought to unit length; the tolerance is relative to |b_i| and
 * |x|.
 */
#include "solve/lp_core.h"
#include "solve/tolerance.h"
#include "solve/vector.h"

#include <string.h>

enum { CERTIFICATE_ROWS = 64 };

static size_t doubles_needed(int d, int rows) {
    size_t m = (size_t)rows, total = m * (size_t)(d + 3);
    for (int k = 1; k <= d; ++k)
        total += (m + 2 * (size_t)d) * (size_t)(k + ABUT_LP_ROW_EXTRA + 1); /* the 1 holds the ids */
    return total;
}

size_t abut_lp_workspace_size(int dimension, int rows) {
    if (dimension < 1 || dimension > ABUT_LP_MAX_DIMENSION || rows < 0) return 0;
    return sizeof(double) * doubles_needed(dimension, rows) + 64;
}

static void bind(AbutLpCore *core, AbutLpTable *table, int d, int rows, double *memory) {
    int capacity = rows + 2 * d;
    table->dimension = d;
    table->rows = rows;
    table->a = memory, memory += rows * d;
    table->b = memory, memory += rows;
    table->b_exact = memory, memory += rows;
    table->slack = memory, memory += rows;
    for (int k = 1; k <= d; ++k) {
        core->level[k].rows = memory, memory += capacity * (k + ABUT_LP_ROW_EXTRA);
        core->level[k].ids = (int *)(void *)memory, memory += capacity;
        core->level[k].count = 0;
    }
}

double abut_lp_row_length(int d, const double *a) {
    double square = abut_row_dot(d, a, a);
    if (square > ABUT_LP_SQUARE_LEAST && square < ABUT_LP_SQUARE_MOST) return sqrt(square);
    double size = abut_row_largest_finite(d, a);
    if (size == 0.0 || isnan(size)) return size;
    square = 0.0;
    for (int j = 0; j < d; ++j) square += (a[j] / size) * (a[j] / size);
    return size * sqrt(square);
}

typedef enum Loaded { LOADED, LOADED_EMPTY_ROW, LOADED_BAD_NUMBER } Loaded;

/* One row that the fast path cannot take: zero, not finite, or at the ends of the range of double. */
static Loaded load_odd_row(const double *row, double b, int d, int n, double *a, double *b_exact) {
    double length = abut_lp_row_length(d, row);
    *b_exact = length > 0.0 ? b / length : INFINITY;
    if (!isfinite(length) || !(b > -INFINITY) || *b_exact == -INFINITY) return LOADED_BAD_NUMBER;
    for (int j = 0; j < d; ++j) a[j * n] = length > 0.0 ? row[j] / length : 0.0;
    return length == 0.0 && b < 0.0 ? LOADED_EMPTY_ROW : LOADED;
}

/* Unit rows by columns, right sides with and without tolerance. *bad is the row that ends it. */
static Loaded load(
    const AbutLp *lp, AbutLpTable *t, double tolerance, double *restrict a, double *restrict b_exact, int *bad) {
    int d = lp->dimension, n = lp->rows;
    double *restrict inverse = t->slack;
    for (int i = 0; i < n; ++i) {
        double square = 0.0;
        for (int j = 0; j < d; ++j) {
            double entry = lp->a[i * d + j];
            a[j * n + i] = entry;
            square += entry * entry;
        }
        inverse[i] = square;
    }
    for (int i = 0; i < n; ++i) { /* a square out of range gives 0, which the check below finds */
        double square = inverse[i];
        inverse[i] = square > ABUT_LP_SQUARE_LEAST && square < ABUT_LP_SQUARE_MOST ? 1.0 / sqrt(square) : 0.0;
        b_exact[i] = lp->b[i] * inverse[i];
    }
    for (int j = 0; j < d; ++j)
        for (int i = 0; i < n; ++i) a[j * n + i] *= inverse[i];
    for (int i = 0; i < n; ++i) {
        if (ABUT_UNLIKELY(!(inverse[i] > 0.0 && fabs(b_exact[i]) < ABUT_LP_OFFSET_MOST))) {
            Loaded odd = load_odd_row(lp->a + i * d, lp->b[i], d, n, a + i, b_exact + i);
            *bad = i;
            if (odd != LOADED) return odd;
        }
        t->b[i] = b_exact[i] + tolerance * fabs(b_exact[i]);
    }
    return LOADED;
}

/* The objective as a vector of length one; from the seed when there is none. False when it is not finite. */
static int load_objective(const AbutLp *lp, double *c) {
    int d = lp->dimension;
    double length = lp->c ? abut_lp_row_length(d, lp->c) : 0.0;
    AbutRng rng = abut_rng(lp->seed, 0);
    if (!isfinite(length)) return 0;
    for (int j = 0; j < d; ++j) c[j] = lp->c && length > 0.0 ? lp->c[j] / length : abut_rng_between(&rng, -1.0, 1.0);
    return 1;
}

/* ---- infeasible: Farkas multipliers ------------------------------------------------------------------------------ */

/*
 * Non-negative y for the given unit rows with y'A = 0 and y'b = -1, by least squares. Right sides are divided by their
 * largest so that both conditions weigh alike. Writes the rows with y > 0; true when y is a proof within rounding.
 */
static int certify(const AbutLp *lp, const AbutLpTable *t, const int *rows, int count, AbutLpResult *out) {
    double memory[CERTIFICATE_ROWS * 21 + 400], a[(ABUT_LP_MAX_DIMENSION + 1) * CERTIFICATE_ROWS], y[CERTIFICATE_ROWS];
    double rhs[ABUT_LP_MAX_DIMENSION + 1] = {0}, size = 0.0, sum = 0.0, square = 0.0;
    int d = t->dimension, used = 0;
    for (int k = 0; k < count; ++k) size = fmax(size, fabs(t->b_exact[rows[k]]));
    for (int k = 0; k < count; ++k) {
        for (int j = 0; j < d; ++j) a[j * count + k] = t->a[j * t->rows + rows[k]];
        a[d * count + k] = t->b_exact[rows[k]] / size;
    }
    rhs[d] = -1.0;
    if (!(size > 0.0) || abut_nnls(d + 1, count, a, rhs, y, memory, sizeof memory).outcome == ABUT_NNLS_BAD_INPUT)
        return 0;
    for (int k = 0; k < count; ++k) sum += y[k];
    out->gap = 0.0;
    for (int k = 0; k < count && sum > 0.0; ++k) out->gap -= y[k] / sum * t->b_exact[rows[k]];
    for (int j = 0; j < d; ++j) {
        double column = 0.0;
        for (int k = 0; k < count && sum > 0.0; ++k) column += y[k] / sum * a[j * count + k];
        square += column * column;
    }
    out->farkas_residual = sqrt(square);
    for (int k = 0; k < count; ++k)
        if (y[k] > 0.0 && used <= d) {
            out->conflict[used] = rows[k];
            out->multiplier[used++] = y[k] / sum / abut_lp_row_length(d, lp->a + (size_t)rows[k] * (size_t)d);
        }
    out->conflict_count = used;
    return out->gap > 0.0 && out->farkas_residual <= ABUT_LP_FARKAS &&
           out->farkas_residual * size <= ABUT_LP_FARKAS_PART * out->gap + ABUT_LP_FARKAS_ROUNDING * size;
}

static void conclude_infeasible(const AbutLp *lp, const AbutLpCore *core, const AbutLpTable *t, AbutLpResult *out) {
    int rows[CERTIFICATE_ROWS], count = 0;
    for (int k = 0; k < core->conflict_count; ++k)
        if (core->conflict[k] >= 0) rows[count++] = core->conflict[k];
    out->outcome = ABUT_LP_INFEASIBLE;
    if (count > 0 && certify(lp, t, rows, count, out)) return;
    /* a plane on the way may have the wrong sign: look among all rows that were picked, the latest first */
    const AbutLpLevel *top = &core->level[t->dimension];
    count = 0;
    for (int k = top->count - 1; k >= 0 && count < CERTIFICATE_ROWS; --k) rows[count++] = top->ids[k];
    if (count > 0 && certify(lp, t, rows, count, out)) return;
    out->outcome = ABUT_LP_UNDECIDED;
    out->status = ABUT_ERROR_DEGENERATE;
    out->conflict_count = 0;
}

/* ---- feasible: a finite point, checked --------------------------------------------------------------------------- */

/* The least M from which x0 + M x1 satisfies every row; at least `least`. */
static double finite_side(const AbutLpTable *t, const AbutLpPoint *p, double least) {
    int d = t->dimension, n = t->rows;
    double side = least;
    for (int i = 0; i < n; ++i) {
        double near = -t->b_exact[i], far = 0.0;
        for (int j = 0; j < d; ++j) {
            near += t->a[j * n + i] * p->x0[j];
            far += t->a[j * n + i] * p->x1[j];
        }
        if (far < -ABUT_LP_RAY_OUT && near > -far * side) side = near / -far;
    }
    return side;
}

/* Largest excess over all rows, relative to |b_i| + |x|. */
static double worst_excess(const AbutLpTable *t, const double *x) {
    int d = t->dimension, n = t->rows;
    double size = abut_row_largest(d, x), worst = 0.0;
    for (int i = 0; i < n; ++i) {
        double excess = -t->b_exact[i];
        for (int j = 0; j < d; ++j) excess += t->a[j * n + i] * x[j];
        if (excess > worst * (fabs(t->b_exact[i]) + size)) worst = excess / (fabs(t->b_exact[i]) + size);
    }
    return worst;
}

static void conclude_feasible(
    const AbutLp *lp, const AbutLpTable *t, const double *c, const AbutLpPoint *p, AbutLpResult *out) {
    int d = t->dimension, at_infinity = 0;
    double rise = 0.0, side = 0.0;
    for (int j = 0; j < d; ++j) {
        at_infinity |= p->x1[j] != 0.0;
        rise += c[j] * p->x1[j]; /* NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult): d numbers are set */
    }
    if (at_infinity) side = finite_side(t, p, 0.0);
    for (int j = 0; j < d; ++j) {
        out->x[j] = p->x0[j] + side * p->x1[j];
        out->value += lp->c ? lp->c[j] * out->x[j] : 0.0;
        if (p->tight[j] >= 0) out->active[out->active_count++] = p->tight[j];
    }
    out->outcome = ABUT_LP_OPTIMAL;
    if (rise > ABUT_LP_RAY_RISE && abut_lp_row_length(d, c) > 0.0 && lp->c && abut_lp_row_length(d, lp->c) > 0.0) {
        out->outcome = ABUT_LP_UNBOUNDED;
        out->value = INFINITY;
        memcpy(out->ray, p->x1, sizeof(double) * (size_t)d);
    }
    if (!(worst_excess(t, out->x) <= ABUT_LP_EXCESS)) {
        out->outcome = ABUT_LP_UNDECIDED;
        out->status = ABUT_ERROR_DEGENERATE;
    }
}

/* One attempt with the given tolerance; sizes and workspace are known to be good. */
static AbutLpResult attempt(const AbutLp *lp, double tolerance, double *workspace) {
    AbutLpResult out = {.outcome = ABUT_LP_UNDECIDED, .status = ABUT_ERROR_NUMBER};
    AbutLpCore core = {.tolerance = tolerance};
    AbutLpTable table;
    AbutLpPoint point;
    double c[ABUT_LP_MAX_DIMENSION], *b_exact = workspace + lp->rows * (lp->dimension + 1);
    int bad = 0;
    bind(&core, &table, lp->dimension, lp->rows, workspace);
    Loaded loaded = load(lp, &table, tolerance, workspace, b_exact, &bad);
    if (loaded == LOADED_BAD_NUMBER || !load_objective(lp, c)) return out;
    out.status = ABUT_OK;
    if (loaded == LOADED_EMPTY_ROW) {
        out.outcome = ABUT_LP_INFEASIBLE;
        out.conflict_count = 1;
        out.conflict[0] = bad;
        out.multiplier[0] = 1.0;
        out.gap = -lp->b[bad];
        return out;
    }
    if (abut_lp_run(&core, &table, c, &point))
        conclude_feasible(lp, &table, c, &point, &out);
    else
        conclude_infeasible(lp, &core, &table, &out);
    out.iterations = core.iterations;
    return out;
}

AbutLpResult abut_lp_solve(const AbutLp *lp, void *workspace, size_t workspace_size) {
    ABUT_ASSERT(lp);
    static const double retry[] = {
        1.0, ABUT_LP_TIGHTER, ABUT_LP_LOOSER}; /* where rounding wins at one tolerance, another one often decides */
    AbutLpResult out = {.outcome = ABUT_LP_UNDECIDED, .status = ABUT_ERROR_ARGUMENT};
    double tolerance = lp->tolerance > 0.0 ? lp->tolerance : ABUT_LP_TOLERANCE;
    size_t need = abut_lp_workspace_size(lp->dimension, lp->rows);
    if (need == 0 || (lp->rows > 0 && (!lp->a || !lp->b))) return out;
    out.status = ABUT_ERROR_MEMORY;
    if (!workspace || workspace_size < need) return out;
    for (int k = 0; k < 3; ++k) {
        out = attempt(lp, tolerance * retry[k], (double *)workspace);
        if (out.status != ABUT_ERROR_DEGENERATE) break;
    }
    return out;
}
