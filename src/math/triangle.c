/* SPDX-License-Identifier: Apache-2.0 */
/* Normals of thin triangles: the corners are taken as exact, their differences and products have some 32 digits. */
#include "math/triangle.h"
#include "math/wide.h"

static AbutVec3 wide_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    AbutVec3 n = abut_narrow(abut_wide_cross(abut_wide_difference(b, a), abut_wide_difference(c, a)));
    double most = abut_max_abs(n);
    return most > 0.0 ? abut_normalize(abut_scale(n, 1.0 / most)) : abut_zero();
}

AbutVec3 abut_thin_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c, double thin)
{
    double sides[3] = {abut_length_sq(abut_sub(b, c)), abut_length_sq(abut_sub(c, a)), abut_length_sq(abut_sub(a, b))};
    int widest = sides[0] >= sides[1] ? (sides[0] >= sides[2] ? 0 : 2) : (sides[1] >= sides[2] ? 1 : 2);
    AbutVec3 p[5] = {a, b, c, a, b}, u = abut_sub(p[widest + 1], p[widest]), v = abut_sub(p[widest + 2], p[widest]);
    AbutVec3 n = abut_cross(u, v);
    double square = abut_length_sq(n);
    if (square > thin * (abut_length_sq(u) * abut_length_sq(v)))
        return abut_scale(n, 1.0 / sqrt(square));
    return wide_normal(a, b, c);
}
