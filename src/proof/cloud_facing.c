/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A convex piece against a cloud. In: a piece that moves, bodies around points, an interval of time. Out: whether the
 * piece keeps farther than a level from all of them, or the distance at one time. Method: cells that the ball around
 * the piece, and how far it moves, may reach are judged as boxes; where that is not enough their bodies are measured
 * one by one, and bounded with their own normals.
 */
#include "proof/cloud.h"
#include "proof/walk.h"

/* Beyond what must be looked at, as a part of the piece: bounds of what is not looked at end there. */
static const double BEYOND = 0.1;

typedef struct Looking {
    AbutPlanWalk *walk;
    AbutConvex one;
    AbutGap best; /* of a distance */
    AbutSphere ball;
} Looking;

static double top_of(const struct AbutCloud *cloud, AbutVec3 p, AbutVec3 n) {
    return abut_dot(n, p) + cloud->half * (fabs(n.x) + fabs(n.y) + fabs(n.z)) + cloud->radius * abut_length(n);
}

static AbutGap measure(const AbutConvex *one, AbutVec3 p, const AbutConvex *body, AbutPose pose) {
    pose.p = abut_sub(pose.p, p);
    return abut_convex_distance(one, body, pose, NULL, NULL);
}

/* ---- over an interval -------------------------------------------------------------------------------------------- */

static void try_body(Looking *x, const struct AbutCloud *cloud, AbutVec3 p) {
    AbutPlanWalk *w = x->walk;
    AbutVec3 n = abut_normalize_or(abut_plan_walk_way(w, p), abut_axis(2));
    double room = -INFINITY, loss = 0.0;
    if (abut_plan_walk_part(w, n, top_of(cloud, p, n), &room, &loss)) return;
    AbutGap d = measure(&x->one, p, w->body, w->pose);
    ++w->answer.triangles;
    if (d.outcome == ABUT_INVALID) {
        w->answer.status = ABUT_CERTIFICATE_UNDECIDED;
        return;
    }
    w->answer.ub = abut_smaller(w->answer.ub, d.distance > 0.0 ? d.distance : 0.0);
    if (d.distance <= w->level)
        w->answer.status = ABUT_CERTIFICATE_CONTACT;
    else if (!abut_plan_walk_part(w, d.normal, top_of(cloud, p, d.normal), &room, &loss))
        w->answer.status = ABUT_CERTIFICATE_UNDECIDED;
}

static AbutPlanPartBox box_of(const struct AbutCloud *cloud, const AbutCloudCell *cell) {
    AbutPlanPartBox box = {.center = cloud->middle, .normal = abut_zero()};
    double half[3], middle[3], more = (cloud->half + cloud->radius) * (1.0 + 1e-6);
    for (int a = 0; a < 3; ++a) {
        half[a] = 0.5 * ((double)cell->high[a] - (double)cell->low[a]) + more + 1e-6 * cloud->ball.radius;
        middle[a] = 0.5 * ((double)cell->high[a] + (double)cell->low[a]);
    }
    box.center = abut_add(box.center, abut_vec3(middle[0], middle[1], middle[2]));
    for (int a = 0; a < 3; ++a) box.axis[a] = abut_scale(abut_axis(a), half[a]);
    return box;
}

static int prove_cell(const struct AbutCloud *cloud, int32_t cell, void *user) {
    Looking *x = user;
    AbutPlanWalk *w = x->walk;
    AbutPlanPartBox box = box_of(cloud, &cloud->cells[cell]);
    double room;
    AbutPlanBoxVerdict verdict = abut_plan_walk_judge(w, &box, &room);
    if (verdict == ABUT_PLAN_PARTED) return 1;
    if (verdict == ABUT_PLAN_TOO_LONG) w->answer.status = ABUT_CERTIFICATE_UNDECIDED;
    for (int32_t i = cloud->cells[cell].start;
         i < cloud->cells[cell + 1].start && w->answer.status == ABUT_CERTIFICATE_CLEAR; ++i)
        try_body(x, cloud, cloud->points[i]);
    return w->answer.status == ABUT_CERTIFICATE_CLEAR;
}

AbutPlanFaced abut_plan_cloud_prove(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanMoment *m, double level) {
    const AbutPlanSurface *surface = &problem->surfaces[facing->surface];
    const AbutPlanPiece *piece = &problem->pieces[facing->piece];
    AbutPlanWalk w = abut_plan_walk_start(problem, facing, m, surface->cloud->ball, level);
    double away = level + BEYOND * piece->ball.radius, r = piece->ball.radius + abut_plan_walk_shift(&w) + away;
    Looking x = {.walk = &w, .one = abut_cloud_body(surface->cloud)};
    x.ball =
        (AbutSphere){abut_pose_apply_inv(surface->pose, abut_plan_piece_point(piece, &m->at, piece->ball.center)), r};
    w.answer.lb = abut_larger(away, nextafter(level, INFINITY));
    w.answer.boxes = 1;
    abut_cloud_visit(surface->cloud, x.ball, prove_cell, &x);
    return w.answer;
}

