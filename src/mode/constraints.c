/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One mode as linear constraints. In: a system and a mode. Out: its rows, scaled and with their signs applied,
 * equations first; the velocity nearest to a given one under them (a quadratic program); the rank of rows (Gauss-Jordan
 * elimination, largest pivot).
 */
#include "mode/constraints.h"
#include "math/double_double.h"
#include "mode/tolerance.h"
#include "solve/solve.h"
#include "solve/vector.h"

#include <string.h>

static AbutStatus check_mode(const AbutModeSystem *s, AbutMode mode, AbutError *error) {
    ABUT_ASSERT(s && mode.plus && mode.minus && s->contacts >= 0 && s->dof >= 0 && s->lines >= 0);
    for (int i = 0; i < s->contacts; ++i)
        if (abut_mode_bit(mode.minus, i))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "contact %d: a separation cannot be negative", i);
    return ABUT_OK;
}

/* Appends a row, scaled, with its sign; zero rows are left out (or make the mode impossible: gives 0). */
static int put_row(const AbutModeSystem *s, AbutModeConstraints *constraints, int row, int sign, int at) {
    const double *from = abut_mode_row(s, row);
    double *to = constraints->rows + (size_t)at * (size_t)s->dof, most = 0.0;
    for (int j = 0; j < s->dof; ++j) {
        to[j] = from[j] * constraints->column[j];
        most = fmax(most, fabs(to[j]));
    }
    for (int j = 0; j < s->dof && most > ABUT_MODE_ROW_NOISE; ++j)
        to[j] = fabs(to[j]) > ABUT_MODE_ENTRY_NOISE * most ? to[j] * (sign < 0 ? -1.0 : 1.0) / most : 0.0;
    return most > ABUT_MODE_ROW_NOISE;
}

/* As above, with all digits; the factor of a row need not be exact, as its sign does not depend on it. */
static int put_long_row(const AbutModeSystem *s, AbutModeConstraints *constraints, int row, int sign, int at) {
    const double *from = abut_mode_row(s, row), *low_from = abut_mode_low_row(s, row);
    double *to = constraints->rows + (size_t)at * (size_t)s->dof, most = 0.0;
    double *low = constraints->low + (size_t)at * (size_t)s->dof;
    for (int j = 0; j < s->dof; ++j) most = fmax(most, fabs(from[j] * constraints->column[j]));
    for (int j = 0; j < s->dof && most > ABUT_MODE_ROW_NOISE; ++j) {
        AbutDD x = abut_dd_mul((AbutDD){from[j], low_from[j]}, abut_dd(constraints->column[j]));
        x = abut_dd_mul(x, abut_dd((sign < 0 ? -1.0 : 1.0) / most));
        to[j] = x.hi, low[j] = x.lo;
    }
    return most > ABUT_MODE_ROW_NOISE;
}

/* The three velocities of a free body have one unit, and so have its three turns: a column that is small beside the two
 * others, as that of a spin about the one point of contact, is noise and not a direction. */
static void share_sizes(const AbutModeSystemDef *def, double *column) {
    for (int i = 0; i < def->body_count; ++i)
        for (int k = 0; k < 6 && def->bodies[i].kind == ABUT_MODE_BODY_FREE; k += 3) {
            double *of = column + def->bodies[i].first_dof + k;
            of[0] = of[1] = of[2] = fmax(of[0], fmax(of[1], of[2]));
        }
}

double abut_mode_column_sizes(const AbutModeSystem *s, double *column) {
    double all = 0.0;
    for (int j = 0; j < s->dof; ++j) {
        column[j] = 0.0;
        for (int i = 0; i < abut_mode_row_count(s); ++i) column[j] = fmax(column[j], fabs(abut_mode_row(s, i)[j]));
        all = fmax(all, column[j]);
    }
    if (s->def && s->tolerance > 0.0) share_sizes(s->def, column);
    return all;
}

