/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The distance over time with a certified band.
 *
 * In: movers, a tolerance, a band above the least distance. Out: intervals in the order of time, each with the distance
 * at its middle and a lower bound for all of it. Method: each interval measures its middle over the front that it has
 * from its parent. A pair of nodes satisfies the interval when its bound exceeds the distance at the middle less eps,
 * but it leaves the front only when its bound exceeds the largest distance that the curve can have in the interval: the
 * nearest points of the middle, kept on the bodies, bound that from above. Without this a half could miss the pair that
 * is nearest there.
 */
#include "clearance/search.h"

typedef struct Curve {
    AbutSearch *s;
    double ceiling; /* ub + band */
    int (*visit)(const AbutClearanceSample *, void *);
    void *user;
    int stop;
} Curve;

double abut_span_largest(AbutSearch *s, const AbutSpan *span, AbutWitness w, double ceiling) {
    double most = 0.0;
    if (w.leaf_a < 0) return ceiling;
    AbutLeafGap gap = abut_leaf_gap(s, &span->middle, w.leaf_a, w.leaf_b);
    AbutVec3 at = abut_mat3_apply_t(span->middle.r, abut_sub(gap.a, span->middle.t));
    for (int k = 0; k < ABUT_CONTROLS; ++k) {
        AbutVec3 p = abut_add(abut_vec3(span->t[0][k], span->t[1][k], span->t[2][k]), abut_mat3_apply(span->r[k], at));
        most = abut_larger(most, abut_point_distance(p, gap.b));
    }
    return abut_smaller(ceiling, most + span->slack);
}

/* Effect of a pair of nodes on an interval. */
typedef struct Work {
    double satisfied, gone; /* bounds above which it satisfies the interval, and leaves the front */
    double lb;              /* least bound of what satisfies */
    int open;               /* a pair does not satisfy it */
} Work;

static void keep(AbutSearch *s, Work *work, AbutFrontItem pair, double lb, int satisfied) {
    pair.lb = abut_item_bound(lb);
    if (s->top < s->space->capacity)
        s->space->items[s->top++] = pair;
    else
        s->spent = 1;
    work->open |= !satisfied;
    work->lb = abut_smaller(work->lb, lb);
}

static double leaf_bound(
    AbutSearch *s, const AbutSpan *span, AbutFrontItem pair, const AbutBound *bound, double enough) {
    AbutWitness w = abut_leaves_of(s, pair);
    int control;
    double lb = abut_larger(bound->lb, abut_bound_leaves(s, span, w.leaf_a, w.leaf_b, bound->n, &control));
    if (lb > enough) return lb;
    AbutLeafGap gap = abut_leaf_gap(s, &span->middle, w.leaf_a, w.leaf_b);
    if (gap.saturated) return abut_larger(lb, gap.d);
    return abut_length_sq(gap.n) > 0.0
               ? abut_larger(lb, abut_bound_leaves(s, span, w.leaf_a, w.leaf_b, gap.n, &control))
               : lb;
}

static void work_off(AbutSearch *s, const AbutSpan *span, AbutFrontItem first, Work *work) {
    AbutFrontItem *stack = s->space->stack;
    double least = s->solid ? -INFINITY : 0.0;
    int count = 0;
    stack[count++] = first;
    while (count > 0) {
        AbutFrontItem pair = stack[--count];
        AbutBound bound = abut_bound_nodes(s, span, pair.i, pair.j, work->gone);
        int leaves = abut_both_leaves(s, pair);
        double lb = abut_larger(abut_larger(bound.lb, least), pair.lb);
        if (leaves && lb <= work->satisfied) lb = abut_larger(lb, leaf_bound(s, span, pair, &bound, work->satisfied));
        if (lb > work->gone)
            work->lb = abut_smaller(work->lb, lb);
        else if (lb > work->satisfied)
            keep(s, work, pair, lb, 1);
        else if (leaves || abut_blames_motion(&bound, s->eps) || count + 2 > ABUT_PAIR_STACK)
            keep(s, work, pair, lb, 0);
        else
            count = abut_push_opened(s, pair, lb, stack, count);
    }
}

/* Distance at the middle of a .. e, and what is left open or proved there. Not inline: the span is large, and `follow`
 * is recursive. */
static __attribute__((noinline)) Work look(
    const Curve *c, double a, double e, int32_t first, int32_t last, AbutWitness *w, double *d) {
    AbutSearch *s = c->s;
    AbutSpan span;
    abut_search_span(s, a, e, &span);
    *d = abut_search_nearest_below(s, &span.middle, s->space->items + first, last - first, c->ceiling, 0.0, w);
    Work work = {*d - s->eps, abut_span_largest(s, &span, *w, c->ceiling), INFINITY, 0};
    for (int32_t k = first; k < last; ++k) work_off(s, &span, s->space->items[k], &work);
    return work;
}

static void follow(Curve *c, double a, double e, double shortest, AbutWitness w, int32_t first, int32_t last) {
    AbutSearch *s = c->s;
    int32_t begin = s->top;
    double middle = 0.5 * (a + e), d;
    Work work = look(c, a, e, first, last, &w, &d);
    int32_t end = s->top;
    abut_search_is_spent(s);
    if (work.open && !s->spent && e - a > shortest && middle > a && middle < e) {
        follow(c, a, middle, shortest, w, begin, end);
        if (!c->stop) follow(c, middle, e, shortest, w, begin, end);
    } else {
        double lb = abut_larger(abut_smaller(work.lb, d), s->solid ? -INFINITY : 0.0);
        AbutClearanceSample sample = {a, e, middle, d, lb, !(d < c->ceiling)};
        c->stop = c->visit(&sample, c->user) != 0;
    }
    s->top = begin;
}

void abut_search_curve(AbutSearch *s, double band, int (*visit)(const AbutClearanceSample *, void *), void *user) {
    Curve c = {s, s->ub + band, visit, user, 0};
    AbutWitness none = {-1, -1};
    double a = s->from;
    do {
        double e = abut_search_next_break(s, a, s->to);
        s->top = 1;
        s->space->items[0] = (AbutFrontItem){0, 0, -INFINITY};
        follow(&c, a, e, ABUT_CLEARANCE_SHORTEST * (e - a), none, 0, 1);
        a = e;
    } while (a < s->to && !c.stop);
}

AbutClearance abut_clearance_curve(const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def, double band,
    int (*visit)(const AbutClearanceSample *, void *), void *user, AbutClearanceSpace *space) {
    AbutSearch s;
    AbutClearanceDef plain = *def;
    plain.care = plain.relative = 0.0;
    ABUT_ASSERT(visit && band >= 0.0);
    AbutClearance out = abut_search_run(&s, a, b, &plain, 0, space);
    if (out.status != ABUT_CLEARANCE_INVALID && out.status != ABUT_CLEARANCE_EMPTY)
        abut_search_curve(&s, band, visit, user);
    return out;
}
