/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derivatives of distance and witness points with respect to the poses of both bodies.
 *
 * In: a distance result with its features. Out: twelve columns, small translations and rotations of A and of B.
 * The witness points lie on flats fixed to the bodies (a vertex, the line of an edge, the plane of a face): pa = a0 + U
 * s and pb = b0 + V t, where e = pb - pa is at right angles to both flats. Differentiating U^T e = 0 and V^T e = 0
 * gives a linear system for ds and dt with at most two unknowns. The distance itself changes by n.(vb - va), the rigid
 * velocities of the witness points.
 */
#include "math/functions.h"
#include "math/matrix.h"
#include "query/contract.h"
#include "query/distance_derivative.h"
#include "query/support.h"
#include "query/tolerance.h"

#include <string.h>

/* Extends the flat by direction d (not yet unit) when it leaves it. */
static void extend(AbutFlat *flat, AbutVec3 d, double size)
{
    for (int k = 0; k < flat->dim; ++k)
        d = abut_add_scaled(d, flat->u[k], -abut_dot(d, flat->u[k]));
    if (flat->dim < 2 && abut_length(d) > ABUT_DERIVATIVE_FLAT * size)
        flat->u[flat->dim++] = abut_normalize(d);
}

/* AbutFlat of the part; `point` is the witness of the core. */
static AbutFlat part_flat(const AbutConvex *c, AbutPose pose, const AbutPart *f, AbutVec3 point, double size)
{
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
static AbutFlat extreme_flat(const AbutConvex *c, AbutVec3 n, double size)
{
    AbutFlat flat = {0, {{0, 0, 0}, {0, 0, 0}}, {0, 0, 0}, {0, 0, 0}};
    if (abut_convex_is_unbounded(c))
        flat.dim = 2;
    else if (abut_convex_is_round(c))
        flat.dim = abut_round_straight(c, n, flat.u);
    if (flat.dim > 0 || abut_convex_is_round(c))
        return flat;
    int32_t count = abut_convex_vertex_count(c);
    AbutVec3 first = abut_convex_farthest(c, n);
    double level = abut_dot(n, first) - ABUT_DERIVATIVE_FLAT * size;
    for (int32_t i = 0; i < count; ++i) {
        AbutVec3 v = abut_convex_vertex(c, i);
        if (abut_dot(n, v) >= level)
            extend(&flat, abut_sub(v, first), size);
    }
    return flat;
}

/* Can the witness points slide together, along lines or faces that both bodies have across the normal? (na and nb: the
 * outward normals, own frames) */
static int can_slide(const AbutPairView *pair, AbutVec3 na, AbutVec3 nb, double size)
{
    AbutFlat a = extreme_flat(pair->a.convex, na, size), b = extreme_flat(pair->b.convex, nb, size);
    if (a.dim != 1 || b.dim != 1)
        return a.dim + b.dim > 2;
    AbutVec3 across = abut_cross(a.u[0], abut_mat3_apply(pair->rotation, b.u[0]));
    return !(abut_length_sq(across) > ABUT_DERIVATIVE_SINGULAR);
}

/* Is the point well inside its part: every weight of its corners above a small part? (own frame) */
static int inside_part(const AbutConvex *c, const AbutPart *f, AbutVec3 p)
{
    const double margin = ABUT_DERIVATIVE_MARGIN;
    if (f->kind < ABUT_PART_EDGE || f->kind > ABUT_PART_FACE)
        return 1;
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

/* Solves the symmetric system of size n <= 2; false when it is singular. */
static int solve2(int n, double g[2][2], double b[2])
{
    if (n == 1) {
        b[0] /= g[0][0];
        return 1;
    }
    double det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
    if (!(fabs(det) > ABUT_DERIVATIVE_SINGULAR))
        return 0;
    double x = (b[0] * g[1][1] - g[0][1] * b[1]) / det, y = (g[0][0] * b[1] - b[0] * g[1][0]) / det;
    b[0] = x;
    b[1] = y;
    return 1;
}

/* Velocities of the witness points on their flats when the bodies move with the given twists. */
static int move_witness(
    const AbutFlat *a, const AbutFlat *b, AbutVec3 e, AbutTwist ta, AbutTwist tb, AbutVec3 *dpa, AbutVec3 *dpb)
{
    AbutVec3 va = abut_flat_velocity(ta, a), vb = abut_flat_velocity(tb, b), relative = abut_sub(vb, va), dir[2];
    double sign[2], g[2][2] = {{0}}, rhs[2] = {0};
    int n = a->dim + b->dim;
    for (int k = 0; k < n; ++k) { /* e changes by relative + sum sign_k dir_k x_k */
        int on_a = k < a->dim;
        dir[k] = on_a ? a->u[k] : b->u[k - a->dim];
        sign[k] = on_a ? -1.0 : 1.0;
        rhs[k] = -(abut_dot(abut_cross(on_a ? ta.w : tb.w, dir[k]), e) + abut_dot(dir[k], relative));
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            g[i][j] = sign[j] * abut_dot(dir[i], dir[j]);
    if (n > 0 && !solve2(n, g, rhs))
        return 0;
    *dpa = va;
    *dpb = vb;
    for (int k = 0; k < n; ++k) {
        if (k < a->dim)
            *dpa = abut_add_scaled(*dpa, dir[k], rhs[k]);
        else
            *dpb = abut_add_scaled(*dpb, dir[k], rhs[k]);
    }
    return 1;
}

/* Change of the unit normal: it turns with a face, stays across two edges, or follows e. False when e is too short. */
static int move_normal(const AbutFlat *a, const AbutFlat *b, AbutVec3 n, double core, AbutVec3 de, AbutTwist ta,
    AbutTwist tb, double size, AbutVec3 *dn)
{
    if (a->dim == 2 || b->dim == 2) {
        *dn = abut_cross(a->dim == 2 ? ta.w : tb.w, n);
        return 1;
    }
    AbutVec3 raw;
    if (a->dim == 1 && b->dim == 1) {
        AbutVec3 across = abut_cross(a->u[0], b->u[0]);
        double length = abut_dot(across, n); /* signed: n may point either way */
        raw = abut_add(abut_cross(abut_cross(ta.w, a->u[0]), b->u[0]), abut_cross(a->u[0], abut_cross(tb.w, b->u[0])));
        raw = abut_scale(raw, 1.0 / length);
    } else {
        if (fabs(core) <= ABUT_DERIVATIVE_FLAT * size || !isfinite(1.0 / core))
            return 0;
        raw = abut_scale(de, 1.0 / core);
    }
    *dn = abut_add_scaled(raw, n, -abut_dot(raw, n));
    return 1;
}

/* ---- round bodies ------------------------------------------------------------------------------------------------ */

/* Surface of a body of any kind but a support function at its core witness `point` in the world, n its outward normal
 * there; 0: about to change. */
static int surface_at(
    const AbutConvex *c, AbutPose pose, const AbutPart *f, AbutVec3 point, AbutVec3 n, double size, AbutSurface *out)
{
    AbutVec3 own_n = abut_quat_rotate_inv(pose.q, n), own_point = abut_pose_apply_inv(pose, point);
    AbutMat3 r = abut_quat_to_mat3(pose.q);
    memset(out, 0, sizeof *out);
    if (c->kind == ABUT_CONVEX_SUPPORT)
        return 0;
    if (abut_convex_is_round(c)) {
        if (!abut_round_surface(c, own_n, own_point, out))
            return 0;
        for (int k = 0; k < out->flat.dim; ++k)
            out->flat.u[k] = abut_quat_rotate(pose.q, out->flat.u[k]);
        out->curvature = abut_mat3_mul(abut_mat3_mul(r, out->curvature), abut_mat3_transpose(r));
    } else {
        out->flat = part_flat(c, pose, f, point, size);
        if (extreme_flat(c, own_n, size).dim != out->flat.dim || !inside_part(c, f, own_point))
            return 0;
    }
    AbutMat3 ball = abut_mat3_add(abut_mat3_diagonal(1.0, 1.0, 1.0), abut_mat3_scale(abut_mat3_outer(n, n), -1.0));
    out->curvature = abut_mat3_add(out->curvature, abut_mat3_scale(ball, c->radius));
    out->flat.point = abut_add_scaled(point, n, c->radius);
    out->flat.origin = pose.p;
    return 1;
}

static void put_column(AbutDistanceDerivative *out, int k, AbutVec3 da, AbutVec3 db)
{
    for (int i = 0; i < 3; ++i) {
        out->point_a[i][k] = abut_get(da, i);
        out->point_b[i][k] = abut_get(db, i);
    }
}

static AbutTwist unit_twist(int column, int body)
{
    AbutTwist t = {abut_zero(), abut_zero()};
    if (column / 6 == body)
        *(column % 6 < 3 ? &t.v : &t.w) = abut_axis(column % 3);
    return t;
}

/* Witness points of a pair with a round body. */
static void round_points(
    const AbutSurface *a, const AbutSurface *b, AbutVec3 n, double distance, AbutDistanceDerivative *out)
{
    out->points_valid = out->valid;
    for (int k = 0; k < 12 && out->points_valid; ++k) {
        AbutVec3 da, db;
        out->points_valid = abut_surface_move(a, b, n, distance, unit_twist(k, 0), unit_twist(k, 1), &da, &db);
        if (out->points_valid)
            put_column(out, k, da, db);
    }
}

/* Is the least depth the same along a ring of directions, as about a common axis? Where the surfaces are not straight,
 * the depth grows as the curvature of A - B exceeds it. */
static int in_ring(const AbutSurface *a, const AbutSurface *b, AbutVec3 n, double distance, double size)
{
    const AbutFlat *flat = a->flat.dim > 0 ? &a->flat : &b->flat;
    AbutVec3 e = flat->dim > 0 ? abut_cross(n, flat->u[0]) : abut_perpendicular(n), g = abut_cross(n, e);
    AbutMat3 both = abut_mat3_add(a->curvature, b->curvature);
    double same = ABUT_DERIVATIVE_RING * size, eg = abut_dot(e, abut_mat3_apply(both, g)),
           ee = abut_dot(e, abut_mat3_apply(both, e)) + distance, gg = abut_dot(g, abut_mat3_apply(both, g)) + distance;
    double middle = 0.5 * (ee + gg), away = abut_hypot(0.5 * (ee - gg), eg);
    if (a->flat.dim + b->flat.dim > 0)
        return a->flat.dim + b->flat.dim == 1 && fabs(ee) <= same;
    return fabs(middle - away) <= same || fabs(middle + away) <= same;
}

static AbutDistanceDerivative unknown_derivative(void)
{
    AbutDistanceDerivative out = {0};
    for (int k = 0; k < 12; ++k) {
        out.distance[k] = NAN;
        for (int i = 0; i < 3; ++i)
            out.point_a[i][k] = out.point_b[i][k] = NAN;
    }
    return out;
}

AbutDistanceDerivative abut_distance_derivative(
    const AbutConvex *a, const AbutConvex *b, AbutPose pose_a, AbutPose pose_b, const AbutGap *result)
{
    ABUT_ASSERT(abut_convex_is_set(a) && abut_convex_is_set(b) && result);
    AbutDistanceDerivative out;
    memset(&out, 0, sizeof out);
    AbutPairView pair;
    if (result->outcome == ABUT_INVALID || !abut_pair_view(&pair, a, b, abut_pose_between(pose_a, pose_b)))
        return unknown_derivative();
    double core = result->distance + a->radius + b->radius, size = pair.size + fabs(core);
    AbutVec3 n = abut_quat_rotate(pose_a.q, result->normal);
    AbutVec3 pa = abut_pose_apply(pose_a, abut_add_scaled(result->point_a, result->normal, -a->radius));
    AbutVec3 pb = abut_pose_apply(pose_a, abut_add_scaled(result->point_b, result->normal, b->radius));
    int smooth = abut_pair_is_smooth(&pair);
    AbutFlat fa = {0, {{0, 0, 0}, {0, 0, 0}}, pa, pose_a.p}, fb = {0, {{0, 0, 0}, {0, 0, 0}}, pb, pose_b.p};
    AbutVec3 na = abut_quat_rotate_inv(pose_a.q, n), nb = abut_neg(abut_quat_rotate_inv(pose_b.q, n));
    out.valid = result->outcome != ABUT_NOT_CONVERGED && !(smooth && can_slide(&pair, na, nb, size));
    if (!smooth) {
        fa = part_flat(a, pose_a, &result->part_a, pa, size);
        fb = part_flat(b, pose_b, &result->part_b, pb, size);
        out.points_valid = out.valid && extreme_flat(a, na, size).dim == fa.dim &&
                           extreme_flat(b, nb, size).dim == fb.dim && fa.dim + fb.dim <= 2 &&
                           inside_part(a, &result->part_a, abut_pose_apply_inv(pose_a, pa)) &&
                           inside_part(b, &result->part_b, abut_pose_apply_inv(pose_b, pb));
        out.valid = out.points_valid;
    }
    for (int k = 0; k < 12; ++k) {
        AbutTwist t[2] = {unit_twist(k, 0), unit_twist(k, 1)};
        out.distance[k] = abut_dot(n, abut_sub(abut_flat_velocity(t[1], &fb), abut_flat_velocity(t[0], &fa)));
        AbutVec3 da, db, dn;
        if (!out.points_valid)
            continue;
        if (!move_witness(&fa, &fb, abut_sub(pb, pa), t[0], t[1], &da, &db) ||
            !move_normal(&fa, &fb, n, core, abut_sub(db, da), t[0], t[1], size, &dn)) {
            out.valid = out.points_valid = 0; /* parallel edges, or cores that meet: no derivative */
            continue;
        }
        da = abut_add_scaled(da, dn, a->radius);
        db = abut_add_scaled(db, dn, -b->radius);
        put_column(&out, k, da, db);
    }
    AbutSurface sa, sb;
    if (abut_pair_is_round(&pair) && surface_at(a, pose_a, &result->part_a, pa, n, size, &sa) &&
        surface_at(b, pose_b, &result->part_b, pb, abut_neg(n), size, &sb)) {
        if (result->distance + pair.a.radius + pair.b.radius > 0.0) /* the cores: elsewhere the search comes near */
            round_points(&sa, &sb, n, result->distance, &out);
        else if (in_ring(&sa, &sb, n, result->distance, size))
            out.valid = 0;
    }
    for (int k = 0; k < 12; ++k) { /* numbers of extreme size overflow */
        out.valid = out.valid && isfinite(out.distance[k]);
        for (int i = 0; i < 3; ++i)
            out.points_valid = out.points_valid && isfinite(out.point_a[i][k]) && isfinite(out.point_b[i][k]);
    }
    return out;
}
