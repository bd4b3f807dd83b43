/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving and very large meshes: time of impact of two wavy tori of 10,000 triangles on a straight line, a screw, a fast
 * spin and a bent path with a spin, and of the first and a box; building the tree of a mesh of two million triangles,
 * and distance and collision of two such. An answer is wrong when the bodies meet at one of twenty times before it.
 */
#include "bench/mesh_peer.h"

#include <math.h>
#include <string.h>

enum { MOTIONS = 60, SAMPLES = 20, LARGE_POSES = 20 };

typedef struct Impacts {
    AbutMover a[MOTIONS], b[MOTIONS];
    AbutImpact answer[MOTIONS];
} Impacts;

/* B comes from 3 to 3.6 towards A, within 0.8 of its center; kind 0: straight, 1: screw, 2: spin, 3: bent and spin. */
static AbutMotion make_motion(AbutRng *rng, int kind) {
    static const double turn[4] = {0.0, 1.0, 6.3, 3.0};
    AbutVec3 from = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 3.0, 3.6));
    AbutVec3 to = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.0, 0.8));
    AbutMotion m = abut_motion_translation(abut_pose(from, abut_random_quat(rng)), abut_sub(to, from));
    m.spin = abut_scale(abut_random_direction(rng), turn[kind]);
    if (kind == 3) {
        AbutVec3 bend = abut_scale(abut_random_direction(rng), 1.0);
        m.path[0] = abut_sub(m.path[0], abut_scale(bend, 0.5));
        m.path[1] = bend;
        m.path[2] = abut_scale(bend, -0.5);
    }
    return m;
}

static void ask_impacts(void *user) {
    Impacts *x = user;
    AbutImpactDef def = {.to = 1.0};
    for (int i = 0; i < MOTIONS; ++i) x->answer[i] = abut_time_of_impact(&x->a[i], &x->b[i], &def);
}

static int is_late(const AbutMover *a, const AbutMover *b, const AbutImpact *x) {
    for (int k = 0; k < SAMPLES; ++k) {
        double t = x->t_lo * k / SAMPLES;
        AbutPose pose = abut_pose_between(abut_motion_pose(&a->motion, t), abut_motion_pose(&b->motion, t));
        if (abut_collide(a->solid, b->solid, pose, NULL).outcome != ABUT_SEPARATED) return 1;
    }
    return 0;
}

/* Kinds 0 to 3 of two tori, 4 to 7 of a torus and a box. */
static void run_impact(BenchRun *run, int kind) {
    static Impacts x;
    AbutConvex box = abut_convex_box(abut_vec3(0.4, 0.3, 0.5), 0.0);
    AbutRng rng = abut_rng(2024, (uint64_t)kind);
    AbutMesh mesh[2] = {bench_wavy_torus(100, 50, 7, 5), bench_wavy_torus(100, 50, 5, 7)};
    AbutMeshTree *tree[2];
    AbutError error;
    for (int k = 0; k < 2; ++k) bench_require(abut_mesh_tree_create(&mesh[k], 0, &tree[k], &error), &error);
    memset(&x, 0, sizeof x);
    for (int i = 0; i < MOTIONS; ++i) {
        x.a[i] = (AbutMover){abut_solid_mesh(tree[0]), abut_motion_static(abut_pose_identity())};
        x.b[i] =
            (AbutMover){kind < 4 ? abut_solid_mesh(tree[1]) : abut_solid_convex(&box), make_motion(&rng, kind % 4)};
    }
    BenchProbe probe = {ask_impacts, &x, MOTIONS, 0.0};
    bench_time(run, &probe, 1);
    BenchRow row = {"abut", probe.ns, MOTIONS, 0, 0, 0, 1};
    for (int i = 0; i < MOTIONS; ++i) {
        row.wrong_6 += is_late(&x.a[i], &x.b[i], &x.answer[i]);
        row.failed += x.answer[i].outcome >= ABUT_IMPACT_UNDECIDED;
    }
    row.wrong_3 = row.wrong_6;
    bench_row(run, &row);
    for (int k = 0; k < 2; ++k) {
        abut_mesh_tree_free(tree[k]);
        abut_mesh_free(&mesh[k]);
    }
}

