/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intersection test of Ren, Hong and Meng on half-space rows, by recursion over the dimension.
 *
 * locate(A) finds a point of one region: rows are split by the sign of their coefficient of one variable into upper and
 * lower bounds and rows without it. With both kinds of bounds a region that is not empty has a point where some upper
 * row is active, and one where some lower row is: each row of the smaller kind is taken as an equation in turn, which
 * leaves a problem of one dimension less. The equation is solved for its largest coefficient.
 *
 * meet(A, B) takes a point s of A and t of B. If neither lies in the other region, then any common point can be moved
 * towards t inside B until it leaves A through a row that t breaks; so some row of A that t breaks is active in a
 * common point (the paper allows every row that rises from s to t, a larger set), and the same holds for B and s. The
 * region with fewer such rows gives them, A when the counts are equal; each is an equation in turn, for both regions.
 *
 * Rows are not scaled after a substitution: a reduced row is passed by exactly as much as the row it came from.
 */
#include "abut/literature.h"
#include "query/intersect_rows.h"

#include <math.h>
#include <string.h>

#define ABUT_REN_ZERO 1e-13   /* entries of a unit row below this are zero */
#define ABUT_REN_INSIDE 1e-14 /* intervals this much too short still hold a point, of the typical offset */

enum { MAX_DIMENSION = ABUT_INTERSECT_MAX_DIMENSION, MOST_REDUCTIONS = 50000000 };

typedef struct Search {
    double *stack; /* reduced rows of the levels below */
    double zero;   /* coefficients up to this are zero */
    double slack;  /* rounding of an offset */
    double reach;  /* how far to go into an unbounded direction */
    int64_t tests, reductions, max_reductions;
} Search;

/* Numbers that the stack holds at most. */
static size_t stack_size(int dimension, int rows_of_both) {
    size_t numbers = 0;
    for (int n = 1; n < dimension; ++n) numbers += 2 * (size_t)rows_of_both * (size_t)(n + 1);
    return numbers;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

static int largest(int n, const double *row) {
    int best = 0;
    for (int i = 1; i < n; ++i)
        if (fabs(row[i]) > fabs(row[best])) best = i;
    return best;
}

/* Puts `equation` solved for variable k into every row but `skip`. Gives the number of rows written. */
static int reduce(
    Search *s, const double *rows, int count, int n, const double *equation, int k, int skip, double *out) {
    int written = 0;
    for (int i = 0; i < count; ++i) {
        if (i == skip) continue;
        const double *row = rows + (size_t)i * (size_t)(n + 1);
        double f = row[k] / equation[k];
        for (int c = 0, w = 0; c <= n; ++c)
            if (c != k) out[w++] = row[c] - f * equation[c];
        out += n;
        ++written;
    }
    s->reductions += written;
    return written;
}

/* The point of n dimensions on `equation` whose other coordinates are y. */
static void lift(int n, const double *equation, int k, const double *y, double *x) {
    double rest = equation[n];
    for (int c = 0, w = 0; c < n; ++c)
        if (c != k) {
            x[c] = y[w++];
            rest -= equation[c] * x[c];
        }
    x[k] = rest / equation[k];
}

/* Cuts the interval low..high by rows of one variable; false when nothing is left. */
static int cut_interval(const Search *s, const double *rows, int count, double *low, double *high) {
    for (int i = 0; i < count; ++i) {
        double p = rows[2 * i], q = rows[2 * i + 1];
        if (p > s->zero)
            *high = fmin(*high, q / p);
        else if (p < -s->zero)
            *low = fmax(*low, q / p);
        else if (q < -s->slack)
            return 0;
    }
    return *low <= *high;
}

/* A point of low..high: the middle, or a reach beyond the only bound. */
static double inside_interval(const Search *s, double low, double high) {
    if (low > -INFINITY) return high < INFINITY ? 0.5 * low + 0.5 * high : low + s->reach;
    return high < INFINITY ? high - s->reach : 0.0;
}

static int constants_hold(const Search *s, const double *rows, int count, int n) {
    for (int i = 0; i < count; ++i) {
        const double *row = rows + (size_t)i * (size_t)(n + 1);
        if (row[n] < -s->slack && fabs(row[largest(n, row)]) <= s->zero) return 0;
    }
    return 1;
}

/* The variable with the fewest rows on its lesser side; *side is +1 when those are upper bounds, -1 for lower ones. */
static int choose_variable(const Search *s, const double *rows, int count, int n, int *side, int *fewest) {
    int upper[MAX_DIMENSION] = {0}, lower[MAX_DIMENSION] = {0}, best = 0;
    for (int i = 0; i < count; ++i) {
        const double *row = rows + (size_t)i * (size_t)(n + 1);
        for (int c = 0; c < n; ++c) {
            upper[c] += row[c] > s->zero;
            lower[c] += row[c] < -s->zero;
        }
    }
    *fewest = count + 1;
    for (int c = 0; c < n; ++c) {
        int less = upper[c] < lower[c] ? upper[c] : lower[c];
        if (less < *fewest) {
            *fewest = less;
            best = c;
        }
    }
    *side = upper[best] <= lower[best] ? 1 : -1;
    return best;
}

static int locate(Search *s, const double *rows, int count, int n, double *x);

/* Variable v is free or bounded on one side only: solve the rows without it, then move v to where the others hold. */
static int locate_one_sided(Search *s, const double *rows, int count, int n, int v, double *x) {
    double *rest = s->stack, y[MAX_DIMENSION];
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        const double *row = rows + (size_t)i * (size_t)(n + 1);
        if (fabs(row[v]) > s->zero) continue;
        for (int c = 0, w = 0; c <= n; ++c)
            if (c != v) rest[(size_t)kept * (size_t)n + (size_t)w++] = row[c];
        ++kept;
    }
    s->reductions += kept;
    s->stack += (size_t)kept * (size_t)n;
    int found = locate(s, rest, kept, n - 1, y);
    s->stack = rest;
    if (!found) return 0;
    for (int c = 0, w = 0; c < n; ++c) x[c] = c == v ? 0.0 : y[w++];
    double low = -INFINITY, high = INFINITY;
    for (int i = 0; i < count; ++i) {
        const double *row = rows + (size_t)i * (size_t)(n + 1);
        double bound = row[n] - dot(n, row, x);
        if (row[v] > s->zero)
            high = fmin(high, bound / row[v]);
        else if (row[v] < -s->zero)
            low = fmax(low, bound / row[v]);
    }
    x[v] = inside_interval(s, low, high);
    return 1;
}

