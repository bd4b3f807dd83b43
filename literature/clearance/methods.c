/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Methods of the literature for the least distance over a motion, beside the front search: entry, distance, bounds.
 *
 * In: the question and the name of a method. Out: an answer of the same form; `certified` tells whether its lower bound
 * is proved and as near as asked. `evaluations` counts distances of the whole bodies at one time. Reference: Lee 2017,
 * with its formulas corrected where they are wrong as printed (docs/theory/clearance.md).
 */
#include "literature/clearance/methods.h"
#include "abut/literature.h"

#include <string.h>

enum { DISTANCES = 1000000 };

static const double NORMAL_SPARE = 1e-9; /* of the sizes: bodies are apart along the normal by the distance less this */

const char *const abut_clearance_method_names[ABUT_CLEARANCE_METHOD_COUNT + 1] = {
    "front", "gss", "ca", "hybrid-classic", "hybrid", "as", "as-thesis", "sampling", "as-best", NULL};

double abut_method_distance(AbutMethod *m, double t, AbutVec3 *n, AbutWitness *witness) {
    AbutSearch *s = m->s;
    AbutPlace place = abut_search_place(s, t);
    ++m->evaluations;
    double d = abut_search_nearest(s, &place, INFINITY, 0.0, &m->warm);
    if (n) *n = abut_leaf_gap(s, &place, m->warm.leaf_a, m->warm.leaf_b).n;
    if (witness) *witness = m->warm;
    if (d < m->ub) m->ub = d, m->t = t, m->best = m->warm;
    return d;
}

double abut_method_speed(const AbutMethod *m, double a, double e) {
    const AbutSearch *s = m->s;
    return abut_motion_speed(s->motion_a, a, e, NULL, s->a->center, s->a->reach) +
           abut_motion_speed(s->motion_b, a, e, NULL, s->b->center, s->b->reach);
}

double abut_method_way(const AbutMethod *m, double a, double e) {
    double way = abut_method_speed(m, a, e) * (e - a);
    AbutSpan span;
    if (!(e > a) || abut_search_next_break(m->s, a, e) < e) return way;
    abut_search_span(m->s, a, e, &span);
    return abut_smaller(way, abut_rate_any(m->s, &span) + 4.0 * span.slack);
}

double abut_method_step(AbutMethod *m, double t, double left, int back, double x, double level, AbutVec3 n) {
    double speed = abut_method_speed(m, back ? t - left : t, back ? t : t + left), room = x - level;
    double step = speed > 0.0 ? room / speed : INFINITY, look = abut_smaller(left, 4.0 * step);
    double a = back ? t - look : t, e = back ? t : t + look;
    AbutSpan span;
    if (step >= left || !(e > a) || abut_search_next_break(m->s, a, e) < e) return step;
    abut_search_span(m->s, a, e, &span);
    double fall = abut_rate_any(m->s, &span);
    if (m->convex && abut_length_sq(n) > 0.0) { /* backward in time all rates turn round */
        AbutSpan turned = span;
        for (int k = 0; k < ABUT_CONTROLS && back; ++k) {
            int from = ABUT_CONTROLS - 1 - k;
            turned.r[k] = span.r[from];
            for (int q = 0; q < 3; ++q) turned.t[q][k] = span.t[q][from];
        }
        fall = abut_smaller(fall, abut_rate_leaf(m->s, &turned, 0, n));
        fall = abut_smaller(fall, abut_rate_along(m->s, &turned, n));
    }
    room -= 2.0 * span.slack + NORMAL_SPARE * (m->s->a->reach + m->s->b->reach);
    double longer = room > 0.0 ? look * (fall > room ? room / fall : 1.0) : 0.0;
    return abut_larger(step, longer);
}

double abut_method_bound(AbutMethod *m, double a, double e, AbutVec3 n) {
    AbutSpan span;
    int control;
    if (!m->convex || !(abut_length_sq(n) > 0.0) || abut_search_next_break(m->s, a, e) < e) return -INFINITY;
    abut_search_span(m->s, a, e, &span);
    return abut_bound_leaves(m->s, &span, 0, 0, n, &control);
}

double abut_method_floor(const AbutMethod *m, double at_from, double at_to) {
    const AbutSearch *s = m->s;
    double cone = 0.5 * (at_from + at_to - abut_method_way(m, s->from, s->to));
    return s->solid ? cone : abut_larger(cone, 0.0);
}

static void run(AbutMethod *m, AbutClearanceMethod method) {
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
    case ABUT_CLEARANCE_BEST_FIRST:
        abut_method_best_first(m);
        break;
    default:
        abut_method_sample(m);
    }
}

AbutClearance abut_clearance_by(AbutClearanceMethod method, const AbutMover *a, const AbutMover *b,
    const AbutClearanceDef *def, AbutClearanceSpace *space) {
    AbutSearch s;
    AbutClearanceDef plain = *def;
    ABUT_ASSERT(method >= 0 && method < ABUT_CLEARANCE_METHOD_COUNT);
    if (method == ABUT_CLEARANCE_FRONT) return abut_clearance(a, b, def, space);
    plain.care = plain.relative = 0.0;
    if (!abut_search_open(&s, a, b, &plain, space)) return abut_clearance_invalid();
    if (s.a->sides || s.b->sides) /* their points know no bound of speed */
        return abut_clearance_invalid();
    if (s.a->leaf_count == 0 || s.b->leaf_count == 0) return abut_clearance_empty();
    AbutMethod m = {.s = &s, .eps = s.eps, .ub = INFINITY, .t = s.from, .lb = -INFINITY, .warm = {-1, -1}, .sound = 1};
    m.convex = s.solid && s.a->leaf_count == 1 && s.b->leaf_count == 1;
    m.limit = def->budget > 0 ? def->budget : DISTANCES;
    run(&m, method);
    s.ub = m.ub, s.t = m.t, s.witness = m.best;
    s.lb = m.sound ? m.lb : -INFINITY;
    if (s.broken || !isfinite(m.ub)) return abut_clearance_invalid();
    AbutClearance out = abut_search_answer(&s, &plain);
    out.evaluations = m.evaluations;
    if (!out.certified) out.reason = m.evaluations >= m.limit ? ABUT_CLEARANCE_BY_BUDGET : ABUT_CLEARANCE_BY_METHOD;
    return out;
}
