/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of two boxes, or of a box and a half-space, from the shape it had last time. In: the bodies, the pose of B in
 * A, and that shape: the three planes through each vertex, the corners of each face. Out: the overlap, as the clip
 * gives it but for rounding, at a fifth of its cost; or none.
 *
 * A vertex is a corner of one box, or the point of an edge of one on a plane of the other body. All are computed at
 * once and accepted only if each lies inside all planes but its own three, by more than a slack. Then each is a vertex
 * of the overlap with three edges; an edge lies on two planes, and the shape names another vertex on both, which is its
 * other end. The edges of a polyhedron hang together, so no vertex is missing. Everything else is left to the clip:
 * flush faces, vertices of four planes, edges nearly along a plane, another shape.
 */
#include "query/overlap_again.h"
#include "query/tolerance.h"

#include <string.h>

enum {
    MOST_VERTICES = sizeof((AbutOverlapShape *)0)->vertex / sizeof((AbutOverlapShape *)0)->vertex[0],
    MOST_FACES = sizeof((AbutOverlapShape *)0)->face / sizeof((AbutOverlapShape *)0)->face[0],
    MOST_CORNERS = sizeof((AbutOverlapShape *)0)->corner,
    PLANES = 6 /* of a box; a half-space has the first */
};

/* ---- learning ---------------------------------------------------------------------------------------------------- */

static int is_box(const AbutConvex *convex) { return convex->kind == ABUT_CONVEX_BOX && convex->radius == 0.0; }

static int is_flat(const AbutConvex *convex) {
    return convex->kind == ABUT_CONVEX_HALF_SPACE && convex->radius >= 0.0 &&
           fabs(abut_length_sq(convex->p[0]) - 1.0) < ABUT_QUERY_UNIT;
}

static int is_known_pair(const AbutConvex *a, const AbutConvex *b) {
    return is_box(a) ? is_box(b) || is_flat(b) : is_flat(a) && is_box(b);
}

/* From the planes on[0] < on[1] < on[2]; 0: an edge that no box has. */
static int learn_vertex(const AbutConvex *const body[2], const int on[3], struct AbutOverlapCorner *vertex) {
    int owner = on[1] >= PLANES, whole = (on[0] >= PLANES) == (on[2] >= PLANES), sum = 0;
    vertex->on = (uint16_t)(1 << on[0] | 1 << on[1] | 1 << on[2]);
    vertex->owner = (uint8_t)owner;
    vertex->axis = 3;
    vertex->ends = vertex->plane = 0;
    if (!is_box(body[owner])) return 0;
    for (int k = owner && !whole; k < 3 - (!owner && !whole); ++k) { /* its own planes */
        int plane = on[k] % PLANES;
        vertex->ends |= (uint8_t)((plane & 1) << plane / 2);
        sum += plane / 2;
    }
    if (whole) return sum == 3;
    vertex->plane = (uint8_t)(on[owner ? 0 : 2] % PLANES);
    vertex->axis = (uint8_t)(3 - sum);
    return sum >= 1 && sum <= 3;
}

void abut_overlap_learn(const AbutConvex *a, const AbutConvex *b, const AbutOverlap *overlap, AbutOverlapShape *shape) {
    const AbutConvex *const body[2] = {a, b};
    int on[MOST_VERTICES][3], seen[MOST_VERTICES] = {0}, good = 1;
    shape->vertices = 0;
    if (overlap->outcome != ABUT_OVERLAP_VOLUME || overlap->vertex_count > MOST_VERTICES ||
        overlap->face_count > MOST_FACES || overlap->corner_count > MOST_CORNERS || !is_known_pair(a, b))
        return;
    /* planes in the order of their numbers, so that those through a vertex are too */
    for (int plane = 0; plane < 2 * PLANES; ++plane)
        for (int f = 0; f < overlap->face_count; ++f) {
            const AbutOverlapFace *face = &overlap->face[f];
            if (PLANES * face->owner + face->source != plane) continue;
            shape->face[f].plane = (uint8_t)plane;
            shape->face[f].count = (uint8_t)face->count;
            for (int k = 0; k < face->count; ++k) {
                int v = overlap->corner[face->first + k];
                shape->corner[face->first + k] = (uint8_t)v;
                if (seen[v] < 3) on[v][seen[v]] = plane;
                ++seen[v];
            }
        }
    for (int v = 0; v < overlap->vertex_count && good; ++v)
        good = seen[v] == 3 && learn_vertex(body, on[v], &shape->vertex[v]);
    if (!good) return;
    shape->faces = (uint8_t)overlap->face_count;
    shape->corners = (uint8_t)overlap->corner_count;
    shape->vertices = (uint8_t)overlap->vertex_count;
}

/* ---- again ------------------------------------------------------------------------------------------------------- */

/* A body about the origin: a box by its axes, with the coordinates of its middle along them; or a plane, by the first
 * of them. */
typedef struct Frame {
    AbutVec3 axis[3], center;
    double half[3], middle[3];
    int box;
} Frame;

static Frame frame_of(const AbutConvex *body, const AbutMat3 *turn, AbutVec3 shift) {
    Frame f;
    f.box = is_box(body);
    f.center = shift;
    f.axis[0] = turn->x, f.axis[1] = turn->y, f.axis[2] = turn->z;
    if (f.box) {
        f.half[0] = body->p[0].x, f.half[1] = body->p[0].y, f.half[2] = body->p[0].z;
        for (int k = 0; k < 3; ++k) f.middle[k] = abut_dot(f.axis[k], shift);
    } else {
        f.axis[0] = abut_mat3_apply(*turn, body->p[0]);
        f.middle[0] = abut_dot(f.axis[0], shift);
        f.half[0] = body->p[1].x + body->radius;
    }
    return f;
}

