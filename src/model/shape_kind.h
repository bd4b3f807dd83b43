/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kind of shape is one row. A new kind is its functions, its row and its name in shape_kind.c, and its
 * enumerator in abut/model.h.
 */
#ifndef ABUT_MODEL_SHAPE_KIND_H
#define ABUT_MODEL_SHAPE_KIND_H

#include "abut/model.h"

enum { ABUT_MIN_RESOLUTION = 3, ABUT_MAX_RESOLUTION = 256, ABUT_DEFAULT_RESOLUTION = 16 };

typedef struct AbutShapeKindRow {
    int round; /* 1: it rolls; its picture is made of `resolution` points around z */
    /* The sizes that count, the others set from them or to 0; 0: they are not positive numbers. */
    int (*tidy_size)(AbutVec3 *size);
    /* The polyhedron of a checked and tidied definition, whose field is that of its grid (shape/height_grid.h); *out is
     * NULL for a kind without one. */
    AbutStatus (*make)(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error);
    AbutConvex (*convex)(const AbutGeometry *geometry);
} AbutShapeKindRow;

/* NULL: no such kind. */
const AbutShapeKindRow *abut_shape_kind_row(AbutShapeKind kind);

#endif