void abut_mode_scale_columns(const AbutModeSystem *s, double *column) {
    double all = abut_mode_column_sizes(s, column);
    for (int j = 0; j < s->dof; ++j)
        column[j] = all > 0.0 ? 1.0 / (column[j] > ABUT_MODE_COLUMN_NOISE * all ? column[j] : all) : 1.0;
}

/* For the rows of `s`, with the columns scaled as those of `sizes`. */
static AbutStatus make(const AbutModeSystem *s, const AbutModeSystem *sizes, AbutMode mode,
    AbutModeConstraints *constraints, AbutError *error) {
    int total = abut_mode_row_count(s);
    size_t d = (size_t)s->dof, n = (size_t)total;
    int more = abut_mode_has_low(s);
    double *memory = abut_alloc(((more ? 2 : 1) * n * d + 2 * d + 1) * sizeof(double));
    if (!memory) return abut_fail_memory(error);
    constraints->memory = memory, constraints->dof = s->dof;
    constraints->column = memory, constraints->rows = memory + d;
    constraints->low = more ? constraints->rows + n * d : NULL;
    constraints->pivots = (int *)(void *)(constraints->rows + (more ? 2 : 1) * n * d);
    abut_mode_scale_columns(sizes, constraints->column);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < total; ++i) {
            int sign = abut_mode_sign(mode, i);
            if (!abut_mode_counts(s, mode, i) || (sign != 0) != pass) continue;
            int at = constraints->zeros + constraints->signed_rows;
            int kept = (more ? put_long_row : put_row)(s, constraints, i, sign, at);
            if (!kept && sign) {
                abut_mode_constraints_free(constraints);
                return abut_fail(error, ABUT_ERROR_EMPTY, "row %d is zero for every velocity", i);
            }
            constraints->zeros += kept && !pass, constraints->signed_rows += kept && pass;
        }
    if (more && !abut_mode_constraints_reduce(constraints)) {
        abut_mode_constraints_free(constraints);
        return abut_fail(error, ABUT_ERROR_EMPTY, "a row that must move depends on rows that do not");
    }
    return ABUT_OK;
}

AbutStatus abut_mode_constraints_make(
    const AbutModeSystem *s, AbutMode mode, AbutModeConstraints *constraints, AbutError *error) {
    AbutModeSystem clean;
    memset(constraints, 0, sizeof *constraints);
    AbutStatus status = check_mode(s, mode, error);
    if (status != ABUT_OK || !(s->tolerance > 0.0) || abut_mode_has_low(s))
        return status != ABUT_OK ? status : make(s, s, mode, constraints, error);
    status = abut_mode_system_clean(s, mode, ABUT_MODE_CLEAN * s->tolerance, &clean, error);
    if (status != ABUT_OK) return status;
    status = make(&clean, s, mode, constraints, error);
    abut_mode_system_free(&clean);
    return status;
}

void abut_mode_constraints_free(AbutModeConstraints *constraints) {
    abut_free(constraints->memory);
    memset(constraints, 0, sizeof *constraints);
}

/* The largest entry of the rows from `from` on, beside their sizes; 0 when all are small. */
static int find_pivot(
    const double *rows, int from, int count, int dof, double most, const double *size, int *row, int *column) {
    *row = -1;
    for (int i = from; i < count; ++i)
        for (int j = 0; j < dof; ++j)
            if (fabs(rows[i * dof + j]) > most * (size ? size[i] : 1.0))
                most = fabs(rows[i * dof + j]) / (size ? size[i] : 1.0), *row = i, *column = j;
    return *row >= 0;
}

int abut_mode_rank(double *rows, int count, int dof, double tolerance, double *size, int *pivots) {
    int rank = 0, row, column = 0;
    for (; rank < count && find_pivot(rows, rank, count, dof, tolerance, size, &row, &column); ++rank) {
        double *own = rows + rank * dof, pivot = rows[row * dof + column];
        abut_row_swap(dof, rows + row * dof, own);
        if (size) abut_row_swap(1, size + row, size + rank);
        for (int j = 0; j < dof; ++j) own[j] /= pivot;
        for (int i = 0; i < count; ++i) {
            double factor = i == rank ? 0.0 : rows[i * dof + column];
            for (int j = 0; j < dof && factor != 0.0; ++j)
                rows[i * dof + j] = j == column ? 0.0 : rows[i * dof + j] - factor * own[j];
        }
        if (pivots) pivots[rank] = column;
    }
    return rank;
}

