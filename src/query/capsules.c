/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points and segments, and so spheres and capsules, in closed form.
 * Two segments are nearest where the lines through them are, clamped to their ends. The lines are solved with cross
 * products: the 2x2 Gram system of their directions loses digits with the square of the sine between them, the cross
 * products only with the sine, and that much the distance does not feel. Cores that meet have no direction of their
 * own: a point at a point takes z, a point in a segment any direction across it, and crossing segments the direction
 * across both, turned towards B.
 */
#include "query/capsules.h"
#include "query/convex_pair.h"
#include "query/tolerance.h"

#include <float.h>

/* Rounding of the distance of the cores: up to this they meet. */
static inline double noise_of(AbutVec3 pa, AbutVec3 pb, double size) {
    return ABUT_QUERY_SEGMENTS * DBL_EPSILON * (size + abut_max_abs(pa) + abut_max_abs(pb)) + ABUT_QUERY_SMALLEST;
}

/* As above, with radii: distances up to this count as touching. */
static inline double slack_of(AbutVec3 pa, AbutVec3 pb, double radii, double size) {
    return noise_of(pa, pb, size) + 2.0 * DBL_EPSILON * radii;
}

/* Result from the nearest points of the cores and the way between them; the normal is left for the caller where they
 * meet (gives 0 then). */
static inline int finish(AbutGap *out, AbutVec3 pa, AbutVec3 pb, AbutVec3 v, double ra, double rb, double size) {
    double length = abut_length(v), slack = slack_of(pa, pb, ra + rb, size);
    out->distance = out->surface = length - ra - rb;
    out->error = slack;
    out->kind = ABUT_GAP_EXACT;
    out->plane = abut_zero();
    out->containment_known = 1;
    out->verified = 0;
    if (!(length + ra + rb + size < ABUT_QUERY_LARGEST && ra >= 0.0 && rb >= 0.0)) {
        *out = abut_gap_invalid();
        return 1;
    }
    out->outcome = out->distance > slack ? ABUT_SEPARATED : (out->distance < -slack ? ABUT_PENETRATING : ABUT_TOUCHING);
    out->normal = abut_scale(v, 1.0 / length);
    out->point_a = abut_add_scaled(pa, out->normal, ra);
    out->point_b = abut_add_scaled(pb, out->normal, -rb);
    return length > noise_of(pa, pb, size);
}

/* Cores that meet have no direction of their own: the result along `across`. */
static __attribute__((cold, noinline)) void finish_meeting(
    AbutGap *out, AbutVec3 pa, AbutVec3 pb, double ra, double rb, AbutVec3 across) {
    out->normal = across;
    out->point_a = abut_add_scaled(pa, across, ra);
    out->point_b = abut_add_scaled(pb, across, -rb);
}

/* The part of a segment at parameter t: an end or the whole. */
static inline AbutPart at_parameter(double t) {
    const AbutPart end0 = {ABUT_PART_VERTEX, {0, 0, 0}}, end1 = {ABUT_PART_VERTEX, {1, 0, 0}};
    const AbutPart whole = {ABUT_PART_EDGE, {0, 1, 0}};
    return t <= 0.0 ? end0 : (t >= 1.0 ? end1 : whole);
}

static inline double clamp_unit(double t) { return abut_smaller(1.0, abut_larger(0.0, t)); }

/* Two crossing or touching segments (or a point and a segment): across both, towards B. */
static AbutVec3 across_segments(AbutVec3 u, AbutVec3 v, AbutVec3 between) {
    AbutVec3 n = abut_cross(abut_normalize(u), abut_normalize(v));
    AbutVec3 longer = abut_length_sq(u) >= abut_length_sq(v) ? u : v;
    n = abut_length(n) > ABUT_QUERY_PARALLEL ? abut_normalize(n)
                                             : abut_perpendicular(abut_normalize_or(longer, abut_axis(0)));
    return abut_dot(n, between) < 0.0 ? abut_neg(n) : n;
}

/* Nearest points of the segments p + s u and q + t v, s and t in [0, 1]; a point is a segment with u = 0. */
typedef struct Nearest {
    double s, t;
    AbutVec3 pa, pb;
} Nearest;

static inline Nearest nearest_points(AbutVec3 p, AbutVec3 u, AbutVec3 q, AbutVec3 v) {
    Nearest out;
    AbutVec3 r = abut_sub(p, q);
    double uu = abut_length_sq(u), vv = abut_length_sq(v), uv = abut_dot(u, v), ur = abut_dot(u, r),
           vr = abut_dot(v, r);
    double inv_uu = uu > 0.0 ? 1.0 / uu : 0.0, inv_vv = vv > 0.0 ? 1.0 / vv : 0.0;
    AbutVec3 across = abut_cross(u, v);
    double det = abut_length_sq(across); /* uu vv - uv^2 */
    double s = det > ABUT_QUERY_PARALLEL_GRAM * uu * vv ? clamp_unit(abut_dot(across, abut_cross(v, r)) / det)
                                                        : clamp_unit(-ur * inv_uu);
    out.t = clamp_unit((uv * s + vr) * inv_vv);
    out.s = clamp_unit((uv * out.t - ur) * inv_uu); /* the best s for this t: changes nothing where t was not clamped */
    out.pa = abut_add_scaled(p, u, out.s);
    out.pb = abut_add_scaled(q, v, out.t);
    return out;
}

