/* SPDX-License-Identifier: Apache-2.0 */
/* Private: the Phong projection onto one triangle with a normal at each corner. */
#ifndef ABUT_SRC_DIRECTION_PHONG_TRIANGLE_H
#define ABUT_SRC_DIRECTION_PHONG_TRIANGLE_H

#include "abut/math.h"

/* Two rows that span a tangent plane. */
typedef struct AbutPhongPlane {
    AbutVec3 row[2];
} AbutPhongPlane;

typedef struct AbutPhongTriangle {
    AbutVec3 corner[3];
    AbutPhongPlane plane[6]; /* A_1 .. A_6 */
    double x[6][3][2];       /* plane k times corner m */
} AbutPhongTriangle;

/* Blends the tangent planes of the corners; unit normals. */
void abut_phong_triangle(const AbutVec3 corner[3], const AbutVec3 normal[3], AbutPhongTriangle *out);

/* The blended plane at the barycentric coordinates l1, l2, 1 - l1 - l2. */
AbutPhongPlane abut_phong_plane(const AbutPhongTriangle *t, double l1, double l2);

/* Plane times place, and its derivatives by l1 and l2 (columns); `slope` may be NULL. */
void abut_phong_value(const AbutPhongTriangle *t, double l1, double l2, double value[2], double slope[2][2]);

/* 1: proved that no place of the triangle is a root. */
int abut_phong_excluded(const AbutPhongTriangle *t);

/* A root within the triangle: its barycentric coordinates; 0 when none was found. `size`: of the scene. */
int abut_phong_root(const AbutPhongTriangle *t, double size, double l[3]);

/* The unit normal of the blended plane on the side of `facing`. */
AbutVec3 abut_phong_normal(const AbutPhongTriangle *t, const double l[3], AbutVec3 facing);

#endif
