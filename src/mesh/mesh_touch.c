/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where two meshes touch: the local minima of the distance of their features. In: two meshes, a pose, pairs of
 * features that may be near (touch_list.c). Out: touches with place, normal and gap, in the frame of A, in the order of
 * the pairs.
 *
 * A vertex touches a face that it is over, if no neighbor reaches deeper. Edges touch where they cross, if the common
 * normal lies in the cones of both; outside of a cone by a little it becomes the normal of the face there. Where gaps
 * are wide a vertex may be nearest to an edge or a vertex. Parallel edges are left to their ends, which lie over faces.
 * The result depends on the features that are near and not on which others are listed.
 */
#include "mesh/tolerance.h"
#include "mesh/touch_search.h"

#include <string.h>

static void add(AbutTouchSearch *s, AbutVec3 place, AbutVec3 normal, double gap, AbutTouchKind kind) {
    AbutTouchRoom *room = s->room;
    if (!abut_grow((void **)&room->touch, &room->touch_capacity, (size_t)room->touch_count + 1, sizeof *room->touch)) {
        room->starved = 1;
        return;
    }
    room->touch[room->touch_count++] = (AbutFeatureTouch){place, normal, gap, (int32_t)kind, 0};
}

/* ---- the four kinds ---------------------------------------------------------------------------------------------- */

/* Vertex v of one side over the face t of the other. */
static void look_over_face(AbutTouchSearch *s, int side, int32_t v, int32_t t) {
    const AbutMeshFeatures *g = s->side[1 - side];
    const int32_t *at = g->mesh.triangles[t].v;
    AbutVec3 n = abut_touch_normal_at(s, 1 - side, t), p = abut_touch_vertex_at(s, side, v), c[3];
    c[0] = abut_touch_vertex_at(s, 1 - side, at[0]);
    double gap = abut_dot(n, abut_sub(p, c[0]));
    if (!(gap < s->q->within && gap > -s->q->depth) || abut_length_sq(n) == 0.0) return;
    c[1] = abut_touch_vertex_at(s, 1 - side, at[1]);
    c[2] = abut_touch_vertex_at(s, 1 - side, at[2]);
    if (!abut_touch_is_over(p, c, n, s->q->margin)) return;
    if (abut_touch_is_lowest(s, side, v, p, n, ABUT_FEATURE_CONE_FACE))
        add(s, abut_add_scaled(p, n, -0.5 * gap), side ? n : abut_neg(n), gap, ABUT_TOUCH_FACE);
}

/* The common normal n of two crossing edges within the cones of both; 0: it is outside. */
static int snap_to_cones(AbutTouchSearch *s, const AbutFeatureEdge *a, const AbutFeatureEdge *b, AbutVec3 *n) {
    AbutVec3 snapped = *n;
    for (int k = 0; k < 2; ++k) {
        double out_a = a->t[k] >= 0 ? abut_dot(*n, a->in[k]) : -1.0,
               out_b = b->t[k] >= 0 ? -abut_dot(*n, abut_touch_turned(s, 1, b->in[k])) : -1.0;
        if (out_a > ABUT_FEATURE_CONE_EDGE || out_b > ABUT_FEATURE_CONE_EDGE) return 0;
        if (out_a > 0.0) snapped = abut_touch_normal_at(s, 0, a->t[k]);
        if (out_b > 0.0) snapped = abut_neg(abut_touch_normal_at(s, 1, b->t[k]));
    }
    *n = snapped;
    return 1;
}

/* Sum of the outward normals beside an edge. */
static AbutVec3 outward(AbutTouchSearch *s, int side, const AbutFeatureEdge *e) {
    AbutVec3 n = abut_touch_normal_at(s, side, e->t[0]);
    return e->t[1] >= 0 ? abut_add(n, abut_touch_normal_at(s, side, e->t[1])) : n;
}

