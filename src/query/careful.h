/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simplices of A - B with twice the digits: what the searches ask where ordinary arithmetic loses too many, on long
 * thin simplices and next to the origin. The corners are taken as they are, as exact numbers.
 */
#ifndef ABUT_QUERY_CAREFUL_H
#define ABUT_QUERY_CAREFUL_H

#include "math/triangle.h"
#include "query/pair.h"

/* Sign of det(b - a, c - a, d - a). */
int abut_careful_side(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d);

/* Weights of the point of the plane a b c nearest to the origin: their sum is 1, and some may be negative. */
void abut_careful_foot(AbutVec3 a, AbutVec3 b, AbutVec3 c, double weight[3]);

/* Weights of the origin in a tetrahedron around it: the volumes it makes with the four faces. False without volume. */
int abut_careful_inside(AbutSimplex *simplex);

/* As abut_simplex_reduce. */
void abut_careful_reduce(AbutSimplex *simplex);

#endif
