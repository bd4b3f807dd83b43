/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rays and moved shapes against a height field. In: a cast and the shape. Out: its first hit. Method: row by row of
 * cells under the way, the pieces there; rays cut the faces of pieces, whose neighbors agree about the walls between
 * them, moved shapes are cast against each piece.
 */
#include "solid/cast.h"
#include "scene/internal.h"

static const double GRAIN = 1e-13; /* of the lengths involved: shorter chords are rounding */

typedef struct Search {
    const AbutCast *cast;
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

/* What rounding does to the t at which a ray goes through a plane with this normal: nothing is lost along axes that the
 * normal does not look along, however wide the field is. */
static double slack_of(AbutRay r, AbutVec3 normal)
{
    double lengths = 0.0;
    for (int k = 0; k < 3; ++k)
        lengths += fabs(abut_get(normal, k)) * (fabs(abut_get(r.origin, k)) + fabs(abut_get(r.way, k)));
    return GRAIN * lengths / fabs(abut_dot(normal, r.way));
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
    AbutCastHit hit = abut_cast_at_start(s->cast->ray, -1);
    if (enter > 0.0) {
        double slack = slack_of(r, normal);
        hit.outcome = exit - enter > slack ? ABUT_IMPACT_HIT : ABUT_IMPACT_GRAZING;
        hit.t = enter;
        hit.t_lo = abut_larger(0.0, enter - slack), hit.t_hi = abut_smaller(1.0, enter + slack);
        hit.point = abut_add_scaled(s->cast->ray.origin, s->cast->ray.way, enter);
        hit.normal = abut_quat_rotate(s->pose.q, abut_normalize_or(normal, abut_zero()));
    }
    keep(s, &hit);
    return 1;
}

/* A point near a field, and whether it is in it or on its surface. */
typedef struct Start {
    const AbutHeightGrid *grid;
    AbutVec3 point;
    double touch;
    int on;
} Start;

/* Straight down from the point: does the piece begin below it at once? */
static int try_start(int32_t piece, void *user)
{
    Start *s = user;
    double enter, exit;
    AbutVec3 normal;
    s->on = abut_height_piece_cut(s->grid, piece, s->point, abut_neg(abut_axis(2)), &enter, &exit, &normal) &&
            enter <= s->touch && exit >= -s->touch;
    return !s->on;
}

/* Does a ray begin in the field or on its surface, to within rounding? */
static int begins_on(const AbutHeightGrid *grid, AbutRay ray, AbutVec3 world)
{
    Start s = {grid, ray.origin, GRAIN * (abut_max_abs(world) + abut_max_abs(ray.origin)), 0};
    AbutVec3 by = abut_vec3(s.touch, s.touch, s.touch);
    AbutAabb box = {abut_sub(s.point, by), abut_add(s.point, by)};
    for (int k = 0; k < 2; ++k) { /* a point beside a wall is on it */
        double at = abut_get(s.point, k), low = abut_get(grid->box.min, k), high = abut_get(grid->box.max, k);
        if (at < low - s.touch || at > high + s.touch)
            return 0;
        at = abut_smaller(abut_larger(at, low), high);
        *(k == 0 ? &s.point.x : &s.point.y) = at;
    }
    abut_height_visit(grid, box, try_start, &s);
    return s.on;
}

static int try_moved(int32_t piece, void *user)
{
    Search *s = user;
    AbutHeightPrism prism;
    AbutConvex convex = abut_shape_piece(s->shape, piece, &prism);
    AbutPlaced body = {abut_solid_convex(&convex), s->pose};
    AbutCastHit hit = abut_cast(&body, s->cast);
    if (hit.outcome == ABUT_IMPACT_INVALID)
        return s->first = hit, 0;
    if (abut_cast_is_hit(hit))
        keep(s, &hit);
    return 1;
}

AbutCastHit abut_scene_cast_field(const AbutScene *scene, const AbutCast *cast, int32_t place, double limit)
{
    const AbutShape *shape = &scene->shape[place];
    Search s = {.cast = cast, .shape = shape, .limit = limit, .first = abut_cast_without(ABUT_IMPACT_NONE)};
    AbutVec3 middle = cast->ray.origin, half = abut_zero();
    s.pose = abut_shape_pose(scene, shape);
    if (cast->moved)
        abut_placed_box(cast->moved, &middle, &half);
    AbutAabb box = {abut_sub(middle, half), abut_add(middle, half)};
    box = abut_shape_box_inside(scene, shape, box, 0.0);
    half = abut_scale(abut_sub(box.max, box.min), 0.5);
    s.ray.origin = abut_pose_apply_inv(s.pose, cast->ray.origin);
    s.ray.way = abut_quat_rotate_inv(s.pose.q, cast->ray.way);
    double length = abut_length(s.ray.way), size = abut_max_abs(s.ray.origin) + length + abut_max_abs(box.max);
    s.slack = length > 0.0 ? GRAIN * size / length : 0.0;
    if (!cast->moved && begins_on(abut_shape_grid(shape), s.ray, cast->ray.origin))
        return abut_cast_at_start(cast->ray, -1);
    abut_height_visit_way(abut_shape_grid(shape), abut_add(box.min, half), half, s.ray.way, &s.limit,
        cast->moved ? try_moved : try_ray, &s);
    return s.first;
}
