/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mesh or a height field as a solid.
 *
 * In: a mesh and the choice how to take it, or heights. Out: a solid with the geometry it refers to. Method: a mesh
 * that is the surface of its convex hull is that hull, whose questions have exact answers; any other is asked through
 * its tree, or cut into convex pieces.
 */
#include "shape/height_grid.h"
#include "solid/solid.h"

#include <string.h>

static AbutStatus take_hull(const AbutMesh *mesh, int any, AbutSolidBody *out, AbutError *error) {
    AbutConvexity found = ABUT_CONVEXITY_CONVEX;
    AbutError reason;
    if (abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, &out->hull, &reason) != ABUT_OK)
        return abut_fail(error, reason.status, "no convex hull: %s", reason.text);
    AbutStatus status = any ? ABUT_OK : abut_mesh_convexity(mesh, out->hull, &found, NULL, error);
    if (status == ABUT_OK && found != ABUT_CONVEXITY_CONVEX)
        status = abut_fail(
            error, ABUT_ERROR_UNSUPPORTED, "expected a convex mesh, but %s", abut_word(abut_convexity_names, found));
    out->is_convex = found == ABUT_CONVEXITY_CONVEX;
    return status;
}

/* The tree, and the hull as well where the mesh is the surface of that. */
static AbutStatus take_as_is(const AbutMesh *mesh, AbutSolidBody *out, AbutError *error) {
    AbutConvexity found = ABUT_CONVEXITY_CONVEX;
    out->is_convex =
        abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, &out->hull, NULL) == ABUT_OK &&
        abut_mesh_convexity(mesh, out->hull, &found, NULL, NULL) == ABUT_OK && found == ABUT_CONVEXITY_CONVEX;
    return abut_mesh_tree_create(mesh, 0, &out->tree, error);
}

static AbutStatus take_pieces(const AbutMesh *mesh, const AbutDecomposeDef *def, AbutSolidBody *out, AbutError *error) {
    out->kind = ABUT_SOLID_PIECES;
    return abut_mesh_decompose(mesh, def, &out->pieces, error);
}

AbutStatus abut_solid_from_mesh(const AbutMesh *mesh, AbutSolidChoice choice, const AbutDecomposeDef *pieces,
    AbutSolidBody *out, AbutError *error) {
    ABUT_ASSERT(mesh && out);
    AbutStatus status;
    memset(out, 0, sizeof *out);
    if (choice == ABUT_SOLID_IN_PIECES)
        status = take_pieces(mesh, pieces, out, error);
    else if (choice == ABUT_SOLID_TRIANGLES)
        status = abut_mesh_tree_create(mesh, 0, &out->tree, error);
    else if (choice == ABUT_SOLID_AS_IS)
        status = take_as_is(mesh, out, error);
    else
        status = take_hull(mesh, choice == ABUT_SOLID_HULL, out, error);
    if (status != ABUT_OK) {
        abut_solid_body_free(out);
        return status;
    }
    if (out->hull) out->convex = abut_convex_polyhedron(out->hull, 0.0);
    if (out->tree && !out->is_convex) out->kind = ABUT_SOLID_MESH;
    return ABUT_OK;
}

AbutStatus abut_solid_from_field(const AbutHeightField *field, AbutSolidBody *out, AbutError *error) {
    ABUT_ASSERT(field && out);
    AbutHeightGrid *grid = NULL;
    memset(out, 0, sizeof *out);
    out->kind = ABUT_SOLID_FIELD;
    ABUT_TRY(abut_height_field_check(field, error));
    ABUT_TRY(abut_height_grid_create(field, &grid, error));
    out->field = &grid->field;
    return ABUT_OK;
}

AbutSolid abut_solid_of(const AbutSolidBody *body) {
    AbutSolid field = {.kind = ABUT_SOLID_FIELD, .field = body->field};
    return body->kind == ABUT_SOLID_PIECES  ? abut_solid_pieces(&body->pieces)
           : body->kind == ABUT_SOLID_MESH  ? abut_solid_mesh(body->tree)
           : body->kind == ABUT_SOLID_FIELD ? field
                                            : abut_solid_convex(&body->convex);
}

void abut_solid_body_free(AbutSolidBody *body) {
    if (!body) return;
    abut_polyhedron_free(body->hull);
    abut_mesh_tree_free(body->tree);
    abut_pieces_free(&body->pieces);
    abut_height_grid_free((AbutHeightGrid *)(uintptr_t)body->field); /* its first member */
    memset(body, 0, sizeof *body);
}
