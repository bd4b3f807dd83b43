/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distance and collision of many different triangle meshes, 200 random pairs at random poses from apart to overlapping:
 * the shapes of `abut make`, at several numbers of triangles; the STL parts of the robots beside the checkout, with
 * long thin triangles, where they are; and parts a thousand times apart in size. The truth that all are held against is
 * abut's distance without a cache.
 */
#include "bench/mesh_peer.h"
#include "support/optional_data.h"

#include <dirent.h>
#include <math.h>
#include <string.h>

enum { PAIRS = 200, MOST_PARTS = 120, GENERATED = 0, ROBOTS, APART_IN_SIZE };

typedef struct Parts {
    int count;
    AbutMesh mesh[MOST_PARTS];
    AbutMeshTree *tree[MOST_PARTS];
} Parts;

typedef struct Questions {
    const Parts *parts;
    int a[PAIRS], b[PAIRS];
    AbutPose pose[PAIRS];
    double truth[PAIRS], answer[PAIRS];
    int hit[PAIRS];
    const BenchMeshPeer *peer;
    void *state[PAIRS];
} Questions;

static void add_part(Parts *parts, AbutMesh mesh) {
    AbutError error;
    bench_require(abut_mesh_tree_create(&mesh, 1, &parts->tree[parts->count], &error), &error);
    parts->mesh[parts->count++] = mesh;
}

static void generate(Parts *parts, double scale) {
    static const int triangles[3] = {300, 2000, 12000};
    int count;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    for (int i = 0; i < 3 * count && parts->count < MOST_PARTS; ++i) {
        AbutMesh mesh;
        AbutError error;
        bench_require(abut_mesh_make(makers[i / 3].name, triangles[i % 3], NULL, &mesh, &error), &error);
        for (int v = 0; v < mesh.vertex_count; ++v) mesh.vertices[v] = abut_scale(mesh.vertices[v], scale);
        add_part(parts, mesh);
    }
}

/* The STL files of a folder; what cannot be read is left out. */
static void load_folder(Parts *parts, const char *folder) {
    DIR *dir = opendir(folder);
    for (struct dirent *file; dir && parts->count < MOST_PARTS && (file = readdir(dir)) != NULL;) {
        const char *end = strrchr(file->d_name, '.');
        char path[2048];
        AbutMesh mesh;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        if (end && (strcmp(end, ".stl") == 0 || strcmp(end, ".STL") == 0) &&
            abut_mesh_read(path, NULL, 0, &mesh, NULL, NULL) == ABUT_OK)
            add_part(parts, mesh);
    }
    if (dir) closedir(dir);
}

static void load_robots(Parts *parts) {
    static const char *const robots[3] = {"pal_talos", "trossen_wx250s", "wonik_allegro"};
    const char *folder = optional_data("robots");
    for (int i = 0; folder && i < 3; ++i) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s/assets", folder, robots[i]);
        load_folder(parts, path);
    }
}

/* Two parts, of comparable size unless sizes are to differ: then a large one and a small one. */
static void choose(const Parts *parts, AbutRng *rng, int which, int *a, int *b) {
    uint32_t half = (uint32_t)parts->count / 2;
    for (int k = 0; k < 1000; ++k) {
        *a = (int)abut_rng_below(rng, which == APART_IN_SIZE ? half : (uint32_t)parts->count);
        *b = which == APART_IN_SIZE ? (int)(half + abut_rng_below(rng, half))
                                    : (int)abut_rng_below(rng, (uint32_t)parts->count);
        double ratio = parts->tree[*a]->radius / parts->tree[*b]->radius;
        if (*a != *b && (which == APART_IN_SIZE || (ratio < 4.0 && ratio > 0.25))) return;
    }
}

