/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rays against convex bodies, in the frame of the body.
 *
 * In: a body and a ray of points origin + t way, 0 <= t <= 1. Out: where it enters. Method: bodies with faces cut the
 * line plane by plane; spheres, capsules, cylinders, cones and ellipsoids are quadratic in t. Everything else (rounded
 * bodies, support functions, flat ones) is approached: the plane that touches the body at its point nearest to the ray
 * cannot be passed before the body is, so going on to that plane is never late (G. van den Bergen, Ray casting against
 * general convex objects, 2004).
 */
#include "solid/cast.h"
#include "solid/tolerance.h"

#include <float.h>

enum { MAX_STEPS = 200 };

/* The part of a line inside a body. */
typedef struct Span {
    double enter, exit;
    AbutVec3 normal; /* where it enters; any length */
    int32_t face;
} Span;

static Span whole_line(void) { return (Span){-INFINITY, INFINITY, abut_zero(), -1}; }

static Span nothing(void) { return (Span){INFINITY, -INFINITY, abut_zero(), -1}; }

static void cut(Span *s, double enter, double exit, AbutVec3 normal, int32_t face) {
    if (enter > s->enter) {
        s->enter = enter;
        s->normal = normal;
        s->face = face;
    }
    s->exit = abut_smaller(s->exit, exit);
}

/* The part of the line below the plane n . x = offset. */
static void cut_plane(Span *s, AbutRay r, AbutVec3 n, double offset, int32_t face) {
    double speed = abut_dot(n, r.way), room = offset - abut_dot(n, r.origin);
    if (speed > 0.0)
        cut(s, -INFINITY, room / speed, n, face);
    else if (speed < 0.0)
        cut(s, room / speed, INFINITY, n, face);
    else if (room < 0.0)
        *s = nothing();
}

