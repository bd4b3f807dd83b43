/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of `abut robot` and `abut ik`: reading it, setting its state; which of its bodies are near each other, and
 * a capsule around each of them, as tables and as a page.
 */
#include "robot.h"
#include "operands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void keep_warning(const char *text, void *user) {
    Robot *robot = user;
    if (robot->warning_count < ROBOT_WARNINGS)
        robot->warnings[robot->warning_count++] = strcpy(cli_room(strlen(text), 1), text);
}

void robot_warn(const Robot *robot) {
    for (int i = 0; i < robot->warning_count; ++i) cli_warning("%s", robot->warnings[i]);
}

static void unknown_key(const AbutModel *model, const char *source, const char *key) {
    if (!model->keyframe_count) cli_error("--keyframe: %s has no keyframes", source);
    const char *near = abut_suggest(key, model->keyframe_count, &model->keyframes[0].name, sizeof model->keyframes[0]);
    if (near) cli_error("--keyframe: no keyframe '%s'; did you mean '%s'?", key, near);
    cli_error("--keyframe: no keyframe '%s'; %s has %d, the first is '%s'", key, source, (int)model->keyframe_count,
        model->keyframes[0].name);
}

void robot_find_key(const AbutModel *model, const char *source, const char *key, int32_t *out) {
    char *end;
    long number = strtol(key, &end, 10);
    *out = abut_model_find(model, ABUT_MODEL_KEYFRAME, key);
    if (*out < 0 && *key && !*end && number >= 0 && number < model->keyframe_count) *out = (int32_t)number;
    if (*out < 0) unknown_key(model, source, key);
}

static void set_key(Robot *robot) {
    int32_t key;
    robot_find_key(robot->model, robot->source, robot->key, &key);
    if (abut_configuration_set_keyframe(robot->c, key, &cli_why) != ABUT_OK)
        cli_error("--keyframe %s: %s", robot->key, cli_why.text);
}

/* Mass and center of all bodies that have some, also of those that stand. */
AbutVec3 robot_center(const Robot *robot, double *mass) {
    *mass = abut_configuration_mass(robot->c);
    AbutVec3 sum = abut_scale(abut_configuration_center(robot->c), *mass);
    for (int32_t i = 0; i < robot->model->body_count; ++i) {
        const AbutBodyDef *body = &robot->model->bodies[i];
        if (abut_model_is_movable(robot->model, i)) continue;
        AbutVec3 at = abut_pose_apply(abut_configuration_body_pose(robot->c, i), body->center);
        sum = abut_add_scaled(sum, at, body->mass);
        *mass += body->mass;
    }
    return *mass > 0.0 ? abut_scale(sum, 1.0 / *mass) : sum;
}

/* Numbers of a file or a state may be finite, and what follows from them not. */
static void check_numbers(const Robot *robot) {
    double mass;
    AbutVec3 center = robot_center(robot, &mass);
    if (!abut_is_finite(center) || !isfinite(mass))
        cli_error("%s: expected smaller lengths and masses: the center of mass is not finite", robot->source);
    for (int32_t i = 0; i < robot->model->body_count; ++i)
        if (!abut_pose_is_finite(abut_configuration_body_pose(robot->c, i)))
            cli_error("%s: expected smaller lengths: the pose of body '%s' is not finite", robot->source,
                robot->model->bodies[i].name);
}

void robot_set_state(Robot *robot) {
    if (robot->key && robot->state) cli_error("--state and --keyframe: one of them, not both");
    if (robot->state) cli_need(abut_state_read(robot->state, NULL, 0, robot->c, &cli_why));
    if (robot->key) set_key(robot);
    check_numbers(robot);
}

