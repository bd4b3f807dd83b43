/* SPDX-License-Identifier: Apache-2.0 */
/* One triangle: normal, foot of the origin, side of a point; thin ones with twice the digits. */
#ifndef ABUT_MATH_TRIANGLE_H
#define ABUT_MATH_TRIANGLE_H

#include "math/wide.h"

/* Unit normal of the triangle a b c: by ordinary arithmetic where the squared sine of its widest angle is above `thin`,
 * else with twice the digits, accurate to rounding for the thinnest triangle; zero when it has no area. */
AbutVec3 abut_thin_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c, double thin);

/* The same, by ordinary arithmetic at once where the angle at a is wide enough for that. */
static inline AbutVec3 abut_triangle_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c, double thin) {
    AbutVec3 ab = abut_sub(b, a), ac = abut_sub(c, a), n = abut_cross(ab, ac);
    double square = abut_length_sq(n);
    if (square > thin * (abut_length_sq(ab) * abut_length_sq(ac))) return abut_scale(n, 1.0 / sqrt(square));
    return abut_thin_normal(a, b, c, thin);
}

/* Weights of the point `foot` of the plane a b c, from areas about it, for triangles that are not thin. */
static inline void abut_triangle_weights(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 foot, double weight[3]) {
    AbutVec3 n = abut_cross(abut_sub(b, a), abut_sub(c, a)),
             r[3] = {abut_sub(a, foot), abut_sub(b, foot), abut_sub(c, foot)};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        weight[k] = abut_triple(n, r[(k + 1) % 3], r[(k + 2) % 3]);
        sum += weight[k];
    }
    for (int k = 0; k < 3; ++k) weight[k] = sum > 0.0 ? weight[k] / sum : 1.0 / 3.0;
}

/* Sign of det(b - a, c - a, d - a). */
int abut_side_of(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d);

/* Foot of the origin in the plane of a triangle. */
typedef struct AbutFoot {
    AbutWide normal;
    AbutDD square, height; /* normal . normal, normal . a */
    AbutDD weight[3];
} AbutFoot;

/* False when the triangle has no area. */
int abut_wide_foot(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutFoot *out);

/* Its weights alone: their sum is 1, and some may be negative. */
void abut_triangle_foot(AbutVec3 a, AbutVec3 b, AbutVec3 c, double weight[3]);

#endif
