/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases of two convex bodies. Hulls of 8, 32, 128 and 512 points on random ellipsoids (200 pairs of 16 + 16 hulls),
 * apart, in shallow and in deep overlap; aligned boxes, whose depth is known exactly; boxes and capsules; yes or no.
 * The truth comes from the exhaustive long double reference. In the warm cases a pair is asked at poses along a small
 * motion, again and again.
 */
#include "bench/engine.h"
#include "oracle/convex_oracle.h"
#include "oracle/oracle_vec.h"

#include <stdlib.h>

typedef enum Regime { APART, SHALLOW, DEEP } Regime;

/* Contents of a case, packed into its parameter. */
typedef enum Kind { HULLS, BOXES, CAPSULES } Kind;
#define CASE(kind, regime, question, warm, size)                                                                       \
    ((int)(kind) | (int)(regime) << 4 | (int)(question) << 8 | (warm) << 12 | (size) << 16)

static AbutVec3 random_unit(AbutRng *rng) {
    AbutVec3 v = abut_vec3(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng));
    return abut_normalize_or(v, abut_axis(0));
}

static AbutQuat random_turn(AbutRng *rng) {
    return abut_quat_normalize(
        abut_quat(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng)));
}

/* Hulls to choose A from, and as many for B: few enough to stay in the cache of the processor. */
enum { HULL_POOL = 16 };

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* The centroid is at the origin: some peers want the origin inside. */
static AbutConvex random_hull(AbutRng *rng, int count) {
    AbutVec3 *points = bench_memory((size_t)count, sizeof *points);
    AbutVec3 axes = abut_vec3(1.0, abut_rng_between(rng, 0.5, 1.0), abut_rng_between(rng, 0.5, 1.0));
    AbutQuat q = random_turn(rng);
    for (int i = 0; i < count; ++i) points[i] = abut_quat_rotate(q, abut_mul(random_unit(rng), axes));
    AbutPolyhedron *hull = NULL;
    AbutError error;
    bench_require(abut_polyhedron_from_points(points, count, NULL, &hull, &error), &error);
    AbutVec3 centroid = hull->mass.centroid;
    abut_polyhedron_free(hull);
    for (int i = 0; i < count; ++i) points[i] = abut_sub(points[i], centroid);
    bench_require(abut_polyhedron_from_points(points, count, NULL, &hull, &error), &error);
    free(points);
    return abut_convex_polyhedron(hull, 0.0);
}

static AbutConvex random_shape(AbutRng *rng, Kind kind, int count) {
    if (kind == HULLS) return random_hull(rng, count);
    if (kind == BOXES)
        return abut_convex_box(abut_vec3(abut_rng_between(rng, 0.3, 1.0), abut_rng_between(rng, 0.3, 1.0), 1.0), 0.0);
    double half = abut_rng_between(rng, 0.3, 1.0), radius = abut_rng_between(rng, 0.1, 0.4);
    return abut_convex_segment(abut_vec3(0.0, 0.0, -half), abut_vec3(0.0, 0.0, half), radius);
}

static BenchSet make_set(AbutRng *rng, Kind kind, int count, int pairs, int poses) {
    BenchSet set = {BENCH_DISTANCE, 0, kind == HULLS ? 2 * HULL_POOL : 2 * pairs, pairs, poses, NULL, NULL};
    set.shapes = bench_memory((size_t)set.shape_count, sizeof *set.shapes);
    set.pairs = bench_memory((size_t)pairs, sizeof *set.pairs);
    for (int i = 0; i < set.shape_count; ++i) set.shapes[i] = random_shape(rng, kind, count);
    for (int i = 0; i < pairs; ++i) {
        set.pairs[i].a = kind == HULLS ? (int)abut_rng_below(rng, HULL_POOL) : i;
        set.pairs[i].b = kind == HULLS ? HULL_POOL + (int)abut_rng_below(rng, HULL_POOL) : pairs + i;
    }
    return set;
}

static void free_set(BenchSet *set) {
    for (int i = 0; i < set->shape_count; ++i) {
        AbutPolyhedron *owned = (AbutPolyhedron *)(uintptr_t)set->shapes[i].polyhedron;
        abut_polyhedron_free(owned);
    }
    free(set->shapes);
    free(set->pairs);
}

/* ---- poses and truth --------------------------------------------------------------------------------------------- */

static OracleDistance truth_at(const BenchSet *set, const BenchPair *pair, AbutPose pose, double *size) {
    OracleBody a = oracle_body(&set->shapes[pair->a], abut_pose_identity());
    OracleBody b = oracle_body(&set->shapes[pair->b], pose);
    OracleDistance d = oracle_distance(&a, &b, 0);
    if (size) *size = (double)fmaxl(a.size, b.size);
    oracle_body_free(&a);
    oracle_body_free(&b);
    return d;
}

/* Apart: a gap of 0.1 to 2. Shallow: 0.1 % to 5 % of the size deep. Deep: middles closer than 0.3. */
static AbutPose random_pose(const BenchSet *set, const BenchPair *pair, AbutRng *rng, Regime regime) {
    AbutPose pose = abut_pose(abut_scale(random_unit(rng), 4.0), random_turn(rng));
    if (regime == DEEP) {
        pose.p = abut_scale(random_unit(rng), abut_rng_between(rng, 0.0, 0.3));
        return pose;
    }
    OracleDistance d = truth_at(set, pair, pose, NULL);
    double gap = regime == APART ? abut_rng_between(rng, 0.1, 2.0) : -pow(10.0, abut_rng_between(rng, -3.0, -1.3));
    pose.p = abut_add_scaled(pose.p, ov_to(d.normal), gap - (double)d.distance);
    return pose;
}

