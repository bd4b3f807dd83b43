/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of this room share: robots with obstacles, random trajectories, and distances by another way. */
#ifndef ABUT_TESTS_PLAN_SUPPORT_H
#define ABUT_TESTS_PLAN_SUPPORT_H

#include "support/check.h"
#include "support/tree_of.h"

#include "abut/plan.h"
#include "proof/problem.h"

#include <string.h>

enum { PLAN_JOINTS = 64 };

typedef struct World {
    AbutModel *robot, *obstacles;
    AbutConfiguration *c;
    AbutPlanProblem *problem;
} World;

/* Number of a link of the robot, or of an obstacle; -1: none. */
static inline int32_t find_link(const AbutPlanProblem *problem, const char *name) {
    int32_t i = abut_plan_link_count(problem);
    while (i-- > 0 && strcmp(abut_plan_link_name(problem, i), name) != 0)
        ;
    return i;
}

/* A model without bodies, to be freed. */
static inline AbutModel *no_obstacles(void) {
    AbutModel *model;
    AbutError error;
    good(abut_model_create(&model, &error), &error);
    return model;
}

/* A box that stands. */
static inline void add_box(AbutModel *model, const char *name, AbutPose pose, AbutVec3 half) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutError error;
    body.kind = ABUT_BODY_STATIC;
    body.name = name;
    body.pose = pose;
    shape.form.size = half;
    good(abut_model_add_body(model, &body, &shape.body, &error), &error);
    good(abut_model_add_shape(model, &shape, NULL, &error), &error);
}

/* Obstacles of every kind, some of them tiny, huge or far away. */
static inline AbutModel *mixed(AbutRng *rng, int count) {
    static const AbutShapeKind kinds[] = {ABUT_SHAPE_BOX, ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER,
        ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_HALF_SPACE};
    AbutModel *model = no_obstacles();
    for (int i = 0; i < count; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        AbutError error;
        char name[20];
        double scale = i % 7 == 5 ? 1e-6 : i % 7 == 6 ? 1e6 : 1.0, r = scale * abut_rng_between(rng, 0.01, 0.15);
        snprintf(name, sizeof name, "obstacle%d", i);
        body.kind = ABUT_BODY_STATIC;
        body.name = name;
        body.pose = abut_pose(
            abut_vec3(abut_rng_between(rng, -0.8, 0.8), abut_rng_between(rng, -0.8, 0.8), abut_rng_between(rng, 0, 1)),
            abut_random_quat(rng));
        if (scale > 1.0)
            body.pose.p = abut_scale(abut_normalize(body.pose.p), 2.0 * scale * abut_rng_between(rng, 0.2, 1.0));
        shape.form.kind = kinds[abut_rng_below(rng, i ? 5 : 6)];
        shape.form.size = abut_vec3(r, r, r);
        if (shape.form.kind == ABUT_SHAPE_BOX || shape.form.kind == ABUT_SHAPE_ELLIPSOID)
            shape.form.size.y = scale * abut_rng_between(rng, 0.01, 0.15);
        if (shape.form.kind != ABUT_SHAPE_SPHERE) shape.form.size.z = scale * abut_rng_between(rng, 0.02, 0.3);
        if (shape.form.kind == ABUT_SHAPE_HALF_SPACE) {
            shape.form.size = abut_vec3(1, 1, 1);
            body.pose.p = abut_vec3(0, 0, -0.5);
            body.pose.q = abut_quat_axis_angle(abut_random_direction(rng), 0.3);
        }
        good(abut_model_add_body(model, &body, &shape.body, &error), &error);
        good(abut_model_add_shape(model, &shape, NULL, &error), &error);
    }
    return model;
}

/* A built-in robot in its first keyframe among obstacles, which may be NULL and belong to the world then. */
static inline World make_world(const char *robot, AbutModel *obstacles, const AbutPlanDef *def) {
    World w = {.obstacles = obstacles};
    AbutError error;
    good(abut_model_build(robot, 1, &w.robot, &error), &error);
    good(configuration_of(w.robot, &w.c, &error), &error);
    good(abut_configuration_set_keyframe(w.c, 0, &error), &error);
    good(abut_plan_problem_create(w.c, obstacles, def, &w.problem, &error), &error);
    assert_true(w.robot->joint_count <= PLAN_JOINTS);
    return w;
}

