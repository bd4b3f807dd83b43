/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do two triangle meshes meet, and with which triangles?
 *
 * In: two trees and the pose of B in A. Out: first pair or all pairs, or which mesh lies inside the other. Method: the
 * oriented boxes of the whole meshes are tried on fifteen axes; then a walk through both trees down to pairs of
 * triangles that neither boxes nor planes part; these are decided by exact signs. Where the surfaces do not meet, one
 * vertex of each component is looked for inside the other mesh.
 */
#include "mesh/kernels.h"
#include "mesh/mesh_pair.h"
#include "mesh/near.h"
#include "mesh/tolerance.h"

#include <float.h>
#include <stdlib.h>

/* Boxes of the whole meshes, in exact coordinates: half lengths, unit axes, and the way between the centers. */
typedef struct Boxes {
    double ea[3], eb[3];
    AbutVec3 ua[3], ub[3], way;
} Boxes;

static Boxes whole_boxes(const AbutMeshPair *q) {
    Boxes x;
    for (int k = 0; k < 3; ++k) {
        AbutVec3 a = abut_scale(q->a->oriented_axis[k], q->scale);
        AbutVec3 b = abut_mat3_apply(q->r, abut_scale(q->b->oriented_axis[k], q->scale));
        x.ea[k] = abut_length(a), x.eb[k] = abut_length(b);
        x.ua[k] = abut_normalize_or(a, abut_axis(k));
        x.ub[k] = abut_normalize_or(b, abut_axis(k));
    }
    AbutVec3 b = abut_add(abut_mat3_apply(q->r, abut_scale(q->b->oriented_center, q->scale)), q->t);
    x.way = abut_sub(b, abut_scale(q->a->oriented_center, q->scale));
    return x;
}

/* Overlap of the boxes along a direction, negated: above the slack they are apart. */
static double part_along(const Boxes *x, AbutVec3 n) {
    double reach = 0.0;
    for (int k = 0; k < 3; ++k)
        reach += x->ea[k] * fabs(abut_dot(n, x->ua[k])) + x->eb[k] * fabs(abut_dot(n, x->ub[k]));
    return fabs(abut_dot(n, x->way)) - reach;
}

