/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manipulation through contact, abut alone: a row per built-in task over many seeds. Processor time of plans, and what
 * their simulation says: of the first plan, of three, and with friction and mass that are wrong by a fifth.
 */
#include "bench/sim_engine.h"
#include "abut/manipulation.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 50, PLANS = 3, ATTEMPTS = 6000, WRONG = 4, WORKERS = 2 };

static const AbutManipTrial wrong[WRONG] = {{.friction = 0.8}, {.friction = 1.2}, {.mass = 0.8}, {.mass = 1.2}};

/* What one seed gave. */
typedef struct Try {
    int planned, arrives, of_three, arrives_wrong[WRONG], places, unbalanced;
    double ms, modes, off, turned; /* off, turned: of the end from the plan, mm and degrees */
} Try;

static void simulate_wrong(const AbutManipTask *task, const AbutManipPlan *plan, Try *out) {
    AbutManipReport report;
    AbutError error;
    for (int i = 0; i < WRONG; ++i) {
        bench_require(abut_manip_execute(task, plan, &wrong[i], &report, &error), &error);
        out->arrives_wrong[i] = report.arrives;
    }
}

/* Plan number `k` of a seed; gives whether it arrives. */
static int plan_once(const AbutManipTask *task, uint64_t seed, int k, Try *out) {
    AbutManipOptions options = {.seed = seed + 1000000 * (uint64_t)k, .attempts = ATTEMPTS};
    AbutManipPlan plan;
    AbutManipReport report = {0}, checked = {0};
    AbutError error;
    double start = bench_spent();
    bench_require(abut_manip_plan(task, &options, &plan, &error), &error);
    double ms = 1e3 * (bench_spent() - start);
    if (plan.found) bench_require(abut_manip_execute(task, &plan, NULL, &report, &error), &error);
    if (k == 0) {
        out->ms = ms, out->modes = plan.modes, out->planned = plan.found, out->arrives = report.arrives;
        out->off = 1e3 * report.off_distance, out->turned = report.off_angle * 180.0 / ABUT_PI;
    }
    if (k == 0 && plan.found) {
        bench_require(abut_manip_check(task, &plan, &checked, &error), &error);
        out->places = checked.places, out->unbalanced = checked.unbalanced;
        simulate_wrong(task, &plan, out);
    }
    abut_manip_plan_free(&plan);
    return report.arrives;
}

static double quantile_of(const Try *t, int count, size_t at, int arrived, double q) {
    double *value = bench_memory((size_t)count, sizeof *value);
    int n = 0;
    for (int i = 0; i < count; ++i)
        if (!arrived || t[i].arrives) memcpy(&value[n++], (const char *)&t[i] + at, sizeof *value);
    double found = n ? sim_quantile(value, n, q) : NAN;
    free(value);
    return found;
}

#define QUANTILE(member, arrived, q) quantile_of(t, seeds, offsetof(Try, member), arrived, q)

static void print_tries(const BenchRun *run, const Try *t, int seeds) {
    Try sum = {0};
    for (int i = 0; i < seeds; ++i) {
        sum.planned += t[i].planned, sum.arrives += t[i].arrives, sum.of_three += t[i].of_three;
        sum.places += t[i].places, sum.unbalanced += t[i].unbalanced;
        for (int k = 0; k < WRONG; ++k) sum.arrives_wrong[k] += t[i].arrives_wrong[k];
    }
    double ms = QUANTILE(ms, 0, 0.5), ms_95 = QUANTILE(ms, 0, 0.95), modes = QUANTILE(modes, 0, 0.5);
    double off = QUANTILE(off, 1, 0.5), turned = QUANTILE(turned, 1, 0.5);
    const int *w = sum.arrives_wrong;
    printf("%-16s %5d %7d %8.1f %8.1f %8.0f %8d %8d %8.2f %8.2f   %3d %3d   %3d %3d   %d of %d\n", run->name, seeds,
        sum.planned, ms, ms_95, modes, sum.arrives, sum.of_three, off, turned, w[0], w[1], w[2], w[3], sum.unbalanced,
        sum.places);
    fflush(stdout);
    if (run->csv)
        fprintf(run->csv, "\"%s\",%d,%d,%.1f,%.1f,%.0f,%d,%d,%.3f,%.3f,%d,%d,%d,%d,%d,%d\n", run->name, seeds,
            sum.planned, ms, ms_95, modes, sum.arrives, sum.of_three, off, turned, w[0], w[1], w[2], w[3],
            sum.unbalanced, sum.places);
}

/* Seeds are shared out to threads; the time of each plan is that of its own thread. */
typedef struct Worker {
    pthread_t thread;
    const AbutManipTask *task;
    uint64_t first_seed;
    Try *tries;
    int begin, end;
} Worker;

static void *work(void *user) {
    const Worker *w = user;
    for (int i = w->begin; i < w->end; i += WORKERS)
        for (int k = 0; k < PLANS && !w->tries[i].of_three; ++k)
            w->tries[i].of_three = plan_once(w->task, w->first_seed + (uint64_t)i, k, &w->tries[i]);
    return NULL;
}

static void run_task(BenchRun *run, int index) {
    int seeds = run->seeds > 0 ? run->seeds : SEEDS, started = 0;
    Try *t = bench_memory((size_t)seeds, sizeof *t);
    AbutManipTask task;
    AbutModel *model;
    AbutError error;
    Worker worker[WORKERS];
    bench_require(abut_manip_task_build(abut_manip_tasks[index], &task, &model, &error), &error);
    for (int k = 0; k < WORKERS; ++k) {
        worker[k] = (Worker){.task = &task, .first_seed = run->first_seed, .tries = t, .begin = k, .end = seeds};
        started += k == started && pthread_create(&worker[k].thread, NULL, work, &worker[k]) == 0;
    }
    for (int k = 0; k < started; ++k) pthread_join(worker[k].thread, NULL);
    for (int k = started; k < WORKERS; ++k) work(&worker[k]);
    print_tries(run, t, seeds);
    abut_model_free(model);
    free(t);
}

static const BenchCase cases[] = {{"manip/push", run_task, 0}, {"manip/pivot", run_task, 1},
    {"manip/tumble", run_task, 2}, {"manip/topple", run_task, 3}, {"manip/book", run_task, 4},
    {"manip/book-tilt", run_task, 5}, {"manip/plate", run_task, 6}, {"manip/flip", run_task, 7},
    {"manip/peg", run_task, 8}, {"manip/peg-down", run_task, 9}};

const BenchList bench_manip_list = {cases, sizeof cases / sizeof cases[0], 1,
    "task             seeds planned ms 50 %  ms 95 %    modes  arrives of three   off mm  off deg friction mass 0.8, "
    "1.2 "
    "unbalanced",
    "task,seeds,planned,ms_median,ms_95,modes_median,arrives,arrives_of_three,off_mm_median,off_deg_median,"
    "arrives_friction_0.8,arrives_friction_1.2,arrives_mass_0.8,arrives_mass_1.2,unbalanced,places"};
