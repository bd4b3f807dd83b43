/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut alone, many seeds: a pile is chaotic and one run proves nothing. A row per pile and step, with what the
 * acceptance figures of the simulation ask for.
 */
#include "bench/sim_engine.h"

#include <stdlib.h>

typedef struct Study {
    const char *spec;
    int seeds;
    double dt, length;
} Study;

static const Study studies[] = {
    {"boxes:10", 60, 1e-3, 4.0},
    {"boxes:20", 60, 1e-3, 4.0},
    {"boxes:50", 40, 1e-3, 6.0},
    {"boxes:50", 40, 1e-4, 4.0},
    {"boxes:50", 40, 5e-3, 6.0},
    {"boxes:50", 40, 1e-2, 6.0},
    {"boxes:50", 40, 1.0 / 60.0, 6.0},
    {"boxes:200", 4, 1e-3, 6.0},
    {"boxes:1000", 1, 1e-3, 6.0},
    {"balls:50", 40, 1e-3, 4.0},
    {"balls:50", 40, 5e-3, 4.0},
    {"balls:50", 40, 1.0 / 60.0, 4.0},
    {"bin:30", 40, 1e-3, 4.0},
    {"bin:30", 40, 5e-3, 4.0},
};

/* One measure of all runs that did not fail. */
typedef struct Column {
    double *value;
    int count;
    double mean, most;
} Column;

typedef struct Table {
    SimResult *run;
    int count;
    Column scratch;
} Table;

typedef double Measure(const SimResult *r);

static double settle_of(const SimResult *r) { return r->settle; }
static double cv_of(const SimResult *r) { return r->cv; }
static double depth_of(const SimResult *r) { return 1e6 * r->depth_max; }
static double floor_depth_of(const SimResult *r) { return 1e6 * r->ground_depth; }
static double energy_of(const SimResult *r) { return r->energy_rise; }
static double us_of(const SimResult *r) { return r->us; }
static double us_rest_of(const SimResult *r) { return r->us_rest; }
static double us_worst_of(const SimResult *r) { return r->us_worst; }
static double sweeps_of(const SimResult *r) { return r->sweeps; }
static double sweeps_rest_of(const SimResult *r) { return r->sweeps_rest; }
static double capped_of(const SimResult *r) { return (double)r->capped / r->steps; }

/* The measure of every run, sorted by the first quantile that is asked for. */
static Column *take(Table *t, Measure *measure) {
    Column *c = &t->scratch;
    c->count = 0;
    c->mean = 0.0;
    c->most = -HUGE_VAL;
    for (int i = 0; i < t->count; ++i) {
        if (t->run[i].failed) continue;
        double v = measure(&t->run[i]);
        c->value[c->count++] = v;
        c->mean += v;
        c->most = fmax(c->most, v);
    }
    c->mean /= c->count;
    return c;
}

static double median(Column *c) { return sim_quantile(c->value, c->count, 0.5); }

typedef struct Summary {
    double settle, settle_most, within, cv, cv_mean, cv_most, depth, depth_95, depth_most, floor_depth, energy, us,
        us_rest, us_worst, sweeps, sweeps_rest, capped;
    int chattering_runs, chattering_boxes, failed;
} Summary;

static Summary summarize(Table *t) {
    Summary s;
    Column *c = take(t, settle_of);
    int soon = 0;
    for (int i = 0; i < c->count; ++i) soon += c->value[i] <= 3.0;
    s.within = (double)soon / t->count;
    s.settle = median(c);
    s.settle_most = c->most;
    c = take(t, cv_of);
    s.cv = median(c);
    s.cv_mean = c->mean;
    s.cv_most = c->most;
    c = take(t, depth_of);
    s.depth = median(c);
    s.depth_95 = sim_quantile(c->value, c->count, 0.95);
    s.depth_most = c->most;
    s.floor_depth = take(t, floor_depth_of)->most;
    s.energy = take(t, energy_of)->most;
    s.us = take(t, us_of)->mean;
    s.us_rest = take(t, us_rest_of)->mean;
    s.us_worst = take(t, us_worst_of)->most;
    s.sweeps = take(t, sweeps_of)->mean;
    s.sweeps_rest = take(t, sweeps_rest_of)->mean;
    s.capped = take(t, capped_of)->mean;
    s.chattering_runs = s.chattering_boxes = s.failed = 0;
    for (int i = 0; i < t->count; ++i) {
        s.failed += t->run[i].failed;
        s.chattering_runs += t->run[i].chattering > 0;
        s.chattering_boxes += t->run[i].chattering;
    }
    return s;
}

