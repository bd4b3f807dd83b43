/* SPDX-License-Identifier: Apache-2.0 */
/* Private: quadratic programs over a cone of sparse columns, for the generator models of contact. */
#ifndef ABUT_SRC_SOLVE_ACTIVE_SET_H
#define ABUT_SRC_SOLVE_ACTIVE_SET_H

#include "solve/solve.h"

enum { ABUT_COLUMN_BLOCKS = 3 };

/* A column of B: up to three blocks of six numbers at given rows. */
typedef struct AbutConeColumn {
    int32_t blocks, at[ABUT_COLUMN_BLOCKS];
    double v[ABUT_COLUMN_BLOCKS][6];
    double g;
    double inv_norm; /* set by the solver */
    int32_t state, pad;
} AbutConeColumn;

/* min 1/2 |B x|^2 + g.x over x >= 0. */
typedef struct AbutConeProblem {
    int dimension, count; /* rows of B; columns */
    AbutConeColumn *column;
    int passive_count;     /* in: columns to begin with; out: columns with x > 0 */
    int32_t *passive;      /* room for dimension + 1 */
    double *x;             /* the same; by place in `passive` */
    double *q, *r;         /* room for dimension x dimension each */
    double *work;          /* room for 4 x (dimension + 1) */
    double tolerance;      /* of the largest slope */
    int resume;            /* 1: begin where the last solve ended; only slopes have changed since */
    int pivots, unbounded; /* out */
} AbutConeProblem;

/* Doubles of room that q, r, work and x need together. */
size_t abut_cone_room(int dimension);

/* Places q, r, work and x in `room`. */
void abut_cone_place(AbutConeProblem *p, int dimension, double *room);

/* 1 when optimal, 0 at the pivot limit; the answer is feasible either way. */
int abut_cone_solve(AbutConeProblem *p);

#endif
