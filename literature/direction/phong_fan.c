/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fans of facets around vertices of a Minkowski difference, without building it. In: a pair of vertices (a, b). Out:
 * the triangles around a - b, which follow from the rings of a and b alone, and their mean normal. Pairs and triangles
 * are kept in tables of fixed size; what finds no room is left out, and `full` says so.
 */
#include "literature/direction/phong_fan.h"
#include "math/functions.h"

#include <string.h>

enum { FAN = 512 };

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static uint32_t slot_of(uint32_t x, uint32_t y) {
    uint64_t h = (((uint64_t)x << 32) | y) * 0x9E3779B97F4A7C15ull;
    return (uint32_t)(h >> 40) & (ABUT_PHONG_SLOTS - 1);
}

void abut_phong_clear(AbutPhong *p) {
    memset(p->pair_slot, 0, ABUT_PHONG_SLOTS * sizeof *p->pair_slot);
    memset(p->triangle_slot, 0, ABUT_PHONG_SLOTS * sizeof *p->triangle_slot);
    p->pairs = p->triangles = p->members = p->full = 0;
}

int32_t abut_phong_pair(AbutPhong *p, int32_t a, int32_t b) {
    uint32_t s = slot_of((uint32_t)a, (uint32_t)b);
    for (; p->pair_slot[s]; s = (s + 1) & (ABUT_PHONG_SLOTS - 1)) {
        const AbutPairVertex *v = &p->pair[p->pair_slot[s] - 1];
        if (v->a == a && v->b == b) return p->pair_slot[s] - 1;
    }
    if (p->pairs == ABUT_PHONG_PAIRS) {
        p->full = 1;
        return -1;
    }
    p->pair[p->pairs] = (AbutPairVertex){a, b, abut_sub(p->c->a.vertex[a], p->c->b_vertex[b]), abut_zero(), 0, 0, 0};
    p->pair_slot[s] = ++p->pairs;
    return p->pairs - 1;
}

static int32_t get_triangle(AbutPhong *p, int32_t x, int32_t y, int32_t z, AbutVec3 normal) {
    while (x > y || x > z) { /* the smallest first, the order kept */
        int32_t first = x;
        x = y, y = z, z = first;
    }
    uint32_t s = slot_of((uint32_t)x * 8191u + (uint32_t)y, (uint32_t)z);
    for (; p->triangle_slot[s]; s = (s + 1) & (ABUT_PHONG_SLOTS - 1)) {
        const int32_t *v = p->triangle[p->triangle_slot[s] - 1].corner;
        if (v[0] == x && v[1] == y && v[2] == z) return p->triangle_slot[s] - 1;
    }
    if (p->triangles == ABUT_PHONG_TRIANGLES) {
        p->full = 1;
        return -1;
    }
    p->triangle[p->triangles] = (AbutPairTriangle){{x, y, z}, 0, normal};
    p->triangle_slot[s] = ++p->triangles;
    return p->triangles - 1;
}

/* ---- fans -------------------------------------------------------------------------------------------------------- */

typedef struct Fan {
    AbutPhong *p;
    int32_t self, count, member[FAN];
} Fan;

static void add_triangle(Fan *fan, const int32_t v[3], AbutVec3 normal) {
    if (v[0] < 0 || v[1] < 0 || v[2] < 0 || (v[0] != fan->self && v[1] != fan->self && v[2] != fan->self)) return;
    if (fan->count == FAN) {
        fan->p->full = 1;
        return;
    }
    int32_t t = get_triangle(fan->p, v[0], v[1], v[2], normal);
    if (t >= 0) fan->member[fan->count++] = t;
}

