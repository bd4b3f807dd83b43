/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constraints of a posture that are no distances: the center of mass inside the support polygon, and torques that
 * gravity alone asks for. Both are looked at in the postures of the grid; every sample near the limit and every local
 * minimum is a row. Torques that speed asks for are left to the duration.
 */
#include "plan/planner.h"

static const double BAND = 0.01; /* beyond what is wanted: all samples are rows */

static int is_row(const double *value, int32_t i, int32_t count, double wanted) {
    if (value[i] < wanted + BAND) return 1;
    return value[i] < wanted + 5.0 * BAND && (i == 0 || value[i] <= value[i - 1]) &&
           (i + 1 == count || value[i] < value[i + 1]);
}

static void collect_edge(AbutPlanWork *work, int32_t e, int bare, AbutPlanRows *out) {
    const AbutPlanProblem *p = work->problem;
    int32_t item = p->item_count + e;
    for (int32_t i = 0; i < work->grid; ++i)
        work->distance[i] = abut_plan_edge_inside(&p->edges[e], abut_plan_center(p, &work->postures[i]));
    for (int32_t i = 0; i < work->grid; ++i) {
        if (!is_row(work->distance, i, work->grid, abut_plan_wanted(work, item))) continue;
        AbutPlanRow *row = abut_plan_new_row(work, out, item, (double)i / (work->grid - 1), work->distance[i], bare);
        if (row) abut_plan_edge_gradient(p, &p->edges[e], &work->postures[i], work->joint_row, row->gradient);
    }
}

/* ---- torques ----------------------------------------------------------------------------------------------------- */

/* Static torques at coordinates u; 0: not to be had. */
static int torques_at(AbutPlanWork *work, const double *u, double *out) {
    const AbutPlanProblem *p = work->problem;
    AbutPlanWrench ground;
    for (int32_t j = 0; j < p->tree.joint_count; ++j) work->joints[j] = p->offset[j];
    for (int32_t e = 0; e < p->entry_count; ++e)
        work->joints[p->entries[e].joint] += p->entries[e].factor * u[p->entries[e].coordinate];
    return abut_plan_dynamics_at(work->dynamics, work->joints, NULL, NULL, out, &ground, NULL) == ABUT_OK;
}

/* Distance to the limit, as a length. */
static double spare(const AbutPlanProblem *p, int32_t joint, double torque) {
    return ABUT_PLAN_TORQUE_LENGTH * (1.0 - fabs(torque) / p->limits[joint].torque);
}

/* By central differences in the coordinates. */
static void torque_gradient(AbutPlanWork *work, int32_t joint, double *u, double *gradient) {
    static const double H = 1e-5;
    for (int32_t c = 0; c < work->width; ++c) {
        double keep = u[c], value[2] = {0.0, 0.0};
        for (int side = 0; side < 2; ++side) {
            u[c] = keep + (side ? H : -H);
            if (torques_at(work, u, work->joint_row)) value[side] = spare(work->problem, joint, work->joint_row[joint]);
        }
        u[c] = keep;
        gradient[c] = (value[1] - value[0]) / (2.0 * H);
    }
}

static void collect_torques(AbutPlanWork *work, const double *control, int bare, AbutPlanRows *out) {
    const AbutPlanProblem *p = work->problem;
    for (int32_t i = 0; i < work->grid; ++i) {
        double s = (double)i / (work->grid - 1);
        abut_plan_spline_at(work->spline, work->width, control, s, work->coordinates);
        if (!torques_at(work, work->coordinates, work->torques)) continue;
        for (int32_t j = 0; j < p->tree.joint_count; ++j) {
            int32_t item = abut_plan_first_torque(p) + j;
            double value = isfinite(p->limits[j].torque) ? spare(p, j, work->torques[j]) : INFINITY;
            if (value > abut_plan_wanted(work, item) + BAND) continue;
            AbutPlanRow *row = abut_plan_new_row(work, out, item, s, value, bare);
            if (row) torque_gradient(work, j, work->coordinates, row->gradient);
        }
    }
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

void abut_plan_collect_static(AbutPlanWork *work, const double *control, int bare, AbutPlanRows *out) {
    for (int32_t e = 0; e < work->problem->edge_count; ++e) collect_edge(work, e, bare, out);
    if (work->dynamics) collect_torques(work, control, bare, out);
}

int abut_plan_is_steady(AbutPlanWork *work, const double *u, const AbutPlanPosture *at) {
    const AbutPlanProblem *p = work->problem;
    AbutVec3 center = p->edge_count ? abut_plan_center(p, at) : abut_zero();
    for (int32_t e = 0; e < p->edge_count; ++e)
        if (!(abut_plan_edge_inside(&p->edges[e], center) > abut_plan_wanted(work, p->item_count + e))) return 0;
    for (int32_t j = 0; j < p->tree.joint_count; ++j)
        if (abut_plan_is_mixed(p, j) &&
            !(work->joints[j] >= p->limits[j].lower && work->joints[j] <= p->limits[j].upper))
            return 0;
    if (!work->dynamics || !torques_at(work, u, work->torques)) return 1;
    for (int32_t j = 0; j < p->tree.joint_count; ++j)
        if (isfinite(p->limits[j].torque) && spare(p, j, work->torques[j]) < 0.0) return 0;
    return 1;
}
