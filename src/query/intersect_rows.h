/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the parts of the intersection test. A row is dimension + 1 numbers: a normal of unit length (or zero for a
 * constant row), then the offset. Offsets are relaxed: half the tolerance is added, so that regions which touch meet in
 * a set with interior and exact comparisons may follow.
 */
#ifndef ABUT_QUERY_INTERSECT_ROWS_H
#define ABUT_QUERY_INTERSECT_ROWS_H

#include "abut/query.h"

/* Rows of both regions, A's first. */
typedef struct AbutRows {
    int dimension, count_a, count_b;
    double *row;     /* relaxed, (count_a + count_b) x (dimension + 1) */
    double *relaxed; /* how much was added to the offset of each row: half its tolerance */
    double scale;    /* typical offset */
} AbutRows;

/* Lays the row arrays out at the start of a workspace; *rest is what follows. */
AbutRows abut_rows_in(void *workspace, int dimension, int count_a, int count_b, void **rest);

/* LP, or the search of the def, on unit rows with `scale` set; relaxes them. both_known: neither region is empty. */
AbutIntersection abut_intersect_rows(
    AbutRows *rows, const AbutIntersectDef *def, int both_known, void *workspace, size_t size);

/* GJK on polyhedra. `tolerance` is a length. */
AbutIntersection abut_intersect_by_distance(
    const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, double tolerance);

/* GJK on unit rows of dimension 3: makes polyhedra, which allocates. */
AbutIntersection abut_intersect_rows_by_distance(const AbutRows *rows, const AbutIntersectDef *def);

/* A vector of space as the first numbers of a list. */
static inline void abut_put_vec3(double *to, AbutVec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

/* APART by a plane. */
static inline void abut_intersect_set_plane(AbutIntersection *out, AbutVec3 normal, double offset, double gap) {
    out->outcome = ABUT_INTERSECT_APART;
    abut_put_vec3(out->plane, normal);
    out->plane_offset = offset;
    out->gap = gap;
}

#endif