/* Three small balls on arms of half a meter: bounds have nothing to spare but what they must. */
static inline AbutModel *balls_on_arms(void) {
    AbutModel *robot;
    AbutError error;
    int32_t parent = -1;
    good(abut_model_create(&robot, &error), &error);
    for (int i = 0; i < 3; ++i) {
        static const char *const names[3] = {"one", "two", "three"};
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        AbutJointDef joint = abut_joint_default();
        body.kind = ABUT_BODY_LINK;
        body.name = joint.name = names[i];
        body.parent = parent;
        body.pose.p.x = i ? 0.5 : 0.0;
        shape.form.kind = ABUT_SHAPE_SPHERE;
        shape.form.size = abut_vec3(0.01, 0.01, 0.01);
        shape.pose.p.x = 0.5;
        good(abut_model_add_body(robot, &body, &parent, &error), &error);
        joint.kind = ABUT_JOINT_HINGE;
        joint.axis = abut_axis(i == 1 ? 1 : 2);
        joint.body = shape.body = parent;
        good(abut_model_add_joint(robot, &joint, NULL, &error), &error);
        good(abut_model_add_shape(robot, &shape, NULL, &error), &error);
    }
    return robot;
}

/* A robot at its reference among obstacles; both belong to the world then. */
static inline World world_of(AbutModel *robot, AbutModel *obstacles, const AbutPlanDef *def) {
    World w = {.robot = robot, .obstacles = obstacles};
    AbutError error;
    good(configuration_of(w.robot, &w.c, &error), &error);
    good(abut_plan_problem_create(w.c, obstacles, def, &w.problem, &error), &error);
    return w;
}

/* Rest to rest on a straight line in joints. */
static inline AbutTrajectory straight(const World *w, const double *start, const double *goal, double seconds) {
    int32_t n = w->robot->joint_count;
    double times[2] = {0.0, seconds}, q[2 * PLAN_JOINTS], still[2 * PLAN_JOINTS] = {0};
    AbutJointSamples samples = {n, 2, times, q, still, still};
    AbutTrajectory t;
    AbutError error;
    memcpy(q, start, (size_t)n * sizeof *q);
    memcpy(q + n, goal, (size_t)n * sizeof *q);
    good(abut_trajectory_interpolate(ABUT_INTERPOLATE_QUINTIC, &samples, &t, &error), &error);
    return t;
}

static inline void free_world(World *w) {
    abut_plan_problem_free(w->problem);
    abut_configuration_free(w->c);
    abut_model_free(w->robot);
    abut_model_free(w->obstacles);
}

/* Values of the joints as the configuration has them. */
static inline void joints_of(const AbutConfiguration *c, double *joints) {
    const AbutModel *model = abut_configuration_model(c);
    for (int32_t i = 0; i < model->joint_count; ++i)
        joints[i] = abut_configuration_positions(c)[abut_configuration_joint_place(c, i, ABUT_NUMBERS_POSITIONS)];
}

static inline void random_joints(AbutRng *rng, const AbutModel *model, double *joints) {
    for (int32_t i = 0; i < model->joint_count; ++i) {
        const double *range = model->joints[i].range;
        joints[i] = model->joints[i].limited ? abut_rng_between(rng, range[0], range[1]) : abut_rng_between(rng, -2, 2);
    }
}

/* Through `rows` random postures; joints that the problem holds stay at `rest`. */
static inline AbutTrajectory random_trajectory(AbutRng *rng, const World *w, AbutInterpolation kind, int rows) {
    enum { MOST = 12 };
    double times[MOST], q[MOST * PLAN_JOINTS], v[MOST * PLAN_JOINTS], a[MOST * PLAN_JOINTS];
    int32_t n = w->robot->joint_count;
    AbutJointSamples samples = {n, rows, times, q, v, a};
    AbutTrajectory out;
    AbutError error;
    assert_true(rows <= MOST);
    for (int i = 0; i < rows; ++i) {
        times[i] = (i ? times[i - 1] : 0.0) + abut_rng_between(rng, 0.2, 1.0);
        random_joints(rng, w->robot, q + i * n);
        for (int32_t j = 0; j < n; ++j) {
            v[i * n + j] = abut_rng_between(rng, -1, 1);
            a[i * n + j] = abut_rng_between(rng, -2, 2);
        }
    }
    good(abut_trajectory_interpolate(kind, &samples, &out, &error), &error);
    return out;
}

/* The exact convex body of a shape of these models: boxes and half-spaces. */
static inline double shape_distance(const AbutShapeDef *a, const AbutShapeDef *b, AbutPose pose_a, AbutPose pose_b) {
    AbutConvex ca = abut_geometry_convex(a->geometry), cb = abut_geometry_convex(b->geometry);
    return abut_gap_in(abut_pose_mul(pose_a, a->pose),
        abut_convex_distance(
            &ca, &cb, abut_pose_between(abut_pose_mul(pose_a, a->pose), abut_pose_mul(pose_b, b->pose)), NULL, NULL))
        .distance;
}

