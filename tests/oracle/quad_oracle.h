/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed distance of two small convex bodies in quadruple precision, for pairs on which long double loses too many
 * digits. Bodies are at most QUAD_VERTICES points; edges and faces are not needed, since every facet of the difference
 * is spanned by three points of one body or by two points of each, and all of those are tried.
 */
#ifndef ABUT_TESTS_QUAD_ORACLE_H
#define ABUT_TESTS_QUAD_ORACLE_H

#include "abut/query.h"

__extension__ typedef __float128 Quad;

enum { QUAD_VERTICES = 8 };

/*
 * Distance of the hulls of two sets of vertices, B placed by `b_in_a` (its quaternion is normalized as exactly as
 * everything else): positive apart, minus the depth else. *error bounds what the oracle itself may be off.
 */
Quad quad_distance(const AbutVec3 *a, int count_a, const AbutVec3 *b, int count_b, AbutPose b_in_a, Quad *error);

#endif
