/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cutting a convex polyhedron by a plane on half-edges.
 *
 * Design of a cut: distances of all vertices to the plane, those within `snap` are on it; faces with a vertex outside
 * are gathered around the outside vertices. A face without a vertex inside is dropped. Of any other gathered face each
 * run of outside corners is replaced by one edge from where it leaves to where it comes back. The other sides of those
 * edges, and the sides left over where a kept face met a dropped one along an edge on the plane, bound the cap; they
 * are chained by their start vertices into the new face. Since only topology decides how things hang together, the
 * result is closed whatever rounding does to the coordinates.
 */
#include "query/overlap_clip.h"

#include <math.h>

/* ---- slots ------------------------------------------------------------------------------------------------------- */

/* A slot behind the last one starts a group of lanes now and then: the rest of the group is NaN. */
static int32_t append_vertex(AbutClip *c)
{
    int32_t v = c->vertex.count;
    if (v >= c->vertex_capacity)
        return -1;
    if ((v & 3) == 0)
        c->vertex.x[v + 1] = c->vertex.x[v + 2] = c->vertex.x[v + 3] = NAN;
    c->vertex.count = v + 1;
    return v;
}

static int32_t new_vertex(AbutClip *c)
{
    int32_t v = c->free_vertices > 0 ? c->free_vertex[--c->free_vertices] : append_vertex(c);
    if (v >= 0) {
        c->cap_from[v] = -1;
        c->vertex.d[v] = 0.0;
        ++c->live_vertices;
    }
    return v;
}

static void free_vertex(AbutClip *c, int32_t v)
{
    c->vertex.x[v] = c->vertex.d[v] = NAN;
    c->free_vertex[c->free_vertices++] = v;
    --c->live_vertices;
}

static int32_t new_edge(AbutClip *c, int32_t origin, int32_t face)
{
    int32_t h = -1;
    if (c->free_edges > 0)
        h = c->free_edge[--c->free_edges];
    else if (c->edge_slots < c->edge_capacity)
        h = c->edge_slots++;
    if (h >= 0) {
        AbutClipEdge edge = {origin, -1, -1, face, -1};
        c->edge[h] = edge;
    }
    return h;
}

static int32_t new_face(AbutClip *c, int32_t label)
{
    int32_t f = -1;
    if (c->free_faces > 0)
        f = c->free_face[--c->free_faces];
    else if (c->face_slots < c->face_capacity)
        f = c->face_slots++;
    if (f >= 0) {
        AbutClipFace face = {-1, label, c->stamp, 0};
        c->face[f] = face;
    }
    return f;
}

/* Edges given back during a cut are used again only after it: others may still look at them. */
static void free_edge(AbutClip *c, int32_t h)
{
    c->pending[c->pending_count++] = h;
}

/* ---- steps of a cut ---------------------------------------------------------------------------------------------- */

static int outside(const AbutClip *c, int32_t v)
{
    return c->vertex.d[v] > c->snap;
}

static int inside(const AbutClip *c, int32_t v)
{
    return c->vertex.d[v] < -c->snap;
}

/* Marks the face as dropped, or starts it at an inside vertex. */
static void sort_face(AbutClip *c, int32_t f)
{
    int32_t start = c->face[f].first, h = start;
    while (!inside(c, c->edge[h].origin)) {
        h = c->edge[h].next;
        if (h == start) {
            c->face[f].dropped = 1;
            return;
        }
    }
    c->face[f].first = h;
}

/* Faces around the outside vertices. */
static void gather_faces(AbutClip *c)
{
    for (int32_t i = 0; i < c->gone_count; ++i) {
        int32_t start = c->out[c->gone[i]], h = start;
        do {
            int32_t f = c->edge[h].face;
            if (c->face[f].stamp != c->stamp) {
                c->face[f].stamp = c->stamp;
                c->touched[c->touched_count++] = f;
            }
            h = c->edge[c->edge[h].twin].next;
        } while (h != start);
    }
}

