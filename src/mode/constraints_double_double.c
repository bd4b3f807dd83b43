/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One mode of a system whose rows have twice the digits of a double, as the enumeration takes them. The zero rows are
 * eliminated in double-double numbers (Gauss-Jordan, largest pivot), so that what depends on each other in all digits
 * counts once; the signed rows lose their part in them. Doubles represent the rest well enough.
 */
#include "mode/constraints.h"
#include "math/double_double.h"
#include "mode/tolerance.h"
#include "solve/vector.h"

#include <string.h>

static AbutDD get(const AbutModeConstraints *c, int row, int column) {
    int at = row * c->dof + column;
    return (AbutDD){c->rows[at], c->low[at]};
}

static void set(AbutModeConstraints *c, int row, int column, AbutDD x) {
    int at = row * c->dof + column;
    c->rows[at] = x.hi, c->low[at] = x.lo;
}

static void swap_rows(AbutModeConstraints *c, int a, int b) {
    abut_row_swap(c->dof, c->rows + a * c->dof, c->rows + b * c->dof);
    abut_row_swap(c->dof, c->low + a * c->dof, c->low + b * c->dof);
}

/* Row `from` times what makes the pivot column of row `to` zero, taken from row `to`. */
static void subtract(AbutModeConstraints *c, int to, int from, int pivot) {
    AbutDD factor = get(c, to, pivot);
    for (int j = 0; j < c->dof && factor.hi != 0.0; ++j)
        set(c, to, j, j == pivot ? abut_dd(0.0) : abut_dd_sub(get(c, to, j), abut_dd_mul(factor, get(c, from, j))));
}

/* The largest entry of the zero rows from `first` on; 0 when all that is left is rounding. */
static int find_pivot(const AbutModeConstraints *c, int first, int *row, int *column) {
    double most = ABUT_MODE_RANK_DOUBLE_DOUBLE;
    *row = -1;
    for (int i = first; i < c->zeros; ++i)
        for (int j = 0; j < c->dof; ++j)
            if (fabs(c->rows[i * c->dof + j]) > most) most = fabs(c->rows[i * c->dof + j]), *row = i, *column = j;
    return *row >= 0;
}

/* A basis of the zero rows in front; gives its size. */
static int eliminate(AbutModeConstraints *c) {
    int rank = 0, row, column = 0;
    for (; rank < c->dof && find_pivot(c, rank, &row, &column); ++rank) {
        swap_rows(c, rank, row);
        AbutDD pivot = get(c, rank, column);
        for (int j = 0; j < c->dof; ++j)
            set(c, rank, j, j == column ? abut_dd(1.0) : abut_dd_div(get(c, rank, j), pivot));
        for (int i = 0; i < c->zeros; ++i)
            if (i != rank) subtract(c, i, rank, column);
        c->pivots[rank] = column;
    }
    return rank;
}

int abut_mode_constraints_reduce(AbutModeConstraints *c) {
    int rank = eliminate(c);
    size_t moved = (size_t)c->signed_rows * (size_t)c->dof * sizeof(double);
    memmove(c->rows + rank * c->dof, c->rows + c->zeros * c->dof, moved);
    memmove(c->low + rank * c->dof, c->low + c->zeros * c->dof, moved);
    c->zeros = rank;
    for (int i = rank; i < rank + c->signed_rows; ++i) {
        for (int k = 0; k < rank; ++k) subtract(c, i, k, c->pivots[k]);
        if (!(abut_row_largest(c->dof, c->rows + i * c->dof) > ABUT_MODE_RANK_DOUBLE_DOUBLE)) return 0;
    }
    return 1;
}
