/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joints that follow others. In: a model, whose equalities tie joints in pairs, one after the other in chains. Out: the
 * joint at the end of the chain, and the straight line on which a joint follows it. Curves, circles and joints with two
 * ties are told apart: they are no lines, and are not planned. Loops that connect and weld close are not kept, which
 * is noted.
 */
#include "plan/problem.h"

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

int abut_plan_lead(const AbutModel *model, int32_t joint, AbutPlanLead *out)
{
    ABUT_ASSERT(model && out && joint >= 0 && joint < model->joint_count);
    AbutPlanLead lead = {joint, 1.0, 0.0, NULL};
    const AbutEqualityDef *e = tie_of(model, joint, 0);
    int answer = e ? 1 : 0;
    for (int32_t steps = 0; e && answer > 0; ++steps) {
        lead.equality = e;
        if (is_curved(e) || steps == model->equality_count ||
            tie_of(model, e->a, (int32_t)(e - model->equalities) + 1)) {
            answer = -1;
            break;
        }
        double slope = e->b < 0 ? 0.0 : e->polynomial[1];
        double base = e->b < 0 ? 0.0 : slope * model->joints[e->b].reference;
        lead.offset += lead.factor * (model->joints[e->a].reference + e->polynomial[0] - base);
        lead.factor *= slope;
        lead.leader = e->b;
        e = e->b < 0 ? NULL : tie_of(model, e->b, 0);
    }
    *out = lead;
    return answer;
}

/* ---- ties of a problem ------------------------------------------------------------------------------------------- */

int32_t abut_plan_moving(const AbutPlanProblem *problem, int32_t joint)
{
    for (int32_t i = 0; i < problem->tree.joint_count; ++i)
        if (problem->tree.joints[i] == joint)
            return i;
    return -1;
}

/* Remembers a curve; refuses a joint that is held while the one that it follows moves. */
static AbutStatus look_at_joint(AbutPlanProblem *problem, int32_t joint, AbutError *error)
{
    const AbutModel *model = problem->model;
    AbutPlanLead lead;
    int answer = abut_plan_lead(model, joint, &lead), held = abut_plan_moving(problem, joint) < 0;
    const AbutEqualityDef *e = lead.equality;
    if (answer < 0 && (!held || abut_plan_moving(problem, e->a) >= 0 || abut_plan_moving(problem, e->b) >= 0))
        problem->curved = e;
    if (answer > 0 && held && lead.factor != 0.0 && abut_plan_moving(problem, lead.leader) >= 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "joint '%s' is held, and follows joint '%s', which moves",
            model->joints[joint].name, model->joints[lead.leader].name);
    return ABUT_OK;
}

/* Do joints that move change where two bodies are to each other? Body -1 is the world. */
static int is_moved(const AbutPlanTree *tree, int32_t a, int32_t b)
{
    int32_t node[2] = {a < 0 ? -1 : tree->body_node[a], b < 0 ? -1 : tree->body_node[b]}, count[2], i = 0;
    const int32_t *path[2];
    for (int k = 0; k < 2; ++k) {
        path[k] = tree->path + (node[k] < 0 ? 0 : tree->path_start[node[k]]);
        count[k] = node[k] < 0 ? 0 : tree->path_start[node[k] + 1] - tree->path_start[node[k]];
    }
    while (i < count[0] && i < count[1] && path[0][i] == path[1][i])
        ++i;
    return i < count[0] || i < count[1];
}

AbutStatus abut_plan_ties_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error)
{
    const AbutModel *model = problem->model;
    AbutStatus status = ABUT_OK;
    for (int32_t j = 0; j < model->joint_count && !status && def->coordinate_count == 0; ++j)
        status = look_at_joint(problem, j, error);
    for (int32_t i = 0; i < model->equality_count && !status; ++i) {
        const AbutEqualityDef *e = &model->equalities[i];
        if (e->kind != ABUT_EQUALITY_JOINT && !e->inactive && is_moved(&problem->tree, e->a, e->b))
            status = abut_plan_add_note(problem, error, "%s of %s and %s is not kept: the loop that it closes may open",
                abut_equality_kind_name(e->kind), e->a < 0 ? "the world" : model->bodies[e->a].name,
                e->b < 0 ? "the world" : model->bodies[e->b].name);
    }
    return status;
}

AbutStatus abut_plan_check_ties(const AbutPlanProblem *problem, AbutError *error)
{
    const AbutEqualityDef *e = problem->curved;
    if (!e)
        return ABUT_OK;
    const AbutJointDef *joints = problem->model->joints;
    return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
        "%s:%d: joint '%s' follows '%s' on a curve, and plans keep straight lines alone: hold both, or take the "
        "equality out",
        e->source.file ? e->source.file : "model", (int)e->source.line, joints[e->a].name,
        e->b < 0 ? "none" : joints[e->b].name);
}