void robot_load(Robot *robot) {
    const AbutTree *tree = NULL;
    robot->model = operands_read_model(robot->source, 1,
        (AbutModelReadOptions){.warn = keep_warning,
            .user = robot,
            .without_visuals = !robot->drawn,
            .drawn_meshes = robot->drawn,
            .hulls = !robot->surfaces});
    cli_need(abut_tree_create(robot->model, &tree, &cli_why));
    cli_need(abut_configuration_create(tree, &robot->c, &cli_why));
    robot_set_state(robot);
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

void robot_find_dynamics(Robot *robot) {
    size_t n = (size_t)abut_configuration_velocity_count(robot->c);
    double sum = abut_configuration_kinetic_energy(robot->c) + abut_configuration_potential_energy(robot->c);
    robot->dynamics = cli_room(n * n + n, sizeof *robot->dynamics);
    abut_configuration_mass_matrix(robot->c, robot->dynamics);
    abut_configuration_bias(robot->c, robot->dynamics + n * n);
    for (size_t i = 0; i < n * n + n && isfinite(sum); ++i)
        sum = isfinite(robot->dynamics[i]) ? sum : robot->dynamics[i];
    if (!isfinite(sum))
        cli_error("%s: expected smaller velocities, lengths and masses: mass matrix, bias or energy are not finite",
            robot->state ? robot->state : robot->source);
}

/* Appends up to 20 names, which lie `stride` bytes apart, for a message; leaves room for a few words. */
static void list_names(char *to, size_t room, int32_t count, const char *const *first, size_t stride) {
    for (int32_t i = 0; i < count && i < 20; ++i) {
        const char *name = *(const char *const *)(const void *)((const char *)first + (size_t)i * stride);
        size_t n = strlen(to);
        if (n + strlen(name) + 24 < room) snprintf(to + n, room - n, "%s %s", i ? "," : "", name);
    }
    if (count > 20 || count == 0) strcat(to, count ? ", ..." : " none");
}

void robot_find_frame(const char *option, const Robot *robot, const char *name, int32_t *body, AbutPose *pose) {
    const AbutModel *model = robot->model;
    int32_t frame = abut_model_find(model, ABUT_MODEL_FRAME, name);
    *pose = abut_pose_identity();
    if (frame >= 0) {
        *body = model->frames[frame].body;
        *pose = model->frames[frame].pose;
        return;
    }
    *body = abut_model_find(model, ABUT_MODEL_BODY, name);
    if (*body >= 0) return;
    char known[600] = "frames:";
    list_names(known, sizeof known, model->frame_count, model->frame_count ? &model->frames[0].name : NULL,
        sizeof model->frames[0]);
    strcat(known, "; bodies:");
    list_names(known, sizeof known, model->body_count, model->body_count ? &model->bodies[0].name : NULL,
        sizeof model->bodies[0]);
    cli_error("%s: no frame or body '%s' in %s; %s", option, name, robot->source, known);
}

AbutIkTask robot_task(
    const char *frame_option, const char *option, const Robot *robot, const char *frame, const CliReals *target) {
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

enum { MOST_PRINTED = 10 };

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* Meshes that meet by their depth. */
static double signed_distance(const RobotPair *pair) {
    return isnan(pair->depth) ? pair->d.gap.distance : -pair->depth;
}

static int compare(const void *a, const void *b) {
    const RobotPair *x = a, *y = b;
    double p = signed_distance(x), q = signed_distance(y);
    if (p != q) return p < q ? -1 : 1;
    return x->d.body_a.index1 != y->d.body_a.index1
               ? (x->d.body_a.index1 < y->d.body_a.index1 ? -1 : 1)
               : (x->d.body_b.index1 > y->d.body_b.index1) - (x->d.body_b.index1 < y->d.body_b.index1);
}

static const char *name_of(const AbutScene *scene, AbutBodyId id) {
    AbutBodyState state;
    return abut_scene_get_body(scene, id, &state) ? state.name : "";
}

RobotPair *robot_distances(const Robot *robot, int32_t *count) {
    AbutSceneSurfaces *surfaces = NULL;
    AbutScene *scene = operands_scene(robot->model);
    if (abut_scene_robot_count(scene))
        cli_need(abut_scene_set_joints(scene, 0, abut_configuration_position_count(robot->c),
            abut_configuration_positions(robot->c), 0, NULL, &cli_why));
    cli_need(abut_scene_surfaces_create(scene, 0, &surfaces, &cli_why));
    int bodies = abut_scene_body_count(scene), most = bodies * (bodies - 1) / 2;
    AbutSceneDistance *found = cli_room((size_t)most, sizeof *found);
    RobotPair *out = cli_room((size_t)most, sizeof *out);
    *count = abut_scene_distances(scene, surfaces, INFINITY, most, found);
    for (int32_t i = 0; i < *count; ++i) {
        AbutGap depth;
        out[i] = (RobotPair){name_of(scene, found[i].body_a), name_of(scene, found[i].body_b), found[i], NAN};
        if (found[i].gap.distance == 0.0 && (found[i].mesh_a || found[i].mesh_b) &&
            abut_scene_surface_depth(surfaces, &found[i], &depth, NULL) == ABUT_OK && depth.verified)
            out[i].depth = 0.0 - depth.distance;
    }
    qsort(out, (size_t)*count, sizeof *out, compare);
    return out;
}

/* Kind of measurement, unless it is of two convex shapes. */
static const char *by_name(const AbutSceneDistance *d) {
    static const char *const names[2][2] = {
        {"", ", the second by its triangles"}, {", the first by its triangles", ", both by their triangles"}};
    return names[d->mesh_a][d->mesh_b];
}

void robot_print_distances(const RobotPair *pairs, int32_t count) {
    printf("nearest of %d pairs that may meet\n", (int)count);
    for (int32_t i = 0; i < count && i < MOST_PRINTED; ++i) {
        printf("  %-28s %-28s %.9g m%s", pairs[i].a, pairs[i].b, pairs[i].d.gap.distance, by_name(&pairs[i].d));
        if (!isnan(pairs[i].depth)) printf(", in each other by at most %.6g m", pairs[i].depth);
        printf("\n");
    }
    if (count > MOST_PRINTED) printf("  --json prints all\n");
}

static const AbutField pair_fields[] = {
    {ABUT_FIELD(RobotPair, a, TEXT, "", "Name of one body.")},
    {ABUT_FIELD(RobotPair, b, TEXT, "", "Name of the other.")},
    {ABUT_FIELD_AS("distance", RobotPair, d.gap.distance, REAL, "m", "Their distance.")},
    {ABUT_FIELD_AS("depth_uncertified", RobotPair, depth, REAL, "m", "Depth of meshes that meet; null: unknown.")},
    {ABUT_FIELD_AS("point_a", RobotPair, d.gap.point_a, REAL, "m", "Nearest point of `a`."), .rows = 3},
    {ABUT_FIELD_AS("point_b", RobotPair, d.gap.point_b, REAL, "m", "Nearest point of `b`."), .rows = 3},
    {ABUT_FIELD_AS("normal", RobotPair, d.gap.normal, REAL, "", "Unit vector from `a` to `b`."), .rows = 3},
    {ABUT_FIELD_AS("mesh_a", RobotPair, d.mesh_a, FLAG, "", "`a` is measured by its triangles.")},
    {ABUT_FIELD_AS("mesh_b", RobotPair, d.mesh_b, FLAG, "", "`b` is measured by its triangles.")},
};
const AbutRecord robot_pair_record = ABUT_RECORD("distance", "", RobotPair, pair_fields);

/* ---- capsules ---------------------------------------------------------------------------------------------------- */

typedef struct CapsuleRow {
    const char *body;
    AbutCapsule c;
    double volume;
} CapsuleRow;

static const AbutField capsule_fields[] = {
    {ABUT_FIELD(CapsuleRow, body, TEXT, "", "")},
    {ABUT_FIELD_AS("a", CapsuleRow, c.a, REAL, "m", ""), .rows = 3},
    {ABUT_FIELD_AS("b", CapsuleRow, c.b, REAL, "m", ""), .rows = 3},
    {ABUT_FIELD_AS("radius", CapsuleRow, c.radius, REAL, "m", "")},
    {ABUT_FIELD(CapsuleRow, volume, REAL, "m^3", "")},
};
static const AbutRecord capsule_record = ABUT_RECORD("capsule", "", CapsuleRow, capsule_fields);

static void write_all(const Robot *robot, AbutCsv *csv, AbutModel *shown) {
    for (int32_t b = 0; b < robot->model->body_count; ++b) {
        CapsuleRow row = {.body = robot->model->bodies[b].name};
        if (!abut_model_body_capsule(robot->model, b, &row.c)) continue;
        row.volume = abut_capsule_mass(row.c).volume;
        abut_csv_record(csv, &capsule_record, "body a b radius volume", &row);
        cli_need(abut_model_draw_capsule(shown, b, row.c, 0xd08020, &cli_why));
    }
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

/* How thick lines are: by the reach of the robot. */
static double line_radius(const Robot *robot) {
    double reach = 0.0;
    AbutVec3 from = abut_configuration_center(robot->c);
    for (int32_t b = 0; b < robot->model->body_count; ++b)
        reach = fmax(reach, abut_point_distance(from, abut_configuration_body_pose(robot->c, b).p));
    return reach > 0.0 ? 0.005 * reach : 0.002;
}

/* Lines between the nearest pairs, on a body of their own. */
static void add_lines(const Robot *robot, const RobotPair *pairs, int32_t count, AbutModel *shown) {
    AbutBodyDef body = abut_body_default();
    int32_t number;
    body.name = "nearest pairs";
    body.kind = ABUT_BODY_STATIC;
    if (count > 0) cli_need(abut_model_add_body(shown, &body, &number, &cli_why));
    for (int32_t i = 0; i < count && i < MOST_PRINTED; ++i) {
        AbutCapsule line = {pairs[i].d.gap.point_a, pairs[i].d.gap.point_b, line_radius(robot)};
        cli_need(abut_model_draw_capsule(shown, number, line, 0xd02020, &cli_why));
    }
}

void robot_write_shapes(
    const Robot *robot, const char *path, const char *page, const RobotPair *pairs, int32_t pair_count) {
    AbutCsv *csv = NULL;
    AbutModel *shown = NULL;
    cli_need(abut_model_copy(robot->model, &shown, &cli_why));
    if (path) {
        cli_need(abut_csv_open(path, "body,ax,ay,az,bx,by,bz,radius,volume", &csv, &cli_why));
        write_all(robot, csv, shown);
    }
    add_lines(robot, pairs, pair_count, shown);
    if (page)
        cli_need(abut_page_write_model(
            page, cli_base_name(robot->source), shown, -1, abut_configuration_positions(robot->c), &cli_why));
    if (csv) cli_need(abut_csv_commit(csv, &cli_why));
}
