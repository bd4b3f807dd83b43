/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Half-spaces in closed form: a half-space is as far from a body as its plane is from the body's vertex that lies
 * deepest below it, and its normal is the normal of the answer. Two half-spaces are apart, or parted by a move, only
 * where they face each other.
 */
#include "query/support.h"
#include "query/tolerance.h"

/* Result from the plane n.x = offset of the half-space (frame of A) and the deepest vertex of the other body. */
static AbutGap finish(
    AbutPairView *pair, AbutVec3 n, double offset, AbutVec3 deepest, int32_t vertex, int a_is_it, const AbutGapDef *def)
{
    double height = abut_dot(n, deepest) - offset;
    AbutVec3 foot = abut_add_scaled(deepest, n, -height);
    AbutDifference w = {abut_sub(foot, deepest), deepest, -1, vertex};
    if (!a_is_it) {
        w.w = abut_sub(deepest, foot), w.b = foot;
        w.ia = vertex, w.ib = -1;
    }
    AbutSimplex s = {1, {w}, {1.0}, w.w};
    pair->supports = 1;
    abut_pair_count(pair, def);
    return abut_pair_finish(pair, &s, height, a_is_it ? n : abut_neg(n), 0.0);
}

AbutGap abut_plane_body(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache)
{
    (void)cache;
    AbutPairView pair;
    AbutVec3 point;
    if (!abut_pair_view(&pair, a, b, b_in_a))
        return abut_gap_invalid();
    AbutVec3 down = abut_neg(abut_mat3_apply_t(pair.rotation, a->p[0]));
    int32_t vertex = abut_body_farthest(&pair.b, pair.scan, down, &point);
    point = abut_add(abut_mat3_apply(pair.rotation, point), pair.position);
    return finish(&pair, a->p[0], a->p[1].x, point, vertex, 1, def);
}

AbutGap abut_body_plane(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache)
{
    (void)cache;
    AbutPairView pair;
    AbutVec3 point;
    if (!abut_pair_view(&pair, a, b, b_in_a))
        return abut_gap_invalid();
    AbutVec3 n = abut_mat3_apply(pair.rotation, b->p[0]);
    int32_t vertex = abut_body_farthest(&pair.a, pair.scan, abut_neg(n), &point);
    return finish(&pair, n, b->p[1].x + abut_dot(n, pair.position), point, vertex, 0, def);
}

AbutGap abut_plane_plane(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache)
{
    (void)cache;
    AbutPairView pair;
    if (!abut_pair_view(&pair, a, b, b_in_a))
        return abut_gap_invalid();
    AbutVec3 n = abut_mat3_apply(pair.rotation, b->p[0]), foot = abut_scale(a->p[0], a->p[1].x);
    AbutGap out = finish(&pair, n, b->p[1].x + abut_dot(n, pair.position), foot, -1, 0, def);
    out.normal = a->p[0];
    if (abut_length(abut_add(n, a->p[0])) > ABUT_QUERY_OPPOSITE) {
        out.outcome = ABUT_PENETRATING;
        out.distance = out.surface = -INFINITY;
        out.point_a = out.point_b = foot;
    }
    return out;
}
