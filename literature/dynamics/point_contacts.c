/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contact points of two bodies that overlap, for the point-contact model: vertices of one inside the other, with the
 * nearest face of the other that looks along the contact, and crossings of edges. Among many points the most spread
 * ones stay, the deepest first; a list that fills up is thinned out on the way.
 *
 * In: the pair and its patch. Out: points in the frame of A.
 */
#include "literature/dynamics/models.h"

#include "contact/patch.h"
#include "contact/tolerance.h"
#include "literature/dynamics/tolerance.h"
#include "shape/polyhedron.h"

enum { ROOM = 96, KEPT = 24 };

typedef struct Points {
    int count;
    AbutFoundPoint point[ROOM];
} Points;

/* A body placed in the frame of A. */
typedef struct Side {
    const AbutPolyhedron *p; /* NULL: a half-space */
    AbutPlane plane;         /* of the half-space, its own frame */
    AbutMat3 rotation;
    AbutVec3 shift;
    double sign; /* of its outward normals along the contact: +1 for A */
} Side;

static Side make_side(const AbutGrownBody *body, AbutPose pose, double sign) {
    Side s = {.p = body->polyhedron, .rotation = abut_quat_to_mat3(pose.q), .shift = pose.p, .sign = sign};
    if (!s.p) {
        s.plane.normal = body->convex.p[0];
        s.plane.offset = body->convex.p[1].x + body->convex.radius;
    }
    return s;
}

static int side_faces(const Side *s) { return s->p ? s->p->face_count : 1; }

static int side_vertices(const Side *s) { return s->p ? s->p->vertex_count : 0; }

static AbutVec3 vertex_of(const Side *s, int32_t i) {
    return abut_add(s->shift, abut_mat3_apply(s->rotation, abut_polyhedron_vertices(s->p)[i]));
}

static AbutPlane plane_of(const Side *s, int f) {
    AbutPlane plane = s->p ? abut_polyhedron_faces(s->p)[f].plane : s->plane;
    plane.normal = abut_mat3_apply(s->rotation, plane.normal);
    plane.offset += abut_dot(plane.normal, s->shift);
    return plane;
}

static int is_inside(const Side *s, AbutVec3 p, double eps) {
    for (int f = 0; f < side_faces(s); ++f) {
        AbutPlane plane = plane_of(s, f);
        if (abut_dot(plane.normal, p) - plane.offset > eps) return 0;
    }
    return 1;
}

/* Is any of the segment inside the body? */
static int reaches_in(const Side *s, AbutVec3 p, AbutVec3 q, double eps) {
    double from = 0.0, to = 1.0;
    AbutVec3 d = abut_sub(q, p);
    for (int f = 0; f < side_faces(s); ++f) {
        AbutPlane plane = plane_of(s, f);
        double at = abut_dot(plane.normal, p) - plane.offset - eps, slope = abut_dot(plane.normal, d);
        if (slope == 0.0 && at > 0.0) return 0;
        if (slope > 0.0) to = abut_smaller(to, -at / slope);
        if (slope < 0.0) from = abut_larger(from, -at / slope);
    }
    return from < to;
}

/* Points nearer than `apart` become one, and of the rest at most `most` stay: the nearest pair loses its shallower
 * point. */
static void thin_out(Points *set, double apart, int most) {
    for (;;) {
        int first = -1, second = -1;
        double nearest = INFINITY;
        for (int i = 0; i < set->count; ++i)
            for (int j = i + 1; j < set->count; ++j) {
                double d = abut_point_distance(set->point[i].place, set->point[j].place);
                if (d < nearest) {
                    nearest = d;
                    first = i, second = j;
                }
            }
        if (first < 0 || (nearest >= apart && set->count <= most)) return;
        int drop = set->point[first].depth < set->point[second].depth ? first : second;
        set->point[drop] = set->point[--set->count];
    }
}

static void add_point(Points *set, AbutVec3 place, AbutVec3 normal, double depth) {
    if (set->count == ROOM) thin_out(set, 0.0, KEPT);
    AbutFoundPoint p = {place, normal, depth};
    set->point[set->count++] = p;
}

