/* SPDX-License-Identifier: Apache-2.0 */
/* Private: how points of a body move at a time, and steps of the time of impact that look at single triangles. */
#ifndef ABUT_SRC_MOTION_IMPACT_H
#define ABUT_SRC_MOTION_IMPACT_H

#include "abut/motion.h"

/* The motion of a body at a time, on the way to another: v(p) = velocity + spin x (p - center), outer frame. */
typedef struct AbutMotionRate {
    AbutVec3 center, velocity, spin;
    double acceleration; /* of no point of the ball more, while the motion is smooth */
    double until;        /* so long it is: a time between the two; t itself: nothing is known, as of chains */
} AbutMotionRate;

AbutMotionRate abut_motion_rate(const AbutMotion *motion, double t, double to, AbutVec3 around, double radius);

/* A body with a ball around it, in its own frame. */
typedef struct AbutImpactBody {
    const AbutMovingBody *body;
    AbutVec3 center;
    double radius;
    int half_space;
} AbutImpactBody;

/* A mesh, and another or a convex body, at time t. */
typedef struct AbutImpactPlace {
    const AbutImpactBody *a, *b;
    double t, to;
    double distance, level, tolerance; /* the search stops at the level, above it within the tolerance */
    AbutVec3 normal;                   /* outer frame, from A to B */
    double speed;                      /* no points approach faster until `to` */
} AbutImpactPlace;

/*
 * A time for which two bodies near each other do not come to the level, at least `plain`: pairs of triangles, or
 * triangles and the convex body, nearer than four times the distance are followed one by one, along their own normals
 * and with a bound of acceleration.
 */
double abut_impact_near_step(const AbutImpactPlace *at, double plain);

/* Where the first contact of two meshes that move along a straight line can be: the time up to which they are free, or
 * `from` when nothing is known. */
double abut_impact_straight(const AbutImpactBody *a, const AbutImpactBody *b, double from, double to, double tolerance);

#endif