/* The poses after the first lie within 0.01 and 0.01 rad of it. 0: one of them is apart and should not be, or meets. */
static int try_pair(const BenchSet *set, BenchPair *pair, AbutRng *rng, Regime regime) {
    pair->b_in_a[0] = random_pose(set, pair, rng, regime);
    for (int k = 1; k < set->pose_count; ++k) {
        AbutPose step = abut_pose(abut_scale(random_unit(rng), 0.01), abut_quat_axis_angle(random_unit(rng), 0.01));
        pair->b_in_a[k] = abut_pose_mul(pair->b_in_a[0], step);
    }
    for (int k = 0; k < set->pose_count; ++k) {
        pair->truth[k] = (double)truth_at(set, pair, pair->b_in_a[k], &pair->size).distance;
        if ((pair->truth[k] > 0.0) != (regime == APART)) return 0;
    }
    return 1;
}

static void fill_pair(const BenchSet *set, BenchPair *pair, AbutRng *rng, Regime regime) {
    while (!try_pair(set, pair, rng, regime)) {
    }
}

static void run_convex(BenchRun *run, int parameter) {
    Kind kind = (Kind)(parameter & 15);
    Regime regime = (Regime)(parameter >> 4 & 15);
    int warm = parameter >> 12 & 15, count = parameter >> 16;
    AbutRng rng = abut_rng(1, (uint64_t)parameter);
    BenchSet set = make_set(&rng, kind, count, warm ? 50 : 200, warm ? BENCH_POSES : 1);
    set.question = (BenchQuestion)(parameter >> 8 & 15);
    set.warm = warm;
    for (int i = 0; i < set.pair_count; ++i) fill_pair(&set, &set.pairs[i], &rng, regime);
    bench_compare(run, &set);
    free_set(&set);
}

/* Half sizes and offsets on one grid, so that ties abound; the depth is the smallest overlap of the three axes. */
static void run_aligned_boxes(BenchRun *run, int concentric) {
    AbutRng rng = abut_rng(2, (uint64_t)concentric);
    BenchSet set = make_set(&rng, BOXES, 0, 200, 1);
    set.question = BENCH_DEPTH;
    for (int i = 0; i < set.pair_count; ++i) {
        double h[3], g[3], t[3], depth = HUGE_VAL;
        for (int k = 0; k < 3; ++k) {
            h[k] = 0.25 * (1 + (int)abut_rng_below(&rng, 6));
            g[k] = 0.25 * (1 + (int)abut_rng_below(&rng, 6));
            t[k] = concentric ? 0.0 : 0.125 * ((int)abut_rng_below(&rng, 5) - 2) * (h[k] + g[k]);
            depth = fmin(depth, h[k] + g[k] - fabs(t[k]));
        }
        BenchPair *pair = &set.pairs[i];
        set.shapes[pair->a] = abut_convex_box(abut_vec3(h[0], h[1], h[2]), 0.0);
        set.shapes[pair->b] = abut_convex_box(abut_vec3(g[0], g[1], g[2]), 0.0);
        pair->b_in_a[0] = abut_pose(abut_vec3(t[0], t[1], t[2]), abut_quat_identity());
        pair->truth[0] = -depth;
        pair->size = fmax(abut_length(set.shapes[pair->a].p[0]), abut_length(set.shapes[pair->b].p[0]));
    }
    bench_compare(run, &set);
    free_set(&set);
}

#define HULL_CASES(name, regime, question, warm)                                                                       \
    {name "/8", run_convex, CASE(HULLS, regime, question, warm, 8)},                                                   \
        {name "/32", run_convex, CASE(HULLS, regime, question, warm, 32)},                                             \
        {name "/128", run_convex, CASE(HULLS, regime, question, warm, 128)}, {                                         \
        name "/512", run_convex, CASE(HULLS, regime, question, warm, 512)                                              \
    }

static const BenchCase cases[] = {
    HULL_CASES("distance/apart", APART, BENCH_DISTANCE, 0),
    HULL_CASES("depth/shallow", SHALLOW, BENCH_DEPTH, 0),
    HULL_CASES("depth/deep", DEEP, BENCH_DEPTH, 0),
    HULL_CASES("meet/apart", APART, BENCH_MEET, 0),
    HULL_CASES("meet/shallow", SHALLOW, BENCH_MEET, 0),
    HULL_CASES("warm/distance/apart", APART, BENCH_DISTANCE, 1),
    HULL_CASES("warm/depth/deep", DEEP, BENCH_DEPTH, 1),
    {"box/distance/apart", run_convex, CASE(BOXES, APART, BENCH_DISTANCE, 0, 0)},
    {"box/depth/shallow", run_convex, CASE(BOXES, SHALLOW, BENCH_DEPTH, 0, 0)},
    {"box/depth/deep", run_convex, CASE(BOXES, DEEP, BENCH_DEPTH, 0, 0)},
    {"box/meet/apart", run_convex, CASE(BOXES, APART, BENCH_MEET, 0, 0)},
    {"box/depth/aligned", run_aligned_boxes, 0},
    {"box/depth/concentric", run_aligned_boxes, 1},
    {"box/warm/distance/apart", run_convex, CASE(BOXES, APART, BENCH_DISTANCE, 1, 0)},
    {"capsule/distance/apart", run_convex, CASE(CAPSULES, APART, BENCH_DISTANCE, 0, 0)},
    {"capsule/depth/shallow", run_convex, CASE(CAPSULES, SHALLOW, BENCH_DEPTH, 0, 0)},
    {"capsule/meet/apart", run_convex, CASE(CAPSULES, APART, BENCH_MEET, 0, 0)},
};

const BenchList bench_convex_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
