/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed distance of two convex bodies: the entry file of this room.
 *
 * One table, indexed by the kinds of A and B, names the search for each pair. Rounded bodies are their cores plus a
 * radius, so spheres and capsules are points and segments here. Pairs without a closed form go through GJK; when the
 * cores touch or overlap, the nearest facet of the Minkowski difference gives depth and normal (EPA, then the search
 * over all facets where EPA gives up; boxes go to their fifteen directions at once). A bound that ordinary arithmetic
 * cannot prove is searched again with twice the digits.
 */
#include "math/tolerance.h"
#include "query/careful.h"
#include "query/contract.h"
#include "query/support.h"
#include "query/tolerance.h"

#include <float.h>
#include <string.h>

/* ---- result ------------------------------------------------------------------------------------------------------ */

static void add_vertex(AbutPart *part, int32_t vertex) {
    int count = (int)part->kind;
    for (int i = 0; i < count; ++i)
        if (part->index[i] == vertex) return;
    if (count < 3) {
        part->index[count] = vertex;
        part->kind = (int32_t)(count + 1); /* vertex, edge, face */
    }
}

AbutGap abut_pair_finish(const AbutPairView *pair, const AbutSimplex *s, double distance, AbutVec3 normal, double gap) {
    AbutGap out;
    double ra = pair->a.radius, rb = pair->b.radius;
    AbutVec3 a = abut_zero(), b = abut_zero();
    memset(&out, 0, sizeof out);
    for (int i = 0; i < s->count; ++i) {
        b = abut_add_scaled(b, s->p[i].b, s->weight[i]);
        a = abut_add_scaled(a, abut_add(s->p[i].w, s->p[i].b), s->weight[i]);
        add_vertex(&out.part_a, s->p[i].ia);
        add_vertex(&out.part_b, s->p[i].ib);
    }
    /* the weights of slivers are unsure along their length: what they miss is shared by both points */
    AbutVec3 miss = abut_scale(abut_sub(abut_sub(b, a), abut_scale(normal, distance)), 0.5);
    a = abut_add(a, miss);
    b = abut_sub(b, miss);
    out.distance = out.surface = distance - ra - rb;
    out.containment_known = 1;
    out.normal = normal;
    out.point_a = abut_add_scaled(a, normal, ra);
    out.point_b = abut_add_scaled(b, normal, -rb);
    out.error = gap + pair->touch + 2.0 * DBL_EPSILON * (ra + rb);
    out.outcome =
        fabs(out.distance) <= out.error ? ABUT_TOUCHING : (out.distance > 0.0 ? ABUT_SEPARATED : ABUT_PENETRATING);
    return out;
}

/* ---- warm start -------------------------------------------------------------------------------------------------- */

/* The simplex of the last answer at the new pose; empty when the cache does not fit these bodies. */
static void load_cache(const AbutPairView *pair, const AbutConvexCache *cache, AbutSimplex *s) {
    int32_t na = abut_convex_vertex_count(pair->a.convex), nb = abut_convex_vertex_count(pair->b.convex);
    s->count = 0;
    if (!cache || cache->count < 1 || cache->count > 4) return;
    for (int i = 0; i < cache->count; ++i) {
        int32_t ia = cache->vertex_a[i], ib = cache->vertex_b[i];
        if (ia < 0 || ib < 0 || ia >= na || ib >= nb) {
            s->count = 0;
            return;
        }
        s->p[s->count++] = abut_pair_vertex(pair, ia, ib);
    }
}

static void store_cache(AbutConvexCache *cache, const AbutSimplex *s, AbutVec3 direction) {
    if (!cache) return;
    cache->count = s->count;
    cache->direction = direction;
    for (int i = 0; i < s->count; ++i) {
        cache->vertex_a[i] = s->p[i].ia;
        cache->vertex_b[i] = s->p[i].ib;
    }
}

static void set_hints(AbutPairView *pair, const AbutSimplex *s) {
    if (s->count > 0 && s->p[0].ia >= 0 && s->p[0].ib >= 0) {
        pair->a.hint = s->p[0].ia;
        pair->b.hint = s->p[0].ib;
    }
}

/* Where GJK begins: the last separating direction, else the line between the middles. */
static AbutVec3 start_direction(const AbutPairView *pair, const AbutConvexCache *cache) {
    if (cache && abut_length_sq(cache->direction) > 0.0 && abut_is_finite(cache->direction)) return cache->direction;
    return abut_pair_between(pair);
}

