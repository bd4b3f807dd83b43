/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut volume: the overlap of two convex bodies. In: convex mesh files, or with --convex the hulls of any, or bodies in
 * words; poses. Out: volume, area, centroid and normal in the world frame, and the overlap as a mesh file; exit 1 when
 * there is no common volume, 3 when rounding left it undecided. Of round bodies the overlap shown is that of the
 * polyhedra inside them, and the volume is bounded from both sides.
 */
#include "operands.h"
#include <string.h>

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

static int print_answer(const Args *args, const AbutOverlap *o, int status)
{
    const AbutRecord *record = &cli_volume_answer;
    Answer a = {outcome_name(o->outcome), 0.5 * (args->bounds.low + args->bounds.high), args->bounds, o->area,
        o->outcome == ABUT_OVERLAP_VOLUME, o->centroid, o->normal, o->normal_from_depth, o->face_count,
        o->vertex_count};
    if (args->json)
        return cli_answer(2, record, NULL, &a, status);
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

static void write_mesh(const AbutOverlap *o, const Args *args)
{
    AbutMesh mesh;
    AbutStatus status = abut_overlap_to_mesh(o, args->operands.of[0].pose, &mesh, &cli_why);
    if (status == ABUT_OK) {
        status = abut_mesh_write(args->file, &mesh, &cli_why);
        abut_mesh_free(&mesh);
    }
    cli_need(status);
}

static void write_page(const Args *args, const AbutOverlap *o)
{
    AbutModel *model = operands_make_model(&args->operands);
    char note[256], title[300];
    AbutPageHead head = {.title = operands_title(&args->operands, title),
        .subtitle = "Overlap",
        .outcome = outcome_name(o->outcome),
        .note = endless_note(&args->operands,
            args->round ? "clipping of polyhedra inside the round bodies" : "clipping of convex bodies", note)};
    cli_need(abut_page_write_overlap(args->page, &head, model, o, args->operands.of[0].pose, &cli_why));
    abut_model_free(model);
}

/* Without a common volume: no, or undecided where rounding won. */
static int status_of(AbutOverlapOutcome outcome)
{
    return outcome == ABUT_OVERLAP_VOLUME ? CLI_OK : outcome == ABUT_OVERLAP_FAILED ? CLI_UNDECIDED : CLI_NO;
}

/* The body that is clipped and drawn: a round one is the polyhedron inside it, which becomes the hull of the operand.
 */
static void faceted(Args *args, Operand *operand, AbutConvex *out)
{
    AbutPolyhedron *around = NULL;
    *out = operand->body.convex;
    if (out->kind == ABUT_CONVEX_PLANE)
        cli_error("%s: a plane has no volume", operand->file);
    if (operand->body.hull || out->kind == ABUT_CONVEX_BOX || out->kind == ABUT_CONVEX_HALF_SPACE)
        return;
    cli_need_of(operand->file, abut_convex_polyhedra(out, args->directions, &operand->body.hull, &around, &cli_why));
    abut_polyhedron_free(around);
    *out = abut_convex_polyhedron(operand->body.hull, 0.0);
    args->round = 1;
}

/* Both bodies, and the bounds. An overlap that is not there, or has no end, is told by the clipping. */
static void prepare(Args *args, AbutConvex body[2])
{
    Operand *of = args->operands.of;
    AbutConvex exact[2] = {of[0].body.convex, of[1].body.convex};
    for (int k = 0; k < 2; ++k)
        faceted(args, &of[k], &body[k]);
    if (!args->round && cli_given("--directions"))
        cli_warning("--directions plays no part: no body is round, and the volume is exact");
    if (exact[0].kind == ABUT_CONVEX_HALF_SPACE && exact[1].kind == ABUT_CONVEX_HALF_SPACE)
        cli_error("two half-spaces have no finite volume in common");
    if (args->round &&
        abut_overlap_volume(abut_solid_convex(&exact[0]), abut_solid_convex(&exact[1]),
            operands_relative_pose(&args->operands), args->directions, &args->bounds, &cli_why) != ABUT_OK)
        cli_error("%s", cli_why.text);
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

static int answer(Args *args)
{
    AbutConvex body[2], exact[2] = {args->operands.of[0].body.convex, args->operands.of[1].body.convex};
    prepare(args, body);
    size_t bytes = abut_overlap_workspace_size(&body[0], &body[1]);
    void *workspace = cli_room(bytes, 1);
    const Operand *of = args->operands.of;
    AbutOverlap o = abut_overlap(&body[0], &body[1], abut_pose_between(of[0].pose, of[1].pose), NULL, workspace, bytes);
    o.centroid = abut_pose_apply(of[0].pose, o.centroid), o.normal = abut_quat_rotate(of[0].pose.q, o.normal);
    settle_round(args, exact[0], exact[1], &o);
    if (!args->round)
        args->bounds = (AbutVolume){.low = o.volume, .high = o.volume};
    int status = status_of(o.outcome);
    if (o.outcome > ABUT_OVERLAP_DISJOINT) {
        abut_free(workspace);
        cli_complain(args->round && o.outcome == ABUT_OVERLAP_FAILED
                         ? "the bodies overlap by less than their polyhedra show; --directions takes more"
                         : "the overlap could not be computed: the bodies are too degenerate");
        return status == CLI_UNDECIDED ? status : CLI_BAD;
    }
    if (status == CLI_OK && args->file)
        write_mesh(&o, args);
    if (args->page)
        write_page(args, &o);
    if (status == CLI_NO && args->file)
        cli_warning("%s is not written: there is no common volume", args->file);
    abut_free(workspace);
    return print_answer(args, &o, status);
}

/* ---- pieces --------------------------------------------------------------------------------------------------------- */

typedef struct PiecesAnswer {
    const char *outcome;
    double volume;
    AbutVolume v;
    int has_volume;
    AbutVec3 centroid;
} PiecesAnswer;

static const AbutField pieces_fields[] = {
    {ABUT_FIELD(PiecesAnswer, outcome, TEXT, "", "`volume` or `disjoint`.")},
    {ABUT_FIELD(PiecesAnswer, volume, REAL, "m^3", "Common volume: middle of the bounds.")},
    {ABUT_FIELD_AS("volume_low", PiecesAnswer, v.low, REAL, "m^3", "Lower bound.")},
    {ABUT_FIELD_AS("volume_high", PiecesAnswer, v.high, REAL, "m^3", "Upper bound.")},
    {ABUT_FIELD_VEC3(PiecesAnswer, centroid, "m", "Centroid of what the pieces share."),
        .shown_at = offsetof(PiecesAnswer, has_volume)},
    {ABUT_FIELD_AS("pairs", PiecesAnswer, v.pairs, LONG, "", "Pairs of pieces that overlap.")},
};
const AbutRecord cli_volume_pieces_answer = ABUT_RECORD("volume --pieces", "", PiecesAnswer, pieces_fields);

/* The same solid at the same place: its volume needs no pieces. */
static int are_same(const Operands *operands)
{
    const AbutMesh *a = &operands->of[0].mesh, *b = &operands->of[1].mesh;
    AbutPose p = operands->of[0].pose, q = operands->of[1].pose;
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof *a->vertices) == 0 &&
           memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof *a->triangles) == 0 &&
           memcmp(&p, &q, sizeof p) == 0;
}

