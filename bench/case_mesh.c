/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Triangle meshes: distance cold and warm, collision, building of the tree; two wavy tori of 10,000 triangles, and a
 * statue of 100,000 against a finger, at random poses of three ranges of distance. Peers answer the same questions; the
 * truth that they are held against is abut's distance without a cache.
 */
#include "bench/mesh_peer.h"
#include "support/wavy_torus.h"

#include <math.h>
#include <string.h>

const BenchMeshPeer *const bench_mesh_peers[] = {
#ifdef BENCH_HAVE_MESH_FCL
    &bench_mesh_fcl,
#endif
#ifdef BENCH_HAVE_MESH_COAL
    &bench_mesh_coal,
#endif
    NULL};

enum { POSES = 200, TORI = 0, STATUE = 1 };

typedef struct Questions {
    AbutMeshTree *a, *b;
    const AbutMesh *mesh;
    AbutPose pose[POSES], before[POSES]; /* before: a little way off, for the warm start */
    AbutGapCache cache[POSES];
    double truth[POSES], answer[POSES];
    int hit[POSES];
    const BenchMeshPeer *peer;
    void *state;
} Questions;

static void ask_cold(void *user) {
    Questions *q = user;
    for (int i = 0; i < POSES; ++i)
        q->answer[i] = abut_distance(abut_solid_mesh(q->a), abut_solid_mesh(q->b), q->pose[i], NULL, NULL).surface;
}

static void ask_warm(void *user) {
    Questions *q = user;
    for (int i = 0; i < POSES; ++i) {
        AbutGapCache cache = q->cache[i];
        q->answer[i] = abut_distance(abut_solid_mesh(q->a), abut_solid_mesh(q->b), q->pose[i], NULL, &cache).surface;
    }
}

static void ask_collide(void *user) {
    Questions *q = user;
    for (int i = 0; i < POSES; ++i)
        q->hit[i] =
            abut_collide(abut_solid_mesh(q->a), abut_solid_mesh(q->b), q->pose[i], NULL).outcome == ABUT_PENETRATING;
}

static void ask_peer(void *user) {
    Questions *q = user;
    for (int i = 0; i < POSES; ++i) q->answer[i] = fmax(0.0, q->peer->distance(q->state, q->pose[i]));
}

static void ask_peer_collide(void *user) {
    Questions *q = user;
    for (int i = 0; i < POSES; ++i) q->hit[i] = q->peer->collide(q->state, q->pose[i]);
}

AbutMesh bench_wavy_torus(int nu, int nv, int waves_u, int waves_v) {
    AbutMesh m;
    AbutError error;
    bench_require(abut_mesh_create(nu * nv, 2 * nu * nv, &m, &error), &error);
    fill_wavy_torus(&m, nu, nv, waves_u, waves_v);
    return m;
}

static void make_meshes(int which, AbutMesh mesh[2]) {
    AbutError error;
    if (which == TORI) {
        mesh[0] = bench_wavy_torus(100, 50, 7, 5);
        mesh[1] = bench_wavy_torus(100, 50, 5, 7);
        return;
    }
    bench_require(abut_mesh_make("statue", 100000, NULL, &mesh[0], &error), &error);
    bench_require(abut_mesh_make("finger", 3480, NULL, &mesh[1], &error), &error);
}

/* Poses at `low` to `high` of the mean radius of the tori, and the answers that everything is compared with. */
static void place(Questions *q, double low, double high) {
    AbutRng rng = abut_rng(1001, 7);
    double size = (q->a->radius + q->b->radius) / 2.75;
    for (int i = 0; i < POSES; ++i) {
        AbutVec3 p = abut_scale(abut_random_direction(&rng), size * abut_rng_between(&rng, low, high));
        q->pose[i] = abut_pose(p, abut_random_quat(&rng));
        AbutQuat turn = abut_quat_axis_angle(abut_random_direction(&rng), 0.01);
        q->before[i] =
            abut_pose(abut_add_scaled(p, abut_random_direction(&rng), 0.01 * size), abut_quat_mul(turn, q->pose[i].q));
        memset(&q->cache[i], 0, sizeof q->cache[i]);
        (void)abut_distance(abut_solid_mesh(q->a), abut_solid_mesh(q->b), q->before[i], NULL, &q->cache[i]);
        q->truth[i] = abut_distance(abut_solid_mesh(q->a), abut_solid_mesh(q->b), q->pose[i], NULL, NULL).surface;
    }
}

