/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which vertices of a body lie in the other? A ball inside the other body and the plane that faces a vertex settle
 * most; the rest is measured against all planes that the body reaches, eight vertices at a time. In: two bodies in a
 * common frame. Out: per vertex its number among the inside ones, or a plane that it is beyond.
 */
#include "query/overlap_trace_work.h"

#include <string.h>

typedef long long Masks __attribute__((vector_size(ABUT_LANES * sizeof(long long))));

/* Cells of directions, and how many planes it takes for them to be cheaper than measuring. */
enum { CELL_ROW = 5, CELLS = CELL_ROW * CELL_ROW * CELL_ROW, CELLS_FROM = 96 };

#define ALL_LANES(x) ((AbutLanes){(x), (x), (x), (x)})
#define CHOOSE(mask, yes, no) ((AbutLanes)(((Masks)(yes) & (mask)) | ((Masks)(no) & ~(mask))))

/* Largest value of a group of vertices over the planes, and the plane that has it. */
static inline __attribute__((always_inline)) void measure_group(
    const AbutTraceRows *r, int32_t g, const AbutTracePick *pick, int32_t count) {
    const AbutLanes *x = r->x + 2 * g, *y = r->y + 2 * g, *z = r->z + 2 * g;
    AbutLanes most[2] = {ALL_LANES(-INFINITY), ALL_LANES(-INFINITY)}, worst[2] = {ALL_LANES(0.0), ALL_LANES(0.0)};
    for (int32_t k = 0; k < count; ++k) {
        AbutTracePick p = pick[k];
        for (int j = 0; j < 2; ++j) {
            AbutLanes value = p.x * x[j] + p.y * y[j] + p.z * z[j] - p.offset;
            Masks more = value > most[j];
            most[j] = CHOOSE(more, value, most[j]);
            worst[j] = CHOOSE(more, ALL_LANES(p.number), worst[j]);
        }
    }
    for (int j = 0; j < 2; ++j) {
        r->most[2 * g + j] = most[j];
        r->worst[2 * g + j] = worst[j];
    }
}

typedef void MeasureAll(const AbutTraceRows *r, const AbutTracePick *pick, int32_t count);

#define MEASURE_ALL(name)                                                                                              \
    static void name(const AbutTraceRows *r, const AbutTracePick *pick, int32_t count) {                               \
        for (int32_t g = 0; g < abut_trace_groups(r->count); ++g) measure_group(r, g, pick, count);                    \
    }

MEASURE_ALL(measure_plain)
#if defined(__x86_64__)
__attribute__((target("avx2"))) MEASURE_ALL(measure_avx2)
#endif

    static MeasureAll *choose_measure(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return measure_avx2;
#endif
    return measure_plain;
}

/* Part of the surface of a cube that d points to. */
static inline int32_t cell_of(AbutVec3 d) {
    double most = abut_larger(fabs(d.x), abut_larger(fabs(d.y), fabs(d.z)));
    double k = most > 0.0 ? 0.499999 * CELL_ROW / most : 0.0, middle = 0.5 * CELL_ROW;
    return ((int32_t)(k * d.x + middle) * CELL_ROW + (int32_t)(k * d.y + middle)) * CELL_ROW +
           (int32_t)(k * d.z + middle);
}

/* A plane of the body for every direction, one that faces it where there is one. */
static void fill_cells(const AbutTraceSide *s, int32_t cell[CELLS]) {
    memset(cell, 0, CELLS * sizeof *cell);
    for (int32_t f = 0; f < s->body->face_count; ++f) cell[cell_of(s->plane[f].normal)] = f;
}

/*
 * Vertices of `s` in the inner ball of the other body are inside; those beyond the plane that faces their direction are
 * outside. The rest is left to be measured. Which it is is as good as random, so nothing branches on it.
 */
static void gather(AbutTraceRows *r, AbutTraceSide *s, const AbutTraceSide *other, double near) {
    double *x = (double *)r->x, *y = (double *)r->y, *z = (double *)r->z, inner = other->inner - near;
    double square = inner > 0.0 ? inner * inner : -1.0;
    int32_t cell[CELLS], count = 0;
    int use = other->body->face_count > CELLS_FROM;
    if (use) fill_cells(other, cell);
    for (int32_t v = 0; v < s->body->vertex_count; ++v) {
        AbutVec3 p = s->vertex[v], d = abut_sub(p, other->center);
        int32_t facing = use ? cell[cell_of(d)] : 0;
        int in = abut_length_sq(d) < square, out = !in & (abut_trace_value(other->plane[facing], p) > near);
        s->number[v] = -out;
        s->worst[v] = facing;
        x[count] = p.x, y[count] = p.y, z[count] = p.z;
        r->which[count] = v;
        count += !(in | out);
    }
    r->count = count;
    for (int32_t i = count; i % ABUT_TRACE_GROUP && i > 0; ++i) x[i] = x[i - 1], y[i] = y[i - 1], z[i] = z[i - 1];
}

/* The planes of `other` that a sphere around `s` reaches. */
static int32_t pick_planes(const AbutTrace *t, const AbutTraceSide *s, const AbutTraceSide *other) {
    int32_t count = 0;
    for (int32_t f = 0; f < other->body->face_count; ++f) {
        AbutPlane p = other->plane[f];
        AbutTracePick pick = {p.normal.x, p.normal.y, p.normal.z, p.offset, f};
        t->pick[count] = pick;
        count += abut_dot(p.normal, s->center) - p.offset > -s->body->bound.radius - t->near;
    }
    return count;
}

int32_t abut_trace_classify(AbutTrace *t, int own) {
    AbutTraceSide *s = &t->side[own];
    const AbutTraceSide *other = &t->side[!own];
    AbutTraceRows *r = &t->rows;
    gather(r, s, other, t->near);
    choose_measure()(r, t->pick, pick_planes(t, s, other));
    for (int32_t i = 0; i < r->count; ++i) {
        double most = ((const double *)r->most)[i];
        if (fabs(most) <= t->near) return -1;
        s->number[r->which[i]] = most < 0.0 ? 0 : -1;
        s->worst[r->which[i]] = (int32_t)((const double *)r->worst)[i];
    }
    int32_t inside = 0;
    for (int32_t v = 0; v < s->body->vertex_count; ++v) {
        int in = s->number[v] >= 0;
        s->number[v] = in ? inside : -1;
        inside += in;
    }
    return inside;
}
