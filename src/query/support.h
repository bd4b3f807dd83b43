/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Support mapping of one body and of the difference of a pair: the innermost call of every search, so inline.
 * Small polyhedra are scanned whole by the vector unit (the padding repeats vertex 0, which comes first among equals);
 * on larger ones only the first point is, and from there the search climbs along edges: on a convex body a vertex
 * without a better neighbor is the farthest.
 */
#ifndef ABUT_QUERY_SUPPORT_H
#define ABUT_QUERY_SUPPORT_H

#include "query/convex_pair.h"
#include "query/round.h"

/* Farthest vertex along d, walking from vertex `from`. */
int32_t abut_polyhedron_climb(const AbutPolyhedron *p, AbutVec3 d, int32_t from);

static inline AbutVec3 abut_box_corner(AbutVec3 h, int32_t i) {
    return abut_vec3((i & 1) ? h.x : -h.x, (i & 2) ? h.y : -h.y, (i & 4) ? h.z : -h.z);
}

/* Vertex `i` of a body in its own frame. */
static inline AbutVec3 abut_convex_vertex(const AbutConvex *convex, int32_t i) {
    switch (convex->kind) {
    case ABUT_CONVEX_BOX:
        return abut_box_corner(convex->p[0], i);
    case ABUT_CONVEX_POLYHEDRON:
        return abut_polyhedron_vertices(convex->polyhedron)[i];
    default:
        return convex->p[i];
    }
}

/* Number of vertices; 0 for a support function or a round kind. */
static inline int32_t abut_convex_vertex_count(const AbutConvex *convex) {
    switch (convex->kind) {
    case ABUT_CONVEX_POINT:
        return 1;
    case ABUT_CONVEX_SEGMENT:
        return 2;
    case ABUT_CONVEX_TRIANGLE:
        return 3;
    case ABUT_CONVEX_BOX:
        return 8;
    case ABUT_CONVEX_POLYHEDRON:
        return convex->polyhedron->vertex_count;
    default:
        return 0;
    }
}

/* Number of the farthest vertex along d (own frame); *point receives it. -1 for a body without vertices. */
static inline int32_t abut_body_farthest(AbutBodyView *body, const AbutScan *scan, AbutVec3 d, AbutVec3 *point) {
    const AbutConvex *c = body->convex;
    int32_t i = 0;
    switch (c->kind) {
    case ABUT_CONVEX_POLYHEDRON:
        if (body->climb && body->hint >= 0) {
            i = abut_polyhedron_climb(c->polyhedron, d, body->hint);
        } else {
            double direction[3] = {d.x, d.y, d.z};
            i = scan->farthest(body->rows, body->padded, direction);
        }
        body->hint = i;
        *point = abut_polyhedron_vertices(c->polyhedron)[i];
        return i;
    case ABUT_CONVEX_BOX:
        i = (d.x > 0.0 ? 1 : 0) | (d.y > 0.0 ? 2 : 0) | (d.z > 0.0 ? 4 : 0);
        *point = abut_box_corner(c->p[0], i);
        return i;
    case ABUT_CONVEX_SUPPORT:
        *point = c->support(d, c->user);
        return -1;
    case ABUT_CONVEX_CYLINDER:
    case ABUT_CONVEX_CONE:
    case ABUT_CONVEX_ELLIPSOID:
        *point = abut_round_farthest(c, body->inset, d);
        return -1;
    case ABUT_CONVEX_TRIANGLE:
        if (abut_dot(c->p[2], d) > abut_larger(abut_dot(c->p[0], d), abut_dot(c->p[1], d))) {
            *point = c->p[2];
            return 2;
        }
        /* fall through */
    case ABUT_CONVEX_SEGMENT:
        i = abut_dot(c->p[1], d) > abut_dot(c->p[0], d);
        /* fall through */
    default:
        *point = c->p[i];
        return i;
    }
}

static inline int abut_pair_is_round(const AbutPairView *pair) {
    return abut_convex_is_round(pair->a.convex) || abut_convex_is_round(pair->b.convex);
}

/* Is one of the two without vertices, so that a search only comes near? */
static inline int abut_pair_is_smooth(const AbutPairView *pair) {
    return pair->a.convex->kind == ABUT_CONVEX_SUPPORT || pair->b.convex->kind == ABUT_CONVEX_SUPPORT ||
           abut_pair_is_round(pair);
}

/* Support point of A - B along d. */
static inline AbutDifference abut_pair_support(AbutPairView *pair, AbutVec3 d) {
    AbutDifference out;
    AbutVec3 a, b;
    ++pair->supports;
    out.ia = abut_body_farthest(&pair->a, pair->scan, d, &a);
    out.ib = abut_body_farthest(&pair->b, pair->scan, abut_neg(abut_mat3_apply_t(pair->rotation, d)), &b);
    out.b = abut_add(abut_mat3_apply(pair->rotation, b), pair->position);
    out.w = abut_sub(a, out.b);
    return out;
}

/* The facet across a unit direction, as far as one support point tells. */
static inline AbutFacet abut_facet_along(AbutPairView *pair, AbutVec3 n) {
    AbutDifference w = abut_pair_support(pair, n);
    double depth = abut_dot(n, w.w);
    return (AbutFacet){1, n, depth, fabs(depth), {.count = 1, .p = {w}, .weight = {1.0}}, abut_zero()};
}

/* The difference point of vertices ia, ib as numbered by the support (not for support functions). */
static inline AbutDifference abut_pair_vertex(const AbutPairView *pair, int32_t ia, int32_t ib) {
    AbutDifference out;
    out.ia = ia;
    out.ib = ib;
    out.b = abut_add(abut_mat3_apply(pair->rotation, abut_convex_vertex(pair->b.convex, ib)), pair->position);
    out.w = abut_sub(abut_convex_vertex(pair->a.convex, ia), out.b);
    return out;
}

#endif
