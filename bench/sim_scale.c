/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thousands of bodies: time per step and per touching pair once the pile lies, abut with one and two threads. The
 * best step by the wall clock, which a busy machine spoils, and the mean CPU time of all threads.
 */
#include "bench/sim_engine.h"

typedef struct Scale {
    const char *spec;
    double warm_time, warm_dt; /* before the timed steps: a pile has to fall first */
    double dt;
    int steps;
} Scale;

static const Scale scales[] = {{"pyramid:100", 0.02, 1e-3, 1e-3, 50}, {"hulls:1000", 1.0, 1e-2, 1e-3, 50},
    {"hulls:5000", 1.0, 1e-2, 1e-3, 50}, {"bin:30", 3.0, 5e-3, 1e-3, 50}, {"bin:300", 4.0, 5e-3, 1e-3, 50},
    {"bin:3000", 5.0, 5e-3, 1e-3, 20}, {"bin:10000", 6.0, 5e-3, 1e-3, 10}};

static void run_engine(BenchRun *run, const SimEngine *engine, const SimScene *scene, const Scale *s, int threads) {
    double pairs = 0.0, sweeps = 0.0;
    void *state = engine->open(scene, s->dt, threads);
    if (!state) return;
    int done = 1, warm = (int)lround(s->warm_time / s->warm_dt);
    for (int i = 0; i < warm && done; ++i) done = engine->step(state, s->warm_dt);
    double wall = HUGE_VAL, cpu = 0.0; /* best step, sum */
    for (int i = 0; i < s->steps && done; ++i) {
        double wall_start = bench_now(), cpu_start = sim_cpu_now();
        done = engine->step(state, s->dt);
        cpu += sim_cpu_now() - cpu_start;
        wall = fmin(wall, bench_now() - wall_start);
        SimStep info = {0, 0.0, 0, -1.0};
        engine->info(state, &info);
        pairs += info.pairs;
        sweeps += info.sweeps;
    }
    engine->close(state);
    printf("%-20s %-20s %7d", run->name, engine->name, threads);
    if (done)
        printf(" %9.2f %9.2f %9.0f %8.2f %8.1f\n", 1e3 * wall, 1e3 * cpu / s->steps, pairs / s->steps,
            1e6 * cpu / pairs, sweeps / s->steps);
    else
        puts(" failed");
    fflush(stdout);
    if (run->csv)
        fprintf(run->csv, "\"%s\",\"%s\",%d,%.4f,%.4f,%.1f,%.4f,%d\n", run->name, engine->name, threads, 1e3 * wall,
            1e3 * cpu / s->steps, pairs / s->steps, 1e6 * cpu / pairs, !done);
    run->failed += engine->own && !done;
}

static void run_scale(BenchRun *run, int index) {
    SimScene scene;
    sim_open_scene(&scene, scales[index].spec, run->first_seed);
    for (int e = 0; sim_engine(e); ++e)
        for (int threads = 1; threads <= (sim_engine(e)->own ? 2 : 1); ++threads)
            if (sim_engine(e)->scales) run_engine(run, sim_engine(e), &scene, &scales[index], threads);
    sim_close_scene(&scene);
}

static const BenchCase cases[] = {
    {"sim/scale/pyramid100", run_scale, 0},
    {"sim/scale/hulls1000", run_scale, 1},
    {"sim/scale/hulls5000", run_scale, 2},
    {"sim/scale/bin30", run_scale, 3},
    {"sim/scale/bin300", run_scale, 4},
    {"sim/scale/bin3000", run_scale, 5},
    {"sim/scale/bin10000", run_scale, 6},
};

const BenchList bench_sim_scale_list = {cases, sizeof cases / sizeof cases[0], 1,
    "case                 engine               threads   best ms    cpu ms     pairs  us/pair   sweeps",
    "case,engine,threads,best_ms,cpu_ms_step,pairs,us_pair,failed"};
