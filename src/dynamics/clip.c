/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of two convex hulls as a list of faces, made for speed: every face of A is cut by the planes of B that reach it, every
 * face of B by the planes of A. The two lists together are the whole boundary of the overlap; no edges are matched, because
 * volume, centroid and shadow need only the faces.
 *
 * In: two hulls, the pose of A in B. Out: faces and points in the frame of B. A face that lies in a plane of the other body is
 * kept once: with A. A half-space is one plane; its own face is left out, and the measure closes the surface.
 */
#include "dynamics/sim.h"

#include <float.h>
#include <string.h>

int abut_clip_space_reserve(AbutClipSpace *space, int32_t vertices, int32_t faces, int32_t corners)
{
    int32_t points = 2 * corners + 2 * faces * (faces < 64 ? faces : 64) + 64;
    if (vertices <= space->vertex_room && 2 * faces <= space->face_room && points <= space->point_room)
        return 1;
    abut_clip_space_free(space);
    space->face = abut_alloc_array((size_t)faces * 2, sizeof *space->face);
    space->point = abut_alloc_array((size_t)points, sizeof *space->point);
    space->vertex = abut_alloc_array((size_t)vertices, sizeof *space->vertex);
    space->plane = abut_alloc_array((size_t)faces, sizeof *space->plane);
    space->active = abut_alloc_array((size_t)faces, sizeof *space->active);
    if (!space->face || !space->point || !space->vertex || !space->plane || !space->active) {
        abut_clip_space_free(space);
        return 0;
    }
    space->face_room = 2 * faces;
    space->point_room = points;
    space->vertex_room = vertices;
    return 1;
}

void abut_clip_space_free(AbutClipSpace *space)
{
    abut_free(space->face);
    abut_free(space->point);
    abut_free(space->vertex);
    abut_free(space->plane);
    abut_free(space->active);
    memset(space, 0, sizeof *space);
}

/* ---- separation ------------------------------------------------------------------------------------------------------------- */

/* Extent of a hull along d: the larger end. */
static double reach(const AbutClipHull *h, AbutVec3 d)
{
    double best = -INFINITY;
    for (int32_t i = 0; i < h->vertex_count; ++i) {
        double value = abut_dot(h->vertex[i], d);
        best = value > best ? value : best;
    }
    return best;
}

/* Gap along d (frame of B, any length) between A above and B below: positive when d separates. */
static double gap_along(const AbutClipHull *a, const AbutClipHull *b, const AbutMat3 *r, AbutVec3 p, AbutVec3 d)
{
    return abut_dot(p, d) - reach(a, abut_neg(abut_mat3_apply_t(*r, d))) - reach(b, d);
}

static inline double box_reach(AbutVec3 h, AbutVec3 d)
{
    return h.x * fabs(d.x) + h.y * fabs(d.y) + h.z * fabs(d.z);
}

/* Fifteen directions of two boxes; on separation *axis (frame of B) points from B to A. */
static int boxes_may_overlap(const AbutClipHull *a, const AbutClipHull *b, const AbutMat3 *r, AbutVec3 p, AbutVec3 *axis)
{
    AbutMat3 m = abut_mat3_mul_t(b->box_axes, abut_mat3_mul(*r, a->box_axes)); /* axes of A in the box frame of B */
    AbutVec3 c = abut_mat3_apply_t(b->box_axes, abut_sub(abut_add(p, abut_mat3_apply(*r, a->box_center)), b->box_center));
    AbutVec3 u[3] = {m.x, m.y, m.z}, d, ha = a->box_half, hb = b->box_half;
    for (int i = 0; i < 3; ++i) {
        double along = abut_get(c, i), ra = ha.x * fabs(abut_get(m.x, i)) + ha.y * fabs(abut_get(m.y, i)) + ha.z * fabs(abut_get(m.z, i));
        if (fabs(along) > ra + abut_get(hb, i)) {
            d = abut_scale(abut_axis(i), along < 0.0 ? -1.0 : 1.0);
            goto apart;
        }
        along = abut_dot(c, u[i]);
        if (fabs(along) > box_reach(hb, u[i]) + abut_get(ha, i)) {
            d = abut_scale(u[i], along < 0.0 ? -1.0 : 1.0);
            goto apart;
        }
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            d = abut_cross(abut_axis(i), u[j]);
            double length = abut_length_sq(d), along = abut_dot(c, d);
            double ra = ha.x * fabs(abut_dot(m.x, d)) + ha.y * fabs(abut_dot(m.y, d)) + ha.z * fabs(abut_dot(m.z, d));
            if (length > 1e-12 && fabs(along) > ra + box_reach(hb, d)) {
                d = along < 0.0 ? abut_neg(d) : d;
                goto apart;
            }
        }
    return 1;
apart:
    *axis = abut_mat3_apply(b->box_axes, d);
    return 0;
}

