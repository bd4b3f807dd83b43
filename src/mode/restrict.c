/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A system in fewer velocities. In: a system in x and a basis Z with x = Z y. Out: the system in y. Rows are multiplied
 * by Z; bodies, where the system has them, become bodies with Jacobians J Z.
 */
#include "mode/contact_rows.h"

#include <string.h>

/* rows x dof times dof x count. */
static void multiply(const double *a, size_t rows, size_t dof, const double *basis, size_t count, double *out) {
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < count; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < dof; ++k) sum += a[i * dof + k] * basis[k * count + j];
            out[i * count + j] = sum;
        }
}

/* Velocity of the body frame along its axes, then angular, from x. */
static void body_jacobian(const AbutModeBody *body, size_t dof, double *out) {
    memset(out, 0, 6 * dof * sizeof *out);
    if (body->kind == ABUT_MODE_BODY_JACOBIAN) memcpy(out, body->jacobian, 6 * dof * sizeof *out);
    for (size_t k = 0; k < 6 && body->kind == ABUT_MODE_BODY_FREE; ++k)
        out[k * dof + (size_t)body->first_dof + k] = 1.0;
    for (size_t k = 0; k < 3 && body->kind == ABUT_MODE_BODY_PLANAR; ++k)
        out[(k < 2 ? k : 5) * dof + (size_t)body->first_dof + k] = 1.0;
}

static AbutStatus restrict_def(
    const AbutModeSystemDef *from, const double *basis, int count, AbutModeSystem *out, AbutError *error) {
    size_t bodies = (size_t)from->body_count, dof = (size_t)from->dof, each = 6 * (size_t)count;
    AbutModeBody *body = abut_alloc_array(bodies + 1, sizeof *body);
    double *own = abut_alloc_array(6 * dof + bodies * each + 1, sizeof *own);
    AbutStatus status = body && own ? ABUT_OK : abut_fail_memory(error);
    for (size_t i = 0; i < bodies && status == ABUT_OK; ++i) {
        double *jacobian = own + 6 * dof + i * each;
        body[i] = from->bodies[i];
        if (body[i].kind == ABUT_MODE_BODY_FIXED) continue;
        if (body[i].kind != ABUT_MODE_BODY_JACOBIAN) body[i].rotation = abut_mat3_identity();
        body_jacobian(&from->bodies[i], dof, own);
        multiply(own, 6, dof, basis, (size_t)count, jacobian);
        body[i].kind = ABUT_MODE_BODY_JACOBIAN;
        body[i].first_dof = 0;
        body[i].jacobian = jacobian;
    }
    AbutModeSystemDef def = *from;
    def.bodies = body;
    def.dof = count;
    def.literal = 0;
    if (status == ABUT_OK) status = abut_mode_system_build(&def, out, error);
    abut_free(body);
    abut_free(own);
    return status;
}

AbutStatus abut_mode_system_restrict(
    const AbutModeSystem *from, const double *basis, int count, AbutModeSystem *out, AbutError *error) {
    ABUT_ASSERT(from && out && (basis || count == 0 || from->dof == 0));
    memset(out, 0, sizeof *out);
    if (count < 0 || count > from->dof)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "%d velocities out of %d: expected 0 to all of them", count, from->dof);
    for (size_t i = 0; i < (size_t)from->dof * (size_t)count; ++i)
        if (!isfinite(basis[i])) return abut_fail(error, ABUT_ERROR_NUMBER, "expected a basis of finite numbers");
    if (from->def) {
        AbutStatus status = restrict_def(from->def, basis, count, out, error);
        out->tolerance = from->tolerance;
        return status;
    }
    size_t n = (size_t)from->contacts, d = (size_t)from->dof, c = (size_t)count;
    double *memory;
    AbutStatus status = abut_mode_system_room(from->contacts, count, from->lines, 0, out, &memory, error);
    if (status != ABUT_OK) return status;
    out->tolerance = from->tolerance;
    multiply(from->normal_rows, n, d, basis, c, memory);
    multiply(from->tangent_rows, n * (size_t)from->lines, d, basis, c, memory + n * c);
    return ABUT_OK;
}
