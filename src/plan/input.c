/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions to the planner are checked before it begins. In: settings, a query, the problem. Out: a failure for
 * numbers that make no sense; for a start, a goal or a posture on the way that cannot be, a reason in the plan: beyond
 * limits, overlapping, out of balance, or with more torque than there is.
 */
#include "plan/attempt.h"
#include "plan/effort.h"

#include <stdio.h>

static int within(double x, double low, double high) { return x >= low && x <= high; /* not for NaN */ }

AbutStatus abut_plan_check_settings(const AbutPlanProblem *problem, const AbutPlanSettings *s, AbutError *error) {
    const struct {
        const char *name;
        double value, low, high;
    } all[] = {
        {"level", s->level, 0.0, problem->margin},
        {"points", s->points, ABUT_SPLINE_LEAST, ABUT_SPLINE_MOST},
        {"attempts", s->attempts, 1, ABUT_PLAN_ATTEMPTS},
        {"quality", s->quality, 0, ABUT_PLAN_QUALITY_COUNT - 1},
        {"budget", s->budget, 1e-6, INFINITY},
        {"speed", s->speed, 1e-9, 1e9},
        {"acceleration", s->acceleration, 1e-9, 1e9},
        {"duration", s->duration, 0.0, 1e9},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (!within(all[i].value, all[i].low, all[i].high))
            return abut_fail_field(error, ABUT_ERROR_ARGUMENT, all[i].name, ": expected %g to %g, got %g", all[i].low,
                all[i].high, all[i].value);
    return s->method.row ? s->method.row->check(problem, s->method.value, error) : ABUT_OK;
}

AbutStatus abut_plan_check_query(const AbutPlanProblem *problem, const AbutPlanQuery *query, AbutError *error) {
    if (!within(query->via_count, 0, ABUT_PLAN_VIA_LIMIT))
        return abut_fail_field(error, ABUT_ERROR_LIMIT, "via", ": expected at most %d postures on the way, got %d",
            ABUT_PLAN_VIA_LIMIT, (int)query->via_count);
    for (int32_t i = 0; i < query->via_count; ++i)
        if (!(query->via_at[i] > (i ? query->via_at[i - 1] : 0.0) && query->via_at[i] < 1.0))
            return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "via",
                ": expected parts of the time that grow within 0 .. 1, got %g", query->via_at[i]);
    if (problem->coordinate_count < 1)
        return abut_fail(error, ABUT_ERROR_EMPTY, "nothing moves: the problem has no coordinates");
    return abut_plan_check_couplings(problem, error);
}

/* Is the center of mass over the support polygon, and are joints that follow several coordinates within limits? */
static AbutStatus check_steady(
    const AbutPlanProblem *problem, const char *what, const double *joints, AbutPlan *plan, AbutError *error) {
    AbutPlanBalance balance;
    AbutStatus status = abut_plan_balance(problem, joints, &balance, error);
    if (!status && balance.inside < problem->balance_margin)
        snprintf(plan->reason, sizeof plan->reason,
            "%s: out of balance: the center of mass is %.3g mm %s the edge of the support from (%.3g, %.3g) to (%.3g, "
            "%.3g), %.3g mm inside expected",
            what, 1e3 * fabs(balance.inside), balance.inside < 0.0 ? "beyond" : "inside",
            problem->corners[balance.edge].x, problem->corners[balance.edge].y,
            problem->corners[(balance.edge + 1) % problem->edge_count].x,
            problem->corners[(balance.edge + 1) % problem->edge_count].y, 1e3 * problem->balance_margin);
    for (int32_t i = 0; i < problem->tree.joint_count && !status && !plan->reason[0]; ++i) {
        double q = joints[problem->tree.joints[i]];
        if (abut_plan_is_mixed(problem, i) &&
            !within(q, problem->limits[i].lower - 1e-9, problem->limits[i].upper + 1e-9))
            snprintf(plan->reason, sizeof plan->reason, "%s: joint %s is %.6g, its limits are %.6g and %.6g", what,
                problem->model->joints[problem->tree.joints[i]].name, q, problem->limits[i].lower,
                problem->limits[i].upper);
    }
    return status;
}

