/* SPDX-License-Identifier: Apache-2.0 */
/* Private: intervals. Every operation encloses every result of its operands. */
#ifndef ABUT_MATH_INTERVAL_H
#define ABUT_MATH_INTERVAL_H

#include "abut/math.h"

/*
 * A closed interval of the real line; infinite ends are allowed. lo > hi means empty, and anything computed from an
 * empty interval is empty. A NaN end means that nothing is known: the operation gives the whole line. Results are
 * rounded outward by moving each end to the next double, so no rounding mode is touched.
 */
typedef struct AbutInterval {
    double lo, hi;
} AbutInterval;

static inline AbutInterval abut_interval(double lo, double hi) {
    AbutInterval x = {lo, hi};
    return x;
}

static inline AbutInterval abut_interval_point(double x) { return abut_interval(x, x); }

static inline AbutInterval abut_interval_whole(void) { return abut_interval(-INFINITY, INFINITY); }

static inline AbutInterval abut_interval_empty(void) { return abut_interval(INFINITY, -INFINITY); }

static inline int abut_interval_is_empty(AbutInterval a) { return a.lo > a.hi; }

static inline int abut_interval_contains(AbutInterval a, double x) /* false for a NaN x */
{
    return a.lo <= x && x <= a.hi;
}

static inline double abut_interval_middle(AbutInterval a) { return 0.5 * a.lo + 0.5 * a.hi; }

AbutInterval abut_interval_add(AbutInterval a, AbutInterval b);
AbutInterval abut_interval_sub(AbutInterval a, AbutInterval b);
AbutInterval abut_interval_mul(AbutInterval a, AbutInterval b);
AbutInterval abut_interval_div(AbutInterval a, AbutInterval b); /* the whole line when b contains 0 */

#endif
