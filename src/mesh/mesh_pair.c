/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A question about two mesh trees made ready: scales, query frame, the best pair so far, choice of the vector unit.
 *
 * Scales are powers of two, so that they change no digit. The query frame costs a few dozen operations, so that it is
 * turned whenever the direction that matters is known better.
 */
#include "mesh/mesh_pair.h"
#include "mesh/tolerance.h"

#include <float.h>
#include <string.h>

static const AbutMeshWalk *forced;

void abut_mesh_walk_force(const AbutMeshWalk *walk) { forced = walk; }

const AbutMeshWalk *abut_mesh_walk(void) {
    if (forced) return forced;
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") ? &abut_mesh_walk_avx2 : &abut_mesh_walk_plain;
#else
    return &abut_mesh_walk_plain;
#endif
}

/* The power of two that brings `size` into [0.5, 1). */
static double power_for(double size) {
    int exponent = 0;
    (void)frexp(size, &exponent);
    return size > 0.0 ? ldexp(1.0, exponent < -900 ? 900 : -exponent) : 1.0;
}

int abut_mesh_pose_is_good(AbutPose pose) {
    return abut_pose_is_finite(pose) && fabs(abut_quat_dot(pose.q, pose.q) - 1.0) <= ABUT_QUERY_UNIT_QUATERNION;
}

int abut_mesh_pair_open(AbutMeshPair *q, const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, double room) {
    memset(q, 0, sizeof *q);
    if (!abut_mesh_pose_is_good(b_in_a)) return 0;
    double reach_a = abut_length(a->center) + a->radius, reach_b = abut_length(b->center) + b->radius;
    double reach = abut_larger(reach_a, reach_b + abut_length(b_in_a.p) + room);
    if (!(reach <= ABUT_QUERY_LARGEST)) return 0;
    q->a = a, q->b = b;
    q->r = abut_quat_to_mat3(b_in_a.q);
    q->scale = power_for(reach * (1.0 + 1e-12));
    q->t = abut_scale(b_in_a.p, q->scale);
    AbutVec3 center_b = abut_add(abut_mat3_apply(q->r, abut_scale(b->center, q->scale)), q->t);
    double size =
        (a->radius + b->radius + room) * q->scale + abut_point_distance(center_b, abut_scale(a->center, q->scale));
    q->frame_scale = power_for(size);
    q->size = size * q->frame_scale;
    q->best.slot_a = q->best.slot_b = -1;
    q->best.gap.square = INFINITY;
    q->enough = 0.0, q->one_relative = 1.0;
    abut_mesh_pair_tighten(q);
    return 1;
}

/* Rows of `turn` times the columns of r times factor, and the place. */
static void set_frame(AbutMeshFrame *f, AbutMat3 turn, AbutMat3 r, double factor, AbutVec3 place, double spare) {
    const AbutVec3 row[3] = {turn.x, turn.y, turn.z};
    for (int i = 0; i < 3; ++i) {
        f->m[i][0] = (float)(abut_dot(row[i], r.x) * factor);
        f->m[i][1] = (float)(abut_dot(row[i], r.y) * factor);
        f->m[i][2] = (float)(abut_dot(row[i], r.z) * factor);
        f->t[i] = (float)abut_dot(row[i], place);
    }
    f->spare = (float)spare;
}

/* An orthonormal frame with first axis u; of the x axis the coordinate axes themselves. */
static AbutMat3 frame_along(AbutVec3 u) {
    AbutVec3 v = u.x == 1.0 ? abut_axis(1) : abut_perpendicular(u);
    return abut_mat3(u, v, abut_cross(u, v));
}

void abut_mesh_pair_turn(AbutMeshPair *q, AbutVec3 u) {
    AbutMat3 turn = q->turn = frame_along(u);
    double unit = q->scale * q->frame_scale, spare = ABUT_MESH_SPARE * q->size + ABUT_MESH_EXACT_SPARE * q->frame_scale;
    AbutVec3 b = abut_add(abut_mat3_apply(q->r, abut_scale(q->b->center, q->scale)), q->t);
    AbutVec3 place = abut_scale(abut_sub(b, abut_scale(q->a->center, q->scale)), q->frame_scale);
    set_frame(&q->frame_a, turn, abut_mat3_identity(), q->a->unit * unit, abut_zero(), spare);
    set_frame(&q->frame_b, turn, q->r, q->b->unit * unit, place, spare);
}

AbutMeshFrame abut_mesh_frame_alone(const AbutMeshTree *tree, AbutVec3 u, AbutVec3 o, double size, double *unit) {
    AbutMeshFrame f;
    double scale = power_for(size), reach = abut_length(tree->center) + abut_length(o);
    AbutVec3 place = abut_scale(abut_sub(tree->center, o), scale);
    set_frame(&f, frame_along(u), abut_mat3_identity(), tree->unit * scale, place,
        ABUT_MESH_SPARE * size * scale + ABUT_MESH_EXACT_SPARE * reach * scale);
    *unit = scale;
    return f;
}

void abut_mesh_pair_tighten(AbutMeshPair *q) {
    double square = q->best.gap.square;
    if (q->absolute > 0.0 || q->one_relative > 1.0) {
        double least = abut_larger(0.0, (sqrt(square) - q->absolute) / q->one_relative);
        square = least * least;
    }
    square *= q->frame_scale * q->frame_scale * ABUT_MESH_LIMIT_GROWTH;
    q->limit = square < 1e30 ? (float)square + 1e-30F : FLT_MAX;
    q->done = q->best.gap.square == 0.0 || (q->best.slot_a >= 0 && q->best.gap.square <= q->enough);
}

void abut_mesh_pair_limit(AbutMeshPair *q, double within) {
    double limit = within * q->scale * q->frame_scale;
    q->limit = limit < 1e15 ? (float)(limit * limit * ABUT_MESH_LIMIT_GROWTH) + 1e-30F : FLT_MAX;
}

/* Does a pair come before the best one in the caller's numbers? */
static int comes_first(const AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    int32_t a = abut_tree_source(q->a)[slot_a], best_a = abut_tree_source(q->a)[q->best.slot_a];
    int32_t b = abut_tree_source(q->b)[slot_b], best_b = abut_tree_source(q->b)[q->best.slot_b];
    return a < best_a || (a == best_a && b < best_b);
}

void abut_mesh_pair_try(AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    AbutVec3 a[3], b[3];
    abut_mesh_triangle_a(q, slot_a, a);
    abut_mesh_triangle_b(q, slot_b, b);
    AbutTriangleGap gap = abut_triangle_gap(a, b);
    if (gap.square < q->best.gap.square ||
        (gap.square == q->best.gap.square && q->best.slot_a >= 0 && comes_first(q, slot_a, slot_b))) {
        q->best.slot_a = slot_a, q->best.slot_b = slot_b;
        q->best.gap = gap;
        abut_mesh_pair_tighten(q);
    }
}