/* A point of one region, if any. */
static int locate(Search *s, const double *rows, int count, int n, double *x) {
    ++s->tests;
    if (s->reductions > s->max_reductions) return 0;
    if (n == 1) {
        double low = -INFINITY, high = INFINITY;
        if (!cut_interval(s, rows, count, &low, &high)) return 0;
        x[0] = inside_interval(s, low, high);
        return 1;
    }
    if (!constants_hold(s, rows, count, n)) return 0;
    int side, fewest, v = choose_variable(s, rows, count, n, &side, &fewest);
    if (fewest == 0) return locate_one_sided(s, rows, count, n, v, x);
    double *reduced = s->stack;
    int found = 0;
    for (int i = 0; i < count && !found; ++i) {
        const double *row = rows + (size_t)i * (size_t)(n + 1);
        if (!(side * row[v] > s->zero)) continue;
        double y[MAX_DIMENSION];
        int k = largest(n, row), left = reduce(s, rows, count, n, row, k, i, reduced);
        s->stack = reduced + (size_t)left * (size_t)n;
        found = locate(s, reduced, left, n - 1, y);
        s->stack = reduced;
        if (found) lift(n, row, k, y, x);
    }
    return found;
}

/* How many rows x breaks. */
static int broken_rows(const Search *s, const double *rows, int count, int n, const double *x) {
    int broken = 0;
    for (int i = 0; i < count; ++i) {
        const double *row = rows + (size_t)i * (size_t)(n + 1);
        broken += dot(n, row, x) > row[n] + s->slack;
    }
    return broken;
}

static AbutIntersectOutcome meet(
    Search *s, const double *a, int count_a, const double *b, int count_b, int n, double *x);

