/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut robot: what a model is (bodies, joints, limits, masses, actuators, what was ignored), and where it stands in a
 * state. In: MJCF, URDF or a built-in model. Out: a table, or JSON.
 */
#include "operands.h"
#include "robot.h"

#include <string.h>

typedef struct Args {
    Robot robot;
    int dynamics, list, json, distance;
    const char *capsules, *page; /* NULL: not wanted */
    RobotPair *pairs;            /* of --distance */
    int32_t pair_count;
} Args;

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static const char *target_name(const AbutModel *model, const AbutActuatorDef *actuator) {
    switch (actuator->target) {
    case ABUT_TARGET_JOINT:
        return model->joints[actuator->number].name;
    case ABUT_TARGET_BODY:
    case ABUT_TARGET_CONTACTS:
        return model->bodies[actuator->number].name;
    case ABUT_TARGET_TENDON:
        return model->tendons[actuator->number].name;
    default:
        return model->frames[actuator->number].name;
    }
}

/* The texts that lie `stride` bytes apart. */
static const char **names_of(const void *first, size_t stride, int32_t count) {
    const char **out = cli_room((size_t)count, sizeof *out);
    for (int32_t i = 0; i < count; ++i) memcpy(&out[i], (const char *)first + (size_t)i * stride, sizeof *out);
    return out;
}

typedef struct BodyRow {
    const char *name;
    AbutVec3 position;
    double orientation[4];
} BodyRow;

static const AbutField body_fields[] = {
    {ABUT_FIELD(BodyRow, name, TEXT, "", "Name of the body.")},
    {ABUT_FIELD_VEC3(BodyRow, position, "m", "Position of its frame.")},
    {ABUT_FIELD(BodyRow, orientation, REAL, "", "Quaternion w, x, y, z."), .rows = 4},
};
static const AbutRecord body_record = ABUT_RECORD("body", "", BodyRow, body_fields);

typedef struct JointRow {
    const AbutJointDef *def;
    const char *body;
    int32_t qpos, qvel;
} JointRow;

static const AbutField joint_fields[] = {
    {ABUT_FIELD_OF(JointRow, def, abut_joint_record, "name kind"), .rows = ABUT_FIELD_POINTER},
    {ABUT_FIELD(JointRow, body, TEXT, "", "Body that it moves.")},
    {ABUT_FIELD(JointRow, qpos, INT, "", "First index in `qpos`.")},
    {ABUT_FIELD(JointRow, qvel, INT, "", "First index among the velocities.")},
    {ABUT_FIELD_OF(JointRow, def, abut_joint_record, "range force_range armature damping friction_loss stiffness"),
        .rows = ABUT_FIELD_POINTER},
};
static const AbutRecord joint_record = ABUT_RECORD("joint", "", JointRow, joint_fields);

typedef struct ActuatorRow {
    const AbutActuatorDef *def;
    const char *target;
} ActuatorRow;

static const AbutField actuator_fields[] = {
    {ABUT_FIELD_OF(ActuatorRow, def, abut_actuator_record, "name target_kind"), .rows = ABUT_FIELD_POINTER},
    {ABUT_FIELD(ActuatorRow, target, TEXT, "", "Name of what it drives.")},
    {ABUT_FIELD_OF(ActuatorRow, def, abut_actuator_record, "gear gain bias_terms control_range force_range"),
        .rows = ABUT_FIELD_POINTER},
};
static const AbutRecord actuator_record = ABUT_RECORD("actuator", "", ActuatorRow, actuator_fields);

