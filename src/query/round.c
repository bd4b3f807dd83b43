/* SPDX-License-Identifier: Apache-2.0 */
/* Cylinders, cones and ellipsoids: farthest points, bounds, curvature. */
#include "math/functions.h"
#include "math/matrix.h"
#include "query/round.h"
#include "query/tolerance.h"

static double least_axis(AbutVec3 a) { return abut_smaller(a.x, abut_smaller(a.y, a.z)); }

int abut_round_is_valid(const AbutConvex *c) {
    AbutVec3 s = c->p[0];
    if (!abut_is_finite(s)) return 0;
    if (c->kind == ABUT_CONVEX_ELLIPSOID)
        return least_axis(s) > 0.0 && least_axis(s) >= ABUT_ROUND_FLATTEST * abut_max_abs(s);
    return s.x >= 0.0 && s.z >= 0.0;
}

double abut_round_reach(const AbutConvex *c) {
    return c->kind == ABUT_CONVEX_ELLIPSOID ? abut_max_abs(c->p[0]) : abut_hypot(c->p[0].x, c->p[0].z);
}

double abut_round_inset(const AbutConvex *c) {
    if (c->kind != ABUT_CONVEX_ELLIPSOID) return 0.0;
    double least = least_axis(c->p[0]), most = abut_max_abs(c->p[0]);
    return least == most ? least : ABUT_ROUND_INSET * least * (least / most);
}

/* The point whose outward normal is along the unit vector d, of the ellipsoid with semi-axes a, the largest 1. */
static AbutVec3 ellipsoid_point(AbutVec3 a, AbutVec3 d) {
    AbutVec3 ad = abut_mul(a, d);
    return abut_scale(abut_mul(a, ad), 1.0 / abut_length(ad));
}

/* Semi-axes as parts of the largest: their squares are ordinary numbers at any size. */
static AbutVec3 proportions(AbutVec3 a, double most) { return abut_vec3(a.x / most, a.y / most, a.z / most); }

/* How far the points of the ellipsoid move with the unit direction d, less a ball; semi-axes a, the largest 1. */
static AbutMat3 ellipsoid_curvature(AbutVec3 a, double inset, AbutVec3 d) {
    AbutVec3 point = ellipsoid_point(a, d);
    AbutMat3 j = abut_mat3_add(
        abut_mat3_diagonal(a.x * a.x, a.y * a.y, a.z * a.z), abut_mat3_scale(abut_mat3_outer(point, point), -1.0));
    AbutMat3 ball = abut_mat3_add(abut_mat3_diagonal(1.0, 1.0, 1.0), abut_mat3_scale(abut_mat3_outer(d, d), -1.0));
    return abut_mat3_add(abut_mat3_scale(j, 1.0 / abut_length(abut_mul(a, d))), abut_mat3_scale(ball, -inset));
}

AbutVec3 abut_round_farthest(const AbutConvex *c, double inset, AbutVec3 d) {
    AbutVec3 s = c->p[0];
    if (c->kind == ABUT_CONVEX_ELLIPSOID) {
        double most = abut_max_abs(s);
        d = abut_normalize(abut_scale(d, 1.0 / abut_max_abs(d)));
        return abut_add_scaled(abut_scale(ellipsoid_point(proportions(s, most), d), most), d, -inset);
    }
    double q = abut_hypot(d.x, d.y);
    if (c->kind == ABUT_CONVEX_CONE && 2.0 * s.z * d.z >= s.x * q) return abut_vec3(0.0, 0.0, s.z);
    double z = c->kind == ABUT_CONVEX_CYLINDER && d.z > 0.0 ? s.z : -s.z;
    return q > 0.0 ? abut_vec3(s.x * (d.x / q), s.x * (d.y / q), z) : abut_vec3(s.x, 0.0, z);
}

AbutVec3 abut_round_leaned(const AbutConvex *c, double inset, AbutVec3 n, AbutVec3 d) {
    if (c->kind == ABUT_CONVEX_ELLIPSOID) return abut_round_farthest(c, inset, n);
    AbutVec3 p = abut_round_farthest(c, inset, d);
    double q = abut_hypot(n.x, n.y);
    int on_rim = p.x != 0.0 || p.y != 0.0;
    return on_rim && q > ABUT_ROUND_LEAN ? abut_vec3(c->p[0].x * (n.x / q), c->p[0].x * (n.y / q), p.z) : p;
}

AbutMat3 abut_round_curvature(const AbutConvex *c, double inset, AbutVec3 d) {
    AbutVec3 s = c->p[0];
    if (c->kind == ABUT_CONVEX_ELLIPSOID) {
        double most = abut_max_abs(s);
        return abut_mat3_scale(ellipsoid_curvature(proportions(s, most), inset / most, d), most);
    }
    double q = abut_hypot(d.x, d.y);
    int tip = c->kind == ABUT_CONVEX_CONE && 2.0 * s.z * d.z >= s.x * q;
    if (tip || !(q > 0.0)) return abut_mat3_diagonal(0.0, 0.0, 0.0);
    AbutVec3 along = abut_vec3(-d.y / q, d.x / q, 0.0);
    return abut_mat3_scale(abut_mat3_outer(along, along), s.x / q);
}
