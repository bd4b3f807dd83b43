/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distance and depth of two solids of any kind.
 *
 * In: two solids and the pose of B in A. Out: a gap in the frame of A. Method: one table [kind][kind] per question
 * names the kernel. An empty entry is asked with A and B exchanged, and the answer turned back. Pieces are asked one by
 * one, and the nearest counts. A pair without a kernel is INVALID.
 */
#include "mesh/kernels.h"
#include "query/contract.h"
#include "solid/field.h"

/* ---- distance ---------------------------------------------------------------------------------------------------- */

typedef AbutGap Distance(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache);

static AbutGap convex_convex(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache) {
    return abut_convex_distance(a->convex, b->convex, b_in_a, def, cache ? &cache->convex : NULL);
}

static AbutGap mesh_mesh(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache) {
    return abut_mesh_distance(a->mesh, b->mesh, b_in_a, def, cache ? &cache->mesh : NULL);
}

static AbutGap mesh_convex(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache) {
    return abut_mesh_convex_distance(a->mesh, b->convex, b_in_a, def, cache ? &cache->mesh : NULL);
}

static AbutGap pieces_pieces(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache) {
    (void)cache;
    return abut_pieces_distance(a->pieces, b->pieces, b_in_a, def);
}

/* Is x better than the best so far? Where both meet, a piece that crosses a surface counts before one inside it. */
static int is_nearer(const AbutGap *x, const AbutGap *best) {
    if (x->outcome == ABUT_INVALID || best->outcome == ABUT_INVALID) return x->outcome != ABUT_INVALID;
    return x->distance < best->distance ||
           (x->distance == best->distance && x->outcome == ABUT_PENETRATING && best->outcome != ABUT_PENETRATING);
}

void abut_gap_keep_piece(AbutGap *best, const AbutGap *x, int32_t piece, AbutGapDef *limits) {
    if (limits->work) ++limits->work->piece_pairs;
    if (!is_nearer(x, best)) return;
    *best = *x;
    best->kind = ABUT_GAP_PIECES;
    best->part_a = (AbutPart){ABUT_PART_PIECE, {piece, -1, -1}};
    if (best->distance > 0.0 && best->distance < INFINITY && !(limits->within > 0.0 && limits->within < best->distance))
        limits->within = best->distance; /* nothing farther matters */
}

/* The piece of A nearest to a convex body or a mesh. */
static AbutGap pieces_other(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache) {
    AbutGapDef limits = def ? *def : (AbutGapDef){0};
    AbutGap best = abut_gap_invalid();
    (void)cache;
    for (int32_t i = 0; i < a->pieces->count && best.outcome != ABUT_EMPTY; ++i) {
        AbutConvex piece = abut_convex_polyhedron(a->pieces->piece[i], 0.0);
        AbutGap x = abut_distance(abut_solid_convex(&piece), *b, b_in_a, &limits, NULL);
        abut_gap_keep_piece(&best, &x, i, &limits);
    }
    return best;
}

static AbutGap no_distance(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache) {
    (void)a, (void)b, (void)b_in_a, (void)def, (void)cache;
    return abut_gap_invalid();
}

/* NULL: as of (B, A). */
static Distance *const distance[ABUT_SOLID_KIND_COUNT][ABUT_SOLID_KIND_COUNT] = {
    /*            convex         mesh          pieces         field */
    /* convex */ {convex_convex, NULL, NULL, NULL},
    /* mesh   */ {mesh_convex, mesh_mesh, NULL, NULL},
    /* pieces */ {pieces_other, pieces_other, pieces_pieces, NULL},
    /* field  */ {abut_field_distance, abut_field_distance, abut_field_distance, no_distance},
};

