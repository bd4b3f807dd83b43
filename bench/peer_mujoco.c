/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MuJoCo: its table of collision functions, called directly on the two geoms. It offers contacts only; the depth is
 * that of the deepest contact. Its meshes hold single precision vertices.
 */
#include "bench/engine.h"

#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct State {
    const BenchSet *set;
    mjModel *model;
    mjData *data;
} State;

typedef struct Text {
    char *memory;
    size_t used, size;
} Text;

static void put(Text *text, const char *format, ...) ABUT_PRINTF(2, 3);

static void put(Text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int wrote = vsnprintf(text->memory + text->used, text->size - text->used, format, list);
    va_end(list);
    text->used += wrote > 0 ? (size_t)wrote : 0;
}

static void put_geom(Text *text, const AbutConvex *shape, int index)
{
    put(text, "<body><geom mass='1' ");
    if (shape->kind == ABUT_CONVEX_BOX)
        put(text, "type='box' size='%.17g %.17g %.17g'", shape->p[0].x, shape->p[0].y, shape->p[0].z);
    else if (shape->kind == ABUT_CONVEX_SEGMENT)
        put(text, "type='capsule' size='%.17g %.17g'", shape->radius, shape->p[1].z);
    else
        put(text, "type='mesh' mesh='m%d'", index);
    put(text, "/></body>\n");
}

static Text describe(const BenchSet *set)
{
    Text text = {NULL, 0, 4096};
    for (int i = 0; i < set->shape_count; ++i)
        text.size += 256 + (set->shapes[i].polyhedron ? 80 * (size_t)set->shapes[i].polyhedron->vertex_count : 0);
    text.memory = bench_memory(text.size, 1);
    put(&text, "<mujoco><size njmax='10' nconmax='10' nstack='10000000'/><asset>\n");
    for (int i = 0; i < set->shape_count; ++i) {
        const AbutPolyhedron *p = set->shapes[i].polyhedron;
        if (!p)
            continue;
        put(&text, "<mesh name='m%d' vertex='", i);
        for (int k = 0; k < p->vertex_count; ++k) {
            AbutVec3 v = abut_polyhedron_vertices(p)[k];
            put(&text, "%.17g %.17g %.17g ", v.x, v.y, v.z);
        }
        put(&text, "'/>\n");
    }
    put(&text, "</asset><worldbody>\n");
    for (int i = 0; i < set->shape_count; ++i)
        put_geom(&text, &set->shapes[i], i);
    put(&text, "</worldbody></mujoco>\n");
    return text;
}

static mjModel *load(const BenchSet *set)
{
    Text text = describe(set);
    static mjVFS files; /* some megabytes: too large for the stack */
    char error[1000] = "";
    mj_defaultVFS(&files);
    mjModel *model = NULL;
    if (mj_makeEmptyFileVFS(&files, "set.xml", (int)text.used) == 0) {
        memcpy(files.filedata[0], text.memory, text.used);
        model = mj_loadXML("set.xml", &files, error, sizeof error);
    }
    if (!model)
        fprintf(stderr, "abut-bench: MuJoCo: %s\n", error);
    mj_deleteVFS(&files);
    free(text.memory);
    return model;
}

static void *open_state(const BenchSet *set)
{
    if (set->question == BENCH_DISTANCE || set->warm)
        return NULL;
    mjModel *model = load(set);
    if (!model)
        return NULL;
    for (int i = 0; i < model->ngeom; ++i)
        model->geom_margin[i] = 0.0;
    model->opt.mpr_tolerance = 1e-8;
    model->opt.mpr_iterations = 1000;
    State *state = bench_memory(1, sizeof *state);
    state->set = set;
    state->model = model;
    state->data = mj_makeData(model);
    mj_kinematics(model, state->data);
    return state;
}

/* A mesh geom has a pose in its body: MuJoCo moves meshes to their principal axes. */
static void place(State *state, int geom, AbutPose pose)
{
    const mjModel *m = state->model;
    mjtNum p[3] = {pose.p.x, pose.p.y, pose.p.z}, q[4] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z}, turn[4];
    mju_rotVecQuat(state->data->geom_xpos + 3 * geom, m->geom_pos + 3 * geom, q);
    mju_addTo3(state->data->geom_xpos + 3 * geom, p);
    mju_mulQuat(turn, q, m->geom_quat + 4 * geom);
    mju_quat2Mat(state->data->geom_xmat + 9 * geom, turn);
}

static BenchAnswer ask(void *user, int pair, int pose)
{
    State *state = user;
    const BenchPair *p = &state->set->pairs[pair];
    place(state, p->b, p->b_in_a[pose]);
    mjContact contacts[mjMAXCONPAIR];
    mjfCollision collide = mjCOLLISIONFUNC[state->model->geom_type[p->a]][state->model->geom_type[p->b]];
    int count = collide(state->model, state->data, contacts, p->a, p->b, 0.0);
    BenchAnswer answer = {0.0, 0, 0};
    for (int i = 0; i < count; ++i) {
        answer.meets = answer.meets || contacts[i].dist <= 0.0;
        answer.distance = fmin(answer.distance, contacts[i].dist);
    }
    return answer;
}

static void close_state(void *user)
{
    State *state = user;
    mj_deleteData(state->data);
    mj_deleteModel(state->model);
    free(state);
}

const BenchEngine bench_mujoco = {"MuJoCo", 0, open_state, ask, close_state};
