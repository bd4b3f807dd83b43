/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinematics and dynamics of the built-in robots at random states, each question with its own forward kinematics. The
 * truth is abut's own first answer; a peer that differs by 1e-6 of the largest number counts as wrong.
 */
#include "bench/robot_peer.h"

#include <math.h>
#include <string.h>

/* Those that are here, and a NULL. */
static const BenchRobotPeer *const peers[] = {
#ifdef BENCH_HAVE_ROBOT_MUJOCO
    &bench_robot_mujoco,
#endif
#ifdef BENCH_HAVE_ROBOT_PINOCCHIO
    &bench_robot_pinocchio,
#endif
    NULL};

enum { STATES = 50, NUMBERS = 64 };

typedef struct Questions {
    AbutConfiguration *c;
    int nq, nv;
    BenchRobotQuestion question;
    double q[STATES][NUMBERS], v[STATES][NUMBERS], truth[STATES][NUMBERS], answer[STATES][NUMBERS];
    const BenchRobotPeer *peer;
    void *state;
} Questions;

static void ask(Questions *q, int i, double *out) {
    double zero[NUMBERS] = {0};
    AbutError error;
    bench_require(abut_configuration_set(q->c, q->nq, q->q[i], q->nv, q->v[i], &error), &error);
    if (q->question == BENCH_ROBOT_POSES) {
        AbutVec3 sum = abut_zero();
        for (int32_t b = 0; b < abut_configuration_model(q->c)->body_count; ++b)
            sum = abut_add(sum, abut_configuration_body_pose(q->c, b).p);
        out[0] = sum.x, out[1] = sum.y, out[2] = sum.z;
    } else if (q->question == BENCH_ROBOT_INVERSE) {
        abut_configuration_bias(q->c, out);
    } else if (q->question == BENCH_ROBOT_SOLVE) {
        for (int k = 0; k < q->nv; ++k) out[k] = 1.0;
        abut_configuration_solve(q->c, out);
    } else {
        abut_configuration_forward_dynamics(q->c, ABUT_FORWARD_AUTOMATIC, zero, out);
    }
}

static void ask_all(void *user) {
    Questions *q = user;
    for (int i = 0; i < STATES; ++i) ask(q, i, q->answer[i]);
}

static void ask_peer(void *user) {
    Questions *q = user;
    for (int i = 0; i < STATES; ++i) q->peer->answer(q->state, q->question, q->q[i], q->v[i], q->answer[i]);
}

/* States with the joints a little off their references; a free body first has its pose. */
static void make_states(Questions *q) {
    AbutRng rng = abut_rng(77, 0);
    abut_configuration_reset(q->c);
    for (int i = 0; i < STATES; ++i) {
        for (int k = 0; k < q->nv; ++k) q->v[i][k] = abut_rng_between(&rng, -0.5, 0.5);
        abut_configuration_integrate(q->c, abut_configuration_positions(q->c), q->v[i], 1.0, q->q[i]);
        for (int k = 0; k < q->nv; ++k) q->v[i][k] = abut_rng_between(&rng, -1.0, 1.0);
    }
}

static void time_one(BenchRun *run, Questions *q, const char *engine, void (*once)(void *), int own) {
    BenchProbe probe = {once, q, STATES, 0.0};
    BenchRow row = {engine, 0.0, STATES, 0, 0, -1, own};
    int count = q->question == BENCH_ROBOT_POSES ? 3 : q->nv;
    bench_time(run, &probe, 1);
    row.ns = probe.ns;
    for (int i = 0; i < STATES; ++i) {
        double off = 0.0, size = 1e-300;
        for (int k = 0; k < count; ++k) {
            off = fmax(off, fabs(q->answer[i][k] - q->truth[i][k]));
            size = fmax(size, fabs(q->truth[i][k]));
        }
        row.wrong_6 += !(off <= 1e-6 * size);
        row.wrong_3 += !(off <= 1e-3 * size);
    }
    bench_row(run, &row);
}

static void run_robot(BenchRun *run, int parameter) {
    static const char *const robots[] = {"arm6", "hand16", "biped"};
    static const char *const words[] = {"poses", "inverse", "solve", "forward"};
    static Questions q;
    AbutModel *model;
    const AbutTree *tree;
    AbutError error;
    bench_require(abut_model_build(robots[parameter], 1, &model, &error), &error);
    bench_require(abut_tree_create(model, &tree, &error), &error);
    bench_require(abut_configuration_create(tree, &q.c, &error), &error);
    abut_tree_release(tree);
    q.nq = abut_configuration_position_count(q.c);
    q.nv = abut_configuration_velocity_count(q.c);
    make_states(&q);
    for (int k = 0; k < BENCH_ROBOT_QUESTIONS; ++k) {
        char name[60];
        q.question = (BenchRobotQuestion)k;
        for (int i = 0; i < STATES; ++i) ask(&q, i, q.truth[i]);
        snprintf(name, sizeof name, "abut, %s", words[k]);
        time_one(run, &q, name, ask_all, 1);
        for (const BenchRobotPeer *const *peer = peers; *peer; ++peer) {
            q.peer = *peer;
            q.state = q.peer->open(model);
            snprintf(name, sizeof name, "%s, %s", q.peer->name, words[k]);
            time_one(run, &q, name, ask_peer, 0);
            q.peer->close(q.state);
        }
    }
    abut_configuration_free(q.c);
    abut_model_free(model);
}

static const BenchCase cases[] = {
    {"robot/arm6", run_robot, 0}, {"robot/hand16", run_robot, 1}, {"robot/biped", run_robot, 2}};

const BenchList bench_robot_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
