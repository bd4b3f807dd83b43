/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of an overlap: boxes, polyhedra and half-spaces seen as vertices, half-edges and face planes. In: convex
 * bodies and the pose of B in A. Out: the views, or the outcome where there is nothing to clip (kinds without faces,
 * bodies without volume, bounding spheres apart, two half-spaces).
 */
#include "query/overlap.h"
#include "query/tolerance.h"
#include "shape/polyhedron.h"

#include <string.h>

/* Half-edges of a box whose corners are numbered by bits: faces -x, +x, -y, +y, -z, +z. */
static const AbutHalfEdge box_half_edge[24] = {
    {0, 11, 0}, {4, 23, 0}, {6, 12, 0}, {2, 16, 0}, /* -x */
    {1, 18, 1}, {3, 14, 1}, {7, 21, 1}, {5, 9, 1},  /* +x */
    {0, 19, 2}, {1, 7, 2}, {5, 20, 2}, {4, 0, 2},   /* -y */
    {2, 2, 3}, {6, 22, 3}, {7, 5, 3}, {3, 17, 3},   /* +y */
    {0, 3, 4}, {2, 15, 4}, {3, 4, 4}, {1, 8, 4},    /* -z */
    {4, 10, 5}, {5, 6, 5}, {7, 13, 5}, {6, 1, 5},   /* +z */
};

static const int32_t box_edge[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 15};

int abut_overlap_face_count(const AbutConvex *convex) {
    switch (convex->kind) {
    case ABUT_CONVEX_BOX:
        return convex->radius == 0.0 ? 6 : -1;
    case ABUT_CONVEX_POLYHEDRON:
        return convex->radius == 0.0 ? convex->polyhedron->face_count : -1;
    case ABUT_CONVEX_HALF_SPACE:
        return 1;
    default:
        return -1;
    }
}

static int view_box(AbutFaceted *body, AbutVec3 half) {
    for (int i = 0; i < 8; ++i)
        body->corner[i] = abut_vec3((i & 1) ? half.x : -half.x, (i & 2) ? half.y : -half.y, (i & 4) ? half.z : -half.z);
    for (int f = 0; f < 6; ++f) {
        AbutFace side = {{abut_scale(abut_axis(f / 2), (f & 1) ? 1.0 : -1.0), abut_get(half, f / 2)}, 4 * f, 4};
        body->side[f] = side;
    }
    body->vertex = body->corner, body->vertex_count = 8;
    body->half_edge = box_half_edge, body->half_edge_count = 24;
    body->edge = box_edge;
    body->face = body->side, body->face_count = 6;
    body->solid = half.x > 0.0 && half.y > 0.0 && half.z > 0.0;
    body->bound.center = abut_zero();
    body->bound.radius = abut_length(half);
    return half.x >= 0.0 && half.y >= 0.0 && half.z >= 0.0 && isfinite(body->bound.radius);
}

static int view_polyhedron(AbutFaceted *body, const AbutPolyhedron *p) {
    body->vertex = abut_polyhedron_vertices(p), body->vertex_count = p->vertex_count;
    body->half_edge = abut_polyhedron_half_edges(p), body->half_edge_count = p->half_edge_count;
    body->edge = abut_polyhedron_edges(p);
    body->face = abut_polyhedron_faces(p), body->face_count = p->face_count;
    body->solid = p->dimension == 3;
    body->bound = p->bound;
    return 1;
}

static int view_half_space(AbutFaceted *body, const AbutConvex *convex) {
    AbutFace side = {{convex->p[0], convex->p[1].x + convex->radius}, 0, 0};
    body->side[0] = side;
    body->vertex = NULL, body->vertex_count = 0;
    body->half_edge = NULL, body->half_edge_count = 0;
    body->edge = NULL;
    body->face = body->side, body->face_count = 1;
    body->solid = 1;
    body->bound.center = abut_scale(side.plane.normal, side.plane.offset);
    body->bound.radius = 0.0;
    return isfinite(side.plane.offset) && convex->radius >= 0.0 &&
           fabs(abut_length_sq(convex->p[0]) - 1.0) < ABUT_QUERY_UNIT;
}

