/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots on two feet. With hip roll a, hip pitch h, knee k, ankle pitch -(h + k), ankle roll -a and hip yaw 0 in both
 * legs the second foot stays where it is, exactly and without equations, whenever the axes of each hip and of each
 * ankle meet and the feet are as far apart as the hips: thigh and shank of the two legs stay parallel, and the soles
 * stay flat. The pelvis gets three translations from it. Which joint has which part follows from the axes at the
 * reference; that the feet do stand is then looked at.
 */
#include "proof/problem.h"

#include <string.h>

enum { LEG = 6, CHECKS = 20 };

int32_t abut_plan_root_of(const AbutModel *model, int32_t body) {
    while (model->bodies[body].parent >= 0) body = model->bodies[body].parent;
    return body;
}

/* ---- which bodies ------------------------------------------------------------------------------------------------ */

double abut_plan_lowest(const AbutConfiguration *c, int32_t body) {
    const AbutModel *model = abut_configuration_model(c);
    double low = INFINITY;
    for (int32_t i = abut_model_next_shape(model, body, -1); i >= 0; i = abut_model_next_shape(model, body, i)) {
        const AbutShapeDef *shape = &model->shapes[i];
        if (shape->visual || shape->geometry->kind == ABUT_SHAPE_HALF_SPACE) continue;
        AbutPose pose = abut_pose_mul(abut_configuration_body_pose(c, body), shape->pose);
        AbutConvex convex = abut_plan_exact_convex(shape->geometry);
        AbutVec3 down = abut_quat_rotate_inv(pose.q, abut_vec3(0, 0, -1));
        low = fmin(low, abut_pose_apply(pose, abut_convex_farthest(&convex, down)).z - convex.radius);
    }
    return low;
}

int32_t abut_plan_find_feet(const AbutConfiguration *posture, int32_t feet[2]) {
    ABUT_ASSERT(posture && feet);
    static const double SAME = 0.01;
    const AbutModel *model = abut_configuration_model(posture);
    double low = INFINITY;
    int32_t count = 0;
    feet[0] = feet[1] = -1;
    for (int32_t b = 0; b < model->body_count; ++b)
        if (model->bodies[b].parent >= 0 && model->bodies[abut_plan_root_of(model, b)].kind == ABUT_BODY_DYNAMIC)
            low = fmin(low, abut_plan_lowest(posture, b));
    for (int32_t b = 0; b < model->body_count; ++b)
        if (model->bodies[b].parent >= 0 && model->bodies[abut_plan_root_of(model, b)].kind == ABUT_BODY_DYNAMIC &&
            abut_plan_lowest(posture, b) < low + SAME) {
            if (count < 2) feet[count] = b;
            ++count;
        }
    if (count != 2) return count == 1;
    AbutPose base = abut_configuration_body_pose(posture, abut_plan_root_of(model, feet[0]));
    double y[2];
    for (int k = 0; k < 2; ++k)
        y[k] = abut_pose_mul(abut_pose_inv(base), abut_configuration_body_pose(posture, feet[k])).p.y;
    if (y[0] < y[1]) {
        int32_t other = feet[0];
        feet[0] = feet[1];
        feet[1] = other;
    }
    return 2;
}

/* ---- legs -------------------------------------------------------------------------------------------------------- */

static int32_t joint_of(const AbutPlanProblem *problem, int32_t joint) {
    for (int32_t i = 0; i < problem->tree.joint_count; ++i)
        if (problem->tree.joints[i] == joint) return i;
    return -1;
}

/* Joints from the base to a foot, from the foot up, with their axes along those of the base at the reference. */
static int32_t list_leg(const AbutModel *model, int32_t foot, int32_t joints[LEG], AbutVec3 axes[LEG]) {
    int32_t count = 0;
    for (int32_t b = foot; model->bodies[b].parent >= 0; b = model->bodies[b].parent)
        for (int32_t j = abut_model_next_joint(model, b, -1); j >= 0; j = abut_model_next_joint(model, b, j)) {
            if (count == LEG || model->joints[j].kind != ABUT_JOINT_HINGE) return -1;
            AbutVec3 axis = model->joints[j].axis;
            for (int32_t up = b; model->bodies[up].parent >= 0; up = model->bodies[up].parent)
                axis = abut_quat_rotate(model->bodies[up].pose.q, axis);
            joints[count] = j;
            axes[count++] = axis;
        }
    return count;
}

static int axis_of(AbutVec3 v, double *sign) {
    const double part[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; ++k)
        if (fabs(part[k]) > 1.0 - 1e-6) {
            *sign = part[k] > 0.0 ? 1.0 : -1.0;
            return k;
        }
    return -1;
}

