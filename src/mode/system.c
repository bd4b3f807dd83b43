/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A system of rows: the check of its sizes and numbers, the copy of the contacts and bodies it was built from, another
 * number of dividing lines, its end.
 */
#include "mode/contact_rows.h"
#include "mode/prepared_rows.h"

#include <string.h>

AbutStatus abut_mode_system_check(const AbutModeSystem *system, AbutError *error) {
    ABUT_ASSERT(system);
    int n = system->contacts, d = system->dof, t = system->lines;
    if (n < 0 || d < 0 || t < 0 || n > ABUT_MODE_SIZE || d > ABUT_MODE_SIZE || t > ABUT_MODE_SIZE)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "contacts %d, dof %d, lines %d: each must be 0 to %d", n, d, t, ABUT_MODE_SIZE);
    if ((n > 0 && d > 0 && !system->normal_rows) || (n > 0 && d > 0 && t > 0 && !system->tangent_rows))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "the rows of the contacts are missing");
    for (size_t i = 0; i < (size_t)n * (size_t)d; ++i)
        if (!isfinite(system->normal_rows[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "normal_rows: row %d is not finite", (int)(i / (size_t)d));
    for (size_t i = 0; i < (size_t)n * (size_t)t * (size_t)d; ++i)
        if (!isfinite(system->tangent_rows[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "tangent_rows: row %d is not finite", (int)(i / (size_t)d));
    for (size_t i = 0; system->low_rows && i < (size_t)n * (size_t)(1 + t) * (size_t)d; ++i)
        if (!isfinite(system->low_rows[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "low_rows: row %d is not finite", (int)(i / (size_t)d));
    return ABUT_OK;
}

AbutStatus abut_mode_system_room(
    int contacts, int dof, int lines, int low_rows, AbutModeSystem *out, double **rows, AbutError *error) {
    size_t n = (size_t)contacts, d = (size_t)dof, all = n * (size_t)(1 + lines) * d;
    *rows = abut_alloc_array((low_rows ? 2 : 1) * all + 1, sizeof **rows);
    *out = (AbutModeSystem){.contacts = contacts, .dof = dof, .lines = lines, .memory = *rows};
    if (!*rows) return abut_fail_memory(error);
    out->normal_rows = *rows;
    out->tangent_rows = *rows + n * d;
    out->low_rows = low_rows ? *rows + all : NULL;
    return ABUT_OK;
}

void abut_mode_system_free(AbutModeSystem *system) {
    ABUT_ASSERT(system);
    abut_free(system->memory);
    abut_free((void *)system->def);
    memset(system, 0, sizeof *system);
}

/* ---- the copy of what the rows were built from ------------------------------------------------------------------- */

static size_t jacobian_count(const AbutModeSystemDef *def) {
    size_t count = 0;
    for (int i = 0; i < def->body_count; ++i) count += def->bodies[i].kind == ABUT_MODE_BODY_JACOBIAN;
    return count;
}

AbutModeSystemDef *abut_mode_def_copy(const AbutModeSystemDef *from) {
    size_t n = (size_t)from->contact_count, m = (size_t)from->body_count, each = 6 * (size_t)from->dof;
    size_t bytes = sizeof *from + n * sizeof(AbutPointContact) + m * sizeof(AbutModeBody) +
                   jacobian_count(from) * each * sizeof(double);
    AbutModeSystemDef *out = abut_alloc(bytes);
    if (!out) return NULL;
    AbutPointContact *contacts = (AbutPointContact *)(out + 1);
    AbutModeBody *bodies = (AbutModeBody *)(contacts + n);
    double *jacobian = (double *)(bodies + m);
    *out = *from;
    out->contacts = contacts;
    out->bodies = bodies;
    if (n > 0) memcpy(contacts, from->contacts, n * sizeof *contacts);
    if (m > 0) memcpy(bodies, from->bodies, m * sizeof *bodies);
    for (size_t i = 0; i < m; ++i) {
        bodies[i].jacobian = NULL;
        if (bodies[i].kind != ABUT_MODE_BODY_JACOBIAN) continue;
        if (each > 0) memcpy(jacobian, from->bodies[i].jacobian, each * sizeof *jacobian);
        bodies[i].jacobian = jacobian;
        jacobian += each;
    }
    return out;
}

/* ---- another number of lines ------------------------------------------------------------------------------------- */

/* The tangent rows x and y of a contact are its velocities along two axes; that along any direction combines them. */
AbutStatus abut_mode_system_set_lines(const AbutModeSystem *from, int lines, AbutModeSystem *out, AbutError *error) {
    ABUT_ASSERT(from && out);
    memset(out, 0, sizeof *out);
    if (from->lines != 2 || lines < 0 || lines > ABUT_MODE_SIZE)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%d lines cannot be made from %d: there must be 2, and 0 to %d asked for", lines, from->lines,
            ABUT_MODE_SIZE);
    size_t n = (size_t)from->contacts, d = (size_t)from->dof, k_count = (size_t)lines;
    double *memory;
    AbutStatus status = abut_mode_system_room(from->contacts, from->dof, lines, 0, out, &memory, error);
    if (status != ABUT_OK) return status;
    out->tolerance = from->tolerance;
    if (n * d > 0) memcpy(memory, from->normal_rows, n * d * sizeof(double));
    for (size_t i = 0; i < n * k_count; ++i) {
        size_t k = i % k_count;
        double angle = ABUT_PI * (double)k / lines, c = 2 * k == k_count ? 0.0 : abut_cos(angle), s = abut_sin(angle);
        const double *x = from->tangent_rows + 2 * (i / k_count) * d, *y = x + d;
        for (size_t j = 0; j < d; ++j) memory[(n + i) * d + j] = c * x[j] + s * y[j];
    }
    if (!from->def) return ABUT_OK;
    AbutModeSystemDef def = *from->def;
    def.lines = lines, def.literal = 0;
    out->def = abut_mode_def_copy(&def);
    if (out->def) return ABUT_OK;
    abut_mode_system_free(out);
    return abut_fail_memory(error);
}
