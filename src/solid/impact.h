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

static inline int abut_impact_is_mesh(const AbutImpactBody *body) { return body->solid.kind == ABUT_SOLID_MESH; }

/* Two bodies, of which one at least is a mesh or both are convex, on their way to a distance of `level`. */
typedef struct AbutImpactSearch {
    AbutImpactBody a, b;
    double tolerance, level; /* the search stops at the level, above it within the tolerance */
    AbutGapCache cache;
    int32_t rounds;
} AbutImpactSearch;

/*
 * A time from t on for which two bodies at `gap` (outer frame), one a mesh, do not come to the level, at least `plain`:
 * pairs of triangles, or triangles and the convex body, nearer than four times the distance are followed one by one,
 * along their own normals and with a bound of acceleration. No points approach faster than `speed` until `to`.
 */
double abut_impact_near_step(
    const AbutImpactSearch *s, const AbutGap *gap, double t, double to, double speed, double plain);

/* Where the first contact of two meshes that move along a straight line can be: the time up to which they are free, or
 * `from` when nothing is known. */
double abut_impact_straight(const AbutImpactSearch *s, double from, double to);

#endif
