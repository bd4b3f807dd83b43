/* SPDX-License-Identifier: Apache-2.0 */
/* Faces around the vertices that are inside: see face_walk.h. */
#include "shape/face_walk.h"

#include <math.h>
#include <string.h>

/* ---- the lowest corner ------------------------------------------------------------------------------------------- */

static int32_t next_around(const AbutFaceWalk *w, int32_t h) /* the next half-edge from the same vertex */
{
    int32_t twin = w->half_edge[h].twin;
    const AbutFace *face = &w->face[w->half_edge[twin].face];
    return twin + 1 < face->first + face->count ? twin + 1 : face->first;
}

/* A side of the face that looks most against d, among some faces all over the body. */
static int32_t low_side(const AbutFaceWalk *w, AbutVec3 d) {
    enum { SAMPLES = 64 };
    int32_t best = 0, stride = w->face_count / SAMPLES + 1;
    double least = INFINITY;
    for (int32_t f = 0; f < w->face_count; f += stride) {
        double along = abut_dot(w->face[f].plane.normal, d);
        best = along < least ? f : best;
        least = along < least ? along : least;
    }
    return w->face[best].first;
}

/* Going down begins near the end of the way: every look at a large body is one into cold memory. */
int32_t abut_face_walk_lowest(const AbutFaceWalk *w, AbutVec3 d) {
    int32_t low = low_side(w, d), from = -1;
    double best = abut_dot(w->vertex[w->half_edge[low].origin], d);
    while (low != from) {
        from = low;
        int32_t h = from;
        do {
            int32_t twin = w->half_edge[h].twin;
            double value = abut_dot(w->vertex[w->half_edge[twin].origin], d);
            if (value < best) {
                best = value;
                low = twin;
            }
            h = next_around(w, h);
        } while (h != from);
    }
    return low;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static void add_bit(uint32_t *bits, int32_t i) { bits[i / 32] |= 1u << (i % 32); }

/* Numbers in a set of bits, ascending; gives how many. */
static int32_t list_bits(const uint32_t *bits, int32_t count, int32_t *list) {
    int32_t found = 0;
    for (int32_t word = 0; 32 * word < count; ++word)
        for (uint32_t left = bits[word]; left; left &= left - 1) list[found++] = 32 * word + __builtin_ctz(left);
    return found;
}

/* 1: inside, -1: not. */
static int32_t meet(const AbutFaceWalk *w, int32_t v) {
    if (w->mark[v] == 0) {
        w->mark[v] = w->inside(v, w->user) ? 1 : -1;
        add_bit(w->bits, v);
    }
    return w->mark[v];
}

static void list_face(AbutFaceWalk *w, uint32_t *bits, int32_t f) {
    if (w->seen[f] < 0) {
        w->seen[f] = 0;
        w->list[w->count++] = f;
        add_bit(bits, f);
    }
}

/* Meets the corners of a face and lists the faces over its edges that have an end inside. */
static void walk_face(AbutFaceWalk *w, uint32_t *bits, int32_t f) {
    const AbutHalfEdge *half = w->half_edge + w->face[f].first;
    int32_t count = w->face[f].count, mark = meet(w, half[0].origin), first = mark;
    for (int32_t k = 0; k < count; ++k) {
        int32_t next = k + 1 < count ? meet(w, half[k + 1].origin) : first;
        if (mark > 0 || next > 0) list_face(w, bits, w->half_edge[half[k].twin].face);
        mark = next;
    }
}

void abut_face_walk(AbutFaceWalk *w, int32_t start) {
    int32_t words = w->vertex_count / 32 + 1, all = words + w->face_count / 32 + 1;
    memset(w->bits, 0, (size_t)all * sizeof *w->bits);
    memset(w->mark, 0, (size_t)w->vertex_count * sizeof *w->mark);
    memset(w->seen, 0xff, (size_t)w->face_count * sizeof *w->seen);
    w->count = 0;
    list_face(w, w->bits + words, start);
    for (int32_t i = 0; i < w->count; ++i) walk_face(w, w->bits + words, w->list[i]);
    w->corners = list_bits(w->bits, w->vertex_count, w->corner_list);
    w->count = list_bits(w->bits + words, w->face_count, w->list);
}
