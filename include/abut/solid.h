/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solid: one name for every kind of body, so that each question has one verb.
 *
 * A solid refers to geometry that the caller keeps alive: a convex body, a mesh through its tree, convex pieces, or a
 * height field. A mover is a solid with a motion. The rooms query and mesh do the work. A question without a kernel for
 * a kind answers INVALID, or refuses it by name: depth, volume and time of impact of a height field.
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
    ABUT_SOLID_FIELD,  /* a height field; for casts, nearest points, distance and collision, but not against another
                          field */
    ABUT_SOLID_KIND_COUNT,
    ABUT_SOLID_PREPARED = ABUT_SOLID_KIND_COUNT /* prepared for abut/clearance.h; other questions answer INVALID */
} AbutSolidKind;

/* Made by abut_clearance_body_create. */
typedef struct AbutClearanceBody AbutClearanceBody;

/* A body of any kind. The geometry is not copied. */
typedef struct AbutSolid {
    AbutSolidKind kind;
    union {
        const AbutConvex *convex;
        const AbutMeshTree *mesh;
        const AbutPieces *pieces;
        const AbutHeightField *field; /* one that abut_solid_from_field made, or of a geometry */
        const AbutClearanceBody *prepared;
    };
} AbutSolid;

ABUT_INLINE AbutSolid abut_solid_convex(const AbutConvex *convex) {
    AbutSolid solid = {ABUT_SOLID_CONVEX, {convex}};
    return solid;
}

ABUT_INLINE AbutSolid abut_solid_mesh(const AbutMeshTree *mesh) {
    AbutSolid solid = {ABUT_SOLID_MESH, {NULL}};
    solid.mesh = mesh;
    return solid;
}

ABUT_INLINE AbutSolid abut_solid_pieces(const AbutPieces *pieces) {
    AbutSolid solid = {ABUT_SOLID_PIECES, {NULL}};
    solid.pieces = pieces;
    return solid;
}

ABUT_INLINE AbutSolid abut_solid_prepared(const AbutClearanceBody *body) {
    AbutSolid solid = {ABUT_SOLID_PREPARED, {NULL}};
    solid.prepared = body;
    return solid;
}

/* A solid at a fixed pose. */
typedef struct AbutPlaced {
    AbutSolid solid;
    AbutPose pose;
} AbutPlaced;

/* A solid that moves. A half-space must not turn. */
typedef struct AbutMover {
    AbutSolid solid;
    AbutMotion motion;
} AbutMover;

/* ---- verbs ------------------------------------------------------------------------------------------------------- */

/* Warm start for one pair of solids. Zeroed is valid. */
typedef struct AbutGapCache {
    AbutConvexCache convex;
    AbutPair mesh; /* triangles of the last answer, counted from 1; 0: none */
    AbutDepthCache depth;
} AbutGapCache;

/*
 * Signed distance of A and B, B placed by `b_in_a`; in the frame of A. `def` and `cache` may be NULL. Swapping A and B
 * gives the same numbers with A and B exchanged, up to the rounding of the pose.
 * Convex bodies: as abut_convex_distance. Meshes: exact except for the rounding of the coordinates of B in A. Among
 * equally near pairs of triangles, the one with the smallest numbers is reported, with a cache and without; if the
 * surfaces meet, any of the pairs that meet. A convex body against a mesh is solid: PENETRATING if it has a point in
 * common with the surface.
 * Pieces: the least distance of all pairs, of kind PIECES. If the pieces cover the bodies it is never above the true
 * distance apart, below 0 wherever the bodies overlap, and continuous: it changes by no more than the bodies move. In
 * overlap it is the depth of the deepest pair of pieces, at most the depth of all pieces. Only `within` and `work` of
 * `def` count. A height field answers as its convex pieces do (abut_height_field_pieces). INVALID: a bad pose, no
 * pieces, or two height fields.
 */
ABUT_API AbutGap abut_distance(AbutSolid a, AbutSolid b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache);

