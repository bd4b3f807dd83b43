/* SPDX-License-Identifier: Apache-2.0 */
/* What the operand of `abut modes` names: a JSON file of contacts, a scene or robot (MJCF or URDF file, or built-in),
 * or a named system. */
#include "modes.h"

#include <stdlib.h>
#include <string.h>

#include "operands.h"
#include "robot.h"

/* Names of abut_mode_builtin. */
static const char *const systems[] = {"box", "peg", "box-box", "box-hand", "hand-ball", "hand-ball-generic", "grasp"};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

void modes_free(ModesSystem *system)
{
    abut_mode_system_free(&system->rows);
    free(system->force);
    free(system->velocity);
    free(system->mass);
    free(system->friction);
    abut_free(system->basis);
    abut_contact_list_free(&system->contacts);
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
static AbutStatus take_rows(const ModesArgs *args, AbutVec3 gravity, ModesSystem *out, AbutError *error)
{
    AbutStatus status =
        abut_scene_mode_system(out->scene, &out->contacts, args->lines < 0 ? 2 : args->lines, &out->rows, error);
    if (status != ABUT_OK)
        return status;
    out->force = malloc(((size_t)out->rows.dof + 1) * sizeof *out->force);
    out->friction = malloc(((size_t)out->rows.contacts + 1) * sizeof *out->friction);
    out->mass = malloc(((size_t)out->rows.dof * (size_t)out->rows.dof + 1) * sizeof *out->mass);
    out->velocity = malloc(((size_t)out->rows.dof + 1) * sizeof *out->velocity);
    if (!out->force || !out->friction || !out->mass || !out->velocity)
        return abut_fail_memory(error);
    AbutSceneForces forces = {
        .force = out->force, .velocity = out->velocity, .mass = out->mass, .friction = out->friction};
    abut_scene_mode_forces(out->scene, &out->contacts, gravity, &forces);
    return ABUT_OK;
}

static int is_unit_row(const double *row, size_t count, size_t place)
{
    int unit = row[place] == 1.0;
    for (size_t i = 0; i < count && unit; ++i)
        unit = i == place || row[i] == 0.0;
    return unit;
}

/* basis^T f and basis^T M basis, in place. */
static AbutStatus restrict_forces(ModesSystem *s, int all, AbutError *error)
{
    size_t n = (size_t)all, c = (size_t)s->rows.dof;
    double *half = malloc((n * c + 1) * sizeof *half);
    if (!half)
        return abut_fail_memory(error);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < c; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < n; ++k)
                sum += s->mass[i * n + k] * s->basis[k * c + j];
            half[i * c + j] = sum;
        }
    for (size_t i = 0; i < c; ++i)
        for (size_t j = 0; j < c; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < n; ++k)
                sum += s->basis[k * c + i] * half[k * c + j];
            s->mass[i * c + j] = sum;
        }
    for (size_t j = 0; j < c; ++j) {
        half[j] = 0.0;
        for (size_t k = 0; k < n; ++k)
            half[j] += s->basis[k * c + j] * s->force[k];
    }
    memcpy(s->force, half, c * sizeof *half);
    free(half);
    for (size_t j = 0; j < c; ++j) /* a velocity of the rows is one of the scene */
        for (size_t k = 0; k < n; ++k)
            if (is_unit_row(s->basis + k * c, c, j)) {
                s->velocity[j] = s->velocity[k];
                break;
            }
    return ABUT_OK;
}

/* Velocities that equalities give are left out. */
static AbutStatus keep_equalities(ModesSystem *s, AbutError *error)
{
    AbutModeSystem all = s->rows;
    int count;
    s->all_dof = all.dof;
    AbutStatus status = abut_scene_mode_basis(s->scene, &s->basis, &count, error);
    if (status != ABUT_OK || !s->basis)
        return status;
    status = abut_mode_system_restrict(&all, s->basis, count, &s->rows, error);
    abut_mode_system_free(&all);
    return status == ABUT_OK ? restrict_forces(s, s->all_dof, error) : status;
}

/* Joints of a trajectory at a time; a free base stays. */
static AbutStatus take_plan(const ModesArgs *args, AbutConfiguration *c, AbutScene *scene, AbutError *error)
{
    const AbutModel *model = abut_configuration_model(c);
    int32_t n = abut_configuration_position_count(c);
    AbutTrajectory t;
    double *q = abut_alloc_array((size_t)n + (size_t)model->joint_count + 1, sizeof *q);
    uint8_t *given = abut_alloc((size_t)model->joint_count + 1);
    AbutStatus status = q && given ? ABUT_OK : abut_fail_memory(error);
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
    const AbutTree *tree;
    AbutConfiguration *c;
    AbutStatus status = args->keyframe ? abut_scene_set_keyframe(out->scene, 0, key, error) : ABUT_OK;
    if (status || !args->plan)
        return status;
    if (abut_scene_robot_count(out->scene) == 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "--plan: %s has no joints", args->source);
    status = abut_tree_create(abut_scene_robot_model(out->scene, 0), &tree, error);
    if (!status)
        status = abut_configuration_create(tree, &c, error);
    abut_tree_release(tree);
    if (status)
        return status;
    status = take_plan(args, c, out->scene, error);
    abut_configuration_free(c);
    return status;
}

static AbutStatus fill_scene(
    const ModesArgs *args, const AbutModel *model, int32_t key, ModesSystem *out, AbutError *error)
{
    AbutStatus status = abut_scene_create(&out->scene, error);
    if (status == ABUT_OK)
        status = abut_scene_add_model(out->scene, model, abut_pose_identity(), NULL, error);
    if (status == ABUT_OK)
        status = pose_scene(args, key, out, error);
    if (status == ABUT_OK)
        status =
            abut_scene_contact_features(out->scene, isnan(args->margin) ? -1.0 : args->margin, &out->contacts, error);
    if (status == ABUT_OK)
        status = take_rows(args, model->gravity, out, error);
    if (status == ABUT_OK)
        status = keep_equalities(out, error);
    return status;
}

static int load_scene(const CliCommand *command, const ModesArgs *args, ModesSystem *out)
{
    AbutModel *model = NULL;
    AbutError error;
    int32_t key = -1;
    if (operands_load_model(command, args->source, 1, OPERAND_HULLS, &model, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int status = args->keyframe ? robot_find_key(command, model, args->source, args->keyframe, &key) : CLI_GO;
    if (status == CLI_GO && fill_scene(args, model, key, out, &error) != ABUT_OK)
        status = cli_error(command, "%s", error.text);
    if (status != CLI_GO)
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
        "'%s' is no .json, .xml or .urdf file, no system (box:3 peg:8 box-box:2 box-hand hand-ball hand-ball-generic "
        "grasp:4), "
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
    if (cli_refuse(command, "--margin", "only bodies of a scene are looked at for contacts") != CLI_GO)
        return CLI_BAD;
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
