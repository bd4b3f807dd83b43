/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nearest point to the origin of a polyhedron, by a dual active set.
 *
 * In: unit rows M, right sides d, optionally a warm set of active rows. Out: u, active rows, multipliers; or a proof
 * that the polyhedron is empty: multipliers with lambda'M = 0 and lambda'd < 0.
 *
 * Design
 *   1. Treat the active rows as equations: their nearest point gives multipliers `aim`.
 *   2. If all are of the right sign, take them; add the row that the point violates most; none: done.
 *   3. Else walk from lambda to aim until a multiplier reaches zero, and drop its row.
 *   4. A row that depends on the active ones: walk along the dependence instead; if nothing reaches zero, no point
 * exists. The dual objective rises with each turn. The active rows are kept as M_active = R' Q with orthonormal Q, by
 * Gram-Schmidt done twice; R is rebuilt behind a dropped row.
 * Reference: Goldfarb and Idnani, A numerically stable dual method, Mathematical Programming 27, 1983.
 */
#include "solve/least_distance.h"
#include "solve/tolerance.h"
#include "solve/vector.h"

#include <string.h>

static double *column(const AbutLeastDistance *s, int k) { return s->r + k * (s->n + 1); }

/* Splits `row` by the first k rows of q: coefficients to r, the rest, scaled to one, to q[k]. Gives the rest's length.
 */
static double split_row(AbutLeastDistance *s, const double *row, int k) {
    int n = s->n;
    double *r = column(s, k), *rest = s->q + k * n;
    memcpy(rest, row, sizeof(double) * (size_t)n);
    for (int i = 0; i < k; ++i) r[i] = 0.0;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < k; ++i) {
            double along = abut_row_dot(n, s->q + i * n, rest);
            r[i] += along;
            abut_row_add(n, rest, s->q + i * n, -along);
        }
    double length = sqrt(abut_row_dot(n, rest, rest));
    for (int j = 0; j < n && length > 0.0; ++j) rest[j] /= length;
    return r[k] = length;
}

/* Makes row i active with multiplier lambda, unless it depends on the active rows (false; r then holds how). */
static int append(AbutLeastDistance *s, int i, double lambda) {
    int k = s->active_count;
    if (split_row(s, s->rows + i * s->n, k) <= ABUT_LEAST_DISTANCE_DEPENDENT || k >= s->n) return 0;
    s->active[k] = i;
    s->lambda[k] = lambda;
    s->state[i] = ABUT_ROW_ACTIVE;
    ++s->active_count;
    return 1;
}

static void drop(AbutLeastDistance *s, int k) {
    s->state[s->active[k]] = ABUT_ROW_OPEN;
    --s->active_count;
    for (int l = k; l < s->active_count; ++l) {
        s->active[l] = s->active[l + 1];
        s->lambda[l] = s->lambda[l + 1];
        split_row(s, s->rows + s->active[l] * s->n, l);
    }
}

/* R x = b by back substitution over k columns; in place. */
static void solve_upper(const AbutLeastDistance *s, int k, double *x) {
    for (int i = k - 1; i >= 0; --i) {
        double sum = x[i];
        for (int l = i + 1; l < k; ++l) sum -= column(s, l)[i] * x[l];
        x[i] = sum / column(s, i)[i];
    }
}

/* Nearest point u where the active rows hold as equations, and its multipliers in aim. */
static void solve_active(AbutLeastDistance *s) {
    int n = s->n, k = s->active_count;
    double *w = s->aim;
    for (int i = 0; i < k; ++i) {
        double sum = -s->d[s->active[i]];
        for (int l = 0; l < i; ++l) sum -= column(s, i)[l] * w[l];
        w[i] = sum / column(s, i)[i];
    }
    for (int j = 0; j < n; ++j) s->u[j] = 0.0;
    for (int i = 0; i < k; ++i) abut_row_add(n, s->u, s->q + i * n, -w[i]);
    solve_upper(s, k, w);
}

/* How far lambda + t step can go, t up to `most`; *blocking is the active row that stops it, or -1. Steps within noise
 * are 0. */
