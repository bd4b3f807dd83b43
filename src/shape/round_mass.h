/* SPDX-License-Identifier: Apache-2.0 */
/* Mass properties of round bodies of density 1 in closed form. In: sizes. Out: volume, area, centroid, inertia. */
#ifndef ABUT_SHAPE_ROUND_MASS_H
#define ABUT_SHAPE_ROUND_MASS_H

#include "abut/shape.h"

AbutMass abut_sphere_mass(AbutSphere sphere);

/* Bodies about z, centered at the origin: a cone has its base at -half_height and its apex at half_height. */
AbutMass abut_cylinder_mass(double radius, double half_height);
AbutMass abut_cone_mass(double radius, double half_height);
AbutMass abut_ellipsoid_mass(AbutVec3 semi_axes);

#endif
