/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polynomials in one variable: power form and Bernstein form, and sound bounds between them.
 *
 * In: coefficients, an interval of the variable. Out: values, the other form, bounds, roots.
 * Method: the change to Bernstein form is done in interval arithmetic; the widest coefficient becomes `error`. From
 * there each de Casteljau step adds one unit of rounding of the largest coefficient, which `error` absorbs. The range
 * of a polynomial lies between its smallest and largest coefficient; halving the interval brings both quadratically
 * close to the range, and a smallest coefficient at an end is the minimum itself.
 * Reference: Farouki, The Bernstein polynomial basis: a centennial retrospective, CAGD 29, 2012.
 */
#include "math/poly.h"
#include "math/tolerance.h"

enum { MAX = ABUT_POLY_MAX_DEGREE };

static int clamp_degree(int degree) { return degree < 0 ? 0 : (degree > MAX ? MAX : degree); }

AbutPoly abut_poly(int degree, const double *coefficients) {
    ABUT_ASSERT(coefficients);
    AbutPoly p = {clamp_degree(degree), {0}};
    for (int i = 0; i <= p.degree; ++i) p.c[i] = coefficients[i];
    return p;
}

double abut_poly_eval(const AbutPoly *p, double t) {
    ABUT_ASSERT(p);
    double y = p->c[p->degree];
    for (int i = p->degree - 1; i >= 0; --i) y = y * t + p->c[i];
    return y;
}

AbutPoly abut_poly_scale(const AbutPoly *a, double s) {
    ABUT_ASSERT(a);
    AbutPoly out = *a;
    for (int i = 0; i <= out.degree; ++i) out.c[i] *= s;
    return out;
}

AbutPoly abut_poly_derivative(const AbutPoly *p) {
    ABUT_ASSERT(p);
    AbutPoly d = {p->degree > 0 ? p->degree - 1 : 0, {0}};
    for (int i = 1; i <= p->degree; ++i) d.c[i - 1] = i * p->c[i];
    return d;
}

/* ---- Bernstein form ---------------------------------------------------------------------------------------------- */

/* n over k; exact in a double up to the highest degree. */
static double choose(int n, int k) {
    double c = 1.0;
    for (int i = 0; i < k; ++i) c = c * (n - i) / (i + 1);
    return c;
}

static double largest(const AbutBernstein *p) {
    double m = 0.0;
    for (int i = 0; i <= p->degree; ++i) m = fmax(m, fabs(p->b[i]));
    return m;
}

static int is_finite(const AbutBernstein *p) {
    double sum = p->error + (p->hi - p->lo);
    for (int i = 0; i <= p->degree; ++i) sum += fabs(p->b[i]);
    return isfinite(sum);
}

/* Coefficients d of p(lo + w t) in t, in interval arithmetic: a Taylor shift to lo, then powers of the width. */
static void shift(const AbutPoly *p, double lo, double hi, AbutInterval *d) {
    int n = p->degree;
    AbutInterval at = abut_interval_point(lo), w = abut_interval_sub(abut_interval_point(hi), at), power = w;
    for (int i = 0; i <= n; ++i) d[i] = abut_interval_point(p->c[i]);
    for (int i = 0; i < n && lo != 0.0; ++i)
        for (int j = n - 1; j >= i; --j) d[j] = abut_interval_add(d[j], abut_interval_mul(at, d[j + 1]));
    for (int i = 1; i <= n; ++i, power = abut_interval_mul(power, w)) d[i] = abut_interval_mul(d[i], power);
}

/* b_i is the sum over k <= i of (i over k)/(n over k) d_k; here as differences run backwards: n^2/2 additions. */
static void accumulate(int n, AbutInterval *d) {
    for (int k = 1; k <= n; ++k) d[k] = abut_interval_div(d[k], abut_interval_point(choose(n, k)));
    for (int i = 1; i <= n; ++i)
        for (int k = n; k >= i; --k) d[k] = abut_interval_add(d[k], d[k - 1]);
}

