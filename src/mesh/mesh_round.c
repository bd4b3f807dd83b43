/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a mesh touches a cylinder, cone or ellipsoid, exactly. In: the mesh by its features, triangles that may be
 * near, the pose. Out: touches as those of two meshes. Everything is in the frame of the round body.
 *
 * The lowest points of the body touch a face that they are over: one, or the ends of a line, or corners of a disc. A
 * vertex, and the point of an edge that is nearest, touch the body along its normal there if that normal lies in their
 * cone. An edge that runs along the side or an end of the body also touches where it leaves it. The signed distance of
 * a convex body is convex along an edge, so its slope finds the nearest point; in an overlap with a rim, which has no
 * normal of its own inside, it is that of a body that is smaller by the depth, rounded by as much.
 */
#include "math/functions.h"
#include "mesh/mesh_features.h"
#include "mesh/near.h"
#include "mesh/tolerance.h"
#include "mesh/touch_search.h"
#include "query/round.h"

#include <stdlib.h>

enum { SHOWN = 10, RIM = 8, HALVINGS = 60, LEAVES = 4 };

typedef struct Round {
    const AbutTouchQuestion *q;
    const AbutMeshFeatures *mesh;
    const AbutConvex *body;
    AbutMat3 r; /* mesh to body */
    AbutVec3 t;
    AbutPose body_in_a;
    AbutTouchRoom *room;
    int mesh_is_b;
} Round;

static AbutVec3 vertex_at(const Round *s, int32_t v) {
    return abut_add(abut_mat3_apply(s->r, s->mesh->mesh.vertices[v]), s->t);
}

static int is_in_window(const Round *s, double gap) { return gap < s->q->within && gap > -s->q->depth; }

/* A touch halfway at `place`, n from the body to the mesh. */
static void add(Round *s, AbutVec3 place, AbutVec3 n, double gap, AbutTouchKind kind) {
    AbutTouchRoom *room = s->room;
    n = abut_quat_rotate(s->body_in_a.q, n);
    abut_touch_add(room, abut_pose_apply(s->body_in_a, place), s->mesh_is_b ? n : abut_neg(n), gap, kind);
}

/* ---- lowest points over faces ------------------------------------------------------------------------------------ */

/* Adds rim points of the end at z: the farthest along d, and corners all around where the end lies flat. */
static int show_end(const AbutConvex *c, AbutVec3 d, double z, AbutVec3 out[SHOWN]) {
    double r = c->p[0].x, across = abut_hypot(d.x, d.y);
    int count = 0;
    out[count++] = across > 0.0 ? abut_vec3(r * d.x / across, r * d.y / across, z) : abut_vec3(r, 0.0, z);
    for (int i = 0; i < RIM && across <= ABUT_FEATURE_CONE_FACE && d.z * z > 0.0; ++i) {
        double angle = 2.0 * ABUT_PI * i / RIM;
        out[count++] = abut_vec3(r * abut_cos(angle), r * abut_sin(angle), z);
    }
    return count;
}

/* Points of the body that are farthest along the unit vector d, to the sine by which a vertex may be over a face. */
static int show(const AbutConvex *c, AbutVec3 d, AbutVec3 out[SHOWN]) {
    double h = c->p[0].z, r = c->p[0].x;
    if (c->kind == ABUT_CONVEX_ELLIPSOID) {
        out[0] = abut_convex_farthest(c, d);
        return 1;
    }
    if (c->kind == ABUT_CONVEX_CYLINDER) {
        double near = d.z < 0.0 ? -h : h;
        int count = show_end(c, d, near, out);
        return fabs(d.z) <= ABUT_FEATURE_CONE_FACE ? count + show_end(c, d, -near, out + count) : count;
    }
    double rim = r * abut_hypot(d.x, d.y) - h * d.z, apex = h * d.z;
    double spare = ABUT_FEATURE_CONE_FACE * abut_hypot(r, 2.0 * h);
    int count = rim >= apex - spare ? show_end(c, d, -h, out) : 0;
    if (apex >= rim - spare) out[count++] = abut_vec3(0.0, 0.0, h);
    return count;
}

