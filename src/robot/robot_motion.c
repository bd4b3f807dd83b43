/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model that moves, as a chain of joints for clearance and time of impact.
 *
 * In: a tree of joints, and positions over time. Out: a joint of a chain for each joint of the model and for each body
 * without one, two for a dynamic body (its place and its rotation). Method: body by body in the order of the positions.
 * The places of joints go into the fixed poses between them, references are taken off the curves.
 */
#include "motion/chain.h"
#include "robot/configuration.h"

#include <string.h>

struct AbutRobotMotion {
    AbutChain chain;
    AbutChainJoint *joints;
    AbutCurvePiece *pieces;
    AbutKeyframe *turns;
    int32_t *link;     /* [body_count] joint of the chain that carries a body */
    int32_t *joint_at; /* [joint_count] number of a joint of the model in the chain */
    int32_t body_count, joint_count;
};

/* Positions over time: rows at times, or a curve for each position. */
typedef struct Source {
    int32_t count;
    const double *times, *rows;
    int32_t positions;
    const AbutCurve *curves; /* NULL: rows */
} Source;

typedef struct Maker {
    const AbutTree *tree;
    Source from;
    AbutRobotMotion *out;
    int32_t at; /* next position */
    int32_t piece_count, turn_count;
} Maker;

/* ---- values over time -------------------------------------------------------------------------------------------- */

/* Straight lines through the rows of a position. */
static int32_t lines(const Source *s, int32_t position, AbutCurvePiece *out) {
    int32_t count = s->count > 1 ? s->count - 1 : 1;
    for (int32_t i = 0; i < count; ++i) {
        const double *q = s->rows + (size_t)i * (size_t)s->positions + position;
        double rate = s->count > 1 ? (q[s->positions] - q[0]) / (s->times[i + 1] - s->times[i]) : 0.0;
        out[i] = (AbutCurvePiece){s->times[i], {q[0], rate, 0.0, 0.0, 0.0, 0.0}};
    }
    return count;
}

/* The next position as a curve, less `reference`; without pieces where one without pieces was given. */
static AbutCurve next_curve(Maker *m, double reference) {
    const Source *s = &m->from;
    AbutCurvePiece *pieces = m->out->pieces + m->piece_count;
    const AbutCurve *given = s->curves ? &s->curves[m->at] : NULL;
    AbutCurve out = {0, pieces, 0.0};
    if (!given) {
        out.piece_count = lines(s, m->at, pieces);
        out.to = s->count > 1 ? s->times[s->count - 1] : s->times[0] + 1.0; /* any end of a single row */
    } else if (given->piece_count > 0) {
        out.piece_count = given->piece_count, out.to = given->to;
        memcpy(pieces, given->pieces, sizeof *pieces * (size_t)given->piece_count);
    }
    for (int32_t i = 0; i < out.piece_count; ++i) pieces[i].c[0] -= reference;
    m->piece_count += out.piece_count;
    ++m->at;
    return out;
}

/* The next four positions as rotations; of curves the one at rest. */
static void next_turns(Maker *m, AbutQuat rest, AbutChainJoint *joint) {
    const Source *s = &m->from;
    AbutKeyframe *turns = m->out->turns + m->turn_count;
    joint->kind = ABUT_CHAIN_BALL;
    joint->turns = turns;
    joint->turn_count = s->curves ? 1 : s->count;
    turns[0] = (AbutKeyframe){0.0, {abut_zero(), rest}};
    for (int32_t i = 0; i < joint->turn_count && !s->curves; ++i) {
        const double *q = s->rows + (size_t)i * (size_t)s->positions + m->at;
        turns[i] = (AbutKeyframe){s->times[i], {abut_zero(), abut_quat_normalize(abut_quat(q[0], q[1], q[2], q[3]))}};
    }
    m->turn_count += joint->turn_count;
    m->at += 4;
}

/* ---- chain ------------------------------------------------------------------------------------------------------- */

static AbutChainJoint *add_joint(Maker *m, int32_t parent, AbutPose fixed) {
    AbutChainJoint *joint = &m->out->joints[m->out->chain.joint_count++];
    *joint = (AbutChainJoint){.parent = parent, .kind = ABUT_CHAIN_FIXED, .fixed = fixed, .axis = abut_axis(2)};
    return joint;
}

