/* SPDX-License-Identifier: Apache-2.0 */
/* What the operand of `abut modes` names: a JSON file of contacts, a scene or robot (MJCF or URDF file, or built-in),
 * or a named system. */
#include "modes.h"

#include <stdlib.h>
#include <string.h>

#include "operands.h"
#include "robot.h"

static const double SCENE_MARGIN = 1e-9;

/* Names of abut_mode_builtin. */
static const char *const systems[] = {"box", "peg", "box-box", "hand-ball", "hand-ball-generic", "grasp"};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

void modes_free(ModesSystem *system)
{
    abut_mode_system_free(&system->rows);
    free(system->force);
    free(system->mass);
    free(system->friction);
    abut_scene_free(system->scene);
}

/* Is `source` this name, alone or with an argument behind a colon? */
static int is_named(const char *source, const char *name)
{
    size_t n = strlen(name);
    return strncmp(source, name, n) == 0 && (source[n] == 0 || source[n] == ':');
}

static int is_system(const char *source)
{
    for (int i = 0; i < SYSTEMS; ++i)
        if (is_named(source, systems[i]))
            return 1;
    return 0;
}

static int is_among(const char *source, const AbutBuiltinScene *scenes, int count)
{
    for (int i = 0; i < count; ++i)
        if (is_named(source, scenes[i].name))
            return 1;
    return 0;
}

