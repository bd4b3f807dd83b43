/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Casts against a set of bodies, one by one or through a tree of their boxes.
 *
 * In: a set, what is cast, a filter. Out: the first hit, all hits in order, or the nearest body; the same with a tree
 * and without. Method: the tree names the bodies whose boxes what is cast can meet; half-spaces and planes have no box
 * and are asked one by one. Boxes are a little wider than the bodies, so that rounding of a box decides nothing.
 */
#include "query/contract.h"
#include "solid/cast.h"
#include "solid/field.h"
#include "shape/box_tree.h"

/* Part of a body's size and of its coordinates by which its box is wider. */
#define WIDER 1e-9
/* Part of its size within which a moved shape may count as touching. */
#define TOUCHING 1e-6

struct AbutBodyTree {
    AbutBoxTree boxes;
    int32_t count;      /* bodies of the set */
    int32_t open_count; /* those without a box */
    int32_t *open;
};

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

static int is_unbounded(AbutSolid solid) {
    return solid.kind == ABUT_SOLID_CONVEX && abut_convex_is_unbounded(solid.convex);
}

/* Adds the vertices of a convex body that are farthest along the axes, its radius not in them. */
static AbutAabb add_farthest(AbutAabb box, const AbutConvex *convex, AbutPose pose) {
    for (int i = 0; i < 6; ++i) {
        AbutVec3 d = abut_quat_rotate_inv(pose.q, abut_scale(abut_axis(i / 2), (i & 1) ? 1.0 : -1.0));
        box = abut_aabb_add(box, abut_pose_apply(pose, abut_convex_farthest(convex, d)));
    }
    return box;
}

void abut_placed_box(const AbutPlaced *body, AbutVec3 *middle, AbutVec3 *half) {
    AbutSolid solid = body->solid;
    double r = solid.kind == ABUT_SOLID_MESH ? solid.mesh->radius : 0.0;
    if (solid.kind == ABUT_SOLID_MESH) {
        *middle = abut_pose_apply(body->pose, solid.mesh->center);
        *half = abut_vec3(r, r, r);
        return;
    }
    AbutAabb box = abut_aabb_empty();
    if (solid.kind == ABUT_SOLID_FIELD) box = abut_field_box(solid, body->pose);
    if (solid.kind == ABUT_SOLID_CONVEX) {
        box = add_farthest(box, solid.convex, body->pose);
        r = solid.convex->radius;
    }
    for (int32_t i = 0; solid.kind == ABUT_SOLID_PIECES && i < solid.pieces->count; ++i) {
        AbutConvex piece = abut_convex_polyhedron(solid.pieces->piece[i], 0.0);
        box = add_farthest(box, &piece, body->pose);
    }
    int empty = !(box.min.x <= box.max.x);
    *middle = empty ? body->pose.p : abut_scale(abut_add(box.min, box.max), 0.5);
    *half = abut_add(abut_scale(abut_sub(box.max, box.min), 0.5), abut_vec3(r, r, r));
    if (empty || is_unbounded(solid)) /* all bodies are asked, and say what is wrong */
        *half = abut_vec3(INFINITY, INFINITY, INFINITY);
}

/* Puts body i into the tree, or on the list of those without a box. */
static AbutStatus add_body(AbutBodyTree *tree, const AbutPlaced *body, int32_t i, AbutError *error) {
    AbutVec3 middle, half;
    if (!abut_solid_is_known(body->solid) || !body->solid.convex)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "body %d is not a mesh or a convex body", i);
    if (abut_nearest_point(body, body->pose.p).body < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "body %d has no place or no extent: a number is bad", i);
    abut_placed_box(body, &middle, &half);
    if (half.x == INFINITY) {
        tree->open[tree->open_count++] = i;
        return ABUT_OK;
    }
    double more = WIDER * (abut_max_abs(half) + abut_max_abs(middle));
    half = abut_add(half, abut_vec3(more, more, more));
    abut_box_tree_insert(&tree->boxes, (AbutAabb){abut_sub(middle, half), abut_add(middle, half)}, i);
    return ABUT_OK;
}