/* False when a size is not finite or negative, or a normal not of unit length. */
static int view_body(AbutFaceted *body, const AbutConvex *convex, AbutPose pose) {
    body->turn = abut_quat_to_mat3(pose.q);
    body->shift = pose.p;
    if (convex->kind == ABUT_CONVEX_BOX) return view_box(body, convex->p[0]);
    if (convex->kind == ABUT_CONVEX_POLYHEDRON) return view_polyhedron(body, convex->polyhedron);
    return view_half_space(body, convex);
}

/* Gap between the bounding spheres, or between a sphere and a plane. */
static double bound_gap(const AbutOverlapBodies *bodies) {
    const AbutFaceted *a = &bodies->body[0], *b = &bodies->body[1];
    AbutVec3 center = abut_add(abut_mat3_apply(b->turn, b->bound.center), b->shift);
    if (a->vertex_count == 0 || b->vertex_count == 0) {
        int owner = a->vertex_count != 0;
        AbutPlane plane = abut_overlap_plane(bodies, owner, 0);
        return abut_dot(plane.normal, owner ? a->bound.center : center) - plane.offset - bodies->scale;
    }
    return abut_point_distance(a->bound.center, center) - a->bound.radius - b->bound.radius;
}

/* Two half-spaces have no bounded part in common. */
static AbutOverlapOutcome half_spaces(const AbutOverlapBodies *bodies) {
    AbutGap d = abut_convex_distance(bodies->convex[0], bodies->convex[1], bodies->b_in_a, NULL, NULL);
    if (d.outcome == ABUT_INVALID) return ABUT_OVERLAP_INVALID;
    if (d.outcome == ABUT_PENETRATING) return ABUT_OVERLAP_UNBOUNDED;
    return d.outcome == ABUT_TOUCHING ? ABUT_OVERLAP_TOUCHING : ABUT_OVERLAP_DISJOINT;
}

AbutOverlapOutcome abut_overlap_view(
    AbutOverlapBodies *bodies, const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a) {
    if (abut_overlap_face_count(a) < 0 || abut_overlap_face_count(b) < 0) return ABUT_OVERLAP_UNSUPPORTED;
    if (!abut_pose_is_finite(b_in_a)) return ABUT_OVERLAP_INVALID;
    b_in_a.q = abut_quat_normalize(b_in_a.q);
    AbutFaceted *body = bodies->body;
    bodies->convex[0] = a, bodies->convex[1] = b;
    bodies->b_in_a = b_in_a;
    if (!view_body(&body[0], a, abut_pose_identity()) || !view_body(&body[1], b, b_in_a)) return ABUT_OVERLAP_INVALID;
    if (body[0].vertex_count == 0 && body[1].vertex_count == 0) return half_spaces(bodies);
    bodies->origin = body[0].vertex_count > 0
                         ? body[0].bound.center
                         : abut_add(abut_mat3_apply(body[1].turn, body[1].bound.center), body[1].shift);
    bodies->scale = fmax(body[0].bound.radius, body[1].bound.radius);
    if (bound_gap(bodies) > ABUT_OVERLAP_APART * bodies->scale) return ABUT_OVERLAP_DISJOINT;
    return body[0].solid && body[1].solid ? ABUT_OVERLAP_VOLUME : abut_overlap_touch(bodies);
}

AbutOverlapOutcome abut_overlap_touch(const AbutOverlapBodies *bodies) {
    AbutGap d = abut_convex_distance(bodies->convex[0], bodies->convex[1], bodies->b_in_a, NULL, NULL);
    if (d.outcome == ABUT_INVALID) return ABUT_OVERLAP_INVALID;
    return d.distance <= ABUT_OVERLAP_TOUCH * fmax(bodies->scale, ABUT_OVERLAP_LEAST_SIZE) ? ABUT_OVERLAP_TOUCHING
                                                                                           : ABUT_OVERLAP_DISJOINT;
}
