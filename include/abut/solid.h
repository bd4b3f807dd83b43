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
    ABUT_SOLID_KIND_COUNT,
    ABUT_SOLID_PREPARED = ABUT_SOLID_KIND_COUNT /* made ready for abut/clearance.h; other questions answer INVALID */
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
        const AbutClearanceBody *prepared;
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

ABUT_INLINE AbutSolid abut_solid_prepared(const AbutClearanceBody *body)
{
    AbutSolid solid = {ABUT_SOLID_PREPARED, {NULL}};
    solid.prepared = body;
    return solid;
}

/* A solid that stands. */
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

/* Warm start for one pair of solids: what their kernels keep. Zeroed is valid. */
typedef struct AbutGapCache {
    AbutConvexCache convex;
    AbutPair mesh; /* triangles of the last answer, counted from 1; 0: none */
    AbutDepthCache depth;
} AbutGapCache;

/*
 * Signed distance of A and B, B placed by `b_in_a`; in the frame of A. `def` and `cache` may be NULL. A pair asked the
 * other way round gives the same numbers with A and B exchanged, up to the rounding of the pose.
 * Convex bodies: as abut_convex_distance. Meshes: exact but for the rounding of the coordinates of B in A; of pairs of
 * triangles that are equally near the one with the smallest numbers is reported, with a cache and without; where the
 * surfaces meet, any of the pairs that do. A convex body against a mesh is solid: PENETRATING where it has a point in
 * common with the surface.
 * Pieces: the least of all pairs, of kind PIECES. Where the pieces cover the bodies it is never above the true distance
 * apart, below 0 wherever the bodies overlap, and continuous: it changes by no more than the bodies move. In overlap it
 * says how deep the deepest pair of pieces is, which is at most what it takes to part all pieces. Of `def`, `within`
 * and `work` count. INVALID: a bad pose, or no pieces.
 */
ABUT_API AbutGap abut_distance(AbutSolid a, AbutSolid b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache);

/*
 * How deep A and B are in each other: convex bodies and pieces by their signed distance, which may be above 0. INVALID
 * for a mesh and pieces. A mesh and a convex body: as two meshes, without `method`; an open mesh: the first free place
 * along the way, and a PLANE, or a half-space `along` a direction in which it is unbounded, is INVALID.
 * Two meshes: a short translation of B that parts them. The least one is hard to find for bodies that are not convex;
 * the answer is a local minimum, the best of many starts, and never shorter than the truth. `def` and `cache` may be
 * NULL; unlike other caches this one may change the answer, mostly for the better. Open meshes: kind SURFACE. Apart:
 * distance 0, without points; the parts are the triangles that touch after the move. Along one direction it is exact
 * but for rounding and gaps below 1e-9 of the size of the scene; of sheets in one plane that move in it, a way that
 * parts them and no shorter one does without a gap between.
 */
ABUT_API AbutGap abut_depth(AbutSolid a, AbutSolid b, AbutPose b_in_a, const AbutDepthDef *def, AbutGapCache *cache);

/* Do A and B meet? Touching counts, and so does one inside the other. The first pair names triangles of meshes and
 * pieces of pieces; -1 for a convex body. `cache` may be NULL. Two meshes: decided as exact arithmetic does for the
 * vertices of B rounded into the frame of A. Triangles that touch a convex body within the tolerance of
 * abut_convex_distance count; one inside a closed mesh, away from its surface, is A_IN_B or B_IN_A. */
ABUT_API AbutCollision abut_collide(AbutSolid a, AbutSolid b, AbutPose b_in_a, AbutGapCache *cache);

/* All triangles that meet, at most `capacity` pairs, sorted; the number of a convex body is -1. Without a mesh, and for
 * pieces, as abut_collide: no pairs. */
ABUT_API AbutCollision abut_collide_all(AbutSolid a, AbutSolid b, AbutPose b_in_a, int32_t capacity, AbutPair *pairs);

/*
 * Bounds of the volume that A and B have in common. Convex bodies: those of their inner and outer polyhedra
 * (abut_convex_polyhedra with so many `directions`), wider by what rounding does to these; one number where both have
 * faces only. Two half-spaces: INFINITY where they meet. Pieces, which must not overlap each other: between what they
 * share, no more than either body, and that less their excess; low is 0 where a body has no volume to compare with.
 * UNSUPPORTED for meshes: take their convex pieces.
 */
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

/* A convex body in words, centered at the origin with its axis along z: sphere:RADIUS, capsule:RADIUS,HALF,
 * cylinder:RADIUS,HALF, cone:RADIUS,HALF, box:X,Y,Z, ellipsoid:X,Y,Z, half-space:NX,NY,NZ,OFFSET or
 * plane:NX,NY,NZ,OFFSET. *found 0: the text names none. */
ABUT_API AbutStatus abut_convex_parse(const char *text, AbutConvex *out, int *found, AbutError *error);

/* ---- time of impact ---------------------------------------------------------------------------------------------- */

