/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do two convex polyhedra meet? Bounding boxes first, then the chosen method: the distance query on the polyhedra, or
 * the region test on their face planes. In: polyhedra (flat ones too) and the pose of B in A. Out: an answer with its
 * certificate in the frame of A. Rows are taken about the center of A, so that bodies far from the origin lose nothing.
 */
#include "math/matrix.h"
#include "query/intersect_rows.h"
#include "query/tolerance.h"
#include "shape/polyhedron.h"

#include <math.h>
#include <string.h>

/* Rows of a polyhedron, flat ones included. */
static int row_count(const AbutPolyhedron *p) {
    if (p->dimension == 3) return p->face_count;
    return p->dimension == 2 ? 2 + p->half_edge_count / 2 : 6;
}

static void put_row(double *rows, int i, AbutVec3 normal, AbutVec3 point, AbutPose pose, AbutVec3 origin) {
    AbutVec3 n = abut_quat_rotate(pose.q, normal);
    double *row = rows + 4 * (size_t)i;
    abut_put_vec3(row, n);
    row[3] = abut_dot(n, abut_sub(abut_pose_apply(pose, point), origin));
}

/* Two planes at right angles to `axis` through the ends of a segment. */
static void put_slab(double *rows, int i, AbutVec3 axis, AbutVec3 low, AbutVec3 high, AbutPose pose, AbutVec3 origin) {
    put_row(rows, i, axis, high, pose, origin);
    put_row(rows, i + 1, abut_neg(axis), low, pose, origin);
}

/* A polygon: its two faces and a side plane through every edge. */
static void write_polygon(const AbutPolyhedron *p, AbutPose pose, AbutVec3 origin, double *rows) {
    const AbutFace *face = abut_polyhedron_faces(p);
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    const AbutHalfEdge *edge = abut_polyhedron_half_edges(p);
    AbutVec3 n = face[0].plane.normal;
    put_slab(rows, 0, n, v[0], v[0], pose, origin);
    for (int k = 0; k < face[0].count; ++k) {
        int32_t h = face[0].first + k;
        AbutVec3 from = v[edge[h].origin], to = v[edge[abut_polyhedron_next(p, h)].origin];
        put_row(rows, 2 + k, abut_normalize(abut_cross(abut_sub(to, from), n)), from, pose, origin);
    }
}

/* A segment or a point: three slabs, one along it. */
static void write_segment(const AbutPolyhedron *p, AbutPose pose, AbutVec3 origin, double *rows) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    AbutVec3 low = v[0], high = v[p->vertex_count - 1];
    AbutVec3 along = abut_normalize_or(abut_sub(high, low), abut_axis(0)), side = abut_perpendicular(along);
    put_slab(rows, 0, along, low, high, pose, origin);
    put_slab(rows, 2, side, low, low, pose, origin);
    put_slab(rows, 4, abut_cross(along, side), low, low, pose, origin);
}

/* Writes as many of 4 numbers each, seen from `pose` shifted by -origin. */
static void write_rows(const AbutPolyhedron *p, AbutPose pose, AbutVec3 origin, double *rows) {
    const AbutFace *face = abut_polyhedron_faces(p);
    if (p->dimension < 2) {
        write_segment(p, pose, origin, rows);
        return;
    }
    if (p->dimension == 2) {
        write_polygon(p, pose, origin, rows);
        return;
    }
    AbutVec3 shift = abut_sub(pose.p, origin);
    for (int i = 0; i < p->face_count; ++i) {
        AbutVec3 n = abut_quat_rotate(pose.q, face[i].plane.normal);
        double *row = rows + 4 * (size_t)i;
        abut_put_vec3(row, n);
        row[3] = face[i].plane.offset + abut_dot(n, shift);
    }
}

size_t abut_intersect_polyhedra_workspace_size(const AbutPolyhedron *a, const AbutPolyhedron *b) {
    ABUT_ASSERT(a && b);
    return abut_intersect_workspace_size(3, row_count(a) + row_count(b));
}

/*
 * Box of `other` against the axes of `own`, `other` placed by `pose`: the widest gap along an axis of `own`, with that
 * axis (pointing to `other`) and the middle of the gap.
 */
