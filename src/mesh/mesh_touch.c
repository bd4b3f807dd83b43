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
    abut_touch_add(s->room, place, normal, gap, kind);
}

/* ---- the four kinds ---------------------------------------------------------------------------------------------- */

/* Vertex v of one side over the face t of the other. */
static void look_over_face(AbutTouchSearch *s, int side, int32_t v, int32_t t) {
    const AbutMeshFeatures *g = s->side[1 - side];
    const int32_t *at = g->mesh.triangles[t].v;
    AbutVec3 n = abut_touch_normal_at(s, 1 - side, t), p = abut_touch_vertex_at(s, side, v), c[3];
    c[0] = abut_touch_vertex_at(s, 1 - side, at[0]);
    double round = s->side[side]->round, gap = abut_dot(n, abut_sub(p, c[0])) - round;
    if (!(gap < s->q->within && gap > -s->q->depth) || abut_length_sq(n) == 0.0) return;
    c[1] = abut_touch_vertex_at(s, 1 - side, at[1]);
    c[2] = abut_touch_vertex_at(s, 1 - side, at[2]);
    if (!abut_touch_is_over(p, c, n, s->q->margin)) return;
    if (!abut_touch_is_lowest(s, side, v, p, n, ABUT_FEATURE_CONE_FACE)) return;
    add(s, abut_add_scaled(p, n, -round - 0.5 * gap), side ? n : abut_neg(n), gap, ABUT_TOUCH_FACE);
    if (round == 0.0 && !s->room->starved) s->room->touch[s->room->touch_count - 1].vertex = side + 1;
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

/* Sum of the outward normals beside an edge; zero: the line of a capsule, which leads out on all sides. */
static AbutVec3 outward(AbutTouchSearch *s, int side, const AbutFeatureEdge *e) {
    if (e->t[0] < 0) return abut_zero();
    AbutVec3 n = abut_touch_normal_at(s, side, e->t[0]);
    return e->t[1] >= 0 ? abut_add(n, abut_touch_normal_at(s, side, e->t[1])) : n;
}

static void look_across(AbutTouchSearch *s, int32_t edge_a, int32_t edge_b) {
    const AbutFeatureEdge *a = &s->side[0]->edge[edge_a], *b = &s->side[1]->edge[edge_b];
    AbutVec3 a0 = abut_touch_vertex_at(s, 0, a->v[0]), u = abut_sub(abut_touch_vertex_at(s, 0, a->v[1]), a0);
    AbutVec3 b0 = abut_touch_vertex_at(s, 1, b->v[0]), v = abut_sub(abut_touch_vertex_at(s, 1, b->v[1]), b0);
    AbutVec3 c = abut_cross(u, v), r = abut_sub(b0, a0);
    double cc = abut_length_sq(c), uu = abut_length_sq(u), vv = abut_length_sq(v), far, height = abut_dot(c, r);
    double round_a = s->side[0]->round, round_b = s->side[1]->round;
    far = abut_larger(s->q->within, s->q->depth) + round_a + round_b;
    if (!(cc > ABUT_FEATURE_PARALLEL * ABUT_FEATURE_PARALLEL * uu * vv) || height * height > far * far * cc) return;
    double on_a = abut_dot(abut_cross(r, v), c) / cc, on_b = abut_dot(abut_cross(r, u), c) / cc;
    double more_a = s->q->margin / sqrt(uu), more_b = s->q->margin / sqrt(vv);
    if (on_a < -more_a || on_a > 1.0 + more_a || on_b < -more_b || on_b > 1.0 + more_b) return;
    AbutVec3 n = abut_scale(c, 1.0 / sqrt(cc));
    double out_a = abut_dot(n, outward(s, 0, a)), out_b = abut_dot(n, outward(s, 1, b));
    int flip = round_a > 0.0 ? out_b > 0.0 : out_a < 0.0;
    if (flip) n = abut_neg(n), out_b = -out_b;
    if ((round_b == 0.0 && !(out_b < 0.0)) || !snap_to_cones(s, a, b, &n)) return;
    AbutVec3 on_line_a = abut_add_scaled(a0, u, on_a), on_line_b = abut_add_scaled(b0, v, on_b);
    double gap = abut_dot(n, abut_sub(on_line_b, on_line_a)) - round_a - round_b;
    AbutVec3 middle = abut_lerp(abut_add_scaled(on_line_a, n, round_a), abut_add_scaled(on_line_b, n, -round_b), 0.5);
    if (gap < s->q->within && gap > -s->q->depth) add(s, middle, n, gap, ABUT_TOUCH_CROSSING);
}

/* Is a vertex that is `apart` from an edge or a vertex to be looked at? Round bodies touch there also in overlap. */
static int is_in_window(const AbutTouchSearch *s, double apart) {
    double round = s->side[0]->round + s->side[1]->round, gap = apart - round;
    return gap < s->q->within && (round > 0.0 ? gap > -s->q->depth && apart > 0.0 : gap > s->q->margin);
}

/* Sine by which a neighbor of a vertex may reach deeper than it. */
static double blunt_cone(const AbutTouchSearch *s) {
    return s->side[0]->round + s->side[1]->round > 0.0 ? ABUT_FEATURE_CONE_FACE : ABUT_FEATURE_CONE_BLUNT;
}

/* `place` is on the body of p, where its radius ends, n points from the other one to p. */
static void add_blunt(AbutTouchSearch *s, int side, AbutVec3 p, AbutVec3 n, double apart) {
    double round = s->side[0]->round + s->side[1]->round, gap = apart - round;
    AbutVec3 place = abut_add_scaled(p, n, -s->side[side]->round - 0.5 * gap), r = abut_scale(n, apart);
    if (round > 0.0 || abut_touch_will_meet(s->q, place, side ? r : abut_neg(r)))
        add(s, place, side ? n : abut_neg(n), gap, ABUT_TOUCH_BLUNT);
}

static void look_beside_edge(AbutTouchSearch *s, int side, int32_t v, int32_t edge) {
    const AbutFeatureEdge *e = &s->side[1 - side]->edge[edge];
    AbutVec3 p = abut_touch_vertex_at(s, side, v), from = abut_touch_vertex_at(s, 1 - side, e->v[0]),
             d = abut_sub(abut_touch_vertex_at(s, 1 - side, e->v[1]), from), r = abut_sub(p, from);
    double at = abut_dot(r, d) / abut_length_sq(d);
    r = abut_add_scaled(r, d, -at);
    double apart = abut_length(r);
    if (!(at > 0.0 && at < 1.0) || !is_in_window(s, apart)) return;
    AbutVec3 n = abut_scale(r, 1.0 / apart);
    for (int k = 0; k < 2; ++k)
        if (e->t[k] >= 0 && abut_dot(n, abut_touch_turned(s, 1 - side, e->in[k])) > ABUT_FEATURE_CONE_BLUNT) return;
    if (abut_touch_is_lowest(s, side, v, p, n, blunt_cone(s))) add_blunt(s, side, p, n, apart);
}

static void look_beside_vertex(AbutTouchSearch *s, int32_t vertex_a, int32_t vertex_b) {
    AbutVec3 p = abut_touch_vertex_at(s, 0, vertex_a), q = abut_touch_vertex_at(s, 1, vertex_b), r = abut_sub(q, p);
    double apart = abut_length(r), cone = blunt_cone(s);
    if (!is_in_window(s, apart)) return;
    AbutVec3 n = abut_scale(r, 1.0 / apart);
    if (abut_touch_is_lowest(s, 1, vertex_b, q, n, cone) && abut_touch_is_lowest(s, 0, vertex_a, p, abut_neg(n), cone))
        add_blunt(s, 1, q, n, apart);
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
    int wide = s->q->within > s->q->margin || s->side[0]->round + s->side[1]->round > 0.0;
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
    if (abut_touch_is_round(question)) return abut_find_round_touches(room, question, list);
    room->touch_count = 0;
    room->starved = !abut_touch_search_open(&s, room, question);
    if (room->starved) return 0;
    double far = abut_larger(question->within, question->depth) + (question->a ? list->way + question->a->round : 0.0) +
                 question->b->round;
    for (int32_t i = 0; question->a && i < list->feature_count; ++i)
        if (!(list->ordered[i].apart > far)) look_at(&s, &list->ordered[i]);
    if (!question->a) look_over_plane(&s);
    return !room->starved;
}

void abut_touch_room_free(AbutTouchRoom *room) {
    abut_free(room->touch);
    abut_free(room->order);
    abut_free(room->vertex);
    abut_free(room->normal);
    abut_free(room->vertex_stamp);
    abut_free(room->normal_stamp);
    memset(room, 0, sizeof *room);
}
