/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The velocities of a mode. In: a system and a mode. Out: a velocity inside it, the one of its closed cone nearest to a
 * given one, a random one; and the other way round the mode of a velocity. The first three are quadratic programs under
 * the constraints of the mode.
 */
#include "mode/constraints.h"
#include "math/double_double.h"
#include "mode/contact_rows.h"
#include "mode/tolerance.h"

#include <string.h>

AbutStatus abut_mode_velocity(const AbutModeSystem *system, AbutMode mode, double *velocity, AbutError *error) {
    AbutModeConstraints constraints;
    ABUT_ASSERT(system && velocity);
    AbutStatus status = abut_mode_constraints_make(system, mode, &constraints, error);
    if (status != ABUT_OK) return status;
    double *units = abut_alloc(sizeof(double) * (size_t)(constraints.dof + 1));
    status = units ? ABUT_OK : abut_fail_memory(error);
    for (int j = 0; j < constraints.dof && units; ++j) units[j] = 1.0 / (constraints.column[j] * constraints.column[j]);
    if (status == ABUT_OK) status = abut_mode_constraints_nearest(&constraints, NULL, units, 1.0, velocity, error);
    abut_free(units);
    abut_mode_constraints_free(&constraints);
    return status;
}

/* A nonlinear mode as one of a system in which the tangent rows of contacts that slide are zero. */
static AbutStatus without_sliding(const AbutModeSystem *from, AbutMode mode, AbutModeSystem *out, AbutError *error) {
    double *rows;
    size_t d = (size_t)from->dof, all = (size_t)abut_mode_row_count(from) * d;
    ABUT_TRY(abut_mode_system_room(from->contacts, from->dof, from->lines, from->low_rows != NULL, out, &rows, error));
    out->tolerance = from->tolerance;
    for (int i = 0; i < abut_mode_row_count(from); ++i) {
        int contact = i < from->contacts ? -1 : (i - from->contacts) / from->lines;
        const double *low = abut_mode_low_row(from, i);
        if (contact >= 0 && abut_mode_bit(mode.plus, from->contacts + contact)) {
            memset(rows + (size_t)i * d, 0, d * sizeof *rows);
            if (low) memset(rows + all + (size_t)i * d, 0, d * sizeof *rows);
            continue;
        }
        memcpy(rows + (size_t)i * d, abut_mode_row(from, i), d * sizeof *rows);
        if (low) memcpy(rows + all + (size_t)i * d, low, d * sizeof *rows);
    }
    return ABUT_OK;
}

static AbutStatus project_nonlinear(const AbutModeSystem *system, AbutMode mode, const double *desired,
    const double *weight, double *velocity, double *distance, AbutError *error) {
    AbutModeSystem without;
    size_t words = (size_t)abut_mode_words(system, 0);
    uint64_t *bits = abut_alloc(2 * words * sizeof *bits + 8);
    AbutMode linear = {bits, bits ? bits + words : NULL};
    if (!bits) return abut_fail_memory(error);
    memset(bits, 0, 2 * words * sizeof *bits);
    for (int i = 0; i < system->contacts; ++i)
        if (abut_mode_bit(mode.plus, i)) abut_mode_set_bit(linear.plus, i);
    AbutStatus status = without_sliding(system, mode, &without, error);
    if (status == ABUT_OK) {
        status = abut_mode_project(&without, 0, linear, desired, weight, velocity, distance, error);
        abut_mode_system_free(&without);
    }
    abut_free(bits);
    return status;
}

AbutStatus abut_mode_project(const AbutModeSystem *system, int nonlinear, AbutMode mode, const double *desired,
    const double *weight, double *velocity, double *distance, AbutError *error) {
    AbutModeConstraints constraints;
    ABUT_ASSERT(system && desired && velocity);
    if (nonlinear) return project_nonlinear(system, mode, desired, weight, velocity, distance, error);
    for (int j = 0; j < system->dof; ++j)
        if (!isfinite(desired[j]) || (weight && !(weight[j] > 0.0 && isfinite(weight[j]))))
            return abut_fail(
                error, ABUT_ERROR_NUMBER, "velocity %d: a finite number and a positive weight are needed", j);
    AbutStatus status = abut_mode_constraints_make(system, mode, &constraints, error);
    if (status != ABUT_OK) return status;
    status = abut_mode_constraints_nearest(&constraints, desired, weight, 0.0, velocity, error);
    double most = 0.0, asked = 0.0, square = 0.0;
    for (int j = 0; j < system->dof; ++j) {
        most = fmax(most, fabs(velocity[j] / constraints.column[j]));
        asked = fmax(asked, fabs(desired[j] / constraints.column[j]));
    }
    /* a mode without motion: what is left is rounding */
    for (int j = 0; j < system->dof && most <= ABUT_MODE_REST * asked; ++j) velocity[j] = 0.0;
    for (int j = 0; j < system->dof; ++j)
        square += (weight ? weight[j] : 1.0) * (velocity[j] - desired[j]) * (velocity[j] - desired[j]);
    if (distance) *distance = sqrt(square);
    abut_mode_constraints_free(&constraints);
    return status;
}

