/* SPDX-License-Identifier: Apache-2.0 */
/* Faces around marked vertices: see face_walk.h. */
#include "shape/face_walk.h"

#include <stdlib.h>

/* Of fewer faces all are looked at. */
enum { WALK_FROM = 100 };

static int32_t look_at_all(const AbutFaceWalk *w)
{
    int32_t count = 0;
    for (int32_t f = 0; f < w->face_count; ++f) {
        const AbutHalfEdge *corner = w->half_edge + w->face[f].first;
        int32_t keep = 0;
        for (int32_t k = 0; k < w->face[f].count; ++k)
            keep |= w->marked[corner[k].origin] != 0;
        w->seen[f] = keep - 1;
        w->list[count] = f;
        count += keep;
    }
    return count;
}

/* Puts the neighbours of a face behind the list; gives its new length. */
static int32_t add_neighbours(const AbutFaceWalk *w, int32_t face, int32_t count)
{
    const AbutHalfEdge *half = w->half_edge + w->face[face].first;
    for (int32_t k = 0; k < w->face[face].count; ++k) {
        const AbutHalfEdge *twin = &w->half_edge[half[k].twin];
        if (w->seen[twin->face] < 0 && (w->marked[half[k].origin] || w->marked[twin->origin])) {
            w->seen[twin->face] = 0;
            w->list[count++] = twin->face;
        }
    }
    return count;
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int32_t abut_face_walk(const AbutFaceWalk *w)
{
    const AbutHalfEdge *start = w->half_edge;
    int32_t count = 1;
    if (w->face_count < WALK_FROM)
        return look_at_all(w);
    while (!w->marked[start->origin])
        ++start;
    for (int32_t f = 0; f < w->face_count; ++f)
        w->seen[f] = -1;
    w->seen[start->face] = 0;
    w->list[0] = start->face;
    for (int32_t i = 0; i < count; ++i)
        count = add_neighbours(w, w->list[i], count);
    qsort(w->list, (size_t)count, sizeof *w->list, by_number);
    return count;
}