static void time_one(BenchRun *run, Questions *q, const char *engine, void (*once)(void *), int is_distance, int own) {
    BenchProbe probe = {once, q, POSES, 0.0};
    BenchRow row = {engine, 0.0, POSES, 0, 0, -1, own};
    bench_time(run, &probe, 1);
    row.ns = probe.ns;
    for (int i = 0; i < POSES; ++i) {
        double off = is_distance ? fabs(q->answer[i] - q->truth[i]) : (q->hit[i] != (q->truth[i] == 0.0));
        row.wrong_6 += !(off <= 1e-6);
        row.wrong_3 += !(off <= 1e-3);
    }
    bench_row(run, &row);
}

static void run_pair(BenchRun *run, int parameter) {
    static const double range[3][2] = {{3.2, 4.0}, {2.4, 2.9}, {1.0, 2.0}};
    static Questions q;
    AbutMesh mesh[2];
    AbutError error;
    make_meshes(parameter / 3, mesh);
    bench_require(abut_mesh_tree_create(&mesh[0], 0, &q.a, &error), &error);
    bench_require(abut_mesh_tree_create(&mesh[1], 0, &q.b, &error), &error);
    place(&q, range[parameter % 3][0], range[parameter % 3][1]);
    time_one(run, &q, "abut, cold", ask_cold, 1, 1);
    time_one(run, &q, "abut, warm", ask_warm, 1, 1);
    time_one(run, &q, "abut, collide", ask_collide, 0, 1);
    for (const BenchMeshPeer *const *peer = bench_mesh_peers; *peer; ++peer) {
        char name[40];
        q.peer = *peer;
        q.state = q.peer->open(&mesh[0], &mesh[1]);
        time_one(run, &q, q.peer->name, ask_peer, 1, 0);
        snprintf(name, sizeof name, "%s, collide", q.peer->name);
        time_one(run, &q, name, ask_peer_collide, 0, 0);
        q.peer->close(q.state);
    }
    abut_mesh_tree_free(q.a);
    abut_mesh_tree_free(q.b);
    abut_mesh_free(&mesh[0]);
    abut_mesh_free(&mesh[1]);
}

static void build_once(void *user) {
    AbutMeshTree *tree;
    AbutError error;
    bench_require(abut_mesh_tree_create(user, 1, &tree, &error), &error);
    abut_mesh_tree_free(tree);
}

static void run_build(BenchRun *run, int triangles) {
    AbutMesh mesh;
    AbutError error;
    bench_require(abut_mesh_make("statue", triangles, NULL, &mesh, &error), &error);
    BenchProbe probe = {build_once, &mesh, 1, 0.0};
    bench_time(run, &probe, 1);
    BenchRow row = {"abut", probe.ns, 1, -1, -1, -1, 1};
    bench_row(run, &row);
    abut_mesh_free(&mesh);
}

static const BenchCase cases[] = {
    {"mesh/tori far", run_pair, 3 * TORI},
    {"mesh/tori near", run_pair, 3 * TORI + 1},
    {"mesh/tori mixed", run_pair, 3 * TORI + 2},
    {"mesh/statue-finger far", run_pair, 3 * STATUE},
    {"mesh/statue-finger near", run_pair, 3 * STATUE + 1},
    {"mesh/statue-finger mixed", run_pair, 3 * STATUE + 2},
    {"mesh/build 100k", run_build, 100000},
};

const BenchList bench_mesh_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
