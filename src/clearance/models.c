/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models and poses of the links of chains, kept for the pairs that share them.
 *
 * In: a motion and an interval, or a time. Out: its Taylor model, or its pose. Method: direct-mapped tables by link and
 * interval or time; the model of a link that is not there is made from the nearest ancestor that is, and all between
 * that move are kept. Since a model is made by the same products whether its parent was kept or not, no answer depends
 * on what the tables hold.
 */
#include "clearance/search.h"

#include <string.h>

enum { PATH = 64 };

int abut_space_keep(AbutClearanceSpace *space) {
    AbutKeeper *k = abut_alloc(sizeof *k);
    if (!k) return 0;
    memset(k->model_of, 0, sizeof k->model_of);
    memset(k->pose_of, 0, sizeof k->pose_of);
    space->keeper = k;
    return 1;
}

/* For all links at once. */
static uint64_t hash_of(const AbutChain *chain, double a, double e) {
    struct {
        const AbutChain *chain;
        double a, e;
    } key = {chain, a, e};
    return abut_hash(&key, sizeof key, 0);
}

static uint32_t slot_of(uint64_t hash, int32_t link) {
    return (uint32_t)((hash + (uint64_t)link * 0x9E3779B97F4A7C15U) >> 32) % ABUT_KEPT;
}

static int is_same(const AbutKept *x, const AbutKept *y) {
    return x->chain == y->chain && x->link == y->link && x->a == y->a && x->e == y->e;
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* Joints that do not move cost less than a place in the table, unless they carry the body itself. */
static int is_kept(const AbutMotion *motion, int32_t link) {
    return link == motion->link || motion->chain->joints[link].kind != ABUT_CHAIN_FIXED;
}

/* The links from that of the motion up to the nearest whose model is kept, which gives the slot (-1: none), or to the
 * outer frame. Gives their number; -1: a longer chain than there is room for. */
static int32_t path_to_kept(
    const AbutKeeper *k, const AbutMotion *motion, uint64_t hash, AbutKept wanted, int32_t path[PATH], int32_t *slot) {
    int32_t count = 0;
    *slot = -1;
    for (int32_t link = motion->link; link >= 0; link = motion->chain->joints[link].parent) {
        uint32_t at = slot_of(hash, link);
        wanted.link = link;
        if (is_kept(motion, link) && is_same(&k->model_of[at], &wanted)) {
            *slot = (int32_t)at;
            return count;
        }
        if (count == PATH) return -1;
        path[count++] = link;
    }
    return count;
}

const AbutPoseModel *abut_space_model(
    AbutClearanceSpace *space, const AbutMotion *motion, double a, double e, AbutPoseModel *room) {
    AbutKeeper *k = space->keeper;
    int32_t path[PATH], slot, count = -1;
    AbutKept wanted = {motion->chain, a, e, 0};
    uint64_t hash = 0;
    if (k && motion->chain) { /* without a keeper one pair asks for each interval but once */
        hash = hash_of(motion->chain, a, e);
        count = path_to_kept(k, motion, hash, wanted, path, &slot);
    }
    if (count < 0) {
        abut_motion_model(motion, a, e, room);
        return room;
    }
    const AbutPoseModel *last = slot >= 0 ? &k->model[slot] : room;
    if (slot < 0) abut_model_identity(room);
    while (count > 0) {
        wanted.link = path[--count];
        AbutPoseModel *next = room;
        if (is_kept(motion, wanted.link)) {
            uint32_t at = slot_of(hash, wanted.link);
            k->model_of[at] = wanted;
            next = &k->model[at];
        }
        if (next != last) *next = *last;
        abut_model_joint(next, &motion->chain->joints[wanted.link], a, e);
        last = next;
    }
    return last;
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

AbutPose abut_space_pose(AbutClearanceSpace *space, const AbutMotion *motion, double t) {
    AbutKeeper *k = space->keeper;
    if (!k || !motion->chain) return abut_motion_pose(motion, t);
    AbutKept wanted = {motion->chain, t, t, motion->link};
    uint32_t at = slot_of(hash_of(motion->chain, t, t), motion->link);
    if (!is_same(&k->pose_of[at], &wanted)) {
        k->pose_of[at] = wanted;
        k->pose[at] = abut_motion_pose(motion, t);
    }
    return k->pose[at];
}
