/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut volume: the overlap of two convex meshes, or with --convex of the hulls of any. In: mesh files and poses. Out:
 * volume, area, centroid and normal in the world frame, and the overlap as a mesh file; exit 1 when there is no common
 * volume, 3 when rounding left it undecided.
 */
#include "operands.h"

typedef struct Args {
    Operands operands;
    const char *file, *page; /* NULL: not wanted */
    int json;
} Args;

static const char *outcome_name(AbutOverlapOutcome outcome)
{
    return outcome == ABUT_OVERLAP_VOLUME ? "volume" : outcome == ABUT_OVERLAP_TOUCHING ? "touching" : "disjoint";
}

static int print_json(const CliCommand *command, const AbutOverlap *o, int status)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "outcome", outcome_name(o->outcome));
    abut_json_put_number(&json, "volume", o->volume);
    abut_json_put_number(&json, "area", o->area);
    if (o->outcome == ABUT_OVERLAP_VOLUME) {
        abut_json_put_vec3(&json, "centroid", o->centroid);
        abut_json_put_vec3(&json, "normal", o->normal);
    }
    abut_json_put_integer(&json, "faces", o->face_count);
    abut_json_put_integer(&json, "vertices", o->vertex_count);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, status);
}

static void print_text(const AbutOverlap *o)
{
    if (o->outcome != ABUT_OVERLAP_VOLUME) {
        printf("no common volume: the bodies %s\n", o->outcome == ABUT_OVERLAP_TOUCHING ? "touch" : "lie apart");
        return;
    }
    printf("  %-12s %.9g m^3\n  %-12s %.9g m^2\n", "volume", o->volume, "area", o->area);
    printf("  %-12s %.9g %.9g %.9g\n", "centroid", o->centroid.x, o->centroid.y, o->centroid.z);
    printf("  %-12s %.9g %.9g %.9g\n", "normal", o->normal.x, o->normal.y, o->normal.z);
    printf("  %-12s %d\n  %-12s %d\n", "faces", o->face_count, "vertices", o->vertex_count);
}

static int write_mesh(const CliCommand *command, const AbutOverlap *o, const Args *args)
{
    AbutMesh mesh;
    AbutError error;
    AbutStatus status = abut_overlap_to_mesh(o, abut_pose_identity(), &mesh, &error);
    if (status == ABUT_OK) {
        status = abut_mesh_write(args->file, &mesh, &error);
        abut_mesh_free(&mesh);
    }
    return status == ABUT_OK ? CLI_GO : cli_error(command, "%s", error.text);
}

static int write_page(const CliCommand *command, const Args *args, const AbutOverlap *o)
{
    AbutModel *model;
    AbutError error;
    int status = operands_make_model(command, &args->operands, &model);
    if (status != CLI_GO)
        return status;
    AbutPageHead head = {.title = "Overlap", .note = outcome_name(o->outcome)};
    if (abut_page_write_overlap(args->page, &head, model, o, abut_pose_identity(), &error) != ABUT_OK)
        status = cli_error(command, "%s", error.text);
    abut_model_free(model);
    return status;
}

/* Without a common volume: no, or undecided where rounding won. */
static int status_of(AbutOverlapOutcome outcome)
{
    return outcome == ABUT_OVERLAP_VOLUME ? CLI_OK : outcome == ABUT_OVERLAP_FAILED ? CLI_UNDECIDED : CLI_NO;
}

static int answer(const CliCommand *command, const Args *args)
{
    const AbutPolyhedron *a = args->operands.of[0].hull, *b = args->operands.of[1].hull;
    AbutConvex body_a = abut_convex_polyhedron(a, 0.0), body_b = abut_convex_polyhedron(b, 0.0);
    size_t bytes = abut_overlap_workspace_size(&body_a, &body_b);
    void *workspace = abut_alloc(bytes);
    if (!workspace)
        return cli_error(command, "out of memory");
    const Operand *of = args->operands.of;
    AbutOverlap o = abut_overlap_world(&body_a, &body_b, of[0].pose, of[1].pose, NULL, workspace, bytes);
    int status = status_of(o.outcome);
    if (o.outcome > ABUT_OVERLAP_DISJOINT) {
        abut_free(workspace);
        cli_error(command, "the overlap could not be computed: the bodies are too degenerate");
        return status == CLI_UNDECIDED ? status : CLI_BAD;
    }
    if (status == CLI_OK && args->file && write_mesh(command, &o, args) != CLI_GO)
        status = CLI_BAD;
    if (status != CLI_BAD && args->page && write_page(command, args, &o) != CLI_GO)
        status = CLI_BAD;
    if (status == CLI_NO && args->file)
        cli_warning(command, "%s is not written: there is no common volume", args->file);
    abut_free(workspace);
    if (status == CLI_BAD)
        return status;
    if (args->json)
        return print_json(command, &o, status);
    print_text(&o);
    return status;
}

int cli_volume(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make()};
    const CliOption options[] = {
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        operands_convex(&args.operands),
        {"--output", "-o", CLI_TEXT, &args.file, "FILE", "write the overlap: .obj, .stl (binary) or .stla (ascii STL)"},
        {"--html", NULL, CLI_TEXT, &args.page, "FILE", "write the bodies and their overlap as a page to look at"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status =
        operands_parse(command, options, sizeof options / sizeof options[0], argc, argv, "mesh files", &args.operands);
    if (status == CLI_GO)
        status = operands_check_outputs(command, &args.operands, args.file, args.page);
    if (status != CLI_GO)
        return status;
    status = operands_read(command, OPERAND_HULL, &args.operands);
    if (status == CLI_GO)
        status = answer(command, &args);
    operands_free(&args.operands);
    return status;
}