static double box_gap(const AbutAabb *own, const AbutAabb *other, AbutPose pose, AbutVec3 *axis, double *offset) {
    AbutVec3 center = abut_pose_apply(pose, abut_lerp(other->min, other->max, 0.5));
    AbutVec3 half = abut_scale(abut_sub(other->max, other->min), 0.5);
    AbutMat3 r = abut_quat_to_mat3(pose.q);
    AbutVec3 reach = abut_add(abut_add(abut_scale(abut_abs(r.x), half.x), abut_scale(abut_abs(r.y), half.y)),
        abut_scale(abut_abs(r.z), half.z));
    double best = -INFINITY;
    for (int k = 0; k < 3; ++k) {
        double up = abut_get(center, k) - abut_get(reach, k) - abut_get(own->max, k);
        double down = abut_get(own->min, k) - abut_get(center, k) - abut_get(reach, k);
        if (fmax(up, down) > best) {
            best = fmax(up, down);
            *axis = up > down ? abut_axis(k) : abut_neg(abut_axis(k));
            *offset = up > down ? abut_get(own->max, k) + 0.5 * up : 0.5 * down - abut_get(own->min, k);
        }
    }
    return best;
}

/* The six face directions of the two bounding boxes. True when one of them has a gap wider than the tolerance. */
static int boxes_apart(
    const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, double tolerance, AbutIntersection *out) {
    AbutVec3 axis = abut_zero();
    double offset = 0.0, gap = box_gap(&a->box, &b->box, b_in_a, &axis, &offset);
    if (!(gap > tolerance)) {
        gap = box_gap(&b->box, &a->box, abut_pose_inv(b_in_a), &axis, &offset);
        axis = abut_quat_rotate(b_in_a.q, abut_neg(axis)); /* from B to A, so the other way round */
        offset = -offset + abut_dot(axis, b_in_a.p);
    }
    if (!(gap > tolerance)) return 0;
    abut_intersect_set_plane(out, axis, offset, gap);
    out->decided_by_box = 1;
    return 1;
}

static AbutIntersection by_rows(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a, double scale,
    const AbutIntersectDef *def, void *workspace, size_t workspace_size) {
    AbutIntersection out = {0};
    AbutVec3 origin = a->bound.center;
    int count_a = row_count(a), count_b = row_count(b);
    out.outcome = ABUT_INTERSECT_INVALID;
    if (!workspace || workspace_size < abut_intersect_workspace_size(3, count_a + count_b)) return out;
    void *rest;
    AbutRows rows = abut_rows_in(workspace, 3, count_a, count_b, &rest);
    write_rows(a, abut_pose_identity(), origin, rows.row);
    write_rows(b, b_in_a, origin, rows.row + 4 * (size_t)count_a);
    rows.scale = scale;
    out = abut_intersect_rows(&rows, def, 1, rest, workspace_size - (size_t)((char *)rest - (char *)workspace));
    if (out.outcome == ABUT_INTERSECT_MEET)
        out.witness[0] += origin.x, out.witness[1] += origin.y, out.witness[2] += origin.z;
    out.plane_offset += abut_dot(abut_vec3(out.plane[0], out.plane[1], out.plane[2]), origin);
    return out;
}

AbutIntersection abut_intersect_polyhedra(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a,
    const AbutIntersectDef *def, void *workspace, size_t workspace_size) {
    ABUT_ASSERT(a && b);
    AbutIntersectDef plain = {0};
    AbutIntersection out = {0};
    def = def ? def : &plain;
    out.outcome = ABUT_INTERSECT_INVALID;
    if (!abut_pose_is_finite(b_in_a) || !(def->tolerance >= 0.0) || !(def->tolerance < 1.0) ||
        (unsigned)def->method >= ABUT_INTERSECT_METHOD_COUNT)
        return out;
    b_in_a.q = abut_quat_normalize(b_in_a.q);
    double scale = fmax(a->bound.radius, b->bound.radius),
           tolerance = def->tolerance > 0.0 ? def->tolerance : ABUT_INTERSECT_TOLERANCE;
    if (!(scale > 0.0)) scale = fmax(abut_max_abs(b_in_a.p), abut_max_abs(a->bound.center));
    out.method = def->method == ABUT_INTERSECT_DEFAULT ? ABUT_INTERSECT_GJK : def->method;
    if (boxes_apart(a, b, b_in_a, tolerance * scale, &out)) return out;
    if (out.method == ABUT_INTERSECT_GJK && a->dimension == 3 && b->dimension == 3) {
        out = abut_intersect_by_distance(a, b, b_in_a, tolerance * scale);
        if (out.outcome != ABUT_INTERSECT_UNDECIDED) return out;
    }
    return by_rows(a, b, b_in_a, scale, def, workspace, workspace_size);
}
