/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world of the acceptance tests: boxes of 0.2 x 0.1 x 0.05 m and 1 g, friction 0.5, steps of 0.1 ms, and the
 * settings of the measurements they are compared with: no margin, 1 um of slop, beta 0.1, rigid contacts, targets by
 * the moments of the surface. ABUT_TEST_VERBOSE=1 prints what was measured.
 */
#ifndef ABUT_TESTS_WORLD_H
#define ABUT_TESTS_WORLD_H

#include "literature/dynamics/generators.h"
#include "literature/dynamics/models.h"
#include "support/check.h"

#include <string.h>

#define WORLD_GRAVITY 9.80665
#define WORLD_WEIGHT (1e-3 * WORLD_GRAVITY)
#define WORLD_REST 0.024999 /* height of a box that lies on the ground, 1 um deep */

#define MEASURED(...)                                                                                                  \
    do {                                                                                                               \
        if (getenv("ABUT_TEST_VERBOSE")) print_message(__VA_ARGS__);                                                   \
    } while (0)

typedef struct World {
    AbutScene *scene;
    AbutSimulation *sim;
    AbutSimulationDef def;
    AbutBodyId ground, box[64];
    int boxes;
    double dt, mu_static, mu_kinetic;
    AbutQuat turn; /* the whole world, gravity too, is turned by this */
    AbutStepReport report;
} World;

static inline void world_ok(AbutStatus status, const AbutError *error) {
    if (status != ABUT_OK) fail_msg("%s", error->text);
}

static inline World world_begin(int model) {
    World w;
    AbutError error;
    memset(&w, 0, sizeof w);
    w.def = abut_simulation_default();
    w.def.model = model;
    w.def.fit = ABUT_FIT_MOMENTS;
    w.def.margin = 0.0;
    w.def.slop = 1e-6;
    w.def.beta = 0.1;
    w.def.compliance = 0.0;
    w.def.iterations =
        model == ABUT_CONTACT_MODEL_VOL ? 500 : 10; /* the measurements solved each contact at once, not by vertices */
    w.def.tolerance = 1e-6;
    w.def.continuous = 0;
    w.dt = 1e-4;
    w.mu_static = w.mu_kinetic = 0.5;
    w.turn = abut_quat_identity();
    world_ok(abut_scene_create(&w.scene, &error), &error);
    return w;
}

/* A box of 1 g, or the ground where half is zero. */
static inline AbutBodyId world_add(World *w, AbutBodyKind kind, AbutVec3 half, AbutPose pose) {
    AbutError error;
    AbutBodyId id;
    AbutShapeId shape_id;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.kind = kind;
    body.pose = abut_pose(abut_quat_rotate(w->turn, pose.p), abut_quat_mul(w->turn, pose.q));
    shape.form.kind = half.x > 0.0 ? ABUT_SHAPE_BOX : ABUT_SHAPE_HALF_SPACE;
    shape.form.size = half;
    shape.material.friction = w->mu_static;
    shape.material.friction_kinetic = w->mu_kinetic;
    shape.density = half.x > 0.0 ? 1e-3 / (8.0 * half.x * half.y * half.z) : 1.0;
    world_ok(abut_scene_add_body(w->scene, &body, &id, &error), &error);
    world_ok(abut_scene_add_shape(w->scene, id, &shape, &shape_id, &error), &error);
    return id;
}

static inline void world_ground(World *w) {
    w->ground = world_add(w, ABUT_BODY_STATIC, abut_zero(), abut_pose_identity());
}

static inline void world_box(World *w, AbutVec3 p, AbutQuat q) {
    w->box[w->boxes++] = world_add(w, ABUT_BODY_DYNAMIC, abut_vec3(0.1, 0.05, 0.025), abut_pose(p, q));
}

static inline void world_velocity(World *w, int box, AbutVec3 v, AbutVec3 spin) {
    AbutError error;
    world_ok(abut_scene_set_velocity(
                 w->scene, w->box[box], abut_quat_rotate(w->turn, v), abut_quat_rotate(w->turn, spin), &error),
        &error);
}

/* Gravity as on a slope: downhill along the direction `yaw` from x. */
static inline void world_slope(World *w, double tangent, double yaw) {
    double angle = atan(tangent);
    w->def.gravity = abut_scale(abut_vec3(sin(angle) * cos(yaw), sin(angle) * sin(yaw), -cos(angle)), WORLD_GRAVITY);
}

static inline void world_start(World *w) {
    AbutError error;
    w->def.gravity = abut_quat_rotate(w->turn, w->def.gravity);
    world_ok(abut_simulation_create(w->scene, &w->def, &w->sim, &error), &error);
}

static inline void world_step(World *w) {
    AbutError error;
    world_ok(abut_simulation_step(w->sim, w->dt, &w->report, &error), &error);
}

static inline void world_run(World *w, double time) {
    int steps = (int)lround(time / w->dt);
    for (int i = 0; i < steps; ++i) world_step(w);
}

/* State of a box, turned back into the axes of an unturned world. */
static inline AbutBodyState world_get(const World *w, int box) {
    AbutBodyState s;
    CHECK(abut_scene_get_body(w->scene, w->box[box], &s));
    s.center = abut_quat_rotate_inv(w->turn, s.center);
    s.velocity = abut_quat_rotate_inv(w->turn, s.velocity);
    s.spin = abut_quat_rotate_inv(w->turn, s.spin);
    return s;
}

/* Force of fixed bodies on a box, unturned axes. */
static inline AbutVec3 world_support(const World *w, int box) {
    AbutVec3 sum = abut_zero();
    for (int i = 0; i < abut_simulation_contact_count(w->sim); ++i) {
        AbutContact r;
        AbutBodyState a;
        CHECK(abut_simulation_get_contact(w->sim, i, &r));
        CHECK(abut_scene_get_body(w->scene, r.body_a, &a));
        if (r.body_b.index1 == w->box[box].index1 && a.kind == ABUT_BODY_STATIC) sum = abut_add(sum, r.force);
    }
    return abut_quat_rotate_inv(w->turn, sum);
}

static inline void world_end(World *w) {
    abut_simulation_free(w->sim);
    abut_scene_free(w->scene);
}

#endif
