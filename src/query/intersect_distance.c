/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The intersection test by the distance query (GJK): witness points or the normal of the distance make the certificate,
 * checked against face planes and vertices. Bounded regions of dimension 3 only; rows are made polyhedra first.
 */
#include "query/intersect_rows.h"
#include "query/tolerance.h"

#include "solve/solve.h"

#include <math.h>

/* The slab between two polyhedra along `normal`: negative when they overlap there. */
static double slab(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, AbutVec3 normal, double *middle) {
    const AbutVec3 *va = abut_polyhedron_vertices(a), *vb = abut_polyhedron_vertices(b);
    AbutVec3 in_b = abut_quat_rotate_inv(b_in_a.q, normal);
    double high = -INFINITY, low = INFINITY;
    for (int i = 0; i < a->vertex_count; ++i) high = fmax(high, abut_dot(normal, va[i]));
    for (int i = 0; i < b->vertex_count; ++i) low = fmin(low, abut_dot(in_b, vb[i]));
    low += abut_dot(normal, b_in_a.p);
    *middle = 0.5 * high + 0.5 * low;
    return low - high;
}

/* Most by which a point passes a face plane of a body; 0 for segments and points, which have none. */
static double beyond(const AbutPolyhedron *p, AbutVec3 point) {
    if (p->dimension < 2) return 0.0;
    const AbutFace *face = abut_polyhedron_faces(p);
    double most = -INFINITY;
    for (int i = 0; i < p->face_count; ++i)
        most = fmax(most, abut_dot(face[i].plane.normal, point) - face[i].plane.offset);
    return most;
}

/* Weights of the point of a simplex of `count` vectors that is nearest to the origin of their plane. */
static int weights_of_origin(int count, const AbutVec3 *w, double *weight) {
    double m[9], b[3], t[3] = {0};
    int order[3], k = count - 1;
    for (int i = 0; i < k; ++i) {
        AbutVec3 u = abut_sub(w[i + 1], w[0]);
        for (int j = 0; j < k; ++j) m[i * k + j] = abut_dot(u, abut_sub(w[j + 1], w[0]));
        b[i] = -abut_dot(u, w[0]);
    }
    if (k > 0 && abut_lu_factor(k, m, order) >= 0) return 0;
    if (k > 0) abut_lu_solve(k, m, order, b, t);
    weight[0] = 1.0;
    for (int i = 0; i < k; ++i) {
        weight[i + 1] = t[i];
        weight[0] -= t[i];
    }
    return 1;
}

/* The last simplex of the distance query, as a point of both bodies. */
static int point_of_simplex(
    const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, const AbutConvexCache *cache, AbutVec3 *x) {
    AbutVec3 in_a[4], in_b[4], difference[4];
    double weight[4];
    if (cache->count < 1 || cache->count > 4) return 0;
    for (int i = 0; i < cache->count; ++i) {
        in_a[i] = abut_polyhedron_vertices(a)[cache->vertex_a[i]];
        in_b[i] = abut_pose_apply(b_in_a, abut_polyhedron_vertices(b)[cache->vertex_b[i]]);
        difference[i] = abut_sub(in_b[i], in_a[i]);
    }
    if (!weights_of_origin(cache->count, difference, weight)) return 0;
    *x = abut_zero();
    for (int i = 0; i < cache->count; ++i) *x = abut_add_scaled(*x, abut_lerp(in_a[i], in_b[i], 0.5), weight[i]);
    return 1;
}

static int try_witness(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, AbutVec3 x, double tolerance,
    AbutIntersection *out) {
    out->violation = fmax(beyond(a, x), beyond(b, abut_pose_apply_inv(b_in_a, x)));
    if (!(out->violation <= tolerance)) return 0;
    out->outcome = ABUT_INTERSECT_MEET;
    abut_put_vec3(out->witness, x);
    return 1;
}

static int try_plane(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, AbutVec3 normal,
    double tolerance, AbutIntersection *out) {
    double middle, gap = slab(a, b, b_in_a, normal, &middle);
    if (!(gap > tolerance)) return 0;
    abut_intersect_set_plane(out, normal, middle, gap);
    return 1;
}

