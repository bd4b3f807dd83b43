/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions about one posture. In: a problem, values of the joints of its model or poses of its bodies. Out: the
 * nearest pair and all distances, balance, poses of the links.
 */
#include "proof/problem.h"

#include <string.h>

void abut_plan_pick_joints(const AbutPlanProblem *problem, const double *joints, double *q) {
    for (int32_t i = 0; i < problem->tree.joint_count; ++i) q[i] = joints[problem->tree.joints[i]];
}

/* A posture at joints of the model; the memory is to be freed. */
static AbutStatus place(const AbutPlanProblem *problem, const double *joints, AbutPlanPosture *at, AbutError *error) {
    size_t numbers = (size_t)problem->tree.joint_count * sizeof(double);
    for (int32_t i = 0; i < problem->tree.joint_count; ++i)
        if (!isfinite(joints[problem->tree.joints[i]]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "joint '%s': expected a finite number",
                problem->model->joints[problem->tree.joints[i]].name);
    char *memory = abut_alloc(abut_plan_posture_size(&problem->tree) + numbers + sizeof(double));
    if (!memory) return abut_fail_memory(error);
    double *q = (double *)(memory + abut_plan_posture_size(&problem->tree));
    *at = abut_plan_posture_in(&problem->tree, memory);
    abut_plan_pick_joints(problem, joints, q);
    abut_plan_tree_place(&problem->tree, q, at);
    return ABUT_OK;
}

/* For pairs that may not meet at a part of the time; NaN: for all. */
static void find_nearest(
    const AbutPlanProblem *problem, const AbutPlanPosture *at, double part, AbutPlanNear *out, double *distances) {
    AbutPlanNear best = {.pair = -1, .distance = INFINITY};
    for (int32_t i = 0; distances && i < problem->pair_count; ++i) distances[i] = INFINITY;
    for (int32_t i = 0; i < problem->item_count; ++i) {
        const AbutPlanItem *item = &problem->items[i];
        double care = distances ? distances[item->pair] : best.distance;
        if (abut_plan_may_meet(problem, item->pair, part) || abut_plan_item_apart(problem, item, at) > care) continue;
        AbutPlanDistance d = abut_plan_item_distance(problem, item, at, NULL);
        if (distances && !(d.distance >= distances[item->pair])) distances[item->pair] = d.distance;
        if (!(d.distance < best.distance)) continue;
        int swapped = problem->pieces[item->a].link != problem->pairs[item->pair].a;
        best = (AbutPlanNear){item->pair, d.distance, swapped ? d.point_b : d.point_a, swapped ? d.point_a : d.point_b,
            swapped ? d.normal : abut_neg(d.normal)};
    }
    for (int32_t i = 0; i < problem->facing_count; ++i) {
        const AbutPlanFacing *facing = &problem->facings[i];
        if (problem->surfaces[facing->surface].has_stand_in || abut_plan_may_meet(problem, facing->pair, part))
            continue;
        AbutPlanDistance d = abut_plan_facing_distance(problem, facing, at);
        if (distances && !(d.distance >= distances[facing->pair])) distances[facing->pair] = d.distance;
        if (d.distance < best.distance)
            best = (AbutPlanNear){facing->pair, d.distance, d.point_a, d.point_b, abut_neg(d.normal)};
    }
    *out = best;
}

AbutStatus abut_plan_nearest(
    const AbutPlanProblem *problem, const double *joints, AbutPlanNear *out, double *distances, AbutError *error) {
    ABUT_ASSERT(problem && joints && out);
    AbutPlanPosture at;
    AbutStatus status = place(problem, joints, &at, error);
    if (status) return status;
    find_nearest(problem, &at, NAN, out, distances);
    abut_free(at.node);
    return ABUT_OK;
}

AbutStatus abut_plan_nearest_then(
    const AbutPlanProblem *problem, const double *joints, double part, AbutPlanNear *out, AbutError *error) {
    AbutPlanPosture at;
    AbutStatus status = place(problem, joints, &at, error);
    if (status) return status;
    find_nearest(problem, &at, part, out, NULL);
    abut_free(at.node);
    return ABUT_OK;
}

AbutStatus abut_plan_nearest_poses(
    const AbutPlanProblem *problem, const AbutPose *bodies, AbutPlanNear *out, double *distances, AbutError *error) {
    ABUT_ASSERT(problem && bodies && out);
    void *memory = abut_alloc(abut_plan_posture_size(&problem->tree) + 1);
    if (!memory) return abut_fail_memory(error);
    AbutPlanPosture at = abut_plan_posture_in(&problem->tree, memory);
    for (int32_t i = 0; i < problem->model->body_count; ++i) at.node[problem->tree.body_node[i]] = bodies[i];
    find_nearest(problem, &at, NAN, out, distances);
    abut_free(memory);
    return ABUT_OK;
}

AbutStatus abut_plan_balance(
    const AbutPlanProblem *problem, const double *joints, AbutPlanBalance *out, AbutError *error) {
    ABUT_ASSERT(problem && joints && out);
    AbutPlanPosture at;
    AbutStatus status = place(problem, joints, &at, error);
    if (status) return status;
    *out = (AbutPlanBalance){abut_plan_center(problem, &at), INFINITY, -1};
    for (int32_t e = 0; e < problem->edge_count; ++e) {
        double inside = abut_plan_edge_inside(&problem->edges[e], out->center);
        if (inside < out->inside) {
            out->inside = inside;
            out->edge = e;
        }
    }
    abut_free(at.node);
    return ABUT_OK;
}

AbutStatus abut_plan_link_poses(
    const AbutPlanProblem *problem, const double *joints, AbutPose *poses, AbutError *error) {
    ABUT_ASSERT(problem && joints && poses);
    AbutPlanPosture at;
    AbutStatus status = place(problem, joints, &at, error);
    if (status) return status;
    for (int32_t i = 0; i < problem->model->body_count; ++i) poses[i] = at.node[problem->tree.body_node[i]];
    for (int32_t i = 0; problem->obstacles && i < problem->obstacles->body_count; ++i)
        poses[problem->model->body_count + i] = problem->places[i];
    abut_free(at.node);
    return ABUT_OK;
}
