/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derivatives of distance and witness points with respect to the poses of both bodies.
 *
 * In: a distance result with its features. Out: twelve columns, small translations and rotations of A and of B.
 * The witness points lie on flats fixed to the bodies (a vertex, the line of an edge, the plane of a face) or on curved
 * parts of them; how they move there is asked of derivative_round.c, to which a vertex is a surface without curvature.
 * The distance itself changes by n.(vb - va), the rigid velocities of the witness points.
 */
#include "math/functions.h"
#include "math/matrix.h"
#include "query/contract.h"
#include "query/distance_derivative.h"
#include "query/support.h"
#include "query/tolerance.h"

#include <string.h>

/* Extends the flat by direction d (not yet unit) when it leaves it. */
static void extend(AbutFlat *flat, AbutVec3 d, double size) {
    for (int k = 0; k < flat->dim; ++k) d = abut_add_scaled(d, flat->u[k], -abut_dot(d, flat->u[k]));
    if (flat->dim < 2 && abut_length(d) > ABUT_DERIVATIVE_FLAT * size) flat->u[flat->dim++] = abut_normalize(d);
}

/* AbutFlat of the part; `point` is the witness of the core. */
static AbutFlat part_flat(const AbutConvex *c, AbutPose pose, const AbutPart *f, AbutVec3 point, double size) {
    AbutFlat flat = {0, {{0, 0, 0}, {0, 0, 0}}, point, pose.p};
    if (abut_convex_is_unbounded(c)) {
        AbutVec3 across = abut_perpendicular(c->p[0]);
        extend(&flat, abut_quat_rotate(pose.q, across), 1.0);
        extend(&flat, abut_quat_rotate(pose.q, abut_cross(c->p[0], across)), 1.0);
        return flat;
    }
    for (int i = 1; i < (int)f->kind && f->kind <= ABUT_PART_FACE; ++i)
        extend(&flat,
            abut_quat_rotate(pose.q, abut_sub(abut_convex_vertex(c, f->index[i]), abut_convex_vertex(c, f->index[0]))),
            size);
    return flat;
}

/* Directions within the set of points that are extreme along n (own frame); none for a support function, and of a plane
 * only how many. */
static AbutFlat extreme_flat(const AbutConvex *c, AbutVec3 n, double size) {
    AbutFlat flat = {0, {{0, 0, 0}, {0, 0, 0}}, {0, 0, 0}, {0, 0, 0}};
    if (abut_convex_is_unbounded(c))
        flat.dim = 2;
    else if (abut_convex_is_round(c))
        flat.dim = abut_round_straight(c, n, flat.u);
    if (flat.dim > 0 || abut_convex_is_round(c)) return flat;
    int32_t count = abut_convex_vertex_count(c);
    AbutVec3 first = abut_convex_farthest(c, n);
    double level = abut_dot(n, first) - ABUT_DERIVATIVE_FLAT * size;
    for (int32_t i = 0; i < count; ++i) {
        AbutVec3 v = abut_convex_vertex(c, i);
        if (abut_dot(n, v) >= level) extend(&flat, abut_sub(v, first), size);
    }
    return flat;
}

/* Can the witness points slide together, along lines or faces that both bodies have across the normal? (na and nb: the
 * outward normals, own frames) */
static int can_slide(const AbutPairView *pair, AbutVec3 na, AbutVec3 nb, double size) {
    AbutFlat a = extreme_flat(pair->a.convex, na, size), b = extreme_flat(pair->b.convex, nb, size);
    if (a.dim != 1 || b.dim != 1) return a.dim + b.dim > 2;
    AbutVec3 across = abut_cross(a.u[0], abut_mat3_apply(pair->rotation, b.u[0]));
    return !(abut_length_sq(across) > ABUT_DERIVATIVE_SINGULAR);
}

