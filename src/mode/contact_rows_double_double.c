/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows with twice the digits of a double. In: contacts and bodies whose numbers are taken as they stand, as if they
 * were exact. Out: for every row its rounded value and what rounding left out. The formulas are those of
 * contact_rows.c; normals are only multiplied by a number, not normalised, since a positive factor of a row changes no
 * sign. Tangents are normalised with all digits: lines between them depend on their lengths.
 */
#include "mode/contact_rows.h"
#include "math/double_double.h"

typedef struct DDVec {
    AbutDD x[3];
} DDVec;

static DDVec exact_vec(AbutVec3 v)
{
    return (DDVec){{abut_dd(v.x), abut_dd(v.y), abut_dd(v.z)}};
}

static DDVec scale_vec(DDVec v, AbutDD s)
{
    for (int k = 0; k < 3; ++k)
        v.x[k] = abut_dd_mul(v.x[k], s);
    return v;
}

static DDVec add_vec(DDVec a, DDVec b)
{
    for (int k = 0; k < 3; ++k)
        a.x[k] = abut_dd_add(a.x[k], b.x[k]);
    return a;
}

static DDVec cross_vec(DDVec a, DDVec b)
{
    DDVec out;
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out.x[k] = abut_dd_sub(abut_dd_mul(a.x[i], b.x[j]), abut_dd_mul(a.x[j], b.x[i]));
    }
    return out;
}

/* Transposed rotation times v. */
static DDVec turn_back(AbutMat3 m, DDVec v)
{
    DDVec out, column[3] = {exact_vec(m.x), exact_vec(m.y), exact_vec(m.z)};
    for (int k = 0; k < 3; ++k) {
        out.x[k] = abut_dd(0.0);
        for (int i = 0; i < 3; ++i)
            out.x[k] = abut_dd_add(out.x[k], abut_dd_mul(column[k].x[i], v.x[i]));
    }
    return out;
}

/* sin(x) and cos(x) by their series; |x| <= pi / 2. */
static void sine_cosine(AbutDD x, AbutDD *sine, AbutDD *cosine)
{
    AbutDD term = abut_dd(1.0);
    *sine = abut_dd(0.0), *cosine = term;
    for (int k = 1; k < 40; ++k) {
        AbutDD *to = k & 1 ? sine : cosine;
        term = abut_dd_div(abut_dd_mul(term, x), abut_dd(k));
        *to = k & 2 ? abut_dd_sub(*to, term) : abut_dd_add(*to, term);
    }
}

/* cos(a) x + sin(a) y with a = pi k / lines. */
static DDVec line_between(DDVec x, DDVec y, int k, int lines)
{
    const AbutDD pi = {3.141592653589793116, 1.2246467991473532e-16};
    AbutDD sine, cosine;
    /* a - pi/2 lies in the range of the series; its sine and cosine are -cos(a) and sin(a) */
    AbutDD part = abut_dd_div(abut_dd(2 * k - lines), abut_dd(2 * lines));
    sine_cosine(abut_dd_mul(pi, part), &sine, &cosine);
    return add_vec(scale_vec(x, abut_dd_neg(sine)), scale_vec(y, cosine));
}

/* A direction times a power of two, its largest entry from 1 to 2. */
static AbutVec3 near_one(AbutVec3 v)
{
    return abut_scale(v, ldexp(1.0, -ilogb(abut_max_abs(v))));
}

/* v / |v|: the root in double, and one step of Newton for the digits behind. */
static DDVec unit_vec(AbutVec3 v)
{
    DDVec u = exact_vec(near_one(v));
    AbutDD square = abut_dd(0.0);
    for (int k = 0; k < 3; ++k)
        square = abut_dd_add(square, abut_dd_mul(u.x[k], u.x[k]));
    AbutDD root = abut_dd(1.0 / sqrt(square.hi));
    AbutDD rest = abut_dd_sub(abut_dd(1.0), abut_dd_mul(square, abut_dd_mul(root, root)));
    return scale_vec(u, abut_dd_add(root, abut_dd_mul(abut_dd_mul(root, rest), abut_dd(0.5))));
}

/* A tangent where it is given; one that was chosen is taken as it stands. */
static DDVec axis(AbutVec3 given, AbutVec3 chosen)
{
    return abut_max_abs(given) > 0.0 ? unit_vec(given) : exact_vec(chosen);
}

static DDVec row_direction(const AbutPointContact *c, int line, int lines, int planar)
{
    if (line < 0) {
        AbutVec3 unit = near_one(c->normal);
        return scale_vec(exact_vec(unit), abut_dd(1.0 / abut_length(unit)));
    }
    AbutVec3 chosen_x, chosen_y;
    abut_mode_line_axes(c, planar, &chosen_x, &chosen_y);
    DDVec x = axis(c->tangent_x, chosen_x), y = axis(c->tangent_y, chosen_y);
    if (line == 0 || planar)
        return x;
    return 2 * line == lines ? y : line_between(x, y, line, lines);
}

static void add_to(double *hi, double *low, AbutDD x)
{
    x = abut_dd_add((AbutDD){*hi, *low}, x);
    *hi = x.hi, *low = x.lo;
}

static void add_body(const AbutModeBody *body, AbutVec3 point, DDVec direction, int dof, double *hi, double *low)
{
    DDVec back = exact_vec(abut_neg(body->position));
    DDVec moment = cross_vec(add_vec(exact_vec(point), back), direction);
    if (body->kind == ABUT_MODE_BODY_FREE) {
        for (int k = 0; k < 3; ++k) {
            add_to(hi + body->first_dof + k, low + body->first_dof + k, direction.x[k]);
            add_to(hi + body->first_dof + 3 + k, low + body->first_dof + 3 + k, moment.x[k]);
        }
    } else if (body->kind == ABUT_MODE_BODY_PLANAR) {
        for (int k = 0; k < 3; ++k)
            add_to(hi + body->first_dof + k, low + body->first_dof + k, k < 2 ? direction.x[k] : moment.x[2]);
    } else if (body->kind == ABUT_MODE_BODY_JACOBIAN) {
        DDVec part[2] = {turn_back(body->rotation, direction), turn_back(body->rotation, moment)};
        for (int k = 0; k < 6; ++k)
            for (int j = 0; j < dof; ++j) {
                AbutDD entry = abut_dd(body->jacobian[(size_t)k * (size_t)dof + (size_t)j]);
                add_to(hi + j, low + j, abut_dd_mul(part[k / 3].x[k % 3], entry));
            }
    }
}

void abut_mode_row_double_double(const AbutModeSystemDef *def, int i, int line, double *hi, double *low)
{
    const AbutPointContact *c = &def->contacts[i];
    DDVec direction = row_direction(c, line, def->lines, def->planar);
    for (int j = 0; j < def->dof; ++j)
        hi[j] = low[j] = 0.0;
    if (c->body_b >= 0)
        add_body(&def->bodies[c->body_b], c->point, direction, def->dof, hi, low);
    if (c->body_a >= 0)
        add_body(&def->bodies[c->body_a], c->point, scale_vec(direction, abut_dd(-1.0)), def->dof, hi, low);
}