AbutStatus abut_mode_sample(
    const AbutModeSystem *system, AbutMode mode, AbutRng *rng, double *velocity, AbutError *error) {
    ABUT_ASSERT(system && rng && velocity);
    size_t d = (size_t)system->dof;
    double *room = abut_alloc(2 * d * sizeof(double) + 64), *inner = room, *loose = room ? room + d : NULL, size = 0.0;
    if (!room) return abut_fail_memory(error);
    AbutStatus status = abut_mode_velocity(system, mode, inner, error);
    for (size_t j = 0; j < d && status == ABUT_OK; ++j) size = fmax(size, fabs(inner[j]));
    for (size_t j = 0; j < d; ++j) loose[j] = (size > 0.0 ? size : 1.0) * abut_rng_normal(rng);
    if (status == ABUT_OK) status = abut_mode_project(system, 0, mode, loose, NULL, velocity, NULL, error);
    double part = abut_rng_between(rng, 0.05, 1.0);
    for (size_t j = 0; j < d && status == ABUT_OK; ++j) velocity[j] += part * inner[j];
    abut_free(room);
    return status;
}

/* A row times a velocity, with the digits that the row has. */
static double row_value(const AbutModeSystem *s, int i, const double *velocity) {
    const double *row = abut_mode_row(s, i), *low = abut_mode_low_row(s, i);
    double value = 0.0;
    AbutDD sum = abut_dd(0.0);
    for (int j = 0; j < s->dof; ++j) {
        value += row[j] * velocity[j];
        if (low) sum = abut_dd_add(sum, abut_dd_mul((AbutDD){row[j], low[j]}, abut_dd(velocity[j])));
    }
    return low ? sum.hi : value;
}

AbutStatus abut_mode_of_velocity(
    const AbutModeSystem *system, const double *velocity, double tolerance, AbutMode out, AbutError *error) {
    ABUT_ASSERT(system && velocity && out.plus && out.minus);
    int total = abut_mode_row_count(system), d = system->dof;
    size_t words = (size_t)abut_mode_words(system, 0);
    memset(out.plus, 0, 8 * words);
    memset(out.minus, 0, 8 * words);
    for (int j = 0; j < d; ++j)
        if (!isfinite(velocity[j])) return abut_fail(error, ABUT_ERROR_NUMBER, "velocity %d is not finite", j);
    double *size = abut_alloc(sizeof(double) * (size_t)(d + 1));
    if (!size) return abut_fail_memory(error);
    double limit = 0.0;
    AbutStatus status = ABUT_OK;
    abut_mode_scale_columns(system, size);
    for (int j = 0; j < d; ++j)
        limit = fmax(limit, (tolerance > 0.0              ? tolerance
                                : system->tolerance > 0.0 ? system->tolerance
                                                          : ABUT_MODE_ZERO) *
                                fabs(velocity[j] / size[j]));
    for (int i = 0; i < total && status == ABUT_OK; ++i) {
        const double *row = abut_mode_row(system, i);
        double value = row_value(system, i, velocity), most = 0.0;
        for (int j = 0; j < d; ++j) most = fmax(most, fabs(row[j] * size[j]));
        if (fabs(value) <= limit * most || !abut_mode_counts(system, out, i)) continue;
        if (i < system->contacts && value < 0.0)
            status = abut_fail(error, ABUT_ERROR_EMPTY, "contact %d would be driven into itself at %g", i, value);
        else
            abut_mode_set_bit(value > 0.0 ? out.plus : out.minus, i);
    }
    abut_free(size);
    return status;
}