/*
 * Depth of A and B in each other. Convex bodies and pieces: their signed distance, which may be above 0. INVALID for a
 * mesh with pieces, and for a height field. A mesh and a convex body: as two meshes, without `method`; for an open mesh
 * the first free place along the way; INVALID for a PLANE, or a half-space `along` a direction in which it is
 * unbounded. Two meshes: a short translation of B that separates them. The least one is hard to find for bodies that
 * are not convex; the answer is a local minimum, the best of many starts, and never shorter than the truth. `def` and
 * `cache` may be NULL; unlike other caches this one may change the answer, mostly for the better. Open meshes: kind
 * SURFACE. Apart: distance 0, without points. The parts are the triangles that touch after the move. Along one
 * direction the answer is exact except for rounding and gaps below 1e-9 of the size of the scene; for sheets in one
 * plane that move in it, no shorter move separates them without a gap between.
 */
ABUT_API AbutGap abut_depth(AbutSolid a, AbutSolid b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache);

/* Do A and B meet? Touching counts, and so does one inside the other. The first pair gives the numbers of two
 * triangles or pieces; -1 for a convex body. `cache` may be NULL. Two meshes: decided as exact arithmetic does for the
 * vertices of B rounded into the frame of A. Triangles that touch a convex body within the tolerance of
 * abut_convex_distance count; one inside a closed mesh, away from its surface, is A_IN_B or B_IN_A. */
ABUT_API AbutCollision abut_collide(AbutSolid a, AbutSolid b, AbutPose b_in_a, AbutGapCache *cache);

/* All triangles that meet, at most `capacity` pairs, sorted; -1 for a convex body. Without a mesh, and for
 * pieces, as abut_collide: no pairs. */
ABUT_API AbutCollision abut_collide_all(AbutSolid a, AbutSolid b, AbutPose b_in_a, int32_t capacity, AbutPair *pairs);

/*
 * Bounds of the volume that A and B have in common. Convex bodies: those of their inner and outer polyhedra
 * (abut_convex_polyhedra with this many `directions`), widened by the rounding error; equal if both have only
 * faces. Two half-spaces: INFINITY if they meet. Pieces, which must not overlap each other: at most their common volume
 * and the volume of either body, at least that less their excess; low is 0 if a body has no volume to compare with.
 * UNSUPPORTED for meshes and height fields: take their convex pieces.
 */
ABUT_API AbutStatus abut_overlap_volume(
    AbutSolid a, AbutSolid b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error);

/* One question of a batch. */
typedef struct AbutSolidPair {
    AbutSolid a, b;
    AbutPose b_in_a;
    AbutGapCache *cache; /* NULL: none; no two pairs of a batch share one */
} AbutSolidPair;

/* Many questions at once. `threads`: 0 for all processors; the answers have the same bits for any number. `def` may be
 * NULL; its `work` is not counted. */
ABUT_API void abut_distance_batch(
    int count, const AbutSolidPair *pairs, const AbutGapDef *def, AbutGap *out, int threads);

/* ---- meshes as solids -------------------------------------------------------------------------------------------- */

/* How to take a mesh. */
typedef enum AbutSolidChoice {
    ABUT_SOLID_AS_IS = 0,   /* as a convex body if it is the surface of its hull, else by its triangles */
    ABUT_SOLID_ONLY_CONVEX, /* as a convex body; a mesh that is not the surface of its hull is refused */
    ABUT_SOLID_HULL,        /* as its convex hull */
    ABUT_SOLID_TRIANGLES,   /* by its triangles, convex or not */
    ABUT_SOLID_IN_PIECES    /* in convex pieces */
} AbutSolidChoice;

/* A solid made from a mesh or heights, with the geometry it refers to. Free with abut_solid_body_free. */
typedef struct AbutSolidBody {
    AbutSolidKind kind;
    int32_t is_convex;    /* the mesh is the surface of its hull */
    AbutConvex convex;    /* of the hull */
    AbutPolyhedron *hull; /* NULL: none */
    AbutMeshTree *tree;   /* of AS_IS, convex or not, and TRIANGLES; else NULL */
    AbutPieces pieces;
    const AbutHeightField *field; /* a copy, with its heights; else NULL */
} AbutSolidBody;

/* Takes a mesh by choice; `pieces` may be NULL. Fails if there is no hull or no tree, and with UNSUPPORTED on a
 * non-convex mesh with ONLY_CONVEX. */
