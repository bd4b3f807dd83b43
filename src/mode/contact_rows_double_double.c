/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows with twice the digits of a double. In: contacts and bodies whose numbers are taken as they stand, as if they
 * were exact. Out: for every row its rounded value and what rounding left out. The formulas are those of
 * contact_rows.c; normals are only multiplied by a number, not normalized, since a positive factor of a row changes no
 * sign. Tangents are normalized with all digits: lines between them depend on their lengths.
 */
#include "mode/contact_rows.h"
#include "math/wide.h"

/* sin(x) and cos(x) by their series; |x| <= pi / 2. */
static void sine_cosine(AbutDD x, AbutDD *sine, AbutDD *cosine) {
    AbutDD term = abut_dd(1.0);
    *sine = abut_dd(0.0), *cosine = term;
    for (int k = 1; k < 40; ++k) {
        AbutDD *to = k & 1 ? sine : cosine;
        term = abut_dd_div(abut_dd_mul(term, x), abut_dd(k));
        *to = k & 2 ? abut_dd_sub(*to, term) : abut_dd_add(*to, term);
    }
}

/* cos(a) x + sin(a) y with a = pi k / lines. */
static AbutWide line_between(AbutWide x, AbutWide y, int k, int lines) {
    const AbutDD pi = {3.141592653589793116, 1.2246467991473532e-16};
    AbutDD sine, cosine;
    /* a - pi/2 lies in the range of the series; its sine and cosine are -cos(a) and sin(a) */
    AbutDD part = abut_dd_div(abut_dd(2 * k - lines), abut_dd(2 * lines));
    sine_cosine(abut_dd_mul(pi, part), &sine, &cosine);
    return abut_wide_along(abut_wide_scale(x, abut_dd_neg(sine)), y, cosine);
}

/* A direction times a power of two, its largest entry from 1 to 2. */
static AbutVec3 near_one(AbutVec3 v) { return abut_scale(v, ldexp(1.0, -ilogb(abut_max_abs(v)))); }

/* v / |v|: the root in double, and one step of Newton for the digits behind. */
static AbutWide unit_vec(AbutVec3 v) {
    AbutWide u = abut_widen(near_one(v));
    AbutDD square = abut_wide_dot(u, u), root = abut_dd(1.0 / sqrt(square.hi));
    AbutDD rest = abut_dd_sub(abut_dd(1.0), abut_dd_mul(square, abut_dd_mul(root, root)));
    return abut_wide_scale(u, abut_dd_add(root, abut_dd_mul(abut_dd_mul(root, rest), abut_dd(0.5))));
}

/* A tangent where it is given; one that was chosen is taken as it stands. */
static AbutWide axis(AbutVec3 given, AbutVec3 chosen) {
    return abut_max_abs(given) > 0.0 ? unit_vec(given) : abut_widen(chosen);
}

static AbutWide row_direction(const AbutPointContact *c, int line, int lines, int planar) {
    if (line < 0) {
        AbutVec3 unit = near_one(c->normal);
        return abut_wide_scale(abut_widen(unit), abut_dd(1.0 / abut_length(unit)));
    }
    AbutVec3 chosen_x, chosen_y;
    abut_mode_line_axes(c, planar, &chosen_x, &chosen_y);
    AbutWide x = axis(c->tangent_x, chosen_x), y = axis(c->tangent_y, chosen_y);
    if (line == 0 || planar) return x;
    return 2 * line == lines ? y : line_between(x, y, line, lines);
}

/* Transposed rotation times v. */
static AbutWide turn_back(AbutMat3 m, AbutWide v) {
    return (AbutWide){
        abut_wide_dot(abut_widen(m.x), v), abut_wide_dot(abut_widen(m.y), v), abut_wide_dot(abut_widen(m.z), v)};
}

static void add_to(double *hi, double *low, AbutDD x) {
    x = abut_dd_add((AbutDD){*hi, *low}, x);
    *hi = x.hi, *low = x.lo;
}

static void add_body(const AbutModeBody *body, AbutVec3 point, AbutWide direction, int dof, double *hi, double *low) {
    AbutWide d = direction, m = abut_wide_cross(abut_wide_difference(point, body->position), direction);
    if (body->kind == ABUT_MODE_BODY_JACOBIAN) d = turn_back(body->rotation, d), m = turn_back(body->rotation, m);
    const AbutDD w[6] = {d.x, d.y, d.z, m.x, m.y, m.z};
    int columns = body->kind == ABUT_MODE_BODY_FREE ? 6 : body->kind == ABUT_MODE_BODY_PLANAR ? 3 : 0;
    for (int k = 0; k < columns; ++k)
        add_to(hi + body->first_dof + k, low + body->first_dof + k, columns == 3 && k == 2 ? w[5] : w[k]);
    for (int k = 0; k < 6 && body->kind == ABUT_MODE_BODY_JACOBIAN; ++k)
        for (int j = 0; j < dof; ++j)
            add_to(hi + j, low + j, abut_dd_mul(w[k], abut_dd(body->jacobian[(size_t)k * (size_t)dof + (size_t)j])));
}

void abut_mode_row_double_double(const AbutModeSystemDef *def, int i, int line, double *hi, double *low) {
    const AbutPointContact *c = &def->contacts[i];
    AbutWide direction = row_direction(c, line, def->lines, def->planar);
    for (int j = 0; j < def->dof; ++j) hi[j] = low[j] = 0.0;
    if (c->body_b >= 0) add_body(&def->bodies[c->body_b], c->point, direction, def->dof, hi, low);
    if (c->body_a >= 0)
        add_body(&def->bodies[c->body_a], c->point, abut_wide_scale(direction, abut_dd(-1.0)), def->dof, hi, low);
}
