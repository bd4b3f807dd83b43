/* SPDX-License-Identifier: Apache-2.0 */
/* The contact of two grown bodies as they stand, without a simulation: forces are zero. */
#include "contact/patch.h"

#include <string.h>

static void report(const AbutPatch *patch, double margins, AbutPose pose_a, AbutContact *out)
{
    out->normal = abut_quat_rotate(pose_a.q, patch->normal);
    out->center = out->pressure_center = abut_pose_apply(pose_a, patch->centroid);
    out->area = patch->polygon_area;
    out->volume = patch->volume;
    out->depth = abut_larger(0.0, patch->high - patch->low - margins);
    out->vertex_count = patch->vertex_count;
    for (int i = 0; i < patch->vertex_count; ++i)
        out->vertex[i].point = abut_pose_apply(pose_a, abut_patch_vertex(patch, i));
}

int abut_contact_find(const AbutGrownPair *pair, void *workspace, size_t workspace_size, AbutContact *out)
{
    ABUT_ASSERT(pair && pair->a && pair->b && out && (workspace || workspace_size == 0));
    AbutOverlap overlap;
    AbutPatch patch;
    AbutPatchPair placed = {pair->a, pair->b, abut_pose_between(pair->pose_a, pair->pose_b), {0, 0, 0}, {0, 0, 0}, 0};
    memset(out, 0, sizeof *out);
    int found = abut_patch_find(&placed, NULL, workspace, workspace_size, &overlap, &patch);
    if (found > 0)
        report(&patch, pair->a->margin + pair->b->margin, pair->pose_a, out);
    return found;
}

typedef struct Batch {
    const AbutGrownPair *pairs;
    AbutContact *out;
    int *found;
    char *workspace;
    size_t bytes; /* of each worker */
} Batch;

static void find_some(int begin, int end, int worker, void *user)
{
    const Batch *batch = user;
    for (int i = begin; i < end; ++i)
        batch->found[i] = abut_contact_find(
            &batch->pairs[i], batch->workspace + (size_t)worker * batch->bytes, batch->bytes, &batch->out[i]);
}

AbutStatus abut_contact_find_batch(
    int count, const AbutGrownPair *pairs, AbutContact *out, int *found, int threads, AbutError *error)
{
    ABUT_ASSERT(count >= 0 && (count == 0 || (pairs && out && found)));
    enum { GRAIN = 16 };
    Batch batch = {pairs, out, found, NULL, 64};
    for (int i = 0; i < count; ++i) {
        size_t need = (abut_contact_workspace_size(pairs[i].a, pairs[i].b) + 63) & ~(size_t)63;
        batch.bytes = need > batch.bytes ? need : batch.bytes;
    }
    batch.workspace = abut_alloc_array((size_t)abut_thread_count(threads), batch.bytes);
    if (!batch.workspace)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a batch of %d contacts", count);
    abut_parallel_for(count, GRAIN, threads, find_some, &batch);
    abut_free(batch.workspace);
    return ABUT_OK;
}
