/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut volume: the overlap of two convex bodies. In: convex mesh files, or with --convex the hulls of any, or bodies in
 * words; poses. Out: volume, area, centroid and normal in the world frame, and the overlap as a mesh file; exit 1 when
 * there is no common volume, 3 when rounding left it undecided. For round bodies the overlap shown is that of the
 * polyhedra inside them, and the volume is bounded from both sides.
 */
#include "operands.h"
#include <string.h>

typedef struct Args {
    Operands operands;
    const char *file, *page; /* NULL: not wanted */
    int json, directions;
    AbutVolume bounds; /* of the volume */
    int round;         /* a body is round: they differ */
} Args;

/* The words of distances for outcomes of overlaps. */
static AbutGapOutcome outcome_of(AbutOverlapOutcome outcome) {
    return outcome == ABUT_OVERLAP_VOLUME     ? ABUT_PENETRATING
           : outcome == ABUT_OVERLAP_TOUCHING ? ABUT_TOUCHING
                                              : ABUT_SEPARATED;
}

typedef struct Answer {
    AbutGapOutcome outcome;
    double volume;
    AbutVolume bounds;
    double area;
    int has_volume;
    AbutVec3 centroid, normal;
    int32_t normal_from_depth, faces, vertices;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, outcome, WORD, "", "`penetrating`, `touching` or `separated`."),
        .words = abut_gap_outcome_names},
    {ABUT_FIELD(Answer, volume, REAL, "m^3", "Common volume.")},
    {ABUT_FIELD_AS("volume_low", Answer, bounds.low, REAL, "m^3", "Lower bound: of round bodies and of pieces.")},
    {ABUT_FIELD_AS("volume_high", Answer, bounds.high, REAL, "m^3", "Upper bound: of round bodies and of pieces.")},
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

static const AbutField pieces_fields[] = {
    {.kind = ABUT_FIELD_PICK, .record = &cli_volume_answer, .pick = "outcome volume volume_low volume_high centroid"},
    {ABUT_FIELD_AS("pairs", Answer, bounds.pairs, LONG, "", "Pairs of pieces that overlap.")},
};
const AbutRecord cli_volume_pieces_answer = ABUT_RECORD("volume --pieces", "", Answer, pieces_fields);

static const char round_text[] =
    "  volume       {volume:.9g} m^3\n"
    "  between      {volume_low:.9g} to {volume_high:.9g} m^3: polyhedra inside and around "
    "the round bodies; the rest is of those inside\n";
static const char rest_text[] = "  normal       {normal~:.9g}{normal_from_depth?: of a face of least depth, since the "
                                "faces of A have no direction in sum}\n"
                                "  faces        {faces}\n"
                                "  vertices     {vertices}\n";

static int print_answer(const Args *args, const AbutOverlap *o, int status) {
    const AbutRecord *record = &cli_volume_answer;
    Answer a = {outcome_of(o->outcome), 0.5 * (args->bounds.low + args->bounds.high), args->bounds, o->area,
        o->outcome == ABUT_OVERLAP_VOLUME, o->centroid, o->normal, o->normal_from_depth, o->face_count,
        o->vertex_count};
    if (args->json) return cli_answer(2, record, NULL, &a, status);
    if (!a.has_volume) {
        printf("no common volume: the bodies %s\n", o->outcome == ABUT_OVERLAP_TOUCHING ? "touch" : "lie apart");
        return status;
    }
    abut_record_print(stdout, record, args->round ? round_text : "  volume       {volume:.9g} m^3\n", &a);
    abut_record_print(stdout, record, "  area         {area:.9g} m^2\n", &a);
    cli_print_vec("centroid", o->centroid, sqrt(o->area), "");
    abut_record_print(stdout, record, rest_text, &a);
    return status;
}

