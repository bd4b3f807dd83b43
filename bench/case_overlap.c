/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The overlap of two bodies by clipping, cold and warm, and by duality: boxes, hulls of points on a sphere, and a
 * half-space under either. "deep" pairs share much of their volume at random places; "rest" pairs overlap by one part
 * in a hundred, as bodies in contact do. Clipping and duality are checked against each other.
 */
#include "bench/bench.h"
#include "abut/literature.h"

#include <stdlib.h>

enum { PAIRS = 100, WAYS = 3, HALF_SPACE = -1, BOX = 0 };

typedef struct Overlaps {
    int way; /* 0 clipping, 1 clipping with a cache, 2 duality */
    AbutPolyhedron *hull_a[PAIRS], *hull_b[PAIRS];
    AbutConvex a[PAIRS], b[PAIRS];
    AbutPose pose[PAIRS];
    AbutOverlapCache cache[PAIRS];
    double volume[PAIRS];
    int failed[PAIRS];
    void *workspace;
    size_t workspace_size;
} Overlaps;

/* `points` on the unit sphere, a box or a half-space. */
static AbutConvex random_body(AbutRng *rng, int points, AbutPolyhedron **hull) {
    AbutError error;
    AbutPlane ground = {{0, 0, 1}, 0};
    *hull = NULL;
    if (points == HALF_SPACE) return abut_convex_half_space(ground, 0.0);
    if (points == BOX)
        return abut_convex_box(abut_vec3(1.0, abut_rng_between(rng, 0.5, 1.0), abut_rng_between(rng, 0.5, 1.0)), 0.0);
    AbutVec3 *p = bench_memory((size_t)points, sizeof *p);
    for (int i = 0; i < points; ++i) p[i] = abut_random_direction(rng);
    bench_require(abut_polyhedron_from_points(p, points, NULL, hull, &error), &error);
    free(p);
    return abut_convex_polyhedron(*hull, 0.0);
}

/* A random place; `rest`: B pushed out until one hundredth of depth is left. */
static AbutPose random_pose(AbutRng *rng, const AbutConvex *a, const AbutConvex *b, int rest) {
    AbutVec3 away = abut_random_direction(rng);
    AbutPose pose = abut_pose(abut_scale(away, abut_rng_between(rng, 0.2, 1.0)), abut_random_quat(rng));
    if (a->kind == ABUT_CONVEX_HALF_SPACE) pose.p.z = abut_rng_between(rng, 0.0, 0.5);
    if (rest) {
        AbutGap d = abut_convex_distance(a, b, pose, NULL, NULL);
        pose.p = abut_add_scaled(pose.p, d.normal, -0.01 - d.distance);
    }
    return pose;
}

static void ask_all(void *user) {
    Overlaps *o = user;
    for (int i = 0; i < PAIRS; ++i) {
        AbutOverlapCache *cache = o->way == 1 ? &o->cache[i] : NULL;
        AbutOverlap out = o->way == 2
                              ? abut_overlap_by_duality(&o->a[i], &o->b[i], o->pose[i], o->workspace, o->workspace_size)
                              : abut_overlap(&o->a[i], &o->b[i], o->pose[i], cache, o->workspace, o->workspace_size);
        o->volume[i] = out.volume;
        o->failed[i] = out.outcome > ABUT_OVERLAP_DISJOINT;
    }
}

static void report(BenchRun *run, const char *name, const Overlaps *way, const Overlaps *reference, double ns) {
    BenchRow row = {name, ns, PAIRS, 0, 0, 0, 1};
    for (int i = 0; i < PAIRS; ++i) {
        double error = fabs(way->volume[i] - reference->volume[i]);
        row.wrong_6 += error > 1e-6;
        row.wrong_3 += error > 1e-3;
        row.failed += way->failed[i];
    }
    bench_row(run, &row);
}

static void make_pairs(Overlaps *o, int points_a, int points_b, int rest) {
    AbutRng rng = abut_rng(4, (uint64_t)(points_b + 1));
    o->workspace_size = 0;
    for (int i = 0; i < PAIRS; ++i) {
        o->a[i] = random_body(&rng, points_a, &o->hull_a[i]);
        o->b[i] = random_body(&rng, points_b, &o->hull_b[i]);
        o->pose[i] = random_pose(&rng, &o->a[i], &o->b[i], rest);
        size_t need = abut_overlap_workspace_size(&o->a[i], &o->b[i]);
        o->workspace_size = need > o->workspace_size ? need : o->workspace_size;
    }
    o->workspace = bench_memory(o->workspace_size, 1);
}

#define CASE(points, half_space, rest) ((points) << 2 | (half_space) << 1 | (rest))

static void run_overlap(BenchRun *run, int parameter) {
    static const char *const name[WAYS] = {"abut, clipping", "abut, clipping, warm", "abut, duality"};
    static Overlaps ways[WAYS];
    BenchProbe probes[WAYS];
    int points = parameter >> 2;
    make_pairs(&ways[0], parameter & 2 ? HALF_SPACE : points, points, parameter & 1);
    for (int k = WAYS - 1; k >= 0; --k) {
        ways[k] = ways[0];
        ways[k].way = k;
        BenchProbe probe = {ask_all, &ways[k], PAIRS, 0.0};
        probes[k] = probe;
    }
    bench_time(run, probes, WAYS);
    for (int k = 0; k < WAYS; ++k) report(run, name[k], &ways[k], &ways[k == 2 ? 0 : 2], probes[k].ns);
    for (int i = 0; i < PAIRS; ++i) {
        abut_polyhedron_free(ways[0].hull_a[i]);
        abut_polyhedron_free(ways[0].hull_b[i]);
    }
    free(ways[0].workspace);
}

static const BenchCase cases[] = {
    {"overlap/box/deep", run_overlap, CASE(BOX, 0, 0)},
    {"overlap/box/rest", run_overlap, CASE(BOX, 0, 1)},
    {"overlap/hull/32/deep", run_overlap, CASE(32, 0, 0)},
    {"overlap/hull/32/rest", run_overlap, CASE(32, 0, 1)},
    {"overlap/hull/128/deep", run_overlap, CASE(128, 0, 0)},
    {"overlap/hull/128/rest", run_overlap, CASE(128, 0, 1)},
    {"overlap/hull/300/deep", run_overlap, CASE(300, 0, 0)},
    {"overlap/hull/300/rest", run_overlap, CASE(300, 0, 1)},
    {"overlap/half-space/box", run_overlap, CASE(BOX, 1, 1)},
    {"overlap/half-space/hull/128", run_overlap, CASE(128, 1, 1)},
};

const BenchList bench_overlap_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
