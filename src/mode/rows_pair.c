/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows with twice the digits of a double. In: contacts and bodies whose numbers are taken as they stand, as if they
 * were exact. Out: for every row its rounded value and what rounding left out. The formulas are those of rows.c;
 * normals are only multiplied by a number, not normalised, since a positive factor of a row changes no sign.
 */
#include "mode/rows.h"

typedef struct PairVec {
    AbutPair x[3];
} PairVec;

static PairVec exact_vec(AbutVec3 v)
{
    return (PairVec){{abut_pair(v.x), abut_pair(v.y), abut_pair(v.z)}};
}

static PairVec scale_vec(PairVec v, AbutPair s)
{
    for (int k = 0; k < 3; ++k)
        v.x[k] = abut_pair_mul(v.x[k], s);
    return v;
}

static PairVec add_vec(PairVec a, PairVec b)
{
    for (int k = 0; k < 3; ++k)
        a.x[k] = abut_pair_add(a.x[k], b.x[k]);
    return a;
}

static PairVec cross_vec(PairVec a, PairVec b)
{
    PairVec out;
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out.x[k] = abut_pair_sub(abut_pair_mul(a.x[i], b.x[j]), abut_pair_mul(a.x[j], b.x[i]));
    }
    return out;
}

/* Transposed rotation times v. */
static PairVec turn_back(AbutMat3 m, PairVec v)
{
    PairVec out, column[3] = {exact_vec(m.x), exact_vec(m.y), exact_vec(m.z)};
    for (int k = 0; k < 3; ++k) {
        out.x[k] = abut_pair(0.0);
        for (int i = 0; i < 3; ++i)
            out.x[k] = abut_pair_add(out.x[k], abut_pair_mul(column[k].x[i], v.x[i]));
    }
    return out;
}

/* sin(x) and cos(x) by their series; |x| <= pi / 2. */
static void sine_cosine(AbutPair x, AbutPair *sine, AbutPair *cosine)
{
    AbutPair term = abut_pair(1.0);
    *sine = abut_pair(0.0), *cosine = term;
    for (int k = 1; k < 40; ++k) {
        AbutPair *to = k & 1 ? sine : cosine;
        term = abut_pair_div(abut_pair_mul(term, x), abut_pair(k));
        *to = k & 2 ? abut_pair_sub(*to, term) : abut_pair_add(*to, term);
    }
}

/* cos(a) x + sin(a) y with a = pi k / lines. */
static PairVec line_between(PairVec x, PairVec y, int k, int lines)
{
    const AbutPair pi = {3.141592653589793116, 1.2246467991473532e-16};
    AbutPair sine, cosine;
    /* a - pi/2 lies in the range of the series; its sine and cosine are -cos(a) and sin(a) */
    AbutPair part = abut_pair_div(abut_pair(2 * k - lines), abut_pair(2 * lines));
    sine_cosine(abut_pair_mul(pi, part), &sine, &cosine);
    return add_vec(scale_vec(x, abut_pair_neg(sine)), scale_vec(y, cosine));
}

static PairVec row_direction(const AbutPointContact *c, int line, int lines, int planar)
{
    if (line < 0) {
        double longest = abut_max_abs(c->normal);
        AbutVec3 unit = abut_scale(c->normal, ldexp(1.0, -ilogb(longest)));
        return scale_vec(exact_vec(unit), abut_pair(1.0 / abut_length(unit)));
    }
    AbutVec3 x, y;
    abut_mode_line_axes(c, planar, &x, &y);
    if (line == 0 || planar)
        return exact_vec(x);
    return 2 * line == lines ? exact_vec(y) : line_between(exact_vec(x), exact_vec(y), line, lines);
}

static void add_to(double *hi, double *low, AbutPair x)
{
    x = abut_pair_add((AbutPair){*hi, *low}, x);
    *hi = x.hi, *low = x.lo;
}

static void add_body(const AbutModeBody *body, AbutVec3 point, PairVec direction, int dof, double *hi, double *low)
{
    PairVec back = exact_vec(abut_neg(body->position));
    PairVec moment = cross_vec(add_vec(exact_vec(point), back), direction);
    if (body->kind == ABUT_MODE_BODY_FREE) {
        for (int k = 0; k < 3; ++k) {
            add_to(hi + body->first_dof + k, low + body->first_dof + k, direction.x[k]);
            add_to(hi + body->first_dof + 3 + k, low + body->first_dof + 3 + k, moment.x[k]);
        }
    } else if (body->kind == ABUT_MODE_BODY_PLANAR) {
        for (int k = 0; k < 3; ++k)
            add_to(hi + body->first_dof + k, low + body->first_dof + k, k < 2 ? direction.x[k] : moment.x[2]);
    } else if (body->kind == ABUT_MODE_BODY_JACOBIAN) {
        PairVec part[2] = {turn_back(body->rotation, direction), turn_back(body->rotation, moment)};
        for (int k = 0; k < 6; ++k)
            for (int j = 0; j < dof; ++j) {
                AbutPair entry = abut_pair(body->jacobian[(size_t)k * (size_t)dof + (size_t)j]);
                add_to(hi + j, low + j, abut_pair_mul(part[k / 3].x[k % 3], entry));
            }
    }
}

void abut_mode_row_pair(const AbutPointContact *c, const AbutModeBody *bodies, int line, int lines, int planar, int dof,
    double *hi, double *low)
{
    PairVec direction = row_direction(c, line, lines, planar);
    for (int j = 0; j < dof; ++j)
        hi[j] = low[j] = 0.0;
    if (c->body_b >= 0)
        add_body(&bodies[c->body_b], c->point, direction, dof, hi, low);
    if (c->body_a >= 0)
        add_body(&bodies[c->body_a], c->point, scale_vec(direction, abut_pair(-1.0)), dof, hi, low);
}
