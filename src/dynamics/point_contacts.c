/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contact points of two convex hulls that overlap, for the point-contact model: vertices of one inside the other, with
 * the nearest face of the other that looks along the contact, and crossings of edges. Of many points the most spread
 * ones stay, the deepest first.
 *
 * In: the clip space of the pair (vertices and planes of A in the frame of B) and its patch. Out: points in the frame
 * of B.
 */
#include "dynamics/points.h"

#include <float.h>

static const double ALONG = 0.3; /* least cosine of a point's normal with the normal of the contact */

/* Both hulls in the frame of B. */
typedef struct Side {
    const AbutClipHull *hull;
    const AbutVec3 *vertex;
    const AbutPlane *plane;
    double sign; /* of its outward normals along nu: +1 for B */
} Side;

static int is_inside(const Side *s, AbutVec3 p, double eps)
{
    for (int32_t f = 0; f < s->hull->face_count; ++f)
        if (abut_dot(s->plane[f].normal, p) - s->plane[f].offset > eps)
            return 0;
    return 1;
}

/* Part of the segment inside the hull; 0 when there is none. */
static int clip_segment(const Side *s, AbutVec3 *p, AbutVec3 *q, double eps)
{
    double from = 0.0, to = 1.0;
    AbutVec3 d = abut_sub(*q, *p), start = *p;
    for (int32_t f = 0; f < s->hull->face_count; ++f) {
        double at = abut_dot(s->plane[f].normal, start) - s->plane[f].offset - eps,
               slope = abut_dot(s->plane[f].normal, d);
        if (slope == 0.0) {
            if (at > 0.0)
                return 0;
            continue;
        }
        if (slope > 0.0)
            to = abut_smaller(to, -at / slope);
        else
            from = abut_larger(from, -at / slope);
    }
    *p = abut_add_scaled(start, d, from);
    *q = abut_add_scaled(start, d, to);
    return from < to;
}

static void add_point(AbutPointSet *set, AbutVec3 place, AbutVec3 normal, double depth)
{
    if (set->count == ABUT_MAX_FOUND_POINTS)
        return;
    AbutFoundPoint p = {place, normal, depth};
    set->point[set->count++] = p;
}

/* Vertices of `from` inside `into`. */
static void add_vertices(AbutPointSet *set, const Side *from, const Side *into, AbutVec3 nu, double eps)
{
    for (int32_t i = 0; i < from->hull->vertex_count; ++i) {
        AbutVec3 p = from->vertex[i], normal = nu;
        double depth = INFINITY;
        if (!is_inside(into, p, eps))
            continue;
        for (int32_t f = 0; f < into->hull->face_count; ++f) {
            AbutVec3 n = abut_scale(into->plane[f].normal, into->sign);
            double d = into->plane[f].offset - abut_dot(into->plane[f].normal, p);
            if (abut_dot(n, nu) > ALONG && d < depth) {
                depth = d;
                normal = n;
            }
        }
        if (depth < INFINITY)
            add_point(set, p, normal, abut_larger(depth, 0.0));
    }
}

/* Two edges that cross inside both bodies: nearest points, the direction across both, its length. */
static void add_crossing(AbutPointSet *set, const Side *a, const Side *b, const AbutVec3 ea[2], const AbutVec3 eb[2],
    AbutVec3 nu, double eps)
{
    AbutVec3 da = abut_sub(ea[1], ea[0]), db = abut_sub(eb[1], eb[0]), n = abut_cross(da, db),
             between = abut_sub(eb[0], ea[0]);
    double area = abut_length(n);
    if (!(area > 1e-6 * abut_length(da) * abut_length(db)))
        return;
    n = abut_scale(n, 1.0 / area);
    n = abut_dot(n, nu) < 0.0 ? abut_neg(n) : n;
    if (abut_dot(n, nu) < ALONG)
        return;
    AbutVec3 across = abut_cross(da, db);
    double s = abut_triple(between, db, across) / (area * area), t = abut_triple(between, da, across) / (area * area);
    if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0)
        return;
    AbutVec3 pa = abut_add_scaled(ea[0], da, s), pb = abut_add_scaled(eb[0], db, t);
    double depth = abut_dot(n, abut_sub(pb, pa));
    if (depth >= 0.0 && is_inside(b, pa, eps) && is_inside(a, pb, eps))
        add_point(set, abut_scale(abut_add(pa, pb), 0.5), n, depth);
}

/* Edges of a hull that reach into the other, each once. */
static int edges_inside(const Side *s, const Side *other, AbutVec3 (*edge)[2], int room, double eps)
{
    int count = 0;
    const AbutClipHull *h = s->hull;
    for (int32_t f = 0; f < h->face_count && h->vertex_count > 0; ++f)
        for (int32_t k = h->first[f]; k < h->first[f + 1] && count < room; ++k) {
            int32_t i = h->corner[k], j = h->corner[k + 1 < h->first[f + 1] ? k + 1 : h->first[f]];
            AbutVec3 p = s->vertex[i], q = s->vertex[j];
            if (i > j || !clip_segment(other, &p, &q, eps))
                continue;
            edge[count][0] = s->vertex[i];
            edge[count++][1] = s->vertex[j];
        }
    return count;
}

static void add_edges(AbutPointSet *set, const Side *a, const Side *b, AbutVec3 nu, double eps)
{
    enum { ROOM = 64 };
    AbutVec3 ea[ROOM][2], eb[ROOM][2];
    int na = edges_inside(a, b, ea, ROOM, eps), nb = edges_inside(b, a, eb, ROOM, eps);
    for (int i = 0; i < na; ++i)
        for (int k = 0; k < nb; ++k)
            add_crossing(set, a, b, ea[i], eb[k], nu, eps);
}

/* Points nearer than `apart` become one, and of the rest at most `most` stay: the nearest pair loses its shallower
 * point. */
static void thin_out(AbutPointSet *set, double apart, int most)
{
    for (;;) {
        int first = -1, second = -1;
        double nearest = INFINITY;
        for (int i = 0; i < set->count; ++i)
            for (int j = i + 1; j < set->count; ++j) {
                double d = abut_distance(set->point[i].place, set->point[j].place);
                if (d < nearest) {
                    nearest = d;
                    first = i, second = j;
                }
            }
        if (first < 0 || (nearest >= apart && set->count <= most))
            return;
        int drop = set->point[first].depth < set->point[second].depth ? first : second;
        set->point[drop] = set->point[--set->count];
    }
}

void abut_find_points(
    const AbutClipSpace *space, const AbutClipHull *a, const AbutClipHull *b, const AbutPatch *patch, AbutPointSet *set)
{
    Side of_a = {a, space->vertex, space->plane, -1.0}, of_b = {b, b->vertex, b->plane, 1.0};
    double size = abut_smaller(a->size, b->size), eps = 1e-9 * size;
    set->count = 0;
    add_vertices(set, &of_a, &of_b, patch->nu, eps);
    if (b->vertex_count > 0) {
        add_vertices(set, &of_b, &of_a, patch->nu, eps);
        add_edges(set, &of_a, &of_b, patch->nu, eps);
    }
    if (set->count == 0)
        add_point(set, patch->centroid, patch->nu, patch->high - patch->low);
    thin_out(set, 1e-3 * size, ABUT_MAX_CONTACT_VERTICES);
}
