/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distance of two triangle meshes.
 *
 * In: two trees and the pose of B in A. Out: the exact minimum over all pairs of triangles with witness points. Method:
 * a first pair from the cache, or from a greedy descent; alternating projection, which brings it close to the minimum;
 * then one walk through both trees that drops what is proved farther. The query frame follows the witness direction.
 */
#include "mesh/mesh_pair.h"
#include "mesh/kernels.h"
#include "mesh/tolerance.h"

enum { PROJECTIONS = 6 };

static const AbutGapDef everything = {0};

int abut_mesh_def_is_good(const AbutGapDef *d) {
    return d->within >= 0.0 && d->enough >= 0.0 && d->absolute_error >= 0.0 && d->relative_error >= 0.0 &&
           isfinite(d->within) && isfinite(d->enough) && isfinite(d->absolute_error) && isfinite(d->relative_error);
}

static AbutGap no_answer(AbutGapOutcome outcome, double distance) {
    AbutPart none = abut_mesh_part(NULL, -1);
    return (AbutGap){.outcome = outcome, .distance = distance, .surface = distance, .part_a = none, .part_b = none};
}

/* Direction of the shortest way known, or of the centers. */
static AbutVec3 way(const AbutMeshPair *q) {
    if (q->best.slot_a >= 0) return abut_normalize_or(q->best.gap.d, abut_axis(0));
    AbutVec3 b = abut_add(abut_mat3_apply(q->r, abut_scale(q->b->center, q->scale)), q->t);
    return abut_normalize_or(abut_sub(b, abut_scale(q->a->center, q->scale)), abut_axis(0));
}

/* From a witness point to the nearest triangle of the other mesh and back, while it gains. */
static void project(AbutMeshPair *q, const AbutMeshWalk *walk) {
    int32_t slot_a = q->best.slot_a, slot_b = q->best.slot_b;
    AbutVec3 from = q->best.gap.a, at = from;
    double before = INFINITY, square = q->best.gap.square / (q->scale * q->scale);
    for (int round = 0; round < PROJECTIONS && square < ABUT_MESH_ENOUGH_GAIN * before; ++round) {
        before = square;
        AbutVec3 p = abut_scale(abut_mat3_apply_t(q->r, abut_sub(from, q->t)), 1.0 / q->scale);
        int32_t found = walk->nearest(q->b, p, &square, &at);
        slot_b = found >= 0 ? found : slot_b;
        if (found < 0) break;
        p = abut_scale(abut_add(abut_mat3_apply(q->r, abut_scale(at, q->scale)), q->t), 1.0 / q->scale);
        found = walk->nearest(q->a, p, &square, &at);
        if (found < 0) break;
        slot_a = found;
        from = abut_scale(at, q->scale);
    }
    abut_mesh_pair_try(q, slot_a, slot_b);
}

/* Two descents, the second with the frame of the first, then projection. */
static void cold_start(AbutMeshPair *q, const AbutMeshWalk *walk) {
    abut_mesh_pair_turn(q, way(q));
    walk->greedy(q);
    if (q->done || q->best.slot_a < 0) return;
    abut_mesh_pair_turn(q, way(q));
    walk->greedy(q);
    if (!q->done) project(q, walk);
}

static int cache_fits(const AbutMeshPair *q, const AbutPair *cache) {
    return cache && cache->a > 0 && cache->a <= q->a->triangle_count && cache->b > 0 &&
           cache->b <= q->b->triangle_count;
}

static void search(AbutMeshPair *q, const AbutPair *cache) {
    const AbutMeshWalk *walk = abut_mesh_walk();
    if (cache_fits(q, cache)) abut_mesh_pair_try(q, cache->a - 1, cache->b - 1);
    if (q->best.slot_a < 0) cold_start(q, walk);
    if (q->done) return;
    abut_mesh_pair_turn(q, way(q));
    walk->distance(q);
}

static AbutGap finish(AbutMeshPair *q, const AbutGapDef *def) {
    AbutGap out = no_answer(ABUT_FARTHER, def->within);
    int known = 0;
    abut_mesh_count(def->work, q->node_pairs, q->triangle_pairs);
    if (q->best.slot_a < 0) {
        AbutGapOutcome nesting = abut_mesh_pair_nesting(q, &known);
        out.containment_known = known;
        if (nesting != ABUT_SEPARATED) out.outcome = nesting, out.distance = 0.0;
        return out;
    }
    double length = sqrt(q->best.gap.square), back = 1.0 / q->scale;
    out.surface = length * back;
    out.normal = length > 0.0 ? abut_normalize(q->best.gap.d) : abut_zero();
    out.point_a = abut_scale(q->best.gap.a, back);
    out.point_b = abut_scale(q->best.gap.b, back);
    out.part_a = abut_mesh_part(q->a, q->best.slot_a);
    out.part_b = abut_mesh_part(q->b, q->best.slot_b);
    double least = q->done ? 0.0 : abut_larger(0.0, (length - q->absolute) / q->one_relative);
    out.error = (length - least) * back;
    out.outcome = length > 0.0 ? abut_mesh_pair_nesting(q, &known) : ABUT_PENETRATING;
    out.containment_known = length > 0.0 ? known : 1;
    out.distance = out.outcome == ABUT_SEPARATED ? out.surface : 0.0;
    return out;
}

AbutGap abut_mesh_distance(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, const AbutGapDef *def, AbutPair *cache) {
    AbutMeshPair q;
    def = def ? def : &everything;
    if (!abut_mesh_def_is_good(def) || !abut_mesh_pair_open(&q, a, b, b_in_a, 0.0)) return abut_gap_invalid();
    if (a->triangle_count == 0 || b->triangle_count == 0) return no_answer(ABUT_EMPTY, INFINITY);
    double within = def->within * q.scale, enough = def->enough * q.scale;
    if (within > 0.0) q.best.gap.square = within * within * (1.0 + 4e-16);
    q.enough = enough * enough;
    q.absolute = def->absolute_error * q.scale;
    q.one_relative = 1.0 + def->relative_error;
    abut_mesh_pair_tighten(&q);
    search(&q, cache);
    if (cache && q.best.slot_a >= 0) cache->a = q.best.slot_a + 1, cache->b = q.best.slot_b + 1;
    return finish(&q, def);
}

AbutMeshNearest abut_mesh_nearest(const AbutMeshTree *mesh, AbutVec3 p, double within) {
    AbutMeshNearest out = {-1, -1, INFINITY, abut_zero()};
    if (mesh->triangle_count == 0 || !abut_is_finite(p) || abut_max_abs(p) > ABUT_QUERY_LARGEST) return out;
    double square = within > 0.0 ? within * within * (1.0 + 4e-16) : INFINITY;
    int32_t slot = abut_mesh_walk()->nearest(mesh, p, &square, &out.point);
    out.inside = abut_mesh_inside(mesh, p);
    if (slot >= 0) {
        out.triangle = abut_tree_source(mesh)[slot];
        out.distance = sqrt(square);
    }
    return out;
}
