/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed distance of two convex bodies of any bounded kind by their extents, in long double: for pairs that have no
 * list of facets. The distance is the largest gap between them over all directions, so any direction gives a lower
 * bound; a search over the sphere, and uphill from the best, finds the largest. Extents of the kinds are written here
 * again, independent of the library.
 */
#ifndef ABUT_TESTS_EXTENT_ORACLE_H
#define ABUT_TESTS_EXTENT_ORACLE_H

#include "oracle/convex_oracle.h"

/* Two bodies, B placed by `pose`, whose rotation is made unit in long double. */
typedef struct ExtentPair {
    const AbutConvex *a, *b;
    AbutPose pose;
    OracleVec row[3];
    double size; /* half the largest width along an axis, both bodies together; of two points their coordinates */
} ExtentPair;

ExtentPair extent_pair(const AbutConvex *a, const AbutConvex *b, AbutPose pose);

/* Largest n . x over a bounded body in its own frame, its radius included; n is a unit vector. A support function is
 * taken to have an AbutConvex as its `user`, which is measured. */
long double extent_along(const AbutConvex *c, OracleVec n);

/* A direction of the frame of A in that of B. */
OracleVec extent_in_b(const ExtentPair *q, OracleVec n);

/* Gap along the unit vector n from A to B. */
long double extent_gap(const ExtentPair *q, OracleVec n);

/* The largest gap uphill from n, by a pattern of directions that begins with this step and shrinks. */
long double extent_climb(const ExtentPair *q, OracleVec n, long double step);

/* The signed distance by looking everywhere, and uphill from `hint`. */
long double extent_everywhere(const ExtentPair *q, OracleVec hint);

/* How far a point lies outside a sharp cylinder, cone or ellipsoid, by its inequalities; 0 for other bodies. */
long double extent_outside(const AbutConvex *c, AbutVec3 p);

#endif
