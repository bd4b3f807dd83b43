/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of a mesh for depth queries, made beforehand: balls inside the solid, flat faces, which way the surface looks.
 *
 * In: a tree. Out: AbutMeshCore, in the frame of the mesh. Method: points of a fixed sequence over the box that lie
 * inside are pushed away from the nearest point of the surface while that distance grows; of the balls around them
 * those are kept, one after the other, that stick out most from the ones before.
 */
#include "abut/mesh.h"
#include "mesh/tolerance.h"
#include "shape/mesh_tree.h"

enum { TRIES = 4000, CANDIDATES = 400, PUSHES = 12, GROUPS = 64 };

/* ---- balls ------------------------------------------------------------------------------------------------------- */

/* Point i of a sequence that fills the box evenly (Roberts 2018, the plastic number in three dimensions). */
static AbutVec3 point_of_box(AbutAabb box, int i) {
    static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    double f[3];
    for (int k = 0; k < 3; ++k) f[k] = (0.5 + step[k] * i) - floor(0.5 + step[k] * i);
    return abut_add(box.min, abut_mul(abut_sub(box.max, box.min), abut_vec3(f[0], f[1], f[2])));
}

/* Away from the surface while the distance to it grows. */
static AbutSphere push_inward(const AbutMeshTree *t, AbutVec3 p) {
    AbutMeshNearest near = abut_mesh_nearest(t, p, 0.0);
    for (int k = 0; k < PUSHES; ++k) {
        AbutVec3 q = abut_add_scaled(p, abut_sub(p, near.point), 0.4);
        AbutMeshNearest next = abut_mesh_nearest(t, q, 0.0);
        if (next.inside != 1 || next.distance <= near.distance * (1.0 + 1e-4)) break;
        p = q;
        near = next;
    }
    AbutSphere ball = {p, near.distance * (1.0 - 1e-9)};
    return ball;
}

/* How far a ball sticks out of those that were kept: at most its radius. */
static double novelty(const AbutMeshCore *core, AbutSphere ball) {
    double least = ball.radius;
    for (int k = 0; k < core->ball_count; ++k) {
        const AbutSphere *other = &core->ball[k];
        least =
            abut_smaller(least, 0.5 * (abut_point_distance(ball.center, other->center) + ball.radius - other->radius));
    }
    return least;
}

static void keep_balls(AbutMeshCore *core, const AbutSphere *ball, int count) {
    while (core->ball_count < ABUT_MESH_CORE_BALLS) {
        int best = -1;
        double most = 0.0;
        for (int i = 0; i < count; ++i) {
            double v = novelty(core, ball[i]);
            if (v > most) most = v, best = i;
        }
        if (best < 0) return;
        core->ball[core->ball_count++] = ball[best];
    }
}

static void find_balls(const AbutMeshTree *t, AbutMeshCore *core) {
    AbutSphere ball[CANDIDATES];
    int count = 0;
    for (int i = 0; i < TRIES && count < CANDIDATES; ++i) {
        AbutVec3 p = point_of_box(t->box, i);
        if (abut_mesh_inside(t, p) == 1) ball[count++] = push_inward(t, p);
    }
    keep_balls(core, ball, count);
}

/* ---- flat faces -------------------------------------------------------------------------------------------------- */

typedef struct Groups {
    int count;
    double total, area[GROUPS];
    AbutVec3 normal[GROUPS];
} Groups;

static void add_triangle(Groups *g, const AbutVec3 *v) {
    AbutVec3 n = abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0]));
    double area = abut_length(n);
    int k = 0;
    g->total += area;
    if (!(area > 0.0)) return;
    n = abut_scale(n, 1.0 / area);
    while (k < g->count && abut_dot(g->normal[k], n) < ABUT_CORE_SAME_NORMAL) ++k;
    if (k == GROUPS) return;
    if (k == g->count) g->normal[g->count] = n, g->area[g->count++] = 0.0;
    g->area[k] += area;
}

/* The largest groups first; small ones are left out. */
static void keep_normals(AbutMeshCore *core, Groups *g) {
    while (core->normal_count < ABUT_MESH_CORE_NORMALS) {
        int best = 0;
        for (int k = 1; k < g->count; ++k) best = g->area[k] > g->area[best] ? k : best;
        if (g->count == 0 || !(g->area[best] > ABUT_CORE_LEAST_AREA * g->total)) return;
        core->normal[core->normal_count++] = g->normal[best];
        g->area[best] = 0.0;
    }
}

AbutMeshCore abut_mesh_core(const AbutMeshTree *t) {
    AbutMeshCore core = {0};
    Groups groups = {0};
    double volume = 0.0;
    const AbutVec3 *v = abut_tree_vertices(t);
    for (int32_t i = 0; i < t->triangle_count; ++i, v += 3) {
        volume += abut_triple(abut_sub(v[0], t->center), abut_sub(v[1], t->center), abut_sub(v[2], t->center));
        add_triangle(&groups, v);
    }
    keep_normals(&core, &groups);
    core.outward = t->inside == ABUT_MESH_WINDING && t->component_count == 1 && volume > 0.0;
    if (t->inside != ABUT_MESH_OPEN) find_balls(t, &core);
    return core;
}
