/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nearest point of a convex set to the origin by the method of Gilbert, Johnson and Keerthi.
 *
 * In: the Minkowski difference A - B of a pair through its support function, and optionally a simplex to start from.
 * Out: the simplex that holds the nearest point v, or a tetrahedron around the origin.
 *
 * Design of one round
 *   1 take the nearest point v of the current simplex and drop the corners that do not carry it;
 *   2 take the support point w along -v: no point of the set is nearer than v.w/|v|, and v itself is at |v|;
 *   3 stop when the two bounds agree, or when w is a corner already (then v is the answer up to rounding);
 *   4 else add w to the simplex.
 * Where only the sign is asked, a plane between the bodies is the one proof of APART: a corner come again is none, as
 * the direction of a long thin simplex may be wrong by more than its width.
 * |v| falls in every round; if rounding lets it rise, the last good simplex is the answer (outcome STALLED), from which
 * careful.c goes on. Rounds in which it stays level to rounding while the bounds differ are allowed a few times: far
 * away v still turns. The nearest point of a triangle is found from the 2x2 Gram system of its edges, whose error grows
 * with the first power of distance / size only, and v is taken along the triangle's normal, which stays accurate as |v|
 * goes to zero.
 */
#include "query/support.h"
#include "query/tolerance.h"

#include <float.h>

enum { MAX_ROUNDS = 256 };

/* Nearest point of a simplex: the corners that carry it, in the order of the simplex, and their weights. */
typedef struct Nearest {
    int count;
    int corner[4];
    double weight[4];
    AbutVec3 v;
} Nearest;

static inline void keep_one(Nearest *out, const AbutVec3 *w, int i) {
    out->count = 1;
    out->corner[0] = i;
    out->weight[0] = 1.0;
    out->v = w[i];
}

static inline void keep_two(Nearest *out, const AbutVec3 *w, int i, int j, double t) {
    out->count = 2;
    out->corner[0] = i;
    out->corner[1] = j;
    out->weight[0] = 1.0 - t;
    out->weight[1] = t;
    out->v = abut_add_scaled(w[i], abut_sub(w[j], w[i]), t);
}

static inline void on_segment(Nearest *out, const AbutVec3 *w, int i, int j) {
    AbutVec3 edge = abut_sub(w[j], w[i]);
    double t = -abut_dot(w[i], edge), length = abut_length_sq(edge);
    if (t <= 0.0)
        keep_one(out, w, i);
    else if (t >= length)
        keep_one(out, w, j);
    else
        keep_two(out, w, i, j, t / length);
}

/* A triangle without area: the best of its three sides. */
static void on_flat_triangle(Nearest *out, const AbutVec3 *w, const int c[3]) {
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        Nearest side;
        on_segment(&side, w, c[k], c[(k + 1) % 3]);
        double vv = abut_length_sq(side.v);
        if (vv < least) {
            least = vv;
            *out = side;
        }
    }
}

