/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Positions and velocities of the robots of a scene: read from the trees and free bodies of a placed model, and set.
 * Poses and velocities of link bodies are functions of the configuration of their tree, computed here and nowhere else.
 */
#include <string.h>

#include "math/numbers.h"
#include "scene/internal.h"

void abut_scene_place_links(AbutScene *scene, const AbutSceneTree *tree) {
    const AbutConfiguration *c = tree->configuration;
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutLink *link = &c->tree->links[i];
        AbutBody *body = &scene->body[tree->body[i]];
        const AbutLinkState *state = &c->states[i];
        AbutVec3 center = abut_add(state->pose.p, abut_mat3_apply(state->axes, link->center));
        AbutVec3 arm = abut_sub(center, c->origins[link->root]);
        body->q = state->pose.q;
        body->x = center;
        body->w = state->velocity.w;
        body->v = abut_add(state->velocity.l, abut_cross(state->velocity.w, arm));
        abut_body_moved(body);
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* NULL: no such robot. */
static const AbutSceneRobot *robot_at(const AbutScene *scene, int32_t robot) {
    ABUT_ASSERT(scene);
    return robot >= 0 && robot < scene->robot_count ? &scene->robot[robot] : NULL;
}

AbutStatus abut_scene_check_robot(const AbutScene *scene, int32_t robot, AbutError *error) {
    if (robot_at(scene, robot)) return ABUT_OK;
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "no such robot: %d of %d", (int)robot, (int)scene->robot_count);
}

int32_t abut_scene_robot_count(const AbutScene *scene) {
    ABUT_ASSERT(scene);
    return scene->robot_count;
}

const AbutModel *abut_scene_robot_model(const AbutScene *scene, int32_t robot) {
    const AbutSceneRobot *r = robot_at(scene, robot);
    return r ? r->model : NULL;
}

AbutBodyId abut_scene_robot_body(const AbutScene *scene, int32_t robot, int32_t body) {
    const AbutSceneRobot *r = robot_at(scene, robot);
    int known = r && body >= 0 && body < r->model->body_count;
    return known ? abut_scene_body_id(scene, r->body[body]) : (AbutBodyId){0};
}

static void read_free(const AbutBody *body, double *q, double *v) {
    AbutPose pose = abut_body_pose(body);
    AbutVec3 origin = abut_add(body->v, abut_cross(body->w, abut_sub(pose.p, body->x)));
    AbutVec3 spin = abut_mat3_apply_t(body->rotation, body->w);
    if (q) abut_pose_put(pose, q);
    if (v) abut_vec3_put(origin, v), abut_vec3_put(spin, v + 3);
}

int abut_scene_get_joints(const AbutScene *scene, int32_t robot, double *positions, double *velocities) {
    const AbutSceneRobot *r = robot_at(scene, robot);
    if (!r) return 0;
    for (int32_t i = 0; i < r->move_count; ++i) {
        const AbutRobotMove *move = &r->move[i];
        if (move->tree < 0) {
            read_free(&scene->body[move->body], positions, velocities);
        } else {
            const AbutConfiguration *c = scene->robot_tree[move->tree].configuration;
            for (int32_t k = 0; positions && k < move->position_count; ++k) positions[k] = c->q[move->in_positions + k];
            for (int32_t k = 0; velocities && k < move->velocity_count; ++k)
                velocities[k] = c->v[move->in_velocities + k];
        }
        positions = positions ? positions + move->position_count : NULL;
        velocities = velocities ? velocities + move->velocity_count : NULL;
    }
    return 1;
}

/* ---- setting ----------------------------------------------------------------------------------------------------- */

/* Quaternions begin after three numbers in a free body, at once in a ball. */
static AbutStatus check_quaternions(const AbutSceneRobot *r, const double *q, AbutError *error) {
    int32_t at = 0;
    for (int32_t i = 0; i < r->move_count; at += r->move[i].position_count, ++i) {
        int32_t first = at + (r->move[i].position_count == 7 ? 3 : 0);
        if (r->move[i].position_count >= 4 && q[first] == 0.0 && q[first + 1] == 0.0 && q[first + 2] == 0.0 &&
            q[first + 3] == 0.0)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "positions: the quaternion at %d is zero", (int)first);
    }
    return ABUT_OK;
}

