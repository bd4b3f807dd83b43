/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: a cell of the convex decomposition: a box along the axes and the polygons of the mesh inside it. The hull of
 * the corners of the polygons and of those corners of the box that lie inside the mesh is the hull of the solid within
 * the cell: every extreme point of solid and box together is one of these.
 */
#ifndef ABUT_MESH_DECOMPOSE_CELL_H
#define ABUT_MESH_DECOMPOSE_CELL_H

#include "abut/mesh.h"

enum { ABUT_CELL_CORNERS = 12, ABUT_CELL_CUTS = 7 }; /* a triangle cut by six planes has nine corners */

typedef struct AbutCellPolygon {
    int32_t count;
    AbutVec3 v[ABUT_CELL_CORNERS];
} AbutCellPolygon;

typedef struct AbutCell {
    double low[3], high[3];
    unsigned inside; /* bit k: corner k of the box (bit 0: high x, ...) is inside the mesh */
    int32_t count;
    AbutCellPolygon *polygon;
    double volume; /* of its hull */
    double gain;   /* of its best cut: what that takes off the volume; 0: none */
    int axis;
    double at;
} AbutCell;

/* The cell of a whole mesh. Memory fails. */
AbutStatus abut_cell_begin(const AbutMesh *mesh, const AbutMeshTree *tree, AbutCell *out, AbutError *error);
void abut_cell_free(AbutCell *cell);

/* Hull of the solid within a cell; *out is NULL where it has no volume. `out` may be NULL. Sets cell->volume. */
AbutStatus abut_cell_hull(AbutCell *cell, AbutPolyhedron **out, AbutError *error);

/* The two parts of a cell at its best cut, without volume and cuts of their own. */
AbutStatus abut_cell_split(
    const AbutCell *cell, const AbutMeshTree *tree, AbutCell *low, AbutCell *high, AbutError *error);

/* Finds the best cut: seven places on each axis, hulls of samples of the points; cells that no cut makes smaller though
 * they are hollow are halved. */
AbutStatus abut_cell_find_cut(AbutCell *cell, const AbutMeshTree *tree, int threads, AbutError *error);

#endif
