/* SPDX-License-Identifier: Apache-2.0 */
/* Creep: a box lies on a slope that friction can hold. How far does it move in the second second? */
#include "bench/sim_engine.h"

#include <stdlib.h>

typedef struct Slope {
    const char *spec;
    double dt;
} Slope;

static const Slope slopes[] = {{"incline:0.363970234266", 1e-3}, {"incline:0.363970234266", 1e-4},
    {"incline:0.499", 1e-3}, {"incline:0.499", 1e-4}};

/* m/s; NAN: the engine failed. */
static double creep(const SimEngine *engine, const SimScene *scene, double dt)
{
    SimBody *body = bench_memory((size_t)scene->count, sizeof *body);
    AbutVec3 start = abut_zero();
    double answer = NAN;
    void *state = engine->open(scene, dt, 1);
    int half = (int)lround(1.0 / dt), done = state != NULL;
    for (int i = 0; i < 2 * half && done; ++i) {
        if (i == half) {
            engine->read(state, body);
            start = body[0].pose.p;
        }
        done = engine->step(state, dt);
    }
    if (done) {
        engine->read(state, body);
        answer = abut_length(abut_sub(body[0].pose.p, start)) / (half * dt);
    }
    if (state)
        engine->close(state);
    free(body);
    return answer;
}

static void run_slope(BenchRun *run, int index)
{
    SimScene scene;
    sim_open_scene(&scene, slopes[index].spec, 0);
    for (int e = 0; sim_engine(e); ++e) {
        double speed = creep(sim_engine(e), &scene, slopes[index].dt);
        printf("%-20s %-20s %12.3g\n", run->name, sim_engine(e)->name, 1e3 * speed);
        fflush(stdout);
        if (run->csv)
            fprintf(run->csv, "%s,\"%s\",%.6g\n", run->name, sim_engine(e)->name, 1e3 * speed);
        run->failed += sim_engine(e)->own && !isfinite(speed);
    }
    sim_close_scene(&scene);
}

static const BenchCase cases[] = {
    {"sim/slope/20deg/1e-3", run_slope, 0},
    {"sim/slope/20deg/1e-4", run_slope, 1},
    {"sim/slope/0.499/1e-3", run_slope, 2},
    {"sim/slope/0.499/1e-4", run_slope, 3},
};

const BenchList bench_sim_slope_list = {cases, sizeof cases / sizeof cases[0], 1,
    "case                 engine               creep, mm/s", "case,engine,creep_mm_s"};
