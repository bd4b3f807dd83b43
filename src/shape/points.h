/* SPDX-License-Identifier: Apache-2.0 */
/* Many points by coordinate, and their distances to a plane by the vector unit. */
#ifndef ABUT_SHAPE_POINTS_H
#define ABUT_SHAPE_POINTS_H

#include "abut/shape.h"

/* Coordinates by row, and room for their signed distances to a plane. Rows are padded to whole groups of 8; free slots
 * and the padding hold NaN in x. */
typedef struct AbutPointRows {
    double *x, *y, *z, *d;
    int32_t count;
} AbutPointRows;

/*
 * Fills rows->d. Gives the number of points beyond the plane by more than `snap`, their slots in `beyond` in rising
 * order, and the least distance.
 */
typedef int32_t AbutPointDistances(
    const AbutPointRows *rows, AbutPlane plane, double snap, int32_t *beyond, double *least);

/* The forms that this processor can run, the plain one first; gives their number. Every form gives the same bits, and
 * the last one is used. */
int abut_point_distances(AbutPointDistances *forms[3]);

#endif
