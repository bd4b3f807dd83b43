/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of a robot: which of its bodies are near each other in a state, and a capsule around each of them. In: a model
 * and a configuration. Out: pairs in the order of their distance; a table of capsules; a page with both.
 */
#include "robot.h"

#include <math.h>
#include <stdlib.h>

#include "run_page.h"
#include "operands.h"

enum { MOST_PRINTED = 10 };

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* Meshes that meet by their depth. */
static double signed_distance(const RobotPair *pair)
{
    return isnan(pair->depth) ? pair->d.gap.distance : -pair->depth;
}

static int compare(const void *a, const void *b)
{
    const RobotPair *x = a, *y = b;
    double p = signed_distance(x), q = signed_distance(y);
    if (p != q)
        return p < q ? -1 : 1;
    return x->d.body_a.index1 != y->d.body_a.index1
               ? (x->d.body_a.index1 < y->d.body_a.index1 ? -1 : 1)
               : (x->d.body_b.index1 > y->d.body_b.index1) - (x->d.body_b.index1 < y->d.body_b.index1);
}

static const char *name_of(const AbutScene *scene, AbutBodyId id)
{
    AbutBodyState state;
    return abut_scene_get_body(scene, id, &state) ? state.name : "";
}

RobotPair *robot_distances(const Robot *robot, int32_t *count)
{
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

/* What was measured, where that is not two convex shapes. */
static const char *by_name(const AbutSceneDistance *d)
{
    static const char *const names[2][2] = {
        {"", ", the second by its triangles"}, {", the first by its triangles", ", both by their triangles"}};
    return names[d->mesh_a][d->mesh_b];
}

void robot_print_distances(const RobotPair *pairs, int32_t count)
{
    printf("nearest of %d pairs that may meet\n", (int)count);
    for (int32_t i = 0; i < count && i < MOST_PRINTED; ++i) {
        printf("  %-28s %-28s %.9g m%s", pairs[i].a, pairs[i].b, pairs[i].d.gap.distance, by_name(&pairs[i].d));
        if (!isnan(pairs[i].depth))
            printf(", in each other by at most %.6g m", pairs[i].depth);
        printf("\n");
    }
    if (count > MOST_PRINTED)
        printf("  --json prints all\n");
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

static void write_all(const Robot *robot, AbutCsv *csv, AbutModel *shown)
{
    for (int32_t b = 0; b < robot->model->body_count; ++b) {
        CapsuleRow row = {.body = robot->model->bodies[b].name};
        if (!abut_model_body_capsule(robot->model, b, &row.c))
            continue;
        row.volume = abut_capsule_mass(row.c).volume;
        abut_csv_record(csv, &capsule_record, "body a b radius volume", &row);
        cli_need(abut_model_draw_capsule(shown, b, row.c, 0xd08020, &cli_why));
    }
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

/* How thick lines are: by the reach of the robot. */
static double line_radius(const Robot *robot)
{
    double reach = 0.0;
    AbutVec3 from = abut_configuration_center(robot->c);
    for (int32_t b = 0; b < robot->model->body_count; ++b)
        reach = fmax(reach, abut_point_distance(from, abut_configuration_body_pose(robot->c, b).p));
    return reach > 0.0 ? 0.005 * reach : 0.002;
}

/* Lines between the nearest pairs, on a body of their own. */
static void add_lines(const Robot *robot, const RobotPair *pairs, int32_t count, AbutModel *shown)
{
    AbutBodyDef body = abut_body_default();
    int32_t number;
    body.name = "nearest pairs";
    body.kind = ABUT_BODY_STATIC;
    if (count > 0)
        cli_need(abut_model_add_body(shown, &body, &number, &cli_why));
    for (int32_t i = 0; i < count && i < MOST_PRINTED; ++i) {
        AbutCapsule line = {pairs[i].d.gap.point_a, pairs[i].d.gap.point_b, line_radius(robot)};
        cli_need(abut_model_draw_capsule(shown, number, line, 0xd02020, &cli_why));
    }
}

void robot_write_shapes(
    const Robot *robot, const char *path, const char *page, const RobotPair *pairs, int32_t pair_count)
{
    AbutCsv *csv = NULL;
    AbutModel *shown = NULL;
    cli_need(abut_model_copy(robot->model, &shown, &cli_why));
    if (path) {
        cli_need(abut_csv_open(path, "body,ax,ay,az,bx,by,bz,radius,volume", &csv, &cli_why));
        write_all(robot, csv, shown);
    }
    add_lines(robot, pairs, pair_count, shown);
    if (page)
        model_page_write(
            &(ModelPage){page, cli_base_name(robot->source), shown, -1, abut_configuration_positions(robot->c)});
    if (csv)
        cli_need(abut_csv_commit(csv, &cli_why));
}
