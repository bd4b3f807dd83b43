/* SPDX-License-Identifier: Apache-2.0 */
/*
 * motion: poses over time, and when two moving bodies first touch.
 *
 * A motion is a plain record: static, a translation, a screw, a polynomial path with a constant spin, keyframes, or a
 * link of a chain of joints that follow curves. It can be evaluated at any time, and it gives bounds of the speed of a
 * body over an interval, on which the time of impact rests. Times in seconds, lengths in metres, everything in one
 * outer frame.
 */
#ifndef ABUT_MOTION_H
#define ABUT_MOTION_H

#include "abut/mesh.h"

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

/* Polynomials one after the other; before the first and after `to` the value stays what it is there. */
typedef struct AbutCurve {
    int32_t piece_count; /* 0: the number 0 at all times */
    const AbutCurvePiece *pieces;
    double to;
} AbutCurve;

/* Value at time t. */
ABUT_API double abut_curve_value(const AbutCurve *curve, double t);

/* The polynomial of that degree, 0 .. 5, with these degree + 1 Bernstein coefficients on from .. to. */
ABUT_API AbutCurvePiece abut_curve_bernstein(double from, double to, int degree, const double *b);

/*
 * A B-spline of degree 1 .. 5 as pieces: count control values, count + degree + 1 knots that do not fall; the curve
 * runs from knot[degree] to knot[count]. Writes at most count - degree pieces, and points *out to them.
 */
ABUT_API AbutStatus abut_curve_spline(int degree, int32_t count, const double *knots, const double *control,
    AbutCurvePiece *pieces, AbutCurve *out, AbutError *error);

/* Are all numbers finite, and do the times grow? */
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
    ABUT_INTERPOLATE_CUBIC,      /* with the given speeds; without them the smooth spline that is at rest at its ends */
    ABUT_INTERPOLATE_QUINTIC,    /* with the given speeds and accelerations */
    ABUT_INTERPOLATION_COUNT
} AbutInterpolation;

/* "linear", "cubic", "quintic"; and back, -1: none. */
ABUT_API const char *abut_interpolation_name(AbutInterpolation interpolation);
ABUT_API int abut_interpolation_find(const char *name);

/* Samples of joints over time: arrays [count][joint_count]; speeds and accelerations may be NULL. */
typedef struct AbutJointSamples {
    int32_t joint_count, count;
    const double *times;
    const double *values, *speeds, *accelerations;
} AbutJointSamples;

/* Through samples whose times grow, at least two. */
ABUT_API AbutStatus abut_trajectory_interpolate(
    AbutInterpolation interpolation, const AbutJointSamples *samples, AbutTrajectory *out, AbutError *error);
ABUT_API void abut_trajectory_free(AbutTrajectory *trajectory); /* leaves an empty one */

/* Are all numbers finite, do the times grow, and do the pieces join? */
ABUT_API AbutStatus abut_trajectory_check(const AbutTrajectory *trajectory, AbutError *error);

/* Values, or derivatives by time of this order (0 .. 5), of all joints at time t; at rest before and after. */
ABUT_API void abut_trajectory_value(const AbutTrajectory *trajectory, double t, int order, double *out);

/* ---- chains of joints -------------------------------------------------------------------------------------------- */

typedef enum AbutChainKind {
    ABUT_CHAIN_FIXED = 0, /* does not move */
    ABUT_CHAIN_HINGE,     /* turns about its axis by curve[0] */
    ABUT_CHAIN_SLIDE,     /* moves along its axis by curve[0] */
    ABUT_CHAIN_PLACE,     /* moves by the vector of its three curves */
    ABUT_CHAIN_BALL,      /* takes the rotations of its turns, with constant spins between */
    ABUT_CHAIN_KIND_COUNT
} AbutChainKind;

/* "fixed", "hinge", "slide", "place", "ball". */
ABUT_API const char *abut_chain_kind_name(AbutChainKind kind);

typedef struct AbutTurn {
    double t;
    AbutQuat q;
} AbutTurn;

