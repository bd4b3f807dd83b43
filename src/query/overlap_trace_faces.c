/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which faces bound the overlap? Whole faces with all corners inside, faces along the curves, whose outline changes
 * between their own edges and the curve, and faces that hold a whole curve.
 * In: vertices inside and outside, crossings. Out: faces and corners of the result.
 */
#include "query/overlap_trace_work.h"

static inline int32_t next_of(const AbutTraceSide *s, int32_t h)
{
    AbutFace face = s->body->face[abut_trace_half(s, h).face];
    return h + 1 < face.first + face.count ? h + 1 : face.first;
}

/* The outline of a face that is being written. */
typedef struct Outline {
    int32_t *at, *end;
} Outline;

static Outline open_outline(const AbutTrace *t)
{
    return (Outline){t->to.corner + t->out->corner_count, t->to.corner + t->corner_capacity};
}

static inline int add_corner(Outline *o, int32_t vertex)
{
    if (o->at >= o->end)
        return 0;
    *o->at++ = vertex;
    return 1;
}

/* A face of the result with the corners that were written; false when there is no room. */
static int add_face(AbutTrace *t, int owner, int32_t source, const Outline *o)
{
    AbutOverlap *out = t->out;
    if (out->face_count >= t->face_capacity)
        return 0;
    int32_t first = out->corner_count, end = (int32_t)(o->at - t->to.corner);
    AbutOverlapFace *face = &t->to.face[out->face_count++];
    face->owner = owner;
    face->source = source;
    face->first = first;
    face->count = end - first;
    out->corner_count = end;
    return 1;
}

/* The curve runs one way round on the faces of A, the other way on those of B. */
static inline int32_t follow(const AbutTrace *t, int owner, int32_t i)
{
    return owner ? t->crossing[i].previous : t->crossing[i].next;
}

int abut_trace_curve_face(AbutTrace *t, int owner, int32_t source, int32_t first)
{
    Outline o = open_outline(t);
    int32_t i = first;
    do {
        if (!add_corner(&o, i))
            return 0;
        i = follow(t, owner, i);
    } while (i != first);
    return add_face(t, owner, source, &o);
}

/* The outline of a face of `owner`, from the crossing where half-edge h leaves: the curve until it meets an edge of the
 * face again, then along the edges until one leaves. */
static int add_cut_face(AbutTrace *t, int owner, int32_t h)
{
    const AbutTraceSide *s = &t->side[owner];
    int32_t face = abut_trace_half(s, h).face, first = s->exit[h], i = first;
    Outline o = open_outline(t);
    do {
        if (!add_corner(&o, i))
            return 0;
        do {
            i = follow(t, owner, i);
            if (!add_corner(&o, i))
                return 0;
        } while (t->crossing[i].owner != owner);
        h = abut_trace_half(s, t->crossing[i].half_edge).twin;
        if (abut_trace_half(s, h).face != face)
            return 0;
        for (; s->exit[h] < 0; h = next_of(s, h)) {
            int32_t v = s->number[abut_trace_end(s, h)];
            if (v < 0 || !add_corner(&o, s->first + v))
                return 0;
        }
        i = s->exit[h];
    } while (i != first);
    return add_face(t, owner, face, &o);
}

static int add_whole_face(AbutTrace *t, int owner, int32_t f)
{
    const AbutTraceSide *s = &t->side[owner];
    AbutFace face = s->body->face[f];
    Outline o = open_outline(t);
    for (int32_t h = face.first; h < face.first + face.count; ++h)
        if (!add_corner(&o, s->first + s->number[abut_trace_half(s, h).origin]))
            return 0;
    return add_face(t, owner, f, &o);
}

int abut_trace_faces(AbutTrace *t, int owner)
{
    const AbutTraceSide *s = &t->side[owner];
    for (int32_t f = 0; f < s->body->face_count; ++f) {
        AbutFace face = s->body->face[f];
        int32_t inside = 0, leaves = -1; /* a half-edge that leaves */
        for (int32_t h = face.first; h < face.first + face.count; ++h) {
            inside += s->number[abut_trace_half(s, h).origin] >= 0;
            leaves = s->exit[h] >= 0 ? h : leaves;
        }
        if (leaves >= 0 ? !add_cut_face(t, owner, leaves)
                        : inside > 0 && (inside < face.count || !add_whole_face(t, owner, f)))
            return 0;
    }
    return 1;
}
