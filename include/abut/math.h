/* SPDX-License-Identifier: Apache-2.0 */
/*
 * math: small vectors and poses by value, all inline; polynomials and intervals with sound bounds.
 *
 * Conventions: double precision, right-handed, radians, quaternion (w, x, y, z). Unqualified verbs mean 3-vectors
 * (abut_add, abut_dot, abut_cross); everything else says its type (abut_quat_mul, abut_pose_inv). A pose maps local
 * coordinates to the outer frame: p_outer = rotate(q, p_local) + p.
 */
#ifndef ABUT_MATH_H
#define ABUT_MATH_H

#include <math.h>

#include "abut/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ABUT_PI 3.14159265358979323846
#define ABUT_GRAVITY 9.80665 /* standard gravity, m/s^2 */

/* The larger and the smaller of two numbers as one instruction; b when a is NaN. */
ABUT_INLINE double abut_larger(double a, double b) { return a > b ? a : b; }

ABUT_INLINE double abut_smaller(double a, double b) { return a < b ? a : b; }

/* ---- functions --------------------------------------------------------------------------------------------------- */

/*
 * As in C's math.h, special values included, to within 1 ulp; but the same bits with every
 * compiler, C library and machine, which is what makes a simulation the same everywhere.
 */
ABUT_API double abut_sin(double x);
ABUT_API double abut_cos(double x);

/* ---- 3-vectors --------------------------------------------------------------------------------------------------- */

typedef struct AbutVec3 {
    double x, y, z;
} AbutVec3;

ABUT_INLINE AbutVec3 abut_vec3(double x, double y, double z) {
    AbutVec3 v = {x, y, z};
    return v;
}

ABUT_INLINE AbutVec3 abut_zero(void) { return abut_vec3(0.0, 0.0, 0.0); }

ABUT_INLINE AbutVec3 abut_add(AbutVec3 a, AbutVec3 b) { return abut_vec3(a.x + b.x, a.y + b.y, a.z + b.z); }

ABUT_INLINE AbutVec3 abut_sub(AbutVec3 a, AbutVec3 b) { return abut_vec3(a.x - b.x, a.y - b.y, a.z - b.z); }

ABUT_INLINE AbutVec3 abut_neg(AbutVec3 a) { return abut_vec3(-a.x, -a.y, -a.z); }

ABUT_INLINE AbutVec3 abut_scale(AbutVec3 a, double s) { return abut_vec3(a.x * s, a.y * s, a.z * s); }

