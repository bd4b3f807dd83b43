/* SPDX-License-Identifier: Apache-2.0 */
/* Piles of boxes that fall on the floor, and of balls in a bin, that come to rest, with the peers in the same run:
 * speed and quality. */
#include "bench/sim_engine.h"

#include <stdlib.h>

typedef struct Pile {
    const char *spec;
    double dt;
} Pile;

enum { PILE_LENGTH = 4 /* s */ };

enum { COLUMNS = 8 };

static double *column(SimResult *r, int index)
{
    double *const columns[COLUMNS] = {
        &r->us, &r->us_rest, &r->settle, &r->depth_median, &r->depth_max, &r->cv, &r->carried, &r->energy_rise};
    return columns[index];
}

/* Median of each measure over the seeds; counts of boxes are summed; a failed run makes the whole failed. */
static SimResult middle(SimResult *runs, int count)
{
    SimResult out = runs[0];
    double *values = bench_memory((size_t)count, sizeof *values);
    for (int c = 0; c < COLUMNS; ++c) {
        for (int i = 0; i < count; ++i)
            values[i] = *column(&runs[i], c);
        *column(&out, c) = sim_quantile(values, count, 0.5);
    }
    for (int i = 1; i < count; ++i) {
        out.floor += runs[i].floor;
        out.chattering += runs[i].chattering;
        out.failed |= runs[i].failed;
    }
    free(values);
    return out;
}

static void print_boxes(BenchRun *run, const SimEngine *engine, const SimResult *r)
{
    printf("%-20s %-20s", run->name, engine->name);
    if (r->failed) {
        puts(" failed");
    } else {
        char settle[32];
        snprintf(settle, sizeof settle, r->settle > PILE_LENGTH - 0.002 ? "never" : "%.2f", r->settle);
        printf(" %8.1f %7.1f %8s %9.2f %9.2f %11.2e %5d/%-4d %8.5f %9.1e\n", r->us, r->us_rest, settle,
            1e6 * r->depth_median, 1e6 * r->depth_max, r->cv, r->chattering, r->floor, r->carried, r->energy_rise);
    }
    fflush(stdout);
    if (run->csv)
        fprintf(run->csv, "%s,\"%s\",%.3f,%.3f,%.4f,%.4f,%.4f,%.4e,%d,%d,%.6f,%.3e,%d\n", run->name, engine->name,
            r->us, r->us_rest, r->settle, 1e6 * r->depth_median, 1e6 * r->depth_max, r->cv, r->chattering, r->floor,
            r->carried, r->energy_rise, r->failed);
    run->failed += engine->own && r->failed;
}

static const Pile piles[] = {{"boxes:10", 1e-3}, {"boxes:20", 1e-3}, {"boxes:30", 1e-3}, {"boxes:40", 1e-3},
    {"boxes:50", 1e-3}, {"boxes:10", 1e-4}, {"boxes:20", 1e-4}, {"boxes:30", 1e-4}, {"boxes:40", 1e-4},
    {"boxes:50", 1e-4}, {"balls:50", 1e-3}, {"balls:50", 5e-3}};

static void run_boxes(BenchRun *run, int index)
{
    int seeds = run->seeds > 0 ? run->seeds : 1;
    SimResult *runs = bench_memory((size_t)seeds, sizeof *runs);
    for (int e = 0; sim_engine(e); ++e) {
        for (int i = 0; i < seeds; ++i) {
            SimScene scene;
            sim_open_scene(&scene, piles[index].spec, run->first_seed + (uint64_t)i);
            runs[i] = sim_measure(sim_engine(e), &scene, piles[index].dt, PILE_LENGTH);
            sim_close_scene(&scene);
        }
        if (runs[0].steps == 0)
            continue; /* the engine does not have this scene */
        SimResult result = middle(runs, seeds);
        print_boxes(run, sim_engine(e), &result);
    }
    free(runs);
}

static const BenchCase cases[] = {
    {"sim/boxes/10/1e-3", run_boxes, 0},
    {"sim/boxes/20/1e-3", run_boxes, 1},
    {"sim/boxes/30/1e-3", run_boxes, 2},
    {"sim/boxes/40/1e-3", run_boxes, 3},
    {"sim/boxes/50/1e-3", run_boxes, 4},
    {"sim/boxes/10/1e-4", run_boxes, 5},
    {"sim/boxes/20/1e-4", run_boxes, 6},
    {"sim/boxes/30/1e-4", run_boxes, 7},
    {"sim/boxes/40/1e-4", run_boxes, 8},
    {"sim/boxes/50/1e-4", run_boxes, 9},
    {"sim/balls/50/1e-3", run_boxes, 10},
    {"sim/balls/50/5e-3", run_boxes, 11},
};

const BenchList bench_sim_boxes_list = {cases, sizeof cases / sizeof cases[0], 1,
    "case                 engine                us/step at rest settle s  depth um  worst um cv of force chatter    "
    "carried    E rise",
    "case,engine,us_step,us_rest,settle_s,depth_median_um,depth_max_um,cv,chattering,floor_boxes,carried,energy_rise,"
    "failed"};
