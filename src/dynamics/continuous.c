/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fast bodies do not pass through others. A body that would move by a good part of its own thickness in one step is followed by
 * conservative advancement on the convex distance: no point of the pair approaches faster than the sum of the velocity along the
 * normal and the spins times the radii, so the bodies cannot touch before distance / speed; advance that far, ask again. A body that
 * would touch moves only until its margin meets the other; the contact of the next step takes over from there.
 */
#include "dynamics/sim.h"

#include <string.h>

static const double FAST = 0.25;   /* of the size: slower bodies cannot skip anything */
enum { MAX_ROUNDS = 64 };

typedef struct Search {
    AbutSimulation *sim;
    int32_t shape, body;
    double h, part;
} Search;

/* Pose of a shape when its body has moved on for time t. */
static AbutPose shape_pose_after(const AbutBody *body, const AbutShape *shape, double t)
{
    AbutQuat q = abut_quat_mul(abut_quat_exp(abut_scale(body->w, t)), body->q);
    AbutVec3 x = abut_add_scaled(body->x, body->v, t);
    return abut_pose(abut_add(x, abut_quat_rotate(q, shape->local_p)), abut_quat_normalize(abut_quat_mul(q, shape->local_q)));
}

static double reach_of(const AbutShape *shape)
{
    return abut_length(shape->bound_center) + shape->bound_radius;
}

/* Distance and normal (world, from a to b) of two shapes at their poses; b may be a half-space. */
static double gap_between(const AbutShape *a, AbutPose pa, const AbutShape *b, AbutPose pb, AbutDistanceCache *cache, AbutVec3 *normal)
{
    AbutConvex ca = abut_convex_polyhedron(a->polyhedron, 0.0);
    if (!b->polyhedron) {
        AbutVec3 up = abut_quat_rotate(pb.q, abut_axis(2));
        AbutVec3 low = abut_pose_apply(pa, abut_convex_farthest(&ca, abut_quat_rotate_inv(pa.q, abut_neg(up))));
        *normal = abut_neg(up);
        return abut_dot(up, abut_sub(low, pb.p));
    }
    AbutConvex cb = abut_convex_polyhedron(b->polyhedron, 0.0);
    AbutDistance d = abut_convex_distance(&ca, &cb, abut_pose_between(pa, pb), cache);
    *normal = abut_quat_rotate(pa.q, d.normal);
    return d.outcome == ABUT_INVALID ? INFINITY : d.distance;
}

/* Time at which the margins meet, or h when they do not within it. */
static double time_of_impact(const AbutSimulation *sim, int32_t sa, int32_t sb, double h)
{
    const AbutScene *scene = sim->scene;
    const AbutShape *a = &scene->shape[sa], *b = &scene->shape[sb];
    const AbutBody *ba = &scene->body[a->body], *bb = &scene->body[b->body];
    double margin = sim->constants.margin, t = 0.0;
    double spin = abut_length(ba->w) * reach_of(a) + (b->polyhedron ? abut_length(bb->w) * reach_of(b) : 0.0);
    AbutDistanceCache cache;
    memset(&cache, 0, sizeof cache);
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        AbutVec3 n;
        double gap = gap_between(a, shape_pose_after(ba, a, t), b, shape_pose_after(bb, b, t), &cache, &n) - margin;
        double speed = abut_dot(n, abut_sub(ba->v, bb->v)) + spin;
        if (speed <= 0.0)
            return h; /* parting, and nothing turns fast enough to change that */
        if (gap <= 0.5 * margin)
            return t;
        t += gap / speed;
        if (t >= h)
            return h;
    }
    return t;
}

static int has_contact(const AbutSimulation *sim, int32_t sa, int32_t sb)
{
    for (int32_t k = 0; k < sim->order_count; ++k) {
        const AbutContact *c = &sim->contact[sim->order[k]];
        if ((c->shape_a == sa && c->shape_b == sb) || (c->shape_a == sb && c->shape_b == sa))
            return 1;
    }
    return 0;
}

static int try_shape(int32_t other, void *user)
{
    Search *s = user;
    if (!abut_scene_may_meet(s->sim->scene, s->shape, other) || has_contact(s->sim, s->shape, other))
        return 1;
    double t = time_of_impact(s->sim, s->shape, other, s->h);
    s->part = abut_smaller(s->part, t / s->h);
    return 1;
}

/* Box around the way of a shape. */
static AbutAabb swept_box(const AbutBody *body, const AbutShape *shape, double h)
{
    AbutVec3 c = abut_add(body->x, abut_mat3_apply(body->rotation, shape->bound_center)), d = abut_scale(body->v, h);
    double grow = shape->bound_radius + abut_length(body->w) * h * reach_of(shape);
    AbutVec3 r = abut_vec3(grow, grow, grow);
    AbutAabb box = {abut_sub(abut_min(c, abut_add(c, d)), r), abut_add(abut_max(c, abut_add(c, d)), r)};
    return box;
}

void abut_limit_motion(AbutSimulation *sim, double h)
{
    AbutScene *scene = sim->scene;
    for (int32_t i = 0; i < scene->body_places; ++i) {
        AbutBody *body = &scene->body[i];
        if (!body->alive || body->inv_mass == 0.0 || body->asleep)
            continue;
        for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) {
            const AbutShape *shape = &scene->shape[s];
            double way = (abut_length(body->v) + abut_length(body->w) * reach_of(shape)) * h;
            if (!(way > FAST * shape->polyhedron->inner_radius))
                continue;
            Search search = {sim, s, i, h, 1.0};
            abut_scene_visit(scene, swept_box(body, shape, h), try_shape, &search);
            sim->motion_part[i] = abut_smaller(sim->motion_part[i], search.part);
        }
        sim->report.continuous_hits += sim->motion_part[i] < 1.0;
    }
}
