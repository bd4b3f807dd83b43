/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spheres, capsules and ellipsoids. Their pictures are polyhedra whose vertices lie on the true surface, on circles of
 * latitude about z with `resolution` points each.
 */
#include "model/shape_kind.h"
#include "query/tolerance.h"

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
        return abut_fail_memory(error);
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
    double least = abut_smaller(size->x, abut_smaller(size->y, size->z));
    return abut_is_size(size->x) && abut_is_size(size->y) && abut_is_size(size->z) &&
           least >= ABUT_ROUND_FLATTEST * abut_max_abs(*size);
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

static AbutConvex sphere_convex(const AbutGeometry *geometry)
{
    return abut_convex_point(abut_zero(), geometry->size.x);
}

static AbutConvex capsule_convex(const AbutGeometry *geometry)
{
    AbutVec3 end = abut_vec3(0.0, 0.0, geometry->size.z);
    return geometry->size.z > 0.0 ? abut_convex_segment(abut_neg(end), end, geometry->size.x) : sphere_convex(geometry);
}

static AbutConvex ellipsoid_convex(const AbutGeometry *geometry)
{
    AbutVec3 a = geometry->size;
    return a.x == a.y && a.y == a.z ? sphere_convex(geometry) : abut_convex_ellipsoid(a, 0.0);
}

const AbutShapeKindRow abut_kind_sphere = {1, tidy_sphere, make_ellipsoid, sphere_convex};
const AbutShapeKindRow abut_kind_capsule = {1, tidy_capsule, make_capsule, capsule_convex};
const AbutShapeKindRow abut_kind_ellipsoid = {1, tidy_ellipsoid, make_ellipsoid, ellipsoid_convex};
