/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kinds of shapes, in the order of AbutShapeKind: what their sizes mean, their polyhedra, and what they are for
 * queries. Pictures of round kinds are polyhedra whose vertices lie on the true surface: of spheres, capsules and
 * ellipsoids on circles of latitude about z with `resolution` points each, of cylinders and cones prisms and pyramids
 * of `resolution` sides. Half-spaces are z <= 0 of the shape frame, without a polyhedron; a height field, whose grid
 * stands in the geometry, is the box around it as a polyhedron and for bounds.
 */
#include "model/shape_kind.h"

#include <string.h>

#include "query/tolerance.h"
#include "shape/height_grid.h"

static int is_size(double x) { return x > 0.0 && isfinite(x); }

/* ---- boxes, cylinders, cones -------------------------------------------------------------------------------------- */

static int tidy_box(AbutVec3 *size) { return is_size(size->x) && is_size(size->y) && is_size(size->z); }

static AbutStatus make_box(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error) {
    return abut_polyhedron_box(def->size, out, error);
}

static AbutConvex box_convex(const AbutGeometry *geometry) { return abut_convex_box(geometry->size, 0.0); }

static int tidy_cylinder(AbutVec3 *size) {
    size->y = size->x;
    return is_size(size->x) && is_size(size->z);
}

static AbutStatus make_cylinder(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error) {
    return abut_polyhedron_prism(def->resolution, def->size.x, def->size.x, 2.0 * def->size.z, out, error);
}

static AbutStatus make_cone(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error) {
    return abut_polyhedron_prism(def->resolution, def->size.x, 0.0, 2.0 * def->size.z, out, error);
}

static AbutConvex cylinder_convex(const AbutGeometry *geometry) {
    return abut_convex_cylinder(geometry->size.x, geometry->size.z, 0.0);
}

static AbutConvex cone_convex(const AbutGeometry *geometry) {
    return abut_convex_cone(geometry->size.x, geometry->size.z, 0.0);
}

/* ---- spheres, capsules, ellipsoids ------------------------------------------------------------------------------- */

