/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the room shape: the stages of the convex hull, and the way from a boundary to a packed polyhedron.
 *
 * Points inside the hull are scaled: centered, divided by a power of two so that coordinates lie in [-1, 1], and
 * rounded to multiples of 2^-60, which keeps exact arithmetic on them free of underflow. Indices always mean the
 * caller's points.
 */
#ifndef ABUT_SHAPE_HULL_H
#define ABUT_SHAPE_HULL_H

#include "abut/shape.h"
#include "shape/exact.h"
#include "shape/tolerance.h"

/* Coordinates larger than this are refused, and sets smaller than its inverse count as a point: the inertia of a body
 * (the fifth power of its size) then stays a number. */

/* ---- the hull as triangles (hull_build.c) ------------------------------------------------------------------------ */

typedef struct AbutHullTriangle {
    int32_t v[3];
    int32_t across[3]; /* triangle on the other side of the edge v[i] v[i + 1] */
    AbutVec3 normal;
    int32_t outside;  /* first of the points above it, linked; -1: none */
    int32_t farthest; /* of those */
    double farthest_distance;
    int32_t round; /* insertion that made it; -1: unused */
    int32_t seen;  /* last insertion that looked at it and found it visible */
    int32_t probe; /* last search for a home of a point that came by */
} AbutHullTriangle;

typedef struct AbutHullTriangles {
    AbutHullTriangle *items;
    int32_t count; /* without gaps once built */
} AbutHullTriangles;

/* Dimension that the set spans, with the points that show it. */
typedef struct AbutHullSimplex {
    int dimension;
    int32_t v[4];
} AbutHullSimplex;

AbutHullSimplex abut_hull_simplex(const AbutVec3 *points, int count, double tolerance);

/* How far above faces points may stay outside; coarse: points are dropped at once that are no farther above the faces
 * they come to, and a few may end up farther outside. */
typedef struct AbutHullReach {
    double tolerance;
    int coarse;
} AbutHullReach;

/* Hull of a set of dimension 3 from the simplex in it. No point is above any triangle by more than the tolerance,
 * unless that is coarse. */
AbutStatus abut_hull_build(const AbutVec3 *points, int count, AbutHullSimplex simplex, AbutHullReach reach,
    AbutHullTriangles *out, AbutError *error);

/* ---- the boundary that goes into a block ------------------------------------------------------------------------- */

/* `source` gives the point of the caller that each vertex is. Normals of the faces are set, offsets are not yet. */
typedef struct AbutShell {
    int dimension;
    int32_t vertex_count, half_edge_count, face_count;
    int32_t *source;
    AbutHalfEdge *half_edges;
    AbutFace *faces;
} AbutShell;

AbutStatus abut_shell_create(int dimension, int vertices, int half_edges, int faces, AbutShell *out, AbutError *error);
void abut_shell_free(AbutShell *shell);

/* Joins triangles that lie in one plane to `tolerance` and drops the vertices that end no edge (hull_merge.c). */
AbutStatus abut_hull_merge(const AbutVec3 *points, int count, const AbutHullTriangles *triangles, double tolerance,
    AbutShell *out, AbutError *error);

/* Volume of the hull of points, too small by what lies less than `coarse` times the thickness of the set above faces;
 * 0 of a flat set. Fails as abut_polyhedron_from_points does, and not on flat sets. */
AbutStatus abut_hull_volume(const AbutVec3 *points, int count, double coarse, double *volume, AbutError *error);

/* Boundary of a set of dimension 0, 1 or 2 (hull_flat.c). */
AbutStatus abut_hull_flat(
    const AbutVec3 *points, int count, AbutHullSimplex simplex, double tolerance, AbutShell *out, AbutError *error);

/* Makes the block: `points` are those that shell->source counts in. Offsets and everything derived are computed here.
 */
AbutStatus abut_polyhedron_pack(const AbutVec3 *points, const AbutShell *shell, AbutPolyhedron **out, AbutError *error);

/* Volume, area, centroid and inertia of the block from its vertices and faces. */
AbutMass abut_polyhedron_integrate(const AbutPolyhedron *polyhedron);

/* Greatest height over the normal of the face of its vertices and of those next to them across its edges. */
double abut_polyhedron_face_height(const AbutPolyhedron *polyhedron, const AbutFace *face);

/* Least distance of the centroid from a face; 0 without volume. */
double abut_polyhedron_inner_radius(const AbutPolyhedron *polyhedron);

uint64_t abut_polyhedron_hash(const AbutPolyhedron *polyhedron);

/* Byte offsets of the parts, and the size of the block; LIMIT when they pass 4 GiB. */
AbutStatus abut_polyhedron_layout(AbutPolyhedron *header, AbutError *error);

#endif
