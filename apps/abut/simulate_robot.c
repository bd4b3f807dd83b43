/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots in `abut simulate`: the keyframe they start in, controls from a table, and the table of their joints. A scene
 * of the tool is one model, so there is one robot, or none.
 */
#include "simulate.h"

#include <string.h>
#include <stdlib.h>

/* ---- start ------------------------------------------------------------------------------------------------------- */

static AbutStatus set_keyframe(SimulateRobots *r, int32_t key, AbutScene *scene, AbutError *error)
{
    const AbutKeyframeDef *def = &abut_scene_robot_model(scene, 0)->keyframes[key];
    for (int32_t i = 0; i < def->control_count; ++i)
        r->control[i] = def->controls[i];
    return abut_scene_set_keyframe(scene, 0, key, error);
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

/* Room for the name of any number of the model. */
static size_t name_room(const AbutModel *model)
{
    size_t longest = 0, length;
    for (int32_t i = 0; i < model->body_count; ++i)
        longest = (length = strlen(model->bodies[i].name)) > longest ? length : longest;
    for (int32_t i = 0; i < model->joint_count; ++i)
        longest = (length = strlen(model->joints[i].name)) > longest ? length : longest;
    for (int32_t i = 0; i < model->actuator_count; ++i)
        longest = (length = strlen(model->actuators[i].name)) > longest ? length : longest;
    return longest + 40; /* for a number instead, and an ending */
}

/* The first line: names of all columns, in quotes where they need them. */
static void put_head(AbutCsv *csv, const AbutModel *model, char *name, size_t room)
{
    const int32_t counts[3] = {abut_model_number_count(model, ABUT_NUMBERS_POSITIONS),
        abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES), model->actuator_count};
    abut_csv_text(csv, "t");
    for (int list = 0; list < 3; ++list)
        for (int32_t i = 0; i < counts[list]; ++i) {
            abut_model_number_name(model, list, i, room, name);
            abut_csv_text(csv, name);
        }
    abut_csv_end_row(csv);
}

static AbutStatus open_joints(SimulateRobots *r, const char *path, const AbutModel *model, AbutError *error)
{
    size_t room = name_room(model);
    char *name = abut_alloc(room);
    if (!name)
        return abut_fail_memory(error);
    AbutStatus status = abut_csv_open(path, "", &r->csv, error);
    if (status == ABUT_OK)
        put_head(r->csv, model, name, room);
    abut_free(name);
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
    int32_t nq = abut_model_number_count(model, ABUT_NUMBERS_POSITIONS),
            nv = abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    double *numbers = r->control + model->actuator_count; /* behind the controls */
    AbutRobotForces forces = {.actuator = numbers + nq + nv};
    abut_scene_get_joints(scene, 0, numbers, numbers + nq);
    abut_simulation_get_robot_forces(simulation, 0, &forces);
    abut_csv_number(r->csv, time);
    put_numbers(r->csv, numbers, nq + nv + model->actuator_count);
    abut_csv_end_row(r->csv);
}

/* What a plan drives is not left to a file of controls as well. */
static AbutStatus check_controls(const SimulateRobots *r, const char *file, const AbutModel *model, AbutError *error)
{
    for (int32_t i = 0; r->plan && i < r->controls.actuator_count; ++i)
        if (simulate_plan_follows(r->plan, r->controls.actuators[i]))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "--ctrl: %s drives '%s', which follows --plan", file,
                model->actuators[r->controls.actuators[i]].name);
    return ABUT_OK;
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
    size_t numbers = (size_t)abut_model_number_count(model, ABUT_NUMBERS_POSITIONS) +
                     (size_t)abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES) +
                     2 * (size_t)model->actuator_count + 1;
    r->control = abut_alloc_array(numbers, sizeof *r->control);
    if (!r->control)
        return abut_fail_memory(error);
    memset(r->control, 0, numbers * sizeof *r->control);
    if (args->ctrl)
        status = abut_controls_read(args->ctrl, NULL, 0, model, &r->controls, error);
    if (status == ABUT_OK)
        status = check_controls(r, args->ctrl, model, error);
    if (status == ABUT_OK && args->key >= 0)
        status = set_keyframe(r, args->key, scene, error);
    if (status == ABUT_OK && r->plan)
        status = simulate_plan_begin(r->plan, scene, error);
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
    if (r->plan) {
        AbutStatus status = simulate_plan_drive(r->plan, simulation, time, r->control, error);
        if (status)
            return status;
    }
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

