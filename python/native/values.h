/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of structured arrays for which the library has no struct of its own. */
#ifndef ABUT_PYTHON_VALUES_H
#define ABUT_PYTHON_VALUES_H

#include "native.h"

/* A facet of a convolution with its corners. */
typedef struct FacetRow {
    int32_t kind, a, b, sign, corner_count, padding;
    AbutVec3 normal, corners[4];
    int32_t vertex_a[4], vertex_b[4];
} FacetRow;

#endif
