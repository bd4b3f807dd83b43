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
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

/*
 * Distances of all slots to the plane, their largest and smallest value, in the widest form this processor has. Free
 * slots hold NaN and never win a comparison. Every form rounds alike.
 */
static void measure_plain(AbutClip *c, AbutVec3 n, double offset, double *most, double *least)
{
    double high = -INFINITY, low = INFINITY;
    for (int i = 0; i < c->vertex_slots; ++i) {
        double value = n.x * c->x[i] + n.y * c->y[i] + n.z * c->z[i] - offset;
        c->d[i] = value;
        high = value > high ? value : high;
        low = value < low ? value : low;
    }
    *most = high, *least = low;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void measure_avx2(
    AbutClip *c, AbutVec3 n, double offset, double *most, double *least)
{
    __m256d nx = _mm256_set1_pd(n.x), ny = _mm256_set1_pd(n.y), nz = _mm256_set1_pd(n.z),
            shift = _mm256_set1_pd(offset);
    __m256d high = _mm256_set1_pd(-INFINITY), low = _mm256_set1_pd(INFINITY);
    for (int i = 0; i < c->vertex_slots; i += 4) {
        __m256d xy =
            _mm256_add_pd(_mm256_mul_pd(nx, _mm256_load_pd(c->x + i)), _mm256_mul_pd(ny, _mm256_load_pd(c->y + i)));
        __m256d value = _mm256_sub_pd(_mm256_add_pd(xy, _mm256_mul_pd(nz, _mm256_load_pd(c->z + i))), shift);
        _mm256_store_pd(c->d + i, value);
        high = _mm256_max_pd(value, high); /* the second operand where the first is NaN */
        low = _mm256_min_pd(value, low);
    }
    double h[4], l[4];
    _mm256_storeu_pd(h, high);
    _mm256_storeu_pd(l, low);
    *most = fmax(fmax(h[0], h[1]), fmax(h[2], h[3]));
    *least = fmin(fmin(l[0], l[1]), fmin(l[2], l[3]));
}

static AbutClipMeasure *choose_measure(void)
{
    return __builtin_cpu_supports("avx2") ? measure_avx2 : measure_plain;
}
#else
static AbutClipMeasure *choose_measure(void)
{
    return measure_plain;
}
#endif

static int32_t slots_of_vertices(int faces)
{
    return (3 * faces + 16 + 7) & ~7; /* whole groups of lanes */
}

static int32_t slots_of_edges(int faces)
{
    return 9 * faces + 48;
}

size_t abut_clip_size(int faces)
{
    size_t v = (size_t)slots_of_vertices(faces), e = (size_t)slots_of_edges(faces), f = (size_t)faces + 8;
    return v * (4 * sizeof(double) + 4 * sizeof(int32_t)) + e * (sizeof(AbutClipEdge) + 3 * sizeof(int32_t)) +
           f * (sizeof(AbutClipFace) + 2 * sizeof(int32_t)) + 17 * 64;
}

int abut_clip_create(AbutClip *clip, int faces, void *memory, size_t size)
{
    AbutArena arena = abut_arena(memory, size);
    size_t v = (size_t)slots_of_vertices(faces), e = (size_t)slots_of_edges(faces), f = (size_t)faces + 8;
    memset(clip, 0, sizeof *clip);
    clip->x = abut_arena_take(&arena, v * sizeof(double));
    clip->y = abut_arena_take(&arena, v * sizeof(double));
    clip->z = abut_arena_take(&arena, v * sizeof(double));
    clip->d = abut_arena_take(&arena, v * sizeof(double));
    clip->out = abut_arena_take(&arena, v * sizeof(int32_t));
    clip->cap_from = abut_arena_take(&arena, v * sizeof(int32_t));
    clip->free_vertex = abut_arena_take(&arena, v * sizeof(int32_t));
    clip->gone = abut_arena_take(&arena, v * sizeof(int32_t));
    clip->edge = abut_arena_take(&arena, e * sizeof(AbutClipEdge));
    clip->free_edge = abut_arena_take(&arena, e * sizeof(int32_t));
    clip->pending = abut_arena_take(&arena, e * sizeof(int32_t));
    clip->cap = abut_arena_take(&arena, e * sizeof(int32_t));
    clip->face = abut_arena_take(&arena, f * sizeof(AbutClipFace));
    clip->free_face = abut_arena_take(&arena, f * sizeof(int32_t));
    clip->touched = abut_arena_take(&arena, f * sizeof(int32_t));
    clip->measure = choose_measure();
    clip->vertex_capacity = (int32_t)v;
    clip->edge_capacity = (int32_t)e;
    clip->face_capacity = (int32_t)f;
    return clip->touched != NULL;
}

static void load_vertices(AbutClip *c, const AbutFaceted *body, AbutVec3 origin)
{
    AbutVec3 shift = abut_sub(body->shift, origin);
    for (int i = 0; i < body->vertex_count; ++i) {
        AbutVec3 v = abut_add(abut_mat3_apply(body->turn, body->vertex[i]), shift);
        c->x[i] = v.x, c->y[i] = v.y, c->z[i] = v.z;
        c->cap_from[i] = -1;
    }
    for (int i = body->vertex_count; i < c->vertex_capacity; ++i)
        c->x[i] = c->y[i] = c->z[i] = c->d[i] = NAN;
    c->vertex_slots = c->live_vertices = body->vertex_count;
}

void abut_clip_load(AbutClip *c, const AbutFaceted *body, AbutVec3 origin, int owner)
{
    const AbutHalfEdge *half = body->half_edge;
    const AbutFace *face = body->face;
    load_vertices(c, body, origin);
    for (int f = 0; f < body->face_count; ++f) {
        AbutClipFace loaded = {face[f].first, 2 * f + owner, 0, 0};
        c->face[f] = loaded;
        int32_t end = face[f].first + face[f].count;
        for (int32_t h = face[f].first; h < end; ++h) {
            AbutClipEdge edge = {half[h].origin, h + 1 < end ? h + 1 : face[f].first, half[h].twin, f, -1};
            c->edge[h] = edge;
            c->out[half[h].origin] = h;
        }
    }
    c->edge_slots = body->half_edge_count;
    c->face_slots = body->face_count;
}

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static int32_t new_vertex(AbutClip *c)
{
    int32_t v = -1;
    if (c->free_vertices > 0)
        v = c->free_vertex[--c->free_vertices];
    else if (c->vertex_slots < c->vertex_capacity)
        v = c->vertex_slots++;
    if (v >= 0) {
        c->cap_from[v] = -1;
        c->d[v] = 0.0;
        ++c->live_vertices;
    }
    return v;
}

static void free_vertex(AbutClip *c, int32_t v)
{
    c->x[v] = c->y[v] = c->z[v] = c->d[v] = NAN;
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
    return c->d[v] > c->snap;
}

static int inside(const AbutClip *c, int32_t v)
{
    return c->d[v] < -c->snap;
}

/* Faces around the outside vertices; those without an inside vertex are marked as dropped. */
static void gather_faces(AbutClip *c)
{
    c->touched_count = c->gone_count = 0;
    for (int32_t v = 0; v < c->vertex_slots; ++v) {
        if (!outside(c, v))
            continue;
        c->gone[c->gone_count++] = v;
        int32_t h = c->out[v];
        do {
            AbutClipFace *face = &c->face[c->edge[h].face];
            if (face->stamp != c->stamp) {
                face->stamp = c->stamp;
                c->touched[c->touched_count++] = c->edge[h].face;
            }
            h = c->edge[c->edge[h].twin].next;
        } while (h != c->out[v]);
    }
    for (int32_t i = 0; i < c->touched_count; ++i) {
        AbutClipFace *face = &c->face[c->touched[i]];
        face->dropped = 1;
        int32_t h = face->first;
        do {
            if (inside(c, c->edge[h].origin)) {
                face->dropped = 0;
                face->first = h;
                break;
            }
            h = c->edge[h].next;
        } while (h != face->first);
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
    double t = c->d[a] / (c->d[a] - c->d[b]);
    c->x[v] = c->x[a] + t * (c->x[b] - c->x[a]);
    c->y[v] = c->y[a] + t * (c->y[b] - c->y[a]);
    c->z[v] = c->z[a] + t * (c->z[b] - c->z[a]);
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
        if (c->d[v] >= -c->snap && c->cap_from[v] < 0) /* false for a vertex that is free already */
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
    c->x[to] = c->x[from], c->y[to] = c->y[from], c->z[to] = c->z[from];
    c->cap_from[to] = -1;
    c->x[from] = c->y[from] = c->z[from] = c->d[from] = NAN;
}

void abut_clip_tighten(AbutClip *c)
{
    int32_t from = c->vertex_slots - 1;
    for (int32_t to = 0; to < c->live_vertices; ++to) {
        if (c->x[to] == c->x[to])
            continue;
        while (!(c->x[from] == c->x[from]))
            --from;
        move_vertex(c, from, to);
    }
    c->vertex_slots = c->live_vertices;
    c->free_vertices = 0;
    AbutAabb box = abut_aabb_empty();
    for (int32_t v = 0; v < c->vertex_slots; ++v)
        box = abut_aabb_add(box, abut_vec3(c->x[v], c->y[v], c->z[v]));
    c->center = abut_lerp(box.min, box.max, 0.5);
    c->half = abut_scale(abut_sub(box.max, box.min), 0.5);
}

AbutCutResult abut_clip_cut(AbutClip *c, AbutVec3 normal, double offset, int32_t label)
{
    double most, least;
    c->measure(c, normal, offset, &most, &least);
    if (!(most > c->snap))
        return ABUT_CUT_NOTHING;
    if (!(least < -c->snap))
        return ABUT_CUT_ALL;
    ++c->stamp;
    c->cap_count = c->pending_count = 0;
    gather_faces(c);
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
