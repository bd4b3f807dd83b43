/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MuJoCo: its table of collision functions, called directly on the two geoms; the depth is that of the deepest contact.
 * From 3.0 on it also has a distance. Its meshes hold single precision vertices.
 */
#include "bench/engine.h"

#include <stdlib.h>

#include "bench/mujoco_text.h"

typedef struct State {
    const BenchSet *set;
    mjModel *model;
    mjData *data;
} State;

static void put_geom(MujocoText *text, const AbutConvex *shape, int index) {
    mujoco_put(text, "<body><geom mass='1' ");
    if (shape->kind == ABUT_CONVEX_BOX)
        mujoco_put(text, "type='box' size='%.17g %.17g %.17g'", shape->p[0].x, shape->p[0].y, shape->p[0].z);
    else if (shape->kind == ABUT_CONVEX_SEGMENT)
        mujoco_put(text, "type='capsule' size='%.17g %.17g'", shape->radius, shape->p[1].z);
    else
        mujoco_put(text, "type='mesh' mesh='m%d'", index);
    mujoco_put(text, "/></body>\n");
}

static MujocoText describe(const BenchSet *set) {
    MujocoText text = {NULL, 0, 0};
    mujoco_put(&text, "<mujoco><size njmax='10' nconmax='10'%s/><asset>\n", BENCH_MUJOCO_3 ? "" : " nstack='10000000'");
    for (int i = 0; i < set->shape_count; ++i) {
        const AbutPolyhedron *p = set->shapes[i].polyhedron;
        if (!p) continue;
        mujoco_put(&text, "<mesh name='m%d' vertex='", i);
        for (int k = 0; k < p->vertex_count; ++k) {
            AbutVec3 v = abut_polyhedron_vertices(p)[k];
            mujoco_put(&text, "%.17g %.17g %.17g ", v.x, v.y, v.z);
        }
        mujoco_put(&text, "'/>\n");
    }
    mujoco_put(&text, "</asset><worldbody>\n");
    for (int i = 0; i < set->shape_count; ++i) put_geom(&text, &set->shapes[i], i);
    mujoco_put(&text, "</worldbody></mujoco>\n");
    return text;
}

static void *open_state(const BenchSet *set) {
    if ((set->question == BENCH_DISTANCE && !BENCH_MUJOCO_3) || set->warm) return NULL;
    MujocoText text = describe(set);
    mjModel *model = mujoco_load(text.memory, text.used);
    free(text.memory);
    if (!model) return NULL;
    for (int i = 0; i < model->ngeom; ++i) model->geom_margin[i] = 0.0;
#if BENCH_MUJOCO_3
    model->opt.ccd_tolerance = 1e-8;
    model->opt.ccd_iterations = 1000;
#else
    model->opt.mpr_tolerance = 1e-8;
    model->opt.mpr_iterations = 1000;
#endif
    State *state = bench_memory(1, sizeof *state);
    state->set = set;
    state->model = model;
    state->data = mj_makeData(model);
    mj_kinematics(model, state->data);
    return state;
}

/* A mesh geom has a pose in its body: MuJoCo moves meshes to their principal axes. */
static void place(State *state, int geom, AbutPose pose) {
    const mjModel *m = state->model;
    mjtNum p[3] = {pose.p.x, pose.p.y, pose.p.z}, q[4] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z}, turn[4];
    mju_rotVecQuat(state->data->geom_xpos + 3 * geom, m->geom_pos + 3 * geom, q);
    mju_addTo3(state->data->geom_xpos + 3 * geom, p);
    mju_mulQuat(turn, q, m->geom_quat + 4 * geom);
    mju_quat2Mat(state->data->geom_xmat + 9 * geom, turn);
}

#if BENCH_MUJOCO_4
typedef mjPreContact Contact;
#else
typedef mjContact Contact;
#endif

static BenchAnswer ask_contacts(State *state, const BenchPair *p) {
    Contact contacts[mjMAXCONPAIR];
    mjfCollision collide = mjCOLLISIONFUNC[state->model->geom_type[p->a]][state->model->geom_type[p->b]];
    int count = collide(state->model, state->data, contacts, p->a, p->b, 0.0);
    BenchAnswer answer = {0.0, 0, 0};
    for (int i = 0; i < count; ++i) {
        answer.meets = answer.meets || contacts[i].dist <= 0.0;
        answer.distance = fmin(answer.distance, contacts[i].dist);
    }
    return answer;
}

static BenchAnswer ask(void *user, int pair, int pose) {
    State *state = user;
    const BenchPair *p = &state->set->pairs[pair];
    place(state, p->b, p->b_in_a[pose]);
#if BENCH_MUJOCO_3
    if (state->set->question == BENCH_DISTANCE) {
        double d = mj_geomDistance(state->model, state->data, p->a, p->b, 1e3 * p->size, NULL);
        BenchAnswer answer = {d, d <= 0.0, 0};
        return answer;
    }
#endif
    return ask_contacts(state, p);
}

static void close_state(void *user) {
    State *state = user;
    mj_deleteData(state->data);
    mj_deleteModel(state->model);
    free(state);
}

const BenchEngine bench_mujoco = {"MuJoCo", 0, open_state, ask, close_state};
