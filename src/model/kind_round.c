/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spheres, capsules and ellipsoids as polyhedra whose vertices lie on the true surface, on circles of latitude about z
 * with `resolution` points each; volume and mass are those of the polyhedron, a little below those of the round body.
 */
#include "model/shape_kind.h"

/* Points of two half ellipsoids, `shift` apart from the middle along z; gives their number. */
static int round_points(AbutVec3 size, double shift, int around, AbutVec3 *points)
{
    int rings = around / 4 > 1 ? around / 4 : 1, n = 0;
    for (int side = 0; side < 2; ++side) {
        double sign = side ? 1.0 : -1.0;
        for (int ring = shift > 0.0 || !side ? 0 : 1; ring < rings;
             ++ring) { /* the equator once where both halves share it */
            double latitude = 0.5 * ABUT_PI * ring / rings;
            for (int i = 0; i < around; ++i) {
                double angle = 2.0 * ABUT_PI * i / around;
                points[n++] = abut_vec3(size.x * abut_cos(latitude) * abut_cos(angle),
                    size.y * abut_cos(latitude) * abut_sin(angle), sign * (size.z * abut_sin(latitude) + shift));
            }
        }
        points[n++] = abut_vec3(0.0, 0.0, sign * (size.z + shift));
    }
    return n;
}

static AbutStatus make_round(AbutVec3 size, double shift, int around, AbutPolyhedron **out, AbutError *error)
{
    AbutVec3 *points = abut_alloc_array((size_t)around * (size_t)(around / 2 + 2) + 2, sizeof *points);
    if (!points)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a round shape of resolution %d", around);
    AbutHullDef def = {.solid_only = 1};
    AbutStatus status =
        abut_polyhedron_from_points(points, round_points(size, shift, around, points), &def, out, error);
    abut_free(points);
    return status;
}

static int tidy_sphere(AbutVec3 *size)
{
    size->y = size->z = size->x;
    return abut_is_size(size->x);
}

static int tidy_capsule(AbutVec3 *size)
{
    size->y = size->x;
    size->z += 0.0; /* -0 becomes 0 */
    return abut_is_size(size->x) && size->z >= 0.0 && isfinite(size->z);
}

static int tidy_ellipsoid(AbutVec3 *size)
{
    return abut_is_size(size->x) && abut_is_size(size->y) && abut_is_size(size->z);
}

/* Spheres and ellipsoids. */
static AbutStatus make_ellipsoid(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    return make_round(def->size, 0.0, def->resolution, out, error);
}

static AbutStatus make_capsule(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    AbutVec3 s = def->size;
    return make_round(abut_vec3(s.x, s.x, s.x), s.z, def->resolution, out, error);
}

const AbutShapeKindRow abut_kind_sphere = {"sphere", 1, tidy_sphere, make_ellipsoid, abut_kind_polyhedron_convex};
const AbutShapeKindRow abut_kind_capsule = {"capsule", 1, tidy_capsule, make_capsule, abut_kind_polyhedron_convex};
const AbutShapeKindRow abut_kind_ellipsoid = {
    "ellipsoid", 1, tidy_ellipsoid, make_ellipsoid, abut_kind_polyhedron_convex};
