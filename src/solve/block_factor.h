/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse symmetric matrices of 6x6 blocks and their Cholesky factors. */
#ifndef ABUT_SOLVE_BLOCK_FACTOR_H
#define ABUT_SOLVE_BLOCK_FACTOR_H

#include "abut/math.h"

/* Rows by columns. */
typedef struct AbutBlock {
    double m[6][6];
} AbutBlock;

/* Blocks of the diagonal, and below it: column j has the rows row[first[j]] .. row[first[j + 1] - 1], ascending, those
 * that are filled in by elimination too. The columns with row j are up_column[up_first[j]] .., at up_at. */
typedef struct AbutBlocks {
    int32_t count;
    const int32_t *first, *row, *up_first, *up_column, *up_at;
    AbutBlock *diagonal, *below;
} AbutBlocks;

/* Structure. Rows of a factor that are still numbers of unknowns become the turns in which those are eliminated,
 * ascending; then the columns that have each row, ascending, with `room` for a number of each. */
void abut_blocks_sort_rows(int32_t count, const int32_t *first, int32_t *row, const int32_t *turn);
void abut_blocks_list_columns(int32_t count, const int32_t *first, const int32_t *row, int32_t *up_first,
    int32_t *up_column, int32_t *up_at, int32_t *room);

/* Cholesky factor in place, 0 when the matrix is not positive; the solution, six numbers for each column, in place of
 * the right-hand side. */
int abut_blocks_factorize(const AbutBlocks *blocks);
void abut_blocks_substitute(const AbutBlocks *blocks, double *solution);

/* One block: the lower triangle of its factor in place, with inverse diagonal entries, 0 when it is not positive; b <-
 * b L^-T; x <- L^-1 x and x <- L^-T x. */
int abut_block_factorize(AbutBlock *block);
void abut_block_divide(AbutBlock *restrict b, const AbutBlock *l);
void abut_block_forward(const AbutBlock *l, double *x);
void abut_block_backward(const AbutBlock *l, double *x);

#endif
