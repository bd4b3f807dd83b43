/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of a contact by the kind of body: 100 bodies that roll, or slide, over a floor without touching each other,
 * so that every contact is built anew in every step. CPU time of a whole step over the number of contacts.
 */
#include "bench/sim_engine.h"

typedef struct Kind {
    AbutShapeKind kind;
    int lying; /* the axis of the shape across its way */
    int box;   /* the floor is a box, not a half-space */
} Kind;

static const Kind kinds[] = {{ABUT_SHAPE_BOX, 0, 0}, {ABUT_SHAPE_BOX, 0, 1}, {ABUT_SHAPE_SPHERE, 0, 0},
    {ABUT_SHAPE_SPHERE, 0, 1}, {ABUT_SHAPE_CAPSULE, 1, 0}, {ABUT_SHAPE_CAPSULE, 1, 1}, {ABUT_SHAPE_CYLINDER, 1, 0},
    {ABUT_SHAPE_CYLINDER, 1, 1}, {ABUT_SHAPE_ELLIPSOID, 1, 0}, {ABUT_SHAPE_ELLIPSOID, 1, 1}};

enum { BODIES = 100, STEPS = 400 };

static int add(
    AbutScene *scene, AbutBodyKind kind, AbutPose pose, const AbutShapeDef *shape, AbutVec3 v, AbutVec3 spin) {
    AbutBodyDef body = abut_body_default();
    AbutBodyId id;
    body.kind = kind;
    body.pose = pose;
    body.velocity = v;
    body.spin = spin;
    return abut_scene_add_body(scene, &body, &id, NULL) == ABUT_OK &&
           abut_scene_add_shape(scene, id, shape, NULL, NULL) == ABUT_OK;
}

static int fill(AbutScene *scene, const Kind *k) {
    AbutShapeDef floor = abut_shape_default(), shape = floor;
    AbutPose ground = abut_pose_identity();
    int rolls = k->kind != ABUT_SHAPE_BOX;
    floor.form.kind = k->box ? ABUT_SHAPE_BOX : ABUT_SHAPE_HALF_SPACE;
    floor.form.size = abut_vec3(50.0, 50.0, 0.5);
    floor.material.friction = shape.material.friction = rolls ? 0.5 : 0.0;
    ground.p.z = k->box ? -0.5 : 0.0;
    shape.form.kind = k->kind;
    shape.form.size = abut_vec3(0.05, 0.05, k->kind == ABUT_SHAPE_BOX ? 0.05 : 0.06);
    if (k->lying) shape.pose.q = abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI);
    int done = add(scene, ABUT_BODY_STATIC, ground, &floor, abut_zero(), abut_zero());
    for (int i = 0; i < BODIES && done; ++i)
        done = add(scene, ABUT_BODY_DYNAMIC, abut_pose(abut_vec3(i % 10, i / 10, 0.05), abut_quat_identity()), &shape,
            abut_vec3(1.0, 0.0, 0.0), abut_vec3(0.0, rolls ? 20.0 : 0.0, 0.0));
    return done;
}

/* Seconds for each contact, and how many there were; 0: it failed. */
static int measure(AbutScene *scene, double *seconds, double *contacts) {
    AbutSimulationDef def = abut_simulation_default();
    AbutSimulation *sim = NULL;
    AbutStepReport report;
    int done = abut_simulation_create(scene, &def, &sim, NULL) == ABUT_OK;
    double start = 0.0, sum = 0.0;
    for (int i = 0; i < STEPS + 20 && done; ++i) {
        if (i == 20) start = sim_cpu_now();
        done = abut_simulation_step(sim, 1e-3, &report, NULL) == ABUT_OK;
        sum += i >= 20 ? report.contacts : 0.0;
    }
    *seconds = (sim_cpu_now() - start) / sum;
    *contacts = sum / STEPS;
    abut_simulation_free(sim);
    return done;
}

static void run_round(BenchRun *run, int index) {
    AbutScene *scene;
    double seconds = 0.0, contacts = 0.0;
    if (abut_scene_create(&scene, NULL) != ABUT_OK || !fill(scene, &kinds[index]) ||
        !measure(scene, &seconds, &contacts))
        ++run->failed;
    abut_scene_free(scene);
    printf("%-34s %10.0f %10.3f\n", run->name, contacts, 1e6 * seconds);
    fflush(stdout);
    if (run->csv) fprintf(run->csv, "\"%s\",%.1f,%.5f\n", run->name, contacts, 1e6 * seconds);
}

static const BenchCase cases[] = {
    {"sim/contact/box on half-space", run_round, 0},
    {"sim/contact/box on box", run_round, 1},
    {"sim/contact/ball on half-space", run_round, 2},
    {"sim/contact/ball on box", run_round, 3},
    {"sim/contact/capsule on half-space", run_round, 4},
    {"sim/contact/capsule on box", run_round, 5},
    {"sim/contact/cylinder on half-space", run_round, 6},
    {"sim/contact/cylinder on box", run_round, 7},
    {"sim/contact/ellipsoid on half-space", run_round, 8},
    {"sim/contact/ellipsoid on box", run_round, 9},
};

const BenchList bench_sim_round_list = {cases, sizeof cases / sizeof cases[0], 1,
    "case                                 contacts us/contact", "case,contacts,us_contact"};
