/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The feature that a body shows along the normal of a contact. Spheres and ellipsoids show their farthest point,
 * capsules the line of their lowest points, cylinders and cones an end (as eight corners of its rim, the first at the
 * lowest point) or the line along their side, boxes and polyhedra the face that looks most that way, half-spaces their
 * plane. Which one it is does not matter where both would do: heights tell what touches, and a cylinder shows the same
 * rim point on either side of the switch from its end to its side.
 */
#include "contact/round_feature.h"
#include "contact/tolerance.h"
#include "math/functions.h"

/* The body with its place, and the unit direction towards the other in its own frame. */
typedef struct Side {
    const AbutConvex *body;
    AbutMat3 rotation;
    AbutVec3 position, towards, lean; /* lean: own frame */
    double margin;
} Side;

static AbutVec3 to_a(const Side *s, AbutVec3 p) { return abut_add(abut_mat3_apply(s->rotation, p), s->position); }

static AbutPoint2 place(const AbutContactPlane *plane, AbutVec3 p, double *height) {
    AbutVec3 r = abut_sub(p, plane->origin);
    AbutPoint2 out = {abut_dot(r, plane->e1), abut_dot(r, plane->e2)};
    *height = abut_dot(r, plane->normal);
    return out;
}

/* Heights over the plane n.x = offset, in the frame of A; 0: too steep. */
static int set_plane(AbutShownFeature *f, const AbutContactPlane *plane, AbutVec3 n, AbutVec3 point) {
    double along = abut_dot(n, plane->normal);
    if (!(fabs(along) > ABUT_ROUND_STEEP)) return 0;
    f->height[0] = abut_dot(n, abut_sub(point, plane->origin)) / along;
    f->height[1] = -abut_dot(n, plane->e1) / along;
    f->height[2] = -abut_dot(n, plane->e2) / along;
    return 1;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* From p to q, own frame; a line that is seen along itself is a point. */
static void show_line(const Side *s, const AbutContactPlane *plane, AbutVec3 p, AbutVec3 q, AbutShownFeature *f) {
    double h0, h1;
    f->corner[0] = place(plane, to_a(s, p), &h0);
    f->corner[1] = place(plane, to_a(s, q), &h1);
    double dx = f->corner[1].x - f->corner[0].x, dy = f->corner[1].y - f->corner[0].y, length = dx * dx + dy * dy;
    double least = ABUT_CONTACT_LENGTH * abut_point_distance(p, q);
    if (!(length > least * least)) return;
    f->kind = ABUT_PART_EDGE;
    f->count = 2;
    f->height[1] = (h1 - h0) * dx / length;
    f->height[2] = (h1 - h0) * dy / length;
    f->height[0] = h0 - f->height[1] * f->corner[0].x - f->height[2] * f->corner[0].y;
}

/* ---- discs ------------------------------------------------------------------------------------------------------- */

/* Across the axis, where the rim of a cylinder or cone is lowest; where it lies flat, where the contact leans. */
static AbutVec3 lowest_way(const Side *s) {
    AbutVec3 d = s->towards, lean = abut_vec3(s->lean.x, s->lean.y, 0.0);
    double q = abut_hypot(d.x, d.y);
    if (q * s->body->p[0].x < ABUT_ROUND_FLAT * s->margin && abut_length_sq(lean) > 0.0) return abut_normalize(lean);
    return q > 0.0 ? abut_vec3(d.x / q, d.y / q, 0.0) : abut_axis(0);
}

static void show_disc(const Side *s, const AbutContactPlane *plane, double z, AbutShownFeature *f) {
    const double r = s->body->p[0].x, half = ABUT_ROUND_END;
    static const int turn[ABUT_DISC_CORNERS][2] = {
        {2, 0}, {1, 1}, {0, 2}, {-1, 1}, {-2, 0}, {-1, -1}, {0, -2}, {1, -1}};
    AbutVec3 x = lowest_way(s), y = abut_cross(abut_axis(2), x), axis = s->rotation.z;
    int up = abut_dot(axis, plane->normal) > 0.0;
    double h;
    for (int i = 0; i < ABUT_DISC_CORNERS; ++i) {
        const int *t = turn[up ? i : (ABUT_DISC_CORNERS - i) % ABUT_DISC_CORNERS];
        double c = t[0] == 2 || t[0] == -2 ? 0.5 * t[0] : half * t[0],
               n = t[1] == 2 || t[1] == -2 ? 0.5 * t[1] : half * t[1];
        AbutVec3 rim = abut_add(abut_scale(x, r * c), abut_scale(y, r * n));
        f->corner[i] = place(plane, to_a(s, abut_vec3(rim.x, rim.y, z)), &h);
    }
    if (!set_plane(f, plane, axis, to_a(s, abut_vec3(0.0, 0.0, z)))) return;
    f->kind = ABUT_PART_FACE;
    f->count = ABUT_DISC_CORNERS;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

static void show_cylinder(const Side *s, const AbutContactPlane *plane, AbutShownFeature *f) {
    AbutVec3 size = s->body->p[0], d = s->towards;
    f->radius = size.x;
    if (fabs(d.z) > ABUT_ROUND_END) {
        show_disc(s, plane, d.z > 0.0 ? size.z : -size.z, f);
    } else {
        AbutVec3 side = abut_scale(lowest_way(s), size.x), up = abut_vec3(0.0, 0.0, size.z);
        show_line(s, plane, abut_sub(side, up), abut_add(side, up), f);
    }
}

static void show_cone(const Side *s, const AbutContactPlane *plane, AbutShownFeature *f) {
    AbutVec3 size = s->body->p[0], d = s->towards;
    f->radius = size.x;
    if (d.z < -ABUT_ROUND_END) {
        show_disc(s, plane, -size.z, f);
    } else {
        AbutVec3 rim = abut_scale(lowest_way(s), size.x);
        show_line(s, plane, abut_vec3(rim.x, rim.y, -size.z), abut_vec3(0.0, 0.0, size.z), f);
    }
}

static void show_capsule(const Side *s, const AbutContactPlane *plane, AbutShownFeature *f) {
    AbutVec3 out = abut_scale(s->towards, s->body->radius);
    f->radius = s->body->radius;
    show_line(s, plane, abut_add(s->body->p[0], out), abut_add(s->body->p[1], out), f);
}

static void show_face(const Side *s, const AbutContactPlane *plane, AbutShownFeature *f) {
    AbutVec3 n;
    f->face = abut_nearest_face(s->body, s->towards, &n);
    f->body = s->body;
    n = abut_mat3_apply(s->rotation, n);
    f->backward = abut_dot(n, plane->normal) < 0.0;
    AbutVec3 point = abut_convex_farthest(s->body, abut_mat3_apply_t(s->rotation, n));
    if (!set_plane(f, plane, n, to_a(s, point))) return;
    f->kind = ABUT_PART_FACE;
    f->count = s->body->kind == ABUT_CONVEX_BOX ? 4 : abut_polyhedron_faces(s->body->polyhedron)[f->face].count;
}

static void show_plane(const Side *s, const AbutContactPlane *plane, AbutShownFeature *f) {
    AbutVec3 n = s->body->p[0], point = abut_scale(n, s->body->p[1].x + s->body->radius);
    if (set_plane(f, plane, abut_mat3_apply(s->rotation, n), to_a(s, point))) f->kind = ABUT_PART_PLANE;
}

static Side side_of(const AbutPatchPair *pair, int of_b, AbutVec3 normal) {
    Side s = {&pair->a->body, abut_mat3_diagonal(1.0, 1.0, 1.0), abut_zero(), normal, pair->lean, pair->a->margin};
    if (of_b) {
        s.body = &pair->b->body;
        s.rotation = abut_quat_to_mat3(pair->b_in_a.q);
        s.position = pair->b_in_a.p;
        s.towards = abut_neg(abut_mat3_apply_t(s.rotation, normal));
        s.lean = abut_mat3_apply_t(s.rotation, pair->lean);
        s.margin = pair->b->margin;
    }
    return s;
}

AbutShownFeature abut_shown_feature(const AbutPatchPair *pair, int of_b, const AbutContactPlane *plane) {
    Side s = side_of(pair, of_b, plane->normal);
    AbutShownFeature f = {.kind = ABUT_PART_VERTEX, .radius = INFINITY};
    f.rotation = s.rotation;
    f.position = s.position;
    switch (s.body->kind) {
    case ABUT_CONVEX_POINT:
        f.radius = s.body->radius;
        break;
    case ABUT_CONVEX_ELLIPSOID:
        f.radius = abut_cbrt(s.body->p[0].x * s.body->p[0].y * s.body->p[0].z);
        break;
    case ABUT_CONVEX_SEGMENT:
        show_capsule(&s, plane, &f);
        break;
    case ABUT_CONVEX_CYLINDER:
        show_cylinder(&s, plane, &f);
        break;
    case ABUT_CONVEX_CONE:
        show_cone(&s, plane, &f);
        break;
    case ABUT_CONVEX_HALF_SPACE:
        show_plane(&s, plane, &f);
        break;
    default:
        show_face(&s, plane, &f);
        break;
    }
    return f;
}

/* Corner i of a face of a box, counter-clockwise from outside. */
static AbutVec3 box_corner(AbutVec3 h, int face, int i) {
    int axis = face / 2, up = face % 2;
    double u = i == 0 || i == 3 ? 1.0 : -1.0, v = i < 2 ? 1.0 : -1.0, size[3] = {h.x, h.y, h.z}, p[3];
    p[axis] = up ? size[axis] : -size[axis];
    p[(axis + 1) % 3] = (up ? u : v) * size[(axis + 1) % 3];
    p[(axis + 2) % 3] = (up ? v : u) * size[(axis + 2) % 3];
    return abut_vec3(p[0], p[1], p[2]);
}

AbutPoint2 abut_feature_corner(const AbutShownFeature *f, const AbutContactPlane *plane, int i) {
    if (!f->body) return f->corner[i];
    int k = f->backward ? f->count - 1 - i : i;
    AbutVec3 p;
    double h;
    if (f->body->kind == ABUT_CONVEX_BOX) {
        p = box_corner(f->body->p[0], f->face, k);
    } else {
        const AbutPolyhedron *poly = f->body->polyhedron;
        const AbutHalfEdge *half = abut_polyhedron_half_edges(poly);
        p = abut_polyhedron_vertices(poly)[half[abut_polyhedron_faces(poly)[f->face].first + k].origin];
    }
    return place(plane, abut_add(abut_mat3_apply(f->rotation, p), f->position), &h);
}
