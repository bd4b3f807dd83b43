/* SPDX-License-Identifier: Apache-2.0 */
/*
 * motion: poses over time.
 *
 * A motion is a plain record: static, a translation, a screw, a polynomial path with a constant spin, keyframes, or a
 * link of a chain of joints that follow curves. It can be evaluated at any time and gives bounds of the speed of a body
 * over an interval. Times are seconds, lengths meters, all in one outer frame.
 */
#ifndef ABUT_MOTION_H
#define ABUT_MOTION_H

#include "abut/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- curves: one number over time -------------------------------------------------------------------------------- */

enum { ABUT_CURVE_DEGREE = 5 };

/* c[0] + c[1] s + ... + c[5] s^5 with s = t - from, up to the `from` of the next piece. */
typedef struct AbutCurvePiece {
    double from;
    double c[ABUT_CURVE_DEGREE + 1];
} AbutCurvePiece;

/* Polynomials in sequence; before the first and after `to` the value is constant. */
typedef struct AbutCurve {
    int32_t piece_count; /* 0: the number 0 at all times */
    const AbutCurvePiece *pieces;
    double to;
} AbutCurve;

/* Value at time t. */
ABUT_API double abut_curve_value(const AbutCurve *curve, double t);

/* The polynomial of degree 0 .. 5 with these degree + 1 Bernstein coefficients on from .. to. */
ABUT_API AbutCurvePiece abut_curve_bernstein(double from, double to, int degree, const double *b);

/*
 * A B-spline of degree 1 .. 5 as pieces: count control values, count + degree + 1 non-decreasing knots; the curve
 * runs from knot[degree] to knot[count]. Writes at most count - degree pieces and points *out to them.
 */
ABUT_API AbutStatus abut_curve_spline(int degree, int32_t count, const double *knots, const double *control,
    AbutCurvePiece *pieces, AbutCurve *out, AbutError *error);

/* Are all numbers finite and the times increasing? */
ABUT_API AbutStatus abut_curve_check(const AbutCurve *curve, AbutError *error);

/* ---- trajectories: curves of many joints with shared breaks -------------------------------------------------------- */

/*
 * Values of the joints of a model over time. In piece k, from times[k] to times[k+1], joint j is c[0] + c[1] x + ... +
 * c[5] x^5, where x goes from 0 to 1 and c = coefficients + 6 (k joint_count + j). Free it with abut_trajectory_free.
 */
typedef struct AbutTrajectory {
    int32_t joint_count, piece_count;
    double *times;
    double *coefficients;
} AbutTrajectory;

typedef enum AbutInterpolation {
    ABUT_INTERPOLATE_LINEAR = 0, /* straight from sample to sample */
    ABUT_INTERPOLATE_CUBIC,      /* with the given speeds; without them the smooth spline at rest at both ends */
    ABUT_INTERPOLATE_QUINTIC,    /* with the given speeds and accelerations */
    ABUT_INTERPOLATION_COUNT
} AbutInterpolation;

/* "linear", "cubic", "quintic". */
ABUT_API extern const char *const abut_interpolation_names[];

/* Samples of joints over time: arrays [count][joint_count]; speeds and accelerations may be NULL. */
typedef struct AbutJointSamples {
    int32_t joint_count, count;
    const double *times;
    const double *values, *speeds, *accelerations;
} AbutJointSamples;

/* Through at least two samples with increasing times. */
ABUT_API AbutStatus abut_trajectory_interpolate(
    AbutInterpolation interpolation, const AbutJointSamples *samples, AbutTrajectory *out, AbutError *error);
ABUT_API void abut_trajectory_free(AbutTrajectory *trajectory); /* leaves an empty one */

/* Are all numbers finite and the times increasing, and do the pieces join? */
ABUT_API AbutStatus abut_trajectory_check(const AbutTrajectory *trajectory, AbutError *error);

/* Values, or time derivatives of this order (0 .. 5), of all joints at time t; at rest before and after. */
ABUT_API void abut_trajectory_value(const AbutTrajectory *trajectory, double t, int order, double *out);

/* ---- chains of joints -------------------------------------------------------------------------------------------- */

typedef struct AbutKeyframe {
    double t;
    AbutPose pose;
} AbutKeyframe;

