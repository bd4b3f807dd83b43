/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cutting a convex polyhedron by a plane on half-edges.
 *
 * Design of a cut: distances of all vertices to the plane, those within `snap` are on it. Around each set of outside
 * vertices that hangs together runs a ring of faces with corners on both sides. It is walked from edge to edge: of each
 * face the run of outside corners is replaced by one edge, from the vertex where it leaves to the vertex where it comes
 * back, and the other side of that edge goes to the cap, so that the cap is closed when the walk is. A face of the ring
 * without an inside vertex is dropped, and its sides on the plane go to the cap. Faces within the ring go as a whole.
 * Since only topology decides how things hang together, the result is closed whatever rounding does to the coordinates;
 * signs that no plane gives (a face with two outside runs, a vertex met twice) break the cut before it does harm.
 */
#include "shape/clip.h"

#include <math.h>

/* ---- slots ------------------------------------------------------------------------------------------------------- */

/* A slot behind the last one starts a group of lanes now and then: the rest of the group is NaN. */
static int32_t append_vertex(AbutClip *c) {
    int32_t v = c->vertex.count;
    if (v >= c->vertex_capacity) return -1;
    for (int32_t i = v + 1; (v & 7) == 0 && i < v + 8; ++i) c->vertex.x[i] = NAN;
    c->vertex.count = v + 1;
    return v;
}

static int32_t new_vertex(AbutClip *c) {
    int32_t v = c->free_vertices > 0 ? c->free_vertex[--c->free_vertices] : append_vertex(c);
    if (v >= 0) {
        c->mark[v] = 0;
        c->vertex.d[v] = 0.0;
        ++c->live_vertices;
    }
    return v;
}

static void free_vertex(AbutClip *c, int32_t v) {
    c->vertex.x[v] = c->vertex.d[v] = NAN;
    c->free_vertex[c->free_vertices++] = v;
    --c->live_vertices;
}

static int32_t new_edge(AbutClip *c, int32_t origin, int32_t face) {
    int32_t h = -1;
    if (c->free_edges > 0)
        h = c->free_edge[--c->free_edges];
    else if (c->edge_slots < c->edge_capacity)
        h = c->edge_slots++;
    if (h >= 0) {
        AbutClipEdge edge = {origin, -1, -1, face};
        c->edge[h] = edge;
    }
    return h;
}

static int32_t new_face(AbutClip *c, int32_t label) {
    int32_t f = -1;
    if (c->free_faces > 0)
        f = c->free_face[--c->free_faces];
    else if (c->face_slots < c->face_capacity)
        f = c->face_slots++;
    if (f >= 0) {
        AbutClipFace face = {-1, label, c->stamp};
        c->face[f] = face;
    }
    return f;
}

static void free_face(AbutClip *c, int32_t f) {
    c->face[f].first = -1;
    c->free_face[c->free_faces++] = f;
}

/* Edges given back during a cut are used again only after it: others may still look at them. */
static void free_edge(AbutClip *c, int32_t h) { c->pending[c->pending_count++] = h; }

/* ---- steps of a cut ---------------------------------------------------------------------------------------------- */

static int outside(const AbutClip *c, int32_t v) { return c->vertex.d[v] > c->snap; }

static int inside(const AbutClip *c, int32_t v) { return c->vertex.d[v] < -c->snap; }

/* The cap as far as the walk has come: its sides run against the walk, `head` is the last one, `tail` the first. */
typedef struct Cap {
    int32_t face, head, tail, count;
} Cap;

static void add_side(AbutClip *c, Cap *cap, int32_t h) {
    c->edge[h].next = cap->head;
    c->edge[h].face = cap->face;
    c->out[c->edge[h].origin] = h;
    cap->head = h;
    cap->tail = cap->tail < 0 ? h : cap->tail;
    ++cap->count;
}

/* The vertex where edge h, which runs outside, meets the plane: a new one, or its origin when that lies on the plane.
 * -1 when no slot is left. */
static int32_t meet_plane(AbutClip *c, int32_t h) {
    int32_t a = c->edge[h].origin, b = c->edge[c->edge[h].twin].origin;
    const AbutPointRows *at = &c->vertex;
    if (!inside(c, a)) return a;
    int32_t v = new_vertex(c);
    if (v < 0) return -1;
    double t = at->d[a] / (at->d[a] - at->d[b]);
    at->x[v] = at->x[a] + t * (at->x[b] - at->x[a]);
    at->y[v] = at->y[a] + t * (at->y[b] - at->y[a]);
    at->z[v] = at->z[a] + t * (at->z[b] - at->z[a]);
    return v;
}

