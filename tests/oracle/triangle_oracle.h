/* SPDX-License-Identifier: Apache-2.0 */
/* Slow references for triangles: distance in long double, meeting in 128-bit integers, solid angles. */
#ifndef ABUT_TESTS_TRIANGLE_ORACLE_H
#define ABUT_TESTS_TRIANGLE_ORACLE_H

#include <stdint.h>

#include "abut/shape.h"

/* Distance of two triangles; 0 where a side of one crosses the other. */
long double oracle_triangles(const AbutVec3 a[3], const AbutVec3 b[3]);

/* Do two triangles with integer corners, at most 2^22 and with area, have a point in common? */
int oracle_triangles_meet(int64_t a[3][3], int64_t b[3][3]);

/* Sum of the solid angles of the triangles of a mesh seen from p, over 4 pi: its winding number. */
long double oracle_winding(const AbutMesh *mesh, AbutVec3 p);

#endif