int abut_clip_may_overlap(const AbutClipHull *a, const AbutClipHull *b, const AbutMat3 *r, AbutVec3 p, AbutVec3 *axis)
{
    if (b->vertex_count == 0) { /* half-space: the lowest vertex of A decides */
        AbutPlane plane = b->plane[0];
        return abut_dot(plane.normal, p) - reach(a, abut_neg(abut_mat3_apply_t(*r, plane.normal))) < plane.offset;
    }
    AbutVec3 between = abut_sub(abut_add(p, abut_mat3_apply(*r, a->center)), b->center);
    double sum = a->radius + b->radius;
    if (abut_length_sq(between) > sum * sum) {
        *axis = between;
        return 0;
    }
    if (abut_length_sq(*axis) > 0.0 && gap_along(a, b, r, p, *axis) > 0.0)
        return 0;
    if (a->is_box && b->is_box)
        return boxes_may_overlap(a, b, r, p, axis);
    return 1; /* the faces tell */
}

/* ---- clipping ------------------------------------------------------------------------------------------------------------------ */

/* Cuts the polygon in place by n.x <= d; gives the new count. Values within eps of the plane are on it. */
static int cut(AbutVec3 *p, int count, AbutPlane plane, double eps, AbutVec3 *room)
{
    double last = abut_dot(plane.normal, p[count - 1]) - plane.offset;
    int out = 0;
    if (fabs(last) < eps)
        last = 0.0;
    for (int i = 0; i < count; ++i) {
        AbutVec3 from = p[i == 0 ? count - 1 : i - 1], to = p[i];
        double next = abut_dot(plane.normal, to) - plane.offset;
        if (fabs(next) < eps)
            next = 0.0;
        if ((last < 0.0 && next > 0.0) || (last > 0.0 && next < 0.0))
            room[out++] = abut_lerp(from, to, last / (last - next));
        if (next <= 0.0)
            room[out++] = to;
        last = next;
    }
    memcpy(p, room, (size_t)out * sizeof *p);
    return out;
}

/* Adds the polygon point[first..] as a face when it has area. */
static void add_face(AbutClipSpace *space, int32_t first, int count, AbutVec3 normal, int owner)
{
    if (count < 3)
        return;
    const AbutVec3 *p = space->point + first;
    AbutVec3 area = abut_zero();
    for (int i = 2; i < count; ++i)
        area = abut_add(area, abut_cross(abut_sub(p[i - 1], p[0]), abut_sub(p[i], p[0])));
    AbutClipFace face = {first, count, owner, normal, 0.5 * abut_dot(area, normal)};
    if (face.area <= 0.0)
        return;
    space->face[space->face_count++] = face;
    space->point_count = first + count;
}

