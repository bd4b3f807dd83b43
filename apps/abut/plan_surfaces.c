/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Obstacles of triangles. In: a mesh file, or MJCF whose meshes are not convex. Out: their triangles, which proofs take
 * as they are, and convex pieces in their place for the search, where there is one.
 */
#include "plan.h"

#include <string.h>

#include "distance_depth.h"

/* ---- the list ---------------------------------------------------------------------------------------------------- */

AbutStatus plan_add_mesh(PlanSetup *setup, const AbutMesh *mesh, const AbutPlanMesh *place, AbutError *error)
{
    size_t count = (size_t)setup->mesh_count;
    AbutMeshTree *tree;
    if (!abut_grow((void **)&setup->meshes, &setup->mesh_capacity, count + 1, sizeof *setup->meshes))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a mesh");
    AbutStatus status = abut_mesh_tree_create(mesh, 1, &tree, error);
    if (status)
        return status;
    setup->meshes[count] = *place;
    setup->meshes[count].tree = tree;
    ++setup->mesh_count;
    return ABUT_OK;
}

void plan_free_meshes(PlanSetup *setup)
{
    for (int32_t i = 0; i < setup->mesh_count; ++i)
        abut_mesh_tree_free((AbutMeshTree *)setup->meshes[i].tree); /* made here */
    abut_free(setup->meshes);
}

/* ---- a mesh file ------------------------------------------------------------------------------------------------- */

AbutStatus plan_add_piece(AbutModel *model, const AbutPolyhedron *piece, AbutError *error)
{
    AbutShapeDef shape = abut_shape_default();
    shape.body = 0;
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = piece;
    return abut_model_add_shape(model, &shape, NULL, error);
}

/* Its hull where the mesh is the surface of that; else *out is NULL. Fails on memory alone. */
static AbutStatus find_convex(const AbutMesh *mesh, AbutPolyhedron **out, AbutError *error)
{
    AbutSolidBody body;
    AbutStatus status = abut_solid_from_mesh(mesh, ABUT_SOLID_ONLY_CONVEX, NULL, &body, error);
    *out = body.hull; /* NULL on failure */
    return status == ABUT_ERROR_MEMORY ? status : ABUT_OK;
}

static int add_pieces(const CliCommand *command, PlanSetup *setup, const Operand *operand)
{
    AbutPieces pieces = {0};
    AbutError error;
    int status = depth_decompose(command, operand, &pieces);
    for (int32_t i = 0; status == CLI_GO && i < pieces.count; ++i)
        if (plan_add_piece(setup->obstacles, pieces.piece[i], &error) != ABUT_OK)
            status = cli_error(command, "%s: %s", operand->file, error.text);
    abut_pieces_free(&pieces);
    return status;
}

/* What the search takes in the place of the triangles: pieces of the solid, or sheets. */
static int add_stand_ins(const CliCommand *command, PlanSetup *setup, const Operand *operand, int open)
{
    AbutError error;
    double thick;
    if (!open)
        return add_pieces(command, setup, operand);
    if (plan_add_sheets(setup->obstacles, &operand->mesh, &thick, &error) != ABUT_OK)
        return cli_error(command, "%s: %s", operand->file, error.text);
    if (thick > 0.0)
        cli_warning(command, "%s: the search takes %d pieces for it that are up to %.3g m thick", operand->file,
            (int)setup->obstacles->shape_count, thick);
    return CLI_GO;
}

static int add_triangles(const CliCommand *command, PlanSetup *setup, const Operand *operand)
{
    AbutPlanMesh place = {.pose = abut_pose_identity()};
    AbutError error;
    if (plan_add_mesh(setup, &operand->mesh, &place, &error) != ABUT_OK)
        return cli_error(command, "%s: %s", operand->file, error.text);
    int open = setup->meshes[0].tree->inside == ABUT_MESH_OPEN;
    if (open)
        cli_warning(command, "%s is open: it has no inside, its triangles alone are kept clear of", operand->file);
    int status = setup->proof_only ? CLI_GO : add_stand_ins(command, setup, operand, open);
    setup->meshes[0].shape_count = setup->obstacles->shape_count;
    return status;
}

int plan_read_mesh(const CliCommand *command, PlanSetup *setup)
{
    Operand operand = {.file = setup->obstacle_file};
    AbutPolyhedron *hull = NULL;
    AbutError error;
    AbutBodyDef body = abut_body_default();
    body.kind = ABUT_BODY_STATIC;
    body.name = strrchr(operand.file, '/') ? strrchr(operand.file, '/') + 1 : operand.file;
    if (abut_mesh_read(operand.file, &operand.mesh, NULL, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    AbutStatus made = abut_model_create(&setup->obstacles, &error);
    if (!made)
        made = abut_model_add_body(setup->obstacles, &body, NULL, &error);
    if (!made)
        made = find_convex(&operand.mesh, &hull, &error);
    if (!made && hull)
        made = plan_add_piece(setup->obstacles, hull, &error);
    int status = made ? cli_error(command, "%s: %s", operand.file, error.text) : CLI_GO;
    if (status == CLI_GO && !hull)
        status = add_triangles(command, setup, &operand);
    abut_polyhedron_free(hull);
    abut_mesh_free(&operand.mesh);
    return status;
}

/* ---- a model ----------------------------------------------------------------------------------------------------- */

/* Shapes of the obstacles that were made from the same element as `shape`; they follow each other. */
static void find_stand_ins(const AbutModel *obstacles, const AbutShapeDef *shape, AbutPlanMesh *place)
{
    for (int32_t i = 0; i < obstacles->shape_count; ++i) {
        const AbutShapeDef *x = &obstacles->shapes[i];
        if (x->visual || x->body != shape->body || x->source.line != shape->source.line || !x->source.file ||
            strcmp(x->source.file, shape->source.file) != 0)
            continue;
        place->shape = place->shape_count ? place->shape : i;
        place->shape_count = i + 1 - place->shape;
    }
}

static AbutStatus add_surfaces(PlanSetup *setup, const AbutModel *surfaces, AbutError *error)
{
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < surfaces->shape_count && !status; ++i) {
        const AbutShapeDef *shape = &surfaces->shapes[i];
        AbutPlanMesh place = {.body = shape->body, .pose = shape->pose};
        if (!shape->geometry->surface || shape->visual || !shape->source.file)
            continue;
        find_stand_ins(setup->obstacles, shape, &place);
        if (place.shape_count > 0)
            status = plan_add_mesh(setup, shape->geometry->surface, &place, error);
    }
    return status;
}

int plan_read_obstacles(const CliCommand *command, PlanSetup *setup)
{
    AbutModel *surfaces = NULL;
    AbutError error;
    const char *file = setup->obstacle_file;
    AbutModelReadOptions options = {.surfaces = 1, .allow_outside = operands_outside()};
    AbutStatus status = operands_load_model(
        command, file, 1, setup->proof_only ? OPERAND_SURFACES : OPERAND_PIECES, &setup->obstacles, &error);
    if (!status && setup->proof_only)
        status = add_surfaces(setup, setup->obstacles, &error);
    else if (!status && cli_is_file(file))
        status = abut_model_read(file, &options, &surfaces, &error);
    if (!status && surfaces)
        status = add_surfaces(setup, surfaces, &error);
    abut_model_free(surfaces);
    return status ? cli_error(command, "%s", error.text) : CLI_GO;
}
