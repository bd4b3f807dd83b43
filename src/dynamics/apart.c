/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs that are apart. In: the grown shapes of a pair without contact, the movers of its bodies. Out: can they meet?
 *
 * Two bodies that are apart by a gap along some direction stay apart until their points have moved by the gap: no point
 * of a body moves farther than its odometer counts (mover.h). So the gap is kept with the pair, and nothing is asked
 * until both odometers together have used it up. The gap is a lower bound: between the bounding spheres, or else along
 * the direction that separated the bodies, and of boxes along the normals of their faces.
 *
 * A side without an end has an infinite reach, as good as: its first turn uses up every gap.
 */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

static const double ENDLESS = 1e300; /* times no turn at all it is zero */

/* Center of the bounding sphere of a shape, in the world. */
static AbutVec3 bound_center(const AbutSolverBody *mover, const AbutShape *shape) {
    return abut_add(mover->x, abut_mat3_apply(mover->rotation, shape->bound_center));
}

/* Gap between the bounding spheres of the grown shapes; not above 0: they may meet. */
static double spheres_gap(const AbutSimulation *sim, AbutPairSides s, int32_t pair) {
    const AbutShape *a = &sim->scene->shape[s.shape_a], *b = &sim->scene->shape[s.shape_b];
    AbutVec3 between = abut_sub(bound_center(&sim->mover[s.body_b], b), bound_center(&sim->mover[s.body_a], a));
    double reach = abut_grown_whole(&sim->shapes.grown, sim->scene, s.shape_a, pair)->reach +
                   abut_grown_whole(&sim->shapes.grown, sim->scene, s.shape_b, pair)->reach;
    return abut_length_sq(between) > reach * reach ? abut_length(between) - reach : 0.0;
}

/* ---- gap along a direction --------------------------------------------------------------------------------------- */

/* How far B is beyond A along the unit direction n of A. */
static double gap_along(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutVec3 n) {
    AbutVec3 back = abut_neg(abut_quat_rotate_inv(b_in_a.q, n));
    double end = a->kind == ABUT_CONVEX_HALF_SPACE ? a->p[1].x : abut_dot(n, abut_convex_farthest(a, n));
    return abut_dot(n, abut_pose_apply(b_in_a, abut_convex_farthest(b, back))) - b->radius - (end + a->radius);
}

/* The widest gap of two boxes along the normals of their faces. */
static double faces_gap(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a) {
    AbutMat3 r = abut_quat_to_mat3(b_in_a.q), s = abut_mat3_transpose(r);
    AbutVec3 ha = a->p[0], hb = b->p[0], c = b_in_a.p, own = abut_abs(c), other = abut_abs(abut_mat3_apply_t(r, c));
    s = abut_mat3(abut_abs(s.x), abut_abs(s.y), abut_abs(s.z));
    r = abut_mat3(abut_abs(r.x), abut_abs(r.y), abut_abs(r.z));
    AbutVec3 of_a = abut_sub(abut_sub(own, ha), abut_mat3_apply(r, hb)),
             of_b = abut_sub(abut_sub(other, hb), abut_mat3_apply(s, ha)), most = abut_max(of_a, of_b);
    return abut_larger(most.x, abut_larger(most.y, most.z));
}

/* A lower bound of the gap of two bodies that were found apart along this direction; not above 0: none is known. */
static double gap_of(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutVec3 direction) {
    double gap = 0.0, length = abut_length(direction);
    if (b->kind == ABUT_CONVEX_HALF_SPACE) return 0.0;
    if (a->kind == ABUT_CONVEX_HALF_SPACE) return gap_along(a, b, b_in_a, a->p[0]);
    if (length > 0.0) gap = gap_along(a, b, b_in_a, abut_scale(direction, 1.0 / length));
    if (a->kind == ABUT_CONVEX_BOX && b->kind == ABUT_CONVEX_BOX)
        gap = abut_larger(gap, faces_gap(a, b, b_in_a) - a->radius - b->radius);
    return gap;
}

/* ---- kept -------------------------------------------------------------------------------------------------------- */

/* How far both sides have gone together. */
static double ways_of(const AbutOdometer *a, const AbutOdometer *b, const AbutPairMemory *memory) {
    return a->moved + memory->reach_a * a->turned + (b->moved + memory->reach_b * b->turned);
}

static double reach_of(const AbutSimulation *sim, int32_t shape, int32_t pair) {
    double reach = abut_length(sim->scene->shape[shape].bound_center) +
                   abut_grown_whole(&sim->shapes.grown, sim->scene, shape, pair)->reach;
    return reach < ENDLESS ? reach : ENDLESS;
}

static void keep_gap(const AbutSimulation *sim, AbutPairSides s, int32_t pair, double gap, AbutPairMemory *memory) {
    memory->reach_a = reach_of(sim, s.shape_a, pair);
    memory->reach_b = reach_of(sim, s.shape_b, pair);
    double ways = ways_of(&sim->mover[s.body_a].odometer, &sim->mover[s.body_b].odometer, memory);
    memory->until = (ways + gap) * (1.0 - ABUT_WAY_SLACK);
}

/* By the exact distance, where one of them is round; the normal serves the next question. 1: nearer than the margins.
 */
static int are_near(const AbutGrownBody *a, const AbutGrownBody *b, AbutPose b_in_a, AbutPairMemory *memory) {
    AbutPatchPair pair = {.a = a, .b = b, .b_in_a = b_in_a, .last_normal = memory->cache.direction};
    AbutRoundHit hit;
    int near = abut_round_distance(&pair, a->margin + b->margin, &hit);
    if (near >= 0) memory->cache.direction = hit.normal;
    return near > 0;
}

/* Do the grown shapes meet? If not, `gap` becomes a lower bound of how far they are apart. */
static int ask(const AbutSimulation *sim, AbutPairSides s, int32_t pair, AbutPairMemory *memory, double *gap) {
    const AbutGrownBody *a = abut_grown_side(&sim->shapes.grown, sim->scene, s.shape_a, pair),
                        *b = abut_grown_side(&sim->shapes.grown, sim->scene, s.shape_b, pair);
    AbutGrownBody room;
    *gap = spheres_gap(sim, s, pair);
    if (*gap > 0.0) return 0;
    a = abut_grown_beside(a, b, &room);
    AbutPose pose = abut_contact_shape_pose(sim->scene, s.shape_a, s.shape_b);
    if (a->round || b->round) {
        int near = are_near(a, b, pose, memory);
        *gap = near ? 0.0 : gap_of(&a->body, &b->body, pose, memory->cache.direction) - a->margin - b->margin;
        return near;
    }
    int meet = abut_convex_meet(&a->convex, &b->convex, pose, &memory->cache);
    *gap = meet ? 0.0 : gap_of(&a->convex, &b->convex, pose, memory->cache.direction);
    return meet > 0;
}

int abut_pair_may_meet(const AbutSimulation *sim, AbutPairSides s, int32_t pair, AbutPairMemory *memory) {
    double gap;
    if (ways_of(&sim->mover[s.body_a].odometer, &sim->mover[s.body_b].odometer, memory) < memory->until) return 0;
    int meet = ask(sim, s, pair, memory, &gap);
    if (gap > 0.0) keep_gap(sim, s, pair, gap, memory);
    return meet;
}
