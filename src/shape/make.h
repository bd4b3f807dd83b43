/* SPDX-License-Identifier: Apache-2.0 */
/* Private to shape: the builders behind abut_mesh_make. */
#ifndef ABUT_SHAPE_MAKE_H
#define ABUT_SHAPE_MAKE_H

#include "abut/shape.h"

/*
 * A point of a surface: u runs along it, v is the angle around it in radians, counter-clockwise seen against the
 * direction of growing u.
 */
typedef AbutVec3 AbutSurface(double u, double v, const void *shape);

/* Rows of points at the given u, each of `columns` points around. */
typedef struct AbutGrid {
    const double *u;
    int rows, columns;
    int ring; /* 1: the last row is joined to the first (torus); 0: the first and last row are single points (poles) */
    AbutSurface *surface;
    const void *shape;
} AbutGrid;

/* The mesh of a grid: 2 rows columns triangles for a ring, 2 (rows - 2) columns with poles. */
AbutStatus abut_make_grid(const AbutGrid *grid, AbutMesh *out, AbutError *error);

typedef struct AbutGridSize {
    int along, around;
} AbutGridSize;

/*
 * Numbers along and around (at least the given least ones) with 2 along around as near to `triangles` as can be while
 * the cells of a surface of about `length` times `girth` stay near to squares.
 */
AbutGridSize abut_make_grid_size(int triangles, double length, double girth, AbutGridSize least);

/* Makes a grid over u = 0 .. 1 in even steps: a ring or, with poles, along + 2 rows. */
AbutStatus abut_make_even_grid(
    int ring, AbutGridSize size, AbutSurface *surface, const void *shape, AbutMesh *out, AbutError *error);

/* A point of an outline: distance from the z axis, and height. */
typedef struct AbutOutlinePoint {
    double r, z;
} AbutOutlinePoint;

enum { ABUT_OUTLINE_PIECES = 6 };

/* One smooth piece of an outline; t runs from 0 to 1. */
typedef struct AbutOutlinePiece {
    AbutOutlinePoint (*at)(double t, const double *numbers);
    double numbers[5];
    double length;
} AbutOutlinePiece;

/* Pieces end to end from the lower pole on the z axis to the upper (or inner) one; corners lie between pieces. */
typedef struct AbutOutline {
    AbutOutlinePiece piece[ABUT_OUTLINE_PIECES];
    int count;
    double girth; /* a typical length around, for the shape of the cells */
} AbutOutline;

void abut_outline_line(AbutOutline *outline, double r0, double z0, double r1, double z1);
/* Circle about (r, z) between two angles from the horizontal. */
void abut_outline_arc(AbutOutline *outline, double r, double z, double radius, double angle0, double angle1);
/* u = piece + t */
AbutOutlinePoint abut_outline_at(const AbutOutline *outline, double u);

/* Spreads rows over the pieces; the surface gets u = piece + t. */
AbutStatus abut_make_outline(int triangles, const AbutOutline *outline, AbutSurface *surface, const void *shape,
    AbutMesh *out, AbutError *error);

/* Moves the middle of the box of the mesh to the origin. */
void abut_make_center(AbutMesh *mesh);

/* One maker: sizes have been checked to be positive, of sound range, and `size_count` of them. */
typedef AbutStatus AbutMeshBuilder(int triangles, const double *sizes, AbutMesh *out, AbutError *error);

AbutMeshBuilder abut_make_sphere, abut_make_box, abut_make_cylinder, abut_make_cone, abut_make_torus,
    abut_make_bumpy_torus, abut_make_cup, abut_make_finger, abut_make_fish, abut_make_cross, abut_make_knot,
    abut_make_statue, abut_make_capsule;

#endif