static void print_summary(const BenchRun *run, const Summary *s, int seeds) {
    printf("%-20s %5d  %5.2f /%5.2f %4.0f %%  %8.1e /%8.1e /%8.1e  %3d, %-3d  %7.2f /%7.2f /%8.1f %7.1f  %7.0e",
        run->name, seeds, s->settle, s->settle_most, 100.0 * s->within, s->cv, s->cv_mean, s->cv_most,
        s->chattering_runs, s->chattering_boxes, s->depth, s->depth_95, s->depth_most, s->floor_depth, s->energy);
    printf("  %7.1f (%.1f) %7.0f  %5.1f (%.1f) %5.1f %%\n", s->us, s->us_rest, s->us_worst, s->sweeps, s->sweeps_rest,
        100.0 * s->capped);
    if (s->failed) printf("%-20s %d of %d runs failed\n", run->name, s->failed, seeds);
    fflush(stdout);
    if (run->csv)
        fprintf(run->csv,
            "\"%s\",%d,%.4f,%.4f,%.4f,%.4e,%.4e,%.4e,%d,%d,%.4f,%.4f,%.4f,%.4f,%.3e,%.3f,%.3f,%.1f,%.3f,%.3f,%.5f,%d\n",
            run->name, seeds, s->settle, s->settle_most, s->within, s->cv, s->cv_mean, s->cv_most, s->chattering_runs,
            s->chattering_boxes, s->depth, s->depth_95, s->depth_most, s->floor_depth, s->energy, s->us, s->us_rest,
            s->us_worst, s->sweeps, s->sweeps_rest, s->capped, s->failed);
}

/* Runs to look into, with the seed that shows them again. */
static void name_restless(const BenchRun *run, const Table *t) {
    for (int i = 0; i < t->count; ++i)
        if (t->run[i].failed || t->run[i].chattering || t->run[i].cv > 0.02)
            printf("%-20s seed %llu: cv %.1e, worst %.1e (of a box that presses with %.1e of its weight), boxes that "
                   "lose the floor %d, settled %.2f s\n",
                run->name, (unsigned long long)run->first_seed + (unsigned long long)i, t->run[i].cv,
                t->run[i].cv_worst, t->run[i].load_worst, t->run[i].chattering, t->run[i].settle);
}

static void run_stats(BenchRun *run, int index) {
    const Study *study = &studies[index];
    int seeds = run->seeds > 0 ? run->seeds : study->seeds;
    Table table = {bench_memory((size_t)seeds, sizeof *table.run), seeds, {NULL, 0, 0.0, 0.0}};
    table.scratch.value = bench_memory((size_t)seeds, sizeof *table.scratch.value);
    for (int i = 0; i < seeds; ++i) {
        SimScene scene;
        sim_open_scene(&scene, study->spec, run->first_seed + (uint64_t)i);
        table.run[i] = sim_measure(&sim_abut, &scene, study->dt, study->length);
        sim_close_scene(&scene);
    }
    Summary summary = summarize(&table);
    print_summary(run, &summary, seeds);
    name_restless(run, &table);
    run->failed += summary.failed;
    free(table.run);
    free(table.scratch.value);
}

static const BenchCase cases[] = {
    {"sim/stats/10/1e-3", run_stats, 0},
    {"sim/stats/20/1e-3", run_stats, 1},
    {"sim/stats/50/1e-3", run_stats, 2},
    {"sim/stats/50/1e-4", run_stats, 3},
    {"sim/stats/50/5e-3", run_stats, 4},
    {"sim/stats/50/1e-2", run_stats, 5},
    {"sim/stats/50/60Hz", run_stats, 6},
    {"sim/stats/200/1e-3", run_stats, 7},
    {"sim/stats/1000/1e-3", run_stats, 8},
    {"sim/stats/balls/1e-3", run_stats, 9},
    {"sim/stats/balls/5e-3", run_stats, 10},
    {"sim/stats/balls/60Hz", run_stats, 11},
    {"sim/stats/bin/1e-3", run_stats, 12},
    {"sim/stats/bin/5e-3", run_stats, 13},
};

const BenchList bench_sim_stats_list = {cases, sizeof cases / sizeof cases[0], 1,
    "case                 seeds settle s med/max, <=3 s cv of force med/mean/max      chatter runs, boxes  depth um "
    "med/95 %/max, floor   "
    "E rise  us/step (rest) worst  sweeps (rest) capped",
    "case,seeds,settle_median_s,settle_max_s,settled_within_3s,cv_median,cv_mean,cv_max,chattering_runs,chattering_"
    "boxes,depth_median_um,"
    "depth_95_um,depth_max_um,floor_depth_max_um,energy_rise_max,us_step,us_rest,us_worst,sweeps,sweeps_rest,capped_"
    "share,failed"};
