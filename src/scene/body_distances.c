/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances of the bodies of a scene that may meet: of each pair the nearest shapes. In: the scene as it stands. Out:
 * one entry for each pair of bodies, in the order of their places. Pairs whose bounding spheres are farther apart than
 * `within` are left out before anything is measured. With trees of meshes, shapes that have one are measured by their
 * triangles, from the nearest ones of the last time on.
 */
#include "abut/solid.h"
#include "scene/internal.h"
#include "scene/surfaces.h"

#include <float.h>

/* A lower bound of the distance of two shapes. */
static double spheres_gap(const AbutScene *scene, const AbutShape *a, const AbutShape *b) {
    const AbutBody *of_a = &scene->body[a->body], *of_b = &scene->body[b->body];
    AbutVec3 center_a = abut_add(of_a->x, abut_mat3_apply(of_a->rotation, a->bound_center)),
             center_b = abut_add(of_b->x, abut_mat3_apply(of_b->rotation, b->bound_center));
    double apart = abut_point_distance(center_a, center_b) - a->bound_radius - b->bound_radius;
    return a->polyhedron && b->polyhedron ? apart : -(double)INFINITY;
}

/* Two shapes, with the bodies that stand for them. */
typedef struct Sides {
    const AbutScene *scene;
    int32_t shape_a, shape_b;
    AbutConvex convex_a, convex_b;
    int field_is_b;
    AbutSceneDistance *nearest;
    double limit;                        /* of height fields: pieces farther away do not matter */
    const AbutMeshTree *tree_a, *tree_b; /* NULL: measured as a convex body */
    AbutPair *cache;                     /* of the trees; NULL: none */
    double within;
} Sides;

/* The nearest so far, in the frame of the shape of A. */
static void keep_nearest(const Sides *s, AbutPose pose, const AbutGap *gap) {
    AbutSceneDistance *nearest = s->nearest;
    if (!(gap->distance < nearest->gap.distance)) return;
    nearest->gap = abut_gap_in(pose, *gap);
    nearest->shape_a = abut_scene_shape_id(s->scene, s->shape_a);
    nearest->shape_b = abut_scene_shape_id(s->scene, s->shape_b);
    nearest->mesh_a = s->tree_a != NULL, nearest->mesh_b = s->tree_b != NULL;
}

static AbutGap ask_trees(const Sides *s, AbutPose b_in_a, double within, AbutPair *cache) {
    AbutGapDef def = {.within = isfinite(within) ? abut_larger(within, DBL_MIN) : 0.0};
    AbutSolid a = s->tree_a ? abut_solid_mesh(s->tree_a) : abut_solid_convex(&s->convex_a);
    AbutSolid b = s->tree_b ? abut_solid_mesh(s->tree_b) : abut_solid_convex(&s->convex_b);
    AbutGapCache warm = {.mesh = cache ? *cache : (AbutPair){0, 0}};
    AbutGap d = abut_distance(a, b, b_in_a, &def, cache ? &warm : NULL);
    if (cache) *cache = warm.mesh;
    return d;
}

/* By triangles; nothing farther than what is known matters. Which of the triangles that meet are told must not depend
 * on where a search begins. */
static void measure_meshes(const Sides *s, AbutPose pose, AbutPose b_in_a) {
    double within = abut_smaller(s->within, s->nearest->gap.distance);
    if (s->nearest->gap.distance <= 0.0) return;
    AbutGap d = ask_trees(s, b_in_a, within, s->cache);
    if (d.distance == 0.0) d = ask_trees(s, b_in_a, within, NULL);
    if (d.outcome == ABUT_FARTHER || d.outcome == ABUT_INVALID || d.outcome == ABUT_EMPTY) return;
    keep_nearest(s, pose, &d);
}

