/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which faces bound the overlap? Whole faces with all corners inside, faces along the curves, whose outline changes
 * between their own edges and the curve, and faces that hold a whole curve.
 * In: vertices inside and outside, crossings. Out: faces and corners of the result.
 */
#include "query/overlap_trace_work.h"

static inline int32_t next_of(const AbutTraceSide *s, int32_t h) {
    AbutFace face = s->body->face[abut_trace_half(s, h).face];
    return h + 1 < face.first + face.count ? h + 1 : face.first;
}

/* The outline of a face that is being written. */
typedef struct Outline {
    int32_t *at, *end;
} Outline;

static Outline open_outline(const AbutTrace *t) {
    return (Outline){t->to.corner + t->out->corner_count, t->to.corner + t->corner_capacity};
}

static inline int add_corner(Outline *o, int32_t vertex) {
    if (o->at >= o->end) return 0;
    *o->at++ = vertex;
    return 1;
}

/* Fills a face of the result with the corners that were written. */
static void close_face(AbutTrace *t, int32_t place, int owner, int32_t source, const Outline *o) {
    int32_t first = t->out->corner_count, end = (int32_t)(o->at - t->to.corner);
    t->to.face[place] = (AbutOverlapFace){.first = first, .count = end - first, .owner = owner, .source = source};
    t->out->corner_count = end;
}

/* The curve runs one way round on the faces of A, the other way on those of B. */
static inline int32_t follow(const AbutTrace *t, int owner, int32_t i) {
    return owner ? t->crossing[i].previous : t->crossing[i].next;
}

int abut_trace_curve_face(AbutTrace *t, int owner, int32_t source, int32_t first) {
    Outline o = open_outline(t);
    int32_t i = first;
    do {
        if (!add_corner(&o, i)) return 0;
        i = follow(t, owner, i);
    } while (i != first);
    if (t->out->face_count >= t->face_capacity) return 0;
    close_face(t, t->out->face_count++, owner, source, &o);
    return 1;
}

/* The outline of a face of `owner`, from the crossing where half-edge h leaves: the curve until it meets an edge of the
 * face again, then along the edges until one leaves. */
static int add_cut_face(AbutTrace *t, int owner, int32_t h, int32_t place) {
    const AbutTraceSide *s = &t->side[owner];
    int32_t face = abut_trace_half(s, h).face, first = s->exit[h], i = first;
    Outline o = open_outline(t);
    do {
        if (!add_corner(&o, i)) return 0;
        do {
            i = follow(t, owner, i);
            if (!add_corner(&o, i)) return 0;
        } while (t->crossing[i].owner != owner);
        h = abut_trace_half(s, t->crossing[i].half_edge).twin;
        if (abut_trace_half(s, h).face != face) return 0;
        for (; s->exit[h] < 0; h = next_of(s, h)) {
            int32_t v = s->number[abut_trace_end(s, h)];
            if (v < 0 || !add_corner(&o, s->first + v)) return 0;
        }
        i = s->exit[h];
    } while (i != first);
    close_face(t, place, owner, face, &o);
    return 1;
}

static int add_whole_face(AbutTrace *t, int owner, int32_t f, int32_t place) {
    const AbutTraceSide *s = &t->side[owner];
    AbutFace face = s->body->face[f];
    Outline o = open_outline(t);
    for (int32_t h = face.first; h < face.first + face.count; ++h)
        if (!add_corner(&o, s->first + s->number[abut_trace_half(s, h).origin])) return 0;
    close_face(t, place, owner, f, &o);
    return 1;
}

/*
 * Lists the faces that bound the result in the order of the body, which they keep in the result: whole ones, as source
 * and place, in front, cut ones at the end. Which is which is as good as random, so nothing branches on it. False where
 * a face has corners inside and outside, but no edge that leaves.
 */
static int sort_faces(AbutTrace *t, int owner, int32_t *whole, int32_t *cut) {
    const AbutTraceSide *s = &t->side[owner];
    int32_t faces = s->body->face_count, place = t->out->face_count, front = 0, back = 0, odd = 0;
    for (int32_t f = 0; f < faces; ++f) {
        const AbutFace *face = &s->body->face[f];
        const AbutHalfEdge *half = s->body->half_edge + face->first;
        int32_t a = s->number[half[0].origin], b = s->number[half[1].origin], c = s->number[half[2].origin];
        int32_t some = a | b | c, each = a & b & c; /* negative: some corner is outside, every corner is */
        for (int32_t k = 3; k < face->count; ++k) {
            some |= s->number[half[k].origin];
            each &= s->number[half[k].origin];
        }
        int all = some >= 0, leaves = s->leaves[f] >= 0;
        t->source[front] = t->source[faces - back] = f;
        t->place[front] = t->place[faces - back] = place;
        front += all & !leaves;
        back += leaves;
        odd |= !all & (each >= 0) & !leaves;
        place += all | leaves;
    }
    t->out->face_count = place;
    *whole = front;
    *cut = back;
    return !odd && place <= t->face_capacity;
}

int abut_trace_faces(AbutTrace *t, int owner) {
    const AbutTraceSide *s = &t->side[owner];
    int32_t whole, cut, last = s->body->face_count;
    if (!sort_faces(t, owner, &whole, &cut)) return 0;
    for (int32_t i = 0; i < whole; ++i)
        if (!add_whole_face(t, owner, t->source[i], t->place[i])) return 0;
    for (int32_t i = last - cut + 1; i <= last; ++i)
        if (!add_cut_face(t, owner, s->leaves[t->source[i]], t->place[i])) return 0;
    return 1;
}
