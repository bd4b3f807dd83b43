/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of joints that move. In: a configuration, and which joints are held. Out: nodes in an order in which parents
 * come first, each with the fixed poses before and after its joint; held joints and balls are part of these. With a
 * support the tree hangs on that body: the way from it to the free base is turned round, every joint on it with the
 * opposite sign, so that the support stands and no equation is needed for it. Room robot has kinematics of its own; it
 * hangs every robot on its base, moves all joints and keeps velocities and dynamics, whereas a plan asks for the poses
 * of this tree and the world axes of its joints some hundred thousand times, from many threads, and for nothing else.
 */
#include "proof/problem.h"

#include <string.h>

/* ---- making ------------------------------------------------------------------------------------------------------ */

static AbutPose shift(AbutVec3 by) { return abut_pose(by, abut_quat_identity()); }

/* Pose of the body behind a joint that does not move. */
static AbutPose held_pose(const AbutConfiguration *c, const AbutMove *move, double value) {
    const double *q = abut_configuration_positions(c) + move->position;
    AbutPose turn = abut_pose_identity();
    if (move->kind == ABUT_MOVE_SLIDE)
        turn.p = abut_scale(move->axis, value - move->reference);
    else
        turn.q = move->kind == ABUT_MOVE_BALL ? abut_quat_normalize(abut_quat(q[0], q[1], q[2], q[3]))
                                              : abut_quat_axis_angle(move->axis, value - move->reference);
    return abut_pose_mul(abut_pose_mul(shift(move->at), turn), shift(abut_neg(move->at)));
}

static int32_t add_node(AbutPlanTree *tree, int32_t parent, AbutPose before) {
    AbutPlanNode node = {.parent = parent,
        .joint = -1,
        .sign = 1.0,
        .axis = abut_axis(2),
        .before = before,
        .after = abut_pose_identity()};
    tree->nodes[tree->node_count] = node;
    return tree->node_count++;
}

static int32_t add_joint(AbutPlanTree *tree, int32_t parent, AbutPose before, const AbutMove *move) {
    int32_t i = add_node(tree, parent, abut_pose_mul(before, shift(move->at)));
    AbutPlanNode *node = &tree->nodes[i];
    node->joint = tree->joint_count;
    node->slide = move->kind == ABUT_MOVE_SLIDE;
    node->axis = move->axis;
    node->after = shift(abut_neg(move->at));
    tree->joints[node->joint] = move->joint;
    tree->reference[node->joint] = move->reference;
    tree->slides[node->joint] = (uint8_t)node->slide;
    ++tree->joint_count;
    return i;
}

static void add_body(
    AbutPlanTree *tree, const AbutConfiguration *c, const uint8_t *held, const double *rest, int32_t body) {
    const AbutTree *robot = abut_configuration_tree(c);
    const AbutBodyDef *def = &robot->model->bodies[body];
    const AbutMove *moves;
    int32_t parent = def->parent < 0 ? -1 : tree->body_node[def->parent], at = parent;
    int32_t count = abut_tree_moves(robot, body, &moves);
    AbutPose pending = def->pose;
    for (int32_t i = 0; i < count; ++i)
        if (moves[i].kind == ABUT_MOVE_FREE) {
            pending = abut_configuration_body_pose(c, body);
        } else if (held[moves[i].joint]) {
            pending = abut_pose_mul(pending, held_pose(c, &moves[i], rest[moves[i].joint]));
        } else {
            at = add_joint(tree, at, pending, &moves[i]);
            pending = abut_pose_identity();
        }
    if (at == parent)
        at = add_node(tree, parent, pending);
    else
        tree->nodes[at].after = abut_pose_mul(tree->nodes[at].after, pending);
    tree->body_node[body] = at;
}

/* ---- the other way round ----------------------------------------------------------------------------------------- */

/* Gives every node its new number, and brings the nodes into that order; nodes of the way first, from the support up.
 */
static void renumber(AbutPlanTree *tree, int32_t bodies, const int32_t *number, AbutPlanNode *room) {
    for (int32_t i = 0; i < tree->node_count; ++i) {
        AbutPlanNode node = tree->nodes[i];
        node.parent = node.parent < 0 ? -1 : number[node.parent];
        room[number[i]] = node;
    }
    memcpy(tree->nodes, room, (size_t)tree->node_count * sizeof *room);
    for (int32_t i = 0; i < bodies; ++i) tree->body_node[i] = number[tree->body_node[i]];
}

/* Turns the way from `from` to its root round; `stand` is where it stands. */
static void turn_round(AbutPlanTree *tree, int32_t from, AbutPose stand) {
    AbutPlanNode below = tree->nodes[from];
    int32_t at = from, up = below.parent;
    AbutPlanNode root = {
        .parent = -1, .joint = -1, .sign = 1.0, .axis = abut_axis(2), .before = stand, .after = abut_pose_identity()};
    tree->nodes[from] = root;
    while (up >= 0) {
        AbutPlanNode next = tree->nodes[up], turned = below;
        turned.parent = at;
        turned.sign = -1.0;
        turned.before = abut_pose_inv(below.after);
        turned.after = abut_pose_inv(below.before);
        tree->nodes[up] = turned;
        below = next;
        at = up;
        up = next.parent;
    }
}

