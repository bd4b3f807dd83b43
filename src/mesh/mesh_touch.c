/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where two meshes touch: the local minima of the distance of their features. In: two meshes, a pose, pairs of
 * triangles that are near. Out: touches with place, normal and gap, in the frame of A, in the order of the pairs.
 *
 * A vertex touches a face that it is over, if no neighbor reaches deeper. Edges touch where they cross, if the common
 * normal lies in the cones of both; outside of a cone by a little it becomes the normal of the face there. Where gaps
 * are wide a vertex may be nearest to an edge or a vertex. Parallel edges are left to their ends, which lie over faces.
 * The result depends on the features that are near and not on which other triangles are listed.
 */
#include "mesh/mesh_features.h"
#include "mesh/mesh_pair.h"
#include "mesh/tolerance.h"

#include <stdlib.h>
#include <string.h>

typedef struct Search {
    const AbutTouchQuestion *q;
    const AbutMeshFeatures *side[2];
    AbutTouchRoom *room;
    AbutMat3 r;
    AbutVec3 t;
} Search;

/* ---- B in the frame of A ----------------------------------------------------------------------------------------- */

static AbutVec3 vertex_at(Search *s, int side, int32_t v) {
    AbutTouchRoom *room = s->room;
    AbutVec3 p = s->side[side]->mesh.vertices[v];
    if (!side) return p;
    if (room->vertex_stamp[v] != room->stamp) {
        room->vertex_stamp[v] = room->stamp;
        room->vertex[v] = abut_add(abut_mat3_apply(s->r, p), s->t);
    }
    return room->vertex[v];
}

static AbutVec3 normal_at(Search *s, int side, int32_t t) {
    AbutTouchRoom *room = s->room;
    AbutVec3 n = s->side[side]->normal[t];
    if (!side) return n;
    if (room->normal_stamp[t] != room->stamp) {
        room->normal_stamp[t] = room->stamp;
        room->normal[t] = abut_mat3_apply(s->r, n);
    }
    return room->normal[t];
}

static AbutVec3 turned(const Search *s, int side, AbutVec3 d) { return side ? abut_mat3_apply(s->r, d) : d; }

static void add(Search *s, AbutVec3 place, AbutVec3 normal, double gap, AbutTouchKind kind) {
    AbutTouchRoom *room = s->room;
    if (!abut_grow((void **)&room->touch, &room->touch_capacity, (size_t)room->touch_count + 1, sizeof *room->touch)) {
        room->starved = 1;
        return;
    }
    room->touch[room->touch_count++] = (AbutFeatureTouch){place, normal, gap, (int32_t)kind, 0};
}

/* ---- the four kinds ---------------------------------------------------------------------------------------------- */

/* Does no neighbor of the vertex v, at p, lie farther along -n (unit, away from the other body) by more than the sine
 * `cone`? */
static int is_lowest(Search *s, int side, int32_t v, AbutVec3 p, AbutVec3 n, double cone) {
    const AbutMeshFeatures *f = s->side[side];
    for (int32_t k = f->star_first[v]; k < f->star_first[v + 1]; ++k) {
        AbutVec3 d = abut_sub(vertex_at(s, side, f->star[k]), p);
        double height = abut_dot(n, d);
        if (height < 0.0 && height * height > cone * cone * abut_length_sq(d)) return 0;
    }
    return 1;
}

/* Is p over the triangle c with the normal n, grown by `margin`? The nearest point of the triangle to one that is
 * beside it lies on a side that it is outside of. */