/* May the walk come from vertex `in` to vertex `out`? No vertex is met twice, but by faces that follow each other. The
 * start is met again at the end, by the last faces. */
static int may_meet(AbutClip *c, int32_t start, int32_t in, int32_t out) {
    if (in == out) return 1;
    int met = c->mark[out] == c->stamp || c->mark[start] == c->stamp;
    c->mark[out] = c->stamp;
    return !met;
}

/* Has the face of the ring no vertex inside? It is entered by `enter` and left by `exit`. */
static int is_all_on(const AbutClip *c, int32_t enter, int32_t exit) {
    for (int32_t h = c->edge[exit].next; h != enter; h = c->edge[h].next)
        if (inside(c, c->edge[h].origin)) return 0;
    return 1;
}

/* Drops a face of the ring that only touches the plane; its sides there go to the cap, the last one first. */
static int drop_face(AbutClip *c, Cap *cap, int32_t enter, int32_t exit) {
    int32_t from = cap->count, h = c->edge[exit].next;
    for (; h != enter; h = c->edge[h].next) {
        if (c->edge[c->edge[h].twin].face == cap->face) return 0;
        c->cap[cap->count++] = h;
    }
    int32_t to = cap->count;
    cap->count = from;
    while (to > from) add_side(c, cap, c->cap[--to]);
    free_face(c, c->edge[enter].face);
    free_edge(c, enter);
    free_edge(c, exit);
    return 1;
}

/* Puts an edge from `in` to `out` in the place of the outside run behind `enter` and before `exit`. A vertex on the
 * plane takes the edge that led from it, or to it, away. */
static int trim_face(AbutClip *c, Cap *cap, int32_t enter, int32_t exit, int32_t in, int32_t out) {
    int32_t f = c->edge[enter].face, in_on = c->edge[enter].origin == in;
    int32_t side = new_edge(c, out, cap->face), bridge = in_on ? enter : new_edge(c, in, f);
    if (side < 0 || bridge < 0) return 0;
    if (!in_on) c->edge[enter].next = bridge;
    if (c->edge[c->edge[exit].twin].origin == out) {
        c->edge[bridge].next = c->edge[exit].next;
        free_edge(c, exit);
    } else {
        c->edge[bridge].next = exit;
        c->edge[exit].origin = out;
    }
    c->edge[bridge].twin = side;
    c->edge[side].twin = bridge;
    c->face[f].first = bridge;
    add_side(c, cap, side);
    return 1;
}

/* Walks the ring that `enter` (into the outside) belongs to and closes the cap. */
static int walk_ring(AbutClip *c, int32_t enter, int32_t label) {
    Cap cap = {new_face(c, label), -1, -1, 0};
    int32_t first = enter, start = meet_plane(c, enter), in = start;
    if (cap.face < 0 || start < 0) return 0;
    do {
        int32_t f = c->edge[enter].face, exit = c->edge[enter].next, next = c->edge[exit].next;
        if (c->face[f].stamp == c->stamp) return 0;
        c->face[f].stamp = c->stamp;
        for (; outside(c, c->edge[next].origin); exit = next, next = c->edge[exit].next) free_edge(c, exit);
        int32_t onward = c->edge[exit].twin, out = onward == first ? start : meet_plane(c, onward);
        if (out < 0 || !may_meet(c, start, in, out)) return 0;
        c->ring[c->ring_count++] = c->edge[exit].origin;
        int both_on = c->edge[enter].origin == in && c->edge[onward].origin == out;
        if (!(both_on && is_all_on(c, enter, exit) ? drop_face(c, &cap, enter, exit)
                                                   : trim_face(c, &cap, enter, exit, in, out)))
            return 0;
        enter = onward;
        in = out;
    } while (enter != first);
    if (cap.count < 3) return 0;
    c->edge[cap.tail].next = cap.head;
    c->face[cap.face].first = cap.head;
    return 1;
}

/* A face within the ring: all its corners must be outside. */
static int free_whole_face(AbutClip *c, int32_t f) {
    int32_t start = c->face[f].first, h = start;
    c->face[f].stamp = c->stamp;
    do {
        if (!outside(c, c->edge[h].origin)) return 0;
        free_edge(c, h);
        h = c->edge[h].next;
    } while (h != start);
    free_face(c, f);
    return 1;
}

