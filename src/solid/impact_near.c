/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Longer steps of the time of impact with meshes.
 *
 * In: two bodies at a time, one of them or both meshes. Out: a time for which they do not come to the level. Method,
 * where they are near: a triangle and another, or a convex body, at distance d with normal n are parted by n; their
 * points approach along n at no more than v now, and all points change their speed by no more than the acceleration a,
 * so the pair cannot meet before v h + a h^2 / 2 = d. Corners of a triangle give its v, the farthest point along
 * spin x n that of a convex body. Pairs farther than D cannot meet before D / (bound of speed). Method for straight
 * lines of two meshes: the first contact of the sweep is exact.
 */
#include "mesh/kernels.h"
#include "solid/impact.h"
#include "mesh/near.h"
#include "motion/rate.h"

static const double NEAR_SIDE = 0.05;  /* of the mean side of the triangles: nearer than that each pair is looked at */
static const double NEAR_FACTOR = 4.0; /* pairs within this many distances; more would make the list long */
static const double STEP = 1.0 - 1e-9; /* of the proven step: rounding */

enum { MOST_PAIRS = 4096, MOST_CONVEX = 256 };

typedef struct Near {
    AbutPose frame; /* of the (first) mesh */
    AbutMotionRate mesh, other;
    const AbutConvex *convex; /* NULL: two meshes */
    AbutPose convex_pose;
    double sign, acceleration, below; /* below: what of a distance is not to be used up */
    double least, plain;              /* least step so far; no step above `plain` is wanted any longer below it */
    int count;
} Near;

/* The fastest of three points of the frame along n, outer frame. */
static double fastest(const AbutMotionRate *rate, AbutPose frame, const AbutVec3 p[3], AbutVec3 n) {
    double most = -INFINITY;
    for (int k = 0; k < 3; ++k) {
        AbutVec3 arm = abut_sub(abut_pose_apply(frame, p[k]), rate->center);
        most = abut_larger(most, abut_dot(n, abut_add(rate->velocity, abut_cross(rate->spin, arm))));
    }
    return most;
}

/* As above, for all points of a convex body: n . (spin x arm) = (n x spin) . arm is largest at its farthest point. */
static double fastest_of_convex(const Near *near, AbutVec3 n) {
    const AbutMotionRate *rate = &near->other;
    AbutVec3 u = abut_cross(n, rate->spin);
    double along = abut_dot(n, rate->velocity), turning = abut_length(u);
    if (!(turning > 0.0)) return along;
    AbutVec3 far = abut_convex_farthest(near->convex, abut_quat_rotate_inv(near->convex_pose.q, u));
    AbutVec3 arm = abut_sub(abut_pose_apply(near->convex_pose, far), rate->center);
    return along + abut_dot(u, arm) + turning * near->convex->radius;
}

/* The time in which a gap closes at speed v and acceleration a. */
static double closing_time(double gap, double v, double a) {
    double root = sqrt(v * v + 2.0 * a * gap);
    if (v > 0.0) return 2.0 * gap / (v + root);
    return a > 0.0 ? (root - v) / a : (double)INFINITY;
}

static int look_at_pair(const AbutMeshNear *pair, void *user) {
    Near *near = user;
    double gap = pair->distance - near->below;
    if (!(gap > 0.0) || ++near->count > (near->convex ? MOST_CONVEX : MOST_PAIRS)) {
        near->least = 0.0;
        return 0;
    }
    AbutVec3 n = abut_scale(abut_quat_rotate(near->frame.q, abut_normalize(pair->way)), near->sign), m = abut_neg(n);
    double v = fastest(&near->mesh, near->frame, pair->a, n) +
               (near->convex ? fastest_of_convex(near, m) : fastest(&near->other, near->frame, pair->b, m));
    near->least = abut_smaller(near->least, closing_time(gap, v, near->acceleration));
    return near->least > near->plain;
}

/* Shows what is nearer than `within`; 0: not all of it. `way` from the first mesh to the other body, outer frame. */
static int look_around(
    Near *near, const AbutImpactBody *mesh, const AbutImpactBody *other, AbutVec3 way, double within) {
    AbutPose pose = abut_pose_between(near->frame, near->convex_pose);
    AbutVec3 own = abut_quat_rotate_inv(near->frame.q, way);
    if (abut_impact_is_mesh(other))
        return abut_mesh_near(mesh->solid.mesh, other->solid.mesh, pose, own, within, look_at_pair, near);
    return abut_mesh_convex_near(mesh->solid.mesh, other->solid.convex, pose, own, within, look_at_pair, near);
}

