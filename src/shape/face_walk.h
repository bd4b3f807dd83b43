/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faces of a convex polyhedron that have a vertex in a set, of large ones without a look at the others. In: half-edges,
 * faces, a mark for each vertex; the marked ones hang together over edges, as those behind a plane do, and one of them
 * is there. Out: the numbers of the faces, ascending, in `list`, which has room for all.
 *
 * Method: from face to face over edges with a marked end. `seen` has a number for each face: 0 for those of the list,
 * -1 for the others.
 */
#ifndef ABUT_SHAPE_FACE_WALK_H
#define ABUT_SHAPE_FACE_WALK_H

#include "abut/shape.h"

typedef struct AbutFaceWalk {
    const AbutHalfEdge *half_edge;
    const AbutFace *face;
    int32_t face_count;
    const int32_t *marked; /* by vertex: not 0 */
    int32_t *seen, *list;
} AbutFaceWalk;

/* Gives the number of faces in the list. */
int32_t abut_face_walk(const AbutFaceWalk *walk);

#endif