/* Gives back what lies within the ring. */
static int sweep_up(AbutClip *c) {
    for (int32_t i = 0; i < c->pending_count; ++i) { /* grows on the way */
        int32_t twin = c->edge[c->pending[i]].twin, f = twin < 0 ? -1 : c->edge[twin].face;
        if (f >= 0 && c->face[f].stamp != c->stamp && !free_whole_face(c, f)) return 0;
    }
    for (int32_t i = 0; i < c->ring_count; ++i)
        if (outside(c, c->ring[i])) free_vertex(c, c->ring[i]);
    for (int32_t i = 0; i < c->pending_count; ++i) {
        int32_t h = c->pending[i];
        if (outside(c, c->edge[h].origin)) free_vertex(c, c->edge[h].origin);
        c->free_edge[c->free_edges++] = h;
    }
    return 1;
}

/* Takes off the outside part that edge h, which comes from there, belongs to. */
static int take_off(AbutClip *c, int32_t h, int32_t label) {
    c->ring_count = c->pending_count = 0;
    return walk_ring(c, c->edge[h].twin, label) && sweep_up(c);
}

/* An edge from an outside vertex to one that is not; -1 when all its neighbors are outside. */
static int32_t way_in(const AbutClip *c, int32_t v) {
    int32_t h = c->out[v];
    do {
        if (!outside(c, c->edge[c->edge[h].twin].origin)) return h;
        h = c->edge[c->edge[h].twin].next;
    } while (h != c->out[v]);
    return -1;
}

AbutCutResult abut_clip_first_cut(AbutClip *c, int32_t label) {
    int32_t edges = c->edge_slots;
    ++c->stamp;
    for (int32_t h = 0; h < edges; ++h)
        if (outside(c, c->edge[h].origin) && !outside(c, c->edge[c->edge[h].next].origin) && !take_off(c, h, label))
            return ABUT_CUT_BROKEN;
    return ABUT_CUT_PART;
}

AbutCutResult abut_clip_cut(AbutClip *c, AbutPlane plane, int32_t label) {
    c->gone_count = c->distances(&c->vertex, plane, c->snap, c->gone, &c->least);
    if (c->gone_count == 0) return ABUT_CUT_NOTHING;
    if (!(c->least < -c->snap)) return ABUT_CUT_ALL;
    ++c->stamp;
    for (int32_t i = 0; i < c->gone_count; ++i) {
        int32_t h = outside(c, c->gone[i]) ? way_in(c, c->gone[i]) : -1;
        if (h >= 0 && !take_off(c, h, label)) return ABUT_CUT_BROKEN;
    }
    for (int32_t i = 0; i < c->gone_count; ++i)
        if (outside(c, c->gone[i])) return ABUT_CUT_BROKEN;
    return ABUT_CUT_PART;
}

/* ---- box --------------------------------------------------------------------------------------------------------- */

/* Moves vertex `from` into the free slot `to`. */
static void move_vertex(AbutClip *c, int32_t from, int32_t to) {
    int32_t h = c->out[from];
    do {
        c->edge[h].origin = to;
        h = c->edge[c->edge[h].twin].next;
    } while (h != c->out[from]);
    c->out[to] = c->out[from];
    c->vertex.x[to] = c->vertex.x[from], c->vertex.y[to] = c->vertex.y[from], c->vertex.z[to] = c->vertex.z[from];
    c->mark[to] = 0;
    c->vertex.x[from] = NAN;
}

void abut_clip_tighten(AbutClip *c) {
    const double *x = c->vertex.x, *y = c->vertex.y, *z = c->vertex.z;
    int32_t from = c->vertex.count - 1;
    for (int32_t to = 0; to < c->live_vertices && c->free_vertices > 0; ++to) {
        if (x[to] == x[to]) continue;
        while (!(x[from] == x[from])) --from;
        move_vertex(c, from, to);
    }
    c->vertex.count = c->live_vertices;
    c->free_vertices = 0;
    AbutVec3 low = abut_vec3(x[0], y[0], z[0]), high = low;
    for (int32_t v = 1; v < c->vertex.count; ++v) {
        AbutVec3 p = abut_vec3(x[v], y[v], z[v]);
        low = abut_min(low, p);
        high = abut_max(high, p);
    }
    c->center = abut_lerp(low, high, 0.5);
    c->half = abut_scale(abut_sub(high, low), 0.5);
}
