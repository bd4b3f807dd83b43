/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the mode room: one mode as linear constraints on the velocity, with scaled rows and columns. */
#ifndef ABUT_SRC_MODE_CELL_H
#define ABUT_SRC_MODE_CELL_H

#include "abut/mode.h"

/*
 * The rows a mode constrains: `zero` rows hold as equations, the others as row x > 0 (signs already applied). Columns
 * are scaled: velocity_j = x_j * column[j]. Rows have largest entry 1.
 */
typedef struct AbutModeCell {
    int dof, zeros, signed_rows;
    double *rows; /* zeros, then signed rows; each dof long */
    int *raw;     /* raw index of each row */
    double *column;
    void *memory;
} AbutModeCell;

AbutStatus abut_mode_cell_make(
    const AbutModeSystem *system, const uint64_t *plus, const uint64_t *minus, AbutModeCell *cell, AbutError *error);
void abut_mode_cell_free(AbutModeCell *cell);

/* Raw row i of a system. */
static inline const double *abut_mode_raw_row(const AbutModeSystem *s, int raw)
{
    return raw < s->contacts ? s->normal_rows + (size_t)raw * (size_t)s->dof
                             : s->tangent_rows + (size_t)(raw - s->contacts) * (size_t)s->dof;
}

static inline int abut_mode_bit(const uint64_t *words, int i)
{
    return (int)(words[i >> 6] >> (i & 63)) & 1;
}

static inline int abut_mode_sign(const uint64_t *plus, const uint64_t *minus, int i)
{
    return abut_mode_bit(plus, i) - abut_mode_bit(minus, i);
}

/* Does raw row i count in a mode? Lines of separating contacts do not. */
static inline int abut_mode_counts(const AbutModeSystem *s, const uint64_t *plus, int raw)
{
    return raw < s->contacts || !abut_mode_bit(plus, (raw - s->contacts) / s->lines);
}

/*
 * min sum of weight_j (x_j - target_j)^2 over zero rows = 0 and signed rows >= least, in the original columns.
 * ABUT_ERROR_EMPTY when there is no such x.
 */
AbutStatus abut_mode_cell_nearest(
    const AbutModeCell *cell, const double *target, const double *weight, double least, double *x, AbutError *error);

/* Rank of `count` rows of `dof` numbers; the rows are destroyed. With `pivots`, the column of each pivot. */
int abut_mode_rank(double *rows, int count, int dof, double tolerance, int *pivots);

#endif
