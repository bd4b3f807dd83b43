/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The robot's half of what blocks of intervals look at. In: the tree and the pieces of a robot. Out: a frame for each
 * joint that moves, and the covering balls of every link that a joint moves, in its frame and in single precision,
 * widened by what that loses.
 */
#include "mesh/cover.h"
#include "proof/problem.h"

#include <string.h>

enum { BALLS_PER_PIECE = 10 };
static const double EXCESS = 0.007;      /* of the reach of the robot: how far balls may stand out */
static const double SINGLE = 0x1p-24;    /* a rounding in single precision */
static const float WIDER = 1.0f + 1e-6f; /* radii are rounded up */

/* ---- frames ------------------------------------------------------------------------------------------------------ */

AbutQuat abut_plan_align(AbutVec3 axis) {
    int below = axis.z < 0.0;
    AbutVec3 up = below ? abut_neg(axis) : axis, c = abut_cross(abut_axis(2), up);
    AbutQuat q = abut_quat_normalize(abut_quat(1.0 + up.z, c.x, c.y, c.z));
    return below ? abut_quat_mul(q, abut_quat(0.0, 1.0, 0.0, 0.0)) : q;
}

static void set_frame(AbutPlanFrame *out, AbutPose fixed) {
    for (int c = 0; c < 3; ++c) {
        AbutVec3 column = abut_quat_rotate(fixed.q, abut_axis(c));
        out->turn[3 * c] = (float)column.x;
        out->turn[3 * c + 1] = (float)column.y;
        out->turn[3 * c + 2] = (float)column.z;
    }
    out->at[0] = (float)fixed.p.x;
    out->at[1] = (float)fixed.p.y;
    out->at[2] = (float)fixed.p.z;
}

static void make_frames(const AbutPlanTree *tree, AbutPlanBody *out) {
    for (int32_t i = 0; i < tree->node_count; ++i) {
        const AbutPlanNode *node = &tree->nodes[i];
        AbutPose before = node->parent < 0 ? node->before : abut_pose_mul(out->inside[node->parent], node->before);
        int32_t parent = node->parent < 0 ? 0 : out->node[node->parent];
        if (node->joint < 0) {
            out->node[i] = parent;
            out->inside[i] = abut_pose_mul(before, node->after);
            continue;
        }
        AbutPose turned = abut_pose(abut_zero(), abut_plan_align(node->axis));
        AbutPlanFrame *frame = &out->frames[out->frame_count++];
        *frame = (AbutPlanFrame){.joint = node->joint, .parent = parent, .slide = node->slide};
        set_frame(frame, abut_pose_mul(before, turned));
        out->sign[node->joint] = node->sign;
        out->node[i] = node->joint + 1;
        out->inside[i] = abut_pose_mul(abut_pose_inv(turned), node->after);
    }
}

/* ---- balls ------------------------------------------------------------------------------------------------------- */

static void add_cluster(const AbutPlanProblem *robot, int32_t piece, const AbutCover *cover, AbutPlanBody *out) {
    const AbutPlanPiece *p = &robot->pieces[piece];
    AbutPose pose = abut_pose_mul(out->inside[p->node], p->pose);
    AbutPlanCluster *cluster = &out->clusters[out->cluster_count++];
    *cluster = (AbutPlanCluster){piece, out->ball_count, cover->count};
    for (int32_t i = 0; i < cover->count; ++i) {
        AbutVec3 c = abut_pose_apply(pose, cover->ball[i].center);
        double lost = 4.0 * SINGLE * (abut_length(c) + cover->ball[i].outer), inner = cover->ball[i].inner - lost;
        out->balls[out->ball_count++] = (AbutPlanBall){(float)c.x, (float)c.y, (float)c.z,
            (float)(cover->ball[i].outer + lost) * WIDER, inner > 0.0 ? (float)inner : -1.0f};
    }
}

