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

static int open_face(AbutTrace *t, int owner, int32_t source)
{
    AbutOverlap *out = t->out;
    if (out->face_count >= t->face_capacity)
        return 0;
    AbutOverlapFace *face = &t->to.face[out->face_count++];
    face->owner = owner;
    face->source = source;
    face->first = out->corner_count;
    face->count = 0;
    return 1;
}

static int add_corner(AbutTrace *t, int32_t vertex)
{
    AbutOverlap *out = t->out;
    if (out->corner_count >= t->corner_capacity)
        return 0;
    t->to.corner[out->corner_count++] = vertex;
    ++t->to.face[out->face_count - 1].count;
    return 1;
}

/* The curve runs one way round on the faces of A, the other way on those of B. */
static inline int32_t follow(const AbutTrace *t, int owner, int32_t i)
{
    return owner ? t->crossing[i].previous : t->crossing[i].next;
}

int abut_trace_curve_face(AbutTrace *t, int owner, int32_t source, int32_t first)
{
    if (!open_face(t, owner, source))
        return 0;
    int32_t i = first;
    do {
        if (!add_corner(t, i))
            return 0;
        i = follow(t, owner, i);
    } while (i != first);
    return 1;
}

/* The outline of a face of `owner`, from the crossing where half-edge h leaves: the curve until it meets an edge of the
 * face again, then along the edges until one leaves. */
static int add_cut_face(AbutTrace *t, int owner, int32_t h)
{
    const AbutTraceSide *s = &t->side[owner];
    int32_t face = abut_trace_half(s, h).face, first = s->exit[h], i = first;
    if (!open_face(t, owner, face))
        return 0;
    do {
        if (!add_corner(t, i))
            return 0;
        do {
            i = follow(t, owner, i);
            if (!add_corner(t, i))
                return 0;
        } while (t->crossing[i].owner != owner);
        h = abut_trace_half(s, t->crossing[i].half_edge).twin;
        if (abut_trace_half(s, h).face != face)
            return 0;
        for (; s->exit[h] < 0; h = next_of(s, h)) {
            int32_t v = s->number[abut_trace_end(s, h)];
            if (v < 0 || !add_corner(t, s->first + v))
                return 0;
        }
        i = s->exit[h];
    } while (i != first);
    return 1;
}

/* A face whose edges the curves do not meet: whole, or not there. */
static int add_whole_face(AbutTrace *t, int owner, int32_t f)
{
    const AbutTraceSide *s = &t->side[owner];
    AbutFace face = s->body->face[f];
    int inside = s->number[abut_trace_half(s, face.first).origin] >= 0;
    if (inside && !open_face(t, owner, f))
        return 0;
    for (int32_t h = face.first; h < face.first + face.count; ++h) {
        int32_t v = s->number[abut_trace_half(s, h).origin];
        if ((v >= 0) != inside || (inside && !add_corner(t, s->first + v)))
            return 0;
    }
    return 1;
}

int abut_trace_faces(AbutTrace *t, int owner)
{
    const AbutTraceSide *s = &t->side[owner];
    for (int32_t f = 0; f < s->body->face_count; ++f) {
        AbutFace face = s->body->face[f];
        int32_t h = face.first, end = face.first + face.count;
        while (h < end && s->exit[h] < 0)
            ++h;
        if (!(h < end ? add_cut_face(t, owner, h) : add_whole_face(t, owner, f)))
            return 0;
    }
    return 1;
}
