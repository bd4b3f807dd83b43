/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of a robot: which of its bodies are near each other in a state, and a capsule around each of them. In: a model
 * and a configuration. Out: pairs in the order of their distance; a table of capsules; a page with both.
 */
#include "robot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void measure(const AbutScene *scene, AbutSceneSurfaces *surfaces, int pairs, RobotPair **out, int32_t *count)
{
    AbutSceneDistance *found = cli_room((size_t)pairs, sizeof *found);
    *out = cli_room((size_t)pairs, sizeof **out);
    *count = abut_scene_distances(scene, surfaces, INFINITY, pairs, found);
    for (int32_t i = 0; i < *count; ++i) {
        AbutGap depth;
        (*out)[i] = (RobotPair){found[i], NAN};
        if (found[i].gap.distance == 0.0 && (found[i].mesh_a || found[i].mesh_b) &&
            abut_scene_surface_depth(surfaces, &found[i], &depth, NULL) == ABUT_OK && depth.verified)
            (*out)[i].depth = 0.0 - depth.distance;
    }
    abut_free(found);
    qsort(*out, (size_t)*count, sizeof **out, compare);
}

void robot_distances(const Robot *robot, AbutScene **scene, RobotPair **out, int32_t *count)
{
    AbutSceneSurfaces *surfaces = NULL;
    *out = NULL;
    *count = 0;
    *scene = operands_scene(robot->model);
    if (abut_scene_robot_count(*scene))
        cli_need(abut_scene_set_joints(*scene, 0, abut_configuration_position_count(robot->c),
            abut_configuration_positions(robot->c), 0, NULL, &cli_why));
    cli_need(abut_scene_surfaces_create(*scene, 0, &surfaces, &cli_why));
    int bodies = abut_scene_body_count(*scene);
    measure(*scene, surfaces, bodies * (bodies - 1) / 2, out, count);
    abut_scene_surfaces_free(surfaces);
}

static const char *name_of(const AbutScene *scene, AbutBodyId id)
{
    AbutBodyState state;
    return abut_scene_get_body(scene, id, &state) ? state.name : "";
}

/* What was measured, where that is not two convex shapes. */
static const char *by_name(const AbutSceneDistance *d)
{
    static const char *const names[2][2] = {
        {"", ", the second by its triangles"}, {", the first by its triangles", ", both by their triangles"}};
    return names[d->mesh_a][d->mesh_b];
}

void robot_print_distances(const AbutScene *scene, const RobotPair *pairs, int32_t count)
{
    printf("nearest of %d pairs that may meet\n", (int)count);
    for (int32_t i = 0; i < count && i < MOST_PRINTED; ++i) {
        printf("  %-28s %-28s %.9g m%s", name_of(scene, pairs[i].d.body_a), name_of(scene, pairs[i].d.body_b),
            pairs[i].d.gap.distance, by_name(&pairs[i].d));
        if (!isnan(pairs[i].depth))
            printf(", in each other by at most %.6g m", pairs[i].depth);
        printf("\n");
    }
    if (count > MOST_PRINTED)
        printf("  --json prints all\n");
}

typedef struct PairRow {
    const char *a, *b;
    RobotPair pair;
} PairRow;

static const AbutField pair_fields[] = {
    {ABUT_FIELD(PairRow, a, TEXT, "", "Name of one body.")},
    {ABUT_FIELD(PairRow, b, TEXT, "", "Name of the other.")},
    {ABUT_FIELD_AS("distance", PairRow, pair.d.gap.distance, REAL, "m", "Their distance.")},
    {ABUT_FIELD_AS("depth_uncertified", PairRow, pair.depth, REAL, "m", "Depth of meshes that meet; null: unknown.")},
    {ABUT_FIELD_AS("point_a", PairRow, pair.d.gap.point_a, REAL, "m", "Nearest point of `a`."), .rows = 3},
    {ABUT_FIELD_AS("point_b", PairRow, pair.d.gap.point_b, REAL, "m", "Nearest point of `b`."), .rows = 3},
    {ABUT_FIELD_AS("normal", PairRow, pair.d.gap.normal, REAL, "", "Unit vector from `a` to `b`."), .rows = 3},
    {ABUT_FIELD_AS("mesh_a", PairRow, pair.d.mesh_a, FLAG, "", "`a` is measured by its triangles.")},
    {ABUT_FIELD_AS("mesh_b", PairRow, pair.d.mesh_b, FLAG, "", "`b` is measured by its triangles.")},
};
const AbutRecord robot_pair_record = ABUT_RECORD("distance", "", PairRow, pair_fields);

