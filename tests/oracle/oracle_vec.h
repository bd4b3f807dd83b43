/* SPDX-License-Identifier: Apache-2.0 */
/* Long double vectors for the references, and the point of a small simplex or of two segments nearest to the origin. */
#ifndef ABUT_TESTS_ORACLE_VEC_H
#define ABUT_TESTS_ORACLE_VEC_H

#include <math.h>

#include "oracle/convex_oracle.h"

static inline OracleVec ov(long double x, long double y, long double z) {
    OracleVec v = {x, y, z};
    return v;
}

static inline OracleVec ov_from(AbutVec3 v) { return ov(v.x, v.y, v.z); }

static inline AbutVec3 ov_to(OracleVec v) { return abut_vec3((double)v.x, (double)v.y, (double)v.z); }

static inline OracleVec ov_add(OracleVec a, OracleVec b) { return ov(a.x + b.x, a.y + b.y, a.z + b.z); }

static inline OracleVec ov_sub(OracleVec a, OracleVec b) { return ov(a.x - b.x, a.y - b.y, a.z - b.z); }

static inline OracleVec ov_scale(OracleVec a, long double s) { return ov(a.x * s, a.y * s, a.z * s); }

static inline long double ov_dot(OracleVec a, OracleVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline OracleVec ov_cross(OracleVec a, OracleVec b) {
    return ov(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline long double ov_length(OracleVec a) { return sqrtl(ov_dot(a, a)); }

/* Zero stays zero. */
static inline OracleVec ov_unit(OracleVec a) {
    long double length = ov_length(a);
    return length > 0 ? ov_scale(a, 1 / length) : a;
}

static inline OracleVec ov_perpendicular(OracleVec a) {
    return ov_unit(ov_cross(a, fabsl(a.x) < 0.6L * ov_length(a) ? ov(1, 0, 0) : ov(0, 1, 0)));
}

/*
 * Nearest point to the origin of the hull of set[0 .. *count-1], *count <= 4; the set is cut down to the points that
 * carry it. Every subset is tried: the best point that is a convex combination wins.
 */
OracleVec ov_simplex_nearest(OracleVec *set, int *count);

/* Shortest vector from segment a b to segment c d, taken over the inside of both; the ends are for others to try. */
OracleVec ov_segment_nearest(OracleVec a, OracleVec b, OracleVec c, OracleVec d);

#endif