/* A joint, and the link that it moves: link pose = pose of the parent * fixed * what the joint does. */
typedef struct AbutChainJoint {
    int32_t parent; /* a joint with a smaller number, or -1: the outer frame */
    AbutChainKind kind;
    AbutPose fixed;
    AbutVec3 axis; /* HINGE, SLIDE: of unit length */
    AbutCurve curve[3];
    int32_t turn_count; /* BALL: at least one */
    const AbutTurn *turns;
} AbutChainJoint;

typedef struct AbutChain {
    int32_t joint_count;
    const AbutChainJoint *joints;
} AbutChain;

/* Is a chain complete and in order? Names the joint otherwise. */
ABUT_API AbutStatus abut_chain_check(const AbutChain *chain, AbutError *error);

/* Where link `link` is at time t; -1: the outer frame. */
ABUT_API AbutPose abut_chain_pose(const AbutChain *chain, int32_t link, double t);

/*
 * How direction . (point of link `link` that is at `point` at time t) changes with the joint values: out[3 j] for HINGE
 * and SLIDE, three for PLACE (x, y, z) and BALL (a small rotation vector in the axes of the joint's fixed frame); 0 for
 * joints that the link does not hang on. `out` has 3 joint_count numbers.
 */
ABUT_API void abut_chain_gradient(
    const AbutChain *chain, int32_t link, double t, AbutVec3 point, AbutVec3 direction, double *out);

/* ---- motions ----------------------------------------------------------------------------------------------------- */

typedef struct AbutKeyframe {
    double t;
    AbutPose pose;
} AbutKeyframe;

/*
 * Without keyframes: a point of the body follows a cubic path while the body spins about it at a constant rate; this
 * holds for all times. With keyframes: straight lines and constant spins from one to the next, at rest before the first
 * and after the last; the record points to them. With a chain: a link of it, and nothing else of the record counts.
 */
typedef struct AbutMotion {
    int32_t keyframe_count; /* 0: none */
    const AbutKeyframe *keyframes;
    double from;            /* time at which the body stands at `start` */
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

/* Keyframes in order of their times, at least one; they are not copied. Fails on times that do not grow, and on numbers
 * that are not finite or beyond 1e60; quaternions must be of unit length. */
ABUT_API AbutStatus abut_motion_keyframes(
    int32_t count, const AbutKeyframe *keyframes, AbutMotion *out, AbutError *error);

/*
 * Keyframes from CSV text: lines `t,x,y,z,qw,qx,qy,qz`, quaternions of any length; a first line of these words, empty
 * lines and lines that begin with # are skipped. `name` is used in messages. Release *out with abut_free.
 */
ABUT_API AbutStatus abut_keyframes_parse(
    const void *bytes, size_t count, const char *name, int32_t *keyframe_count, AbutKeyframe **out, AbutError *error);

/*
 * The same from an animation of the PolyDepth release (.ani): `<frames>f`, then for each frame `<k>f` and twelve
 * numbers, a rotation column by column and a translation; k, which grows, is the time. Its models stand with their
 * volume centroid at the origin before they are posed. The first tells whether bytes are one, by their first word.
 */
ABUT_API int abut_keyframes_are_animation(const void *bytes, size_t count);
ABUT_API AbutStatus abut_keyframes_parse_animation(
    const void *bytes, size_t count, const char *name, int32_t *keyframe_count, AbutKeyframe **out, AbutError *error);

/* A link of a chain, which is checked and not copied. */
ABUT_API AbutStatus abut_motion_chain(const AbutChain *chain, int32_t link, AbutMotion *out, AbutError *error);

/* First time after t at which the motion changes its formula: a keyframe, the end of a piece; INFINITY: none. */
ABUT_API double abut_motion_next_break(const AbutMotion *motion, double t);

/* The first and the last of them; 0 and 0 where there is none. */
ABUT_API void abut_motion_span(const AbutMotion *motion, double *from, double *to);

/* Are all numbers of a motion finite and at most 1e60, its quaternions of unit length and its times in order? */
ABUT_API AbutStatus abut_motion_check(const AbutMotion *motion, AbutError *error);

/* A motion with all that it points to, as files give it. */
typedef struct AbutMotionFile AbutMotionFile;

/*
 * A motion from text: CSV of poses, an animation, or a chain as JSON (docs/motions.md), told apart by the content.
 * Messages name the line. Release with abut_motion_file_free.
 */
ABUT_API AbutStatus abut_motion_parse(
    const void *bytes, size_t count, const char *name, AbutMotionFile **out, AbutError *error);
ABUT_API void abut_motion_file_free(AbutMotionFile *file);

/* The motion of a file; good as long as the file is. */
ABUT_API AbutMotion abut_motion_file_motion(const AbutMotionFile *file);

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
    ABUT_IMPACT_INVALID,   /* bad numbers, or beyond 1e60; an empty mesh, or a half-space that turns: all numbers of the
                              answer are NaN */
    ABUT_IMPACT_OUTCOME_COUNT
} AbutImpactOutcome;