void robot_put_distances(const AbutScene *scene, const RobotPair *pairs, int32_t count, AbutJson *json)
{
    abut_json_begin_array(json);
    for (int32_t i = 0; i < count; ++i)
        abut_record_put_object(json, &robot_pair_record,
            &(PairRow){name_of(scene, pairs[i].d.body_a), name_of(scene, pairs[i].d.body_b), pairs[i]});
    abut_json_end_array(json);
}

/* ---- capsules ---------------------------------------------------------------------------------------------------- */

/* Vertices of the shapes of a body that touch, in its frame; of those that are drawn where there are no others. */
static AbutVec3 *points_of(const AbutModel *model, int32_t body, int visual, int *count)
{
    size_t capacity = 0;
    AbutVec3 *points = NULL;
    *count = 0;
    for (int32_t s = abut_model_next_shape(model, body, -1); s >= 0; s = abut_model_next_shape(model, body, s)) {
        const AbutShapeDef *shape = &model->shapes[s];
        const AbutPolyhedron *p = shape->geometry->polyhedron;
        if (!p || (shape->visual != 0) != visual)
            continue;
        if (!abut_grow((void **)&points, &capacity, (size_t)(*count + p->vertex_count), sizeof *points))
            break;
        for (int i = 0; i < p->vertex_count; ++i)
            points[(*count)++] = abut_pose_apply(shape->pose, abut_polyhedron_vertices(p)[i]);
    }
    return points;
}

/* 1: there is one around what the body has. */
static int capsule_of(const AbutModel *model, int32_t body, AbutCapsule *out)
{
    int found = 0;
    for (int visual = 0; visual < 2 && !found; ++visual) {
        int count;
        AbutVec3 *points = points_of(model, body, visual, &count);
        found = count > 0 && abut_capsule_around(points, count, out, NULL) == ABUT_OK && out->radius > 0.0;
        abut_free(points);
    }
    return found;
}

/* The capsule as a shape that is only drawn; its axis is z of the shape. */
static void add_capsule(AbutModel *model, int32_t body, const AbutCapsule *c, uint32_t color)
{
    AbutShapeDef shape = abut_shape_default();
    AbutVec3 along = abut_sub(c->b, c->a), z = abut_normalize_or(along, abut_axis(2));
    AbutVec3 turn = abut_cross(abut_axis(2), z);
    double s = abut_length(turn);
    shape.body = body;
    shape.form.kind = ABUT_SHAPE_CAPSULE;
    shape.form.size = abut_vec3(c->radius, c->radius, 0.5 * abut_length(along) + 1e-6 * c->radius);
    shape.pose.p = abut_lerp(c->a, c->b, 0.5);
    if (s > 0.0)
        shape.pose.q = abut_quat_exp(abut_scale(turn, atan2(s, z.z) / s));
    shape.visual = 1;
    shape.color = color;
    cli_need(abut_model_add_shape(model, &shape, NULL, &cli_why));
}

static void put_row(AbutCsv *csv, const char *name, const AbutCapsule *c)
{
    abut_csv_text(csv, name);
    abut_csv_vec3(csv, c->a);
    abut_csv_vec3(csv, c->b);
    abut_csv_number(csv, c->radius);
    abut_csv_number(csv, abut_capsule_mass(*c).volume);
    abut_csv_end_row(csv);
}

static void write_all(const Robot *robot, AbutCsv *csv, AbutModel *shown)
{
    for (int32_t b = 0; b < robot->model->body_count; ++b) {
        AbutCapsule capsule;
        if (!capsule_of(robot->model, b, &capsule))
            continue;
        put_row(csv, robot->model->bodies[b].name, &capsule);
        add_capsule(shown, b, &capsule, 0xd08020);
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
        add_capsule(shown, number, &line, 0xd02020);
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
    abut_model_free(shown);
}
