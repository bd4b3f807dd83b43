/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenes that come to rest or stand, with every simulator in the same run: piles, stacks, walls, an arch, pyramids,
 * heavy on light, a hundred times the gravity, a box on a slope; at short steps and long ones. One row per simulator:
 * what a step costs, the measures of sim_measure.c, and how many of the checks below fail.
 */
#include "bench/sim_engine.h"

#include <stdlib.h>
#include <string.h>

typedef enum Kind {
    PILE,  /* falls, and is at rest in the end */
    STANDS /* is at rest from the start */
} Kind;

typedef struct Scene {
    const char *spec;
    double dt, length, gravity; /* gravity 0: that of the scene */
    Kind kind;
} Scene;

/* Times are the median over the seeds, measures the worst; checks add up. */
typedef struct Sum {
    SimResult worst;
    double us, us_rest;
    int asked, wrong;
} Sum;

/* Lengths are compared with the bounding radius of the smallest body. */
static const double deep_part = 0.01, moved_part = 0.1;
static const double creep_limit = 1e-4; /* m/s */
static const double energy_limit = 1e-3;
static const double carried_limit = 0.01;
static const double rest_end = 0.1; /* s: at rest for the last tenth of a second */

/* The checks of one run: numbers stay finite, bodies do not sink into each other or the floor, energy does not rise, a
 * pile comes to rest or a structure stays where it was and does not creep, and the floor carries the weight without
 * chatter (where no wall carries a part of it, and the engine tells forces). A run that failed fails all. */
static void judge(Sum *sum, const Scene *s, const SimScene *scene, const SimResult *r) {
    double size = r->size;
    int no_forces = scene->wall_count > 0 || isnan(r->carried);
    int failed[] = {r->failed, !(fmax(r->depth_max, r->ground_depth) <= deep_part * size),
        !(r->energy_rise <= energy_limit), s->kind == STANDS && !(r->creep <= creep_limit),
        s->kind == PILE ? !(r->settle <= s->length - rest_end) : !(r->moved <= moved_part * size),
        !no_forces && (r->chattering > 0 || !(fabs(r->carried - 1.0) <= carried_limit))};
    int count = (int)(sizeof failed / sizeof failed[0]) - no_forces;
    for (int i = 0; i < count; ++i) sum->wrong += r->failed || failed[i];
    sum->asked += count;
}

static void keep_worst(SimResult *to, const SimResult *r) {
    to->settle = fmax(to->settle, r->settle);
    to->depth_max = fmax(to->depth_max, r->depth_max);
    to->ground_depth = fmax(to->ground_depth, r->ground_depth);
    to->moved = fmax(to->moved, r->moved);
    to->tremble = fmax(to->tremble, r->tremble);
    to->creep = fmax(to->creep, r->creep);
    to->cv = isnan(r->carried) ? NAN : fmax(to->cv, r->cv);
    to->energy_rise = fmax(to->energy_rise, r->energy_rise);
    if (!(fabs(r->carried - 1.0) <= fabs(to->carried - 1.0))) /* or not told */
        to->carried = r->carried;
    to->chattering += r->chattering;
    to->floor += r->floor;
    to->failed |= r->failed;
}

static void print_row(BenchRun *run, const char *engine, const Scene *s, const Sum *sum) {
    const SimResult *r = &sum->worst;
    double per_second = 1e-3 * sum->us / s->dt; /* processor milliseconds per simulated second */
    /* Quantity of a chart: the largest place that is wrong, beside the size of the smallest body. */
    double off = fmax(fmax(r->depth_max, r->ground_depth), s->kind == STANDS ? r->moved : 0.0) / r->size;
    printf("%-24s %-20s %9.1f %7.1f %6d/%-3d", run->name, engine, sum->us, sum->us_rest, sum->wrong, sum->asked);
    if (r->failed)
        puts(" failed");
    else
        printf(" %6.2f %8.2f %8.2f %9.3g %8.1e %8.1e %8.1e %4d/%-4d %7.4f %8.1e\n", r->settle, 1e6 * r->depth_max,
            1e6 * r->ground_depth, 1e3 * r->moved, r->tremble, 1e3 * r->creep, r->cv, r->chattering, r->floor,
            r->carried, r->energy_rise);
    fflush(stdout);
    if (!run->csv) return;
    fprintf(run->csv, "\"%s\",\"%s\",%.6g,%.4f,%.4f,%.4f,%d,%d,%d", run->name, engine, s->dt, sum->us, sum->us_rest,
        per_second, sum->asked, sum->wrong, r->failed);
    fprintf(run->csv, ",%.4f,%.5g,%.5g,%.6g,%.5g,%.5g,%.5g,%d,%d,%.6f,%.4g,%.5g\n", r->settle, 1e6 * r->depth_max,
        1e6 * r->ground_depth, 1e3 * r->moved, r->tremble, 1e3 * r->creep, r->cv, r->chattering, r->floor, r->carried,
        r->energy_rise, off);
}