AbutGap abut_distance(AbutSolid a, AbutSolid b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache) {
    if (!abut_solids_are_known(a, b)) return abut_gap_invalid();
    Distance *ask = distance[a.kind][b.kind];
    if (ask) return ask(&a, &b, b_in_a, def, cache);
    AbutGap turned = distance[b.kind][a.kind](&b, &a, abut_pose_inv(b_in_a), def, cache);
    return abut_gap_swapped(abut_gap_in(b_in_a, turned));
}

/* ---- depth ------------------------------------------------------------------------------------------------------- */

typedef AbutGap Depth(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache);

/* The signed distance, which is the depth of convex bodies and pieces. */
static AbutGap signed_distance(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache) {
    AbutGapDef limits = {.work = def ? def->work : NULL};
    return abut_distance(*a, *b, b_in_a, &limits, cache);
}

static AbutGap mesh_mesh_depth(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache) {
    return abut_mesh_depth(a->mesh, b->mesh, b_in_a, def, cache ? &cache->depth : NULL);
}

static AbutGap mesh_convex_depth(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache) {
    return abut_mesh_convex_depth(a->mesh, b->convex, b_in_a, def, cache ? &cache->depth : NULL);
}

static AbutGap no_depth(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache) {
    (void)a, (void)b, (void)b_in_a, (void)def, (void)cache;
    return abut_gap_invalid();
}

/* NULL: as of (B, A). */
static Depth *const depth[ABUT_SOLID_KIND_COUNT][ABUT_SOLID_KIND_COUNT] = {
    /*            convex           mesh             pieces           field */
    /* convex */ {signed_distance, NULL, signed_distance, no_depth},
    /* mesh   */ {mesh_convex_depth, mesh_mesh_depth, no_depth, no_depth},
    /* pieces */ {signed_distance, no_depth, signed_distance, no_depth},
    /* field  */ {no_depth, no_depth, no_depth, no_depth},
};

/* Asks about (B, A): directions that go in are turned, and those that come out turned back. */
static AbutGap turned_depth(
    const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache) {
    AbutDepthDef turned = def ? *def : (AbutDepthDef){0};
    AbutGapCache warm = cache ? *cache : (AbutGapCache){0};
    turned.core_a = turned.core_b, turned.core_b = NULL; /* a convex body has none */
    turned.along = abut_neg(abut_quat_rotate_inv(b_in_a.q, turned.along));
    warm.depth.direction = abut_neg(abut_quat_rotate_inv(b_in_a.q, warm.depth.direction));
    AbutGap gap = depth[b->kind][a->kind](b, a, abut_pose_inv(b_in_a), &turned, &warm);
    if (cache) cache->depth.direction = abut_neg(abut_quat_rotate(b_in_a.q, warm.depth.direction));
    return abut_gap_swapped(abut_gap_in(b_in_a, gap));
}

AbutGap abut_depth(AbutSolid a, AbutSolid b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache) {
    if (!abut_solids_are_known(a, b)) return abut_gap_invalid();
    Depth *ask = depth[a.kind][b.kind];
    return ask ? ask(&a, &b, b_in_a, def, cache) : turned_depth(&a, &b, b_in_a, def, cache);
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

enum { GRAIN = 32 }; /* pairs per block */

typedef struct Batch {
    const AbutSolidPair *pairs;
    AbutGapDef def;
    AbutGap *out;
} Batch;

static void ask_distances(int begin, int end, int worker, void *user) {
    const Batch *x = user;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const AbutSolidPair *p = &x->pairs[i];
        x->out[i] = abut_distance(p->a, p->b, p->b_in_a, &x->def, p->cache);
    }
}

void abut_distance_batch(int count, const AbutSolidPair *pairs, const AbutGapDef *def, AbutGap *out, int threads) {
    ABUT_ASSERT(count >= 0 && (count == 0 || (pairs && out)));
    Batch x = {.pairs = pairs, .def = def ? *def : (AbutGapDef){0}, .out = out};
    x.def.work = NULL; /* threads would share it */
    abut_parallel_for(count, GRAIN, threads, ask_distances, &x);
}
