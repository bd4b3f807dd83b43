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
    char *copy = robot->warning_count < ROBOT_WARNINGS ? cli_room(strlen(text), 1) : NULL;
    if (!copy)
        return;
    strcpy(copy, text);
    robot->warnings[robot->warning_count++] = copy;
}

static void unknown_key(const AbutModel *model, const char *source, const char *key)
{
    if (!model->keyframe_count)
        cli_error("--keyframe: %s has no keyframes", source);
    const char *near = abut_suggest(key, model->keyframe_count, &model->keyframes[0].name, sizeof model->keyframes[0]);
    if (near)
        cli_error("--keyframe: no keyframe '%s'; did you mean '%s'?", key, near);
    else
        cli_error("--keyframe: no keyframe '%s'; %s has %d, the first is '%s'", key, source, (int)model->keyframe_count,
            model->keyframes[0].name);
}

void robot_find_key(const AbutModel *model, const char *source, const char *key, int32_t *out)
{
    char *end;
    long number = strtol(key, &end, 10);
    *out = abut_model_find(model, ABUT_MODEL_KEYFRAME, key);
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
    AbutModelReadOptions options = {.warn = keep_warning,
        .user = robot,
        .without_visuals = !robot->drawn,
        .drawn_meshes = robot->drawn,
        .allow_outside = operands_outside,
        .all_warnings = operands_all_warnings(),
        .surfaces = robot->surfaces};
    int is_file =
        cli_is_file(robot->source) || cli_has_ending(robot->source, ".xml") || cli_has_ending(robot->source, ".urdf");
    AbutStatus status = is_file ? abut_model_read(robot->source, &options, &robot->model, &cli_why)
                                : abut_model_build(robot->source, 1, &robot->model, &cli_why);
    if (status == ABUT_OK)
        status = abut_tree_create(robot->model, &tree, &cli_why);
    if (status == ABUT_OK)
        status = abut_configuration_create(tree, &robot->c, &cli_why);
    abut_tree_release(tree);
    cli_need(status);
    if (robot->key && robot->state)
        cli_error("--state and --keyframe: one of them, not both");
    if (robot->state)
        cli_need(abut_state_read(robot->state, NULL, 0, robot->c, &cli_why));
    if (robot->key)
        set_key(robot);
    check_numbers(robot);
}

void robot_free(Robot *robot)
{
    abut_free(robot->dynamics);
    abut_configuration_free(robot->c);
    abut_model_free(robot->model);
    for (int i = 0; i < robot->warning_count; ++i)
        abut_free(robot->warnings[i]);
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
    int32_t frame = abut_model_find(model, ABUT_MODEL_FRAME, name);
    *pose = abut_pose_identity();
    if (frame >= 0) {
        *body = model->frames[frame].body;
        *pose = model->frames[frame].pose;
        return;
    }
    *body = abut_model_find(model, ABUT_MODEL_BODY, name);
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