/* The mean side of the triangles that may come near. */
static double side_of(const AbutImpactBody *mesh, const AbutImpactBody *other) {
    return abut_impact_is_mesh(other) ? 0.5 * (mesh->solid.mesh->mean_side + other->solid.mesh->mean_side)
                                      : mesh->solid.mesh->mean_side;
}

/* How long nothing farther than `within` comes to the level, and both motions are smooth. */
static double window_of(const AbutImpactSearch *s, double t, double to, const Near *near, double within) {
    double until = abut_smaller(fabs(near->mesh.until - t), fabs(near->other.until - t));
    until = abut_smaller(until, fabs(to - t));
    double end = t + near->sign * until;
    double speed = abut_motion_speed(s->a.motion, t, end, NULL, s->a.center, s->a.radius) +
                   abut_motion_speed(s->b.motion, t, end, NULL, s->b.center, s->b.radius);
    return speed > 0.0 ? abut_smaller(until, (within - near->below) / speed) : until;
}

double abut_impact_near_step(
    const AbutImpactSearch *s, const AbutGap *gap, double t, double to, double speed, double plain) {
    int in_order = abut_impact_is_mesh(&s->a);
    const AbutImpactBody *first = in_order ? &s->a : &s->b, *second = in_order ? &s->b : &s->a;
    double over = gap->distance - s->level, within = s->level + NEAR_FACTOR * over;
    if (!(over < NEAR_SIDE * side_of(first, second)) || !(speed > 0.0)) return plain;
    double sign = to >= t ? 1.0 : -1.0, window = 2.0 * NEAR_FACTOR * over / speed;
    double end = t + sign * abut_smaller(window, fabs(to - t));
    Near near = {.frame = abut_motion_pose(first->motion, t),
        .mesh = abut_motion_rate(first->motion, t, end, first->center, first->radius),
        .other = abut_motion_rate(second->motion, t, end, second->center, second->radius),
        .convex = abut_impact_is_mesh(second) ? NULL : second->solid.convex,
        .convex_pose = abut_motion_pose(second->motion, t),
        .sign = sign,
        .below = s->level + 0.5 * s->tolerance,
        .least = INFINITY,
        .plain = plain};
    window = window_of(s, t, to, &near, within);
    if (!(window > plain)) return plain;
    near.acceleration = near.mesh.acceleration + near.other.acceleration;
    AbutVec3 way = in_order ? gap->normal : abut_neg(gap->normal);
    if (!look_around(&near, first, second, way, within)) return plain;
    return abut_larger(plain, STEP * abut_smaller(window, near.least));
}

/* ---- straight lines ---------------------------------------------------------------------------------------------- */

static int is_straight(const AbutMotionRate *rate, double to) {
    return rate->until == to && rate->acceleration == 0.0 && abut_length_sq(rate->spin) == 0.0;
}

double abut_impact_straight(const AbutImpactSearch *s, double from, double to) {
    const AbutImpactBody *a = &s->a, *b = &s->b;
    const AbutMotion *move_a = a->motion, *move_b = b->motion;
    AbutMotionRate rate_a = abut_motion_rate(move_a, from, to, a->center, a->radius);
    AbutMotionRate rate_b = abut_motion_rate(move_b, from, to, b->center, b->radius);
    AbutVec3 velocity = abut_sub(rate_b.velocity, rate_a.velocity);
    double speed = abut_length(velocity);
    if (!is_straight(&rate_a, to) || !is_straight(&rate_b, to) || !(speed > 0.0)) return from;
    AbutPose pose_a = abut_motion_pose(move_a, from);
    AbutPose pose = abut_pose_between(pose_a, abut_motion_pose(move_b, from));
    AbutVec3 way = abut_quat_rotate_inv(pose_a.q, abut_scale(velocity, to - from));
    AbutGapDef def = {.within = s->tolerance};
    if (abut_mesh_distance(a->solid.mesh, b->solid.mesh, pose, &def, NULL).outcome != ABUT_FARTHER) return from;
    AbutMeshCast cast = abut_mesh_cast(a->solid.mesh, b->solid.mesh, pose, way, 1.0);
    if (cast.outcome != ABUT_SEPARATED) return from;
    if (!isfinite(cast.t)) return to;
    double back = 0.5 * s->tolerance / speed, time = cast.t * fabs(to - from) - back, sign = to >= from ? 1.0 : -1.0;
    return time > 0.0 ? from + sign * time : from;
}
