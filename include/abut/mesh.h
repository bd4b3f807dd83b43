/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesh: queries on triangle meshes: distance, collision, containment, nearest points, rays, depth, convex pieces.
 *
 * Queries take a mesh by its tree (abut/shape.h), which is made once and shared by any number of threads. Queries
 * allocate nothing. Meshes may be open or imperfect; results state which questions then have no answer.
 */
#ifndef ABUT_MESH_H
#define ABUT_MESH_H

#include "abut/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutMeshNearest {
    int32_t triangle; /* -1: none within the limit */
    int32_t inside;   /* 1 inside, 0 outside, -1: the mesh is open */
    double distance;
    AbutVec3 point; /* of the surface */
} AbutMeshNearest;

/* The point of a mesh nearest to p, in its own frame; `within` > 0: at most this far away. A non-finite point, or one
 * beyond 1e60, has none: triangle -1, inside -1, distance INFINITY. */
ABUT_API AbutMeshNearest abut_mesh_nearest(const AbutMeshTree *mesh, AbutVec3 p, double within);

/* Is p inside a mesh: 1, 0, or -1 for an open mesh. Winding number or parity by exact signs along a ray; a point on the
 * surface may count as either. */
ABUT_API int abut_mesh_inside(const AbutMeshTree *mesh, AbutVec3 p);

typedef struct AbutCollision {
    AbutGapOutcome outcome; /* PENETRATING: the surfaces have a point in common; touching counts */
    int32_t containment_known;
    AbutPair first; /* triangles that meet, by their numbers in the caller's meshes, or pieces (abut/solid.h); -1, -1:
                       none */
    int32_t count;  /* pairs written */
    int32_t more;   /* 1: there are more pairs than `capacity` */
} AbutCollision;

ABUT_API extern const AbutRecord abut_collision_record;

/* ---- depth ------------------------------------------------------------------------------------------------------- */

enum { ABUT_MESH_CORE_BALLS = 32, ABUT_MESH_CORE_NORMALS = 12 };

/* Data about a mesh that speeds up depth queries: balls inside the solid and the directions of its large flat
 * faces. Made once for a mesh, in its frame; plain numbers. */
typedef struct AbutMeshCore {
    int32_t ball_count, normal_count;
    int32_t outward; /* 1: one closed surface, counter-clockwise seen from outside */
    int32_t padding;
    AbutSphere ball[ABUT_MESH_CORE_BALLS];
    AbutVec3 normal[ABUT_MESH_CORE_NORMALS]; /* the largest face first */
} AbutMeshCore;

ABUT_API AbutMeshCore abut_mesh_core(const AbutMeshTree *mesh);

struct AbutDepthSearch;

/* How to search for the depth. Zeroed: by sweeps, without prior data. */
typedef struct AbutDepthDef {
    /* NULL: by sweeps; else a search from another library, for comparison */
    void (*method)(struct AbutDepthSearch *search, AbutVec3 warm);
    int32_t directions;                  /* evenly spread starts, at most 120; 0: 14 to 80, chosen by the meshes */
    const AbutMeshCore *core_a, *core_b; /* of the two meshes; NULL: none, slower and less thorough */
    AbutVec3
        along; /* not zero, any length: the least separating move of B along this direction; zero: in any direction */
    AbutWork *work; /* not NULL: work is added to it */
} AbutDepthDef;

/* Warm start for one pair: the direction of the last answer. Zeroed is valid. */
typedef struct AbutDepthCache {
    AbutVec3 direction;
    int32_t turn; /* counts questions; starts differ from one to the next */
    int32_t padding;
} AbutDepthCache;

/* ---- convex pieces ----------------------------------------------------------------------------------------------- */

enum { ABUT_PIECES_MAX = 4096 };

/* Convex pieces that represent a body, in its frame: made by abut_mesh_decompose, or a caller's own list (count and
 * piece; the rest may be 0). */
typedef struct AbutPieces {
    int32_t count;
    int32_t closed;     /* 0: the mesh is open, and the pieces cover only its surface */
    int32_t target_met; /* the excess is as small as requested */
    int32_t padding;
    AbutPolyhedron **piece;
    double mesh_volume; /* NaN if unknown: the mesh is open, its triangles are not oriented, components
                           overlap, or some are inside out (tested at up to 2048 triangles) */
    double volume;      /* of all pieces together */
    double excess;      /* volume / mesh_volume - 1; NaN without mesh_volume */
} AbutPieces;

ABUT_API extern const AbutRecord abut_pieces_record;

/* How fine to decompose; valid when zeroed. */
typedef struct AbutDecomposeDef {
    double excess;      /* allowed excess volume of the pieces, as a fraction of that of the mesh; 0: 0.02. For a mesh
                           without volume: stop when a cut removes less than this fraction of the pieces */
    int32_t max_pieces; /* 0: 64 */
    int32_t threads;    /* 0: all processors; the pieces are the same for any number */
    /* Called after every cut: pieces so far, and their excess (NaN: not known). Non-zero stops. NULL: not called */
    int (*progress)(int32_t pieces, double excess, void *user);
    void *user; /* of progress */
} AbutDecomposeDef;

/* Convex pieces that cover a mesh; for a closed mesh the whole solid. They do not overlap. Fails on an empty or flat
 * mesh, on numbers that a tree refuses, out of memory, and with ABUT_ERROR_CANCELED when `progress` stops it. Free with
 * abut_pieces_free. */
ABUT_API AbutStatus abut_mesh_decompose(
    const AbutMesh *mesh, const AbutDecomposeDef *def, AbutPieces *out, AbutError *error);
ABUT_API void abut_pieces_free(AbutPieces *pieces);

/* Do pieces cover the vertices of a mesh? Returns the number of vertices farther than 1e-9 (of 1 m and their
 * coordinates) outside all pieces. *vertex is the farthest one, -1: none; *farthest bounds its distance. Both may be
 * NULL.
 */
ABUT_API int32_t abut_pieces_cover(const AbutPieces *pieces, const AbutMesh *mesh, int32_t *vertex, double *farthest);

#ifdef __cplusplus
}
#endif

#endif
