/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows without their noise, for one mode. In: a system whose rows depend on each other up to a tolerance only, as those
 * of contacts measured in a scene, which carry the rounding of its overlaps. Out: a system in which they do so to the
 * last digits. The rows that are zero in the mode give way to a basis of the space they span up to the tolerance
 * (Gram-Schmidt, largest row first, in columns scaled to 1) and to rows of zeros; the other rows lose their part in
 * that space.
 */
#include "mode/constraints.h"
#include "mode/contact_rows.h"
#include "solve/vector.h"

#include <string.h>

/* Is a row zero in the mode? The lines of a separating contact are free. */
static int is_zero_row(const AbutModeSystem *s, AbutMode mode, int row) {
    return abut_mode_sign(mode, row) == 0 && abut_mode_counts(s, mode, row);
}

/* Orthonormal rows that span those of `left` up to the tolerance; `left` is used up. Gives their number. */
static int find_span(double *left, int rows, int dof, double tolerance, double *span) {
    int rank = 0;
    while (rank < dof && rank < rows) {
        int best = 0;
        for (int i = 1; i < rows; ++i)
            if (abut_row_dot(dof, left + i * dof, left + i * dof) >
                abut_row_dot(dof, left + best * dof, left + best * dof))
                best = i;
        double length = sqrt(abut_row_dot(dof, left + best * dof, left + best * dof)), *q = span + rank * dof;
        if (!(length > tolerance)) break;
        for (int j = 0; j < dof; ++j) q[j] = left[best * dof + j] / length;
        for (int k = 0; k < rank; ++k) /* a second time, for the last digits */
            abut_row_add(dof, q, span + k * dof, -abut_row_dot(dof, q, span + k * dof));
        abut_row_add(dof, q, q, 1.0 / sqrt(abut_row_dot(dof, q, q)) - 1.0);
        for (int i = 0; i < rows; ++i) abut_row_add(dof, left + i * dof, q, -abut_row_dot(dof, left + i * dof, q));
        ++rank;
    }
    return rank;
}

/* Sizes of columns, and what scales them to 1: 0 for a column that is smaller beside those of its unit than the error
 * of the rows. */
static void find_units(const AbutModeSystem *s, double *column, double *unit) {
    abut_mode_column_sizes(s, column);
    for (int j = 0; j < s->dof; ++j) {
        double most = 0.0;
        for (int i = 0; i < abut_mode_row_count(s); ++i) most = fmax(most, fabs(abut_mode_row(s, i)[j]));
        unit[j] = most > s->tolerance * column[j] ? 1.0 / column[j] : 0.0;
    }
}

/* A row with its columns scaled to 1, of length 1 unless it is nothing. */
static void scale_row(const double *row, const double *unit, int dof, double *out) {
    for (int j = 0; j < dof; ++j) out[j] = row[j] * unit[j];
    double length = sqrt(abut_row_dot(dof, out, out));
    for (int j = 0; j < dof && length > 0.0; ++j) out[j] /= length;
}

/* Writes the clean rows; `room` holds a matrix of all rows, one of dof x dof, and two rows. */
static void clean(const AbutModeSystem *s, AbutMode mode, double tolerance, double *rows, double *room) {
    int d = s->dof, count = abut_mode_row_count(s), zeros = 0, used = 0;
    double *left = room, *span = left + (size_t)count * (size_t)d, *column = span + (size_t)d * (size_t)d,
           *unit = column + d;
    find_units(s, column, unit);
    for (int i = 0; i < count; ++i)
        if (is_zero_row(s, mode, i)) scale_row(abut_mode_row(s, i), unit, d, left + (size_t)zeros++ * (size_t)d);
    int rank = find_span(left, zeros, d, tolerance, span);
    for (int i = 0; i < count; ++i) {
        double *row = rows + (size_t)i * (size_t)d;
        if (is_zero_row(s, mode, i)) {
            memset(row, 0, (size_t)d * sizeof *row);
            if (used < rank) abut_row_add(d, row, span + used++ * d, 1.0);
        } else {
            scale_row(abut_mode_row(s, i), unit, d, row);
            for (int k = 0; k < rank; ++k) abut_row_add(d, row, span + k * d, -abut_row_dot(d, row, span + k * d));
        }
        for (int j = 0; j < d; ++j) row[j] *= column[j];
    }
}

AbutStatus abut_mode_system_clean(
    const AbutModeSystem *from, AbutMode mode, double tolerance, AbutModeSystem *out, AbutError *error) {
    ABUT_ASSERT(from && mode.plus && mode.minus && out && tolerance >= 0.0);
    size_t d = (size_t)from->dof, numbers = (size_t)abut_mode_row_count(from) * d;
    double *rows, *room = abut_alloc_array(numbers + d * d + 2 * d + 1, sizeof(double));
    AbutStatus status = abut_mode_system_room(from->contacts, from->dof, from->lines, 0, out, &rows, error);
    if (status == ABUT_OK && !room) status = abut_fail_memory(error);
    if (status == ABUT_OK)
        clean(from, mode, tolerance, rows, room);
    else
        abut_mode_system_free(out);
    abut_free(room);
    return status;
}
