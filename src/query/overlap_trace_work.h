/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The private contract of the tracing: two bodies in a common frame, the curves in which their surfaces cross, and the
 * three questions asked of them, each in a file of its own.
 */
#ifndef ABUT_QUERY_OVERLAP_TRACE_WORK_H
#define ABUT_QUERY_OVERLAP_TRACE_WORK_H

#include "query/overlap_trace.h"
#include "query/tolerance.h"

#include <math.h>

/* Vertices are measured in groups of two times four. */
enum { ABUT_LANES = 4, ABUT_TRACE_GROUP = 2 * ABUT_LANES };
typedef double AbutLanes __attribute__((vector_size(ABUT_LANES * sizeof(double))));

/* A plane with its number. */
typedef struct AbutTracePick {
    double x, y, z, offset, number;
} AbutTracePick;

/* A body in the common frame. */
typedef struct AbutTraceSide {
    const AbutFaceted *body;
    AbutVec3 *vertex;
    AbutPlane *plane;
    int32_t *exit;   /* per half-edge: the crossing where it leaves the other body; -1: none */
    int32_t *leaves; /* per face: the last of its half-edges that leaves; -1: none */
    int32_t *worst;  /* per vertex outside: a plane of the other body that it is well beyond */
    int32_t *number; /* per vertex: its number among the inside ones; -1: outside */
    int32_t first;   /* number of the first of them in the result */
    AbutVec3 center; /* of the bounding sphere */
    double inner;    /* radius of a ball about the center inside the body; not positive: none */
} AbutTraceSide;

/* Vertices that have to be measured, in groups; the last one is repeated to fill its group. */
typedef struct AbutTraceRows {
    AbutLanes *x, *y, *z;
    AbutLanes *most, *worst; /* largest value over some planes, and the number of that plane */
    int32_t *which;          /* vertex by place */
    int32_t count;
} AbutTraceRows;

/* A vertex of the curves: half-edge `half_edge` of body `owner` leaves the other body here. */
typedef struct AbutCrossing {
    int32_t half_edge, owner, next, previous;
} AbutCrossing;

typedef struct AbutTrace {
    AbutTraceSide side[2];
    AbutTraceRows rows;
    AbutCrossing *crossing;
    AbutOverlapArrays to;
    AbutOverlap *out;
    AbutTracePick *pick;     /* planes that matter to the vertices of a body */
    int32_t *list;           /* of edges, one more than a body has */
    int32_t *source, *place; /* of faces that bound the result, one more than a body has */
    int32_t crossings, vertex_capacity, face_capacity, corner_capacity;
    double near; /* lengths below this could be rounding */
} AbutTrace;

static inline int32_t abut_trace_groups(int32_t vertices) {
    return (vertices + ABUT_TRACE_GROUP - 1) / ABUT_TRACE_GROUP;
}

static inline double abut_trace_value(AbutPlane plane, AbutVec3 v) { return abut_dot(plane.normal, v) - plane.offset; }

static inline AbutHalfEdge abut_trace_half(const AbutTraceSide *s, int32_t h) { return s->body->half_edge[h]; }

/* The vertex at which half-edge h ends. */
static inline int32_t abut_trace_end(const AbutTraceSide *s, int32_t h) {
    return abut_trace_half(s, abut_trace_half(s, h).twin).origin;
}

/* Which vertices of body `own` lie in the other? Numbers them; gives their count, or -1 when one is too near to say. */
int32_t abut_trace_classify(AbutTrace *t, int own);

/* Where do the surfaces cross? Follows all curves; false where rounding could decide. */
int abut_trace_curves(AbutTrace *t);

/* Which faces of body `owner`, whole or cut, bound the result? False when there is no room or no outline. */
int abut_trace_faces(AbutTrace *t, int owner);

/* A face that holds a whole curve, from crossing `first` round to it again. */
int abut_trace_curve_face(AbutTrace *t, int owner, int32_t source, int32_t first);

#endif
