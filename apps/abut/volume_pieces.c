/* SPDX-License-Identifier: Apache-2.0 */
/* The common volume of two meshes, convex or not, as a sum over their convex pieces, with bounds on both sides. */
#include "volume_pieces.h"

#include <string.h>

typedef struct Answer {
    const char *outcome;
    double volume;
    AbutVolume v;
    int has_volume;
    AbutVec3 centroid;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, outcome, TEXT, "", "`volume` or `disjoint`.")},
    {ABUT_FIELD(Answer, volume, REAL, "m^3", "Common volume: middle of the bounds.")},
    {ABUT_FIELD_AS("volume_low", Answer, v.low, REAL, "m^3", "Lower bound.")},
    {ABUT_FIELD_AS("volume_high", Answer, v.high, REAL, "m^3", "Upper bound.")},
    {ABUT_FIELD_VEC3(Answer, centroid, "m", "Centroid of what the pieces share."),
        .shown_at = offsetof(Answer, has_volume)},
    {ABUT_FIELD_AS("pairs", Answer, v.pairs, LONG, "", "Pairs of pieces that overlap.")},
};
const AbutRecord cli_volume_pieces_answer = ABUT_RECORD("volume --pieces", "", Answer, answer_fields);

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
            &(Answer){v.high > 0.0 ? "volume" : "disjoint", 0.5 * (v.low + v.high), v, v.high > 0.0, centroid}, status);
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

int volume_by_pieces(const Operands *operands, int json)
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
