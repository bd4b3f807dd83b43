/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots in `abut simulate`: the keyframe they start in, controls from a table, and the table of their joints. A scene
 * of the tool is one model, so there is one robot, or none.
 */
#include "simulate.h"

#include <string.h>

static AbutStatus no_memory(AbutError *error)
{
    return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for controls");
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

static AbutStatus set_keyframe(SimulateRobots *r, int32_t key, AbutScene *scene, AbutError *error)
{
    const AbutKeyframeDef *def = &abut_scene_robot_model(scene, 0)->keyframes[key];
    for (int32_t i = 0; i < def->control_count; ++i)
        r->control[i] = def->controls[i];
    return abut_scene_set_keyframe(scene, 0, key, error);
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static void add_name(char **at, const char *end, const char *name, const char *kind, int32_t number, const char *suffix)
{
    char own[32];
    snprintf(own, sizeof own, "%s%d", kind, (int)number);
    if (*at < end)
        *at += snprintf(*at, (size_t)(end - *at), ",%.60s%s", name && *name ? name : own, suffix);
}

/* Names of the numbers of a free body or a ball, or of the one number of a joint. */
static void add_names(char **at, const char *end, const AbutModel *model, int velocities)
{
    static const char *const free_q[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"}, *const free_v[] = {".vx", ".vy",
                                                                                            ".vz", ".wx", ".wy", ".wz"};
    for (int32_t b = 0; b < model->body_count; ++b) {
        const AbutBodyDef *body = &model->bodies[b];
        for (int i = 0; body->kind == ABUT_BODY_DYNAMIC && i < (velocities ? 6 : 7); ++i)
            add_name(at, end, body->name, "body", b, velocities ? free_v[i] : free_q[i]);
        for (int32_t j = abut_model_next_joint(model, b, -1); j >= 0; j = abut_model_next_joint(model, b, j)) {
            const AbutJointDef *joint = &model->joints[j];
            int ball = joint->kind == ABUT_JOINT_BALL;
            for (int i = 0; i < (ball ? 4 - velocities : 1); ++i)
                add_name(at, end, joint->name, "joint", j,
                    ball ? (velocities ? free_v[3 + i] : free_q[3 + i]) : (velocities ? ".v" : ""));
        }
    }
}

static AbutStatus open_joints(SimulateRobots *r, const char *path, const AbutModel *model, AbutError *error)
{
    size_t room = 80 * ((size_t)abut_model_position_count(model) + (size_t)abut_model_velocity_count(model) +
                           (size_t)model->actuator_count + 2);
    char *header = abut_alloc(room), *at = header, *end = header + room;
    if (!header)
        return no_memory(error);
    at += snprintf(at, room, "t");
    add_names(&at, end, model, 0);
    add_names(&at, end, model, 1);
    for (int32_t i = 0; i < model->actuator_count; ++i)
        add_name(&at, end, model->actuators[i].name, "actuator", i, ".force");
    AbutStatus status = abut_csv_open(path, header, &r->csv, error);
    abut_free(header);
    return status;
}

static void put_numbers(AbutCsv *csv, const double *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        abut_csv_number(csv, numbers[i]);
}

void simulate_robots_record(SimulateRobots *r, const AbutSimulation *simulation, double time)
{
    if (!r->csv)
        return;
    const AbutScene *scene = abut_simulation_scene(simulation);
    const AbutModel *model = abut_scene_robot_model(scene, 0);
    int32_t nq = abut_model_position_count(model), nv = abut_model_velocity_count(model);
    double *numbers = r->control + model->actuator_count; /* behind the controls */
    AbutRobotForces forces = {.actuator = numbers + nq + nv};
    abut_scene_get_joints(scene, 0, numbers, numbers + nq);
    abut_simulation_get_robot_forces(simulation, 0, &forces);
    abut_csv_number(r->csv, time);
    put_numbers(r->csv, numbers, nq + nv + model->actuator_count);
    abut_csv_end_row(r->csv);
}

/* ---- run --------------------------------------------------------------------------------------------------------- */

AbutStatus simulate_robots_begin(
    SimulateRobots *r, const SimulateArgs *args, AbutScene *scene, AbutSimulation *simulation, AbutError *error)
{
    AbutStatus status = ABUT_OK;
    if (abut_scene_robot_count(scene) == 0)
        return args->ctrl || args->joints ? abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: %s has no joints or actuators",
                                                args->ctrl ? "--ctrl" : "--joints", args->scene)
                                          : ABUT_OK;
    const AbutModel *model = abut_scene_robot_model(scene, 0);
    size_t numbers = (size_t)abut_model_position_count(model) + (size_t)abut_model_velocity_count(model) +
                     2 * (size_t)model->actuator_count + 1;
    r->control = abut_alloc_array(numbers, sizeof *r->control);
    if (!r->control)
        return no_memory(error);
    memset(r->control, 0, numbers * sizeof *r->control);
    if (args->ctrl)
        status = abut_controls_read(args->ctrl, model, &r->controls, error);
    if (status == ABUT_OK && args->key >= 0)
        status = set_keyframe(r, args->key, scene, error);
    if (status == ABUT_OK)
        status = simulate_robots_drive(r, simulation, 0.0, error);
    if (status == ABUT_OK && args->joints)
        status = open_joints(r, args->joints, model, error);
    return status;
}

AbutStatus simulate_robots_drive(SimulateRobots *r, AbutSimulation *simulation, double time, AbutError *error)
{
    if (!r->control)
        return ABUT_OK;
    const AbutModel *model = abut_scene_robot_model(abut_simulation_scene(simulation), 0);
    if (r->controls.row_count > 0)
        abut_controls_at(&r->controls, time, r->control);
    return abut_simulation_set_control(simulation, 0, model->actuator_count, r->control, error);
}

AbutStatus simulate_robots_close(SimulateRobots *r, AbutError *error)
{
    AbutStatus status = r->csv ? abut_csv_commit(r->csv, error) : ABUT_OK;
    r->csv = NULL;
    return status;
}

void simulate_robots_free(SimulateRobots *r)
{
    abut_csv_cancel(r->csv);
    abut_controls_free(&r->controls);
    abut_free(r->control);
}
