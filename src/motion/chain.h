/* SPDX-License-Identifier: Apache-2.0 */
/* Private: a chain as the functions on motions see it. */
#ifndef ABUT_MOTION_CHAIN_H
#define ABUT_MOTION_CHAIN_H

#include "abut/motion.h"
#include "motion/tolerance.h"

#include <math.h>

/* "fixed", "hinge", "slide", "place", "ball". */
const char *abut_chain_kind_name(AbutChainKind kind);

/* Is a chain complete and in order? Names the joint otherwise. */
AbutStatus abut_chain_check(const AbutChain *chain, AbutError *error);

/* Where link `link` is at time t; -1: the outer frame. */
AbutPose abut_chain_pose(const AbutChain *chain, int32_t link, double t);

/* Is a number of a motion small enough to compute with? */
static inline int abut_motion_fits(double x) { return fabs(x) <= ABUT_MOTION_LARGEST; }

static inline int abut_motion_fits_all(AbutVec3 v) {
    return abut_motion_fits(v.x) && abut_motion_fits(v.y) && abut_motion_fits(v.z);
}

/* Is a quaternion of unit length, to rounding of what was written? */
static inline int abut_motion_is_unit(AbutQuat q) { return fabs(abut_quat_dot(q, q) - 1.0) <= ABUT_MOTION_UNIT; }

/* Is there a keyframe or more, with times that grow? `rotations`: those of their poses alone count. */
AbutStatus abut_keyframes_check(int32_t count, const AbutKeyframe *keyframes, int rotations, AbutError *error);

/* Does a rotation turn at all? Its w is rounded to 1 for angles up to 4e-8 that do. */
static inline int abut_motion_turns(AbutQuat q) { return q.x != 0.0 || q.y != 0.0 || q.z != 0.0; }

/* The rotation exp(spin (t - from)) q, which holds from t on up to the next turn. */
typedef struct AbutSpin {
    double from;
    AbutQuat q;
    AbutVec3 spin;
} AbutSpin;

AbutSpin abut_spin_between(double from, AbutQuat q, double to, AbutQuat next); /* the shorter way round */
AbutSpin abut_spin_at(int32_t count, const AbutKeyframe *turns, double t);
AbutQuat abut_spin_value(const AbutSpin *spin, double t);

/* First time after t at which a joint between the link and the outer frame changes its formula, or INFINITY. */
double abut_chain_next_break(const AbutChain *chain, int32_t link, double t);

/* Bound of the speed of points within `reach` of the origin of the link. */
double abut_chain_speed(const AbutChain *chain, int32_t link, double a, double b, double reach);

#endif
