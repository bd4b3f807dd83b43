/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Casts against one body and in batches: rays, shapes moved along a straight way, the point of a body nearest to a
 * point. Sets are in cast_set.c. Rays against convex bodies are answered in cast_ray.c, against meshes by their tree; a
 * moved shape is the translation of abut_time_of_impact, with time from 0 to 1.
 */
#include "solid/cast.h"
#include "solid/tolerance.h"

/* ---- one body ---------------------------------------------------------------------------------------------------- */

static int is_finite_ray(AbutRay r)
{
    return abut_is_finite(r.origin) && abut_is_finite(r.way) && abut_is_finite(abut_add(r.origin, r.way));
}

static AbutCastHit ray_mesh(const AbutMeshTree *mesh, AbutRay r, double touch)
{
    AbutMeshNearest start = abut_mesh_nearest(mesh, r.origin, touch + ABUT_CAST_GRAIN * mesh->radius);
    if (start.inside == 1 || start.triangle >= 0)
        return abut_cast_at_start(r, start.triangle);
    AbutMeshHit h = abut_mesh_ray(mesh, r.origin, r.way, 1.0);
    if (h.triangle < 0)
        return abut_cast_without(ABUT_IMPACT_NONE);
    return (AbutCastHit){ABUT_IMPACT_HIT, h.t, h.t, h.t, h.point, h.normal, 0, h.triangle};
}

AbutCastHit abut_ray_cast(const AbutPlacedBody *body, AbutRay ray)
{
    ABUT_ASSERT(body && !body->mesh != !body->convex);
    if (!is_finite_ray(ray) || !abut_pose_is_finite(body->pose))
        return abut_cast_without(ABUT_IMPACT_INVALID);
    AbutRay own = {abut_pose_apply_inv(body->pose, ray.origin), abut_quat_rotate_inv(body->pose.q, ray.way)};
    double touch = ABUT_CAST_GRAIN * (abut_max_abs(ray.origin) + abut_max_abs(own.origin));
    AbutCastHit out = body->mesh ? ray_mesh(body->mesh, own, touch) : abut_ray_convex(body->convex, own, touch);
    if (out.body < 0)
        return out;
    out.point = abut_add_scaled(ray.origin, ray.way, out.t);
    out.normal = abut_quat_rotate(body->pose.q, out.normal);
    return out;
}

AbutCastHit abut_shape_cast(const AbutPlacedBody *body, const AbutPlacedBody *moved, AbutVec3 way, double tolerance)
{
    ABUT_ASSERT(body && moved);
    AbutMovingBody a = {body->mesh, body->convex, abut_motion_static(body->pose)};
    AbutMovingBody b = {moved->mesh, moved->convex, abut_motion_translation(moved->pose, way)};
    AbutImpactDef def = {.to = 1.0, .tolerance = tolerance};
    AbutImpact x = abut_time_of_impact(&a, &b, &def);
    if (x.outcome == ABUT_IMPACT_NONE || x.outcome == ABUT_IMPACT_INVALID)
        return abut_cast_without(x.outcome);
    return (AbutCastHit){x.outcome, x.t, x.t_lo, x.t_hi, x.point_a, x.normal, 0, x.triangle_a};
}

static AbutNearestPoint nearest_on_mesh(const AbutMeshTree *mesh, AbutVec3 p)
{
    AbutMeshNearest near = abut_mesh_nearest(mesh, p, 0.0);
    double sign = near.inside == 1 ? -1.0 : 1.0;
    AbutVec3 normal = abut_scale(abut_normalize_or(abut_sub(p, near.point), abut_zero()), sign);
    return (AbutNearestPoint){near.triangle >= 0 ? 0 : -1, near.triangle, sign * near.distance, near.point, normal};
}

AbutNearestPoint abut_nearest_point(const AbutPlacedBody *body, AbutVec3 point)
{
    ABUT_ASSERT(body && !body->mesh != !body->convex);
    AbutNearestPoint out = abut_nearest_without(point);
    if (!abut_is_finite(point) || !abut_pose_is_finite(body->pose))
        return out;
    AbutVec3 own = abut_pose_apply_inv(body->pose, point);
    if (body->mesh) {
        out = nearest_on_mesh(body->mesh, own);
    } else {
        AbutConvex dot = abut_convex_point(own, 0.0);
        AbutGap d = abut_convex_distance(body->convex, &dot, abut_pose_identity(), NULL, NULL);
        if (d.outcome != ABUT_INVALID)
            out = (AbutNearestPoint){0, -1, d.distance, d.point_a, d.normal};
    }
    out.point = abut_pose_apply(body->pose, out.point);
    out.normal = abut_quat_rotate(body->pose.q, out.normal);
    return out;
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

enum { GRAIN = 16 };

typedef struct Batch {
    const AbutCastQuery *query;
    AbutCastHit *hit;
    AbutNearestPoint *nearest;
} Batch;

static void cast_some(int begin, int end, int worker, void *user)
{
    const Batch *batch = (const Batch *)user;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const AbutCastQuery *q = &batch->query[i];
        batch->hit[i] = q->moved ? abut_shape_cast_set(q->set, q->moved, q->ray.way, q->tolerance)
                                 : abut_ray_cast_set(q->set, q->ray);
    }
}

static void find_some(int begin, int end, int worker, void *user)
{
    const Batch *batch = (const Batch *)user;
    (void)worker;
    for (int i = begin; i < end; ++i)
        batch->nearest[i] = abut_nearest_point_set(batch->query[i].set, batch->query[i].ray.origin);
}

void abut_cast_batch(int count, const AbutCastQuery *queries, AbutCastHit *out, int threads)
{
    ABUT_ASSERT(count >= 0 && (count == 0 || (queries && out)));
    Batch batch = {queries, out, NULL};
    abut_parallel_for(count, GRAIN, threads, cast_some, &batch);
}

void abut_nearest_point_batch(int count, const AbutCastQuery *queries, AbutNearestPoint *out, int threads)
{
    ABUT_ASSERT(count >= 0 && (count == 0 || (queries && out)));
    Batch batch = {queries, NULL, out};
    abut_parallel_for(count, GRAIN, threads, find_some, &batch);
}
