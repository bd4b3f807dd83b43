/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the mode room: the rows of a system made ready for an engine, scaled and each kept once. */
#ifndef ABUT_SRC_MODE_PREPARED_ROWS_H
#define ABUT_SRC_MODE_PREPARED_ROWS_H

#include "abut/mode.h"

/* The rows after scaling and merging. Raw row i equals sign[i] times a positive factor times unique row index[i]. */
typedef struct AbutModePrepared {
    int contacts, lines, dof;
    int raw;     /* contacts + contacts * lines */
    int unique;  /* different rows */
    int words;   /* words of an output bit set */
    int exact;   /* `whole` is set and decides */
    double bits; /* exact: no number in the search is longer than this */
    double tolerance;
    int *index;        /* raw -> unique, -1 for a zero row */
    int8_t *sign;      /* raw -> -1 or 1 */
    int double_double; /* `low` is filled and decides, in double-double numbers */
    double *matrix;    /* unique x dof */
    double *low;       /* unique x dof: what to add to the matrix for twice the digits */
    double *column;    /* dof: matrix column = original column * column[j] */
    int64_t *whole;    /* unique x dof, exact integers, or NULL */
    void *memory;
} AbutModePrepared;

AbutStatus abut_mode_prepare(const AbutModeSystem *system, double tolerance, AbutModeArithmetic arithmetic,
    AbutModePrepared *prepared, AbutError *error);
void abut_mode_prepared_free(AbutModePrepared *prepared);

/* Checks sizes and numbers of a system. */
AbutStatus abut_mode_system_check(const AbutModeSystem *system, AbutError *error);

/*
 * Small rationals: scales rows and columns of the unique matrix to integers; 0 when they are not small. `bits`: bound
 * on the length of every number that can occur.
 */
int abut_mode_rationalize(const double *matrix, int rows, int columns, int64_t *out, double *bits);

#endif
