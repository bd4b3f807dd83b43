/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A convex piece over an interval against small parts of a surface. Method: the bound of certificate_bound.c along a
 * direction, by the capsule around the piece and then by the piece itself; of a box the direction from its middle to
 * the axis of the capsule, and its own normal where it has one.
 */
#include "proof/walk.h"

AbutPose abut_plan_piece_in_surface(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at) {
    AbutPose piece = abut_plan_piece_pose(&problem->pieces[facing->piece], at);
    return abut_pose_between(problem->surfaces[facing->surface].pose, piece);
}

AbutPlanWalk abut_plan_walk_start(const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanMoment *m,
    AbutSphere ball, double level) {
    const AbutPlanSurface *surface = &problem->surfaces[facing->surface];
    const AbutPlanPiece *piece = &problem->pieces[facing->piece];
    AbutPlanTwist twist = abut_plan_twist(problem, m, facing->joints, facing->count);
    double bend = abut_plan_piece_bend(problem, m, piece, facing->joints, facing->count);
    double far = ball.radius + abut_length(ball.center) + abut_length(surface->pose.p);
    AbutPlanWalk w = {.surface = surface,
        .body = &piece->convex,
        .pose = abut_plan_piece_in_surface(problem, facing, &m->at),
        .around = {abut_pose_apply_inv(surface->pose, abut_plan_piece_point(piece, &m->at, piece->hull.a)),
            abut_pose_apply_inv(surface->pose, abut_plan_piece_point(piece, &m->at, piece->hull.b)),
            piece->hull.radius},
        .h = m->h,
        .fall = 0.5 * bend * m->h * m->h + m->slack + 1e-10 * far,
        .level = level,
        .answer = {.status = ABUT_CERTIFICATE_CLEAR, .lb = INFINITY, .ub = INFINITY}};
    w.twist.turn = abut_quat_rotate_inv(surface->pose.q, twist.turn);
    w.twist.shift =
        abut_quat_rotate_inv(surface->pose.q, abut_add(abut_cross(twist.turn, surface->pose.p), twist.shift));
    return w;
}

/* The least d.p over the points of the body, or of the capsule around it. */
static double least_along(const AbutPlanWalk *w, AbutVec3 d, int exact) {
    if (!exact)
        return abut_smaller(abut_dot(d, w->around.a), abut_dot(d, w->around.b)) - w->around.radius * abut_length(d);
    AbutVec3 local = abut_quat_rotate_inv(w->pose.q, abut_neg(d));
    return abut_dot(d, w->pose.p) - abut_dot(local, abut_convex_farthest(w->body, local)) -
           w->body->radius * abut_length(d);
}

/* Lower bound of n.p over its points in the interval. */
static double low_over(const AbutPlanWalk *w, AbutVec3 n, int exact) {
    AbutVec3 g = abut_cross(n, w->twist.turn);
    double k = w->h * abut_dot(n, w->twist.shift);
    double before = least_along(w, abut_add_scaled(n, g, -w->h), exact) - k;
    double after = least_along(w, abut_add_scaled(n, g, w->h), exact) + k;
    return abut_smaller(before, after) - w->fall;
}

AbutVec3 abut_plan_walk_way(const AbutPlanWalk *w, AbutVec3 place) {
    AbutVec3 along = abut_sub(w->around.b, w->around.a), to = abut_sub(place, w->around.a);
    double square = abut_length_sq(along), x = square > 0.0 ? abut_dot(to, along) / square : 0.0;
    x = abut_larger(0.0, abut_smaller(1.0, x));
    return abut_sub(abut_add_scaled(w->around.a, along, x), place);
}

double abut_plan_walk_shift(const AbutPlanWalk *w) {
    double speed = abut_length(w->twist.turn) * w->around.radius;
    AbutVec3 a = abut_add(abut_cross(w->twist.turn, w->around.a), w->twist.shift);
    AbutVec3 b = abut_add(abut_cross(w->twist.turn, w->around.b), w->twist.shift);
    return w->h * (speed + abut_larger(abut_length(a), abut_length(b))) + w->fall;
}

/* n.x of its points is at most this. */
static double top_of(const AbutPlanWalk *w, const AbutPlanPartBox *box, AbutVec3 n) {
    return abut_dot(n, box->center) + fabs(abut_dot(n, box->axis[0])) + fabs(abut_dot(n, box->axis[1])) +
           fabs(abut_dot(n, box->axis[2])) + w->spare;
}

int abut_plan_walk_part(AbutPlanWalk *w, AbutVec3 n, double top, double *room, double *loss) {
    ++w->answer.boxes;
    for (int exact = 0; exact < 2; ++exact) {
        double bound = low_over(w, n, exact) - top;
        if (bound > w->level) {
            w->answer.lb = abut_smaller(w->answer.lb, bound);
            return 1;
        }
        double now = least_along(w, n, exact) - top;
        if (now > *room) {
            *room = now;
            *loss = now - bound;
        }
    }
    return 0;
}

AbutPlanBoxVerdict abut_plan_walk_judge(AbutPlanWalk *w, const AbutPlanPartBox *box, double *room) {
    AbutVec3 way = abut_plan_walk_way(w, box->center), n = abut_normalize_or(way, abut_axis(2));
    double loss = 0.0;
    *room = -INFINITY;
    if (abut_plan_walk_part(w, n, top_of(w, box, n), room, &loss)) return ABUT_PLAN_PARTED;
    double length = abut_length(box->normal);
    if (length > 0.5) {
        double side = abut_dot(box->normal, way) < 0.0 ? -1.0 : 1.0;
        double top = (side * box->offset + box->half) / length + w->spare;
        if (abut_plan_walk_part(w, abut_scale(box->normal, side / length), top, room, &loss)) return ABUT_PLAN_PARTED;
    }
    double size = abut_length(box->axis[0]) + abut_length(box->axis[1]) + abut_length(box->axis[2]);
    return *room <= w->level || size > 0.5 * loss ? ABUT_PLAN_OPEN : ABUT_PLAN_TOO_LONG;
}
