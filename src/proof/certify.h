/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of the distance of two pieces over an interval of a trajectory. */
#ifndef ABUT_SRC_PROOF_CERTIFY_H
#define ABUT_SRC_PROOF_CERTIFY_H

#include "proof/problem.h"

/* The middle of an interval of half width h, in the parameter x of a piece: a posture, and per joint the speed there
 * and bounds of |speed| and |acceleration| over the interval. */
typedef struct AbutPlanMoment {
    AbutPlanPosture at;
    double h;
    double slack; /* what rounding may do to a bound, m */
    double *q, *v, *v_most, *a_most;
} AbutPlanMoment;

/* One joint over |e| <= h about x of a polynomial: value and speed in the middle, bounds of |speed| and |acceleration|,
 * and a bound of |value| over the whole piece. */
typedef struct AbutPlanJointMotion {
    double q, v, v_most, a_most, size;
} AbutPlanJointMotion;

static inline AbutPlanJointMotion abut_plan_joint_motion(const double *c, double x, double h) {
    double a = 2.0 * c[2] + x * (6.0 * c[3] + x * (12.0 * c[4] + x * 20.0 * c[5]));
    double third = 6.0 * c[3] + x * (24.0 * c[4] + x * 60.0 * c[5]), fourth = 24.0 * c[4] + x * 120.0 * c[5];
    AbutPlanJointMotion out = {.q = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5])))),
        .v = c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * (4.0 * c[4] + x * 5.0 * c[5]))),
        .a_most = fabs(a) + h * (fabs(third) + 0.5 * h * (fabs(fourth) + h * 40.0 * fabs(c[5]))),
        .size = fabs(c[0]) + fabs(c[1]) + fabs(c[2]) + fabs(c[3]) + fabs(c[4]) + fabs(c[5])};
    out.v_most = fabs(out.v) + h * out.a_most;
    return out;
}

/* Rounding of a bound: that of the problem, and what far angles and long ways add, as they are known to a
 * few units in their last place. */
double abut_plan_slack(const AbutPlanProblem *problem, double turned, double slid);

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

/* As above, for one piece that these joints move. */
double abut_plan_piece_bend(const AbutPlanProblem *problem, const AbutPlanMoment *moment, const AbutPlanPiece *piece,
    const int32_t *joints, int32_t count);

/* Velocity in the middle of the points p of what these joints move: turn x p + shift. */
typedef struct AbutPlanTwist {
    AbutVec3 turn, shift;
} AbutPlanTwist;
AbutPlanTwist abut_plan_twist(
    const AbutPlanProblem *problem, const AbutPlanMoment *moment, const int32_t *joints, int32_t count);

/*
 * A number that the distance is not below at any time of the interval, for any unit vector n from B to A. `bend` is
 * that of abut_plan_item_bend. -INFINITY: n is of no use.
 */
double abut_plan_item_bound(
    const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanMoment *moment, AbutVec3 n, double bend);

/* The direction from B to A that bounds take, from a distance; that of a half-space is known. */
static inline AbutVec3 abut_plan_item_normal(const AbutPlanProblem *problem, const AbutPlanItem *item,
    const AbutPlanPosture *at, const AbutPlanDistance *distance) {
    const AbutPlanPiece *b = &problem->pieces[item->b];
    return b->flat ? abut_quat_rotate(abut_plan_piece_pose(b, at).q, b->convex.p[0]) : distance->normal;
}

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

/* The center of mass in the middle, its velocity, and a bound of its acceleration over the interval. */
typedef struct AbutPlanCenterMotion {
    AbutVec3 center, velocity;
    double bend;
} AbutPlanCenterMotion;
AbutPlanCenterMotion abut_plan_center_motion(const AbutPlanProblem *problem, const AbutPlanMoment *moment);

#endif
