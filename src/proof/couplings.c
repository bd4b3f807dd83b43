/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Couplings of a problem: joints that move and follow others. Joints coupled on curves are not planned. Loops that
 * connect and weld close are not kept, which is noted.
 */
#include "proof/problem.h"

int32_t abut_plan_moving(const AbutPlanProblem *problem, int32_t joint) {
    for (int32_t i = 0; i < problem->tree.joint_count; ++i)
        if (problem->tree.joints[i] == joint) return i;
    return -1;
}

/* Remembers a curve; refuses a joint that is held while the one that it follows moves. */
static AbutStatus look_at_joint(AbutPlanProblem *problem, int32_t joint, AbutError *error) {
    const AbutModel *model = problem->model;
    AbutCoupling coupling = abut_tree_coupling(problem->robot, joint);
    int held = abut_plan_moving(problem, joint) < 0;
    const AbutEqualityDef *e = coupling.equality;
    if (coupling.follows < 0 && (!held || abut_plan_moving(problem, e->a) >= 0 || abut_plan_moving(problem, e->b) >= 0))
        problem->curved = e;
    if (coupling.follows > 0 && held && coupling.factor != 0.0 && abut_plan_moving(problem, coupling.leader) >= 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "joint '%s' is held, and follows joint '%s', which moves",
            model->joints[joint].name, model->joints[coupling.leader].name);
    return ABUT_OK;
}

/* Do joints that move change where two bodies are to each other? Body -1 is the world. */
static int is_moved(const AbutPlanTree *tree, int32_t a, int32_t b) {
    int32_t node[2] = {a < 0 ? -1 : tree->body_node[a], b < 0 ? -1 : tree->body_node[b]}, count[2], i = 0;
    const int32_t *path[2];
    for (int k = 0; k < 2; ++k) {
        path[k] = tree->path + (node[k] < 0 ? 0 : tree->path_start[node[k]]);
        count[k] = node[k] < 0 ? 0 : tree->path_start[node[k] + 1] - tree->path_start[node[k]];
    }
    while (i < count[0] && i < count[1] && path[0][i] == path[1][i]) ++i;
    return i < count[0] || i < count[1];
}

AbutStatus abut_plan_couplings_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    const AbutModel *model = problem->model;
    AbutStatus status = ABUT_OK;
    for (int32_t j = 0; j < model->joint_count && !status && def->coordinate_count == 0; ++j)
        status = look_at_joint(problem, j, error);
    for (int32_t i = 0; i < model->equality_count && !status; ++i) {
        const AbutEqualityDef *e = &model->equalities[i];
        if (e->kind != ABUT_EQUALITY_JOINT && !e->inactive && is_moved(&problem->tree, e->a, e->b))
            status = abut_plan_add_note(problem, error, "%s of %s and %s is not kept: the loop that it closes may open",
                abut_word(abut_equality_kind_names, e->kind), e->a < 0 ? "the world" : model->bodies[e->a].name,
                e->b < 0 ? "the world" : model->bodies[e->b].name);
    }
    return status;
}

AbutStatus abut_plan_check_couplings(const AbutPlanProblem *problem, AbutError *error) {
    const AbutEqualityDef *e = problem->curved;
    if (!e) return ABUT_OK;
    const AbutJointDef *joints = problem->model->joints;
    return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
        "%s:%d: joint '%s' follows '%s' on a curve, and plans keep straight lines alone: hold both, or take the "
        "equality out",
        e->source.file ? e->source.file : "model", (int)e->source.line, joints[e->a].name,
        e->b < 0 ? "none" : joints[e->b].name);
}
