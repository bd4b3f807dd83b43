/* SPDX-License-Identifier: Apache-2.0 */
/* Convex hull by qhull, where the build has it: an independent answer for vertices, volume and area. */
#ifndef ABUT_TESTS_QHULL_ORACLE_H
#define ABUT_TESTS_QHULL_ORACLE_H

#include "abut/math.h"

typedef struct QhullAnswer {
    double volume, area;
    int vertex_count;
} QhullAnswer;

/* 1: answered; 0: qhull refused (flat, too few points); -1: not in this build. `is_vertex` (count bytes) may be NULL.
 */
int qhull_oracle(const AbutVec3 *points, int count, QhullAnswer *answer, unsigned char *is_vertex);

#endif