/* The full distance, where the yes-or-no query gave no certificate at this tolerance. */
static void by_full_distance(
    const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, double tolerance, AbutIntersection *out) {
    AbutConvex ca = abut_convex_polyhedron(a, 0.0), cb = abut_convex_polyhedron(b, 0.0);
    AbutWork work = {0};
    AbutGapDef def = {.work = &work};
    AbutGap d = abut_convex_distance(&ca, &cb, b_in_a, &def, NULL);
    out->tests += work.supports;
    AbutVec3 middle = abut_lerp(d.point_a, d.point_b, 0.5);
    if (d.outcome == ABUT_INVALID || try_plane(a, b, b_in_a, d.normal, tolerance, out)) return;
    if (!try_witness(a, b, b_in_a, middle, tolerance, out)) out->violation = 0.0;
}

AbutIntersection abut_intersect_by_distance(
    const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, double tolerance) {
    AbutIntersection out = {0};
    AbutConvexCache cache = {0};
    AbutConvex ca = abut_convex_polyhedron(a, 0.0), cb = abut_convex_polyhedron(b, 0.0);
    AbutVec3 x;
    out.method = ABUT_INTERSECT_GJK;
    out.tests = 1;
    out.outcome = ABUT_INTERSECT_UNDECIDED;
    int meets = abut_convex_meet(&ca, &cb, b_in_a, &cache);
    if (meets < 0) {
        out.outcome = ABUT_INTERSECT_INVALID;
        return out;
    }
    if (meets && point_of_simplex(a, b, b_in_a, &cache, &x) && try_witness(a, b, b_in_a, x, tolerance, &out))
        return out;
    if (!meets && (try_plane(a, b, b_in_a, cache.direction, tolerance, &out) ||
                      try_plane(a, b, b_in_a, abut_neg(cache.direction), tolerance, &out)))
        return out;
    by_full_distance(a, b, b_in_a, tolerance, &out);
    return out;
}

static AbutStatus polyhedron_of_rows(const AbutRows *rows, int first, int count, AbutPolyhedron **out) {
    AbutPlane *planes = abut_alloc_array((size_t)count + 1, sizeof *planes);
    if (!planes) return ABUT_ERROR_MEMORY;
    int kept = 0;
    for (int i = first; i < first + count; ++i) {
        const double *row = rows->row + 4 * (size_t)i;
        AbutPlane plane = {{row[0], row[1], row[2]}, row[3]};
        if (abut_length_sq(plane.normal) > 0.5) planes[kept++] = plane;
    }
    AbutStatus status = abut_polyhedron_from_planes(planes, kept, out, NULL);
    abut_free(planes);
    return status;
}

AbutIntersection abut_intersect_rows_by_distance(const AbutRows *rows, const AbutIntersectDef *def) {
    AbutIntersection out = {0};
    AbutPolyhedron *a = NULL, *b = NULL;
    double tolerance = def->tolerance > 0.0 ? def->tolerance : ABUT_INTERSECT_TOLERANCE;
    out.method = ABUT_INTERSECT_GJK;
    out.outcome = ABUT_INTERSECT_UNSUPPORTED;
    if (rows->dimension != 3) return out;
    AbutStatus status_a = polyhedron_of_rows(rows, 0, rows->count_a, &a);
    AbutStatus status_b = polyhedron_of_rows(rows, rows->count_a, rows->count_b, &b);
    if (status_a == ABUT_ERROR_EMPTY || status_b == ABUT_ERROR_EMPTY)
        out.outcome = ABUT_INTERSECT_UNDECIDED; /* the linear program will name the rows */
    else if (status_a == ABUT_OK && status_b == ABUT_OK)
        out =
            abut_intersect_by_distance(a, b, abut_pose_identity(), tolerance * fmax(a->bound.radius, b->bound.radius));
    abut_polyhedron_free(a);
    abut_polyhedron_free(b);
    return out;
}
