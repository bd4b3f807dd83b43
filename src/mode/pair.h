/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the mode room: numbers of twice the digits, kept as the unevaluated sum of two doubles (about 1e-32).
 * `hi` is the double nearest to the number, so its sign is the sign of the number. Errors of sums and products are
 * found with the error-free steps of Dekker and Knuth; products need a fused multiply-add.
 */
#ifndef ABUT_SRC_MODE_PAIR_H
#define ABUT_SRC_MODE_PAIR_H

#include <math.h>

typedef struct AbutPair {
    double hi, lo;
} AbutPair;

static inline AbutPair abut_pair(double x)
{
    return (AbutPair){x, 0.0};
}

static inline AbutPair abut_pair_neg(AbutPair a)
{
    return (AbutPair){-a.hi, -a.lo};
}

/* a + b as a pair when |a| >= |b|. */
static inline AbutPair abut_pair_ordered(double a, double b)
{
    double s = a + b;
    return (AbutPair){s, b - (s - a)};
}

static inline AbutPair abut_pair_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (AbutPair){s, (a - (s - t)) + (b - t)};
}

static inline AbutPair abut_pair_add(AbutPair a, AbutPair b)
{
    AbutPair s = abut_pair_sum(a.hi, b.hi), t = abut_pair_sum(a.lo, b.lo);
    s = abut_pair_ordered(s.hi, s.lo + t.hi);
    return abut_pair_ordered(s.hi, s.lo + t.lo);
}

static inline AbutPair abut_pair_sub(AbutPair a, AbutPair b)
{
    return abut_pair_add(a, abut_pair_neg(b));
}

static inline AbutPair abut_pair_mul(AbutPair a, AbutPair b)
{
    double p = a.hi * b.hi, e = fma(a.hi, b.hi, -p);
    return abut_pair_ordered(p, e + (a.hi * b.lo + a.lo * b.hi));
}

static inline AbutPair abut_pair_div(AbutPair a, AbutPair b)
{
    double q = a.hi / b.hi;
    AbutPair rest = abut_pair_sub(a, abut_pair_mul(b, abut_pair(q)));
    double q1 = rest.hi / b.hi;
    rest = abut_pair_sub(rest, abut_pair_mul(b, abut_pair(q1)));
    AbutPair top = abut_pair_ordered(q, q1);
    return abut_pair_add(top, abut_pair(rest.hi / b.hi));
}

#endif
