/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a mode without their noise. The contacts of a scene carry the rounding of its overlaps, so rows that depend
 * on each other do so up to a tolerance only, and the enumeration allows for it. Here the rows that are zero in one
 * mode give way to a basis of the space they span up to that tolerance (Gram-Schmidt, largest row first, in columns
 * scaled to 1) and to rows of zeros; the other rows lose their part in that space. The velocities of the mode are the
 * same, and now follow to the last digits.
 */
#include "modes_page.h"

#include <stdlib.h>
#include <string.h>

static int is_set(const uint64_t *bits, int i)
{
    return (int)(bits[i >> 6] >> (i & 63) & 1);
}

/* Is row i zero in the mode? The lines of a separating contact are free. */
static int is_zero_row(const AbutModeSystem *s, const uint64_t *plus, const uint64_t *minus, int i)
{
    if (is_set(plus, i) || is_set(minus, i))
        return 0;
    return i < s->contacts || !is_set(plus, (i - s->contacts) / s->lines);
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int j = 0; j < count; ++j)
        sum += a[j] * b[j];
    return sum;
}

static void add_scaled(double *to, const double *from, double scale, int count)
{
    for (int j = 0; j < count; ++j)
        to[j] += scale * from[j];
}

/* Orthonormal rows that span those of `left` up to the tolerance; `left` is used up. Gives their number. */
static int find_span(double *left, int rows, int dof, double tolerance, double *span)
{
    int rank = 0;
    while (rank < dof && rank < rows) {
        int best = 0;
        for (int i = 1; i < rows; ++i)
            if (dot(left + i * dof, left + i * dof, dof) > dot(left + best * dof, left + best * dof, dof))
                best = i;
        double length = sqrt(dot(left + best * dof, left + best * dof, dof)), *q = span + rank * dof;
        if (!(length > tolerance))
            break;
        for (int j = 0; j < dof; ++j)
            q[j] = left[best * dof + j] / length;
        for (int k = 0; k < rank; ++k) /* a second time, for the last digits */
            add_scaled(q, span + k * dof, -dot(q, span + k * dof, dof), dof);
        add_scaled(q, q, 1.0 / sqrt(dot(q, q, dof)) - 1.0, dof);
        for (int i = 0; i < rows; ++i)
            add_scaled(left + i * dof, q, -dot(left + i * dof, q, dof), dof);
        ++rank;
    }
    return rank;
}

/* A row with its columns scaled to 1, of length 1 unless it is nothing. */
static void scale_row(const double *row, const double *column, int dof, double *out)
{
    for (int j = 0; j < dof; ++j)
        out[j] = row[j] / column[j];
    double length = sqrt(dot(out, out, dof));
    for (int j = 0; j < dof && length > 0.0; ++j)
        out[j] /= length;
}

static int count_rows(const AbutModeSystem *s)
{
    return s->contacts * (1 + s->lines);
}

AbutStatus modes_clean_begin(const AbutModeSystem *system, double tolerance, ModesClean *out, AbutError *error)
{
    size_t d = (size_t)system->dof, rows = (size_t)count_rows(system);
    memset(out, 0, sizeof *out);
    out->from = system;
    out->tolerance = tolerance;
    out->rows = malloc((rows * d + 1) * sizeof(double));
    out->left = malloc((rows * d + 1) * sizeof(double));
    out->span = malloc((d * d + 1) * sizeof(double));
    out->column = malloc((d + 1) * sizeof(double));
    if (!out->rows || !out->left || !out->span || !out->column) {
        modes_clean_end(out);
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %zu rows", rows);
    }
    for (size_t j = 0; j < d; ++j) {
        double largest = 0.0;
        for (size_t i = 0; i < (size_t)system->contacts; ++i)
            largest = fmax(largest, fabs(system->normal_rows[i * d + j]));
        for (size_t i = 0; i < rows - (size_t)system->contacts; ++i)
            largest = fmax(largest, fabs(system->tangent_rows[i * d + j]));
        out->column[j] = largest > 0.0 ? largest : 1.0;
    }
    return ABUT_OK;
}

void modes_clean_end(ModesClean *c)
{
    free(c->rows);
    free(c->left);
    free(c->span);
    free(c->column);
}

AbutModeSystem modes_clean_rows(ModesClean *c, const uint64_t *plus, const uint64_t *minus)
{
    const AbutModeSystem *s = c->from;
    int d = s->dof, rows = count_rows(s), zeros = 0;
    size_t normals = (size_t)s->contacts * (size_t)d;
    memcpy(c->rows, s->normal_rows, normals * sizeof(double));
    if (rows > s->contacts)
        memcpy(c->rows + normals, s->tangent_rows, ((size_t)rows * (size_t)d - normals) * sizeof(double));
    for (int i = 0; i < rows; ++i)
        if (is_zero_row(s, plus, minus, i))
            scale_row(c->rows + i * d, c->column, d, c->left + zeros++ * d);
    int rank = find_span(c->left, zeros, d, c->tolerance, c->span);
    for (int i = 0, used = 0; i < rows; ++i) {
        double *row = c->rows + i * d;
        if (is_zero_row(s, plus, minus, i)) {
            memset(row, 0, (size_t)d * sizeof *row);
            if (used < rank)
                add_scaled(row, c->span + used++ * d, 1.0, d);
        } else {
            scale_row(row, c->column, d, row);
            for (int k = 0; k < rank; ++k)
                add_scaled(row, c->span + k * d, -dot(row, c->span + k * d, d), d);
        }
        for (int j = 0; j < d; ++j)
            row[j] *= c->column[j];
    }
    return (AbutModeSystem){.contacts = s->contacts,
        .dof = d,
        .lines = s->lines,
        .normal_rows = c->rows,
        .tangent_rows = c->rows + normals};
}
