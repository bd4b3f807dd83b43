/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: a closed mesh with its edges, the ring of each vertex, and a tree of balls with caps of normals, as the
 * convolution of two meshes needs them.
 */
#ifndef ABUT_SRC_MINKOWSKI_RINGS_H
#define ABUT_SRC_MINKOWSKI_RINGS_H

#include "abut/literature.h"
#include "shape/ball_tree.h"

enum { ABUT_RING_CROSSINGS = 64 }; /* of a ring and a plane through its vertex */

/* All normals of the faces at the vertices and edges that the triangles of a node own. */
typedef struct AbutNormalCap {
    AbutVec3 axis;
    double angle; /* half-angle; PI: everything */
} AbutNormalCap;

/* One block of arrays. Every vertex and edge is owned by one triangle. */
typedef struct AbutRings {
    int32_t vertex_count, face_count, edge_count, node_count;
    AbutVec3 *vertex, *normal; /* normal: of vertices, weighted by angles */
    AbutVec3 *face_normal;
    AbutTriangle *face;
    int32_t (*edge)[2];      /* vertices; the left face runs from the first to the second */
    int32_t (*edge_face)[2]; /* left, right */
    int32_t (*face_edge)[3]; /* along side k */
    int8_t *edge_sign;       /* 1 convex, -1 reflex, 0 flat */
    int32_t *ring_start;     /* [vertex_count + 1] */
    int32_t *ring_vertex;    /* neighbors counter-clockwise seen from outside, */
    int32_t *ring_face;      /* the face between neighbor k and the next, */
    int32_t *ring_edge;      /* and the edge to neighbor k */
    int32_t *vertex_owner, *edge_owner;
    AbutBallNode *node; /* leaf: one triangle */
    AbutNormalCap *cap; /* of each node */
    int32_t *item;      /* the triangle at a place of the tree */
    double radius;      /* of a ball about the origin that holds all vertices */
} AbutRings;

/* Fails on meshes that are not closed and oriented, with a vertex where several surfaces meet, or with a ring that a
 * plane may cross more than ABUT_RING_CROSSINGS times. */
AbutStatus abut_rings_create(const AbutMesh *mesh, AbutRings *out, AbutError *error);
void abut_rings_free(AbutRings *rings);

#endif