static int sum_up(const Operands *operands, const AbutPieces pieces[2], int json)
{
    AbutVolume v;
    cli_need(abut_overlap_volume(abut_solid_pieces(&pieces[0]), abut_solid_pieces(&pieces[1]),
        operands_relative_pose(operands), 0, &v, &cli_why));
    if (are_same(operands) && isfinite(pieces[0].mesh_volume))
        v.low = v.high = pieces[0].mesh_volume;
    AbutVec3 centroid = abut_pose_apply(operands->of[0].pose, v.centroid);
    int status = v.high > 0.0 ? CLI_OK : CLI_NO;
    if (json)
        return cli_answer(2, &cli_volume_pieces_answer, NULL,
            &(PiecesAnswer){v.high > 0.0 ? "volume" : "disjoint", 0.5 * (v.low + v.high), v, v.high > 0.0, centroid},
            status);
    if (status == CLI_NO) {
        puts("no common volume: the pieces lie apart");
        return status;
    }
    printf("  %-12s %.9g m^3\n", "volume", 0.5 * (v.low + v.high));
    printf("  %-12s %.9g to %.9g m^3: what %d and %d convex pieces share, less their excess\n", "between", v.low,
        v.high, pieces[0].count, pieces[1].count);
    cli_print_vec("centroid", centroid, cbrt(v.high), "");
    return status;
}

static int volume_by_pieces(const Operands *operands, int json)
{
    AbutPieces pieces[2] = {{0}, {0}};
    for (int k = 0; k < 2; ++k) {
        const Operand *o = &operands->of[k];
        if (!o->body.tree)
            cli_error("%s: --pieces wants mesh files", o->file);
        cli_need_of(o->file, abut_mesh_decompose(&o->mesh, NULL, &pieces[k], &cli_why));
        if (!pieces[k].closed)
            cli_error("%s: the mesh is open: it has no volume", o->file);
    }
    int status = sum_up(operands, pieces, json);
    abut_pieces_free(&pieces[0]);
    abut_pieces_free(&pieces[1]);
    return status;
}

/* ---- command ----------------------------------------------------------------------------------------------------- */

int cli_volume(int argc, char **argv)
{
    Args args = {.operands = operands_make(), .directions = 512};
    const CliOption options[] = {
        cli_row("--pose-a", &args.operands.of[0].pose),
        cli_row("--pose-b", &args.operands.of[1].pose),
        cli_row("--convex", &args.operands.convex),
        {"--output", "-o", CLI_TEXT, &args.file, "FILE", "write the overlap: .obj, .stl (binary) or .stla (ascii STL)"},
        {"--html", NULL, CLI_TEXT, &args.page, "FILE", "write the bodies and their overlap as a page to look at"},
        {"--directions", NULL, CLI_WITHIN, &(CliWithin){&args.directions, 12, 20000}, "N",
            "farthest points and planes of the polyhedra inside and around a round body, 12 to 20000 (default: 512)"},
        {"--pieces", NULL, CLI_FLAG, &args.pieces, NULL,
            "meshes that need not be convex: sum over their convex pieces"},
        cli_row("--json", &args.json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "mesh files or bodies", &args.operands);
    operands_check_outputs(&args.operands, args.file, args.page);
    if (args.pieces)
        cli_refuse("--directions", "--pieces takes meshes, and no body is round");
    if (args.pieces && (args.file || args.page || args.operands.convex))
        cli_error("--pieces gives the volume alone: -o, --html and --convex do not go with it");
    args.operands.keep_meshes = args.pieces;
    operands_read(args.pieces ? OPERAND_AS_IS : OPERAND_HULL, &args.operands);
    int status = args.pieces ? volume_by_pieces(&args.operands, args.json) : answer(&args);
    operands_free(&args.operands);
    return status;
}
