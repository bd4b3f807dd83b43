/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shorter plans: two states of the path that one motion can join lose the states between them. The new motion must end
 * exactly in the later state, and its fingers must be able to go on to those of the motion after it.
 */
#include "manipulation/search.h"

#include <math.h>
#include <string.h>

#define JOINED 2e-5

enum { VELOCITIES = 4 };

static AbutManipCandidate *best_of(AbutManipCandidate *list, int32_t count) {
    AbutManipCandidate *best = NULL;
    for (int32_t k = 0; k < count; ++k)
        if (list[k].score > 0.0 && (!best || list[k].score > best->score)) best = &list[k];
    if (best) best->score = 0.0;
    return best;
}

static int has_room(const AbutManip *m, AbutPose x, const AbutManipHold *h) {
    for (int32_t i = 0; i < h->count; ++i)
        if (h->finger[i] < 0 || !abut_manip_finger_free(m, x, h->finger[i])) return 0;
    return 1;
}

/* The hold to try: that of the first state, that of the last motion, or a new one. */
static int pick_hold(AbutManipSearch *s, int which, const AbutManipNode *a, const AbutManipNode *b,
    AbutManipSight *sight, const AbutManipPattern *pattern, AbutManipHold *out) {
    AbutManipDemand demand = {ABUT_MANIP_MARGIN, s->m.force_least, 1, NULL};
    *out = which ? b->hold : a->hold;
    if (which == 2 &&
        !abut_manip_choose(&s->m, &sight->stance, pattern, abut_manip_room(s, sight), &a->hold, s->course, NULL, out))
        return 0;
    return has_room(&s->m, sight->stance.x, out) && abut_manip_determined(&s->m, &sight->stance, pattern, out) &&
           abut_manip_balance(&s->m, &sight->stance, pattern, out, demand, NULL) <= ABUT_MANIP_BALANCED;
}

/*
 * The motions after a joined one, with their fingers in the slots that follow from it. False: some fingers cannot go
 * on. `copy` gets count nodes.
 */
static int carry_on(
    AbutManipSearch *s, const AbutManipHold *hold, const int32_t *path, int32_t count, AbutManipNode *copy) {
    AbutManipNode before = {.hold = *hold};
    for (int32_t k = 0; k < count; ++k) {
        AbutManipSight *sight = abut_manip_look(s, &s->node[path[k]]);
        if (!sight) return 0;
        copy[k] = s->node[path[k + 1]];
        if (copy[k].falls) {
            before = copy[k];
            continue;
        }
        copy[k].relocation_count =
            abut_manip_relocate(&s->m, &sight->stance, &before.hold, &copy[k].hold, copy[k].relocation);
        before.x = s->node[path[k]].x;
        if (copy[k].relocation_count < 0 || !abut_manip_has_ways(s, &before, &copy[k])) return 0;
        before = copy[k];
    }
    return 1;
}

/* Puts the joined motion in place of those between i and j; gives the new length, 0: out of memory. */
static int32_t put(AbutManipSearch *s, int32_t *path, int32_t count, int32_t i, int32_t j, const AbutManipNode *joined,
    const AbutManipPath *steps, const AbutManipNode *after) {
    int32_t before = abut_manip_add_node(s, joined, steps), at = i + 1;
    if (before < 0) return 0;
    path[at++] = before;
    for (int32_t k = 0; k < count - 1 - j; ++k) {
        AbutManipNode next = after[k];
        next.parent = before;
        before = abut_manip_add_node(s, &next, NULL);
        if (before < 0) return 0;
        path[at++] = before;
    }
    return at;
}

static int32_t try_pair(AbutManipSearch *s, int32_t *path, int32_t count, int32_t i, int32_t j, AbutManipNode *after) {
    AbutManipCandidate list[ABUT_MANIP_CANDIDATES];
    AbutManipNode a = s->node[path[i]], b = s->node[path[j]];
    AbutManipSight *sight = abut_manip_look(s, &s->node[path[i]]);
    AbutManipAim aim = {b.x, 1e-7, INFINITY, INFINITY};
    AbutManipPath steps;
    for (int32_t k = i + 1; k <= j; ++k)
        if (s->node[path[k]].falls) return count; /* a fall is not joined */
    if (!sight) return count;
    int32_t candidates = abut_manip_candidates(s, sight, b.x, list);
    if (!sight->stance.count) memset(&list[0].pattern, 0, sizeof list[0].pattern);
    for (int t = 0; t < VELOCITIES; ++t) {
        const AbutManipCandidate *candidate = best_of(list, candidates);
        if (candidate) abut_manip_set_out(&s->m, &sight->stance, &candidate->pattern, &aim, s->course);
        for (int which = a.hold.finger[0] < 0; candidate && which < 3; ++which) {
            AbutManipNode joined = {.parent = path[i]};
            if (!pick_hold(s, which, &a, &b, sight, &candidate->pattern, &joined.hold)) continue;
            joined.relocation_count =
                abut_manip_relocate(&s->m, &sight->stance, &a.hold, &joined.hold, joined.relocation);
            if (joined.relocation_count < 0) continue;
            if (!abut_manip_advance(s->course, &joined.hold, &steps)) continue;
            joined.x = steps.pose[steps.count - 1];
            int there = abut_manip_far(&s->m, joined.x, b.x, NULL, NULL) <= JOINED;
            if (!there && !(j == count - 1 && abut_manip_is_goal(&s->m, joined.x))) continue;
            if (!abut_manip_has_ways(s, &a, &joined)) continue;
            if (!carry_on(s, &joined.hold, path + j, count - 1 - j, after)) continue;
            if (j < count - 1) joined.x = steps.pose[steps.count - 1] = b.x;
            abut_manip_name_mode(&joined, &sight->stance, &candidate->pattern);
            int32_t shorter = put(s, path, count, i, j, &joined, &steps, after);
            return shorter ? shorter : count;
        }
    }
    return count;
}

/* Pairs far apart first; ends when two rounds over all pairs bring nothing. */
int32_t abut_manip_shorten(AbutManipSearch *s, int32_t *path, int32_t count, int32_t tries) {
    int good = 1;
    AbutManipNode *after = abut_pool_take_array(&s->pool, (size_t)count, sizeof *after, &good);
    for (int idle = 0; idle < 2 && good; ++idle)
        for (int32_t wide = count - 1; wide > 1; --wide)
            for (int32_t i = 0; i + wide < count; ++i) {
                if (!tries-- || s->out_of_memory) return count;
                int32_t shorter = try_pair(s, path, count, i, i + wide, after);
                if (shorter < count) idle = -1, count = shorter, wide = wide < count ? wide : count - 1;
            }
    return count;
}
