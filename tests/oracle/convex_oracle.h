/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slow reference for the signed distance of two convex bodies, in long double, independent of the query room.
 *
 * A body is its vertices, edges and face normals in one common frame, and a radius that rounds it. With D the set of
 * differences b - a, the signed distance is the distance of D to the origin, or minus the depth of the origin in D:
 *   separated:  min-norm point of D (Wolfe's active set), accepted only with a matching separating plane, and otherwise
 *               the smallest distance over all pairs of vertex and face, edge and edge;
 *   overlap:    the smallest support value over all facet directions of D: face normals of both bodies and cross
 *               products of their edges. Each value is an upper bound of the depth and the smallest is the depth
 * itself. Flat bodies (polygon, segment, point) are legal.
 */
#ifndef ABUT_TESTS_CONVEX_ORACLE_H
#define ABUT_TESTS_CONVEX_ORACLE_H

#include "abut/query.h"

typedef struct OracleVec {
    long double x, y, z;
} OracleVec;

typedef struct OracleEdge {
    int vertex[2];
    int face[2];         /* the faces on its two sides; -1: none */
    OracleVec direction; /* unit */
} OracleEdge;

enum { ORACLE_EXTREMES = 26 };

typedef struct OracleBody {
    int vertex_count, edge_count, face_count;
    OracleVec *vertices;
    OracleEdge *edges;
    OracleVec *normals;  /* of the faces, unit, outward */
    int (*triangles)[3]; /* fans over the faces */
    int triangle_count;
    long double radius, size; /* size: largest distance of a vertex from the mean of the vertices, plus the radius */
    OracleVec middle;         /* mean of the vertices */
    int extreme[ORACLE_EXTREMES]; /* vertices farthest in some directions */
} OracleBody;

typedef struct OracleDistance {
    long double distance; /* signed */
    OracleVec normal;     /* unit, from A to B */
    long double
        runner_up;   /* overlap: the second smallest depth, in a direction unlike the normal; infinity otherwise */
    long double gap; /* separated: upper minus lower bound of the distance */
} OracleDistance;

/* Any kind but a support function. Memory by malloc; aborts the program when there is none. */
OracleBody oracle_body(const AbutConvex *convex, AbutPose pose);
void oracle_body_free(OracleBody *body);

/* Signed distance. `plain`: look at every pair of edges; otherwise skip those whose Gauss arcs are clearly apart. */
OracleDistance oracle_distance(const OracleBody *a, const OracleBody *b, int plain);

/* Distance of a point from the body, 0 inside. */
long double oracle_point_outside(const OracleBody *body, AbutVec3 point);

/* How far B has to move along the unit direction n until a plane normal to n separates it from A: max over b - a of
 * -n . (b - a), radii included. The depth is the smallest such value over all n. */
long double oracle_push(const OracleBody *a, const OracleBody *b, OracleVec n);

#endif