static void look_at_face(Round *s, int32_t t) {
    const int32_t *at = s->mesh->mesh.triangles[t].v;
    AbutVec3 n = abut_mat3_apply(s->r, s->mesh->normal[t]), shown[SHOWN], c[3];
    if (abut_length_sq(n) == 0.0) return;
    for (int k = 0; k < 3; ++k) c[k] = vertex_at(s, at[k]);
    int count = show(s->body, abut_neg(n), shown);
    for (int i = 0; i < count; ++i) {
        double gap = abut_dot(n, abut_sub(shown[i], c[0]));
        if (is_in_window(s, gap) && abut_touch_is_over(shown[i], c, n, s->q->margin))
            add(s, abut_add_scaled(shown[i], n, -0.5 * gap), abut_neg(n), gap, ABUT_TOUCH_FACE);
    }
}

/* ---- vertices and edges at the body ------------------------------------------------------------------------------ */

/* Is n, of unit length, no normal of a face, a side or a smooth body: does its foot lie on a rim or an apex? */
static int is_of_rim(const AbutConvex *c, AbutVec3 n) {
    double across = abut_hypot(n.x, n.y), r = c->p[0].x, h = c->p[0].z;
    if (c->kind == ABUT_CONVEX_ELLIPSOID || across <= ABUT_FEATURE_CONE_BLUNT) return 0;
    double off = c->kind == ABUT_CONVEX_CYLINDER ? n.z : (n.z * 2.0 * h - across * r) / abut_hypot(r, 2.0 * h);
    return fabs(off) > ABUT_FEATURE_CONE_BLUNT;
}

/* Do a point of the mesh and its foot on the body come nearer than the margin on their way? */
static int will_meet(const Round *s, AbutVec3 p, AbutVec3 n, double gap) {
    AbutVec3 place = abut_pose_apply(s->body_in_a, abut_add_scaled(p, n, -0.5 * gap));
    AbutVec3 r = abut_quat_rotate(s->body_in_a.q, abut_scale(n, s->mesh_is_b ? gap : -gap));
    return abut_touch_will_meet(s->q, place, r);
}

/* Does the direction m out of the mesh lie in the cone of the vertex? */
static int is_lowest(const Round *s, int32_t v, AbutVec3 p, AbutVec3 m) {
    const AbutMeshFeatures *f = s->mesh;
    for (int32_t k = f->star_first[v]; k < f->star_first[v + 1]; ++k) {
        AbutVec3 d = abut_sub(vertex_at(s, f->star[k]), p);
        double height = abut_dot(m, d);
        if (height > 0.0 && height * height > ABUT_FEATURE_CONE_FACE * ABUT_FEATURE_CONE_FACE * abut_length_sq(d))
            return 0;
    }
    return 1;
}

static void look_at_vertex(Round *s, int32_t v) {
    AbutVec3 p = vertex_at(s, v), n;
    double gap = abut_round_over(s->body, p, &n);
    if (!is_in_window(s, gap) || !is_lowest(s, v, p, abut_neg(n))) return;
    int blunt = gap > s->q->margin && is_of_rim(s->body, n);
    if (blunt && !will_meet(s, p, n, gap)) return;
    add(s, abut_add_scaled(p, n, -0.5 * gap), n, gap, blunt ? ABUT_TOUCH_BLUNT : ABUT_TOUCH_FACE);
}

/* The normal n at an edge, from the body, brought into its cone; 0: it is outside. */
static int snap_to_cone(const Round *s, const AbutFeatureEdge *e, AbutVec3 *n) {
    AbutVec3 snapped = *n;
    for (int k = 0; k < 2; ++k) {
        double out = e->t[k] >= 0 ? -abut_dot(*n, abut_mat3_apply(s->r, e->in[k])) : -1.0;
        if (out > ABUT_FEATURE_CONE_EDGE) return 0;
        if (out > 0.0) snapped = abut_neg(abut_mat3_apply(s->r, s->mesh->normal[e->t[k]]));
    }
    *n = snapped;
    return 1;
}

