/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The intersection test by the distance query (GJK): witness points or the normal of the distance make the certificate,
 * checked against face planes and vertices. Bounded regions of dimension 3 only; rows are made polyhedra first.
 */
#include "query/intersect_work.h"

#include <math.h>

/* The slab between two polyhedra along `normal`: negative when they overlap there. */
static double slab(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, AbutVec3 normal, double *middle)
{
    const AbutVec3 *va = abut_polyhedron_vertices(a), *vb = abut_polyhedron_vertices(b);
    AbutVec3 in_b = abut_quat_rotate_inv(b_in_a.q, normal);
    double high = -INFINITY, low = INFINITY;
    for (int i = 0; i < a->vertex_count; ++i)
        high = fmax(high, abut_dot(normal, va[i]));
    for (int i = 0; i < b->vertex_count; ++i)
        low = fmin(low, abut_dot(in_b, vb[i]));
    low += abut_dot(normal, b_in_a.p);
    *middle = 0.5 * high + 0.5 * low;
    return low - high;
}

/* Most by which a point passes a face plane of a body of dimension 3. */
static double beyond(const AbutPolyhedron *p, AbutVec3 point)
{
    const AbutFace *face = abut_polyhedron_faces(p);
    double most = -INFINITY;
    for (int i = 0; i < p->face_count; ++i)
        most = fmax(most, abut_dot(face[i].plane.normal, point) - face[i].plane.offset);
    return most;
}

AbutIntersection abut_intersect_by_distance(
    const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, double tolerance)
{
    AbutIntersection out = {0};
    AbutConvex ca = abut_convex_polyhedron(a, 0.0), cb = abut_convex_polyhedron(b, 0.0);
    AbutDistance d = abut_convex_distance(&ca, &cb, b_in_a, NULL);
    out.method = ABUT_INTERSECT_GJK;
    out.tests = d.iterations;
    out.outcome = d.outcome == ABUT_INVALID ? ABUT_INTERSECT_INVALID : ABUT_INTERSECT_UNDECIDED;
    if (d.outcome == ABUT_INVALID)
        return out;
    if (d.distance <= tolerance) {
        AbutVec3 x = abut_lerp(d.point_a, d.point_b, 0.5);
        int flat = a->dimension < 3 || b->dimension < 3;
        out.witness[0] = x.x, out.witness[1] = x.y, out.witness[2] = x.z;
        out.violation = flat ? 0.5 * fmax(d.distance, 0.0)
                             : fmax(beyond(a, x), beyond(b, abut_pose_apply_inv(b_in_a, x)));
        if (out.violation <= tolerance)
            out.outcome = ABUT_INTERSECT_MEET;
        return out;
    }
    out.gap = slab(a, b, b_in_a, d.normal, &out.plane_offset);
    out.plane[0] = d.normal.x, out.plane[1] = d.normal.y, out.plane[2] = d.normal.z;
    if (out.gap > 0.0)
        out.outcome = ABUT_INTERSECT_APART;
    return out;
}

static AbutStatus polyhedron_of_rows(const AbutRows *rows, int first, int count, AbutPolyhedron **out)
{
    AbutPlane *planes = abut_alloc_array((size_t)count + 1, sizeof *planes);
    if (!planes)
        return ABUT_ERROR_MEMORY;
    int kept = 0;
    for (int i = first; i < first + count; ++i) {
        const double *row = rows->row + 4 * (size_t)i;
        AbutPlane plane = {{row[0], row[1], row[2]}, row[3]};
        if (abut_length_sq(plane.normal) > 0.5)
            planes[kept++] = plane;
    }
    AbutStatus status = abut_polyhedron_from_planes(planes, kept, out, NULL);
    abut_free(planes);
    return status;
}

AbutIntersection abut_intersect_rows_by_distance(const AbutRows *rows, const AbutIntersectDef *def)
{
    AbutIntersection out = {0};
    AbutPolyhedron *a = NULL, *b = NULL;
    double tolerance = def->tolerance > 0.0 ? def->tolerance : 1e-10;
    out.method = ABUT_INTERSECT_GJK;
    out.outcome = ABUT_INTERSECT_UNSUPPORTED;
    if (rows->dimension != 3)
        return out;
    AbutStatus status_a = polyhedron_of_rows(rows, 0, rows->count_a, &a);
    AbutStatus status_b = polyhedron_of_rows(rows, rows->count_a, rows->count_b, &b);
    if (status_a == ABUT_ERROR_EMPTY)
        out.outcome = ABUT_INTERSECT_EMPTY_A;
    else if (status_b == ABUT_ERROR_EMPTY)
        out.outcome = ABUT_INTERSECT_EMPTY_B;
    else if (status_a == ABUT_OK && status_b == ABUT_OK)
        out = abut_intersect_by_distance(
            a, b, abut_pose_identity(), tolerance * fmax(a->bound.radius, b->bound.radius));
    abut_polyhedron_free(a);
    abut_polyhedron_free(b);
    return out;
}
