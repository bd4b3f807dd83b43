/* SPDX-License-Identifier: Apache-2.0 */
/* MuJoCo on a robot: the stages of its forward pass, called one by one; contacts and constraints are switched off. */
#include "bench/robot_peer.h"

#include <stdlib.h>
#include <string.h>

#include "bench/mujoco_text.h"
#include "support/write_mjcf.h"

typedef struct State {
    mjModel *model;
    mjData *data;
} State;

static void *open_model(const AbutModel *model) {
    static MjcfText text;
    State *state = bench_memory(1, sizeof *state);
    write_mjcf(&text, model);
    state->model = mujoco_load(text.text, text.count);
    if (!state->model) exit(1);
    state->model->opt.disableflags |= BENCH_MUJOCO_NO_FORCES;
    state->data = mj_makeData(state->model);
    return state;
}

static void answer(void *user, BenchRobotQuestion question, const double *q, const double *v, double *out) {
    State *s = user;
    const mjModel *m = s->model;
    mjData *d = s->data;
    memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
    memcpy(d->qvel, v, (size_t)m->nv * sizeof *v);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    if (question == BENCH_ROBOT_POSES) {
        memset(out, 0, 3 * sizeof *out);
        for (int i = 3; i < 3 * m->nbody; ++i) out[i % 3] += d->xpos[i];
        return;
    }
    if (question != BENCH_ROBOT_SOLVE) {
        mj_comVel(m, d);
        mj_rne(m, d, 0, d->qfrc_bias);
    }
    if (question != BENCH_ROBOT_INVERSE) {
        mj_crb(m, d);
        mj_factorM(m, d);
    }
    for (int i = 0; i < m->nv; ++i)
        out[i] = question == BENCH_ROBOT_SOLVE     ? 1.0
                 : question == BENCH_ROBOT_INVERSE ? d->qfrc_bias[i]
                                                   : -d->qfrc_bias[i];
    if (question != BENCH_ROBOT_INVERSE) mj_solveM(m, d, out, out, 1);
}

static void close_model(void *user) {
    State *state = user;
    mj_deleteData(state->data);
    mj_deleteModel(state->model);
    abut_free(state);
}

const BenchRobotPeer bench_robot_mujoco = {"MuJoCo", open_model, answer, close_model};
