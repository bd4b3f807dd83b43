/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One mode as constraints, and the velocities in it: inner velocity, projection, random samples, the mode of a given
 * velocity. The projections are quadratic programs.
 */
#include "mode/cell.h"

#include <string.h>

static AbutStatus check_mode(const AbutModeSystem *s, const uint64_t *plus, const uint64_t *minus, AbutError *error)
{
    if (!s || !plus || !minus || s->contacts < 0 || s->dof < 0 || s->lines < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "a system and a mode are needed");
    for (int i = 0; i < s->contacts; ++i)
        if (abut_mode_bit(minus, i))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "contact %d: a separation cannot be negative", i);
    return ABUT_OK;
}

/* Appends raw row i, scaled, with its sign; zero rows are left out (or make the mode impossible: gives 0). */
static int put_row(const AbutModeSystem *s, AbutModeCell *cell, int raw, int sign, int at)
{
    const double *from = abut_mode_raw_row(s, raw);
    double *to = cell->rows + (size_t)at * (size_t)s->dof, most = 0.0;
    for (int j = 0; j < s->dof; ++j) {
        to[j] = from[j] * cell->column[j];
        most = fmax(most, fabs(to[j]));
    }
    for (int j = 0; j < s->dof && most > 1e-12; ++j)
        to[j] = fabs(to[j]) > 1e-14 * most ? to[j] * (sign < 0 ? -1.0 : 1.0) / most : 0.0;
    cell->raw[at] = raw;
    return most > 1e-12;
}

/* 1 / largest entry of each column; a column of nothing but rounding is not blown up. */
static void scale_columns(const AbutModeSystem *s, double *column)
{
    double all = 0.0;
    for (int j = 0; j < s->dof; ++j) {
        column[j] = 0.0;
        for (int i = 0; i < s->contacts * (1 + s->lines); ++i)
            column[j] = fmax(column[j], fabs(abut_mode_raw_row(s, i)[j]));
        all = fmax(all, column[j]);
    }
    for (int j = 0; j < s->dof; ++j)
        column[j] = all > 0.0 ? 1.0 / (column[j] > 1e-12 * all ? column[j] : all) : 1.0;
}

AbutStatus abut_mode_cell_make(
    const AbutModeSystem *s, const uint64_t *plus, const uint64_t *minus, AbutModeCell *cell, AbutError *error)
{
    memset(cell, 0, sizeof *cell);
    AbutStatus status = check_mode(s, plus, minus, error);
    if (status != ABUT_OK)
        return status;
    int total = s->contacts * (1 + s->lines);
    size_t d = (size_t)s->dof, n = (size_t)total;
    double *memory = abut_alloc((n * d + d + n + 8) * sizeof(double));
    if (!memory)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d rows", total);
    cell->memory = memory, cell->dof = s->dof;
    cell->column = memory, cell->rows = memory + d, cell->raw = (int *)(void *)(memory + d + n * d);
    scale_columns(s, cell->column);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < total; ++i) {
            int sign = abut_mode_sign(plus, minus, i);
            if (!abut_mode_counts(s, plus, i) || (sign != 0) != pass)
                continue;
            int kept = put_row(s, cell, i, sign, cell->zeros + cell->signed_rows);
            if (!kept && sign) {
                abut_mode_cell_free(cell);
                return abut_fail(error, ABUT_ERROR_EMPTY, "row %d is zero for every velocity", i);
            }
            cell->zeros += kept && !pass, cell->signed_rows += kept && pass;
        }
    return ABUT_OK;
}

void abut_mode_cell_free(AbutModeCell *cell)
{
    abut_free(cell->memory);
    memset(cell, 0, sizeof *cell);
}