/* Is the point well inside its part: every weight of its corners above a small part? (own frame) */
static int inside_part(const AbutConvex *c, const AbutPart *f, AbutVec3 p) {
    const double margin = ABUT_DERIVATIVE_MARGIN;
    if (f->kind < ABUT_PART_EDGE || f->kind > ABUT_PART_FACE) return 1;
    AbutVec3 a = abut_convex_vertex(c, f->index[0]), u = abut_sub(abut_convex_vertex(c, f->index[1]), a),
             r = abut_sub(p, a);
    if (f->kind == ABUT_PART_EDGE) {
        double t = abut_dot(r, u) / abut_length_sq(u);
        return t > margin && t < 1.0 - margin;
    }
    AbutVec3 v = abut_sub(abut_convex_vertex(c, f->index[2]), a), n = abut_cross(u, v);
    double nn = abut_length_sq(n), s = abut_triple(n, r, v) / nn, t = abut_triple(n, u, r) / nn;
    return s > margin && t > margin && s + t < 1.0 - margin;
}

/* Surface of a body of any kind but a support function at its core witness `point` in the world, n its outward normal
 * there; 0: about to change. */
static int surface_at(
    const AbutConvex *c, AbutPose pose, const AbutPart *f, AbutVec3 point, AbutVec3 n, double size, AbutSurface *out) {
    AbutVec3 own_n = abut_quat_rotate_inv(pose.q, n), own_point = abut_pose_apply_inv(pose, point);
    AbutMat3 r = abut_quat_to_mat3(pose.q);
    memset(out, 0, sizeof *out);
    if (c->kind == ABUT_CONVEX_SUPPORT) return 0;
    if (abut_convex_is_round(c)) {
        if (!abut_round_surface(c, own_n, own_point, out)) return 0;
        for (int k = 0; k < out->flat.dim; ++k) out->flat.u[k] = abut_quat_rotate(pose.q, out->flat.u[k]);
        out->curvature = abut_mat3_mul(abut_mat3_mul(r, out->curvature), abut_mat3_transpose(r));
    } else {
        out->flat = part_flat(c, pose, f, point, size);
        if (extreme_flat(c, own_n, size).dim != out->flat.dim || !inside_part(c, f, own_point)) return 0;
    }
    AbutMat3 ball = abut_mat3_add(abut_mat3_diagonal(1.0, 1.0, 1.0), abut_mat3_scale(abut_mat3_outer(n, n), -1.0));
    out->curvature = abut_mat3_add(out->curvature, abut_mat3_scale(ball, c->radius));
    out->flat.point = abut_add_scaled(point, n, c->radius);
    out->flat.origin = pose.p;
    return 1;
}

static void put_column(AbutDistanceDerivative *out, int k, AbutVec3 da, AbutVec3 db) {
    for (int i = 0; i < 3; ++i) {
        out->point_a[i][k] = abut_get(da, i);
        out->point_b[i][k] = abut_get(db, i);
    }
}

static AbutTwist unit_twist(int column, int body) {
    AbutTwist t = {abut_zero(), abut_zero()};
    if (column / 6 == body) *(column % 6 < 3 ? &t.linear : &t.angular) = abut_axis(column % 3);
    return t;
}

/* Is the normal known where the distance of the cores is `core`? Faces and crossing edges give it, else the way from
 * one core to the other, which must not be too short. */
static int has_normal(const AbutSurface *a, const AbutSurface *b, double core, double size) {
    return a->flat.dim == 2 || b->flat.dim == 2 || (a->flat.dim == 1 && b->flat.dim == 1) ||
           (fabs(core) > ABUT_DERIVATIVE_FLAT * size && isfinite(1.0 / core));
}

static void move_points(
    const AbutSurface *a, const AbutSurface *b, AbutVec3 n, double distance, AbutDistanceDerivative *out) {
    for (int k = 0; k < 12 && out->points_valid; ++k) {
        AbutVec3 da, db;
        out->points_valid = abut_surface_move(a, b, n, distance, unit_twist(k, 0), unit_twist(k, 1), &da, &db);
        if (out->points_valid) put_column(out, k, da, db);
    }
}

/* Is the least depth the same along a ring of directions, as about a common axis? Where the surfaces are not straight,
 * the depth grows as the curvature of A - B exceeds it. */