static double ratio(const AbutLeastDistance *s, const double *step, double noise, double most, int *blocking) {
    *blocking = -1;
    for (int k = 0; k < s->active_count; ++k) {
        if (s->active[k] < s->equalities || !(step[k] < -noise)) continue;
        double t = fmax(s->lambda[k], 0.0) / -step[k];
        if (t < most) {
            most = t;
            *blocking = k;
        }
    }
    return most;
}

/* lambda towards aim. True when aim is reached; else the blocking row is dropped. */
static int walk_to_aim(AbutLeastDistance *s) {
    int blocking = -1, k = s->active_count;
    for (int i = 0; i < k; ++i) s->work[i] = s->aim[i] - s->lambda[i];
    int good = 1;
    for (int i = 0; i < k; ++i) good &= s->active[i] < s->equalities || s->aim[i] >= 0.0;
    double t = good ? 1.0 : ratio(s, s->work, 0.0, 1.0, &blocking);
    for (int i = 0; i < k; ++i) s->lambda[i] = good ? s->aim[i] : s->lambda[i] + t * s->work[i];
    if (!good && blocking >= 0) drop(s, blocking);
    return good || blocking < 0;
}

/* Row i depends on the active rows: trade it against one of them. False when that cannot be: no point exists. */
static int exchange(AbutLeastDistance *s, int i, double sign) {
    int k = s->active_count, blocking;
    for (int l = 0; l < k; ++l) s->work[l] = -sign * column(s, k)[l];
    solve_upper(s, k, s->work);
    double size = fmax(1.0, abut_row_largest(k, s->work));
    double t = ratio(s, s->work, ABUT_LEAST_DISTANCE_RAY * size, INFINITY, &blocking);
    if (blocking < 0) { /* the dependence itself is the proof */
        for (int l = 0; l < k; ++l) s->lambda[l] = s->active[l] < s->equalities ? s->work[l] : fmax(s->work[l], 0.0);
        s->active[k] = i;
        s->lambda[k] = sign;
        return 0;
    }
    for (int l = 0; l < k; ++l) s->lambda[l] += t * s->work[l];
    drop(s, blocking);
    return append(s, i, sign * t) || s->iterations < s->cap;
}

/* The open row that u violates most in its own tolerance, or -1. Equations count on both sides. */
static int most_violated(const AbutLeastDistance *s, double *excess) {
    int worst = -1;
    double top = 0.0, reach = abut_row_largest(s->n, s->u);
    for (int i = 0; i < s->m; ++i) {
        if (s->state[i] != ABUT_ROW_OPEN) continue;
        double over = abut_row_dot(s->n, s->rows + i * s->n, s->u) - s->d[i],
               size = i < s->equalities ? fabs(over) : over;
        if (size > top && size > ABUT_LEAST_DISTANCE_VIOLATED * (s->size[i] + reach)) {
            top = size;
            worst = i;
            *excess = over;
        }
    }
    return worst;
}

/* Equations enter first; those that the others imply go out of play. False when one contradicts. */
static int enter_equalities(AbutLeastDistance *s) {
    for (int i = 0; i < s->equalities; ++i) {
        if (s->state[i] != ABUT_ROW_OPEN || append(s, i, 0.0)) continue;
        solve_active(s);
        double over = abut_row_dot(s->n, s->rows + i * s->n, s->u) - s->d[i];
        double size = s->size[i] + sqrt(abut_row_dot(s->n, s->u, s->u));
        if (fabs(over) > ABUT_LEAST_DISTANCE_EQUATION * size) return exchange(s, i, over > 0.0 ? 1.0 : -1.0);
        s->state[i] = ABUT_ROW_OUT;
    }
    return 1;
}

AbutNearest abut_least_distance(AbutLeastDistance *s) {
    if (!enter_equalities(s)) return ABUT_NEAREST_NONE;
    for (; s->iterations < s->cap; ++s->iterations) {
        solve_active(s);
        if (!walk_to_aim(s)) continue;
        double over = 0.0;
        int i = most_violated(s, &over);
        if (i < 0) return ABUT_NEAREST_FOUND;
        if (!append(s, i, 0.0) && !exchange(s, i, 1.0)) return ABUT_NEAREST_NONE;
    }
    return ABUT_NEAREST_CAP;
}
