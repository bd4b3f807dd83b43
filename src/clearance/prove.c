/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof: no time of an interval brings the bodies nearer than ub - eps.
 *
 * In: a search with an upper bound. Out: its lb, and better ub on the way. Method: depth first over intervals of time.
 * Each carries a front of node pairs from its parent. A pair is dropped when its bound over the whole interval exceeds
 * ub - eps; otherwise it is opened in space, or kept for the two halves of the interval when it is the motion that
 * makes its bound loose. Pairs of leaves are measured at the middle and where their bound is attained, which lowers ub.
 * The fronts of the path of intervals lie one after the other in the space.
 */
#include "base/system.h"
#include "clearance/search.h"

enum { TIME_CHECKS = 1024 };

static const double SMALL_ERROR = 1e-2; /* of eps: control points then serve as poses */

typedef enum Verdict { DROP, KEEP, OPEN } Verdict;

static void lower(AbutSearch *s, double lb) { s->lb = abut_smaller(s->lb, lb); }

double abut_search_deadline(double seconds) { return seconds > 0.0 ? abut_clock() + seconds : INFINITY; }

int abut_search_is_late(double deadline) { return deadline < INFINITY && abut_clock() > deadline; }

int abut_search_is_spent(AbutSearch *s) {
    if (s->node_pairs >= s->next_look) {
        s->next_look = s->node_pairs + TIME_CHECKS;
        s->late |= abut_search_is_late(s->deadline);
        s->spent |= s->late;
    }
    s->spent |= s->node_pairs >= s->budget;
    return s->spent;
}

/* A pair of leaves at the place where its bound is attained. */
static void measure_at(AbutSearch *s, const AbutSpan *span, int control, int32_t leaf_a, int32_t leaf_b) {
    double t = span->a + (span->e - span->a) * control / (ABUT_CONTROLS - 1);
    if ((control == 0 || control == ABUT_CONTROLS - 1) && span->error < SMALL_ERROR * s->eps) {
        AbutPlace place = {abut_vec3(span->t[0][control], span->t[1][control], span->t[2][control]), span->r[control]};
        t = control == 0 ? span->a : span->e;
        abut_search_take(s, t, abut_leaf_gap(s, &place, leaf_a, leaf_b).d + span->error, leaf_a, leaf_b);
        return;
    }
    AbutPlace place = abut_search_place(s, t);
    abut_search_take(s, t, abut_leaf_gap(s, &place, leaf_a, leaf_b).d, leaf_a, leaf_b);
}

/* Both nodes are leaves, and the bound of their boxes does not do. */
static Verdict judge_leaves(AbutSearch *s, const AbutSpan *span, AbutFrontItem pair, AbutVec3 n, double *lb) {
    int32_t leaf_a = ~s->a->nodes[pair.i].child, leaf_b = ~s->b->nodes[pair.j].child;
    int control;
    *lb = abut_larger(*lb, abut_bound_leaves(s, span, leaf_a, leaf_b, n, &control));
    if (*lb > s->ub - abut_search_tolerance(s)) return DROP;
    AbutLeafGap gap = abut_leaf_gap(s, &span->middle, leaf_a, leaf_b);
    abut_search_take(s, 0.5 * (span->a + span->e), gap.d, leaf_a, leaf_b);
    if (abut_length_sq(gap.n) > 0.0)
        *lb = abut_larger(*lb, abut_bound_leaves(s, span, leaf_a, leaf_b, gap.n, &control));
    if (gap.saturated || !(s->ub > 0.0 || s->solid))
        *lb = abut_larger(*lb, gap.d); /* nothing smaller exists for this pair */
    if (*lb > s->ub - abut_search_tolerance(s)) return DROP;
    measure_at(s, span, control, leaf_a, leaf_b);
    return *lb > s->ub - abut_search_tolerance(s) ? DROP : KEEP;
}

