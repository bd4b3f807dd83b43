/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Penetration depth by the definition: every facet of the Minkowski difference A - B of two polyhedra is a face of A, a
 * face of B, or spanned by an edge of each. The support value along each of these directions bounds the depth from
 * above, and the least of them is the depth. Nothing is iterated, so nothing can fail to converge. Two polyhedra with
 * faces go to arcs.c; of other pairs one body has at most three edge directions, so the cost grows with the other. This
 * is the path for pairs on which the expanding polytope gives up.
 */
#include "query/careful.h"
#include "query/support.h"
#include "query/tolerance.h"
#include "shape/polyhedron.h"

enum { MAX_KEPT = 64 };

/* Edge k of a body: its two corners, and the normals of the two faces that meet there (solids only). */
typedef struct Edge {
    AbutVec3 direction, left, right;
    int solid;
} Edge;

static int is_solid(const AbutConvex *c) {
    return c->kind == ABUT_CONVEX_BOX || (c->kind == ABUT_CONVEX_POLYHEDRON && c->polyhedron->dimension == 3);
}

static int face_count(const AbutConvex *c) {
    switch (c->kind) {
    case ABUT_CONVEX_BOX:
        return 6;
    case ABUT_CONVEX_TRIANGLE:
        return 2;
    case ABUT_CONVEX_POLYHEDRON:
        return c->polyhedron->face_count;
    default:
        return 0;
    }
}

static AbutVec3 face_normal(const AbutConvex *c, int f) {
    double sign = (f & 1) ? 1.0 : -1.0;
    if (c->kind == ABUT_CONVEX_BOX) return abut_scale(abut_axis(f / 2), sign);
    if (c->kind == ABUT_CONVEX_TRIANGLE)
        return abut_scale(abut_normalize(abut_cross(abut_sub(c->p[1], c->p[0]), abut_sub(c->p[2], c->p[0]))), sign);
    return abut_polyhedron_faces(c->polyhedron)[f].plane.normal;
}

static int edge_count(const AbutConvex *c) {
    switch (c->kind) {
    case ABUT_CONVEX_SEGMENT:
        return 1;
    case ABUT_CONVEX_TRIANGLE:
        return 3;
    case ABUT_CONVEX_BOX:
        return 3; /* parallel edges span the same directions */
    case ABUT_CONVEX_POLYHEDRON:
        return c->polyhedron->dimension == 1 ? 1 : c->polyhedron->half_edge_count / 2;
    default:
        return 0;
    }
}

static Edge get_edge(const AbutConvex *c, int k) {
    Edge e = {abut_zero(), abut_zero(), abut_zero(), 0};
    if (c->kind == ABUT_CONVEX_BOX) {
        e.direction = abut_axis(k);
    } else if (c->kind == ABUT_CONVEX_POLYHEDRON && c->polyhedron->dimension > 1) {
        const AbutPolyhedron *p = c->polyhedron;
        const AbutHalfEdge *half = abut_polyhedron_half_edges(p);
        const AbutVec3 *v = abut_polyhedron_vertices(p);
        int32_t h = abut_polyhedron_edges(p)[k], twin = half[h].twin;
        e.direction = abut_normalize(abut_sub(v[half[twin].origin], v[half[h].origin]));
        e.left = abut_polyhedron_faces(p)[half[h].face].plane.normal;
        e.right = abut_polyhedron_faces(p)[half[twin].face].plane.normal;
        e.solid = is_solid(c);
    } else {
        e.direction = abut_normalize(abut_sub(abut_convex_vertex(c, (k + 1) % 3), abut_convex_vertex(c, k)));
    }
    return e;
}

static Edge turn_edge(AbutMat3 r, Edge e) {
    e.direction = abut_mat3_apply(r, e.direction);
    e.left = abut_mat3_apply(r, e.left);
    e.right = abut_mat3_apply(r, e.right);
    return e;
}

/*
 * Is n, which is across the edge, between the normals of its two faces (with some slack)? abut_triple(l, n, arc) is
 * (l x n).arc: positive when turning from l to n goes the way of the arc.
 */
static int on_arc(const Edge *e, AbutVec3 n) {
    if (!e->solid) return 1;
    AbutVec3 arc = abut_cross(e->left, e->right);
    return abut_triple(e->left, n, arc) >= -ABUT_FACET_ARC && abut_triple(n, e->right, arc) >= -ABUT_FACET_ARC &&
           abut_dot(n, abut_add(e->left, e->right)) >= -ABUT_FACET_ARC;
}

void abut_facet_try(AbutPairView *pair, AbutVec3 n, AbutFacet *best) {
    AbutDifference w = abut_pair_support(pair, n);
    double value = abut_dot(n, w.w);
    if (value < best->depth) {
        best->depth = value;
        best->normal = n;
    }
}

