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
    AbutPolyhedron *hull; /* NULL: not made yet, or it has no volume */
    double volume;        /* of its hull */
    double gain;          /* of its best cut: what that takes off the volume; 0: none */
    int axis;
    int searched; /* 1: axis, place and gain of the best cut are known */
    double at;
} AbutCell;

/* The cell of a whole mesh. Memory fails. */
AbutStatus abut_cell_begin(const AbutMesh *mesh, const AbutMeshTree *tree, AbutCell *out, AbutError *error);
void abut_cell_free(AbutCell *cell);

/* Hull of the solid within a cell, cell->hull and cell->volume; NULL and 0 where it has no volume. */
AbutStatus abut_cell_make_hull(AbutCell *cell, AbutError *error);

/* Volume of the hull of points, of which only the different ones stay; it is put into *out unless that is NULL, and is
 * freed and NULL when it has no volume. Polygons share corners, and a hull takes long over points that repeat. */
AbutStatus abut_cell_hull_of(int count, AbutVec3 *point, double *volume, AbutPolyhedron **out, AbutError *error);

/* Bit k: corner k of a box is inside the mesh. These corners, put into `out`; gives their number. */
unsigned abut_cell_corners_inside(const AbutMeshTree *tree, const double low[3], const double high[3]);
int abut_cell_add_corners(const double low[3], const double high[3], unsigned inside, AbutVec3 *out);

/* The part of a polygon with side * (x - at) >= 0; gives the number of its corners. */
int abut_cell_clip(const AbutCellPolygon *p, int axis, double at, double side, AbutVec3 out[ABUT_CELL_CORNERS]);

/* The two parts of a cell at its best cut, without hulls and cuts of their own. */
AbutStatus abut_cell_split(
    const AbutCell *cell, const AbutMeshTree *tree, AbutCell *low, AbutCell *high, AbutError *error);

/* Finds the best cut: seven places on each axis, hulls of samples of the points; cells that no cut makes smaller though
 * they are hollow are halved. */
AbutStatus abut_cell_find_cut(AbutCell *cell, const AbutMeshTree *tree, int threads, AbutError *error);

#endif
