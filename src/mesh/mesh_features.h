/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: vertices, edges and faces of a closed mesh as what touches, and the places where two such meshes touch.
 *
 * The distance of two solids that are apart has a local minimum wherever they may touch, and there are four kinds of
 * them: a vertex over a face, an edge across an edge, a vertex beside an edge, a vertex beside a vertex. Only convex
 * edges, and vertices in which at least two of them end, can be part of one. Each of those is owned by one triangle, so
 * a walk over pairs of triangles finds each pair of features once.
 */
#ifndef ABUT_SRC_MESH_FEATURES_H
#define ABUT_SRC_MESH_FEATURES_H

#include "abut/mesh.h"
#include "mesh/facing.h"
#include "shape/height_grid.h"

typedef struct AbutFeatureEdge {
    int32_t v[2];    /* ends */
    int32_t t[2];    /* the faces beside it; the second -1: there is none */
    AbutVec3 in[2];  /* in each face: unit vector across the edge, into the face */
    int32_t convex;  /* 1: convex; 0: flat; -1: concave */
    int32_t padding; /* keeps copies of equal meshes equal */
} AbutFeatureEdge;

enum { ABUT_OWNS_VERTEX = 1, ABUT_OWNS_EDGE = 8 }; /* shifted by corner or side 0 .. 2 */

/* A mesh; a ball or a capsule, as its core: a line at most; a cylinder, cone or ellipsoid, which has no features. */
typedef enum AbutFeaturesKind { ABUT_FEATURES_MESH = 0, ABUT_FEATURES_CORE, ABUT_FEATURES_SMOOTH } AbutFeaturesKind;

/* Made once for a geometry, read only. */
typedef struct AbutMeshFeatures {
    AbutMesh mesh; /* welded */
    AbutMeshTree *tree;
    AbutVec3 *normal; /* of each triangle, unit, outward; zero: the triangle is a line */
    AbutTriangle *side;
    uint8_t *own; /* of each triangle: ABUT_OWNS_VERTEX << corner, ABUT_OWNS_EDGE << side */
    AbutFeatureEdge *edge;
    int32_t edge_count;
    int32_t *star_first, *star; /* neighbors of vertex v: star[star_first[v]] .. */
    int32_t tip_count, *tip;    /* vertices that can touch */
    AbutVec3 *flat;             /* of a vertex in a nearly flat place: outward, unit; else zero */
    AbutFacing *facing;         /* of nodes and leaves of the tree; NULL: not known */
    AbutFeaturesKind kind;
    AbutConvex body; /* a round one: what it is */
    double round;    /* of a core: the radius around it; else 0 */
    double radius;   /* about the center of the tree, `round` included */
    int32_t users;   /* for those who share them */
    double lever;    /* how far from that center points lie that move when the body turns */
} AbutMeshFeatures;

/* For a mesh, which is copied. Free it. */
AbutStatus abut_mesh_features_create(const AbutMesh *mesh, int threads, AbutMeshFeatures **out, AbutError *error);
/* For a point or a segment with a radius, a cylinder, a cone or an ellipsoid. Free it. */
AbutStatus abut_round_features_create(const AbutConvex *body, AbutMeshFeatures **out, AbutError *error);
/* For a piece of a height field, inside the surface of the whole; its tree has the piece alone. Free it. */
AbutStatus abut_field_features_create(
    const AbutHeightGrid *grid, int32_t piece, AbutMeshFeatures **out, AbutError *error);
void abut_mesh_features_free(AbutMeshFeatures *features); /* accepts NULL */

/* Stages of the making (mesh_facing.c). Is there a direction in which no neighbor of a vertex is higher? Flat places,
 * from normals and stars; directions of all triangles, from what they own. 0: no memory. */
int abut_mesh_can_reach_out(const AbutMeshFeatures *features, int32_t vertex);
void abut_mesh_facing_flat(AbutMeshFeatures *features);
int abut_mesh_facing_make(AbutMeshFeatures *features);

/* A touch of two features. */
typedef enum AbutTouchKind {
    ABUT_TOUCH_FACE = 0, /* a vertex over a face */
    ABUT_TOUCH_CROSSING, /* an edge across an edge */
    ABUT_TOUCH_BLUNT     /* a vertex beside an edge or a vertex */
} AbutTouchKind;

