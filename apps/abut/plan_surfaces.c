/* SPDX-License-Identifier: Apache-2.0 */
/* Obstacles of files: a mesh, or a model with its meshes; what the library makes of them, and warnings. */
#include "plan.h"

#include <string.h>

#include "distance_depth.h"

int plan_read_mesh(const CliCommand *command, PlanSetup *setup)
{
    const char *file = setup->obstacle_file, *name = cli_base_name(file);
    AbutPlanObstacles *obstacles = &setup->obstacles;
    AbutMesh mesh = {0};
    AbutError error;
    if (abut_mesh_read(file, &mesh, NULL, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    AbutStatus made = abut_plan_obstacles_from_mesh(&mesh, name, !setup->proof_only, obstacles, &error);
    abut_mesh_free(&mesh);
    if (made)
        return cli_error(command, "%s: %s", file, error.text);
    if (obstacles->open)
        cli_warning(command, "%s is open: it has no inside, its triangles alone are kept clear of", file);
    if (obstacles->pieces.count)
        depth_warn_pieces(command, file, &obstacles->pieces);
    if (obstacles->thick > 0.0)
        cli_warning(command, "%s: the search takes %d pieces for it that are up to %.3g m thick", file,
            (int)obstacles->model->shape_count, obstacles->thick);
    return CLI_GO;
}

int plan_read_obstacles(const CliCommand *command, PlanSetup *setup)
{
    AbutModel *surfaces = NULL;
    AbutError error;
    const char *file = setup->obstacle_file;
    AbutModelReadOptions options = {.surfaces = 1, .allow_outside = operands_outside()};
    AbutPlanObstacles *obstacles = &setup->obstacles;
    AbutStatus status = operands_load_model(
        command, file, 1, setup->proof_only ? OPERAND_SURFACES : OPERAND_PIECES, &obstacles->model, &error);
    if (!status && setup->proof_only)
        status = abut_plan_obstacles_add_surfaces(obstacles, obstacles->model, &error);
    else if (!status && cli_is_file(file))
        status = abut_model_read(file, &options, &surfaces, &error);
    if (!status && surfaces)
        status = abut_plan_obstacles_add_surfaces(obstacles, surfaces, &error);
    abut_model_free(surfaces);
    return status ? cli_error(command, "%s", error.text) : CLI_GO;
}