typedef struct Answer {
    const char *name, **frames, **keyframes;
    int32_t nq, nv, equalities, tendons, warning_count, body_count, joint_count, actuator_count, frame_count,
        keyframe_count, pair_count;
    int with_dynamics, with_distances;
    const double *qpos, *mass_matrix, *bias;
    BodyRow *bodies;
    JointRow *joints;
    ActuatorRow *actuators;
    const RobotPair *distances;
    AbutVec3 com, moving_com;
    double mass, moving_mass;
    char *const *warnings;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, name, TEXT, "", "Name of the model.")},
    {ABUT_FIELD(Answer, nq, INT, "", "Number of coordinates.")},
    {ABUT_FIELD(Answer, nv, INT, "", "Number of velocities.")},
    {ABUT_FIELD(Answer, qpos, REAL, "rad, m", "Coordinates of the state."), .rows = ABUT_FIELD_POINTER,
        .count_at = offsetof(Answer, nq)},
    {ABUT_FIELD_AT(Answer, bodies, body_record, "All bodies."), .count_at = offsetof(Answer, body_count)},
    {ABUT_FIELD_VEC3(Answer, com, "m", "Center of mass of all bodies.")},
    {ABUT_FIELD(Answer, mass, REAL, "kg", "Mass of all bodies.")},
    {ABUT_FIELD_VEC3(Answer, moving_com, "m", "Center of mass of the bodies that move.")},
    {ABUT_FIELD(Answer, moving_mass, REAL, "kg", "Mass of the bodies that move.")},
    {ABUT_FIELD(Answer, mass_matrix, REAL, "", "With `--dynamics`: mass matrix, armature included."),
        .rows = ABUT_FIELD_POINTER, .count_at = offsetof(Answer, nv), .width_at = offsetof(Answer, nv),
        .shown_at = offsetof(Answer, with_dynamics)},
    {ABUT_FIELD(Answer, bias, REAL, "", "With `--dynamics`: Coriolis, centrifugal and gravity forces."),
        .rows = ABUT_FIELD_POINTER, .count_at = offsetof(Answer, nv), .shown_at = offsetof(Answer, with_dynamics)},
    {ABUT_FIELD_AT(Answer, distances, robot_pair_record, "With `--distance`: pairs of bodies, nearest first."),
        .count_at = offsetof(Answer, pair_count), .shown_at = offsetof(Answer, with_distances)},
    {ABUT_FIELD_AT(Answer, joints, joint_record, "All joints."), .count_at = offsetof(Answer, joint_count)},
    {ABUT_FIELD_AT(Answer, actuators, actuator_record, "All actuators."), .count_at = offsetof(Answer, actuator_count)},
    {ABUT_FIELD(Answer, frames, TEXT, "", "Names of frames."), .rows = ABUT_FIELD_POINTER,
        .count_at = offsetof(Answer, frame_count)},
    {ABUT_FIELD(Answer, keyframes, TEXT, "", "Names of keyframes."), .rows = ABUT_FIELD_POINTER,
        .count_at = offsetof(Answer, keyframe_count)},
    {ABUT_FIELD(Answer, equalities, INT, "", "Number of equalities.")},
    {ABUT_FIELD(Answer, tendons, INT, "", "Number of tendons.")},
    {ABUT_FIELD(Answer, warnings, TEXT, "", "What the reader ignored."), .rows = ABUT_FIELD_POINTER,
        .count_at = offsetof(Answer, warning_count)},
};
const AbutRecord cli_robot_answer = ABUT_RECORD("robot", "", Answer, answer_fields);

static void fill_rows(const Robot *r, Answer *a) {
    const AbutModel *m = r->model;
    a->bodies = cli_room((size_t)m->body_count, sizeof *a->bodies);
    a->joints = cli_room((size_t)m->joint_count, sizeof *a->joints);
    a->actuators = cli_room((size_t)m->actuator_count, sizeof *a->actuators);
    for (int32_t i = 0; i < m->body_count; ++i) {
        AbutPose p = abut_configuration_body_pose(r->c, i);
        a->bodies[i] = (BodyRow){m->bodies[i].name, p.p, {p.q.w, p.q.x, p.q.y, p.q.z}};
    }
    for (int32_t i = 0; i < m->joint_count; ++i)
        a->joints[i] = (JointRow){&m->joints[i], m->bodies[m->joints[i].body].name,
            abut_configuration_joint_place(r->c, i, ABUT_NUMBERS_POSITIONS),
            abut_configuration_joint_place(r->c, i, ABUT_NUMBERS_VELOCITIES)};
    for (int32_t i = 0; i < m->actuator_count; ++i)
        a->actuators[i] = (ActuatorRow){&m->actuators[i], target_name(m, &m->actuators[i])};
    a->frames = names_of(m->frame_count ? &m->frames[0].name : NULL, sizeof *m->frames, m->frame_count);
    a->keyframes = names_of(m->keyframe_count ? &m->keyframes[0].name : NULL, sizeof *m->keyframes, m->keyframe_count);
}

