/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The procedures of Ren, Hong and Meng (2000) step by step as printed. In: regions as rows. Out: a point, or whether
 * two regions meet. Rows become equations and take a variable away, until none is left.
 */
#include "literal.h"

#include <math.h>
#include <string.h>

static const double TINY = 1e-12;

static double row_value(const LiteralRegion *r, int i, const double *x) {
    double sum = 0.0;
    for (int k = 0; k < r->n; ++k) sum += r->m[i][k] * x[k];
    return sum;
}

static int is_constant(const LiteralRegion *r, int i) {
    for (int k = 0; k < r->n; ++k)
        if (fabs(r->m[i][k]) > TINY) return 0;
    return 1;
}

int literal_holds(const LiteralRegion *r, const double *x) {
    for (int i = 0; i < r->count; ++i)
        if (row_value(r, i, x) > r->m[i][r->n] + TINY) return 0;
    return 1;
}

static int contradicts(const LiteralRegion *r) {
    for (int i = 0; i < r->count; ++i)
        if (is_constant(r, i) && r->m[i][r->n] < -TINY) return 1;
    return 0;
}

/* Adds row i of `from` to a region without variable v. */
static void add_without(LiteralRegion *to, const double *row, int n, int v) {
    double *out = to->m[to->count++];
    for (int k = 0, at = 0; k <= n; ++k)
        if (k != v) out[at++] = row[k];
}

/* The region on the plane of `equation`, without variable v; row `skip` is left out. */
static LiteralRegion reduce(const LiteralRegion *r, const double *equation, int v, int skip) {
    LiteralRegion out = {r->n - 1, 0, {{0}}};
    for (int i = 0; i < r->count; ++i) {
        double row[4], part = r->m[i][v] / equation[v];
        if (i == skip) continue;
        for (int k = 0; k <= r->n; ++k) row[k] = r->m[i][k] - part * equation[k];
        add_without(&out, row, r->n, v);
    }
    return out;
}

/* Rows with the given sign of their first coefficient. */
static int of_sign(const LiteralRegion *r, int sign, int row[LITERAL_ROWS]) {
    int count = 0;
    for (int i = 0; i < r->count; ++i) {
        double c = r->m[i][0];
        if (sign > 0 ? c > TINY : sign < 0 ? c < -TINY : fabs(c) <= TINY) row[count++] = i;
    }
    return count;
}

/* Steps 3 and 4: the first variable is free, or bounded from one side only; it goes one beyond its bounds. */
static int locate_one_sided(const LiteralRegion *r, double *x) {
    int flat[LITERAL_ROWS], count = of_sign(r, 0, flat);
    LiteralRegion rest = {r->n - 1, 0, {{0}}};
    for (int i = 0; i < count; ++i) add_without(&rest, r->m[flat[i]], r->n, 0);
    if (!literal_locate(&rest, x + 1)) return 0;
    x[0] = 0.0;
    double low = -INFINITY, high = INFINITY;
    for (int i = 0; i < r->count; ++i) {
        double c = r->m[i][0];
        if (fabs(c) <= TINY) continue;
        double bound = (r->m[i][r->n] - row_value(r, i, x)) / c;
        if (c > 0.0)
            high = fmin(high, bound);
        else
            low = fmax(low, bound);
    }
    x[0] = isfinite(high) ? high - 1.0 : isfinite(low) ? low + 1.0 : 0.0;
    return 1;
}

int literal_locate(const LiteralRegion *r, double *x) {
    int upper[LITERAL_ROWS], lower[LITERAL_ROWS];
    if (contradicts(r)) return 0;
    if (r->n == 0) return 1;
    int uppers = of_sign(r, 1, upper), lowers = of_sign(r, -1, lower);
    if (uppers == 0 || lowers == 0) return locate_one_sided(r, x);
    const int *row = uppers <= lowers ? upper : lower;
    for (int i = 0, count = uppers <= lowers ? uppers : lowers; i < count; ++i) {
        const double *equation = r->m[row[i]];
        LiteralRegion reduced = reduce(r, equation, 0, row[i]);
        if (!literal_locate(&reduced, x + 1)) continue;
        x[0] = 0.0;
        x[0] = (equation[r->n] - row_value(r, row[i], x)) / equation[0];
        return 1;
    }
    return 0;
}

static int largest(const double *row, int n) {
    int best = 0;
    for (int k = 1; k < n; ++k)
        if (fabs(row[k]) > fabs(row[best])) best = k;
    return best;
}

/* The product of a row with t - s, counted outward from its own region: the chosen rows have it positive. */
static double towards(const double *row, int n, const double *s, const double *t) {
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum += row[k] * (t[k] - s[k]);
    return sum;
}

/* Steps 6 and 7 for the rows of `first`. */
static int meet_on_rows(
    const LiteralRegion *first, const LiteralRegion *second, const double *s, const double *t, int mended) {
    for (int i = 0; i < first->count; ++i) {
        const double *equation = first->m[i];
        if (!(towards(equation, first->n, s, t) > TINY)) continue;
        int v = largest(equation, first->n);
        LiteralRegion a = reduce(first, equation, v, i), b = reduce(second, equation, v, -1);
        if (literal_meet(&a, &b, mended)) return 1;
    }
    return 0;
}

static int all_constant(const LiteralRegion *r) {
    for (int i = 0; i < r->count; ++i)
        if (!is_constant(r, i)) return 0;
    return 1;
}

int literal_meet(const LiteralRegion *a, const LiteralRegion *b, int mended) {
    double s[3] = {0}, t[3] = {0};
    if (contradicts(a) || contradicts(b)) return 0;
    if (all_constant(a) && all_constant(b)) return 1;
    if (!literal_locate(a, s) || !literal_locate(b, t)) return 0;
    if (literal_holds(b, s) || literal_holds(a, t)) return 1;
    if (a->count < b->count || (mended && a->count == b->count)) return meet_on_rows(a, b, s, t, mended);
    if (b->count < a->count) return meet_on_rows(b, a, t, s, mended);
    return 0;
}

int literal_choices(const LiteralRegion *a, const LiteralRegion *b, const double *s, const double *t) {
    const LiteralRegion *first = a->count <= b->count ? a : b;
    int count = 0;
    for (int i = 0; i < first->count; ++i)
        count += (first == a ? towards(a->m[i], a->n, s, t) : towards(b->m[i], b->n, t, s)) > TINY;
    return count;
}
