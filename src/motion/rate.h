/* SPDX-License-Identifier: Apache-2.0 */
/* Private: how points of a body move at a time. */
#ifndef ABUT_MOTION_RATE_H
#define ABUT_MOTION_RATE_H

#include "abut/motion.h"

/* The motion of a body at a time, on the way to another: v(p) = velocity + spin x (p - center), outer frame. */
typedef struct AbutMotionRate {
    AbutVec3 center, velocity, spin;
    double acceleration; /* of no point of the ball more, while the motion is smooth */
    double until;        /* so long it is: a time between the two; t itself: nothing is known, as of chains */
} AbutMotionRate;

AbutMotionRate abut_motion_rate(const AbutMotion *motion, double t, double to, AbutVec3 around, double radius);

#endif
