/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points and segments, and so spheres and capsules, in closed form.
 * Two segments are nearest where the 2x2 Gram system of their directions says, clamped to their ends. Cores that meet have no
 * direction of their own: a point at a point takes z, a point in a segment any direction across it, and crossing segments the
 * direction across both, turned towards B.
 */
#include "query/pair.h"

#include <float.h>

static const double LARGEST = 1e60; /* as in support.c: beyond this squares overflow */

/* Result from the nearest points of the cores; `across` is the normal where they meet. */
static inline AbutDistance finish(const AbutConvex *a, const AbutConvex *b, AbutVec3 pa, AbutVec3 pb, double size, AbutVec3 across)
{
    AbutDistance out;
    AbutVec3 v = abut_sub(pb, pa);
    double length = abut_length(v), ra = a->radius, rb = b->radius;
    double noise = 4.0 * DBL_EPSILON * (size + abut_max_abs(pa) + abut_max_abs(pb));
    out.normal = length > noise ? abut_scale(v, 1.0 / length) : across;
    out.distance = length - ra - rb;
    if (!(length < LARGEST && ra >= 0.0 && rb >= 0.0 && ra < LARGEST && rb < LARGEST))
        return abut_distance_invalid();
    out.point_a = abut_add_scaled(pa, out.normal, ra);
    out.point_b = abut_add_scaled(pb, out.normal, -rb);
    out.gap = 0.0;
    out.iterations = 0;
    double touch = abut_larger(1e-10 * (size + ra + rb), 4.0 * noise);
    out.outcome = fabs(out.distance) <= touch ? ABUT_TOUCHING : (out.distance > 0.0 ? ABUT_SEPARATED : ABUT_PENETRATING);
    return out;
}

/* The part of a segment at parameter t: an end or the whole. */
static inline AbutFeature at_parameter(double t)
{
    AbutFeature end0 = {1, {0, 0, 0}}, end1 = {1, {1, 0, 0}}, whole = {2, {0, 1, 0}};
    return t <= 0.0 ? end0 : (t >= 1.0 ? end1 : whole);
}

static inline double clamp_unit(double t)
{
    return abut_smaller(1.0, abut_larger(0.0, t));
}

AbutDistance abut_point_point(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutDistanceCache *cache)
{
    (void)cache;
    AbutDistance out = finish(a, b, a->p[0], abut_pose_apply(b_in_a, b->p[0]), 0.0, abut_axis(2));
    out.feature_a = out.feature_b = at_parameter(0.0);
    return out;
}

/* Parameter of the point of p + t u nearest to the point q. */
static inline double nearest_parameter(AbutVec3 p, AbutVec3 u, AbutVec3 q)
{
    double length = abut_length_sq(u);
    return length > 0.0 ? clamp_unit(abut_dot(abut_sub(q, p), u) / length) : 0.0;
}

AbutDistance abut_point_segment(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutDistanceCache *cache)
{
    (void)cache;
    AbutVec3 p = abut_pose_apply(b_in_a, b->p[0]), u = abut_quat_rotate(b_in_a.q, abut_sub(b->p[1], b->p[0]));
    double t = nearest_parameter(p, u, a->p[0]);
    AbutVec3 across = abut_perpendicular(abut_normalize_or(u, abut_axis(0)));
    AbutDistance out = finish(a, b, a->p[0], abut_add_scaled(p, u, t), abut_length(u), across);
    out.feature_a = at_parameter(0.0);
    out.feature_b = at_parameter(t);
    return out;
}

AbutDistance abut_segment_point(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutDistanceCache *cache)
{
    (void)cache;
    AbutVec3 u = abut_sub(a->p[1], a->p[0]), q = abut_pose_apply(b_in_a, b->p[0]);
    double t = nearest_parameter(a->p[0], u, q);
    AbutVec3 across = abut_perpendicular(abut_normalize_or(u, abut_axis(0)));
    AbutDistance out = finish(a, b, abut_add_scaled(a->p[0], u, t), q, abut_length(u), across);
    out.feature_a = at_parameter(t);
    out.feature_b = at_parameter(0.0);
    return out;
}

/* Two crossing or touching segments: across both, towards B. */
static AbutVec3 across_segments(AbutVec3 u, AbutVec3 v, AbutVec3 between)
{
    AbutVec3 n = abut_cross(abut_normalize(u), abut_normalize(v));
    AbutVec3 longer = abut_length_sq(u) >= abut_length_sq(v) ? u : v;
    n = abut_length(n) > 1e-9 ? abut_normalize(n) : abut_perpendicular(abut_normalize_or(longer, abut_axis(0)));
    return abut_dot(n, between) < 0.0 ? abut_neg(n) : n;
}

AbutDistance abut_segment_segment(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutDistanceCache *cache)
{
    (void)cache;
    AbutVec3 p = a->p[0], u = abut_sub(a->p[1], p);
    AbutVec3 q = abut_pose_apply(b_in_a, b->p[0]), v = abut_quat_rotate(b_in_a.q, abut_sub(b->p[1], b->p[0]));
    AbutVec3 r = abut_sub(p, q);
    double uu = abut_length_sq(u), vv = abut_length_sq(v), uv = abut_dot(u, v), ur = abut_dot(u, r), vr = abut_dot(v, r);
    double det = uu * vv - uv * uv, s = det > 1e-14 * uu * vv ? clamp_unit((uv * vr - ur * vv) / det) : 0.0;
    double t = vv > 0.0 ? (uv * s + vr) / vv : 0.0;
    if (t < 0.0 || t > 1.0) {
        t = t < 0.0 ? 0.0 : 1.0;
        s = uu > 0.0 ? clamp_unit((uv * t - ur) / uu) : 0.0;
    } else if (!(vv > 0.0)) {
        s = uu > 0.0 ? clamp_unit(-ur / uu) : 0.0;
    }
    AbutVec3 pa = abut_add_scaled(p, u, s), pb = abut_add_scaled(q, v, t);
    double size = sqrt(uu + vv);
    AbutVec3 across = abut_axis(2);
    if (abut_length_sq(abut_sub(pb, pa)) <= 1e-20 * size * size)
        across = across_segments(u, v, abut_neg(abut_add_scaled(abut_add_scaled(r, u, 0.5), v, -0.5)));
    AbutDistance out = finish(a, b, pa, pb, size, across);
    out.feature_a = at_parameter(s);
    out.feature_b = at_parameter(t);
    return out;
}
