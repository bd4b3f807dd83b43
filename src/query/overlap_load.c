/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loading a body into a clip. In: a body with faces and the first plane to cut it with. Out: the half-edge structure of
 * the faces that do not lie wholly beyond that plane. A contact is shallow as a rule: its first cut takes most of the
 * body away, and what goes is best never copied. The sides of loaded faces along faces that were left out run from an
 * outside vertex to another and have no twin; the first cut takes them all away.
 *
 * For a body with many faces those others are never looked at: from a corner that lies lowest on the plane, found by
 * going down along edges, the walk goes from face to face over edges with an end that is not outside. Such corners hang
 * together on a convex body.
 */
#include "query/overlap_clip.h"
#include "shape/face_walk.h"

#include <math.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int32_t slots_of_vertices(int faces) { return (3 * faces + 16 + 7) & ~7; /* whole groups of lanes */ }

static int32_t slots_of_edges(int faces) { return 9 * faces + 48; }

size_t abut_clip_size(int faces) {
    size_t v = (size_t)slots_of_vertices(faces), e = (size_t)slots_of_edges(faces), f = (size_t)faces + 8;
    return v * (8 * sizeof(double) + 5 * sizeof(int32_t)) + e * (sizeof(AbutClipEdge) + 3 * sizeof(int32_t)) +
           f * (sizeof(AbutClipFace) + 3 * sizeof(int32_t)) + 64;
}

/* Takes `count` numbers off the block at *at. */
static int32_t *take_numbers(char **at, size_t count) {
    int32_t *numbers = (int32_t *)(void *)*at;
    *at += count * sizeof *numbers;
    return numbers;
}

static AbutPointRows take_rows(char **at, size_t count) {
    double *x = (double *)(void *)*at;
    AbutPointRows rows = {x, x + count, x + 2 * count, x + 3 * count, 0};
    *at += 4 * count * sizeof *x;
    return rows;
}

