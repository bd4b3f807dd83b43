/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models of the links of chains, kept for the pairs that share them.
 *
 * In: a motion and an interval. Out: its Taylor model. Method: a direct-mapped table by link and interval; a link that
 * is not there is made from the nearest ancestor that is, and all between are kept. Since a model is made by the same
 * products whether its parent was kept or not, no answer depends on what the table holds.
 */
#include "clearance/search.h"

#include <string.h>

static uint32_t place_of(const AbutChain *chain, int32_t link, double a, double e)
{
    struct {
        const AbutChain *chain;
        double a, e;
        int64_t link;
    } key = {chain, a, e, link};
    return (uint32_t)(abut_hash(&key, sizeof key, 0) % ABUT_KEPT_MODELS);
}

static AbutKeptModel *find(AbutClearanceSpace *space, const AbutChain *chain, int32_t link, double a, double e)
{
    AbutKeptModel *k = &space->kept[place_of(chain, link, a, e)];
    return k->age == space->age && k->chain == chain && k->link == link && k->a == a && k->e == e ? k : NULL;
}

static void keep(
    AbutClearanceSpace *space, const AbutChain *chain, int32_t link, double a, double e, const AbutPoseModel *model)
{
    AbutKeptModel *k = &space->kept[place_of(chain, link, a, e)];
    *k = (AbutKeptModel){space->age, chain, a, e, link, *model};
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
    for (; link >= 0 && count < PATH && !(found = find(space, chain, link, a, e)); link = chain->joints[link].parent)
        path[count++] = link;
    if (!found && link >= 0) { /* a longer chain than there is room for */
        abut_motion_model(motion, a, e, out);
        return;
    }
    AbutPoseModel model, *from = NULL;
    if (found)
        model = found->model, from = &model;
    while (count > 0) {
        AbutPoseModel next;
        link = path[--count];
        abut_joint_model(&chain->joints[link], a, e, from, &next);
        keep(space, chain, link, a, e, &next);
        model = next, from = &model;
    }
    *out = model;
}
