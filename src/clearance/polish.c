/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A local minimum in time, to rounding.
 *
 * In: a time near it. Out: where the distance is stationary, or the kink or the end of the interval where it is least.
 * Method: over a short window only the leaves that can be nearest in it are kept; among them the slope of the distance,
 * the direction times the velocity of the nearest point, is brought to zero by bisection. A window that slopes down to
 * its border is moved there.
 */
#include "clearance/search.h"

enum { WINDOWS = 40, HALVINGS = 60 };

static const double STEP = 1e-6;   /* of the interval, for the velocity */
static const double CLOSE = 1e-13; /* of the interval: no need to go on */

typedef struct Window {
    AbutSearch *s;
    double a, e, step;
    int32_t first, count; /* its leaves, in the space */
} Window;

/* Keeps the pairs of leaves that may be within `cut` of each other in the window; 0 when there is no room. */
static int collect(Window *w, const AbutSpan *span, double cut) {
    AbutSearch *s = w->s;
    AbutFrontItem *stack = s->space->stack;
    int count = 0, control;
    stack[count++] = (AbutFrontItem){0, 0, -INFINITY};
    while (count > 0) {
        AbutFrontItem pair = stack[--count];
        AbutBound bound = abut_bound_nodes(s, span, pair.i, pair.j, cut);
        if (bound.lb > cut) continue;
        if (!abut_both_leaves(s, pair)) {
            if (count + 2 > ABUT_PAIR_STACK) return 0;
            count = abut_push_opened(s, pair, bound.lb, stack, count);
            continue;
        }
        AbutWitness leaves = abut_leaves_of(s, pair);
        if (abut_bound_leaves(s, span, leaves.leaf_a, leaves.leaf_b, bound.n, &control) > cut) continue;
        if (s->top >= s->space->capacity) return 0;
        s->space->items[s->top++] = pair;
    }
    w->count = s->top - w->first;
    return 1;
}

static double nearest(const Window *w, double t, AbutWitness *witness) {
    AbutPlace place = abut_search_place(w->s, t);
    return abut_search_nearest_below(w->s, &place, w->s->space->items + w->first, w->count, INFINITY, 0.0, witness);
}

/* How the distance changes at time t. */
static double slope(const Window *w, double t, AbutWitness *witness) {
    AbutSearch *s = w->s;
    nearest(w, t, witness);
    AbutPlace place = abut_search_place(s, t);
    AbutLeafGap gap = abut_leaf_gap(s, &place, witness->leaf_a, witness->leaf_b);
    AbutVec3 x = abut_mat3_apply_t(place.r, abut_sub(gap.a, place.t));
    double before = abut_larger(w->a, t - w->step), after = abut_smaller(w->e, t + w->step);
    AbutPlace p = abut_search_place(s, before), q = abut_search_place(s, after);
    AbutVec3 way = abut_sub(abut_add(q.t, abut_mat3_apply(q.r, x)), abut_add(p.t, abut_mat3_apply(p.r, x)));
    return abut_dot(gap.n, way) / (after - before);
}

/* The time in the window where the slope changes from down to up. *border: -1, 1: it is where the window begins, ends.
 */
static double stationary(const Window *w, AbutWitness *witness, int *border) {
    double a = w->a, e = w->e;
    *border = slope(w, a, witness) >= 0.0 ? -1 : 0;
    if (*border == 0 && slope(w, e, witness) <= 0.0) *border = 1;
    if (*border != 0) return *border < 0 ? a : e;
    for (int k = 0; k < HALVINGS && e - a > CLOSE * (w->s->to - w->s->from); ++k) {
        double middle = 0.5 * (a + e);
        if (slope(w, middle, witness) > 0.0)
            e = middle;
        else
            a = middle;
    }
    return 0.5 * (a + e);
}

/* The stationary time of one window; 0 when its leaves do not fit into the space. */
static int search_window(AbutSearch *s, double a, double e, AbutWitness *witness, double *t, int *border) {
    AbutSpan span;
    Window w = {s, a, e, STEP * (s->to - s->from), s->top, 0};
    abut_search_span(s, a, e, &span);
    double near = abut_search_nearest(s, &span.middle, INFINITY, 0.0, witness);
    int fits = isfinite(near) && collect(&w, &span, abut_span_largest(s, &span, *witness, INFINITY));
    if (fits) *t = stationary(&w, witness, border);
    s->top = w.first;
    return fits;
}

/* Begin and end of the piece of the motion on one side of t. */
static void piece_around(const AbutSearch *s, double t, int before, double *low, double *high) {
    *low = before ? abut_search_break_before(s, t) : t;
    *high = before ? t : abut_search_next_break(s, t, s->to);
    if (!before && t > s->from) { /* the piece may have begun earlier */
        double begin = abut_search_break_before(s, *high);
        *low = begin < t ? begin : t;
    }
}

int abut_search_polish(AbutSearch *s, double width, double *t, AbutWitness *witness) {
    double at = *t, low, high;
    int border = 0, came = 0;
    for (int k = 0; k < WINDOWS && s->to > s->from; ++k) {
        piece_around(s, at, came < 0 || at >= s->to, &low, &high);
        double a = abut_larger(low, at - width), e = abut_smaller(high, at + width);
        a = came > 0 ? abut_larger(a, at) : a;
        e = came < 0 ? abut_smaller(e, at) : e;
        if (!(e > a) || !search_window(s, a, e, witness, &at, &border)) return 0;
        int at_end = (border < 0 && at <= s->from) || (border > 0 && at >= s->to);
        if (border == 0 || at_end || (came != 0 && border == -came)) { /* back where it came from: a kink */
            *t = at;
            return 1;
        }
        came = border;
    }
    return 0;
}
