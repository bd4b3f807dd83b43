/* SPDX-License-Identifier: Apache-2.0 */
/* Rotations that are too long to inline: logarithm, from a matrix, between two directions, random. */
#include "abut/math.h"
#include "math/functions.h"
#include "math/matrix.h"
#include "math/tolerance.h"

AbutVec3 abut_quat_log(AbutQuat q) {
    if (q.w < 0.0) q = abut_quat(-q.w, -q.x, -q.y, -q.z);
    AbutVec3 u = abut_vec3(q.x, q.y, q.z);
    double s = abut_length(u);
    /* angle/sin(angle/2); the series keeps full precision near zero, where atan2(s, w)/s is 0/0 */
    double factor =
        s > ABUT_QUAT_SMALL_ANGLE ? 2.0 * abut_atan2(s, q.w) / s : 2.0 / q.w * (1.0 - s * s / (3.0 * q.w * q.w));
    return abut_scale(u, factor);
}

/* The largest of the four squared components is computed first, so that no division is by a small number. */
AbutQuat abut_quat_from_mat3(AbutMat3 m) {
    double t = abut_mat3_trace(m);
    AbutQuat q;
    if (t >= m.x.x && t >= m.y.y && t >= m.z.z)
        q = abut_quat(1.0 + t, m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x);
    else if (m.x.x >= m.y.y && m.x.x >= m.z.z)
        q = abut_quat(m.y.z - m.z.y, 1.0 + m.x.x - m.y.y - m.z.z, m.x.y + m.y.x, m.z.x + m.x.z);
    else if (m.y.y >= m.z.z)
        q = abut_quat(m.z.x - m.x.z, m.x.y + m.y.x, 1.0 + m.y.y - m.x.x - m.z.z, m.y.z + m.z.y);
    else
        q = abut_quat(m.x.y - m.y.x, m.z.x + m.x.z, m.y.z + m.z.y, 1.0 + m.z.z - m.x.x - m.y.y);
    return abut_quat_normalize(q);
}

AbutQuat abut_quat_between(AbutVec3 from, AbutVec3 to) {
    double w = 1.0 + abut_dot(from, to);
    if (w < ABUT_QUAT_OPPOSITE) { /* nearly opposite: half a turn about an axis across, then the small rest, which is
                                     well conditioned */
        AbutVec3 across = abut_cross(from, to);
        across = abut_normalize_or(abut_add_scaled(across, from, -abut_dot(across, from)), abut_perpendicular(from));
        AbutVec3 rest = abut_cross(to, from);
        return abut_quat_normalize(abut_quat_mul(
            abut_quat(1.0 - abut_dot(from, to), rest.x, rest.y, rest.z), abut_quat(0.0, across.x, across.y, across.z)));
    }
    AbutVec3 c = abut_cross(from, to);
    return abut_quat_normalize(abut_quat(w, c.x, c.y, c.z));
}

/* Declared with the random numbers of base; it stands here for logarithms and cosines of the same bits everywhere. */
double abut_rng_normal(AbutRng *rng) {
    ABUT_ASSERT(rng);
    double u = ((double)(abut_rng_u64(rng) >> 11) + 1.0) * 0x1p-53, v = abut_rng_unit(rng);
    return sqrt(-2.0 * abut_ln(u)) * abut_cos(6.28318530717958647693 * v);
}

AbutVec3 abut_random_direction(AbutRng *rng) {
    ABUT_ASSERT(rng);
    double z = abut_rng_between(rng, -1.0, 1.0), angle = abut_rng_between(rng, 0.0, 2.0 * ABUT_PI);
    double r = sqrt(fmax(0.0, 1.0 - z * z));
    return abut_vec3(r * abut_cos(angle), r * abut_sin(angle), z);
}

AbutQuat abut_random_quat(AbutRng *rng) {
    ABUT_ASSERT(rng);
    double u = abut_rng_unit(rng), a = abut_rng_between(rng, 0.0, 2.0 * ABUT_PI),
           b = abut_rng_between(rng, 0.0, 2.0 * ABUT_PI);
    double s = sqrt(1.0 - u), c = sqrt(u);
    return abut_quat_normalize(abut_quat(s * abut_sin(a), s * abut_cos(a), c * abut_sin(b), c * abut_cos(b)));
}
