/* SPDX-License-Identifier: Apache-2.0 */
/* Private: questions about meshes that the room solid asks. */
#ifndef ABUT_SRC_MESH_KERNELS_H
#define ABUT_SRC_MESH_KERNELS_H

#include "abut/mesh.h"

/* The kernels of abut_distance, abut_collide and abut_depth (abut/solid.h); `def` and `cache` may be NULL. */
AbutGap abut_mesh_distance(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, const AbutGapDef *def, AbutPair *cache);
AbutGap abut_pieces_distance(const AbutPieces *a, const AbutPieces *b, AbutPose b_in_a, const AbutGapDef *def);
AbutCollision abut_mesh_collide(const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, AbutPair *cache);
AbutCollision abut_mesh_convex_collide(const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, AbutPair *cache);
AbutGap abut_mesh_depth(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, const AbutDepthDef *def, AbutDepthCache *cache);
AbutGap abut_mesh_convex_depth(
    const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, const AbutDepthDef *def, AbutDepthCache *cache);

/* All pairs of triangles that meet, at most `capacity`, sorted by (a, b). */
AbutCollision abut_mesh_collide_all(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, int32_t capacity, AbutPair *pairs);

/* All triangles of a mesh that meet a convex body, whose number is -1. */
AbutCollision abut_mesh_convex_collide_all(
    const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, int32_t capacity, AbutPair *pairs);

/* Common volume of two bodies by their pieces, which must not overlap each other, as those of abut_mesh_decompose do
 * not. It lies between what the pieces share, no more than either body, and that less their excess. Where a body has no
 * volume to compare with, low is 0. Fails on a pose that is not finite and on memory. */
AbutStatus abut_pieces_volume(
    const AbutPieces *a, const AbutPieces *b, AbutPose b_in_a, AbutVolume *out, AbutError *error);

/* As abut_mesh_distance, against a convex body, which is solid: PENETRATING where it has a point in common with the
 * surface. Distances are those of abut_convex_distance to each triangle. */
AbutGap abut_mesh_convex_distance(
    const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutPair *cache);

typedef struct AbutMeshHit {
    int32_t triangle;       /* -1: none */
    int32_t grazing;        /* 1: the ray meets a closed surface at a side or vertex and does not go in there */
    double t;               /* the hit is at origin + t * direction */
    AbutVec3 point, normal; /* unit normal of the triangle, against the ray */
} AbutMeshHit;

/*
 * First hit of the ray origin + t direction with 0 <= t <= limit. No ray slips through between triangles with common
 * vertices; one that runs along a triangle's plane misses it. Crossings count both ways; abut_ray knows inside from
 * outside. An origin on the surface hits at t = 0 for any direction, a zero one included: on the surface is what lies
 * within `touch`, plus ABUT_MESH_ON_SURFACE of the data (coordinates of the origin, radius of the mesh), of it. The
 * normal is then that of the triangle, against the ray where that says anything.
 */
AbutMeshHit abut_mesh_ray(const AbutMeshTree *mesh, AbutVec3 origin, AbutVec3 direction, double limit, double touch);

typedef struct AbutMeshCast {
    AbutGapOutcome outcome;         /* at the start; other than SEPARATED: t is 0 */
    int32_t triangle_a, triangle_b; /* -1: no hit */
    double t;                       /* B touches A when it has moved by t direction; INFINITY: no hit; NaN: INVALID */
    AbutVec3 point, normal;         /* where they touch, frame of A; unit normal from A to B */
} AbutMeshCast;

/* First contact of B moved along t direction, 0 <= t <= limit. Exact but for rounding: no iteration. */
AbutMeshCast abut_mesh_cast(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, AbutVec3 direction, double limit);

#endif
