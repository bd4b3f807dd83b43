/* SPDX-License-Identifier: Apache-2.0 */
/* Mass properties of MJCF geoms in closed form: the solids the file means, not the polyhedra that stand for them. */
#include "import/mjcf_read.h"

static AbutMass round_solid(double volume, double xx, double yy, double zz)
{
    AbutMass out = {.volume = volume, .inertia = abut_mat3_diagonal(volume * xx, volume * yy, volume * zz)};
    return out;
}

/* The solid of density 1 in the frame of the geom; empty for planes and what is not simulated. */
static AbutMass solid_of(const AbutDraftGeom *geom, const AbutMass *mesh)
{
    double a = geom->def.form.size.x, b = geom->def.form.size.y, c = geom->def.form.size.z;
    AbutMass none = {0};
    switch (geom->type) {
    case ABUT_MJCF_SPHERE:
        return abut_sphere_mass((AbutSphere){abut_zero(), a});
    case ABUT_MJCF_CAPSULE:
        return abut_capsule_mass((AbutCapsule){abut_vec3(0, 0, -c), abut_vec3(0, 0, c), a});
    case ABUT_MJCF_ELLIPSOID:
        return round_solid(
            4.0 / 3.0 * ABUT_PI * a * b * c, (b * b + c * c) / 5.0, (a * a + c * c) / 5.0, (a * a + b * b) / 5.0);
    case ABUT_MJCF_CYLINDER:
        return round_solid(
            2.0 * ABUT_PI * a * a * c, a * a / 4.0 + c * c / 3.0, a * a / 4.0 + c * c / 3.0, a * a / 2.0);
    case ABUT_MJCF_BOX:
        return round_solid(8.0 * a * b * c, (b * b + c * c) / 3.0, (a * a + c * c) / 3.0, (a * a + b * b) / 3.0);
    case ABUT_MJCF_MESH:
        return *mesh;
    default:
        return none;
    }
}

AbutRigid abut_mjcf_geom_mass(const AbutDraftGeom *geom, const AbutMass *mesh)
{
    AbutMass solid = solid_of(geom, mesh);
    if (!(solid.volume > 0.0))
        return (AbutRigid){0};
    double mass = geom->mass >= 0.0 ? geom->mass : geom->def.density * solid.volume;
    AbutRigid own = {mass, solid.centroid, abut_mat3_scale(solid.inertia, mass / solid.volume)};
    return abut_rigid_move(own, geom->def.pose);
}
