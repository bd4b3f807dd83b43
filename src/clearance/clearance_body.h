/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: a body as the clearance search sees it, a binary tree of oriented boxes over convex leaves: the triangles of
 * a mesh, or convex pieces. A half-space or plane is a single leaf without bounds. Everything is about the body's
 * center, so that floats and bounds of rotation stay small.
 */
#ifndef ABUT_CLEARANCE_BODY_H
#define ABUT_CLEARANCE_BODY_H

#include "abut/clearance.h"

/* One cache line. */
typedef struct AbutClearanceNode {
    float c[3];    /* center */
    float h[3][3]; /* h[component][axis] of the half axes */
    float rho;     /* radius about the center of all that lies below */
    int32_t child; /* >= 0: children child and child + 1; < 0: leaf ~child */
    int32_t padding[2];
} AbutClearanceNode;

struct AbutClearanceBody {
    int32_t leaf_count, node_count, depth;
    AbutClearanceNode *nodes;
    AbutVec3 center;
    double reach; /* largest |c| + rho of all nodes */
    int solid;    /* leaves have an inside: distances may be negative */
    const AbutMeshTree *mesh;
    AbutVec3 (*triangle)[3]; /* of a mesh, about the center, in the order of the leaves */
    AbutConvex *piece;       /* of pieces, in their own frame */
    int32_t *source;         /* the caller's number of a leaf */
    int sides;               /* 0: bounded; 1: a half-space, 2: a plane, each alone in its body */
    AbutVec3 normal;         /* of those: normal . x = level is the surface about the center, without the radius */
    double level;
};

/* The body of a mover; NULL: its solid is not prepared. */
static inline const AbutClearanceBody *abut_clearance_body_of(const AbutMover *mover) {
    return mover->solid.kind == ABUT_SOLID_PREPARED ? mover->solid.prepared : NULL;
}

/* Point of leaf farthest along d, about the center of the body; the radius of a rounded piece is not in it. */
AbutVec3 abut_clearance_leaf_farthest(const AbutClearanceBody *body, int32_t leaf, AbutVec3 d);

static inline double abut_clearance_leaf_radius(const AbutClearanceBody *body, int32_t leaf) {
    return body->piece ? body->piece[leaf].radius : 0.0;
}

/* The six directions along the axes. */
static inline AbutVec3 abut_clearance_side(int32_t i) { return abut_scale(abut_axis(i / 2), (i & 1) ? 1.0 : -1.0); }

/* ---- body_tree.c ------------------------------------------------------------------------------------------------- */

/* The tree over the leaves, which it puts in its order. */
AbutStatus abut_clearance_body_tree(AbutClearanceBody *body, AbutError *error);

/* The nearest point that floats hold. */
AbutVec3 abut_clearance_to_float(AbutVec3 v);

#endif
