/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features of two meshes that may touch while they move a little. In: two meshes and a pose. Out: all pairs of
 * triangles that are near, and of the features they own those that are near and face each other.
 *
 * While every point of B moves by `slack` at most, B turns by slack / radius at most, its tilt. A pair of features that
 * is left out could not touch after any such motion: it is too far, or its normals face away by more than the tilt.
 */
#include "mesh/mesh_pair.h"
#include "mesh/tolerance.h"
#include "mesh/touch_search.h"

#include <stdlib.h>
#include <string.h>

void abut_touch_list_free(AbutTouchList *list) {
    abut_free(list->pair);
    abut_free(list->feature);
    memset(list, 0, sizeof *list);
}

/* ---- which triangles are near ------------------------------------------------------------------------------------ */

void abut_touch_list_add(AbutTouchRoom *room, AbutTrianglePair pair) {
    AbutTouchList *list = room->list;
    if (!abut_grow((void **)&list->pair, &list->pair_capacity, (size_t)list->pair_count + 1, sizeof *list->pair))
        room->starved = 1;
    else
        list->pair[list->pair_count++] = pair;
}

static void list_pair(AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    AbutTouchRoom *room = q->user;
    double square = q->visited;
    if (square < 0.0) {
        AbutVec3 a[3], b[3];
        abut_mesh_triangle_a(q, slot_a, a);
        abut_mesh_triangle_b(q, slot_b, b);
        square = abut_triangle_gap(a, b).square;
    }
    if (!(square <= room->near_square)) return;
    abut_touch_list_add(room,
        (AbutTrianglePair){abut_tree_source(q->a)[slot_a], abut_tree_source(q->b)[slot_b], sqrt(square) / q->scale});
    q->done |= room->starved;
}

