/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structures that should stand, and heavy boxes on light ones: how far they have moved after two seconds, how fast they
 * tremble in the last half second, how deep boxes lie in each other and the ground, and the time of a step; at short
 * steps and long ones. A pile under a hundred times the gravity beside them, which has to come to rest first.
 */
#include "bench/sim_engine.h"

typedef struct Tower {
    const char *spec;
    double dt, length, gravity; /* 0: as the scene says */
} Tower;

static const Tower towers[] = {{"stack:20", 1e-3, 2.0, 0.0}, {"stack:50", 1e-4, 1.0, 0.0}, {"stack:50", 1e-3, 2.0, 0.0},
    {"stack:50", 5e-3, 2.0, 0.0}, {"stack:50", 1e-2, 2.0, 0.0}, {"stack:50", 1.0 / 60.0, 2.0, 0.0},
    {"arch:25", 1e-3, 2.0, 0.0}, {"arch:25", 5e-3, 2.0, 0.0}, {"wall:10", 1e-3, 0.6, 0.0},
    {"wall:10", 1.0 / 60.0, 2.0, 0.0}, {"pyramid:20", 1e-3, 0.6, 0.0}, {"pyramid:20", 1.0 / 60.0, 2.0, 0.0},
    {"heavy:1000", 1e-3, 2.0, 0.0}, {"heavy:1000", 5e-3, 2.0, 0.0}, {"heavy:10000", 1e-3, 2.0, 0.0},
    {"heavy:1000000", 1e-3, 2.0, 0.0}, {"heavy:1000000", 1.0 / 60.0, 2.0, 0.0}, {"boxes:20", 1e-3, 3.0, 1000.0}};

static void run_engine(BenchRun *run, const SimEngine *engine, const SimScene *scene, const Tower *t)
{
    SimResult r = sim_measure(engine, scene, t->dt, t->length);
    if (r.steps == 0)
        return; /* the engine does not have this scene */
    printf("%-26s %-20s", run->name, engine->name);
    if (r.failed)
        puts(" failed");
    else
        printf(" %10.3g %10.2e %10.2f %10.2f %9.1f\n", 1e3 * r.moved, r.tremble, 1e6 * r.depth_max,
            1e6 * r.ground_depth, r.us);
    fflush(stdout);
    if (run->csv)
        fprintf(run->csv, "%s,\"%s\",%.6g,%.6g,%.6g,%.6g,%.4f,%d\n", run->name, engine->name, 1e3 * r.moved, r.tremble,
            1e6 * r.depth_max, 1e6 * r.ground_depth, r.us, r.failed);
    run->failed += engine->own && r.failed;
}

static void run_tower(BenchRun *run, int index)
{
    SimScene scene;
    sim_open_scene(&scene, towers[index].spec, run->first_seed);
    if (towers[index].gravity > 0.0)
        scene.gravity = abut_vec3(0.0, 0.0, -towers[index].gravity);
    for (int e = 0; sim_engine(e); ++e)
        run_engine(run, sim_engine(e), &scene, &towers[index]);
    sim_close_scene(&scene);
}

static const BenchCase cases[] = {
    {"sim/tower/stack20/1e-3", run_tower, 0},
    {"sim/tower/stack50/1e-4", run_tower, 1},
    {"sim/tower/stack50/1e-3", run_tower, 2},
    {"sim/tower/stack50/5e-3", run_tower, 3},
    {"sim/tower/stack50/1e-2", run_tower, 4},
    {"sim/tower/stack50/60Hz", run_tower, 5},
    {"sim/tower/arch25/1e-3", run_tower, 6},
    {"sim/tower/arch25/5e-3", run_tower, 7},
    {"sim/tower/wall10/1e-3", run_tower, 8},
    {"sim/tower/wall10/60Hz", run_tower, 9},
    {"sim/tower/pyramid20/1e-3", run_tower, 10},
    {"sim/tower/pyramid20/60Hz", run_tower, 11},
    {"sim/tower/heavy1e3/1e-3", run_tower, 12},
    {"sim/tower/heavy1e3/5e-3", run_tower, 13},
    {"sim/tower/heavy1e4/1e-3", run_tower, 14},
    {"sim/tower/heavy1e6/1e-3", run_tower, 15},
    {"sim/tower/heavy1e6/60Hz", run_tower, 16},
    {"sim/tower/gravity1000", run_tower, 17},
};

const BenchList bench_sim_tower_list = {cases, sizeof cases / sizeof cases[0], 1,
    "case                       engine                  moved mm  tremble m/s   depth um   floor um   us/step",
    "case,engine,moved_mm,tremble_m_s,depth_um,ground_depth_um,us_step,failed"};