static int is_over(AbutVec3 p, const AbutVec3 c[3], AbutVec3 n, double margin) {
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

/* Vertex v of one side over the face t of the other. */
static void look_over_face(Search *s, int side, int32_t v, int32_t t) {
    const AbutMeshFeatures *g = s->side[1 - side];
    const int32_t *at = g->mesh.triangles[t].v;
    AbutVec3 n = normal_at(s, 1 - side, t), p = vertex_at(s, side, v), c[3];
    c[0] = vertex_at(s, 1 - side, at[0]);
    double gap = abut_dot(n, abut_sub(p, c[0]));
    if (!(gap < s->q->within && gap > -s->q->depth) || abut_length_sq(n) == 0.0) return;
    c[1] = vertex_at(s, 1 - side, at[1]);
    c[2] = vertex_at(s, 1 - side, at[2]);
    if (!is_over(p, c, n, s->q->margin)) return;
    if (is_lowest(s, side, v, p, n, ABUT_FEATURE_CONE_FACE))
        add(s, abut_add_scaled(p, n, -0.5 * gap), side ? n : abut_neg(n), gap, ABUT_TOUCH_FACE);
}

/* The common normal n of two crossing edges within the cones of both; 0: it is outside. */
static int snap_to_cones(Search *s, const AbutFeatureEdge *a, const AbutFeatureEdge *b, AbutVec3 *n) {
    AbutVec3 snapped = *n;
    for (int k = 0; k < 2; ++k) {
        double out_a = a->t[k] >= 0 ? abut_dot(*n, a->in[k]) : -1.0,
               out_b = b->t[k] >= 0 ? -abut_dot(*n, turned(s, 1, b->in[k])) : -1.0;
        if (out_a > ABUT_FEATURE_CONE_EDGE || out_b > ABUT_FEATURE_CONE_EDGE) return 0;
        if (out_a > 0.0) snapped = normal_at(s, 0, a->t[k]);
        if (out_b > 0.0) snapped = abut_neg(normal_at(s, 1, b->t[k]));
    }
    *n = snapped;
    return 1;
}

/* Sum of the outward normals beside an edge. */
static AbutVec3 outward(Search *s, int side, const AbutFeatureEdge *e) {
    AbutVec3 n = normal_at(s, side, e->t[0]);
    return e->t[1] >= 0 ? abut_add(n, normal_at(s, side, e->t[1])) : n;
}

static void look_across(Search *s, int32_t edge_a, int32_t edge_b) {
    const AbutFeatureEdge *a = &s->side[0]->edge[edge_a], *b = &s->side[1]->edge[edge_b];
    AbutVec3 a0 = vertex_at(s, 0, a->v[0]), u = abut_sub(vertex_at(s, 0, a->v[1]), a0);
    AbutVec3 b0 = vertex_at(s, 1, b->v[0]), v = abut_sub(vertex_at(s, 1, b->v[1]), b0);
    AbutVec3 c = abut_cross(u, v), r = abut_sub(b0, a0);
    double cc = abut_length_sq(c), uu = abut_length_sq(u), vv = abut_length_sq(v), far, height = abut_dot(c, r);
    far = abut_larger(s->q->within, s->q->depth);
    if (!(cc > ABUT_FEATURE_PARALLEL * ABUT_FEATURE_PARALLEL * uu * vv) || height * height > far * far * cc) return;
    double on_a = abut_dot(abut_cross(r, v), c) / cc, on_b = abut_dot(abut_cross(r, u), c) / cc;
    double more_a = s->q->margin / sqrt(uu), more_b = s->q->margin / sqrt(vv);
    if (on_a < -more_a || on_a > 1.0 + more_a || on_b < -more_b || on_b > 1.0 + more_b) return;
    AbutVec3 n = abut_scale(c, 1.0 / sqrt(cc));
    if (abut_dot(n, outward(s, 0, a)) < 0.0) n = abut_neg(n);
    if (!(abut_dot(n, outward(s, 1, b)) < 0.0) || !snap_to_cones(s, a, b, &n)) return;
    AbutVec3 on_line_a = abut_add_scaled(a0, u, on_a), on_line_b = abut_add_scaled(b0, v, on_b);
    double gap = abut_dot(n, abut_sub(on_line_b, on_line_a));
    if (gap < s->q->within && gap > -s->q->depth)
        add(s, abut_lerp(on_line_a, on_line_b, 0.5), n, gap, ABUT_TOUCH_CROSSING);
}

/* Do two points, now `r` apart and halfway at `place`, come nearer than the margin on their way? A blunt touch stops
 * its features as two planes would, which they are not: those that pass by must not feel it. */
static int will_meet(const Search *s, AbutVec3 place, AbutVec3 r) {
    AbutVec3 way = abut_add(s->q->way, abut_cross(s->q->turn, place));
    double square = abut_length_sq(way), at = square > 0.0 ? -abut_dot(r, way) / square : 0.0;
    at = abut_smaller(1.0, abut_larger(0.0, at));
    return abut_length_sq(abut_add_scaled(r, way, at)) <= s->q->margin * s->q->margin;
}

static void look_beside_edge(Search *s, int side, int32_t v, int32_t edge) {
    const AbutFeatureEdge *e = &s->side[1 - side]->edge[edge];
    AbutVec3 p = vertex_at(s, side, v), from = vertex_at(s, 1 - side, e->v[0]),
             d = abut_sub(vertex_at(s, 1 - side, e->v[1]), from), r = abut_sub(p, from);
    double at = abut_dot(r, d) / abut_length_sq(d);
    r = abut_add_scaled(r, d, -at);
    double gap = abut_length(r);
    if (!(at > 0.0 && at < 1.0 && gap < s->q->within && gap > s->q->margin)) return;
    AbutVec3 n = abut_scale(r, 1.0 / gap);
    for (int k = 0; k < 2; ++k)
        if (e->t[k] >= 0 && abut_dot(n, turned(s, 1 - side, e->in[k])) > ABUT_FEATURE_CONE_BLUNT) return;
    AbutVec3 place = abut_add_scaled(p, n, -0.5 * gap);
    if (is_lowest(s, side, v, p, n, ABUT_FEATURE_CONE_BLUNT) && will_meet(s, place, side ? r : abut_neg(r)))
        add(s, place, side ? n : abut_neg(n), gap, ABUT_TOUCH_BLUNT);
}

static void look_beside_vertex(Search *s, int32_t vertex_a, int32_t vertex_b) {
    AbutVec3 p = vertex_at(s, 0, vertex_a), q = vertex_at(s, 1, vertex_b), r = abut_sub(q, p);
    double gap = abut_length(r);
    if (!(gap < s->q->within && gap > s->q->margin)) return;
    AbutVec3 n = abut_scale(r, 1.0 / gap);
    if (is_lowest(s, 1, vertex_b, q, n, ABUT_FEATURE_CONE_BLUNT) &&
        is_lowest(s, 0, vertex_a, p, abut_neg(n), ABUT_FEATURE_CONE_BLUNT) && will_meet(s, abut_lerp(p, q, 0.5), r))
        add(s, abut_lerp(p, q, 0.5), n, gap, ABUT_TOUCH_BLUNT);
}

/* ---- pairs of triangles ------------------------------------------------------------------------------------------ */

static void look_at_pair(Search *s, int32_t ta, int32_t tb) {
    const AbutMeshFeatures *a = s->side[0], *b = s->side[1];
    const int32_t *va = a->mesh.triangles[ta].v, *vb = b->mesh.triangles[tb].v;
    int own_a = a->own[ta], own_b = b->own[tb], wide = s->q->within > s->q->margin;
    for (int i = 0; i < 3; ++i) {
        if (own_a & (ABUT_OWNS_VERTEX << i)) look_over_face(s, 0, va[i], tb);
        if (own_b & (ABUT_OWNS_VERTEX << i)) look_over_face(s, 1, vb[i], ta);
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            int vertex_a = own_a & (ABUT_OWNS_VERTEX << i), edge_a = own_a & (ABUT_OWNS_EDGE << i),
                vertex_b = own_b & (ABUT_OWNS_VERTEX << k), edge_b = own_b & (ABUT_OWNS_EDGE << k);
            if (edge_a && edge_b) look_across(s, a->side[ta].v[i], b->side[tb].v[k]);
            if (wide && vertex_a && edge_b) look_beside_edge(s, 0, va[i], b->side[tb].v[k]);
            if (wide && edge_a && vertex_b) look_beside_edge(s, 1, vb[k], a->side[ta].v[i]);
            if (wide && vertex_a && vertex_b) look_beside_vertex(s, va[i], vb[k]);
        }
}

/* A is a half-space: vertices of B that are lowest. */
static void look_over_plane(Search *s) {
    const AbutMeshFeatures *b = s->side[1];
    AbutVec3 n = abut_axis(2);
    for (int32_t i = 0; i < b->tip_count; ++i) {
        AbutVec3 p = vertex_at(s, 1, b->tip[i]);
        if (p.z < s->q->within && is_lowest(s, 1, b->tip[i], p, n, ABUT_FEATURE_CONE_FACE))
            add(s, abut_add_scaled(p, n, -0.5 * p.z), n, p.z, ABUT_TOUCH_FACE);
    }
}

/* Stamps for so many; new ones are those of no search. */
static int reserve_stamps(uint32_t **stamp, size_t *capacity, size_t count) {
    size_t was = *capacity;
    if (!abut_grow((void **)stamp, capacity, count, sizeof **stamp)) return 0;
    if (*capacity > was) memset(*stamp + was, 0, (*capacity - was) * sizeof **stamp);
    return 1;
}

static int reserve(AbutTouchRoom *room, const AbutMeshFeatures *b) {
    size_t vertices = (size_t)b->mesh.vertex_count, triangles = (size_t)b->mesh.triangle_count;
    if (++room->stamp == 0) { /* after 2^32 searches all stamps are old */
        memset(room->vertex_stamp, 0, room->vertex_stamps * sizeof *room->vertex_stamp);
        memset(room->normal_stamp, 0, room->normal_stamps * sizeof *room->normal_stamp);
        room->stamp = 1;
    }
    return abut_grow((void **)&room->vertex, &room->vertex_capacity, vertices, sizeof *room->vertex) &&
           abut_grow((void **)&room->normal, &room->normal_capacity, triangles, sizeof *room->normal) &&
           reserve_stamps(&room->vertex_stamp, &room->vertex_stamps, vertices) &&
           reserve_stamps(&room->normal_stamp, &room->normal_stamps, triangles);
}

int abut_find_touches(
    AbutTouchRoom *room, const AbutTouchQuestion *question, const AbutTrianglePair *pair, int32_t pair_count) {
    Search s = {question, {question->a, question->b}, room, abut_quat_to_mat3(question->b_in_a.q), question->b_in_a.p};
    room->touch_count = 0;
    room->starved = !reserve(room, question->b);
    if (room->starved) return 0;
    for (int32_t i = 0; i < pair_count && question->a; ++i) look_at_pair(&s, pair[i].a, pair[i].b);
    if (!question->a) look_over_plane(&s);
    return !room->starved;
}

/* ---- crossing ---------------------------------------------------------------------------------------------------- */

/* Is p over the triangle c, farther than `tolerance` from its sides? */
static int is_well_inside(AbutVec3 p, const AbutVec3 c[3], AbutVec3 n, double tolerance) {
    for (int k = 0; k < 3; ++k) {
        AbutVec3 e = abut_sub(c[(k + 1) % 3], c[k]);
        if (!(abut_dot(abut_cross(n, e), abut_sub(p, c[k])) > tolerance * abut_length(e))) return 0;
    }
    return 1;
}

/* Does a side of the triangle p go through the triangle c with the normal n? */
static int goes_through(const AbutVec3 p[3], const AbutVec3 c[3], AbutVec3 n, double tolerance) {
    double height[3];
    for (int k = 0; k < 3; ++k) height[k] = abut_dot(n, abut_sub(p[k], c[0]));
    for (int k = 0; k < 3; ++k) {
        double from = height[k], to = height[(k + 1) % 3];
        if (!(from > tolerance && to < -tolerance) && !(from < -tolerance && to > tolerance)) continue;
        if (is_well_inside(abut_lerp(p[k], p[(k + 1) % 3], from / (from - to)), c, n, tolerance)) return 1;
    }
    return 0;
}

int abut_triangles_cross(AbutTouchRoom *room, const AbutTouchQuestion *question, const AbutTrianglePair *pair,
    int32_t pair_count, double tolerance) {
    Search s = {question, {question->a, question->b}, room, abut_quat_to_mat3(question->b_in_a.q), question->b_in_a.p};
    for (int32_t i = 0; i < pair_count; ++i) {
        const int32_t *va = question->a->mesh.triangles[pair[i].a].v, *vb = question->b->mesh.triangles[pair[i].b].v;
        AbutVec3 a[3], b[3];
        for (int k = 0; k < 3; ++k) a[k] = vertex_at(&s, 0, va[k]), b[k] = vertex_at(&s, 1, vb[k]);
        if (goes_through(b, a, normal_at(&s, 0, pair[i].a), tolerance) ||
            goes_through(a, b, normal_at(&s, 1, pair[i].b), tolerance))
            return 1;
    }
    return 0;
}

/* ---- which triangles are near ------------------------------------------------------------------------------------ */

static void list_pair(AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    AbutTouchRoom *room = q->user;
    AbutVec3 a[3], b[3];
    abut_mesh_triangle_a(q, slot_a, a);
    abut_mesh_triangle_b(q, slot_b, b);
    if (!(abut_triangle_gap(a, b).square <= room->near_square)) return;
    if (!abut_grow((void **)&room->pair, &room->pair_capacity, (size_t)room->pair_count + 1, sizeof *room->pair)) {
        room->starved = q->done = 1;
        return;
    }
    room->pair[room->pair_count++] = (AbutTrianglePair){abut_tree_source(q->a)[slot_a], abut_tree_source(q->b)[slot_b]};
}

static int by_number(const void *x, const void *y) {
    const AbutTrianglePair *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

int abut_near_triangles(
    AbutTouchRoom *room, const AbutMeshFeatures *a, const AbutMeshFeatures *b, AbutPose b_in_a, double radius) {
    AbutMeshPair q;
    room->pair_count = room->starved = 0;
    if (!abut_mesh_pair_open(&q, a->tree, b->tree, b_in_a, 0.0)) return 0;
    q.visit = list_pair;
    q.user = room;
    room->near_square = radius * radius * q.scale * q.scale * ABUT_MESH_LIMIT_GROWTH;
    abut_mesh_pair_limit(&q, radius);
    abut_mesh_pair_turn(&q, abut_axis(0));
    abut_mesh_walk()->distance(&q);
    if (room->pair_count > 1) qsort(room->pair, (size_t)room->pair_count, sizeof *room->pair, by_number);
    return !room->starved;
}

void abut_touch_room_free(AbutTouchRoom *room) {
    abut_free(room->touch);
    abut_free(room->pair);
    abut_free(room->vertex);
    abut_free(room->normal);
    abut_free(room->vertex_stamp);
    abut_free(room->normal_stamp);
    memset(room, 0, sizeof *room);
}
