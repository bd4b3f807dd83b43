/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do two convex bodies of any kind meet? By the signed distance, whose normal and points are the proof. Apart: the
 * plane halfway between the nearest points. In overlap: a common point, by projections from one body onto the other in
 * turn.
 */
#include "query/contract.h"
#include "query/intersect_rows.h"

/* The point of a body nearest to x, which may be x itself; *moved: how far it is. */
static AbutVec3 nearest_in(const AbutConvex *body, AbutPose pose, AbutVec3 x, double *moved) {
    AbutConvex point = abut_convex_point(x, 0.0);
    AbutPose world = abut_pose_between(pose, abut_pose_identity());
    AbutGap d = abut_gap_in(pose, abut_convex_distance(body, &point, world, NULL, NULL));
    *moved = abut_larger(0.0, d.distance);
    return d.distance > 0.0 ? d.point_a : x;
}

static int find_common(const AbutConvex *a, AbutPose pose_a, const AbutConvex *b, AbutPose pose_b, AbutVec3 x,
    double slack, AbutIntersection *out) {
    enum { MOST_STEPS = 1000 };
    for (int i = 0; i < MOST_STEPS; ++i) {
        double to_a;
        x = nearest_in(b, pose_b, nearest_in(a, pose_a, x, &to_a), &out->violation);
        abut_put_vec3(out->witness, x);
        if (out->violation <= slack) /* what A misses at x is no more than the way from its point to x */
            return 1;
    }
    return 0;
}

AbutIntersection abut_intersect_convex(const AbutConvex *a, AbutPose pose_a, const AbutConvex *b, AbutPose pose_b) {
    ABUT_ASSERT(a && b);
    AbutWork work = {0};
    AbutGapDef def = {.work = &work};
    AbutGap d = abut_gap_in(pose_a, abut_convex_distance(a, b, abut_pose_between(pose_a, pose_b), &def, NULL));
    AbutVec3 middle = abut_scale(abut_add(d.point_a, d.point_b), 0.5);
    double slack = d.error + 1e-12 * (abut_max_abs(d.point_a) + abut_max_abs(d.point_b));
    AbutIntersection out = {.outcome = ABUT_INTERSECT_UNDECIDED, .method = ABUT_INTERSECT_GJK, .tests = work.supports};
    if (d.outcome == ABUT_INVALID) {
        out.outcome = ABUT_INTERSECT_INVALID;
    } else if (d.distance - d.error > 0.0) {
        abut_intersect_set_plane(&out, d.normal, abut_dot(d.normal, middle), d.distance);
    } else if (find_common(a, pose_a, b, pose_b, middle, slack, &out)) {
        out.outcome = ABUT_INTERSECT_MEET;
    }
    return out;
}
