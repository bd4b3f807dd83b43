/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut robot: what a model is (bodies, joints, limits, masses, actuators, what was ignored), and where it stands in a
 * state. In: MJCF, URDF or a built-in model. Out: a table, or JSON.
 */
#include "operands.h"
#include "robot_shape.h"

#include <string.h>

typedef struct Args {
    Robot robot;
    int dynamics, list, json, distance;
    const char *capsules, *page; /* NULL: not wanted */
    AbutScene *scene;
    RobotPair *pairs; /* of --distance */
    int32_t pair_count;
} Args;

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_range(AbutJson *json, const char *key, int limited, const double range[2])
{
    abut_json_key(json, key);
    if (limited)
        abut_json_numbers(json, range, 2);
    else
        abut_json_null(json);
}

static void put_joints(const AbutModel *model, const AbutConfiguration *c, AbutJson *json)
{
    abut_json_key(json, "joints");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < model->joint_count; ++i) {
        const AbutJointDef *joint = &model->joints[i];
        abut_json_begin_object(json);
        abut_json_put_string(json, "name", joint->name);
        abut_json_put_string(json, "kind", abut_joint_kind_name(joint->kind));
        abut_json_put_string(json, "body", model->bodies[joint->body].name);
        abut_json_put_integer(json, "qpos", abut_configuration_joint_position(c, i));
        abut_json_put_integer(json, "qvel", abut_configuration_joint_velocity(c, i));
        put_range(json, "range", joint->limited, joint->range);
        put_range(json, "force_range", joint->force_limited, joint->force_range);
        abut_json_put_number(json, "armature", joint->armature);
        abut_json_put_number(json, "damping", joint->damping);
        abut_json_put_number(json, "friction_loss", joint->friction_loss);
        abut_json_put_number(json, "stiffness", joint->stiffness);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
}

static const char *target_name(const AbutModel *model, const AbutActuatorDef *actuator)
{
    switch (actuator->target) {
    case ABUT_TARGET_JOINT:
        return model->joints[actuator->number].name;
    case ABUT_TARGET_BODY:
        return model->bodies[actuator->number].name;
    case ABUT_TARGET_TENDON:
        return model->tendons[actuator->number].name;
    default:
        return model->frames[actuator->number].name;
    }
}

static void put_actuators(const AbutModel *model, AbutJson *json)
{
    abut_json_key(json, "actuators");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < model->actuator_count; ++i) {
        const AbutActuatorDef *actuator = &model->actuators[i];
        abut_json_begin_object(json);
        abut_json_put_string(json, "name", actuator->name);
        abut_json_put_string(json, "target_kind", abut_target_name(actuator->target));
        abut_json_put_string(json, "target", target_name(model, actuator));
        abut_json_key(json, "gear");
        abut_json_numbers(json, actuator->gear, 6);
        abut_json_put_number(json, "gain", actuator->gain);
        abut_json_key(json, "bias_terms");
        abut_json_numbers(json, actuator->bias, 3);
        put_range(json, "control_range", actuator->control_limited, actuator->control_range);
        put_range(json, "force_range", actuator->force_limited, actuator->force_range);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
}

static void put_names(AbutJson *json, const char *key, const char *const *first, size_t stride, int32_t count)
{
    abut_json_key(json, key);
    abut_json_begin_array(json);
    for (int32_t i = 0; i < count; ++i) {
        const char *name;
        memcpy(&name, (const char *)first + (size_t)i * stride, sizeof name);
        abut_json_string(json, name);
    }
    abut_json_end_array(json);
}