AbutStatus abut_body_tree_create(int32_t count, const AbutPlaced *bodies, AbutBodyTree **out, AbutError *error) {
    ABUT_ASSERT(count >= 0 && (count == 0 || bodies) && out);
    AbutStatus status = ABUT_OK;
    AbutBodyTree *tree = abut_alloc(sizeof *tree);
    *out = NULL;
    if (!tree) return abut_fail_memory(error);
    *tree = (AbutBodyTree){abut_box_tree_make(), count, 0, abut_alloc_array((size_t)count + 1, sizeof(int32_t))};
    if (!tree->open || !abut_box_tree_reserve(&tree->boxes, count)) status = abut_fail_memory(error);
    for (int32_t i = 0; i < count && status == ABUT_OK; ++i) status = add_body(tree, &bodies[i], i, error);
    if (status != ABUT_OK) {
        abut_body_tree_free(tree);
        return status;
    }
    *out = tree;
    return ABUT_OK;
}

void abut_body_tree_free(AbutBodyTree *tree) {
    if (!tree) return;
    abut_box_tree_free(&tree->boxes);
    abut_free(tree->open);
    abut_free(tree);
}

/* ---- casts ------------------------------------------------------------------------------------------------------- */

int abut_cast_is_hit(AbutCastHit hit) {
    return hit.outcome == ABUT_IMPACT_HIT || hit.outcome == ABUT_IMPACT_AT_START ||
           hit.outcome == ABUT_IMPACT_GRAZING || hit.outcome == ABUT_IMPACT_UNDECIDED;
}

/* The moving body or ray, and its hits so far. */
typedef struct Search {
    const AbutBodySet *set;
    AbutCast cast;
    double limit; /* of t, or of the distance */
    int32_t capacity, count;
    int first_only, invalid;
    AbutCastHit *hits;
    AbutNearestPoint nearest;
} Search;

/* Earlier, or as early and of a body before. */
static int comes_before(const AbutCastHit *a, const AbutCastHit *b) {
    return a->t < b->t || (a->t == b->t && a->body < b->body);
}

/* Keeps the first `capacity` hits in order. */
static void sort_in(Search *s, AbutCastHit hit) {
    int32_t kept = s->count < s->capacity ? s->count : s->capacity, at = kept;
    ++s->count;
    while (at > 0 && comes_before(&hit, &s->hits[at - 1])) --at;
    if (at == s->capacity) return;
    for (int32_t k = kept < s->capacity ? kept : s->capacity - 1; k > at; --k) s->hits[k] = s->hits[k - 1];
    s->hits[at] = hit;
}

static int passes(const AbutBodySet *set, int32_t i) { return !set->filter || set->filter(i, set->user); }

static int try_cast(int32_t i, void *user) {
    Search *s = user;
    if (!passes(s->set, i)) return 1;
    AbutCastHit hit = abut_cast(&s->set->bodies[i], &s->cast);
    s->invalid = hit.outcome == ABUT_IMPACT_INVALID;
    if (abut_cast_is_hit(hit)) {
        hit.body = i;
        sort_in(s, hit);
        if (s->first_only) s->limit = abut_smaller(s->limit, hit.t);
    }
    return !s->invalid;
}

static int try_nearest(int32_t i, void *user) {
    Search *s = user;
    if (!passes(s->set, i)) return 1;
    AbutNearestPoint found = abut_nearest_point(&s->set->bodies[i], s->cast.ray.origin);
    double best = s->nearest.distance;
    if (found.body < 0 || found.distance > best ||
        (found.distance == best && s->nearest.body >= 0 && i > s->nearest.body))
        return 1;
    s->nearest = found;
    s->nearest.body = i;
    s->limit = abut_larger(0.0, found.distance);
    return 1;
}

/* Asks the bodies without a box, or all of a set without a tree; 0: one of them ended the search. */
static int visit_one_by_one(Search *s, AbutBoxVisitor *visit) {
    const AbutBodyTree *tree = s->set->tree;
    int32_t count = tree ? tree->open_count : s->set->count;
    for (int32_t i = 0; i < count; ++i)
        if (!visit(tree ? tree->open[i] : i, s)) return 0;
    return 1;
}

