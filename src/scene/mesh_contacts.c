/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where two bodies at rest touch by the features of their meshes. In: a scene, two of its shapes, how far apart they
 * may be. Out: patches, frame of A.
 *
 * Touches in overlap are asked for to the depth of the margins. Where surfaces cross and no touch says so, as with
 * bodies that were placed into each other, the depth is widened until one does, at last
 * to the shortest way out. A round body is held against each
 * triangle near it by its exact form.
 */
#include "scene/mesh_contacts.h"
#include "abut/solid.h"
#include "mesh/near.h"
#include "scene/internal.h"
#include "scene/tolerance.h"

void abut_mesh_search_free(AbutMeshSearch *search) {
    abut_feature_set_free(&search->set);
    abut_touch_room_free(&search->room);
    abut_touch_scratch_free(&search->scratch);
}

static int any_overlap(const AbutTouchRoom *room) {
    for (int32_t i = 0; i < room->touch_count; ++i)
        if (room->touch[i].gap <= 0.0) return 1;
    return 0;
}

/* Touches up to the depth asked for; 0: no memory. */
static int find_once(AbutTouchRoom *room, const AbutTouchQuestion *q, AbutTouchList *list) {
    if (q->a && !abut_touch_list_ready(list, room, q, 0.0)) return 0;
    return abut_find_touches(room, q, list);
}

/* Bodies so deep in each other that no feature shows it part along their shortest way out. 0: no memory. */
static int add_way_out(AbutTouchRoom *room, const AbutTouchQuestion *q) {
    AbutGap way = abut_depth(abut_solid_mesh(q->a->tree), abut_solid_mesh(q->b->tree), q->b_in_a, NULL, NULL);
    if (!(way.distance < 0.0) || !(abut_length_sq(way.normal) > 0.0)) return 1;
    if (!abut_grow((void **)&room->touch, &room->touch_capacity, (size_t)room->touch_count + 1, sizeof *room->touch))
        return 0;
    room->touch[room->touch_count++] = (AbutFeatureTouch){
        abut_scale(abut_add(way.point_a, way.point_b), 0.5), way.normal, way.distance, ABUT_TOUCH_FACE, 0};
    return 1;
}

static int find_with(AbutTouchRoom *room, AbutTouchQuestion *q, AbutTouchList *list, double size) {
    if (!find_once(room, q, list)) return 0;
    if (!q->a || any_overlap(room) || !abut_triangles_cross(room, q, list, ABUT_FEATURE_CROSSES * size)) return 1;
    while (!any_overlap(room) && q->depth < ABUT_FEATURE_DEEPEST * size) {
        q->depth *= 3.0;
        if (!find_once(room, q, list)) return 0;
    }
    return any_overlap(room) || add_way_out(room, q);
}

static int find_touches(AbutTouchRoom *room, AbutTouchQuestion *q, double size) {
    AbutTouchList list = {0};
    int done = find_with(room, q, &list, size);
    abut_touch_list_free(&list);
    return done;
}

/* ---- round bodies ------------------------------------------------------------------------------------------------- */

/* Where a triangle of the mesh and the body touch, frame of the mesh. */
typedef struct RoundTouch {
    AbutContactFeatures f;
    AbutConvex triangle;
    int32_t number;
} RoundTouch;

typedef struct RoundSearch {
    const AbutMeshFeatures *mesh;
    const AbutConvex *body;
    AbutPose body_in_mesh;
    double margins;
    RoundTouch *touch;
    size_t capacity;
    int32_t count, failed;
} RoundSearch;

/* A body that its faces do not give: points around it would lie off its surface. */
static int is_round(const AbutConvex *body) {
    return body->kind != ABUT_CONVEX_BOX && body->kind != ABUT_CONVEX_POLYHEDRON &&
           body->kind != ABUT_CONVEX_HALF_SPACE;
}

/* A triangle near the body; one that the body lies behind does not count. */
static int look_at(const AbutMeshNear *near, void *user) {
    RoundSearch *s = user;
    RoundTouch found = {
        .triangle = abut_convex_triangle(near->a[0], near->a[1], near->a[2], 0.0), .number = near->triangle};
    AbutConvexContact query = {&found.triangle, s->body, abut_pose_identity(), s->body_in_mesh, 0.5 * s->margins};
    if (abut_contact_features(&query, &found.f) <= 0 ||
        abut_dot(found.f.normal, s->mesh->normal[near->triangle]) <= 0.0)
        return 1;
    if (!abut_grow((void **)&s->touch, &s->capacity, (size_t)s->count + 1, sizeof *s->touch)) {
        s->failed = 1;
        return 0;
    }
    s->touch[s->count++] = found;
    return 1;
}

