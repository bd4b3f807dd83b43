/* SPDX-License-Identifier: Apache-2.0 */
/* Private to touches of meshes: B in the frame of A, turned once for each question, and tests of single features. */
#ifndef ABUT_SRC_TOUCH_SEARCH_H
#define ABUT_SRC_TOUCH_SEARCH_H

#include "mesh/mesh_features.h"

typedef struct AbutTouchSearch {
    const AbutTouchQuestion *q;
    const AbutMeshFeatures *side[2];
    AbutTouchRoom *room;
    AbutMat3 r;
    AbutVec3 t;
} AbutTouchSearch;

/* Begins a question: room for the vertices and normals of B. 0: no memory. */
int abut_touch_search_open(AbutTouchSearch *search, AbutTouchRoom *room, const AbutTouchQuestion *question);

static inline AbutVec3 abut_touch_vertex_at(AbutTouchSearch *s, int side, int32_t v) {
    AbutTouchRoom *room = s->room;
    AbutVec3 p = s->side[side]->mesh.vertices[v];
    if (!side) return p;
    if (room->vertex_stamp[v] != room->stamp) {
        room->vertex_stamp[v] = room->stamp;
        room->vertex[v] = abut_add(abut_mat3_apply(s->r, p), s->t);
    }
    return room->vertex[v];
}

static inline AbutVec3 abut_touch_normal_at(AbutTouchSearch *s, int side, int32_t t) {
    AbutTouchRoom *room = s->room;
    AbutVec3 n = s->side[side]->normal[t];
    if (!side) return n;
    if (room->normal_stamp[t] != room->stamp) {
        room->normal_stamp[t] = room->stamp;
        room->normal[t] = abut_mat3_apply(s->r, n);
    }
    return room->normal[t];
}

static inline AbutVec3 abut_touch_turned(const AbutTouchSearch *s, int side, AbutVec3 d) {
    return side ? abut_mat3_apply(s->r, d) : d;
}

/* Does no neighbor of the vertex v, at p, lie farther along -n (unit, away from the other body) by more than the sine
 * `cone`? */
static inline int abut_touch_is_lowest(AbutTouchSearch *s, int side, int32_t v, AbutVec3 p, AbutVec3 n, double cone) {
    const AbutMeshFeatures *f = s->side[side];
    for (int32_t k = f->star_first[v]; k < f->star_first[v + 1]; ++k) {
        AbutVec3 d = abut_sub(abut_touch_vertex_at(s, side, f->star[k]), p);
        double height = abut_dot(n, d);
        if (height < 0.0 && height * height > cone * cone * abut_length_sq(d)) return 0;
    }
    return !(abut_dot(n, abut_touch_turned(s, side, f->flat[v])) > 0.0);
}

/* Is p over the triangle c with the normal n, grown by `margin`? The nearest point of the triangle to one that is
 * beside it lies on a side that it is outside of. */
static inline int abut_touch_is_over(AbutVec3 p, const AbutVec3 c[3], AbutVec3 n, double margin) {
    int inside = 1;
    for (int k = 0; k < 3; ++k) {
        AbutVec3 e = abut_sub(c[(k + 1) % 3], c[k]), r = abut_sub(p, c[k]);
        if (abut_dot(abut_cross(n, e), r) >= 0.0) continue;
        inside = 0;
        double at = abut_dot(r, e) / abut_length_sq(e);
        r = abut_add_scaled(r, e, -abut_smaller(1.0, abut_larger(0.0, at)));
        r = abut_add_scaled(r, n, -abut_dot(n, r));
        if (abut_length_sq(r) <= margin * margin) return 1;
    }
    return inside;
}

/* Do two points, now `r` apart and halfway at `place`, come nearer than the margin on their way? A blunt touch stops
 * its features as two planes would, which they are not: those that pass by must not feel it. */
static inline int abut_touch_will_meet(const AbutTouchQuestion *q, AbutVec3 place, AbutVec3 r) {
    AbutVec3 way = abut_add(q->way, abut_cross(q->turn, place));
    double square = abut_length_sq(way), at = square > 0.0 ? -abut_dot(r, way) / square : 0.0;
    at = abut_smaller(1.0, abut_larger(0.0, at));
    return abut_length_sq(abut_add_scaled(r, way, at)) <= q->margin * q->margin;
}

static inline void abut_touch_add(
    AbutTouchRoom *room, AbutVec3 place, AbutVec3 normal, double gap, AbutTouchKind kind) {
    if (!abut_grow((void **)&room->touch, &room->touch_capacity, (size_t)room->touch_count + 1, sizeof *room->touch))
        room->starved = 1;
    else
        room->touch[room->touch_count++] = (AbutFeatureTouch){place, normal, gap, gap, (int32_t)kind, 0};
}

/* One more pair of triangles for the list that is being made. */
void abut_touch_list_add(AbutTouchRoom *room, AbutTrianglePair pair);

/* A question with a cylinder, cone or ellipsoid: pairs are triangles of the mesh alone, those nearer than `radius`; the
 * touches. 0: no memory, or bad numbers. */
int abut_list_round_triangles(AbutTouchRoom *room, const AbutTouchQuestion *question, double radius);
int abut_find_round_touches(AbutTouchRoom *room, const AbutTouchQuestion *question, const AbutTouchList *list);

static inline int abut_touch_is_round(const AbutTouchQuestion *q) {
    return q->a && (q->a->kind == ABUT_FEATURES_SMOOTH || q->b->kind == ABUT_FEATURES_SMOOTH);
}

#endif