static void try_edges(AbutPairView *pair, AbutFacet *best) {
    const AbutConvex *a = pair->a.convex, *b = pair->b.convex;
    int na = edge_count(a), nb = edge_count(b);
    for (int j = 0; j < nb; ++j) {
        Edge eb = turn_edge(pair->rotation, get_edge(b, j));
        for (int i = 0; i < na; ++i) {
            Edge ea = get_edge(a, i);
            AbutVec3 n = abut_cross(ea.direction, eb.direction);
            double length = abut_length(n);
            if (length < ABUT_QUERY_NO_EDGE_PAIR) continue; /* parallel: spans nothing */
            n = abut_scale(n, 1.0 / length);
            for (int flip = 0; flip < 2; ++flip, n = abut_neg(n))
                if (on_arc(&ea, n) && on_arc(&eb, abut_neg(n))) abut_facet_try(pair, n, best);
        }
    }
}

/* The vertices of one body that lie on the facet: within a slack of its extreme along `normal`. Own frame. */
typedef struct FacetSet {
    const AbutConvex *convex;
    AbutVec3 normal;
    double level;            /* of normal . vertex */
    int32_t count;           /* of vertices on the facet */
    int32_t index[MAX_KEPT]; /* the first of them; a facet with more is looked up in the body each time */
} FacetSet;

static void collect(FacetSet *set, const AbutConvex *c, AbutVec3 n, double slack) {
    int32_t count = abut_convex_vertex_count(c);
    set->convex = c;
    set->normal = n;
    set->level = abut_dot(n, abut_convex_farthest(c, n)) - slack;
    set->count = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (abut_dot(n, abut_convex_vertex(c, i)) < set->level) continue;
        if (set->count < MAX_KEPT) set->index[set->count] = i;
        ++set->count;
    }
}

/* Number of the vertex on the facet that is farthest along d. */
static int32_t farthest_of(const FacetSet *set, AbutVec3 d) {
    int all = set->count > MAX_KEPT;
    int32_t best = set->index[0], count = all ? abut_convex_vertex_count(set->convex) : set->count;
    double most = abut_dot(abut_convex_vertex(set->convex, best), d);
    for (int32_t k = 0; k < count; ++k) {
        int32_t i = all ? k : set->index[k];
        AbutVec3 v = abut_convex_vertex(set->convex, i);
        double value = abut_dot(v, d);
        if (value > most && (!all || abut_dot(set->normal, v) >= set->level)) {
            most = value;
            best = i;
        }
    }
    return best;
}

/* The point of the facet nearest to `target`, as a simplex about it; a search like GJK. */
static AbutSimplex nearest_to(
    const AbutPairView *pair, const FacetSet *a, const FacetSet *b, AbutVec3 target, void (*reduce)(AbutSimplex *)) {
    AbutSimplex s, best;
    AbutVec3 d = abut_pair_between(pair);
    double last = INFINITY;
    s.count = best.count = 0;
    for (int round = 0; round < 64; ++round) {
        int32_t ia = farthest_of(a, d), ib = farthest_of(b, abut_neg(abut_mat3_apply_t(pair->rotation, d)));
        AbutDifference w = abut_pair_vertex(pair, ia, ib);
        w.w = abut_sub(w.w, target);
        s.p[s.count++] = w;
        reduce(&s);
        double vv = abut_length_sq(s.v);
        if (s.count == 4 &&
            abut_careful_inside(&s)) { /* the facet is as thick as its slack, and the target inside it */
            best = s;
            break;
        }
        if (s.count == 4 || !(vv < last)) break;
        best = s;
        last = vv;
        if (vv <= pair->noise * pair->noise) break;
        d = abut_neg(s.v);
    }
    return best;
}

AbutSimplex abut_facet_witness(const AbutPairView *pair, AbutVec3 n, double depth) {
    FacetSet a, b;
    double slack = ABUT_FACET_THICK * pair->size + pair->noise;
    collect(&a, pair->a.convex, n, slack);
    collect(&b, pair->b.convex, abut_neg(abut_mat3_apply_t(pair->rotation, n)), slack);
    AbutVec3 target = abut_scale(n, depth);
    AbutSimplex best = nearest_to(pair, &a, &b, target, abut_simplex_reduce);
    if (best.count < 4 && abut_length(best.v) > ABUT_QUERY_PROVEN * pair->noise)
        best = nearest_to(pair, &a, &b, target, abut_careful_reduce);
    for (int i = 0; i < best.count; ++i) best.p[i].w = abut_add(best.p[i].w, target);
    best.v = abut_add(best.v, target);
    return best;
}

