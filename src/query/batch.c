/* SPDX-License-Identifier: Apache-2.0 */
/* Distance and meet of many pairs on several threads: every answer goes to its own place, so the bits do not depend on
 * their number. */
#include "abut/query.h"

enum { GRAIN = 32 }; /* pairs per block */

typedef struct Batch {
    const AbutConvexPair *pairs;
    AbutGap *distance;
    int *meet;
} Batch;

static void ask_distances(int begin, int end, int worker, void *user)
{
    const Batch *batch = (const Batch *)user;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const AbutConvexPair *p = &batch->pairs[i];
        batch->distance[i] = abut_convex_distance(p->a, p->b, p->b_in_a, NULL, p->cache);
    }
}

static void ask_meets(int begin, int end, int worker, void *user)
{
    const Batch *batch = (const Batch *)user;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const AbutConvexPair *p = &batch->pairs[i];
        batch->meet[i] = abut_convex_meet(p->a, p->b, p->b_in_a, p->cache);
    }
}

void abut_convex_distance_batch(int count, const AbutConvexPair *pairs, AbutGap *out, int threads)
{
    ABUT_ASSERT(count >= 0 && (count == 0 || (pairs && out)));
    Batch batch = {pairs, out, NULL};
    abut_parallel_for(count, GRAIN, threads, ask_distances, &batch);
}

void abut_convex_meet_batch(int count, const AbutConvexPair *pairs, int *out, int threads)
{
    ABUT_ASSERT(count >= 0 && (count == 0 || (pairs && out)));
    Batch batch = {pairs, NULL, out};
    abut_parallel_for(count, GRAIN, threads, ask_meets, &batch);
}
