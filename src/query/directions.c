/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Depth of a round pair by halving cells of directions.
 *
 * In: a pair whose cores overlap, and the best direction known. Out: a direction whose support value is the depth but
 * for a tolerance, with proof. The expanding polytope keeps all its faces, and has too little room where a ring of
 * directions, or a whole area, is almost equally good: axes that nearly agree, ellipsoids that are nearly balls. Here
 * nothing is kept. The sphere is cut into spherical triangles; with w_i the support points along its corners n_i and v
 * the point of the triangle w_0 w_1 w_2 nearest to the origin, every direction n of the cell has a support value of at
 * least v.n >= min v.n_i (which holds for numbers that are not negative: n is the sum of corners with weights that sum
 * to one, made longer). A cell whose bound is at most the tolerance below the best value is done, any other is halved
 * across the side along which the support value is bent most. The bound is off by no more than it is bent, which falls
 * with the square of the length on curved parts, so a ring takes some thousand cells.
 */
#include "query/support.h"
#include "query/tolerance.h"

enum { MAX_DEPTH = 48, MAX_SUPPORTS = 100000 };

/* A spherical triangle: unit directions and the support points along them. */
typedef struct Cell {
    AbutVec3 n[3];
    AbutDifference w[3];
} Cell;

typedef struct Search {
    AbutPairView *pair;
    AbutFacet best; /* least support value so far; its simplex belongs to the cell of the least bound */
    double least;   /* that bound */
    double tolerance;
    int end; /* of support points */
} Search;

static AbutDifference support(Search *s, AbutVec3 n) {
    AbutDifference w = abut_pair_support(s->pair, n);
    double value = abut_dot(n, w.w);
    if (value < s->best.depth) {
        s->best.depth = value;
        s->best.normal = n;
    }
    return w;
}

static double least_along(const Cell *c, AbutVec3 v) {
    return abut_smaller(abut_dot(v, c->n[0]), abut_smaller(abut_dot(v, c->n[1]), abut_dot(v, c->n[2])));
}

/* Is no direction of the cell better than the best by more than the tolerance? */
static int is_done(Search *s, const Cell *c) {
    AbutSimplex face = {.count = 3, .p = {c->w[0], c->w[1], c->w[2]}};
    abut_simplex_reduce(&face);
    double bound = least_along(c, face.v);
    for (int i = 0; i < 3; ++i) bound = abut_larger(bound, least_along(c, c->w[i].w));
    bound -= s->pair->noise;
    if (!(bound > 0.0 && bound >= s->best.depth - s->tolerance)) return 0;
    if (bound < s->least) {
        s->least = bound;
        s->best.simplex = face;
    }
    return 1;
}

/* The corner opposite to the side along which the support value is bent most: cells become long along a ring. */
static int apex_of(const Cell *c) {
    int apex = 0;
    double most = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double bend = abut_dot(abut_sub(c->w[j].w, c->w[k].w), abut_sub(c->n[j], c->n[k]));
        if (bend > most) {
            most = bend;
            apex = i;
        }
    }
    return apex;
}

/* Goes through a cell; false when it could not be finished. */
static int look_at(Search *s, const Cell *c, int depth) {
    if (is_done(s, c)) return 1;
    if (depth == MAX_DEPTH || s->pair->supports >= s->end) return 0;
    int apex = apex_of(c);
    AbutVec3 middle = abut_normalize(abut_add(c->n[(apex + 1) % 3], c->n[(apex + 2) % 3]));
    AbutDifference w = support(s, middle);
    for (int k = 1; k <= 2; ++k) {
        Cell half = *c;
        half.n[(apex + k) % 3] = middle;
        half.w[(apex + k) % 3] = w;
        if (!look_at(s, &half, depth + 1)) return 0;
    }
    return 1;
}

AbutFacet abut_directions_facet(AbutPairView *pair, const AbutFacet *known, double tolerance) {
    Search s = {pair, *known, INFINITY, tolerance, pair->budget};
    AbutDifference w[6];
    AbutVec3 n[6];
    int blind = !(abut_length_sq(known->normal) > 0.5);
    if (blind) s.best.depth = INFINITY;
    if (s.end > MAX_SUPPORTS + pair->supports) s.end = MAX_SUPPORTS + pair->supports;
    for (int i = 0; i < 6; ++i) {
        n[i] = abut_scale(abut_axis(i / 2), (i & 1) ? -1.0 : 1.0);
        w[i] = support(&s, n[i]);
    }
    for (int octant = 0; octant < 8; ++octant) {
        int x = octant & 1, y = 2 + (octant >> 1 & 1), z = 4 + (octant >> 2);
        Cell cell = {{n[x], n[y], n[z]}, {w[x], w[y], w[z]}};
        if (!look_at(&s, &cell, 0)) {
            s.best.found = 0;
            s.best.gap = s.best.depth - (blind ? 0.0 : known->depth - known->gap);
            return s.best;
        }
    }
    s.best.found = 1;
    s.best.gap = abut_larger(0.0, s.best.depth - s.least);
    return s.best;
}
