/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that the room solid asks: all pairs of triangles that meet, the common volume of pieces. */
#ifndef ABUT_SRC_MESH_KERNELS_H
#define ABUT_SRC_MESH_KERNELS_H

#include "abut/mesh.h"

/* All pairs of triangles that meet, at most `capacity`, sorted by (a, b). */
AbutCollision abut_mesh_collide_all(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, int32_t capacity, AbutMeshPairOfTriangles *pairs);

/* Numbers of all triangles of a mesh that meet a convex body, at most `capacity`, sorted. */
AbutCollision abut_mesh_convex_collide_all(
    const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, int32_t capacity, int32_t *triangles);

/* Common volume of two bodies by their pieces, which must not overlap each other, as those of abut_mesh_decompose do
 * not. It lies between what the pieces share, no more than either body, and that less their excess. Where a body has no
 * volume to compare with, low is 0. Fails on a pose that is not finite and on memory. */
AbutStatus abut_pieces_volume(
    const AbutPieces *a, const AbutPieces *b, AbutPose b_in_a, AbutVolume *out, AbutError *error);

#endif
