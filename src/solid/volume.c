/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The volume that two solids have in common, between bounds.
 *
 * In: two solids and the pose of B in A. Out: bounds of the volume. Method: one table [kind][kind]; convex bodies by
 * polyhedra inside and around them; pieces, which do not overlap each other, by the sum over all pairs less what they
 * have too much. Meshes and height fields go through their pieces.
 */
#include "mesh/kernels.h"
#include "query/overlap.h"
#include "solid/solid.h"

typedef AbutStatus Volume(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error);

static AbutStatus convex_convex(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error) {
    return abut_convex_overlap_volume(a->convex, b->convex, b_in_a, directions, out, error);
}

static AbutStatus pieces_pieces(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error) {
    (void)directions;
    return abut_pieces_volume(a->pieces, b->pieces, b_in_a, out, error);
}

/* The sum over the pieces of A and a convex body. */
static AbutStatus pieces_convex(
    const AbutSolid *of, const AbutSolid *b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error) {
    const AbutPieces *a = of->pieces;
    AbutVolume sum = {.centroid = {NAN, NAN, NAN}};
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < a->count && status == ABUT_OK; ++i) {
        AbutConvex piece = abut_convex_polyhedron(a->piece[i], 0.0);
        AbutVolume x;
        status = abut_convex_overlap_volume(&piece, b->convex, b_in_a, directions, &x, error);
        if (status == ABUT_OK) sum.low += x.low, sum.high += x.high, sum.pairs += x.pairs;
    }
    double excess = a->volume - a->mesh_volume;
    sum.low = excess >= 0.0 ? abut_larger(0.0, sum.low - excess) : 0.0; /* NaN: not known */
    if (a->mesh_volume < sum.high) sum.high = a->mesh_volume;
    if (status == ABUT_OK) *out = sum;
    return status;
}

/* NULL in both orders: not supported. */
static Volume *const volume[ABUT_SOLID_KIND_COUNT][ABUT_SOLID_KIND_COUNT] = {
    /*            convex         mesh  pieces         field */
    /* convex */ {convex_convex, NULL, NULL, NULL},
    /* mesh   */ {NULL, NULL, NULL, NULL},
    /* pieces */ {pieces_convex, NULL, pieces_pieces, NULL},
    /* field  */ {NULL, NULL, NULL, NULL},
};

/* A kind that has no volume here; NULL: it has. */
static const char *kind_word(AbutSolid solid) {
    return solid.kind == ABUT_SOLID_CONVEX || solid.kind == ABUT_SOLID_PIECES ? NULL
           : solid.kind == ABUT_SOLID_MESH                                    ? "a mesh"
           : solid.kind == ABUT_SOLID_FIELD                                   ? "a height field"
                                                                              : "a body of another kind";
}

AbutStatus abut_overlap_volume(
    AbutSolid a, AbutSolid b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error) {
    ABUT_ASSERT(out);
    Volume *ask = abut_solids_are_known(a, b) ? volume[a.kind][b.kind] : NULL;
    Volume *turned = abut_solids_are_known(a, b) ? volume[b.kind][a.kind] : NULL;
    AbutSolid unfit = kind_word(a) ? a : b;
    if (ask) return ask(&a, &b, b_in_a, directions, out, error);
    if (turned) return turned(&b, &a, abut_pose_inv(b_in_a), directions, out, error);
    return abut_fail(
        error, ABUT_ERROR_UNSUPPORTED, "expected convex bodies or convex pieces, got %s", kind_word(unfit));
}
