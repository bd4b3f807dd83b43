/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pair of convex bodies made ready for one query, seen as its Minkowski difference A - B.
 *
 * The bodies meet where A - B contains the origin. A support point of the difference along d is the farthest point of A
 * along d minus the farthest point of B along -d. Everything is in the frame of A; radii are left out here and added at
 * the end (abut_pair_finish).
 */
#ifndef ABUT_QUERY_PAIR_H
#define ABUT_QUERY_PAIR_H

#include "abut/query.h"
#include "math/scan.h"
#include "query/contract.h"

/* One body: its data, its last support vertex (hint for the next), and where it lies. */
typedef struct AbutBodyView {
    const AbutConvex *convex;
    const double *rows; /* polyhedra: coordinate rows */
    int32_t padded;
    int32_t climb;   /* walk from the hint along edges instead of looking at all vertices */
    int32_t hint;    /* vertex to climb from; -1: none yet */
    AbutVec3 center; /* of the bounding sphere, own frame */
    double reach;    /* radius of the bounding sphere */
    double inset;    /* ellipsoids: what the search leaves out, as a ball (round.h) */
    double radius;   /* that of the body, and the inset */
} AbutBodyView;

typedef struct AbutPairView {
    AbutBodyView a, b;
    AbutMat3 rotation; /* B to A */
    AbutVec3 position;
    const AbutScan *scan;
    double size;               /* sum of the bounding radii */
    double noise;              /* rounding of a support point */
    double touch;              /* bound of what rounding does to a distance: those below it count as touching */
    double close, close_depth; /* gaps allowed to bodies with a support function, apart and overlapping; 0 without */
    int32_t supports;          /* support points taken */
    int32_t budget;            /* the searches end when they have taken as many */
    double beyond;             /* GJK ends when the cores are proven to be farther apart */
} AbutPairView;

/* A point of A - B with the points it comes from. */
typedef struct AbutDifference {
    AbutVec3 w, b;  /* the point of A is w + b */
    int32_t ia, ib; /* vertex numbers; -1 for a support function or a round kind */
} AbutDifference;

typedef struct AbutSimplex {
    int count;
    AbutDifference p[4];
    double weight[4]; /* of the point nearest to the origin */
    AbutVec3 v;       /* that point */
} AbutSimplex;

/* How far the weighted corners are from the point they stand for. */
static inline double abut_simplex_miss(const AbutSimplex *s, AbutVec3 target) {
    AbutVec3 sum = abut_neg(target);
    for (int i = 0; i < s->count; ++i) sum = abut_add_scaled(sum, s->p[i].w, s->weight[i]);
    return abut_length(sum);
}

/* Keeps `count` corners, fewer than four, with their weights about the nearest point v. */
static inline void abut_simplex_keep(AbutSimplex *s, int count, const int *corner, const double *weight, AbutVec3 v) {
    AbutDifference kept[3];
    for (int i = 0; i < count; ++i) {
        kept[i] = s->p[corner[i]];
        s->weight[i] = weight[i];
    }
    for (int i = 0; i < count; ++i) s->p[i] = kept[i];
    s->count = count;
    s->v = v;
}

/* The corners found with B moved, where it stands again. */
static inline void abut_simplex_put_back(AbutSimplex *s, AbutVec3 moved) {
    for (int i = 0; i < s->count; ++i) {
        s->p[i].w = abut_add(s->p[i].w, moved);
        s->p[i].b = abut_sub(s->p[i].b, moved);
    }
}

/* False when a number is not finite, a radius negative or the kind unknown. */
int abut_pair_view(AbutPairView *pair, const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a);

/* Direction from the middle of A to the middle of B. */
AbutVec3 abut_pair_between(const AbutPairView *pair);

/*
 * Result from a nearest or deepest simplex: witness points by the weights, features, radii, outcome. `distance` and
 * `normal` are those of the bodies without radii; `gap` is that of the search, to which rounding is added here.
 */
AbutGap abut_pair_finish(
    const AbutPairView *pair, const AbutSimplex *simplex, double distance, AbutVec3 normal, double gap);

/* ---- gjk.c: nearest point of A - B to the origin ----------------------------------------------------------------- */

typedef enum AbutGjkOutcome {
    ABUT_GJK_APART,  /* simplex->v is the nearest point */
    ABUT_GJK_INSIDE, /* the simplex is a tetrahedron around the origin */
    ABUT_GJK_NEAR,   /* |v| is too small to give a direction */
    ABUT_GJK_STALLED /* rounding stopped it before the tolerance */
} AbutGjkOutcome;

/* Nearest point of the simplex to the origin; drops the points that do not matter. */
void abut_simplex_reduce(AbutSimplex *simplex);

