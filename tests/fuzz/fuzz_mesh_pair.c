/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw bytes as two meshes, a pose and a cache. Trees are made or refused; a tree passes its own check. Distance and
 * collision agree, with a cache and without, for both vector units and with the meshes swapped; witness points lie on
 * the meshes, and no pair of vertices is nearer. Rays and points have an answer. Depths that say so are free; convex
 * pieces cover. Depth and pieces, far dearer, are asked for one of the two at a time, of few triangles.
 */
#include "fuzz.h"
#include "support/depth_along.h"
#include "abut/literature.h"
#include "input.h"
#include "mesh/kernels.h"
#include "mesh/mesh_pair.h"
#include "support/mesh_tree_check.h"

#include <math.h>
#include <string.h>

enum { MAX_VERTICES = 24, MAX_TRIANGLES = 40, FEW_TRIANGLES = 21 };
enum { WHOLE = 1, UNIT_POSE = 2, CLASSIC = 4, DEPTH = 8, PIECES = 16 };

typedef struct Soup {
    AbutVec3 vertex[MAX_VERTICES];
    AbutTriangle triangle[MAX_TRIANGLES];
    AbutMesh mesh;
    AbutMeshTree *tree;
} Soup;

static int next_soup(Input *in, Soup *s) {
    s->mesh = (AbutMesh){next_byte(in) % MAX_VERTICES, next_byte(in) % MAX_TRIANGLES, s->vertex, s->triangle};
    s->tree = NULL;
    for (int i = 0; i < s->mesh.vertex_count; ++i) s->vertex[i] = next_vec3(in);
    for (int t = 0; t < s->mesh.triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            s->triangle[t].v[k] = next_byte(in) % (MAX_VERTICES + 1) - (s->mesh.vertex_count < 3);
    for (int t = 0; t < s->mesh.triangle_count && s->mesh.vertex_count >= 3; ++t)
        for (int k = 0; k < 3; ++k) s->triangle[t].v[k] %= s->mesh.vertex_count;
    if (abut_mesh_tree_create(&s->mesh, 1, &s->tree, NULL) != ABUT_OK) return 0;
    FUZZ_REQUIRE(abut_mesh_tree_check(s->tree, s->tree->bytes, NULL) == ABUT_OK);
    return 1;
}

static double reach(const AbutMeshTree *t) { return abut_length(t->center) + t->radius; }

/* No vertex of A is nearer to B than the distance. */
static void require_least(const Soup *a, const Soup *b, AbutPose pose, double distance, double tolerance) {
    for (int t = 0; t < a->mesh.triangle_count; ++t) {
        AbutVec3 p = abut_pose_apply_inv(pose, a->vertex[a->triangle[t].v[0]]);
        AbutMeshNearest near = abut_mesh_nearest(b->tree, p, 0.0);
        FUZZ_REQUIRE(near.triangle >= 0 && near.distance >= distance - tolerance);
    }
}

static void require_pair(const Soup *a, const Soup *b, AbutPose pose, AbutPair cache) {
    AbutGap d = abut_mesh_distance(a->tree, b->tree, pose, NULL, NULL);
    AbutGap warm = abut_mesh_distance(a->tree, b->tree, pose, NULL, &cache);
    AbutCollision c = abut_mesh_collide(a->tree, b->tree, pose, NULL);
    FUZZ_REQUIRE((unsigned)d.outcome < ABUT_GAP_OUTCOME_COUNT && c.outcome == d.outcome && warm.outcome == d.outcome);
    if (d.outcome == ABUT_INVALID || d.outcome == ABUT_EMPTY) return;
    abut_mesh_walk_force(&abut_mesh_walk_plain);
    AbutGap plain = abut_mesh_distance(a->tree, b->tree, pose, NULL, NULL);
    abut_mesh_walk_force(NULL);
    FUZZ_REQUIRE(plain.surface == d.surface && plain.part_a.index[0] == d.part_a.index[0]);
    FUZZ_REQUIRE(warm.surface == d.surface);
    AbutGap swapped = abut_mesh_distance(b->tree, a->tree, abut_pose_inv(pose), NULL, NULL);
    double tolerance = 1e-13 * (reach(a->tree) + reach(b->tree) + abut_length(pose.p)) + 1e-49;
    FUZZ_REQUIRE(fabs(swapped.surface - d.surface) <= tolerance);
    FUZZ_REQUIRE(abut_mesh_nearest(a->tree, d.point_a, 0.0).distance <= tolerance);
    FUZZ_REQUIRE(abut_mesh_nearest(b->tree, abut_pose_apply_inv(pose, d.point_b), 0.0).distance <= tolerance);
    require_least(a, b, pose, d.surface, tolerance);
}

/* Of lengths that go together every depth is verified, and what is verified is free. */
static void require_depth(const Soup *a, const Soup *b, AbutPose pose, int classic) {
    AbutMeshCore ca = abut_mesh_core(a->tree), cb = abut_mesh_core(b->tree);
    AbutDepthDef def = {.method = classic ? abut_depth_classic : NULL, .directions = 6};
    def.core_a = &ca, def.core_b = &cb;
    AbutGap x = abut_mesh_depth(a->tree, b->tree, pose, &def, NULL);
    double size = a->tree->radius + b->tree->radius, far = reach(a->tree) + reach(b->tree) + abut_length(pose.p);
    FUZZ_REQUIRE((unsigned)x.outcome < ABUT_GAP_OUTCOME_COUNT && (unsigned)x.kind < ABUT_GAP_KIND_COUNT);
    if (x.outcome == ABUT_INVALID || x.outcome == ABUT_EMPTY) return;
    FUZZ_REQUIRE(-x.distance >= 0.0 && isfinite(-x.distance));
    FUZZ_REQUIRE(x.verified || !(far < 1e6 * size && size > 1e-40));
    pose.p = abut_add_scaled(pose.p, x.normal, -x.distance * (1.0 + 1e-6));
    if (x.verified && far < 1e6 * size)
        FUZZ_REQUIRE(abut_mesh_collide(a->tree, b->tree, pose, NULL).outcome == ABUT_SEPARATED);
    (void)abut_mesh_depth_along(a->tree, b->tree, pose, abut_vec3(1.0, 2.0, 3.0), &def);
    (void)abut_mesh_cast(a->tree, b->tree, pose, abut_vec3(-1.0, 2.0, 3.0), 1.0);
}

static void require_pieces(const Soup *s) {
    AbutDecomposeDef def = {.max_pieces = 3, .threads = 1};
    AbutPieces pieces;
    if (abut_mesh_decompose(&s->mesh, &def, &pieces, NULL) != ABUT_OK) return;
    FUZZ_REQUIRE(pieces.count > 0 && pieces.count <= 3 && pieces.volume > 0.0);
    abut_pieces_free(&pieces);
}

static void require_one(const Soup *s, AbutVec3 p, AbutVec3 d) {
    AbutMeshHit hit = abut_mesh_ray(s->tree, p, d, INFINITY, 0.0);
    int inside = abut_mesh_inside(s->tree, p);
    FUZZ_REQUIRE(inside >= -1 && inside <= 1 && hit.triangle < s->mesh.triangle_count);
    FUZZ_REQUIRE(hit.triangle < 0 || hit.t >= 0.0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {data, size, 0};
    int flags = next_byte(&in);
    static Soup a, b;
    in.tame = flags & WHOLE ? 0.125 : 0.0;
    int good = next_soup(&in, &a);
    good = next_soup(&in, &b) && good;
    if (good) {
        AbutPose pose;
        pose.p = next_vec3(&in);
        pose.q = next_quat(&in);
        if (flags & UNIT_POSE) pose.q = abut_quat_normalize(pose.q);
        AbutPair cache;
        cache.a = next_byte(&in);
        cache.b = next_byte(&in);
        require_pair(&a, &b, pose, cache);
        AbutVec3 p = next_vec3(&in), d = next_vec3(&in);
        require_one(&a, p, d);
        int few = a.mesh.triangle_count < FEW_TRIANGLES && b.mesh.triangle_count < FEW_TRIANGLES;
        if (few && flags & DEPTH)
            require_depth(&a, &b, pose, flags & CLASSIC);
        else if (few && flags & PIECES)
            require_pieces(&a);
    }
    abut_mesh_tree_free(a.tree);
    abut_mesh_tree_free(b.tree);
    return 0;
}