int abut_mode_constraints_null_basis(AbutModeConstraints *c, double *basis, double *low) {
    int d = c->dof, n = 0;
    if (!c->low) c->zeros = abut_mode_rank(c->rows, c->zeros, d, ABUT_MODE_RANK, NULL, c->pivots);
    for (int j = 0; j < d; ++j) {
        int is_pivot = 0;
        for (int i = 0; i < c->zeros; ++i) is_pivot |= c->pivots[i] == j;
        if (is_pivot) continue;
        memset(basis + n * d, 0, sizeof(double) * (size_t)d);
        if (low) memset(low + n * d, 0, sizeof(double) * (size_t)d);
        basis[n * d + j] = c->column[j];
        for (int i = 0; i < c->zeros; ++i) {
            int at = i * d + j, to = n * d + c->pivots[i];
            AbutDD x = {-c->rows[at] * c->column[c->pivots[i]], 0.0};
            if (low)
                x = abut_dd_mul((AbutDD){-c->rows[at], -c->low[at]}, abut_dd(c->column[c->pivots[i]])), low[to] = x.lo;
            basis[to] = x.hi;
        }
        ++n;
    }
    return n;
}

AbutStatus abut_mode_constraints_nearest(const AbutModeConstraints *constraints, const double *target,
    const double *weight, double least, double *x, AbutError *error) {
    int d = constraints->dof, rows = constraints->zeros + constraints->signed_rows;
    size_t n = (size_t)d, m = (size_t)rows, room = abut_qp_workspace_size(d > 0 ? d : 1, rows);
    if (d == 0)
        return least > 0.0 && constraints->signed_rows ? abut_fail(error, ABUT_ERROR_EMPTY, "nothing can move")
                                                       : ABUT_OK;
    double *h = abut_alloc((n * n + n + n * m + m) * sizeof(double) + 64);
    void *workspace = abut_alloc(room);
    if (!h || !workspace) {
        abut_free(h);
        abut_free(workspace);
        return abut_fail_memory(error);
    }
    double *g = h + n * n, *a = g + n, *b = a + n * m;
    memset(h, 0, n * n * sizeof(double));
    for (int j = 0; j < d; ++j) {
        double w = (weight ? weight[j] : 1.0) * constraints->column[j] * constraints->column[j];
        h[j * d + j] = w;
        g[j] = target ? -w * target[j] / constraints->column[j] : 0.0;
    }
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < d; ++j)
            a[i * d + j] = i < constraints->zeros ? constraints->rows[i * d + j] : -constraints->rows[i * d + j];
        b[i] = i < constraints->zeros ? 0.0 : -least;
    }
    AbutQp qp = {d, rows, constraints->zeros, h, g, a, b};
    AbutQpResult result = abut_qp_solve(&qp, x, NULL, workspace, room);
    for (int j = 0; j < d; ++j) x[j] *= constraints->column[j];
    abut_free(h);
    abut_free(workspace);
    if (result.outcome == ABUT_QP_INFEASIBLE && constraints->low)
        return abut_fail(error, ABUT_ERROR_DEGENERATE, "no velocity of this mode can be told in double numbers");
    if (result.outcome == ABUT_QP_INFEASIBLE) return abut_fail(error, ABUT_ERROR_EMPTY, "no velocity has this mode");
    if (result.outcome != ABUT_QP_OK)
        return abut_fail(
            error, ABUT_ERROR_DEGENERATE, "the program of this mode could not be solved (%d)", (int)result.outcome);
    return ABUT_OK;
}
