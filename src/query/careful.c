/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GJK with twice the digits (math/wide.h), for pairs on which gjk.c cannot prove its answer.
 *
 * In: a pair and the simplex where gjk.c ended. Out: as from gjk.c, with *gap at the rounding of the support points.
 *
 * In a simplex of length L and width h the plain cross products lose L / h of the direction and so L^2 / h of the
 * distance, in units of the rounding. Here the corners, which are doubles, count as exact; differences of corners lose
 * nothing, and everything made of them has some 32 digits. The rest is the rounding of the corners, which moves the
 * distance by no more than itself, and that of one support value.
 *
 * The nearest point of a simplex is the nearest of those feet of the origin on its faces (corners and sides included)
 * that lie inside their face: each such foot is a point of the simplex, and the nearest point is one of them. So there
 * are no regions to be told apart, and no way to contradict oneself.
 */
#include "query/careful.h"
#include "math/wide.h"
#include "query/support.h"
#include "query/tolerance.h"

enum { MAX_ROUNDS = 256 };

static int less(AbutDD a, AbutDD b) { return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo); }

/* ---- nearest point of a simplex ---------------------------------------------------------------------------------- */

typedef struct Nearest {
    int count;
    int corner[3];
    double weight[3];
    AbutWide v;
    AbutDD square; /* of |v| */
} Nearest;

/* Takes v when it is nearer; gives 1 then. */
static int take(Nearest *best, AbutWide v, int count) {
    AbutDD square = abut_wide_dot(v, v);
    if (!less(square, best->square)) return 0;
    best->v = v;
    best->square = square;
    best->count = count;
    return 1;
}

static void try_corner(Nearest *best, const AbutDifference *p, int i) {
    if (take(best, abut_widen(p[i].w), 1)) {
        best->corner[0] = i;
        best->weight[0] = 1.0;
    }
}

static void try_side(Nearest *best, const AbutDifference *p, int i, int j) {
    AbutWide a = abut_widen(p[i].w), edge = abut_wide_difference(p[j].w, p[i].w);
    AbutDD part = abut_dd_neg(abut_wide_dot(a, edge)), whole = abut_wide_dot(edge, edge);
    if (!(part.hi > 0.0 && less(part, whole))) return;
    AbutDD t = abut_dd_div(part, whole);
    if (take(best, abut_wide_along(a, edge, t), 2)) {
        best->corner[0] = i;
        best->corner[1] = j;
        best->weight[0] = abut_dd_sub(abut_dd(1.0), t).hi;
        best->weight[1] = t.hi;
    }
}

static void try_triangle(Nearest *best, const AbutDifference *p, const int c[3]) {
    AbutFoot foot;
    if (!abut_wide_foot(p[c[0]].w, p[c[1]].w, p[c[2]].w, &foot) ||
        !(foot.weight[0].hi > 0.0 && foot.weight[1].hi > 0.0 && foot.weight[2].hi > 0.0))
        return;
    AbutWide zero = abut_widen(abut_zero());
    if (!take(best, abut_wide_along(zero, foot.normal, abut_dd_div(foot.height, foot.square)), 3)) return;
    for (int k = 0; k < 3; ++k) {
        best->corner[k] = c[k];
        best->weight[k] = foot.weight[k].hi;
    }
}

static const int face[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};

/* Is the origin inside a tetrahedron, off all its faces? */
static int surrounds(const AbutDifference *p) {
    for (int k = 0; k < 4; ++k) {
        AbutVec3 a = p[face[k][0]].w, b = p[face[k][1]].w, c = p[face[k][2]].w;
        int own = abut_side_of(a, b, c, p[3 - k].w), origin = abut_side_of(a, b, c, abut_zero());
        if (own * origin <= 0) return 0;
    }
    return 1;
}

int abut_careful_inside(AbutSimplex *s) {
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) {
        const int *c = face[3 - k];
        s->weight[k] =
            fabs(abut_wide_triple(abut_widen(s->p[c[0]].w), abut_widen(s->p[c[1]].w), abut_widen(s->p[c[2]].w)));
        sum += s->weight[k];
    }
    for (int k = 0; k < 4; ++k) s->weight[k] /= sum;
    return sum > 0.0;
}

