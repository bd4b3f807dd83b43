/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the caller's rows to the prepared ones: columns and rows scaled by powers of two, zero rows marked, rows that
 * are parallel up to sign merged, small rationals turned into integers.
 *
 * Signs do not change when a row or a column (a unit of velocity) is multiplied by a positive number, so the scaling
 * makes the tolerance independent of units.
 */
#include "math/double_double.h"
#include "mode/constraints.h"
#include "mode/prepared_rows.h"
#include "mode/tolerance.h"
#include "solve/vector.h"

#include <string.h>

/* The power of two that brings x > 0 into [1, 2). */
static double to_unit(double x) { return ldexp(1.0, -ilogb(x)); }

/* Column factors from the largest entry of each column; a column of nothing but rounding is not blown up. */
static void scale_columns(const AbutModeSystem *s, double *column) {
    double all = abut_mode_column_sizes(s, column);
    for (int j = 0; j < s->dof; ++j)
        column[j] = all > 0.0 ? to_unit(column[j] > ABUT_MODE_COLUMN_NOISE * all ? column[j] : all) : 1.0;
}

/* 1 or -1 when unique row u and the row behind the last one (largest entry in [1, 2)) are parallel up to sign within
 * the tolerance, else 0. */
static int same_row(const AbutModePrepared *prepared, int u) {
    size_t d = (size_t)prepared->dof, row = (size_t)u * d, last = (size_t)prepared->unique * d;
    const double *a = prepared->matrix + row, *b = prepared->matrix + last;
    int at = 0, digits = prepared->double_double;
    for (int j = 1; j < prepared->dof; ++j)
        if (fabs(a[j]) > fabs(a[at])) at = j;
    if (fabs(b[at]) < 0.25) return 0;
    AbutDD factor = abut_dd(b[at] / a[at]);
    if (digits)
        factor = abut_dd_div(
            (AbutDD){b[at], prepared->low[last + (size_t)at]}, (AbutDD){a[at], prepared->low[row + (size_t)at]});
    for (size_t j = 0; j < d; ++j) {
        double rest = b[j] - factor.hi * a[j];
        if (digits)
            rest = abut_dd_sub(
                (AbutDD){b[j], prepared->low[last + j]}, abut_dd_mul(factor, (AbutDD){a[j], prepared->low[row + j]}))
                       .hi;
        if (fabs(rest) > prepared->tolerance) return 0;
    }
    return factor.hi > 0.0 ? 1 : -1;
}

/* Scaled copy of raw row i behind the last unique row; 0 when it counts as a zero row. `largest`: scaled, of all. */
static int scaled_row(const AbutModeSystem *s, const AbutModePrepared *prepared, int i, double largest) {
    double *row = prepared->matrix + (size_t)prepared->unique * (size_t)s->dof;
    double *low = prepared->low + (size_t)prepared->unique * (size_t)s->dof;
    const double *from = abut_mode_row(s, i);
    for (int j = 0; j < s->dof; ++j) row[j] = from[j] * prepared->column[j];
    double m = abut_row_largest(s->dof, row);
    if (!(m > prepared->tolerance * largest)) return 0;
    double factor = to_unit(m);
    for (int j = 0; j < s->dof; ++j) {
        row[j] *= factor;
        if (prepared->double_double) {
            AbutDD x =
                abut_dd_sum(row[j], s->low_rows[(size_t)i * (size_t)s->dof + (size_t)j] * prepared->column[j] * factor);
            row[j] = x.hi, low[j] = x.lo;
        }
    }
    return 1;
}

static AbutStatus merge_rows(const AbutModeSystem *s, AbutModePrepared *prepared, AbutError *error) {
    double largest = 0.0;
    for (int i = 0; i < prepared->raw; ++i)
        for (int j = 0; j < s->dof; ++j) largest = fmax(largest, fabs(abut_mode_row(s, i)[j] * prepared->column[j]));
    for (int i = 0; i < prepared->raw; ++i) {
        prepared->index[i] = -1, prepared->sign[i] = 1;
        if (s->dof == 0 || !scaled_row(s, prepared, i, largest)) continue;
        for (int u = 0; u < prepared->unique && prepared->index[i] < 0; ++u) {
            int sign = same_row(prepared, u);
            if (sign) prepared->index[i] = u, prepared->sign[i] = (int8_t)sign;
        }
        if (prepared->index[i] >= 0) continue;
        if (prepared->unique == ABUT_MODE_ROWS)
            return abut_fail(error, ABUT_ERROR_LIMIT, "expected at most %d different rows, got more", ABUT_MODE_ROWS);
        prepared->index[i] = prepared->unique++;
    }
    return ABUT_OK;
}

