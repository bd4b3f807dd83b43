/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors with twice the digits: the differences of vectors of doubles exactly, and what is made of them. */
#ifndef ABUT_MATH_WIDE_H
#define ABUT_MATH_WIDE_H

#include "abut/math.h"
#include "math/double_double.h"

typedef struct AbutWide {
    AbutDD x, y, z;
} AbutWide;

static inline AbutWide abut_widen(AbutVec3 a) { return (AbutWide){abut_dd(a.x), abut_dd(a.y), abut_dd(a.z)}; }

/* a - b, exactly. */
static inline AbutWide abut_wide_difference(AbutVec3 a, AbutVec3 b) {
    return (AbutWide){abut_dd_sum(a.x, -b.x), abut_dd_sum(a.y, -b.y), abut_dd_sum(a.z, -b.z)};
}

static inline AbutDD abut_wide_minor(AbutDD a, AbutDD b, AbutDD c, AbutDD d) {
    return abut_dd_sub(abut_dd_mul(a, d), abut_dd_mul(b, c));
}

static inline AbutWide abut_wide_cross(AbutWide a, AbutWide b) {
    return (AbutWide){
        abut_wide_minor(a.y, a.z, b.y, b.z), abut_wide_minor(a.z, a.x, b.z, b.x), abut_wide_minor(a.x, a.y, b.x, b.y)};
}

static inline AbutDD abut_wide_dot(AbutWide a, AbutWide b) {
    return abut_dd_add(abut_dd_add(abut_dd_mul(a.x, b.x), abut_dd_mul(a.y, b.y)), abut_dd_mul(a.z, b.z));
}

static inline double abut_wide_triple(AbutWide a, AbutWide b, AbutWide c) {
    return abut_wide_dot(abut_wide_cross(a, b), c).hi;
}

static inline AbutWide abut_wide_scale(AbutWide a, AbutDD t) {
    return (AbutWide){abut_dd_mul(a.x, t), abut_dd_mul(a.y, t), abut_dd_mul(a.z, t)};
}

/* a + b t */
static inline AbutWide abut_wide_along(AbutWide a, AbutWide b, AbutDD t) {
    return (AbutWide){abut_dd_add(a.x, abut_dd_mul(b.x, t)), abut_dd_add(a.y, abut_dd_mul(b.y, t)),
        abut_dd_add(a.z, abut_dd_mul(b.z, t))};
}

static inline AbutVec3 abut_narrow(AbutWide a) { return abut_vec3(a.x.hi, a.y.hi, a.z.hi); }

#endif
