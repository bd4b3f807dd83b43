/* SPDX-License-Identifier: Apache-2.0 */
/* Private: what the rooms need of vectors, matrices and rotations beyond abut/math.h. */
#ifndef ABUT_MATH_MATRIX_H
#define ABUT_MATH_MATRIX_H

#include "abut/math.h"

static inline AbutVec3 abut_abs(AbutVec3 a) { return abut_vec3(fabs(a.x), fabs(a.y), fabs(a.z)); }

/* The matrix [v] with [v] w = v x w. */
static inline AbutMat3 abut_mat3_skew(AbutVec3 v) {
    return abut_mat3(abut_vec3(0, v.z, -v.y), abut_vec3(-v.z, 0, v.x), abut_vec3(v.y, -v.x, 0));
}

/* a b^T */
static inline AbutMat3 abut_mat3_outer(AbutVec3 a, AbutVec3 b) {
    return abut_mat3(abut_scale(a, b.x), abut_scale(a, b.y), abut_scale(a, b.z));
}

/* Inverse; not finite when m is singular. */
static inline AbutMat3 abut_mat3_inv(AbutMat3 m) {
    AbutVec3 a = abut_cross(m.y, m.z), b = abut_cross(m.z, m.x), c = abut_cross(m.x, m.y);
    double s = 1.0 / abut_dot(m.x, a);
    return abut_mat3_transpose(abut_mat3(abut_scale(a, s), abut_scale(b, s), abut_scale(c, s)));
}

/* The rotation that turns unit `from` into unit `to`. */
AbutQuat abut_quat_between(AbutVec3 from, AbutVec3 to);

/* The rotation whose columns are the unit eigenvectors of a symmetric matrix; `value`, unless NULL, receives their
 * eigenvalues in ascending order. */
AbutMat3 abut_mat3_eigen_symmetric(AbutMat3 m, double value[3]);

#endif