/* The part of the line within `radius` of the origin. */
static Span in_ball(AbutVec3 o, AbutVec3 d, double radius) {
    double dd = abut_length_sq(d);
    if (!(dd > 0.0)) return abut_length(o) <= radius ? whole_line() : nothing();
    double t = -abut_dot(o, d) / dd;
    AbutVec3 near = abut_add_scaled(o, d, t); /* nearest to the origin: no digits are lost far away */
    double room = (radius - abut_length(near)) * (radius + abut_length(near));
    if (!(room >= 0.0)) return nothing();
    double half = sqrt(room / dd);
    return (Span){t - half, t + half, abut_add_scaled(o, d, t - half), -1};
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

static Span in_box(const AbutConvex *c, AbutRay r) {
    Span s = whole_line();
    for (int f = 0; f < 6; ++f)
        cut_plane(&s, r, abut_scale(abut_axis(f / 2), (f & 1) ? 1.0 : -1.0), abut_get(c->p[0], f / 2), f);
    return s;
}

static Span in_polyhedron(const AbutConvex *c, AbutRay r) {
    Span s = whole_line();
    const AbutFace *face = abut_polyhedron_faces(c->polyhedron);
    for (int32_t f = 0; f < c->polyhedron->face_count; ++f)
        cut_plane(&s, r, face[f].plane.normal, face[f].plane.offset, f);
    return s;
}

/* The part within `radius` of the line through `from` along the unit `axis`, between 0 and `length` along it. */
static Span in_tube(AbutRay r, AbutVec3 from, AbutVec3 axis, double length, double radius) {
    AbutVec3 o = abut_sub(r.origin, from);
    double along = abut_dot(o, axis), speed = abut_dot(r.way, axis);
    Span s = in_ball(abut_add_scaled(o, axis, -along), abut_add_scaled(r.way, axis, -speed), radius);
    AbutRay shifted = {o, r.way};
    cut_plane(&s, shifted, axis, length, -1);
    cut_plane(&s, shifted, abut_neg(axis), 0.0, -1);
    return s;
}

/* For parts that make a convex whole: the first to enter, the last to leave. */
static void join(Span *s, Span other) {
    if (!(other.enter <= other.exit)) return;
    if (other.enter < s->enter) {
        double exit = s->exit;
        *s = other;
        s->exit = exit;
    }
    s->exit = abut_larger(s->exit, other.exit);
}

static Span in_capsule(const AbutConvex *c, AbutRay r) {
    Span s = nothing();
    AbutVec3 way = abut_sub(c->p[1], c->p[0]);
    double length = abut_length(way);
    join(&s, in_ball(abut_sub(r.origin, c->p[0]), r.way, c->radius));
    if (c->kind == ABUT_CONVEX_SEGMENT && length > 0.0) {
        join(&s, in_ball(abut_sub(r.origin, c->p[1]), r.way, c->radius));
        join(&s, in_tube(r, c->p[0], abut_scale(way, 1.0 / length), length, c->radius));
    }
    return s;
}

static Span in_cylinder(const AbutConvex *c, AbutRay r) {
    return in_tube(r, abut_vec3(0.0, 0.0, -c->p[0].z), abut_axis(2), 2.0 * c->p[0].z, c->p[0].x);
}

static Span in_ellipsoid(const AbutConvex *c, AbutRay r) {
    AbutVec3 a = c->p[0], inv = abut_vec3(1.0 / a.x, 1.0 / a.y, 1.0 / a.z);
    Span s = in_ball(abut_mul(r.origin, inv), abut_mul(r.way, inv), 1.0);
    s.normal = abut_mul(s.normal, inv);
    return s;
}

/* The slant of a cone: a t^2 + 2 b t + c <= 0 holds in both nappes of the double cone, of which the lower is the body.
 */
static void cut_slant(Span *s, AbutRay r, double tangent, double h) {
    AbutVec3 o = r.origin, d = r.way;
    double k = tangent * tangent, below = h - o.z;
    double a = d.x * d.x + d.y * d.y - k * d.z * d.z, b = o.x * d.x + o.y * d.y + k * below * d.z,
           c = o.x * o.x + o.y * o.y - k * below * below, root = b * b - a * c, low, high;
    if (a == 0.0) { /* along the slant */
        low = b < 0.0 ? -c / (2.0 * b) : -INFINITY;
        high = b > 0.0 ? -c / (2.0 * b) : INFINITY;
        if (b == 0.0 && c > 0.0) *s = nothing();
    } else {
        if (root < 0.0 && a > 0.0) {
            *s = nothing();
            return;
        }
        double q = -(b + copysign(sqrt(abut_larger(0.0, root)), b)), t1 = q / a, t2 = q != 0.0 ? c / q : t1;
        low = abut_smaller(t1, t2);
        high = abut_larger(t1, t2);
        if (a < 0.0 && d.z < 0.0)
            low = high, high = INFINITY;
        else if (a < 0.0)
            high = low, low = -INFINITY;
    }
    AbutVec3 at = abut_add_scaled(o, d, low);
    double rho = abut_length(abut_vec3(at.x, at.y, 0.0));
    AbutVec3 n = rho > 0.0 ? abut_vec3(at.x / rho, at.y / rho, tangent) : abut_axis(2);
    cut(s, low, high, n, -1);
}

/* The ray from its point nearest to the body's center, t = *shift: no digits are lost far away. */
static AbutRay from_nearest(AbutRay r, double *shift) {
    double dd = abut_length_sq(r.way);
    *shift = dd > 0.0 ? -abut_dot(r.origin, r.way) / dd : 0.0;
    return (AbutRay){abut_add_scaled(r.origin, r.way, *shift), r.way};
}

static Span in_cone(const AbutConvex *c, AbutRay far) {
    double h = c->p[0].z, shift;
    AbutRay r = from_nearest(far, &shift);
    Span s = whole_line();
    cut_plane(&s, r, abut_neg(abut_axis(2)), h, -1);
    cut_plane(&s, r, abut_axis(2), h, -1);
    cut_slant(&s, r, c->p[0].x / (2.0 * h), h);
    s.enter += shift;
    s.exit += shift;
    return s;
}

/* A half-space; a sheet as the slab of its radius. */
static Span in_half_space(const AbutConvex *c, AbutRay r) {
    Span s = whole_line();
    cut_plane(&s, r, c->p[0], c->p[1].x + c->radius, 0);
    if (c->kind == ABUT_CONVEX_PLANE) cut_plane(&s, r, abut_neg(c->p[0]), c->radius - c->p[1].x, 0);
    return s;
}

typedef Span Cutter(const AbutConvex *c, AbutRay r);

/* NULL: to be approached. */
static Cutter *cutter_of(const AbutConvex *c) {
    int sharp = c->radius == 0.0;
    switch (c->kind) {
    case ABUT_CONVEX_POINT:
    case ABUT_CONVEX_SEGMENT:
        return sharp ? NULL : in_capsule;
    case ABUT_CONVEX_BOX:
        return sharp ? in_box : NULL;
    case ABUT_CONVEX_POLYHEDRON:
        return sharp && c->polyhedron->dimension == 3 ? in_polyhedron : NULL;
    case ABUT_CONVEX_CYLINDER:
        return sharp ? in_cylinder : NULL;
    case ABUT_CONVEX_CONE:
        return sharp && c->p[0].x > 0.0 && c->p[0].z > 0.0 ? in_cone : NULL;
    case ABUT_CONVEX_ELLIPSOID:
        return sharp ? in_ellipsoid : NULL;
    case ABUT_CONVEX_HALF_SPACE:
    case ABUT_CONVEX_PLANE:
        return in_half_space;
    default:
        return NULL;
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static AbutGap distance_at(const AbutConvex *c, AbutVec3 p) {
    AbutConvex point = abut_convex_point(p, 0.0);
    return abut_convex_distance(c, &point, abut_pose_identity(), NULL, NULL);
}

/* Lengths below this are rounding: of the coordinates of the ray and of the body near it. */
static double grain_of(AbutRay r, double distance) {
    return ABUT_CAST_GRAIN * (abut_max_abs(r.origin) + abut_max_abs(r.way) + fabs(distance));
}

static AbutCastHit hit_at(AbutImpactOutcome outcome, AbutRay r, double t, AbutVec3 normal, int32_t face) {
    AbutCastHit out = abut_cast_without(outcome);
    out.t = out.t_lo = out.t_hi = t;
    out.point = abut_add_scaled(r.origin, r.way, t);
    out.normal = abut_normalize_or(normal, abut_zero());
    out.body = 0;
    out.feature = face;
    return out;
}

/* A chord so short that it does not dip into the body beyond rounding. */
static int grazes(const AbutConvex *c, AbutRay r, const Span *s, double grain) {
    if (c->kind == ABUT_CONVEX_PLANE || !isfinite(s->exit)) return 0;
    AbutVec3 middle = abut_add_scaled(r.origin, r.way, 0.5 * (s->enter + s->exit));
    return distance_at(c, middle).distance > -grain;
}

static AbutCastHit answer_span(const AbutConvex *c, AbutRay r, Span s, double grain, double touch) {
    double length = abut_length(r.way), start = length > touch ? touch / length : 0.0;
    if (!(s.enter <= s.exit) || s.exit < -start || s.enter > 1.0) return abut_cast_without(ABUT_IMPACT_NONE);
    if (s.enter <= start) return abut_cast_at_start(r, -1);
    AbutCastHit out =
        hit_at(grazes(c, r, &s, grain) ? ABUT_IMPACT_GRAZING : ABUT_IMPACT_HIT, r, s.enter, s.normal, s.face);
    double closing = -abut_dot(out.normal, r.way), slack = closing > 0.0 ? grain / closing : 0.0;
    out.t_lo = abut_larger(0.0, out.t - slack);
    out.t_hi = abut_smaller(1.0, out.t + slack);
    return out;
}

/* The ray is within the tolerance of the body at t: does it go in? */
static AbutCastHit settle(const AbutConvex *c, AbutRay r, double t, double closing, AbutVec3 normal, double tolerance) {
    AbutCastHit out = hit_at(ABUT_IMPACT_GRAZING, r, t, normal, -1);
    out.t_hi = 1.0;
    for (double step = 2.0 * tolerance / closing; step < 2.0; step *= 2.0) {
        double later = abut_smaller(1.0, t + step);
        if (distance_at(c, abut_add_scaled(r.origin, r.way, later)).distance < 0.0) {
            out.outcome = ABUT_IMPACT_HIT;
            out.t_hi = later;
            break;
        }
        if (later >= 1.0) break;
    }
    return out;
}

static AbutCastHit approach(const AbutConvex *c, AbutRay r, double tolerance) {
    double t = 0.0;
    for (int step = 0; step < MAX_STEPS; ++step) {
        AbutGap d = distance_at(c, abut_add_scaled(r.origin, r.way, t));
        double sure = d.outcome == ABUT_NOT_CONVERGED ? d.distance - d.error : d.distance;
        double closing = -abut_dot(d.normal, r.way);
        if (sure <= tolerance && t == 0.0) return abut_cast_at_start(r, -1);
        if (!(closing > 0.0))
            return sure <= tolerance ? hit_at(ABUT_IMPACT_GRAZING, r, t, d.normal, -1)
                                     : abut_cast_without(ABUT_IMPACT_NONE);
        if (sure <= tolerance) return settle(c, r, t, closing, d.normal, tolerance);
        double next = t + sure / closing;
        if (!(next <= 1.0)) return abut_cast_without(ABUT_IMPACT_NONE);
        if (!(next > t)) return settle(c, r, t, closing, d.normal, tolerance);
        t = next;
    }
    AbutCastHit out = hit_at(ABUT_IMPACT_UNDECIDED, r, t, abut_zero(), -1);
    out.t_hi = 1.0;
    return out;
}

/* The largest length among the numbers that describe a body: its surface is known to a rounding of that. */
static double data_of(const AbutConvex *c) {
    double most = 0.0;
    if (c->kind == ABUT_CONVEX_POLYHEDRON)
        most = abut_larger(abut_max_abs(c->polyhedron->box.min), abut_max_abs(c->polyhedron->box.max));
    else if (c->kind == ABUT_CONVEX_HALF_SPACE || c->kind == ABUT_CONVEX_PLANE)
        most = fabs(c->p[1].x);
    else
        for (int k = 0; k < 3; ++k) most = abut_larger(most, abut_max_abs(c->p[k]));
    return most + c->radius;
}

AbutCastHit abut_ray_convex(const AbutConvex *c, AbutRay r, double touch) {
    touch += ABUT_CAST_GRAIN * data_of(c);
    AbutGap start = distance_at(c, r.origin), end = distance_at(c, abut_add(r.origin, r.way));
    if (start.outcome == ABUT_INVALID || end.outcome == ABUT_INVALID) return abut_cast_without(ABUT_IMPACT_INVALID);
    if (start.outcome != ABUT_NOT_CONVERGED && start.distance <= touch) return abut_cast_at_start(r, -1);
    double grain = grain_of(r, start.distance);
    Cutter *cutter = cutter_of(c);
    return cutter ? answer_span(c, r, cutter(c, r), grain, touch) : approach(c, r, grain);
}
