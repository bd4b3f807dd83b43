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

/* Eight intervals and what is known of them. */
typedef struct AbutPlanBlock {
    const AbutPlanProblem *problem;
    int32_t search;    /* 1: stand-ins count, and blocked lanes end the block; 0: surfaces count, and bounds are kept */
    uint32_t active;   /* lanes in use */
    AbutPlanLane h, t; /* half widths; when, as the caller counts */
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
    AbutPlanLane *lb, *when;                             /* per pair; not of a search */
    int32_t ask_count;
    AbutPlanAsk *asks;
    void *memory;
} AbutPlanBlock;

/* block.c: eight intervals of a problem; lanes that are not active keep what they had. */
AbutStatus abut_plan_block_make(const AbutPlanProblem *problem, int search, AbutPlanBlock **out, AbutError *error);
void abut_plan_block_free(AbutPlanBlock *block);

/* The middle, half width h and bounds of lane i: x = from .. to of a piece of a trajectory, and a distance to keep. */
void abut_plan_block_set(
    AbutPlanBlock *block, int i, const AbutTrajectory *trajectory, int32_t piece, double from, double to, double keep);

/* Asks all pairs; 0: in a lane a pair is nearer than the distance to keep (of a search only). */
int abut_plan_block_run(AbutPlanBlock *block);
int abut_plan_block_plain(AbutPlanBlock *block);
int abut_plan_block_avx2(AbutPlanBlock *block);

#endif
