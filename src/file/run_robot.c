/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots of a run: positions, velocities, forces and activations of actuators, sensors, one column each, a row per
 * step. In: the robots that the scene has when the run begins. Out: names, and the numbers at each step. A robot that
 * is gone has NaN.
 */
#include "file/run.h"

#include <string.h>

enum { NAME = 100, LISTS = ABUT_NUMBERS_LISTS };

static const AbutRunColumn columns[LISTS] = {
    ABUT_RUN_JOINT_POSITION, ABUT_RUN_JOINT_VELOCITY, ABUT_RUN_ACTUATOR_FORCE, ABUT_RUN_SENSOR, ABUT_RUN_ACTIVATION};

/* One name per line, of all robots; *count is their number. NULL: no memory. */
static char *list_names(const AbutScene *scene, int32_t robots, int list, int32_t *count) {
    int64_t total = 0;
    for (int32_t r = 0; r < robots; ++r) total += abut_model_number_count(abut_scene_robot_model(scene, r), list);
    char *names = total < INT32_MAX / NAME ? abut_alloc((size_t)total * NAME + 1) : NULL, *at = names;
    *count = (int32_t)total;
    if (!names) return NULL;
    *at = 0;
    for (int32_t r = 0; r < robots; ++r) {
        const AbutModel *model = abut_scene_robot_model(scene, r);
        for (int32_t i = 0; i < abut_model_number_count(model, list); ++i) {
            if (robots > 1) at += snprintf(at, 16, "r%d.", (int)r);
            abut_model_number_name(model, list, i, NAME - 17, at);
            for (char *c = at; *c; ++c) *c = *c == '\n' ? ' ' : *c;
            at += strlen(at);
            strcpy(at++, "\n");
        }
    }
    return names;
}

void abut_run_set_robot_names(AbutRunInside *in) {
    const char **const names[LISTS] = {&in->run.position_names, &in->run.velocity_names, &in->run.actuator_names,
        &in->run.sensor_names, &in->run.activation_names};
    for (int i = 0; i < LISTS; ++i) *names[i] = in->robot_names[i] ? in->robot_names[i] : "";
}

int32_t *abut_run_robot_count(AbutRunInside *in, int list) {
    int32_t *const counts[LISTS] = {
        &in->run.positions, &in->run.velocities, &in->run.actuators, &in->run.sensors, &in->run.activations};
    return counts[list];
}

AbutStatus abut_run_begin_robots(AbutRunInside *in, AbutError *error) {
    in->follow.robots = abut_scene_robot_count(in->follow.scene);
    for (int i = 0; i < LISTS && in->follow.robots > 0; ++i) {
        in->robot_names[i] = list_names(in->follow.scene, in->follow.robots, i, abut_run_robot_count(in, i));
        if (!in->robot_names[i]) return abut_fail_memory(error);
    }
    abut_run_set_robot_names(in);
    return ABUT_OK;
}

AbutStatus abut_run_put_robots(AbutRunInside *in, const AbutSimulation *simulation, AbutError *error) {
    const AbutScene *scene = in->follow.scene;
    double *at[LISTS];
    for (int i = 0; i < LISTS; ++i) {
        int32_t count = abut_run_number_count(&in->run, columns[i]);
        double *row = count ? (double *)in->column[columns[i]].data + (int64_t)(in->run.steps - 1) * count : NULL;
        for (int32_t k = 0; k < count; ++k) row[k] = NAN;
        at[i] = row;
    }
    for (int32_t r = 0; r < in->follow.robots; ++r) {
        const AbutModel *model = abut_scene_robot_model(scene, r);
        if (!model) return ABUT_OK;
        AbutRobotForces forces = {.actuator = at[2], .activation = at[4]};
        abut_scene_get_joints(scene, r, at[0], at[1]);
        if (at[2]) abut_simulation_get_robot_forces(simulation, r, &forces);
        if (at[3]) ABUT_TRY(abut_simulation_get_sensors(simulation, r, at[3], error));
        for (int i = 0; i < LISTS; ++i) at[i] += at[i] ? abut_model_number_count(model, i) : 0;
    }
    return ABUT_OK;
}
