/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Half-spaces in closed form: a half-space is as far from a body as its plane is from the body's vertex that lies
 * deepest below it, and its normal is the normal of the answer. Two half-spaces are apart, or parted by a move, only
 * where they face each other.
 */
#include "query/support.h"
#include "query/tolerance.h"

/* Result from the plane n.x = offset of the half-space (frame of A) and the deepest vertex of the other body. */
static AbutGap finish(AbutPairView *pair, AbutVec3 n, double offset, AbutVec3 deepest, int32_t vertex, int a_is_it) {
    double height = abut_dot(n, deepest) - offset;
    AbutVec3 foot = abut_add_scaled(deepest, n, -height);
    AbutDifference w = {abut_sub(foot, deepest), deepest, -1, vertex};
    if (!a_is_it) w = (AbutDifference){abut_sub(deepest, foot), foot, vertex, -1};
    AbutSimplex s = {1, {w}, {1.0}, w.w};
    pair->supports = 1;
    return abut_pair_finish(pair, &s, height, a_is_it ? n : abut_neg(n), 0.0);
}

/* The plane of B in the frame of A: its normal; *offset. */
static AbutVec3 plane_of_b(const AbutPairView *pair, double *offset) {
    AbutVec3 n = abut_mat3_apply(pair->rotation, pair->b.convex->p[0]);
    *offset = pair->b.convex->p[1].x + abut_dot(n, pair->position);
    return n;
}

AbutGap abut_plane_body(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    const AbutConvex *a = pair->a.convex;
    AbutVec3 point, down = abut_neg(abut_mat3_apply_t(pair->rotation, a->p[0]));
    int32_t vertex = abut_body_farthest(&pair->b, pair->scan, down, &point);
    point = abut_add(abut_mat3_apply(pair->rotation, point), pair->position);
    return finish(pair, a->p[0], a->p[1].x, point, vertex, 1);
}

AbutGap abut_body_plane(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    double offset;
    AbutVec3 point, n = plane_of_b(pair, &offset);
    int32_t vertex = abut_body_farthest(&pair->a, pair->scan, abut_neg(n), &point);
    return finish(pair, n, offset, point, vertex, 0);
}

AbutGap abut_plane_plane(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    double offset;
    AbutVec3 own = pair->a.convex->p[0], foot = abut_scale(own, pair->a.convex->p[1].x), n = plane_of_b(pair, &offset);
    AbutGap out = finish(pair, n, offset, foot, -1, 0);
    out.normal = own;
    if (abut_length(abut_add(n, own)) > ABUT_QUERY_OPPOSITE) {
        out.outcome = ABUT_PENETRATING;
        out.distance = out.surface = -INFINITY;
        out.point_a = out.point_b = foot;
    }
    return out;
}