/* Rows come first: they start at a multiple of 64 bytes and are whole groups of lanes long. */
void abut_clip_create(AbutClip *clip, int faces, void *memory) {
    size_t v = (size_t)slots_of_vertices(faces), e = (size_t)slots_of_edges(faces), f = (size_t)faces + 8;
    char *at = (char *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    AbutPointDistances *forms[3];
    clip->distances = forms[abut_point_distances(forms) - 1];
    clip->vertex = take_rows(&at, v);
    clip->whole = take_rows(&at, v);
    clip->edge = (AbutClipEdge *)(void *)at, at += e * sizeof *clip->edge;
    clip->face = (AbutClipFace *)(void *)at, at += f * sizeof *clip->face;
    clip->out = take_numbers(&at, v), clip->mark = take_numbers(&at, v);
    clip->free_vertex = take_numbers(&at, v), clip->gone = take_numbers(&at, v), clip->number = take_numbers(&at, v);
    clip->free_edge = take_numbers(&at, e), clip->pending = take_numbers(&at, e), clip->cap = take_numbers(&at, e);
    clip->free_face = take_numbers(&at, f), clip->ring = take_numbers(&at, f), clip->first = take_numbers(&at, f);
    clip->vertex_capacity = (int32_t)v, clip->edge_capacity = (int32_t)e, clip->face_capacity = (int32_t)f;
    clip->edge_slots = clip->face_slots = clip->live_vertices = clip->stamp = 0;
    clip->free_vertices = clip->free_edges = clip->free_faces = 0;
    clip->pending_count = clip->ring_count = clip->gone_count = 0;
}

/* ---- load -------------------------------------------------------------------------------------------------------- */

/* NaN in the padding behind the last slot. */
static void pad(AbutPointRows *rows) {
    for (int32_t i = rows->count; i & 7; ++i) rows->x[i] = rows->y[i] = rows->z[i] = NAN;
}

/* With fewer faces all are looked at. */
enum { WALK_FROM = 100 };

/* Faces and vertices that the load chose: faces are listed in `free_face`, vertices in `cap`, both ascending. */
typedef struct Chosen {
    int32_t faces, vertices, beyond;
} Chosen;

static AbutVec3 place_vertex(AbutClip *c, const AbutClipBase *base, int32_t v) {
    AbutVec3 at = abut_add(abut_mat3_apply(base->turn, base->body->vertex[v]), base->shift);
    c->whole.x[v] = at.x, c->whole.y[v] = at.y, c->whole.z[v] = at.z;
    return at;
}

/* ---- all faces --------------------------------------------------------------------------------------------------- */

/* Lists the faces that have a corner which is not outside. */
static int32_t list_faces(AbutClip *c, const AbutFaceted *body) {
    int32_t count = 0;
    for (int32_t f = 0; f < body->face_count; ++f) {
        const AbutHalfEdge *corner = body->half_edge + body->face[f].first;
        int32_t keep = 0;
        for (int32_t k = 0; k < body->face[f].count; ++k) keep |= c->whole.d[corner[k].origin] <= c->snap;
        c->first[f] = keep - 1;
        c->free_face[count] = f;
        count += keep;
    }
    return count;
}

/* Looks at all vertices and faces; 0 faces when none of the vertices is inside. */
static Chosen choose_from_all(AbutClip *c, const AbutClipBase *base, AbutPlane plane) {
    const AbutFaceted *body = base->body;
    Chosen chosen = {0, 0, 0};
    c->whole.count = body->vertex_count;
    for (int32_t v = 0; v < body->vertex_count; ++v) {
        place_vertex(c, base, v);
        c->number[v] = 0;
    }
    pad(&c->whole);
    chosen.beyond = c->distances(&c->whole, plane, c->snap, c->gone, &c->least);
    if (!(c->least < -c->snap)) return chosen;
    chosen.faces = list_faces(c, body);
    for (int32_t i = 0; i < chosen.faces; ++i) {
        const AbutFace *face = &body->face[c->free_face[i]];
        for (int32_t k = 0; k < face->count; ++k) c->number[body->half_edge[face->first + k].origin] = 1;
    }
    for (int32_t v = 0; v < body->vertex_count; ++v) {
        c->cap[chosen.vertices] = v;
        chosen.vertices += c->number[v];
    }
    return chosen;
}

/* ---- faces near the plane ---------------------------------------------------------------------------------------- */

typedef struct Meeting {
    AbutClip *c;
    const AbutClipBase *base;
    AbutPlane plane;
    int32_t beyond; /* vertices outside */
} Meeting;

static int meet_vertex(int32_t v, void *user) {
    Meeting *m = user;
    AbutVec3 at = place_vertex(m->c, m->base, v), n = m->plane.normal;
    double d = n.x * at.x + n.y * at.y + n.z * at.z - m->plane.offset;
    m->c->whole.d[v] = d;
    m->beyond += d > m->c->snap;
    return d <= m->c->snap;
}

/* 0 faces when this way leads nowhere: few faces, or no corner inside. */
static Chosen choose_by_walk(AbutClip *c, const AbutClipBase *base, AbutPlane plane) {
    const AbutFaceted *body = base->body;
    Meeting meeting = {c, base, plane, 0};
    AbutFaceWalk walk = {body->vertex, body->half_edge, body->face, body->vertex_count, body->face_count, meet_vertex,
        &meeting, c->mark, c->first, c->cap, c->free_face, (uint32_t *)(void *)c->pending, 0, 0};
    Chosen chosen = {0, 0, 0};
    if (body->face_count < WALK_FROM) return chosen;
    int32_t start = abut_face_walk_lowest(&walk, abut_mat3_apply_t(base->turn, plane.normal));
    meet_vertex(body->half_edge[start].origin, &meeting);
    if (!(c->whole.d[body->half_edge[start].origin] < -c->snap)) return chosen;
    meeting.beyond = 0;
    abut_face_walk(&walk, body->half_edge[start].face);
    chosen.beyond = meeting.beyond;
    chosen.vertices = walk.corners;
    chosen.faces = walk.count;
    return chosen;
}

/* ---- copy -------------------------------------------------------------------------------------------------------- */

/* Packs the chosen vertices: `number` gets the slot of each. */
static void load_vertices(AbutClip *c, int32_t count) {
    const AbutPointRows *from = &c->whole, *to = &c->vertex;
    int32_t gone = 0;
    for (int32_t at = 0; at < count; ++at) {
        int32_t v = c->cap[at];
        to->x[at] = from->x[v], to->y[at] = from->y[v], to->z[at] = from->z[v], to->d[at] = from->d[v];
        c->mark[at] = 0;
        c->gone[gone] = at;
        gone += from->d[v] > c->snap;
        c->number[v] = at;
    }
    c->vertex.count = c->live_vertices = count;
    c->gone_count = gone;
    pad(&c->vertex);
}

static void load_face(AbutClip *c, const AbutFaceted *body, int32_t f, int owner) {
    int32_t first = c->first[f], at = body->face[f].first, count = body->face[f].count;
    AbutClipFace face = {first, 2 * f + owner, 0};
    for (int32_t k = 0; k < count; ++k) {
        AbutHalfEdge half = body->half_edge[at + k];
        int32_t other = body->half_edge[half.twin].face, twin = c->first[other];
        AbutClipEdge edge = {c->number[half.origin], first + k + 1, -1, c->face_slots};
        edge.twin = twin < 0 ? -1 : twin + half.twin - body->face[other].first;
        c->edge[first + k] = edge;
        c->out[edge.origin] = first + k;
    }
    c->edge[first + count - 1].next = first;
    c->face[c->face_slots++] = face;
}

AbutCutResult abut_clip_start(AbutClip *c, const AbutClipBase *base, AbutPlane plane, int32_t label) {
    Chosen chosen = choose_by_walk(c, base, plane);
    if (chosen.faces == 0) chosen = choose_from_all(c, base, plane);
    if (chosen.faces == 0) return ABUT_CUT_ALL;
    for (int32_t i = 0; i < chosen.faces; ++i) {
        c->first[c->free_face[i]] = c->edge_slots;
        c->edge_slots += base->body->face[c->free_face[i]].count;
    }
    load_vertices(c, chosen.vertices);
    for (int32_t i = 0; i < chosen.faces; ++i) load_face(c, base->body, c->free_face[i], base->owner);
    return chosen.beyond > 0 ? abut_clip_first_cut(c, label) : ABUT_CUT_NOTHING;
}
