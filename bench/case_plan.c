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

static void add_post(AbutModel *model, const char *name, AbutVec3 at)
{
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
static void draw(Questions *q, AbutRng *rng, const double *u, double *out)
{
    AbutPlanNear near = {.distance = 0.0};
    AbutError error;
    while (near.distance < 0.006) {
        for (int c = 0; c < WIDTH; ++c)
            out[c] = u[c] + 0.05 * abut_rng_normal(rng);
        bench_require(abut_plan_nearest(q->problem, out, &near, NULL, &error), &error);
    }
}

static void make(Questions *q)
{
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

static void plan_all(void *user)
{
    Questions *q = user;
    AbutError error;
    for (int i = 0; i < PROBLEMS; ++i) {
        AbutPlanQuery query = {q->start[i], q->goal[i], 0, NULL, NULL};
        abut_plan_free(&q->plans[i]);
        bench_require(abut_plan_solve(q->problem, &query, &q->settings, &q->plans[i], &error), &error);
    }
}

static void certify_all(void *user)
{
    Questions *q = user;
    AbutCertifyDef def = {q->settings.level, 0, 0};
    AbutError error;
    for (int i = 0; i < PROBLEMS; ++i)
        bench_require(
            abut_plan_certify(q->problem, &q->plans[i].trajectory, &def, &q->answers[i], NULL, &error), &error);
}

static void report(BenchRun *run, Questions *q, const char *engine, void (*once)(void *), int own)
{
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

static void run_plan(BenchRun *run, int parameter)
{
    static Questions q;
    (void)parameter;
    memset(&q, 0, sizeof q);
    make(&q);
    report(run, &q, "abut, best of three", plan_all, 1);
    report(run, &q, "abut, certificate", certify_all, 1);
    q.settings.always = 1;
    report(run, &q, "abut, first success", plan_all, 1);
    q.settings.method = abut_plan_by_samples(20);
    q.settings.attempts = 1;
    report(run, &q, "20 samples, one attempt", plan_all, 0);
    for (int i = 0; i < PROBLEMS; ++i)
        abut_plan_free(&q.plans[i]);
    abut_plan_problem_free(q.problem);
    abut_configuration_free(q.c);
    abut_model_free(q.robot);
    abut_model_free(q.posts);
}

static const BenchCase cases[] = {{"plan/posts", run_plan, 0}};

const BenchList bench_plan_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