/* ---- pushes --------------------------------------------------------------------------------------------------------- */

static void read_push(const char *text, const AbutScene *scene, SimulatePush *out)
{
    const char *colon = strrchr(text, ':');
    CliReals r;
    char name[200];
    if (!colon || colon == text || !cli_read_reals(colon + 1, &r) || (r.count != 5 && r.count != 8) ||
        !(r.value[0] <= r.value[1]))
        cli_error("--push: expected BODY:t0,t1,fx,fy,fz[,px,py,pz] with t0 <= t1, got '%s'", text);
    snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
    out->body = abut_scene_find_body(scene, name);
    AbutBodyState state;
    if (!abut_scene_get_body(scene, out->body, &state))
        cli_error("--push: there is no body '%s'", name);
    if (state.kind != ABUT_BODY_DYNAMIC && state.kind != ABUT_BODY_LINK)
        cli_error(
            "--push: the body '%s' is %s, not dynamic and no link", name, abut_word(abut_body_kind_names, state.kind));
    out->link = state.kind == ABUT_BODY_LINK;
    out->from = r.value[0];
    out->to = r.value[1];
    out->force = abut_vec3(r.value[2], r.value[3], r.value[4]);
    out->point = r.count == 8 ? abut_vec3(r.value[5], r.value[6], r.value[7]) : state.local_center;
}

void simulate_read_pushes(const SimulateArgs *args, const AbutScene *scene, SimulatePushes *out)
{
    memset(out, 0, sizeof *out);
    for (; out->count < args->push.count; ++out->count)
        read_push(args->push.value[out->count], scene, &out->push[out->count]);
}

static int acts(const SimulatePush *push, double time, double dt)
{
    double early = 1e-6 * dt; /* rounding of times */
    return time >= push->from - early && time < push->to - early;
}

static int same_body(const SimulatePush *a, const SimulatePush *b)
{
    return memcmp(&a->body, &b->body, sizeof a->body) == 0;
}

/* The sum of all that act on the link of push i now; it holds until the next step. */
static AbutStatus push_link(const SimulatePushes *pushes, int i, const AbutBodyState *state, AbutSimulation *simulation,
    double time, double dt, AbutError *error)
{
    AbutVec3 force = abut_zero(), torque = abut_zero();
    for (int k = 0; k < pushes->count; ++k) {
        const SimulatePush *push = &pushes->push[k];
        if (!same_body(push, &pushes->push[i]) || !acts(push, time, dt))
            continue;
        AbutVec3 arm = abut_sub(abut_pose_apply(state->pose, push->point), state->center);
        force = abut_add(force, push->force);
        torque = abut_add(torque, abut_cross(arm, push->force));
    }
    return abut_simulation_set_force(simulation, pushes->push[i].body, force, torque, error);
}

AbutStatus simulate_push(const SimulatePushes *pushes, AbutScene *scene, AbutSimulation *simulation, double time,
    double dt, AbutError *error)
{
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < pushes->count && status == ABUT_OK; ++i) {
        const SimulatePush *push = &pushes->push[i];
        AbutBodyState state;
        if (!abut_scene_get_body(scene, push->body, &state))
            continue;
        if (push->link)
            status = push_link(pushes, i, &state, simulation, time, dt, error);
        else if (acts(push, time, dt))
            status =
                abut_scene_add_force(scene, push->body, push->force, abut_pose_apply(state.pose, push->point), error);
    }
    return status;
}
