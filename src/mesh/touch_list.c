/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features of two meshes that may touch while they move a little. In: two meshes and a pose. Out: of the features that
 * near triangles own those that are near and face each other.
 *
 * While every point of B moves by `slack` at most, B turns by slack / radius at most, its tilt. A pair of features that
 * is left out could not touch after any such motion: it is too far, or its normals face away by more than the tilt.
 */
#include "mesh/mesh_pair.h"
#include "mesh/tolerance.h"
#include "mesh/touch_search.h"

#include <stdlib.h>
#include <string.h>

/* One pair for so many triangles is few. */
enum { FEW = 32 };

void abut_touch_list_free(AbutTouchList *list) {
    abut_free(list->pair);
    abut_free(list->feature);
    abut_free(list->ordered);
    memset(list, 0, sizeof *list);
}

/* ---- pairs of triangles ------------------------------------------------------------------------------------------ */

void abut_touch_list_add(AbutTouchRoom *room, AbutTrianglePair pair) {
    AbutTouchList *list = room->list;
    if (!abut_grow((void **)&list->pair, &list->pair_capacity, (size_t)list->pair_count + 1, sizeof *list->pair))
        room->starved = 1;
    else
        list->pair[list->pair_count++] = pair;
}

static int by_number(const void *x, const void *y) {
    const AbutTrianglePair *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static void sort_pairs(AbutTouchList *list) {
    if (list->pair_count > 1) qsort(list->pair, (size_t)list->pair_count, sizeof *list->pair, by_number);
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

/* The features of two triangles, as one run of the list. */
static void list_pair(AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    Listing *l = q->user;
    AbutTouchRoom *room = l->s.room;
    int32_t a = abut_tree_source(q->a)[slot_a], b = abut_tree_source(q->b)[slot_b], first = l->list->feature_count;
    list_owned(l, a, b);
    if (l->list->feature_count > first)
        abut_touch_list_add(room, (AbutTrianglePair){a, b, 0.0, first, l->list->feature_count - first});
    q->done |= room->starved;
}

/* While the list holds B turns by the tilt at most. */
static void walk_over_facing(AbutMeshPair *q, const Listing *l) {
    const AbutTouchQuestion *question = l->s.q;
    const AbutVec3 column[3] = {q->r.x, q->r.y, q->r.z};
    q->facing_a = question->a->facing;
    q->facing_b = question->b->facing;
    q->facing_tilt = (float)l->tilt;
    for (int i = 0; i < 3; ++i) {
        q->facing_turn[0][i] = (float)column[i].x;
        q->facing_turn[1][i] = (float)column[i].y;
        q->facing_turn[2][i] = (float)column[i].z;
    }
    abut_mesh_walk()->facing(q);
}

static AbutFeaturePair *put_run(AbutFeaturePair *to, const AbutTouchList *list, const AbutTrianglePair *pair) {
    memcpy(to, list->feature + pair->first, (size_t)pair->count * sizeof *to);
    return to + pair->count;
}

/* Pairs of many triangles in their order: chains of those with one triangle of B, then from the last of these chains on
 * those with one of A. 0: no memory. */
static int order_chains(const AbutTouchList *list, AbutTouchRoom *room, int32_t count_a, int32_t count_b) {
    size_t chains = (size_t)count_a + (size_t)count_b;
    if (!abut_grow((void **)&room->order, &room->order_capacity, chains + (size_t)list->pair_count, sizeof(int32_t)))
        return 0;
    int32_t *first_a = room->order, *first_b = first_a + count_a, *next = first_b + count_b;
    memset(first_a, -1, chains * sizeof *first_a);
    for (int32_t i = 0; i < list->pair_count; ++i) next[i] = first_b[list->pair[i].b], first_b[list->pair[i].b] = i;
    for (int32_t b = count_b - 1; b >= 0; --b)
        for (int32_t i = first_b[b], after; i >= 0; i = after) {
            after = next[i];
            next[i] = first_a[list->pair[i].a];
            first_a[list->pair[i].a] = i;
        }
    AbutFeaturePair *to = list->ordered;
    for (int32_t a = 0; a < count_a; ++a)
        for (int32_t i = first_a[a]; i >= 0; i = next[i]) to = put_run(to, list, &list->pair[i]);
    return 1;
}

/* Runs in the order of their triangles: touches do not depend on when they were listed. */
static int order_runs(AbutTouchList *list, AbutTouchRoom *room, const AbutTouchQuestion *q) {
    int32_t count_a = q->a->mesh.triangle_count, count_b = q->b->mesh.triangle_count;
    if (!abut_grow(
            (void **)&list->ordered, &list->ordered_capacity, (size_t)list->feature_count + 1, sizeof *list->ordered))
        return 0;
    if (list->pair_count > (count_a + count_b) / FEW) return order_chains(list, room, count_a, count_b);
    AbutFeaturePair *to = list->ordered;
    sort_pairs(list);
    for (int32_t i = 0; i < list->pair_count; ++i) to = put_run(to, list, &list->pair[i]);
    return 1;
}

static int list_features(AbutTouchList *list, AbutTouchRoom *room, const AbutTouchQuestion *question) {
    Listing l = {.list = list, .reach = list->reach + list->slack, .slack = list->slack};
    AbutMeshPair q;
    list->pair_count = list->feature_count = room->starved = 0;
    room->list = list;
    if (abut_touch_is_round(question)) {
        int listed = abut_list_round_triangles(room, question, l.reach);
        sort_pairs(list);
        return listed;
    }
    if (!abut_touch_search_open(&l.s, room, question) ||
        !abut_mesh_pair_open(&q, question->a->tree, question->b->tree, question->b_in_a, 0.0))
        return 0;
    double radius = question->b->lever; /* of a ball 0: it has no direction */
    l.tilt = radius > 0.0 ? abut_smaller(1.0, list->slack / radius) : 0.0;
    l.cone = question->a->round + question->b->round > 0.0 ? ABUT_FEATURE_CONE_FACE : ABUT_FEATURE_CONE_BLUNT;
    q.visit = list_pair;
    q.user = &l;
    abut_mesh_pair_limit(&q, l.reach);
    abut_mesh_pair_turn(&q, abut_axis(0));
    walk_over_facing(&q, &l);
    return !room->starved && order_runs(list, room, question);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* How far points of B have moved since it had this pose, at most. */
static double way_since(AbutPose pose, const AbutTouchQuestion *q) {
    AbutVec3 center = q->b->tree->center;
    AbutVec3 moved = abut_sub(abut_pose_apply(q->b_in_a, center), abut_pose_apply(pose, center));
    double turned = abut_length(abut_quat_log(abut_quat_mul(q->b_in_a.q, abut_quat_conj(pose.q))));
    return abut_length(moved) + turned * q->b->lever;
}

/* How far they will have moved after what is looked ahead. */
static double way_ahead(const AbutTouchQuestion *q) {
    AbutVec3 center = abut_pose_apply(q->b_in_a, q->b->tree->center);
    return abut_length(abut_add(q->way, abut_cross(q->turn, center))) + abut_length(q->turn) * q->b->lever;
}

int abut_touch_list_ready(AbutTouchList *list, AbutTouchRoom *room, const AbutTouchQuestion *q, double slack) {
    double beside = abut_touch_is_round(q) ? 2.0 * q->margin : 0.0; /* over a face that is grown */
    double reach = abut_larger(q->within, q->depth) + q->a->round + q->b->round + beside;
    if (way_ahead(q) > slack) slack = 0.0; /* it would not hold for another step */
    double wide = slack > 0.0 ? ABUT_TOUCH_LIST_SPARE * reach : reach;
    list->way = list->reach > 0.0 ? way_since(list->pose, q) : (double)INFINITY;
    int is_known = list->margin == q->margin && reach <= list->reach && wide + slack >= 0.5 * list->reach;
    if (is_known && list->way <= list->slack) return 1;
    list->reach = wide;
    list->slack = slack;
    list->margin = q->margin;
    list->pose = q->b_in_a;
    list->way = 0.0;
    if (list_features(list, room, q)) return 1;
    list->reach = 0.0;
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

typedef struct Crossing {
    AbutTouchSearch s;
    double tolerance;
    int found;
} Crossing;

static void look_for_crossing(AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    Crossing *x = q->user;
    AbutTouchSearch *s = &x->s;
    int32_t ta = abut_tree_source(q->a)[slot_a], tb = abut_tree_source(q->b)[slot_b];
    const int32_t *va = s->side[0]->mesh.triangles[ta].v, *vb = s->side[1]->mesh.triangles[tb].v;
    AbutVec3 a[3], b[3];
    for (int k = 0; k < 3; ++k) a[k] = abut_touch_vertex_at(s, 0, va[k]), b[k] = abut_touch_vertex_at(s, 1, vb[k]);
    x->found = goes_through(b, a, abut_touch_normal_at(s, 0, ta), x->tolerance) ||
               goes_through(a, b, abut_touch_normal_at(s, 1, tb), x->tolerance);
    q->done = x->found;
}

int abut_triangles_cross(AbutTouchRoom *room, const AbutTouchQuestion *question, double tolerance) {
    Crossing x = {.tolerance = tolerance};
    AbutMeshPair q;
    if (!abut_touch_search_open(&x.s, room, question) ||
        !abut_mesh_pair_open(&q, question->a->tree, question->b->tree, question->b_in_a, 0.0))
        return 0;
    q.visit = look_for_crossing;
    q.user = &x;
    abut_mesh_pair_turn(&q, abut_axis(0));
    abut_mesh_walk()->collide(&q);
    return x.found;
}
