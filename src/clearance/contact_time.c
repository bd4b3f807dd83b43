/* SPDX-License-Identifier: Apache-2.0 */
/*
 * First and last time at which two moving bodies are as near as a level.
 *
 * In: movers and a level. Out: a bracket: proved farther before, measured nearer after. Method: the front search with a
 * fixed cut, in the order of time: the earlier half first. A pair of leaves within the level at the middle of an
 * interval ends the work on it at once; only its earlier half is looked at then, with the same front. For the last time
 * everything runs backward.
 */
#include "clearance/search.h"

static const double LEVEL = 1e-5, TOLERANCE = 1e-6;

typedef struct Timing {
    AbutSearch *s;
    double level, tolerance;
    int last;
    AbutWitness near; /* the last leaves that were within the level */
    AbutContactTime out;
} Timing;

/* Are two leaves within the level at the middle? */
static int is_hit(Timing *w, const AbutSpan *span, AbutWitness leaves)
{
    if (leaves.leaf_a < 0 || !(abut_leaf_gap(w->s, &span->middle, leaves.leaf_a, leaves.leaf_b).d <= w->level))
        return 0;
    w->near = leaves;
    return 1;
}

/* Works one pair off; 1 when leaves within the level were found. */
static int work_off(Timing *w, const AbutSpan *span, AbutFrontItem first)
{
    AbutSearch *s = w->s;
    AbutFrontItem *stack = s->space->stack, child[2];
    int count = 0, control, cheap = s->a->triangle && s->b->triangle;
    stack[count++] = first;
    while (count > 0) {
        AbutFrontItem pair = stack[--count];
        AbutBound bound = abut_bound_nodes(s, span, pair.i, pair.j, w->level);
        int leaves = abut_both_leaves(s, pair), keep = !(leaves && cheap) && abut_blames_motion(&bound, w->level);
        if (bound.lb > w->level)
            continue;
        if (leaves && !keep) {
            AbutWitness of = abut_leaves_of(s, pair);
            if (abut_bound_leaves(s, span, of.leaf_a, of.leaf_b, bound.n, &control) > w->level)
                continue;
            AbutLeafGap gap = abut_leaf_gap(s, &span->middle, of.leaf_a, of.leaf_b);
            if (gap.d <= w->level) {
                w->near = of;
                return 1;
            }
            if (abut_bound_leaves(s, span, of.leaf_a, of.leaf_b, gap.n, &control) > w->level)
                continue;
            keep = 1;
        }
        if (!keep && count + 2 <= ABUT_PAIR_STACK) {
            abut_open_pair(s, pair, 0.0, child);
            stack[count++] = child[1];
            stack[count++] = child[0];
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
static int search_half(Timing *w, double a, double e, int second, int32_t first, int32_t last)
{
    double middle = 0.5 * (a + e);
    int later = second != w->last;
    return search(w, later ? middle : a, later ? e : middle, first, last);
}

/* 1 when the search is over: the bracket is known, or cannot be. */
static int search(Timing *w, double a, double e, int32_t first, int32_t last)
{
    AbutSearch *s = w->s;
    AbutSpan span;
    int32_t begin = s->top;
    double middle = 0.5 * (a + e), early = w->last ? e : a;
    int hit, short_enough = e - a <= w->tolerance || !(middle > a && middle < e), over = 0;
    abut_search_span(s, a, e, &span);
    hit = is_hit(w, &span, w->near);
    for (int32_t k = first; k < last && !hit && !s->spent; ++k)
        hit = work_off(w, &span, s->space->items[k]);
    int32_t end = s->top;
    if (hit) {
        w->out.found = 1;
        w->out.touching = middle;
        s->top = end = begin;
        if (short_enough || !search_half(w, a, e, 0, first, last))
            w->out.free = short_enough ? early : middle;
        over = 1;
    } else if (s->spent || (end > begin && short_enough) || abut_search_is_spent(s)) {
        w->out.resolved = 0;
        w->out.free = early;
        over = 1;
    } else if (end > begin) {
        over = search_half(w, a, e, 0, begin, end) || search_half(w, a, e, 1, begin, end);
    }
    s->top = begin;
    return over;
}

AbutContactTime abut_clearance_contact_time(const AbutClearanceMover *a, const AbutClearanceMover *b,
    const AbutClearanceDef *def, double level, double tolerance, int last, AbutClearanceSpace *space)
{
    AbutSearch s;
    AbutContactTime none = {0, 0, last ? def->to : def->from, last ? def->from : def->to};
    if (!abut_search_open(&s, a, b, def, space) || !(level >= 0.0) || !(tolerance >= 0.0) || s.a->leaf_count == 0 ||
        s.b->leaf_count == 0)
        return none;
    Timing w = {&s, level > 0.0 || s.solid ? level : LEVEL,
        tolerance > 0.0 ? tolerance : TOLERANCE * (def->to - def->from), last, {-1, -1}, none};
    w.out.resolved = 1;
    double at = last ? def->to : def->from, end = last ? def->from : def->to;
    int over = 0;
    do {
        double next = last ? abut_search_break_before(&s, at) : abut_search_next_break(&s, at, end);
        s.top = 1;
        space->items[0] = (AbutFrontItem){0, 0, -INFINITY};
        over = search(&w, last ? next : at, last ? at : next, 0, 1);
        at = next;
    } while (!over && at != end);
    if (!w.out.found && w.out.resolved)
        w.out.free = end;
    return w.out;
}