/* Does gravity ask a joint for more than its torque? */
static AbutStatus check_torques(
    const AbutPlanProblem *problem, const char *what, const double *joints, AbutPlan *plan, AbutError *error) {
    AbutPlanDynamics d;
    AbutPlanWrench ground;
    size_t n = (size_t)problem->tree.joint_count + 1;
    double *q = abut_alloc_array(2 * n, sizeof *q);
    AbutStatus status = q ? abut_plan_dynamics_make(problem, &d, error) : ABUT_ERROR_MEMORY;
    if (status) {
        abut_free(q);
        return q ? status : abut_fail_memory(error);
    }
    abut_plan_pick_joints(problem, joints, q);
    status = abut_plan_dynamics_at(&d, q, NULL, NULL, q + n, &ground, error);
    for (int32_t i = 0; i < problem->tree.joint_count && !status && !plan->reason[0]; ++i)
        if (fabs(q[n + (size_t)i]) > problem->limits[i].torque)
            snprintf(plan->reason, sizeof plan->reason, "%s: gravity asks joint %s for %.4g, its limit is %.4g", what,
                problem->model->joints[problem->tree.joints[i]].name, q[n + (size_t)i], problem->limits[i].torque);
    abut_plan_dynamics_free(&d);
    abut_free(q);
    return status;
}

/* Which links are too near in a posture, and what to do. */
static void explain_contact(
    const AbutPlanProblem *problem, const char *what, const AbutPlanNear *near, AbutPlan *plan) {
    const char *a = abut_plan_link_name(problem, problem->pairs[near->pair].a);
    const char *b = abut_plan_link_name(problem, problem->pairs[near->pair].b);
    int overlap = near->distance < 0.0;
    snprintf(plan->reason, sizeof plan->reason,
        "%s: %s and %s %s by %.3g mm, expected %.3g mm apart: choose another posture%s, or allow the pair %s:%s", what,
        a, b, overlap ? "overlap" : "are apart", 1e3 * fabs(near->distance), 1e3 * problem->margin,
        overlap ? "" : " or a smaller margin", a, b);
}

/* Is a posture within limits and clear at a part of the time? Else *plan says why it cannot be. */
static AbutStatus check_posture(const AbutPlanProblem *problem, int torque, const char *what, double part,
    const double *u, double *joints, AbutPlan *plan, AbutError *error) {
    AbutPlanNear near;
    for (int32_t c = 0; c < problem->coordinate_count && !plan->reason[0]; ++c)
        if (!within(u[c], problem->lower[c] - 1e-9, problem->upper[c] + 1e-9))
            snprintf(plan->reason, sizeof plan->reason, "%s: %s is %.6g, its limits are %.6g and %.6g", what,
                problem->names[c], u[c], problem->lower[c], problem->upper[c]);
    if (plan->reason[0]) return ABUT_OK;
    abut_plan_joints_of(problem, u, joints);
    AbutStatus status = abut_plan_nearest_then(problem, joints, part, &near, error);
    if (!status && near.pair >= 0 && near.distance < problem->margin) explain_contact(problem, what, &near, plan);
    if (!status && !plan->reason[0]) status = check_steady(problem, what, joints, plan, error);
    return status || plan->reason[0] || !torque ? status : check_torques(problem, what, joints, plan, error);
}

AbutStatus abut_plan_check_postures(
    const AbutPlanProblem *problem, const AbutPlanQuery *query, int torque, AbutPlan *plan, AbutError *error) {
    double *joints = abut_alloc_array((size_t)problem->model->joint_count + 1, sizeof *joints);
    if (!joints) return abut_fail_memory(error);
    AbutStatus status = check_posture(problem, torque, "start", 0.0, query->start, joints, plan, error);
    if (!status && !plan->reason[0])
        status = check_posture(problem, torque, "goal", 1.0, query->goal, joints, plan, error);
    for (int32_t i = 0; i < query->via_count && !status && !plan->reason[0]; ++i)
        status = check_posture(problem, torque, "on the way", query->via_at[i],
            query->via + i * problem->coordinate_count, joints, plan, error);
    abut_free(joints);
    if (plan->reason[0]) plan->status = ABUT_PLAN_INFEASIBLE_INPUT;
    return status;
}