static void set_free(AbutScene *scene, AbutBody *body, const double *q, const double *v) {
    static const double still[6] = {0, 0, 0, 0, 0, 0};
    v = v ? v : still;
    AbutPose pose = abut_pose(abut_vec3_at(q), abut_quat_normalize(abut_quat_at(q + 3)));
    abut_scene_wake_neighbors(scene, (int32_t)(body - scene->body));
    body->q = pose.q;
    body->x = abut_pose_apply(pose, body->local_center);
    abut_body_moved(body);
    body->w = abut_mat3_apply(body->rotation, abut_vec3(v[3], v[4], v[5]));
    body->v = abut_add(abut_vec3(v[0], v[1], v[2]), abut_cross(body->w, abut_sub(body->x, pose.p)));
    abut_scene_disturb(scene, body);
    abut_scene_refit_body(scene, body);
}

/* After the positions of a tree have changed. */
static void settle_tree(AbutScene *scene, const AbutSceneTree *tree) {
    AbutConfiguration *c = tree->configuration;
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        int32_t at = abut_move_quaternion(&c->tree->moves[i]);
        if (at < 0) continue;
        double *q = c->q + at;
        abut_quat_put(abut_quat_normalize(abut_quat_at(q)), q);
    }
    abut_robot_update(c);
    for (int32_t i = 0; i < c->tree->link_count; ++i) abut_scene_wake_neighbors(scene, tree->body[i]);
    abut_scene_place_links(scene, tree);
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        abut_scene_disturb(scene, &scene->body[tree->body[i]]);
        abut_scene_refit_body(scene, &scene->body[tree->body[i]]);
    }
}

AbutStatus abut_scene_set_joints(AbutScene *scene, int32_t robot, int32_t position_count, const double *positions,
    int32_t velocity_count, const double *velocities, AbutError *error) {
    ABUT_TRY(abut_scene_check_robot(scene, robot, error));
    const AbutSceneRobot *r = &scene->robot[robot];
    ABUT_TRY(abut_robot_check_numbers("positions", r->position_count, position_count, positions, error));
    if (velocity_count)
        ABUT_TRY(abut_robot_check_numbers("velocities", r->velocity_count, velocity_count, velocities, error));
    ABUT_TRY(check_quaternions(r, positions, error));
    const double *q = positions, *v = velocity_count ? velocities : NULL;
    for (int32_t i = 0; i < r->move_count; ++i) {
        const AbutRobotMove *move = &r->move[i];
        if (move->tree < 0) {
            set_free(scene, &scene->body[move->body], q, v);
        } else {
            AbutConfiguration *c = scene->robot_tree[move->tree].configuration;
            memcpy(c->q + move->in_positions, q, (size_t)move->position_count * sizeof *q);
            for (int32_t k = 0; k < move->velocity_count; ++k) c->v[move->in_velocities + k] = v ? v[k] : 0.0;
        }
        q += move->position_count;
        v = v ? v + move->velocity_count : NULL;
    }
    for (int32_t t = 0; t < r->tree_count; ++t) settle_tree(scene, &scene->robot_tree[r->first_tree + t]);
    return ABUT_OK;
}

/* Free bodies of a keyframe stand in the frame of the model. */
static void move_to(AbutPose at, AbutConfiguration *c) {
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        double *q = c->q + c->tree->moves[i].position, *v = c->v + c->tree->moves[i].velocity;
        if (c->tree->moves[i].kind != ABUT_MOVE_FREE) continue;
        abut_pose_put(abut_pose_mul(at, abut_pose_at(q)), q);
        abut_vec3_put(abut_quat_rotate(at.q, abut_vec3_at(v)), v);
    }
}

AbutStatus abut_scene_set_keyframe(AbutScene *scene, int32_t robot, int32_t keyframe, AbutError *error) {
    const AbutTree *tree = NULL;
    AbutConfiguration *c = NULL;
    ABUT_TRY(abut_scene_check_robot(scene, robot, error));
    const AbutSceneRobot *r = &scene->robot[robot];
    AbutStatus status = abut_tree_create(r->model, &tree, error);
    if (status == ABUT_OK) status = abut_configuration_create(tree, &c, error);
    abut_tree_release(tree);
    if (status == ABUT_OK) status = abut_configuration_set_keyframe(c, keyframe, error);
    AbutVec3 turn = abut_vec3(r->at.q.x, r->at.q.y, r->at.q.z); /* w is rounded to 1 for small ones */
    if (status == ABUT_OK && (abut_max_abs(r->at.p) > 0.0 || abut_max_abs(turn) > 0.0)) move_to(r->at, c);
    if (status == ABUT_OK) status = abut_scene_set_joints(scene, robot, c->tree->nq, c->q, c->tree->nv, c->v, error);
    abut_configuration_free(c);
    return status;
}
