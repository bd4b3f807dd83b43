/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances of the bodies of a scene that may meet: of each pair the nearest shapes. In: the scene as it stands. Out:
 * one entry for each pair of bodies, in the order of their places. Pairs whose bounding spheres are farther apart than
 * `within` are left out before anything is measured.
 */
#include "scene/parts.h"

/* A lower bound of the distance of two shapes. */
static double spheres_gap(const AbutScene *scene, const AbutShape *a, const AbutShape *b)
{
    const AbutBody *of_a = &scene->body[a->body], *of_b = &scene->body[b->body];
    AbutVec3 center_a = abut_add(of_a->x, abut_mat3_apply(of_a->rotation, a->bound_center)),
             center_b = abut_add(of_b->x, abut_mat3_apply(of_b->rotation, b->bound_center));
    double apart = abut_distance(center_a, center_b) - a->bound_radius - b->bound_radius;
    return a->polyhedron && b->polyhedron ? apart : -(double)INFINITY;
}

/* Two shapes, with the bodies that stand for them. */
typedef struct Sides {
    const AbutScene *scene;
    int32_t shape_a, shape_b;
    AbutConvex convex_a, convex_b;
    int field_is_b;
    AbutSceneDistance *nearest;
    double limit; /* of height fields: pieces farther away do not matter */
} Sides;

static void measure_bodies(const Sides *s)
{
    const AbutScene *scene = s->scene;
    int32_t shape_a = s->shape_a, shape_b = s->shape_b;
    AbutSceneDistance *nearest = s->nearest;
    AbutPose pose = abut_shape_pose(scene, &scene->shape[shape_a]);
    AbutDistance d = abut_convex_distance(
        &s->convex_a, &s->convex_b, abut_pose_between(pose, abut_shape_pose(scene, &scene->shape[shape_b])), NULL);
    if (d.outcome == ABUT_INVALID || !(d.distance < nearest->distance))
        return;
    nearest->distance = d.distance;
    nearest->point_a = abut_pose_apply(pose, d.point_a);
    nearest->point_b = abut_pose_apply(pose, d.point_b);
    nearest->normal = abut_quat_rotate(pose.q, d.normal);
    nearest->shape_a = abut_scene_shape_id(scene, shape_a);
    nearest->shape_b = abut_scene_shape_id(scene, shape_b);
}

static int measure_piece(int32_t piece, void *user)
{
    Sides *s = user;
    AbutHeightPrism prism;
    AbutConvex convex = abut_shape_piece(&s->scene->shape[s->field_is_b ? s->shape_b : s->shape_a], piece, &prism);
    *(s->field_is_b ? &s->convex_b : &s->convex_a) = convex;
    measure_bodies(s);
    s->limit = abut_larger(0.0, abut_smaller(s->limit, s->nearest->distance));
    return 1;
}

static void measure(const AbutScene *scene, int32_t shape_a, int32_t shape_b, AbutSceneDistance *nearest)
{
    const AbutShape *a = &scene->shape[shape_a], *b = &scene->shape[shape_b];
    Sides s = {scene, shape_a, shape_b, abut_geometry_convex(a->def.geometry), abut_geometry_convex(b->def.geometry),
        abut_shape_grid(b) != NULL, nearest, nearest->distance};
    const AbutShape *field = s.field_is_b ? b : a, *other = s.field_is_b ? a : b;
    if (abut_shape_grid(field))
        abut_height_visit_near(abut_shape_grid(field),
            abut_shape_box_inside(scene, field, abut_shape_box(scene, other), 0.0), &s.limit, measure_piece, &s);
    else
        measure_bodies(&s);
}

static AbutSceneDistance nearest_of(const AbutScene *scene, int32_t a, int32_t b, double within)
{
    AbutSceneDistance nearest = {abut_scene_body_id(scene, a), abut_scene_body_id(scene, b), {0, 0}, {0, 0}, INFINITY,
        abut_zero(), abut_zero(), abut_zero()};
    for (int32_t s = scene->body[a].first_shape; s >= 0; s = scene->shape[s].next)
        for (int32_t t = scene->body[b].first_shape; t >= 0; t = scene->shape[t].next) {
            double least = spheres_gap(scene, &scene->shape[s], &scene->shape[t]);
            if (least <= within && least < nearest.distance && abut_scene_may_push(scene, s, t))
                measure(scene, s, t, &nearest);
        }
    return nearest;
}

int32_t abut_scene_distances(const AbutScene *scene, double within, int32_t capacity, AbutSceneDistance *out)
{
    ABUT_ASSERT(scene && (out || capacity <= 0));
    int32_t count = 0;
    for (int32_t i = 0; i < scene->live_count; ++i)
        for (int32_t j = i + 1; j < scene->live_count; ++j) {
            AbutSceneDistance d = nearest_of(scene, scene->live[i], scene->live[j], within);
            if (!(d.distance <= within) || d.distance == (double)INFINITY)
                continue;
            if (count < capacity)
                out[count] = d;
            ++count;
        }
    return count;
}