/* ---- two million triangles --------------------------------------------------------------------------------------- */

typedef struct Large {
    AbutMeshTree *a, *b;
    AbutPose pose[LARGE_POSES];
    double distance[LARGE_POSES];
    int hits;
} Large;

static void ask_distances(void *user) {
    Large *x = user;
    for (int i = 0; i < LARGE_POSES; ++i)
        x->distance[i] = abut_distance(abut_solid_mesh(x->a), abut_solid_mesh(x->b), x->pose[i], NULL, NULL).surface;
}

static void ask_collisions(void *user) {
    Large *x = user;
    for (int i = 0; i < LARGE_POSES; ++i)
        x->hits +=
            abut_collide(abut_solid_mesh(x->a), abut_solid_mesh(x->b), x->pose[i], NULL).outcome != ABUT_SEPARATED;
}

/* Trees are timed by the processor time of the calling thread, which has its part of the work to the end. */
static void build_on(const AbutMesh *mesh, int threads) {
    AbutMeshTree *tree;
    AbutError error;
    bench_require(abut_mesh_tree_create(mesh, threads, &tree, &error), &error);
    abut_mesh_tree_free(tree);
}

static void build_on_one(void *mesh) { build_on(mesh, 1); }

static void build_on_two(void *mesh) { build_on(mesh, 2); }

static void run_large(BenchRun *run, int unused) {
    static Large x;
    AbutRng rng = abut_rng(2025, 1);
    AbutMesh mesh[2] = {bench_wavy_torus(1000, 1000, 7, 5), bench_wavy_torus(1000, 1000, 5, 7)};
    AbutError error;
    (void)unused;
    BenchProbe build[2] = {{build_on_one, &mesh[0], 1, 0.0}, {build_on_two, &mesh[0], 1, 0.0}};
    bench_time(run, build, 2);
    bench_require(abut_mesh_tree_create(&mesh[0], 0, &x.a, &error), &error);
    bench_require(abut_mesh_tree_create(&mesh[1], 0, &x.b, &error), &error);
    for (int i = 0; i < LARGE_POSES; ++i)
        x.pose[i] = abut_pose(
            abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 2.4, 2.9)), abut_random_quat(&rng));
    BenchProbe probe[2] = {{ask_distances, &x, LARGE_POSES, 0.0}, {ask_collisions, &x, LARGE_POSES, 0.0}};
    bench_time(run, probe, 2);
    BenchRow distance = {"abut, cold", probe[0].ns, LARGE_POSES, -1, -1, -1, 1};
    BenchRow collide = {"abut, collide", probe[1].ns, LARGE_POSES, -1, -1, -1, 1};
    BenchRow one = {"abut, build, one thread", build[0].ns, 1, -1, -1, -1, 1};
    BenchRow two = {"abut, build, two threads", build[1].ns, 1, -1, -1, -1, 1};
    bench_row(run, &one);
    bench_row(run, &two);
    bench_row(run, &distance);
    bench_row(run, &collide);
    abut_mesh_tree_free(x.a);
    abut_mesh_tree_free(x.b);
    abut_mesh_free(&mesh[0]);
    abut_mesh_free(&mesh[1]);
}

static const BenchCase cases[] = {
    {"mesh/impact straight", run_impact, 0},
    {"mesh/impact screw", run_impact, 1},
    {"mesh/impact spin", run_impact, 2},
    {"mesh/impact bent", run_impact, 3},
    {"mesh/impact of a box, straight", run_impact, 4},
    {"mesh/impact of a box, screw", run_impact, 5},
    {"mesh/impact of a box, spin", run_impact, 6},
    {"mesh/impact of a box, bent", run_impact, 7},
    {"mesh/two million", run_large, 0},
};

const BenchList bench_mesh_motion_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
