/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hulls of many points: 40 of them, of 20, 100 or 500 points on ellipsoids, fall on a heap. Time of the
 * contact stage for each contact (median over the steps) and for each that was built anew (mean); CPU time of the whole
 * step: median and worst. All from the first touch on.
 */
#include "bench/sim_engine.h"

#include <stdlib.h>

enum { BODIES = 40, STEPS = 1500, MOST_POINTS = 500 };

static const int point_counts[] = {20, 100, 500};

static void add_hull(AbutScene *scene, AbutRng *rng, int points, int number) {
    AbutVec3 corner[MOST_POINTS], axes = {0.05, 0.04, 0.03};
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutPolyhedron *hull;
    AbutBodyId id;
    AbutError error;
    for (int i = 0; i < points; ++i) corner[i] = abut_mul(axes, abut_random_direction(rng));
    bench_require(abut_polyhedron_from_points(corner, points, NULL, &hull, &error), &error);
    body.pose = abut_pose(abut_vec3(0.11 * (number % 2), 0.11 * (number / 2 % 2), 0.06 + 0.11 * (int)(number / 4)),
        abut_random_quat(rng));
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = hull;
    bench_require(abut_scene_add_body(scene, &body, &id, &error), &error);
    bench_require(abut_scene_add_shape(scene, id, &shape, NULL, &error), &error);
    abut_polyhedron_free(hull);
}

static void add_ground(AbutScene *scene) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutBodyId id;
    AbutError error;
    body.kind = ABUT_BODY_STATIC;
    shape.form.kind = ABUT_SHAPE_HALF_SPACE;
    bench_require(abut_scene_add_body(scene, &body, &id, &error), &error);
    bench_require(abut_scene_add_shape(scene, id, &shape, NULL, &error), &error);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_hulls(BenchRun *run, int index) {
    static double seconds[STEPS], each[STEPS];
    AbutSimulationDef def = abut_simulation_default();
    AbutRng rng = abut_rng(run->first_seed, 0);
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutStepReport report;
    AbutError error;
    double stage = 0.0, built = 0.0;
    int n = 0;
    bench_require(abut_scene_create(&scene, &error), &error);
    add_ground(scene);
    for (int i = 0; i < BODIES; ++i) add_hull(scene, &rng, point_counts[index], i);
    def.threads = 1;
    def.sleeping = 0;
    bench_require(abut_simulation_create(scene, &def, &simulation, &error), &error);
    for (int i = 0; i < STEPS; ++i) {
        double start = sim_cpu_now();
        bench_require(abut_simulation_step(simulation, 1e-3, &report, &error), &error);
        if (n == 0 && report.contacts == 0) continue;
        seconds[n++] = sim_cpu_now() - start;
        each[n - 1] = report.contacts ? report.seconds[ABUT_STAGE_CONTACTS] / report.contacts : 0.0;
        stage += report.seconds[ABUT_STAGE_CONTACTS];
        built += report.rebuilt;
    }
    qsort(seconds, (size_t)n, sizeof *seconds, by_size);
    qsort(each, (size_t)n, sizeof *each, by_size);
    double median = seconds[n / 2], worst = seconds[n - 1];
    printf("%-20s %10d %12.3f %12.3f %12.1f %12.1f %10.2f\n", run->name, report.contacts, 1e6 * each[n / 2],
        1e6 * stage / built, 1e6 * median, 1e6 * worst, worst / median);
    fflush(stdout);
    if (run->csv)
        fprintf(run->csv, "\"%s\",%d,%.4f,%.4f,%.3f,%.3f\n", run->name, report.contacts, 1e6 * each[n / 2],
            1e6 * stage / built, 1e6 * median, 1e6 * worst);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
}

static const BenchCase cases[] = {
    {"sim/hull/20", run_hulls, 0},
    {"sim/hull/100", run_hulls, 1},
    {"sim/hull/500", run_hulls, 2},
};

const BenchList bench_sim_hull_list = {cases, sizeof cases / sizeof cases[0], 1,
    "case                   contacts   us/contact     us/built    median us     worst us      ratio",
    "case,contacts,us_contact,us_built,median_us,worst_us"};