/* Parts of the joints of one leg; 0: it is not built so. */
static int set_leg(const AbutPlanProblem *problem, int32_t foot, AbutPlanLegs *out) {
    static const double pitch[3][ABUT_PLAN_LEG_COORDINATES] = {{0, -1, -1}, {0, 0, 1}, {0, 1, 0}}; /* from the ankle */
    int32_t joints[LEG], seen[3] = {0};
    AbutVec3 axes[LEG];
    if (list_leg(problem->model, foot, joints, axes) != LEG) return 0;
    for (int i = 0; i < LEG; ++i) {
        double sign = 0.0;
        int axis = axis_of(axes[i], &sign);
        int32_t own = joint_of(problem, joints[i]);
        if (axis < 0 || own < 0) return 0;
        double *factor = out->factor[own];
        int32_t number = seen[axis]++;
        memset(factor, 0, ABUT_PLAN_LEG_COORDINATES * sizeof *factor);
        if (number >= (axis == 0 ? 2 : axis == 1 ? 3 : 1)) return 0;
        if (axis == 0) factor[0] = number == 0 ? -sign : sign;
        for (int k = 0; axis == 1 && k < ABUT_PLAN_LEG_COORDINATES; ++k) factor[k] = sign * pitch[number][k];
        out->is_leg[own] = 1;
    }
    return 1;
}

AbutStatus abut_plan_legs_make(const AbutPlanProblem *problem, AbutPlanLegs *out, AbutError *error) {
    size_t n = (size_t)problem->tree.joint_count + 1;
    out->is_leg = abut_alloc(n);
    out->factor = abut_alloc_array(n, sizeof *out->factor);
    AbutStatus status = out->is_leg && out->factor ? ABUT_OK : abut_fail_memory(error);
    if (!status) memset(out->is_leg, 0, n);
    if (!status && problem->other_foot >= 0 &&
        !(set_leg(problem, problem->support, out) && set_leg(problem, problem->other_foot, out)))
        status = abut_fail_field(error, ABUT_ERROR_ARGUMENT, "other_foot",
            ": expected legs of six hinges that move, hip yaw, roll and pitch, knee, ankle pitch and roll, from "
            "the base to '%s' and '%s'",
            problem->model->bodies[problem->support].name, problem->model->bodies[problem->other_foot].name);
    if (status) abut_plan_legs_free(out);
    return status;
}

void abut_plan_legs_free(AbutPlanLegs *legs) {
    abut_free(legs->is_leg);
    abut_free(legs->factor);
    memset(legs, 0, sizeof *legs);
}

/* ---- do they stand? ---------------------------------------------------------------------------------------------- */

/* Where the second foot is at coordinates u. */
static AbutPose foot_at(const AbutPlanProblem *problem, const double *u, double *q, AbutPlanPosture *at) {
    memcpy(q, problem->offset, (size_t)problem->tree.joint_count * sizeof *q);
    for (int32_t e = 0; e < problem->entry_count; ++e)
        q[problem->entries[e].joint] += problem->entries[e].factor * u[problem->entries[e].coordinate];
    abut_plan_tree_place(&problem->tree, q, at);
    return at->node[problem->tree.body_node[problem->other_foot]];
}

AbutStatus abut_plan_legs_check(const AbutPlanProblem *problem, AbutError *error) {
    int32_t joints = problem->tree.joint_count, n = problem->coordinate_count, first = n - ABUT_PLAN_LEG_COORDINATES;
    size_t posture = abut_plan_posture_size(&problem->tree);
    char *memory = abut_alloc(posture + ((size_t)joints + (size_t)n + 1) * sizeof(double));
    AbutRng rng = abut_rng(1, 3);
    double moved = 0.0;
    if (!memory) return abut_fail_memory(error);
    AbutPlanPosture at = abut_plan_posture_in(&problem->tree, memory);
    double *q = (double *)(memory + posture), *u = q + joints;
    memset(u, 0, (size_t)n * sizeof *u);
    AbutPose stand = foot_at(problem, u, q, &at);
    for (int i = 0; i < CHECKS; ++i) {
        for (int32_t c = first; c < n; ++c) u[c] = abut_rng_between(&rng, problem->lower[c], problem->upper[c]);
        AbutPose now = foot_at(problem, u, q, &at);
        double turned = 2.0 * abut_length(abut_vec3(abut_quat_mul(abut_quat_conj(stand.q), now.q).x,
                                  abut_quat_mul(abut_quat_conj(stand.q), now.q).y,
                                  abut_quat_mul(abut_quat_conj(stand.q), now.q).z));
        moved = fmax(moved, fmax(abut_point_distance(stand.p, now.p), turned));
    }
    abut_free(memory);
    if (moved < 1e-9) return ABUT_OK;
    return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "other_foot",
        ": '%s' does not stand: it moves by %.3g while the legs keep parallel; hips and ankles whose axes meet, "
        "as "
        "far apart as each other, expected",
        problem->model->bodies[problem->other_foot].name, moved);
}
