/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recursion inside the linear program solver. A number is a pair p + q M, where M is larger than any number: it
 * stands for the side of a box around everything, so that a vertex at infinity is a vertex like any other.
 */
#ifndef ABUT_SOLVE_LP_CORE_H
#define ABUT_SOLVE_LP_CORE_H

#include "solve/solve.h"

enum { ABUT_LP_ROW_EXTRA = 4, ABUT_LP_ROW_MAX = ABUT_LP_MAX_DIMENSION + ABUT_LP_ROW_EXTRA };

/*
 * A row of level k (k variables) has k + 4 numbers: a unit vector a, the right side b0 + b1 M, t0 and t1: the row
 * counts as satisfied while a.x0 - b0 <= t0 + t1 |x0|, and at infinity while a.x1 - b1 <= t1 (1 + |x1|).
 */
typedef struct AbutLpLevel {
    double *rows;
    int *ids; /* the caller's row; -1 for a side of the box */
    int count;
} AbutLpLevel;

/* Rows over the d variables, by columns, as the top level scans them. b is +infinity for rows that are out of play. */
typedef struct AbutLpTable {
    int dimension, rows;
    const double *a; /* a[j * rows + i]: entry j of row i, rows are unit vectors */
    double *b;       /* right sides with their tolerance added */
    double *slack;   /* room for one number per row */
    const double *b_exact;
} AbutLpTable;

typedef struct AbutLpCore {
    AbutLpLevel level[ABUT_LP_MAX_DIMENSION + 1]; /* the top level holds the rows that were picked so far */
    double tolerance;
    int iterations;
    int conflict_count;
    int conflict[ABUT_LP_MAX_DIMENSION + 1];
} AbutLpCore;

typedef struct AbutLpPoint {
    double x0[ABUT_LP_MAX_DIMENSION], x1[ABUT_LP_MAX_DIMENSION];
    int tight[ABUT_LP_MAX_DIMENSION]; /* rows that fix the point, -1 for a side of the box */
} AbutLpPoint;

/* Length of a row at any scale; 0 for a zero row, NaN when an entry is not finite. */
double abut_lp_row_length(int d, const double *a);

/* Maximizes c.x over the rows of the table. False when they conflict; core->conflict then names the rows on the way. */
int abut_lp_run(AbutLpCore *core, AbutLpTable *table, const double *c, AbutLpPoint *out);

#endif