static void write_files(const Args *args, const AbutOverlap *o) {
    AbutMesh mesh;
    char note[256], title[300];
    AbutPageHead head = {.title = operands_title(&args->operands, title),
        .subtitle = "Overlap",
        .outcome = abut_word(abut_gap_outcome_names, outcome_of(o->outcome)),
        .note = endless_note(&args->operands,
            args->round ? "clipping of polyhedra inside the round bodies" : "clipping of convex bodies", note)};
    if (args->file && o->outcome == ABUT_OVERLAP_VOLUME) {
        cli_need(abut_overlap_to_mesh(o, args->operands.of[0].pose, &mesh, &cli_why));
        cli_need(abut_mesh_write(args->file, &mesh, &cli_why));
    }
    if (args->page)
        cli_need(abut_page_write_overlap(
            args->page, &head, operands_make_model(&args->operands), o, args->operands.of[0].pose, &cli_why));
    if (args->file && o->outcome != ABUT_OVERLAP_VOLUME)
        cli_warning("%s is not written: there is no common volume", args->file);
}

/* Without a common volume: no, or undecided where rounding won. */
static int status_of(AbutOverlapOutcome outcome) {
    return outcome == ABUT_OVERLAP_VOLUME ? CLI_OK : outcome == ABUT_OVERLAP_FAILED ? CLI_UNDECIDED : CLI_NO;
}

/* The body that is clipped and drawn: a round one is the polyhedron inside it, which becomes the hull of the operand.
 */
static void faceted(Args *args, Operand *operand, AbutConvex *out) {
    AbutPolyhedron *around = NULL;
    *out = operand->body.convex;
    if (out->kind == ABUT_CONVEX_PLANE) cli_error("%s: a plane has no volume", operand->file);
    if (operand->body.hull || out->kind == ABUT_CONVEX_BOX || out->kind == ABUT_CONVEX_HALF_SPACE) return;
    cli_need_of(operand->file, abut_convex_polyhedra(out, args->directions, &operand->body.hull, &around, &cli_why));
    *out = abut_convex_polyhedron(operand->body.hull, 0.0);
    args->round = 1;
}

/* Both bodies, and the bounds. An overlap that is not there, or has no end, is told by the clipping. */
static void prepare(Args *args, AbutConvex body[2]) {
    Operand *of = args->operands.of;
    AbutConvex exact[2] = {of[0].body.convex, of[1].body.convex};
    for (int k = 0; k < 2; ++k) faceted(args, &of[k], &body[k]);
    if (!args->round && cli_given("--directions"))
        cli_warning("--directions plays no part: no body is round, and the volume is exact");
    if (exact[0].kind == ABUT_CONVEX_HALF_SPACE && exact[1].kind == ABUT_CONVEX_HALF_SPACE)
        cli_error("two half-spaces have no finite volume in common");
    if (args->round)
        cli_need(abut_overlap_volume(abut_solid_convex(&exact[0]), abut_solid_convex(&exact[1]),
            operands_relative_pose(&args->operands), args->directions, &args->bounds, &cli_why));
}

/* Round bodies may overlap by less than what their inner polyhedra miss: then the distance decides. */
static void settle_round(const Args *args, AbutConvex exact_a, AbutConvex exact_b, AbutOverlap *o) {
    if (!args->round || o->outcome == ABUT_OVERLAP_VOLUME || o->outcome > ABUT_OVERLAP_DISJOINT) return;
    AbutGap d = abut_convex_distance(&exact_a, &exact_b, operands_relative_pose(&args->operands), NULL, NULL);
    o->outcome = d.outcome == ABUT_PENETRATING ? ABUT_OVERLAP_FAILED
                 : d.outcome == ABUT_TOUCHING  ? ABUT_OVERLAP_TOUCHING
                                               : ABUT_OVERLAP_DISJOINT;
}

static int answer(Args *args) {
    AbutConvex body[2], exact[2] = {args->operands.of[0].body.convex, args->operands.of[1].body.convex};
    const Operand *of = args->operands.of;
    prepare(args, body);
    size_t bytes = abut_overlap_workspace_size(&body[0], &body[1]);
    AbutOverlap o =
        abut_overlap(&body[0], &body[1], abut_pose_between(of[0].pose, of[1].pose), NULL, cli_room(bytes, 1), bytes);
    o.centroid = abut_pose_apply(of[0].pose, o.centroid), o.normal = abut_quat_rotate(of[0].pose.q, o.normal);
    settle_round(args, exact[0], exact[1], &o);
    if (!args->round) args->bounds = (AbutVolume){.low = o.volume, .high = o.volume};
    int status = status_of(o.outcome);
    if (o.outcome > ABUT_OVERLAP_DISJOINT) {
        cli_complain(args->round && o.outcome == ABUT_OVERLAP_FAILED
                         ? "the bodies overlap by less than their polyhedra show; --directions takes more"
                         : "the overlap could not be computed: the bodies are too degenerate");
        return status == CLI_UNDECIDED ? status : CLI_BAD;
    }
    write_files(args, &o);
    return print_answer(args, &o, status);
}

