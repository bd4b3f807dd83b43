/* SPDX-License-Identifier: Apache-2.0 */
/* Private: trajectories as their makers and readers see them. */
#ifndef ABUT_MOTION_TRAJECTORY_H
#define ABUT_MOTION_TRAJECTORY_H

#include "abut/motion.h"

/* The six coefficients of a joint in a piece. */
static inline double *abut_trajectory_piece(const AbutTrajectory *t, int32_t piece, int32_t joint) {
    return t->coefficients + 6 * ((size_t)piece * (size_t)t->joint_count + (size_t)joint);
}

/* Memory for so many joints and pieces; all coefficients are 0. */
AbutStatus abut_trajectory_make(int32_t joints, int32_t pieces, AbutTrajectory *out, AbutError *error);

#endif