/* All faces with an outside vertex. */
static void gather_all_faces(AbutClip *c)
{
    for (int32_t f = 0; f < c->face_slots; ++f) {
        int32_t start = c->face[f].first, h = start;
        do {
            if (outside(c, c->edge[h].origin)) {
                c->touched[c->touched_count++] = f;
                break;
            }
            h = c->edge[h].next;
        } while (h != start);
    }
}

/* The vertex where edge h meets the plane; made by the first of its two faces, found by the second. */
static int32_t vertex_on_edge(AbutClip *c, int32_t h)
{
    int32_t twin = c->edge[h].twin, v = c->edge[h].cut;
    if (v >= 0) {
        c->edge[h].cut = c->edge[twin].cut = -1;
        return v;
    }
    int32_t a = c->edge[h].origin, b = c->edge[twin].origin;
    if (outside(c, a)) {
        int32_t swap = a;
        a = b, b = swap;
    }
    v = new_vertex(c);
    if (v < 0)
        return -1;
    const AbutClipRows *at = &c->vertex;
    double t = at->d[a] / (at->d[a] - at->d[b]);
    at->x[v] = at->x[a] + t * (at->x[b] - at->x[a]);
    at->y[v] = at->y[a] + t * (at->y[b] - at->y[a]);
    at->z[v] = at->z[a] + t * (at->z[b] - at->z[a]);
    c->edge[h].cut = c->edge[twin].cut = v;
    return v;
}

/* A new edge from `from` to `to` in a trimmed face, with its other side on the cap. Gives the edge, or -1. */
static int32_t bridge(AbutClip *c, int32_t from, int32_t to, int32_t face)
{
    int32_t g = new_edge(c, from, face), other = new_edge(c, to, -1);
    if (from < 0 || to < 0 || g < 0 || other < 0)
        return -1;
    c->edge[g].twin = other;
    c->edge[other].twin = g;
    c->cap[c->cap_count++] = other;
    return g;
}

/* Replaces every run of outside corners of a face by one edge. face->first starts at an inside vertex. */
static int trim_face(AbutClip *c, int32_t f)
{
    int32_t start = c->face[f].first, previous = -1, h = start;
    do {
        int32_t next = c->edge[h].next;
        if (!outside(c, c->edge[next].origin)) {
            previous = h;
            h = next;
            continue;
        }
        int32_t last = h, from = c->edge[h].origin;
        if (inside(c, from)) {
            from = vertex_on_edge(c, h);
        } else {
            last = previous;
            free_edge(c, h);
        }
        while (outside(c, c->edge[c->edge[next].next].origin)) {
            free_edge(c, next);
            next = c->edge[next].next;
        }
        int32_t after = c->edge[next].next, to = c->edge[after].origin, back = after;
        if (inside(c, to)) {
            /* the edge is cut while its origin is still the outside vertex */
            to = vertex_on_edge(c, next);
            back = next;
        } else {
            free_edge(c, next);
        }
        int32_t g = bridge(c, from, to, f);
        if (g < 0)
            return 0;
        if (back == next)
            c->edge[next].origin = to;
        c->edge[last].next = g;
        c->edge[g].next = back;
        previous = back == next ? next : g;
        h = after;
    } while (h != start);
    return 1;
}

/* Gives a dropped face back; its sides along kept faces go to the cap. */
static void drop_face(AbutClip *c, int32_t f)
{
    int32_t start = c->face[f].first, h = start;
    do {
        int32_t next = c->edge[h].next, twin = c->edge[h].twin;
        int on_plane = !outside(c, c->edge[h].origin) && !outside(c, c->edge[next].origin);
        if (on_plane && !c->face[c->edge[twin].face].dropped)
            c->cap[c->cap_count++] = h;
        else
            free_edge(c, h);
        h = next;
    } while (h != start);
}

