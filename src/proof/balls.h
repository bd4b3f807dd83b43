/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input of blocks of intervals: the frames and covering balls of a robot, and its surroundings. Frames have
 * the axis of their joint as z: T of a joint = T of the one before * fixed pose * (turn about z or shift along it).
 */
#ifndef ABUT_SRC_PROOF_BALLS_H
#define ABUT_SRC_PROOF_BALLS_H

#include "abut/proof.h"

/* The frame of a joint; frame 0 is the world, that of joint j has the number j + 1. */
typedef struct AbutPlanFrame {
    int32_t joint, parent, slide;
    float turn[9], at[3]; /* columns of the fixed rotation, and the fixed origin, in the parent */
} AbutPlanFrame;

typedef struct AbutPlanBall {
    float x, y, z, outer, inner; /* in the frame; inner: negative, none */
} AbutPlanBall;

/* Balls of one piece. */
typedef struct AbutPlanCluster {
    int32_t piece, first, count;
} AbutPlanCluster;

/* A link that joints move: a ball around all of it, and those of its pieces. */
typedef struct AbutPlanMover {
    int32_t link, frame, first, count; /* clusters */
    int32_t path_count, reach;         /* joints that move it, root first; place of its reaches in a block */
    const int32_t *path;
    float center[3], radius;
} AbutPlanMover;

/* Two movers whose distance counts, and how many joints of their paths are common. */
typedef struct AbutPlanOwn {
    int32_t pair, a, b, common;
} AbutPlanOwn;

typedef enum AbutPlanForm { ABUT_PLAN_BOX = 0, ABUT_PLAN_ROUND, ABUT_PLAN_FLAT } AbutPlanForm;

/* A standing body, in the axes of its turn: a box; a cylinder about z of radius h[0], half height h[2], or with `add` a
 * capsule or sphere; or all below h[2]. */
typedef struct AbutPlanStanding {
    int32_t piece; /* or, counted on from the pieces, a surface */
    int32_t turn;
    AbutPlanForm form;
    int32_t proved; /* 0: a stand-in, which proofs do not look at */
    int32_t tight;  /* 1: this is the body itself, not only around it */
    float center[3], h[3], add;
    const struct AbutCloud *cloud; /* within the box, from its center; NULL: none */
} AbutPlanStanding;

typedef struct AbutPlanTurn {
    float row[9];
} AbutPlanTurn;

/* The half of it that belongs to the robot. */
typedef struct AbutPlanBody {
    int32_t frame_count, mover_count, cluster_count, ball_count, reach_count;
    AbutPlanFrame *frames; /* parents first */
    AbutPlanMover *movers;
    AbutPlanCluster *clusters;
    AbutPlanBall *balls;
    double *sign;     /* per joint */
    int32_t *node;    /* per node of the tree: its frame */
    AbutPose *inside; /* and where it is in that */
    int32_t *mover;   /* per body of the model; -1: none */
    double slack;     /* what single precision may do to a distance, m */
} AbutPlanBody;

/* Both halves. */
typedef struct AbutPlanScene {
    int32_t own_count, standing_count;
    AbutPlanOwn *own;
    AbutPlanStanding *standing;
    AbutPlanTurn *turns; /* as many; equal ones that follow each other are used once */
    int32_t *pair;       /* [mover][standing]; -1: may meet */
    uint8_t *is_seen;    /* per pair: 1, blocks look at it */
} AbutPlanScene;

/* balls.c: the robot's half. */
AbutStatus abut_plan_body_make(AbutPlanProblem *robot, AbutPlanBody *out, AbutError *error);
void abut_plan_body_free(AbutPlanBody *body);
/* A rotation that turns z into a unit vector. */
AbutQuat abut_plan_align(AbutVec3 axis);

/* standing.c: what stands. */
AbutStatus abut_plan_scene_make(AbutPlanProblem *problem, AbutError *error);
void abut_plan_scene_free(AbutPlanScene *scene);
/* Puts the standing pieces of a link where the problem has them now. */
void abut_plan_scene_move(AbutPlanProblem *problem, int32_t link);

#endif
