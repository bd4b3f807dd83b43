/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lower bounds of the distance over an interval of time.
 *
 * In: an interval record and a pair of nodes or leaves. Out: a number below the distance at every time of the interval.
 * Method: for any unit vector n the distance is at least min n.a - max n.b. The center of a box follows a polynomial,
 * whose control points bound n.c; its extent is that at the middle pose plus the radius times the turn, and never more
 * than the radius. The first n is the direction of the centers; where a leaf is involved two steps of Frank and Wolfe
 * on the difference of the swept boxes turn it towards the nearest points. Against a half-space only its normal counts.
 * No bound depends on how n was found.
 */
#include "clearance/search.h"

enum { TERMS = ABUT_CONTROLS, STEPS_OF_LEAVES = 3 };

static const double NOWHERE = 1e-12; /* m: centers this near have no direction */

static AbutMoving *moving_node(AbutSearch *s, const AbutSpan *span, int32_t i) {
    AbutMoving *m = &s->space->moving[i & (ABUT_MOVING - 1)];
    if (m->node == i && m->span == s->span_count) return m;
    const AbutClearanceNode *node = &s->a->nodes[i];
    AbutVec3 c = abut_node_center(node);
    m->node = i, m->span = s->span_count;
    m->middle = abut_add(span->middle.t, abut_mat3_apply(span->middle.r, c));
    double sweep = 0.0;
    for (int k = 0; k < TERMS; ++k) {
        AbutVec3 p = abut_mat3_apply(span->r[k], c);
        m->x[0][k] = span->t[0][k] + p.x, m->x[1][k] = span->t[1][k] + p.y, m->x[2][k] = span->t[2][k] + p.z;
        AbutVec3 d = abut_sub(abut_vec3(m->x[0][k], m->x[1][k], m->x[2][k]), m->middle);
        sweep = abut_larger(sweep, abut_length_sq(d));
    }
    for (int k = 0; k < 3; ++k) {
        AbutVec3 h = abut_mat3_apply(span->middle.r, abut_vec3(node->h[0][k], node->h[1][k], node->h[2][k]));
        m->h[0][k] = h.x, m->h[1][k] = h.y, m->h[2][k] = h.z;
    }
    m->sweep = sqrt(sweep);
    m->turn = (double)node->rho * span->turn;
    return m;
}

/* Half axes of a pair: those of A, then those of B, by component. */
typedef struct Axes {
    double h[3][6];
} Axes;

static inline double sum_abs3(const double *d) { return fabs(d[0]) + fabs(d[1]) + fabs(d[2]); }

static inline void signs_of(const double d[6], double sign[6]) {
    for (int k = 0; k < 6; ++k) sign[k] = copysign(1.0, d[k]);
}

static inline double signed_sum(const double sign[6], const double *h) {
    return ((sign[0] * h[0] + sign[1] * h[1]) + (sign[2] * h[2] + sign[3] * h[3])) + (sign[4] * h[4] + sign[5] * h[5]);
}

/* Moves z towards the support point w of a convex set, to the point of the segment nearest to the origin; 0 when that
 * gains next to nothing. */
static inline int step_towards(AbutVec3 *z, double *length, AbutVec3 n, AbutVec3 w, double gain) {
    AbutVec3 d = abut_sub(w, *z);
    double square = abut_length_sq(d), t = -abut_dot(*z, d);
    if (square < 1e-24 || *length - abut_dot(n, w) < gain * *length || t <= 0.0) return 0;
    *z = abut_add_scaled(*z, d, t < square ? t / square : 1.0);
    *length = abut_length(*z);
    return *length >= NOWHERE;
}

static inline void dot6(AbutVec3 n, const double *x, const double *y, const double *z, double out[6]) {
    for (int k = 0; k < 6; ++k) out[k] = n.x * x[k] + n.y * y[k] + n.z * z[k];
}

static inline int least6(const double d[6]) {
    int least = 0;
    for (int k = 1; k < 6; ++k) least = d[k] < d[least] ? k : least;
    return least;
}

