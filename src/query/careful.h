/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simplices of A - B with twice the digits: what the searches ask where ordinary arithmetic loses too many, on long
 * thin simplices and next to the origin. The corners are taken as they are, as exact numbers.
 */
#ifndef ABUT_QUERY_CAREFUL_H
#define ABUT_QUERY_CAREFUL_H

#include "math/triangle.h"
#include "query/convex_pair.h"

/* Weights of the origin in a tetrahedron around it: the volumes it makes with the four faces. False without volume. */
int abut_careful_inside(AbutSimplex *simplex);

/* As abut_simplex_reduce. */
void abut_careful_reduce(AbutSimplex *simplex);

#endif