static void measure_bodies(const Sides *s) {
    AbutPose pose = abut_shape_pose(s->scene, &s->scene->shape[s->shape_a]);
    AbutPose b_in_a = abut_pose_between(pose, abut_shape_pose(s->scene, &s->scene->shape[s->shape_b]));
    if (s->tree_a || s->tree_b) {
        measure_meshes(s, pose, b_in_a);
        return;
    }
    AbutGap d = abut_convex_distance(&s->convex_a, &s->convex_b, b_in_a, NULL, NULL);
    if (d.outcome != ABUT_INVALID) keep_nearest(s, pose, &d);
}

static int measure_piece(int32_t piece, void *user) {
    Sides *s = user;
    AbutHeightPrism prism;
    AbutConvex convex = abut_shape_piece(&s->scene->shape[s->field_is_b ? s->shape_b : s->shape_a], piece, &prism);
    *(s->field_is_b ? &s->convex_b : &s->convex_a) = convex;
    measure_bodies(s);
    s->limit = abut_larger(0.0, abut_smaller(s->limit, s->nearest->gap.distance));
    return 1;
}

/* The question: a scene, its meshes or NULL, and how far away it matters. */
typedef struct Question {
    const AbutScene *scene;
    AbutSceneSurfaces *surfaces;
    double within;
} Question;

static void measure(const Question *q, int32_t shape_a, int32_t shape_b, AbutSceneDistance *nearest) {
    const AbutScene *scene = q->scene;
    const AbutShape *a = &scene->shape[shape_a], *b = &scene->shape[shape_b];
    Sides s = {scene, shape_a, shape_b, abut_geometry_convex(a->def.geometry), abut_geometry_convex(b->def.geometry),
        abut_shape_grid(b) != NULL, nearest, nearest->gap.distance, abut_surfaces_tree(q->surfaces, shape_a),
        abut_surfaces_tree(q->surfaces, shape_b), NULL, q->within};
    if (s.tree_a)
        s.cache = abut_surfaces_cache(q->surfaces, shape_a, shape_b);
    else if (s.tree_b)
        s.cache = abut_surfaces_cache(q->surfaces, shape_b, shape_a);
    const AbutShape *field = s.field_is_b ? b : a, *other = s.field_is_b ? a : b;
    if (abut_shape_grid(field))
        abut_height_visit_near(abut_shape_grid(field),
            abut_shape_box_inside(scene, field, abut_shape_box(scene, other), 0.0), &s.limit, measure_piece, &s);
    else
        measure_bodies(&s);
}

static AbutSceneDistance nearest_of(const Question *q, int32_t a, int32_t b) {
    const AbutScene *scene = q->scene;
    AbutSceneDistance nearest = {
        .body_a = abut_scene_body_id(scene, a), .body_b = abut_scene_body_id(scene, b), .gap = {.distance = INFINITY}};
    for (int32_t s = scene->body[a].first_shape; s >= 0; s = scene->shape[s].next)
        for (int32_t t = scene->body[b].first_shape; t >= 0; t = scene->shape[t].next) {
            double least = spheres_gap(scene, &scene->shape[s], &scene->shape[t]);
            if (least <= q->within && least < nearest.gap.distance && abut_scene_may_push(scene, s, t))
                measure(q, s, t, &nearest);
        }
    return nearest;
}

int32_t abut_scene_distances(
    const AbutScene *scene, AbutSceneSurfaces *surfaces, double within, int32_t capacity, AbutSceneDistance *out) {
    ABUT_ASSERT(scene && (out || capacity <= 0) && (!surfaces || surfaces->scene == scene));
    Question q = {scene, surfaces, within};
    int32_t count = 0;
    for (int32_t i = 0; i < scene->live_count; ++i)
        for (int32_t j = i + 1; j < scene->live_count; ++j) {
            AbutSceneDistance d = nearest_of(&q, scene->live[i], scene->live[j]);
            if (!(d.gap.distance <= within) || d.gap.distance == (double)INFINITY) continue;
            if (count < capacity) out[count] = d;
            ++count;
        }
    return count;
}
