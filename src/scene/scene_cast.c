/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rays, moved shapes and nearest points in a scene as it stands.
 *
 * In: a scene, what is cast, a filter. Out: the first hit, all hits in order, or the nearest shape. Method: the tree of
 * fat boxes names the shapes that can be met; half-spaces are asked one by one. A fast body may have left its fat box
 * in the last step of a simulation, so shapes that do not stand in theirs are looked for and asked too.
 */
#include "solid/cast.h"
#include "scene/internal.h"

typedef struct Search {
    const AbutScene *scene;
    const AbutCast *cast;  /* NULL: the nearest shape to the origin is wanted */
    AbutVec3 origin, grow; /* of the box of what is cast: its middle and half its sides */
    int (*filter)(AbutShapeId shape, void *user);
    void *user;
    double limit; /* of t, or of the distance */
    int32_t capacity, count;
    int first_only; /* nothing behind the first hit matters */
    int invalid;
    AbutSceneHit *hits;
    AbutNearestPoint nearest;
    int32_t nearest_place; /* INT32_MAX: none */
} Search;

static AbutPlaced placed(const AbutScene *scene, int32_t place, AbutConvex *convex) {
    const AbutShape *shape = &scene->shape[place];
    AbutSolid field = {.kind = ABUT_SOLID_FIELD, .field = shape->def.geometry->field};
    *convex = abut_geometry_convex(shape->def.geometry);
    return (AbutPlaced){field.field ? field : abut_solid_convex(convex), abut_shape_pose(scene, shape)};
}

static int passes(const Search *s, int32_t place) {
    if (s->scene->shape[place].def.sensor) return 0;
    return !s->filter || s->filter(abut_scene_shape_id(s->scene, place), s->user);
}

/* Earlier, or as early and added before. */
static int comes_before(const AbutSceneHit *a, const AbutSceneHit *b) {
    return a->hit.t < b->hit.t || (a->hit.t == b->hit.t && a->shape.index1 < b->shape.index1);
}

static void sort_in(Search *s, const AbutSceneHit *hit) {
    int32_t kept = s->count < s->capacity ? s->count : s->capacity, at = kept;
    ++s->count;
    while (at > 0 && comes_before(hit, &s->hits[at - 1])) --at;
    if (at == s->capacity) return;
    for (int32_t k = kept < s->capacity ? kept : s->capacity - 1; k > at; --k) s->hits[k] = s->hits[k - 1];
    s->hits[at] = *hit;
}

static int try_cast(int32_t place, void *user) {
    Search *s = user;
    const AbutScene *scene = s->scene;
    AbutConvex convex;
    if (!passes(s, place)) return 1;
    AbutPlaced body = placed(scene, place, &convex);
    AbutSceneHit found = {abut_cast(&body, s->cast), abut_scene_shape_id(scene, place),
        abut_scene_body_id(scene, scene->shape[place].body)};
    s->invalid = s->invalid || found.hit.outcome == ABUT_IMPACT_INVALID;
    if (abut_cast_is_hit(found.hit)) {
        sort_in(s, &found);
        if (s->first_only) s->limit = abut_smaller(s->limit, found.hit.t);
    }
    return !s->invalid;
}

static int try_nearest(int32_t place, void *user) {
    Search *s = user;
    const AbutScene *scene = s->scene;
    AbutConvex convex;
    if (!passes(s, place)) return 1;
    AbutPlaced body = placed(scene, place, &convex);
    AbutNearestPoint found = abut_nearest_point(&body, s->origin);
    double best = s->nearest.distance;
    if (found.body < 0 || found.distance > best || (found.distance == best && place > s->nearest_place))
        return 1; /* only what is nearer than all before */
    s->nearest = found;
    s->nearest_place = place;
    s->limit = abut_larger(0.0, found.distance);
    return 1;
}

/* ---- which shapes ------------------------------------------------------------------------------------------------ */

static int contains(AbutAabb outer, AbutAabb inner) {
    return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
           outer.max.x >= inner.max.x && outer.max.y >= inner.max.y && outer.max.z >= inner.max.z;
}

