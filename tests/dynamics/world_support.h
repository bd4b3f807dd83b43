/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of simulations: a scene and its simulation made together, steps that must succeed, bodies by name. */
#ifndef ABUT_TESTS_WORLD_SUPPORT_H
#define ABUT_TESTS_WORLD_SUPPORT_H

#include "abut/dynamics.h"
#include "scene/scene_support.h"

typedef struct World {
    AbutScene *scene;
    AbutSimulation *sim;
    AbutSimulationDef def;
} World;

static inline World world_of(AbutScene *scene, const AbutSimulationDef *def) {
    World world = {scene, NULL, *def};
    AbutError error;
    good(abut_simulation_create(scene, def, &world.sim, &error), &error);
    return world;
}

/* A built-in scene. */
static inline World world_from(const char *spec, uint64_t seed, const AbutSimulationDef *def) {
    AbutScene *scene = new_scene();
    AbutError error;
    good(abut_scene_build(scene, spec, seed, &error), &error);
    return world_of(scene, def);
}

static inline void world_free(World *world) {
    abut_simulation_free(world->sim);
    abut_scene_free(world->scene);
}

static inline AbutStepReport world_step(World *world, double dt) {
    AbutStepReport report;
    AbutError error;
    good(abut_simulation_step(world->sim, dt, &report, &error), &error);
    return report;
}

static inline void world_run(World *world, double dt, int steps) {
    for (int i = 0; i < steps; ++i) world_step(world, dt);
}

static inline AbutBodyState body_of(const World *world, AbutBodyId id) {
    AbutBodyState body;
    if (!abut_scene_get_body(world->scene, id, &body)) fail_msg("no such body");
    return body;
}

static inline AbutBodyState body_named(const World *world, const char *name) {
    return body_of(world, abut_scene_find_body(world->scene, name));
}

/* The ground: the half-space below a plane through the origin. */
static inline AbutBodyId add_ground(AbutScene *scene, AbutQuat tilt, double friction) {
    AbutBodyId id = add_body(scene, ABUT_BODY_STATIC, abut_pose(abut_zero(), tilt));
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_HALF_SPACE;
    def.material.friction = friction;
    add_shape(scene, id, &def);
    return id;
}

/* A box with a velocity; all else as the shape definition says. */
static inline AbutBodyId throw_box(
    AbutScene *scene, AbutPose pose, AbutVec3 velocity, AbutVec3 spin, const AbutShapeDef *shape) {
    AbutBodyId id = add_body(scene, ABUT_BODY_DYNAMIC, pose);
    AbutError error;
    add_shape(scene, id, shape);
    good(abut_scene_set_velocity(scene, id, velocity, spin, &error), &error);
    return id;
}

static inline AbutShapeDef box_def(double hx, double hy, double hz, double density, double friction) {
    AbutShapeDef def = abut_shape_default();
    def.form.size = abut_vec3(hx, hy, hz);
    def.density = density;
    def.material.friction = friction;
    return def;
}

/* Momentum and angular momentum about the origin of all dynamic bodies. */
static inline void total_momentum(const World *world, AbutVec3 *linear, AbutVec3 *angular) {
    *linear = *angular = abut_zero();
    for (int i = 0; i < abut_scene_body_count(world->scene); ++i) {
        AbutBodyState b = body_of(world, abut_scene_body_at(world->scene, i));
        AbutVec3 p = abut_scale(b.velocity, b.mass);
        AbutVec3 own = abut_quat_rotate(b.pose.q, abut_mat3_apply(b.inertia, abut_quat_rotate_inv(b.pose.q, b.spin)));
        if (b.kind != ABUT_BODY_DYNAMIC) continue;
        *linear = abut_add(*linear, p);
        *angular = abut_add(*angular, abut_add(own, abut_cross(b.center, p)));
    }
}

/* The contact between two bodies, whichever comes first in it; 0: none. */
static inline int find_contact(const World *world, AbutBodyId a, AbutBodyId b, AbutContact *out) {
    for (int i = 0; i < abut_simulation_contact_count(world->sim); ++i) {
        CHECK(abut_simulation_get_contact(world->sim, i, out));
        if ((out->body_a.index1 == a.index1 && out->body_b.index1 == b.index1) ||
            (out->body_a.index1 == b.index1 && out->body_b.index1 == a.index1))
            return 1;
    }
    return 0;
}

#endif