static inline double minimum6(const double d[6]) {
    double x = abut_smaller(d[0], d[1]), y = abut_smaller(d[2], d[3]), z = abut_smaller(d[4], d[5]);
    return abut_smaller(x, abut_smaller(y, z));
}

static Axes axes_of(const AbutMoving *m, const AbutClearanceNode *b) {
    Axes out;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) out.h[i][k] = m->h[i][k], out.h[i][3 + k] = b->h[i][k];
    return out;
}

/* ---- half-spaces and planes: the normal is the only direction that bounds anything ------------------------------- */

/* The normal on the side of n, and how far the surface reaches along it. */
static AbutVec3 sheet_normal(const AbutClearanceBody *b, double along, double *most) {
    int back = b->sides == 2 && along < 0.0;
    *most = (back ? -b->level : b->level) + b->piece[0].radius;
    return back ? abut_neg(b->normal) : b->normal;
}

static AbutBound bound_sheet(AbutSearch *s, const AbutSpan *span, int32_t i) {
    const AbutMoving *m = moving_node(s, span, i);
    double along[6], most, rho = s->a->nodes[i].rho, extent = 0.0;
    AbutVec3 n = sheet_normal(s->b, abut_dot(s->b->normal, m->middle) - s->b->level, &most);
    ++s->node_pairs;
    dot6(n, m->x[0], m->x[1], m->x[2], along);
    for (int k = 0; k < 3; ++k) extent += fabs(n.x * m->h[0][k] + n.y * m->h[1][k] + n.z * m->h[2][k]);
    double least = minimum6(along), still = abut_smaller(extent, rho), ea = abut_smaller(extent + m->turn, rho);
    AbutBound out = {
        least - most - ea - span->slack, n, still, abut_dot(n, m->middle) - least + span->slack + ea - still};
    return out;
}

static double sheet_at(const AbutSearch *s, const AbutPlace *place, int32_t i) {
    const AbutClearanceNode *a = &s->a->nodes[i];
    AbutVec3 c = abut_add(place->t, abut_mat3_apply(place->r, abut_node_center(a)));
    double most, extent = 0.0;
    AbutVec3 n = sheet_normal(s->b, abut_dot(s->b->normal, c) - s->b->level, &most);
    for (int k = 0; k < 3; ++k)
        extent += fabs(abut_dot(n, abut_mat3_apply(place->r, abut_vec3(a->h[0][k], a->h[1][k], a->h[2][k]))));
    return abut_dot(n, c) - most - abut_smaller(extent, a->rho);
}

/* ---- over an interval -------------------------------------------------------------------------------------------- */

AbutBound abut_bound_nodes(AbutSearch *s, const AbutSpan *span, int32_t i, int32_t j, double cut) {
    if (s->b->sides) return bound_sheet(s, span, i);
    const AbutClearanceNode *a = &s->a->nodes[i], *b = &s->b->nodes[j];
    const AbutMoving *m = moving_node(s, span, i);
    AbutVec3 q = abut_node_center(b), z = abut_sub(m->middle, q);
    double length = abut_length(z), rho_a = a->rho, rho_b = b->rho, along[6], extent[6], sign[6];
    AbutBound out = {length - m->sweep - rho_a - rho_b - span->slack, abut_axis(2), rho_a + rho_b, m->sweep};
    ++s->node_pairs;
    if (length < NOWHERE) return out;
    out.n = abut_scale(z, 1.0 / length);
    if (out.lb > cut) return out;
    Axes axes = axes_of(m, b);
    int steps = a->child < 0 || b->child < 0 ? STEPS_OF_LEAVES : 1;
    for (int step = 0;; ++step) {
        AbutVec3 n = abut_scale(z, 1.0 / length);
        dot6(n, m->x[0], m->x[1], m->x[2], along);
        dot6(n, axes.h[0], axes.h[1], axes.h[2], extent);
        double least = minimum6(along), still = abut_smaller(sum_abs3(extent), rho_a);
        double ea = abut_smaller(sum_abs3(extent) + m->turn, rho_a), eb = abut_smaller(sum_abs3(extent + 3), rho_b);
        double lb = least - abut_dot(n, q) - ea - eb - span->slack;
        if (lb > out.lb || step == 0) {
            out.lb = abut_larger(out.lb, lb);
            out.n = n;
            out.boxes = still + eb;
            out.way = abut_dot(n, m->middle) - least + span->slack + ea - still;
        }
        if (out.lb > cut || step + 1 == steps || length - span->slack - m->turn <= cut) break;
        int k = least6(along);
        signs_of(extent, sign);
        AbutVec3 w = abut_vec3(m->x[0][k] - q.x - signed_sum(sign, axes.h[0]),
            m->x[1][k] - q.y - signed_sum(sign, axes.h[1]), m->x[2][k] - q.z - signed_sum(sign, axes.h[2]));
        if (!step_towards(&z, &length, n, w, 0.01)) break;
    }
    return out;
}

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