/* Vertices of `from` inside `into`. */
static void add_vertices(Points *set, const Side *from, const Side *into, AbutVec3 along, double eps) {
    for (int32_t i = 0; i < side_vertices(from); ++i) {
        AbutVec3 p = vertex_of(from, i), normal = along;
        double depth = INFINITY;
        if (!is_inside(into, p, eps)) continue;
        for (int f = 0; f < side_faces(into); ++f) {
            AbutPlane plane = plane_of(into, f);
            AbutVec3 n = abut_scale(plane.normal, into->sign);
            double d = plane.offset - abut_dot(plane.normal, p);
            if (abut_dot(n, along) > ABUT_POINT_ALONG && d < depth) {
                depth = d;
                normal = n;
            }
        }
        if (depth < INFINITY) add_point(set, p, normal, abut_larger(depth, 0.0));
    }
}

/* Two edges that cross inside both bodies: nearest points, the direction across both, its length. */
static void add_crossing(
    Points *set, const Side *a, const Side *b, const AbutVec3 ea[2], const AbutVec3 eb[2], AbutVec3 along, double eps) {
    AbutVec3 da = abut_sub(ea[1], ea[0]), db = abut_sub(eb[1], eb[0]), across = abut_cross(da, db),
             between = abut_sub(eb[0], ea[0]);
    double area = abut_length(across);
    if (!(area > ABUT_POINT_PARALLEL * abut_length(da) * abut_length(db))) return;
    AbutVec3 n = abut_scale(across, 1.0 / area);
    n = abut_dot(n, along) < 0.0 ? abut_neg(n) : n;
    if (abut_dot(n, along) < ABUT_POINT_ALONG) return;
    double s = abut_triple(between, db, across) / (area * area), t = abut_triple(between, da, across) / (area * area);
    if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) return;
    AbutVec3 pa = abut_add_scaled(ea[0], da, s), pb = abut_add_scaled(eb[0], db, t);
    double depth = abut_dot(n, abut_sub(pa, pb));
    if (depth >= 0.0 && is_inside(b, pa, eps) && is_inside(a, pb, eps))
        add_point(set, abut_scale(abut_add(pa, pb), 0.5), n, depth);
}

/* Edge k of a body. */
static void edge_of(const Side *s, int32_t k, AbutVec3 edge[2]) {
    const AbutHalfEdge *half = abut_polyhedron_half_edges(s->p), *h = &half[abut_polyhedron_edges(s->p)[k]];
    edge[0] = vertex_of(s, h->origin);
    edge[1] = vertex_of(s, half[h->twin].origin);
}

static void add_edges(Points *set, const Side *a, const Side *b, AbutVec3 along, double eps) {
    for (int32_t i = 0; i < a->p->half_edge_count / 2; ++i) {
        AbutVec3 ea[2], eb[2];
        edge_of(a, i, ea);
        if (!reaches_in(b, ea[0], ea[1], eps)) continue;
        for (int32_t k = 0; k < b->p->half_edge_count / 2; ++k) {
            edge_of(b, k, eb);
            add_crossing(set, a, b, ea, eb, along, eps);
        }
    }
}

/* The vertices themselves, where there are no faces. */
static int round_points(const AbutPatch *patch, AbutFoundPoint *out) {
    for (int i = 0; i < patch->vertex_count; ++i)
        out[i] = (AbutFoundPoint){abut_patch_vertex(patch, i), patch->normal, patch->thickness[i]};
    return patch->vertex_count;
}

int abut_patch_find_points(const AbutPatchPair *pair, const AbutPatch *patch, AbutFoundPoint *out) {
    if (patch->round) return round_points(patch, out);
    Points set = {.count = 0};
    Side a = make_side(pair->a, abut_pose_identity(), 1.0), b = make_side(pair->b, pair->b_in_a, -1.0);
    double size = abut_smaller(pair->a->size, pair->b->size), eps = ABUT_POINT_INSIDE * size;
    add_vertices(&set, &b, &a, patch->normal, eps);
    add_vertices(&set, &a, &b, patch->normal, eps);
    if (a.p && b.p) add_edges(&set, &a, &b, patch->normal, eps);
    if (set.count == 0) add_point(&set, patch->centroid, patch->normal, patch->high - patch->low);
    thin_out(&set, ABUT_CONTACT_MERGE * size, ABUT_CONTACT_VERTICES);
    for (int i = 0; i < set.count; ++i) out[i] = set.point[i];
    return set.count;
}
