/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of twice the digits, kept as the unevaluated sum of two doubles (about 1e-32). `hi` is the double nearest to
 * the number, so its sign is the sign of the number. Errors of sums and products are found with the error-free steps of
 * Dekker and Knuth; products need a fused multiply-add.
 */
#ifndef ABUT_MATH_DOUBLE_DOUBLE_H
#define ABUT_MATH_DOUBLE_DOUBLE_H

#include <math.h>

typedef struct AbutDD {
    double hi, lo;
} AbutDD;

static inline AbutDD abut_dd(double x) { return (AbutDD){x, 0.0}; }

static inline AbutDD abut_dd_neg(AbutDD a) { return (AbutDD){-a.hi, -a.lo}; }

/* a + b as a pair when |a| >= |b|. */
static inline AbutDD abut_dd_ordered(double a, double b) {
    double s = a + b;
    return (AbutDD){s, b - (s - a)};
}

static inline AbutDD abut_dd_sum(double a, double b) {
    double s = a + b, t = s - a;
    return (AbutDD){s, (a - (s - t)) + (b - t)};
}

static inline AbutDD abut_dd_add(AbutDD a, AbutDD b) {
    AbutDD s = abut_dd_sum(a.hi, b.hi), t = abut_dd_sum(a.lo, b.lo);
    s = abut_dd_ordered(s.hi, s.lo + t.hi);
    return abut_dd_ordered(s.hi, s.lo + t.lo);
}

static inline AbutDD abut_dd_sub(AbutDD a, AbutDD b) { return abut_dd_add(a, abut_dd_neg(b)); }

/* a b - p, exact where p is a b rounded. The fma of mingw's C library rounds twice: there the factors are split. */
static inline double abut_product_error(double a, double b, double p) {
#ifdef __MINGW32__
    const double split = 134217729.0; /* 2^27 + 1 */
    double ca = split * a, cb = split * b, ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh;
    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
#else
    return fma(a, b, -p);
#endif
}

static inline AbutDD abut_dd_mul(AbutDD a, AbutDD b) {
    double p = a.hi * b.hi, e = abut_product_error(a.hi, b.hi, p);
    return abut_dd_ordered(p, e + (a.hi * b.lo + a.lo * b.hi));
}

static inline AbutDD abut_dd_div(AbutDD a, AbutDD b) {
    double q = a.hi / b.hi;
    AbutDD rest = abut_dd_sub(a, abut_dd_mul(b, abut_dd(q)));
    double q1 = rest.hi / b.hi;
    rest = abut_dd_sub(rest, abut_dd_mul(b, abut_dd(q1)));
    AbutDD top = abut_dd_ordered(q, q1);
    return abut_dd_add(top, abut_dd(rest.hi / b.hi));
}

#endif
