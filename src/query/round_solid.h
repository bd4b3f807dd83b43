/* SPDX-License-Identifier: Apache-2.0 */
/* Spheres, capsules, cylinders, cones and ellipsoids as solids: what they are besides a body of the queries. */
#ifndef ABUT_QUERY_ROUND_SOLID_H
#define ABUT_QUERY_ROUND_SOLID_H

#include "abut/query.h"

/* Is it one of them, of finite sizes and with volume? A cylinder, cone or ellipsoid with a radius of its own is none.
 */
int abut_convex_is_round_solid(const AbutConvex *c);

/* For one of them: mass properties for density 1, and a sphere around it. */
AbutMass abut_round_solid_mass(const AbutConvex *c);
AbutSphere abut_round_solid_bound(const AbutConvex *c);

#endif
