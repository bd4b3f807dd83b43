/* SPDX-License-Identifier: Apache-2.0 */
/* Private: the arrays of a polyhedron that only the rooms read. */
#ifndef ABUT_SHAPE_POLYHEDRON_H
#define ABUT_SHAPE_POLYHEDRON_H

#include "abut/shape.h"

/* The array that begins so many bytes into the block. */
static inline const void *abut_polyhedron_part(const AbutPolyhedron *p, uint32_t offset) {
    return (const unsigned char *)p + offset;
}

/* Rows x, y, z one after the other, each of padded_count numbers (the padding repeats vertex 0): for vector units. */
static inline const double *abut_polyhedron_rows(const AbutPolyhedron *p) {
    return (const double *)abut_polyhedron_part(p, p->row_at);
}

/* One half-edge index per edge (half_edge_count / 2 of them). */
static inline const int32_t *abut_polyhedron_edges(const AbutPolyhedron *p) {
    return (const int32_t *)abut_polyhedron_part(p, p->edge_at);
}

/* Neighbors of vertex v: neighbors[start[v]] .. neighbors[start[v + 1] - 1], sorted. */
static inline const int32_t *abut_polyhedron_neighbor_start(const AbutPolyhedron *p) {
    return (const int32_t *)abut_polyhedron_part(p, p->neighbor_start_at);
}

static inline const int32_t *abut_polyhedron_neighbors(const AbutPolyhedron *p) {
    return (const int32_t *)abut_polyhedron_part(p, p->neighbor_at);
}

/* The half-edge after h around its face. */
static inline int32_t abut_polyhedron_next(const AbutPolyhedron *p, int32_t h) {
    const AbutFace *face = &abut_polyhedron_faces(p)[abut_polyhedron_half_edges(p)[h].face];
    return h + 1 < face->first + face->count ? h + 1 : face->first;
}

#endif