/* The triangles of a facet that hold the pair; parallelograms are cut along the shorter diagonal. */
static void add_facet(Fan *fan, const AbutFacet *facet) {
    AbutFacetCorner corner[4];
    int32_t v[4];
    int count = abut_facet_corners(fan->p->c, facet, corner);
    for (int k = 0; k < count; ++k) v[k] = abut_phong_pair(fan->p, corner[k].a, corner[k].b);
    if (count == 3) {
        add_triangle(fan, v, facet->normal);
        return;
    }
    int odd =
        abut_point_distance(corner[0].place, corner[2].place) > abut_point_distance(corner[1].place, corner[3].place);
    const int32_t first[3] = {v[odd], v[odd + 1], v[odd + 2]}, second[3] = {v[odd], v[odd + 2], v[(odd + 3) % 4]};
    add_triangle(fan, first, facet->normal);
    add_triangle(fan, second, facet->normal);
}

static void add_faces(Fan *fan, int32_t a, int32_t b) {
    const AbutConvolution *c = fan->p->c;
    for (int32_t k = c->a.ring_start[a]; k < c->a.ring_start[a + 1]; ++k) {
        AbutFacet f = {ABUT_FACET_FACE_VERTEX, c->a.ring_face[k], b, 1, c->a.face_normal[c->a.ring_face[k]]};
        if (abut_vertex_index(&c->b, c->b_turned, c->b_normal, b, abut_neg(f.normal), 1)) add_facet(fan, &f);
    }
    for (int32_t k = c->b.ring_start[b]; k < c->b.ring_start[b + 1]; ++k) {
        AbutFacet f = {ABUT_FACET_VERTEX_FACE, a, c->b.ring_face[k], 1, abut_neg(c->b_face_normal[c->b.ring_face[k]])};
        if (abut_vertex_index(&c->a, c->a.vertex, c->a.normal, a, f.normal, 1)) add_facet(fan, &f);
    }
}

static void add_edges(Fan *fan, int32_t a, int32_t b) {
    const AbutConvolution *c = fan->p->c;
    for (int32_t k = c->a.ring_start[a]; k < c->a.ring_start[a + 1]; ++k)
        for (int32_t m = c->b.ring_start[b]; m < c->b.ring_start[b + 1]; ++m) {
            AbutFacet f = {ABUT_FACET_EDGES, c->a.ring_edge[k], c->b.ring_edge[m], 1, abut_zero()};
            if (abut_edge_facet(c, f.a, f.b, 1, &f.normal)) add_facet(fan, &f);
        }
}

/* The normal of a pair: mean of its fan, weighted by angles. */
static AbutVec3 fan_normal(const Fan *fan) {
    AbutVec3 sum = abut_zero();
    const AbutPairVertex *pair = fan->p->pair;
    for (int32_t i = 0; i < fan->count; ++i) {
        const AbutPairTriangle *t = &fan->p->triangle[fan->member[i]];
        int k = t->corner[0] == fan->self ? 0 : (t->corner[1] == fan->self ? 1 : 2);
        AbutVec3 x = abut_sub(pair[t->corner[(k + 1) % 3]].place, pair[fan->self].place),
                 y = abut_sub(pair[t->corner[(k + 2) % 3]].place, pair[fan->self].place);
        sum = abut_add_scaled(sum, t->normal, abut_atan2(abut_length(abut_cross(x, y)), abut_dot(x, y)));
    }
    return abut_normalize(sum);
}

void abut_phong_make_fan(AbutPhong *p, int32_t number) {
    if (p->pair[number].done) return;
    Fan fan = {.p = p, .self = number};
    add_faces(&fan, p->pair[number].a, p->pair[number].b);
    add_edges(&fan, p->pair[number].a, p->pair[number].b);
    AbutPairVertex *v = &p->pair[number];
    if (p->members + fan.count > ABUT_PHONG_MEMBERS) p->full = 1, fan.count = 0;
    v->normal = fan_normal(&fan);
    v->first = p->members, v->count = fan.count, v->done = 1;
    memcpy(p->member + p->members, fan.member, (size_t)fan.count * sizeof *fan.member);
    p->members += fan.count;
}
