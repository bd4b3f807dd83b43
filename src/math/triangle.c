/* SPDX-License-Identifier: Apache-2.0 */
/* Thin triangles: the corners are taken as exact, their differences and products have some 32 digits. */
#include "math/triangle.h"
#include "math/tolerance.h"

static AbutVec3 wide_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    AbutVec3 n = abut_narrow(abut_wide_cross(abut_wide_difference(b, a), abut_wide_difference(c, a)));
    double most = abut_max_abs(n);
    return most > 0.0 ? abut_normalize(abut_scale(n, 1.0 / most)) : abut_zero();
}

AbutVec3 abut_thin_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c, double thin) {
    double sides[3] = {abut_length_sq(abut_sub(b, c)), abut_length_sq(abut_sub(c, a)), abut_length_sq(abut_sub(a, b))};
    int widest = sides[0] >= sides[1] ? (sides[0] >= sides[2] ? 0 : 2) : (sides[1] >= sides[2] ? 1 : 2);
    AbutVec3 p[5] = {a, b, c, a, b}, u = abut_sub(p[widest + 1], p[widest]), v = abut_sub(p[widest + 2], p[widest]);
    AbutVec3 n = abut_cross(u, v);
    double square = abut_length_sq(n);
    if (square > thin * (abut_length_sq(u) * abut_length_sq(v))) return abut_scale(n, 1.0 / sqrt(square));
    return wide_normal(a, b, c);
}

int abut_side_of(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d) {
    AbutVec3 ab = abut_sub(b, a), ac = abut_sub(c, a), ad = abut_sub(d, a);
    double volume = abut_triple(ab, ac, ad), most = abut_max_abs(ab) * abut_max_abs(ac) * abut_max_abs(ad);
    if (!(fabs(volume) > ABUT_MATH_DETERMINANT * most))
        volume = abut_wide_triple(abut_wide_difference(b, a), abut_wide_difference(c, a), abut_wide_difference(d, a));
    return (volume > 0.0) - (volume < 0.0);
}

int abut_wide_foot(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutFoot *out) {
    AbutWide ab = abut_wide_difference(b, a), ac = abut_wide_difference(c, a), from = abut_widen(a),
             n = abut_wide_cross(ab, ac);
    out->normal = n;
    out->square = abut_wide_dot(n, n);
    out->height = abut_wide_dot(n, from);
    if (!(out->square.hi > 0.0)) return 0;
    out->weight[1] = abut_dd_div(abut_wide_dot(abut_wide_cross(ac, from), n), out->square);
    out->weight[2] = abut_dd_div(abut_wide_dot(abut_wide_cross(from, ab), n), out->square);
    out->weight[0] = abut_dd_sub(abut_dd_sub(abut_dd(1.0), out->weight[1]), out->weight[2]);
    return 1;
}

void abut_triangle_foot(AbutVec3 a, AbutVec3 b, AbutVec3 c, double weight[3]) {
    AbutFoot foot;
    int ok = abut_wide_foot(a, b, c, &foot);
    for (int k = 0; k < 3; ++k) weight[k] = ok ? foot.weight[k].hi : 1.0 / 3.0;
}
