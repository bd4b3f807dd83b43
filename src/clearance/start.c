/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A good upper bound before the proof begins.
 *
 * In: a search. Out: its ub, t and witness. Method: greedy descents of both trees, without turning back, at 17 times
 * and at all breaks of the motion; steps in time with the best pair of leaves frozen; then one distance at the best
 * time, which may be a tenth too large. More effort here does not pay; between solids, whose distances cost more and
 * have better bounds, five descents are enough.
 */
#include "clearance/search.h"

enum { TIMES = 17, TIMES_OF_SOLIDS = 5, GUESS_TIMES = 9, GUESS_STEP = 4, FROZEN_STEPS = 6 };

static const double GAMMA = 0.1;

static void greedy(AbutSearch *s, double t) {
    AbutPlace place = abut_search_place(s, t);
    AbutFrontItem at = {0, 0, 0.0F}, child[2];
    while (!abut_both_leaves(s, at)) {
        abut_open_pair(s, at, 0.0, child);
        double first = abut_bound_at(s, &place, child[0].i, child[0].j, INFINITY);
        at = child[abut_bound_at(s, &place, child[1].i, child[1].j, INFINITY) < first];
    }
    AbutWitness w = abut_leaves_of(s, at);
    abut_search_take(s, t, abut_leaf_gap(s, &place, w.leaf_a, w.leaf_b).d, w.leaf_a, w.leaf_b);
}

static int is_low_enough(const AbutSearch *s) { return !s->solid && s->ub <= 0.0; }

/* Steps of +-h with the pair of leaves frozen; h is halved when neither side is better. */
static void move_frozen(AbutSearch *s, double h) {
    for (int round = 0; round < FROZEN_STEPS && !is_low_enough(s); ++round) {
        double from = s->t;
        for (int side = -1; side <= 1 && s->t == from; side += 2) {
            double t = from + side * h;
            if (t < s->from || t > s->to) continue;
            AbutPlace place = abut_search_place(s, t);
            AbutWitness w = s->witness;
            abut_search_take(s, t, abut_leaf_gap(s, &place, w.leaf_a, w.leaf_b).d, w.leaf_a, w.leaf_b);
        }
        h *= s->t == from ? 0.5 : 1.0;
    }
}

/* Puts the children of a pair on the stack, the nearer one on top, unless they are farther than `best`. */
static int push_children(
    const AbutSearch *s, const AbutPlace *place, AbutFrontItem pair, double best, AbutWaitingPair *stack, int count) {
    AbutFrontItem child[2];
    double bound[2];
    abut_open_pair(s, pair, 0.0, child);
    for (int k = 0; k < 2; ++k) bound[k] = abut_bound_at(s, place, child[k].i, child[k].j, best);
    int nearer = bound[1] < bound[0];
    for (int k = 0; k < 2; ++k) {
        int which = k == 0 ? !nearer : nearer;
        if (bound[which] < best && count < ABUT_PAIR_STACK)
            stack[count++] = (AbutWaitingPair){child[which], bound[which]};
    }
    return count;
}

static double nearest_of(
    AbutSearch *s, const AbutPlace *place, AbutFrontItem root, double best, double gamma, AbutWitness *witness) {
    AbutWaitingPair *stack = s->space->waiting;
    int count = 1;
    stack[0] = (AbutWaitingPair){root, abut_bound_at(s, place, root.i, root.j, best)};
    while (count > 0) {
        AbutWaitingPair top = stack[--count];
        if (top.lb + gamma * fabs(top.lb) >= best || (!s->solid && best <= 0.0)) continue;
        if (!abut_both_leaves(s, top.pair)) {
            count = push_children(s, place, top.pair, best, stack, count);
            continue;
        }
        AbutWitness w = abut_leaves_of(s, top.pair);
        double d = abut_leaf_gap(s, place, w.leaf_a, w.leaf_b).d;
        if (d < best) best = d, *witness = w;
    }
    return best;
}

double abut_search_nearest_below(AbutSearch *s, const AbutPlace *place, const AbutFrontItem *items, int32_t count,
    double cut, double gamma, AbutWitness *witness) {
    double best = cut;
    if (witness->leaf_a >= 0) best = abut_smaller(best, abut_leaf_gap(s, place, witness->leaf_a, witness->leaf_b).d);
    for (int32_t k = 0; k < count; ++k) best = nearest_of(s, place, items[k], best, gamma, witness);
    return best;
}

double abut_search_nearest(AbutSearch *s, const AbutPlace *place, double cut, double gamma, AbutWitness *witness) {
    AbutFrontItem root = {0, 0, 0.0F};
    return abut_search_nearest_below(s, place, &root, 1, cut, gamma, witness);
}

/* Do the boxes of the whole bodies allow a distance below ub at a time? */
static int can_be_nearer(const AbutSearch *s, double t) {
    AbutPlace place = abut_search_place(s, t);
    return abut_bound_at(s, &place, 0, 0, s->ub) < s->ub;
}

static void descend(AbutSearch *s, int times) {
    for (int k = 0; k < times && !is_low_enough(s); ++k)
        greedy(s, k + 1 < times ? s->from + (s->to - s->from) * k / (times - 1) : s->to);
}

void abut_search_guess(AbutSearch *s, int between) {
    for (int k = 0; k < GUESS_TIMES && !is_low_enough(s); ++k) {
        double t = k + 1 < GUESS_TIMES ? s->from + (s->to - s->from) * k / (GUESS_TIMES - 1) : s->to;
        if ((k % GUESS_STEP != 0) == between && (!between || can_be_nearer(s, t))) greedy(s, t);
    }
}

void abut_search_start(AbutSearch *s) {
    descend(s, s->solid ? TIMES_OF_SOLIDS : TIMES);
    for (double t = abut_search_next_break(s, s->from, s->to); t < s->to && !is_low_enough(s);
         t = abut_search_next_break(s, t, s->to))
        greedy(s, t);
    if (is_low_enough(s) || s->witness.leaf_a < 0 || s->solid) return;
    move_frozen(s, 0.5 * (s->to - s->from) / (TIMES - 1));
    if (is_low_enough(s)) return;
    AbutPlace place = abut_search_place(s, s->t);
    AbutWitness witness = s->witness;
    double d = abut_search_nearest(s, &place, s->ub, GAMMA, &witness);
    abut_search_take(s, s->t, d, witness.leaf_a, witness.leaf_b);
}
