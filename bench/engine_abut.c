/* SPDX-License-Identifier: Apache-2.0 */
/* abut as an engine: cold, and with one warm-start cache per pair. */
#include "bench/engine.h"

#include <stdlib.h>

typedef struct State {
    const BenchSet *set;
    AbutConvexCache *caches; /* NULL: cold */
} State;

static void *open_cold(const BenchSet *set) {
    State *state = bench_memory(1, sizeof *state);
    state->set = set;
    return state;
}

static void *open_warm(const BenchSet *set) {
    if (!set->warm) return NULL;
    State *state = open_cold(set);
    state->caches = bench_memory((size_t)set->pair_count, sizeof *state->caches);
    return state;
}

static BenchAnswer ask(void *user, int pair, int pose) {
    State *state = user;
    const BenchSet *set = state->set;
    const BenchPair *p = &set->pairs[pair];
    const AbutConvex *a = &set->shapes[p->a], *b = &set->shapes[p->b];
    AbutConvexCache *cache = state->caches ? &state->caches[pair] : NULL;
    BenchAnswer answer = {0.0, 0, 0};
    if (set->question == BENCH_MEET) {
        answer.meets = abut_convex_meet(a, b, p->b_in_a[pose], cache);
        answer.failed = answer.meets < 0;
        return answer;
    }
    AbutGap d = abut_convex_distance(a, b, p->b_in_a[pose], NULL, cache);
    answer.distance = d.distance;
    answer.failed = d.outcome == ABUT_NOT_CONVERGED || d.outcome == ABUT_INVALID;
    return answer;
}

static void close_state(void *user) {
    State *state = user;
    free(state->caches);
    free(state);
}

const BenchEngine bench_abut = {"abut", 1, open_cold, ask, close_state};
const BenchEngine bench_abut_warm = {"abut, warm", 1, open_warm, ask, close_state};
