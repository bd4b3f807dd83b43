/* SPDX-License-Identifier: Apache-2.0 */
/* Private: questions about meshes that the room solid asks. */
#ifndef ABUT_MESH_KERNELS_H
#define ABUT_MESH_KERNELS_H

#include "abut/mesh.h"

/* As abut_mesh_distance, against a convex body, which is solid: PENETRATING where it has a point in common with the
 * surface. Distances are those of abut_convex_distance to each triangle. */
AbutGap abut_mesh_convex_distance(
    const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutMeshCache *cache);

typedef struct AbutMeshHit {
    int32_t triangle;       /* -1: none */
    double t;               /* the hit is at origin + t * direction */
    AbutVec3 point, normal; /* unit normal of the triangle, against the ray */
} AbutMeshHit;

/* First hit of the ray origin + t direction with 0 <= t <= limit. No ray slips through between triangles with common
 * vertices; one that runs along a triangle's plane misses it. Crossings count both ways and from t = 0 on, also where
 * the origin is on the surface; abut_ray_cast knows inside from outside. */
AbutMeshHit abut_mesh_ray(const AbutMeshTree *mesh, AbutVec3 origin, AbutVec3 direction, double limit);

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
