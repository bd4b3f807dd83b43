/* SPDX-License-Identifier: Apache-2.0 */
/* The depth of two meshes along one direction. */
#ifndef ABUT_TEST_DEPTH_ALONG_H
#define ABUT_TEST_DEPTH_ALONG_H

#include "mesh/kernels.h"

static inline AbutGap abut_mesh_depth_along(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, AbutVec3 direction, const AbutDepthDef *def) {
    AbutDepthDef along = def ? *def : (AbutDepthDef){0};
    along.along = direction;
    return abut_mesh_depth(a, b, b_in_a, &along, NULL);
}

#endif