/* Outward normal and offset of a plane. Even ones of a box look down its axes; that of a half-space is number 0. */
static AbutPlane plane_of(const Frame *f, int plane) {
    int k = f->box ? plane / 2 : 0;
    AbutPlane up = {f->axis[k], f->middle[k] + f->half[k]}, down = {abut_neg(f->axis[k]), f->half[k] - f->middle[k]};
    return (plane & 1) || !f->box ? up : down;
}

/* Planes that p is not inside of by the slack, as bits. */
static inline unsigned beyond(const Frame *f, AbutVec3 p, double slack) {
    unsigned out = 0;
    if (!f->box) return abut_dot(f->axis[0], p) - f->middle[0] > f->half[0] - slack;
    for (int k = 0; k < 3; ++k) {
        double x = abut_dot(f->axis[k], p) - f->middle[k], most = f->half[k] - slack;
        out |= (unsigned)(x < -most) << 2 * k | (unsigned)(x > most) << (2 * k + 1);
    }
    return out;
}

/* Can this be a shape? What callers put into a cache is not trusted further than to stay within the arrays. */
static int is_sound(const AbutOverlapShape *shape) {
    int good = shape->vertices <= MOST_VERTICES && shape->faces <= MOST_FACES && shape->corners <= MOST_CORNERS,
        sum = 0;
    for (int v = 0; good && v < shape->vertices; ++v)
        good = shape->vertex[v].owner <= 1 && shape->vertex[v].axis <= 3 && shape->vertex[v].plane < PLANES;
    for (int f = 0; good && f < shape->faces; sum += shape->face[f++].count)
        good = shape->face[f].plane < 2 * PLANES && shape->face[f].count >= 3;
    for (int i = 0; good && i < shape->corners; ++i) good = shape->corner[i] < shape->vertices;
    return good && sum == shape->corners;
}

/* 0: the edge runs along the plane. */
static inline int place(const Frame frame[2], const struct AbutOverlapCorner *v, AbutVec3 *out) {
    const Frame *f = &frame[v->owner], *other = &frame[!v->owner];
    AbutVec3 p = f->center;
    for (int k = 0; k < 3; ++k)
        if (k != v->axis) p = abut_add_scaled(p, f->axis[k], v->ends >> k & 1 ? f->half[k] : -f->half[k]);
    if (v->axis < 3) {
        AbutPlane plane = plane_of(other, v->plane);
        double along = abut_dot(plane.normal, f->axis[v->axis]);
        if (!(fabs(along) > ABUT_OVERLAP_SLANT)) return 0;
        p = abut_add_scaled(p, f->axis[v->axis], (plane.offset - abut_dot(plane.normal, p)) / along);
    }
    *out = p;
    return 1;
}

int abut_overlap_again(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutOverlapShape *shape,
    void *workspace, AbutOverlap *out) {
    if (shape->vertices == 0 || shape->off || !is_known_pair(a, b) || !abut_pose_is_finite(b_in_a) || !is_sound(shape))
        return 0;
    AbutMat3 own = abut_mat3_identity(), turn = abut_quat_to_mat3(abut_quat_normalize(b_in_a.q));
    AbutVec3 origin = is_box(b) ? b_in_a.p : abut_zero(); /* the middle of a box */
    Frame frame[2] = {frame_of(a, &own, abut_neg(origin)), frame_of(b, &turn, abut_sub(b_in_a.p, origin))};
    double scale = abut_larger(is_box(a) ? abut_length(a->p[0]) : 0.0, is_box(b) ? abut_length(b->p[0]) : 0.0);
    AbutOverlapArrays to = abut_overlap_arrays(workspace, abut_overlap_face_count(a) + abut_overlap_face_count(b));
    for (int v = 0; v < shape->vertices; ++v) {
        if (!frame[shape->vertex[v].owner].box || !place(frame, &shape->vertex[v], &to.vertex[v])) return 0;
        unsigned far = beyond(&frame[0], to.vertex[v], ABUT_OVERLAP_SAME * scale) |
                       beyond(&frame[1], to.vertex[v], ABUT_OVERLAP_SAME * scale) << PLANES;
        if (far & ~(unsigned)shape->vertex[v].on) return 0;
    }
    *out = (AbutOverlap){.vertex = to.vertex, .face = to.face, .corner = to.corner};
    out->vertex_count = shape->vertices, out->face_count = shape->faces, out->corner_count = shape->corners;
    for (int i = 0; i < shape->corners; ++i) to.corner[i] = shape->corner[i];
    for (int f = 0, first = 0; f < shape->faces; first += shape->face[f++].count) {
        int owner = shape->face[f].plane >= PLANES, source = shape->face[f].plane % PLANES;
        AbutPlane plane = plane_of(&frame[owner], source);
        plane.offset += abut_dot(plane.normal, origin);
        to.face[f] = (AbutOverlapFace){.owner = owner, .source = source, .plane = plane, .first = first};
        to.face[f].count = shape->face[f].count;
    }
    return abut_overlap_integrate(origin, scale, is_box(b), to, out) && out->outcome == ABUT_OVERLAP_VOLUME;
}
