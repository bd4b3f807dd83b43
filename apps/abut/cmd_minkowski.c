/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut minkowski: the Minkowski sum or difference of two meshes as a mesh. In: two closed meshes, poses. Out: a mesh
 * file; whether it is exact, or the step of the grid it was sampled with. With --convolution: the signed convolution,
 * all of it or what comes into a ball.
 */
#include "abut/literature.h"
#include "operands.h"

#include <math.h>

typedef struct Args {
    Operands operands;
    int difference, convolution, grid, json;
    CliReals ball; /* x, y, z, radius; world */
    const char *file;
} Args;

enum { USUAL_GRID = 32 };

static const char *kind_of(const Args *args) { return args->difference ? "difference" : "sum"; }

typedef struct Answer {
    const char *file, *kind;
    int32_t vertices, triangles, components;
    int convolution, whole, boundary; /* boundary: not the convolution */
    AbutMinkowskiReport report;
    double volume, area, ball; /* of the mesh; ball: radius */
} Answer;

static const AbutField chain_fields[] = {
    {ABUT_FIELD(Answer, convolution, FLAG, "", "True: all facets of the signed convolution.")},
    {ABUT_FIELD_AS("facets", Answer, report.chain.facets, LONG, "", "Facets, each counted once.")},
    {ABUT_FIELD(Answer, vertices, INT, "", "Vertices of the mesh.")},
    {ABUT_FIELD(Answer, triangles, INT, "", "Triangles of the mesh.")},
    {ABUT_FIELD_AS("area", Answer, report.chain.area, REAL, "m^2", "Area of the mesh.")},
    {ABUT_FIELD(Answer, whole, FLAG, "", "All facets; false: those of a ball.")},
    {ABUT_FIELD_AS("volume", Answer, report.chain.volume, REAL, "m^3", "Signed volume of the whole convolution."),
        .shown_at = offsetof(Answer, whole)},
    {ABUT_FIELD_AS("winding", Answer, report.chain.winding, REAL, "",
         "Winding number about the origin; any number where the bodies just touch."),
        .shown_at = offsetof(Answer, whole)},
    {ABUT_FIELD_AS("open", Answer, report.chain.open, REAL, "",
         "Length of the sum of area vectors over the area; 0 but for rounding."),
        .shown_at = offsetof(Answer, whole)},
};
static const AbutRecord chain_record = ABUT_RECORD("convolution", "", Answer, chain_fields);

static const AbutField boundary_fields[] = {
    {ABUT_FIELD(Answer, vertices, INT, "", "Vertices of the mesh.")},
    {ABUT_FIELD(Answer, triangles, INT, "", "Triangles of the mesh.")},
    {ABUT_FIELD_AS("exact", Answer, report.exact, FLAG, "", "The hull of all pairs of vertices; otherwise a grid.")},
    {ABUT_FIELD_AS("step", Answer, report.step, REAL, "m", "Step of the grid; 0 for none.")},
    {ABUT_FIELD(Answer, components, INT, "", "Connected parts of the mesh.")},
    {ABUT_FIELD(Answer, volume, REAL, "m^3", "Volume of the mesh.")},
    {ABUT_FIELD(Answer, area, REAL, "m^2", "Area of the mesh.")},
};
static const AbutRecord boundary_record = ABUT_RECORD("boundary", "", Answer, boundary_fields);

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, file, TEXT, "", "File that was written.")},
    {ABUT_FIELD(Answer, kind, TEXT, "", "`sum` or `difference`.")},
    {.kind = ABUT_FIELD_PICK, .record = &chain_record, .shown_at = offsetof(Answer, convolution)},
    {.kind = ABUT_FIELD_PICK, .record = &boundary_record, .shown_at = offsetof(Answer, boundary)},
};
const AbutRecord cli_minkowski_answer = ABUT_RECORD("minkowski", "", Answer, answer_fields);

static const char chain_text[] =
    "{file}: convolution of the {kind}, {facets} facets, {vertices} vertices, {triangles} triangles, ";
static const char boundary_text[] =
    "{file}: {kind}, {vertices} vertices, {triangles} triangles, volume {volume:.6g} m^3, ";

