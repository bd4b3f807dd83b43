/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mass properties of MJCF geoms in closed form (the solids the file means, not the polyhedra that stand for them), and
 * sums of them. Inertia about the centre of mass.
 */
#include "file/mjcf_read.h"

static AbutMass round_solid(double volume, double xx, double yy, double zz)
{
    AbutMass out = {.volume = volume, .inertia = abut_mat3_diagonal(volume * xx, volume * yy, volume * zz)};
    return out;
}

/* The solid of density 1 in the frame of the geom; empty for planes and what is not simulated. */
static AbutMass solid_of(const AbutMjcfGeom *geom, const AbutMass *mesh)
{
    double a = geom->size.x, b = geom->size.y, c = geom->size.z;
    AbutMass none = {0};
    switch (geom->type) {
    case ABUT_MJCF_SPHERE:
        return abut_sphere_mass((AbutSphere){abut_zero(), a});
    case ABUT_MJCF_CAPSULE:
        return abut_capsule_mass((AbutCapsule){abut_vec3(0, 0, -b), abut_vec3(0, 0, b), a});
    case ABUT_MJCF_ELLIPSOID:
        return round_solid(
            4.0 / 3.0 * ABUT_PI * a * b * c, (b * b + c * c) / 5.0, (a * a + c * c) / 5.0, (a * a + b * b) / 5.0);
    case ABUT_MJCF_CYLINDER:
        return round_solid(
            2.0 * ABUT_PI * a * a * b, a * a / 4.0 + b * b / 3.0, a * a / 4.0 + b * b / 3.0, a * a / 2.0);
    case ABUT_MJCF_BOX:
        return round_solid(8.0 * a * b * c, (b * b + c * c) / 3.0, (a * a + c * c) / 3.0, (a * a + b * b) / 3.0);
    case ABUT_MJCF_MESH:
        return *mesh;
    default:
        return none;
    }
}

AbutMjcfMass abut_mjcf_geom_mass(const AbutMjcfGeom *geom, const AbutMass *mesh)
{
    AbutMass solid = solid_of(geom, mesh);
    if (!(solid.volume > 0.0))
        return (AbutMjcfMass){0};
    double mass = geom->mass >= 0.0 ? geom->mass : geom->density * solid.volume;
    AbutMjcfMass own = {mass, solid.centroid, abut_mat3_scale(solid.inertia, mass / solid.volume)};
    return abut_mjcf_mass_move(own, geom->pose);
}

AbutMjcfMass abut_mjcf_mass_move(AbutMjcfMass a, AbutPose pose)
{
    AbutMat3 r = abut_quat_to_mat3(pose.q);
    a.center = abut_pose_apply(pose, a.center);
    a.inertia = abut_mat3_mul(abut_mat3_mul(r, a.inertia), abut_mat3_transpose(r));
    return a;
}

/* Inertia of a point mass at v about the origin. */
static AbutMat3 point_inertia(double mass, AbutVec3 v)
{
    AbutMat3 s = abut_mat3_skew(v);
    return abut_mat3_scale(abut_mat3_mul(s, s), -mass);
}

AbutMjcfMass abut_mjcf_mass_add(AbutMjcfMass a, AbutMjcfMass b)
{
    double mass = a.mass + b.mass;
    if (!(mass > 0.0))
        return (AbutMjcfMass){.center = a.center, .inertia = abut_mat3_add(a.inertia, b.inertia)};
    AbutVec3 center = abut_lerp(a.center, b.center, b.mass / mass);
    AbutMjcfMass sum = {mass, center, abut_mat3_add(a.inertia, b.inertia)};
    sum.inertia = abut_mat3_add(sum.inertia, point_inertia(a.mass, abut_sub(a.center, center)));
    sum.inertia = abut_mat3_add(sum.inertia, point_inertia(b.mass, abut_sub(b.center, center)));
    return sum;
}
