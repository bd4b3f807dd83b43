/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faces of a convex polyhedron that have a vertex inside, of large ones without a look at the others. In: vertices,
 * half-edges, faces, and who says of a vertex whether it is inside; those hang together over edges, as the ones behind
 * a plane do. Out: the faces, and the vertices that they have, both ascending.
 *
 * Method: from a face with such a vertex to the next over edges with an end that is inside.
 */
#ifndef ABUT_SHAPE_FACE_WALK_H
#define ABUT_SHAPE_FACE_WALK_H

#include "abut/shape.h"

typedef struct AbutFaceWalk {
    const AbutVec3 *vertex;
    const AbutHalfEdge *half_edge;
    const AbutFace *face;
    int32_t vertex_count, face_count;
    int (*inside)(int32_t vertex, void *user); /* asked once of each vertex that is met */
    void *user;
    int32_t *mark, *seen;        /* room: a number for each vertex; for each face, afterward 0 or -1: not in the list */
    int32_t *corner_list, *list; /* out: vertices, faces; room for all */
    uint32_t *bits;              /* room: a bit for each vertex and each face, and two numbers more */
    int32_t corners, count;      /* out: how many */
} AbutFaceWalk;

/* A half-edge from a vertex that has no neighbor farther against d. */
int32_t abut_face_walk_lowest(const AbutFaceWalk *walk, AbutVec3 d);

/* The walk, from a face that has a vertex inside. */
void abut_face_walk(AbutFaceWalk *walk, int32_t start);

#endif