/* Chains the sides in c->cap into faces. False when they do not close. */
static int close_cap(AbutClip *c, int32_t label)
{
    for (int32_t i = 0; i < c->cap_count; ++i) {
        int32_t h = c->cap[i], v = c->edge[h].origin;
        if (c->cap_from[v] >= 0)
            return 0;
        c->cap_from[v] = h;
        c->out[v] = h;
        c->edge[h].face = -1;
    }
    for (int32_t i = 0; i < c->cap_count; ++i) {
        int32_t h = c->cap[i];
        c->edge[h].next = c->cap_from[c->edge[c->edge[h].twin].origin];
        if (c->edge[h].next < 0)
            return 0;
    }
    for (int32_t i = 0; i < c->cap_count; ++i) {
        if (c->edge[c->cap[i]].face >= 0)
            continue;
        int32_t f = new_face(c, label), h = c->cap[i], count = 0;
        if (f < 0)
            return 0;
        c->face[f].first = h;
        for (; c->edge[h].face < 0; h = c->edge[h].next, ++count)
            c->edge[h].face = f;
        if (h != c->cap[i] || count < 3)
            return 0;
    }
    return 1;
}

/* Outside vertices, and those on the plane that no face uses any more, become free; so do dropped faces. */
static void sweep_up(AbutClip *c)
{
    for (int32_t i = 0; i < c->touched_count; ++i) {
        AbutClipFace *face = &c->face[c->touched[i]];
        if (!face->dropped)
            continue;
        face->dropped = 0;
        face->first = -1;
        c->free_face[c->free_faces++] = c->touched[i];
    }
    for (int32_t i = 0; i < c->gone_count; ++i)
        free_vertex(c, c->gone[i]);
    for (int32_t i = 0; i < c->pending_count; ++i) {
        int32_t h = c->pending[i], v = c->edge[h].origin;
        if (c->vertex.d[v] >= -c->snap && c->cap_from[v] < 0) /* false for a vertex that is free already */
            free_vertex(c, v);
        c->free_edge[c->free_edges++] = h;
    }
    for (int32_t i = 0; i < c->cap_count; ++i)
        c->cap_from[c->edge[c->cap[i]].origin] = -1;
}

/* Moves vertex `from` into the free slot `to`. */
static void move_vertex(AbutClip *c, int32_t from, int32_t to)
{
    int32_t h = c->out[from];
    do {
        c->edge[h].origin = to;
        h = c->edge[c->edge[h].twin].next;
    } while (h != c->out[from]);
    c->out[to] = c->out[from];
    c->vertex.x[to] = c->vertex.x[from], c->vertex.y[to] = c->vertex.y[from], c->vertex.z[to] = c->vertex.z[from];
    c->cap_from[to] = -1;
    c->vertex.x[from] = NAN;
}

void abut_clip_tighten(AbutClip *c)
{
    const double *x = c->vertex.x, *y = c->vertex.y, *z = c->vertex.z;
    int32_t from = c->vertex.count - 1;
    for (int32_t to = 0; to < c->live_vertices && c->free_vertices > 0; ++to) {
        if (x[to] == x[to])
            continue;
        while (!(x[from] == x[from]))
            --from;
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

/* The cut, once the faces with an outside vertex are in `touched`. */
static AbutCutResult cut_touched(AbutClip *c, int32_t label)
{
    for (int32_t i = 0; i < c->touched_count; ++i)
        sort_face(c, c->touched[i]);
    for (int32_t i = 0; i < c->touched_count; ++i)
        if (!c->face[c->touched[i]].dropped && !trim_face(c, c->touched[i]))
            return ABUT_CUT_BROKEN;
    for (int32_t i = 0; i < c->touched_count; ++i)
        if (c->face[c->touched[i]].dropped)
            drop_face(c, c->touched[i]);
    if (!close_cap(c, label))
        return ABUT_CUT_BROKEN;
    sweep_up(c);
    return ABUT_CUT_PART;
}

AbutCutResult abut_clip_first_cut(AbutClip *c, int32_t label)
{
    c->touched_count = c->cap_count = c->pending_count = 0;
    gather_all_faces(c);
    return cut_touched(c, label);
}

AbutCutResult abut_clip_cut(AbutClip *c, AbutPlane plane, int32_t label)
{
    c->gone_count = c->distances(&c->vertex, plane, c->snap, c->gone, &c->least);
    if (c->gone_count == 0)
        return ABUT_CUT_NOTHING;
    if (!(c->least < -c->snap))
        return ABUT_CUT_ALL;
    ++c->stamp;
    c->touched_count = c->cap_count = c->pending_count = 0;
    gather_faces(c);
    return cut_touched(c, label);
}
