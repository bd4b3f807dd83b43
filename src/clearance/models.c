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

static uint64_t hash_of(const AbutChain *chain, int32_t link, double a, double e)
{
    struct {
        const AbutChain *chain;
        double a, e;
        int64_t link;
    } key = {chain, a, e, link};
    return abut_hash(&key, sizeof key, 0);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

static AbutKeptModel *slot_of(AbutClearanceSpace *space, const AbutChain *chain, int32_t link, double a, double e)
{
    return &space->kept[hash_of(chain, link, a, e) % ABUT_KEPT_MODELS];
}

static const AbutKeptModel *find(AbutClearanceSpace *space, const AbutChain *chain, int32_t link, double a, double e)
{
    const AbutKeptModel *k = slot_of(space, chain, link, a, e);
    return k->age == space->age && k->chain == chain && k->link == link && k->a == a && k->e == e ? k : NULL;
}

/* Joints that do not move cost less than a place in the table, unless they carry the body itself. */
static int is_kept(const AbutMotion *motion, int32_t link)
{
    return link == motion->link || motion->chain->joints[link].kind != ABUT_CHAIN_FIXED;
}

void abut_space_model(AbutClearanceSpace *space, const AbutMotion *motion, double a, double e, AbutPoseModel *out)
{
    enum { PATH = 64 };
    int32_t path[PATH], count = 0;
    const AbutChain *chain = motion->chain;
    const AbutKeptModel *found = NULL;
    int32_t link = motion->link;
    if (!chain || !space->keeps) { /* one pair asks for each interval but once */
        abut_motion_model(motion, a, e, out);
        return;
    }
    for (; link >= 0 && count < PATH; link = chain->joints[link].parent) {
        if (is_kept(motion, link) && (found = find(space, chain, link, a, e)) != NULL)
            break;
        path[count++] = link;
    }
    if (!found && link >= 0) { /* a longer chain than there is room for */
        abut_motion_model(motion, a, e, out);
        return;
    }
    if (found)
        *out = found->model;
    else
        abut_model_identity(out);
    while (count > 0) {
        link = path[--count];
        abut_model_joint(out, &chain->joints[link], a, e);
        if (is_kept(motion, link))
            *slot_of(space, chain, link, a, e) = (AbutKeptModel){space->age, chain, a, e, link, *out};
    }
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

AbutPose abut_space_pose(AbutClearanceSpace *space, const AbutMotion *motion, double t)
{
    if (!motion->chain || !space->keeps)
        return abut_motion_pose(motion, t);
    AbutKeptPose *k = &space->poses[hash_of(motion->chain, motion->link, t, t) % ABUT_KEPT_POSES];
    if (k->age != space->age || k->chain != motion->chain || k->link != motion->link || k->t != t)
        *k = (AbutKeptPose){space->age, motion->chain, t, motion->link, abut_motion_pose(motion, t)};
    return k->pose;
}
