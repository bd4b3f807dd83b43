/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directions of parting along the benchmark paths: time of a frame of the soft direction, and of making a body. A frame
 * counts as wrong when the direction turns by more than its certificate allows.
 */
#include "bench/bench.h"
#include "abut/literature.h"

#include <stdlib.h>

enum { FRAMES = 400 };

typedef struct Path {
    AbutMesh mesh[2];
    AbutSoftBody *body[2];
    AbutPose pose[FRAMES];
    AbutSoft answer[FRAMES];
    void *workspace;
    double tau;
} Path;

static void ask_soft(void *user) {
    Path *p = user;
    for (int i = 0; i < FRAMES; ++i)
        p->answer[i] = abut_soft_direction(p->body[0], p->body[1], p->pose[i], NULL, p->workspace);
}

static void make_body(void *user) {
    Path *p = user;
    AbutSoftBodyDef def = {.tau = p->tau, .threads = 1};
    AbutSoftBody *body;
    AbutError error;
    bench_require(abut_soft_body_create(&p->mesh[0], &def, &body, &error), &error);
    abut_soft_body_free(body);
}

/* Bodies for one question, and that question: full grids, or what it asks for of them. */
static void answer_one(const Path *p, int lazy) {
    AbutSoftBodyDef def = {.tau = p->tau, .threads = 1, .lazy = lazy};
    AbutSoftBody *body[2];
    AbutError error;
    for (int k = 0; k < 2; ++k) bench_require(abut_soft_body_create(&p->mesh[k], &def, &body[k], &error), &error);
    (void)abut_soft_direction(body[0], body[1], p->pose[FRAMES / 2], NULL, p->workspace);
    abut_soft_body_free(body[0]);
    abut_soft_body_free(body[1]);
}

static void answer_full(void *user) { answer_one(user, 0); }

static void answer_lazy(void *user) { answer_one(user, 1); }

static int turns_too_far(const Path *p) {
    int wrong = 0;
    for (int i = 1; i < FRAMES; ++i)
        wrong += abut_angle_between(p->answer[i - 1].direction, p->answer[i].direction) >
                 abut_soft_turn_bound(p->body[1], &p->answer[i - 1], p->pose[i - 1], &p->answer[i], p->pose[i]);
    return wrong;
}

static void time_frames(BenchRun *run, Path *p) {
    BenchProbe probe = {ask_soft, p, FRAMES, 0.0};
    BenchRow row = {"abut, soft", 0.0, FRAMES, -1, -1, 0, 1};
    bench_time(run, &probe, 1);
    row.ns = probe.ns;
    row.wrong_6 = row.wrong_3 = turns_too_far(p);
    for (int i = 0; i < FRAMES; ++i) row.failed += p->answer[i].outcome == ABUT_SOFT_INVALID;
    bench_row(run, &row);
}

static void time_making(BenchRun *run, Path *p) {
    BenchProbe probe[3] = {{make_body, p, 1, 0.0}, {answer_full, p, 1, 0.0}, {answer_lazy, p, 1, 0.0}};
    static const char *const name[3] = {"abut, make A", "abut, both and one answer", "the same, lazy"};
    bench_time(run, probe, 3);
    for (int k = 0; k < 3; ++k) {
        BenchRow row = {name[k], probe[k].ns, 1, -1, -1, -1, 1};
        bench_row(run, &row);
    }
}

static void run_path(BenchRun *run, int parameter) {
    static Path p;
    int count;
    AbutError error;
    p.tau = abut_direction_cases(&count)[parameter].tau;
    bench_require(abut_direction_case_meshes(parameter, &p.mesh[0], &p.mesh[1], &error), &error);
    for (int k = 0; k < 2; ++k) {
        AbutSoftBodyDef def = {.tau = p.tau};
        bench_require(abut_soft_body_create(&p.mesh[k], &def, &p.body[k], &error), &error);
    }
    for (int i = 0; i < FRAMES; ++i) p.pose[i] = abut_direction_case_pose(parameter, (double)i / FRAMES);
    p.workspace = bench_memory(abut_soft_size(p.body[0], p.body[1]), 1);
    time_frames(run, &p);
    time_making(run, &p);
    for (int k = 0; k < 2; ++k) {
        abut_soft_body_free(p.body[k]);
        abut_mesh_free(&p.mesh[k]);
    }
    free(p.workspace);
}

static const BenchCase cases[] = {
    {"direction/cone, axis", run_path, 0},
    {"direction/spoon, cup", run_path, 1},
    {"direction/fish, torus", run_path, 2},
    {"direction/torus, torus", run_path, 3},
};

const BenchList bench_direction_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
