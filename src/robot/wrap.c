/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A string around a circle. In: two points outside it, in its plane, and the side that the string shall keep. Out:
 * where it touches and leaves. A sphere is a circle in the plane of its center and the two points; a cylinder one
 * across its axis, with a height that rises evenly along the string. It takes the shorter way, and with a side point
 * the way that does not cross the ray from the center against it, as MuJoCo does.
 */
#include "robot/wrap.h"

#include "math/functions.h"

static const double TINY = 1e-15;  /* as in MuJoCo */
static const double SLIGHT = 1e-6; /* rad */

typedef struct Flat {
    double x, y;
} Flat;

static double flat_dot(Flat a, Flat b) { return a.x * b.x + a.y * b.y; }
static double flat_cross(Flat a, Flat b) { return a.x * b.y - a.y * b.x; }
static double flat_length(Flat a) { return sqrt(flat_dot(a, a)); }
static Flat flat_sub(Flat a, Flat b) { return (Flat){a.x - b.x, a.y - b.y}; }
static Flat flat_scale(Flat a, double s) { return (Flat){a.x * s, a.y * s}; }

static Flat flat_unit(Flat a) {
    double length = flat_length(a);
    return length > TINY ? flat_scale(a, 1.0 / length) : (Flat){1.0, 0.0};
}

/* Counterclockwise, by the angle of a cosine and sine. */
static Flat flat_turn(Flat a, double c, double s) { return (Flat){c * a.x - s * a.y, s * a.x + c * a.y}; }

/* ---- outside ----------------------------------------------------------------------------------------------------- */

/* The point of the segment that is nearest to the origin. */
static Flat nearest(Flat a, Flat b) {
    Flat way = flat_sub(b, a);
    double t = -flat_dot(way, a) / flat_dot(way, way);
    t = abut_larger(0.0, abut_smaller(1.0, t));
    return (Flat){a.x + t * way.x, a.y + t * way.y};
}

/* Do the segments a b and c d meet? */
static int cross(Flat a, Flat b, Flat c, Flat d) {
    Flat ab = flat_sub(b, a), cd = flat_sub(d, c), ca = flat_sub(a, c);
    double det = flat_cross(ab, cd);
    if (fabs(det) < TINY) return 0;
    double s = flat_cross(cd, ca) / det, t = flat_cross(ab, ca) / det;
    return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

/* Does the segment cross the ray from the origin against `side`? */
static int is_behind(Flat a, Flat b, Flat side) {
    double of_a = flat_cross(side, a), of_b = flat_cross(side, b);
    if (!(of_a * of_b < 0.0)) return 0;
    double t = of_a / (of_a - of_b);
    return (1.0 - t) * flat_dot(side, a) + t * flat_dot(side, b) < 0.0;
}

/* An angle below 0 by rounding is 0 and no whole turn: the straight parts of a whole turn would cross. */
static double arc_between(const Flat at[2], double turn, double radius) {
    double angle = turn * abut_atan2(flat_cross(at[0], at[1]), flat_dot(at[0], at[1]));
    return radius * (angle < -SLIGHT ? angle + 2.0 * ABUT_PI : abut_larger(0.0, angle));
}

static int wrap_outside(const Flat point[2], const Flat *side, double radius, Flat out[2], double *arc) {
    Flat way = flat_sub(point[1], point[0]);
    if (flat_length(point[0]) < radius || flat_length(point[1]) < radius || flat_dot(way, way) < TINY) return 0;
    int behind = side && is_behind(point[0], point[1], *side);
    if (flat_length(nearest(point[0], point[1])) > radius && !behind) return 0;
    double turn = (flat_cross(point[0], point[1]) < 0.0) == behind ? 1.0 : -1.0; /* 1: counterclockwise */
    for (int i = 0; i < 2; ++i) {
        double c = radius / flat_length(point[i]), s = sqrt(abut_larger(0.0, 1.0 - c * c));
        out[i] = flat_turn(flat_scale(point[i], c), c, (i ? -turn : turn) * s);
    }
    if (cross(point[0], out[0], point[1], out[1])) return 0;
    *arc = arc_between(out, turn, radius);
    return 1;
}

/* ---- inside ------------------------------------------------------------------------------------------------------ */

/* Angle of reflection less that of incidence at the point of the circle in the direction of `at`. */
static double mirror(double share, const double far[2], double radius, double whole) {
    double a = share * whole, b = whole - a;
    return abut_atan2(far[0] * abut_sin(a), far[0] * abut_cos(a) - radius) -
           abut_atan2(far[1] * abut_sin(b), far[1] * abut_cos(b) - radius);
}

/* The string touches the inside of the circle in one point, where its two parts have the same angle to the radius: the
 * shortest way over the circle. It is straight where it would meet the circle anyway. */
static int wrap_inside(const Flat point[2], double radius, Flat out[2], double *arc) {
    double far[2] = {flat_length(point[0]), flat_length(point[1])}, low = 0.0, high = 1.0;
    Flat unit[2] = {flat_unit(point[0]), flat_unit(point[1])}, way = flat_sub(point[1], point[0]);
    if (far[0] <= radius || far[1] <= radius) return 0;
    if (flat_dot(way, way) > TINY && flat_length(nearest(point[0], point[1])) <= radius) return 0;
    double whole = abut_atan2(flat_cross(unit[0], unit[1]), flat_dot(unit[0], unit[1])), size = fabs(whole);
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (low + high);
        if (mirror(middle, far, radius, size) > 0.0)
            high = middle;
        else
            low = middle;
    }
    double angle = 0.5 * (low + high) * whole;
    out[0] = out[1] = flat_scale(flat_turn(unit[0], abut_cos(angle), abut_sin(angle)), radius);
    *arc = 0.0;
    return 1;
}

