/* SPDX-License-Identifier: Apache-2.0 */
/* The operand of `abut modes`: a JSON file of contacts, a scene or robot (MJCF or URDF file, or built-in),
 * or a named system. */
#include "modes.h"
#include "abut/literature.h"

#include <stdlib.h>
#include <string.h>

#include "operands.h"
#include "robot.h"

/* Names of abut_mode_builtin, and do they need a number? */
static const struct {
    const char *name;
    int numbered;
} systems[] = {
    {"box", 1}, {"peg", 1}, {"box-box", 1}, {"box-hand", 0}, {"hand-ball", 0}, {"hand-ball-generic", 0}, {"grasp", 1}};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

/* Is `source` this name, alone or with an argument behind a colon? */
static int is_named(const char *source, const char *name) {
    size_t n = strlen(name);
    return strncmp(source, name, n) == 0 && (source[n] == 0 || source[n] == ':');
}

static int is_among(const char *source, const AbutBuiltinScene *scenes, int count) {
    for (int i = 0; i < count; ++i)
        if (is_named(source, scenes[i].name)) return 1;
    return 0;
}

static int is_scene(const char *source) {
    int scene_count, robot_count;
    const AbutBuiltinScene *scenes = abut_builtin_scenes(0, &scene_count),
                           *robots = abut_builtin_scenes(1, &robot_count);
    return is_among(source, scenes, scene_count) || is_among(source, robots, robot_count);
}

/* Without its number a name that is also one of a scene means that. */
static int is_system(const char *source) {
    for (int i = 0; i < SYSTEMS; ++i)
        if (is_named(source, systems[i].name)) return !systems[i].numbered || strchr(source, ':') || !is_scene(source);
    return 0;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* Rows, weights and friction of the contacts. */
static void take_rows(const ModesArgs *args, AbutVec3 gravity, ModesSystem *out) {
    int count;
    cli_need(
        abut_scene_mode_system(out->scene, &out->contacts, args->lines < 0 ? 2 : args->lines, &out->rows, &cli_why));
    cli_need(abut_scene_mode_basis(out->scene, &out->basis, &count, &cli_why));
    size_t dof = (size_t)out->rows.dof;
    out->all_dof = abut_scene_mode_dof(out->scene);
    out->force = cli_room(dof, sizeof *out->force);
    out->friction = cli_room((size_t)out->rows.contacts, sizeof *out->friction);
    out->mass = cli_room(dof * dof, sizeof *out->mass);
    out->velocity = cli_room(dof, sizeof *out->velocity);
    AbutSceneForces forces = {
        .force = out->force, .velocity = out->velocity, .mass = out->mass, .friction = out->friction};
    cli_need(abut_scene_mode_forces(out->scene, &out->contacts, gravity, &forces, &cli_why));
}

/* Joints of a trajectory at a time; a free base stays. */
static void take_plan(const ModesArgs *args, AbutConfiguration *c, AbutScene *scene) {
    const AbutModel *model = abut_configuration_model(c);
    int32_t n = abut_configuration_position_count(c);
    AbutTrajectory t;
    double *q = cli_room((size_t)n + (size_t)model->joint_count, sizeof *q);
    uint8_t *given = cli_room((size_t)model->joint_count, 1);
    abut_scene_get_joints(scene, 0, q, NULL);
    cli_need(abut_configuration_set(c, n, q, 0, NULL, &cli_why));
    cli_need(abut_trajectory_read(args->plan, NULL, 0, c, -1, &t, given, &cli_why));
    abut_trajectory_value(&t, args->at, 0, q + n);
    for (int32_t j = 0; j < model->joint_count; ++j)
        if (given[j]) q[abut_configuration_joint_place(c, j, ABUT_NUMBERS_POSITIONS)] = q[n + j];
    cli_need(abut_scene_set_joints(scene, 0, n, q, 0, NULL, &cli_why));
}

/* Into the keyframe, found before, and to where a plan is at a time. */
static void pose_scene(const ModesArgs *args, int32_t key, ModesSystem *out) {
    const AbutTree *tree;
    AbutConfiguration *c;
    if (args->keyframe) cli_need(abut_scene_set_keyframe(out->scene, 0, key, &cli_why));
    if (!args->plan) return;
    if (abut_scene_robot_count(out->scene) == 0) cli_error("--plan: %s has no joints", args->source);
    cli_need(abut_tree_create(abut_scene_robot_model(out->scene, 0), &tree, &cli_why));
    cli_need(abut_configuration_create(tree, &c, &cli_why));
    take_plan(args, c, out->scene);
}

static void load_scene(const ModesArgs *args, ModesSystem *out) {
    AbutModel *model = operands_load_model(args->source, 1, OPERAND_SURFACES);
    int32_t key = -1;
    if (args->keyframe) robot_find_key(model, args->source, args->keyframe, &key);
    out->scene = operands_scene(model);
    pose_scene(args, key, out);
    cli_need(
        abut_scene_find_contacts(out->scene, isnan(args->margin) ? -1.0 : args->margin, 1, &out->contacts, &cli_why));
    take_rows(args, model->gravity, out);
}

/* ---- named systems ----------------------------------------------------------------------------------------------- */

static void load_builtin(const ModesArgs *args, ModesSystem *out) {
    AbutModeSystem two;
    cli_need(abut_mode_builtin(args->source, &two, &cli_why));
    if (args->lines < 0 || args->lines == two.lines) {
        out->rows = two;
        return;
    }
    cli_need(abut_mode_system_set_lines(&two, args->lines, &out->rows, &cli_why));
}

static void unknown(const char *source) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(source, ":"), source);
    int count;
    const AbutBuiltinScene *scenes = abut_builtin_scenes(0, &count);
    const char *near = abut_suggest(name, SYSTEMS, &systems[0].name, sizeof systems[0]);
    near = near ? near : abut_suggest(name, count, &scenes[0].name, sizeof scenes[0]);
    const AbutBuiltinScene *robots = abut_builtin_scenes(1, &count);
    near = near ? near : abut_suggest(name, count, &robots[0].name, sizeof robots[0]);
    if (near)
        cli_error("'%s' is no file, no system and no scene; did you mean '%s%s'?", source, near,
            source + strcspn(source, ":"));
    cli_error(
        "'%s' is no .json, .xml or .urdf file, no system (box:3 peg:8 box-box:2 box-hand hand-ball hand-ball-generic "
        "grasp:4), "
        "no "
        "scene of 'abut simulate --list' and no robot of 'abut robot --list'",
        source);
}

void modes_load(const ModesArgs *args, ModesSystem *out) {
    memset(out, 0, sizeof *out);
    if (cli_has_ending(args->source, ".xml") || cli_has_ending(args->source, ".urdf") ||
        cli_has_ending(args->source, ".xacro") || (is_scene(args->source) && !is_system(args->source))) {
        load_scene(args, out);
        return;
    }
    if (args->keyframe) cli_error("--keyframe: %s is no model; only a model has keyframes", args->source);
    if (args->plan) cli_error("--plan: %s is no model with joints", args->source);
    cli_refuse("--margin", "only bodies of a scene are looked at for contacts");
    if (cli_has_ending(args->source, ".json") || cli_is_file(args->source))
        cli_need(abut_mode_system_read(args->source, NULL, 0, args->lines, &out->rows, &cli_why));
    else if (is_system(args->source))
        load_builtin(args, out);
    else
        unknown(args->source);
    if (out->rows.def && out->rows.def->planar && args->lines >= 0 && args->lines != 1)
        cli_error("--nt: contacts in the plane have one line each");
}