/* A shape of the tree that its fat box does not hold as it stands. */
static int is_stray(const AbutScene *scene, const AbutShape *shape) {
    if (!shape->alive || shape->node < 0) return 0;
    const AbutBody *body = &scene->body[shape->body];
    AbutVec3 r = abut_vec3(shape->bound_radius, shape->bound_radius, shape->bound_radius),
             c = abut_add(body->x, abut_mat3_apply(body->rotation, shape->bound_center));
    AbutAabb ball = {abut_sub(c, r), abut_add(c, r)};
    return !contains(shape->fat, ball) && !contains(shape->fat, abut_shape_box(scene, shape));
}

/* Half-spaces and strays, one by one. */
static void visit_others(Search *s, AbutBoxVisitor *visit) {
    const AbutScene *scene = s->scene;
    for (int32_t i = 0; i < scene->plane_count && !s->invalid; ++i) visit(scene->plane[i], s);
    for (int32_t i = 0; i < scene->shape_places && !s->invalid; ++i)
        if (is_stray(scene, &scene->shape[i])) visit(i, s);
}

/* The tree asks shapes that are where their fat box says. */
static int try_cast_in_place(int32_t place, void *user) {
    Search *s = user;
    return is_stray(s->scene, &s->scene->shape[place]) ? 1 : try_cast(place, user);
}

/* Middle and half sides of a box around what is cast; a ray is as thick as rounding, so that none that begins on a
 * surface misses its box. */
static void set_box(Search *s) {
    s->origin = s->cast->ray.origin;
    double thick = 1e-12 * abut_max_abs(s->origin);
    s->grow = abut_vec3(thick, thick, thick);
    if (s->cast->moved) abut_placed_box(s->cast->moved, &s->origin, &s->grow);
}

static int is_finite_cast(const AbutCast *cast) {
    return abut_is_finite(cast->ray.way) &&
           (cast->moved ? abut_pose_is_finite(cast->moved->pose) : abut_is_finite(cast->ray.origin));
}

static int32_t search(Search *s) {
    if (!is_finite_cast(s->cast)) return -1;
    s->limit = 1.0;
    set_box(s);
    visit_others(s, try_cast);
    if (!s->invalid)
        abut_box_tree_visit_ray(&s->scene->tree, s->origin, s->cast->ray.way, s->grow, &s->limit, try_cast_in_place, s);
    return s->invalid ? -1 : s->count;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

AbutSceneHit abut_scene_cast(
    const AbutScene *scene, const AbutCast *cast, int (*filter)(AbutShapeId shape, void *user), void *user) {
    ABUT_ASSERT(scene && cast);
    AbutSceneHit out = {abut_cast_without(ABUT_IMPACT_NONE), {0, 0}, {0, 0}};
    Search s = {.scene = scene, .cast = cast, .filter = filter, .user = user};
    s.first_only = 1, s.capacity = 1, s.hits = &out;
    if (search(&s) < 0) out = (AbutSceneHit){abut_cast_without(ABUT_IMPACT_INVALID), {0, 0}, {0, 0}};
    return out;
}

int32_t abut_scene_cast_all(const AbutScene *scene, const AbutCast *cast, int (*filter)(AbutShapeId shape, void *user),
    void *user, int32_t capacity, AbutSceneHit *hits) {
    ABUT_ASSERT(scene && cast && capacity >= 0 && (hits || capacity == 0));
    Search s = {.scene = scene, .cast = cast, .filter = filter, .user = user, .capacity = capacity, .hits = hits};
    return search(&s);
}

AbutNearestPoint abut_scene_nearest_point(const AbutScene *scene, AbutVec3 point,
    int (*filter)(AbutShapeId shape, void *user), void *user, AbutShapeId *shape) {
    ABUT_ASSERT(scene);
    Search s = {.scene = scene, .origin = point, .filter = filter, .user = user, .limit = INFINITY};
    s.nearest_place = INT32_MAX;
    s.nearest = abut_nearest_without(point);
    if (abut_is_finite(point)) {
        visit_others(&s, try_nearest);
        abut_box_tree_visit_near(&scene->tree, point, &s.limit, try_nearest, &s);
    }
    if (shape) *shape = s.nearest_place < INT32_MAX ? abut_scene_shape_id(scene, s.nearest_place) : (AbutShapeId){0, 0};
    return s.nearest;
}