/* The edge or corner of a triangle is no place to touch where a triangle beside it comes nearer. */
static int is_nearest(const RoundSearch *s, const RoundTouch *t, double same) {
    if (abut_dot(t->f.normal, s->mesh->normal[t->number]) > 1.0 - 1e-12) return 1;
    AbutConvex point = abut_convex_point(t->f.point[0], 0.0);
    for (int32_t i = 0; i < s->count; ++i) {
        const RoundTouch *other = &s->touch[i];
        if (other->f.distance < t->f.distance - same &&
            abut_convex_distance(&other->triangle, &point, abut_pose_identity(), NULL, NULL).distance <=
                s->margins + fabs(t->f.distance) + same)
            return 0;
    }
    return 1;
}

/* The touches as those of features, frame of A; 0: no memory. */
static int take_touches(const RoundSearch *s, int mesh_is_b, AbutPose b_in_a, AbutTouchRoom *room) {
    double same = ABUT_FEATURE_CROSSES * s->mesh->tree->radius;
    room->touch_count = 0;
    for (int32_t i = 0; i < s->count; ++i) {
        const AbutContactFeatures *f = &s->touch[i].f;
        if (!is_nearest(s, &s->touch[i], same)) continue;
        if (!abut_grow((void **)&room->touch, &room->touch_capacity, (size_t)(room->touch_count + f->count) + 1,
                sizeof *room->touch))
            return 0;
        for (int k = 0; k < f->count; ++k) {
            AbutVec3 p = mesh_is_b ? abut_pose_apply(b_in_a, f->point[k]) : f->point[k];
            AbutVec3 n = mesh_is_b ? abut_neg(abut_quat_rotate(b_in_a.q, f->normal)) : f->normal;
            room->touch[room->touch_count++] = (AbutFeatureTouch){p, n, f->gap[k], ABUT_TOUCH_FACE, 0};
        }
    }
    return 1;
}

/* A mesh and a round body: its contact with each triangle near it. 0: no memory. */
static int find_round(AbutMeshSearch *search, const AbutTouchQuestion *q, const AbutMeshSides *sides, int mesh_is_b) {
    RoundSearch s = {.mesh = mesh_is_b ? q->b : q->a,
        .body = mesh_is_b ? sides->body_a : sides->body_b,
        .body_in_mesh = mesh_is_b ? abut_pose_inv(q->b_in_a) : q->b_in_a,
        .margins = q->margin};
    (void)abut_mesh_convex_near(s.mesh->tree, s.body, s.body_in_mesh, abut_axis(0), q->margin, look_at, &s);
    int done = !s.failed && take_touches(&s, mesh_is_b, q->b_in_a, &search->room);
    abut_free(s.touch);
    return done;
}

/* ---- the answer --------------------------------------------------------------------------------------------------- */

AbutStatus abut_mesh_search(
    AbutMeshSearch *search, const AbutScene *scene, const AbutMeshSides *sides, int32_t *count, AbutError *error) {
    const AbutShape *a = &scene->shape[sides->a], *b = &scene->shape[sides->b];
    AbutScenePair pair = {.a = sides->a, .b = sides->b};
    ABUT_TRY(abut_feature_set_update(&search->set, scene, error));
    ABUT_TRY(abut_feature_set_need(&search->set, &pair, 1, error));
    AbutTouchQuestion q = {.a = abut_features_of(&search->set, sides->a),
        .b = abut_features_of(&search->set, sides->b),
        .b_in_a = abut_pose_between(abut_shape_pose(scene, a), abut_shape_pose(scene, b)),
        .within = sides->margins,
        .depth = sides->margins,
        .margin = sides->margins};
    search->size = q.a ? abut_smaller(q.a->tree->radius, q.b->tree->radius) : q.b->tree->radius;
    AbutTouchPatchDef def = {sides->margins, q.b->tree->radius, 2.0 * sides->margins};
    int of_b = !a->def.geometry->surface_closed, round = is_round(of_b ? sides->body_a : sides->body_b);
    int done = round && !(of_b ? a : b)->def.geometry->surface_closed ? find_round(search, &q, sides, of_b)
                                                                      : find_touches(&search->room, &q, search->size);
    if (!done) return abut_fail_memory(error);
    int found = abut_touch_patches(&search->scratch, search->room.touch, search->room.touch_count, &def, search->patch);
    *count = found;
    return found >= 0 ? ABUT_OK : abut_fail_memory(error);
}
