/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Obstacles of triangles. In: a mesh, or a model whose meshes are not convex. Out: their triangles, which proofs take
 * as they are, and convex pieces or thin sheets in their place for the search, where there is one.
 */
#include "proof/obstacles.h"

#include <string.h>

#include "abut/solid.h"
#include "proof/cloud.h"

/* ---- the list ---------------------------------------------------------------------------------------------------- */

AbutStatus abut_plan_obstacles_add(
    AbutPlanObstacles *obstacles, const AbutMesh *mesh, const AbutPlanMesh *place, AbutError *error) {
    ABUT_ASSERT(obstacles && mesh && place);
    size_t count = (size_t)obstacles->mesh_count;
    AbutMeshTree *tree;
    if (!abut_grow((void **)&obstacles->meshes, &obstacles->mesh_capacity, count + 1, sizeof *obstacles->meshes))
        return abut_fail_memory(error);
    AbutStatus status = abut_mesh_tree_create(mesh, 1, &tree, error);
    if (status) return status;
    obstacles->meshes[count] = *place;
    obstacles->meshes[count].tree = tree;
    ++obstacles->mesh_count;
    return ABUT_OK;
}

void abut_plan_obstacles_free(AbutPlanObstacles *obstacles) {
    ABUT_ASSERT(obstacles);
    for (int32_t i = 0; i < obstacles->mesh_count; ++i) { /* made here */
        abut_mesh_tree_free((AbutMeshTree *)(uintptr_t)obstacles->meshes[i].tree);
        abut_cloud_free(obstacles->meshes[i].cloud);
    }
    abut_free(obstacles->meshes);
    abut_pieces_free(&obstacles->pieces);
    abut_model_free(obstacles->model);
    memset(obstacles, 0, sizeof *obstacles);
}

/* A body that stands, in a model that is made where there is none. */
static AbutStatus add_body(AbutPlanObstacles *obstacles, const char *name, int32_t *number, AbutError *error) {
    AbutBodyDef body = abut_body_default();
    body.kind = ABUT_BODY_STATIC;
    body.name = name;
    if (!obstacles->model) ABUT_TRY(abut_model_create(&obstacles->model, error));
    return abut_model_add_body(obstacles->model, &body, number, error);
}

AbutStatus abut_plan_obstacles_add_points(AbutPlanObstacles *obstacles, const char *name, int64_t count,
    const AbutVec3 *points, double radius, double half, AbutError *error) {
    ABUT_ASSERT(obstacles && name && (points || count < 1));
    AbutPlanMesh place = {.pose = abut_pose_identity()};
    size_t more = (size_t)obstacles->mesh_count + 1;
    if (!abut_grow((void **)&obstacles->meshes, &obstacles->mesh_capacity, more, sizeof *obstacles->meshes))
        return abut_fail_memory(error);
    ABUT_TRY(abut_cloud_make(count, points, radius, half, &place.cloud, error));
    AbutStatus status = add_body(obstacles, name, &place.body, error);
    if (status)
        abut_cloud_free(place.cloud);
    else
        obstacles->meshes[obstacles->mesh_count++] = place;
    return status;
}

/* ---- a mesh ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_plan_add_piece(AbutModel *model, const AbutPolyhedron *piece, AbutError *error) {
    AbutShapeDef shape = abut_shape_default();
    shape.body = 0;
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = piece;
    return abut_model_add_shape(model, &shape, NULL, error);
}

/* Its hull where the mesh is the surface of that; else *out is NULL. Fails on memory alone. */
static AbutStatus find_convex(const AbutMesh *mesh, AbutPolyhedron **out, AbutError *error) {
    AbutSolidBody body;
    AbutStatus status = abut_solid_from_mesh(mesh, ABUT_SOLID_ONLY_CONVEX, NULL, &body, error);
    *out = body.hull; /* NULL on failure */
    return status == ABUT_ERROR_MEMORY ? status : ABUT_OK;
}

/* Used by the search in place of the triangles: pieces of the solid, or sheets. */
static AbutStatus add_stand_ins(AbutPlanObstacles *obstacles, const AbutMesh *mesh, AbutError *error) {
    if (obstacles->open) return abut_plan_add_sheets(obstacles->model, mesh, &obstacles->thick, error);
    AbutStatus status = abut_mesh_decompose(mesh, NULL, &obstacles->pieces, error);
    for (int32_t i = 0; !status && i < obstacles->pieces.count; ++i)
        status = abut_plan_add_piece(obstacles->model, obstacles->pieces.piece[i], error);
    return status;
}

static AbutStatus add_triangles(AbutPlanObstacles *obstacles, const AbutMesh *mesh, int search, AbutError *error) {
    AbutPlanMesh place = {.pose = abut_pose_identity()};
    AbutStatus status = abut_plan_obstacles_add(obstacles, mesh, &place, error);
    if (status) return status;
    obstacles->open = obstacles->meshes[0].tree->inside == ABUT_MESH_OPEN;
    if (search) status = add_stand_ins(obstacles, mesh, error);
    obstacles->meshes[0].shape_count = obstacles->model->shape_count;
    return status;
}

AbutStatus abut_plan_obstacles_from_mesh(
    const AbutMesh *mesh, const char *name, int search, AbutPlanObstacles *out, AbutError *error) {
    ABUT_ASSERT(mesh && name && out);
    AbutPolyhedron *hull = NULL;
    memset(out, 0, sizeof *out);
    AbutStatus status = add_body(out, name, NULL, error);
    if (!status) status = find_convex(mesh, &hull, error);
    if (!status) status = hull ? abut_plan_add_piece(out->model, hull, error) : add_triangles(out, mesh, search, error);
    abut_polyhedron_free(hull);
    if (status) abut_plan_obstacles_free(out);
    return status;
}

/* ---- a model ----------------------------------------------------------------------------------------------------- */

/* Shapes of the obstacles that were made from the same element as `shape`; they follow each other. */
static void find_stand_ins(const AbutModel *obstacles, const AbutShapeDef *shape, AbutPlanMesh *place) {
    for (int32_t i = 0; i < obstacles->shape_count; ++i) {
        const AbutShapeDef *x = &obstacles->shapes[i];
        if (x->visual || x->body != shape->body || x->source.line != shape->source.line || !x->source.file ||
            strcmp(x->source.file, shape->source.file) != 0)
            continue;
        place->shape = place->shape_count ? place->shape : i;
        place->shape_count = i + 1 - place->shape;
    }
}

AbutStatus abut_plan_obstacles_add_surfaces(AbutPlanObstacles *obstacles, const AbutModel *surfaces, AbutError *error) {
    ABUT_ASSERT(obstacles && obstacles->model && surfaces);
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < surfaces->shape_count && !status; ++i) {
        const AbutShapeDef *shape = &surfaces->shapes[i];
        AbutPlanMesh place = {.body = shape->body, .pose = shape->pose};
        if (!shape->geometry->surface || shape->visual || !shape->source.file) continue;
        find_stand_ins(obstacles->model, shape, &place);
        if (place.shape_count > 0) status = abut_plan_obstacles_add(obstacles, shape->geometry->surface, &place, error);
    }
    return status;
}