/* Points of two half ellipsoids, `shift` apart from the middle along z; gives their number. */
static int round_points(AbutVec3 size, double shift, int around, AbutVec3 *points) {
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

static AbutStatus make_round(AbutVec3 size, double shift, int around, AbutPolyhedron **out, AbutError *error) {
    AbutVec3 *points = abut_alloc_array((size_t)around * (size_t)(around / 2 + 2) + 2, sizeof *points);
    if (!points) return abut_fail_memory(error);
    AbutHullDef def = {.solid_only = 1};
    AbutStatus status =
        abut_polyhedron_from_points(points, round_points(size, shift, around, points), &def, out, error);
    abut_free(points);
    return status;
}

static int tidy_sphere(AbutVec3 *size) {
    size->y = size->z = size->x;
    return is_size(size->x);
}

static int tidy_capsule(AbutVec3 *size) {
    size->y = size->x;
    size->z += 0.0; /* -0 becomes 0 */
    return is_size(size->x) && size->z >= 0.0 && isfinite(size->z);
}

static int tidy_ellipsoid(AbutVec3 *size) {
    double least = abut_smaller(size->x, abut_smaller(size->y, size->z));
    return tidy_box(size) && least >= ABUT_ROUND_FLATTEST * abut_max_abs(*size);
}

/* Spheres and ellipsoids. */
static AbutStatus make_ellipsoid(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error) {
    return make_round(def->size, 0.0, def->resolution, out, error);
}

static AbutStatus make_capsule(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error) {
    AbutVec3 s = def->size;
    return make_round(abut_vec3(s.x, s.x, s.x), s.z, def->resolution, out, error);
}

static AbutConvex sphere_convex(const AbutGeometry *geometry) {
    return abut_convex_point(abut_zero(), geometry->size.x);
}

static AbutConvex capsule_convex(const AbutGeometry *geometry) {
    AbutVec3 end = abut_vec3(0.0, 0.0, geometry->size.z);
    return geometry->size.z > 0.0 ? abut_convex_segment(abut_neg(end), end, geometry->size.x) : sphere_convex(geometry);
}

static AbutConvex ellipsoid_convex(const AbutGeometry *geometry) {
    AbutVec3 a = geometry->size;
    return a.x == a.y && a.y == a.z ? sphere_convex(geometry) : abut_convex_ellipsoid(a, 0.0);
}

/* ---- what has no sizes ------------------------------------------------------------------------------------------- */

static int tidy_none(AbutVec3 *size) {
    *size = abut_zero();
    return 1;
}

/* As it is given: checked and copied. */
static AbutStatus make_polyhedron(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error) {
    const AbutPolyhedron *given = def->polyhedron;
    ABUT_TRY(abut_polyhedron_check(given, (size_t)given->bytes, error));
    *out = abut_alloc((size_t)given->bytes);
    if (!*out) return abut_fail_memory(error);
    memcpy(*out, given, (size_t)given->bytes);
    return ABUT_OK;
}

static AbutStatus make_field(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error) {
    AbutAabb box = ((const AbutHeightGrid *)(const void *)def->field)->box;
    AbutVec3 corner[8];
    for (int i = 0; i < 8; ++i)
        corner[i] =
            abut_vec3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
    return abut_polyhedron_from_points(corner, 8, NULL, out, error);
}

static AbutConvex polyhedron_convex(const AbutGeometry *geometry) {
    return abut_convex_polyhedron(geometry->polyhedron, 0.0);
}

static AbutStatus make_none(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error) {
    (void)def, (void)error;
    *out = NULL;
    return ABUT_OK;
}

static AbutConvex half_space_convex(const AbutGeometry *geometry) {
    (void)geometry;
    return abut_convex_half_space((AbutPlane){{0.0, 0.0, 1.0}, 0.0}, 0.0);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const AbutShapeKindRow rows[ABUT_SHAPE_KIND_COUNT] = {
    [ABUT_SHAPE_BOX] = {0, tidy_box, make_box, box_convex},
    [ABUT_SHAPE_SPHERE] = {1, tidy_sphere, make_ellipsoid, sphere_convex},
    [ABUT_SHAPE_CAPSULE] = {1, tidy_capsule, make_capsule, capsule_convex},
    [ABUT_SHAPE_CYLINDER] = {1, tidy_cylinder, make_cylinder, cylinder_convex},
    [ABUT_SHAPE_ELLIPSOID] = {1, tidy_ellipsoid, make_ellipsoid, ellipsoid_convex},
    [ABUT_SHAPE_POLYHEDRON] = {0, tidy_none, make_polyhedron, polyhedron_convex},
    [ABUT_SHAPE_HALF_SPACE] = {0, tidy_none, make_none, half_space_convex},
    [ABUT_SHAPE_HEIGHT_FIELD] = {0, tidy_none, make_field, polyhedron_convex},
    [ABUT_SHAPE_CONE] = {1, tidy_cylinder, make_cone, cone_convex},
};

const AbutShapeKindRow *abut_shape_kind_row(AbutShapeKind kind) {
    return (int)kind >= 0 && kind < ABUT_SHAPE_KIND_COUNT ? &rows[kind] : NULL;
}

const char *const abut_shape_kind_names[ABUT_SHAPE_KIND_COUNT + 1] = {
    [ABUT_SHAPE_BOX] = "box",
    [ABUT_SHAPE_SPHERE] = "sphere",
    [ABUT_SHAPE_CAPSULE] = "capsule",
    [ABUT_SHAPE_CYLINDER] = "cylinder",
    [ABUT_SHAPE_ELLIPSOID] = "ellipsoid",
    [ABUT_SHAPE_POLYHEDRON] = "polyhedron",
    [ABUT_SHAPE_HALF_SPACE] = "half_space",
    [ABUT_SHAPE_HEIGHT_FIELD] = "height_field",
    [ABUT_SHAPE_CONE] = "cone",
};