/* Regions of the plane of a triangle: three corners, three sides, the inside. */
static void on_triangle(Nearest *out, const AbutVec3 *w, int i, int j, int k) {
    AbutVec3 a = w[i], ab = abut_sub(w[j], a), ac = abut_sub(w[k], a), n = abut_cross(ab, ac);
    double g11 = abut_length_sq(ab), g12 = abut_dot(ab, ac), g22 = abut_length_sq(ac), nn = abut_length_sq(n);
    if (!(nn > ABUT_GJK_FLAT_TRIANGLE * g11 * g22)) {
        const int c[3] = {i, j, k};
        on_flat_triangle(out, w, c);
        return;
    }
    double d1 = -abut_dot(ab, a), d2 = -abut_dot(ac, a);               /* towards b and c, seen from a */
    double d3 = d1 - g11, d4 = d2 - g12, d5 = d1 - g12, d6 = d2 - g22; /* the same from b and from c */
    double wc = g11 * d2 - g12 * d1, wb = g22 * d1 - g12 * d2, wa = nn - wb - wc;
    if (wa > 0.0 && wb > 0.0 && wc > 0.0) {
        double u = 1.0 / nn;
        out->count = 3;
        out->corner[0] = i;
        out->corner[1] = j;
        out->corner[2] = k;
        out->weight[0] = wa * u;
        out->weight[1] = wb * u;
        out->weight[2] = wc * u;
        out->v = abut_scale(n, abut_dot(n, a) * u);
    } else if (d1 <= 0.0 && d2 <= 0.0)
        keep_one(out, w, i);
    else if (d3 >= 0.0 && d4 <= d3)
        keep_one(out, w, j);
    else if (d6 >= 0.0 && d5 <= d6)
        keep_one(out, w, k);
    else if (wc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
        keep_two(out, w, i, j, d1 / g11);
    else if (wb <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
        keep_two(out, w, i, k, d2 / g22);
    else
        keep_two(out, w, j, k, abut_smaller(1.0, abut_larger(0.0, (d4 - d3) / ((d4 - d3) + (d5 - d6)))));
}

/* The origin is outside a face when it and the opposite corner lie on different sides of it. */
static void on_tetrahedron(Nearest *out, const AbutVec3 *w) {
    static const int face[4][3] = {{3, 0, 1}, {3, 1, 2}, {3, 2, 0}, {0, 1, 2}};
    AbutVec3 d = w[3], e0 = abut_sub(w[0], d), e1 = abut_sub(w[1], d), e2 = abut_sub(w[2], d);
    AbutVec3 n[4] = {abut_cross(e0, e1), abut_cross(e1, e2), abut_cross(e2, e0), abut_zero()};
    n[3] = abut_neg(abut_add(abut_add(n[0], n[1]), n[2])); /* turned so that all four point the same way, in or out */
    double volume = abut_dot(e0, n[1]), least = INFINITY;
    double flat = ABUT_GJK_FLAT_TETRAHEDRON * sqrt(abut_length_sq(n[1]) * abut_length_sq(e0));
    for (int k = 0; k < 4; ++k) {
        double side = -abut_dot(n[k], k < 3 ? d : w[0]);
        if (fabs(volume) > flat && (volume > 0.0 ? side >= 0.0 : side <= 0.0)) continue;
        Nearest trial;
        on_triangle(&trial, w, face[k][0], face[k][1], face[k][2]);
        double vv = abut_length_sq(trial.v);
        if (vv < least) {
            least = vv;
            *out = trial;
        }
    }
    if (least == INFINITY) {
        out->count = 4; /* inside all four faces */
        out->v = abut_zero();
    }
}

static inline void nearest_of(const AbutSimplex *s, Nearest *out) {
    AbutVec3 w[4];
    for (int i = 0; i < s->count; ++i) w[i] = s->p[i].w;
    switch (s->count) {
    case 1:
        keep_one(out, w, 0);
        break;
    case 2:
        on_segment(out, w, 0, 1);
        break;
    case 3:
        on_triangle(out, w, 0, 1, 2);
        break;
    default:
        on_tetrahedron(out, w);
        break;
    }
}

/* Keeps the corners that carry the nearest point. */
static inline void keep_corners(AbutSimplex *s, const Nearest *nearest) {
    if (nearest->count < 4)
        abut_simplex_keep(s, nearest->count, nearest->corner, nearest->weight, nearest->v);
    else
        s->v = nearest->v;
}

void abut_simplex_reduce(AbutSimplex *s) {
    Nearest nearest;
    nearest_of(s, &nearest);
    keep_corners(s, &nearest);
}

/* Is w a corner already? By number, or by place where a support function gives none. */
static inline int has_corner(const AbutSimplex *s, const AbutDifference *w) {
    for (int i = 0; i < s->count; ++i) {
        const AbutDifference *p = &s->p[i];
        if (w->ia >= 0 && w->ib >= 0 ? (p->ia == w->ia && p->ib == w->ib) : abut_max_abs(abut_sub(p->w, w->w)) == 0.0)
            return 1;
    }
    return 0;
}

AbutGjkOutcome abut_gjk(AbutPairView *pair, AbutSimplex *s, AbutVec3 start, int only_sign, double *gap) {
    if (s->count == 0) {
        AbutVec3 d = abut_length_sq(start) > 0.0 ? start : abut_axis(0);
        s->p[0] = abut_pair_support(pair, d);
        s->count = 1;
        double along = abut_dot(d, s->p[0].w); /* negative: d itself separates */
        if (only_sign && along < 0.0 && along * along > pair->touch * pair->touch * abut_length_sq(d)) {
            s->v = abut_neg(d);
            *gap = 0.0;
            return ABUT_GJK_APART;
        }
    }
    double tolerance = pair->close + ABUT_GJK_GAP * pair->noise, last = INFINITY;
    int still = 0;
    *gap = INFINITY;
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        Nearest nearest;
        nearest_of(s, &nearest);
        double vv = abut_length_sq(nearest.v);
        if (vv >= last) { /* no progress: drop the last point, the ones before it are the answer */
            int level =
                vv <= last * (1.0 + 4.0 * DBL_EPSILON) && still++ < 16; /* far away |v| cannot show small turns of v */
            if (!level) {
                --s->count;
                return ABUT_GJK_STALLED;
            }
        }
        keep_corners(s, &nearest);
        if (s->count == 4) {
            *gap = 0.0;
            return ABUT_GJK_INSIDE;
        }
        if (vv <= pair->touch * pair->touch) return ABUT_GJK_NEAR;
        last = vv;
        AbutDifference w = abut_pair_support(pair, abut_neg(s->v));
        double vw = abut_dot(s->v, w.w), length = sqrt(vv);
        if (only_sign && vw > pair->touch * length) return ABUT_GJK_APART;
        *gap = abut_smaller(*gap, abut_larger(0.0, (vv - vw) / length));
        int ended = *gap <= tolerance || has_corner(s, &w);
        if ((ended && !only_sign) || vw > pair->beyond * length) return ABUT_GJK_APART;
        if (ended || pair->supports >= pair->budget) return ABUT_GJK_STALLED;
        s->p[s->count++] = w;
    }
    return ABUT_GJK_STALLED;
}
