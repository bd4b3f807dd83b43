/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of links that are always near. In: pairs, and the tree in which every joint of the model moves. Out: those that
 * are nearer than a limit at every posture looked at: the reference of the model, the posture of the problem, all
 * keyframes, and random ones within the limits of the joints, the same in every run. No motion can keep such a pair
 * clear, so it is left out; a pair that is apart at one posture is not. Joints that follow others do so in random
 * postures; free bases and balls stay as they are.
 */
#include "proof/problem.h"

enum { RANDOM_POSTURES = 200 };
static const uint64_t SEED = 0x6e656172; /* "near" */
static const double SLIDE = 1.0;         /* how far slides without limits go, m; hinges make half a turn either way */

/* Postures to look at. */
typedef struct Look {
    const AbutPlanProblem *problem;
    const AbutPlanTree *all;   /* every hinge and slide of the model moves */
    AbutPlanPosture whole, at; /* of that tree; nodes of the problem's alone */
    double *joints, *q;        /* of the model, of that tree */
    AbutConfiguration *keyframe;
    AbutRng rng;
} Look;

/* Puts the nodes of the problem where joints of the model are. */
static void place(Look *x) {
    const AbutPlanTree *inner = &x->problem->tree;
    for (int32_t i = 0; i < x->all->joint_count; ++i) x->q[i] = x->joints[x->all->joints[i]];
    abut_plan_tree_place(x->all, x->q, &x->whole);
    for (int32_t i = 0; i < x->problem->model->body_count; ++i)
        x->at.node[inner->body_node[i]] = x->whole.node[x->all->body_node[i]];
}

static void draw_joints(Look *x) {
    const AbutModel *model = x->problem->model;
    for (int32_t i = 0; i < model->joint_count; ++i) {
        const AbutJointDef *j = &model->joints[i];
        double reach = j->kind == ABUT_JOINT_SLIDE ? SLIDE : ABUT_PI;
        double low = j->limited ? j->range[0] : j->reference - reach;
        double high = j->limited ? j->range[1] : j->reference + reach;
        x->joints[i] = abut_rng_between(&x->rng, low, high);
    }
    for (int32_t i = 0; i < model->joint_count; ++i) {
        AbutCoupling c = abut_tree_coupling(x->problem->robot, i);
        if (c.follows > 0) x->joints[i] = c.offset + (c.leader < 0 ? 0.0 : c.factor * x->joints[c.leader]);
    }
}

/* Posture number k: the reference, that of the problem, keyframes, random ones. */
static AbutStatus look_at(Look *x, int32_t k, AbutError *error) {
    const AbutModel *model = x->problem->model;
    if (k < 2)
        for (int32_t i = 0; i < model->joint_count; ++i)
            x->joints[i] = k == 0 ? model->joints[i].reference : x->problem->rest[i];
    else if (k - 2 < model->keyframe_count) {
        AbutStatus status = abut_configuration_set_keyframe(x->keyframe, k - 2, error);
        if (status) return status;
        abut_plan_joints_at(x->keyframe, x->joints);
    } else
        draw_joints(x);
    place(x);
    return ABUT_OK;
}

static AbutStatus open_look(Look *x, AbutError *error) {
    const AbutModel *model = x->problem->model;
    size_t numbers = (size_t)model->joint_count + (size_t)x->all->joint_count + 1;
    void *whole = abut_alloc(abut_plan_posture_size(x->all) + 1);
    void *at = abut_alloc(abut_plan_posture_size(&x->problem->tree) + 1);
    x->joints = abut_alloc_array(numbers, sizeof *x->joints);
    x->whole.node = whole;
    x->at.node = at;
    if (!whole || !at || !x->joints) return abut_fail_memory(error);
    x->q = x->joints + model->joint_count;
    x->whole = abut_plan_posture_in(x->all, whole);
    x->at = abut_plan_posture_in(&x->problem->tree, at);
    return model->keyframe_count ? abut_configuration_create(x->problem->robot, &x->keyframe, error) : ABUT_OK;
}

static void close_look(Look *x) {
    abut_configuration_free(x->keyframe);
    abut_free(x->joints);
    abut_free(x->whole.node);
    abut_free(x->at.node);
}

double abut_plan_links_apart(const AbutPlanProblem *problem, const AbutPlanPosture *at, AbutPair links, double limit) {
    const int32_t *start = problem->piece_start;
    double least = INFINITY;
    for (int32_t i = start[links.a]; i < start[links.a + 1]; ++i) {
        for (int32_t k = start[links.b]; k < start[links.b + 1]; ++k) {
            if (problem->pieces[k].stand_in || !abut_plan_may_touch(problem, i, k)) continue;
            AbutPlanItem item = abut_plan_item_of(problem, i, k);
            if (abut_plan_item_apart(problem, &item, at) < limit)
                least = fmin(least, abut_plan_item_distance(problem, &item, at, NULL).distance);
        }
        for (int32_t k = 0; k < problem->surface_count; ++k)
            if (problem->surfaces[k].link == links.b) {
                AbutPlanFacing facing = {.piece = i, .surface = k};
                least = fmin(least, abut_plan_facing_distance(problem, &facing, at).distance);
            }
    }
    return least < limit ? least : INFINITY;
}

AbutStatus abut_plan_find_always_near(const AbutPlanProblem *problem, const AbutPlanTree *all, double limit,
    int32_t count, AbutPlanNearPair *pairs, AbutError *error) {
    Look x = {.problem = problem, .all = all, .rng = abut_rng(SEED, 0)};
    int32_t open = count, most = 2 + problem->model->keyframe_count + RANDOM_POSTURES;
    AbutStatus status = open_look(&x, error);
    for (int32_t k = 0; k < most && open > 0 && !status; ++k) {
        status = look_at(&x, k, error);
        open = 0;
        for (int32_t i = 0; i < count && !status; ++i) {
            if (!pairs[i].near) continue;
            double d = abut_plan_links_apart(problem, &x.at, pairs[i].links, limit);
            pairs[i].near = d < limit;
            pairs[i].distance = k == 0 ? d : fmax(pairs[i].distance, d);
            pairs[i].postures = k + 1;
            open += pairs[i].near;
        }
    }
    close_look(&x);
    return status;
}