/*
 * The way between nearest points that almost meet: as a difference it has few digits, but it stands across the segments
 * whose inside it begins or ends on.
 */
static __attribute__((cold, noinline)) AbutVec3 short_way(const Nearest *n, AbutVec3 u, AbutVec3 v, AbutVec3 way) {
    int on_u = n->s > 0.0 && n->s<1.0, on_v = n->t> 0.0 && n->t < 1.0;
    AbutVec3 across = abut_cross(abut_normalize(u), abut_normalize(v)), along = on_u ? u : v, better = way;
    double length = abut_length(way);
    if (on_u && on_v && abut_length(across) * (abut_max_abs(u) + abut_max_abs(v)) > length)
        better = abut_dot(across, way) < 0.0 ? abut_neg(across) : across;
    else if (on_u != on_v)
        better = abut_add_scaled(way, along, -abut_dot(along, way) / abut_length_sq(along));
    return abut_scale(abut_normalize_or(better, abut_zero()), length);
}

/* As above, with radii, as a result. B was moved by up to `shift` along an axis, which rounds its points. */
static inline AbutGap segments(AbutVec3 p, AbutVec3 u, AbutVec3 q, AbutVec3 v, double ra, double rb, double shift) {
    AbutGap out;
    Nearest n = nearest_points(p, u, q, v);
    AbutVec3 way = abut_sub(n.pb, n.pa);
    double size = abut_max_abs(u) + abut_max_abs(v) + shift;
    if (abut_max_abs(way) < ABUT_QUERY_SHORT_WAY * size) way = short_way(&n, u, v, way);
    if (!finish(&out, n.pa, n.pb, way, ra, rb, size)) {
        AbutVec3 between = abut_sub(abut_add_scaled(q, v, 0.5), abut_add_scaled(p, u, 0.5));
        finish_meeting(&out, n.pa, n.pb, ra, rb, across_segments(u, v, between));
    }
    out.part_a = at_parameter(abut_length_sq(u) > 0.0 ? n.s : 0.0);
    out.part_b = at_parameter(abut_length_sq(v) > 0.0 ? n.t : 0.0);
    return out;
}

static inline AbutGap points(AbutVec3 pa, AbutVec3 pb, double ra, double rb, double shift) {
    AbutGap out;
    if (!finish(&out, pa, pb, abut_sub(pb, pa), ra, rb, shift)) finish_meeting(&out, pa, pb, ra, rb, abut_axis(2));
    out.part_a = out.part_b = at_parameter(0.0);
    return out;
}

/* From the first end of a core to the other; zero for a point. */
static inline AbutVec3 way_of(const AbutConvex *c) {
    return c->kind == ABUT_CONVEX_SEGMENT ? abut_sub(c->p[1], c->p[0]) : abut_zero();
}

static inline AbutVec3 turned_way(const AbutConvex *c, AbutQuat q) {
    return c->kind == ABUT_CONVEX_SEGMENT ? abut_quat_rotate(q, way_of(c)) : abut_zero();
}

AbutGap abut_segments_distance(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a) {
    AbutVec3 p = a->p[0], q = abut_pose_apply(b_in_a, b->p[0]);
    double shift = abut_max_abs(b_in_a.p);
    if (a->kind == ABUT_CONVEX_POINT && b->kind == ABUT_CONVEX_POINT) return points(p, q, a->radius, b->radius, shift);
    return segments(p, way_of(a), q, turned_way(b, b_in_a.q), a->radius, b->radius, shift);
}

int abut_segments_meet(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a) {
    AbutVec3 u = way_of(a), v = turned_way(b, b_in_a.q);
    Nearest n = nearest_points(a->p[0], u, abut_pose_apply(b_in_a, b->p[0]), v);
    double radii = a->radius + b->radius, size = abut_max_abs(u) + abut_max_abs(v) + abut_max_abs(b_in_a.p);
    double reach = radii + slack_of(n.pa, n.pb, radii, size), apart = abut_length_sq(abut_sub(n.pa, n.pb));
    if (!(a->radius >= 0.0 && b->radius >= 0.0 && radii + size < ABUT_QUERY_LARGEST &&
            apart < ABUT_QUERY_LARGEST * ABUT_QUERY_LARGEST))
        return -1;
    return apart <= reach * reach;
}

AbutGap abut_capsule_distance(AbutCapsule a, AbutCapsule b) {
    return segments(a.a, abut_sub(a.b, a.a), b.a, abut_sub(b.b, b.a), a.radius, b.radius, 0.0);
}
