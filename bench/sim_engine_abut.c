/* SPDX-License-Identifier: Apache-2.0 */
/* abut's own simulation in the benchmark: the default model (vol) and settings. */
#include "bench/sim_engine.h"

#include <stdlib.h>

typedef struct State {
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutBodyId ground;
    AbutBodyId *part; /* ids of the moving bodies */
    int *part_of;     /* by place of the id */
    int count;
    AbutStepReport report;
} State;

static void find_parts(State *state) {
    int all = abut_scene_body_count(state->scene);
    state->ground = abut_scene_find_body(state->scene, "ground");
    state->part = bench_memory((size_t)all, sizeof *state->part);
    state->part_of = bench_memory((size_t)all + 1, sizeof *state->part_of);
    for (int i = 0; i < all; ++i) {
        AbutBodyId id = abut_scene_body_at(state->scene, i);
        AbutBodyState body;
        if (!abut_scene_get_body(state->scene, id, &body) || body.kind != ABUT_BODY_DYNAMIC) continue;
        state->part_of[id.index1] = state->count;
        state->part[state->count++] = id;
    }
}

static void *open_state(const SimScene *scene, double dt, int threads) {
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    State *state = bench_memory(1, sizeof *state);
    (void)dt;
    bench_require(abut_scene_create(&state->scene, &error), &error);
    bench_require(abut_scene_build(state->scene, scene->spec, scene->seed, &error), &error);
    def.gravity = scene->gravity;
    def.threads = threads;
    bench_require(abut_simulation_create(state->scene, &def, &state->simulation, &error), &error);
    find_parts(state);
    return state;
}

static int step(void *user, double dt) {
    State *state = user;
    return abut_simulation_step(state->simulation, dt, &state->report, NULL) == ABUT_OK;
}

static void info(void *user, SimStep *out) {
    State *state = user;
    out->pairs = state->report.contacts;
    out->sweeps = state->report.sweeps_mean;
    out->capped = state->report.capped_islands > 0;
}

static void read_forces(State *state, SimBody *body) {
    AbutContact c;
    for (int i = 0; abut_simulation_get_contact(state->simulation, i, &c); ++i) {
        double force = abut_dot(c.force, c.normal);
        if (c.body_a.index1 == state->ground.index1)
            body[state->part_of[c.body_b.index1]].ground_force += force;
        else if (c.body_b.index1 == state->ground.index1)
            body[state->part_of[c.body_a.index1]].ground_force += force;
    }
}

static void read_bodies(void *user, SimBody *body) {
    State *state = user;
    for (int i = 0; i < state->count; ++i) {
        AbutBodyState s;
        abut_scene_get_body(state->scene, state->part[i], &s);
        SimBody out = {abut_pose(s.center, s.pose.q), s.velocity, s.spin, 0.0};
        body[i] = out;
    }
    read_forces(state, body);
}

static void close_state(void *user) {
    State *state = user;
    abut_simulation_free(state->simulation);
    abut_scene_free(state->scene);
    free(state->part);
    free(state->part_of);
    free(state);
}

const SimEngine sim_abut = {"abut vol", 1, 1, open_state, step, info, read_bodies, close_state};