static int is_scene(const char *source)
{
    int scene_count, robot_count;
    const AbutBuiltinScene *scenes = abut_builtin_scenes(&scene_count), *robots = abut_builtin_robots(&robot_count);
    return is_among(source, scenes, scene_count) || is_among(source, robots, robot_count);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* Rows, weights and friction of the contacts. */
static AbutStatus take_rows(
    const ModesArgs *args, const AbutContactList *contacts, AbutVec3 gravity, ModesSystem *out, AbutError *error)
{
    AbutStatus status =
        abut_scene_mode_system(out->scene, contacts, args->lines < 0 ? 2 : args->lines, &out->rows, error);
    if (status != ABUT_OK)
        return status;
    out->force = malloc(((size_t)out->rows.dof + 1) * sizeof *out->force);
    out->friction = malloc(((size_t)out->rows.contacts + 1) * sizeof *out->friction);
    out->mass = malloc(((size_t)out->rows.dof * (size_t)out->rows.dof + 1) * sizeof *out->mass);
    if (!out->force || !out->friction || !out->mass)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the forces");
    AbutSceneForces forces = {.force = out->force, .mass = out->mass, .friction = out->friction};
    abut_scene_mode_forces(out->scene, contacts, gravity, &forces);
    out->from_scene = 1;
    return ABUT_OK;
}

/* What is between joints and not in the rows is told. */
static void warn_about(const CliCommand *command, const AbutModel *model)
{
    if (model->equality_count > 0)
        cli_warning(command, "equalities are not in the rows, there are %d: each joint moves by itself",
            (int)model->equality_count);
}

/* Joints of a trajectory at a time; a free base stays. */
static AbutStatus take_plan(const ModesArgs *args, AbutConfiguration *c, AbutScene *scene, AbutError *error)
{
    const AbutModel *model = abut_configuration_model(c);
    int32_t n = abut_configuration_position_count(c);
    AbutTrajectory t;
    double *q = abut_alloc_array((size_t)n + (size_t)model->joint_count + 1, sizeof *q);
    uint8_t *given = abut_alloc((size_t)model->joint_count + 1);
    AbutStatus status = q && given ? ABUT_OK : abut_fail(error, ABUT_ERROR_MEMORY, "no memory for joints");
    if (!status) {
        abut_scene_get_joints(scene, 0, q, NULL);
        status = abut_configuration_set(c, n, q, 0, NULL, error);
    }
    if (!status)
        status = abut_trajectory_read(args->plan, c, -1, &t, given, error);
    if (!status) {
        abut_trajectory_value(&t, args->at, 0, q + n);
        for (int32_t j = 0; j < model->joint_count; ++j)
            if (given[j])
                q[abut_configuration_joint_position(c, j)] = q[n + j];
        status = abut_scene_set_joints(scene, 0, n, q, 0, NULL, error);
        abut_trajectory_free(&t);
    }
    abut_free(q);
    abut_free(given);
    return status;
}

/* Into the keyframe, found before, and to where a plan is at a time. */
static AbutStatus pose_scene(const ModesArgs *args, int32_t key, ModesSystem *out, AbutError *error)
{
    AbutConfiguration *c;
    AbutStatus status = args->keyframe ? abut_scene_set_keyframe(out->scene, 0, key, error) : ABUT_OK;
    if (status || !args->plan)
        return status;
    if (abut_scene_robot_count(out->scene) == 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "--plan: %s has no joints", args->source);
    status = abut_configuration_create(abut_scene_robot_model(out->scene, 0), &c, error);
    if (status)
        return status;
    status = take_plan(args, c, out->scene, error);
    abut_configuration_free(c);
    return status;
}

static AbutStatus fill_scene(
    const ModesArgs *args, const AbutModel *model, int32_t key, ModesSystem *out, AbutError *error)
{
    AbutContactList contacts = {NULL, 0};
    AbutStatus status = abut_scene_create(&out->scene, error);
    if (status == ABUT_OK)
        status = abut_scene_add_model(out->scene, model, abut_pose_identity(), NULL, error);
    if (status == ABUT_OK)
        status = pose_scene(args, key, out, error);
    if (status == ABUT_OK)
        status =
            abut_scene_find_contacts(out->scene, isnan(args->margin) ? SCENE_MARGIN : args->margin, &contacts, error);
    if (status == ABUT_OK)
        status = take_rows(args, &contacts, model->gravity, out, error);
    abut_contact_list_free(&contacts);
    return status;
}

static int load_scene(const CliCommand *command, const ModesArgs *args, ModesSystem *out)
{
    AbutModel *model = NULL;
    AbutError error;
    int32_t key = -1;
    if (operands_load_model(command, args->source, 1, 0, &model, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int status = args->keyframe ? robot_find_key(command, model, args->source, args->keyframe, &key) : CLI_GO;
    if (status == CLI_GO && fill_scene(args, model, key, out, &error) != ABUT_OK)
        status = cli_error(command, "%s", error.text);
    if (status == CLI_GO)
        warn_about(command, model);
    else
        modes_free(out);
    abut_model_free(model);
    return status;
}

/* ---- named systems ----------------------------------------------------------------------------------------------- */

static AbutStatus load_builtin(const ModesArgs *args, ModesSystem *out, AbutError *error)
{
    AbutModeSystem two;
    AbutStatus status = abut_mode_builtin(args->source, &two, error);
    if (status != ABUT_OK)
        return status;
    if (args->lines < 0 || args->lines == two.lines) {
        out->rows = two;
        return ABUT_OK;
    }
    status = abut_mode_system_set_lines(&two, args->lines, &out->rows, error);
    abut_mode_system_free(&two);
    return status;
}

static int unknown(const CliCommand *command, const char *source)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(source, ":"), source);
    int count;
    const AbutBuiltinScene *scenes = abut_builtin_scenes(&count);
    const char *near = abut_suggest(name, SYSTEMS, systems, sizeof systems[0]);
    near = near ? near : abut_suggest(name, count, &scenes[0].name, sizeof scenes[0]);
    const AbutBuiltinScene *robots = abut_builtin_robots(&count);
    near = near ? near : abut_suggest(name, count, &robots[0].name, sizeof robots[0]);
    if (near)
        return cli_error(command, "'%s' is no file, no system and no scene; did you mean '%s%s'?", source, near,
            source + strcspn(source, ":"));
    return cli_error(command,
        "'%s' is no .json, .xml or .urdf file, no system (box:3 peg:8 box-box:2 hand-ball hand-ball-generic grasp:4), "
        "no "
        "scene of 'abut simulate --list' and no robot of 'abut robot --list'",
        source);
}

int modes_load(const CliCommand *command, const ModesArgs *args, ModesSystem *out)
{
    AbutError error;
    AbutStatus status;
    memset(out, 0, sizeof *out);
    if (cli_has_ending(args->source, ".xml") || cli_has_ending(args->source, ".urdf") ||
        (is_scene(args->source) && !is_system(args->source)))
        return load_scene(command, args, out);
    if (args->keyframe)
        return cli_error(command, "--keyframe: %s is no model; only a model has keyframes", args->source);
    if (args->plan)
        return cli_error(command, "--plan: %s is no model with joints", args->source);
    if (cli_has_ending(args->source, ".json") || cli_is_file(args->source))
        status = abut_mode_system_read(args->source, args->lines, &out->rows, &error);
    else if (is_system(args->source))
        status = load_builtin(args, out, &error);
    else
        return unknown(command, args->source);
    if (status == ABUT_OK && out->rows.def && out->rows.def->planar && args->lines >= 0 && args->lines != 1) {
        modes_free(out);
        return cli_error(command, "--nt: contacts in the plane have one line each");
    }
    if (status == ABUT_OK)
        return CLI_GO;
    modes_free(out);
    return cli_error(command, "%s", error.text);
}