int abut_mode_rank(double *rows, int count, int dof, double tolerance, int *pivots)
{
    int rank = 0;
    while (rank < count && rank < dof) {
        int row = -1, column = 0;
        for (int i = rank; i < count; ++i)
            for (int j = 0; j < dof; ++j)
                if (fabs(rows[i * dof + j]) > tolerance &&
                    (row < 0 || fabs(rows[i * dof + j]) > fabs(rows[row * dof + column])))
                    row = i, column = j;
        if (row < 0)
            break;
        for (int j = 0; j < dof; ++j) {
            double t = rows[row * dof + j];
            rows[row * dof + j] = rows[rank * dof + j], rows[rank * dof + j] = t;
        }
        double pivot = rows[rank * dof + column];
        for (int j = 0; j < dof; ++j)
            rows[rank * dof + j] /= pivot;
        for (int i = 0; i < count; ++i) {
            double factor = rows[i * dof + column];
            for (int j = 0; j < dof && i != rank && factor != 0.0; ++j)
                rows[i * dof + j] = j == column ? 0.0 : rows[i * dof + j] - factor * rows[rank * dof + j];
        }
        if (pivots)
            pivots[rank] = column;
        ++rank;
    }
    return rank;
}

AbutStatus abut_mode_cell_nearest(
    const AbutModeCell *cell, const double *target, const double *weight, double least, double *x, AbutError *error)
{
    int d = cell->dof, rows = cell->zeros + cell->signed_rows;
    size_t n = (size_t)d, m = (size_t)rows, room = abut_qp_workspace_size(d > 0 ? d : 1, rows);
    if (d == 0)
        return least > 0.0 && cell->signed_rows ? abut_fail(error, ABUT_ERROR_EMPTY, "nothing can move") : ABUT_OK;
    double *h = abut_alloc((n * n + n + n * m + m) * sizeof(double) + 64);
    void *workspace = abut_alloc(room);
    if (!h || !workspace) {
        abut_free(h);
        abut_free(workspace);
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a program of %d rows", rows);
    }
    double *g = h + n * n, *a = g + n, *b = a + n * m;
    memset(h, 0, n * n * sizeof(double));
    for (int j = 0; j < d; ++j) {
        double w = (weight ? weight[j] : 1.0) * cell->column[j] * cell->column[j];
        h[j * d + j] = w;
        g[j] = target ? -w * target[j] / cell->column[j] : 0.0;
    }
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < d; ++j)
            a[i * d + j] = i < cell->zeros ? cell->rows[i * d + j] : -cell->rows[i * d + j];
        b[i] = i < cell->zeros ? 0.0 : -least;
    }
    AbutQp qp = {d, rows, cell->zeros, h, g, a, b};
    AbutQpResult result = abut_qp_solve(&qp, x, NULL, workspace, room);
    for (int j = 0; j < d; ++j)
        x[j] *= cell->column[j];
    abut_free(h);
    abut_free(workspace);
    if (result.outcome == ABUT_QP_INFEASIBLE)
        return abut_fail(error, ABUT_ERROR_EMPTY, "no velocity has this mode");
    if (result.outcome != ABUT_QP_OK)
        return abut_fail(
            error, ABUT_ERROR_DEGENERATE, "the program of this mode could not be solved (%d)", (int)result.outcome);
    return ABUT_OK;
}

AbutStatus abut_mode_velocity(
    const AbutModeSystem *system, const uint64_t *plus, const uint64_t *minus, double *velocity, AbutError *error)
{
    AbutModeCell cell;
    AbutStatus status = abut_mode_cell_make(system, plus, minus, &cell, error);
    if (status != ABUT_OK)
        return status;
    double *units = abut_alloc(sizeof(double) * (size_t)(cell.dof + 1));
    status = units ? ABUT_OK : abut_fail(error, ABUT_ERROR_MEMORY, "no memory");
    for (int j = 0; j < cell.dof && units; ++j)
        units[j] = 1.0 / (cell.column[j] * cell.column[j]);
    if (status == ABUT_OK)
        status = abut_mode_cell_nearest(&cell, NULL, units, 1.0, velocity, error);
    abut_free(units);
    abut_mode_cell_free(&cell);
    return status;
}

