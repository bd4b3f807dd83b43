/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covering balls of a robot over eight intervals at once, in single precision with what rounding may do taken off. A
 * block answers for all pairs: proved apart over the whole interval, or to be asked of the exact bodies. Frames have
 * the axis of their joint as z: T of a joint = T of the one before * fixed pose * (turn about z or shift along it).
 */
#ifndef ABUT_SRC_PROOF_LANES_H
#define ABUT_SRC_PROOF_LANES_H

#include "proof/problem.h"

enum { ABUT_PLAN_LANES = 8 };

typedef struct AbutPlanLane {
    _Alignas(32) float x[ABUT_PLAN_LANES];
} AbutPlanLane;

/* A question that balls leave open, for lanes in `lanes`; in `near` of them the outer balls meet in the middle. */
typedef struct AbutPlanAsk {
    int32_t pair, a, b; /* pieces, or a piece and a surface, which counts on from the pieces */
    uint32_t lanes, near;
} AbutPlanAsk;

/* Purpose of a block: bounds of all pairs over intervals; intervals of one edge, of which the first that is blocked
 * ends the block; eight postures, each by itself. */
typedef enum AbutPlanBlockMode {
    ABUT_PLAN_BLOCK_BOUNDS = 0,
    ABUT_PLAN_BLOCK_EDGE,
    ABUT_PLAN_BLOCK_EACH
} AbutPlanBlockMode;

/* Eight intervals and what is known of them. */
typedef struct AbutPlanBlock {
    const AbutPlanProblem *problem;
    AbutPlanBlockMode mode;
    int32_t still;            /* 1: nothing moves, all h are 0 */
    uint32_t active;          /* lanes in use; a run that is not for bounds takes off those that are blocked */
    AbutPlanLane h, t;        /* half widths; when, as the caller counts */
    AbutPlanLane keep, slack; /* distance to keep with what rounding may do, and that alone */
    double (*q)[ABUT_PLAN_LANES], (*v)[ABUT_PLAN_LANES]; /* per joint: in the middle */
    AbutPlanLane *v_most, *a_most;                       /* per joint: bounds over the interval */
    AbutPlanLane *speed;                                 /* signed by the frames */
    AbutPlanLane *frame;                                 /* [frames][12]: columns, origin */
    AbutPlanLane *center;                                /* [movers][3] */
    AbutPlanLane *reach, *near_reach;                    /* of all points and of the centers, from the axes */
    AbutPlanLane *first;                                 /* [movers]: bound of the speed of the centers */
    AbutPlanLane *ball, *ball_speed;                     /* [balls of a mover][3] */
    uint8_t *is_clear;                                   /* per ball placed */
    AbutPlanLane *lb, *when;                             /* per pair, of bounds alone */
    int32_t ask_count;
    AbutPlanAsk *asks;
    void *memory;
} AbutPlanBlock;

/* block.c: eight intervals of a problem; lanes that are not active keep what they had. */
AbutStatus abut_plan_block_make(
    const AbutPlanProblem *problem, AbutPlanBlockMode mode, AbutPlanBlock **out, AbutError *error);
void abut_plan_block_free(AbutPlanBlock *block);

/* The middle, half width h and bounds of lane i: x = from .. to of a piece of a trajectory, and a distance to keep. */
void abut_plan_block_set(
    AbutPlanBlock *block, int i, const AbutTrajectory *trajectory, int32_t piece, double from, double to, double keep);

/*
 * For `count` lanes on straight lines: speeds of all joints, of which `size` bounds |q| on the line, half widths up to
 * h, and a distance to keep. Then lane i: joints q[0] .. in the middle, and its half width.
 */
void abut_plan_block_line(
    AbutPlanBlock *block, int first, int count, const double *v, const double *size, double h, double keep);
static inline void abut_plan_block_lane(AbutPlanBlock *block, int i, const double *q, double h) {
    for (int32_t k = 0; k < block->problem->tree.joint_count; ++k) block->q[k][i] = q[k];
    block->h.x[i] = (float)(h * (1.0 + 1e-6));
}

/* Asks all pairs; 0: a lane of an edge is blocked, or all lanes are. */
int abut_plan_block_run(AbutPlanBlock *block);
int abut_plan_block_plain(AbutPlanBlock *block);
int abut_plan_block_avx2(AbutPlanBlock *block);
int abut_plan_block_avx512(AbutPlanBlock *block);

/* The item, or counted on from the items the facing, that a block asks about; -1: its pieces may touch. */
int32_t abut_plan_find_asked(const AbutPlanProblem *problem, const AbutPlanAsk *ask);

#endif