static int32_t number_of(const Maker *m, const AbutChainJoint *joint) { return (int32_t)(joint - m->out->joints); }

static int32_t add_dynamic(Maker *m, const AbutBodyDef *def) {
    AbutChainJoint *place = add_joint(m, -1, abut_pose_identity());
    double rest[3];
    place->kind = ABUT_CHAIN_PLACE;
    for (int k = 0; k < 3; ++k) {
        place->curve[k] = next_curve(m, 0.0);
        rest[k] = place->curve[k].piece_count > 0 ? 0.0 : abut_get(def->pose.p, k);
    }
    place->fixed.p = abut_vec3(rest[0], rest[1], rest[2]);
    AbutChainJoint *turn = add_joint(m, number_of(m, place), abut_pose_identity());
    next_turns(m, abut_quat_normalize(def->pose.q), turn);
    return number_of(m, turn);
}

/* A joint of the model after `fixed`, which leads from joint `parent` of the chain to the body. Leaves what leads from
 * the joint to the body in *fixed. */
static int32_t add_model_joint(Maker *m, const AbutMove *move, int32_t parent, AbutPose *fixed) {
    AbutVec3 at = move->kind == ABUT_MOVE_SLIDE ? abut_zero() : move->at;
    AbutChainJoint *joint = add_joint(m, parent, abut_pose_mul(*fixed, abut_pose(at, abut_quat_identity())));
    if (move->kind == ABUT_MOVE_BALL) {
        next_turns(m, abut_quat_identity(), joint);
    } else {
        joint->kind = move->kind == ABUT_MOVE_HINGE ? ABUT_CHAIN_HINGE : ABUT_CHAIN_SLIDE;
        joint->axis = abut_normalize(move->axis);
        joint->curve[0] = next_curve(m, move->reference);
    }
    *fixed = abut_pose(abut_neg(at), abut_quat_identity());
    return m->out->joint_at[move->joint] = number_of(m, joint);
}

static void add_body(Maker *m, int32_t body) {
    const AbutBodyDef *def = &m->tree->model->bodies[body];
    const AbutMove *moves;
    int32_t link = def->parent >= 0 ? m->out->link[def->parent] : -1, count = abut_tree_moves(m->tree, body, &moves);
    AbutPose fixed = def->pose;
    for (int32_t i = 0; i < count; ++i) {
        if (moves[i].kind == ABUT_MOVE_FREE) {
            link = add_dynamic(m, def);
            fixed = abut_pose_identity();
        } else {
            link = add_model_joint(m, &moves[i], link, &fixed);
        }
    }
    if (!count || abut_length_sq(fixed.p) > 0.0) link = number_of(m, add_joint(m, link, fixed));
    m->out->link[body] = link;
}

/* ---- memory and checks ------------------------------------------------------------------------------------------- */

void abut_robot_motion_free(AbutRobotMotion *motion) {
    if (!motion) return;
    abut_free(motion->joints);
    abut_free(motion->pieces);
    abut_free(motion->turns);
    abut_free(motion->link);
    abut_free(motion->joint_at);
    abut_free(motion);
}

static size_t pieces_of(const Source *s) {
    size_t count = 0;
    for (int32_t i = 0; i < s->positions; ++i) count += (size_t)(s->curves ? s->curves[i].piece_count : s->count);
    return count;
}

static AbutRobotMotion *new_motion(const AbutModel *model, const Source *s) {
    AbutRobotMotion *m = abut_alloc(sizeof *m);
    size_t bodies = (size_t)model->body_count, joints = (size_t)model->joint_count;
    if (!m) return NULL;
    memset(m, 0, sizeof *m);
    m->body_count = model->body_count, m->joint_count = model->joint_count;
    m->joints = abut_alloc_array(3 * bodies + joints, sizeof *m->joints);
    m->pieces = abut_alloc_array(pieces_of(s), sizeof *m->pieces);
    m->turns = abut_alloc_array((bodies + joints) * (s->curves ? 1 : (size_t)s->count), sizeof *m->turns);
    m->link = abut_alloc_array(bodies, sizeof *m->link);
    m->joint_at = abut_alloc_array(joints, sizeof *m->joint_at);
    if (m->joints && m->pieces && m->turns && m->link && m->joint_at) return m;
    abut_robot_motion_free(m);
    return NULL;
}

