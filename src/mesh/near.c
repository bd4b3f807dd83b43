/* SPDX-License-Identifier: Apache-2.0 */
/* All pairs of triangles nearer than a length: the walk of the distance with a limit that stays as it is. */
#include "mesh/near.h"
#include "mesh/mesh_pair.h"
#include "mesh/tolerance.h"

typedef struct Showing {
    AbutMeshNearFunction *show;
    void *user;
    int ended;
} Showing;

static void show_pair(AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    Showing *showing = q->user;
    AbutMeshNear near = {.distance = 0.0};
    double back = 1.0 / q->scale;
    if (showing->ended) return;
    abut_mesh_triangle_a(q, slot_a, near.a);
    abut_mesh_triangle_b(q, slot_b, near.b);
    AbutTriangleGap gap = abut_triangle_gap(near.a, near.b);
    for (int k = 0; k < 3; ++k) near.a[k] = abut_scale(near.a[k], back), near.b[k] = abut_scale(near.b[k], back);
    near.distance = sqrt(gap.square) * back;
    near.way = gap.d;
    showing->ended = !showing->show(&near, showing->user);
    q->done = showing->ended;
}

int abut_mesh_near(const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, AbutVec3 way, double within,
    AbutMeshNearFunction *show, void *user) {
    AbutMeshPair q;
    Showing showing = {show, user, 0};
    if (a->triangle_count == 0 || b->triangle_count == 0 || !abut_mesh_pair_open(&q, a, b, b_in_a, 0.0)) return 0;
    q.visit = show_pair;
    q.user = &showing;
    abut_mesh_pair_limit(&q, within);
    abut_mesh_pair_turn(&q, abut_normalize_or(way, abut_axis(0)));
    abut_mesh_walk()->distance(&q);
    return !showing.ended;
}