/* ---- general pairs ----------------------------------------------------------------------------------------------- */

/* The best direction an unfinished search has found, with the support points along it as witnesses. */
static AbutGap unfinished(AbutPairView *pair, AbutFacet facet) {
    int blind = !(abut_length_sq(facet.normal) > 0.5); /* it ended before its first direction */
    AbutFacet along =
        abut_facet_along(pair, blind ? abut_normalize_or(abut_pair_between(pair), abut_axis(2)) : facet.normal);
    along.gap = blind ? fabs(along.depth) + pair->size : facet.gap + (along.depth - facet.depth);
    abut_facet_touch(pair, &along);
    AbutGap out = abut_pair_finish(pair, &along.simplex, -along.depth, along.normal, along.gap);
    out.outcome = ABUT_NOT_CONVERGED;
    return out;
}

/* Weights of the nearest point in a triangle again, from areas about the point itself: in a sliver the Gram system of
 * GJK is off by eps (length / height)^2, this by eps length / height. */
static void refine_weights(AbutSimplex *s) {
    double weight[3], sum = 0.0;
    if (s->count != 3) return;
    abut_triangle_weights(s->p[0].w, s->p[1].w, s->p[2].w, s->v, weight);
    for (int i = 0; i < 3; ++i) sum += weight[i] = abut_larger(0.0, weight[i]);
    for (int i = 0; i < 3; ++i) s->weight[i] = weight[i] / sum;
}

/* About to touch: the nearest points need not lie over the nearest facet, and the simplex of GJK holds them, unless it
 * is such a sliver that its weights mean nothing. */
static const AbutSimplex *choose_witness(const AbutPairView *pair, AbutSimplex *start, const AbutFacet *facet) {
    if (facet->depth > pair->touch || start->count == 4) return &facet->simplex;
    AbutVec3 target = abut_scale(facet->normal, facet->depth);
    refine_weights(start);
    double error = abut_simplex_miss(start, target);
    return error <= 4.0 * pair->touch || error <= abut_simplex_miss(&facet->simplex, target) ? start : &facet->simplex;
}

/* The polytope of a round pair gave up. Where its bounds agree to what is promised that will do; else all directions
 * are gone through, from the best one. */
static void settle_round(AbutPairView *pair, AbutFacet *facet) {
    double size = pair->size + pair->a.radius + pair->b.radius, gap = facet->gap, depth = facet->depth;
    if (facet->found || !abut_pair_is_round(pair)) return;
    if (abut_length_sq(facet->normal) > 0.5) {
        *facet = abut_facet_along(pair, facet->normal);
        facet->gap = gap + (facet->depth - depth);
        if (facet->gap <= ABUT_ROUND_DEEP * size) return;
        abut_round_refine(pair, facet);
    }
    if (pair->supports < pair->budget)
        *facet = abut_directions_facet(pair, facet, ABUT_ROUND_CELLS * size);
    else
        facet->found = 0;
}

/* A facet from a list of directions: the witness point shows whether its normal is good to rounding. */
static inline void polish(AbutPairView *pair, AbutFacet *facet) {
    if (facet->simplex.count > 0)
        facet->gap =
            abut_larger(facet->gap, abut_simplex_miss(&facet->simplex, abut_scale(facet->normal, facet->depth)));
    if (facet->simplex.count == 0 || facet->gap > ABUT_QUERY_PROVEN * pair->noise) abut_facet_polish(pair, facet);
}

/* The polytope, beside what is better for bodies about one axis: at once, or when the polytope gave up. */
static void polytope_facet(AbutPairView *pair, const AbutSimplex *start, AbutFacet *facet) {
    AbutFacet known;
    known.found = 0;
    if (abut_pair_is_round(pair)) known = abut_coaxial_facet(pair, pair->touch);
    if (!known.found) abut_epa(pair, start, facet);
    if (!known.found && !facet->found && abut_pair_is_round(pair))
        known = abut_coaxial_facet(pair, ABUT_ROUND_DEEP * pair->size);
    if (known.found) *facet = known;
}

/* The exact normal of a round pair. Where none could be shown and the pair is shallow, so that a hundred times less is
 * promised than the polytope gives, it is grown once more to that. */
