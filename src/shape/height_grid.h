/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A height field kept as its grid, and its convex pieces made when they are asked for. A piece is what stands under a
 * rectangle of points in one plane, under a cell whose two triangles bend down, or under a single triangle. Its number
 * is twice that of its cell (of a rectangle: of the first one), plus 1 for the second triangle of a cell.
 */
#ifndef ABUT_SHAPE_HEIGHT_GRID_H
#define ABUT_SHAPE_HEIGHT_GRID_H

#include "abut/shape.h"

/* A range of points, both ends included. */
typedef struct AbutHeightRange {
    int32_t c0, r0, c1, r1;
} AbutHeightRange;

typedef struct AbutHeightGrid {
    AbutHeightField field; /* first: a pointer to it is a pointer to the whole. Its heights are kept here */
    AbutAabb box;
    double lowest;                          /* of the heights */
    double slack;                           /* points this near a plane lie in it */
    int32_t *rectangle_of;                  /* by cell: number of its flat rectangle; -1: it stands alone */
    AbutHeightRange *rectangle;             /* of more than one cell */
    int32_t rectangle_count, block_columns; /* blocks: squares of cells with their highest point */
    double *block_top;
    size_t rectangle_capacity;
} AbutHeightGrid;

/* Corners of a piece: `count` upper ones, then those below them at the bottom. */
typedef struct AbutHeightPrism {
    AbutVec3 point[8];
    int32_t count; /* 6 or 8, of all */
} AbutHeightPrism;

AbutStatus abut_height_field_check(const AbutHeightField *field, AbutError *error);

/* For a checked field; copies the heights. Fails when out of memory. */
AbutStatus abut_height_grid_create(const AbutHeightField *field, AbutHeightGrid **out, AbutError *error);
void abut_height_grid_free(AbutHeightGrid *grid); /* accepts NULL */
int abut_height_field_same(const AbutHeightField *a, const AbutHeightField *b);
uint64_t abut_height_field_hash(const AbutHeightField *field, uint64_t seed);

/* Points around a piece, and which triangle of its cell it has: 0 below the diagonal from the first corner to the last,
 * 1 above, 2 both. */
AbutHeightRange abut_height_piece_range(const AbutHeightGrid *grid, int32_t piece, int *half);
AbutVec3 abut_height_point(const AbutHeightGrid *grid, int32_t column, int32_t row);
AbutHeightPrism abut_height_piece(const AbutHeightGrid *grid, int32_t piece);
AbutAabb abut_height_piece_box(const AbutHeightGrid *grid, int32_t piece);
AbutVec3 abut_height_prism_support(AbutVec3 direction, const void *prism); /* a support function */

/* The part of a line origin + t way in a piece, both ends and the surface included, and the outward normal (of any
 * length) where it enters; 0: it misses. Neighbors agree about the walls between them, so that no line slips through.
 */
int abut_height_piece_cut(const AbutHeightGrid *grid, int32_t piece, AbutVec3 origin, AbutVec3 way, double *enter,
    double *exit, AbutVec3 *normal);

/* Takes the number of a piece; 0 ends the visit. */
typedef int AbutHeightVisitor(int32_t piece, void *user);

/* Pieces whose boxes meet a box, row by row; 0: the visitor ended it. */
int abut_height_visit(const AbutHeightGrid *grid, AbutAabb box, AbutHeightVisitor *visit, void *user);

/* Pieces whose boxes meet a box (middle, half sides) on its way from t = 0 to *limit, which the visitor may lower; a
 * piece may come more than once. */
int abut_height_visit_way(const AbutHeightGrid *grid, AbutVec3 middle, AbutVec3 half, AbutVec3 way, const double *limit,
    AbutHeightVisitor *visit, void *user);

/* Pieces whose boxes are not farther from a box than *limit, which the visitor may lower, those below its middle first;
 * a piece may come more than once. */
int abut_height_visit_near(
    const AbutHeightGrid *grid, AbutAabb box, const double *limit, AbutHeightVisitor *visit, void *user);

#endif
