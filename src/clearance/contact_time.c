/* SPDX-License-Identifier: Apache-2.0 */
/*
 * First and last time at which two moving bodies are as near as a level.
 *
 * In: movers and a level. Out: a bracket: proved farther before, measured nearer after. Method: the front search with a
 * fixed cut, in the order of time: the earlier half first. A pair of leaves within the level at the middle of an
 * interval ends the work on it at once; only its earlier half is looked at then, with the same front. A short interval
 * that is not ruled out is measured at both its ends; without contact there it is left in doubt, and the search goes
 * on: the contact may come just after. For the last time everything runs backward.
 */
#include "clearance/search.h"

static const double LEVEL = 1e-9, TOLERANCE = 1e-6; /* of the smaller body's reach; of a piece of the motion */

typedef struct Timing {
    AbutSearch *s;
    double level, tolerance;
    int last, in_doubt; /* in_doubt: `free` is known, an interval after it is not ruled out */
    AbutWitness near;   /* the last leaves that were within the level */
    AbutContactTime out;
} Timing;

/* Are two leaves within the level at the middle? */
static int is_hit(Timing *w, const AbutSpan *span, AbutWitness leaves) {
    if (leaves.leaf_a < 0 || !(abut_leaf_gap(w->s, &span->middle, leaves.leaf_a, leaves.leaf_b).d <= w->level))
        return 0;
    w->near = leaves;
    return 1;
}

/* Works one pair off; 1 when leaves within the level were found. */
static int work_off(Timing *w, const AbutSpan *span, AbutFrontItem first) {
    AbutSearch *s = w->s;
    AbutFrontItem *stack = s->space->stack;
    int count = 0, control, cheap = s->a->triangle && s->b->triangle;
    stack[count++] = first;
    while (count > 0) {
        AbutFrontItem pair = stack[--count];
        AbutBound bound = abut_bound_nodes(s, span, pair.i, pair.j, w->level);
        int leaves = abut_both_leaves(s, pair), keep = !(leaves && cheap) && abut_blames_motion(&bound, w->level);
        if (bound.lb > w->level) continue;
        if (leaves && !keep) {
            AbutWitness of = abut_leaves_of(s, pair);
            if (abut_bound_leaves(s, span, of.leaf_a, of.leaf_b, bound.n, &control) > w->level) continue;
            AbutLeafGap gap = abut_leaf_gap(s, &span->middle, of.leaf_a, of.leaf_b);
            if (gap.d <= w->level) {
                w->near = of;
                return 1;
            }
            if (abut_bound_leaves(s, span, of.leaf_a, of.leaf_b, gap.n, &control) > w->level) continue;
            keep = 1;
        }
        if (!keep && count + 2 <= ABUT_PAIR_STACK) {
            count = abut_push_opened(s, pair, 0.0, stack, count);
        } else if (s->top < s->space->capacity) {
            s->space->items[s->top++] = pair;
        } else {
            s->spent = 1;
        }
    }
    return 0;
}

static int search(Timing *w, double a, double e, int32_t first, int32_t last);

/* The earlier half of a .. e, the later one when time runs backward; then the other. */
static int search_half(Timing *w, double a, double e, int second, int32_t first, int32_t last) {
    double middle = 0.5 * (a + e);
    int later = second != w->last;
    return search(w, later ? middle : a, later ? e : middle, first, last);
}

/* `t` is the end of what is proved free, unless a time before it is in doubt. */
static void set_free(Timing *w, double t) {
    if (!w->in_doubt) w->out.free = t;
}

/* Is an open pair of the front within the level at this time? */
static int touches_at(Timing *w, double t, int32_t first, int32_t last) {
    AbutPlace place = abut_search_place(w->s, t);
    AbutWitness of = {-1, -1};
    double cut = nextafter(w->level, INFINITY);
    if (!(abut_search_nearest_below(w->s, &place, w->s->space->items + first, last - first, cut, 0.0, &of) < cut))
        return 0;
    w->near = of;
    w->out.found = 1;
    w->out.touching = t;
    return 1;
}

/* A short interval that is not ruled out; 1 when it touches at an end. */
static int doubt(Timing *w, double early, double late, int32_t first, int32_t last) {
    set_free(w, early);
    w->in_doubt = 1;
    return touches_at(w, early, first, last) || touches_at(w, late, first, last);
}

/* Is something within the level at the middle of a .. e? If not, the pairs that stay open are on the front. Not inline:
 * the span is large, and the search is recursive. */
static __attribute__((noinline)) int look(Timing *w, double a, double e, int32_t first, int32_t last) {
    AbutSpan span;
    abut_search_span(w->s, a, e, &span);
    int hit = is_hit(w, &span, w->near);
    for (int32_t k = first; k < last && !hit && !w->s->spent; ++k) hit = work_off(w, &span, w->s->space->items[k]);
    return hit;
}

/* 1 when the search is over: the bracket is known, or cannot be. */
static int search(Timing *w, double a, double e, int32_t first, int32_t last) {
    AbutSearch *s = w->s;
    int32_t begin = s->top;
    double middle = 0.5 * (a + e), early = w->last ? e : a;
    int short_enough = e - a <= 0.5 * w->tolerance || !(middle > a && middle < e), over = 0;
    int hit = look(w, a, e, first, last);
    int32_t end = s->top;
    if (hit) {
        w->out.found = 1;
        w->out.touching = middle;
        s->top = end = begin;
        if (short_enough || !search_half(w, a, e, 0, first, last)) set_free(w, short_enough ? early : middle);
        over = 1;
    } else if (s->spent || abut_search_is_spent(s)) {
        w->out.resolved = 0;
        set_free(w, early);
        over = 1;
    } else if (end > begin && short_enough) {
        over = doubt(w, early, w->last ? a : e, begin, end);
    } else if (end > begin) {
        over = search_half(w, a, e, 0, begin, end) || search_half(w, a, e, 1, begin, end);
    }
    s->top = begin;
    return over;
}

/* One piece of the motion; 1 when the search is over. */
static int search_piece(Timing *w, double a, double e, double tolerance) {
    w->tolerance = tolerance > 0.0 ? tolerance : TOLERANCE * (e - a);
    w->s->top = 1;
    w->s->space->items[0] = (AbutFrontItem){0, 0, -INFINITY};
    return search(w, a, e, 0, 1);
}

AbutContactTime abut_clearance_contact_time(const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def,
    double level, double tolerance, int last, AbutClearanceSpace *space) {
    AbutSearch s;
    AbutContactTime none = {0, 0, last ? def->to : def->from, last ? def->from : def->to};
    if (!abut_search_open(&s, a, b, def, space) || !(level >= 0.0) || !(tolerance >= 0.0) || s.a->leaf_count == 0 ||
        s.b->leaf_count == 0)
        return none;
    Timing w = {&s, level > 0.0 || s.solid ? level : LEVEL * s.a->reach, tolerance, last, 0, {-1, -1}, none};
    w.out.resolved = 1;
    double at = last ? def->to : def->from, end = last ? def->from : def->to;
    int over = 0;
    do {
        double next = last ? abut_search_break_before(&s, at) : abut_search_next_break(&s, at, end);
        over = search_piece(&w, last ? next : at, last ? at : next, tolerance);
        at = next;
    } while (!over && at != end);
    if (!w.out.found && w.out.resolved) set_free(&w, end);
    if (w.in_doubt && !(w.out.found && fabs(w.out.touching - w.out.free) <= w.tolerance)) w.out.resolved = 0;
    return w.out;
}