AbutStatus abut_mode_project(const AbutModeSystem *system, const uint64_t *plus, const uint64_t *minus,
    const double *desired, const double *weight, double *velocity, double *distance, AbutError *error)
{
    AbutModeCell cell;
    for (int j = 0; j < system->dof; ++j)
        if (!isfinite(desired[j]) || (weight && !(weight[j] > 0.0 && isfinite(weight[j]))))
            return abut_fail(
                error, ABUT_ERROR_NUMBER, "velocity %d: a finite number and a positive weight are needed", j);
    AbutStatus status = abut_mode_cell_make(system, plus, minus, &cell, error);
    if (status != ABUT_OK)
        return status;
    status = abut_mode_cell_nearest(&cell, desired, weight, 0.0, velocity, error);
    double most = 0.0, asked = 0.0, square = 0.0;
    for (int j = 0; j < system->dof; ++j) {
        most = fmax(most, fabs(velocity[j] / cell.column[j]));
        asked = fmax(asked, fabs(desired[j] / cell.column[j]));
    }
    /* a mode without motion: what is left is rounding */
    for (int j = 0; j < system->dof && most <= 1e-11 * asked; ++j)
        velocity[j] = 0.0;
    for (int j = 0; j < system->dof; ++j)
        square += (weight ? weight[j] : 1.0) * (velocity[j] - desired[j]) * (velocity[j] - desired[j]);
    if (distance)
        *distance = sqrt(square);
    abut_mode_cell_free(&cell);
    return status;
}

AbutStatus abut_mode_sample(const AbutModeSystem *system, const uint64_t *plus, const uint64_t *minus, AbutRng *rng,
    double *velocity, AbutError *error)
{
    size_t d = (size_t)system->dof;
    double *room = abut_alloc(2 * d * sizeof(double) + 64), *inner = room, *loose = room ? room + d : NULL, size = 0.0;
    if (!room)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory");
    AbutStatus status = abut_mode_velocity(system, plus, minus, inner, error);
    for (size_t j = 0; j < d && status == ABUT_OK; ++j)
        size = fmax(size, fabs(inner[j]));
    for (size_t j = 0; j < d; ++j)
        loose[j] = (size > 0.0 ? size : 1.0) * abut_rng_normal(rng);
    if (status == ABUT_OK)
        status = abut_mode_project(system, plus, minus, loose, NULL, velocity, NULL, error);
    double part = abut_rng_between(rng, 0.05, 1.0);
    for (size_t j = 0; j < d && status == ABUT_OK; ++j)
        velocity[j] += part * inner[j];
    abut_free(room);
    return status;
}

AbutStatus abut_mode_of_velocity(const AbutModeSystem *system, const double *velocity, double tolerance, uint64_t *plus,
    uint64_t *minus, AbutError *error)
{
    int total = system->contacts * (1 + system->lines), d = system->dof;
    size_t words = (size_t)abut_mode_words(system, 0);
    memset(plus, 0, 8 * words);
    memset(minus, 0, 8 * words);
    for (int j = 0; j < d; ++j)
        if (!isfinite(velocity[j]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "velocity %d is not finite", j);
    double *size = abut_alloc(sizeof(double) * (size_t)(d + 1));
    if (!size)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory");
    double limit = 0.0;
    AbutStatus status = ABUT_OK;
    scale_columns(system, size);
    for (int j = 0; j < d; ++j)
        limit = fmax(limit, (tolerance > 0.0 ? tolerance : 1e-9) * fabs(velocity[j] / size[j]));
    for (int i = 0; i < total && status == ABUT_OK; ++i) {
        const double *row = abut_mode_raw_row(system, i);
        double value = 0.0, most = 0.0;
        for (int j = 0; j < d; ++j) {
            value += row[j] * velocity[j];
            most = fmax(most, fabs(row[j] * size[j]));
        }
        if (fabs(value) <= limit * most || !abut_mode_counts(system, plus, i))
            continue;
        if (i < system->contacts && value < 0.0)
            status = abut_fail(error, ABUT_ERROR_EMPTY, "contact %d would be driven into itself at %g", i, value);
        else
            (value > 0.0 ? plus : minus)[i >> 6] |= (uint64_t)1 << (i & 63);
    }
    abut_free(size);
    return status;
}