static int by_number(const void *x, const void *y) {
    const AbutTrianglePair *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* All pairs of triangles nearer than `radius`. 0: no memory, or a bad pose. */
static int list_triangles(AbutTouchList *list, AbutTouchRoom *room, const AbutTouchQuestion *question, double radius) {
    AbutMeshPair q;
    list->pair_count = room->starved = 0;
    list->pair_reach = radius;
    list->pair_pose = question->b_in_a;
    list->pair_way = 0.0;
    room->list = list;
    if (abut_touch_is_round(question)) return abut_list_round_triangles(room, question, radius);
    if (!abut_mesh_pair_open(&q, question->a->tree, question->b->tree, question->b_in_a, 0.0)) return 0;
    q.visit = list_pair;
    q.user = room;
    room->near_square = radius * radius * q.scale * q.scale * ABUT_MESH_LIMIT_GROWTH;
    abut_mesh_pair_limit(&q, radius);
    abut_mesh_pair_turn(&q, abut_axis(0));
    abut_mesh_walk()->distance(&q);
    return !room->starved;
}

/* ---- which features may touch ------------------------------------------------------------------------------------ */

/* Contents of the list: features nearer than `reach`; normals may turn by `tilt`, and points move by `slack`. */
typedef struct Listing {
    AbutTouchSearch s;
    AbutTouchList *list;
    double reach, slack, tilt, cone; /* cone: sine by which a vertex may be reached deeper by a neighbor */
} Listing;

static void add_feature(Listing *l, AbutFeaturePairKind kind, int32_t a, int32_t b, double apart) {
    AbutTouchList *list = l->list;
    if (!abut_grow(
            (void **)&list->feature, &list->feature_capacity, (size_t)list->feature_count + 1, sizeof *list->feature))
        l->s.room->starved = 1;
    else
        list->feature[list->feature_count++] = (AbutFeaturePair){(int32_t)kind, a, b, 0, apart};
}

static void list_over_face(Listing *l, int side, int32_t v, int32_t t) {
    AbutTouchSearch *s = &l->s;
    const int32_t *at = s->side[1 - side]->mesh.triangles[t].v;
    AbutVec3 n = abut_touch_normal_at(s, 1 - side, t), p = abut_touch_vertex_at(s, side, v), c[3];
    c[0] = abut_touch_vertex_at(s, 1 - side, at[0]);
    double gap = fabs(abut_dot(n, abut_sub(p, c[0])));
    if (!(gap <= l->reach) || abut_length_sq(n) == 0.0) return;
    if (!abut_touch_is_lowest(s, side, v, p, n, ABUT_FEATURE_CONE_FACE + l->tilt)) return;
    for (int k = 1; k < 3; ++k) c[k] = abut_touch_vertex_at(s, 1 - side, at[k]);
    if (abut_touch_is_over(p, c, n, s->q->margin + l->slack + l->tilt * l->reach))
        add_feature(l, side ? ABUT_FACE_UNDER_VERTEX : ABUT_VERTEX_OVER_FACE, side ? t : v, side ? v : t, gap);
}

/* May n, or its opposite, lie in the cones of both edges, if it turns by the sine `tilt`? */
static int may_cross(Listing *l, const AbutFeatureEdge *a, const AbutFeatureEdge *b, AbutVec3 n, double tilt) {
    double out = ABUT_FEATURE_CONE_EDGE + tilt;
    int along = 1, against = 1;
    for (int k = 0; k < 2; ++k) {
        double on_a = a->t[k] >= 0 ? abut_dot(n, a->in[k]) : 0.0,
               on_b = b->t[k] >= 0 ? -abut_dot(n, abut_touch_turned(&l->s, 1, b->in[k])) : 0.0;
        along &= on_a <= out && on_b <= out;
        against &= -on_a <= out && -on_b <= out;
    }
    return along || against;
}

static void list_across(Listing *l, int32_t edge_a, int32_t edge_b) {
    AbutTouchSearch *s = &l->s;
    const AbutFeatureEdge *a = &s->side[0]->edge[edge_a], *b = &s->side[1]->edge[edge_b];
    AbutTriangleSide u = abut_triangle_side(abut_touch_vertex_at(s, 0, a->v[0]), abut_touch_vertex_at(s, 0, a->v[1]));
    AbutTriangleSide v = abut_triangle_side(abut_touch_vertex_at(s, 1, b->v[0]), abut_touch_vertex_at(s, 1, b->v[1]));
    AbutVec3 c = abut_cross(u.d, v.d);
    double size = sqrt(u.square * v.square), across = abut_length(c), on_a, on_b;
    if (across < (ABUT_FEATURE_PARALLEL - l->tilt) * size) return;
    /* a normal turns by the tilt over the sine of the angle between the edges */
    double tilt = l->tilt + 1.5 * l->tilt * size / across;
    if (tilt < 0.5 && !may_cross(l, a, b, abut_scale(c, 1.0 / across), tilt)) return;
    double apart = abut_length(abut_triangle_sides(&u, &v, &on_a, &on_b)) - 2.0 * s->q->margin;
    if (apart <= l->reach) add_feature(l, ABUT_EDGE_ACROSS_EDGE, edge_a, edge_b, apart);
}

/* Are two points `apart` too near for their direction to say more, or does the edge let it out of its cone? */
static int may_leave(Listing *l, int side, const AbutFeatureEdge *e, AbutVec3 n, double tilt) {
    for (int k = 0; k < 2; ++k)
        if (e->t[k] >= 0 && abut_dot(n, abut_touch_turned(&l->s, side, e->in[k])) > tilt) return 0;
    return 1;
}

static void list_beside_edge(Listing *l, int side, int32_t v, int32_t edge) {
    AbutTouchSearch *s = &l->s;
    const AbutFeatureEdge *e = &s->side[1 - side]->edge[edge];
    AbutVec3 p = abut_touch_vertex_at(s, side, v), from = abut_touch_vertex_at(s, 1 - side, e->v[0]),
             d = abut_sub(abut_touch_vertex_at(s, 1 - side, e->v[1]), from), r = abut_sub(p, from);
    double at = abut_dot(r, d) / abut_length_sq(d);
    r = abut_add_scaled(r, d, -abut_smaller(1.0, abut_larger(0.0, at)));
    double apart = abut_length(r);
    if (!(apart <= l->reach)) return;
    double tilt = l->cone + l->tilt + 2.0 * l->slack / apart; /* of the direction between both */
    if (tilt < 0.5) {
        AbutVec3 n = abut_scale(r, 1.0 / apart);
        if (!may_leave(l, 1 - side, e, n, tilt) || !abut_touch_is_lowest(s, side, v, p, n, tilt)) return;
    }
    add_feature(l, side ? ABUT_EDGE_BESIDE_VERTEX : ABUT_VERTEX_BESIDE_EDGE, side ? edge : v, side ? v : edge, apart);
}

static void list_beside_vertex(Listing *l, int32_t a, int32_t b) {
    AbutTouchSearch *s = &l->s;
    AbutVec3 p = abut_touch_vertex_at(s, 0, a), q = abut_touch_vertex_at(s, 1, b), r = abut_sub(q, p);
    double apart = abut_length(r);
    if (!(apart <= l->reach)) return;
    double tilt = l->cone + l->tilt + 2.0 * l->slack / apart;
    if (tilt < 0.5) {
        AbutVec3 n = abut_scale(r, 1.0 / apart);
        if (!abut_touch_is_lowest(s, 1, b, q, n, tilt) || !abut_touch_is_lowest(s, 0, a, p, abut_neg(n), tilt)) return;
    }
    add_feature(l, ABUT_VERTEX_BESIDE_VERTEX, a, b, apart);
}

static void list_owned(Listing *l, int32_t ta, int32_t tb) {
    const AbutMeshFeatures *a = l->s.side[0], *b = l->s.side[1];
    const int32_t *va = a->mesh.triangles[ta].v, *vb = b->mesh.triangles[tb].v;
    int own_a = a->own[ta], own_b = b->own[tb];
    for (int i = 0; i < 3; ++i) {
        if (own_a & (ABUT_OWNS_VERTEX << i)) list_over_face(l, 0, va[i], tb);
        if (own_b & (ABUT_OWNS_VERTEX << i)) list_over_face(l, 1, vb[i], ta);
    }
    if (!own_a || !own_b) return;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            int vertex_a = own_a & (ABUT_OWNS_VERTEX << i), edge_a = own_a & (ABUT_OWNS_EDGE << i),
                vertex_b = own_b & (ABUT_OWNS_VERTEX << k), edge_b = own_b & (ABUT_OWNS_EDGE << k);
            if (edge_a && edge_b) list_across(l, a->side[ta].v[i], b->side[tb].v[k]);
            if (vertex_a && edge_b) list_beside_edge(l, 0, va[i], b->side[tb].v[k]);
            if (edge_a && vertex_b) list_beside_edge(l, 1, vb[k], a->side[ta].v[i]);
            if (vertex_a && vertex_b) list_beside_vertex(l, va[i], vb[k]);
        }
}