/* Climbing starts from vertex v of a polyhedron, where its face or edge is. */
static void hint_at(AbutBodyView *body, int32_t v) {
    if (body->convex->kind == ABUT_CONVEX_POLYHEDRON) body->hint = v;
}

static int32_t face_vertex(const AbutConvex *c, int f) {
    const AbutPolyhedron *p = c->polyhedron;
    return c->kind == ABUT_CONVEX_POLYHEDRON ? abut_polyhedron_half_edges(p)[abut_polyhedron_faces(p)[f].first].origin
                                             : 0;
}

/* A pair of which at most one body has many edges. */
static void try_all(AbutPairView *pair, AbutFacet *best) {
    const AbutConvex *a = pair->a.convex, *b = pair->b.convex;
    for (int f = 0; f < face_count(a); ++f) {
        hint_at(&pair->a, face_vertex(a, f));
        abut_facet_try(pair, face_normal(a, f), best);
    }
    for (int f = 0; f < face_count(b); ++f) {
        hint_at(&pair->b, face_vertex(b, f));
        abut_facet_try(pair, abut_neg(abut_mat3_apply(pair->rotation, face_normal(b, f))), best);
    }
    try_edges(pair, best);
}

AbutFacet abut_facet_search(AbutPairView *pair, const AbutFacet *known) {
    AbutFacet best = {.depth = INFINITY};
    int use = known->depth > pair->touch && abut_length_sq(known->normal) > 0.5;
    if (use) best = *known;
    if (abut_arcs_fit(pair)) {
        abut_arc_search(pair, &best);
    } else {
        try_all(pair, &best);
        best.found = best.depth < INFINITY;
        best.gap = 0.0;
    }
    if (best.found) best.simplex = abut_facet_witness(pair, best.normal, best.depth);
    return best;
}

static double witness_miss(const AbutFacet *f) {
    return abut_simplex_miss(&f->simplex, abut_scale(f->normal, f->depth));
}

void abut_facet_touch(AbutPairView *pair, AbutFacet *facet) {
    AbutPairView touching = *pair;
    AbutSimplex s = {.count = 0};
    AbutVec3 move = abut_scale(facet->normal, facet->depth);
    double gap;
    if (witness_miss(facet) <= pair->touch) return;
    touching.position = abut_add(pair->position, move);
    touching.close = 0.0;
    touching.beyond = INFINITY;
    abut_gjk(&touching, &s, facet->normal, 0, &gap);
    if (!abut_pair_is_smooth(pair)) abut_gjk_careful(&touching, &s, 0, &gap);
    pair->supports = touching.supports;
    abut_careful_reduce(&s);
    int weighed = s.count < 4 || abut_careful_inside(&s);
    abut_simplex_put_back(&s, move);
    if (weighed && abut_simplex_miss(&s, move) < witness_miss(facet)) facet->simplex = s;
}

/* The normal of A - B at its point nearest to the origin, once B is pushed out along the facet's normal. */
static int pushed_normal(const AbutPairView *pair, const AbutFacet *facet, AbutVec3 *normal) {
    AbutPairView pushed = *pair;
    AbutSimplex s = facet->simplex;
    double gap = INFINITY;
    pushed.position = abut_add_scaled(pair->position, facet->normal, facet->depth + ABUT_FACET_PUSH * pair->size);
    for (int i = 0; i < s.count; ++i) s.p[i] = abut_pair_vertex(&pushed, s.p[i].ia, s.p[i].ib);
    AbutGjkOutcome outcome = abut_gjk_careful(&pushed, &s, 0, &gap);
    *normal = abut_neg(abut_normalize(s.v));
    return outcome == ABUT_GJK_APART && gap <= ABUT_QUERY_PROVEN * pair->noise;
}

void abut_facet_polish(AbutPairView *pair, AbutFacet *facet) {
    AbutVec3 normal;
    double enough = ABUT_QUERY_PROVEN * pair->noise, change = INFINITY;
    if (facet->simplex.count == 0 || witness_miss(facet) > enough)
        facet->simplex = abut_facet_witness(pair, facet->normal, facet->depth);
    abut_facet_touch(pair, facet);
    for (int round = 0; round < 3; ++round) {
        if (witness_miss(facet) <= enough || change <= pair->noise || !pushed_normal(pair, facet, &normal)) break;
        AbutFacet trial = *facet;
        trial.normal = normal;
        trial.depth = abut_dot(normal, abut_pair_support(pair, normal).w);
        trial.simplex = abut_facet_witness(pair, normal, trial.depth);
        change = fabs(trial.depth - facet->depth);
        if (trial.depth < facet->depth || witness_miss(&trial) < witness_miss(facet)) *facet = trial;
    }
    facet->gap = abut_smaller(change, witness_miss(facet));
}