static void refine_round(AbutPairView *pair, const AbutSimplex *start, AbutFacet *facet) {
    double fine = ABUT_ROUND_FINE * pair->size, keep = pair->close_depth;
    if (!facet->found || !abut_pair_is_round(pair) || abut_round_refine(pair, facet) || facet->gap <= fine ||
        facet->depth > ABUT_ROUND_SHALLOW * pair->size || pair->supports >= pair->budget)
        return;
    pair->close_depth = fine;
    AbutFacet again;
    abut_epa(pair, start, &again);
    pair->close_depth = keep;
    if (!again.found) return;
    abut_round_refine(pair, &again);
    if (again.depth <= facet->depth) *facet = again;
}

/* The facet of A - B nearest to the origin, by the means that fit the pair. */
static AbutFacet nearest_facet(AbutPairView *pair, const AbutSimplex *start) {
    int boxes = pair->a.convex->kind == ABUT_CONVEX_BOX && pair->b.convex->kind == ABUT_CONVEX_BOX, listed = boxes;
    AbutFacet facet;
    boxes ? abut_box_facet(pair, &facet) : polytope_facet(pair, start, &facet);
    if (!facet.found && !abut_pair_is_smooth(pair) && pair->supports < pair->budget) {
        facet = abut_facet_search(pair, &facet);
        listed = 1;
    }
    settle_round(pair, &facet);
    double low = listed ? INFINITY : facet.depth - facet.gap; /* a list leaves no facet out, the polytope proves this */
    if (facet.found && !abut_pair_is_smooth(pair) && (listed || facet.gap > ABUT_QUERY_PROVEN * pair->noise)) {
        polish(pair, &facet);
        facet.gap = abut_larger(facet.gap, facet.depth - low);
    }
    refine_round(pair, start, &facet);
    return facet;
}

/* The answer from a facet and its witness points. */
static AbutGap finish_facet(const AbutPairView *pair, const AbutSimplex *witness, const AbutFacet *facet) {
    AbutGap out = abut_pair_finish(pair, witness, -facet->depth, facet->normal, facet->gap);
    if (!abut_pair_is_smooth(pair) && facet->gap > ABUT_QUERY_WANTED * pair->size + 3.0 * ABUT_EPA_EPS * pair->noise)
        out.outcome = ABUT_NOT_CONVERGED;
    return out;
}

/* The cores touch or overlap. */
static AbutGap penetration(AbutPairView *pair, AbutSimplex *start, AbutFacet *facet, AbutConvexCache *cache) {
    if (!facet->found) return unfinished(pair, *facet);
    if (abut_pair_is_smooth(pair)) abut_facet_touch(pair, facet);
    const AbutSimplex *witness = choose_witness(pair, start, facet);
    store_cache(cache, start, abut_zero());
    return finish_facet(pair, witness, facet);
}

/* The cores are apart: v is the nearest point, and the distance at least |v| - gap. */
static AbutGap apart(AbutPairView *pair, AbutSimplex *s, double gap, AbutConvexCache *cache) {
    double length = abut_length(s->v);
    AbutVec3 normal = abut_scale(s->v, -1.0 / length);
    store_cache(cache, s, normal);
    if (abut_pair_is_round(pair)) {
        const AbutSimplex found = *s;
        const AbutVec3 along = normal;
        double low = length - gap - pair->noise, high = length;
        abut_round_polish(pair, s, &length, &normal);
        if (length < low) { /* below what GJK has proved */
            *s = found;
            normal = along;
            length = high;
        }
        refine_weights(s);
    }
    return abut_pair_finish(pair, s, length, normal, gap);
}

/*
 * Is an answer of GJK good to rounding? The distance is no more than the length of a point of A - B, and such is the
 * weighted sum of the corners, whatever the weights: how far it is beyond |v| goes into the gap.
 */
static int proven(const AbutPairView *pair, AbutSimplex *s, double *gap) {
    AbutVec3 sum = s->v;
    double length = abut_length(s->v), low = length - *gap;
    if (s->count == 3) {
        refine_weights(s);
        sum = abut_add_scaled(
            abut_add_scaled(abut_scale(s->p[0].w, s->weight[0]), s->p[1].w, s->weight[1]), s->p[2].w, s->weight[2]);
    }
    *gap = abut_larger(*gap, abut_length(sum) - length);
    return low > pair->beyond || *gap <= pair->close + ABUT_QUERY_PROVEN * pair->noise;
}