AbutBernstein abut_bernstein_from_poly(const AbutPoly *p, double lo, double hi) {
    ABUT_ASSERT(p);
    AbutInterval d[MAX + 1];
    AbutBernstein out = {p->degree, lo, hi, 0.0, {0}};
    shift(p, lo, hi, d);
    accumulate(p->degree, d);
    for (int i = 0; i <= p->degree; ++i) {
        out.b[i] = abut_interval_middle(d[i]);
        double radius = 1.000001 * fmax(d[i].hi - out.b[i], out.b[i] - d[i].lo); /* the factor covers these roundings */
        out.error = isfinite(radius) ? fmax(out.error, radius) : INFINITY;
    }
    return out;
}

void abut_bernstein_split(const AbutBernstein *p, double s, AbutBernstein *left, AbutBernstein *right) {
    ABUT_ASSERT(p && left && right && left != p && right != p);
    int n = p->degree;
    double cut = p->lo + s * (p->hi - p->lo), outside = fmax(1.0, fabs(s) + fabs(1.0 - s));
    *left = *right = *p;
    left->hi = right->lo = cut;
    for (int i = 1; i <= n; ++i) {
        for (int k = 0; k <= n - i; ++k) right->b[k] = (1.0 - s) * right->b[k] + s * right->b[k + 1];
        left->b[i] = right->b[0];
    }
    /* each of n levels is a mean (s in 0..1) with three roundings; outside 0..1 the weights amplify */
    double gain = 1.0;
    for (int i = 0; outside > 1.0 && i < n; ++i) gain *= outside;
    left->error = right->error = 1.000001 * gain * (p->error + (n + 1) * (0x1p-51 * largest(p) + 0x1p-1073));
}

/* Lowest value, enclosed from below by the return and from above by *reached (a value that the curve takes). */
static double lower_bound(const AbutBernstein *p, int levels, double *reached) {
    int n = p->degree, at = 0;
    for (int i = 1; i <= n; ++i)
        if (p->b[i] < p->b[at]) at = i;
    *reached = fmin(*reached, fmin(p->b[0], p->b[n]));
    double bound = p->b[at] - p->error;
    if (at == 0 || at == n || levels <= 0 || p->b[at] >= *reached - p->error ||
        *reached - p->b[at] < ABUT_POLY_SHARP * fabs(*reached))
        return bound;
    AbutBernstein left, right;
    abut_bernstein_split(p, 0.5, &left, &right);
    int left_first = left.b[0] <= right.b[n];
    double first = lower_bound(left_first ? &left : &right, levels - 1, reached);
    double second = lower_bound(left_first ? &right : &left, levels - 1, reached);
    return fmax(bound, fmin(first, second));
}

static AbutInterval bernstein_bounds(const AbutBernstein *p, int levels) {
    ABUT_ASSERT(p);
    if (!is_finite(p)) return abut_interval_whole();
    AbutBernstein negative = *p;
    for (int i = 0; i <= p->degree; ++i) negative.b[i] = -p->b[i];
    double low_reached = INFINITY, high_reached = INFINITY;
    levels = levels > 24 ? 24 : levels;
    double low = lower_bound(p, levels, &low_reached), high = -lower_bound(&negative, levels, &high_reached);
    return abut_interval_add(
        abut_interval(low, high), abut_interval(-0x1p-1074 - 0x1p-53 * fabs(low), 0x1p-1074 + 0x1p-53 * fabs(high)));
}

AbutInterval abut_poly_bounds(const AbutPoly *p, double lo, double hi, int levels) {
    ABUT_ASSERT(p);
    AbutBernstein form = abut_bernstein_from_poly(p, fmin(lo, hi), fmax(lo, hi));
    return isnan(lo) || isnan(hi) ? abut_interval_whole() : bernstein_bounds(&form, levels);
}
