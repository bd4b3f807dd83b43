/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Longer steps of the time of impact of two meshes.
 *
 * In: two meshes at a time. Out: a time for which they cannot meet. Method, where they are near: a pair of triangles at
 * distance d with normal n is parted by n; its vertices approach along n at no more than v now, and all points change
 * their speed by no more than the acceleration a, so the pair cannot meet before v h + a h^2 / 2 = d. Pairs farther
 * than D cannot meet before D / (bound of speed). Method for straight lines: the first contact of the sweep is exact.
 */
#include "motion/impact.h"
#include "mesh/near.h"

static const double NEAR_SIDE = 0.05;  /* of the mean side of the triangles: nearer than that each pair is looked at */
static const double NEAR_FACTOR = 4.0; /* pairs within this many distances; more would make the list long */
static const double STEP = 1.0 - 1e-9; /* of the proven step: rounding */

enum { MOST_PAIRS = 4096 };

typedef struct Near {
    AbutPose pose_a;
    AbutMotionRate a, b;
    double sign, acceleration, tolerance;
    double least, plain; /* least step so far; no step above `plain` is wanted any longer below it */
    int count;
} Near;

/* The fastest of three points of A's frame along n, outer frame. */
static double fastest(const AbutMotionRate *rate, AbutPose frame, const AbutVec3 p[3], AbutVec3 n)
{
    double most = -INFINITY;
    for (int k = 0; k < 3; ++k) {
        AbutVec3 arm = abut_sub(abut_pose_apply(frame, p[k]), rate->center);
        most = abut_larger(most, abut_dot(n, abut_add(rate->velocity, abut_cross(rate->spin, arm))));
    }
    return most;
}

/* The time in which a gap closes at speed v and acceleration a. */
static double closing_time(double gap, double v, double a)
{
    double root = sqrt(v * v + 2.0 * a * gap);
    if (v > 0.0)
        return 2.0 * gap / (v + root);
    return a > 0.0 ? (root - v) / a : (double)INFINITY;
}

static int look_at_pair(const AbutMeshNear *pair, void *user)
{
    Near *near = user;
    double gap = pair->distance - 0.5 * near->tolerance;
    if (!(gap > 0.0) || ++near->count > MOST_PAIRS) {
        near->least = 0.0;
        return 0;
    }
    AbutVec3 n = abut_scale(abut_quat_rotate(near->pose_a.q, abut_normalize(pair->way)), near->sign);
    double v = fastest(&near->a, near->pose_a, pair->a, n) + fastest(&near->b, near->pose_a, pair->b, abut_neg(n));
    near->least = abut_smaller(near->least, closing_time(gap, v, near->acceleration));
    return near->least > near->plain;
}

double abut_impact_near_step(const AbutImpactPlace *at, double plain)
{
    const AbutMeshTree *a = at->a->body->mesh, *b = at->b->body->mesh;
    const AbutMotion *move_a = &at->a->body->motion, *move_b = &at->b->body->motion;
    double sign = at->to >= at->t ? 1.0 : -1.0, within = NEAR_FACTOR * at->distance;
    if (!(at->distance < NEAR_SIDE * 0.5 * (a->mean_side + b->mean_side)) || !(at->speed > 0.0))
        return plain;
    double window = abut_smaller(2.0 * within / at->speed, fabs(at->to - at->t)), end = at->t + sign * window;
    Near near = {abut_motion_pose(move_a, at->t), abut_motion_rate(move_a, at->t, end, at->a->center, at->a->radius),
        abut_motion_rate(move_b, at->t, end, at->b->center, at->b->radius), sign, 0.0, at->tolerance, INFINITY, plain,
        0};
    window = abut_smaller(window, abut_smaller(fabs(near.a.until - at->t), fabs(near.b.until - at->t)));
    end = at->t + sign * window;
    double speed = abut_motion_speed(move_a, at->t, end, at->a->center, at->a->radius) +
                   abut_motion_speed(move_b, at->t, end, at->b->center, at->b->radius);
    window = speed > 0.0 ? abut_smaller(window, (within - 0.5 * at->tolerance) / speed) : window;
    if (!(window > plain))
        return plain;
    near.acceleration = near.a.acceleration + near.b.acceleration;
    AbutPose pose = abut_pose_between(near.pose_a, abut_motion_pose(move_b, at->t));
    AbutVec3 way = abut_quat_rotate_inv(near.pose_a.q, at->normal);
    if (!abut_mesh_near(a, b, pose, way, within, look_at_pair, &near))
        return plain;
    return abut_larger(plain, STEP * abut_smaller(window, near.least));
}

/* ---- straight lines ---------------------------------------------------------------------------------------------- */

static int is_straight(const AbutMotionRate *rate, double to)
{
    return rate->until == to && rate->acceleration == 0.0 && abut_length_sq(rate->spin) == 0.0;
}

double abut_impact_straight(const AbutImpactBody *a, const AbutImpactBody *b, double from, double to, double tolerance)
{
    const AbutMotion *move_a = &a->body->motion, *move_b = &b->body->motion;
    AbutMotionRate rate_a = abut_motion_rate(move_a, from, to, a->center, a->radius);
    AbutMotionRate rate_b = abut_motion_rate(move_b, from, to, b->center, b->radius);
    AbutVec3 velocity = abut_sub(rate_b.velocity, rate_a.velocity);
    double speed = abut_length(velocity);
    if (!is_straight(&rate_a, to) || !is_straight(&rate_b, to) || !(speed > 0.0))
        return from;
    AbutPose pose_a = abut_motion_pose(move_a, from);
    AbutPose pose = abut_pose_between(pose_a, abut_motion_pose(move_b, from));
    AbutVec3 way = abut_quat_rotate_inv(pose_a.q, abut_scale(velocity, to - from));
    AbutMeshDistanceDef def = {.within = tolerance};
    if (abut_mesh_distance(a->body->mesh, b->body->mesh, pose, &def, NULL).meeting != ABUT_MESH_FARTHER)
        return from;
    AbutMeshCast cast = abut_mesh_cast(a->body->mesh, b->body->mesh, pose, way, 1.0);
    if (cast.meeting != ABUT_MESH_APART)
        return from;
    if (!isfinite(cast.t))
        return to;
    double back = 0.5 * tolerance / speed, time = cast.t * fabs(to - from) - back, sign = to >= from ? 1.0 : -1.0;
    return time > 0.0 ? from + sign * time : from;
}
