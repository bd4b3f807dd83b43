/* SPDX-License-Identifier: Apache-2.0 */
/* A built-in scene as all simulators read it, and the list of the simulators. */
#include "bench/sim_engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const SimEngine *const engines[] = {
    &sim_abut,
#ifdef BENCH_HAVE_SIM_MUJOCO
    &sim_mujoco,
    &sim_mujoco_tight,
#endif
#ifdef BENCH_HAVE_SIM_BULLET
    &sim_bullet,
#endif
#ifdef BENCH_HAVE_SIM_ODE
    &sim_ode,
#endif
#ifdef BENCH_HAVE_SIM_RAPIER
    &sim_rapier,
    &sim_rapier_tight,
#endif
    &sim_drake,
    &sim_jolt,
    &sim_havok,
};

const SimEngine *sim_engine(int index) {
    return index >= 0 && index < (int)(sizeof engines / sizeof engines[0]) ? engines[index] : NULL;
}

double sim_cpu_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const AbutBodyDef *sim_body(const SimScene *scene, int i) { return &scene->model->bodies[scene->body[i]]; }

const AbutShapeDef *sim_shape(const SimScene *scene, int i) {
    return &scene->model->shapes[abut_model_next_shape(scene->model, scene->body[i], -1)];
}

AbutPose sim_start(const SimScene *scene, int i) {
    const AbutBodyDef *body = sim_body(scene, i);
    return abut_pose(abut_pose_apply(body->pose, body->center), body->pose.q);
}

/* The boxes of a fixed body; 0: it has another shape. */
static int add_walls(SimScene *scene, int32_t number) {
    const AbutModel *model = scene->model;
    for (int32_t i = -1; (i = abut_model_next_shape(model, number, i)) >= 0;) {
        const AbutShapeDef *shape = &model->shapes[i];
        if (shape->form.kind != ABUT_SHAPE_BOX) return 0;
        scene->wall[scene->wall_count++] =
            (SimWall){abut_pose_mul(model->bodies[number].pose, shape->pose), shape->form.size};
    }
    return 1;
}

/* 0: the simulators have no such body. */
static int add_body(SimScene *scene, int32_t number) {
    const AbutModel *model = scene->model;
    int32_t only = abut_model_next_shape(model, number, -1);
    const AbutBodyDef *body = &model->bodies[number];
    if (only >= 0 && body->kind == ABUT_BODY_STATIC && model->shapes[only].form.kind == ABUT_SHAPE_BOX)
        return add_walls(scene, number);
    if (only < 0 || abut_model_next_shape(model, number, only) >= 0) return 0;
    const AbutShapeDef *shape = &model->shapes[only];
    scene->friction = shape->material.friction;
    if (shape->form.kind == ABUT_SHAPE_HALF_SPACE) {
        AbutPose pose = abut_pose_mul(body->pose, shape->pose);
        scene->ground.normal = abut_quat_rotate(pose.q, abut_axis(2));
        scene->ground.offset = abut_dot(scene->ground.normal, pose.p);
        return 1;
    }
    if (body->kind != ABUT_BODY_DYNAMIC) return 0;
    scene->body[scene->count++] = number;
    return 1;
}

/* The built-in model by way of a scene, which states the mass of every body. */
static void load_model(SimScene *scene) {
    AbutError error;
    AbutModel *built;
    AbutScene *placed;
    bench_require(abut_model_build(scene->spec, scene->seed, &built, &error), &error);
    bench_require(abut_scene_create(&placed, &error), &error);
    bench_require(abut_scene_add_model(placed, built, abut_pose_identity(), NULL, &error), &error);
    bench_require(abut_scene_model(placed, &scene->model, &error), &error);
    scene->gravity = built->gravity;
    abut_scene_free(placed);
    abut_model_free(built);
}

void sim_open_scene(SimScene *scene, const char *spec, uint64_t seed) {
    memset(scene, 0, sizeof *scene);
    scene->spec = spec;
    scene->seed = seed;
    load_model(scene);
    scene->body = bench_memory((size_t)scene->model->body_count, sizeof *scene->body);
    scene->wall = bench_memory((size_t)scene->model->shape_count, sizeof *scene->wall);
    for (int32_t i = 0; i < scene->model->body_count; ++i) {
        if (!add_body(scene, i)) {
            fprintf(stderr, "abut-bench: %s: body %d is not one that all simulators have\n", spec, (int)i);
            exit(2);
        }
    }
}

void sim_close_scene(SimScene *scene) {
    abut_model_free(scene->model);
    free(scene->body);
    free(scene->wall);
}
