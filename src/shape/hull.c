/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Convex hull of points: the entry, and the order of the stages.
 *
 * In: points in meters. Out: a packed polyhedron whose vertices are a subset of the points, bit for bit.
 * Stages: scale -> simplex (dimension) -> build (triangles, exact signs) -> merge (faces, tolerance) -> pack; sets
 * without volume go simplex -> flat -> pack.
 *
 * Tolerance: `tolerance` times the longest side of the bounding box (default 1e-11), and at least sixteen units in the
 * last place of the largest coordinate, so that a set far from the origin is judged by the grain of its coordinates.
 */
#include "shape/hull.h"
#include "shape/tolerance.h"

typedef struct Scaled {
    AbutVec3 *points;
    double tolerance;
    double unit; /* what a meter is */
} Scaled;

static double to_grid(double x) {
    return fabs(x) < 0x1p-6 ? rint(x * 0x1p60) * 0x1p-60 : x; /* larger ones are on the grid already */
}

/* Centered copies of the points in [-1, 1], and the tolerance in their unit. */
static AbutStatus scale_points(const AbutVec3 *points, int count, double relative, Scaled *out, AbutError *error) {
    AbutAabb box = abut_aabb_empty();
    for (int i = 0; i < count; ++i) {
        if (!abut_is_finite(points[i])) return abut_fail(error, ABUT_ERROR_NUMBER, "point %d is not finite", i);
        box = abut_aabb_add(box, points[i]);
    }
    double most = fmax(abut_max_abs(box.min), abut_max_abs(box.max));
    if (most > ABUT_SHAPE_MAX_COORDINATE)
        return abut_fail(error, ABUT_ERROR_LIMIT, "coordinate %g is beyond %g", most, ABUT_SHAPE_MAX_COORDINATE);
    AbutVec3 center = abut_scale(abut_add(box.min, box.max), 0.5);
    double extent = abut_max_abs(abut_sub(box.max, box.min));
    int exponent = 0;
    frexp(fmax(extent, 1.0 / ABUT_SHAPE_MAX_COORDINATE), &exponent);
    double unit = out->unit = ldexp(1.0, -exponent); /* extent * unit < 1 */
    out->points = abut_alloc_array((size_t)count, sizeof *out->points);
    if (!out->points) return abut_fail_memory(error);
    for (int i = 0; i < count; ++i) {
        AbutVec3 p = abut_scale(abut_sub(points[i], center), unit);
        out->points[i] = abut_vec3(to_grid(p.x), to_grid(p.y), to_grid(p.z));
    }
    out->tolerance = fmax(relative * extent, ABUT_HULL_GRAIN * 0x1p-52 * most) * unit;
    if (extent < 1.0 / ABUT_SHAPE_MAX_COORDINATE) out->tolerance = 2.0;
    return ABUT_OK;
}

/*
 * Merging at the tolerance fails where the points carry noise of just that size (faces that are not convex polygons).
 * Then a somewhat wider tolerance, then smaller ones, and in the end 0, where only exactly coplanar triangles join.
 */
static AbutStatus merge_triangles(
    const Scaled *set, int count, const AbutHullTriangles *triangles, AbutShell *shell, AbutError *error) {
    static const double factor[] = {1.0, 3.0, 8.0, 0.1, 0.01, 0.0};
    AbutStatus status = ABUT_OK;
    for (size_t i = 0; i < sizeof factor / sizeof *factor; ++i) {
        status = abut_hull_merge(set->points, count, triangles, factor[i] * set->tolerance, shell, error);
        if (status != ABUT_ERROR_DEGENERATE) return status;
    }
    return status;
}

/* How far the last corner of the first simplex is from the plane of the others: about the thickness of the body. */
static double thickness(const AbutVec3 *p, AbutHullSimplex s) {
    AbutVec3 n = abut_exact_normal(p[s.v[0]], p[s.v[1]], p[s.v[2]]);
    return fabs(abut_dot(n, abut_sub(p[s.v[3]], p[s.v[0]])));
}

/* Is every point, kept or not, below the faces to a few tolerances? */
static int holds_all_points(const Scaled *set, int count, const AbutShell *shell) {
    for (int32_t f = 0; f < shell->face_count; ++f) {
        const AbutFace *face = &shell->faces[f];
        double offset = -INFINITY;
        for (int32_t h = face->first; h < face->first + face->count; ++h)
            offset =
                fmax(offset, abut_dot(face->plane.normal, set->points[shell->source[shell->half_edges[h].origin]]));
        for (int i = 0; i < count; ++i)
            if (!(abut_dot(face->plane.normal, set->points[i]) <= offset + ABUT_HULL_HOLDS * set->tolerance)) return 0;
    }
    return 1;
}

static AbutStatus solid_shell(
    const Scaled *set, int count, AbutHullSimplex simplex, AbutShell *shell, AbutError *error) {
    AbutHullTriangles triangles = {NULL, 0};
    AbutStatus status =
        abut_hull_build(set->points, count, simplex, (AbutHullReach){set->tolerance, 0}, &triangles, error);
    if (status == ABUT_OK) status = merge_triangles(set, count, &triangles, shell, error);
    abut_free(triangles.items);
    return status;
}

