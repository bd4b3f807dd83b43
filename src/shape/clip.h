/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A convex polyhedron that planes can be taken off, one after the other, with its topology kept at every step.
 * Vertices, half-edges and faces live in slots that are used again.
 */
#ifndef ABUT_SHAPE_CLIP_H
#define ABUT_SHAPE_CLIP_H

#include "shape/points.h"

typedef struct AbutClipEdge {
    int32_t origin, next, twin, face;
} AbutClipEdge;

typedef struct AbutClipFace {
    int32_t first; /* a half-edge; -1: the slot is free */
    int32_t label; /* 2 * source face + owner */
    int32_t stamp; /* last cut that touched it */
} AbutClipFace;

typedef struct AbutClip {
    AbutPointDistances *distances;
    AbutPointRows vertex, whole; /* what is left; the body before the first cut */
    int32_t *out;                /* per vertex: a half-edge that starts there */
    int32_t *mark;               /* per vertex on the plane: the last cut that met it */
    AbutClipEdge *edge;
    AbutClipFace *face;
    int32_t *free_vertex, *free_edge, *free_face, *pending; /* stacks */
    int32_t *ring, *cap,
        *gone;               /* lists of a cut: outside ends of the ring, sides of a dropped face, outside vertices */
    int32_t *number, *first; /* while loading: slot of a vertex, first half-edge of a face (-1: left out) */
    int32_t edge_slots, face_slots; /* slots in use or free; the rest was never used */
    int32_t free_vertices, free_edges, free_faces, pending_count, ring_count, gone_count;
    int32_t vertex_capacity, edge_capacity, face_capacity;
    int32_t live_vertices, stamp;
    AbutVec3 center, half; /* a box around the vertices, since the last abut_clip_tighten */
    double snap;           /* distances up to this are zero */
    double least;          /* CUT_ALL: the smallest distance of a vertex to the plane */
} AbutClip;

typedef enum AbutCutResult {
    ABUT_CUT_NOTHING = 0, /* the plane cuts nothing off */
    ABUT_CUT_PART,
    ABUT_CUT_ALL,   /* nothing is left inside */
    ABUT_CUT_BROKEN /* no consistent polyhedron, or out of slots */
} AbutCutResult;

/* Keeps the side normal . x <= offset. */
AbutCutResult abut_clip_cut(AbutClip *clip, AbutPlane plane, int32_t label);

/* The first cut, behind the load: distances and outside vertices are known, and every face has to be looked at. */
AbutCutResult abut_clip_first_cut(AbutClip *clip, int32_t label);

/* Closes the gaps in the vertex slots and puts the box around what is left. */
void abut_clip_tighten(AbutClip *clip);

#endif
