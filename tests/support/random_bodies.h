/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies and places for random cases. A hull that cannot be made fails the test. */
#ifndef ABUT_TESTS_RANDOM_BODIES_H
#define ABUT_TESTS_RANDOM_BODIES_H

#include "abut/shape.h"

/* The hull of points, to be freed. */
AbutPolyhedron *hull_of(const AbutVec3 *points, int count);

/* The hull of `count` random points on the ellipsoid with these half axes, to be freed. */
AbutPolyhedron *random_hull(AbutRng *rng, int count, AbutVec3 axes);

/* A rotation from four normal numbers: another way than the library's. */
AbutQuat random_turn(AbutRng *rng);

/* Any rotation, and a place up to `reach` from the origin. */
AbutPose random_pose(AbutRng *rng, double reach);

#endif