typedef enum AbutChainKind {
    ABUT_CHAIN_FIXED = 0, /* does not move */
    ABUT_CHAIN_HINGE,     /* turns about its axis by curve[0] */
    ABUT_CHAIN_SLIDE,     /* moves along its axis by curve[0] */
    ABUT_CHAIN_PLACE,     /* moves by the vector of its three curves */
    ABUT_CHAIN_BALL,      /* takes the rotations of its turns, with constant spins between */
    ABUT_CHAIN_KIND_COUNT
} AbutChainKind;

/* A joint, and the link that it moves: link pose = pose of the parent * fixed * motion of the joint. */
typedef struct AbutChainJoint {
    int32_t parent; /* a joint with a smaller number, or -1: the outer frame */
    AbutChainKind kind;
    AbutPose fixed;
    AbutVec3 axis; /* HINGE, SLIDE: of unit length */
    AbutCurve curve[3];
    int32_t turn_count;        /* BALL: at least one */
    const AbutKeyframe *turns; /* only the rotations of their poses count */
} AbutChainJoint;

typedef struct AbutChain {
    int32_t joint_count;
    const AbutChainJoint *joints;
} AbutChain;

/*
 * How direction . (point of link `link` that is at `point` at time t) changes with the joint values: out[3 j] for HINGE
 * and SLIDE, three for PLACE (x, y, z) and BALL (a small rotation vector in the axes of the joint's fixed frame); 0 for
 * joints that do not move the link. `out` has 3 joint_count numbers.
 */
ABUT_API void abut_chain_gradient(
    const AbutChain *chain, int32_t link, double t, AbutVec3 point, AbutVec3 direction, double *out);

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/*
 * Without keyframes: a point of the body follows a cubic path while the body spins about it at a constant rate; this
 * holds for all times. With keyframes: straight lines and constant spins from one to the next, at rest before the first
 * and after the last; the record points to them. With a chain: a link of it; the rest of the record is ignored.
 */
typedef struct AbutMotion {
    int32_t keyframe_count; /* 0: none */
    const AbutKeyframe *keyframes;
    double from;            /* time at which the body is at `start` */
    AbutPose start;         /* of the body */
    AbutVec3 center;        /* the point that follows the path, in the frame of the body */
    AbutVec3 path[3];       /* it moves by path[0] s + path[1] s^2 + path[2] s^3, s = t - from */
    AbutVec3 spin;          /* angular velocity, outer frame, rad/s */
    const AbutChain *chain; /* NULL: none */
    int32_t link;
} AbutMotion;

ABUT_API AbutMotion abut_motion_static(AbutPose pose);

/* At `pose` at time 0. */
ABUT_API AbutMotion abut_motion_translation(AbutPose pose, AbutVec3 velocity);

/* At `pose` at time 0; turns about the line through `point` along the unit `axis` at `rate` rad/s and moves along it at
 * `speed` m/s. */
ABUT_API AbutMotion abut_motion_screw(AbutPose pose, AbutVec3 point, AbutVec3 axis, double rate, double speed);

/* Keyframes in order of their times, at least one; they are not copied. Fails on times that do not increase, and on
 * numbers that are not finite or beyond 1e60; quaternions must have unit length. */
ABUT_API AbutStatus abut_motion_keyframes(
    int32_t count, const AbutKeyframe *keyframes, AbutMotion *out, AbutError *error);

/* A link of a chain, which is checked and not copied. */
ABUT_API AbutStatus abut_motion_chain(const AbutChain *chain, int32_t link, AbutMotion *out, AbutError *error);

/* First time after t at which the motion changes its formula: a keyframe, the end of a piece; INFINITY: none. */
ABUT_API double abut_motion_next_break(const AbutMotion *motion, double t);

/* The first and the last of them; 0 and 0 if there is none. */
ABUT_API void abut_motion_span(const AbutMotion *motion, double *from, double *to);

/* Are all numbers of a motion finite and at most 1e60, its quaternions of unit length and its times in order? */
ABUT_API AbutStatus abut_motion_check(const AbutMotion *motion, AbutError *error);

/* Pose of the body at time t. */
ABUT_API AbutPose abut_motion_pose(const AbutMotion *motion, double t);

/*
 * Upper bound of the speed of all points within `radius` of the point `around` of the body, over the times a to b; with
 * `along`, of the component of the velocity along that unit vector of the outer frame, which may be negative.
 */
ABUT_API double abut_motion_speed(
    const AbutMotion *motion, double a, double b, const AbutVec3 *along, AbutVec3 around, double radius);

#ifdef __cplusplus
}
#endif

#endif
