/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the mode room: one mode as linear constraints on the velocity, with scaled rows and columns. */
#ifndef ABUT_SRC_MODE_CONSTRAINTS_H
#define ABUT_SRC_MODE_CONSTRAINTS_H

#include "mode/mode_bits.h"

/*
 * The rows a mode constrains: `zero` rows hold as equations, the others as row x > 0 (signs already applied). Columns
 * are scaled: velocity_j = x_j * column[j]. Rows have largest entry 1.
 */
typedef struct AbutModeConstraints {
    int dof, zeros, signed_rows;
    double *rows; /* zeros, then signed rows; each dof long */
    double *low;  /* NULL, or what to add to the rows: then the zeros are a basis, eliminated, with 1 at their pivots */
    int *pivots;  /* of eliminated zeros: the column of each that no other has */
    double *column;
    void *memory;
} AbutModeConstraints;

/* Rows of a system with a tolerance are cleaned first. */
AbutStatus abut_mode_constraints_make(
    const AbutModeSystem *system, AbutMode mode, AbutModeConstraints *out, AbutError *error);
/*
 * Rows that depend on each other only up to a tolerance, as those of contacts measured in a scene, made to depend to
 * the last digits for one mode: the rows that are zero in it give way to a basis of what they span up to `tolerance`,
 * in columns scaled to 1, and to rows of zeros; the others lose their part in that space. The mode of the same bits has
 * the same velocities. Release with abut_mode_system_free.
 */
AbutStatus abut_mode_system_clean(
    const AbutModeSystem *from, AbutMode mode, double tolerance, AbutModeSystem *out, AbutError *error);

void abut_mode_constraints_free(AbutModeConstraints *constraints);

/* For rows with `low`: eliminates the zeros and takes them out of the signed rows; 0: a signed row is nothing else. */
int abut_mode_constraints_reduce(AbutModeConstraints *constraints);

/* A basis of the velocities on which the zeros vanish, and with `low` what to add to it; gives its size. The zeros give
 * way to their reduced form. */
int abut_mode_constraints_null_basis(AbutModeConstraints *constraints, double *basis, double *low);

/* The largest entry of each column, or with a tolerance of the three of a free body; gives the largest of all. */
double abut_mode_column_sizes(const AbutModeSystem *system, double *column);

/* 1 / largest entry of each column; a column of nothing but rounding is not blown up. */
void abut_mode_scale_columns(const AbutModeSystem *system, double *column);

/*
 * min sum of weight_j (x_j - target_j)^2 over zero rows = 0 and signed rows >= least, in the original columns.
 * ABUT_ERROR_EMPTY when there is no such x.
 */
AbutStatus abut_mode_constraints_nearest(const AbutModeConstraints *constraints, const double *target,
    const double *weight, double least, double *x, AbutError *error);

/* Rank of `count` rows of `dof` numbers, which are brought to reduced form (Gauss and Jordan, largest pivot of what is
 * left). An entry counts beside `size` of its row; NULL: 1 for all. With `pivots`, the column of each pivot. */
int abut_mode_rank(double *rows, int count, int dof, double tolerance, double *size, int *pivots);

#endif
