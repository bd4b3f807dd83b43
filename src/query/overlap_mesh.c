/* SPDX-License-Identifier: Apache-2.0 */
/* An overlap as a triangle mesh: fans over its faces, in their order, vertices moved by a pose. */
#include "abut/query.h"

AbutStatus abut_overlap_to_mesh(const AbutOverlap *overlap, AbutPose pose, AbutMesh *out, AbutError *error) {
    ABUT_ASSERT(overlap && out);
    if (overlap->outcome != ABUT_OVERLAP_VOLUME)
        return abut_fail(error, ABUT_ERROR_EMPTY, "the bodies have no volume in common");
    int32_t triangles = overlap->corner_count - 2 * overlap->face_count, at = 0;
    AbutStatus status = abut_mesh_create(overlap->vertex_count, triangles, out, error);
    if (status != ABUT_OK) return status;
    for (int32_t v = 0; v < overlap->vertex_count; ++v) out->vertices[v] = abut_pose_apply(pose, overlap->vertex[v]);
    for (int32_t f = 0; f < overlap->face_count; ++f) {
        const int32_t *corner = overlap->corner + overlap->face[f].first;
        for (int32_t k = 2; k < overlap->face[f].count; ++k) {
            AbutTriangle triangle = {{corner[0], corner[k - 1], corner[k]}};
            out->triangles[at++] = triangle;
        }
    }
    return ABUT_OK;
}
