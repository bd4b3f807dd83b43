/* SPDX-License-Identifier: Apache-2.0 */
/* The contact of two grown bodies as they stand, without a simulation: forces are zero. */
#include "contact/patch.h"

#include <string.h>

/* Place on the contact plane in the frame of A. */
static AbutVec3 vertex_at(const AbutPatch *patch, int i)
{
    AbutVec3 across = abut_add(abut_scale(patch->e1, patch->x[i]), abut_scale(patch->e2, patch->y[i]));
    return abut_add(patch->centroid, across);
}

static void report(const AbutPatch *patch, double margins, AbutPose pose_a, AbutContact *out)
{
    out->normal = abut_quat_rotate(pose_a.q, patch->normal);
    out->center = out->pressure_center = abut_pose_apply(pose_a, patch->centroid);
    out->area = patch->polygon_area;
    out->volume = patch->volume;
    out->depth = abut_larger(0.0, patch->high - patch->low - margins);
    out->vertex_count = patch->vertex_count;
    for (int i = 0; i < patch->vertex_count; ++i)
        out->vertex[i].point = abut_pose_apply(pose_a, vertex_at(patch, i));
}

int abut_contact_find(const AbutGrownBody *a, AbutPose pose_a, const AbutGrownBody *b, AbutPose pose_b, void *workspace,
    size_t workspace_size, AbutContact *out)
{
    ABUT_ASSERT(a && b && workspace && out);
    AbutOverlap overlap;
    AbutPatch patch;
    AbutPatchPair pair = {a, b, abut_pose_between(pose_a, pose_b), {0, 0, 0}, 0};
    memset(out, 0, sizeof *out);
    int found = abut_patch_find(&pair, NULL, workspace, workspace_size, &overlap, &patch);
    if (found > 0)
        report(&patch, a->margin + b->margin, pose_a, out);
    return found;
}