typedef struct AbutFeatureTouch {
    AbutVec3 place, normal; /* frame of A; the place halfway, the normal unit, from A to B */
    double gap;             /* along the normal; below 0 they overlap */
    double soon;            /* the gap that there will be if the bodies move on as they do */
    int32_t kind, vertex;   /* ABUT_TOUCH_FACE of two meshes: 1: the vertex is of A, 2: of B; else 0 */
} AbutFeatureTouch;

/* A pair of triangles that were near each other, by their numbers in the welded meshes. */
typedef struct AbutTrianglePair {
    int32_t a, b;
    double apart;         /* of a triangle and a round body */
    int32_t first, count; /* of two triangles: their features, while they are listed */
} AbutTrianglePair;

/* Two features that may touch. */
typedef enum AbutFeaturePairKind {
    ABUT_VERTEX_OVER_FACE = 0, /* vertex of A, triangle of B */
    ABUT_FACE_UNDER_VERTEX,    /* triangle of A, vertex of B */
    ABUT_EDGE_ACROSS_EDGE,
    ABUT_VERTEX_BESIDE_EDGE,
    ABUT_EDGE_BESIDE_VERTEX,
    ABUT_VERTEX_BESIDE_VERTEX
} AbutFeaturePairKind;

typedef struct AbutFeaturePair {
    int32_t kind, a, b, padding;
    double apart; /* they were no nearer than this */
} AbutFeaturePair;

/* Features that may touch while the bodies move by less than `slack` against each other. The touches do not depend on
 * it, so it may be made at any time. Zeroed: empty. */
typedef struct AbutTouchList {
    AbutPose pose;               /* of B in A when it was made */
    double reach, slack, margin; /* gaps and depths up to `reach` are in it; 0: nothing is */
    double way;                  /* that points of B have moved since, at most */
    int32_t pair_count, feature_count;
    AbutTrianglePair *pair;             /* with features; with a round body all that are near */
    AbutFeaturePair *feature, *ordered; /* as they were found; by the numbers of their triangles */
    size_t pair_capacity, feature_capacity, ordered_capacity;
} AbutTouchList;

void abut_touch_list_free(AbutTouchList *list);

/* Question to two meshes: touches with -depth < gap < within. Faces and edges are grown by `margin` along
 * themselves. Blunt touches are those with a gap above it, of features that meet if the bodies move on as they do:
 * others pass by. */
typedef struct AbutTouchQuestion {
    const AbutMeshFeatures *a, *b; /* A NULL: the half-space z <= 0 of its frame */
    AbutPose b_in_a;
    double within, depth, margin;
    AbutVec3 way, turn; /* a point p of B moves by way + turn x p against A in what is looked ahead; frame of A */
} AbutTouchQuestion;

/* Room of one worker: found touches, vertices and normals of B in the frame of A. Zeroed: empty. */
typedef struct AbutTouchRoom {
    AbutFeatureTouch *touch;
    size_t touch_capacity;
    int32_t touch_count;
    AbutTouchList *list; /* being made, and room to order it */
    int32_t *order;
    size_t order_capacity;
    AbutVec3 *vertex, *normal; /* good where the stamp is that of now */
    uint32_t *vertex_stamp, *normal_stamp, stamp;
    size_t vertex_capacity, normal_capacity, vertex_stamps, normal_stamps;
    int starved; /* 1: there was no memory */
} AbutTouchRoom;

void abut_touch_room_free(AbutTouchRoom *room);

/* Readies the list for a question: it stays where it still holds, else it is made anew, for motions of up to `slack`,
 * or none if what is looked ahead is longer. 0: no memory, or a pose that is not finite. */
int abut_touch_list_ready(AbutTouchList *list, AbutTouchRoom *room, const AbutTouchQuestion *question, double slack);

/* Does a side of a triangle go through one of the other body, by more than `tolerance` on both ends? */
int abut_triangles_cross(AbutTouchRoom *room, const AbutTouchQuestion *question, double tolerance);

/* Touches among the features of a list that is ready for the question, in its order; for a half-space among all
 * vertices of B. 0: no memory. */
int abut_find_touches(AbutTouchRoom *room, const AbutTouchQuestion *question, const AbutTouchList *list);

#endif
