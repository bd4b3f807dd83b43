/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cylinders, cones and ellipsoids: exact bodies without vertices. They go through the same searches as support
 * functions, and because their radii of curvature are known the answer is made exact afterward.
 *
 * An ellipsoid is searched as its inner parallel body plus a ball: the parallel body at depth `inset` is convex as long
 * as the inset is at most the least radius of curvature a_min^2 / a_max, and its farthest point is that of the
 * ellipsoid less inset times the direction.
 */
#ifndef ABUT_QUERY_ROUND_H
#define ABUT_QUERY_ROUND_H

#include "query/convex_pair.h"

static inline int abut_convex_is_round(const AbutConvex *c) {
    return c->kind == ABUT_CONVEX_CYLINDER || c->kind == ABUT_CONVEX_CONE || c->kind == ABUT_CONVEX_ELLIPSOID;
}

/* For a round kind: sizes within their range; radius of the bounding sphere about the origin; see above. */
int abut_round_is_valid(const AbutConvex *c);
double abut_round_reach(const AbutConvex *c);
double abut_round_inset(const AbutConvex *c);

/* Signed distance of a point from a round kind without a radius, own frame, and the unit normal there, outward. */
double abut_round_over(const AbutConvex *c, AbutVec3 p, AbutVec3 *normal);

/* Farthest point along d (not zero, any length) of the body less its inset. */
AbutVec3 abut_round_farthest(const AbutConvex *c, double inset, AbutVec3 d);

/* The end of a straight part: farthest along d, which is the unit vector n leaned a little, but on curved parts that of
 * n. */
AbutVec3 abut_round_leaned(const AbutConvex *c, double inset, AbutVec3 n, AbutVec3 d);

/* How the farthest point moves with the unit direction d: symmetric, its nonzero eigenvalues the radii of curvature. */
AbutMat3 abut_round_curvature(const AbutConvex *c, double inset, AbutVec3 d);

/* Curvature matrices of both bodies at the unit direction n of A and -n of B, in the frame of A; their sum, that of
 * A - B, plus the distance times 1. */
void abut_round_curvatures(const AbutPairView *pair, AbutVec3 n, AbutMat3 *a, AbutMat3 *b);
AbutMat3 abut_round_stiffness(const AbutPairView *pair, AbutVec3 n, double distance);

/*
 * Cores apart: Newton's method on the normal that GJK found. It replaces distance, normal and simplex, or leaves them
 * where it does not converge. Nothing for pairs without a round kind.
 */
void abut_round_polish(AbutPairView *pair, AbutSimplex *simplex, double *distance, AbutVec3 *normal);

/* As above, where the nearest points lie along a line or on a face, as the simplex says; 0: not so. */
int abut_round_polish_line(AbutPairView *pair, AbutSimplex *simplex, double *distance, AbutVec3 *normal);
int abut_round_polish_face(AbutPairView *pair, AbutSimplex *simplex, double *distance, AbutVec3 *normal);

/* Cores of a round pair that overlap: the facet of the expanding polytope brought to the true normal of least depth. 0:
 * it could not be shown that it is one. */
int abut_round_refine(AbutPairView *pair, AbutFacet *facet);

#endif
