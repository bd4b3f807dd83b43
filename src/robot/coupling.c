/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joints that follow others. In: a model, whose equalities tie joints in pairs, one after the other in chains. Out: the
 * joint at the end of the chain, and the straight line on which a joint follows it. Curves, circles and joints with two
 * ties are told apart: they are not lines.
 */
#include "robot/tree.h"

/* The equality in force that makes a joint follow, from number `first` on; NULL: none. */
static const AbutEqualityDef *tie_of(const AbutModel *model, int32_t joint, int32_t first)
{
    for (int32_t i = first; i < model->equality_count; ++i) {
        const AbutEqualityDef *e = &model->equalities[i];
        if (e->kind == ABUT_EQUALITY_JOINT && !e->inactive && e->a == joint)
            return e;
    }
    return NULL;
}

static int is_curved(const AbutEqualityDef *e)
{
    return e->b >= 0 && (e->polynomial[2] != 0.0 || e->polynomial[3] != 0.0 || e->polynomial[4] != 0.0);
}

static AbutCoupling coupling_of(const AbutModel *model, int32_t joint)
{
    const AbutEqualityDef *e = tie_of(model, joint, 0);
    AbutCoupling out = {e ? 1 : 0, joint, 1.0, 0.0, NULL};
    for (int32_t steps = 0; e; ++steps) {
        out.equality = e;
        if (is_curved(e) || steps == model->equality_count ||
            tie_of(model, e->a, (int32_t)(e - model->equalities) + 1)) {
            out.follows = -1;
            break;
        }
        double slope = e->b < 0 ? 0.0 : e->polynomial[1];
        double base = e->b < 0 ? 0.0 : slope * model->joints[e->b].reference;
        out.offset += out.factor * (model->joints[e->a].reference + e->polynomial[0] - base);
        out.factor *= slope;
        out.leader = e->b;
        e = e->b < 0 ? NULL : tie_of(model, e->b, 0);
    }
    return out;
}

void abut_tree_couple(AbutTree *tree)
{
    for (int32_t j = 0; j < tree->model->joint_count; ++j)
        tree->couplings[j] = coupling_of(tree->model, j);
}

AbutCoupling abut_tree_coupling(const AbutTree *tree, int32_t joint)
{
    ABUT_ASSERT(tree && tree->couplings && joint >= 0 && joint < tree->model->joint_count);
    return tree->couplings[joint];
}
