/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans of an arm past two thin posts, and their certificates: eight problems whose ends are moved a little. A plan
 * that is not certified counts as failed; one that overlaps between its samples by more than 1 mm as wrong.
 */
#include "bench/bench.h"
#include "abut/literature.h"

#include <string.h>

enum { PROBLEMS = 8, WIDTH = 6 };

typedef struct Questions {
    AbutModel *robot, *posts;
    AbutConfiguration *c;
    AbutPlanProblem *problem;
    AbutPlanSettings settings;
    double start[PROBLEMS][WIDTH], goal[PROBLEMS][WIDTH];
    AbutPlan plans[PROBLEMS];
    AbutCertificate answers[PROBLEMS];
} Questions;

static void add_post(AbutModel *model, const char *name, AbutVec3 at) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutError error;
    body.kind = ABUT_BODY_STATIC;
    body.name = name;
    body.pose.p = at;
    shape.form.kind = ABUT_SHAPE_CAPSULE;
    shape.form.size = abut_vec3(0.006, 0.006, 0.4);
    bench_require(abut_model_add_body(model, &body, &shape.body, &error), &error);
    bench_require(abut_model_add_shape(model, &shape, NULL, &error), &error);
}

/* Near `u`, clear. */
static void draw(Questions *q, AbutRng *rng, const double *u, double *out) {
    AbutPlanNear near = {.distance = 0.0};
    AbutError error;
    while (near.distance < 0.006) {
        for (int c = 0; c < WIDTH; ++c) out[c] = u[c] + 0.05 * abut_rng_normal(rng);
        bench_require(abut_plan_nearest(q->problem, out, &near, NULL, &error), &error);
    }
}

static void make(Questions *q) {
    static const double start[WIDTH] = {-0.6, 0.9, 0.6, 0, 0, 0}, goal[WIDTH] = {1.9, 0.9, 0.6, 0, 0, 0};
    AbutRng rng = abut_rng(5, 0);
    const AbutTree *tree;
    AbutError error;
    bench_require(abut_model_build("arm6", 1, &q->robot, &error), &error);
    bench_require(abut_model_create(&q->posts, &error), &error);
    add_post(q->posts, "post1", abut_vec3(0.45, 0.1, 0.4));
    add_post(q->posts, "post2", abut_vec3(0.25, 0.45, 0.4));
    bench_require(abut_tree_create(q->robot, &tree, &error), &error);
    bench_require(abut_configuration_create(tree, &q->c, &error), &error);
    abut_tree_release(tree);
    bench_require(abut_plan_problem_create(q->c, q->posts, NULL, &q->problem, &error), &error);
    q->settings = abut_plan_settings_default();
    q->settings.budget = 60.0;
    for (int i = 0; i < PROBLEMS; ++i) {
        draw(q, &rng, start, q->start[i]);
        draw(q, &rng, goal, q->goal[i]);
    }
}

static void plan_all(void *user) {
    Questions *q = user;
    AbutError error;
    for (int i = 0; i < PROBLEMS; ++i) {
        AbutPlanQuery query = {q->start[i], q->goal[i], 0, NULL, NULL};
        abut_plan_free(&q->plans[i]);
        bench_require(abut_plan_solve(q->problem, &query, &q->settings, &q->plans[i], &error), &error);
    }
}

static void certify_all(void *user) {
    Questions *q = user;
    AbutCertifyDef def = {q->settings.level, 0, 0};
    AbutError error;
    for (int i = 0; i < PROBLEMS; ++i)
        bench_require(
            abut_plan_certify(q->problem, &q->plans[i].trajectory, &def, &q->answers[i], NULL, &error), &error);
}

static void report(BenchRun *run, Questions *q, const char *engine, void (*once)(void *), int own) {
    BenchProbe probe = {once, q, PROBLEMS, 0.0};
    BenchRow row = {engine, 0.0, PROBLEMS, -1, 0, 0, own};
    bench_time(run, &probe, 1);
    row.ns = probe.ns;
    for (int i = 0; i < PROBLEMS; ++i) {
        row.failed += q->plans[i].status != ABUT_PLAN_CERTIFIED;
        row.wrong_3 += q->plans[i].certificate.ub < -1e-3;
    }
    bench_row(run, &row);
}

