/* SPDX-License-Identifier: Apache-2.0 */
/* The core of the quadratic programs: the point nearest to the origin of {u : M u <= d}, rows of M of length one. */
#ifndef ABUT_SOLVE_LEAST_DISTANCE_H
#define ABUT_SOLVE_LEAST_DISTANCE_H

#include "solve/solve.h"

typedef enum AbutNearest { ABUT_NEAREST_FOUND, ABUT_NEAREST_NONE, ABUT_NEAREST_CAP } AbutNearest;

typedef enum AbutRowState {
    ABUT_ROW_OPEN = 0,
    ABUT_ROW_ACTIVE,
    ABUT_ROW_OUT /* zero rows and equations that others imply: never looked at */
} AbutRowState;

typedef struct AbutLeastDistance {
    int n, m, equalities; /* variables, rows; the first rows are equations */
    const double *rows;   /* m x n, unit length */
    const double *d;      /* m */
    const double *size;   /* m: size of the numbers that d was made of, for the tolerance */
    double *u;            /* n: the answer */
    int *state;           /* m, AbutRowState */
    int active_count;     /* at most n */
    int *active;          /* n + 1 rows, in the order in which q and r were built */
    double *lambda;       /* n + 1 multipliers of the active rows, >= 0 except for equations */
    double *aim;          /* n + 1 */
    double *work;         /* n + 1 */
    double *q;            /* (n + 1) x n: orthonormal rows */
    double *r;            /* (n + 1) x (n + 1): column k holds active row k in terms of q */
    int iterations, cap;
} AbutLeastDistance;

/* Continues from the active rows and multipliers that are there (none: active_count 0). NONE: lambda proves it. */
AbutNearest abut_least_distance(AbutLeastDistance *s);

#endif