/* Corners by their distance from the origin: a foot seen from a far corner would lose digits. */
static void sort_corners(const AbutSimplex *s, int order[4]) {
    for (int i = 0; i < s->count; ++i) {
        int k = i;
        for (; k > 0 && abut_length_sq(s->p[order[k - 1]].w) > abut_length_sq(s->p[i].w); --k) order[k] = order[k - 1];
        order[k] = i;
    }
}

static void nearest_of(const AbutSimplex *s, Nearest *best) {
    int order[4];
    sort_corners(s, order);
    *best = (Nearest){.square = {INFINITY, 0.0}};
    for (int i = 0; i < s->count; ++i) try_corner(best, s->p, i);
    for (int i = 0; i < s->count; ++i)
        for (int j = i + 1; j < s->count; ++j) try_side(best, s->p, order[i], order[j]);
    for (int k = 0; k < (s->count == 4 ? 4 : s->count == 3); ++k)
        try_triangle(best, s->p, (int[3]){order[face[k][0]], order[face[k][1]], order[face[k][2]]});
}

static void keep_corners(AbutSimplex *s, const Nearest *nearest) {
    abut_simplex_keep(s, nearest->count, nearest->corner, nearest->weight, abut_narrow(nearest->v));
}

void abut_careful_reduce(AbutSimplex *s) {
    Nearest nearest;
    if (s->count == 4 && surrounds(s->p)) {
        s->v = abut_zero();
        return;
    }
    nearest_of(s, &nearest);
    keep_corners(s, &nearest);
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static int has_corner(const AbutSimplex *s, const AbutDifference *w) {
    for (int i = 0; i < s->count; ++i)
        if (abut_max_abs(abut_sub(s->p[i].w, w->w)) == 0.0) return 1;
    return 0;
}

/*
 * Among the corners that share a vertex with the simplex and go at least half as far along n beyond its plane as w, the
 * one nearest to the origin, or w. Along an edge of the bodies, across n, all are as far but for rounding; a far one
 * would get no weight beside a near foot, and the search would stand still.
 */
static AbutDifference nearest_beyond(
    const AbutPairView *pair, const AbutSimplex *s, AbutVec3 n, double length, AbutDifference w) {
    AbutDifference best = w;
    double enough = 0.5 * (abut_dot(n, w.w) + length);
    for (int i = 0; i < 2 * s->count && w.ia >= 0 && w.ib >= 0; ++i) {
        const AbutDifference *p = &s->p[i / 2];
        AbutDifference trial = i & 1 ? abut_pair_vertex(pair, p->ia, w.ib) : abut_pair_vertex(pair, w.ia, p->ib);
        if (abut_dot(n, trial.w) + length >= enough && abut_length_sq(trial.w) < abut_length_sq(best.w) &&
            !has_corner(s, &trial))
            best = trial;
    }
    return best;
}

AbutGjkOutcome abut_gjk_careful(AbutPairView *pair, AbutSimplex *s, int only_sign, double *gap) {
    AbutDD last = {INFINITY, 0.0};
    double low = -INFINITY, length = INFINITY;
    for (int round = 0; round < MAX_ROUNDS && pair->supports < pair->budget; ++round) {
        Nearest nearest;
        if (s->count == 4 && surrounds(s->p)) return ABUT_GJK_INSIDE;
        nearest_of(s, &nearest);
        if (!less(nearest.square, last)) { /* the last corner brought nothing: those before it are the answer */
            --s->count;
            return ABUT_GJK_APART;
        }
        keep_corners(s, &nearest);
        last = nearest.square;
        length = sqrt(last.hi);
        if (length <= pair->touch) return ABUT_GJK_NEAR;
        AbutVec3 n = abut_scale(s->v, -1.0 / length);
        AbutDifference w = abut_pair_support(pair, n);
        low = abut_larger(low, -abut_dot(n, w.w));
        *gap = abut_larger(0.0, length - low);
        if (low > pair->beyond || (only_sign && low > pair->touch) || *gap <= pair->noise || has_corner(s, &w))
            return ABUT_GJK_APART;
        w = nearest_beyond(pair, s, n, length, w);
        s->p[s->count++] = w;
    }
    if (s->count > 1 && length < INFINITY) --s->count; /* the corner added last is not yet looked at */
    return ABUT_GJK_STALLED;
}
