/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mass properties of spheres and capsules in closed form, for density 1.
 * A capsule is a cylinder of length L and two half balls; a half ball of mass m has 2/5 m r^2 about any axis through
 * the middle of its flat side, and its centroid lies 3/8 r from there.
 */
#include "abut/shape.h"

AbutMass abut_sphere_mass(AbutSphere sphere)
{
    double r = sphere.radius;
    AbutMass mass = {0};
    mass.volume = 4.0 / 3.0 * ABUT_PI * r * r * r;
    mass.area = 4.0 * ABUT_PI * r * r;
    mass.centroid = sphere.center;
    double moment = 0.4 * mass.volume * r * r;
    mass.inertia = abut_mat3_diagonal(moment, moment, moment);
    return mass;
}

AbutMass abut_capsule_mass(AbutCapsule capsule)
{
    double r = capsule.radius, length = abut_distance(capsule.a, capsule.b);
    AbutVec3 axis = abut_normalize_or(abut_sub(capsule.b, capsule.a), abut_axis(2));
    double tube = ABUT_PI * r * r * length, caps = 4.0 / 3.0 * ABUT_PI * r * r * r;
    double along = 0.5 * tube * r * r + 0.4 * caps * r * r;
    double across = tube * (3.0 * r * r + length * length) / 12.0 +
                    caps * (0.4 * r * r + 0.25 * length * length + 0.375 * length * r);
    AbutMass mass = {0};
    mass.volume = tube + caps;
    mass.area = 2.0 * ABUT_PI * r * (length + 2.0 * r);
    mass.centroid = abut_add(abut_scale(capsule.a, 0.5), abut_scale(capsule.b, 0.5));
    mass.inertia = abut_mat3_add(
        abut_mat3_diagonal(across, across, across), abut_mat3_scale(abut_mat3_outer(axis, axis), along - across));
    return mass;
}