/* Signed distance over the body less `inset`, rounded by it: the same but at rims. */
static double over(const AbutConvex *body, double inset, AbutVec3 p, AbutVec3 *n) {
    if (inset == 0.0 || body->kind == ABUT_CONVEX_ELLIPSOID) return abut_round_over(body, p, n);
    AbutConvex less = *body;
    double r = body->p[0].x, h = body->p[0].z, lift = 0.0;
    if (body->kind == ABUT_CONVEX_CYLINDER) {
        less.p[0] = abut_vec3(r - inset, r - inset, h - inset);
    } else { /* the base rises by the inset, the apex falls by that over the sine of its angle */
        double fall = inset * abut_hypot(r, 2.0 * h) / r, part = 1.0 - (inset + fall) / (2.0 * h);
        less.p[0] = abut_scale(body->p[0], part);
        lift = 0.5 * (inset - fall);
    }
    return abut_round_over(&less, abut_sub(p, abut_vec3(0.0, 0.0, lift)), n) - inset;
}

/* Where on the line from p along d the body is nearest, 0 < part < 1, and its normal there; -1: at an end. */
static double nearest_part(const AbutConvex *body, double inset, AbutVec3 p, AbutVec3 d, AbutVec3 *n) {
    AbutVec3 first, last;
    over(body, inset, p, &first);
    over(body, inset, abut_add(p, d), &last);
    if (!(abut_dot(first, d) < 0.0 && abut_dot(last, d) > 0.0)) return -1.0;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        over(body, inset, abut_add_scaled(p, d, middle), n);
        if (abut_dot(*n, d) < 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* A point of the edge e along d, with the normal n of the body there. */
static void try_edge_point(Round *s, const AbutFeatureEdge *e, AbutVec3 d, AbutVec3 p, AbutVec3 n, double gap) {
    if (!is_in_window(s, gap)) return;
    int along_rim = gap > s->q->margin && is_of_rim(s->body, n);
    if (along_rim) { /* an edge across the rim stops it where both are, one along it where they meet */
        double across = fabs(n.x * d.y - n.y * d.x) / (abut_hypot(n.x, n.y) * abut_length(d));
        along_rim = across > 1.0 - ABUT_FEATURE_PARALLEL && !(p.x == 0.0 && p.y == 0.0);
    }
    if ((along_rim && !will_meet(s, p, n, gap)) || !snap_to_cone(s, e, &n)) return;
    add(s, abut_add_scaled(p, n, -0.5 * gap), n, gap, ABUT_TOUCH_CROSSING);
}

/* Where the line from p along d crosses the planes of the ends and the wall of the cylinder about the body. */
static int leaving_parts(const AbutConvex *c, AbutVec3 p, AbutVec3 d, double part[LEAVES]) {
    double r = c->p[0].x, h = c->p[0].z, a = d.x * d.x + d.y * d.y, b = d.x * p.x + d.y * p.y,
           root = b * b - a * (p.x * p.x + p.y * p.y - r * r);
    int count = 0;
    if (c->kind == ABUT_CONVEX_ELLIPSOID) return 0;
    if (d.z != 0.0) part[count++] = (h - p.z) / d.z, part[count++] = (-h - p.z) / d.z;
    if (a > 0.0 && root > 0.0) part[count++] = (-b - sqrt(root)) / a, part[count++] = (-b + sqrt(root)) / a;
    return count;
}

static void look_at_edge(Round *s, int32_t edge) {
    const AbutFeatureEdge *e = &s->mesh->edge[edge];
    AbutVec3 p = vertex_at(s, e->v[0]), d = abut_sub(vertex_at(s, e->v[1]), p), n;
    double length = abut_length(d), leaves[LEAVES], inset = 0.0, gap = INFINITY;
    if (abut_round_over(s->body, abut_add_scaled(p, d, 0.5), &n) > s->q->within + 0.5 * length) return;
    double part = nearest_part(s->body, 0.0, p, d, &n);
    AbutVec3 at = abut_add_scaled(p, d, part);
    if (part > 0.0) gap = abut_round_over(s->body, at, &n);
    if (gap < 0.0 && gap > -s->q->depth && s->body->kind != ABUT_CONVEX_ELLIPSOID) {
        inset = abut_smaller(-2.0 * gap, 0.25 * abut_smaller(s->body->p[0].x, s->body->p[0].z));
        part = nearest_part(s->body, inset, p, d, &n);
        at = abut_add_scaled(p, d, part);
        if (part > 0.0) gap = abut_dot(n, abut_sub(at, abut_convex_farthest(s->body, n)));
    }
    if (part > 0.0) try_edge_point(s, e, d, at, n, gap);
    int count = leaving_parts(s->body, p, d, leaves);
    for (int i = 0; i < count; ++i) {
        if (!(leaves[i] > 0.0 && leaves[i] < 1.0)) continue;
        at = abut_add_scaled(p, d, leaves[i]);
        gap = abut_round_over(s->body, at, &n);
        if (fabs(abut_dot(n, d)) <= ABUT_FEATURE_PARALLEL * length) try_edge_point(s, e, d, at, n, gap);
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

int abut_find_round_touches(AbutTouchRoom *room, const AbutTouchQuestion *q, const AbutTouchList *list) {
    int mesh_is_b = q->a->kind == ABUT_FEATURES_SMOOTH;
    AbutPose body_in_a = mesh_is_b ? abut_pose_identity() : q->b_in_a,
             mesh_in_body = mesh_is_b ? q->b_in_a : abut_pose_inv(q->b_in_a);
    Round s = {.q = q,
        .mesh = mesh_is_b ? q->b : q->a,
        .body = mesh_is_b ? &q->a->body : &q->b->body,
        .r = abut_quat_to_mat3(mesh_in_body.q),
        .t = mesh_in_body.p,
        .body_in_a = body_in_a,
        .room = room,
        .mesh_is_b = mesh_is_b};
    room->touch_count = room->starved = 0;
    for (int32_t i = 0; i < list->pair_count; ++i) {
        int32_t t = list->pair[i].a;
        int own = s.mesh->own[t];
        if (list->pair[i].apart > abut_larger(q->within, q->depth) + 2.0 * q->margin + list->way) continue;
        look_at_face(&s, t);
        for (int k = 0; k < 3; ++k) {
            if (own & (ABUT_OWNS_VERTEX << k)) look_at_vertex(&s, s.mesh->mesh.triangles[t].v[k]);
            if (own & (ABUT_OWNS_EDGE << k)) look_at_edge(&s, s.mesh->side[t].v[k]);
        }
    }
    return !room->starved;
}

static int list_triangle(const AbutMeshNear *near, void *user) {
    AbutTouchRoom *room = user;
    abut_touch_list_add(room, (AbutTrianglePair){near->triangle, 0, near->distance, 0, 0});
    return !room->starved;
}

int abut_list_round_triangles(AbutTouchRoom *room, const AbutTouchQuestion *q, double radius) {
    int mesh_is_b = q->a->kind == ABUT_FEATURES_SMOOTH;
    AbutPose body_in_mesh = mesh_is_b ? abut_pose_inv(q->b_in_a) : q->b_in_a;
    return abut_mesh_convex_near((mesh_is_b ? q->b : q->a)->tree, mesh_is_b ? &q->a->body : &q->b->body, body_in_mesh,
               abut_axis(0), radius, list_triangle, room) &&
           !room->starved;
}
