/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the witness points of round bodies move.
 *
 * In: the surface of each body about its witness point, a normal n from A to B, the distance D, the motions. A point
 * follows the turning of the normal by the curvature J, and slides along straight directions f of its surface, which
 * turn with the body. With V the rigid velocities of the points and w the rotations, dn and the ways x, y solve
 *     (D + J_A + J_B) dn + x f_A - y f_B = V_B - V_A + J_A (w_A x n) + J_B (w_B x n)   across n
 *     f_A . dn = f_A . (w_A x n),   f_B . dn = f_B . (w_B x n)
 * which are at most four equations. A vertex has J = 0, a ball r (1 - n n^T), a face two straight directions.
 */
#include "math/functions.h"
#include "math/matrix.h"
#include "solve/solve.h"
#include "query/distance_derivative.h"
#include "query/round.h"
#include "query/tolerance.h"

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

/* Around z, where the normal has the part q across it. */
static AbutVec3 around(AbutVec3 n, double q) { return abut_vec3(-n.y / q, n.x / q, 0.0); }

static int set_cap(AbutVec3 n, AbutSurface *out) {
    out->flat.dim = 2;
    out->flat.u[0] = abut_perpendicular(n);
    out->flat.u[1] = abut_cross(n, out->flat.u[0]);
    return 1;
}

static int set_line(AbutVec3 along, AbutVec3 n, double radius, AbutSurface *out) {
    AbutVec3 e = around(n, abut_hypot(n.x, n.y));
    out->flat.dim = 1;
    out->flat.u[0] = along;
    out->curvature = abut_mat3_scale(abut_mat3_outer(e, e), radius);
    return 1;
}

/* A witness that is not where the normal says comes from a search that ended early. */
static int set_point(const AbutConvex *c, AbutVec3 n, AbutVec3 p, double edge, AbutSurface *out) {
    out->curvature = abut_round_curvature(c, 0.0, n);
    return abut_point_distance(abut_round_farthest(c, 0.0, n), p) <= edge;
}

static int cylinder_surface(const AbutConvex *c, AbutVec3 n, AbutVec3 p, double edge, AbutSurface *out) {
    double q = abut_hypot(n.x, n.y), straight = ABUT_DERIVATIVE_STRAIGHT;
    int side = abut_hypot(p.x, p.y) > c->p[0].x - edge, cap = fabs(p.z) > c->p[0].z - edge;
    if (side && cap) return q > straight && fabs(n.z) > straight && set_point(c, n, p, edge, out);
    if (cap) return q < straight && set_cap(n, out);
    return side && fabs(n.z) < straight && set_line(abut_axis(2), n, c->p[0].x / q, out);
}

static int cone_surface(const AbutConvex *c, AbutVec3 n, AbutVec3 p, double edge, AbutSurface *out) {
    double r = c->p[0].x, h = c->p[0].z, length = abut_hypot(r, 2.0 * h), rho = abut_hypot(p.x, p.y),
           q = abut_hypot(n.x, n.y);
    double lean = (2.0 * h * n.z - r * q) / length, straight = ABUT_DERIVATIVE_STRAIGHT;
    int base = p.z < edge - h, slant = fabs(2.0 * h * (rho - r) + r * (p.z + h)) < edge * length;
    if (p.z > h - edge) return lean > straight && set_point(c, n, p, edge, out);
    if (base && slant) return lean < -straight && q > straight && set_point(c, n, p, edge, out);
    if (base) return q < straight && set_cap(n, out);
    AbutVec3 along = abut_vec3(-r / length * (p.x / rho), -r / length * (p.y / rho), 2.0 * h / length);
    return slant && fabs(lean) < straight && set_line(along, n, rho / q, out);
}

int abut_round_surface(const AbutConvex *c, AbutVec3 n, AbutVec3 p, AbutSurface *out) {
    double edge = ABUT_DERIVATIVE_MARGIN * abut_round_reach(c);
    if (c->kind == ABUT_CONVEX_ELLIPSOID) return set_point(c, n, p, edge, out);
    return c->kind == ABUT_CONVEX_CYLINDER ? cylinder_surface(c, n, p, edge, out) : cone_surface(c, n, p, edge, out);
}