static int print_json(const CliCommand *command, const Args *args)
{
    const Robot *r = &args->robot;
    const AbutModel *model = r->model;
    AbutJson json = abut_json_to_file(stdout, 0);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "name", model->name);
    abut_json_put_integer(&json, "nq", abut_configuration_position_count(r->c));
    abut_json_put_integer(&json, "nv", abut_configuration_velocity_count(r->c));
    abut_json_key(&json, "qpos");
    abut_json_numbers(&json, abut_configuration_positions(r->c), abut_configuration_position_count(r->c));
    robot_put_state(r, &json);
    if (args->distance)
        robot_put_distances(args->scene, args->pairs, args->pair_count, &json);
    put_joints(model, r->c, &json);
    put_actuators(model, &json);
    put_names(
        &json, "frames", model->frame_count ? &model->frames[0].name : NULL, sizeof *model->frames, model->frame_count);
    put_names(&json, "keyframes", model->keyframe_count ? &model->keyframes[0].name : NULL, sizeof *model->keyframes,
        model->keyframe_count);
    abut_json_put_integer(&json, "equalities", model->equality_count);
    abut_json_put_integer(&json, "tendons", model->tendon_count);
    abut_json_key(&json, "warnings");
    abut_json_begin_array(&json);
    for (int i = 0; i < r->warning_count; ++i)
        abut_json_string(&json, r->warnings[i]);
    abut_json_end_array(&json);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, CLI_OK);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_joint(const AbutModel *model, const AbutJointDef *joint, double value)
{
    printf("  %-28s %-6s %-24s %10.6g", joint->name, abut_joint_kind_name(joint->kind), model->bodies[joint->body].name,
        value);
    if (joint->limited)
        printf("  [%g, %g]", joint->range[0], joint->range[1]);
    if (joint->force_limited)
        printf("  force [%g, %g]", joint->force_range[0], joint->force_range[1]);
    putchar('\n');
}

static void print_parts(const AbutModel *model)
{
    if (model->actuator_count)
        printf("actuators\n");
    for (int32_t i = 0; i < model->actuator_count; ++i) {
        const AbutActuatorDef *a = &model->actuators[i];
        printf("  %-28s %-6s %-24s gain %g, bias %g %g %g\n", a->name, abut_target_name(a->target),
            target_name(model, a), a->gain, a->bias[0], a->bias[1], a->bias[2]);
    }
    if (model->frame_count)
        printf("frames\n");
    for (int32_t i = 0; i < model->frame_count; ++i)
        printf("  %-28s on %s\n", model->frames[i].name,
            model->frames[i].body < 0 ? "the world" : model->bodies[model->frames[i].body].name);
    if (model->keyframe_count)
        printf("keyframes\n");
    for (int32_t i = 0; i < model->keyframe_count; ++i)
        printf("  %s\n", model->keyframes[i].name);
}

static void print_text(const Args *args)
{
    const Robot *r = &args->robot;
    const AbutModel *model = r->model;
    AbutVec3 center = cli_calm_vec(abut_configuration_center(r->c), 1.0);
    printf("%s: %d bodies, %d joints, %d actuators, %d equalities, %d tendons\n",
        *model->name ? model->name : r->source, (int)model->body_count, (int)model->joint_count,
        (int)model->actuator_count, (int)model->equality_count, (int)model->tendon_count);
    printf("  positions %d, velocities %d, moving mass %.9g kg, centre of mass %.9g %.9g %.9g m\n",
        (int)abut_configuration_position_count(r->c), (int)abut_configuration_velocity_count(r->c),
        abut_configuration_mass(r->c), center.x, center.y, center.z);
    printf("bodies\n");
    for (int32_t i = 0; i < model->body_count; ++i) {
        AbutPose pose = abut_configuration_body_pose(r->c, i);
        AbutVec3 p = cli_calm_vec(pose.p, 1.0), turn = cli_calm_vec(abut_vec3(pose.q.x, pose.q.y, pose.q.z), 1.0);
        printf("  %-28s %-9s %10.6g kg  at %.9g %.9g %.9g, %.9g %.9g %.9g %.9g\n", model->bodies[i].name,
            abut_body_kind_name(model->bodies[i].kind), model->bodies[i].mass, p.x, p.y, p.z, cli_calm(pose.q.w, 1.0),
            turn.x, turn.y, turn.z);
    }
    if (model->joint_count)
        printf("joints\n");
    for (int32_t i = 0; i < model->joint_count; ++i)
        print_joint(
            model, &model->joints[i], abut_configuration_positions(r->c)[abut_configuration_joint_position(r->c, i)]);
    print_parts(model);
    if (args->dynamics) {
        printf("kinetic energy %.9g J, potential energy %.9g J; --json prints the mass matrix and the bias\n",
            abut_configuration_kinetic_energy(r->c), abut_configuration_potential_energy(r->c));
    }
    if (args->distance)
        robot_print_distances(args->scene, args->pairs, args->pair_count);
}

