/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interval arithmetic with outward rounding. In: intervals. Out: an interval that contains every result.
 * Method: the ends are computed to nearest, then moved one double outward unless the result is known to be exact
 * (sums: the error of a sum is itself computed without error).
 */
#include "math/interval.h"

#include <float.h>
#include <string.h>

/* The next double below x (above, for `up`), by its bits. Infinities step back to the largest finite number. */
static double down(double x) {
    int64_t bits;
    if (!(x > -INFINITY)) return x;
    if (x == 0.0) return -0x1p-1074;
    memcpy(&bits, &x, sizeof bits);
    bits += x > 0.0 ? -1 : 1;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static double up(double x) { return -down(-x); }

/* Sum rounded down: to nearest, then one step when the exact error says that the sum came out too large. */
static double add_down(double a, double b) {
    double s = a + b, part = s - a, error = (a - (s - part)) + (b - part);
    return error >= 0.0 && isfinite(s) ? s : down(s);
}

static double add_up(double a, double b) { return -add_down(-a, -b); }

static int has_nan(AbutInterval a) { return isnan(a.lo) || isnan(a.hi); }

/* The answer for an operand that is NaN or empty; 1 if there is one. */
static int settled(AbutInterval a, AbutInterval b, AbutInterval *out) {
    if (has_nan(a) || has_nan(b)) return *out = abut_interval_whole(), 1;
    if (abut_interval_is_empty(a) || abut_interval_is_empty(b)) return *out = abut_interval_empty(), 1;
    return 0;
}

AbutInterval abut_interval_add(AbutInterval a, AbutInterval b) {
    AbutInterval out;
    if (settled(a, b, &out)) return out;
    out = abut_interval(add_down(a.lo, b.lo), add_up(a.hi, b.hi));
    return has_nan(out) ? abut_interval_whole() : out;
}

static AbutInterval negative(AbutInterval a) { return abut_interval(-a.hi, -a.lo); }

AbutInterval abut_interval_sub(AbutInterval a, AbutInterval b) { return abut_interval_add(a, negative(b)); }

/* Product and its outward neighbors; zero times anything, also times infinity, is exactly zero. */
static AbutInterval product(double a, double b) {
    double p = a * b;
    if (a == 0.0 || b == 0.0) return abut_interval_point(0.0);
    return abut_interval(down(p), up(p));
}

AbutInterval abut_interval_mul(AbutInterval a, AbutInterval b) {
    AbutInterval out;
    if (settled(a, b, &out)) return out;
    AbutInterval p = product(a.lo, b.lo), q = product(a.lo, b.hi), r = product(a.hi, b.lo), s = product(a.hi, b.hi);
    return abut_interval(fmin(fmin(p.lo, q.lo), fmin(r.lo, s.lo)), fmax(fmax(p.hi, q.hi), fmax(r.hi, s.hi)));
}

/* Quotient of two ends; infinity over infinity can be anything of its sign, from 0 up. */
static AbutInterval quotient(double a, double b) {
    if (a == 0.0) return abut_interval_point(0.0);
    if (isinf(a) && isinf(b))
        return (a > 0.0) == (b > 0.0) ? abut_interval(0.0, INFINITY) : abut_interval(-INFINITY, 0.0);
    double q = a / b;
    return abut_interval(down(q), up(q));
}

AbutInterval abut_interval_div(AbutInterval a, AbutInterval b) {
    AbutInterval out;
    if (settled(a, b, &out)) return out;
    if (abut_interval_contains(b, 0.0)) return abut_interval_whole();
    AbutInterval p = quotient(a.lo, b.lo), q = quotient(a.lo, b.hi), r = quotient(a.hi, b.lo), s = quotient(a.hi, b.hi);
    return abut_interval(fmin(fmin(p.lo, q.lo), fmin(r.lo, s.lo)), fmax(fmax(p.hi, q.hi), fmax(r.hi, s.hi)));
}
