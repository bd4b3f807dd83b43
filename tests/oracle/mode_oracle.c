/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phase 1 of the simplex method on integers that keep a common denominator (every entry is a minor of the input, so
 * nothing is rounded), with Bland's rule. Free velocities are written x = u - t (1, ..., 1), u and t >= 0.
 */
#include "oracle/mode_oracle.h"

#include <string.h>

__extension__ typedef __int128 Wide;

/* column 0 is the right side; artificial variables have no columns, they only leave */
enum { MAX_COLUMNS = 1 + MODE_ORACLE_DOF + 1 + MODE_ORACLE_ROWS };

static int64_t tableau[MODE_ORACLE_ROWS + 1][MAX_COLUMNS];

/* Pivots on (row, column); every other row is updated and divided by the previous pivot. */
static void pivot(int rows, int columns, int row, int column, int64_t *previous) {
    int64_t p = tableau[row][column];
    for (int i = 0; i <= rows; ++i) {
        int64_t factor = tableau[i][column];
        for (int j = 0; j < columns && i != row; ++j) {
            Wide x = (Wide)tableau[i][j] * p - (Wide)factor * tableau[row][j];
            tableau[i][j] = (int64_t)(x / *previous);
        }
    }
    *previous = p;
}

/* One constraint: sign 0 is a x = 0, else sign * a x >= 1. Gives the number of columns in use after it. */
static int put_row(const ModeOracle *o, int row, int at, int sign, int columns) {
    int flip = sign < 0 ? -1 : 1, total = 0, d = o->dof;
    for (int j = 0; j < d; ++j) {
        tableau[at][1 + j] = flip * o->rows[row][j];
        total += o->rows[row][j];
    }
    tableau[at][1 + d] = -flip * total;
    tableau[at][0] = sign != 0;
    if (sign != 0) tableau[at][columns++] = -1;
    return columns;
}

int mode_oracle_feasible(ModeOracle *o, const int8_t *signs, int count) {
    int basis[MODE_ORACLE_ROWS], m = 0, columns = 1 + o->dof + 1;
    for (int i = 0; i <= count; ++i) memset(tableau[i], 0, sizeof tableau[i]);
    ++o->programs;
    for (int i = 0; i < count; ++i)
        if (signs[i] != 2) columns = put_row(o, i, m++, signs[i], columns);
    /* the objective row holds the sum of the artificial variables in terms of the others */
    memset(tableau[m], 0, sizeof tableau[m]);
    for (int k = 0; k < m; ++k) {
        basis[k] = MAX_COLUMNS + k;
        for (int j = 0; j < columns; ++j) tableau[m][j] += tableau[k][j];
    }
    for (int64_t previous = 1;;) {
        int enter = -1, leave = -1;
        for (int j = 1; j < columns && enter < 0; ++j)
            if (tableau[m][j] > 0) enter = j;
        if (enter < 0) return tableau[m][0] == 0;
        for (int i = 0; i < m; ++i) {
            if (tableau[i][enter] <= 0) continue;
            Wide a = leave < 0 ? 0 : (Wide)tableau[i][0] * tableau[leave][enter];
            Wide b = leave < 0 ? 0 : (Wide)tableau[leave][0] * tableau[i][enter];
            if (leave < 0 || a < b || (a == b && basis[i] < basis[leave])) leave = i;
        }
        if (leave < 0) return 0;
        pivot(m, columns, leave, enter, &previous);
        basis[leave] = enter;
    }
}

/* Extends the pattern at `row`; contacts come first, then the lines of the contacts that stay. */
static int extend(ModeOracle *o, int8_t *signs, int row) {
    int total = o->contacts * (1 + o->lines);
    while (row >= o->contacts && row < total && signs[(row - o->contacts) / o->lines] == 1) signs[row++] = 2;
    if (row == total) {
        if (o->found == o->limit) return 0;
        uint64_t plus = 0, minus = 0;
        for (int i = 0; i < total; ++i) {
            plus |= (uint64_t)(signs[i] == 1) << i;
            minus |= (uint64_t)(signs[i] == -1) << i;
        }
        o->plus[o->found] = plus, o->minus[o->found++] = minus;
        return 1;
    }
    for (int8_t sign = row < o->contacts ? 0 : -1; sign <= 1; ++sign) {
        signs[row] = sign;
        if (mode_oracle_feasible(o, signs, row + 1) && !extend(o, signs, row + 1)) return 0;
    }
    return 1;
}

int mode_oracle_run(ModeOracle *o) {
    int8_t signs[MODE_ORACLE_ROWS + 1];
    o->found = 0;
    return extend(o, signs, 0);
}
