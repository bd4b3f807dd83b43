/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear programs in few dimensions by Seidel's descent through dimensions on a growing set of picked rows.
 *
 * In: unit rows, an objective. Out: the best point p + q M with the rows that fix it, or the rows that conflict.
 *
 * Design
 *   1. Start at the corner of the box |x_j| <= M that is best for the objective; no row is picked.
 *   2. Find the row that the point violates most. None: done.
 *   3. The best point of the picked rows and this one lies on the plane of this row, if it exists at all. Eliminate one
 *      variable by the plane: a linear program with one variable less over the picked rows and two sides of the box.
 *   4. Pick the row, go to 2.
 * The objective falls with each turn, a row is picked once, so there are at most as many turns as rows; in practice
 * about ten for hundreds of rows in three dimensions. One variable is solved directly.
 * Reference: Seidel, Small-dimensional linear programming and convex hulls made easy, DCG 6, 1991.
 */
#include "solve/lp_core.h"
#include "solve/tolerance.h"
#include "solve/vector.h"

#include <string.h>

static int stride(int k) { return k + ABUT_LP_ROW_EXTRA; }

static void start_at_corner(int k, const double *c, AbutLpPoint *out) {
    for (int j = 0; j < k; ++j) {
        out->x0[j] = 0.0;
        out->x1[j] = c[j] < 0.0 ? -1.0 : 1.0;
        out->tight[j] = -1;
    }
}

/* How badly the point passes a row: first at infinity, then in finite distance. */
typedef struct Excess {
    double far, near;
    int row;
} Excess;

static void take_worse(Excess *worst, double far, double near, int row) {
    if (far > worst->far || (far == worst->far && near > worst->near)) {
        worst->far = far;
        worst->near = near;
        worst->row = row;
    }
}

static Excess find_violated(int k, const AbutLpLevel *level, int first, const AbutLpPoint *p) {
    Excess worst = {0.0, 0.0, -1};
    double near_size = abut_row_largest(k, p->x0), far_size = 1.0 + abut_row_largest(k, p->x1);
    for (int i = first; i < level->count; ++i) {
        const double *row = level->rows + i * stride(k);
        double far = abut_row_dot(k, row, p->x1) - row[k + 1], far_limit = row[k + 3] * far_size;
        if (far < -far_limit) continue;
        double near = abut_row_dot(k, row, p->x0) - row[k] - row[k + 2] - row[k + 3] * near_size;
        take_worse(&worst, far > far_limit ? far : 0.0, near, i);
    }
    return worst;
}

/* ---- elimination of one variable --------------------------------------------------------------------------------- */

/* row minus the multiple of plane that removes variable e. 1: written to out; 0: holds always; -1: never holds. */
static int project_row(int k, const double *row, const double *plane, int e, double *out) {
    double f = row[e] / plane[e], square = 0.0;
    for (int j = 0, o = 0; j < k; ++j) {
        if (j == e) continue;
        double value = row[j] - f * plane[j];
        out[o++] = value;
        square += value * value;
    }
    double norm = sqrt(square), *side = out + k - 1, g = fabs(f);
    side[0] = row[k] - f * plane[k];
    side[1] = row[k + 1] - f * plane[k + 1];
    side[2] = row[k + 2] + g * plane[k + 2];
    side[3] = row[k + 3] + g * plane[k + 3];
    if (norm <= ABUT_LP_PARALLEL) {
        if (fabs(side[1]) > side[3]) return side[1] < 0.0 ? -1 : 0;
        return side[0] < -side[2] ? -1 : 0;
    }
    for (int j = 0; j < k + 3; ++j) out[j] /= norm;
    return 1;
}

static int largest_entry(int k, const double *a) {
    int e = 0;
    for (int j = 1; j < k; ++j)
        if (fabs(a[j]) > fabs(a[e])) e = j;
    return e;
}

/* Both sides of the box for variable e, on the plane. */
static void project_box(AbutLpCore *core, int k, const double *plane, int e) {
    AbutLpLevel *below = &core->level[k - 1];
    for (int side = -1; side <= 1; side += 2) {
        double row[ABUT_LP_ROW_MAX] = {0};
        row[e] = side;
        row[k + 1] = 1.0;
        row[k + 3] = core->tolerance;
        if (project_row(k, row, plane, e, below->rows + below->count * stride(k - 1)) == 1)
            below->ids[below->count++] = -1;
    }
}

/* Fills level k - 1 with the first `picked` rows of level k on the plane. False when one of them conflicts with it. */
static int project_level(AbutLpCore *core, int k, int picked, const double *plane, int plane_id, int e) {
    AbutLpLevel *from = &core->level[k], *below = &core->level[k - 1];
    below->count = 0;
    for (int i = 0; i < picked; ++i) {
        int made = project_row(k, from->rows + i * stride(k), plane, e, below->rows + below->count * stride(k - 1));
        if (made == 1) below->ids[below->count++] = from->ids[i];
        if (made < 0) {
            core->conflict[0] = plane_id;
            core->conflict[1] = from->ids[i];
            core->conflict_count = 2;
            return 0;
        }
    }
    project_box(core, k, plane, e);
    return 1;
}

