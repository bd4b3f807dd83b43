/* SPDX-License-Identifier: Apache-2.0 */
/* Mass properties that add up: mass, center, inertia about the center. */
#ifndef ABUT_MODEL_MASS_H
#define ABUT_MODEL_MASS_H

#include "abut/model.h"

typedef struct AbutRigid {
    double mass;
    AbutVec3 center;
    AbutMat3 inertia;
} AbutRigid;

/* m (|d|^2 - d d^T): what a mass at d adds to the inertia about the origin. */
AbutMat3 abut_point_inertia(double mass, AbutVec3 d);

AbutRigid abut_rigid_add(AbutRigid a, AbutRigid b);
AbutRigid abut_rigid_move(
    AbutRigid a, AbutPose pose); /* given in a frame, as seen from where the frame has this pose */

/* For a body in its own frame: as given, else from its shapes. */
AbutRigid abut_rigid_of_body(const AbutModel *model, int32_t body);

#endif