/* 0: the engine does not have this scene. */
static int run_engine(BenchRun *run, const SimEngine *engine, const Scene *s, int seeds) {
    double *us = bench_memory(2 * (size_t)seeds, sizeof *us), *rest = us + seeds;
    Sum sum;
    memset(&sum, 0, sizeof sum);
    sum.worst.carried = 1.0;
    int done = 1;
    for (int i = 0; i < seeds && done; ++i) {
        SimScene scene;
        sim_open_scene(&scene, s->spec, run->first_seed + (uint64_t)i);
        if (s->gravity > 0.0) scene.gravity = abut_vec3(0.0, 0.0, -s->gravity);
        SimResult r = sim_measure(engine, &scene, s->dt, s->length);
        done = r.steps > 0;
        sum.worst.size = r.size;
        keep_worst(&sum.worst, &r);
        judge(&sum, s, &scene, &r);
        us[i] = r.us, rest[i] = r.us_rest;
        sim_close_scene(&scene);
    }
    sum.us = sim_quantile(us, seeds, 0.5), sum.us_rest = sim_quantile(rest, seeds, 0.5);
    free(us);
    if (done) print_row(run, engine->name, s, &sum);
    run->failed += engine->own && sum.worst.failed;
    return done;
}

static void run_scene(BenchRun *run, const Scene *s) {
    for (int e = 0; sim_engine(e); ++e) run_engine(run, sim_engine(e), s, run->seeds > 0 ? run->seeds : 1);
}

#define HZ60 (1.0 / 60.0)
/* Three steps of a scene. */
#define STEPS(spec, length, gravity, kind)                                                                             \
    {spec, 1e-3, length, gravity, kind}, {spec, 5e-3, length, gravity, kind}, { spec, HZ60, length, gravity, kind }
#define NAMES(run, name, first)                                                                                        \
    {name "/1e-3", run, first}, {name "/5e-3", run, (first) + 1}, { name "/60Hz", run, (first) + 2 }

static const Scene scenes[] = {
    STEPS("boxes:20", 4.0, 0.0, PILE),
    STEPS("boxes:50", 4.0, 0.0, PILE),
    STEPS("balls:50", 4.0, 0.0, PILE),
    STEPS("stack:20", 2.0, 0.0, STANDS),
    STEPS("stack:50", 2.0, 0.0, STANDS),
    STEPS("arch:25", 2.0, 0.0, STANDS),
    STEPS("wall:5", 2.0, 0.0, STANDS),
    STEPS("pyramid:8", 2.0, 0.0, STANDS),
    STEPS("heavy:100", 2.0, 0.0, STANDS),
    STEPS("heavy:1000", 2.0, 0.0, STANDS),
    STEPS("heavy:1000000", 2.0, 0.0, STANDS),
    STEPS("boxes:20", 3.0, 1000.0, PILE),
    STEPS("incline:0.363970234266", 2.0, 0.0, STANDS),
    STEPS("incline:0.499", 2.0, 0.0, STANDS),
};

static void run_short(BenchRun *run, int index) { run_scene(run, &scenes[index]); }

static const BenchCase cases[] = {
    NAMES(run_short, "scene/boxes 20", 0),
    NAMES(run_short, "scene/boxes 50", 3),
    NAMES(run_short, "scene/balls 50", 6),
    NAMES(run_short, "scene/stack 20", 9),
    NAMES(run_short, "scene/stack 50", 12),
    NAMES(run_short, "scene/arch 25", 15),
    NAMES(run_short, "scene/wall 5", 18),
    NAMES(run_short, "scene/pyramid 8", 21),
    NAMES(run_short, "scene/heavy 100", 24),
    NAMES(run_short, "scene/heavy 1000", 27),
    NAMES(run_short, "scene/heavy 1e6", 30),
    NAMES(run_short, "scene/gravity 1000", 33),
    NAMES(run_short, "scene/slope 20 deg", 36),
    NAMES(run_short, "scene/slope 0.499", 39),
};

/* Cases that take minutes. */
static const Scene long_scenes[] = {{"boxes:50", 1e-4, 4.0, 0.0, PILE}, {"stack:50", 1e-4, 1.0, 0.0, STANDS},
    {"incline:0.499", 1e-4, 2.0, 0.0, STANDS}, {"wall:10", 1e-3, 2.0, 0.0, STANDS}, {"wall:10", HZ60, 2.0, 0.0, STANDS},
    {"pyramid:20", 1e-3, 2.0, 0.0, STANDS}, {"pyramid:20", HZ60, 2.0, 0.0, STANDS}};

static void run_long(BenchRun *run, int index) { run_scene(run, &long_scenes[index]); }

static const BenchCase long_cases[] = {
    {"scenelong/boxes 50/1e-4", run_long, 0},
    {"scenelong/stack 50/1e-4", run_long, 1},
    {"scenelong/slope 0.499/1e-4", run_long, 2},
    {"scenelong/wall 10/1e-3", run_long, 3},
    {"scenelong/wall 10/60Hz", run_long, 4},
    {"scenelong/pyramid 20/1e-3", run_long, 5},
    {"scenelong/pyramid 20/60Hz", run_long, 6},
};

#define HEADING                                                                                                        \
    "case                     engine                 us/step at rest  wrong/of settle s depth um floor um  moved mm "  \
    "tremble    creep       cv   chatter carried   E rise"
#define CSV_HEADING                                                                                                    \
    "case,engine,dt,us_step,us_rest,cpu_ms_per_s,asked,wrong,failed,settle_s,depth_um,floor_um,moved_mm,tremble_m_s,"  \
    "creep_mm_s,cv,chattering,floor_boxes,carried,energy_rise,off_by_size"

static const char heading[] = HEADING, csv_heading[] = CSV_HEADING;

const BenchList bench_sim_cases_list = {cases, sizeof cases / sizeof cases[0], 1, heading, csv_heading};
const BenchList bench_sim_long_list = {long_cases, sizeof long_cases / sizeof long_cases[0], 1, heading, csv_heading};