/* ---- pieces --------------------------------------------------------------------------------------------------------- */

/* One solid at one place: its volume needs no pieces. */
static int are_same(const Operands *operands) {
    const AbutMesh *a = &operands->of[0].mesh, *b = &operands->of[1].mesh;
    AbutPose p = operands->of[0].pose, q = operands->of[1].pose;
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count && a->vertex_count > 0 &&
           memcmp(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof *a->vertices) == 0 &&
           memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof *a->triangles) == 0 &&
           memcmp(&p, &q, sizeof p) == 0;
}

/* Meshes without pieces are convex here. */
static AbutSolid solid_of(const Operand *o) {
    if (o->body.pieces.count > 0 && !o->folder && !o->body.pieces.closed)
        cli_error("%s: the mesh is open: it has no volume", o->file);
    if (!o->body.pieces.count && o->body.tree && !o->body.is_convex)
        cli_error("%s: a mesh that is not convex has its volume by --pieces", o->file);
    return o->body.pieces.count > 0 ? abut_solid_pieces(&o->body.pieces) : abut_solid_convex(&o->body.convex);
}

static int volume_by_pieces(const Args *args) {
    const Operand *of = args->operands.of;
    const AbutPieces *p = &of[0].body.pieces, *q = &of[1].body.pieces;
    AbutVolume v;
    cli_need(abut_overlap_volume(
        solid_of(&of[0]), solid_of(&of[1]), operands_relative_pose(&args->operands), args->directions, &v, &cli_why));
    if (are_same(&args->operands) && isfinite(p->mesh_volume)) v.low = v.high = p->mesh_volume;
    Answer a = {.outcome = v.high > 0.0 ? ABUT_PENETRATING : ABUT_SEPARATED,
        .volume = 0.5 * (v.low + v.high),
        .bounds = v,
        .has_volume = v.high > 0.0,
        .centroid = abut_pose_apply(of[0].pose, v.centroid)};
    int status = a.has_volume ? CLI_OK : CLI_NO;
    if (args->json) return cli_answer(2, &cli_volume_pieces_answer, NULL, &a, status);
    if (!a.has_volume) {
        puts("no common volume: the pieces lie apart");
        return status;
    }
    printf("  %-12s %.9g m^3\n", "volume", a.volume);
    printf("  %-12s %.9g to %.9g m^3: what %d and %d convex pieces share, less their excess\n", "between", v.low,
        v.high, p->count ? p->count : 1, q->count ? q->count : 1);
    if (abut_is_finite(a.centroid)) cli_print_vec("centroid", a.centroid, cbrt(v.high), "");
    return status;
}

/* ---- command ----------------------------------------------------------------------------------------------------- */

int cli_volume(int argc, char **argv) {
    Args args = {.operands = operands_make(), .directions = 512};
    const CliOption options[] = {
        OPERAND_OPTIONS(&args.operands),
        OPTION("--output", CLI_OUTPUT, &args.file, "FILE",
            "write the overlap: .obj, .stl (binary) or .stla (ascii STL)", .brief = "-o"),
        OPTION("--html", CLI_OUTPUT, &args.page, "FILE", "write the bodies and their overlap as a page to look at"),
        OPTION("--directions", CLI_COUNT, &args.directions, "N",
            "farthest points and planes of the polyhedra inside and around a round body, 12 to 20000 (default: 512)",
            12, 20000),
        cli_row("--json", &args.json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "mesh files or bodies", &args.operands);
    int pieces = operands_by_pieces(&args.operands);
    if (pieces && (args.file || args.page))
        cli_error("--pieces gives the volume alone: -o and --html do not go with it");
    operands_read(ABUT_SOLID_ONLY_CONVEX, &args.operands);
    if (pieces && args.operands.of[0].mesh.vertex_count && args.operands.of[1].mesh.vertex_count)
        cli_refuse("--directions", "--pieces takes meshes, and no body is round");
    return pieces ? volume_by_pieces(&args) : answer(&args);
}
