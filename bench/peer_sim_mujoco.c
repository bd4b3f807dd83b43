/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MuJoCo as a simulator: free bodies on a plane, all settings at their defaults, and a second time with elliptic cones
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

/* Type and size of a body's shape; a hull is mesh number i. */
static void put_shape(MujocoText *text, const SimScene *s, int i) {
    AbutVec3 size = sim_shape(s, i)->form.size;
    switch (sim_shape(s, i)->form.kind) {
    case ABUT_SHAPE_BOX:
        mujoco_put(text, "type='box' size='%.17g %.17g %.17g'", size.x, size.y, size.z);
        return;
    case ABUT_SHAPE_SPHERE:
        mujoco_put(text, "type='sphere' size='%.17g'", size.x);
        return;
    case ABUT_SHAPE_CAPSULE:
        mujoco_put(text, "type='capsule' size='%.17g %.17g'", size.x, size.z);
        return;
    case ABUT_SHAPE_CYLINDER:
        mujoco_put(text, "type='cylinder' size='%.17g %.17g'", size.x, size.z);
        return;
    default:
        mujoco_put(text, "type='mesh' mesh='m%d'", i);
    }
}

static int is_hull(const SimScene *s, int i) {
    AbutShapeKind kind = sim_shape(s, i)->form.kind;
    return kind != ABUT_SHAPE_BOX && kind != ABUT_SHAPE_SPHERE && kind != ABUT_SHAPE_CAPSULE &&
           kind != ABUT_SHAPE_CYLINDER;
}

/* Vertices about the center of mass. */
static void put_hulls(MujocoText *text, const SimScene *s) {
    mujoco_put(text, "<asset>");
    for (int i = 0; i < s->count; ++i) {
        if (!is_hull(s, i)) continue;
        const AbutPolyhedron *p = sim_shape(s, i)->geometry->polyhedron;
        mujoco_put(text, "<mesh name='m%d' vertex='", i);
        for (int k = 0; k < p->vertex_count; ++k) {
            AbutVec3 v = abut_sub(abut_polyhedron_vertices(p)[k], sim_body(s, i)->center);
            mujoco_put(text, "%.17g %.17g %.17g ", v.x, v.y, v.z);
        }
        mujoco_put(text, "'/>\n");
    }
    mujoco_put(text, "</asset>");
}

static void put_walls(MujocoText *text, const SimScene *s) {
    for (int i = 0; i < s->wall_count; ++i) {
        AbutPose x = s->wall[i].pose;
        AbutVec3 half = s->wall[i].half;
        mujoco_put(text,
            "<geom type='box' size='%.17g %.17g %.17g' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'/>\n",
            half.x, half.y, half.z, x.p.x, x.p.y, x.p.z, x.q.w, x.q.x, x.q.y, x.q.z);
    }
}

static MujocoText describe(const SimScene *s, double dt, int tight) {
    MujocoText text = {NULL, 0, 0};
    AbutVec3 g = s->gravity, up = s->ground.normal, at = abut_scale(up, s->ground.offset);
    mujoco_put(&text, "<mujoco><size njmax='%d' nconmax='%d'%s/>\n", 48 * s->count + 200, 12 * s->count + 50,
        BENCH_MUJOCO_3 ? "" : " nstack='20000000'");
    mujoco_put(&text, "<option timestep='%.17g' gravity='%.17g %.17g %.17g'%s/>\n", dt, g.x, g.y, g.z,
        tight ? " cone='elliptic'" : "");
    mujoco_put(&text, "<default><geom friction='%.17g 0.005 0.0001'", s->friction);
    if (tight) mujoco_put(&text, " solref='%.17g 1'", 2.0 * dt);
    mujoco_put(&text, "/></default>");
    put_hulls(&text, s);
    mujoco_put(&text,
        "<worldbody>\n<geom type='plane' size='1 1 1' pos='%.17g %.17g %.17g' zaxis='%.17g %.17g "
        "%.17g'/>\n",
        at.x, at.y, at.z, up.x, up.y, up.z);
    for (int i = 0; i < s->count; ++i) {
        AbutPose q = sim_start(s, i);
        mujoco_put(&text, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/>", q.p.x, q.p.y,
            q.p.z, q.q.w, q.q.x, q.q.y, q.q.z);
        mujoco_put(&text, "<geom mass='%.17g' ", sim_body(s, i)->mass);
        put_shape(&text, s, i);
        mujoco_put(&text, "/></body>\n");
    }
    put_walls(&text, s);
    mujoco_put(&text, "</worldbody></mujoco>\n");
    return text;
}

static void *open_as(const SimScene *scene, double dt, int threads, int tight) {
    if (threads != 1) return NULL;
    MujocoText text = describe(scene, dt, tight);
    mjModel *model = mujoco_load(text.memory, text.used);
    free(text.memory);
    if (!model) return NULL;
    State *state = bench_memory(1, sizeof *state);
    state->count = scene->count;
    state->model = model;
    state->data = mj_makeData(model);
    return state;
}

static void *open_default(const SimScene *scene, double dt, int threads) { return open_as(scene, dt, threads, 0); }

static void *open_tight(const SimScene *scene, double dt, int threads) { return open_as(scene, dt, threads, 1); }

/* A warning is a failure: too many contacts, or numbers that went bad. */
static int step(void *user, double dt) {
    State *state = user;
    state->model->opt.timestep = dt;
    mj_step(state->model, state->data);
    for (int i = 0; i < mjNWARNING; ++i)
        if (state->data->warning[i].number > 0) return 0;
    return 1;
}

static void info(void *user, SimStep *out) {
    State *state = user;
#if BENCH_MUJOCO_3
    out->sweeps = state->data->solver_niter[0];
#else
    out->sweeps = state->data->solver_iter;
#endif
}

static void read_bodies(void *user, SimBody *body) {
    State *state = user;
    for (int i = 0; i < state->count; ++i) {
        const mjtNum *q = state->data->qpos + 7 * i, *v = state->data->qvel + 6 * i;
        SimBody out = {abut_pose(abut_vec3(q[0], q[1], q[2]), abut_quat(q[3], q[4], q[5], q[6])),
            abut_vec3(v[0], v[1], v[2]), {0.0, 0.0, 0.0}, 0.0};
        out.spin = abut_quat_rotate(out.pose.q, abut_vec3(v[3], v[4], v[5])); /* MuJoCo's is in body axes */
        body[i] = out;
    }
    for (int i = 0; i < state->data->ncon; ++i) { /* geom 0 is the plane; body 0 the world, body k part k - 1 */
        const mjContact *c = &state->data->contact[i];
        mjtNum force[6];
        int a = state->model->geom_bodyid[c->geom1], b = state->model->geom_bodyid[c->geom2];
        if (c->geom1 != 0 && c->geom2 != 0) continue;
        mj_contactForce(state->model, state->data, i, force);
        body[a + b - 1].ground_force += force[0];
    }
}

static void close_state(void *user) {
    State *state = user;
    mj_deleteData(state->data);
    mj_deleteModel(state->model);
    free(state);
}

const SimEngine sim_mujoco = {"MuJoCo", 0, 0, open_default, step, info, read_bodies, close_state};
const SimEngine sim_mujoco_tight = {"MuJoCo elliptic 2dt", 0, 0, open_tight, step, info, read_bodies, close_state};
