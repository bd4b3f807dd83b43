/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solid: one name for every kind of body, so that each question has one verb.
 *
 * A solid refers to geometry that the caller keeps alive: a convex body, a mesh through its tree, or convex pieces. A
 * mover is a solid with a motion. The kernels of the rooms query and mesh do the work.
 */
#ifndef ABUT_SOLID_H
#define ABUT_SOLID_H

#include "abut/mesh.h"
#include "abut/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutSolidKind {
    ABUT_SOLID_CONVEX = 0,
    ABUT_SOLID_MESH,   /* triangles; closed meshes have an inside */
    ABUT_SOLID_PIECES, /* the union of convex pieces */
    ABUT_SOLID_KIND_COUNT
} AbutSolidKind;

/* A body of any kind. The geometry is not copied. */
typedef struct AbutSolid {
    AbutSolidKind kind;
    union {
        const AbutConvex *convex;
        const AbutMeshTree *mesh;
        const AbutPieces *pieces;
    };
} AbutSolid;

ABUT_INLINE AbutSolid abut_solid_convex(const AbutConvex *convex)
{
    AbutSolid solid = {ABUT_SOLID_CONVEX, {convex}};
    return solid;
}

ABUT_INLINE AbutSolid abut_solid_mesh(const AbutMeshTree *mesh)
{
    AbutSolid solid = {ABUT_SOLID_MESH, {NULL}};
    solid.mesh = mesh;
    return solid;
}

ABUT_INLINE AbutSolid abut_solid_pieces(const AbutPieces *pieces)
{
    AbutSolid solid = {ABUT_SOLID_PIECES, {NULL}};
    solid.pieces = pieces;
    return solid;
}

/* A solid that moves. A half-space must not turn. */
typedef struct AbutMover {
    AbutSolid solid;
    AbutMotion motion;
} AbutMover;

/* ---- verbs ------------------------------------------------------------------------------------------------------- */

/* Warm start for one pair of solids: what their kernels keep. Zeroed is valid. */
typedef struct AbutGapCache {
    AbutConvexCache convex;
    AbutMeshCache mesh;
    AbutDepthCache depth;
} AbutGapCache;

/*
 * Signed distance of A and B, B placed by `b_in_a`; in the frame of A. `def` and `cache` may be NULL. Convex bodies as
 * abut_convex_distance, meshes as abut_mesh_distance and abut_mesh_convex_distance. Pieces: the nearest of them, of
 * kind PIECES. A pair asked the other way round gives the same numbers with A and B exchanged, up to the rounding of
 * the pose.
 */
ABUT_API AbutGap abut_distance(AbutSolid a, AbutSolid b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache);

/* How deep A and B are in each other: convex bodies and pieces by their signed distance, which may be above 0; two
 * meshes as abut_mesh_depth, 0 where they are apart. INVALID for a mesh and another kind: make that a mesh too. */
ABUT_API AbutGap abut_depth(AbutSolid a, AbutSolid b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache);

/* Do A and B meet? Touching counts, and so does one inside the other. The first pair names triangles of meshes and
 * pieces of pieces; -1 for a convex body. `cache` may be NULL. */
ABUT_API AbutCollision abut_collide(AbutSolid a, AbutSolid b, AbutPose b_in_a, AbutGapCache *cache);

/* All triangles that meet, at most `capacity` pairs, sorted; the number of a convex body is -1. Without a mesh, and for
 * pieces, as abut_collide: no pairs. */
ABUT_API AbutCollision abut_collide_all(
    AbutSolid a, AbutSolid b, AbutPose b_in_a, int32_t capacity, AbutMeshPairOfTriangles *pairs);

/* Bounds of the volume that A and B have in common: convex bodies as abut_convex_overlap_volume with that many
 * `directions`, pieces as abut_pieces_volume. UNSUPPORTED for meshes: take their convex pieces. */
ABUT_API AbutStatus abut_overlap_volume(
    AbutSolid a, AbutSolid b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error);

/* A question of a batch. */
typedef struct AbutSolidPair {
    AbutSolid a, b;
    AbutPose b_in_a;
    AbutGapCache *cache; /* NULL: none; no two pairs of a batch share one */
} AbutSolidPair;

/* Many questions at once. `threads`: 0 for all processors; the answers are the same bits for any number. `def` may be
 * NULL; its `work` is not counted. */
ABUT_API void abut_distance_batch(
    int count, const AbutSolidPair *pairs, const AbutGapDef *def, AbutGap *out, int threads);
ABUT_API void abut_depth_batch(
    int count, const AbutSolidPair *pairs, const AbutDepthDef *def, AbutGap *out, int threads);
ABUT_API void abut_collide_batch(int count, const AbutSolidPair *pairs, AbutCollision *out, int threads);

/* ---- meshes as solids -------------------------------------------------------------------------------------------- */

/* How to take a mesh. */
typedef enum AbutSolidChoice {
    ABUT_SOLID_AS_IS = 0,   /* as a convex body where it is the surface of its hull, else by its triangles */
    ABUT_SOLID_ONLY_CONVEX, /* as a convex body; a mesh that is not the surface of its hull is refused */
    ABUT_SOLID_HULL,        /* as its convex hull */
    ABUT_SOLID_TRIANGLES,   /* by its triangles, convex or not */
    ABUT_SOLID_IN_PIECES    /* in convex pieces */
} AbutSolidChoice;

/* A solid made from a mesh, with the geometry it refers to. Free with abut_solid_body_free. */
typedef struct AbutSolidBody {
    AbutSolidKind kind;
    int32_t is_convex;    /* the mesh is the surface of its hull */
    AbutConvex convex;    /* of the hull */
    AbutPolyhedron *hull; /* NULL: none */
    AbutMeshTree *tree;   /* of AS_IS, convex or not, and TRIANGLES; else NULL */
    AbutPieces pieces;
} AbutSolidBody;

/* Takes a mesh by choice; `pieces` may be NULL. Fails where there is no hull or no tree, and with UNSUPPORTED on a mesh
 * that is not convex and has to be. */
ABUT_API AbutStatus abut_solid_from_mesh(
    const AbutMesh *mesh, AbutSolidChoice choice, const AbutDecomposeDef *pieces, AbutSolidBody *out, AbutError *error);
ABUT_API void abut_solid_body_free(AbutSolidBody *body);

/* The solid of a body, which must stay where it is. */
ABUT_API AbutSolid abut_solid_of(const AbutSolidBody *body);

#ifdef __cplusplus
}
#endif

#endif
