/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact normals and depths for pairs with a cylinder, cone or ellipsoid.
 *
 * GJK with a gap of 1e-10 leaves its normal off by the root of that. For cores apart, with w(n) the farthest point of
 * A - B along n, the answer has w = -d n; Newton's step on the tangential part g of w is -(J + d)^-1 g, J the sum of
 * both curvature matrices: positive definite as long as d > 0. Where a line or a face touches, w jumps and the steps do
 * not shrink; then the straight directions are read off the simplex of GJK, which spans them (round_straight.c). What
 * none of them improves is kept as GJK found it.
 *
 * Cores that overlap: the expanding polytope bounds the depth to 1e-7. From its normal the same steps work with d < 0,
 * as long as the radii of curvature exceed the depth. Where they do not, B is moved out along the normal n until the
 * bodies are parted, GJK gives the normal of the parted bodies, and the depth along it, of the bodies where they stand,
 * is taken when it is less. The error of the normal shrinks in each round by D / (D + rho - depth), D the way moved and
 * rho the radius of curvature of A - B; any direction gives an upper bound of the depth, so no round can do harm.
 */
#include "query/support.h"
#include "query/tolerance.h"

enum { MAX_STEPS = 8, MAX_SHIFTS = 12 };

static AbutMat3 body_curvature(const AbutBodyView *body, AbutVec3 d) {
    return abut_convex_is_round(body->convex) ? abut_round_curvature(body->convex, body->inset, d)
                                              : abut_mat3_diagonal(0.0, 0.0, 0.0);
}

void abut_round_curvatures(const AbutPairView *pair, AbutVec3 n, AbutMat3 *a, AbutMat3 *b) {
    AbutMat3 r = pair->rotation, own = body_curvature(&pair->b, abut_neg(abut_mat3_apply_t(r, n)));
    *a = body_curvature(&pair->a, n);
    *b = abut_mat3_mul(abut_mat3_mul(r, own), abut_mat3_transpose(r));
}

AbutMat3 abut_round_stiffness(const AbutPairView *pair, AbutVec3 n, double distance) {
    AbutMat3 a, b;
    abut_round_curvatures(pair, n, &a, &b);
    return abut_mat3_add(abut_mat3_add(a, b), abut_mat3_diagonal(distance, distance, distance));
}

/* One step of Newton in the plane across n, as long as never accepted where the system is not positive definite. */
static AbutVec3 newton_step(AbutMat3 m, AbutVec3 n, AbutVec3 g) {
    AbutVec3 u = abut_perpendicular(n), v = abut_cross(n, u), mu = abut_mat3_apply(m, u), mv = abut_mat3_apply(m, v);
    double a = abut_dot(u, mu), b = abut_dot(u, mv), c = abut_dot(v, mv), det = a * c - b * b;
    double gu = abut_dot(g, u), gv = abut_dot(g, v);
    if (!(det > 0.0 && a > 0.0)) return abut_vec3(INFINITY, INFINITY, INFINITY);
    return abut_add(abut_scale(u, (b * gv - c * gu) / det), abut_scale(v, (b * gu - a * gv) / det));
}

/* Newton's method where one curved point faces another; 0: it is another kind of contact. */
static int polish_point(AbutPairView *pair, AbutSimplex *s, double *distance, AbutVec3 *normal) {
    AbutVec3 n = *normal;
    double last = INFINITY, least = *distance - ABUT_ROUND_WORSE * pair->size;
    for (int step = 0; step < MAX_STEPS; ++step) {
        AbutDifference w = abut_pair_support(pair, n);
        double d = -abut_dot(n, w.w);
        AbutVec3 g = abut_add_scaled(w.w, n, d), delta = newton_step(abut_round_stiffness(pair, n, d), n, g);
        double size = abut_length(delta);
        if (!(d >= least) || !(size <= 0.5 * last) || size > ABUT_ROUND_FIRST_STEP) return 0;
        if (abut_length(g) <= ABUT_ROUND_DONE * pair->size + pair->noise) {
            AbutSimplex point = {1, {w}, {1.0}, w.w};
            *s = point;
            *distance = d;
            *normal = n;
            return 1;
        }
        n = abut_normalize(abut_add(n, delta));
        last = size;
    }
    return 0;
}

static int polish(AbutPairView *pair, AbutSimplex *s, double *distance, AbutVec3 *normal) {
    return polish_point(pair, s, distance, normal) || abut_round_polish_line(pair, s, distance, normal) ||
           abut_round_polish_face(pair, s, distance, normal);
}

void abut_round_polish(AbutPairView *pair, AbutSimplex *s, double *distance, AbutVec3 *normal) {
    if (abut_pair_is_round(pair)) polish(pair, s, distance, normal);
}

/* Nearest points of the pair with B moved out by `way` along n: the direction between them, and the simplex where the
 * bodies stand. False when they are not well apart. */
static int parted_normal(AbutPairView *pair, AbutVec3 n, double way, AbutVec3 *found, AbutSimplex *s) {
    AbutVec3 place = pair->position, move = abut_scale(n, way);
    double gap, distance, beyond = pair->beyond;
    pair->position = abut_add(place, move);
    pair->beyond = INFINITY; /* the bodies where they stand may be nearer */
    s->count = 0;
    AbutGjkOutcome outcome = abut_gjk(pair, s, n, 0, &gap);
    distance = abut_length(s->v);
    int apart = (outcome == ABUT_GJK_APART || outcome == ABUT_GJK_STALLED) && distance > 0.1 * way;
    if (apart) {
        *found = abut_scale(s->v, -1.0 / distance);
        abut_round_polish(pair, s, &distance, found);
    }
    pair->position = place;
    pair->beyond = beyond;
    abut_simplex_put_back(s, move);
    return apart;
}

/* A direction with less depth, or as much. */
static int take(const AbutPairView *pair, AbutFacet *facet, AbutVec3 n, double depth, const AbutSimplex *s) {
    if (depth > facet->depth + pair->noise) return 0;
    facet->gap = abut_larger(0.0, facet->gap - (facet->depth - depth));
    facet->depth = depth;
    facet->normal = n;
    facet->simplex = *s;
    return 1;
}

/* Newton's method where the bodies stand. */
static int settle(AbutPairView *pair, AbutFacet *facet) {
    AbutVec3 n = facet->normal;
    AbutSimplex s = facet->simplex;
    double distance = -facet->depth;
    return polish(pair, &s, &distance, &n) && take(pair, facet, n, -distance, &s);
}

/* Brings a facet to the best normal near it; false when none proves to be it. */
static int refine(AbutPairView *pair, AbutFacet *facet) {
    double way = ABUT_ROUND_SHIFT * pair->size + 2.0 * abut_larger(0.0, facet->depth);
    for (int round = 0; round < MAX_SHIFTS; ++round) {
        AbutVec3 n, at = facet->normal;
        AbutSimplex s;
        if (settle(pair, facet)) return 1;
        if (!parted_normal(pair, at, way, &n, &s) ||
            !take(pair, facet, n, abut_dot(n, abut_pair_support(pair, n).w), &s) ||
            abut_point_distance(n, at) < ABUT_ROUND_SAME)
            return 0;
    }
    return 0;
}

int abut_round_refine(AbutPairView *pair, AbutFacet *facet) {
    int settled = refine(pair, facet);
    if (!(abut_length_sq(facet->rival) > 0.5)) return settled;
    AbutFacet other = abut_facet_along(pair, facet->rival);
    int other_settled = refine(pair, &other);
    if (other.depth < facet->depth) {
        take(pair, facet, other.normal, other.depth, &other.simplex);
        settled = other_settled;
    }
    return settled;
}
