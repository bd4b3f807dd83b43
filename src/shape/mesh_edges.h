/* SPDX-License-Identifier: Apache-2.0 */
/* Private to shape: the sides of the triangles of a mesh, sorted so that those along one edge lie together. */
#ifndef ABUT_SHAPE_MESH_EDGES_H
#define ABUT_SHAPE_MESH_EDGES_H

#include "abut/shape.h"

/* Side 3 * triangle + i runs from v[i] to v[i + 1]. */
typedef struct AbutMeshSide {
    int32_t low, high; /* its vertices */
    int32_t triangle, i;
    int32_t up; /* 1: it runs from low to high, -1: from high to low */
} AbutMeshSide;

/* Triangles with a repeated vertex have no sides here. */
typedef struct AbutMeshEdges {
    AbutMeshSide *sides;
    int32_t count;
} AbutMeshEdges;

static inline int abut_triangle_repeats(const AbutTriangle *t) {
    return t->v[0] == t->v[1] || t->v[1] == t->v[2] || t->v[2] == t->v[0];
}

/* Things that hang together, each with a link towards the least of its part: the number of that one. */
static inline int32_t abut_part_root(int32_t *parent, int32_t i) {
    for (; parent[i] != i; i = parent[i]) parent[i] = parent[parent[i]];
    return i;
}

static inline void abut_parts_join(int32_t *parent, int32_t a, int32_t b) {
    a = abut_part_root(parent, a), b = abut_part_root(parent, b);
    *(a < b ? &parent[b] : &parent[a]) = a < b ? a : b;
}

/* Fails when an index is out of range, when there are too many triangles to number their sides, and on memory. */
AbutStatus abut_mesh_edges_sort(const AbutMesh *mesh, AbutMeshEdges *out, AbutError *error);
void abut_mesh_edges_free(AbutMeshEdges *edges);

/* One past the last side that lies along the same edge as side number `first` of the sorted list. */
int32_t abut_mesh_edges_end(const AbutMeshEdges *edges, int32_t first);

/* Are all vertex numbers of the triangles in range? */
AbutStatus abut_mesh_check_indices(const AbutMesh *mesh, AbutError *error);

/* Volume, centroid and inertia by the divergence theorem, and area, about the middle of `box`. */
AbutMass abut_mesh_mass(const AbutMesh *mesh, AbutAabb box);

/* Keeps each place once, in the order of its first point; gives their number, or -1 without memory (mesh_weld.c). */
int32_t abut_points_distinct(AbutVec3 *points, int32_t count);

#endif