int abut_round_straight(const AbutConvex *c, AbutVec3 n, AbutVec3 u[2]) {
    int cone = c->kind == ABUT_CONVEX_CONE;
    double r = c->p[0].x, h = c->p[0].z, taper = cone ? r : 0.0, length = abut_hypot(taper, 2.0 * h),
           q = abut_hypot(n.x, n.y), straight = ABUT_DERIVATIVE_STRAIGHT;
    if (c->kind == ABUT_CONVEX_ELLIPSOID) return 0;
    if (q < straight && r > 0.0 && !(cone && n.z > 0.0)) {
        u[0] = abut_axis(0);
        u[1] = abut_axis(1);
        return 2;
    }
    if (!(length > 0.0 && fabs(2.0 * h * n.z - taper * q) < straight * length)) return 0;
    u[0] = abut_scale(abut_vec3(-taper * n.x / q, -taper * n.y / q, 2.0 * h), 1.0 / length);
    return 1;
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

enum { MOST = 4 };

typedef struct System {
    int size;
    double m[MOST * MOST], right[MOST];
} System;

/* The straight directions of one body: columns with `sign` for its ways, rows that turn them with the body. */
static void add_flat(System *s, const AbutFlat *flat, AbutVec3 turned, double sign, const AbutVec3 t[2]) {
    for (int k = 0; k < flat->dim; ++k) {
        int row = 2 + s->size++;
        for (int i = 0; i < 2; ++i) {
            s->m[MOST * i + row] = sign * abut_dot(t[i], flat->u[k]);
            s->m[MOST * row + i] = abut_dot(t[i], flat->u[k]);
        }
        s->right[row] = abut_dot(flat->u[k], turned);
    }
}

/* Solves the system packed to its size; 0 where it is singular. */
static int solve(const System *s, double x[MOST]) {
    int n = 2 + s->size, order[MOST];
    double packed[MOST * MOST];
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) packed[n * i + k] = s->m[MOST * i + k];
    if (abut_lu_factor(n, packed, order) >= 0) return 0;
    abut_lu_solve(n, packed, order, s->right, x);
    return 1;
}

int abut_surface_move(const AbutSurface *a, const AbutSurface *b, AbutVec3 n, double distance, AbutTwist ta,
    AbutTwist tb, AbutVec3 *point_a, AbutVec3 *point_b) {
    if (a->flat.dim + b->flat.dim > 2) return 0;
    AbutVec3 t[2] = {abut_perpendicular(n), abut_zero()}, turn_a = abut_cross(ta.angular, n),
             turn_b = abut_cross(tb.angular, n);
    t[1] = abut_cross(n, t[0]);
    AbutVec3 va = abut_flat_velocity(ta, &a->flat), vb = abut_flat_velocity(tb, &b->flat);
    AbutMat3 both = abut_mat3_add(a->curvature, b->curvature);
    AbutVec3 right = abut_add(
        abut_sub(vb, va), abut_add(abut_mat3_apply(a->curvature, turn_a), abut_mat3_apply(b->curvature, turn_b)));
    System s = {0, {0.0}, {0.0}};
    double x[MOST] = {0.0};
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k)
            s.m[MOST * i + k] = abut_dot(t[i], abut_mat3_apply(both, t[k])) + (i == k ? distance : 0.0);
        s.right[i] = abut_dot(t[i], right);
    }
    add_flat(&s, &a->flat, turn_a, 1.0, t);
    add_flat(&s, &b->flat, turn_b, -1.0, t);
    if (!solve(&s, x)) return 0;
    AbutVec3 dn = abut_add(abut_scale(t[0], x[0]), abut_scale(t[1], x[1]));
    *point_a = abut_add(va, abut_mat3_apply(a->curvature, abut_sub(dn, turn_a)));
    *point_b = abut_sub(vb, abut_mat3_apply(b->curvature, abut_sub(dn, turn_b)));
    for (int k = 0; k < a->flat.dim; ++k) *point_a = abut_add_scaled(*point_a, a->flat.u[k], x[2 + k]);
    for (int k = 0; k < b->flat.dim; ++k) *point_b = abut_add_scaled(*point_b, b->flat.u[k], x[2 + a->flat.dim + k]);
    return 1;
}
