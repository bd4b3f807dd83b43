/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances of two pieces in a posture: by balls, exactly, along a given direction; and how they change with the
 * planned coordinates. The normal points from B to A.
 */
#include "proof/problem.h"
#include "query/capsules.h"

#include <string.h>

/* The plane of a half-space in the world. */
static AbutPlane plane_of(const AbutPlanPiece *piece, const AbutPlanPosture *at) {
    AbutPose pose = abut_plan_piece_pose(piece, at);
    AbutVec3 n = abut_quat_rotate(pose.q, piece->convex.p[0]);
    AbutPlane plane = {n, piece->convex.p[1].x + piece->convex.radius + abut_dot(n, pose.p)};
    return plane;
}

double abut_plan_item_apart(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at) {
    const AbutPlanPiece *a = &problem->pieces[item->a], *b = &problem->pieces[item->b];
    AbutVec3 center = abut_plan_piece_point(a, at, a->ball.center);
    if (b->flat) {
        AbutPlane plane = plane_of(b, at);
        return abut_dot(plane.normal, center) - plane.offset - a->ball.radius;
    }
    return abut_point_distance(center, abut_plan_piece_point(b, at, b->ball.center)) - a->ball.radius - b->ball.radius;
}

/* A ball or a capsule: its exact distance is as quick as that of capsules. */
static int is_round(const AbutConvex *convex) {
    return convex->kind == ABUT_CONVEX_POINT || convex->kind == ABUT_CONVEX_SEGMENT;
}

double abut_plan_item_hulls_apart(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at) {
    const AbutPlanPiece *a = &problem->pieces[item->a], *b = &problem->pieces[item->b];
    if (b->flat || (is_round(&a->convex) && is_round(&b->convex))) return -INFINITY;
    AbutCapsule one = {
        abut_plan_piece_point(a, at, a->hull.a), abut_plan_piece_point(a, at, a->hull.b), a->hull.radius};
    AbutCapsule two = {
        abut_plan_piece_point(b, at, b->hull.a), abut_plan_piece_point(b, at, b->hull.b), b->hull.radius};
    return abut_capsule_distance(one, two).distance;
}

AbutPlanDistance abut_plan_item_distance(
    const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at, AbutConvexCache *cache) {
    const AbutPlanPiece *a = &problem->pieces[item->a], *b = &problem->pieces[item->b];
    AbutGap d = abut_gap_in(abut_plan_piece_pose(a, at),
        abut_convex_distance(&a->convex, &b->convex,
            abut_pose_between(abut_plan_piece_pose(a, at), abut_plan_piece_pose(b, at)), NULL, cache));
    AbutPlanDistance out = {d.distance, d.error, abut_neg(d.normal), d.point_a, d.point_b};
    if (d.outcome == ABUT_INVALID) out = (AbutPlanDistance){NAN, INFINITY, abut_axis(2), abut_zero(), abut_zero()};
    return out;
}

static AbutVec3 farthest(const AbutPlanPiece *piece, const AbutPlanPosture *at, AbutVec3 direction) {
    AbutPose pose = abut_plan_piece_pose(piece, at);
    AbutVec3 local = abut_quat_rotate_inv(pose.q, direction), point = abut_convex_farthest(&piece->convex, local);
    point = abut_add_scaled(point, abut_normalize(local), piece->convex.radius);
    return abut_pose_apply(pose, point);
}

AbutPlanDistance abut_plan_item_along(
    const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at, AbutVec3 n) {
    const AbutPlanPiece *a = &problem->pieces[item->a], *b = &problem->pieces[item->b];
    AbutPlanDistance out = {0.0, 0.0, b->flat ? plane_of(b, at).normal : n, abut_zero(), abut_zero()};
    out.point_a = farthest(a, at, abut_neg(out.normal));
    out.point_b = farthest(b, at, out.normal);
    out.distance = abut_dot(out.normal, abut_sub(out.point_a, out.point_b));
    return out;
}

static double by_joint(const AbutPlanProblem *problem, const AbutPlanPosture *at, int32_t j, AbutVec3 n, AbutVec3 p) {
    return problem->tree.slides[j] ? abut_dot(n, at->axis[j]) : abut_triple(n, at->axis[j], abut_sub(p, at->origin[j]));
}

void abut_plan_item_gradient(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at,
    const AbutPlanDistance *d, double *by_coordinates) {
    memset(by_coordinates, 0, (size_t)problem->coordinate_count * sizeof *by_coordinates);
    for (int side = 0; side < 2; ++side) {
        const int32_t *joints = side ? item->joints_b : item->joints_a;
        int32_t count = side ? item->count_b : item->count_a;
        for (int32_t i = 0; i < count; ++i) {
            double g = by_joint(problem, at, joints[i], d->normal, side ? d->point_b : d->point_a);
            for (int32_t e = 0; e < problem->entry_count; ++e)
                if (problem->entries[e].joint == joints[i])
                    by_coordinates[problem->entries[e].coordinate] += (side ? -g : g) * problem->entries[e].factor;
        }
    }
}
