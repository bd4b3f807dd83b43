/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of a robot: which of its bodies are near each other in a state, and a capsule around each of them. In: a model
 * and a configuration. Out: pairs in the order of their distance; a table and a page of capsules.
 */
#include "robot_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_page.h"

enum { MOST_PRINTED = 10 };

/* ---- distances --------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const AbutSceneDistance *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->body_a.index1 != y->body_a.index1
               ? (x->body_a.index1 < y->body_a.index1 ? -1 : 1)
               : (x->body_b.index1 > y->body_b.index1) - (x->body_b.index1 < y->body_b.index1);
}

/* The robot in a scene of its own, in its state. */
static AbutStatus place(const Robot *robot, AbutScene **scene, AbutError *error)
{
    AbutStatus status = abut_scene_create(scene, error);
    if (status == ABUT_OK)
        status = abut_scene_add_model(*scene, robot->model, abut_pose_identity(), NULL, error);
    if (status == ABUT_OK && abut_scene_robot_count(*scene))
        status = abut_scene_set_joints(*scene, 0, abut_configuration_position_count(robot->c),
            abut_configuration_positions(robot->c), 0, NULL, error);
    return status;
}

int robot_distances(
    const CliCommand *command, const Robot *robot, AbutScene **scene, AbutSceneDistance **out, int32_t *count)
{
    AbutError error;
    AbutSceneSurfaces *surfaces = NULL;
    *out = NULL;
    *count = 0;
    if (place(robot, scene, &error) != ABUT_OK || abut_scene_surfaces_create(*scene, 0, &surfaces, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int bodies = abut_scene_body_count(*scene), pairs = bodies * (bodies - 1) / 2;
    *out = abut_alloc_array((size_t)pairs + 1, sizeof **out);
    if (*out) {
        *count = abut_scene_surface_distances(surfaces, INFINITY, pairs, *out);
        qsort(*out, (size_t)*count, sizeof **out, compare);
    }
    abut_scene_surfaces_free(surfaces);
    return *out ? CLI_GO : cli_error(command, "no memory for %d pairs", pairs);
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

void robot_print_distances(const AbutScene *scene, const AbutSceneDistance *pairs, int32_t count)
{
    printf("nearest of %d pairs that may meet\n", (int)count);
    for (int32_t i = 0; i < count && i < MOST_PRINTED; ++i)
        printf("  %-28s %-28s %.9g m%s\n", name_of(scene, pairs[i].body_a), name_of(scene, pairs[i].body_b),
            pairs[i].distance, by_name(&pairs[i]));
    if (count > MOST_PRINTED)
        printf("  --json prints all\n");
}

void robot_put_distances(const AbutScene *scene, const AbutSceneDistance *pairs, int32_t count, AbutJson *json)
{
    abut_json_key(json, "distances");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < count; ++i) {
        abut_json_begin_object(json);
        abut_json_put_string(json, "a", name_of(scene, pairs[i].body_a));
        abut_json_put_string(json, "b", name_of(scene, pairs[i].body_b));
        abut_json_put_number(json, "distance", pairs[i].distance);
        abut_json_put_vec3(json, "point_a", pairs[i].point_a);
        abut_json_put_vec3(json, "point_b", pairs[i].point_b);
        abut_json_put_vec3(json, "normal", pairs[i].normal);
        abut_json_put_bool(json, "mesh_a", pairs[i].mesh_a);
        abut_json_put_bool(json, "mesh_b", pairs[i].mesh_b);
        abut_json_end_object(json);
    }
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
static AbutStatus add_capsule(AbutModel *model, int32_t body, const AbutCapsule *c, AbutError *error)
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
    shape.color = 0xd08020;
    return abut_model_add_shape(model, &shape, NULL, error);
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

static AbutStatus write_all(const Robot *robot, AbutCsv *csv, AbutModel *shown, AbutError *error)
{
    AbutStatus status = ABUT_OK;
    for (int32_t b = 0; b < robot->model->body_count && status == ABUT_OK; ++b) {
        AbutCapsule capsule;
        if (!capsule_of(robot->model, b, &capsule))
            continue;
        put_row(csv, robot->model->bodies[b].name, &capsule);
        status = add_capsule(shown, b, &capsule, error);
    }
    return status;
}

int robot_write_capsules(const CliCommand *command, const Robot *robot, const char *path, const char *page)
{
    AbutCsv *csv = NULL;
    AbutModel *shown = NULL;
    AbutError error;
    AbutStatus status = abut_model_copy(robot->model, &shown, &error);
    if (status == ABUT_OK)
        status = abut_csv_open(path, "body,ax,ay,az,bx,by,bz,radius,volume", &csv, &error);
    if (status == ABUT_OK)
        status = write_all(robot, csv, shown, &error);
    if (status == ABUT_OK && page) {
        ModelPage about = {page, robot->source, shown, -1, abut_configuration_positions(robot->c)};
        status = model_page_write(command, &about, &error);
    }
    if (status == ABUT_OK)
        status = abut_csv_commit(csv, &error);
    else
        abut_csv_cancel(csv);
    abut_model_free(shown);
    return status == ABUT_OK ? CLI_GO : cli_error(command, "%s", error.text);
}
