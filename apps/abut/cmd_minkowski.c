/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut minkowski: the Minkowski sum or difference of two meshes as a mesh. In: two closed meshes, poses. Out: a mesh
 * file; whether it is exact, or the step of the grid it was sampled with.
 */
#include "operands.h"

typedef struct Args {
    Operands operands;
    int difference, grid, json;
    const char *file;
} Args;

static const char *kind_of(const Args *args)
{
    return args->difference ? "difference" : "sum";
}

static int print_result(const CliCommand *command, const Args *args, const AbutMesh *mesh,
    const AbutMinkowskiReport *report, const AbutMeshReport *measure)
{
    if (!args->json) {
        printf("%s: %s, %d vertices, %d triangles, volume %.6g m^3, ", args->file, kind_of(args), mesh->vertex_count,
            mesh->triangle_count, measure->mass.volume);
        if (report->exact)
            puts("exact");
        else
            printf("grid of step %.3g m: slits narrower than that are closed\n", report->step);
        return CLI_OK;
    }
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "file", args->file);
    abut_json_put_string(&json, "kind", kind_of(args));
    abut_json_put_integer(&json, "vertices", mesh->vertex_count);
    abut_json_put_integer(&json, "triangles", mesh->triangle_count);
    abut_json_put_bool(&json, "exact", report->exact);
    abut_json_put_number(&json, "step", report->step);
    abut_json_put_integer(&json, "components", measure->components);
    abut_json_put_number(&json, "volume", measure->mass.volume);
    abut_json_put_number(&json, "area", measure->mass.area);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, CLI_OK);
}

/* From the frame of A to the world; of a sum the place of A counts twice, of a difference not at all. */
static void turn_to_world(const Args *args, AbutMesh *mesh)
{
    AbutPose a = args->operands.of[0].pose;
    AbutVec3 place = abut_scale(a.p, args->difference ? 0.0 : 2.0);
    for (int32_t i = 0; i < mesh->vertex_count; ++i)
        mesh->vertices[i] = abut_add(abut_quat_rotate(a.q, mesh->vertices[i]), place);
}

static int write_mesh(const CliCommand *command, const Args *args, AbutMesh *mesh, const AbutMinkowskiReport *report)
{
    AbutMeshReport measure;
    AbutError error;
    turn_to_world(args, mesh);
    if (abut_mesh_report(mesh, &measure, &error) != ABUT_OK || abut_mesh_write(args->file, mesh, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    return print_result(command, args, mesh, report, &measure);
}

static int run(const CliCommand *command, Args *args)
{
    const Operand *of = args->operands.of;
    args->operands.keep_meshes = 1;
    int status = operands_read(command, OPERAND_AS_IS, &args->operands);
    for (int k = 0; k < 2 && status == CLI_GO; ++k)
        if (!of[k].tree && !of[k].hull)
            status = cli_error(command, "two mesh files expected, found '%s'", of[k].file);
    if (status != CLI_GO)
        return status;
    AbutMinkowskiDef def = {.grid = args->grid};
    AbutMinkowskiReport report;
    AbutMesh mesh;
    AbutError error;
    AbutPose pose = operands_relative_pose(&args->operands);
    AbutStatus made = args->difference
                          ? abut_minkowski_difference(&of[0].mesh, &of[1].mesh, pose, &def, &mesh, &report, &error)
                          : abut_minkowski_sum(&of[0].mesh, &of[1].mesh, pose, &def, &mesh, &report, &error);
    if (made != ABUT_OK)
        return cli_error(command, "%s and %s: %s", of[0].file, of[1].file, error.text);
    status = write_mesh(command, args, &mesh, &report);
    abut_mesh_free(&mesh);
    return status;
}

int cli_minkowski(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make(), .grid = 32};
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &args.file, "FILE",
            "mesh file to write: .obj, .stl (binary) or .stla (ascii STL)"},
        {"--difference", NULL, CLI_FLAG, &args.difference, NULL,
            "all a - b, the moves of B at which it meets A, instead of all a + b"},
        {"--grid", NULL, CLI_COUNT, &args.grid, "N", "cells along the longest side, for meshes that are not convex"},
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        operands_convex(&args.operands),
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status =
        operands_parse(command, options, sizeof options / sizeof options[0], argc, argv, "mesh files", &args.operands);
    if (status == CLI_GO && !args.file)
        status = cli_error(command, "--output (-o) is missing: expected the name of the file to write");
    if (status == CLI_GO)
        status = operands_check_outputs(command, &args.operands, args.file, NULL);
    if (status == CLI_GO && (args.grid < 4 || args.grid > ABUT_MINKOWSKI_MAX_GRID))
        status = cli_error(command, "--grid: expected 4 to %d cells, got %d", ABUT_MINKOWSKI_MAX_GRID, args.grid);
    if (status == CLI_GO)
        status = run(command, &args);
    operands_free(&args.operands);
    return status;
}