/*
 * The narrow faces of a body hardly thicker than its tolerance may be tilted so far that points which were left out
 * near them stand far outside: then all is done again with a smaller tolerance.
 */
static AbutStatus thin_shell(
    const Scaled *set, int count, AbutHullSimplex simplex, AbutShell *shell, AbutError *error) {
    static const double part[] = {1.0, 0.25, 0x1p-4, 0x1p-8};
    enum { PARTS = sizeof part / sizeof *part };
    AbutStatus status = ABUT_OK;
    for (int k = 0; k < PARTS; ++k) {
        Scaled finer = {set->points, part[k] * set->tolerance, set->unit};
        status = solid_shell(&finer, count, simplex, shell, error);
        if (status != ABUT_OK || k + 1 == PARTS || holds_all_points(set, count, shell)) return status;
        abut_shell_free(shell);
    }
    return status;
}

static AbutStatus make_shell(const Scaled *set, int count, const AbutHullDef *def, AbutShell *shell, AbutError *error) {
    AbutHullSimplex simplex = abut_hull_simplex(set->points, count, set->tolerance);
    if (simplex.dimension < 3 && def->solid_only)
        return abut_fail(
            error, ABUT_ERROR_DEGENERATE, "the %d points have no volume: dimension %d", count, simplex.dimension);
    if (simplex.dimension < 3) return abut_hull_flat(set->points, count, simplex, set->tolerance, shell, error);
    int thin = thickness(set->points, simplex) < ABUT_HULL_THIN * set->tolerance;
    return (thin ? thin_shell : solid_shell)(set, count, simplex, shell, error);
}

static AbutStatus check_call(const AbutVec3 *points, int count, const AbutHullDef *def, AbutError *error) {
    if (!points || count <= 0) return abut_fail(error, ABUT_ERROR_EMPTY, "no points to take the hull of");
    if (!(def->tolerance >= 0.0 && def->tolerance <= ABUT_HULL_TOLERANCE_MOST))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "hull tolerance %g is not in 0 .. %g", def->tolerance,
            ABUT_HULL_TOLERANCE_MOST);
    if (def->max_vertices < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "max_vertices %d is negative", def->max_vertices);
    return ABUT_OK;
}

AbutStatus abut_polyhedron_from_points(
    const AbutVec3 *points, int count, const AbutHullDef *def, AbutPolyhedron **out, AbutError *error) {
    ABUT_ASSERT(out);
    AbutHullDef rules = def ? *def : (AbutHullDef){0};
    *out = NULL;
    AbutStatus status = check_call(points, count, &rules, error);
    if (status != ABUT_OK) return status;
    double relative = rules.tolerance > 0.0 ? fmax(rules.tolerance, ABUT_HULL_TOLERANCE_LEAST) : ABUT_HULL_TOLERANCE;
    Scaled set = {NULL, 0.0, 1.0};
    AbutShell shell = {0};
    status = scale_points(points, count, relative, &set, error);
    if (status == ABUT_OK) status = make_shell(&set, count, &rules, &shell, error);
    abut_free(set.points);
    if (status == ABUT_OK && rules.max_vertices > 0 && shell.vertex_count > rules.max_vertices)
        status = abut_fail(
            error, ABUT_ERROR_LIMIT, "the hull has %d vertices, more than %d", shell.vertex_count, rules.max_vertices);
    if (status == ABUT_OK) status = abut_polyhedron_pack(points, &shell, out, error);
    abut_shell_free(&shell);
    return status;
}

/* Six times the volume inside triangles, from the first corner of the first. */
static double signed_volume(const Scaled *set, const AbutHullTriangles *triangles) {
    AbutVec3 o = set->points[triangles->items[0].v[0]];
    double sum = 0.0;
    for (int32_t i = 0; i < triangles->count; ++i) {
        const int32_t *v = triangles->items[i].v;
        sum +=
            abut_triple(abut_sub(set->points[v[0]], o), abut_sub(set->points[v[1]], o), abut_sub(set->points[v[2]], o));
    }
    return sum;
}

AbutStatus abut_hull_volume(const AbutVec3 *points, int count, double coarse, double *volume, AbutError *error) {
    Scaled set = {NULL, 0.0, 1.0};
    AbutHullTriangles triangles = {NULL, 0};
    *volume = 0.0;
    AbutStatus status = scale_points(points, count, ABUT_HULL_TOLERANCE, &set, error);
    if (status != ABUT_OK) return status;
    AbutHullSimplex simplex = abut_hull_simplex(set.points, count, set.tolerance);
    if (simplex.dimension == 3) {
        AbutHullReach reach = {fmax(set.tolerance, coarse * thickness(set.points, simplex)), 1};
        status = abut_hull_build(set.points, count, simplex, reach, &triangles, error);
    }
    if (simplex.dimension == 3 && status == ABUT_OK)
        *volume = signed_volume(&set, &triangles) / 6.0 / (set.unit * set.unit * set.unit);
    abut_free(triangles.items);
    abut_free(set.points);
    return status;
}