/* As above, with twice the digits, from the simplex where the plain search ended. */
static __attribute__((cold, noinline)) AbutGap search_carefully(
    AbutPairView *pair, AbutSimplex *s, double gap, AbutConvexCache *cache) {
    AbutGjkOutcome outcome = abut_gjk_careful(pair, s, 0, &gap);
    if (outcome == ABUT_GJK_INSIDE || outcome == ABUT_GJK_NEAR) {
        AbutFacet facet = nearest_facet(pair, s);
        return penetration(pair, s, &facet, cache);
    }
    double wanted = abut_larger(ABUT_QUERY_WANTED * pair->size, pair->close) + ABUT_QUERY_TOUCH * pair->noise;
    int done = gap <= wanted || abut_length(s->v) - gap > pair->beyond;
    AbutGap out = apart(pair, s, gap, cache);
    if (!done) out.outcome = ABUT_NOT_CONVERGED;
    return out;
}

/* GJK, then the nearest facet where the cores meet. */
static AbutGap search(AbutPairView *pair, AbutConvexCache *cache) {
    AbutSimplex s;
    double gap;
    load_cache(pair, cache, &s);
    set_hints(pair, &s);
    AbutGjkOutcome outcome = abut_gjk(pair, &s, start_direction(pair, cache), 0, &gap);
    int meeting = outcome == ABUT_GJK_INSIDE || outcome == ABUT_GJK_NEAR;
    if (!meeting && proven(pair, &s, &gap)) return apart(pair, &s, gap, cache);
    if (meeting) {
        AbutFacet facet = nearest_facet(pair, &s);
        if (!facet.found || facet.depth >= -pair->touch || pair->supports >= pair->budget)
            return penetration(pair, &s, &facet, cache);
    }
    if (pair->supports < pair->budget) return search_carefully(pair, &s, gap, cache);
    AbutGap out = apart(pair, &s, gap, cache);
    out.outcome = ABUT_NOT_CONVERGED;
    return out;
}

/* Boxes: fifteen directions settle whether they overlap and how deep. Those apart, now or in the last answer, go to
 * GJK. */
static AbutGap boxes(AbutPairView *pair, AbutConvexCache *cache) {
    int were_apart = cache && abut_length_sq(cache->direction) > 0.0;
    AbutFacet facet;
    if (were_apart || (abut_box_facet(pair, &facet), facet.depth < -pair->touch)) return search(pair, cache);
    pair->supports = 15;
    polish(pair, &facet);
    return finish_facet(pair, &facet.simplex, &facet);
}

