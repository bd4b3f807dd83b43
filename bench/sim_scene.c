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
};

const SimEngine *sim_engine(int index)
{
    return index >= 0 && index < (int)(sizeof engines / sizeof engines[0]) ? engines[index] : NULL;
}

double sim_cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static SimPart make_part(const AbutBodyState *body, const AbutShapeState *shape)
{
    SimPart part;
    memset(&part, 0, sizeof part);
    part.pose = abut_pose(body->center, body->pose.q);
    part.to_frame = abut_pose(abut_scale(body->local_center, -1.0), abut_quat_identity());
    part.mass = body->mass;
    part.inertia = body->inertia;
    if (shape->def.form.kind == ABUT_SHAPE_BOX)
        part.half = shape->def.form.size;
    part.polyhedron = shape->def.geometry->polyhedron;
    return part;
}

/* 0: the simulators have no such body. */
static int add_body(SimScene *scene, AbutBodyId id)
{
    AbutBodyState body;
    AbutShapeState shape;
    if (!abut_scene_get_body(scene->built, id, &body) || body.shape_count != 1)
        return 0;
    abut_scene_get_shape(scene->built, abut_scene_shape_at(scene->built, id, 0), &shape);
    scene->friction = shape.def.material.friction;
    if (shape.def.form.kind == ABUT_SHAPE_HALF_SPACE) {
        AbutPose pose = abut_pose_mul(body.pose, shape.def.pose);
        scene->ground.normal = abut_quat_rotate(pose.q, abut_axis(2));
        scene->ground.offset = abut_dot(scene->ground.normal, pose.p);
        return 1;
    }
    if (body.kind != ABUT_BODY_DYNAMIC || !shape.def.geometry->polyhedron)
        return 0;
    scene->part[scene->count++] = make_part(&body, &shape);
    return 1;
}

void sim_open_scene(SimScene *scene, const char *spec, uint64_t seed)
{
    AbutError error;
    AbutModel *model;
    memset(scene, 0, sizeof *scene);
    scene->spec = spec;
    scene->seed = seed;
    bench_require(abut_scene_create(&scene->built, &error), &error);
    bench_require(abut_model_build(spec, seed, &model, &error), &error);
    bench_require(abut_scene_add_model(scene->built, model, abut_pose_identity(), NULL, &error), &error);
    scene->gravity = model->gravity;
    abut_model_free(model);
    int count = abut_scene_body_count(scene->built);
    scene->part = bench_memory((size_t)count, sizeof *scene->part);
    for (int i = 0; i < count; ++i) {
        if (!add_body(scene, abut_scene_body_at(scene->built, i))) {
            fprintf(stderr, "abut-bench: %s: body %d is not one that all simulators have\n", spec, i);
            exit(2);
        }
    }
}

void sim_close_scene(SimScene *scene)
{
    abut_scene_free(scene->built);
    free(scene->part);
}
