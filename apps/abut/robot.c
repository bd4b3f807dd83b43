/* SPDX-License-Identifier: Apache-2.0 */
/* The model of `abut robot` and `abut ik`: reading it, setting its state, and the state as JSON. */
#include "robot.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void keep_warning(const char *text, void *user)
{
    Robot *robot = user;
    if (robot->warning_count < ROBOT_WARNINGS)
        robot->warnings[robot->warning_count++] = strcpy(cli_room(strlen(text), 1), text);
}

void robot_warn(const Robot *robot)
{
    for (int i = 0; i < robot->warning_count; ++i)
        cli_warning("%s", robot->warnings[i]);
}

static void unknown_key(const AbutModel *model, const char *source, const char *key)
{
    if (!model->keyframe_count)
        cli_error("--keyframe: %s has no keyframes", source);
    const char *near = abut_suggest(key, model->keyframe_count, &model->keyframes[0].name, sizeof model->keyframes[0]);
    if (near)
        cli_error("--keyframe: no keyframe '%s'; did you mean '%s'?", key, near);
    cli_error("--keyframe: no keyframe '%s'; %s has %d, the first is '%s'", key, source, (int)model->keyframe_count,
        model->keyframes[0].name);
}

void robot_find_key(const AbutModel *model, const char *source, const char *key, int32_t *out)
{
    char *end;
    long number = strtol(key, &end, 10);
    *out = abut_model_find_keyframe(model, key);
    if (*out < 0 && *key && !*end && number >= 0 && number < model->keyframe_count)
        *out = (int32_t)number;
    if (*out < 0)
        unknown_key(model, source, key);
}

static void set_key(Robot *robot)
{
    int32_t key;
    robot_find_key(robot->model, robot->source, robot->key, &key);
    if (abut_configuration_set_keyframe(robot->c, key, &cli_why) != ABUT_OK)
        cli_error("--keyframe %s: %s", robot->key, cli_why.text);
}

/* Mass and centre of all bodies that have some, also of those that stand. */
AbutVec3 robot_center(const Robot *robot, double *mass)
{
    *mass = abut_configuration_mass(robot->c);
    AbutVec3 sum = abut_scale(abut_configuration_center(robot->c), *mass);
    for (int32_t i = 0; i < robot->model->body_count; ++i) {
        const AbutBodyDef *body = &robot->model->bodies[i];
        if (abut_model_is_movable(robot->model, i))
            continue;
        AbutVec3 at = abut_pose_apply(abut_configuration_body_pose(robot->c, i), body->center);
        sum = abut_add_scaled(sum, at, body->mass);
        *mass += body->mass;
    }
    return *mass > 0.0 ? abut_scale(sum, 1.0 / *mass) : sum;
}

/* Numbers of a file or a state may be finite, and what follows from them not. */
static void check_numbers(const Robot *robot)
{
    double mass;
    AbutVec3 center = robot_center(robot, &mass);
    if (!abut_is_finite(center) || !isfinite(mass))
        cli_error("%s: smaller lengths and masses expected: the centre of mass is not finite", robot->source);
    for (int32_t i = 0; i < robot->model->body_count; ++i)
        if (!abut_pose_is_finite(abut_configuration_body_pose(robot->c, i)))
            cli_error("%s: smaller lengths expected: the pose of body '%s' is not finite", robot->source,
                robot->model->bodies[i].name);
}

void robot_load(Robot *robot)
{
    const AbutTree *tree = NULL;
    robot->model = operands_read_model(robot->source, 1,
        (AbutModelReadOptions){.warn = keep_warning,
            .user = robot,
            .without_visuals = !robot->drawn,
            .drawn_meshes = robot->drawn,
            .surfaces = robot->surfaces});
    cli_need(abut_tree_create(robot->model, &tree, &cli_why));
    cli_need(abut_configuration_create(tree, &robot->c, &cli_why));
    if (robot->key && robot->state)
        cli_error("--state and --keyframe: one of them, not both");
    if (robot->state)
        cli_need(abut_state_read(robot->state, robot->c, &cli_why));
    if (robot->key)
        set_key(robot);
    check_numbers(robot);
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

void robot_find_dynamics(Robot *robot)
{
    size_t n = (size_t)abut_configuration_velocity_count(robot->c);
    double sum = abut_configuration_kinetic_energy(robot->c) + abut_configuration_potential_energy(robot->c);
    robot->dynamics = cli_room(n * n + n, sizeof *robot->dynamics);
    abut_configuration_mass_matrix(robot->c, robot->dynamics);
    abut_configuration_bias(robot->c, robot->dynamics + n * n);
    for (size_t i = 0; i < n * n + n && isfinite(sum); ++i)
        sum = isfinite(robot->dynamics[i]) ? sum : robot->dynamics[i];
    if (!isfinite(sum))
        cli_error("%s: smaller velocities, lengths and masses expected: mass matrix, bias or energy are not finite",
            robot->state ? robot->state : robot->source);
}

/* Appends up to 20 names, which lie `stride` bytes apart, for a message; leaves room for a few words. */
static void list_names(char *to, size_t room, int32_t count, const char *const *first, size_t stride)
{
    for (int32_t i = 0; i < count && i < 20; ++i) {
        const char *name = *(const char *const *)(const void *)((const char *)first + (size_t)i * stride);
        size_t n = strlen(to);
        if (n + strlen(name) + 24 < room)
            snprintf(to + n, room - n, "%s %s", i ? "," : "", name);
    }
    if (count > 20 || count == 0)
        strcat(to, count ? ", ..." : " none");
}

void robot_find_frame(const char *option, const Robot *robot, const char *name, int32_t *body, AbutPose *pose)
{
    const AbutModel *model = robot->model;
    int32_t frame = abut_model_find_frame(model, name);
    *pose = abut_pose_identity();
    if (frame >= 0) {
        *body = model->frames[frame].body;
        *pose = model->frames[frame].pose;
        return;
    }
    *body = abut_model_find_body(model, name);
    if (*body >= 0)
        return;
    char known[600] = "frames:";
    list_names(known, sizeof known, model->frame_count, model->frame_count ? &model->frames[0].name : NULL,
        sizeof model->frames[0]);
    strcat(known, "; bodies:");
    list_names(known, sizeof known, model->body_count, model->body_count ? &model->bodies[0].name : NULL,
        sizeof model->bodies[0]);
    cli_error("%s: no frame or body '%s' in %s; %s", option, name, robot->source, known);
}

AbutIkTask robot_task(
    const char *frame_option, const char *option, const Robot *robot, const char *frame, const CliReals *target)
{
    AbutIkTask task = abut_ik_task_default();
    const double *v = target->value;
    task.kind = target->count == 3 ? ABUT_IK_POSITION : ABUT_IK_POSE;
    task.target.p = abut_vec3(v[0], v[1], v[2]);
    if (target->count == 7) {
        if (v[3] == 0.0 && v[4] == 0.0 && v[5] == 0.0 && v[6] == 0.0)
            cli_error("%s: expected a quaternion other than 0,0,0,0: the quaternion is zero", option);
        task.target.q = abut_quat_normalize(abut_quat(v[3], v[4], v[5], v[6]));
    }
    robot_find_frame(frame_option, robot, frame, &task.body, &task.pose);
    return task;
}