static AbutStatus make(const AbutTree *tree, Source source, AbutRobotMotion **out, AbutError *error) {
    const AbutModel *model = tree->model;
    AbutRobotMotion *motion = new_motion(model, &source);
    if (!motion) return abut_fail_memory(error);
    Maker m = {.tree = tree, .from = source, .out = motion};
    for (int32_t i = 0; i < model->body_count; ++i) add_body(&m, i);
    motion->chain.joints = motion->joints;
    AbutStatus status = abut_chain_check(&motion->chain, error);
    if (status == ABUT_OK)
        *out = motion;
    else
        abut_robot_motion_free(motion);
    return status;
}

static AbutStatus check_rows(const AbutTree *tree, const Source *s, AbutError *error) {
    if (s->count < 1) return abut_fail(error, ABUT_ERROR_ARGUMENT, "motion of a robot: expected at least one row");
    AbutStatus status = abut_robot_check_numbers("times", s->count, s->count, s->times, error);
    for (int32_t i = 1; i < s->count && status == ABUT_OK; ++i)
        if (!(s->times[i] > s->times[i - 1]))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "times: number %d does not grow", i);
    for (int32_t i = 0; i < s->count && status == ABUT_OK; ++i) {
        const double *row = s->rows + (size_t)i * (size_t)s->positions;
        status = abut_robot_check_numbers("positions", s->positions, s->positions, row, error);
        for (int32_t k = 0; k < tree->move_count && status == ABUT_OK; ++k) {
            int32_t q = abut_move_quaternion(&tree->moves[k]);
            if (q >= 0 && !(abut_quat_dot(abut_quat(row[q], row[q + 1], row[q + 2], row[q + 3]),
                                abut_quat(row[q], row[q + 1], row[q + 2], row[q + 3])) > 0.0))
                return abut_fail(
                    error, ABUT_ERROR_ARGUMENT, "positions: the quaternion at %d of row %d is zero", (int)q, (int)i);
        }
    }
    return status;
}

static AbutStatus check_curves(const AbutTree *tree, const Source *s, AbutError *error) {
    AbutError why;
    for (int32_t i = 0; i < s->positions; ++i) {
        AbutStatus status = abut_curve_check(&s->curves[i], &why);
        if (status != ABUT_OK) return abut_fail(error, status, "curve of position %d: %.400s", (int)i, why.text);
    }
    for (int32_t i = 0; i < tree->move_count; ++i) {
        int32_t q = abut_move_quaternion(&tree->moves[i]);
        for (int k = 0; k < 4 && q >= 0; ++k)
            if (s->curves[q + k].piece_count > 0)
                return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
                    "curve of position %d: a quaternion follows no curve; give rows of positions", (int)(q + k));
    }
    return ABUT_OK;
}

/* ---- interface --------------------------------------------------------------------------------------------------- */

AbutStatus abut_robot_motion_create(const AbutTree *tree, int32_t count, const double *times, const double *positions,
    AbutRobotMotion **out, AbutError *error) {
    ABUT_ASSERT(tree && times && positions && out);
    Source s = {count, times, positions, tree->nq, NULL};
    *out = NULL;
    AbutStatus status = check_rows(tree, &s, error);
    return status == ABUT_OK ? make(tree, s, out, error) : status;
}

AbutStatus abut_robot_motion_create_curves(
    const AbutTree *tree, int32_t count, const AbutCurve *curves, AbutRobotMotion **out, AbutError *error) {
    ABUT_ASSERT(tree && curves && out);
    Source s = {0, NULL, NULL, tree->nq, curves};
    *out = NULL;
    if (count != s.positions)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "curves: expected %d, got %d", (int)s.positions, (int)count);
    AbutStatus status = check_curves(tree, &s, error);
    return status == ABUT_OK ? make(tree, s, out, error) : status;
}

AbutMotion abut_robot_motion_body(const AbutRobotMotion *motion, int32_t body) {
    ABUT_ASSERT(motion && body >= 0 && body < motion->body_count);
    AbutMotion out = abut_motion_static(abut_pose_identity());
    out.chain = &motion->chain;
    out.link = motion->link[body];
    return out;
}

int32_t abut_robot_motion_joint(const AbutRobotMotion *motion, int32_t joint) {
    ABUT_ASSERT(motion && joint >= 0 && joint < motion->joint_count);
    return motion->joint_at[joint];
}
