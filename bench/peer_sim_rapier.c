/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rapier as a simulator, double precision: its own settings, with the unit of length set to the size of the bodies, as
 * its documentation asks. Friction is the mean of two bodies there, so each gets the one wanted.
 * Once with its 4 solver iterations, once with 16.
 */
#include <stdlib.h>

#include "bench/rapier.h"

enum { BOX, BALL, CAPSULE, CYLINDER, HULL };

static int kind_of(const SimScene *scene, int i) {
    switch (sim_shape(scene, i)->form.kind) {
    case ABUT_SHAPE_BOX:
        return BOX;
    case ABUT_SHAPE_SPHERE:
        return BALL;
    case ABUT_SHAPE_CAPSULE:
        return CAPSULE;
    case ABUT_SHAPE_CYLINDER:
        return CYLINDER;
    default:
        return HULL;
    }
}

/* 0: refused. */
static int add_body(RapierWorld *world, const SimScene *scene, int i) {
    const AbutShapeDef *shape = sim_shape(scene, i);
    const AbutPolyhedron *p = shape->geometry->polyhedron;
    AbutPose pose = sim_start(scene, i);
    size_t count = kind_of(scene, i) == HULL ? (size_t)p->vertex_count : 0;
    AbutVec3 *points = bench_memory(count, sizeof *points);
    for (size_t k = 0; k < count; ++k) points[k] = abut_sub(abut_polyhedron_vertices(p)[k], sim_body(scene, i)->center);
    int done = rapier_add(
        world, kind_of(scene, i), &shape->form.size, points, count, sim_body(scene, i)->mass, &pose, scene->friction);
    free(points);
    return done;
}

static void *open_world(const SimScene *scene, int threads, int iterations) {
    if (threads != 1) return NULL;
    AbutVec3 normal = scene->ground.normal;
    double unit = 2.0 * sim_shape(scene, 0)->geometry->bound.radius;
    RapierWorld *world = rapier_open(&scene->gravity, &normal, scene->ground.offset, scene->friction, unit, iterations);
    int done = 1;
    for (int i = 0; i < scene->count && done; ++i) done = add_body(world, scene, i);
    for (int i = 0; i < scene->wall_count && done; ++i)
        done = rapier_add(world, BOX, &scene->wall[i].half, NULL, 0, 0.0, &scene->wall[i].pose, scene->friction);
    if (done) return world;
    rapier_close(world);
    return NULL;
}

static void *open_state(const SimScene *scene, double dt, int threads) {
    (void)dt;
    return open_world(scene, threads, 4);
}

static void *open_tight(const SimScene *scene, double dt, int threads) {
    (void)dt;
    return open_world(scene, threads, 16);
}

static int step(void *user, double dt) {
    rapier_step(user, dt);
    return 1;
}

static void info(void *user, SimStep *out) { out->pairs = rapier_pairs(user); }

static void read_bodies(void *user, SimBody *body) { rapier_read(user, body); }

static void close_state(void *user) { rapier_close(user); }

const SimEngine sim_rapier = {"Rapier", 0, 1, open_state, step, info, read_bodies, close_state};
const SimEngine sim_rapier_tight = {"Rapier 16 iterations", 0, 0, open_tight, step, info, read_bodies, close_state};
