/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MuJoCo as a simulator: free boxes on a plane, all settings at their defaults, and a second time with elliptic cones
 * and contacts as stiff as it allows (solref of two steps).
 */
#include "bench/sim_engine.h"

#include <stdlib.h>

#include "bench/mujoco_text.h"

typedef struct State {
    int count;
    mjModel *model;
    mjData *data;
} State;

static MujocoText describe(const SimScene *s, double dt, int tight)
{
    MujocoText text = {NULL, 0, 0};
    AbutVec3 g = s->gravity, up = s->ground.normal, at = abut_scale(up, s->ground.offset);
    mujoco_put(&text, "<mujoco><size njmax='%d' nconmax='%d'%s/>\n", 48 * s->count + 200, 12 * s->count + 50,
        BENCH_MUJOCO_3 ? "" : " nstack='20000000'");
    mujoco_put(&text, "<option timestep='%.17g' gravity='%.17g %.17g %.17g'%s/>\n", dt, g.x, g.y, g.z,
        tight ? " cone='elliptic'" : "");
    mujoco_put(&text, "<default><geom friction='%.17g 0.005 0.0001'", s->friction);
    if (tight)
        mujoco_put(&text, " solref='%.17g 1'", 2.0 * dt);
    mujoco_put(&text,
        "/></default><worldbody>\n<geom type='plane' size='1 1 1' pos='%.17g %.17g %.17g' zaxis='%.17g %.17g "
        "%.17g'/>\n",
        at.x, at.y, at.z, up.x, up.y, up.z);
    for (int i = 0; i < s->count; ++i) {
        AbutPose q = sim_start(s, i);
        AbutVec3 half = sim_half(s, i);
        mujoco_put(&text, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/>", q.p.x, q.p.y,
            q.p.z, q.q.w, q.q.x, q.q.y, q.q.z);
        mujoco_put(&text, "<geom type='box' mass='%.17g' size='%.17g %.17g %.17g'/></body>\n", sim_body(s, i)->mass,
            half.x, half.y, half.z);
    }
    mujoco_put(&text, "</worldbody></mujoco>\n");
    return text;
}

static void *open_as(const SimScene *scene, double dt, int threads, int tight)
{
    if (threads != 1 || sim_half(scene, 0).x == 0.0)
        return NULL;
    MujocoText text = describe(scene, dt, tight);
    mjModel *model = mujoco_load(text.memory, text.used);
    free(text.memory);
    if (!model)
        return NULL;
    State *state = bench_memory(1, sizeof *state);
    state->count = scene->count;
    state->model = model;
    state->data = mj_makeData(model);
    return state;
}

static void *open_default(const SimScene *scene, double dt, int threads)
{
    return open_as(scene, dt, threads, 0);
}

static void *open_tight(const SimScene *scene, double dt, int threads)
{
    return open_as(scene, dt, threads, 1);
}

/* A warning is a failure: too many contacts, or numbers that went bad. */
static int step(void *user, double dt)
{
    State *state = user;
    state->model->opt.timestep = dt;
    mj_step(state->model, state->data);
    for (int i = 0; i < mjNWARNING; ++i)
        if (state->data->warning[i].number > 0)
            return 0;
    return 1;
}

static void info(void *user, SimStep *out)
{
    State *state = user;
#if BENCH_MUJOCO_3
    out->sweeps = state->data->solver_niter[0];
#else
    out->sweeps = state->data->solver_iter;
#endif
}

static void read_bodies(void *user, SimBody *body)
{
    State *state = user;
    for (int i = 0; i < state->count; ++i) {
        const mjtNum *q = state->data->qpos + 7 * i, *v = state->data->qvel + 6 * i;
        SimBody out = {abut_pose(abut_vec3(q[0], q[1], q[2]), abut_quat(q[3], q[4], q[5], q[6])),
            abut_vec3(v[0], v[1], v[2]), {0.0, 0.0, 0.0}, 0.0};
        out.spin = abut_quat_rotate(out.pose.q, abut_vec3(v[3], v[4], v[5])); /* MuJoCo's is in body axes */
        body[i] = out;
    }
    for (int i = 0; i < state->data->ncon; ++i) { /* geom 0 is the plane, geom k box k - 1 */
        const mjContact *c = &state->data->contact[i];
        mjtNum force[6];
        if (c->geom1 != 0 && c->geom2 != 0)
            continue;
        mj_contactForce(state->model, state->data, i, force);
        body[c->geom1 + c->geom2 - 1].ground_force += force[0];
    }
}

static void close_state(void *user)
{
    State *state = user;
    mj_deleteData(state->data);
    mj_deleteModel(state->model);
    free(state);
}

const SimEngine sim_mujoco = {"MuJoCo", 0, 0, open_default, step, info, read_bodies, close_state};
const SimEngine sim_mujoco_tight = {"MuJoCo elliptic 2dt", 0, 0, open_tight, step, info, read_bodies, close_state};