/* A word for each: "none", "hit", "at_start", "grazing", "undecided", "invalid". */
ABUT_API const char *abut_impact_outcome_name(AbutImpactOutcome outcome);

typedef struct AbutImpactDef {
    double from, to;     /* to < from: backward, for the last contact */
    double tolerance;    /* distance that counts as touching, m; 0: 1e-6 of the smaller body's radius */
    int32_t round_limit; /* distance queries; 0: 2000 */
    int32_t no_bracket;  /* 1: a HIT within the tolerance will do, t_hi is the end of the interval */
    double level;        /* m; the distance at which the search stops in place of 0: above 0 for bodies with a margin,
                            below for convex bodies that may overlap by so much (meshes: INVALID) */
} AbutImpactDef;

typedef struct AbutImpact {
    AbutImpactOutcome outcome;
    double t;          /* of contact; the end of the interval for NONE */
    double t_lo, t_hi; /* no contact from the beginning to t_lo; contact at t_hi, or the end where none was found */
    double distance;   /* at t; negative in overlap of convex bodies where the level is */
    double approach;   /* at t: no points of the two come nearer at more than this, m/s; 0 or less: they do not */
    AbutVec3 normal;   /* at t: unit, from A to B, outer frame; zero in contact of meshes */
    AbutVec3 point_a, point_b;
    int32_t triangle_a, triangle_b; /* -1: convex */
    int32_t rounds;
} AbutImpact;

/*
 * First contact of two moving bodies, never late: bodies at distance d whose points approach each other at no more than
 * v cannot meet within d / v (conservative advancement). Every pair of kinds; a closed mesh is solid. With a level the
 * same of the time at which the distance has fallen to it.
 */
ABUT_API AbutImpact abut_time_of_impact(const AbutMovingBody *a, const AbutMovingBody *b, const AbutImpactDef *def);

/* ---- casts ------------------------------------------------------------------------------------------------------- */

/* A body that stands: a mesh or a convex body, the other NULL. */
typedef struct AbutPlacedBody {
    const AbutMeshTree *mesh;
    const AbutConvex *convex;
    AbutPose pose;
} AbutPlacedBody;

/* The points origin + t way, 0 <= t <= 1. */
typedef struct AbutRay {
    AbutVec3 origin, way;
} AbutRay;

/* Where a ray, or a shape moved along a straight way, first meets a body. */
typedef struct AbutCastHit {
    AbutImpactOutcome
        outcome;       /* AT_START: the ray begins inside or on the surface; GRAZING: it touches without going in */
    double t;          /* part of the way; 1 where there is no hit */
    double t_lo, t_hi; /* free until t_lo, in contact at t_hi */
    AbutVec3 point;    /* on the body */
    AbutVec3 normal;   /* unit, outward from the body; zero at the start and in contact of meshes */
    int32_t body;      /* number in the set; -1: no hit */
    int32_t feature;   /* triangle of a mesh; face of a sharp polyhedron, box (-x, +x, ... +z) or half-space; -1:
                          none */
} AbutCastHit;

