/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots of a scene: a model with joints as it is placed. In: the model and the groups of its bodies. Out: one tree for
 * everything that hangs together by joints, each with a configuration of its own, and the table that leads from the
 * positions of the whole model to those of its trees and free bodies.
 *
 * A free body without joints below it, and without a tendon through it, is no tree: it stays an ordinary body of the
 * scene, whose motion is its own.
 */
#include <string.h>

#include "scene/internal.h"
#include "scene/tolerance.h"

static void *take(AbutPlacing *p, size_t count, size_t bytes_each) {
    void *memory = abut_pool_take(&p->robot->pool, (count + 1) * bytes_each);
    if (memory) memset(memory, 0, (count + 1) * bytes_each);
    return memory;
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

/* The outermost body that moves, on the way from this one to the world; -1: it does not move. */
static int32_t root_of(const AbutPlacing *p, int32_t body) {
    int32_t root = -1;
    for (int32_t i = body; i >= 0; i = p->model->bodies[i].parent)
        if (p->model->bodies[i].kind == ABUT_BODY_DYNAMIC || abut_model_next_joint(p->model, i, -1) >= 0) root = i;
    return root;
}

/* Where the frame that the root of a tree is given in stands in the world. */
static AbutPose base_of(const AbutPlacing *p, int32_t root) {
    int32_t parent = p->model->bodies[root].parent;
    AbutPose pose = p->at;
    if (parent >= 0)
        pose = abut_pose_mul(pose, abut_pose_mul(p->model->bodies[p->owner[parent]].pose, p->pose[parent]));
    return pose;
}

/* How far links reach from the root, along the tree; 0 for a wheel that is balanced to rounding. */
static double reach_of(const AbutConfiguration *c) {
    double farthest = 0.0;
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        double way = 0.0;
        for (int32_t k = i; c->tree->links[k].parent >= 0; k = c->tree->links[k].parent)
            way += abut_length(c->tree->links[k].fixed.p);
        farthest = abut_larger(farthest, way + 2.0 * abut_length(c->tree->links[i].center));
    }
    const AbutLink *root = &c->tree->links[0];
    double spread = root->inertia.x.x + root->inertia.y.y + root->inertia.z.z;
    return root->mass * farthest * farthest < ABUT_BALANCED * spread ? 0.0 : farthest;
}

/* A dynamic root starts with the velocity that its body states. */
static void start_moving(AbutConfiguration *c, AbutQuat turn) {
    int32_t root = c->tree->links[0].body;
    const AbutBodyDef *body = &c->tree->model->bodies[root];
    const AbutMove *move = &c->tree->moves[0];
    if (move->kind != ABUT_MOVE_FREE) return;
    AbutVec3 w = abut_quat_rotate(turn, body->spin), v = abut_quat_rotate(turn, body->velocity);
    AbutVec3 center = abut_rigid_of_body(c->tree->model, root).center;
    AbutVec3 arm = abut_mat3_apply(c->states[0].axes, center), spin = abut_mat3_apply_t(c->states[0].axes, w);
    v = abut_sub(v, abut_cross(w, arm));
    double start[6] = {v.x, v.y, v.z, spin.x, spin.y, spin.z};
    memcpy(c->v + move->velocity, start, sizeof start);
    abut_robot_velocities(c);
}

/* A configuration of the part of the model that hangs on `root`. */
static AbutStatus create_configuration(AbutPlacing *p, const int32_t *roots, int32_t root, AbutConfiguration **out) {
    AbutSceneRobot *robot = p->robot;
    const AbutTree *tree;
    AbutPose base = base_of(p, root);
    int placed = p->moved || p->model->bodies[root].parent >= 0;
    AbutTreePart part = {roots, root, placed ? &base : NULL, robot->place, robot->tree_move};
    AbutStatus status = abut_tree_create_part(robot->model, &part, &tree, p->error);
    if (status == ABUT_OK) status = abut_configuration_create_lean(tree, out, p->error);
    abut_tree_release(tree);
    return status;
}

/* The place of the next tree; NULL: no memory. */
static AbutSceneTree *next_tree(AbutScene *scene) {
    size_t count = (size_t)scene->robot_tree_count;
    if (!abut_grow((void **)&scene->robot_tree, &scene->robot_tree_capacity, count + 1, sizeof *scene->robot_tree))
        return NULL;
    memset(&scene->robot_tree[count], 0, sizeof *scene->robot_tree);
    return &scene->robot_tree[count];
}