static int is_finite_cast(const AbutCast *cast) {
    return abut_is_finite(cast->ray.way) &&
           (cast->moved ? abut_pose_is_finite(cast->moved->pose) : abut_is_finite(cast->ray.origin));
}

static int32_t cast_set(Search *s) {
    ABUT_ASSERT(!s->set->tree || s->set->tree->count == s->set->count);
    s->limit = 1.0;
    if (!visit_one_by_one(s, try_cast)) return -1;
    if (!s->set->tree) return s->count;
    if (!is_finite_cast(&s->cast)) return -1;
    AbutVec3 origin = s->cast.ray.origin, grow = abut_zero();
    if (s->cast.moved) {
        abut_placed_box(s->cast.moved, &origin, &grow);
        double more = s->cast.tolerance + (TOUCHING + WIDER) * abut_length(grow) + WIDER * abut_max_abs(origin);
        grow = abut_add(grow, abut_vec3(more, more, more));
    }
    return abut_box_tree_visit_ray(&s->set->tree->boxes, origin, s->cast.ray.way, grow, &s->limit, try_cast, s)
               ? s->count
               : -1;
}

int32_t abut_cast_all(const AbutBodySet *set, const AbutCast *cast, int32_t capacity, AbutCastHit *hits) {
    ABUT_ASSERT(set && cast && capacity >= 0 && (hits || capacity == 0));
    Search s = {.set = set, .cast = *cast, .capacity = capacity, .hits = hits};
    return cast_set(&s);
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

enum { GRAIN = 16 };

typedef struct Batch {
    const AbutBodySet *set;
    const AbutCast *cast;
    const AbutVec3 *point;
    AbutCastHit *hit;
    AbutNearestPoint *nearest;
} Batch;

static AbutCastHit first_of(const AbutBodySet *set, const AbutCast *cast) {
    AbutCastHit first = abut_cast_without(ABUT_IMPACT_NONE);
    Search s = {.set = set, .cast = *cast, .capacity = 1, .first_only = 1, .hits = &first};
    return cast_set(&s) < 0 ? abut_cast_without(ABUT_IMPACT_INVALID) : first;
}

static void cast_some(int begin, int end, int worker, void *user) {
    const Batch *batch = (const Batch *)user;
    (void)worker;
    for (int i = begin; i < end; ++i) batch->hit[i] = first_of(batch->set, &batch->cast[i]);
}

void abut_cast_batch(const AbutBodySet *set, int count, const AbutCast *casts, AbutCastHit *out, int threads) {
    ABUT_ASSERT(set && count >= 0 && (count == 0 || (casts && out)));
    Batch batch = {set, casts, NULL, out, NULL};
    abut_parallel_for(count, GRAIN, threads, cast_some, &batch);
}

static AbutNearestPoint nearest_of(const AbutBodySet *set, AbutVec3 point) {
    Search s = {.set = set, .cast = {.ray = {point, abut_zero()}}, .limit = INFINITY};
    s.nearest = abut_nearest_without(point);
    visit_one_by_one(&s, try_nearest);
    if (set->tree && abut_is_finite(point))
        abut_box_tree_visit_near(&set->tree->boxes, point, &s.limit, try_nearest, &s);
    return s.nearest;
}

static void find_some(int begin, int end, int worker, void *user) {
    const Batch *batch = (const Batch *)user;
    (void)worker;
    for (int i = begin; i < end; ++i) batch->nearest[i] = nearest_of(batch->set, batch->point[i]);
}

void abut_nearest_point_batch(
    const AbutBodySet *set, int count, const AbutVec3 *points, AbutNearestPoint *out, int threads) {
    ABUT_ASSERT(set && (!set->tree || set->tree->count == set->count) && count >= 0 && (count == 0 || (points && out)));
    Batch batch = {set, NULL, points, NULL, out};
    abut_parallel_for(count, GRAIN, threads, find_some, &batch);
}
