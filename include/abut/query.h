/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query: questions about two convex bodies. Do they meet, how far apart or how deep are they, in what volume.
 *
 * A query is a plain function: bodies and the pose of B in A go in, a result comes out by value, in the frame of A.
 * Nothing is allocated and nothing is shared, so any number of threads may ask at once. A cache, when given, makes the
 * next question about the same pair cheaper; a zeroed cache is valid, and no answer depends on it beyond rounding.
 *
 * Signs: distance is negative in penetration; the normal is a unit vector from A to B: moving B along it by -distance
 * makes the bodies touch.
 */
#ifndef ABUT_QUERY_H
#define ABUT_QUERY_H

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- convex bodies --------------------------------------------------------------------------------------------------- */

typedef enum AbutConvexKind {
    ABUT_CONVEX_POINT = 0,  /* p[0]; with a radius: a sphere */
    ABUT_CONVEX_SEGMENT,    /* p[0] p[1]; with a radius: a capsule */
    ABUT_CONVEX_TRIANGLE,   /* p[0] p[1] p[2] */
    ABUT_CONVEX_BOX,        /* half sizes in p[0], centred at the origin, along the axes */
    ABUT_CONVEX_POLYHEDRON, /* polyhedron */
    ABUT_CONVEX_SUPPORT,    /* support(direction, user) */
    ABUT_CONVEX_KIND_COUNT
} AbutConvexKind;

/* A point of the body farthest along `direction` (not zero, any length). */
typedef AbutVec3 AbutSupportFunction(AbutVec3 direction, const void *user);

/* A convex body, rounded by a ball of `radius` (0: not rounded). It points to data that the caller keeps alive. */
typedef struct AbutConvex {
    AbutConvexKind kind;
    double radius;
    AbutVec3 p[3];
    const AbutPolyhedron *polyhedron;
    AbutSupportFunction *support;
    const void *user;
} AbutConvex;

static inline AbutConvex abut_convex_point(AbutVec3 p, double radius)
{
    AbutConvex c = {ABUT_CONVEX_POINT, radius, {p, {0, 0, 0}, {0, 0, 0}}, NULL, NULL, NULL};
    return c;
}

static inline AbutConvex abut_convex_segment(AbutVec3 a, AbutVec3 b, double radius)
{
    AbutConvex c = {ABUT_CONVEX_SEGMENT, radius, {a, b, {0, 0, 0}}, NULL, NULL, NULL};
    return c;
}

static inline AbutConvex abut_convex_triangle(AbutVec3 a, AbutVec3 b, AbutVec3 c, double radius)
{
    AbutConvex shape = {ABUT_CONVEX_TRIANGLE, radius, {a, b, c}, NULL, NULL, NULL};
    return shape;
}

static inline AbutConvex abut_convex_sphere(AbutSphere sphere)
{
    return abut_convex_point(sphere.center, sphere.radius);
}

static inline AbutConvex abut_convex_capsule(AbutCapsule capsule)
{
    return abut_convex_segment(capsule.a, capsule.b, capsule.radius);
}

static inline AbutConvex abut_convex_box(AbutVec3 half_size, double radius)
{
    AbutConvex c = {ABUT_CONVEX_BOX, radius, {half_size, {0, 0, 0}, {0, 0, 0}}, NULL, NULL, NULL};
    return c;
}

static inline AbutConvex abut_convex_polyhedron(const AbutPolyhedron *polyhedron, double radius)
{
    AbutConvex c = {ABUT_CONVEX_POLYHEDRON, radius, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, polyhedron, NULL, NULL};
    return c;
}

static inline AbutConvex abut_convex_support(AbutSupportFunction *support, const void *user, double radius)
{
    AbutConvex c = {ABUT_CONVEX_SUPPORT, radius, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, NULL, support, user};
    return c;
}

/* ---- signed distance ------------------------------------------------------------------------------------------------- */

typedef enum AbutDistanceOutcome {
    ABUT_SEPARATED = 0, /* distance > 0 */
    ABUT_TOUCHING,      /* |distance| is below 1e-10 of the size of the pair */
    ABUT_PENETRATING,   /* distance < 0 */
    ABUT_NOT_CONVERGED, /* the best answer within the iteration limit; `gap` bounds its error */
    ABUT_INVALID        /* NaN, infinity, a negative radius or an unknown kind in the input; no numbers */
} AbutDistanceOutcome;

/* The part of a body that holds a witness point: count vertices (1 vertex, 2 edge, 3 face), by index; -1 for a support
 * function. A box numbers its corners by bits: bit 0 for +x, bit 1 for +y, bit 2 for +z. */
typedef struct AbutFeature {
    int32_t count;
    int32_t vertex[3];
} AbutFeature;

typedef struct AbutDistance {
    AbutDistanceOutcome outcome;
    double distance;            /* signed: negative is the depth */
    AbutVec3 normal;            /* unit, from A to B */
    AbutVec3 point_a, point_b;  /* witness points; point_b - point_a = distance * normal */
    AbutFeature feature_a, feature_b;
    double gap;                 /* proven bound on the error of the distance, rounding aside */
    int32_t iterations;         /* support points taken */
} AbutDistance;

/* Warm start for one pair: the features of the last answer. Zeroed is valid. */
typedef struct AbutDistanceCache {
    int32_t count;
    int32_t vertex_a[4], vertex_b[4];
    AbutVec3 direction; /* last separating direction, frame of A; zero: none */
} AbutDistanceCache;

/* Signed distance of A and B, B placed by `b_in_a`. `cache` may be NULL. */
ABUT_API AbutDistance abut_convex_distance(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutDistanceCache *cache);

/* The same for two capsules (or spheres: a = b) in one common frame. */
ABUT_API AbutDistance abut_capsule_distance(AbutCapsule a, AbutCapsule b);

/* Do they meet (touching counts)? Cheaper than the distance: stops at the first separating direction. -1: invalid. */
ABUT_API int abut_convex_meet(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutDistanceCache *cache);

/* Farthest vertex of a body along a direction, in its own frame. */
ABUT_API AbutVec3 abut_convex_farthest(const AbutConvex *convex, AbutVec3 direction);

/*
 * How a distance changes when the bodies move. Columns 0-2: translation of A, 3-5: rotation of A (a small rotation
 * vector about the origin of A), 6-8 and 9-11: the same for B about its own origin; all in world axes.
 */
typedef struct AbutDistanceDerivative {
    int valid;        /* 0: the nearest features are not unique or about to change; the numbers are one-sided at best */
    int points_valid; /* the same for the witness points; always 0 for a support function, whose curvature is unknown */
    double distance[12];
    double point_a[3][12], point_b[3][12];
} AbutDistanceDerivative;

/* `result` is the answer for inv(pose_a) pose_b, in the frame of A. */
ABUT_API AbutDistanceDerivative abut_distance_derivative(const AbutConvex *a, const AbutConvex *b, AbutPose pose_a,
    AbutPose pose_b, const AbutDistance *result);

#ifdef __cplusplus
}
#endif

#endif