/* Are the boxes apart? If not, *axis is the face normal along which they overlap least. */
static int boxes_apart(const AbutMeshPair *q, AbutVec3 *axis) {
    Boxes x = whole_boxes(q);
    double most = -INFINITY;
    *axis = abut_axis(0);
    for (int k = 0; k < 6; ++k) {
        AbutVec3 n = k < 3 ? x.ua[k] : x.ub[k - 3];
        double part = part_along(&x, n);
        if (part > ABUT_MESH_BOX_SLACK) return 1;
        if (part > most) most = part, *axis = n;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (part_along(&x, abut_cross(x.ua[i], x.ub[j])) > ABUT_MESH_BOX_SLACK) return 1;
    return 0;
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static int meets(const AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    AbutVec3 a[3], b[3];
    abut_mesh_triangle_a(q, slot_a, a);
    abut_mesh_triangle_b(q, slot_b, b);
    return abut_triangles_meet(a, b);
}

static void keep_first(AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    if (meets(q, slot_a, slot_b)) {
        q->best.slot_a = slot_a, q->best.slot_b = slot_b;
        q->done = 1;
    }
}

typedef struct List {
    AbutPair *pairs;
    int32_t count, capacity, more;
} List;

/* 0: there was no room for the pair. */
static int add_pair(List *list, int32_t a, int32_t b) {
    if (list->count == list->capacity)
        list->more = 1;
    else
        list->pairs[list->count++] = (AbutPair){a, b};
    return !list->more;
}

static void keep_all(AbutMeshPair *q, int32_t slot_a, int32_t slot_b) {
    if (!meets(q, slot_a, slot_b)) return;
    q->done = !add_pair(q->user, abut_tree_source(q->a)[slot_a], abut_tree_source(q->b)[slot_b]);
    q->best.slot_a = slot_a, q->best.slot_b = slot_b;
}

static int keep_near(const AbutMeshNear *near, void *user) {
    return !near->meets || add_pair(user, near->triangle, -1);
}

static int compare_pairs(const void *p, const void *q) {
    const AbutPair *x = p, *y = q;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static void take_list(const List *list, AbutCollision *out) {
    out->count = list->count, out->more = list->more;
    if (list->count > 0) {
        qsort(list->pairs, (size_t)list->count, sizeof *list->pairs, compare_pairs);
        out->first = list->pairs[0];
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static AbutCollision answer_of(AbutGapOutcome outcome) {
    AbutCollision out = {outcome, 0, {-1, -1}, 0, 0};
    return out;
}

/* Are the balls around the meshes apart, beyond rounding? NaN and empty meshes: no. */
static int balls_apart(const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a) {
    double distance = abut_point_distance(abut_pose_apply(b_in_a, b->center), a->center);
    double size = a->radius + b->radius + abut_length(a->center) + abut_length(b->center) + abut_length(b_in_a.p);
    return a->triangle_count > 0 && b->triangle_count > 0 && abut_mesh_pose_is_good(b_in_a) &&
           size < ABUT_QUERY_LARGEST && distance > a->radius + b->radius + ABUT_MESH_BOX_SLACK * size;
}

/* Opens the pair and looks at the whole boxes; 0 when that gives the answer in *out. */
static int begin(AbutMeshPair *q, const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, AbutCollision *out) {
    AbutVec3 axis;
    AbutCollision apart = answer_of(ABUT_SEPARATED);
    apart.containment_known = a->inside != ABUT_MESH_OPEN && b->inside != ABUT_MESH_OPEN;
    *out = apart;
    if (balls_apart(a, b, b_in_a)) return 0;
    *out = answer_of(ABUT_INVALID);
    if (!abut_mesh_pair_open(q, a, b, b_in_a, 0.0)) return 0;
    *out = answer_of(ABUT_EMPTY);
    if (a->triangle_count == 0 || b->triangle_count == 0) return 0;
    *out = apart;
    if (boxes_apart(q, &axis)) return 0;
    abut_mesh_pair_turn(q, axis);
    return 1;
}

static void finish(const AbutMeshPair *q, AbutCollision *out) {
    if (q->best.slot_a >= 0) {
        out->outcome = ABUT_PENETRATING;
        out->containment_known = 1;
        out->first.a = abut_tree_source(q->a)[q->best.slot_a];
        out->first.b = abut_tree_source(q->b)[q->best.slot_b];
    } else {
        int known;
        out->outcome = abut_mesh_pair_nesting(q, &known);
        out->containment_known = known;
    }
}

AbutCollision abut_mesh_collide(const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, AbutPair *cache) {
    AbutMeshPair q;
    AbutCollision out;
    if (!begin(&q, a, b, b_in_a, &out)) return out;
    q.visit = keep_first;
    if (cache && cache->a > 0 && cache->a <= a->triangle_count && cache->b > 0 && cache->b <= b->triangle_count)
        keep_first(&q, cache->a - 1, cache->b - 1);
    if (!q.done) abut_mesh_walk()->collide(&q);
    if (cache && q.best.slot_a >= 0) cache->a = q.best.slot_a + 1, cache->b = q.best.slot_b + 1;
    finish(&q, &out);
    return out;
}

AbutCollision abut_mesh_collide_all(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, int32_t capacity, AbutPair *pairs) {
    AbutMeshPair q;
    AbutCollision out;
    List list = {pairs, 0, capacity, 0};
    if (!begin(&q, a, b, b_in_a, &out)) return out;
    q.visit = keep_all;
    q.user = &list;
    abut_mesh_walk()->collide(&q);
    finish(&q, &out);
    take_list(&list, &out);
    return out;
}

AbutCollision abut_mesh_convex_collide_all(
    const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, int32_t capacity, AbutPair *pairs) {
    List list = {pairs, 0, capacity, 0};
    AbutCollision out = abut_mesh_convex_collide(a, b, b_in_a, NULL);
    out.count = 0;
    if (out.outcome != ABUT_PENETRATING) return out;
    (void)abut_mesh_convex_near(a, b, b_in_a, abut_axis(0), DBL_MIN, keep_near, &list);
    take_list(&list, &out);
    return out;
}
