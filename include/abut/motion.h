/* SPDX-License-Identifier: Apache-2.0 */
/*
 * motion: poses over time, and when two moving bodies first touch.
 *
 * A motion is a plain record: static, a translation, a screw, a polynomial path with a constant spin, or keyframes. It
 * can be evaluated at any time, and it gives bounds of the speed of a body over an interval, on which the time of
 * impact rests. Times in seconds, lengths in metres, everything in one outer frame.
 */
#ifndef ABUT_MOTION_H
#define ABUT_MOTION_H

#include "abut/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- motions ----------------------------------------------------------------------------------------------------- */

typedef struct AbutKeyframe {
    double t;
    AbutPose pose;
} AbutKeyframe;

/*
 * Without keyframes: a point of the body follows a cubic path while the body spins about it at a constant rate; this
 * holds for all times. With keyframes: straight lines and constant spins from one to the next, at rest before the first
 * and after the last; the record points to them.
 */
typedef struct AbutMotion {
    int32_t keyframe_count; /* 0: none */
    const AbutKeyframe *keyframes;
    double from;      /* time at which the body stands at `start` */
    AbutPose start;   /* of the body */
    AbutVec3 center;  /* the point that follows the path, in the frame of the body */
    AbutVec3 path[3]; /* it moves by path[0] s + path[1] s^2 + path[2] s^3, s = t - from */
    AbutVec3 spin;    /* angular velocity, outer frame, rad/s */
} AbutMotion;

ABUT_API AbutMotion abut_motion_static(AbutPose pose);

/* At `pose` at time 0. */
ABUT_API AbutMotion abut_motion_translation(AbutPose pose, AbutVec3 velocity);

/* At `pose` at time 0; turns about the line through `point` along the unit `axis` at `rate` rad/s and moves along it at
 * `speed` m/s. */
ABUT_API AbutMotion abut_motion_screw(AbutPose pose, AbutVec3 point, AbutVec3 axis, double rate, double speed);

/* Keyframes in order of their times, at least one; they are not copied. Fails on times that do not grow, and on numbers
 * that are not finite; quaternions must be of unit length. */
ABUT_API AbutStatus abut_motion_keyframes(
    int32_t count, const AbutKeyframe *keyframes, AbutMotion *out, AbutError *error);

/*
 * Keyframes from CSV text: lines `t,x,y,z,qw,qx,qy,qz`, quaternions of any length; a first line of these words, empty
 * lines and lines that begin with # are passed over. `name` is used in messages. Release *out with abut_free.
 */
ABUT_API AbutStatus abut_keyframes_parse(
    const void *bytes, size_t count, const char *name, int32_t *keyframe_count, AbutKeyframe **out, AbutError *error);

/* Where the body is at time t. */
ABUT_API AbutPose abut_motion_pose(const AbutMotion *motion, double t);

/* Upper bound of the speed of all points within `radius` of the point `around` of the body, over the times a to b. */
ABUT_API double abut_motion_speed(const AbutMotion *motion, double a, double b, AbutVec3 around, double radius);

/* The same for the component of the velocity along the unit vector n of the outer frame; may be negative. */
ABUT_API double abut_motion_speed_along(
    const AbutMotion *motion, double a, double b, AbutVec3 n, AbutVec3 around, double radius);

/* ---- time of impact ---------------------------------------------------------------------------------------------- */

/* A body that moves: a mesh or a convex body, the other NULL. A half-space must not turn. */
typedef struct AbutMovingBody {
    const AbutMeshTree *mesh;
    const AbutConvex *convex;
    AbutMotion motion;
} AbutMovingBody;

typedef enum AbutImpactOutcome {
    ABUT_IMPACT_NONE = 0,  /* proved: the bodies stay apart in the whole interval */
    ABUT_IMPACT_HIT,       /* free until t_lo, in contact at t_hi */
    ABUT_IMPACT_AT_START,  /* touching or overlapping when the interval begins */
    ABUT_IMPACT_GRAZING,   /* nearer than the tolerance at t, and no overlap was found after it */
    ABUT_IMPACT_UNDECIDED, /* free until t_lo; the rounds were used up */
    ABUT_IMPACT_INVALID,   /* bad numbers, an empty mesh or a half-space that turns: nothing is known */
    ABUT_IMPACT_OUTCOME_COUNT
} AbutImpactOutcome;

/* A word for each: "none", "hit", "at_start", "grazing", "undecided", "invalid". */
ABUT_API const char *abut_impact_outcome_name(AbutImpactOutcome outcome);

typedef struct AbutImpactDef {
    double from, to;     /* to < from: backward, for the last contact */
    double tolerance;    /* distance that counts as touching, m; 0: 1e-6 of the smaller body's radius */
    int32_t round_limit; /* distance queries; 0: 2000 */
} AbutImpactDef;

typedef struct AbutImpact {
    AbutImpactOutcome outcome;
    double t;          /* of contact; the end of the interval for NONE */
    double t_lo, t_hi; /* no contact from the beginning to t_lo; contact at t_hi, or the end where none was found */
    double distance;   /* at t */
    AbutVec3 normal;   /* at t: unit, from A to B, outer frame; zero in contact of meshes */
    AbutVec3 point_a, point_b;
    int32_t triangle_a, triangle_b; /* -1: convex */
    int32_t rounds;
} AbutImpact;

/*
 * First contact of two moving bodies, never late: bodies at distance d whose points approach each other at no more than
 * v cannot meet within d / v (conservative advancement). Every pair of kinds; a closed mesh is solid.
 */
ABUT_API AbutImpact abut_time_of_impact(const AbutMovingBody *a, const AbutMovingBody *b, const AbutImpactDef *def);

#ifdef __cplusplus
}
#endif

#endif
