/* SPDX-License-Identifier: Apache-2.0 */
/* Exact signs of small determinants (exact.c), for the hull and for the meshes of the room query. */
#ifndef ABUT_SHAPE_EXACT_H
#define ABUT_SHAPE_EXACT_H

#include "abut/math.h"

/* Sign of det(b - a, c - a, d - a): 1 when d lies above the plane a b c (counter-clockwise seen from above). */
int abut_exact_side(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d);

/* Sign of the turn a b c in the plane (x, y; z is not read): 1 to the left. */
int abut_exact_turn(AbutVec3 a, AbutVec3 b, AbutVec3 c);

/* Sign of ax by - ay bx: 1 when b lies to the left of a, seen from the origin. */
int abut_exact_area(double ax, double ay, double bx, double by);

/* Unit normal of the triangle a b c, accurate to rounding for the thinnest triangle; zero when it has no area. */
AbutVec3 abut_exact_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c);

#endif
