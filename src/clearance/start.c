/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A good upper bound before the proof begins.
 *
 * In: a search. Out: its ub, t and witness. Method: greedy descents of both trees, without turning back, at 17 times
 * and at all breaks of the motion; steps in time with the best pair of leaves frozen; then one distance at the best
 * time, which may be a tenth too large. More effort here does not pay.
 */
#include "clearance/search.h"

enum { TIMES = 17, FROZEN_STEPS = 6, STACK = 512 };

static const double GAMMA = 0.1;

/* The children that a pair is opened into. */
static void open_pair(const AbutSearch *s, AbutFrontItem pair, AbutFrontItem child[2])
{
    const AbutClearanceNode *a = &s->a->nodes[pair.i], *b = &s->b->nodes[pair.j];
    int opens_a = abut_opens_a(a, b);
    for (int k = 0; k < 2; ++k) {
        child[k].i = opens_a ? a->child + k : pair.i;
        child[k].j = opens_a ? pair.j : b->child + k;
        child[k].lb = pair.lb;
    }
}

static int both_leaves(const AbutSearch *s, AbutFrontItem pair)
{
    return s->a->nodes[pair.i].child < 0 && s->b->nodes[pair.j].child < 0;
}

static void greedy(AbutSearch *s, double t)
{
    AbutPlace place = abut_search_place(s, t);
    AbutFrontItem at = {0, 0, 0.0F}, child[2];
    while (!both_leaves(s, at)) {
        open_pair(s, at, child);
        double first = abut_bound_at(s, &place, child[0].i, child[0].j, INFINITY);
        at = child[abut_bound_at(s, &place, child[1].i, child[1].j, INFINITY) < first];
    }
    int32_t leaf_a = ~s->a->nodes[at.i].child, leaf_b = ~s->b->nodes[at.j].child;
    abut_search_take(s, t, abut_leaf_gap(s, &place, leaf_a, leaf_b).d, leaf_a, leaf_b);
}

static int is_low_enough(const AbutSearch *s)
{
    return !s->solid && s->ub <= 0.0;
}

/* Steps of +-h with the pair of leaves frozen; h is halved when neither side is better. */
static void move_frozen(AbutSearch *s, double h)
{
    for (int round = 0; round < FROZEN_STEPS && !is_low_enough(s); ++round) {
        double from = s->t;
        for (int side = -1; side <= 1 && s->t == from; side += 2) {
            double t = from + side * h;
            if (t < s->from || t > s->to)
                continue;
            AbutPlace place = abut_search_place(s, t);
            AbutWitness w = s->witness;
            abut_search_take(s, t, abut_leaf_gap(s, &place, w.leaf_a, w.leaf_b).d, w.leaf_a, w.leaf_b);
        }
        h *= s->t == from ? 0.5 : 1.0;
    }
}

double abut_search_nearest(AbutSearch *s, const AbutPlace *place, double cut, double gamma, AbutWitness *witness)
{
    struct {
        AbutFrontItem pair;
        double lb;
    } stack[STACK];
    double best = cut;
    int count = 0;
    if (witness->leaf_a >= 0)
        best = abut_smaller(best, abut_leaf_gap(s, place, witness->leaf_a, witness->leaf_b).d);
    stack[count].pair = (AbutFrontItem){0, 0, 0.0F};
    stack[count++].lb = abut_bound_at(s, place, 0, 0, best);
    while (count > 0) {
        AbutFrontItem pair = stack[--count].pair, child[2];
        double lb = stack[count].lb, bound[2];
        if (lb + gamma * fabs(lb) >= best || (!s->solid && best <= 0.0))
            continue;
        if (both_leaves(s, pair)) {
            int32_t leaf_a = ~s->a->nodes[pair.i].child, leaf_b = ~s->b->nodes[pair.j].child;
            double d = abut_leaf_gap(s, place, leaf_a, leaf_b).d;
            if (d < best)
                best = d, witness->leaf_a = leaf_a, witness->leaf_b = leaf_b;
            continue;
        }
        open_pair(s, pair, child);
        for (int k = 0; k < 2; ++k)
            bound[k] = abut_bound_at(s, place, child[k].i, child[k].j, best);
        int nearer = bound[1] < bound[0];
        for (int k = 0; k < 2; ++k) { /* the nearer one on top */
            int which = k == 0 ? !nearer : nearer;
            if (bound[which] < best && count < STACK) {
                stack[count].pair = child[which];
                stack[count++].lb = bound[which];
            }
        }
    }
    return best;
}

void abut_search_start(AbutSearch *s)
{
    for (int k = 0; k < TIMES && !is_low_enough(s); ++k)
        greedy(s, k + 1 < TIMES ? s->from + (s->to - s->from) * k / (TIMES - 1) : s->to);
    for (double t = abut_search_next_break(s, s->from, s->to); t < s->to && !is_low_enough(s);
         t = abut_search_next_break(s, t, s->to))
        greedy(s, t);
    if (is_low_enough(s) || s->witness.leaf_a < 0)
        return;
    move_frozen(s, 0.5 * (s->to - s->from) / (TIMES - 1));
    if (is_low_enough(s))
        return;
    AbutPlace place = abut_search_place(s, s->t);
    AbutWitness witness = s->witness;
    double d = abut_search_nearest(s, &place, s->ub, GAMMA, &witness);
    abut_search_take(s, s->t, d, witness.leaf_a, witness.leaf_b);
}