/* A column of nothing but rounding, or the error of the rows, would become a direction of its own: it is made zero. */
static void clear_noise(AbutModePrepared *prepared, double error) {
    int d = prepared->dof, n = prepared->unique;
    double least = fmax(ABUT_MODE_COLUMN_NOISE, error);
    for (int j = 0; j < d; ++j) {
        double most = 0.0;
        for (int u = 0; u < n; ++u) most = fmax(most, fabs(prepared->matrix[u * d + j]));
        for (int u = 0; u < n && most < least; ++u) prepared->matrix[u * d + j] = 0.0;
    }
}

/* Threshold of zero: `given`, or what fits the arithmetic. Where it is exact, groups and counts still ask. */
static double choose_tolerance(const AbutModePrepared *prepared, double given) {
    return given > 0.0 ? given : prepared->double_double ? ABUT_MODE_ZERO_DOUBLE_DOUBLE : ABUT_MODE_ZERO;
}

static int choose_arithmetic(const AbutModeSystem *s, AbutModePrepared *prepared, AbutModeArithmetic arithmetic) {
    int more_digits = 0;
    for (int i = 0; prepared->double_double && i < prepared->unique * s->dof; ++i)
        more_digits |= prepared->low[i] != 0.0;
    prepared->exact = 0;
    if (arithmetic == ABUT_MODE_DOUBLE || arithmetic == ABUT_MODE_DOUBLE_DOUBLE || more_digits) return 1;
    prepared->exact =
        abut_mode_rationalize(prepared->matrix, prepared->unique, s->dof, prepared->whole, &prepared->bits);
    if (prepared->exact) prepared->double_double = 0;
    return prepared->exact || arithmetic == ABUT_MODE_AUTO;
}

/* The next block of a whole number of cache lines. */
static void *take(unsigned char **at, size_t bytes) {
    void *block = *at;
    *at += (bytes + 63) / 64 * 64;
    return block;
}

AbutStatus abut_mode_prepare(const AbutModeSystem *system, double tolerance, AbutModeArithmetic arithmetic,
    AbutModePrepared *prepared, AbutError *error) {
    memset(prepared, 0, sizeof *prepared);
    AbutStatus status = abut_mode_system_check(system, error);
    if (status != ABUT_OK) return status;
    tolerance = tolerance == 0.0 ? system->tolerance : tolerance;
    if (!(tolerance >= 0.0 && tolerance < 0.01))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "tolerance %g: must be 0 or more and below 0.01", tolerance);
    prepared->contacts = system->contacts, prepared->lines = system->lines, prepared->dof = system->dof;
    prepared->raw = system->contacts * (1 + system->lines);
    prepared->double_double =
        system->low_rows && system->dof > 0 && (arithmetic == ABUT_MODE_DOUBLE_DOUBLE || arithmetic == ABUT_MODE_AUTO);
    if (arithmetic == ABUT_MODE_DOUBLE_DOUBLE && !system->low_rows)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
            "the rows have no more digits than a double holds: no double-double numbers");
    prepared->tolerance = choose_tolerance(prepared, tolerance);
    size_t raw = (size_t)prepared->raw, d = (size_t)system->dof;
    size_t kept = (raw < ABUT_MODE_ROWS ? raw : ABUT_MODE_ROWS) + 1;
    size_t bytes = raw * 4 + raw + d * 8 + kept * d * 24 + 6 * 64;
    unsigned char *memory = abut_alloc(bytes);
    if (!memory) return abut_fail_memory(error);
    unsigned char *at = prepared->memory = memory;
    prepared->matrix = take(&at, kept * d * 8);
    prepared->low = take(&at, kept * d * 8);
    prepared->whole = take(&at, kept * d * 8);
    prepared->column = take(&at, d * 8);
    prepared->index = take(&at, raw * 4);
    prepared->sign = take(&at, raw);
    scale_columns(system, prepared->column);
    status = merge_rows(system, prepared, error);
    if (!prepared->double_double) clear_noise(prepared, system->tolerance);
    if (status == ABUT_OK && !choose_arithmetic(system, prepared, arithmetic))
        status = abut_fail(error, ABUT_ERROR_UNSUPPORTED, "the rows are not small rationals: no exact arithmetic");
    prepared->tolerance = choose_tolerance(prepared, tolerance);
    if (status != ABUT_OK) abut_mode_prepared_free(prepared);
    return status;
}

void abut_mode_prepared_free(AbutModePrepared *prepared) {
    abut_free(prepared->memory);
    memset(prepared, 0, sizeof *prepared);
}