/* A ray against one body, solid where it is convex or a closed mesh; exact but for rounding, and within 1e-13 of the
 * lengths involved for rounded bodies and support functions. `body` of the answer is 0. A ray that begins inside a
 * body, or on the surface of one to within 1e-13 of the lengths of its origin, is AT_START at t = 0 with a zero normal,
 * whichever way it goes. A ray without length asks for no more than that. */
ABUT_API AbutCastHit abut_ray_cast(const AbutPlacedBody *body, AbutRay ray);

/* A body moved by `way` without turning, never late: abut_time_of_impact of a translation; the normal points from
 * `body` to `moved`. `tolerance`: distance that counts as touching, 0 for 1e-6 of the smaller one's radius. */
ABUT_API AbutCastHit abut_shape_cast(
    const AbutPlacedBody *body, const AbutPlacedBody *moved, AbutVec3 way, double tolerance);

typedef struct AbutNearestPoint {
    int32_t body;    /* number in the set; -1: none, or bad numbers */
    int32_t feature; /* triangle of a mesh; -1: convex */
    double distance; /* negative inside a convex body or a closed mesh; INFINITY: none; NaN: the point is not finite */
    AbutVec3 point;  /* of the surface */
    AbutVec3 normal; /* unit, outward; zero on the surface of a mesh */
} AbutNearestPoint;

/* The point of a body's surface nearest to a point. */
ABUT_API AbutNearestPoint abut_nearest_point(const AbutPlacedBody *body, AbutVec3 point);

/* 0: the body is skipped. */
typedef int AbutBodyFilter(int32_t body, void *user);

/* A tree of boxes over the bodies of a set as they stand: casts then ask only those that can be met. */
typedef struct AbutBodyTree AbutBodyTree;

/* Keeps nothing of the bodies; to be made again when one of them has moved. Refuses bodies with bad numbers. */
ABUT_API AbutStatus abut_body_tree_create(
    int32_t count, const AbutPlacedBody *bodies, AbutBodyTree **out, AbutError *error);
ABUT_API void abut_body_tree_free(AbutBodyTree *tree); /* accepts NULL */

typedef struct AbutBodySet {
    int32_t count;
    const AbutPlacedBody *bodies;
    AbutBodyFilter *filter; /* NULL: all */
    void *user;
    const AbutBodyTree *tree; /* of these bodies; NULL: they are asked one by one, with the same answers */
} AbutBodySet;

/* The first hit of a set, of equal ones that of the first body; INVALID when the numbers of a body or of what is cast
 * are bad. */
ABUT_API AbutCastHit abut_ray_cast_set(const AbutBodySet *set, AbutRay ray);
ABUT_API AbutCastHit abut_shape_cast_set(
    const AbutBodySet *set, const AbutPlacedBody *moved, AbutVec3 way, double tolerance);

/* All hits, one for each body, in order of t. Gives their number, of which the first `capacity` are written; -1 when a
 * body is invalid. */
ABUT_API int32_t abut_ray_cast_set_all(const AbutBodySet *set, AbutRay ray, int32_t capacity, AbutCastHit *hits);
ABUT_API int32_t abut_shape_cast_set_all(const AbutBodySet *set, const AbutPlacedBody *moved, AbutVec3 way,
    double tolerance, int32_t capacity, AbutCastHit *hits);

/* The nearest of all bodies, or the one that the point is deepest in. */
ABUT_API AbutNearestPoint abut_nearest_point_set(const AbutBodySet *set, AbutVec3 point);

/* A question of a batch: a ray, or with `moved` a shape moved by ray.way; of nearest points only ray.origin counts. */
typedef struct AbutCastQuery {
    const AbutBodySet *set;
    AbutRay ray;
    const AbutPlacedBody *moved; /* NULL: a ray */
    double tolerance;            /* of a moved shape */
} AbutCastQuery;

/* Many questions at once; filters are called from any thread. */
ABUT_API void abut_cast_batch(int count, const AbutCastQuery *queries, AbutCastHit *out, int threads);
ABUT_API void abut_nearest_point_batch(int count, const AbutCastQuery *queries, AbutNearestPoint *out, int threads);

#ifdef __cplusplus
}
#endif

#endif
