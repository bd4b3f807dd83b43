/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The volume that two solids have in common, between bounds.
 *
 * In: two solids and the pose of B in A. Out: bounds of the volume. Method: convex bodies by polyhedra inside and
 * around them; pieces, which do not overlap each other, by the sum over all pairs less what they have too much. Meshes
 * go through their pieces.
 */
#include "query/overlap.h"
#include "mesh/kernels.h"
#include "solid/solid.h"

/* The sum over the pieces of A and a convex body. */
static AbutStatus pieces_convex(
    const AbutPieces *a, const AbutConvex *b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error)
{
    AbutVolume sum = {.centroid = {NAN, NAN, NAN}};
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < a->count && status == ABUT_OK; ++i) {
        AbutConvex piece = abut_convex_polyhedron(a->piece[i], 0.0);
        AbutVolume x;
        status = abut_convex_overlap_volume(&piece, b, b_in_a, directions, &x, error);
        if (status == ABUT_OK)
            sum.low += x.low, sum.high += x.high, sum.pairs += x.pairs;
    }
    double excess = a->volume - a->mesh_volume;
    sum.low = excess >= 0.0 ? abut_larger(0.0, sum.low - excess) : 0.0; /* NaN: not known */
    if (a->mesh_volume < sum.high)
        sum.high = a->mesh_volume;
    if (status == ABUT_OK)
        *out = sum;
    return status;
}

AbutStatus abut_overlap_volume(
    AbutSolid a, AbutSolid b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error)
{
    ABUT_ASSERT(out);
    if (!abut_solids_are_known(a, b) || a.kind == ABUT_SOLID_MESH || b.kind == ABUT_SOLID_MESH)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "expected convex bodies or convex pieces, got a mesh");
    if (a.kind == ABUT_SOLID_PIECES && b.kind == ABUT_SOLID_PIECES)
        return abut_pieces_volume(a.pieces, b.pieces, b_in_a, out, error);
    if (a.kind == ABUT_SOLID_PIECES)
        return pieces_convex(a.pieces, b.convex, b_in_a, directions, out, error);
    if (b.kind == ABUT_SOLID_PIECES)
        return pieces_convex(b.pieces, a.convex, abut_pose_inv(b_in_a), directions, out, error);
    return abut_convex_overlap_volume(a.convex, b.convex, b_in_a, directions, out, error);
}