ABUT_API AbutStatus abut_solid_from_mesh(
    const AbutMesh *mesh, AbutSolidChoice choice, const AbutDecomposeDef *pieces, AbutSolidBody *out, AbutError *error);

/* Prepares a height field; much cheaper than a mesh of it. The heights are copied. */
ABUT_API AbutStatus abut_solid_from_field(const AbutHeightField *field, AbutSolidBody *out, AbutError *error);
ABUT_API void abut_solid_body_free(AbutSolidBody *body);

/* The solid of a body, which must stay at its address. */
ABUT_API AbutSolid abut_solid_of(const AbutSolidBody *body);

/* A convex body in words, centered at the origin with its axis along z: sphere:RADIUS, capsule:RADIUS,HALF,
 * cylinder:RADIUS,HALF, cone:RADIUS,HALF, box:X,Y,Z, ellipsoid:X,Y,Z, half-space:NX,NY,NZ,OFFSET or
 * plane:NX,NY,NZ,OFFSET. *found is 0 if the text names none. */
ABUT_API AbutStatus abut_convex_parse(const char *text, AbutConvex *out, int *found, AbutError *error);

/* ---- time of impact ---------------------------------------------------------------------------------------------- */

typedef enum AbutImpactOutcome {
    ABUT_IMPACT_NONE = 0,  /* proved: the bodies stay apart in the whole interval */
    ABUT_IMPACT_HIT,       /* free until t_lo, in contact at t_hi */
    ABUT_IMPACT_AT_START,  /* touching or overlapping at the start of the interval */
    ABUT_IMPACT_GRAZING,   /* nearer than the tolerance at t, and no overlap was found after it */
    ABUT_IMPACT_UNDECIDED, /* free until t_lo; the limit of rounds was reached */
    ABUT_IMPACT_INVALID,   /* bad numbers, or beyond 1e60; an empty mesh, no pieces, or a half-space that turns: all
                              numbers of the answer are NaN */
    ABUT_IMPACT_OUTCOME_COUNT
} AbutImpactOutcome;

/* A word for each: "none", "hit", "at_start", "grazing", "undecided", "invalid". */
ABUT_API extern const char *const abut_impact_outcome_names[];

typedef struct AbutImpactDef {
    double from, to;     /* to < from: backward, for the last contact */
    double tolerance;    /* distance that counts as touching, m; 0: 1e-6 of the smaller body's radius, or piece's */
    int32_t round_limit; /* distance queries; 0: 2000 */
    int32_t no_bracket;  /* 1: accept a HIT within the tolerance; t_hi is then the end of the interval */
    double level;        /* m; the distance at which the search stops instead of 0: above 0 for bodies with a margin,
                            below 0 for convex bodies with an allowed overlap (meshes: INVALID) */
} AbutImpactDef;

typedef struct AbutImpact {
    AbutImpactOutcome outcome;
    double t;          /* of contact; the end of the interval for NONE */
    double t_lo, t_hi; /* no contact from the start to t_lo; contact at t_hi, or the end if none was found */
    double distance;   /* at t; negative if the level is, for overlapping convex bodies */
    double approach;   /* at t: bound on the speed at which points of the two approach, m/s; 0 or less: they do not */
    AbutVec3 normal;   /* at t: unit, from A to B, outer frame; zero in contact of meshes */
    AbutVec3 point_a, point_b;
    int32_t part_a, part_b; /* triangle of a mesh, or piece; -1: convex */
    int32_t rounds;
} AbutImpact;

ABUT_API extern const AbutRecord abut_impact_record;

/*
 * First contact of two moving bodies, never late: bodies at distance d whose points approach at a speed of at most
 * v cannot meet within d / v (conservative advancement). Takes every pair of kinds; a closed mesh is solid. For pieces,
 * the answer is that of the pair of pieces that meets first. INVALID for a height field (abut_cast moves a solid onto
 * one). With a level, finds the time at which the distance falls to it.
 */
ABUT_API AbutImpact abut_time_of_impact(const AbutMover *a, const AbutMover *b, const AbutImpactDef *def);

/* ---- casts ------------------------------------------------------------------------------------------------------- */

/* The points origin + t way, 0 <= t <= 1. */
typedef struct AbutRay {
    AbutVec3 origin, way;
} AbutRay;