static double triangle_least(const AbutVec3 *t, AbutVec3 u) {
    return abut_smaller(abut_dot(u, t[0]), abut_smaller(abut_dot(u, t[1]), abut_dot(u, t[2])));
}

double abut_bound_leaves(
    const AbutSearch *s, const AbutSpan *span, int32_t leaf_a, int32_t leaf_b, AbutVec3 n, int *control) {
    double least = INFINITY, most = -INFINITY;
    *control = 0;
    if (s->b->sides) n = sheet_normal(s->b, abut_dot(s->b->normal, n), &most);
    for (int k = 0; k < TERMS; ++k) {
        AbutVec3 u = abut_mat3_apply_t(span->r[k], n);
        double at = n.x * span->t[0][k] + n.y * span->t[1][k] + n.z * span->t[2][k];
        at += s->a->triangle ? triangle_least(s->a->triangle[leaf_a], u)
                             : abut_dot(u, abut_clearance_leaf_farthest(s->a, leaf_a, abut_neg(u)));
        if (at < least) least = at, *control = k;
    }
    if (!s->b->sides)
        most = s->b->triangle ? -triangle_least(s->b->triangle[leaf_b], abut_neg(n))
                              : abut_dot(n, abut_clearance_leaf_farthest(s->b, leaf_b, n)) +
                                    abut_clearance_leaf_radius(s->b, leaf_b);
    return least - most - abut_clearance_leaf_radius(s->a, leaf_a) - span->slack;
}

/* ---- one time ---------------------------------------------------------------------------------------------------- */

double abut_bound_at(const AbutSearch *s, const AbutPlace *place, int32_t i, int32_t j, double cut) {
    if (s->b->sides) return sheet_at(s, place, i);
    const AbutClearanceNode *a = &s->a->nodes[i], *b = &s->b->nodes[j];
    AbutVec3 c = abut_add(place->t, abut_mat3_apply(place->r, abut_node_center(a)));
    AbutVec3 from = abut_sub(c, abut_node_center(b)), z = from;
    double length = abut_length(z), lb = length - a->rho - b->rho, extent[6], sign[6];
    if (lb > cut || length < NOWHERE) return lb;
    Axes axes;
    for (int k = 0; k < 3; ++k) {
        AbutVec3 h = abut_mat3_apply(place->r, abut_vec3(a->h[0][k], a->h[1][k], a->h[2][k]));
        axes.h[0][k] = h.x, axes.h[1][k] = h.y, axes.h[2][k] = h.z;
        for (int q = 0; q < 3; ++q) axes.h[q][3 + k] = b->h[q][k];
    }
    for (int step = 0; step < STEPS_OF_LEAVES; ++step) {
        AbutVec3 n = abut_scale(z, 1.0 / length);
        dot6(n, axes.h[0], axes.h[1], axes.h[2], extent);
        lb = abut_larger(lb, abut_dot(n, from) - sum_abs3(extent) - sum_abs3(extent + 3));
        signs_of(extent, sign);
        AbutVec3 w = abut_vec3(from.x - signed_sum(sign, axes.h[0]), from.y - signed_sum(sign, axes.h[1]),
            from.z - signed_sum(sign, axes.h[2]));
        if (lb > cut || length <= cut || !step_towards(&z, &length, n, w, 1e-3)) break;
    }
    return lb;
}