static void look_across(AbutTouchSearch *s, int32_t edge_a, int32_t edge_b) {
    const AbutFeatureEdge *a = &s->side[0]->edge[edge_a], *b = &s->side[1]->edge[edge_b];
    AbutVec3 a0 = abut_touch_vertex_at(s, 0, a->v[0]), u = abut_sub(abut_touch_vertex_at(s, 0, a->v[1]), a0);
    AbutVec3 b0 = abut_touch_vertex_at(s, 1, b->v[0]), v = abut_sub(abut_touch_vertex_at(s, 1, b->v[1]), b0);
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
static int will_meet(const AbutTouchSearch *s, AbutVec3 place, AbutVec3 r) {
    AbutVec3 way = abut_add(s->q->way, abut_cross(s->q->turn, place));
    double square = abut_length_sq(way), at = square > 0.0 ? -abut_dot(r, way) / square : 0.0;
    at = abut_smaller(1.0, abut_larger(0.0, at));
    return abut_length_sq(abut_add_scaled(r, way, at)) <= s->q->margin * s->q->margin;
}

static void look_beside_edge(AbutTouchSearch *s, int side, int32_t v, int32_t edge) {
    const AbutFeatureEdge *e = &s->side[1 - side]->edge[edge];
    AbutVec3 p = abut_touch_vertex_at(s, side, v), from = abut_touch_vertex_at(s, 1 - side, e->v[0]),
             d = abut_sub(abut_touch_vertex_at(s, 1 - side, e->v[1]), from), r = abut_sub(p, from);
    double at = abut_dot(r, d) / abut_length_sq(d);
    r = abut_add_scaled(r, d, -at);
    double gap = abut_length(r);
    if (!(at > 0.0 && at < 1.0 && gap < s->q->within && gap > s->q->margin)) return;
    AbutVec3 n = abut_scale(r, 1.0 / gap);
    for (int k = 0; k < 2; ++k)
        if (e->t[k] >= 0 && abut_dot(n, abut_touch_turned(s, 1 - side, e->in[k])) > ABUT_FEATURE_CONE_BLUNT) return;
    AbutVec3 place = abut_add_scaled(p, n, -0.5 * gap);
    if (abut_touch_is_lowest(s, side, v, p, n, ABUT_FEATURE_CONE_BLUNT) && will_meet(s, place, side ? r : abut_neg(r)))
        add(s, place, side ? n : abut_neg(n), gap, ABUT_TOUCH_BLUNT);
}

static void look_beside_vertex(AbutTouchSearch *s, int32_t vertex_a, int32_t vertex_b) {
    AbutVec3 p = abut_touch_vertex_at(s, 0, vertex_a), q = abut_touch_vertex_at(s, 1, vertex_b), r = abut_sub(q, p);
    double gap = abut_length(r);
    if (!(gap < s->q->within && gap > s->q->margin)) return;
    AbutVec3 n = abut_scale(r, 1.0 / gap);
    if (abut_touch_is_lowest(s, 1, vertex_b, q, n, ABUT_FEATURE_CONE_BLUNT) &&
        abut_touch_is_lowest(s, 0, vertex_a, p, abut_neg(n), ABUT_FEATURE_CONE_BLUNT) &&
        will_meet(s, abut_lerp(p, q, 0.5), r))
        add(s, abut_lerp(p, q, 0.5), n, gap, ABUT_TOUCH_BLUNT);
}

/* ---- all ---- */

/* A is a half-space: vertices of B that are lowest. */
static void look_over_plane(AbutTouchSearch *s) {
    const AbutMeshFeatures *b = s->side[1];
    AbutVec3 n = abut_axis(2);
    for (int32_t i = 0; i < b->tip_count; ++i) {
        AbutVec3 p = abut_touch_vertex_at(s, 1, b->tip[i]);
        if (p.z < s->q->within && abut_touch_is_lowest(s, 1, b->tip[i], p, n, ABUT_FEATURE_CONE_FACE))
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

int abut_touch_search_open(AbutTouchSearch *search, AbutTouchRoom *room, const AbutTouchQuestion *question) {
    *search = (AbutTouchSearch){
        question, {question->a, question->b}, room, abut_quat_to_mat3(question->b_in_a.q), question->b_in_a.p};
    return reserve(room, question->b);
}

static void look_at(AbutTouchSearch *s, const AbutFeaturePair *f) {
    int wide = s->q->within > s->q->margin;
    switch ((AbutFeaturePairKind)f->kind) {
    case ABUT_VERTEX_OVER_FACE:
        look_over_face(s, 0, f->a, f->b);
        break;
    case ABUT_FACE_UNDER_VERTEX:
        look_over_face(s, 1, f->b, f->a);
        break;
    case ABUT_EDGE_ACROSS_EDGE:
        look_across(s, f->a, f->b);
        break;
    case ABUT_VERTEX_BESIDE_EDGE:
        if (wide) look_beside_edge(s, 0, f->a, f->b);
        break;
    case ABUT_EDGE_BESIDE_VERTEX:
        if (wide) look_beside_edge(s, 1, f->b, f->a);
        break;
    case ABUT_VERTEX_BESIDE_VERTEX:
        if (wide) look_beside_vertex(s, f->a, f->b);
    }
}

int abut_find_touches(AbutTouchRoom *room, const AbutTouchQuestion *question, const AbutTouchList *list) {
    AbutTouchSearch s;
    room->touch_count = 0;
    room->starved = !abut_touch_search_open(&s, room, question);
    if (room->starved) return 0;
    double far = abut_larger(question->within, question->depth) + (question->a ? list->way : 0.0);
    for (int32_t i = 0; question->a && i < list->feature_count; ++i)
        if (!(list->feature[i].apart > far)) look_at(&s, &list->feature[i]);
    if (!question->a) look_over_plane(&s);
    return !room->starved;
}

void abut_touch_room_free(AbutTouchRoom *room) {
    abut_free(room->touch);
    abut_free(room->vertex);
    abut_free(room->normal);
    abut_free(room->vertex_stamp);
    abut_free(room->normal_stamp);
    memset(room, 0, sizeof *room);
}
