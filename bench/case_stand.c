/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots that stand on two feet, held by their servos, once they rest: time per step of 1 ms, one robot and twenty. The
 * built-in biped beside MuJoCo, and TALOS, where its files lie beside the checkout. A robot that falls counts as
 * failed. And how many times one the twenty cost: both step by turns, and each of the twenty alone too, since robots
 * that stand elsewhere settle otherwise.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/robot_peer.h"
#include "support/optional_data.h"

static const BenchStandPeer *const peers[] = {
#ifdef BENCH_HAVE_STAND_MUJOCO
    &bench_stand_mujoco,
#endif
    NULL};

enum { WARM = 4000, STEPS = 100, MANY = 20, ROUNDS = 15 };
static const double APART = 3.0, DT = 1e-3;

typedef struct Standing {
    AbutScene *scene;
    AbutSimulation *simulation;
    const BenchStandPeer *peer;
    void *state;
    double height; /* of the first trunk */
} Standing;

static void step_abut(Standing *s) {
    AbutStepReport report;
    AbutError error;
    double q[256];
    bench_require(abut_simulation_step(s->simulation, DT, &report, &error), &error);
    abut_scene_get_joints(s->scene, 0, q, NULL);
    s->height = q[2];
}

static void step_many(void *user) {
    Standing *s = user;
    for (int i = 0; i < STEPS; ++i)
        if (s->peer)
            s->height = s->peer->step(s->state);
        else
            step_abut(s);
}

/* One ground will do: those of the other copies meet nothing. */
static void hide_ground(AbutScene *scene, const AbutModel *model, int copy) {
    AbutError error;
    for (int32_t b = 0; b < model->body_count; ++b) {
        AbutBodyId id = abut_scene_robot_body(scene, copy, b);
        AbutBodyState body;
        if (model->bodies[b].kind != ABUT_BODY_STATIC || !abut_scene_get_body(scene, id, &body)) continue;
        for (int k = 0; k < body.shape_count; ++k)
            bench_require(abut_scene_set_filter(scene, abut_scene_shape_at(scene, id, k), 0, 0, &error), &error);
    }
}

/* The model so many times beside each other, from place `first` on, all in their first keyframe. */
static void open_abut(Standing *s, const AbutModel *model, int first, int copies) {
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    const AbutKeyframeDef *key = &model->keyframes[0];
    def.gravity = model->gravity;
    bench_require(abut_scene_create(&s->scene, &error), &error);
    for (int c = 0; c < copies; ++c) {
        AbutPose at = abut_pose_identity();
        at.p.x = APART * (first + c);
        bench_require(abut_scene_add_model(s->scene, model, at, NULL, &error), &error);
        if (c > 0) hide_ground(s->scene, model, c);
    }
    bench_require(abut_simulation_create(s->scene, &def, &s->simulation, &error), &error);
    for (int c = 0; c < copies; ++c) {
        double q[256];
        memcpy(q, key->positions, (size_t)key->position_count * sizeof *q);
        q[0] += APART * (first + c);
        bench_require(abut_scene_set_joints(s->scene, c, key->position_count, q, 0, NULL, &error), &error);
        bench_require(abut_simulation_set_control(s->simulation, c, key->control_count, key->controls, &error), &error);
    }
}

static void time_standing(BenchRun *run, Standing *s, const char *engine, int own) {
    double start = 0.0;
    for (int i = 0; i < WARM / STEPS; ++i) {
        step_many(s);
        start = i == 0 ? s->height : start;
    }
    BenchProbe probe = {step_many, s, STEPS, 0.0};
    bench_time(run, &probe, 1);
    BenchRow row = {engine, probe.ns, STEPS, -1, -1, !(s->height > 0.9 * start), own};
    bench_row(run, &row);
}

static void close_abut(Standing *s) {
    abut_simulation_free(s->simulation);
    abut_scene_free(s->scene);
}

/* NULL: its files are not there. */
static AbutModel *read_model(int talos) {
    AbutModel *model = NULL;
    AbutError error;
    const char *folder = talos ? optional_data("robots") : NULL;
    char path[5000];
    if (talos && !folder) return NULL;
    snprintf(path, sizeof path, "%s/pal_talos/scene_position.xml", talos ? folder : "");
    bench_require(
        talos ? abut_model_read(path, NULL, &model, &error) : abut_model_build("biped", 1, &model, &error), &error);
    return model;
}

static void run_stand(BenchRun *run, int parameter) {
    int copies = parameter & 1 ? MANY : 1, talos = parameter >> 1;
    AbutModel *model = read_model(talos);
    if (!model) return;
    Standing s = {0};
    open_abut(&s, model, 0, copies);
    time_standing(run, &s, "abut", 1);
    close_abut(&s);
    for (const BenchStandPeer *const *peer = peers; *peer && !talos; ++peer) {
        s = (Standing){.peer = *peer};
        s.state = s.peer->open(model, copies, APART);
        time_standing(run, &s, s.peer->name, 0);
        s.peer->close(s.state);
    }
    abut_model_free(model);
}

static const BenchCase cases[] = {{"robot/stand/biped", run_stand, 0}, {"robot/stand/20 bipeds", run_stand, 1},
    {"robot/stand/TALOS", run_stand, 2}, {"robot/stand/20 TALOS", run_stand, 3}};

const BenchList bench_stand_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};

/* ---- twenty beside one ------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times) {
    qsort(times, ROUNDS, sizeof *times, compare);
    return times[ROUNDS / 2];
}

/* Microseconds of processor time per step. */
static double time_steps(Standing *s) {
    double start = bench_spent();
    step_many(s);
    return 1e6 * (bench_spent() - start) / STEPS;
}

static void print_copies(BenchRun *run, double one, double alone, double many) {
    printf("%-26s %12.1f %12.1f %12.1f %10.1f %10.2f\n", run->name, one, alone, many, many / one, many / alone);
    fflush(stdout);
    if (run->csv) fprintf(run->csv, "\"%s\",%.3f,%.3f,%.3f\n", run->name, one, alone, many);
}

/* [0]: all in one simulation; then each in its own, at the same place. */
static void run_copies(BenchRun *run, int talos) {
    static double times[1 + MANY][ROUNDS];
    Standing s[1 + MANY] = {0};
    AbutModel *model = read_model(talos);
    if (!model) return;
    for (int i = 0; i <= MANY; ++i) {
        open_abut(&s[i], model, i > 0 ? i - 1 : 0, i > 0 ? 1 : MANY);
        for (int k = 0; k < WARM / STEPS; ++k) step_many(&s[i]);
    }
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0; i <= MANY; ++i) times[i][round] = time_steps(&s[i]);
    double many = median(times[0]), one = median(times[1]), alone = one;
    for (int i = 2; i <= MANY; ++i) alone += median(times[i]);
    print_copies(run, one, alone, many);
    for (int i = 0; i <= MANY; ++i) close_abut(&s[i]);
    abut_model_free(model);
}

static const BenchCase copies[] = {{"robot/copies/biped", run_copies, 0}, {"robot/copies/TALOS", run_copies, 1}};

const BenchList bench_copies_list = {copies, sizeof copies / sizeof copies[0], 0,
    "case                             one us    alone, us   twenty us   times one  of alone",
    "case,one_us,alone_us,twenty_us"};
