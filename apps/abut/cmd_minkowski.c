/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut minkowski: the Minkowski sum or difference of two meshes as a mesh. In: two closed meshes, poses. Out: a mesh
 * file; whether it is exact, or the step of the grid it was sampled with. With --convolution: the signed convolution,
 * all of it or what comes into a ball.
 */
#include "operands.h"

#include <math.h>

typedef struct Args {
    Operands operands;
    int difference, convolution, grid, json;
    CliReals ball; /* x, y, z, radius; world */
    const char *file;
} Args;

enum { USUAL_GRID = 32 };

static const char *kind_of(const Args *args)
{
    return args->difference ? "difference" : "sum";
}

static int print_chain_json(
    const CliCommand *command, const Args *args, const AbutMesh *mesh, const AbutConvolutionMeasure *chain)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "file", args->file);
    abut_json_put_string(&json, "kind", kind_of(args));
    abut_json_put_bool(&json, "convolution", 1);
    abut_json_put_integer(&json, "facets", chain->facets);
    abut_json_put_integer(&json, "vertices", mesh->vertex_count);
    abut_json_put_integer(&json, "triangles", mesh->triangle_count);
    abut_json_put_number(&json, "area", chain->area);
    abut_json_put_bool(&json, "whole", args->ball.count == 0);
    if (args->ball.count == 0) {
        abut_json_put_number(&json, "volume", chain->volume);
        abut_json_put_number(&json, "winding", chain->winding);
        abut_json_put_number(&json, "open", chain->open);
    }
    abut_json_end_object(&json);
    return cli_json_end(command, &json, CLI_OK);
}

static int print_chain(
    const CliCommand *command, const Args *args, const AbutMesh *mesh, const AbutConvolutionMeasure *chain)
{
    if (args->json)
        return print_chain_json(command, args, mesh, chain);
    printf("%s: convolution of the %s, %lld facets, %d vertices, %d triangles, ", args->file, kind_of(args),
        (long long)chain->facets, mesh->vertex_count, mesh->triangle_count);
    if (args->ball.count > 0)
        printf("those that may come into a ball of %.6g m\n", args->ball.value[3]);
    else
        printf("signed volume %.6g m^3, winding number about the origin %.0f\n", chain->volume,
            round(chain->winding) + 0.0);
    return CLI_OK;
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
static AbutPose pose_of_result(const Args *args)
{
    AbutPose a = args->operands.of[0].pose;
    return abut_pose(abut_scale(a.p, args->difference ? 0.0 : 2.0), a.q);
}

static void turn_to_world(const Args *args, AbutMesh *mesh)
{
    AbutPose pose = pose_of_result(args);
    for (int32_t i = 0; i < mesh->vertex_count; ++i)
        mesh->vertices[i] = abut_pose_apply(pose, mesh->vertices[i]);
}

static int write_mesh(const CliCommand *command, const Args *args, AbutMesh *mesh, const AbutMinkowskiReport *report)
{
    AbutMeshReport measure;
    AbutError error;
    turn_to_world(args, mesh);
    if (args->convolution)
        return abut_mesh_write(args->file, mesh, &error) == ABUT_OK ? print_chain(command, args, mesh, &report->chain)
                                                                    : cli_error(command, "%s", error.text);
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
    AbutMinkowskiDef def = {.grid = args->grid, .convolution = args->convolution};
    if (args->ball.count > 0) {
        const double *x = args->ball.value;
        def.center = abut_pose_apply_inv(pose_of_result(args), abut_vec3(x[0], x[1], x[2]));
        def.radius = x[3];
    }
    AbutMinkowskiReport report;
    AbutMesh mesh;
    AbutError error;
    AbutPose pose = operands_relative_pose(&args->operands);
    AbutStatus made = args->difference
                          ? abut_minkowski_difference(&of[0].mesh, &of[1].mesh, pose, &def, &mesh, &report, &error)
                          : abut_minkowski_sum(&of[0].mesh, &of[1].mesh, pose, &def, &mesh, &report, &error);
    if (made != ABUT_OK)
        return cli_error(command, "%s and %s: %s", of[0].file, of[1].file, error.text);
    if (report.exact && cli_given("--grid"))
        cli_warning(command, "--grid plays no part: the meshes are convex, and their %s is exact", kind_of(args));
    status = write_mesh(command, args, &mesh, &report);
    abut_mesh_free(&mesh);
    return status;
}

static int check_options(const CliCommand *command, const Args *args)
{
    if (!args->file)
        return cli_error(command, "--output (-o) is missing: expected the name of the file to write");
    if (args->convolution && cli_refuse(command, "--grid", "--convolution needs no grid") != CLI_GO)
        return CLI_BAD;
    if (args->ball.count > 0 && (args->ball.count != 4 || !(args->ball.value[3] > 0.0)))
        return cli_error(command, "--ball: expected x,y,z,radius with a radius above 0");
    return operands_check_outputs(command, &args->operands, args->file, NULL);
}

int cli_minkowski(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make(), .grid = USUAL_GRID};
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &args.file, "FILE",
            "mesh file to write: .obj, .stl (binary) or .stla (ascii STL)"},
        {"--difference", NULL, CLI_FLAG, &args.difference, NULL,
            "all a - b, the moves of B at which it meets A, instead of all a + b"},
        {"--grid", NULL, CLI_WITHIN, &(CliWithin){&args.grid, 4, ABUT_MINKOWSKI_MAX_GRID}, "N",
            "cells along the longest side, for meshes that are not convex"},
        {"--convolution", NULL, CLI_FLAG, &args.convolution, NULL,
            "not the boundary but all facets of the signed convolution, as often as their multiplicity says"},
        {"--ball", NULL, CLI_REALS, &args.ball, "X,Y,Z,R",
            "with --convolution: only the facets that may come into this ball (default: all)"},
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        operands_convex(&args.operands),
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status =
        operands_parse(command, options, sizeof options / sizeof options[0], argc, argv, "mesh files", &args.operands);
    if (status == CLI_GO)
        status = check_options(command, &args);
    if (status == CLI_GO)
        status = run(command, &args);
    operands_free(&args.operands);
    return status;
}
