/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts and bodies to rows. The velocity of body B against body A at the contact point, along a direction, is linear
 * in the velocities of the system; its coefficients are one row. Normal rows take the contact normal, which points from
 * A to B, so that a positive value parts the bodies; tangent rows take the directions of the dividing lines.
 */
#include "mode/contact_rows.h"
#include "mode/prepared_rows.h"
#include "mode/tolerance.h"

#include <string.h>

/* Velocities that are those of the body itself: in the plane x, y and the turn about z. */
static int own_columns(const AbutModeBody *body) {
    return body->kind == ABUT_MODE_BODY_FREE ? 6 : body->kind == ABUT_MODE_BODY_PLANAR ? 3 : 0;
}

/* Adds sign * (velocity of the body at `point` along `direction`) to the row. */
static void add_body(const AbutModeBody *body, AbutVec3 point, AbutVec3 direction, double sign, int dof, double *row) {
    AbutVec3 d = direction, m = abut_cross(abut_sub(point, body->position), direction);
    if (body->kind == ABUT_MODE_BODY_JACOBIAN)
        d = abut_mat3_apply_t(body->rotation, d), m = abut_mat3_apply_t(body->rotation, m);
    const double w[6] = {d.x, d.y, d.z, m.x, m.y, m.z};
    int columns = own_columns(body);
    for (int k = 0; k < columns; ++k) row[body->first_dof + k] += sign * (columns == 3 && k == 2 ? w[5] : w[k]);
    for (int k = 0; k < 6 && body->kind == ABUT_MODE_BODY_JACOBIAN; ++k)
        for (int j = 0; j < dof; ++j) row[j] += sign * w[k] * body->jacobian[(size_t)k * (size_t)dof + (size_t)j];
}

static AbutStatus check_body(const AbutModeBody *body, int index, int dof, AbutError *error) {
    int columns = own_columns(body);
    if (body->kind < ABUT_MODE_BODY_FIXED || body->kind > ABUT_MODE_BODY_JACOBIAN)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "body %d: unknown kind %d", index, (int)body->kind);
    if (body->first_dof < 0 || body->first_dof > dof - columns)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "body %d: columns %d to %d are outside the %d velocities", index,
            body->first_dof, body->first_dof + columns - 1, dof);
    if (!abut_is_finite(body->position))
        return abut_fail(error, ABUT_ERROR_NUMBER, "body %d: its position is not finite", index);
    if (body->kind != ABUT_MODE_BODY_JACOBIAN) return ABUT_OK;
    if (!body->jacobian) return abut_fail(error, ABUT_ERROR_ARGUMENT, "body %d: its Jacobian is missing", index);
    if (!abut_is_finite(body->rotation.x) || !abut_is_finite(body->rotation.y) || !abut_is_finite(body->rotation.z))
        return abut_fail(error, ABUT_ERROR_NUMBER, "body %d: its rotation is not finite", index);
    for (int j = 0; j < 6 * dof; ++j)
        if (!isfinite(body->jacobian[j]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "body %d: its Jacobian is not finite", index);
    return ABUT_OK;
}

/* Directions within the tolerance of a right angle; one that is not given (zero) is at right angles to all. */
static int at_right_angles(AbutVec3 a, AbutVec3 b) {
    return fabs(abut_dot(abut_normalize(a), abut_normalize(b))) <= ABUT_MODE_RIGHT_ANGLE;
}

static const char *planar_fault(const AbutPointContact *c) {
    if (c->point.z != 0.0) return "its point is out of the plane z = 0";
    if (!at_right_angles(c->normal, abut_axis(2))) return "its normal is out of the plane z = 0";
    return at_right_angles(c->tangent_x, abut_axis(2)) ? NULL : "its tangent is out of the plane z = 0";
}

const char *abut_mode_contact_fault(const AbutPointContact *c, int planar) {
    if (!(abut_max_abs(c->normal) > 0.0)) return "its normal is zero";
    const char *fault = planar ? planar_fault(c) : NULL;
    if (fault) return fault;
    if (!at_right_angles(c->normal, c->tangent_x) || (!planar && !at_right_angles(c->normal, c->tangent_y)))
        return "its tangents are not at right angles to its normal";
    return planar || at_right_angles(c->tangent_x, c->tangent_y) ? NULL
                                                                 : "its tangents are not at right angles to each other";
}