static AbutStatus add_tree(AbutPlacing *p, const int32_t *roots, int32_t root) {
    AbutScene *scene = p->scene;
    AbutSceneRobot *robot = p->robot;
    AbutSceneTree *tree = next_tree(scene);
    if (!tree) return abut_fail_memory(p->error);
    tree->robot = (int32_t)(robot - scene->robot);
    ABUT_TRY(create_configuration(p, roots, root, &tree->configuration));
    for (int32_t i = root; i < p->model->body_count; ++i)
        if (roots[i] == root) robot->tree[i] = scene->robot_tree_count;
    ++scene->robot_tree_count; /* freed from now on with the robot */
    ++robot->tree_count;
    start_moving(tree->configuration, p->at.q);
    tree->size = reach_of(tree->configuration);
    tree->body = take(p, (size_t)tree->configuration->tree->link_count, sizeof *tree->body);
    return tree->body ? ABUT_OK : abut_fail_memory(p->error);
}

/* Trees of all roots that have joints at or below them, or that a tendon pulls. */
static AbutStatus add_trees(AbutPlacing *p) {
    AbutStatus status = ABUT_OK;
    int32_t *roots = take(p, (size_t)p->model->body_count, sizeof *roots);
    if (!roots) return abut_fail_memory(p->error);
    for (int32_t i = 0; i < p->model->body_count; ++i) {
        p->robot->tree[i] = -1;
        roots[i] = root_of(p, i);
    }
    for (int32_t j = 0; j < p->model->joint_count && status == ABUT_OK; ++j) {
        int32_t root = roots[p->model->joints[j].body];
        if (p->robot->tree[root] < 0) status = add_tree(p, roots, root);
    }
    for (int32_t t = 0; t < p->model->tendon_count; ++t) {
        const AbutTendonDef *tendon = &p->model->tendons[t];
        for (int32_t i = 0; i < tendon->path_count && status == ABUT_OK; ++i) {
            int32_t body = tendon->path[i].kind == ABUT_PATH_PULLEY ? -1 : tendon->path[i].body,
                    root = body >= 0 ? roots[body] : -1;
            if (root >= 0 && p->robot->tree[root] < 0) status = add_tree(p, roots, root);
        }
    }
    return status;
}

/* The tables and trees of the robot of another scene, with configurations of its own. */
static AbutStatus share_trees(AbutPlacing *p) {
    const AbutSceneRobot *from = &p->like->robot[0];
    *p->robot = *from;
    p->robot->pool = (AbutPool){NULL};
    p->robot->tree_count = 0;
    for (int32_t t = 0; t < from->tree_count; ++t) {
        AbutSceneTree *tree = next_tree(p->scene);
        if (!tree) return abut_fail_memory(p->error);
        const AbutTree *shared = p->like->robot_tree[t].configuration->tree;
        *tree = p->like->robot_tree[t];
        ABUT_TRY(abut_configuration_create_lean(shared, &tree->configuration, p->error));
        ++p->scene->robot_tree_count;
        ++p->robot->tree_count;
        start_moving(tree->configuration, p->at.q);
    }
    return ABUT_OK;
}

/* ---- positions of the whole model -------------------------------------------------------------------------------- */

static void add_move(AbutSceneRobot *robot, AbutRobotMove move) {
    robot->move[robot->move_count++] = move;
    robot->position_count += move.position_count;
    robot->velocity_count += move.velocity_count;
}

static void add_body_moves(AbutPlacing *p, int32_t body) {
    static const int32_t positions[] = {1, 1, 4}, velocities[] = {1, 1, 3};
    AbutSceneRobot *robot = p->robot;
    int32_t tree = robot->tree[body];
    const AbutConfiguration *c = tree >= 0 ? p->scene->robot_tree[tree].configuration : NULL;
    robot->move_of_body[body] = -1;
    if (p->model->bodies[body].kind == ABUT_BODY_DYNAMIC) {
        robot->move_of_body[body] = robot->move_count;
        add_move(robot, (AbutRobotMove){tree, -1, -1, 0, 0, 7, 6});
    }
    for (int32_t j = abut_model_next_joint(p->model, body, -1); j >= 0; j = abut_model_next_joint(p->model, body, j)) {
        AbutJointKind kind = p->model->joints[j].kind;
        robot->move_of_joint[j] = robot->move_count;
        add_move(robot,
            (AbutRobotMove){tree, -1, j, abut_configuration_joint_place(c, j, ABUT_NUMBERS_POSITIONS),
                abut_configuration_joint_place(c, j, ABUT_NUMBERS_VELOCITIES), positions[kind], velocities[kind]});
    }
}

