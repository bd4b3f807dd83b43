/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of sleeping bodies: 10,000 boxes on a floor, far from each other, all asleep; alone, and with
 * another body that is driven through the air among them. CPU time of a whole step, and what it took awake.
 */
#include "bench/sim_engine.h"

enum { SIDE = 100, STEPS = 500, AWAKE_STEPS = 20 };

static AbutBodyId add(AbutScene *scene, AbutBodyKind kind, AbutShapeKind form, AbutVec3 at) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutError error;
    AbutBodyId id;
    body.kind = kind;
    body.pose.p = at;
    shape.form.kind = form;
    shape.form.size = abut_vec3(0.05, 0.05, 0.05);
    bench_require(abut_scene_add_body(scene, &body, &id, &error), &error);
    bench_require(abut_scene_add_shape(scene, id, &shape, NULL, &error), &error);
    return id;
}

/* Seconds of one step, the mean of `steps`; `awake` is how many were awake in the last. */
static double time_steps(AbutSimulation *simulation, int steps, int *awake) {
    AbutStepReport report = {0};
    AbutError error;
    double start = sim_cpu_now();
    for (int i = 0; i < steps; ++i) bench_require(abut_simulation_step(simulation, 1e-3, &report, &error), &error);
    *awake = report.bodies_awake;
    return (sim_cpu_now() - start) / steps;
}

static void run_asleep(BenchRun *run, int driven) {
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutError error;
    int awake;
    bench_require(abut_scene_create(&scene, &error), &error);
    add(scene, ABUT_BODY_STATIC, ABUT_SHAPE_HALF_SPACE, abut_zero());
    for (int i = 0; i < SIDE * SIDE; ++i)
        add(scene, ABUT_BODY_DYNAMIC, ABUT_SHAPE_BOX, abut_vec3(0.2 * (i % SIDE), 0.2 * (int)(i / SIDE), 0.05));
    if (driven) {
        AbutBodyId id = add(scene, ABUT_BODY_KINEMATIC, ABUT_SHAPE_BOX, abut_vec3(5.0, 5.0, 0.5));
        bench_require(abut_scene_set_velocity(scene, id, abut_vec3(1.0, 0.5, 0.0), abut_zero(), &error), &error);
    }
    def.sleeping = 1;
    bench_require(abut_simulation_create(scene, &def, &simulation, &error), &error);
    double before = time_steps(simulation, AWAKE_STEPS, &awake);
    for (int i = 0; awake > 0 && i < 40; ++i) time_steps(simulation, 50, &awake);
    double still = time_steps(simulation, STEPS, &awake);
    printf("%-34s %10d %14.1f %14.1f\n", run->name, awake, 1e6 * still, 1e6 * before);
    if (run->csv) fprintf(run->csv, "\"%s\",%d,%.3f,%.3f\n", run->name, awake, 1e6 * still, 1e6 * before);
    run->failed += awake > 0;
    abut_simulation_free(simulation);
    abut_scene_free(scene);
}

static const BenchCase cases[] = {
    {"sim/asleep/10000", run_asleep, 0},
    {"sim/asleep/10000, one driven", run_asleep, 1},
};

const BenchList bench_sim_asleep_list = {cases, sizeof cases / sizeof cases[0], 1,
    "case                                   awake us/step asleep  us/step awake", "case,awake,us_step,us_step_awake"};
