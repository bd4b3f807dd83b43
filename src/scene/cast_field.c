/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rays and moved shapes against a height field. In: a cast and the shape. Out: its first hit. Method: row by row of
 * cells under the way, the pieces there; rays cut the faces of pieces, whose neighbours agree about the walls between
 * them, moved shapes are cast against each piece.
 */
#include "motion/cast.h"
#include "scene/parts.h"

static const double GRAIN = 1e-13; /* of the lengths involved: shorter chords are rounding */

typedef struct Search {
    const AbutSceneCast *cast;
    const AbutShape *shape;
    AbutPose pose;
    AbutRay ray;  /* in the frame of the shape */
    double slack; /* of t: hits this near each other are one */
    double limit;
    AbutCastHit first;
} Search;

/* A touch does not hide the hit that it is the beginning of. */
static void keep(Search *s, const AbutCastHit *hit)
{
    int touches = hit->outcome == ABUT_IMPACT_GRAZING, touched = s->first.outcome == ABUT_IMPACT_GRAZING;
    double least = s->first.t + (touched && !touches ? s->slack : touches && !touched ? -s->slack : 0.0);
    int above = hit->t == s->first.t && hit->normal.z > s->first.normal.z;
    if (abut_cast_is_hit(s->first) && !(hit->t < least || above))
        return;
    s->first = *hit;
    s->limit = abut_smaller(s->limit, hit->t + s->slack);
}

static int try_ray(int32_t piece, void *user)
{
    Search *s = user;
    AbutRay r = s->ray;
    double enter, exit;
    AbutVec3 normal;
    if (!abut_height_piece_cut(abut_shape_grid(s->shape), piece, r.origin, r.way, &enter, &exit, &normal) ||
        exit < 0.0 || enter > 1.0)
        return 1;
    AbutCastHit hit = abut_cast_without(ABUT_IMPACT_HIT);
    if (enter <= 0.0)
        hit.outcome = ABUT_IMPACT_AT_START, enter = 0.0, normal = abut_zero();
    else if (!(exit - enter > s->slack))
        hit.outcome = ABUT_IMPACT_GRAZING;
    hit.t = enter;
    hit.t_lo = abut_larger(0.0, enter - s->slack), hit.t_hi = abut_smaller(1.0, enter + s->slack);
    hit.point = abut_add_scaled(s->cast->ray.origin, s->cast->ray.way, enter);
    hit.normal = abut_quat_rotate(s->pose.q, abut_normalize_or(normal, abut_zero()));
    hit.body = 0;
    keep(s, &hit);
    return 1;
}

static int try_moved(int32_t piece, void *user)
{
    Search *s = user;
    AbutHeightPrism prism;
    AbutConvex convex = abut_shape_piece(s->shape, piece, &prism);
    AbutPlacedBody body = {NULL, &convex, s->pose};
    AbutCastHit hit = abut_scene_cast_at(s->cast, &body);
    if (hit.outcome == ABUT_IMPACT_INVALID)
        return s->first = hit, 0;
    if (abut_cast_is_hit(hit))
        keep(s, &hit);
    return 1;
}

AbutCastHit abut_scene_cast_field(const AbutSceneCast *cast, int32_t place, double limit)
{
    const AbutShape *shape = &cast->scene->shape[place];
    Search s = {.cast = cast, .shape = shape, .limit = limit, .first = abut_cast_without(ABUT_IMPACT_NONE)};
    AbutVec3 middle = cast->ray.origin, half = abut_zero();
    s.pose = abut_shape_pose(cast->scene, shape);
    if (cast->moved)
        abut_placed_box(cast->moved, &middle, &half);
    AbutAabb box = {abut_sub(middle, half), abut_add(middle, half)};
    box = abut_shape_box_inside(cast->scene, shape, box, 0.0);
    half = abut_scale(abut_sub(box.max, box.min), 0.5);
    s.ray.origin = abut_pose_apply_inv(s.pose, cast->ray.origin);
    s.ray.way = abut_quat_rotate_inv(s.pose.q, cast->ray.way);
    double length = abut_length(s.ray.way), size = abut_max_abs(s.ray.origin) + length + abut_max_abs(box.max);
    s.slack = length > 0.0 ? GRAIN * size / length : 0.0;
    abut_height_visit_way(abut_shape_grid(shape), abut_add(box.min, half), half, s.ray.way, &s.limit,
        cast->moved ? try_moved : try_ray, &s);
    return s.first;
}
