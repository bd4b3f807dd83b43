/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of the joints that move. In: the model (ranges, force ranges, actuators) and what the caller adds. Out: for
 * each joint the narrower range, speed and acceleration (NaN: as the settings say), and the torque that may be asked of
 * it: the force range of the joint, else the sum of those of its actuators, else none.
 */
#include "proof/problem.h"

/* Combined limit of the actuators of a joint; INFINITY: one of them has no limit, or there is none. */
static double actuator_torque(const AbutModel *model, int32_t joint) {
    double sum = 0.0;
    int found = 0;
    for (int32_t i = 0; i < model->actuator_count; ++i) {
        const AbutActuatorDef *a = &model->actuators[i];
        if (a->target != ABUT_TARGET_JOINT || a->number != joint) continue;
        if (!a->force_limited) return INFINITY;
        sum += fabs(a->gear[0]) * fmin(fabs(a->force_range[0]), fabs(a->force_range[1]));
        found = 1;
    }
    return found ? sum : INFINITY;
}

static double model_torque(const AbutModel *model, int32_t joint) {
    const AbutJointDef *def = &model->joints[joint];
    double own = def->force_limited ? fmin(fabs(def->force_range[0]), fabs(def->force_range[1])) : INFINITY;
    return fmin(own, actuator_torque(model, joint));
}

static AbutPlanJointLimits resolve(const AbutModel *model, int32_t joint, const AbutPlanJointLimits *more) {
    const AbutJointDef *def = &model->joints[joint];
    AbutPlanJointLimits out = {def->limited ? def->range[0] : -INFINITY, def->limited ? def->range[1] : INFINITY, NAN,
        NAN, model_torque(model, joint)};
    if (!more) return out;
    out.lower = fmax(out.lower, more->lower); /* of a number and NaN the number */
    out.upper = fmin(out.upper, more->upper);
    out.speed = more->speed;
    out.acceleration = more->acceleration;
    out.torque = isnan(more->torque) ? out.torque : more->torque;
    return out;
}

static int is_bad(double x) { return !isnan(x) && !(x > 0.0); }

AbutStatus abut_plan_limits_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    problem->limits = abut_alloc_array((size_t)problem->tree.joint_count + 1, sizeof *problem->limits);
    if (!problem->limits) return abut_fail_memory(error);
    for (int32_t i = 0; i < problem->tree.joint_count; ++i) {
        int32_t joint = problem->tree.joints[i];
        AbutPlanJointLimits x = resolve(problem->model, joint, def->limits ? &def->limits[joint] : NULL);
        const char *name = problem->model->joints[joint].name;
        if (!(x.lower <= x.upper))
            return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "limits", " of joint '%s': %g and %g leave nothing",
                name, x.lower, x.upper);
        if (is_bad(x.speed) || is_bad(x.acceleration) || is_bad(x.torque))
            return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "limits",
                " of joint '%s': expected speed, acceleration and torque above 0, got %g, %g, %g", name, x.speed,
                x.acceleration, x.torque);
        problem->limits[i] = x;
    }
    return ABUT_OK;
}

int abut_plan_is_mixed(const AbutPlanProblem *problem, int32_t joint) {
    int32_t count = 0;
    for (int32_t e = 0; e < problem->entry_count; ++e) count += problem->entries[e].joint == joint;
    return count > 1;
}
