/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A planned motion in a simulation: the position servos of the robot follow it, with the torques of inverse dynamics as
 * feed-forward where the robot stands fast, and after a step the distances of all pairs are measured where the links
 * really are. Out: the least distance beside the planned one, and how far the joints were off.
 */
#include <math.h>
#include <string.h>

#include "abut/plan.h"

int abut_plan_follower_drives(const AbutPlanFollower *f, int32_t actuator) {
    const AbutActuatorDef *a = &abut_configuration_model(f->c)->actuators[actuator];
    return a->target == ABUT_TARGET_JOINT && a->gain > 0.0 && a->bias[1] < 0.0 && !a->dynamics && !a->muscle &&
           f->given[a->number];
}

AbutStatus abut_plan_follower_create(AbutPlanFollower *f, AbutError *error) {
    ABUT_ASSERT(f && f->problem && f->c && f->trajectory && f->given);
    const AbutModel *model = abut_configuration_model(f->c);
    size_t joints = (size_t)model->joint_count, nq = (size_t)abut_model_number_count(model, ABUT_NUMBERS_POSITIONS);
    size_t nv = (size_t)abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    f->numbers = abut_alloc_array(3 * joints + 2 * nq + 3 * nv + 1, sizeof *f->numbers);
    f->poses = abut_alloc_array((size_t)abut_plan_link_count(f->problem) + 1, sizeof *f->poses);
    if (!f->numbers || !f->poses) return abut_fail_memory(error);
    memset(f->numbers, 0, (3 * joints + 2 * nq + 3 * nv + 1) * sizeof *f->numbers);
    f->q = f->numbers;
    f->v = f->q + joints;
    f->a = f->v + joints;
    f->positions = f->a + joints;
    f->state = f->positions + nq;
    f->velocities = f->state + nq;
    f->accelerations = f->velocities + nv;
    f->torques = f->accelerations + nv;
    f->fixed = nq == joints;
    f->planned = f->measured = (AbutPlanNear){.pair = -1, .distance = INFINITY};
    f->joint = -1;
    memcpy(f->positions, abut_configuration_positions(f->c), nq * sizeof *f->positions);
    for (int32_t i = 0; i < model->actuator_count; ++i) f->followed += abut_plan_follower_drives(f, i);
    return ABUT_OK;
}

/* Joints of the plan at a time into the positions, and with `rates` the velocities and accelerations. */
static void take_joints(AbutPlanFollower *f, double time, int rates) {
    const AbutModel *model = abut_configuration_model(f->c);
    double *orders[3] = {f->q, f->v, f->a};
    for (int order = 0; order < 3; ++order)
        abut_trajectory_value(f->trajectory, f->trajectory->times[0] + time, order, orders[order]);
    for (int32_t j = 0; j < model->joint_count; ++j) {
        if (model->joints[j].kind == ABUT_JOINT_BALL) continue;
        f->positions[abut_configuration_joint_place(f->c, j, ABUT_NUMBERS_POSITIONS)] = f->q[j];
        if (rates) {
            f->velocities[abut_configuration_joint_place(f->c, j, ABUT_NUMBERS_VELOCITIES)] = f->v[j];
            f->accelerations[abut_configuration_joint_place(f->c, j, ABUT_NUMBERS_VELOCITIES)] = f->a[j];
        }
    }
}

AbutStatus abut_plan_follower_drive(
    AbutPlanFollower *f, AbutSimulation *simulation, double time, double *control, AbutError *error) {
    ABUT_ASSERT(f && simulation && control);
    const AbutModel *model = abut_configuration_model(f->c);
    int32_t nq = abut_configuration_position_count(f->c), nv = abut_configuration_velocity_count(f->c);
    take_joints(f, time, 1);
    for (int32_t i = 0; i < model->actuator_count; ++i) {
        const AbutActuatorDef *a = &model->actuators[i];
        if (abut_plan_follower_drives(f, i)) control[i] = f->q[a->number] - a->bias[2] / a->gain * f->v[a->number];
    }
    if (!f->fixed) return ABUT_OK;
    AbutStatus status = abut_configuration_set(f->c, nq, f->positions, nv, f->velocities, error);
    if (status) return status;
    abut_configuration_inverse_dynamics(f->c, f->accelerations, f->torques);
    return abut_simulation_set_torque(simulation, 0, nv, f->torques, error);
}

/* Joints that are off by most; free bodies do not count. */
static void measure_joints(AbutPlanFollower *f, double time) {
    for (int32_t j = 0; j < abut_configuration_model(f->c)->joint_count; ++j) {
        double off = fabs(f->state[abut_configuration_joint_place(f->c, j, ABUT_NUMBERS_POSITIONS)] - f->q[j]);
        if (f->given[j] && off > f->error) f->error = off, f->joint = j, f->error_t = time;
    }
}

static void keep_nearest(AbutPlanNear near, double time, AbutPlanNear *least, double *t) {
    if (near.pair >= 0 && near.distance < least->distance) *least = near, *t = time;
}

AbutStatus abut_plan_follower_measure(AbutPlanFollower *f, const AbutScene *scene, double time, AbutError *error) {
    ABUT_ASSERT(f && scene);
    AbutPlanNear near;
    abut_scene_get_joints(scene, 0, f->state, NULL);
    AbutStatus status = abut_configuration_set(f->c, abut_configuration_position_count(f->c), f->state, 0, NULL, error);
    if (status) return status;
    take_joints(f, time, 0);
    measure_joints(f, time);
    for (int32_t b = 0; b < abut_configuration_model(f->c)->body_count; ++b)
        f->poses[b] = abut_configuration_body_pose(f->c, b);
    status = abut_plan_nearest_poses(f->problem, f->poses, &near, NULL, error);
    if (!status) {
        keep_nearest(near, time, &f->measured, &f->measured_t);
        status = abut_plan_nearest(f->problem, f->q, &near, NULL, error);
    }
    if (!status) keep_nearest(near, time, &f->planned, &f->planned_t);
    return status;
}
