/* SPDX-License-Identifier: Apache-2.0 */
/* parry: distance, depth and yes or no of hulls, boxes and capsules. It keeps nothing between two questions. */
#include "bench/engine.h"
#include "bench/parry.h"

#include <stdlib.h>

typedef struct State {
    const BenchSet *set;
    ParryShape **shapes;
} State;

static ParryShape *make_shape(const AbutConvex *c) {
    if (c->kind == ABUT_CONVEX_BOX) return parry_box(c->p[0].x, c->p[0].y, c->p[0].z);
    if (c->kind == ABUT_CONVEX_SEGMENT) return parry_capsule(c->p[1].z, c->radius);
    return parry_hull(abut_polyhedron_vertices(c->polyhedron), (size_t)c->polyhedron->vertex_count);
}

static void close_state(void *user) {
    State *state = user;
    for (int i = 0; i < state->set->shape_count; ++i) parry_free(state->shapes[i]);
    free(state->shapes);
    free(state);
}

static void *open_state(const BenchSet *set) {
    if (set->warm) return NULL;
    State *state = bench_memory(1, sizeof *state);
    state->set = set;
    state->shapes = bench_memory((size_t)set->shape_count, sizeof(ParryShape *));
    for (int i = 0; i < set->shape_count; ++i) state->shapes[i] = make_shape(&set->shapes[i]);
    return state;
}

static BenchAnswer ask(void *user, int pair, int pose) {
    const State *state = user;
    const BenchPair *p = &state->set->pairs[pair];
    const ParryShape *a = state->shapes[p->a], *b = state->shapes[p->b];
    BenchAnswer answer = {0.0, 0, 0};
    if (!a || !b) {
        answer.failed = 1;
    } else if (state->set->question == BENCH_MEET) {
        answer.meets = parry_meet(a, b, &p->b_in_a[pose]);
        answer.failed = answer.meets < 0;
    } else {
        answer.distance = state->set->question == BENCH_DEPTH ? parry_depth(a, b, &p->b_in_a[pose])
                                                              : parry_distance(a, b, &p->b_in_a[pose]);
        answer.meets = answer.distance <= 0.0;
    }
    return answer;
}

const BenchEngine bench_parry = {"parry " PARRY_VERSION, 0, open_state, ask, close_state};
