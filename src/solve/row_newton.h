/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Newton steps for bounded rows of a moving system, all at once. Unknown are changes x of velocities with the mass
 * matrix M: 1 for the first ones, then blocks of bodies. A group of 1 or 6 rows moves by J x and answers with impulses
 * w(J x), of which each component falls as its velocity grows (a law with a convex potential). Sought is
 *
 *     M x = sum J^T w(J x)
 *
 * where the slope of a convex function vanishes: there is one answer, and a search along the line of each step gets
 * there from anywhere. Elimination goes from the last unknown to the first and skips zeros: in a tree whose unknowns
 * stand root first, what acts along a chain fills nothing in.
 */
#ifndef ABUT_SOLVE_ROW_NEWTON_H
#define ABUT_SOLVE_ROW_NEWTON_H

#include "solve/block_factor.h"

#include <stdint.h>

typedef struct AbutRowGroup {
    int32_t width, first, count; /* 1 or 6; its unknowns at[first] .., and columns of `width` numbers for each */
    size_t column;               /* its first number in g */
    double change[6], line[6];   /* J x; the same along the line that is searched */
} AbutRowGroup;

/* Impulses of a group that moves by v, and, where `slope` is not NULL, minus their derivative by v (full, symmetric).
 */
typedef void AbutRowLaw(const void *user, int32_t group, const double v[6], double w[6], double (*slope)[6]);

typedef struct AbutRowProblem {
    int32_t plain, body_count; /* unknowns of mass 1; bodies of six unknowns after them */
    const AbutBlock *body;     /* their masses: symmetric, both halves */
    int32_t group_count;
    AbutRowGroup *group;
    const int32_t *at;
    const double *g;
    AbutRowLaw *law;
    const void *user;
    double *room;  /* abut_row_room(size) numbers */
    int32_t *spot; /* size of them */
} AbutRowProblem;

static inline int32_t abut_row_size(const AbutRowProblem *problem) { return problem->plain + 6 * problem->body_count; }

static inline size_t abut_row_room(int32_t size) { return (size_t)size * (size_t)size + 3 * (size_t)size; }

/* Solves for x and leaves `change` in every group. Gives the number of factors it took; 0: there is no first one. */
int abut_rows_solve(AbutRowProblem *problem);

#endif
