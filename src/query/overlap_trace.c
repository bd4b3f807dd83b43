/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of two solids by tracing. Clipping takes one plane after the other and pays for every face that comes and
 * goes on the way; deep in each other most faces of the result are whole faces of one body, and only those along the
 * curves where the surfaces cross are cut.
 *   1 (overlap_trace_sides.c) Every vertex is measured against all planes of the other body: inside, outside, or too
 * near to say. 2 (overlap_trace_curves.c) An edge with one end inside leaves the other body once. From such a crossing
 * the curve is followed: along the line of the two faces it lies in, to the first edge of either, and there over to the
 * next face. Edges with both ends outside that no single plane keeps out are tried as well; so every curve is found. 3
 * (overlap_trace_faces.c) Faces of the result: whole faces, faces along the curves, whose outline changes between their
 * own edges and the curve, and faces that hold a whole curve. In: bodies of an overlap. Out: vertices (crossings
 * first), faces and corners, or nothing where rounding could decide or Euler's count does not come out: the caller then
 * clips. Frame of A about bodies->origin.
 */
#include "query/overlap_trace_work.h"

#include <string.h>

/* A solid of f faces has at most 2 f - 4 vertices and 6 f - 12 half-edges. */
size_t abut_overlap_trace_size(int faces) {
    size_t f = (size_t)faces + 8;
    return 64 + 5 * (2 * f + ABUT_TRACE_GROUP) * sizeof(double) +
           f * (2 * sizeof(AbutVec3) + sizeof(AbutPlane) + sizeof(AbutTracePick) + 3 * sizeof(AbutCrossing)) +
           19 * f * sizeof(int32_t) + 16;
}

static void *take(char **at, size_t bytes) {
    void *block = *at;
    *at += bytes;
    return block;
}

static AbutTraceRows take_rows(char **at, int32_t vertices) {
    size_t bytes = (size_t)abut_trace_groups(vertices) * ABUT_TRACE_GROUP * sizeof(double);
    AbutTraceRows r = {.count = 0};
    r.x = take(at, bytes), r.y = take(at, bytes), r.z = take(at, bytes);
    r.most = take(at, bytes), r.worst = take(at, bytes);
    return r;
}

static void take_places(char **at, AbutTraceSide *s, const AbutFaceted *body) {
    s->body = body;
    s->vertex = take(at, (size_t)body->vertex_count * sizeof *s->vertex);
    s->plane = take(at, (size_t)body->face_count * sizeof *s->plane);
}

static void take_lists(char **at, AbutTraceSide *s) {
    s->exit = take(at, (size_t)s->body->half_edge_count * sizeof *s->exit);
    s->number = take(at, (size_t)s->body->vertex_count * sizeof *s->number);
    s->worst = take(at, (size_t)s->body->vertex_count * sizeof *s->worst);
    s->leaves = take(at, (size_t)s->body->face_count * sizeof *s->leaves);
}

