/* SPDX-License-Identifier: Apache-2.0 */
/* The contact of two grown bodies as they stand, without a simulation: forces are zero. */
#include "contact/grown.h"
#include "contact/patch.h"

#include <string.h>

static void report(const AbutPatch *patch, double margins, AbutPose pose_a, AbutContact *out) {
    out->normal = abut_quat_rotate(pose_a.q, patch->normal);
    out->center = out->pressure_center = abut_pose_apply(pose_a, patch->centroid);
    out->area = patch->polygon_area;
    out->volume = patch->volume;
    out->depth = abut_larger(0.0, patch->high - patch->low - margins);
    out->vertex_count = patch->vertex_count;
    for (int i = 0; i < patch->vertex_count; ++i)
        out->vertex[i].point = abut_pose_apply(pose_a, abut_patch_vertex(patch, i));
}

int abut_contact_find(const AbutGrownPair *pair, void *workspace, size_t workspace_size, AbutContact *out) {
    ABUT_ASSERT(pair && pair->a && pair->b && out && (workspace || workspace_size == 0));
    AbutOverlap overlap;
    AbutPatch patch;
    AbutPatchPair placed = {pair->a, pair->b, abut_pose_between(pair->pose_a, pair->pose_b), {0, 0, 0}, {0, 0, 0}, 0};
    memset(out, 0, sizeof *out);
    int found = abut_patch_find(&placed, NULL, workspace, workspace_size, &overlap, &patch);
    if (found > 0) report(&patch, pair->a->margin + pair->b->margin, pair->pose_a, out);
    return found;
}
