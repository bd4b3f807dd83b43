/* SPDX-License-Identifier: Apache-2.0 */
/* Obstacles of files: a mesh, or a model with its meshes; what the library makes of them, and warnings. */
#include "plan.h"

#include <string.h>

#include "distance_depth.h"

void plan_read_mesh(PlanSetup *setup)
{
    const char *file = setup->obstacle_file, *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    AbutPlanObstacles *obstacles = &setup->obstacles;
    AbutMesh mesh = {0};
    cli_need(abut_mesh_read(file, &mesh, NULL, &cli_why));
    AbutStatus made = abut_plan_obstacles_from_mesh(&mesh, name, !setup->proof_only, obstacles, &cli_why);
    abut_mesh_free(&mesh);
    if (made)
        cli_error("%s: %s", file, cli_why.text);
    if (obstacles->open)
        cli_warning("%s is open: it has no inside, its triangles alone are kept clear of", file);
    if (obstacles->pieces.count)
        depth_warn_pieces(file, &obstacles->pieces);
    if (obstacles->thick > 0.0)
        cli_warning("%s: the search takes %d pieces for it that are up to %.3g m thick", file,
            (int)obstacles->model->shape_count, obstacles->thick);
}

void plan_read_obstacles(PlanSetup *setup)
{
    AbutModel *surfaces = NULL;
    const char *file = setup->obstacle_file;
    AbutModelReadOptions options = {.surfaces = 1, .allow_outside = operands_outside()};
    AbutPlanObstacles *obstacles = &setup->obstacles;
    obstacles->model = operands_load_model(file, 1, setup->proof_only ? OPERAND_SURFACES : OPERAND_PIECES);
    if (setup->proof_only)
        cli_need(abut_plan_obstacles_add_surfaces(obstacles, obstacles->model, &cli_why));
    else if (cli_is_file(file))
        cli_need(abut_model_read(file, &options, &surfaces, &cli_why));
    if (surfaces)
        cli_need(abut_plan_obstacles_add_surfaces(obstacles, surfaces, &cli_why));
    abut_model_free(surfaces);
}
