/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Methods of the literature for the least distance over a motion, beside the front search: entry, distance, bounds.
 *
 * In: the question and the name of a method. Out: an answer of the same form; `certified` tells whether its lower bound
 * is proved and as near as asked. `evaluations` counts distances of the whole bodies at one time. Reference: Lee 2017,
 * with its formulas corrected where they are wrong as printed (docs/theory/clearance.md).
 */
#include "clearance/methods.h"

#include <string.h>

enum { DISTANCES = 1000000 };

static const char *const names[ABUT_CLEARANCE_METHOD_COUNT] = {
    "front", "gss", "ca", "hybrid-classic", "hybrid", "as", "as-thesis", "sampling"};

const char *abut_clearance_method_name(AbutClearanceMethod method)
{
    return method >= 0 && method < ABUT_CLEARANCE_METHOD_COUNT ? names[method] : "invalid";
}

int abut_clearance_method_find(const char *name)
{
    for (int k = 0; k < ABUT_CLEARANCE_METHOD_COUNT; ++k)
        if (strcmp(name, names[k]) == 0)
            return k;
    return -1;
}

double abut_method_distance(AbutMethod *m, double t, AbutVec3 *n, AbutWitness *witness)
{
    AbutSearch *s = m->s;
    AbutPlace place = abut_search_place(s, t);
    ++m->evaluations;
    double d = abut_search_nearest(s, &place, INFINITY, 0.0, &m->warm);
    if (n)
        *n = abut_leaf_gap(s, &place, m->warm.leaf_a, m->warm.leaf_b).n;
    if (witness)
        *witness = m->warm;
    if (d < m->ub)
        m->ub = d, m->t = t, m->best = m->warm;
    return d;
}

double abut_method_speed(const AbutMethod *m, double a, double e)
{
    const AbutSearch *s = m->s;
    return abut_motion_speed(s->motion_a, a, e, s->a->center, s->a->reach) +
           abut_motion_speed(s->motion_b, a, e, s->b->center, s->b->reach);
}

double abut_method_bound(AbutMethod *m, double a, double e, AbutVec3 n)
{
    AbutSpan span;
    int control;
    if (!m->convex || !(abut_length_sq(n) > 0.0) || abut_search_next_break(m->s, a, e) < e)
        return -INFINITY;
    abut_search_span(m->s, a, e, &span);
    return abut_bound_leaves(m->s, &span, 0, 0, n, &control);
}

double abut_method_floor(const AbutMethod *m, double at_from, double at_to)
{
    const AbutSearch *s = m->s;
    double cone = 0.5 * (at_from + at_to - abut_method_speed(m, s->from, s->to) * (s->to - s->from));
    return s->solid ? cone : abut_larger(cone, 0.0);
}

static void run(AbutMethod *m, AbutClearanceMethod method)
{
    switch (method) {
    case ABUT_CLEARANCE_GOLDEN:
        abut_method_golden(m, m->s->from, m->s->to);
        break;
    case ABUT_CLEARANCE_ADVANCE:
        abut_method_advance(m);
        break;
    case ABUT_CLEARANCE_HYBRID_CLASSIC:
        abut_method_hybrid_classic(m);
        break;
    case ABUT_CLEARANCE_HYBRID:
        abut_method_hybrid(m);
        break;
    case ABUT_CLEARANCE_SUBDIVIDE:
    case ABUT_CLEARANCE_SUBDIVIDE_THESIS:
        abut_method_subdivide(m, method == ABUT_CLEARANCE_SUBDIVIDE_THESIS);
        break;
    default:
        abut_method_sample(m);
    }
}

AbutClearance abut_clearance_by(AbutClearanceMethod method, const AbutClearanceMover *a, const AbutClearanceMover *b,
    const AbutClearanceDef *def, AbutClearanceSpace *space)
{
    AbutSearch s;
    AbutClearanceDef plain = *def;
    ABUT_ASSERT(method >= 0 && method < ABUT_CLEARANCE_METHOD_COUNT);
    if (method == ABUT_CLEARANCE_FRONT)
        return abut_clearance(a, b, def, space);
    plain.care = plain.relative = 0.0;
    if (!abut_search_open(&s, a, b, &plain, space))
        return abut_clearance_nothing(ABUT_CLEARANCE_INVALID, 0.0);
    if (s.a->leaf_count == 0 || s.b->leaf_count == 0)
        return abut_clearance_nothing(ABUT_CLEARANCE_EMPTY, INFINITY);
    AbutMethod m = {.s = &s, .eps = s.eps, .ub = INFINITY, .t = s.from, .lb = -INFINITY, .warm = {-1, -1}, .sound = 1};
    m.convex = s.solid && s.a->leaf_count == 1 && s.b->leaf_count == 1;
    m.limit = def->budget > 0 ? def->budget : DISTANCES;
    run(&m, method);
    s.ub = m.ub, s.t = m.t, s.witness = m.best;
    s.lb = m.sound ? m.lb : -INFINITY;
    if (s.broken || !isfinite(m.ub))
        return abut_clearance_nothing(ABUT_CLEARANCE_INVALID, 0.0);
    AbutClearance out = abut_search_answer(&s, &plain);
    out.evaluations = m.evaluations;
    return out;
}
