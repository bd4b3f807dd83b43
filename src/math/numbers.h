/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors and poses as numbers in a row: x, y, z, then qw, qx, qy, qz. */
#ifndef ABUT_SRC_MATH_NUMBERS_H
#define ABUT_SRC_MATH_NUMBERS_H

#include "abut/math.h"

static inline AbutVec3 abut_vec3_at(const double *v) { return abut_vec3(v[0], v[1], v[2]); }

static inline AbutQuat abut_quat_at(const double *q) { return abut_quat(q[0], q[1], q[2], q[3]); }

static inline AbutPose abut_pose_at(const double *p) { return abut_pose(abut_vec3_at(p), abut_quat_at(p + 3)); }

static inline void abut_vec3_put(AbutVec3 v, double *out) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

static inline void abut_quat_put(AbutQuat q, double *out) { out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z; }

static inline void abut_pose_put(AbutPose pose, double *out) {
    abut_vec3_put(pose.p, out);
    abut_quat_put(pose.q, out + 3);
}

#endif
