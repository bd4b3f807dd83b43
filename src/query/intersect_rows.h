/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the parts of the intersection test. A row is dimension + 1 numbers: a normal of unit length (or zero for a
 * constant row), then the offset. Offsets are relaxed: half the tolerance is added, so that regions which touch meet in
 * a set with interior and exact comparisons may follow.
 */
#ifndef ABUT_QUERY_INTERSECT_ROWS_H
#define ABUT_QUERY_INTERSECT_ROWS_H

#include "abut/query.h"

/* Rows of both regions, A's first. */
typedef struct AbutRows {
    int dimension, count_a, count_b;
    double *row;     /* relaxed, (count_a + count_b) x (dimension + 1) */
    double *relaxed; /* how much was added to the offset of each row: half its tolerance */
    double scale;    /* typical offset */
} AbutRows;

/* The search of Ren, Hong and Meng. `stack` holds the reduced rows of the levels below. */
typedef struct AbutRenSearch {
    double *stack;
    double zero;  /* coefficients up to this are zero */
    double slack; /* rounding of an offset */
    double reach; /* how far to go into an unbounded direction */
    int64_t tests, reductions, max_reductions;
} AbutRenSearch;

typedef enum AbutRenAnswer {
    ABUT_REN_NO = 0,
    ABUT_REN_YES,
    ABUT_REN_EMPTY_A,
    ABUT_REN_EMPTY_B,
    ABUT_REN_LIMIT /* max_reductions */
} AbutRenAnswer;

/* Numbers that the stack needs. */
size_t abut_ren_stack_size(int dimension, int rows_of_both);

/* A point x of both regions, if any. */
AbutRenAnswer abut_ren_search(AbutRenSearch *search, const AbutRows *rows, double *x);

/*
 * One linear program over the rows first .. first + count - 1, relaxed or as given; `seed` picks its objective.
 * 1: a point, in `witness`; 0: a proof that there is none, even of the relaxed rows (proof rows are numbered from the
 * first of all); -1: neither.
 */
int abut_rows_feasible(const AbutRows *rows, int first, int count, int relaxed, uint64_t seed, AbutIntersection *out,
    void *workspace, size_t size);

/* Most by which x passes a row of the region (relaxation taken out); -infinity without rows. */
double abut_rows_violation(const AbutRows *rows, const double *x, int *within);

#endif
