/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut volume: the overlap of two convex bodies. In: convex mesh files, or with --convex the hulls of any, or bodies in
 * words; poses. Out: volume, area, centroid and normal in the world frame, and the overlap as a mesh file; exit 1 when
 * there is no common volume, 3 when rounding left it undecided. Of round bodies the overlap shown is that of the
 * polyhedra inside them, and the volume is bounded from both sides.
 */
#include "endless.h"
#include "volume_pieces.h"

typedef struct Args {
    Operands operands;
    const char *file, *page; /* NULL: not wanted */
    int json, directions, pieces;
    AbutVolume bounds; /* of the volume */
    int round;         /* a body is round: they differ */
} Args;

static const char *outcome_name(AbutOverlapOutcome outcome)
{
    return outcome == ABUT_OVERLAP_VOLUME ? "volume" : outcome == ABUT_OVERLAP_TOUCHING ? "touching" : "disjoint";
}

typedef struct Answer {
    const char *outcome;
    double volume;
    AbutVolume bounds;
    double area;
    int has_volume;
    AbutVec3 centroid, normal;
    int32_t normal_from_depth, faces, vertices;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, outcome, TEXT, "", "`volume`, `touching` or `disjoint`.")},
    {ABUT_FIELD(Answer, volume, REAL, "m^3", "Common volume.")},
    {ABUT_FIELD_AS("volume_low", Answer, bounds.low, REAL, "m^3", "Lower bound, where a body is round.")},
    {ABUT_FIELD_AS("volume_high", Answer, bounds.high, REAL, "m^3", "Upper bound, where a body is round.")},
    {ABUT_FIELD(Answer, area, REAL, "m^2", "Area of the overlap.")},
    {ABUT_FIELD_VEC3(Answer, centroid, "m", "Centroid of the overlap."), .shown_at = offsetof(Answer, has_volume)},
    {ABUT_FIELD_VEC3(Answer, normal, "", "Unit vector from A to B."), .shown_at = offsetof(Answer, has_volume)},
    {ABUT_FIELD(Answer, normal_from_depth, FLAG, "",
         "The faces of A have no direction in sum; `normal` is that of a face of least depth."),
        .shown_at = offsetof(Answer, has_volume)},
    {ABUT_FIELD(Answer, faces, INT, "", "Faces of the overlap.")},
    {ABUT_FIELD(Answer, vertices, INT, "", "Vertices of the overlap.")},
};
const AbutRecord cli_volume_answer = ABUT_RECORD("volume", "", Answer, answer_fields);

