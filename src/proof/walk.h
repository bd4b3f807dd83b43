/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A convex piece of a link over an interval of time, against what stands in many small parts: bounds along directions,
 * and verdicts on boxes around parts. Frame: that of the surface, a mesh or a cloud.
 */
#ifndef ABUT_SRC_PROOF_WALK_H
#define ABUT_SRC_PROOF_WALK_H

#include "proof/certify.h"

typedef struct AbutPlanWalk {
    const AbutPlanSurface *surface;
    const AbutConvex *body;
    AbutPose pose;       /* of the body */
    AbutCapsule around;  /* it */
    AbutPlanTwist twist; /* velocity of its points in the middle */
    double h, fall;      /* half width; what accelerations and rounding may take away */
    double level, spare; /* spare: what rounding takes from boxes */
    AbutPlanFaced answer;
} AbutPlanWalk;

/* Around parts. */
typedef struct AbutPlanPartBox {
    AbutVec3 center, axis[3]; /* half axes */
    AbutVec3 normal;          /* zero: none; else normal.x of its points lies in offset -+ half */
    double offset, half;
} AbutPlanPartBox;

AbutPose abut_plan_piece_in_surface(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at);

/* `ball` is around the surface. */
AbutPlanWalk abut_plan_walk_start(const AbutPlanProblem *problem, const AbutPlanFacing *facing,
    const AbutPlanMoment *moment, AbutSphere ball, double level);

/* From a place to the nearest point of the axis of the capsule. */
AbutVec3 abut_plan_walk_way(const AbutPlanWalk *walk, AbutVec3 place);

/* Tries a direction, along which parts reach up to `top`. 1: parted; else `room` becomes the distance along it in the
 * middle where that is larger, `loss` what time takes from it. */
int abut_plan_walk_part(AbutPlanWalk *walk, AbutVec3 n, double top, double *room, double *loss);

/* Parts are parted from the piece, to be looked at one by one, or the interval is too long. */
typedef enum AbutPlanBoxVerdict { ABUT_PLAN_PARTED, ABUT_PLAN_OPEN, ABUT_PLAN_TOO_LONG } AbutPlanBoxVerdict;
AbutPlanBoxVerdict abut_plan_walk_judge(AbutPlanWalk *walk, const AbutPlanPartBox *box, double *room);

/* How far a point of the piece moves at most. */
double abut_plan_walk_shift(const AbutPlanWalk *walk);

/* cloud_facing.c: those of problem.h and certify.h, against a cloud. */
AbutPlanDistance abut_plan_cloud_distance(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at);
AbutPlanFaced abut_plan_cloud_prove(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanMoment *moment, double level);

#endif
