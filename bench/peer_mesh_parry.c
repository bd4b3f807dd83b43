/* SPDX-License-Identifier: Apache-2.0 */
/* parry: distance and collision of triangle meshes in trees of boxes. */
#include "bench/mesh_peer.h"
#include "bench/parry.h"

#include <stdlib.h>

typedef struct State {
    ParryShape *a, *b;
} State;

static ParryShape *make_mesh(const AbutMesh *mesh)
{
    size_t count = (size_t)mesh->triangle_count;
    uint32_t *corners = bench_memory(count, 3 * sizeof *corners);
    for (size_t i = 0; i < 3 * count; ++i)
        corners[i] = (uint32_t)mesh->triangles[i / 3].v[i % 3];
    ParryShape *shape = parry_mesh(mesh->vertices, (size_t)mesh->vertex_count, corners, count);
    free(corners);
    return shape;
}

static void *open_pair(const AbutMesh *a, const AbutMesh *b)
{
    State *state = bench_memory(1, sizeof *state);
    state->a = make_mesh(a);
    state->b = make_mesh(b);
    return state;
}

static double distance(void *user, AbutPose b_in_a)
{
    const State *state = user;
    return parry_distance(state->a, state->b, &b_in_a);
}

static int collide(void *user, AbutPose b_in_a)
{
    const State *state = user;
    return parry_meet(state->a, state->b, &b_in_a) == 1;
}

static void close_pair(void *user)
{
    State *state = user;
    parry_free(state->a);
    parry_free(state->b);
    free(state);
}

/* Its question about a motion has one answer for the first contact; it is not asked here. */
const BenchMeshPeer bench_mesh_parry = {"parry", open_pair, distance, collide, NULL, close_pair};