/*
 * Starts from `simplex` (count may be 0) and `start` (a direction, used when it is empty). With `only_sign` it stops at
 * the first direction that separates, and is APART with one only. *gap bounds |v| - distance.
 */
AbutGjkOutcome abut_gjk(AbutPairView *pair, AbutSimplex *simplex, AbutVec3 start, int only_sign, double *gap);

/* ---- careful.c: the same with twice the digits ------------------------------------------------------------------- */

/* Goes on from a simplex that is not empty. Unless INSIDE or NEAR, *gap bounds |v| - distance, rounding of the support
 * points aside; STALLED: the budget or the rounds ended it. */
AbutGjkOutcome abut_gjk_careful(AbutPairView *pair, AbutSimplex *simplex, int only_sign, double *gap);

/* ---- epa.c: nearest facet of A - B around the origin ------------------------------------------------------------- */

typedef struct AbutFacet {
    int found;       /* 0: rounding or memory got in the way; ask abut_facet_search */
    AbutVec3 normal; /* unit, outward */
    double depth;    /* support value along the normal: negative when the origin is outside */
    double gap;      /* depth minus the proven lower bound */
    AbutSimplex simplex;
    AbutVec3 rival; /* another direction of the polytope that may be as good; zero: none */
} AbutFacet;

void abut_epa(AbutPairView *pair, const AbutSimplex *start, AbutFacet *out);

/* ---- coaxial.c: the same for bodies of revolution whose axes differ by no more than `slack`; else found = 0 -------- */

AbutFacet abut_coaxial_facet(AbutPairView *pair, double slack);

/* ---- directions.c: the same for round pairs to a tolerance, from the best facet known (found may be 0) ------------- */

AbutFacet abut_directions_facet(AbutPairView *pair, const AbutFacet *known, double tolerance);

/* ---- facets.c: the same by looking at every facet direction: safe ------------------------------------------------ */

/* `known` is what the polytope came to before it gave up: its best direction and the gap that is left. */
AbutFacet abut_facet_search(AbutPairView *pair, const AbutFacet *known);

/*
 * The facet again from the nearest point of A - B, once it is pushed out along the normal: for one whose normal is not
 * right to rounding, as that of a long thin face may be. The gap is how far the witness point misses the facet, or what
 * the last such normal has changed, if that is less.
 */
void abut_facet_polish(AbutPairView *pair, AbutFacet *facet);

/* Takes n, of unit length, and its support value when that is below best->depth. */
void abut_facet_try(AbutPairView *pair, AbutVec3 n, AbutFacet *best);

/*
 * Witness points anew where those of the facet miss depth * normal, for any pair: B is moved out until the bodies
 * touch, and GJK finds the simplex about the point in common. It misses by no more than the depth is wrong, since a
 * ball of the true depth lies in A - B.
 */
void abut_facet_touch(AbutPairView *pair, AbutFacet *facet);

/* Witness points of a facet: the point of A - B on it that is nearest to depth * normal. */
AbutSimplex abut_facet_witness(const AbutPairView *pair, AbutVec3 normal, double depth);

/* ---- arcs.c: the same for two polyhedra with faces, in a time that grows as their size --------------------------- */

int abut_arcs_fit(const AbutPairView *pair);

/* Improves `best`, whose depth may be infinite; found = 0 when the budget ended it. */
void abut_arc_search(AbutPairView *pair, AbutFacet *best);

/* ---- box_box.c: fifteen directions ------------------------------------------------------------------------------- */

/* Depth below -pair->touch: a separating direction, without witness points. */
void abut_box_facet(AbutPairView *pair, AbutFacet *out);

/* Do two boxes meet? If not, *normal separates them. Its value before the call (zero: none) is tried first. */
int abut_boxes_meet(const AbutPairView *pair, AbutVec3 *normal);

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

/* Distance of a pair that was made ready; `cache` may be NULL. */
typedef AbutGap AbutPairFind(AbutPairView *pair, AbutConvexCache *cache);

/* capsules.c: distance of points and segments with radii, and whether they meet; -1: invalid. */
AbutGap abut_segments_distance(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a);
int abut_segments_meet(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a);

/* point_body.c: points against boxes, cylinders, cones and ellipsoids. */
AbutPairFind abut_point_body, abut_body_point;

/* half_space.c */
AbutPairFind abut_plane_body, abut_body_plane, abut_plane_plane;

/* sheet.c: two-sided planes. */
AbutPairFind abut_sheet_body, abut_body_sheet, abut_sheet_half_space, abut_half_space_sheet, abut_sheet_sheet;

#endif
