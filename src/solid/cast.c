/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Casts against one body: rays, solids moved along a straight way, the point of a body nearest to a point. Each
 * question is a table of kernels by kind, in the frame of the body. Sets are in cast_set.c. Rays against convex bodies
 * are answered in cast_ray.c, against meshes by their tree, against pieces one by one, against height fields in
 * field.c; a moved solid is the translation of abut_time_of_impact, with time from 0 to 1.
 */
#include "mesh/kernels.h"
#include "solid/cast.h"
#include "solid/field.h"
#include "solid/tolerance.h"

/* ---- rays -------------------------------------------------------------------------------------------------------- */

/* Ray and answer in the frame of the solid; a start nearer to it than `touch` is on its surface. */
typedef AbutCastHit RayKernel(AbutSolid solid, AbutRay ray, double touch);

static AbutCastHit ray_convex(AbutSolid solid, AbutRay r, double touch) {
    return abut_ray_convex(solid.convex, r, touch);
}

static AbutCastHit ray_mesh(AbutSolid solid, AbutRay r, double touch) {
    AbutMeshHit h = abut_mesh_ray(solid.mesh, r.origin, r.way, 1.0, touch);
    if (h.triangle >= 0 && h.t == 0.0) return abut_cast_at_start(r, h.triangle);
    if (abut_mesh_inside(solid.mesh, r.origin) == 1) return abut_cast_at_start(r, -1);
    if (h.triangle < 0) return abut_cast_without(ABUT_IMPACT_NONE);
    AbutImpactOutcome outcome = h.grazing ? ABUT_IMPACT_GRAZING : ABUT_IMPACT_HIT;
    return (AbutCastHit){outcome, h.t, h.t, h.t, h.point, h.normal, 0, h.triangle};
}

/* Earlier, or as early and going in where the other only touches. */
static int is_earlier(const AbutCastHit *a, const AbutCastHit *b) {
    return a->t < b->t || (a->t == b->t && b->outcome == ABUT_IMPACT_GRAZING && a->outcome != ABUT_IMPACT_GRAZING);
}

static AbutCastHit ray_pieces(AbutSolid solid, AbutRay r, double touch) {
    AbutCastHit first = abut_cast_without(solid.pieces->count > 0 ? ABUT_IMPACT_NONE : ABUT_IMPACT_INVALID);
    for (int32_t i = 0; i < solid.pieces->count; ++i) {
        AbutConvex piece = abut_convex_polyhedron(solid.pieces->piece[i], 0.0);
        AbutCastHit hit = abut_ray_convex(&piece, r, touch);
        if (hit.outcome == ABUT_IMPACT_INVALID) return hit;
        if (!abut_cast_is_hit(hit) || (first.body >= 0 && !is_earlier(&hit, &first))) continue;
        first = hit;
        first.feature = i;
    }
    return first;
}

static RayKernel *const ray_kernels[ABUT_SOLID_KIND_COUNT] = {[ABUT_SOLID_CONVEX] = ray_convex,
    [ABUT_SOLID_MESH] = ray_mesh,
    [ABUT_SOLID_PIECES] = ray_pieces,
    [ABUT_SOLID_FIELD] = abut_field_ray};

static int is_finite_ray(AbutRay r) {
    return abut_is_finite(r.origin) && abut_is_finite(r.way) && abut_is_finite(abut_add(r.origin, r.way));
}

AbutCastHit abut_ray(const AbutPlaced *body, AbutRay ray) {
    ABUT_ASSERT(body);
    if (!abut_solid_is_known(body->solid) || !is_finite_ray(ray) || !abut_pose_is_finite(body->pose))
        return abut_cast_without(ABUT_IMPACT_INVALID);
    AbutRay own = {abut_pose_apply_inv(body->pose, ray.origin), abut_quat_rotate_inv(body->pose.q, ray.way)};
    double touch = ABUT_CAST_GRAIN * (abut_max_abs(ray.origin) + abut_max_abs(own.origin));
    AbutCastHit out = ray_kernels[body->solid.kind](body->solid, own, touch);
    if (out.body < 0) return out;
    out.point = abut_add_scaled(ray.origin, ray.way, out.t);
    out.normal = abut_quat_rotate(body->pose.q, out.normal);
    return out;
}

/* ---- moved solids ------------------------------------------------------------------------------------------------ */

typedef AbutCastHit MovedKernel(const AbutPlaced *body, const AbutPlaced *moved, AbutVec3 way, double tolerance);

