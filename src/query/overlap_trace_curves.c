/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where do the surfaces of two bodies cross? An edge with an end outside may leave the other body; from there the curve
 * is followed along the lines of two faces, from edge to edge, until it closes.
 * In: vertices inside and outside. Out: crossings in the order of the curves. Nothing where rounding could decide.
 */
#include "query/overlap_trace_work.h"

/* Planes that may show that an edge stays outside before all are asked. */
enum { GUESSES = 4 };

/* Where an edge of a face crosses a plane. */
typedef struct Event {
    int32_t half_edge; /* -1: none */
    AbutVec3 point;
} Event;

/* The half-edge of a face that comes in from behind the plane (`in`), or goes out (not `in`), and where. */
static Event find_event(const AbutTraceSide *s, int32_t face, AbutPlane plane, int in) {
    Event out = {-1, {0, 0, 0}};
    AbutFace f = s->body->face[face];
    AbutVec3 a = s->vertex[abut_trace_half(s, f.first + f.count - 1).origin];
    double va = abut_trace_value(plane, a);
    for (int32_t k = 0; k < f.count; ++k) {
        AbutVec3 b = s->vertex[abut_trace_half(s, f.first + k).origin];
        double vb = abut_trace_value(plane, b);
        if (in ? va > 0.0 && vb <= 0.0 : va <= 0.0 && vb > 0.0) {
            out.half_edge = f.first + (k > 0 ? k : f.count) - 1;
            out.point = abut_add_scaled(a, abut_sub(b, a), va / (va - vb));
            return out;
        }
        a = b;
        va = vb;
    }
    return out;
}

static int add_crossing(AbutTrace *t, int owner, int32_t h, AbutVec3 point) {
    int32_t i = t->crossings;
    if (i >= t->vertex_capacity) return 0;
    AbutCrossing c = {h, owner, i + 1, i - 1};
    t->crossing[i] = c;
    t->to.vertex[i] = point;
    AbutTraceSide *s = &t->side[owner];
    int32_t *leaves = &s->leaves[abut_trace_half(s, h).face];
    s->exit[h] = i;
    *leaves = h > *leaves ? h : *leaves;
    ++t->crossings;
    return 1;
}

/*
 * One step along the line of faces face[0] of A and face[1] of B, in the sense that has the inside of B on the left on
 * A's face: to the first of the edge of A's face that comes in and the edge of B's face that goes out. Gives the owner
 * of that edge, with the half-edge that leaves the other body; -1 when they are too near each other.
 */
static int step(const AbutTrace *t, int32_t face[2], Event *to) {
    const AbutTraceSide *a = &t->side[0], *b = &t->side[1];
    AbutPlane pa = a->plane[face[0]], pb = b->plane[face[1]];
    Event on_a = find_event(a, face[0], pb, 1), on_b = find_event(b, face[1], pa, 0);
    AbutVec3 d = abut_cross(pa.normal, pb.normal);
    double ahead = abut_dot(d, abut_sub(on_b.point, on_a.point)), square = abut_length_sq(d);
    if (on_a.half_edge < 0 || on_b.half_edge < 0 || !(ahead * ahead > t->near * t->near * square) ||
        square < ABUT_OVERLAP_TRACE_SLANT * ABUT_OVERLAP_TRACE_SLANT)
        return -1;
    if (ahead > 0.0) {
        *to = on_a;
        to->half_edge = abut_trace_half(a, on_a.half_edge).twin;
        face[0] = abut_trace_half(a, to->half_edge).face;
        return 0;
    }
    *to = on_b;
    face[1] = abut_trace_half(b, abut_trace_half(b, on_b.half_edge).twin).face;
    return 1;
}

/* Follows the curve that begins where half-edge h of `owner` leaves the other body through its face f. */
static int trace_curve(AbutTrace *t, int owner, int32_t h, int32_t f, AbutVec3 point) {
    int32_t first = t->crossings, face[2];
    int met[2] = {owner == 0, owner == 1};
    const AbutTraceSide *s = &t->side[owner];
    face[owner] = abut_trace_half(s, owner ? abut_trace_half(s, h).twin : h).face;
    face[!owner] = f;
    Event at = {h, point};
    for (int by = owner; t->side[by].exit[at.half_edge] < 0;) {
        if (!add_crossing(t, by, at.half_edge, at.point)) return 0;
        by = step(t, face, &at);
        if (by < 0) return 0;
        met[by] = 1;
        if (t->side[by].exit[at.half_edge] == first && by == owner) break;
        if (t->side[by].exit[at.half_edge] >= 0) return 0;
    }
    t->crossing[t->crossings - 1].next = first;
    t->crossing[first].previous = t->crossings - 1;
    return (met[0] || abut_trace_curve_face(t, 0, face[0], first)) &&
           (met[1] || abut_trace_curve_face(t, 1, face[1], first));
}

/* The part of an edge that lies in the other body: its range, and the face by which it goes out (-1: it does not). */
typedef struct Stretch {
    AbutVec3 a, b;
    double from, to;
    int32_t out_by;
} Stretch;