static void run_plan(BenchRun *run, int parameter) {
    static Questions q;
    (void)parameter;
    memset(&q, 0, sizeof q);
    make(&q);
    report(run, &q, "abut, good", plan_all, 1);
    report(run, &q, "abut, certificate", certify_all, 1);
    q.settings.quality = ABUT_PLAN_QUALITY_FAST;
    report(run, &q, "abut, fast", plan_all, 1);
    q.settings.method = abut_plan_by_samples(20);
    q.settings.attempts = 1;
    report(run, &q, "20 samples, one attempt", plan_all, 0);
    for (int i = 0; i < PROBLEMS; ++i) abut_plan_free(&q.plans[i]);
    abut_plan_problem_free(q.problem);
    abut_configuration_free(q.c);
    abut_model_free(q.robot);
    abut_model_free(q.posts);
}

/* ---- postures and edges ------------------------------------------------------------------------------------------ */

enum { EDGES = 4096 };

typedef struct Ways {
    const Questions *q;
    AbutPlanProver *prover;
    double from[EDGES][WIDTH], to[EDGES][WIDTH];
    uint8_t postures[EDGES], edges[EDGES];
} Ways;

static void ask_postures(void *user) {
    Ways *w = user;
    AbutError error;
    bench_require(abut_plan_free_batch(w->q->problem, 0.001, EDGES, w->from[0], NULL, 1, w->postures, &error), &error);
}

static void ask_edges(void *user) {
    Ways *w = user;
    for (int i = 0; i < EDGES; ++i) w->edges[i] = (uint8_t)abut_plan_edge_free(w->prover, w->from[i], w->to[i]);
}

/* Free edges that a distance at 33 places refutes are wrong. */
static int32_t count_refuted(const Ways *w) {
    int32_t refuted = 0;
    AbutPlanNear near;
    AbutError error;
    for (int i = 0; i < EDGES; ++i)
        for (int k = 0, bad = 0; k <= 32 && w->edges[i] && !bad; ++k) {
            double u[WIDTH];
            for (int c = 0; c < WIDTH; ++c) u[c] = w->from[i][c] + (w->to[i][c] - w->from[i][c]) * k / 32;
            bench_require(abut_plan_nearest(w->q->problem, u, &near, NULL, &error), &error);
            bad = near.distance < 0.001;
            refuted += bad;
        }
    return refuted;
}

static void run_edges(BenchRun *run, int parameter) {
    static Questions q;
    static Ways w;
    AbutRng rng = abut_rng(6, 0);
    AbutError error;
    (void)parameter;
    memset(&q, 0, sizeof q);
    make(&q);
    w.q = &q;
    bench_require(abut_plan_prover_create(q.problem, 0.001, &w.prover, &error), &error);
    for (int i = 0; i < EDGES; ++i)
        for (int c = 0; c < WIDTH; ++c) {
            w.from[i][c] = abut_rng_between(&rng, -2, 2);
            w.to[i][c] = w.from[i][c] + 0.4 * abut_rng_normal(&rng);
        }
    BenchProbe postures = {ask_postures, &w, EDGES, 0.0}, edges = {ask_edges, &w, EDGES, 0.0};
    bench_time(run, &postures, 1);
    bench_time(run, &edges, 1);
    BenchRow rows[2] = {
        {"abut, a posture", postures.ns, EDGES, -1, 0, 0, 1}, {"abut, an edge of 1 rad", edges.ns, EDGES, -1, 0, 0, 1}};
    rows[1].wrong_3 = count_refuted(&w);
    bench_row(run, &rows[0]);
    bench_row(run, &rows[1]);
    abut_plan_prover_free(w.prover);
    abut_plan_problem_free(q.problem);
    abut_configuration_free(q.c);
    abut_model_free(q.robot);
    abut_model_free(q.posts);
}

static const BenchCase cases[] = {{"plan/posts", run_plan, 0}, {"plan/edges", run_edges, 0}};

const BenchList bench_plan_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