/* The first contact of a ray, or of a solid moved along a straight line, with a body. */
typedef struct AbutCastHit {
    AbutImpactOutcome
        outcome;       /* AT_START: the ray begins inside or on the surface; GRAZING: it touches without entering */
    double t;          /* fraction of the way; 1 without a hit */
    double t_lo, t_hi; /* free until t_lo, in contact at t_hi */
    AbutVec3 point;    /* on the body */
    AbutVec3 normal;   /* unit, outward from the body; zero at the start and in contact of meshes */
    int32_t body;      /* number in the set; -1: no hit */
    int32_t feature;   /* triangle of a mesh; piece; face of a sharp polyhedron, box (-x, +x, ... +z) or half-space; -1:
                          none */
} AbutCastHit;

ABUT_API extern const AbutRecord abut_cast_hit_record;

typedef struct AbutNearestPoint {
    int32_t body;    /* number in the set; -1: none, or bad numbers */
    int32_t feature; /* triangle of a mesh, or piece; -1: convex */
    double distance; /* negative inside a convex body or a closed mesh; INFINITY: none; NaN: the point is not finite */
    AbutVec3 point;  /* of the surface */
    AbutVec3 normal; /* unit, outward; zero on the surface of a mesh */
} AbutNearestPoint;

/* A tree of boxes over the bodies of a set at their poses: casts then test only bodies that they can meet. */
typedef struct AbutBodyTree AbutBodyTree;

/* Keeps no reference to the bodies. Create it again when one of them has moved. Refuses bodies with bad numbers. */
ABUT_API AbutStatus abut_body_tree_create(
    int32_t count, const AbutPlaced *bodies, AbutBodyTree **out, AbutError *error);
ABUT_API void abut_body_tree_free(AbutBodyTree *tree); /* accepts NULL */

typedef struct AbutBodySet {
    int32_t count;
    const AbutPlaced *bodies;
    int (*filter)(int32_t body, void *user); /* 0: the body is skipped; NULL: all count */
    void *user;
    const AbutBodyTree *tree; /* of these bodies; NULL: they are tested one by one, with the same answers */
} AbutBodySet;

/* The moving part of a cast: a ray, or with `moved` a solid moved by ray.way. */
typedef struct AbutCast {
    AbutRay ray;
    const AbutPlaced *moved; /* NULL: a ray */
    double tolerance; /* of a moved solid: distance that counts as touching, 0 for 1e-6 of the smaller one's radius */
} AbutCast;

/*
 * A cast against one body; `body` of the answer is 0. A ray: the body is solid unless it is an open mesh. Exact except
 * for rounding, and within 1e-13 of the lengths involved for rounded bodies and support functions. A ray that begins
 * inside a body or on its surface is AT_START at t = 0 with a zero normal, in any direction. On the surface means to
 * within rounding of the data: 1e-13 of the largest coordinate of the origin, in the world and in the body, and of the
 * largest length that describes the body (coordinates of a polyhedron, radius of a mesh, sizes, radius). A ray without
 * length only tests this. A solid is moved by ray.way without turning: never late, by abut_time_of_impact of a
 * translation; the normal points from `body` to `moved`.
 */
ABUT_API AbutCastHit abut_cast(const AbutPlaced *body, const AbutCast *cast);

/* The first hit of each cast in the set, on ties that of the first body. INVALID if a number of a body or of the
 * cast is bad. The filter is called from any thread. */
ABUT_API void abut_cast_batch(const AbutBodySet *set, int count, const AbutCast *casts, AbutCastHit *out, int threads);

/* All hits, one for each body, in order of t. Returns the count and writes at most `capacity`; -1 if a body is
 * invalid. */
ABUT_API int32_t abut_cast_all(const AbutBodySet *set, const AbutCast *cast, int32_t capacity, AbutCastHit *hits);

/* For each point, the nearest surface point of the nearest body, or of the body that the point is deepest in. For
 * pieces, that of the nearest or deepest piece. */
ABUT_API void abut_nearest_point_batch(
    const AbutBodySet *set, int count, const AbutVec3 *points, AbutNearestPoint *out, int threads);

#ifdef __cplusplus
}
#endif

#endif