static int in_ring(const AbutSurface *a, const AbutSurface *b, AbutVec3 n, double distance, double size) {
    const AbutFlat *flat = a->flat.dim > 0 ? &a->flat : &b->flat;
    AbutVec3 e = flat->dim > 0 ? abut_cross(n, flat->u[0]) : abut_perpendicular(n), g = abut_cross(n, e);
    AbutMat3 both = abut_mat3_add(a->curvature, b->curvature);
    double same = ABUT_DERIVATIVE_RING * size, eg = abut_dot(e, abut_mat3_apply(both, g)),
           ee = abut_dot(e, abut_mat3_apply(both, e)) + distance, gg = abut_dot(g, abut_mat3_apply(both, g)) + distance;
    double middle = 0.5 * (ee + gg), away = abut_hypot(0.5 * (ee - gg), eg);
    if (a->flat.dim + b->flat.dim > 0) return a->flat.dim + b->flat.dim == 1 && fabs(ee) <= same;
    return fabs(middle - away) <= same || fabs(middle + away) <= same;
}

static AbutDistanceDerivative unknown_derivative(void) {
    AbutDistanceDerivative out = {0};
    for (int k = 0; k < 12; ++k) {
        out.distance[k] = NAN;
        for (int i = 0; i < 3; ++i) out.point_a[i][k] = out.point_b[i][k] = NAN;
    }
    return out;
}

AbutDistanceDerivative abut_distance_derivative(
    const AbutConvex *a, const AbutConvex *b, AbutPose pose_a, AbutPose pose_b, const AbutGap *result) {
    ABUT_ASSERT(abut_convex_is_set(a) && abut_convex_is_set(b) && result);
    AbutDistanceDerivative out = {0};
    AbutPairView pair;
    if (result->outcome == ABUT_INVALID || !abut_pair_view(&pair, a, b, abut_pose_between(pose_a, pose_b)))
        return unknown_derivative();
    double core = result->distance + a->radius + b->radius, size = pair.size + fabs(core);
    AbutVec3 n = abut_quat_rotate(pose_a.q, result->normal);
    AbutVec3 pa = abut_pose_apply(pose_a, abut_add_scaled(result->point_a, result->normal, -a->radius));
    AbutVec3 pb = abut_pose_apply(pose_a, abut_add_scaled(result->point_b, result->normal, b->radius));
    AbutFlat fa = {.point = pa, .origin = pose_a.p}, fb = {.point = pb, .origin = pose_b.p};
    AbutVec3 na = abut_quat_rotate_inv(pose_a.q, n), nb = abut_neg(abut_quat_rotate_inv(pose_b.q, n));
    AbutSurface sa, sb;
    int known = surface_at(a, pose_a, &result->part_a, pa, n, size, &sa) &&
                surface_at(b, pose_b, &result->part_b, pb, abut_neg(n), size, &sb);
    out.valid = result->outcome != ABUT_NOT_CONVERGED && !can_slide(&pair, na, nb, size);
    for (int k = 0; k < 12; ++k)
        out.distance[k] =
            abut_dot(n, abut_sub(abut_flat_velocity(unit_twist(k, 1), &fb), abut_flat_velocity(unit_twist(k, 0), &fa)));
    /* of smooth bodies the cores must be apart: elsewhere the search comes near */
    int smooth = abut_pair_is_smooth(&pair), parted = result->distance + pair.a.radius + pair.b.radius > 0.0;
    out.points_valid = out.valid && known && (smooth ? parted : has_normal(&sa, &sb, core, size));
    move_points(&sa, &sb, n, result->distance, &out);
    if (!smooth)
        out.valid = out.points_valid;
    else if (known && !parted && in_ring(&sa, &sb, n, result->distance, size))
        out.valid = 0;
    for (int k = 0; k < 12; ++k) { /* numbers of extreme size overflow */
        out.valid = out.valid && isfinite(out.distance[k]);
        for (int i = 0; i < 3; ++i)
            out.points_valid = out.points_valid && isfinite(out.point_a[i][k]) && isfinite(out.point_b[i][k]);
    }
    return out;
}
