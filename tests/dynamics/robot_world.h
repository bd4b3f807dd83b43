/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of robots in simulations: small trees made in a few words, placed and simulated. */
#ifndef ABUT_TESTS_ROBOT_WORLD_H
#define ABUT_TESTS_ROBOT_WORLD_H

#include "dynamics/world_support.h"

#include "abut/robot.h"

static inline AbutModel *new_model(void) {
    AbutModel *model;
    AbutError error;
    good(abut_model_create(&model, &error), &error);
    return model;
}

/* A body of this mass, a small ball of matter at `center` (with inertia of radius r), without shapes. */
static inline int32_t add_mass(
    AbutModel *model, AbutBodyKind kind, int32_t parent, AbutVec3 at, double mass, AbutVec3 center, double r) {
    AbutBodyDef def = abut_body_default();
    AbutError error;
    int32_t number;
    double i = 0.4 * mass * r * r;
    def.kind = kind;
    def.parent = parent;
    def.pose.p = at;
    def.mass = mass;
    def.center = center;
    def.inertia = abut_mat3_diagonal(i, i, i);
    good(abut_model_add_body(model, &def, &number, &error), &error);
    return number;
}

static inline AbutJointDef joint_def(AbutJointKind kind, int32_t body, AbutVec3 axis) {
    AbutJointDef def = abut_joint_default();
    def.kind = kind;
    def.body = body;
    def.axis = axis;
    return def;
}

static inline int32_t put_joint(AbutModel *model, const AbutJointDef *def) {
    AbutError error;
    int32_t number;
    good(abut_model_add_joint(model, def, &number, &error), &error);
    return number;
}

static inline int32_t put_hinge(AbutModel *model, int32_t body, AbutVec3 axis) {
    AbutJointDef def = joint_def(ABUT_JOINT_HINGE, body, axis);
    return put_joint(model, &def);
}

static inline void put_connect(
    AbutModel *model, AbutEqualityKind kind, int32_t a, AbutVec3 at_a, int32_t b, AbutVec3 at_b) {
    AbutEqualityDef def = abut_equality_default();
    AbutError error;
    def.kind = kind;
    def.a = a, def.b = b;
    def.pose_a = def.pose_b = abut_pose_identity();
    def.pose_a.p = at_a, def.pose_b.p = at_b;
    good(abut_model_add_equality(model, &def, NULL, &error), &error);
}

static inline void put_box(AbutModel *model, int32_t body, AbutVec3 at, AbutVec3 half, double friction) {
    AbutShapeDef def = abut_shape_default();
    AbutError error;
    def.body = body;
    def.pose.p = at;
    def.form.size = half;
    def.material.friction = friction;
    good(abut_model_add_shape(model, &def, NULL, &error), &error);
}

static inline void put_floor(AbutModel *model, double friction) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef def = abut_shape_default();
    AbutError error;
    body.kind = ABUT_BODY_STATIC;
    body.name = "ground";
    good(abut_model_add_body(model, &body, &def.body, &error), &error);
    def.form.kind = ABUT_SHAPE_HALF_SPACE;
    def.material.friction = friction;
    good(abut_model_add_shape(model, &def, NULL, &error), &error);
}

/* The model is freed. */
static inline World world_of_model(AbutModel *model, const AbutSimulationDef *def) {
    AbutScene *scene = new_scene();
    AbutError error;
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_model_free(model);
    return world_of(scene, def);
}

static inline void set_joints(World *world, const double *q, const double *v) {
    const AbutModel *model = abut_scene_robot_model(world->scene, 0);
    AbutError error;
    good(abut_scene_set_joints(world->scene, 0, abut_model_number_count(model, ABUT_NUMBERS_POSITIONS), q,
             v ? abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES) : 0, v, &error),
        &error);
}

static inline void set_control(World *world, const double *u) {
    AbutError error;
    good(abut_simulation_set_control(world->sim, 0, abut_scene_robot_model(world->scene, 0)->actuator_count, u, &error),
        &error);
}

static inline double joint_at(const World *world, int32_t place) {
    double q[256];
    abut_scene_get_joints(world->scene, 0, q, NULL);
    return q[place];
}

static inline double speed_at(const World *world, int32_t place) {
    double v[256];
    abut_scene_get_joints(world->scene, 0, NULL, v);
    return v[place];
}

/* State and controls of the first keyframe of a built-in robot. */
static inline World robot_from(const char *spec, const AbutSimulationDef *def) {
    World world = world_from(spec, 1, def);
    AbutError error;
    good(abut_scene_set_keyframe(world.scene, 0, 0, &error), &error);
    const AbutKeyframeDef *key = &abut_scene_robot_model(world.scene, 0)->keyframes[0];
    good(abut_simulation_set_control(world.sim, 0, key->control_count, key->controls, &error), &error);
    return world;
}

#endif
