/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Penetration depth of triangle meshes along a path of overlapping poses: by sweeps, cold and going on from the pose
 * before, by the classic method, and by convex pieces; and the time of the decomposition itself. Two pairs have 70,000
 * triangles each, once on the path, once with their centers on each other at random rotations. A way out counts as
 * wrong when it was not verified (wrong_6), or is more than 2 % longer than the shortest of all methods (wrong_3).
 */
#include "bench/bench.h"

#include "abut/abut.h"
#include "abut/literature.h"

#include <math.h>
#include <string.h>

enum { POSES = 24 };

typedef struct Pair {
    const char *a, *b;
    int triangles, concentric;
} Pair;

static const Pair pairs[] = {{"knot", "torus", 2000, 0}, {"fish", "torus", 2000, 0}, {"cup", "finger", 2000, 0},
    {"statue", "fish", 35000, 0}, {"statue", "statue", 70000, 0}, {"statue", "statue", 70000, 1},
    {"knot", "torus", 2000, 1}};

typedef struct Questions {
    AbutMeshTree *tree[2];
    AbutMeshCore core[2];
    AbutPieces pieces[2];
    int count;
    AbutPose pose[POSES];
    AbutGap answer[POSES];
    double shortest[POSES];
} Questions;

static void ask(Questions *q, void (*method)(struct AbutDepthSearch *, AbutVec3), AbutGapCache *cache) {
    AbutDepthDef def = {.method = method, .core_a = &q->core[0], .core_b = &q->core[1]};
    for (int i = 0; i < q->count; ++i)
        q->answer[i] = abut_depth(abut_solid_mesh(q->tree[0]), abut_solid_mesh(q->tree[1]), q->pose[i], &def, cache);
}

static void ask_cold(void *user) { ask(user, NULL, NULL); }

static void ask_coherent(void *user) {
    AbutGapCache cache;
    memset(&cache, 0, sizeof cache);
    ask(user, NULL, &cache);
}

static void ask_classic(void *user) { ask(user, abut_depth_classic, NULL); }

static void ask_pieces(void *user) {
    Questions *q = user;
    for (int i = 0; i < q->count; ++i)
        q->answer[i] =
            abut_distance(abut_solid_pieces(&q->pieces[0]), abut_solid_pieces(&q->pieces[1]), q->pose[i], NULL, NULL);
}

static void time_one(BenchRun *run, Questions *q, const char *name, void (*once)(void *), int has_way) {
    BenchProbe probe = {once, q, q->count, 0.0};
    bench_time(run, &probe, 1);
    BenchRow row = {name, probe.ns, q->count, has_way ? 0 : -1, has_way ? 0 : -1, -1, 1};
    for (int i = 0; i < q->count && has_way; ++i) {
        row.wrong_6 += !q->answer[i].verified;
        row.wrong_3 += !(-q->answer[i].distance <= 1.02 * q->shortest[i]);
    }
    bench_row(run, &row);
}

/* The shortest way of all methods at each pose. */
static void find_shortest(Questions *q) {
    static void (*const methods[])(void *) = {ask_cold, ask_coherent, ask_classic};
    for (int i = 0; i < q->count; ++i) q->shortest[i] = INFINITY;
    for (int k = 0; k < 3; ++k) {
        methods[k](q);
        for (int i = 0; i < q->count; ++i) q->shortest[i] = fmin(q->shortest[i], -q->answer[i].distance);
    }
}

/* Poses of B on its way through A, turning, where they overlap. */
static void place(Questions *q, int concentric) {
    AbutRng rng = abut_rng(1003, 3);
    double reach = 0.7 * (q->tree[0]->radius + q->tree[1]->radius);
    q->count = 0;
    for (int i = 0; i < POSES; ++i) {
        double t = (i + 0.5) / POSES;
        AbutQuat turn = abut_quat_axis_angle(abut_normalize(abut_vec3(1.0, 2.0, 3.0)), 2.5 * t);
        AbutVec3 at = abut_scale(abut_vec3(1.0 - 2.0 * t, 0.35 - 0.5 * t, 0.2), concentric ? 0.0 : reach);
        if (concentric) turn = abut_random_quat(&rng);
        AbutPose pose =
            abut_pose(abut_sub(abut_add(q->tree[0]->center, at), abut_quat_rotate(turn, q->tree[1]->center)), turn);
        if (abut_collide(abut_solid_mesh(q->tree[0]), abut_solid_mesh(q->tree[1]), pose, NULL).outcome !=
            ABUT_SEPARATED)
            q->pose[q->count++] = pose;
    }
}

static void run_depth(BenchRun *run, int which) {
    static Questions q;
    AbutError error;
    for (int k = 0; k < 2; ++k) {
        AbutMesh mesh;
        const char *name = k == 0 ? pairs[which].a : pairs[which].b;
        bench_require(abut_mesh_make(name, pairs[which].triangles, NULL, &mesh, &error), &error);
        bench_require(abut_mesh_tree_create(&mesh, 0, &q.tree[k], &error), &error);
        bench_require(abut_mesh_decompose(&mesh, NULL, &q.pieces[k], &error), &error);
        q.core[k] = abut_mesh_core(q.tree[k]);
        abut_mesh_free(&mesh);
    }
    place(&q, pairs[which].concentric);
    find_shortest(&q);
    time_one(run, &q, "abut, sweep", ask_cold, 1);
    time_one(run, &q, "abut, coherent", ask_coherent, 1);
    time_one(run, &q, "abut, classic", ask_classic, 1);
    time_one(run, &q, "abut, pieces", ask_pieces, 0);
    for (int k = 0; k < 2; ++k) {
        abut_mesh_tree_free(q.tree[k]);
        abut_pieces_free(&q.pieces[k]);
    }
}

static void decompose_once(void *user) {
    AbutDecomposeDef def = {.max_pieces = 32, .threads = 1};
    AbutPieces pieces;
    AbutError error;
    bench_require(abut_mesh_decompose(user, &def, &pieces, &error), &error);
    abut_pieces_free(&pieces);
}

static void run_decompose(BenchRun *run, int triangles) {
    AbutMesh mesh;
    AbutError error;
    bench_require(abut_mesh_make(triangles > 10000 ? "statue" : "knot", triangles, NULL, &mesh, &error), &error);
    BenchProbe probe = {decompose_once, &mesh, 1, 0.0};
    bench_time(run, &probe, 1);
    BenchRow row = {"abut", probe.ns, 1, -1, -1, -1, 1};
    bench_row(run, &row);
    abut_mesh_free(&mesh);
}

static const BenchCase cases[] = {
    {"mesh/depth knot-torus", run_depth, 0},
    {"mesh/depth fish-torus", run_depth, 1},
    {"mesh/depth cup-finger", run_depth, 2},
    {"mesh/depth statue-fish", run_depth, 3},
    {"mesh/depth statues 70k", run_depth, 4},
    {"mesh/depth statues 70k, concentric", run_depth, 5},
    {"mesh/depth knot-torus, concentric", run_depth, 6},
    {"mesh/decompose knot 2k", run_decompose, 2000},
    {"mesh/decompose statue 100k", run_decompose, 100000},
};

const BenchList bench_depth_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
