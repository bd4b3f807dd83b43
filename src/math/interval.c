/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interval arithmetic with outward rounding. In: intervals. Out: an interval that contains every result.
 * Method: the ends are computed to nearest, then moved one double outward unless the result is known to be exact
 * (sums: the error of a sum is itself computed without error). sin and cos trust the C library to two units in the
 * last place and find their peaks by counting quarter turns with slack, so a doubtful peak counts as reached.
 */
#include "abut/math.h"
#include "math/tolerance.h"

#include <float.h>
#include <string.h>

/* The next double below x (above, for `up`), by its bits. Infinities step back to the largest finite number. */
static double down(double x)
{
    int64_t bits;
    if (!(x > -INFINITY))
        return x;
    if (x == 0.0)
        return -0x1p-1074;
    memcpy(&bits, &x, sizeof bits);
    bits += x > 0.0 ? -1 : 1;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static double up(double x)
{
    return -down(-x);
}

/* Sum rounded down: to nearest, then one step when the exact error says that the sum came out too large. */
static double add_down(double a, double b)
{
    double s = a + b, part = s - a, error = (a - (s - part)) + (b - part);
    return error >= 0.0 && isfinite(s) ? s : down(s);
}

static double add_up(double a, double b)
{
    return -add_down(-a, -b);
}

static int has_nan(AbutInterval a)
{
    return isnan(a.lo) || isnan(a.hi);
}

/* What to answer when an operand is NaN or empty; 1 when that settles it. */
static int settled(AbutInterval a, AbutInterval b, AbutInterval *out)
{
    if (has_nan(a) || has_nan(b))
        return *out = abut_interval_whole(), 1;
    if (abut_interval_is_empty(a) || abut_interval_is_empty(b))
        return *out = abut_interval_empty(), 1;
    return 0;
}

AbutInterval abut_interval_add(AbutInterval a, AbutInterval b)
{
    AbutInterval out;
    if (settled(a, b, &out))
        return out;
    out = abut_interval(add_down(a.lo, b.lo), add_up(a.hi, b.hi));
    return has_nan(out) ? abut_interval_whole() : out;
}

AbutInterval abut_interval_neg(AbutInterval a)
{
    return abut_interval(-a.hi, -a.lo);
}

AbutInterval abut_interval_sub(AbutInterval a, AbutInterval b)
{
    return abut_interval_add(a, abut_interval_neg(b));
}

/* Product and its outward neighbours; zero times anything, also times infinity, is exactly zero. */
static AbutInterval product(double a, double b)
{
    double p = a * b;
    if (a == 0.0 || b == 0.0)
        return abut_interval_point(0.0);
    return abut_interval(down(p), up(p));
}

AbutInterval abut_interval_mul(AbutInterval a, AbutInterval b)
{
    AbutInterval out;
    if (settled(a, b, &out))
        return out;
    AbutInterval p = product(a.lo, b.lo), q = product(a.lo, b.hi), r = product(a.hi, b.lo), s = product(a.hi, b.hi);
    return abut_interval(fmin(fmin(p.lo, q.lo), fmin(r.lo, s.lo)), fmax(fmax(p.hi, q.hi), fmax(r.hi, s.hi)));
}

/* Quotient of two ends; infinity over infinity can be anything of its sign, from 0 up. */
static AbutInterval quotient(double a, double b)
{
    if (a == 0.0)
        return abut_interval_point(0.0);
    if (isinf(a) && isinf(b))
        return (a > 0.0) == (b > 0.0) ? abut_interval(0.0, INFINITY) : abut_interval(-INFINITY, 0.0);
    double q = a / b;
    return abut_interval(down(q), up(q));
}

AbutInterval abut_interval_div(AbutInterval a, AbutInterval b)
{
    AbutInterval out;
    if (settled(a, b, &out))
        return out;
    if (abut_interval_contains(b, 0.0))
        return abut_interval_whole();
    AbutInterval p = quotient(a.lo, b.lo), q = quotient(a.lo, b.hi), r = quotient(a.hi, b.lo), s = quotient(a.hi, b.hi);
    return abut_interval(fmin(fmin(p.lo, q.lo), fmin(r.lo, s.lo)), fmax(fmax(p.hi, q.hi), fmax(r.hi, s.hi)));
}

AbutInterval abut_interval_abs(AbutInterval a)
{
    AbutInterval out;
    if (settled(a, a, &out))
        return has_nan(a) ? abut_interval(0.0, INFINITY) : out;
    if (a.lo >= 0.0)
        return a;
    return a.hi <= 0.0 ? abut_interval_neg(a) : abut_interval(0.0, fmax(-a.lo, a.hi));
}

AbutInterval abut_interval_sqr(AbutInterval a)
{
    AbutInterval m = abut_interval_abs(a), out = abut_interval_mul(m, m);
    return abut_interval_is_empty(out) ? out : abut_interval(fmax(out.lo, 0.0), out.hi);
}

AbutInterval abut_interval_sqrt(AbutInterval a)
{
    AbutInterval out;
    if (settled(a, a, &out))
        return has_nan(a) ? abut_interval(0.0, INFINITY) : out;
    if (a.hi < 0.0)
        return abut_interval_empty();
    double lo = a.lo > 0.0 ? fmax(down(sqrt(a.lo)), 0.0) : 0.0;
    return abut_interval(lo, a.hi > 0.0 ? up(sqrt(a.hi)) : 0.0);
}

AbutInterval abut_interval_min(AbutInterval a, AbutInterval b)
{
    AbutInterval out;
    return settled(a, b, &out) ? out : abut_interval(fmin(a.lo, b.lo), fmin(a.hi, b.hi));
}

AbutInterval abut_interval_max(AbutInterval a, AbutInterval b)
{
    AbutInterval out;
    return settled(a, b, &out) ? out : abut_interval(fmax(a.lo, b.lo), fmax(a.hi, b.hi));
}

/* True unless [lo, hi], in quarter turns, certainly holds no number that is `phase` modulo 4. */
static int may_hold(double lo, double hi, double phase)
{
    double slack = ABUT_INTERVAL_SINE * (fabs(lo) + fabs(hi) + 1.0);
    double next = phase + 4.0 * ceil((lo - slack - phase) / 4.0);
    return next <= hi + slack;
}

/* Range of sin or cos from its two end values; peaks are at `top` and `top + 2` quarter turns. */
static AbutInterval wave(AbutInterval a, double at_lo, double at_hi, double top)
{
    double quarter = 2.0 / ABUT_PI, lo = a.lo * quarter, hi = a.hi * quarter;
    AbutInterval out = {down(down(fmin(at_lo, at_hi))), up(up(fmax(at_lo, at_hi)))};
    if (may_hold(lo, hi, top) || out.hi > 1.0)
        out.hi = 1.0;
    if (may_hold(lo, hi, top + 2.0) || out.lo < -1.0)
        out.lo = -1.0;
    return out;
}

/* 1 when the answer needs no closer look: NaN, empty, a full period, or beyond the range where the phase is known. */
static int wave_settled(AbutInterval a, AbutInterval *out)
{
    int empty = abut_interval_is_empty(a), far = !(fabs(a.lo) <= ABUT_INTERVAL_FAR && fabs(a.hi) <= ABUT_INTERVAL_FAR);
    *out = empty ? abut_interval_empty() : abut_interval(-1.0, 1.0);
    return empty || far || a.hi - a.lo >= 6.3;
}

AbutInterval abut_interval_sin(AbutInterval a)
{
    AbutInterval out;
    return wave_settled(a, &out) ? out : wave(a, abut_sin(a.lo), abut_sin(a.hi), 1.0);
}

AbutInterval abut_interval_cos(AbutInterval a)
{
    AbutInterval out;
    return wave_settled(a, &out) ? out : wave(a, abut_cos(a.lo), abut_cos(a.hi), 0.0);
}

AbutInterval abut_interval_intersect(AbutInterval a, AbutInterval b)
{
    if (has_nan(a) || has_nan(b))
        return has_nan(a) ? (has_nan(b) ? abut_interval_whole() : b) : a;
    AbutInterval out = {fmax(a.lo, b.lo), fmin(a.hi, b.hi)};
    return abut_interval_is_empty(out) ? abut_interval_empty() : out;
}

AbutInterval abut_interval_hull(AbutInterval a, AbutInterval b)
{
    if (has_nan(a) || has_nan(b))
        return abut_interval_whole();
    if (abut_interval_is_empty(a))
        return b;
    return abut_interval_is_empty(b) ? a : abut_interval(fmin(a.lo, b.lo), fmax(a.hi, b.hi));
}
