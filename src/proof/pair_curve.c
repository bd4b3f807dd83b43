/* SPDX-License-Identifier: Apache-2.0 */
/* The distance of a pair over time with its certified band: the bound of certificate_bound.c over the cells of a grid;
 * of triangles that by the largest speed. */
#include "proof/certify.h"

static AbutClearanceSample sample(const AbutPlanProblem *problem, int32_t pair, AbutPlanMoment *m) {
    AbutClearanceSample out = {.d = INFINITY, .lb = INFINITY};
    for (int32_t i = 0; i < problem->item_count; ++i) {
        const AbutPlanItem *item = &problem->items[i];
        if (item->pair != pair || problem->pieces[item->b].stand_in) continue;
        AbutPlanDistance d = abut_plan_item_distance(problem, item, &m->at, NULL);
        AbutVec3 n = abut_plan_item_normal(problem, item, &m->at, &d);
        double bend = abut_plan_item_bend(problem, item, m);
        out.d = fmin(out.d, d.distance);
        out.lb = fmin(out.lb, abut_plan_item_bound(problem, item, m, n, bend));
    }
    for (int32_t i = 0; i < problem->facing_count; ++i) {
        const AbutPlanFacing *facing = &problem->facings[i];
        if (facing->pair != pair) continue;
        double d = abut_plan_facing_distance(problem, facing, &m->at).distance;
        out.d = fmin(out.d, d);
        out.lb = fmin(out.lb, abut_plan_facing_bound(problem, facing, m, d));
    }
    return out;
}

AbutStatus abut_plan_curve(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, int32_t pair,
    int32_t cells, AbutClearanceSample *out, AbutError *error) {
    ABUT_ASSERT(problem && trajectory && out && pair >= 0 && pair < problem->pair_count && cells > 0);
    AbutStatus status = abut_trajectory_check(trajectory, error);
    if (!status && trajectory->joint_count != problem->model->joint_count)
        status = abut_fail(error, ABUT_ERROR_ARGUMENT, "trajectory: expected %d joints, got %d",
            (int)problem->model->joint_count, (int)trajectory->joint_count);
    if (status) return status;
    void *memory = abut_alloc(abut_plan_moment_size(&problem->tree));
    if (!memory) return abut_fail_memory(error);
    AbutPlanMoment m = abut_plan_moment_in(&problem->tree, memory);
    for (int32_t k = 0; k < trajectory->piece_count; ++k)
        for (int32_t c = 0; c < cells; ++c) {
            double from = (double)c / cells, to = (double)(c + 1) / cells, begin = trajectory->times[k];
            double length = trajectory->times[k + 1] - begin;
            abut_plan_moment_set(problem, trajectory, k, from, to, &m);
            AbutClearanceSample *s = &out[k * cells + c];
            *s = sample(problem, pair, &m);
            s->from = begin + from * length;
            s->to = begin + to * length;
            s->t = begin + 0.5 * (from + to) * length;
        }
    abut_free(memory);
    return ABUT_OK;
}
