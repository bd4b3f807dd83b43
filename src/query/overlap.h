/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The private contract of the overlap: bodies seen as vertices, half-edges and face planes, the arrays of a result and
 * what is measured on them.
 */
#ifndef ABUT_QUERY_OVERLAP_H
#define ABUT_QUERY_OVERLAP_H

#include "abut/query.h"

/* A box, polyhedron or half-space as its faces, in its own frame. */
typedef struct AbutFaceted {
    const AbutVec3 *vertex; /* a half-space has none */
    const AbutHalfEdge *half_edge;
    const int32_t *edge; /* one half-edge of each edge */
    const AbutFace *face;
    int32_t vertex_count, half_edge_count, face_count;
    int32_t solid;      /* 0: without volume */
    AbutSphere bound;   /* around the vertices; of a half-space a point on its plane */
    AbutMat3 turn;      /* own frame to that of A */
    AbutVec3 shift;     /* origin of the own frame in that of A */
    AbutVec3 corner[8]; /* room for the vertices of a box */
    AbutFace side[6];   /* room for the faces of a box or half-space */
} AbutFaceted;

typedef struct AbutOverlapBodies {
    const AbutConvex *convex[2];
    AbutFaceted body[2]; /* A, B */
    AbutPose b_in_a;
    AbutVec3 origin; /* of the clip, in the frame of A: near the bodies, so that coordinates keep their digits */
    double scale;    /* size of the pair: lengths are compared with this */
} AbutOverlapBodies;

/* Views of both bodies. Gives ABUT_OVERLAP_VOLUME when the clip may go on, else the outcome. */
AbutOverlapOutcome abut_overlap_view(
    AbutOverlapBodies *bodies, const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a);

/* Number of faces of a body; -1 for kinds that the overlap does not take. */
int abut_overlap_face_count(const AbutConvex *convex);

/* Plane of face `source` of body `owner`, frame of A. */
static inline AbutPlane abut_overlap_plane(const AbutOverlapBodies *bodies, int owner, int source) {
    AbutPlane plane = bodies->body[owner].face[source].plane;
    if (owner) {
        plane.normal = abut_mat3_apply(bodies->body[1].turn, plane.normal);
        plane.offset += abut_dot(plane.normal, bodies->b_in_a.p);
    }
    return plane;
}

/* TOUCHING or DISJOINT, for pairs without common volume: by the distance query. */
AbutOverlapOutcome abut_overlap_touch(const AbutOverlapBodies *bodies);

/* Writable arrays of a result. */
typedef struct AbutOverlapArrays {
    AbutVec3 *vertex;
    AbutOverlapFace *face;
    int32_t *corner;
} AbutOverlapArrays;

/* Bytes of the result arrays for bodies of `faces` faces together, and the arrays at the start of `memory`. */
size_t abut_overlap_result_size(int faces);
AbutOverlapArrays abut_overlap_arrays(void *memory, int faces);

/* Areas, volume, centroid and normal from vertices about the origin; moves the vertices to the frame of A. Fills
 * everything but `cuts`; too thin a result becomes TOUCHING. 0: the areas give no normal, which is missing. */
int abut_overlap_integrate(
    AbutVec3 origin, double scale, int b_has_vertices, AbutOverlapArrays arrays, AbutOverlap *out);

/* As above, about bodies->origin; where areas give no normal, that of the least depth. */
void abut_overlap_measure(const AbutOverlapBodies *bodies, AbutOverlapArrays arrays, AbutOverlap *out);

/* The volume that two bodies of any kinds have in common lies between these bounds, those of their inner and outer
 * polyhedra, and wider by what rounding does to these; one number where both have faces only. Two half-spaces: INFINITY
 * where they meet. */
AbutStatus abut_convex_overlap_volume(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error);

#endif
