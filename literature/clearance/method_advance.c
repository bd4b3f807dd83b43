/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Golden section, conservative advancement and their mixtures.
 *
 * Golden section (gss) halves no more than the golden ratio allows and proves nothing: with several minima it may end
 * in the wrong one. Conservative advancement asks whether the distance falls to a level: at distance x a speed of v
 * leaves (x - level) / v of time, that of A in the frame of B or of convex bodies along the normal more, and a bound
 * along the normal often much more. Algorithm 3.1 bisects
 * the level with it; printed with its two updates swapped, here they stand right: a level that is reached lowers the
 * upper bound, one that is not raises the lower. The hybrid asks once, from both ends, for the level of golden
 * section's answer less eps, which is a proof; its classic form bisects a few times and gives what is left to golden
 * section.
 */
#include "literature/clearance/methods.h"

enum { CLASSIC_ROUNDS = 1, PASSES = 1000, HALVINGS = 30 };

static const double GOLDEN = 0.38196601125010515; /* (3 - sqrt 5) / 2 */
static const double TAU = 1e-3;                   /* of the interval: golden section stops */

void abut_method_golden(AbutMethod *m, double a, double c) {
    double stop = TAU * (c - a), b = a + GOLDEN * (c - a);
    m->sound = 0;
    abut_method_distance(m, a, NULL, NULL);
    abut_method_distance(m, c, NULL, NULL);
    double fb = abut_method_distance(m, b, NULL, NULL);
    while (c - a > stop && !abut_method_is_spent(m)) {
        int left = b - a >= c - b; /* the larger side is cut */
        double d = left ? b - GOLDEN * (b - a) : b + GOLDEN * (c - b), fd = abut_method_distance(m, d, NULL, NULL);
        if (fd < fb) {
            if (left)
                c = b;
            else
                a = b;
            b = d, fb = fd;
        } else if (left) {
            a = d;
        } else {
            c = d;
        }
    }
}

/* ---- advancement ------------------------------------------------------------------------------------------------- */

/* The largest part of the way, by halves, over which the bodies stay above the level along n. */
static double way_along(AbutMethod *m, double t, double way, int back, AbutVec3 n, double level) {
    double h = way;
    for (int k = 0; k < HALVINGS && m->convex; ++k, h *= 0.5)
        if (abut_method_bound(m, back ? t - h : t, back ? t : t + h, n) > level) return h;
    return 0.0;
}

/*
 * Goes from one end of from .. to towards the other while the distance is proved above the level. 1: it came within
 * `near` of it, that end of the interval moves there and *found is the distance; 0: it never does; -1: no distances
 * left.
 */
static int advance(AbutMethod *m, double *from, double *to, int back, double level, double near, double *found) {
    double t = back ? *to : *from, end = back ? *from : *to;
    for (;;) {
        AbutVec3 n;
        double x = abut_method_distance(m, t, &n, NULL), left = fabs(end - t);
        if (x - level <= near) {
            *(back ? to : from) = t;
            *found = x;
            return 1;
        }
        if (abut_method_is_spent(m)) return -1;
        double step = abut_method_step(m, t, left, back, x, level, n);
        if (step < left) step = abut_larger(step, way_along(m, t, left, back, n, level));
        if (step >= left) return 0;
        t += back ? -step : step;
    }
}

void abut_method_advance(AbutMethod *m) {
    double from = m->s->from, to = m->s->to, eps = 0.8 * m->eps, near = 0.25 * eps, x;
    double a = abut_method_distance(m, from, NULL, NULL), e = abut_method_distance(m, to, NULL, NULL);
    double low = abut_method_floor(m, a, e), high = abut_smaller(a, e);
    while (high - low >= eps) {
        double level = 0.5 * (low + high);
        int reached = advance(m, &from, &to, 0, level, near, &x);
        if (reached < 0) break;
        if (reached)
            high = abut_smaller(high, x);
        else
            low = level;
    }
    m->lb = low - near; /* what was passed on the way was proved above its level only */
}

void abut_method_hybrid_classic(AbutMethod *m) {
    double from = m->s->from, to = m->s->to, near = 0.25 * m->eps, x;
    double a = abut_method_distance(m, from, NULL, NULL), e = abut_method_distance(m, to, NULL, NULL);
    double low = abut_method_floor(m, a, e), high = abut_smaller(a, e);
    for (int k = 0; k < CLASSIC_ROUNDS; ++k) {
        double level = 0.5 * (low + high);
        int reached = advance(m, &from, &to, 0, level, near, &x);
        if (reached == 0)
            low = level;
        else if (reached > 0 && advance(m, &from, &to, 1, level, near, &x) > 0)
            high = abut_smaller(high, x);
    }
    if (to > from) abut_method_golden(m, from, to);
    m->lb = low - near;
    m->sound = 1; /* low is proved, however far below ub it may be */
}

void abut_method_hybrid(AbutMethod *m) {
    double from = m->s->from, to = m->s->to, eps = m->eps, near = 0.25 * eps, x;
    abut_method_distance(m, from, NULL, NULL);
    abut_method_distance(m, to, NULL, NULL);
    for (int pass = 0; pass < PASSES; ++pass) {
        if (to > from) abut_method_golden(m, from, to);
        for (int back = 0; back < 2; ++back) {
            double level = m->ub - eps;
            int reached = advance(m, &from, &to, back, level, near, &x);
            if (reached == 0 || to <= from) {
                m->lb = level;
                m->sound = 1;
                return;
            }
            if (reached < 0) return;
        }
    }
}
