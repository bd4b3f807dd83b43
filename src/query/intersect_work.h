/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the intersection test that regions and polyhedra share. */
#ifndef ABUT_QUERY_INTERSECT_WORK_H
#define ABUT_QUERY_INTERSECT_WORK_H

#include "query/intersect_rows.h"

/* Lays the row arrays out at the start of a workspace; *rest is what follows. */
AbutRows abut_rows_in(void *workspace, int dimension, int count_a, int count_b, void **rest);

/* REN or LP on unit rows with `scale` set; relaxes them. both_known: neither region is empty. */
AbutIntersection abut_intersect_rows(
    AbutRows *rows, const AbutIntersectDef *def, int both_known, void *workspace, size_t size);

/* GJK on polyhedra. `tolerance` is a length. */
AbutIntersection abut_intersect_by_distance(
    const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, double tolerance);

/* GJK on unit rows of dimension 3: makes polyhedra, which allocates. */
AbutIntersection abut_intersect_rows_by_distance(const AbutRows *rows, const AbutIntersectDef *def);

/* Rows of a polyhedron, flat ones included: write up to abut_polyhedron_row_count of 4 numbers each. */
int abut_polyhedron_row_count(const AbutPolyhedron *p);

/* Rows seen from `pose` shifted by -origin. */
void abut_polyhedron_write_rows(const AbutPolyhedron *p, AbutPose pose, AbutVec3 origin, double *rows);

#endif
