/* SPDX-License-Identifier: Apache-2.0 */
/* Private: steps of the time of impact that look at single triangles. */
#ifndef ABUT_SOLID_IMPACT_H
#define ABUT_SOLID_IMPACT_H

#include "solid/solid.h"

/* A mesh or a convex body with its motion, and a ball around it in its own frame. */
typedef struct AbutImpactBody {
    AbutSolid solid;
    const AbutMotion *motion;
    AbutVec3 center;
    double radius;
    int half_space;
} AbutImpactBody;

static inline int abut_impact_is_mesh(const AbutImpactBody *body)
{
    return body->solid.kind == ABUT_SOLID_MESH;
}

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