typedef enum AbutImpactOutcome {
    ABUT_IMPACT_NONE = 0,  /* proved: the bodies stay apart in the whole interval */
    ABUT_IMPACT_HIT,       /* free until t_lo, in contact at t_hi */
    ABUT_IMPACT_AT_START,  /* touching or overlapping when the interval begins */
    ABUT_IMPACT_GRAZING,   /* nearer than the tolerance at t, and no overlap was found after it */
    ABUT_IMPACT_UNDECIDED, /* free until t_lo; the rounds were used up */
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
    int32_t no_bracket;  /* 1: a HIT within the tolerance will do, t_hi is the end of the interval */
    double level;        /* m; the distance at which the search stops in place of 0: above 0 for bodies with a margin,
                            below for convex bodies that may overlap by so much (meshes: INVALID) */
} AbutImpactDef;

typedef struct AbutImpact {
    AbutImpactOutcome outcome;
    double t;          /* of contact; the end of the interval for NONE */
    double t_lo, t_hi; /* no contact from the beginning to t_lo; contact at t_hi, or the end where none was found */
    double distance;   /* at t; negative in overlap of convex bodies where the level is */
    double approach;   /* at t: no points of the two come nearer at more than this, m/s; 0 or less: they do not */
    AbutVec3 normal;   /* at t: unit, from A to B, outer frame; zero in contact of meshes */
    AbutVec3 point_a, point_b;
    int32_t part_a, part_b; /* triangle of a mesh, or piece; -1: convex */
    int32_t rounds;
} AbutImpact;

ABUT_API extern const AbutRecord abut_impact_record;

/*
 * First contact of two moving bodies, never late: bodies at distance d whose points approach each other at no more than
 * v cannot meet within d / v (conservative advancement). Every pair of kinds; a closed mesh is solid. For pieces, the
 * answer is that of the pair of pieces that meets first. With a level, finds the time at which the distance has fallen
 * to it.
 */
ABUT_API AbutImpact abut_time_of_impact(const AbutMover *a, const AbutMover *b, const AbutImpactDef *def);

/* ---- casts ------------------------------------------------------------------------------------------------------- */

/* The points origin + t way, 0 <= t <= 1. */
typedef struct AbutRay {
    AbutVec3 origin, way;
} AbutRay;

/* Where a ray, or a shape moved along a straight way, first meets a body. */
typedef struct AbutCastHit {
    AbutImpactOutcome
        outcome;       /* AT_START: the ray begins inside or on the surface; GRAZING: it touches without going in */
    double t;          /* part of the way; 1 where there is no hit */
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

/* A tree of boxes over the bodies of a set as they stand: casts then ask only those that can be met. */
typedef struct AbutBodyTree AbutBodyTree;

/* Keeps nothing of the bodies; to be made again when one of them has moved. Refuses bodies with bad numbers. */
ABUT_API AbutStatus abut_body_tree_create(
    int32_t count, const AbutPlaced *bodies, AbutBodyTree **out, AbutError *error);
ABUT_API void abut_body_tree_free(AbutBodyTree *tree); /* accepts NULL */

typedef struct AbutBodySet {
    int32_t count;
    const AbutPlaced *bodies;
    int (*filter)(int32_t body, void *user); /* 0: the body is skipped; NULL: all count */
    void *user;
    const AbutBodyTree *tree; /* of these bodies; NULL: they are asked one by one, with the same answers */
} AbutBodySet;

/* The moving part of a cast: a ray, or with `moved` a solid moved by ray.way. */
typedef struct AbutCast {
    AbutRay ray;
    const AbutPlaced *moved; /* NULL: a ray */
    double tolerance; /* of a moved solid: distance that counts as touching, 0 for 1e-6 of the smaller one's radius */
} AbutCast;

/*
 * A cast against one body; `body` of the answer is 0. A ray: the body is solid where it is not an open mesh; exact but
 * for rounding, and within 1e-13 of the lengths involved for rounded bodies and support functions. A ray that begins
 * inside a body or on the surface of one is AT_START at t = 0 with a zero normal, in any direction. On the surface
 * means to within rounding of the data: 1e-13 of the largest coordinate of the origin, in the world and in the body,
 * and of the largest length that describes the body (coordinates of a polyhedron, radius of a mesh, sizes, radius). A
 * ray without length asks for no more than that. A solid moved by ray.way without turning: never late, by
 * abut_time_of_impact of a translation; the normal points from `body` to `moved`.
 */
ABUT_API AbutCastHit abut_cast(const AbutPlaced *body, const AbutCast *cast);

/* The first hit of each cast in the set, of equal ones that of the first body; INVALID when the numbers of a body or of
 * what is cast are bad. The filter is called from any thread. */
ABUT_API void abut_cast_batch(const AbutBodySet *set, int count, const AbutCast *casts, AbutCastHit *out, int threads);

/* All hits, one for each body, in order of t. Returns the count and writes at most `capacity`; -1 when a body is
 * invalid. */
ABUT_API int32_t abut_cast_all(const AbutBodySet *set, const AbutCast *cast, int32_t capacity, AbutCastHit *hits);

/* For each point, the nearest of all bodies, or the one that the point is deepest in: the point of its surface nearest
 * to it; for pieces, of the piece that is nearest, or that the point is deepest in. */
ABUT_API void abut_nearest_point_batch(
    const AbutBodySet *set, int count, const AbutVec3 *points, AbutNearestPoint *out, int threads);

#ifdef __cplusplus
}
#endif

#endif