/* The ball around all balls of a mover: about the middle of their box. */
static void enclose(AbutPlanBody *body, AbutPlanMover *m) {
    int32_t first = body->clusters[m->first].first, end = body->ball_count;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = first; i < end; ++i) {
        const AbutPlanBall *b = &body->balls[i];
        float c[3] = {b->x, b->y, b->z};
        for (int k = 0; k < 3; ++k) {
            low[k] = fminf(low[k], c[k] - b->outer);
            high[k] = fmaxf(high[k], c[k] + b->outer);
        }
    }
    for (int k = 0; k < 3; ++k) m->center[k] = 0.5f * (low[k] + high[k]);
    for (int32_t i = first; i < end; ++i) {
        const AbutPlanBall *b = &body->balls[i];
        double x = (double)b->x - m->center[0], y = (double)b->y - m->center[1], z = (double)b->z - m->center[2];
        m->radius = fmaxf(m->radius, (float)(sqrt(x * x + y * y + z * z) + b->outer) * WIDER);
    }
}

/* A link whose pieces joints move. */
static AbutStatus add_mover(const AbutPlanProblem *robot, int32_t link, AbutPlanBody *out, AbutError *error) {
    const AbutPlanTree *tree = &robot->tree;
    int32_t node = tree->body_node[link];
    AbutPlanMover m = {link, out->node[node], out->cluster_count, 0,
        tree->path_start[node + 1] - tree->path_start[node], out->reach_count, tree->path + tree->path_start[node], {0},
        0};
    for (int32_t i = robot->piece_start[link]; i < robot->piece_start[link + 1]; ++i) {
        AbutCover cover;
        AbutStatus status =
            abut_cover_make(&robot->pieces[i].convex, EXCESS * robot->reach, BALLS_PER_PIECE, &cover, error);
        if (status) return status;
        add_cluster(robot, i, &cover, out);
    }
    m.count = out->cluster_count - m.first;
    enclose(out, &m);
    out->reach_count += m.path_count;
    out->mover[link] = out->mover_count;
    out->movers[out->mover_count++] = m;
    return ABUT_OK;
}

/* Is a link to be a mover? A half-space that moves has no balls; its pairs are asked of the exact bodies alone. */
static int is_mover(const AbutPlanProblem *robot, const AbutPlanBody *body, int32_t link) {
    int32_t first = robot->piece_start[link], end = robot->piece_start[link + 1];
    for (int32_t i = first; i < end; ++i)
        if (robot->pieces[i].flat) return 0;
    return end > first && body->node[robot->tree.body_node[link]] > 0;
}

AbutStatus abut_plan_body_make(AbutPlanProblem *robot, AbutPlanBody *out, AbutError *error) {
    size_t joints = (size_t)robot->tree.joint_count + 1, nodes = (size_t)robot->tree.node_count + 1;
    size_t links = (size_t)robot->model->body_count + 1, pieces = (size_t)robot->piece_count + 1;
    AbutStatus status = ABUT_OK;
    *out = (AbutPlanBody){.frames = abut_alloc_array(joints, sizeof *out->frames),
        .movers = abut_alloc_array(links, sizeof *out->movers),
        .clusters = abut_alloc_array(pieces, sizeof *out->clusters),
        .balls = abut_alloc_array(pieces * BALLS_PER_PIECE, sizeof *out->balls),
        .sign = abut_alloc_array(joints, sizeof *out->sign),
        .node = abut_alloc_array(nodes, sizeof *out->node),
        .inside = abut_alloc_array(nodes, sizeof *out->inside),
        .mover = abut_alloc_array(links, sizeof *out->mover),
        .slack = (12.0 * robot->tree.joint_count + 40.0) * SINGLE};
    if (!out->frames || !out->movers || !out->clusters || !out->balls || !out->sign || !out->node || !out->inside ||
        !out->mover)
        return abut_fail_memory(error);
    make_frames(&robot->tree, out);
    for (int32_t i = 0; i < robot->model->body_count && !status; ++i) {
        out->mover[i] = -1;
        if (is_mover(robot, out, i)) status = add_mover(robot, i, out, error);
    }
    return status;
}

void abut_plan_body_free(AbutPlanBody *body) {
    abut_free(body->frames);
    abut_free(body->movers);
    abut_free(body->clusters);
    abut_free(body->balls);
    abut_free(body->sign);
    abut_free(body->node);
    abut_free(body->inside);
    abut_free(body->mover);
    memset(body, 0, sizeof *body);
}