static void sort_pairs(AbutTouchList *list, int32_t count) {
    if (count > 1) qsort(list->pair, (size_t)count, sizeof *list->pair, by_number);
}

static int list_features(AbutTouchList *list, AbutTouchRoom *room, const AbutTouchQuestion *q) {
    if (abut_touch_is_round(q)) {
        sort_pairs(list, list->pair_count);
        return 1;
    }
    Listing l = {.list = list, .reach = list->reach + list->slack, .slack = list->slack};
    list->feature_count = 0;
    if (!abut_touch_search_open(&l.s, room, q)) return 0;
    double radius = q->b->lever; /* of a ball 0: it has no direction */
    l.tilt = radius > 0.0 ? abut_smaller(1.0, list->slack / radius) : 0.0;
    l.cone = q->a->round + q->b->round > 0.0 ? ABUT_FEATURE_CONE_FACE : ABUT_FEATURE_CONE_BLUNT;
    int32_t own = 0;
    for (int32_t i = 0; i < list->pair_count; ++i) { /* few pairs own any: these alone are put in order */
        AbutTrianglePair pair = list->pair[i];
        int32_t before = list->feature_count;
        if (pair.apart - list->pair_way > l.reach) continue;
        list_owned(&l, pair.a, pair.b);
        if (list->feature_count == before) continue;
        list->pair[i] = list->pair[own];
        list->pair[own++] = pair;
    }
    list->feature_count = 0;
    sort_pairs(list, own);
    for (int32_t i = 0; i < own; ++i) list_owned(&l, list->pair[i].a, list->pair[i].b);
    return !room->starved;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* How far points of B have moved since it had this pose, at most. */
static double way_since(AbutPose pose, const AbutTouchQuestion *q) {
    AbutVec3 center = q->b->tree->center;
    AbutVec3 moved = abut_sub(abut_pose_apply(q->b_in_a, center), abut_pose_apply(pose, center));
    double turned = abut_length(abut_quat_log(abut_quat_mul(q->b_in_a.q, abut_quat_conj(pose.q))));
    return abut_length(moved) + turned * q->b->lever;
}

int abut_touch_list_ready(AbutTouchList *list, AbutTouchRoom *room, const AbutTouchQuestion *q, double slack) {
    double beside = abut_touch_is_round(q) ? 2.0 * q->margin : 0.0; /* over a face that is grown */
    double reach = abut_larger(q->within, q->depth) + q->a->round + q->b->round + beside;
    double wide = ABUT_TOUCH_LIST_SPARE * reach;
    list->way = list->reach > 0.0 ? way_since(list->pose, q) : (double)INFINITY;
    list->pair_way = list->pair_reach > 0.0 ? way_since(list->pair_pose, q) : (double)INFINITY;
    int is_known = list->margin == q->margin && reach <= list->reach && wide + slack >= 0.5 * list->reach;
    if (is_known && list->way <= list->slack) return 1;
    list->reach = wide;
    list->slack = slack;
    list->margin = q->margin;
    list->pose = q->b_in_a;
    list->way = 0.0;
    double near = wide + slack, far = near + ABUT_TOUCH_LIST_PAIRS * slack;
    if ((near + list->pair_way <= list->pair_reach && far >= 0.5 * list->pair_reach) ||
        list_triangles(list, room, q, far))
        if (list_features(list, room, q)) return 1;
    list->reach = list->pair_reach = 0.0;
    return 0;
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

int abut_triangles_cross(
    AbutTouchRoom *room, const AbutTouchQuestion *question, const AbutTouchList *list, double tolerance) {
    AbutTouchSearch s = {
        question, {question->a, question->b}, room, abut_quat_to_mat3(question->b_in_a.q), question->b_in_a.p};
    for (int32_t i = 0; i < list->pair_count; ++i) {
        const AbutTrianglePair *pair = &list->pair[i];
        if (pair->apart > list->pair_way) continue;
        const int32_t *va = question->a->mesh.triangles[pair->a].v, *vb = question->b->mesh.triangles[pair->b].v;
        AbutVec3 a[3], b[3];
        for (int k = 0; k < 3; ++k)
            a[k] = abut_touch_vertex_at(&s, 0, va[k]), b[k] = abut_touch_vertex_at(&s, 1, vb[k]);
        if (goes_through(b, a, abut_touch_normal_at(&s, 0, pair->a), tolerance) ||
            goes_through(a, b, abut_touch_normal_at(&s, 1, pair->b), tolerance))
            return 1;
    }
    return 0;
}