/* The objective on the plane; entries that are rounding become 0, which stands for indifference. */
static void project_objective(int k, const double *c, const double *plane, int e, double *out) {
    /* the analyzer does not see that all k numbers are set */
    double f = c[e] / plane[e]; /* NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    double limit = ABUT_LP_FLAT_OBJECTIVE * abut_row_largest(k, c);
    for (int j = 0, o = 0; j < k; ++j) {
        if (j == e) continue;
        double value = c[j] - f * plane[j]; /* NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        out[o++] = fabs(value) > limit ? value : 0.0;
    }
}

/* A point on the plane with the eliminated variable put back. */
static void lift(int k, const double *plane, int plane_id, int e, const AbutLpPoint *below, AbutLpPoint *out) {
    double s0 = plane[k], s1 = plane[k + 1];
    for (int j = 0, o = 0; j < k; ++j) {
        if (j == e) continue;
        out->x0[j] = below->x0[o];
        out->x1[j] = below->x1[o];
        s0 -= plane[j] * below->x0[o];
        s1 -= plane[j] * below->x1[o];
        ++o;
    }
    out->x0[e] = s0 / plane[e];
    s1 /= plane[e];
    out->x1[e] = fabs(s1) > ABUT_LP_FLAT_STEP ? s1 : 0.0;
    for (int j = 0; j < k - 1; ++j) out->tight[j] = below->tight[j];
    out->tight[k - 1] = plane_id;
}

/* ---- one variable ------------------------------------------------------------------------------------------------ */

typedef struct End {
    double b0, b1, t0, t1;
    int id;
} End;

/* True when u is the smaller upper end. */
static int tighter(const End *u, const End *v) {
    double far = u->b1 - v->b1;
    if (fabs(far) > u->t1 + v->t1) return far < 0.0;
    return u->b0 < v->b0;
}

static int solve_line(AbutLpCore *core, double c, AbutLpPoint *out) {
    const AbutLpLevel *level = &core->level[1];
    End box = {0.0, 1.0, 0.0, core->tolerance, -1}, high = box, low = box; /* low is the upper end of -x */
    for (int i = 0; i < level->count; ++i) {
        const double *row = level->rows + i * stride(1);
        End end = {row[1], row[2], row[3], row[4], level->ids[i]};
        End *best = row[0] > 0.0 ? &high : &low;
        if (tighter(&end, best)) *best = end;
    }
    double far = high.b1 + low.b1, near = high.b0 + low.b0, far_limit = high.t1 + low.t1;
    double near_limit = high.t0 + low.t0 + high.t1 * fabs(high.b0) + low.t1 * fabs(low.b0);
    if (far < -far_limit || (far <= far_limit && near < -near_limit)) {
        core->conflict[0] = low.id;
        core->conflict[1] = high.id;
        core->conflict_count = 2;
        return 0;
    }
    int indifferent = c == 0.0 && fabs(high.b1) > high.t1, up = c > 0.0 || (c == 0.0 && !indifferent);
    out->x0[0] = up ? high.b0 : -low.b0;
    out->x1[0] = up ? high.b1 : -low.b1;
    out->tight[0] = up ? high.id : low.id;
    return 1;
}

/* ---- the descent ------------------------------------------------------------------------------------------------- */

static int solve_level(AbutLpCore *core, int k, const double *c, AbutLpPoint *out);

/* Best point on the plane of `plane` over the first `picked` rows of level k. */
static int solve_on_plane(
    AbutLpCore *core, int k, int picked, const double *plane, int id, const double *c, AbutLpPoint *out) {
    AbutLpPoint below;
    double objective[ABUT_LP_MAX_DIMENSION];
    int e = largest_entry(k, plane);
    ++core->iterations;
    if (!project_level(core, k, picked, plane, id, e)) return 0;
    project_objective(k, c, plane, e, objective);
    if (!solve_level(core, k - 1, objective, &below)) {
        core->conflict[core->conflict_count++] = id;
        return 0;
    }
    lift(k, plane, id, e, &below, out);
    return 1;
}

static void swap_rows(AbutLpLevel *level, int k, int i, int j) {
    double t[ABUT_LP_ROW_MAX];
    size_t bytes = sizeof(double) * (size_t)stride(k);
    int id = level->ids[i];
    level->ids[i] = level->ids[j];
    level->ids[j] = id;
    memcpy(t, level->rows + i * stride(k), bytes);
    memmove(level->rows + i * stride(k), level->rows + j * stride(k), bytes);
    memcpy(level->rows + j * stride(k), t, bytes);
}

static int solve_level(AbutLpCore *core, int k, const double *c, AbutLpPoint *out) {
    if (k == 1) return solve_line(core, c[0], out);
    AbutLpLevel *level = &core->level[k];
    start_at_corner(k, c, out);
    for (int picked = 0; picked < level->count; ++picked) {
        Excess worst = find_violated(k, level, picked, out);
        if (worst.row < 0) break;
        swap_rows(level, k, picked, worst.row); /* picked rows stay in front */
        if (!solve_on_plane(core, k, picked, level->rows + picked * stride(k), level->ids[picked], c, out)) return 0;
    }
    return 1;
}

/* ---- the top level, over the caller's rows ----------------------------------------------------------------------- */

/* slack[i] = a_i.x - b_i (b NULL: a_i.x), one column at a time so that the compiler can use vectors. */
static void measure(const AbutLpTable *t, const double *x, const double *restrict b, double *restrict slack) {
    int n = t->rows, first = t->dimension >= 3 ? 3 : 1;
    const double *restrict a = t->a;
    if (first == 3)
        for (int i = 0; i < n; ++i) slack[i] = a[i] * x[0] + a[n + i] * x[1] + a[2 * n + i] * x[2];
    else
        for (int i = 0; i < n; ++i) slack[i] = a[i] * x[0];
    for (int j = first; j < t->dimension; ++j)
        for (int i = 0; i < n; ++i) slack[i] += a[j * n + i] * x[j];
    for (int i = 0; b && i < n; ++i) slack[i] -= b[i];
}

/* Index of the largest number: four running maxima, since one would wait for itself. -1 when all are -infinity. */
static int find_largest(int n, const double *v) {
    double best[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int lane = 0; lane < 4; ++lane) best[lane] = v[i + lane] > best[lane] ? v[i + lane] : best[lane];
    for (; i < n; ++i) best[0] = v[i] > best[0] ? v[i] : best[0];
    double top = fmax(fmax(best[0], best[1]), fmax(best[2], best[3]));
    if (top == -INFINITY) return -1;
    for (i = 0; v[i] != top; ++i) {
    }
    return i;
}

static int find_violated_near(const AbutLpTable *t, const AbutLpPoint *p, double tolerance) {
    measure(t, p->x0, t->b, t->slack);
    int at = find_largest(t->rows, t->slack);
    return at >= 0 && t->slack[at] > tolerance * abut_row_largest(t->dimension, p->x0) ? at : -1;
}

/* The point is at infinity: the row that it passes furthest there, else the worst of those that run along with it. */
static int find_violated_far(const AbutLpTable *t, const AbutLpPoint *p, double tolerance) {
    int d = t->dimension, n = t->rows;
    double far_limit = tolerance * (1.0 + abut_row_largest(d, p->x1)),
           near_limit = tolerance * abut_row_largest(d, p->x0);
    Excess worst = {far_limit, 0.0, -1};
    measure(t, p->x1, NULL, t->slack);
    for (int i = 0; i < n; ++i)
        if (t->slack[i] > worst.far && t->b[i] < INFINITY) take_worse(&worst, t->slack[i], 0.0, i);
    for (int i = 0; i < n && worst.row < 0; ++i) {
        if (t->slack[i] < -far_limit) continue;
        double near = -t->b[i] - near_limit;
        for (int j = 0; j < d; ++j) near += t->a[j * n + i] * p->x0[j];
        t->slack[i] = near;
    }
    if (worst.row >= 0) return worst.row;
    int at = find_largest(n, t->slack);
    return at >= 0 && t->slack[at] > 0.0 ? at : -1;
}

static int find_violated_top(const AbutLpTable *t, const AbutLpPoint *p, double tolerance) {
    if (t->rows == 0) return -1;
    return abut_row_largest(t->dimension, p->x1) == 0.0 ? find_violated_near(t, p, tolerance)
                                                        : find_violated_far(t, p, tolerance);
}

/* Copies row i of the table to the end of the picked rows, and takes it out of play. */
static double *pick(AbutLpCore *core, AbutLpTable *t, int i) {
    int d = t->dimension;
    AbutLpLevel *top = &core->level[d];
    double *row = top->rows + top->count * stride(d);
    for (int j = 0; j < d; ++j) row[j] = t->a[j * t->rows + i];
    row[d] = t->b_exact[i];
    row[d + 1] = 0.0;
    row[d + 2] = core->tolerance * fabs(t->b_exact[i]);
    row[d + 3] = core->tolerance;
    top->ids[top->count++] = i;
    t->b[i] = INFINITY;
    return row;
}

/* One variable: every row is a bound, so all are picked at once. */
static int run_line(AbutLpCore *core, AbutLpTable *t, const double *c, AbutLpPoint *out) {
    for (int i = 0; i < t->rows; ++i)
        if (t->b[i] < INFINITY) pick(core, t, i);
    return solve_line(core, c[0], out);
}

int abut_lp_run(AbutLpCore *core, AbutLpTable *table, const double *c, AbutLpPoint *out) {
    int d = table->dimension;
    core->level[d].count = 0;
    core->iterations = core->conflict_count = 0;
    if (d == 1) return run_line(core, table, c, out);
    start_at_corner(d, c, out);
    for (;;) {
        int worst = find_violated_top(table, out, core->tolerance);
        if (worst < 0) return 1;
        int picked = core->level[d].count;
        const double *plane = pick(core, table, worst);
        if (!solve_on_plane(core, d, picked, plane, worst, c, out)) return 0;
    }
}
