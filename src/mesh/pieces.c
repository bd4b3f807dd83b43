/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of convex pieces that stand for bodies: their signed distance, and whether they cover a mesh.
 *
 * In: polyhedra in the frame of their body. Out: the least signed distance of all pairs of pieces. Where the pieces
 * cover the bodies that is never above the true distance apart, below 0 where they overlap, and changes by no more than
 * the bodies move. Method: pairs whose bounding balls are farther apart than the best so far are left out, and
 * other searches end when they pass it.
 */
#include "mesh/kernels.h"
#include "abut/mesh.h"
#include "mesh/tolerance.h"
#include "query/contract.h"

#include <string.h>

void abut_pieces_free(AbutPieces *pieces) {
    for (int32_t i = 0; pieces && i < pieces->count; ++i) abut_polyhedron_free(pieces->piece[i]);
    if (pieces) {
        abut_free(pieces->piece);
        memset(pieces, 0, sizeof *pieces);
    }
}

/* Gap of the bounding balls. */
static double ball_gap(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a) {
    return abut_point_distance(a->bound.center, abut_pose_apply(b_in_a, b->bound.center)) - a->bound.radius -
           b->bound.radius;
}

static void try_pair(const AbutPieces *a, int32_t i, const AbutPieces *b, int32_t j, AbutPose b_in_a,
    const AbutGapDef *given, AbutGap *out) {
    double best = out->outcome == ABUT_INVALID ? INFINITY : out->distance;
    if (!(ball_gap(a->piece[i], b->piece[j], b_in_a) < best)) return;
    AbutConvex p = abut_convex_polyhedron(a->piece[i], 0.0), q = abut_convex_polyhedron(b->piece[j], 0.0);
    AbutGapDef def = {.within = given ? given->within : 0.0};
    if (best > 0.0 && best < INFINITY && !(def.within > 0.0 && def.within < best))
        def.within = best; /* nothing farther matters */
    AbutGap d = abut_convex_distance(&p, &q, b_in_a, &def, NULL);
    if (given && given->work) ++given->work->piece_pairs;
    if (d.outcome == ABUT_INVALID || (out->outcome != ABUT_INVALID && !(d.distance < best))) return;
    *out = d;
    out->kind = ABUT_GAP_PIECES;
    out->part_a = (AbutPart){ABUT_PART_PIECE, {i, -1, -1}};
    out->part_b = (AbutPart){ABUT_PART_PIECE, {j, -1, -1}};
}

AbutGap abut_pieces_distance(const AbutPieces *a, const AbutPieces *b, AbutPose b_in_a, const AbutGapDef *def) {
    AbutGap out = abut_gap_invalid();
    if (!abut_pose_is_finite(b_in_a)) return out;
    for (int32_t i = 0; i < a->count; ++i)
        for (int32_t j = 0; j < b->count; ++j) try_pair(a, i, b, j, b_in_a, def, &out);
    return out;
}

/* How far p lies outside a polyhedron, by its planes: at most 0 inside. */
static double outside(const AbutPolyhedron *hull, AbutVec3 p) {
    const AbutFace *face = abut_polyhedron_faces(hull);
    double most = -INFINITY;
    for (int32_t k = 0; k < hull->face_count; ++k)
        most = abut_larger(most, abut_dot(face[k].plane.normal, p) - face[k].plane.offset);
    return most;
}

int32_t abut_pieces_cover(const AbutPieces *pieces, const AbutMesh *mesh, int32_t *vertex, double *farthest) {
    int32_t uncovered = 0, worst = -1;
    double most = 0.0;
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        double least = INFINITY;
        for (int32_t k = 0; k < pieces->count && least > 0.0; ++k)
            least = abut_smaller(least, outside(pieces->piece[k], mesh->vertices[i]));
        if (least > most) most = least, worst = i;
        uncovered += least > ABUT_PIECES_COVERED * (1.0 + abut_max_abs(mesh->vertices[i]));
    }
    if (vertex) *vertex = worst;
    if (farthest) *farthest = most;
    return uncovered;
}

/* ---- common volume ----------------------------------------------------------------------------------------------- */

/* Adds the overlap of two pieces; the workspace grows as needed. */
static AbutStatus add_overlap(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, void **workspace,
    size_t *room, AbutVolume *out, AbutError *error) {
    AbutConvex p = abut_convex_polyhedron(a, 0.0), q = abut_convex_polyhedron(b, 0.0);
    size_t need = abut_overlap_workspace_size(&p, &q);
    if (!abut_grow(workspace, room, need, 1)) return abut_fail_memory(error);
    AbutOverlap o = abut_overlap(&p, &q, b_in_a, NULL, *workspace, *room);
    ++out->pairs;
    if (o.outcome > ABUT_OVERLAP_DISJOINT)
        return abut_fail(error, ABUT_ERROR_DEGENERATE, "the overlap of two pieces could not be computed");
    if (o.outcome == ABUT_OVERLAP_VOLUME) {
        out->high += o.volume;
        out->centroid = abut_add_scaled(out->centroid, o.centroid, o.volume);
    }
    return ABUT_OK;
}

/* The common part of two bodies is no more than one of them, of known volume or NaN. */
static void cap(AbutVolume *sum, double volume) {
    if (volume < sum->high) sum->high = volume;
    if (volume < sum->low) sum->low = volume;
}

AbutStatus abut_pieces_volume(
    const AbutPieces *a, const AbutPieces *b, AbutPose b_in_a, AbutVolume *out, AbutError *error) {
    AbutVolume sum = {0};
    AbutStatus status =
        abut_pose_is_finite(b_in_a) ? ABUT_OK : abut_fail(error, ABUT_ERROR_NUMBER, "the pose of B is not finite");
    void *workspace = NULL;
    size_t room = 0;
    for (int32_t i = 0; i < a->count && !status; ++i)
        for (int32_t j = 0; j < b->count && !status; ++j)
            if (ball_gap(a->piece[i], b->piece[j], b_in_a) < 0.0)
                status = add_overlap(a->piece[i], b->piece[j], b_in_a, &workspace, &room, &sum, error);
    abut_free(workspace);
    if (sum.high > 0.0) sum.centroid = abut_scale(sum.centroid, 1.0 / sum.high);
    sum.low = abut_larger(0.0, sum.high - (a->volume - a->mesh_volume) - (b->volume - b->mesh_volume));
    if (!(sum.low <= sum.high)) sum.low = 0.0;
    cap(&sum, a->mesh_volume);
    cap(&sum, b->mesh_volume);
    if (!status) *out = sum;
    return status;
}