static AbutStatus check_contact(const AbutPointContact *c, int index, int bodies, int planar, AbutError *error) {
    if (c->body_a < -1 || c->body_a >= bodies || c->body_b < -1 || c->body_b >= bodies)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "contact %d: unknown body %d or %d", index, c->body_a, c->body_b);
    if (!abut_is_finite(c->point) || !abut_is_finite(c->normal) || !abut_is_finite(c->tangent_x) ||
        !abut_is_finite(c->tangent_y))
        return abut_fail(error, ABUT_ERROR_NUMBER, "contact %d: a number is not finite", index);
    const char *fault = abut_mode_contact_fault(c, planar);
    return fault ? abut_fail(error, ABUT_ERROR_ARGUMENT, "contact %d: %s", index, fault) : ABUT_OK;
}

void abut_mode_line_axes(const AbutPointContact *c, int planar, AbutVec3 *x, AbutVec3 *y) {
    AbutVec3 n = abut_normalize(c->normal);
    *x = abut_normalize(c->tangent_x), *y = abut_normalize(c->tangent_y);
    if (!(abut_max_abs(*x) > 0.0)) *x = planar ? abut_cross(abut_axis(2), n) : abut_perpendicular(n);
    if (!(abut_max_abs(*y) > 0.0)) *y = abut_cross(n, *x);
}

/* Direction of line k, of length 1; exact where the cosine or sine is 0 or 1. */
static AbutVec3 line_direction(const AbutPointContact *c, int k, int lines, int planar) {
    AbutVec3 x, y;
    abut_mode_line_axes(c, planar, &x, &y);
    if (planar || k == 0) return x;
    if (2 * k == lines) return y;
    double angle = ABUT_PI * k / lines;
    return abut_add(abut_scale(x, abut_cos(angle)), abut_scale(y, abut_sin(angle)));
}

static void fill_row(const AbutPointContact *c, const AbutModeBody *bodies, AbutVec3 direction, int dof, double *row) {
    memset(row, 0, sizeof(double) * (size_t)dof);
    if (c->body_b >= 0) add_body(&bodies[c->body_b], c->point, direction, 1.0, dof, row);
    if (c->body_a >= 0) add_body(&bodies[c->body_a], c->point, direction, -1.0, dof, row);
}

/* The rows of contact i, in double or, with `low`, with what rounding leaves out. */
static void fill_contact(const AbutModeSystemDef *def, int i, double *rows, double *low) {
    const AbutPointContact *c = &def->contacts[i];
    size_t d = (size_t)def->dof;
    for (int k = -1; k < def->lines; ++k) {
        size_t row = (size_t)(k < 0 ? i : def->contact_count + i * def->lines + k);
        if (low)
            abut_mode_row_double_double(def, i, k, rows + row * d, low + row * d);
        else
            fill_row(c, def->bodies, k < 0 ? abut_normalize(c->normal) : line_direction(c, k, def->lines, def->planar),
                def->dof, rows + row * d);
    }
}

static AbutStatus check_def(const AbutModeSystemDef *def, AbutError *error) {
    ABUT_ASSERT(def->contacts || def->contact_count <= 0);
    ABUT_ASSERT(def->bodies || def->body_count <= 0);
    if (def->contact_count < 0 || def->dof < 0 || def->lines < 0 || def->contact_count > ABUT_MODE_SIZE ||
        def->dof > ABUT_MODE_SIZE || def->lines > ABUT_MODE_SIZE || def->body_count < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%d contacts, %d bodies, %d velocities, %d lines: out of range",
            def->contact_count, def->body_count, def->dof, def->lines);
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < def->body_count && status == ABUT_OK; ++i)
        status = check_body(&def->bodies[i], i, def->dof, error);
    for (int i = 0; i < def->contact_count && status == ABUT_OK; ++i)
        status = check_contact(&def->contacts[i], i, def->body_count, def->planar, error);
    return status;
}

AbutStatus abut_mode_system_build(const AbutModeSystemDef *def, AbutModeSystem *out, AbutError *error) {
    ABUT_ASSERT(def && out);
    AbutModeSystemDef own = *def;
    own.lines = def->planar ? 1 : def->lines;
    double *rows;
    memset(out, 0, sizeof *out);
    AbutStatus status = check_def(&own, error);
    if (status == ABUT_OK)
        status = abut_mode_system_room(own.contact_count, own.dof, own.lines, own.literal, out, &rows, error);
    if (status != ABUT_OK) return status;
    double *low = own.literal ? rows + (out->low_rows - out->normal_rows) : NULL;
    for (int i = 0; i < own.contact_count; ++i) fill_contact(&own, i, rows, low);
    out->def = abut_mode_def_copy(&own);
    status = out->def ? abut_mode_system_check(out, error) : abut_fail_memory(error);
    if (status != ABUT_OK) abut_mode_system_free(out);
    return status;
}