/* The distance of two links at joints, by the kinematics of room robot and the shapes of the models. */
static inline double link_distance(const World *w, const double *joints, AbutPair links) {
    double q[400], least = INFINITY;
    AbutError error;
    int32_t n = abut_configuration_position_count(w->c), bodies = w->robot->body_count;
    memcpy(q, abut_configuration_positions(w->c), (size_t)n * sizeof *q);
    for (int32_t i = 0; i < w->robot->joint_count; ++i)
        q[abut_configuration_joint_place(w->c, i, ABUT_NUMBERS_POSITIONS)] = joints[i];
    good(abut_configuration_set(w->c, n, q, 0, NULL, &error), &error);
    const AbutModel *of_b = links.b < bodies ? w->robot : w->obstacles;
    int32_t b = links.b < bodies ? links.b : links.b - bodies;
    AbutPose pose_a = abut_configuration_body_pose(w->c, links.a);
    AbutPose pose_b = links.b < bodies ? abut_configuration_body_pose(w->c, b) : of_b->bodies[b].pose;
    for (int32_t i = abut_model_next_shape(w->robot, links.a, -1); i >= 0;
         i = abut_model_next_shape(w->robot, links.a, i))
        for (int32_t k = abut_model_next_shape(of_b, b, -1); k >= 0; k = abut_model_next_shape(of_b, b, k))
            least = fmin(least, shape_distance(&w->robot->shapes[i], &of_b->shapes[k], pose_a, pose_b));
    return least;
}

/* The distance of the bodies of two links where room robot puts them. */
static inline double independent_distance(const World *w, AbutPair links) {
    double least = INFINITY;
    int32_t bodies = w->robot->body_count, b = links.b < bodies ? links.b : links.b - bodies;
    const AbutModel *of_b = links.b < bodies ? w->robot : w->obstacles;
    AbutPose pose_a = abut_configuration_body_pose(w->c, links.a);
    AbutPose pose_b = links.b < bodies ? abut_configuration_body_pose(w->c, b) : of_b->bodies[b].pose;
    for (int32_t i = abut_model_next_shape(w->robot, links.a, -1); i >= 0;
         i = abut_model_next_shape(w->robot, links.a, i))
        for (int32_t k = abut_model_next_shape(of_b, b, -1); k >= 0; k = abut_model_next_shape(of_b, b, k)) {
            const AbutShapeDef *x = &w->robot->shapes[i], *y = &of_b->shapes[k];
            if (x->visual || y->visual) continue;
            AbutConvex p = abut_plan_exact_convex(x->geometry), q = abut_plan_exact_convex(y->geometry);
            AbutPose at = abut_pose_mul(pose_a, x->pose), other = abut_pose_mul(pose_b, y->pose);
            least = fmin(least, abut_convex_distance(&p, &q, abut_pose_between(at, other), NULL, NULL).distance);
        }
    return least;
}

static inline void set_joints(const World *w, const double *joints) {
    double q[400];
    AbutError error;
    int32_t n = abut_configuration_position_count(w->c);
    memcpy(q, abut_configuration_positions(w->c), (size_t)n * sizeof *q);
    for (int32_t i = 0; i < w->robot->joint_count; ++i)
        q[abut_configuration_joint_place(w->c, i, ABUT_NUMBERS_POSITIONS)] = joints[i];
    good(abut_configuration_set(w->c, n, q, 0, NULL, &error), &error);
}

/* At `places` of an edge; at `slow` of them every pair by the kinematics of room robot too. */
static inline void refute(const World *w, const double *from, const double *to, double level, int places, int slow) {
    double u[PLAN_JOINTS], joints[PLAN_JOINTS];
    AbutPlanNear near;
    AbutError error;
    for (int i = 0; i < places; ++i) {
        double x = (double)i / (places - 1);
        for (int32_t c = 0; c < abut_plan_coordinate_count(w->problem); ++c) u[c] = from[c] + x * (to[c] - from[c]);
        abut_plan_joints_of(w->problem, u, joints);
        good(abut_plan_nearest(w->problem, joints, &near, NULL, &error), &error);
        CHECK(near.pair < 0 || near.distance > level);
        if (slow == 0 || i % (places / slow) != 0) continue;
        set_joints(w, joints);
        for (int32_t k = 0; k < abut_plan_pair_count(w->problem); ++k)
            CHECK(independent_distance(w, abut_plan_pair(w->problem, k)) > level - 1e-9);
    }
}

#endif
