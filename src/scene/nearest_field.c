/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The point of a height field nearest to a point. In: a shape, a point, how far to look. Out: signed distance, point of
 * the surface, outward normal. Method: outside, the nearest of all pieces; within one of them the walls between pieces
 * are no surface, and the bottom, the outer walls and the triangles on top are asked instead, those near the point
 * first.
 */
#include "solid/cast.h"
#include "scene/internal.h"

typedef struct Search {
    const AbutShape *shape;
    AbutVec3 p; /* in the frame of the shape, as all that is found */
    double limit;
    AbutNearestPoint best;
} Search;

static void keep(Search *s, double distance, AbutVec3 point, AbutVec3 normal)
{
    if (distance >= s->limit)
        return;
    s->limit = distance;
    s->best = (AbutNearestPoint){0, -1, -distance, point, normal};
}

static int try_piece(int32_t piece, void *user)
{
    Search *s = user;
    AbutHeightPrism prism;
    AbutConvex convex = abut_shape_piece(s->shape, piece, &prism);
    AbutPlaced body = {abut_solid_convex(&convex), abut_pose_identity()};
    AbutNearestPoint found = abut_nearest_point(&body, s->p);
    if (found.body >= 0 && found.distance < s->best.distance) {
        s->best = found;
        s->limit = abut_larger(0.0, found.distance);
    }
    return 1;
}

/* ---- from within ------------------------------------------------------------------------------------------------- */

static void try_triangle(Search *s, AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    AbutConvex triangle = abut_convex_triangle(a, b, c, 0.0), dot = abut_convex_point(s->p, 0.0);
    AbutGap d = abut_convex_distance(&dot, &triangle, abut_pose_identity(), NULL, NULL);
    AbutVec3 up = abut_normalize(abut_cross(abut_sub(b, a), abut_sub(c, a)));
    if (d.outcome != ABUT_INVALID)
        keep(s, abut_larger(0.0, d.distance), d.point_b, d.distance > 0.0 ? d.normal : up);
}

static int try_top(int32_t piece, void *user)
{
    Search *s = user;
    AbutHeightPrism prism = abut_height_piece(abut_shape_grid(s->shape), piece);
    const AbutVec3 *q = prism.point;
    if (prism.count == 6) {
        try_triangle(s, q[0], q[1], q[2]);
    } else {
        try_triangle(s, q[0], q[1], q[3]);
        try_triangle(s, q[0], q[3], q[2]);
    }
    return 1;
}

/* Where the ground is lower than the point at a wall, the way there leaves through the top, which is nearer then. */
static void try_walls(Search *s)
{
    const AbutHeightGrid *g = abut_shape_grid(s->shape);
    for (int k = 0; k < 4; ++k) {
        AbutVec3 n = abut_scale(abut_axis(k / 2), k % 2 ? 1.0 : -1.0), on = s->p;
        double side = abut_get(k % 2 ? g->box.max : g->box.min, k / 2);
        *(k < 2 ? &on.x : &on.y) = side;
        keep(s, abut_larger(0.0, abut_dot(n, abut_sub(on, s->p))), on, n);
    }
    keep(s, abut_larger(0.0, s->p.z - g->box.min.z), abut_vec3(s->p.x, s->p.y, g->box.min.z), abut_neg(abut_axis(2)));
}

AbutNearestPoint abut_scene_nearest_on_field(const AbutScene *scene, int32_t place, AbutVec3 point, double limit)
{
    const AbutShape *shape = &scene->shape[place];
    const AbutHeightGrid *grid = abut_shape_grid(shape);
    AbutPose pose = abut_shape_pose(scene, shape);
    Search s = {shape, abut_pose_apply_inv(pose, point), limit, abut_nearest_without(point)};
    AbutAabb box = {s.p, s.p};
    abut_height_visit_near(grid, box, &s.limit, try_piece, &s);
    if (s.best.body >= 0 && s.best.distance < 0.0) {
        s.limit = INFINITY;
        try_walls(&s);
        abut_height_visit_near(grid, box, &s.limit, try_top, &s);
    }
    s.best.point = abut_pose_apply(pose, s.best.point);
    s.best.normal = abut_quat_rotate(pose.q, s.best.normal);
    return s.best;
}
