/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the derivatives of bodies with vertices and of round bodies: where a witness point may go. */
#ifndef ABUT_QUERY_DERIVATIVE_H
#define ABUT_QUERY_DERIVATIVE_H

#include "query/convex_pair.h"

/* The flat that carries a witness point, in world axes. */
typedef struct AbutFlat {
    int dim;
    AbutVec3 u[2]; /* unit directions; orthogonal when there are two */
    AbutVec3 point, origin;
} AbutFlat;

/* The twist is that of the origin. */
static inline AbutVec3 abut_flat_velocity(AbutTwist t, const AbutFlat *flat) {
    return abut_add(t.linear, abut_cross(t.angular, abut_sub(flat->point, flat->origin)));
}

/* The surface of a body about its witness point: straight directions, and how the point follows the normal otherwise
 * (round.h); both with the radius of the body. */
typedef struct AbutSurface {
    AbutFlat flat;
    AbutMat3 curvature;
} AbutSurface;

/* The straight directions of a round kind where its outward normal is n, in its own frame: their number. */
int abut_round_straight(const AbutConvex *c, AbutVec3 n, AbutVec3 u[2]);

/* The surface of a round kind with normal n and core witness `point`, all in its own frame; 0: about to change. */
int abut_round_surface(const AbutConvex *c, AbutVec3 n, AbutVec3 point, AbutSurface *out);

/* Velocities of both witness points for motions a and b; n from A to B. 0: they are not determined. */
int abut_surface_move(const AbutSurface *a, const AbutSurface *b, AbutVec3 n, double distance, AbutTwist ta,
    AbutTwist tb, AbutVec3 *point_a, AbutVec3 *point_b);

#endif
