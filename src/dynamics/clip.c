/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of two convex hulls as a list of faces, made for speed: every face of A is cut by the planes of B that reach
 * it, every face of B by the planes of A. The two lists together are the whole boundary of the overlap; no edges are
 * matched, because volume, centroid and shadow need only the faces.
 *
 * In: two hulls, the pose of A in B. Out: faces and points in the frame of B. A face that lies in a plane of the other
 * body is kept once: with A. A half-space is one plane; its own face is left out, and the measure closes the surface.
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
    space->plane = abut_alloc_array((size_t)faces + 6, sizeof *space->plane);
    space->out = abut_alloc_array((size_t)vertices, sizeof *space->out);
    space->touch = abut_alloc_array((size_t)vertices, sizeof *space->touch);
    if (!space->face || !space->point || !space->vertex || !space->plane || !space->out || !space->touch) {
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
    abut_free(space->out);
    abut_free(space->touch);
    memset(space, 0, sizeof *space);
}

/* ---- separation -------------------------------------------------------------------------------------------------- */

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
static int boxes_may_overlap(
    const AbutClipHull *a, const AbutClipHull *b, const AbutMat3 *r, AbutVec3 p, AbutVec3 *axis)
{
    AbutMat3 m = abut_mat3_mul_t(b->box_axes, abut_mat3_mul(*r, a->box_axes)); /* axes of A in the box frame of B */
    AbutVec3 c =
        abut_mat3_apply_t(b->box_axes, abut_sub(abut_add(p, abut_mat3_apply(*r, a->box_center)), b->box_center));
    AbutVec3 u[3] = {m.x, m.y, m.z}, d, ha = a->box_half, hb = b->box_half;
    for (int i = 0; i < 3; ++i) {
        double along = abut_get(c, i),
               ra = ha.x * fabs(abut_get(m.x, i)) + ha.y * fabs(abut_get(m.y, i)) + ha.z * fabs(abut_get(m.z, i));
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

/* ---- clipping ---------------------------------------------------------------------------------------------------- */

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

static AbutAabb box_of(const AbutVec3 *vertex, int32_t count)
{
    AbutAabb box = abut_aabb_empty();
    for (int32_t i = 0; i < count; ++i)
        box = abut_aabb_add(box, vertex[i]);
    return box;
}

/* Sides of `box` that `other` reaches beyond, as planes; gives their number. */
static int box_planes(AbutAabb box, AbutAabb other, AbutPlane *plane)
{
    int n = 0;
    for (int k = 0; k < 3; ++k) {
        AbutVec3 axis = abut_axis(k);
        if (abut_get(other.max, k) > abut_get(box.max, k)) {
            plane[n].normal = axis;
            plane[n++].offset = abut_get(box.max, k);
        }
        if (abut_get(other.min, k) < abut_get(box.min, k)) {
            plane[n].normal = abut_neg(axis);
            plane[n++].offset = -abut_get(box.min, k);
        }
    }
    return n;
}

/* Planes of `hull`, moved by (r, p), that cut the box; behind the `n` planes that are there already. Gives the number
 * of all. */
static int planes_across(
    const AbutClipHull *hull, const AbutMat3 *r, AbutVec3 p, AbutAabb box, double eps, AbutPlane *plane, int n)
{
    AbutVec3 c = abut_scale(abut_add(box.min, box.max), 0.5), h = abut_sub(box.max, c);
    for (int32_t f = 0; f < hull->face_count; ++f) {
        AbutVec3 normal = hull->plane[f].normal;
        double offset = hull->plane[f].offset;
        if (r) {
            normal = abut_mat3_apply(*r, normal);
            offset += abut_dot(normal, p);
        }
        if (abut_dot(normal, c) + box_reach(h, normal) > offset - eps) {
            plane[n].normal = normal;
            plane[n++].offset = offset;
        }
    }
    return n;
}

/*
 * For each vertex one bit per plane, for the first 64 planes: strictly beyond it (`out`), and beyond or on it
 * (`touch`). Gives 0 when all vertices lie beyond one plane.
 */
static int mark_vertices(const AbutVec3 *vertex, int32_t count, const AbutPlane *plane, int planes, double eps,
    uint64_t *out, uint64_t *touch)
{
    uint64_t all = ~(uint64_t)0;
    int bits = planes < 64 ? planes : 64;
    for (int32_t i = 0; i < count; ++i) {
        AbutVec3 v = vertex[i];
        uint64_t o = 0, t = 0;
        for (int k = 0; k < bits; ++k) {
            double d = abut_dot(plane[k].normal, v) - plane[k].offset;
            o |= (uint64_t)(d >= eps) << k;
            t |= (uint64_t)(d > -eps) << k;
        }
        out[i] = o;
        touch[i] = t;
        all &= o;
    }
    return all == 0;
}

/* A cutter and the face it meets. */
typedef struct Cutters {
    const AbutPlane *plane;
    int count;
    const uint64_t *out, *touch;
    double eps;
} Cutters;

/* Cuts the polygon by plane k; gives the new count, 0 when nothing is left. */
static int cut_by(AbutVec3 *p, int count, const Cutters *c, int k, AbutVec3 *room)
{
    count = cut(p, count, c->plane[k], c->eps, room);
    return count < 3 ? 0 : count;
}

/*
 * Cuts face f of `hull` by the planes that its corners lie beyond. A face in a plane of the other body with the same
 * sense stays when it is A's and goes when it is B's.
 */
static void clip_face(AbutClipSpace *space, const AbutClipHull *hull, int32_t f, const AbutVec3 *vertex,
    AbutVec3 normal, const Cutters *c, int owner)
{
    const int32_t *corner = hull->corner + hull->first[f];
    int count = hull->first[f + 1] - hull->first[f];
    uint64_t any = 0, every = ~(uint64_t)0;
    for (int i = 0; i < count; ++i) {
        any |= c->out[corner[i]];
        every &= c->touch[corner[i]];
    }
    if (every & any)
        return;                                         /* beyond one plane */
    for (uint64_t flat = every; flat; flat &= flat - 1) /* within a plane of the other body */
        if (owner == 1 && abut_dot(normal, c->plane[__builtin_ctzll(flat)].normal) > 0.0)
            return;
    int32_t first = space->point_count;
    AbutVec3 *p = space->point + first, *room = space->point + space->point_room - (count + c->count + 8);
    if (p + 2 * (count + c->count + 8) > room)
        return;
    for (int i = 0; i < count; ++i)
        p[i] = vertex[corner[i]];
    for (uint64_t bits = any; bits && count; bits &= bits - 1)
        count = cut_by(p, count, c, __builtin_ctzll(bits), room);
    for (int k = 64; k < c->count && count; ++k)
        count = cut_by(p, count, c, k, room);
    add_face(space, first, count, normal, owner);
}

int abut_clip_overlap(AbutClipSpace *space, const AbutClipHull *a, const AbutClipHull *b, const AbutMat3 *r, AbutVec3 p)
{
    int half_space = b->vertex_count == 0;
    double scale = a->radius + abut_max_abs(p) + (half_space ? fabs(b->plane[0].offset) : b->radius),
           eps = 16.0 * DBL_EPSILON * scale;
    space->face_count = space->point_count = 0;
    for (int32_t i = 0; i < a->vertex_count; ++i)
        space->vertex[i] = abut_add(p, abut_mat3_apply(*r, a->vertex[i]));
    /* the overlap lies in the common part of the two boxes: only planes that cut this part matter, with the sides of
     * the part */
    AbutAabb box_a = box_of(space->vertex, a->vertex_count), box_b = half_space ? box_a : b->box;
    AbutAabb common = {abut_max(box_a.min, box_b.min), abut_min(box_a.max, box_b.max)};
    if (common.min.x > common.max.x || common.min.y > common.max.y || common.min.z > common.max.z)
        return 0;
    Cutters cutters = {space->plane, 0, space->out, space->touch, eps};
    cutters.count =
        planes_across(b, NULL, p, common, eps, space->plane, b->is_box ? 0 : box_planes(box_b, box_a, space->plane));
    if (!mark_vertices(space->vertex, a->vertex_count, space->plane, cutters.count, eps, space->out, space->touch))
        return 0;
    for (int32_t f = 0; f < a->face_count; ++f)
        clip_face(space, a, f, space->vertex, abut_mat3_apply(*r, a->plane[f].normal), &cutters, 0);
    if (half_space)
        return space->face_count > 0;
    cutters.count = planes_across(a, r, p, common, eps, space->plane, box_planes(box_a, box_b, space->plane));
    if (!mark_vertices(b->vertex, b->vertex_count, space->plane, cutters.count, eps, space->out, space->touch))
        return 0;
    for (int32_t f = 0; f < b->face_count; ++f)
        clip_face(space, b, f, b->vertex, b->plane[f].normal, &cutters, 1);
    return space->face_count > 0;
}
