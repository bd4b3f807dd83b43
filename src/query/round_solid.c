/* SPDX-License-Identifier: Apache-2.0 */
/* Round solids: which bodies are, their mass properties in closed form, a sphere around them. */
#include "query/round_solid.h"
#include "query/round.h"
#include "shape/round_mass.h"

int abut_convex_is_round_solid(const AbutConvex *c) {
    if (!isfinite(c->radius)) return 0;
    switch (c->kind) {
    case ABUT_CONVEX_POINT:
        return c->radius > 0.0 && abut_is_finite(c->p[0]);
    case ABUT_CONVEX_SEGMENT:
        return c->radius > 0.0 && abut_is_finite(c->p[0]) && abut_is_finite(c->p[1]);
    case ABUT_CONVEX_CYLINDER:
    case ABUT_CONVEX_CONE:
    case ABUT_CONVEX_ELLIPSOID:
        return c->radius == 0.0 && abut_round_is_valid(c) && c->p[0].x > 0.0 && c->p[0].z > 0.0;
    default:
        return 0;
    }
}

AbutMass abut_round_solid_mass(const AbutConvex *c) {
    switch (c->kind) {
    case ABUT_CONVEX_POINT:
        return abut_sphere_mass((AbutSphere){c->p[0], c->radius});
    case ABUT_CONVEX_SEGMENT:
        return abut_capsule_mass((AbutCapsule){c->p[0], c->p[1], c->radius});
    case ABUT_CONVEX_CYLINDER:
        return abut_cylinder_mass(c->p[0].x, c->p[0].z);
    case ABUT_CONVEX_CONE:
        return abut_cone_mass(c->p[0].x, c->p[0].z);
    default:
        return abut_ellipsoid_mass(c->p[0]);
    }
}

AbutStatus abut_convex_mass(const AbutConvex *c, AbutMass *out, AbutError *error) {
    ABUT_ASSERT(c && out);
    AbutPolyhedron *box = NULL;
    AbutStatus status = ABUT_OK;
    int sharp = !(c->radius > 0.0);
    if (c->kind == ABUT_CONVEX_POINT || c->kind == ABUT_CONVEX_SEGMENT || (sharp && abut_convex_is_round(c))) {
        *out = abut_round_solid_mass(c);
    } else if (sharp && c->kind == ABUT_CONVEX_POLYHEDRON) {
        *out = c->polyhedron->mass;
    } else if (sharp && c->kind == ABUT_CONVEX_BOX) {
        status = abut_polyhedron_box(c->p[0], &box, error);
        if (status == ABUT_OK) *out = box->mass;
        abut_polyhedron_free(box);
    } else {
        status =
            abut_fail(error, ABUT_ERROR_UNSUPPORTED, "expected a body of known mass, got a rounded or endless one");
    }
    return status;
}

AbutSphere abut_round_solid_bound(const AbutConvex *c) {
    AbutSphere out = {abut_zero(), 0.0};
    if (abut_convex_is_round(c)) {
        out.radius = abut_round_reach(c);
    } else if (c->kind == ABUT_CONVEX_SEGMENT) {
        out.center = abut_lerp(c->p[0], c->p[1], 0.5);
        out.radius = c->radius + 0.5 * abut_point_distance(c->p[0], c->p[1]);
    } else {
        out.center = c->p[0];
        out.radius = c->radius;
    }
    return out;
}