static AbutCastHit moved_until_impact(const AbutPlaced *body, const AbutPlaced *moved, AbutVec3 way, double tolerance) {
    AbutMover a = {body->solid, abut_motion_static(body->pose)};
    AbutMover b = {moved->solid, abut_motion_translation(moved->pose, way)};
    AbutImpactDef def = {.to = 1.0, .tolerance = tolerance};
    AbutImpact x = abut_time_of_impact(&a, &b, &def);
    if (x.outcome == ABUT_IMPACT_NONE || x.outcome == ABUT_IMPACT_INVALID) return abut_cast_without(x.outcome);
    return (AbutCastHit){x.outcome, x.t, x.t_lo, x.t_hi, x.point_a, x.normal, 0, x.part_a};
}

static MovedKernel *const moved_kernels[ABUT_SOLID_KIND_COUNT] = {[ABUT_SOLID_CONVEX] = moved_until_impact,
    [ABUT_SOLID_MESH] = moved_until_impact,
    [ABUT_SOLID_PIECES] = moved_until_impact,
    [ABUT_SOLID_FIELD] = abut_field_moved};

AbutCastHit abut_cast_moved(const AbutPlaced *body, const AbutPlaced *moved, AbutVec3 way, double tolerance) {
    ABUT_ASSERT(body && moved);
    if (!abut_solids_are_known(body->solid, moved->solid)) return abut_cast_without(ABUT_IMPACT_INVALID);
    return moved_kernels[body->solid.kind](body, moved, way, tolerance);
}

AbutCastHit abut_cast(const AbutPlaced *body, const AbutCast *cast) {
    ABUT_ASSERT(body && cast);
    return cast->moved ? abut_cast_moved(body, cast->moved, cast->ray.way, cast->tolerance) : abut_ray(body, cast->ray);
}

/* ---- nearest points ---------------------------------------------------------------------------------------------- */

typedef AbutNearestPoint NearestKernel(AbutSolid solid, AbutVec3 p);

static AbutNearestPoint nearest_on_convex(AbutSolid solid, AbutVec3 p) {
    AbutConvex dot = abut_convex_point(p, 0.0);
    AbutGap d = abut_convex_distance(solid.convex, &dot, abut_pose_identity(), NULL, NULL);
    return d.outcome == ABUT_INVALID ? abut_nearest_without(abut_zero())
                                     : (AbutNearestPoint){0, -1, d.distance, d.point_a, d.normal};
}

static AbutNearestPoint nearest_on_mesh(AbutSolid solid, AbutVec3 p) {
    AbutMeshNearest near = abut_mesh_nearest(solid.mesh, p, 0.0);
    double sign = near.inside == 1 ? -1.0 : 1.0;
    AbutVec3 normal = abut_scale(abut_normalize_or(abut_sub(p, near.point), abut_zero()), sign);
    return (AbutNearestPoint){near.triangle >= 0 ? 0 : -1, near.triangle, sign * near.distance, near.point, normal};
}

static AbutNearestPoint nearest_on_pieces(AbutSolid solid, AbutVec3 p) {
    AbutNearestPoint best = abut_nearest_without(abut_zero());
    for (int32_t i = 0; i < solid.pieces->count; ++i) {
        AbutConvex piece = abut_convex_polyhedron(solid.pieces->piece[i], 0.0);
        AbutNearestPoint found = nearest_on_convex(abut_solid_convex(&piece), p);
        if (found.body < 0 || found.distance >= best.distance) continue;
        best = found;
        best.feature = i;
    }
    return best;
}

static NearestKernel *const nearest_kernels[ABUT_SOLID_KIND_COUNT] = {[ABUT_SOLID_CONVEX] = nearest_on_convex,
    [ABUT_SOLID_MESH] = nearest_on_mesh,
    [ABUT_SOLID_PIECES] = nearest_on_pieces,
    [ABUT_SOLID_FIELD] = abut_field_nearest};

AbutNearestPoint abut_nearest_point(const AbutPlaced *body, AbutVec3 point) {
    ABUT_ASSERT(body);
    if (!abut_solid_is_known(body->solid) || !abut_is_finite(point) || !abut_pose_is_finite(body->pose))
        return abut_nearest_without(point);
    AbutVec3 own = abut_pose_apply_inv(body->pose, point);
    AbutNearestPoint out = nearest_kernels[body->solid.kind](body->solid, own);
    out.point = abut_pose_apply(body->pose, out.point);
    out.normal = abut_quat_rotate(body->pose.q, out.normal);
    return out;
}