/* Each row of `from` that `point` breaks as an equation for both regions. from_a: `from` is a, else b. */
static AbutIntersectOutcome meet_on_rows(Search *s, const double *a, int count_a, const double *b, int count_b, int n,
    int from_a, const double *point, double *x) {
    const double *from = from_a ? a : b;
    double *base = s->stack;
    AbutIntersectOutcome answer = ABUT_INTERSECT_APART;
    for (int i = 0; i < (from_a ? count_a : count_b) && answer != ABUT_INTERSECT_MEET; ++i) {
        const double *row = from + (size_t)i * (size_t)(n + 1);
        if (!(dot(n, row, point) > row[n] + s->slack)) continue;
        double y[MAX_DIMENSION];
        int k = largest(n, row);
        int left_a = reduce(s, a, count_a, n, row, k, from_a ? i : -1, base);
        double *other = base + (size_t)left_a * (size_t)n;
        int left_b = reduce(s, b, count_b, n, row, k, from_a ? -1 : i, other);
        s->stack = other + (size_t)left_b * (size_t)n;
        answer = meet(s, base, left_a, other, left_b, n - 1, y);
        s->stack = base;
        if (answer == ABUT_INTERSECT_MEET)
            lift(n, row, k, y, x);
        else if (answer == ABUT_INTERSECT_UNDECIDED)
            return answer;
    }
    return answer == ABUT_INTERSECT_MEET ? answer : ABUT_INTERSECT_APART;
}

static AbutIntersectOutcome meet(
    Search *s, const double *a, int count_a, const double *b, int count_b, int n, double *x) {
    ++s->tests;
    double in_a[MAX_DIMENSION], in_b[MAX_DIMENSION];
    if (n == 1) {
        double low = -INFINITY, high = INFINITY;
        if (!cut_interval(s, a, count_a, &low, &high) || !cut_interval(s, b, count_b, &low, &high))
            return ABUT_INTERSECT_APART;
        x[0] = inside_interval(s, low, high);
        return ABUT_INTERSECT_MEET;
    }
    if (!locate(s, a, count_a, n, in_a))
        return s->reductions > s->max_reductions ? ABUT_INTERSECT_UNDECIDED : ABUT_INTERSECT_EMPTY_A;
    if (!locate(s, b, count_b, n, in_b))
        return s->reductions > s->max_reductions ? ABUT_INTERSECT_UNDECIDED : ABUT_INTERSECT_EMPTY_B;
    int broken_b = broken_rows(s, b, count_b, n, in_a), broken_a = broken_rows(s, a, count_a, n, in_b);
    if (broken_a == 0 || broken_b == 0) {
        memcpy(x, broken_b == 0 ? in_a : in_b, (size_t)n * sizeof *x);
        return ABUT_INTERSECT_MEET;
    }
    int from_a = broken_a <= broken_b;
    return meet_on_rows(s, a, count_a, b, count_b, n, from_a, from_a ? in_b : in_a, x);
}

static AbutIntersectOutcome search_rows(Search *search, const AbutRows *rows, double *x) {
    int n = rows->dimension;
    const double *b = rows->row + (size_t)rows->count_a * (size_t)(n + 1);
    if (n == 1) { /* say which region is empty, as locate does above */
        double low = -INFINITY, high = INFINITY;
        if (!cut_interval(search, rows->row, rows->count_a, &low, &high)) return ABUT_INTERSECT_EMPTY_A;
        low = -INFINITY, high = INFINITY;
        if (!cut_interval(search, b, rows->count_b, &low, &high)) return ABUT_INTERSECT_EMPTY_B;
    }
    return meet(search, rows->row, rows->count_a, b, rows->count_b, n, x);
}

AbutIntersectOutcome abut_intersect_ren(const AbutRows *rows, int64_t limit, AbutIntersection *out) {
    double *stack = abut_alloc_array(stack_size(rows->dimension, rows->count_a + rows->count_b) + 1, sizeof *stack);
    Search search = {
        stack, ABUT_REN_ZERO, ABUT_REN_INSIDE * rows->scale, rows->scale, 0, 0, limit > 0 ? limit : MOST_REDUCTIONS};
    AbutIntersectOutcome found = stack ? search_rows(&search, rows, out->witness) : ABUT_INTERSECT_UNDECIDED;
    abut_free(stack);
    out->tests = search.tests;
    out->reductions = search.reductions;
    return found;
}
