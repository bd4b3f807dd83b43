/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loading a body into a clip. In: a body with faces and the first plane to cut it with. Out: the half-edge structure of
 * the faces that do not lie wholly beyond that plane. A contact is shallow as a rule: its first cut takes most of the
 * body away, and what goes is best never copied. The sides of loaded faces along faces that were left out run from an
 * outside vertex to another and have no twin; the first cut takes them all away.
 */
#include "query/overlap_clip.h"
#include "shape/face_walk.h"

#include <math.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------------------------ */

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
    return v * (8 * sizeof(double) + 5 * sizeof(int32_t)) + e * (sizeof(AbutClipEdge) + 3 * sizeof(int32_t)) +
           f * (sizeof(AbutClipFace) + 3 * sizeof(int32_t)) + 64;
}

/* Takes `count` numbers off the block at *at. */
static int32_t *take_numbers(char **at, size_t count)
{
    int32_t *numbers = (int32_t *)(void *)*at;
    *at += count * sizeof *numbers;
    return numbers;
}

static AbutPointRows take_rows(char **at, size_t count)
{
    double *x = (double *)(void *)*at;
    AbutPointRows rows = {x, x + count, x + 2 * count, x + 3 * count, 0};
    *at += 4 * count * sizeof *x;
    return rows;
}

/* Rows come first: they start at a multiple of 64 bytes and are whole groups of lanes long. */
void abut_clip_create(AbutClip *clip, int faces, void *memory)
{
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
static void pad(AbutPointRows *rows)
{
    for (int32_t i = rows->count; i & 7; ++i)
        rows->x[i] = rows->y[i] = rows->z[i] = NAN;
}

static void place_vertices(AbutClip *c, const AbutClipBase *base)
{
    AbutPointRows *rows = &c->whole;
    const AbutVec3 *vertex = base->body->vertex;
    rows->count = base->body->vertex_count;
    for (int32_t i = 0; i < rows->count; ++i) {
        AbutVec3 v = abut_add(abut_mat3_apply(base->turn, vertex[i]), base->shift);
        rows->x[i] = v.x, rows->y[i] = v.y, rows->z[i] = v.z;
        c->number[i] = 0;
    }
    pad(rows);
}

/* Lists the faces that have a corner which is not outside, numbers their half-edges and marks their vertices. */
static int32_t choose_faces(AbutClip *c, const AbutFaceted *body)
{
    int32_t *inside = c->mark;
    AbutFaceWalk walk = {body->half_edge, body->face, body->face_count, inside, c->first, c->free_face};
    for (int32_t v = 0; v < c->whole.count; ++v)
        inside[v] = c->whole.d[v] <= c->snap;
    int32_t count = abut_face_walk(&walk);
    for (int32_t i = 0; i < count; ++i) {
        const AbutFace *face = &body->face[walk.list[i]];
        c->first[walk.list[i]] = c->edge_slots;
        for (int32_t k = 0; k < face->count; ++k)
            c->number[body->half_edge[face->first + k].origin] = 1;
        c->edge_slots += face->count;
    }
    return count;
}

/* Packs the vertices of the chosen faces: `number` holds 1 for those before, the slot after. */
static void load_vertices(AbutClip *c)
{
    const AbutPointRows *from = &c->whole, *to = &c->vertex;
    int32_t at = 0, gone = 0;
    for (int32_t v = 0; v < from->count; ++v) {
        if (!c->number[v])
            continue;
        to->x[at] = from->x[v], to->y[at] = from->y[v], to->z[at] = from->z[v], to->d[at] = from->d[v];
        c->mark[at] = 0;
        c->gone[gone] = at;
        gone += from->d[v] > c->snap;
        c->number[v] = at++;
    }
    c->vertex.count = c->live_vertices = at;
    c->gone_count = gone;
    pad(&c->vertex);
}

static void load_face(AbutClip *c, const AbutFaceted *body, int32_t f, int owner)
{
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

AbutCutResult abut_clip_start(AbutClip *c, const AbutClipBase *base, AbutPlane plane, int32_t label)
{
    place_vertices(c, base);
    int32_t beyond = c->distances(&c->whole, plane, c->snap, c->gone, &c->least);
    if (!(c->least < -c->snap))
        return ABUT_CUT_ALL;
    int32_t count = choose_faces(c, base->body);
    load_vertices(c);
    for (int32_t i = 0; i < count; ++i)
        load_face(c, base->body, c->free_face[i], base->owner);
    return beyond > 0 ? abut_clip_first_cut(c, label) : ABUT_CUT_NOTHING;
}