static int print_list(const CliCommand *command, int as_json)
{
    int count;
    const AbutBuiltinScene *robots = abut_builtin_robots(&count);
    AbutJson json = abut_json_to_file(stdout, 2);
    for (int i = 0; i < count && !as_json; ++i)
        printf("  %s%s%-*s %s\n", robots[i].name, *robots[i].argument ? ":" : "",
            (int)(18 - strlen(robots[i].name) - (*robots[i].argument ? 1 : 0)), robots[i].argument, robots[i].summary);
    if (!as_json)
        return CLI_OK;
    abut_json_begin_array(&json);
    for (int i = 0; i < count; ++i) {
        abut_json_begin_object(&json);
        abut_json_put_string(&json, "name", robots[i].name);
        abut_json_put_string(&json, "argument", robots[i].argument);
        abut_json_put_string(&json, "summary", robots[i].summary);
        abut_json_end_object(&json);
    }
    abut_json_end_array(&json);
    return cli_json_end(command, &json, CLI_OK);
}

int cli_robot(const CliCommand *command, int argc, char **argv)
{
    Args args = {0};
    int operands;
    const CliOption options[] = {
        robot_state_option(&args.robot),
        robot_key_option(&args.robot),
        operands_outside_option(),
        {"--dynamics", NULL, CLI_FLAG, &args.dynamics, NULL, "mass matrix (with armature) and bias of the state too"},
        {"--distance", NULL, CLI_FLAG, &args.distance, NULL,
            "nearest pairs of bodies that may meet, in the state; closed "
            "meshes by their triangles, and how deep they are in each other"},
        {"--capsules", NULL, CLI_TEXT, &args.capsules, "FILE", "write a capsule around each body as CSV"},
        {"--html", NULL, CLI_TEXT, &args.page, "FILE",
            "a page of the robot in the state, with its meshes; with "
            "--capsules these, with --distance lines between the nearest pairs"},
        {"--list", NULL, CLI_FLAG, &args.list, NULL, "name the built-in robots"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status = cli_parse(command, options, sizeof options / sizeof options[0], argc, argv, &operands);
    if (status != CLI_GO)
        return status;
    if (args.list)
        return print_list(command, args.json);
    if (operands != 1)
        return cli_error(command, "one model expected, got %d; see 'abut help robot'", operands);
    args.robot.source = argv[0], args.robot.surfaces = args.distance || args.page, args.robot.drawn = args.page != NULL;
    const char *files[] = {args.capsules, args.page};
    status = cli_check_files(command, 1, (const char *const *)argv, 2, files);
    if (status == CLI_GO)
        status = robot_load(command, &args.robot);
    for (int i = 0; i < args.robot.warning_count; ++i)
        cli_warning(command, "%s", args.robot.warnings[i]);
    if (status == CLI_GO && args.dynamics)
        status = robot_find_dynamics(command, &args.robot);
    if (status == CLI_GO && args.distance)
        status = robot_distances(command, &args.robot, &args.scene, &args.pairs, &args.pair_count);
    if (status == CLI_GO && (args.capsules || args.page))
        status = robot_write_shapes(command, &args.robot, args.capsules, args.page, args.pairs, args.pair_count);
    if (status == CLI_GO) {
        if (!args.json)
            print_text(&args);
        status = args.json ? print_json(command, &args) : CLI_OK;
    }
    abut_free(args.pairs);
    abut_scene_free(args.scene);
    robot_free(&args.robot);
    return status;
}