static void set_limits(AbutPairView *pair, const AbutGapDef *def) {
    if (def->tolerance > 0.0 && abut_pair_is_smooth(pair))
        pair->close = pair->close_depth = def->tolerance * pair->size;
    if (def->within > 0.0)
        pair->beyond = def->within + pair->a.radius + pair->b.radius; /* the searched bodies lie that deep */
    if (def->max_supports > 0) pair->budget = def->max_supports;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define BODIES(x) x, x, x, x, x, x /* point .. support */
#define WITH_POINT(x) abut_body_point, x, x, x, x, x
#define ROUND(x) x, x, x /* cylinder, cone, ellipsoid */

/* clang-format off */
static AbutPairFind *const finder[ABUT_CONVEX_KIND_COUNT][ABUT_CONVEX_KIND_COUNT] = {
    /*               point                segment  triangle  box             polyhedron support half-space */
    /* point      */ {NULL,               NULL,    search,   abut_point_body, search,   search, abut_body_plane, ROUND(abut_point_body), abut_body_sheet},
    /* segment    */ {NULL,               NULL,    search,   search,          search,   search, abut_body_plane, ROUND(search), abut_body_sheet},
    /* triangle   */ {BODIES(search), abut_body_plane, ROUND(search), abut_body_sheet},
    /* box        */ {abut_body_point,    search,  search,   boxes,           search,   search, abut_body_plane, ROUND(search), abut_body_sheet},
    /* polyhedron */ {BODIES(search), abut_body_plane, ROUND(search), abut_body_sheet},
    /* support    */ {BODIES(search), abut_body_plane, ROUND(search), abut_body_sheet},
    /* half-space */ {BODIES(abut_plane_body), abut_plane_plane, ROUND(abut_plane_body), abut_half_space_sheet},
    /* cylinder   */ {WITH_POINT(search), abut_body_plane, ROUND(search), abut_body_sheet},
    /* cone       */ {WITH_POINT(search), abut_body_plane, ROUND(search), abut_body_sheet},
    /* ellipsoid  */ {WITH_POINT(search), abut_body_plane, ROUND(search), abut_body_sheet},
    /* plane      */ {BODIES(abut_sheet_body), abut_sheet_half_space, ROUND(abut_sheet_body), abut_sheet_sheet},
};
/* clang-format on */

static int known_kinds(const AbutConvex *a, const AbutConvex *b) {
    return (unsigned)a->kind < ABUT_CONVEX_KIND_COUNT && (unsigned)b->kind < ABUT_CONVEX_KIND_COUNT;
}

static int are_segments(const AbutConvex *a, const AbutConvex *b) {
    return a->kind <= ABUT_CONVEX_SEGMENT && b->kind <= ABUT_CONVEX_SEGMENT;
}

/* By the row of the table; points and segments need no pair made ready. */
static AbutGap find_distance(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache) {
    AbutPairView pair;
    if (are_segments(a, b)) return abut_segments_distance(a, b, b_in_a);
    if (!abut_pair_view(&pair, a, b, b_in_a)) return abut_gap_invalid();
    if (def) set_limits(&pair, def);
    AbutGap out = finder[a->kind][b->kind](&pair, cache);
    if (def && def->work) def->work->supports += pair.supports;
    return out;
}

AbutGap abut_convex_distance(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache) {
    ABUT_ASSERT(abut_convex_is_set(a) && abut_convex_is_set(b));
    if (!known_kinds(a, b) || (def && (!(def->tolerance >= 0.0 && def->tolerance <= 1.0) || isnan(def->within))))
        return abut_gap_invalid();
    AbutGap out = find_distance(a, b, b_in_a, def, cache);
    if (def && def->within > 0.0 && out.distance - out.error > def->within) out.outcome = ABUT_FARTHER;
    return out;
}

/* The direction that separated two boxes last time is tried first, and kept while it does. */
static int boxes_meet(const AbutPairView *pair, AbutConvexCache *cache) {
    AbutVec3 normal = cache ? cache->direction : abut_zero();
    int meet = abut_boxes_meet(pair, &normal);
    if (cache) cache->direction = meet ? abut_zero() : normal;
    return meet;
}

/*
 * Is what GJK says of the sign beyond doubt? APART comes with a plane between. A tetrahedron around the origin has to
 * have it off its faces by more than their determinants are rounded; the origin in a thinner simplex, and a search that
 * found no plane, are looked at again.
 */
static int sign_is_sure(const AbutPairView *pair, const AbutSimplex *s, AbutGjkOutcome outcome) {
    static const int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    double most = 0.0;
    if (outcome == ABUT_GJK_STALLED) return 0;
    if (outcome != ABUT_GJK_INSIDE) return outcome == ABUT_GJK_APART || s->count < 3;
    for (int i = 0; i < 4; ++i) most = abut_larger(most, abut_max_abs(s->p[i].w));
    for (int i = 0; i < 4; ++i)
        if (!(fabs(abut_triple(s->p[face[i][0]].w, s->p[face[i][1]].w, s->p[face[i][2]].w)) >
                ABUT_MATH_DETERMINANT * most * most * (most + pair->noise)))
            return 0;
    return 1;
}

int abut_convex_meet(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutConvexCache *cache) {
    ABUT_ASSERT(abut_convex_is_set(a) && abut_convex_is_set(b));
    AbutPairView pair;
    AbutSimplex s;
    double gap;
    if (!known_kinds(a, b)) return -1;
    if (are_segments(a, b)) return abut_segments_meet(a, b, b_in_a);
    AbutPairFind *find = finder[a->kind][b->kind];
    if (a->radius != 0.0 || b->radius != 0.0 || abut_convex_is_round(a) || abut_convex_is_round(b) ||
        (find != search && find != boxes)) {
        AbutGap d = find_distance(a, b, b_in_a, NULL, cache);
        return d.outcome == ABUT_INVALID ? -1 : (d.distance <= 0.0 || d.outcome == ABUT_TOUCHING);
    }
    if (!abut_pair_view(&pair, a, b, b_in_a)) return -1;
    if (find == boxes) return boxes_meet(&pair, cache);
    load_cache(&pair, cache, &s);
    set_hints(&pair, &s);
    AbutGjkOutcome outcome = abut_gjk(&pair, &s, start_direction(&pair, cache), 1, &gap);
    if (!sign_is_sure(&pair, &s, outcome)) outcome = abut_gjk_careful(&pair, &s, 1, &gap);
    int apart = outcome == ABUT_GJK_APART || outcome == ABUT_GJK_STALLED;
    store_cache(cache, &s, apart ? abut_normalize(abut_neg(s.v)) : abut_zero());
    return !apart;
}
