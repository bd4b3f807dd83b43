/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simplices of A - B with twice the digits: what the searches ask where ordinary arithmetic loses too many, on long
 * thin simplices and next to the origin. The corners are taken as they are, as exact numbers.
 */
#ifndef ABUT_QUERY_CAREFUL_H
#define ABUT_QUERY_CAREFUL_H

#include "query/pair.h"

/* Unit normal of the triangle a b c, accurate to rounding for the thinnest triangle; zero when it has no area. */
AbutVec3 abut_careful_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c);

/* The same by ordinary arithmetic where the widest angle allows it: its squared sine is to be above `thin`. */
AbutVec3 abut_thin_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c, double thin);

/* Sign of det(b - a, c - a, d - a). */
int abut_careful_side(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d);

/* Weights of the point of the plane a b c nearest to the origin: their sum is 1, and some may be negative. */
void abut_careful_foot(AbutVec3 a, AbutVec3 b, AbutVec3 c, double weight[3]);

/* The same by ordinary arithmetic, from areas about `foot`, for triangles that are not thin. */
static inline void abut_triangle_weights(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 foot, double weight[3])
{
    AbutVec3 n = abut_cross(abut_sub(b, a), abut_sub(c, a)),
             r[3] = {abut_sub(a, foot), abut_sub(b, foot), abut_sub(c, foot)};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        weight[k] = abut_triple(n, r[(k + 1) % 3], r[(k + 2) % 3]);
        sum += weight[k];
    }
    for (int k = 0; k < 3; ++k)
        weight[k] = sum > 0.0 ? weight[k] / sum : 1.0 / 3.0;
}

/* As abut_simplex_reduce. */
void abut_careful_reduce(AbutSimplex *simplex);

/* Unit normal of a triangle: by ordinary arithmetic where its angle at a is wide enough for that. */
static inline AbutVec3 abut_triangle_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c, double thin)
{
    AbutVec3 ab = abut_sub(b, a), ac = abut_sub(c, a), n = abut_cross(ab, ac);
    double square = abut_length_sq(n);
    if (square > thin * (abut_length_sq(ab) * abut_length_sq(ac)))
        return abut_scale(n, 1.0 / sqrt(square));
    return abut_thin_normal(a, b, c, thin);
}

#endif