/* Planes of `other` beyond which some of the given vertices lie; -1 when all lie beyond one of them. */
static int active_planes(AbutClipSpace *space, const AbutVec3 *vertex, int32_t count, AbutVec3 center, double radius, const AbutPlane *plane,
    int32_t planes, double eps)
{
    int active = 0;
    for (int32_t k = 0; k < planes; ++k) {
        if (abut_dot(plane[k].normal, center) + radius <= plane[k].offset + eps)
            continue; /* the whole ball is inside */
        int outside = 0;
        for (int32_t i = 0; i < count; ++i)
            outside += abut_dot(plane[k].normal, vertex[i]) - plane[k].offset > -eps;
        if (outside == count) {
            int beyond = 0;
            for (int32_t i = 0; i < count; ++i)
                beyond += abut_dot(plane[k].normal, vertex[i]) - plane[k].offset >= eps;
            if (beyond == count)
                return -1;
        }
        if (outside)
            space->active[active++] = k;
    }
    return active;
}

/*
 * Cuts face f of `hull` (corners through `vertex`, plane `own`) by the active planes. The face stays where it lies in a plane of
 * the other body with the same sense when it is A's, and goes when it is B's.
 */
static void clip_face(AbutClipSpace *space, const AbutClipHull *hull, int32_t f, const AbutVec3 *vertex, AbutPlane own, const AbutPlane *plane,
    int active, int owner, double eps)
{
    int32_t first = space->point_count;
    int count = hull->first[f + 1] - hull->first[f];
    AbutVec3 *p = space->point + first, *room = space->point + space->point_room - 2 * (count + active + 8);
    if (p + 2 * (count + active + 8) > room)
        return;
    for (int i = 0; i < count; ++i)
        p[i] = vertex[hull->corner[hull->first[f] + i]];
    for (int k = 0; k < active && count >= 3; ++k) {
        AbutPlane cutter = plane[space->active[k]];
        double most = -INFINITY, least = INFINITY;
        for (int i = 0; i < count; ++i) {
            double d = abut_dot(cutter.normal, p[i]) - cutter.offset;
            most = d > most ? d : most;
            least = d < least ? d : least;
        }
        if (most < eps) {
            if (least > -eps && owner == 1 && abut_dot(own.normal, cutter.normal) > 0.0)
                return;
            continue;
        }
        if (least > -eps)
            return; /* nothing of it inside */
        count = cut(p, count, cutter, eps, room);
    }
    add_face(space, first, count, own.normal, owner);
}

int abut_clip_overlap(AbutClipSpace *space, const AbutClipHull *a, const AbutClipHull *b, const AbutMat3 *r, AbutVec3 p)
{
    AbutVec3 center_a = abut_add(p, abut_mat3_apply(*r, a->center));
    double scale = a->radius + abut_max_abs(p) + (b->vertex_count ? b->radius : fabs(b->plane[0].offset)), eps = 16.0 * DBL_EPSILON * scale;
    space->face_count = space->point_count = 0;
    for (int32_t i = 0; i < a->vertex_count; ++i)
        space->vertex[i] = abut_add(p, abut_mat3_apply(*r, a->vertex[i]));
    int active = active_planes(space, space->vertex, a->vertex_count, center_a, a->radius, b->plane, b->face_count, eps);
    if (active < 0)
        return 0;
    for (int32_t f = 0; f < a->face_count; ++f) {
        AbutPlane *own = &space->plane[f];
        own->normal = abut_mat3_apply(*r, a->plane[f].normal);
        own->offset = a->plane[f].offset + abut_dot(own->normal, p);
        clip_face(space, a, f, space->vertex, *own, b->plane, active, 0, eps);
    }
    if (b->vertex_count == 0)
        return space->face_count > 0;
    active = active_planes(space, b->vertex, b->vertex_count, b->center, b->radius, space->plane, a->face_count, eps);
    if (active < 0)
        return 0;
    for (int32_t f = 0; f < b->face_count; ++f)
        clip_face(space, b, f, b->vertex, b->plane[f], space->plane, active, 1, eps);
    return space->face_count > 0;
}
