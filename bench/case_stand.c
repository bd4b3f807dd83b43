/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots that stand on two feet, held by their servos, once they rest: time per step of 1 ms, one robot and twenty. The
 * built-in biped beside MuJoCo, and TALOS, where its files lie beside the checkout. A robot that falls counts as
 * failed.
 */
#include <string.h>

#include "bench/robot_peer.h"
#include "support/optional_data.h"

static const BenchStandPeer *const peers[] = {
#ifdef BENCH_HAVE_STAND_MUJOCO
    &bench_stand_mujoco,
#endif
    NULL};

enum { WARM = 4000, STEPS = 100 };
static const double APART = 3.0, DT = 1e-3;

typedef struct Standing {
    AbutScene *scene;
    AbutSimulation *simulation;
    const BenchStandPeer *peer;
    void *state;
    double height; /* of the first trunk */
} Standing;

static void step_abut(Standing *s)
{
    AbutStepReport report;
    AbutError error;
    double q[256];
    bench_require(abut_simulation_step(s->simulation, DT, &report, &error), &error);
    abut_scene_get_joints(s->scene, 0, q, NULL);
    s->height = q[2];
}

static void step_many(void *user)
{
    Standing *s = user;
    for (int i = 0; i < STEPS; ++i)
        if (s->peer)
            s->height = s->peer->step(s->state);
        else
            step_abut(s);
}

/* One ground will do: those of the other copies meet nothing. */
static void hide_ground(AbutScene *scene, const AbutModel *model, int copy)
{
    AbutError error;
    for (int32_t b = 0; b < model->body_count; ++b) {
        AbutBodyId id = abut_scene_robot_body(scene, copy, b);
        AbutBodyState body;
        if (model->bodies[b].kind != ABUT_BODY_STATIC || !abut_scene_get_body(scene, id, &body))
            continue;
        for (int k = 0; k < body.shape_count; ++k)
            bench_require(abut_scene_set_filter(scene, abut_scene_shape_at(scene, id, k), 0, 0, &error), &error);
    }
}

/* The model so many times beside each other, all in their first keyframe. */
static void open_abut(Standing *s, const AbutModel *model, int copies)
{
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    const AbutKeyframeDef *key = &model->keyframes[0];
    def.gravity = model->gravity;
    bench_require(abut_scene_create(&s->scene, &error), &error);
    for (int c = 0; c < copies; ++c) {
        AbutPose at = abut_pose_identity();
        at.p.x = APART * c;
        bench_require(abut_scene_add_model(s->scene, model, at, NULL, &error), &error);
        if (c > 0)
            hide_ground(s->scene, model, c);
    }
    bench_require(abut_simulation_create(s->scene, &def, &s->simulation, &error), &error);
    for (int c = 0; c < copies; ++c) {
        double q[256];
        memcpy(q, key->positions, (size_t)key->position_count * sizeof *q);
        q[0] += APART * c;
        bench_require(abut_scene_set_joints(s->scene, c, key->position_count, q, 0, NULL, &error), &error);
        bench_require(abut_simulation_set_control(s->simulation, c, key->control_count, key->controls, &error), &error);
    }
}

static void time_standing(BenchRun *run, Standing *s, const char *engine, int own)
{
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

static void run_stand(BenchRun *run, int parameter)
{
    AbutModel *model = NULL;
    AbutError error;
    int copies = parameter & 1 ? 20 : 1, talos = parameter >> 1;
    const char *folder = talos ? optional_data("robots") : NULL;
    if (talos && !folder)
        return;
    if (talos) {
        char path[5000];
        snprintf(path, sizeof path, "%s/pal_talos/scene_position.xml", folder);
        bench_require(abut_model_read_mjcf(path, NULL, &model, &error), &error);
    } else {
        bench_require(abut_model_build("biped", 1, &model, &error), &error);
    }
    Standing s = {0};
    open_abut(&s, model, copies);
    time_standing(run, &s, "abut", 1);
    abut_simulation_free(s.simulation);
    abut_scene_free(s.scene);
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
