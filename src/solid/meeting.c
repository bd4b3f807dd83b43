/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do two solids of any kind meet, and with which triangles or pieces?
 *
 * In: two solids and the pose of B in A. Out: how they meet, and the first pair of parts, or all pairs. Method: a table
 * [kind][kind] of kernels; an empty entry is asked with A and B exchanged. Pieces are asked one by one.
 */
#include "mesh/kernels.h"
#include "solid/field.h"

typedef AbutCollision Collide(const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, AbutGapCache *cache);

static AbutCollision no_collision(AbutGapOutcome outcome) {
    return (AbutCollision){.outcome = outcome, .containment_known = outcome != ABUT_INVALID, .first = {-1, -1}};
}

/* The answer about (B, A) as one about (A, B). */
static AbutCollision turned(AbutCollision x) {
    AbutCollision out = x;
    out.first = (AbutPair){x.first.b, x.first.a};
    out.outcome = abut_gap_outcome_swapped(x.outcome);
    return out;
}

static AbutCollision convex_convex(const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, AbutGapCache *cache) {
    int meet = abut_convex_meet(a->convex, b->convex, b_in_a, cache ? &cache->convex : NULL);
    return no_collision(meet < 0 ? ABUT_INVALID : meet ? ABUT_PENETRATING : ABUT_SEPARATED);
}

static AbutCollision mesh_mesh(const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, AbutGapCache *cache) {
    return abut_mesh_collide(a->mesh, b->mesh, b_in_a, cache ? &cache->mesh : NULL);
}

static AbutCollision mesh_convex(const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, AbutGapCache *cache) {
    return abut_mesh_convex_collide(a->mesh, b->convex, b_in_a, cache ? &cache->mesh : NULL);
}

/* The first piece of A that meets B: one that crosses a surface of B rather than one inside it. */
static AbutCollision pieces_other(const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, AbutGapCache *cache) {
    AbutCollision out = no_collision(ABUT_INVALID);
    (void)cache;
    for (int32_t i = 0; i < a->pieces->count && out.outcome != ABUT_PENETRATING; ++i) {
        AbutConvex piece = abut_convex_polyhedron(a->pieces->piece[i], 0.0);
        AbutCollision x = abut_collide(abut_solid_convex(&piece), *b, b_in_a, NULL);
        if (x.outcome == ABUT_INVALID || (out.outcome != ABUT_INVALID && !abut_gap_meets(x.outcome))) continue;
        out = x;
        out.first.a = abut_gap_meets(x.outcome) ? i : -1;
    }
    return out;
}

static AbutCollision not_known(const AbutSolid *a, const AbutSolid *b, AbutPose b_in_a, AbutGapCache *cache) {
    (void)a, (void)b, (void)b_in_a, (void)cache;
    return no_collision(ABUT_INVALID);
}

/* NULL: as of (B, A). */
static Collide *const collide[ABUT_SOLID_KIND_COUNT][ABUT_SOLID_KIND_COUNT] = {
    /*            convex         mesh          pieces        field */
    /* convex */ {convex_convex, NULL, NULL, NULL},
    /* mesh   */ {mesh_convex, mesh_mesh, NULL, NULL},
    /* pieces */ {pieces_other, pieces_other, pieces_other, NULL},
    /* field  */ {abut_field_collide, abut_field_collide, abut_field_collide, not_known},
};

AbutCollision abut_collide(AbutSolid a, AbutSolid b, AbutPose b_in_a, AbutGapCache *cache) {
    if (!abut_solids_are_known(a, b)) return no_collision(ABUT_INVALID);
    Collide *ask = collide[a.kind][b.kind];
    return ask ? ask(&a, &b, b_in_a, cache) : turned(collide[b.kind][a.kind](&b, &a, abut_pose_inv(b_in_a), cache));
}

/* ---- all pairs --------------------------------------------------------------------------------------------------- */

AbutCollision abut_collide_all(AbutSolid a, AbutSolid b, AbutPose b_in_a, int32_t capacity, AbutPair *pairs) {
    if (a.kind == ABUT_SOLID_MESH && b.kind == ABUT_SOLID_MESH)
        return abut_mesh_collide_all(a.mesh, b.mesh, b_in_a, capacity, pairs);
    if (a.kind == ABUT_SOLID_MESH && b.kind == ABUT_SOLID_CONVEX)
        return abut_mesh_convex_collide_all(a.mesh, b.convex, b_in_a, capacity, pairs);
    if (a.kind != ABUT_SOLID_CONVEX || b.kind != ABUT_SOLID_MESH) return abut_collide(a, b, b_in_a, NULL);
    AbutCollision c = turned(abut_mesh_convex_collide_all(b.mesh, a.convex, abut_pose_inv(b_in_a), capacity, pairs));
    for (int32_t i = 0; i < c.count; ++i) pairs[i] = (AbutPair){-1, pairs[i].a};
    return c;
}