/* Somewhere between a touch of the balls around them and their middles on each other; small parts near the surface. */
static void place(Questions *q, int which) {
    AbutRng rng = abut_rng(1002, (uint64_t)which);
    for (int i = 0; i < PAIRS; ++i) {
        choose(q->parts, &rng, which, &q->a[i], &q->b[i]);
        const AbutMeshTree *a = q->parts->tree[q->a[i]], *b = q->parts->tree[q->b[i]];
        AbutQuat turn = abut_random_quat(&rng);
        AbutVec3 way = abut_random_direction(&rng);
        double far = abut_rng_between(&rng, 0.3, 1.0) * (a->radius + b->radius);
        AbutVec3 at = abut_add_scaled(a->center, way, far);
        if (which == APART_IN_SIZE)
            at =
                abut_add_scaled(abut_mesh_nearest(a, at, 0.0).point, way, abut_rng_between(&rng, 0.0, 4.0) * b->radius);
        q->pose[i] = abut_pose(abut_sub(at, abut_quat_rotate(turn, b->center)), turn);
        q->truth[i] = abut_distance(abut_solid_mesh(a), abut_solid_mesh(b), q->pose[i], NULL, NULL).surface;
    }
}

static void ask(void *user) {
    Questions *q = user;
    for (int i = 0; i < PAIRS; ++i)
        q->answer[i] = abut_distance(
            abut_solid_mesh(q->parts->tree[q->a[i]]), abut_solid_mesh(q->parts->tree[q->b[i]]), q->pose[i], NULL, NULL)
                           .surface;
}

static void ask_collide(void *user) {
    Questions *q = user;
    for (int i = 0; i < PAIRS; ++i)
        q->hit[i] = abut_collide(abut_solid_mesh(q->parts->tree[q->a[i]]), abut_solid_mesh(q->parts->tree[q->b[i]]),
                        q->pose[i], NULL)
                        .outcome == ABUT_PENETRATING;
}

static void ask_peer(void *user) {
    Questions *q = user;
    for (int i = 0; i < PAIRS; ++i) q->answer[i] = fmax(0.0, q->peer->distance(q->state[i], q->pose[i]));
}

static void ask_peer_collide(void *user) {
    Questions *q = user;
    for (int i = 0; i < PAIRS; ++i) q->hit[i] = q->peer->collide(q->state[i], q->pose[i]);
}

static void time_one(BenchRun *run, Questions *q, const char *engine, void (*once)(void *), int is_distance, int own) {
    BenchProbe probe = {once, q, PAIRS, 0.0};
    BenchRow row = {engine, 0.0, PAIRS, 0, 0, -1, own};
    bench_time(run, &probe, 1);
    row.ns = probe.ns;
    for (int i = 0; i < PAIRS; ++i) {
        double size = q->parts->tree[q->a[i]]->radius;
        double off = is_distance ? fabs(q->answer[i] - q->truth[i]) / size : (q->hit[i] != (q->truth[i] == 0.0));
        row.wrong_6 += !(off <= 1e-6);
        row.wrong_3 += !(off <= 1e-3);
    }
    bench_row(run, &row);
}

static void time_peer(BenchRun *run, Questions *q, const BenchMeshPeer *peer) {
    char name[40];
    q->peer = peer;
    for (int i = 0; i < PAIRS; ++i) q->state[i] = peer->open(&q->parts->mesh[q->a[i]], &q->parts->mesh[q->b[i]]);
    time_one(run, q, peer->name, ask_peer, 1, 0);
    snprintf(name, sizeof name, "%s, collide", peer->name);
    time_one(run, q, name, ask_peer_collide, 0, 0);
    for (int i = 0; i < PAIRS; ++i) peer->close(q->state[i]);
}

static void run_parts(BenchRun *run, int which) {
    static Parts parts;
    static Questions q;
    memset(&parts, 0, sizeof parts);
    if (which == ROBOTS)
        load_robots(&parts);
    else
        generate(&parts, 1.0);
    if (which == APART_IN_SIZE) generate(&parts, 1e-3);
    if (parts.count < 2) return;
    q.parts = &parts;
    place(&q, which);
    time_one(run, &q, "abut, cold", ask, 1, 1);
    time_one(run, &q, "abut, collide", ask_collide, 0, 1);
    for (const BenchMeshPeer *const *peer = bench_mesh_peers; *peer; ++peer) time_peer(run, &q, *peer);
    for (int i = 0; i < parts.count; ++i) {
        abut_mesh_tree_free(parts.tree[i]);
        abut_mesh_free(&parts.mesh[i]);
    }
}

static const BenchCase cases[] = {
    {"mesh/parts made", run_parts, GENERATED},
    {"mesh/parts of robots", run_parts, ROBOTS},
    {"mesh/parts 1000 times apart", run_parts, APART_IN_SIZE},
};

const BenchList bench_parts_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
