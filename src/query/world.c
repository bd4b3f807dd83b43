/* SPDX-License-Identifier: Apache-2.0 */
/* Queries about bodies placed in the world: the question is turned into the frame of A, the answer back. */
#include "query/overlap.h"

AbutOverlap abut_overlap_world(const AbutConvex *a, const AbutConvex *b, AbutPose pose_a, AbutPose pose_b,
    AbutOverlapCache *cache, void *workspace, size_t workspace_size)
{
    AbutOverlap o = abut_overlap(a, b, abut_pose_between(pose_a, pose_b), cache, workspace, workspace_size);
    if (o.outcome != ABUT_OVERLAP_VOLUME)
        return o;
    AbutOverlapArrays arrays = abut_overlap_arrays(workspace, abut_overlap_face_count(a) + abut_overlap_face_count(b));
    for (int32_t v = 0; v < o.vertex_count; ++v)
        arrays.vertex[v] = abut_pose_apply(pose_a, arrays.vertex[v]);
    for (int32_t f = 0; f < o.face_count; ++f) {
        AbutPlane *plane = &arrays.face[f].plane;
        plane->normal = abut_quat_rotate(pose_a.q, plane->normal);
        plane->offset += abut_dot(plane->normal, pose_a.p);
    }
    o.centroid = abut_pose_apply(pose_a, o.centroid);
    o.area_vector = abut_quat_rotate(pose_a.q, o.area_vector);
    o.normal = abut_quat_rotate(pose_a.q, o.normal);
    return o;
}
