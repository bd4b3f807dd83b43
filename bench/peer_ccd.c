/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libccd: GJK with EPA, and MPR, for depth and for yes or no (it offers no distance). Support functions are ours, plain
 * loops; its tolerances are set to 1e-8 so that it may be right to 1e-6.
 */
#include "bench/engine.h"

#include <ccd/ccd.h>
#include <stdlib.h>

typedef struct Body {
    const AbutConvex *shape;
    AbutPose pose;
} Body;

typedef struct State {
    const BenchSet *set;
    Body *a, *b; /* one of each per pair */
    ccd_t ccd;
} State;

static AbutVec3 support_local(const AbutConvex *shape, AbutVec3 d) {
    if (shape->kind == ABUT_CONVEX_BOX)
        return abut_vec3(copysign(shape->p[0].x, d.x), copysign(shape->p[0].y, d.y), copysign(shape->p[0].z, d.z));
    if (shape->kind == ABUT_CONVEX_SEGMENT)
        return abut_add_scaled(shape->p[d.z > 0.0], d, shape->radius / abut_length(d));
    const AbutVec3 *v = abut_polyhedron_vertices(shape->polyhedron);
    int best = 0;
    double best_dot = abut_dot(v[0], d);
    for (int i = 1; i < shape->polyhedron->vertex_count; ++i) {
        double dot = abut_dot(v[i], d);
        if (dot > best_dot) best_dot = dot, best = i;
    }
    return v[best];
}

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const Body *body = object;
    AbutVec3 d = abut_vec3(ccdVec3X(direction), ccdVec3Y(direction), ccdVec3Z(direction));
    AbutVec3 p = abut_pose_apply(body->pose, support_local(body->shape, abut_quat_rotate_inv(body->pose.q, d)));
    ccdVec3Set(out, p.x, p.y, p.z);
}

static void center(const void *object, ccd_vec3_t *out) {
    const Body *body = object;
    ccdVec3Set(out, body->pose.p.x, body->pose.p.y, body->pose.p.z);
}

static void *open_state(const BenchSet *set) {
    if (set->question == BENCH_DISTANCE || set->warm) return NULL;
    State *state = bench_memory(1, sizeof *state);
    state->set = set;
    state->a = bench_memory((size_t)set->pair_count, sizeof *state->a);
    state->b = bench_memory((size_t)set->pair_count, sizeof *state->b);
    for (int i = 0; i < set->pair_count; ++i) {
        state->a[i].shape = &set->shapes[set->pairs[i].a];
        state->a[i].pose = abut_pose_identity();
        state->b[i].shape = &set->shapes[set->pairs[i].b];
    }
    CCD_INIT(&state->ccd);
    state->ccd.support1 = state->ccd.support2 = support;
    state->ccd.center1 = state->ccd.center2 = center;
    state->ccd.max_iterations = 1000;
    state->ccd.epa_tolerance = state->ccd.mpr_tolerance = state->ccd.dist_tolerance = 1e-8;
    return state;
}

typedef int Penetration(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);
typedef int Intersect(const void *, const void *, const ccd_t *);

static BenchAnswer ask(State *state, int pair, int pose, Penetration *penetration, Intersect *intersect) {
    BenchAnswer answer = {0.0, 0, 0};
    const Body *a = &state->a[pair];
    Body *b = &state->b[pair];
    b->pose = state->set->pairs[pair].b_in_a[pose];
    if (state->set->question == BENCH_MEET) {
        answer.meets = intersect(a, b, &state->ccd);
        return answer;
    }
    ccd_real_t depth = 0.0;
    ccd_vec3_t direction, position;
    int status = penetration(a, b, &state->ccd, &depth, &direction, &position);
    answer.failed = status == -2;
    answer.meets = status == 0;
    answer.distance = status == 0 ? -depth : 0.0;
    return answer;
}

static BenchAnswer ask_epa(void *state, int pair, int pose) {
    return ask(state, pair, pose, ccdGJKPenetration, ccdGJKIntersect);
}

static BenchAnswer ask_mpr(void *state, int pair, int pose) {
    return ask(state, pair, pose, ccdMPRPenetration, ccdMPRIntersect);
}

static void close_state(void *user) {
    State *state = user;
    free(state->a);
    free(state->b);
    free(state);
}

const BenchEngine bench_ccd_epa = {"libccd GJK/EPA", 0, open_state, ask_epa, close_state};
const BenchEngine bench_ccd_mpr = {"libccd MPR", 0, open_state, ask_mpr, close_state};