static int print_answer(const Args *args, const Answer *a) {
    if (args->json) return cli_answer(2, &cli_minkowski_answer, NULL, a, CLI_OK);
    abut_record_print(stdout, &cli_minkowski_answer, a->convolution ? chain_text : boundary_text, a);
    if (a->convolution && !a->whole)
        printf("those that may come into a ball of %.6g m\n", a->ball);
    else if (a->convolution)
        printf("signed volume %.6g m^3, winding number about the origin %.0f\n", a->report.chain.volume,
            round(a->report.chain.winding) + 0.0);
    else if (a->report.exact)
        puts("exact");
    else
        printf("grid of step %.3g m: slits narrower than that are closed\n", a->report.step);
    return CLI_OK;
}

/* From the frame of A to the world; of a sum the place of A counts twice, of a difference not at all. */
static AbutPose pose_of_result(const Args *args) {
    AbutPose a = args->operands.of[0].pose;
    return abut_pose(abut_scale(a.p, args->difference ? 0.0 : 2.0), a.q);
}

static void turn_to_world(const Args *args, AbutMesh *mesh) {
    AbutPose pose = pose_of_result(args);
    for (int32_t i = 0; i < mesh->vertex_count; ++i) mesh->vertices[i] = abut_pose_apply(pose, mesh->vertices[i]);
}

static int write_mesh(const Args *args, AbutMesh *mesh, const AbutMinkowskiReport *report) {
    AbutMeshReport measure = {0};
    turn_to_world(args, mesh);
    if (!args->convolution) cli_need(abut_mesh_report(mesh, &measure, &cli_why));
    cli_need(abut_mesh_write(args->file, mesh, &cli_why));
    Answer answer = {args->file, kind_of(args), mesh->vertex_count, mesh->triangle_count, measure.components,
        args->convolution, args->ball.count == 0, !args->convolution, *report, measure.mass.volume, measure.mass.area,
        args->ball.value[3]};
    return print_answer(args, &answer);
}

static int run(Args *args) {
    const Operand *of = args->operands.of;
    operands_read(ABUT_SOLID_AS_IS, &args->operands);
    operands_need_meshes(&args->operands, "a Minkowski sum");
    AbutMinkowskiDef def = {.grid = args->grid, .convolution = args->convolution, .difference = args->difference};
    if (args->ball.count > 0) {
        const double *x = args->ball.value;
        def.center = abut_pose_apply_inv(pose_of_result(args), abut_vec3(x[0], x[1], x[2]));
        def.radius = x[3];
    }
    AbutMinkowskiReport report;
    AbutMesh mesh;
    AbutPose pose = operands_relative_pose(&args->operands);
    if (abut_minkowski(&of[0].mesh, &of[1].mesh, pose, &def, &mesh, &report, &cli_why) != ABUT_OK)
        cli_error("%s and %s: %s", of[0].file, of[1].file, cli_why.text);
    if (report.exact && cli_given("--grid"))
        cli_warning("--grid plays no part: the meshes are convex, and their %s is exact", kind_of(args));
    return write_mesh(args, &mesh, &report);
}

static void check_options(const Args *args) {
    if (!args->file) cli_error("--output (-o) is missing: expected the name of the file to write");
    if (args->convolution) cli_refuse("--grid", "--convolution needs no grid");
    if (args->ball.count > 0 && (args->ball.count != 4 || !(args->ball.value[3] > 0.0)))
        cli_error("--ball: expected x,y,z,radius with a radius above 0");
}

int cli_minkowski(int argc, char **argv) {
    Args args = {.operands = operands_make(), .grid = USUAL_GRID};
    const CliOption options[] = {
        OPTION("--output", CLI_OUTPUT, &args.file, "FILE",
            "mesh file to write: .obj, .stl (binary) or .stla (ascii STL)", .brief = "-o"),
        OPTION("--difference", CLI_FLAG, &args.difference, NULL,
            "all a - b, the moves of B at which it meets A, instead of all a + b"),
        OPTION("--grid", CLI_COUNT, &args.grid, "N", "cells along the longest side, for meshes that are not convex", 4,
            ABUT_MINKOWSKI_MAX_GRID),
        OPTION("--convolution", CLI_FLAG, &args.convolution, NULL,
            "not the boundary but all facets of the signed convolution, as often as their multiplicity says"),
        OPTION("--ball", CLI_REALS, &args.ball, "X,Y,Z,R",
            "with --convolution: only the facets that may come into this ball (default: all)"),
        OPERAND_POSES(&args.operands),
        cli_row("--convex", &args.operands.convex),
        cli_row("--json", &args.json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "mesh files", &args.operands);
    check_options(&args);
    return run(&args);
}