/* False when nothing is left of the stretch on the inner side of face f. */
static inline int cut_stretch(Stretch *e, const AbutTraceSide *other, int32_t f) {
    double va = abut_trace_value(other->plane[f], e->a), vb = abut_trace_value(other->plane[f], e->b);
    if (va > 0.0 && vb > 0.0) return 0;
    if (va > 0.0) e->from = abut_larger(e->from, va / (va - vb));
    if (vb > 0.0 && va > e->to * (va - vb)) { /* va - vb is negative: it goes out before `to` */
        e->to = va / (va - vb);
        e->out_by = f;
    }
    return e->from < e->to + ABUT_OVERLAP_TRACE_NEAR;
}

/* An edge whose ends are both outside: the planes that keep them out nearly always tell when it stays outside. */
static inline int stays_out(const AbutTraceSide *s, const AbutTraceSide *other, int32_t a, int32_t b) {
    AbutPlane pa = other->plane[s->worst[a]], pb = other->plane[s->worst[b]];
    double ab = abut_trace_value(pa, s->vertex[b]), ba = abut_trace_value(pb, s->vertex[a]);
    if ((ab > 0.0) | (ba > 0.0)) return 1;
    double aa = abut_trace_value(pa, s->vertex[a]), bb = abut_trace_value(pb, s->vertex[b]);
    /* in at aa / (aa - ab), out at ba / (ba - bb); the second difference is negative */
    return aa * (bb - ba) > -ba * (aa - ab) * (1.0 + 1e-9);
}

/* From face f over neighbors to one that p lies farther beyond than all of theirs. */
static int32_t face_towards(const AbutTraceSide *s, int32_t f, AbutVec3 p) {
    double most = abut_trace_value(s->plane[f], p);
    for (int32_t at = -1; at != f;) {
        const AbutFace *face = &s->body->face[f];
        at = f;
        for (int32_t h = face->first; h < face->first + face->count; ++h) {
            int32_t g = abut_trace_half(s, abut_trace_half(s, h).twin).face;
            double value = abut_trace_value(s->plane[g], p);
            f = value > most ? g : f;
            most = abut_larger(value, most);
        }
    }
    return f;
}

static int clip_edge(const AbutTraceSide *s, const AbutTraceSide *other, int32_t a, int32_t b, Stretch *e) {
    Stretch whole = {s->vertex[a], s->vertex[b], 0.0, 1.0, -1};
    *e = whole;
    for (int32_t guess = 0, f = s->worst[b]; guess < GUESSES && s->number[a] < 0; ++guess) {
        f = face_towards(other, f, abut_lerp(e->a, e->b, 0.5 * (e->from + e->to)));
        if (!cut_stretch(e, other, f)) return 0;
    }
    *e = whole;
    for (int32_t f = 0; f < other->body->face_count; ++f)
        if (!cut_stretch(e, other, f)) return 0;
    return 1;
}

/* Follows the curve through the point where half-edge h, whose end is outside, leaves the other body, if it does and is
 * not known yet. */
static int try_edge(AbutTrace *t, int owner, int32_t h) {
    const AbutTraceSide *s = &t->side[owner];
    int32_t a = abut_trace_half(s, h).origin;
    Stretch e;
    if (s->exit[h] >= 0) return 1;
    if (!clip_edge(s, &t->side[!owner], a, abut_trace_end(s, h), &e)) return s->number[a] < 0;
    if (e.to <= e.from + ABUT_OVERLAP_TRACE_NEAR || e.out_by < 0) return 0;
    return trace_curve(t, owner, h, e.out_by, abut_add_scaled(e.a, abut_sub(e.b, e.a), e.to));
}

/* An edge whose ends are both outside and that no single plane keeps out: if it leaves at one end, then at the other.
 */
static int try_both(AbutTrace *t, int owner, int32_t h) {
    const AbutTraceSide *s = &t->side[owner];
    return try_edge(t, owner, h) && (s->exit[h] < 0 || try_edge(t, owner, abut_trace_half(s, h).twin));
}

/* Lists the half-edges that leave the other body in front, and at the end the edges with both ends outside; which is
 * which is as good as random, so nothing branches on it. */
static void sort_edges(AbutTrace *t, int owner, int32_t *leaving, int32_t *outside) {
    const AbutTraceSide *s = &t->side[owner];
    int32_t edges = s->body->half_edge_count / 2, front = 0, back = 0;
    for (int32_t i = 0; i < edges; ++i) {
        int32_t h = s->body->edge[i];
        AbutHalfEdge half = abut_trace_half(s, h);
        int out_a = s->number[half.origin] < 0, out_b = s->number[abut_trace_half(s, half.twin).origin] < 0;
        t->list[front] = out_b ? h : half.twin;
        t->list[edges - back] = h;
        front += out_a != out_b;
        back += out_a & out_b;
    }
    *leaving = front;
    *outside = back;
}

static int curves_of(AbutTrace *t, int owner) {
    const AbutTraceSide *s = &t->side[owner], *other = &t->side[!owner];
    int32_t leaving, outside, last = s->body->half_edge_count / 2;
    sort_edges(t, owner, &leaving, &outside);
    for (int32_t i = 0; i < leaving; ++i)
        if (!try_edge(t, owner, t->list[i])) return 0;
    for (int32_t i = last - outside + 1; i <= last; ++i) {
        int32_t h = t->list[i];
        if (!stays_out(s, other, abut_trace_half(s, h).origin, abut_trace_end(s, h)) && !try_both(t, owner, h))
            return 0;
    }
    return 1;
}

int abut_trace_curves(AbutTrace *t) { return curves_of(t, 0) && curves_of(t, 1); }