static AbutStatus hang_on(AbutPlanTree *tree, const AbutConfiguration *c, int32_t support, AbutError *error) {
    const AbutModel *model = abut_configuration_model(c);
    int32_t root = support, next = 0;
    while (model->bodies[root].parent >= 0) root = model->bodies[root].parent;
    if (model->bodies[root].kind != ABUT_BODY_DYNAMIC)
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "support",
            " '%s': expected a body of a robot whose base is free", model->bodies[support].name);
    int32_t *number = abut_alloc_array((size_t)tree->node_count, sizeof *number);
    AbutPlanNode *room = abut_alloc_array((size_t)tree->node_count, sizeof *room);
    if (number && room) {
        memset(number, -1, (size_t)tree->node_count * sizeof *number);
        for (int32_t i = tree->body_node[support]; i >= 0; i = tree->nodes[i].parent) number[i] = next++;
        for (int32_t i = 0; i < tree->node_count; ++i)
            if (number[i] < 0) number[i] = next++;
        turn_round(tree, tree->body_node[support], abut_configuration_body_pose(c, support));
        renumber(tree, model->body_count, number, room);
    }
    AbutStatus status = number && room ? ABUT_OK : abut_fail_memory(error);
    abut_free(number);
    abut_free(room);
    return status;
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static AbutStatus make_paths(AbutPlanTree *tree, AbutError *error) {
    size_t total = 0;
    tree->path_start = abut_alloc_array((size_t)tree->node_count + 1, sizeof *tree->path_start);
    if (!tree->path_start) return abut_fail_memory(error);
    for (int32_t i = 0; i < tree->node_count; ++i)
        for (int32_t k = i; k >= 0; k = tree->nodes[k].parent) total += tree->nodes[k].joint >= 0;
    tree->path = abut_alloc_array(total + 1, sizeof *tree->path);
    if (!tree->path) return abut_fail_memory(error);
    int32_t at = 0;
    for (int32_t i = 0; i < tree->node_count; ++i) {
        const AbutPlanNode *node = &tree->nodes[i];
        tree->path_start[i] = at;
        if (node->parent >= 0) {
            int32_t first = tree->path_start[node->parent], count = tree->path_start[node->parent + 1] - first;
            memcpy(tree->path + at, tree->path + first, (size_t)count * sizeof *tree->path);
            at += count;
        }
        if (node->joint >= 0) tree->path[at++] = node->joint;
        tree->path_start[i + 1] = at;
    }
    return ABUT_OK;
}

AbutStatus abut_plan_tree_make(const AbutConfiguration *posture, const uint8_t *held, const double *rest,
    int32_t support, AbutPlanTree *out, AbutError *error) {
    const AbutModel *model = abut_configuration_model(posture);
    size_t nodes = (size_t)model->body_count + (size_t)model->joint_count + 1, joints = (size_t)model->joint_count + 1;
    AbutPlanTree tree = {.nodes = abut_alloc_array(nodes, sizeof *tree.nodes),
        .body_node = abut_alloc_array((size_t)model->body_count + 1, sizeof *tree.body_node),
        .joints = abut_alloc_array(joints, sizeof *tree.joints),
        .reference = abut_alloc_array(joints, sizeof *tree.reference),
        .slides = abut_alloc(joints)};
    AbutStatus status = ABUT_OK;
    if (!tree.nodes || !tree.body_node || !tree.joints || !tree.reference || !tree.slides)
        status = abut_fail_memory(error);
    for (int32_t i = 0; i < model->body_count && !status; ++i) add_body(&tree, posture, held, rest, i);
    if (!status && support >= 0) status = hang_on(&tree, posture, support, error);
    if (!status) status = make_paths(&tree, error);
    if (status) abut_plan_tree_free(&tree);
    *out = tree;
    return status;
}

void abut_plan_tree_free(AbutPlanTree *tree) {
    abut_free(tree->nodes);
    abut_free(tree->body_node);
    abut_free(tree->joints);
    abut_free(tree->reference);
    abut_free(tree->slides);
    abut_free(tree->path_start);
    abut_free(tree->path);
    memset(tree, 0, sizeof *tree);
}

/* ---- postures ---------------------------------------------------------------------------------------------------- */

size_t abut_plan_posture_size(const AbutPlanTree *tree) {
    return (size_t)tree->node_count * sizeof(AbutPose) + 2 * (size_t)tree->joint_count * sizeof(AbutVec3);
}

AbutPlanPosture abut_plan_posture_in(const AbutPlanTree *tree, void *memory) {
    AbutPlanPosture out = {.node = memory};
    out.axis = (AbutVec3 *)(out.node + tree->node_count);
    out.origin = out.axis + tree->joint_count;
    return out;
}

void abut_plan_tree_place(const AbutPlanTree *tree, const double *q, AbutPlanPosture *out) {
    for (int32_t i = 0; i < tree->node_count; ++i) {
        const AbutPlanNode *node = &tree->nodes[i];
        AbutPose at = node->parent < 0 ? node->before : abut_pose_mul(out->node[node->parent], node->before);
        if (node->joint >= 0) {
            double value = node->sign * (q[node->joint] - tree->reference[node->joint]);
            AbutVec3 axis = abut_quat_rotate(at.q, node->axis);
            out->axis[node->joint] = abut_scale(axis, node->sign);
            out->origin[node->joint] = at.p;
            if (node->slide)
                at.p = abut_add_scaled(at.p, axis, value);
            else
                at.q = abut_quat_mul(at.q, abut_quat_axis_angle(node->axis, value));
        }
        out->node[i] = abut_pose_mul(at, node->after);
    }
}
