/* SPDX-License-Identifier: Apache-2.0 */
/* Private: all pairs of triangles of two meshes, or triangles and a convex body, nearer to each other than a length. */
#ifndef ABUT_SRC_MESH_NEAR_H
#define ABUT_SRC_MESH_NEAR_H

#include "abut/mesh.h"
#include "mesh/triangle_pair.h"

/* In the frame of A, the caller's lengths. */
typedef struct AbutMeshNear {
    AbutVec3 a[3], b[3]; /* b is zero for a convex body */
    double distance;     /* with a convex body: proved along `way` */
    AbutVec3 way;        /* from the nearest point of the triangle of A to that of B, not normalized */
    int32_t triangle;    /* with a convex body: the number of that of A, */
    int meets;           /* and whether it has a point in common with the body */
} AbutMeshNear;

/* 0: enough, no more are wanted. */
typedef int AbutMeshNearFunction(const AbutMeshNear *pair, void *user);

/*
 * Shows every pair nearer than `within` to `show`; a few that are not may be among them. `way` is the direction from
 * the nearest point of A to that of B. 1: all have been shown.
 */
int abut_mesh_near(const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, AbutVec3 way, double within,
    AbutMeshNearFunction *show, void *user);
int abut_mesh_convex_near(const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, AbutVec3 way, double within,
    AbutMeshNearFunction *show, void *user); /* a PLANE, and bodies with bad numbers: 0 */

#endif