/* ---- in space ---------------------------------------------------------------------------------------------------- */

/* Two axes of the plane of the circle, in the frame of the sphere. */
static void plane_of(const AbutVec3 p[2], AbutVec3 axis[2]) {
    axis[0] = abut_normalize(p[0]);
    AbutVec3 normal = abut_cross(p[0], p[1]);
    if (abut_length(normal) < TINY) { /* any plane through the two */
        int most = 0;
        for (int i = 1; i < 3; ++i)
            if (fabs(abut_get(axis[0], i)) > fabs(abut_get(axis[0], most))) most = i;
        normal = abut_cross(axis[0], abut_sub(abut_vec3(1.0, 1.0, 1.0), abut_axis(most)));
    }
    axis[1] = abut_normalize(abut_cross(abut_normalize(normal), axis[0]));
}

/* The heights at the two ends of the arc; the arc of the helix. */
static double climb(const AbutVec3 p[2], const Flat flat[2], const Flat on[2], double arc, double height[2]) {
    double first = flat_length(flat_sub(flat[0], on[0])), last = flat_length(flat_sub(flat[1], on[1])),
           whole = first + arc + last, slope = whole > 0.0 ? (p[1].z - p[0].z) / whole : 0.0;
    height[0] = p[0].z + slope * first;
    height[1] = p[0].z + slope * (first + arc);
    return abut_hypot(arc, height[1] - height[0]);
}

int abut_wrap(int kind, AbutPose place, double radius, AbutVec3 from, AbutVec3 to, const AbutVec3 *side,
    AbutVec3 out[2], double *arc) {
    AbutVec3 p[2] = {abut_pose_apply_inv(place, from), abut_pose_apply_inv(place, to)};
    AbutVec3 axis[2] = {abut_axis(0), abut_axis(1)}, beside = side ? abut_pose_apply_inv(place, *side) : abut_zero();
    double height[2] = {0.0, 0.0};
    Flat flat[2], on[2], toward = {0.0, 0.0};
    if (abut_length(p[0]) < TINY || abut_length(p[1]) < TINY) return 0;
    if (kind == ABUT_PATH_SPHERE) plane_of(p, axis);
    for (int i = 0; i < 2; ++i) flat[i] = (Flat){abut_dot(p[i], axis[0]), abut_dot(p[i], axis[1])};
    if (side) toward = flat_unit((Flat){abut_dot(beside, axis[0]), abut_dot(beside, axis[1])});
    int wraps = side && abut_length(beside) < radius ? wrap_inside(flat, radius, on, arc)
                                                     : wrap_outside(flat, side ? &toward : NULL, radius, on, arc);
    if (!wraps) return 0;
    if (kind == ABUT_PATH_CYLINDER) *arc = climb(p, flat, on, *arc, height);
    for (int i = 0; i < 2; ++i) {
        AbutVec3 at = abut_add(abut_scale(axis[0], on[i].x), abut_scale(axis[1], on[i].y));
        if (kind == ABUT_PATH_CYLINDER) at.z = height[i];
        out[i] = abut_pose_apply(place, at);
    }
    return 1;
}
