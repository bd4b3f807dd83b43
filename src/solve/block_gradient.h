/* SPDX-License-Identifier: Apache-2.0 */
/* Conjugate gradients for sparse positive matrices of 6x6 blocks, where a factor would cost too much. */
#ifndef ABUT_SOLVE_BLOCK_GRADIENT_H
#define ABUT_SOLVE_BLOCK_GRADIENT_H

#include "solve/block_factor.h"

#include <stddef.h>

/* Numbers of room for so many columns. */
static inline size_t abut_gradient_room(int32_t count) { return 19 * (size_t)count; }

/* In: most rounds; the part of the right-hand side that may be left, as lengths in the scale of the diagonal blocks;
 * threads, on which the result does not depend; room. Out: rounds that were done, and the part that is left. */
typedef struct AbutGradient {
    int32_t most;
    double part;
    int threads;
    double *room;
    int32_t done;
    double left;
} AbutGradient;

/* The solution, six numbers for each column, in place of the right-hand side. The blocks are those of the matrix and
 * need no places for what elimination fills in (abut_blocks_of_edges); they are changed. 0: the matrix is not positive,
 * and the right-hand side is changed as well. */
int abut_blocks_gradient(const AbutBlocks *blocks, double *solution, AbutGradient *run);

#endif