/* AbutTraceRows first: they want their alignment. Numbers come last, after all that holds doubles. */
static AbutTrace lay_out(const AbutOverlapBodies *bodies, void *memory, AbutOverlapArrays to, AbutOverlap *out) {
    AbutTrace t;
    char *at = (char *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    const AbutFaceted *a = &bodies->body[0], *b = &bodies->body[1];
    int32_t faces = a->face_count + b->face_count + 8;
    int32_t vertices = a->vertex_count > b->vertex_count ? a->vertex_count : b->vertex_count;
    int32_t edges = (a->half_edge_count > b->half_edge_count ? a->half_edge_count : b->half_edge_count) / 2;
    t.to = to;
    t.out = out;
    t.crossings = 0;
    t.vertex_capacity = 3 * faces, t.face_capacity = faces, t.corner_capacity = 9 * faces;
    t.near = ABUT_OVERLAP_TRACE_NEAR * bodies->scale;
    t.rows = take_rows(&at, vertices);
    take_places(&at, &t.side[0], a);
    take_places(&at, &t.side[1], b);
    t.pick = take(&at, (size_t)faces * sizeof *t.pick);
    t.crossing = take(&at, (size_t)t.vertex_capacity * sizeof *t.crossing);
    take_lists(&at, &t.side[0]);
    take_lists(&at, &t.side[1]);
    t.rows.which = take(&at, (size_t)vertices * sizeof *t.rows.which);
    t.list = take(&at, (size_t)(edges + 1) * sizeof *t.list);
    t.source = take(&at, (size_t)faces * sizeof *t.source);
    t.place = take(&at, (size_t)faces * sizeof *t.place);
    return t;
}

/* Half-edges are asked for in no order, and late: they are sent for at once. */
static void send_for_edges(const AbutFaceted *body) {
    const char *at = (const char *)body->half_edge, *end = at + (size_t)body->half_edge_count * sizeof *body->half_edge;
    for (; at < end; at += 64) __builtin_prefetch(at);
}

/* A is not turned. */
static inline __attribute__((always_inline)) void load_side(AbutTraceSide *s, AbutVec3 origin, int turned) {
    const AbutFaceted *b = s->body;
    AbutMat3 turn = b->turn;
    AbutVec3 shift = abut_sub(b->shift, origin);
    s->center = abut_add(abut_mat3_apply(turn, b->bound.center), shift);
    s->inner = INFINITY;
    for (int32_t v = 0; v < b->vertex_count; ++v)
        s->vertex[v] = abut_add(turned ? abut_mat3_apply(turn, b->vertex[v]) : b->vertex[v], shift);
    for (int32_t f = 0; f < b->face_count; ++f) {
        AbutVec3 n = turned ? abut_mat3_apply(turn, b->face[f].plane.normal) : b->face[f].plane.normal;
        s->plane[f].normal = n;
        s->plane[f].offset = b->face[f].plane.offset + abut_dot(n, shift);
        s->inner = abut_smaller(s->inner, s->plane[f].offset - abut_dot(n, s->center));
    }
    memset(s->leaves, -1, (size_t)b->face_count * sizeof *s->leaves);
    memset(s->exit, -1, (size_t)b->half_edge_count * sizeof *s->exit);
}

/* Vertices behind the crossings, `at` being the first free place: what is outside is written over by the next. */
static int32_t add_inside(AbutTrace *t, int owner, int32_t at) {
    const AbutTraceSide *s = &t->side[owner];
    for (int32_t v = 0; v < s->body->vertex_count; ++v) {
        t->to.vertex[at] = s->vertex[v];
        at += s->number[v] >= 0;
    }
    return at;
}

int abut_overlap_trace(const AbutOverlapBodies *bodies, void *memory, AbutOverlapArrays to, AbutOverlap *out) {
    AbutTrace t = lay_out(bodies, memory, to, out);
    send_for_edges(&bodies->body[0]);
    send_for_edges(&bodies->body[1]);
    load_side(&t.side[0], bodies->origin, 0);
    load_side(&t.side[1], bodies->origin, 1);
    int32_t inside_a = abut_trace_classify(&t, 0), inside_b = inside_a < 0 ? -1 : abut_trace_classify(&t, 1);
    if (inside_b < 0 || !abut_trace_curves(&t) || t.crossings + inside_a + inside_b >= t.vertex_capacity) return 0;
    t.side[0].first = t.crossings;
    t.side[1].first = t.crossings + inside_a;
    if (!abut_trace_faces(&t, 0) || !abut_trace_faces(&t, 1)) return 0;
    out->vertex_count = t.crossings + inside_a + inside_b;
    if (out->vertex_count - out->corner_count / 2 + out->face_count != 2) return 0;
    add_inside(&t, 1, add_inside(&t, 0, t.crossings));
    for (int32_t f = 0; f < out->face_count; ++f) {
        const AbutTraceSide *s = &t.side[to.face[f].owner];
        AbutVec3 n = s->plane[to.face[f].source].normal;
        double offset = s->body->face[to.face[f].source].plane.offset;
        to.face[f].plane = (AbutPlane){n, offset + abut_dot(n, s->body->shift)};
    }
    return 1;
}