static Verdict judge(AbutSearch *s, const AbutSpan *span, AbutFrontItem pair, double *lb) {
    double cut = s->ub - abut_search_tolerance(s);
    AbutBound bound = abut_bound_nodes(s, span, pair.i, pair.j, cut);
    *lb = abut_larger(bound.lb, pair.lb);
    if (*lb > cut) return DROP;
    int leaves = abut_both_leaves(s, pair), cheap = s->a->triangle && s->b->triangle;
    if (!(leaves && cheap) && abut_blames_motion(&bound, s->eps)) return KEEP;
    return leaves ? judge_leaves(s, span, pair, bound.n, lb) : OPEN;
}

/* Works one pair of the front off; what is kept goes to the top of the space. */
static void work_off(AbutSearch *s, const AbutSpan *span, AbutFrontItem first) {
    AbutFrontItem *stack = s->space->stack;
    int count = 0;
    stack[count++] = first;
    while (count > 0) {
        AbutFrontItem pair = stack[--count];
        double lb = pair.lb;
        if (abut_search_is_spent(s)) {
            lower(s, lb);
            continue;
        }
        Verdict verdict = judge(s, span, pair, &lb);
        if (verdict == OPEN && count + 2 <= ABUT_PAIR_STACK) {
            count = abut_push_opened(s, pair, lb, stack, count);
        } else if (verdict != DROP && s->top < s->space->capacity) {
            pair.lb = abut_item_bound(lb);
            s->space->items[s->top++] = pair;
        } else {
            lower(s, lb);
            s->spent |= verdict != DROP;
        }
    }
}

static void give_up(AbutSearch *s, int32_t first, int32_t last) {
    for (int32_t k = first; k < last; ++k) lower(s, s->space->items[k].lb);
}

/* The front over a .. e. Not inline: the span is large, and `prove` is recursive. */
static __attribute__((noinline)) void look(AbutSearch *s, double a, double e, int32_t first, int32_t last) {
    AbutSpan span;
    abut_search_span(s, a, e, &span);
    for (int32_t k = first; k < last; ++k) work_off(s, &span, s->space->items[k]);
}

static void prove(AbutSearch *s, double a, double e, double shortest, int32_t first, int32_t last) {
    int32_t begin = s->top;
    double middle = 0.5 * (a + e);
    look(s, a, e, first, last);
    int32_t end = s->top;
    int touching = !s->solid && s->ub <= 0.0;
    if (end > begin && !touching) {
        if (e - a < shortest || !(middle > a && middle < e) || s->spent) {
            give_up(s, begin, end);
        } else {
            int later = s->t > middle;
            prove(s, later ? middle : a, later ? e : middle, shortest, begin, end);
            prove(s, later ? a : middle, later ? middle : e, shortest, begin, end);
        }
    }
    s->top = begin;
}

double abut_search_next_break(const AbutSearch *s, double t, double to) {
    double a = abut_motion_next_break(s->motion_a, t), b = abut_motion_next_break(s->motion_b, t);
    return abut_smaller(to, abut_smaller(a, b));
}

double abut_search_break_before(const AbutSearch *s, double t) {
    double low = s->from, high = t;
    for (double next = abut_search_next_break(s, low, t); next < t; next = abut_search_next_break(s, low, t)) {
        double middle = 0.5 * (low + high), after = abut_search_next_break(s, middle, t);
        if (after < t)
            low = after;
        else if (middle > low && middle < high)
            high = middle;
        else
            low = next;
    }
    return low;
}

void abut_search_front(AbutSearch *s, double from, double to) {
    double a = from;
    do {
        double e = abut_search_next_break(s, a, to);
        s->top = 1;
        s->space->items[0] = (AbutFrontItem){0, 0, -INFINITY};
        prove(s, a, e, ABUT_CLEARANCE_SHORTEST * (e - a), 0, 1);
        a = e;
    } while (a < to && (s->solid || s->ub > 0.0));
}
