/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A convex polyhedron that planes can be taken off, one after the other, with its topology kept at every step.
 * Vertices, half-edges and faces live in slots that are used again. Coordinates are about an origin near the bodies.
 */
#ifndef ABUT_QUERY_OVERLAP_CLIP_H
#define ABUT_QUERY_OVERLAP_CLIP_H

#include "query/overlap.h"

typedef struct AbutClipEdge {
    int32_t origin, next, twin, face;
    int32_t cut; /* during a cut: the new vertex on this edge, else -1 */
} AbutClipEdge;

typedef struct AbutClipFace {
    int32_t first; /* a half-edge; -1: the slot is free */
    int32_t label; /* 2 * source face + owner */
    int32_t stamp; /* last cut that touched it */
    int32_t dropped;
} AbutClipFace;

struct AbutClip;
typedef void AbutClipMeasure(struct AbutClip *clip, AbutVec3 normal, double offset, double *most, double *least);

typedef struct AbutClip {
    AbutClipMeasure *measure; /* the form for this processor */
    double *x, *y, *z;        /* NaN in free slots */
    double *d;                /* signed distance to the plane of the current cut */
    int32_t *out;             /* per vertex: a half-edge that starts there */
    int32_t *cap_from;        /* per vertex: the half-edge of the cap that starts there, during a cut; else -1 */
    AbutClipEdge *edge;
    AbutClipFace *face;
    int32_t *free_vertex, *free_edge, *free_face, *pending; /* stacks */
    int32_t *touched, *cap, *gone;                          /* lists of a cut: faces, half-edges, outside vertices */
    int32_t vertex_slots, edge_slots, face_slots;           /* slots in use or free; the rest was never used */
    int32_t free_vertices, free_edges, free_faces, pending_count, touched_count, cap_count, gone_count;
    int32_t vertex_capacity, edge_capacity, face_capacity;
    int32_t live_vertices, stamp;
    AbutVec3 center, half; /* a box around the vertices, since the last abut_clip_tighten */
    double snap;           /* distances up to this are zero */
} AbutClip;

typedef enum AbutCutResult {
    ABUT_CUT_NOTHING = 0, /* the plane cuts nothing off */
    ABUT_CUT_PART,
    ABUT_CUT_ALL,   /* nothing is left inside; d holds the distances */
    ABUT_CUT_BROKEN /* no consistent polyhedron, or out of slots */
} AbutCutResult;

/* Bytes for polyhedra that have `faces` faces together. */
size_t abut_clip_size(int faces);

/* An empty clip in `memory`, or false when it is too small. */
int abut_clip_create(AbutClip *clip, int faces, void *memory, size_t size);

/* Loads a body, about `origin` of the frame of A; labels say `owner`. */
void abut_clip_load(AbutClip *clip, const AbutFaceted *body, AbutVec3 origin, int owner);

/* Keeps the side normal . x <= offset. */
AbutCutResult abut_clip_cut(AbutClip *clip, AbutVec3 normal, double offset, int32_t label);

/* Closes the gaps in the vertex slots and puts the box around what is left. */
void abut_clip_tighten(AbutClip *clip);

#endif