static AbutStatus add_moves(AbutPlacing *p) {
    AbutSceneRobot *robot = p->robot;
    size_t bodies = (size_t)p->model->body_count, joints = (size_t)p->model->joint_count;
    robot->move = take(p, bodies + joints, sizeof *robot->move);
    robot->move_of_joint = take(p, joints, sizeof *robot->move_of_joint);
    robot->move_of_body = take(p, bodies, sizeof *robot->move_of_body);
    if (!robot->move || !robot->move_of_joint || !robot->move_of_body) return abut_fail_memory(p->error);
    for (int32_t i = 0; i < p->model->body_count; ++i) add_body_moves(p, i);
    return ABUT_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* Is there anything in the model that an ordinary scene does not have? */
static int is_robot(const AbutModel *model) {
    int joins = 0;
    for (int32_t i = 0; i < model->equality_count; ++i) joins |= !model->equalities[i].inactive;
    return model->joint_count > 0 || model->actuator_count > 0 || model->keyframe_count > 0 ||
           model->sensor_count > 0 || model->tendon_count > 0 || joins;
}

AbutStatus abut_robot_begin(AbutPlacing *p) {
    AbutScene *scene = p->scene;
    size_t bodies = (size_t)p->model->body_count;
    if (!is_robot(p->model) && !p->borrow) return ABUT_OK;
    if (!abut_grow(
            (void **)&scene->robot, &scene->robot_capacity, (size_t)scene->robot_count + 1, sizeof *scene->robot))
        return abut_fail_memory(p->error);
    p->robot = &scene->robot[scene->robot_count++];
    memset(p->robot, 0, sizeof *p->robot);
    p->robot->borrowed = p->borrow;
    p->robot->passive = !is_robot(p->model);
    if (p->like) return share_trees(p);
    p->robot->at = p->at;
    p->robot->first_tree = scene->robot_tree_count;
    p->robot->body = take(p, bodies, sizeof *p->robot->body);
    p->robot->tree = take(p, bodies, sizeof *p->robot->tree);
    p->robot->place = take(p, bodies, sizeof *p->robot->place);
    p->robot->tree_move = take(p, (size_t)p->model->joint_count, sizeof *p->robot->tree_move);
    p->robot->pose = take(p, bodies, sizeof *p->robot->pose);
    if (!p->robot->body || !p->robot->tree || !p->robot->place || !p->robot->tree_move || !p->robot->pose)
        return abut_fail_memory(p->error);
    memcpy(p->robot->pose, p->pose, bodies * sizeof *p->pose);
    AbutModel *copy = NULL;
    if (!p->borrow) ABUT_TRY(abut_model_copy(p->model, &copy, p->error));
    p->robot->model = p->borrow ? p->model : copy;
    ABUT_TRY(add_trees(p));
    return add_moves(p);
}

int32_t abut_placed_link(const AbutPlacing *p, int32_t body, const AbutConfiguration **out) {
    if (!p->robot || p->robot->tree[body] < 0) return -1;
    *out = p->scene->robot_tree[p->robot->tree[body]].configuration;
    return p->robot->place[body].link;
}

AbutStatus abut_robot_finish(AbutPlacing *p) {
    AbutSceneRobot *robot = p->robot;
    AbutScene *scene = p->scene;
    for (int32_t i = 0; robot && i < p->model->body_count; ++i) {
        int32_t place = abut_scene_body_place(scene, p->body[i]);
        const AbutConfiguration *c;
        int32_t link = abut_placed_link(p, i, &c);
        AbutBody *body = &scene->body[place];
        body->robot = (int32_t)(robot - scene->robot);
        if (link >= 0) {
            AbutSceneTree *tree = &scene->robot_tree[robot->tree[i]];
            body->tree = robot->tree[i];
            body->link = link;
            if (!p->like) tree->body[body->link] = place;
        }
        if (!p->like) robot->body[i] = place; /* tables that are shared have them */
        if (!p->like && robot->move_of_body[i] >= 0) robot->move[robot->move_of_body[i]].body = place;
    }
    for (int32_t t = 0; robot && t < robot->tree_count; ++t)
        abut_scene_place_links(scene, &scene->robot_tree[robot->first_tree + t]);
    return ABUT_OK;
}

static void free_last_robot(AbutScene *scene) {
    AbutSceneRobot *robot = &scene->robot[--scene->robot_count];
    for (int32_t t = 0; t < robot->tree_count; ++t)
        abut_configuration_free(scene->robot_tree[robot->first_tree + t].configuration);
    scene->robot_tree_count -= robot->tree_count;
    if (!robot->borrowed) abut_model_free((AbutModel *)(uintptr_t)robot->model);
    abut_pool_free(&robot->pool);
}

void abut_robot_cancel(AbutPlacing *p) {
    if (p->robot) free_last_robot(p->scene);
    p->robot = NULL;
}

void abut_scene_free_robots(AbutScene *scene) {
    while (scene->robot_count > 0) free_last_robot(scene);
    abut_free(scene->robot);
    abut_free(scene->robot_tree);
}
