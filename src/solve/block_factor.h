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
 * that are filled in by elimination too. Of row j the columns that have it are up_column[up_first[j]] .., at up_at. */
typedef struct AbutBlocks {
    int32_t count;
    const int32_t *first, *row, *up_first, *up_column, *up_at;
    AbutBlock *diagonal, *below;
} AbutBlocks;

/* Cholesky factor in place, 0 when the matrix is not positive; the solution, six numbers for each column, in place of
 * the right-hand side. */
int abut_blocks_factorise(const AbutBlocks *blocks);
void abut_blocks_substitute(const AbutBlocks *blocks, double *solution);

#endif