static int print_answer(const CliCommand *command, const Args *args, const AbutOverlap *o, int status)
{
    const AbutRecord *record = &cli_volume_answer;
    Answer a = {outcome_name(o->outcome), 0.5 * (args->bounds.low + args->bounds.high), args->bounds, o->area,
        o->outcome == ABUT_OVERLAP_VOLUME, o->centroid, o->normal, o->normal_from_depth, o->face_count,
        o->vertex_count};
    if (args->json)
        return cli_answer(command, 2, record, NULL, &a, status);
    if (!a.has_volume) {
        printf("no common volume: the bodies %s\n", o->outcome == ABUT_OVERLAP_TOUCHING ? "touch" : "lie apart");
        return status;
    }
    abut_record_print(stdout, record, "  volume       {volume:.9g} m^3\n", &a);
    if (args->round)
        abut_record_print(stdout, record,
            "  between      {volume_low:.9g} to {volume_high:.9g} m^3: polyhedra inside and around the round bodies; "
            "the "
            "rest is of those inside\n",
            &a);
    abut_record_print(stdout, record, "  area         {area:.9g} m^2\n", &a);
    cli_print_vec("centroid", o->centroid, sqrt(o->area), "");
    abut_record_print(stdout, record,
        "  normal       {normal~:.9g}{normal_from_depth?: of a face of least depth, since the faces of A have no "
        "direction "
        "in sum}\n"
        "  faces        {faces}\n"
        "  vertices     {vertices}\n",
        &a);
    return status;
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
    const Operand *of = args->operands.of;
    char note[256], title[300];
    snprintf(title, sizeof title, "%.140s and %.140s", cli_base_name(of[0].file), cli_base_name(of[1].file));
    AbutPageHead head = {.title = title,
        .subtitle = "Overlap",
        .outcome = outcome_name(o->outcome),
        .note = endless_note(&args->operands,
            args->round ? "clipping of polyhedra inside the round bodies" : "clipping of convex bodies", note)};
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

/* The body that is clipped and drawn: a round one is the polyhedron inside it, which becomes the hull of the operand.
 */
static int faceted(const CliCommand *command, Args *args, Operand *operand, AbutConvex *out)
{
    AbutPolyhedron *around = NULL;
    AbutError error;
    *out = operand->body.convex;
    if (out->kind == ABUT_CONVEX_PLANE)
        return cli_error(command, "%s: a plane has no volume", operand->file);
    if (operand->body.hull || out->kind == ABUT_CONVEX_BOX || out->kind == ABUT_CONVEX_HALF_SPACE)
        return CLI_GO;
    if (abut_convex_polyhedra(out, args->directions, &operand->body.hull, &around, &error) != ABUT_OK)
        return cli_error(command, "%s: %s", operand->file, error.text);
    abut_polyhedron_free(around);
    *out = abut_convex_polyhedron(operand->body.hull, 0.0);
    args->round = 1;
    return CLI_GO;
}

/* Both bodies, and the bounds. An overlap that is not there, or has no end, is told by the clipping. */
static int prepare(const CliCommand *command, Args *args, AbutConvex body[2])
{
    Operand *of = args->operands.of;
    AbutError error;
    AbutConvex exact[2] = {of[0].body.convex, of[1].body.convex};
    for (int k = 0; k < 2; ++k)
        if (faceted(command, args, &of[k], &body[k]) != CLI_GO)
            return CLI_BAD;
    if (!args->round && cli_given("--directions"))
        cli_warning(command, "--directions plays no part: no body is round, and the volume is exact");
    if (exact[0].kind == ABUT_CONVEX_HALF_SPACE && exact[1].kind == ABUT_CONVEX_HALF_SPACE)
        return cli_error(command, "two half-spaces have no finite volume in common");
    if (args->round && abut_overlap_volume(abut_solid_convex(&exact[0]), abut_solid_convex(&exact[1]),
                           operands_relative_pose(&args->operands), args->directions, &args->bounds, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    return CLI_GO;
}

/* Round bodies may overlap by less than what their inner polyhedra miss: then the distance decides. */
static void settle_round(const Args *args, AbutConvex exact_a, AbutConvex exact_b, AbutOverlap *o)
{
    if (!args->round || o->outcome == ABUT_OVERLAP_VOLUME || o->outcome > ABUT_OVERLAP_DISJOINT)
        return;
    AbutGap d = abut_convex_distance(&exact_a, &exact_b, operands_relative_pose(&args->operands), NULL, NULL);
    o->outcome = d.outcome == ABUT_PENETRATING ? ABUT_OVERLAP_FAILED
                 : d.outcome == ABUT_TOUCHING  ? ABUT_OVERLAP_TOUCHING
                                               : ABUT_OVERLAP_DISJOINT;
}

static int answer(const CliCommand *command, Args *args)
{
    AbutConvex body[2], exact[2] = {args->operands.of[0].body.convex, args->operands.of[1].body.convex};
    if (prepare(command, args, body) != CLI_GO)
        return CLI_BAD;
    size_t bytes = abut_overlap_workspace_size(&body[0], &body[1]);
    void *workspace = abut_alloc(bytes);
    if (!workspace)
        return cli_error(command, "out of memory");
    const Operand *of = args->operands.of;
    AbutOverlap o = abut_overlap_world(&body[0], &body[1], of[0].pose, of[1].pose, NULL, workspace, bytes);
    settle_round(args, exact[0], exact[1], &o);
    if (!args->round)
        args->bounds = (AbutVolume){.low = o.volume, .high = o.volume};
    int status = status_of(o.outcome);
    if (o.outcome > ABUT_OVERLAP_DISJOINT) {
        abut_free(workspace);
        cli_error(command, args->round && o.outcome == ABUT_OVERLAP_FAILED
                               ? "the bodies overlap by less than their polyhedra show; --directions takes more"
                               : "the overlap could not be computed: the bodies are too degenerate");
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
    return print_answer(command, args, &o, status);
}

int cli_volume(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make(), .directions = 512};
    const CliOption options[] = {
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        operands_convex(&args.operands),
        {"--output", "-o", CLI_TEXT, &args.file, "FILE", "write the overlap: .obj, .stl (binary) or .stla (ascii STL)"},
        {"--html", NULL, CLI_TEXT, &args.page, "FILE", "write the bodies and their overlap as a page to look at"},
        {"--directions", NULL, CLI_WITHIN, &(CliWithin){&args.directions, 12, 20000}, "N",
            "farthest points and planes of the polyhedra inside and around a round body, 12 to 20000 (default: 512)"},
        {"--pieces", NULL, CLI_FLAG, &args.pieces, NULL,
            "meshes that need not be convex: sum over their convex pieces"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status = operands_parse(
        command, options, sizeof options / sizeof options[0], argc, argv, "mesh files or bodies", &args.operands);
    if (status == CLI_GO)
        status = operands_check_outputs(command, &args.operands, args.file, args.page);
    if (status == CLI_GO && args.pieces)
        status = cli_refuse(command, "--directions", "--pieces takes meshes, and no body is round");
    if (status == CLI_GO && args.pieces && (args.file || args.page || args.operands.convex))
        status = cli_error(command, "--pieces gives the volume alone: -o, --html and --convex do not go with it");
    if (status != CLI_GO)
        return status;
    args.operands.keep_meshes = args.pieces;
    status = operands_read(command, args.pieces ? OPERAND_AS_IS : OPERAND_HULL, &args.operands);
    if (status == CLI_GO)
        status = args.pieces ? volume_by_pieces(command, &args.operands, args.json) : answer(command, &args);
    operands_free(&args.operands);
    return status;
}