static int print_json(const Args *args) {
    const Robot *r = &args->robot;
    const AbutModel *m = r->model;
    const int32_t nv = abut_configuration_velocity_count(r->c);
    Answer a = {.name = m->name,
        .nq = abut_configuration_position_count(r->c),
        .nv = nv,
        .equalities = m->equality_count,
        .tendons = m->tendon_count,
        .warning_count = r->warning_count,
        .body_count = m->body_count,
        .joint_count = m->joint_count,
        .actuator_count = m->actuator_count,
        .frame_count = m->frame_count,
        .keyframe_count = m->keyframe_count,
        .pair_count = args->pair_count,
        .with_dynamics = r->dynamics != NULL,
        .with_distances = args->distance,
        .qpos = abut_configuration_positions(r->c),
        .mass_matrix = r->dynamics,
        .bias = r->dynamics ? r->dynamics + (size_t)nv * (size_t)nv : NULL,
        .distances = args->pairs,
        .moving_com = abut_configuration_center(r->c),
        .moving_mass = abut_configuration_mass(r->c),
        .warnings = r->warnings};
    fill_rows(r, &a);
    a.com = robot_center(r, &a.mass);
    return cli_answer(0, &cli_robot_answer, NULL, &a, CLI_OK);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_joint(const AbutModel *model, const AbutJointDef *joint, double value) {
    printf("  %-28s %-6s %-24s %10.6g", joint->name, abut_word(abut_joint_kind_names, joint->kind),
        model->bodies[joint->body].name, value);
    if (joint->limited) printf("  [%g, %g]", joint->range[0], joint->range[1]);
    if (joint->force_limited) printf("  force [%g, %g]", joint->force_range[0], joint->force_range[1]);
    putchar('\n');
}

static void print_parts(const AbutModel *model) {
    if (model->actuator_count) printf("actuators\n");
    for (int32_t i = 0; i < model->actuator_count; ++i) {
        const AbutActuatorDef *a = &model->actuators[i];
        printf("  %-28s %-6s %-24s gain %g, bias %g %g %g\n", a->name, abut_word(abut_target_names, a->target),
            target_name(model, a), a->gain, a->bias[0], a->bias[1], a->bias[2]);
    }
    if (model->frame_count) printf("frames\n");
    for (int32_t i = 0; i < model->frame_count; ++i)
        printf("  %-28s on %s\n", model->frames[i].name,
            model->frames[i].body < 0 ? "the world" : model->bodies[model->frames[i].body].name);
    if (model->keyframe_count) printf("keyframes\n");
    for (int32_t i = 0; i < model->keyframe_count; ++i) printf("  %s\n", model->keyframes[i].name);
}

static void print_text(const Args *args) {
    const Robot *r = &args->robot;
    const AbutModel *model = r->model;
    AbutVec3 center = cli_calm_vec(abut_configuration_center(r->c), 1.0);
    printf("%s: %d bodies, %d joints, %d actuators, %d equalities, %d tendons\n",
        *model->name ? model->name : r->source, (int)model->body_count, (int)model->joint_count,
        (int)model->actuator_count, (int)model->equality_count, (int)model->tendon_count);
    printf("  positions %d, velocities %d, moving mass %.9g kg, center of mass %.9g %.9g %.9g m\n",
        (int)abut_configuration_position_count(r->c), (int)abut_configuration_velocity_count(r->c),
        abut_configuration_mass(r->c), center.x, center.y, center.z);
    printf("bodies\n");
    for (int32_t i = 0; i < model->body_count; ++i) {
        AbutPose pose = abut_configuration_body_pose(r->c, i);
        AbutVec3 p = cli_calm_vec(pose.p, 1.0), turn = cli_calm_vec(abut_vec3(pose.q.x, pose.q.y, pose.q.z), 1.0);
        printf("  %-28s %-9s %10.6g kg  at %.9g %.9g %.9g, %.9g %.9g %.9g %.9g\n", model->bodies[i].name,
            abut_word(abut_body_kind_names, model->bodies[i].kind), model->bodies[i].mass, p.x, p.y, p.z,
            cli_calm(pose.q.w, 1.0), turn.x, turn.y, turn.z);
    }
    if (model->joint_count) printf("joints\n");
    for (int32_t i = 0; i < model->joint_count; ++i)
        print_joint(model, &model->joints[i],
            abut_configuration_positions(r->c)[abut_configuration_joint_place(r->c, i, ABUT_NUMBERS_POSITIONS)]);
    print_parts(model);
    if (args->dynamics) {
        printf("kinetic energy %.9g J, potential energy %.9g J; --json prints the mass matrix and the bias\n",
            abut_configuration_kinetic_energy(r->c), abut_configuration_potential_energy(r->c));
    }
    if (args->distance) robot_print_distances(args->pairs, args->pair_count);
}

static int print_list(int as_json) {
    int count;
    const AbutBuiltinScene *robots = abut_builtin_scenes(1, &count);
    if (as_json) return cli_answers(2, &abut_builtin_scene_record, robots, count);
    for (int i = 0; i < count; ++i)
        printf("  %s%s%-*s %s\n", robots[i].name, *robots[i].argument ? ":" : "",
            (int)(18 - strlen(robots[i].name) - (*robots[i].argument ? 1 : 0)), robots[i].argument, robots[i].summary);
    return CLI_OK;
}

int cli_robot(int argc, char **argv) {
    Args args = {0};
    const CliOption options[] = {
        cli_row("--state", &args.robot.state),
        cli_row("--keyframe", &args.robot.key),
        OPERAND_MODELS,
        OPTION("--dynamics", CLI_FLAG, &args.dynamics, NULL, "mass matrix (with armature) and bias of the state too"),
        OPTION("--distance", CLI_FLAG, &args.distance, NULL,
            "nearest pairs of bodies that may meet, in the state; closed "
            "meshes by their triangles, and how deep they are in each other"),
        OPTION("--capsules", CLI_OUTPUT, &args.capsules, "FILE", "write a capsule around each body as CSV"),
        OPTION("--html", CLI_OUTPUT, &args.page, "FILE",
            "a page of the robot in the state, with its meshes; with "
            "--capsules these, with --distance lines between the nearest pairs"),
        OPTION("--list", CLI_FLAG, &args.list, NULL, "name the built-in robots"),
        cli_row("--json", &args.json),
    };
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (args.list) return print_list(args.json);
    if (operands != 1) cli_error("expected one model, got %d; see 'abut help robot'", operands);
    args.robot.source = argv[0], args.robot.surfaces = args.distance || args.page, args.robot.drawn = args.page != NULL;
    robot_load(&args.robot);
    robot_warn(&args.robot);
    if (args.dynamics) robot_find_dynamics(&args.robot);
    if (args.distance) args.pairs = robot_distances(&args.robot, &args.pair_count);
    if (args.capsules || args.page)
        robot_write_shapes(&args.robot, args.capsules, args.page, args.pairs, args.pair_count);
    if (args.json) return print_json(&args);
    print_text(&args);
    return CLI_OK;
}
