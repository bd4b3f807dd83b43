/* SPDX-License-Identifier: Apache-2.0 */
/* Many soft directions at once: each thread has a workspace for the largest question. */
#include "abut/direction.h"

typedef struct Batch {
    const AbutSoftQuery *queries;
    AbutSoft *out;
    unsigned char *memory;
    size_t each;
} Batch;

static void answer_some(int begin, int end, int worker, void *user)
{
    const Batch *batch = user;
    for (int i = begin; i < end; ++i) {
        const AbutSoftQuery *q = &batch->queries[i];
        batch->out[i] =
            abut_soft_direction(q->a, q->b, q->b_in_a, &q->def, batch->memory + (size_t)worker * batch->each);
    }
}

AbutStatus abut_soft_direction_batch(
    int count, const AbutSoftQuery *queries, AbutSoft *out, int threads, AbutError *error)
{
    ABUT_ASSERT(count == 0 || (queries && out));
    Batch batch = {queries, out, NULL, 0};
    for (int i = 0; i < count; ++i) {
        size_t need = (abut_soft_size(queries[i].a, queries[i].b) + 63) / 64 * 64;
        batch.each = need > batch.each ? need : batch.each;
    }
    batch.memory = abut_alloc_array((size_t)abut_thread_count(threads), batch.each);
    if (!batch.memory)
        return abut_fail(error, ABUT_ERROR_MEMORY, "soft directions: no memory for the workspaces");
    abut_parallel_for(count, 4, threads, answer_some, &batch);
    abut_free(batch.memory);
    return ABUT_OK;
}
