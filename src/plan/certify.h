/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of the distance of two pieces over an interval of a trajectory. */
#ifndef ABUT_SRC_PLAN_CERTIFY_H
#define ABUT_SRC_PLAN_CERTIFY_H

#include "plan/problem.h"

/* The middle of an interval of half width h, in the parameter x of a piece: a posture, and per joint the speed there
 * and bounds of |speed| and |acceleration| over the interval. */
typedef struct AbutPlanMoment {
    AbutPlanPosture at;
    double h;
    double slack; /* what rounding may do to a bound, m */
    double *q, *v, *v_most, *a_most;
} AbutPlanMoment;

/* Bytes of a moment, and the moment in that much memory. */
size_t abut_plan_moment_size(const AbutPlanTree *tree);
AbutPlanMoment abut_plan_moment_in(const AbutPlanTree *tree, void *memory);

/* Are all pairs that count proved clear, and balance where it is asked for? */
int abut_plan_is_proved(const AbutCertificate *certificate);

/* The middle of x = from .. to of a piece of a trajectory over the joints of the model. */
void abut_plan_moment_set(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, int32_t piece, double from,
    double to, AbutPlanMoment *out);

/* Bound of the accelerations of all points of both pieces over the interval, added up. */
double abut_plan_item_bend(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanMoment *moment);

/* The same of one piece that these joints move. */
double abut_plan_piece_bend(const AbutPlanProblem *problem, const AbutPlanMoment *moment, const AbutPlanPiece *piece,
    const int32_t *joints, int32_t count);

/* Velocity in the middle of the points p of what these joints move: turn x p + shift. */
typedef struct AbutPlanTwist {
    AbutVec3 turn, shift;
} AbutPlanTwist;
AbutPlanTwist abut_plan_twist(
    const AbutPlanProblem *problem, const AbutPlanMoment *moment, const int32_t *joints, int32_t count);

/*
 * A number that the distance is not below at any time of the interval, for any unit vector n from B to A; with `coarse`
 * of the capsules around the pieces. `bend` is that of abut_plan_item_bend. -INFINITY: n is of no use.
 */
double abut_plan_item_bound(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanMoment *moment,
    AbutVec3 n, int coarse, double bend);

/* A piece and a surface over the interval. */
typedef struct AbutPlanFaced {
    AbutCertificateStatus status; /* UNDECIDED: the interval is too long, or rounding decides */
    double lb, ub;                /* clear: not below lb; the least distance of triangles that were measured */
    int64_t boxes, triangles;     /* bounded, and measured */
} AbutPlanFaced;
AbutPlanFaced abut_plan_facing_prove(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanMoment *moment, double level);

/* The least distance over the interval by the largest speed of any point; `distance` is that in the middle. */
double abut_plan_facing_bound(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanMoment *moment, double distance);

/* The centre of mass in the middle, its velocity, and a bound of its acceleration over the interval. */
typedef struct AbutPlanCenterMotion {
    AbutVec3 center, velocity;
    double bend;
} AbutPlanCenterMotion;
AbutPlanCenterMotion abut_plan_center_motion(const AbutPlanProblem *problem, const AbutPlanMoment *moment);

/* The direction from B to A for the coarse bound. */
AbutVec3 abut_plan_item_direction(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at);

#endif