/* ---- at one time ------------------------------------------------------------------------------------------------- */

typedef struct Nearest {
    const AbutConvex *body;
    AbutConvex one;
    AbutPose pose;   /* of the body */
    AbutSphere ball; /* around it */
    AbutGap best;
    AbutVec3 at;  /* the point of the best */
    double along; /* the least of the body along the normal of the best */
    double equal; /* what rounding is taken to do to distances, m: as in abut_plan_set_slack */
} Nearest;

static void measure_body(Nearest *x, const struct AbutCloud *cloud, AbutVec3 p) {
    double bound = abut_point_distance(p, x->ball.center) - x->ball.radius - cloud->radius - sqrt(3.0) * cloud->half;
    if (bound > x->best.distance || x->along - top_of(cloud, p, x->best.normal) > x->best.distance - x->equal) return;
    AbutGap d = measure(&x->one, p, x->body, x->pose);
    if (d.outcome == ABUT_INVALID || !(d.distance < x->best.distance)) return;
    AbutVec3 n = abut_quat_rotate_inv(x->pose.q, abut_neg(d.normal));
    x->best = d;
    x->at = p;
    x->along = abut_dot(d.normal, x->pose.p) - abut_dot(n, abut_convex_farthest(x->body, n)) - x->body->radius;
}

static int measure_cell(const struct AbutCloud *cloud, int32_t cell, void *user) {
    Nearest *x = user;
    AbutPlanPartBox box = box_of(cloud, &cloud->cells[cell]);
    AbutVec3 d = abut_sub(x->ball.center, box.center);
    AbutVec3 out = abut_vec3(fmax(fabs(d.x) - box.axis[0].x, 0.0), fmax(fabs(d.y) - box.axis[1].y, 0.0),
        fmax(fabs(d.z) - box.axis[2].z, 0.0));
    if (abut_length(out) - x->ball.radius > x->best.distance) return 1;
    for (int32_t i = cloud->cells[cell].start; i < cloud->cells[cell + 1].start; ++i)
        measure_body(x, cloud, cloud->points[i]);
    return 1;
}

/* To a half-space the point that is deepest along its normal is the nearest. */
static void measure_deepest(Nearest *x, const struct AbutCloud *cloud) {
    AbutVec3 n = abut_quat_rotate(x->pose.q, x->body->p[0]);
    for (int32_t i = 1; i < cloud->count; ++i)
        if (abut_dot(n, cloud->points[i]) < abut_dot(n, x->at)) x->at = cloud->points[i];
    x->best = measure(&x->one, x->at, x->body, x->pose);
}

AbutPlanDistance abut_plan_cloud_distance(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at) {
    const AbutPlanSurface *surface = &problem->surfaces[facing->surface];
    const AbutPlanPiece *piece = &problem->pieces[facing->piece];
    const struct AbutCloud *cloud = surface->cloud;
    Nearest x = {.body = &piece->convex,
        .one = abut_cloud_body(cloud),
        .pose = abut_plan_piece_in_surface(problem, facing, at),
        .best = {.distance = INFINITY, .normal = abut_zero()},
        .at = cloud->points[0],
        .along = -INFINITY,
        .equal = problem->slack + 1e-10 * cloud->ball.radius};
    if (piece->flat) {
        measure_deepest(&x, cloud);
    } else {
        x.ball = (AbutSphere){abut_pose_apply_inv(surface->pose, abut_plan_piece_point(piece, at, piece->ball.center)),
            piece->ball.radius};
        measure_body(&x, cloud, cloud->points[0]);
        double all = abut_point_distance(x.ball.center, cloud->ball.center) + cloud->ball.radius;
        for (double reach = cloud->size; x.best.distance > reach && reach < 2.0 * all; reach *= 2.0) {
            AbutSphere ball = {x.ball.center, x.ball.radius + reach};
            abut_cloud_visit(cloud, ball, measure_cell, &x);
        }
        abut_cloud_visit(
            cloud, (AbutSphere){x.ball.center, x.ball.radius + fmax(x.best.distance, 0.0)}, measure_cell, &x);
    }
    if (!(x.best.distance < INFINITY)) return (AbutPlanDistance){NAN, INFINITY, abut_axis(2), abut_zero(), abut_zero()};
    return (AbutPlanDistance){fmax(x.best.distance, 0.0), x.best.error + x.equal,
        abut_quat_rotate(surface->pose.q, x.best.normal),
        abut_pose_apply(surface->pose, abut_add(x.best.point_b, x.at)),
        abut_pose_apply(surface->pose, abut_add(x.best.point_a, x.at))};
}