/* a + s b */
ABUT_INLINE AbutVec3 abut_add_scaled(AbutVec3 a, AbutVec3 b, double s) {
    return abut_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

ABUT_INLINE AbutVec3 abut_mul(AbutVec3 a, AbutVec3 b) /* component by component */
{
    return abut_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

ABUT_INLINE AbutVec3 abut_lerp(AbutVec3 a, AbutVec3 b, double t) { return abut_add_scaled(a, abut_sub(b, a), t); }

ABUT_INLINE double abut_dot(AbutVec3 a, AbutVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

ABUT_INLINE AbutVec3 abut_cross(AbutVec3 a, AbutVec3 b) {
    return abut_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

ABUT_INLINE double abut_triple(AbutVec3 a, AbutVec3 b, AbutVec3 c) { return abut_dot(a, abut_cross(b, c)); }

ABUT_INLINE double abut_length_sq(AbutVec3 a) { return abut_dot(a, a); }

ABUT_INLINE double abut_length(AbutVec3 a) { return sqrt(abut_length_sq(a)); }

ABUT_INLINE double abut_point_distance(AbutVec3 a, AbutVec3 b) { return abut_length(abut_sub(a, b)); }

ABUT_INLINE double abut_max_abs(AbutVec3 a) { return abut_larger(fabs(a.x), abut_larger(fabs(a.y), fabs(a.z))); }

ABUT_INLINE AbutVec3 abut_min(AbutVec3 a, AbutVec3 b) {
    return abut_vec3(abut_smaller(a.x, b.x), abut_smaller(a.y, b.y), abut_smaller(a.z, b.z));
}

ABUT_INLINE AbutVec3 abut_max(AbutVec3 a, AbutVec3 b) {
    return abut_vec3(abut_larger(a.x, b.x), abut_larger(a.y, b.y), abut_larger(a.z, b.z));
}

ABUT_INLINE int abut_is_finite(AbutVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/* Unit vector along a at any scale; `fallback` when a is zero or not finite. */
ABUT_INLINE AbutVec3 abut_normalize_or(AbutVec3 a, AbutVec3 fallback) {
    double s = abut_max_abs(a);
    if (!(s > 0.0)) return fallback;
    a = abut_vec3(a.x / s, a.y / s, a.z / s); /* NaN where a holds NaN or infinity */
    double length = abut_length(a);
    return length > 0.0 ? abut_scale(a, 1.0 / length) : fallback;
}

ABUT_INLINE AbutVec3 abut_normalize(AbutVec3 a) { return abut_normalize_or(a, abut_zero()); }

/* Component by index 0, 1, 2. */
ABUT_INLINE double abut_get(AbutVec3 a, int i) { return i == 0 ? a.x : (i == 1 ? a.y : a.z); }

ABUT_INLINE AbutVec3 abut_axis(int i) { return abut_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0); }

/* A unit vector at right angles to the unit vector n; continuous except near one direction. */
ABUT_INLINE AbutVec3 abut_perpendicular(AbutVec3 n) {
    AbutVec3 a = fabs(n.x) < 0.6 ? abut_vec3(1.0, 0.0, 0.0) : abut_vec3(0.0, 1.0, 0.0);
    return abut_normalize(abut_cross(n, a));
}

/* ---- 3x3 matrices: three columns, the images of the axes --------------------------------------------------------- */

typedef struct AbutMat3 {
    AbutVec3 x, y, z;
} AbutMat3;

ABUT_INLINE AbutMat3 abut_mat3(AbutVec3 x, AbutVec3 y, AbutVec3 z) {
    AbutMat3 m = {x, y, z};
    return m;
}

ABUT_INLINE AbutMat3 abut_mat3_identity(void) { return abut_mat3(abut_axis(0), abut_axis(1), abut_axis(2)); }

ABUT_INLINE AbutMat3 abut_mat3_diagonal(double a, double b, double c) {
    return abut_mat3(abut_vec3(a, 0, 0), abut_vec3(0, b, 0), abut_vec3(0, 0, c));
}

ABUT_INLINE AbutVec3 abut_mat3_apply(AbutMat3 m, AbutVec3 v) {
    return abut_vec3(m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
        m.x.z * v.x + m.y.z * v.y + m.z.z * v.z);
}

/* transpose(m) v */
ABUT_INLINE AbutVec3 abut_mat3_apply_t(AbutMat3 m, AbutVec3 v) {
    return abut_vec3(abut_dot(m.x, v), abut_dot(m.y, v), abut_dot(m.z, v));
}

ABUT_INLINE AbutMat3 abut_mat3_mul(AbutMat3 a, AbutMat3 b) {
    return abut_mat3(abut_mat3_apply(a, b.x), abut_mat3_apply(a, b.y), abut_mat3_apply(a, b.z));
}

ABUT_INLINE AbutMat3 abut_mat3_transpose(AbutMat3 m) {
    return abut_mat3(abut_vec3(m.x.x, m.y.x, m.z.x), abut_vec3(m.x.y, m.y.y, m.z.y), abut_vec3(m.x.z, m.y.z, m.z.z));
}

/* transpose(a) b */
ABUT_INLINE AbutMat3 abut_mat3_mul_t(AbutMat3 a, AbutMat3 b) {
    return abut_mat3(abut_mat3_apply_t(a, b.x), abut_mat3_apply_t(a, b.y), abut_mat3_apply_t(a, b.z));
}

ABUT_INLINE AbutMat3 abut_mat3_add(AbutMat3 a, AbutMat3 b) {
    return abut_mat3(abut_add(a.x, b.x), abut_add(a.y, b.y), abut_add(a.z, b.z));
}

ABUT_INLINE AbutMat3 abut_mat3_sub(AbutMat3 a, AbutMat3 b) {
    return abut_mat3(abut_sub(a.x, b.x), abut_sub(a.y, b.y), abut_sub(a.z, b.z));
}

ABUT_INLINE AbutMat3 abut_mat3_scale(AbutMat3 a, double s) {
    return abut_mat3(abut_scale(a.x, s), abut_scale(a.y, s), abut_scale(a.z, s));
}

ABUT_INLINE double abut_mat3_trace(AbutMat3 m) { return m.x.x + m.y.y + m.z.z; }

/* ---- quaternions ------------------------------------------------------------------------------------------------- */

typedef struct AbutQuat {
    double w, x, y, z;
} AbutQuat;

ABUT_INLINE AbutQuat abut_quat(double w, double x, double y, double z) {
    AbutQuat q = {w, x, y, z};
    return q;
}

ABUT_INLINE AbutQuat abut_quat_identity(void) { return abut_quat(1.0, 0.0, 0.0, 0.0); }

ABUT_INLINE AbutQuat abut_quat_conj(AbutQuat q) { return abut_quat(q.w, -q.x, -q.y, -q.z); }

ABUT_INLINE AbutQuat abut_quat_mul(AbutQuat a, AbutQuat b) {
    return abut_quat(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

ABUT_INLINE double abut_quat_dot(AbutQuat a, AbutQuat b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }

/* Unit quaternion along q; the identity when q is zero or not finite. */
ABUT_INLINE AbutQuat abut_quat_normalize(AbutQuat q) {
    double s = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
    if (!(s > 0.0) || !isfinite(q.w + q.x + q.y + q.z)) return abut_quat_identity();
    q = abut_quat(q.w / s, q.x / s, q.y / s, q.z / s);
    s = 1.0 / sqrt(abut_quat_dot(q, q));
    return abut_quat(q.w * s, q.x * s, q.y * s, q.z * s);
}

ABUT_INLINE AbutVec3 abut_quat_rotate(AbutQuat q, AbutVec3 v) {
    AbutVec3 u = abut_vec3(q.x, q.y, q.z);
    AbutVec3 t = abut_scale(abut_cross(u, v), 2.0);
    return abut_add(abut_add_scaled(v, t, q.w), abut_cross(u, t));
}

ABUT_INLINE AbutVec3 abut_quat_rotate_inv(AbutQuat q, AbutVec3 v) { return abut_quat_rotate(abut_quat_conj(q), v); }

/* Rotation by `angle` about the unit vector `axis`. */
ABUT_INLINE AbutQuat abut_quat_axis_angle(AbutVec3 axis, double angle) {
    double s = abut_sin(0.5 * angle);
    return abut_quat(abut_cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z);
}

/* Rotation by |v| about v; exact to rounding for tiny v. */
ABUT_INLINE AbutQuat abut_quat_exp(AbutVec3 v) {
    double square = 0.25 * abut_dot(v, v), half, s;
    if (square < 1e-6) { /* the next terms are below rounding */
        s = 0.5 * (1.0 - square * (1.0 / 6.0) * (1.0 - square * (1.0 / 20.0)));
        return abut_quat(1.0 - 0.5 * square * (1.0 - square * (1.0 / 12.0)), s * v.x, s * v.y, s * v.z);
    }
    half = sqrt(square);
    s = 0.5 * abut_sin(half) / half;
    return abut_quat(abut_cos(half), s * v.x, s * v.y, s * v.z);
}

ABUT_INLINE AbutMat3 abut_quat_to_mat3(AbutQuat q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return abut_mat3(abut_vec3(1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)),
        abut_vec3(2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)),
        abut_vec3(2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)));
}

ABUT_API AbutVec3 abut_quat_log(AbutQuat q); /* inverse of exp, |result| <= pi */
ABUT_API AbutQuat abut_quat_from_mat3(AbutMat3 rotation);

/* ---- poses ------------------------------------------------------------------------------------------------------- */

typedef struct AbutPose {
    AbutVec3 p;
    AbutQuat q;
} AbutPose;

/* Velocity of a point of a body, and the angular velocity; or momentum and angular momentum. */
typedef struct AbutTwist {
    AbutVec3 linear, angular;
} AbutTwist;

ABUT_INLINE AbutPose abut_pose(AbutVec3 p, AbutQuat q) {
    AbutPose x = {p, q};
    return x;
}

ABUT_INLINE AbutPose abut_pose_identity(void) { return abut_pose(abut_zero(), abut_quat_identity()); }

ABUT_INLINE AbutVec3 abut_pose_apply(AbutPose x, AbutVec3 v) { return abut_add(abut_quat_rotate(x.q, v), x.p); }

ABUT_INLINE AbutVec3 abut_pose_apply_inv(AbutPose x, AbutVec3 v) { return abut_quat_rotate_inv(x.q, abut_sub(v, x.p)); }

ABUT_INLINE AbutPose abut_pose_mul(AbutPose a, AbutPose b) {
    return abut_pose(abut_pose_apply(a, b.p), abut_quat_mul(a.q, b.q));
}

ABUT_INLINE AbutPose abut_pose_inv(AbutPose a) {
    AbutQuat q = abut_quat_conj(a.q);
    return abut_pose(abut_neg(abut_quat_rotate(q, a.p)), q);
}

/* Pose of b seen from a: inv(a) b. */
ABUT_INLINE AbutPose abut_pose_between(AbutPose a, AbutPose b) {
    AbutQuat q = abut_quat_conj(a.q);
    return abut_pose(abut_quat_rotate(q, abut_sub(b.p, a.p)), abut_quat_mul(q, b.q));
}

ABUT_INLINE int abut_pose_is_finite(AbutPose a) {
    return abut_is_finite(a.p) && isfinite(a.q.w + a.q.x + a.q.y + a.q.z);
}

ABUT_API AbutVec3 abut_random_direction(AbutRng *rng); /* uniform on the unit sphere */
ABUT_API AbutQuat abut_random_quat(AbutRng *rng);      /* uniform over rotations */

/* ---- boxes along the axes ---------------------------------------------------------------------------------------- */

typedef struct AbutAabb {
    AbutVec3 min, max;
} AbutAabb;

ABUT_INLINE AbutAabb abut_aabb_empty(void) {
    AbutAabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    return box;
}

ABUT_INLINE AbutAabb abut_aabb_add(AbutAabb box, AbutVec3 p) {
    AbutAabb out = {abut_min(box.min, p), abut_max(box.max, p)};
    return out;
}

ABUT_INLINE int abut_aabb_overlap(AbutAabb a, AbutAabb b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
           b.min.z <= a.max.z;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* Finite numbers with commas between, and nothing else; gives their count, at most `most`, or 0 when it is something
 * else. */
ABUT_API int abut_numbers_parse(const char *text, int most, double *out);

/* x,y,z, x,y,z,qw,qx,qy,qz, rpy:x,y,z,roll,pitch,yaw or axis:x,y,z,ax,ay,az,angle (radians); quaternions and axes of
 * any length but 0. 0: it is something else. */
ABUT_API int abut_pose_parse(const char *text, AbutPose *out);

#ifdef __cplusplus
}
#endif

#endif
