/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw bytes as a convex body of any kind, a second one, a pose and a ray. Casts have a named outcome and parts of the
 * way in order; a hit of a ray lies on the body, a miss leaves both ends outside; a moved body is apart until t_lo.
 * Sets of one give the same answer, and the nearest point is as far as the distance says.
 */
#include "abut/solid.h"
#include "solid/cast.h"
#include "fuzz.h"
#include "input.h"
#include "support/casts.h"

#include <math.h>

enum { MAX_POINTS = 12 };

typedef struct Body {
    AbutConvex convex;
    AbutPolyhedron *hull;
    double reach;
} Body;

static int next_body(Input *in, Body *body) {
    AbutVec3 p[MAX_POINTS];
    int kind = next_byte(in) % ABUT_CONVEX_KIND_COUNT, rounded = next_byte(in) % 2, count = 4 + next_byte(in) % 8;
    *body = (Body){{0}, NULL, 0.0};
    body->convex.kind = kind == ABUT_CONVEX_SUPPORT ? ABUT_CONVEX_BOX : (AbutConvexKind)kind;
    for (int i = 0; i < count; ++i) {
        p[i] = next_vec3(in);
        body->reach = fmax(body->reach, abut_length(p[i]));
    }
    for (int i = 0; i < 3; ++i) body->convex.p[i] = p[i];
    if (kind == ABUT_CONVEX_HALF_SPACE || kind == ABUT_CONVEX_PLANE) body->convex.p[0] = abut_normalize(p[0]);
    body->convex.radius = rounded ? fabs(next_number(in)) : 0.0;
    body->reach += body->convex.radius;
    if (kind != ABUT_CONVEX_POLYHEDRON) return 1;
    body->convex.polyhedron = NULL;
    if (abut_polyhedron_from_points(p, count, NULL, &body->hull, NULL) != ABUT_OK) return 0;
    body->convex.polyhedron = body->hull;
    return 1;
}

static double distance_at(const AbutPlaced *body, AbutVec3 p) {
    AbutConvex dot = abut_convex_point(p, 0.0);
    return abut_gap_in(body->pose,
        abut_convex_distance(body->solid.convex, &dot, abut_pose_between(body->pose, abut_pose_identity()), NULL, NULL))
        .distance;
}

static void require_order(const AbutCastHit *h) {
    FUZZ_REQUIRE((unsigned)h->outcome < ABUT_IMPACT_OUTCOME_COUNT);
    if (h->outcome == ABUT_IMPACT_INVALID || h->outcome == ABUT_IMPACT_NONE) {
        FUZZ_REQUIRE(h->body == -1);
        return;
    }
    FUZZ_REQUIRE(h->body == 0 && h->t_lo >= 0.0 && h->t_lo <= h->t && h->t <= h->t_hi && h->t_hi <= 1.0);
    FUZZ_REQUIRE(abut_is_finite(h->point) && abut_is_finite(h->normal));
}

static void require_ray(const AbutPlaced *body, AbutRay ray, double tolerance) {
    AbutCastHit h = abut_ray(body, ray);
    AbutBodySet set = {1, body, NULL, NULL, NULL};
    AbutCastHit same = first_ray(&set, ray);
    require_order(&h);
    FUZZ_REQUIRE(same.outcome == h.outcome && (same.t == h.t || isnan(h.t)));
    if (h.outcome == ABUT_IMPACT_INVALID) return;
    if (h.outcome == ABUT_IMPACT_HIT) FUZZ_REQUIRE(fabs(distance_at(body, h.point)) <= tolerance);
    if (h.outcome == ABUT_IMPACT_NONE) {
        FUZZ_REQUIRE(distance_at(body, ray.origin) > -tolerance);
        FUZZ_REQUIRE(distance_at(body, abut_add(ray.origin, ray.way)) > -tolerance);
    }
    AbutNearestPoint near = abut_nearest_point(body, ray.origin);
    FUZZ_REQUIRE(near.body == 0 && fabs(near.distance - distance_at(body, ray.origin)) <= tolerance);
}

static void require_moved(const AbutPlaced *body, const AbutPlaced *moved, AbutVec3 way, double tolerance) {
    AbutCastHit h = abut_cast_moved(body, moved, way, 0.0);
    FUZZ_REQUIRE((unsigned)h.outcome < ABUT_IMPACT_OUTCOME_COUNT);
    if (h.outcome != ABUT_IMPACT_HIT) return;
    require_order(&h);
    AbutPose at = abut_pose(abut_add_scaled(moved->pose.p, way, 0.5 * h.t_lo), moved->pose.q);
    AbutGap d = abut_gap_in(body->pose,
        abut_convex_distance(body->solid.convex, moved->solid.convex, abut_pose_between(body->pose, at), NULL, NULL));
    FUZZ_REQUIRE(d.outcome == ABUT_NOT_CONVERGED || d.distance > -tolerance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {data, size, 0};
    Body a = {.hull = NULL}, b = {.hull = NULL};
    in.tame = next_byte(&in) % 4 ? 0.125 : 0.0;
    if (next_body(&in, &a) && next_body(&in, &b)) {
        AbutPose pose = abut_pose(next_vec3(&in), abut_quat_identity());
        AbutVec3 turn = next_vec3(&in);
        pose.q = abut_quat_normalize(abut_quat(1.0, turn.x, turn.y, turn.z));
        AbutRay ray = {next_vec3(&in), next_vec3(&in)};
        double far = abut_length(pose.p) + abut_length(ray.origin) + abut_length(ray.way) + a.reach + b.reach;
        AbutPlaced body = {abut_solid_convex(&a.convex), pose},
                   moved = {abut_solid_convex(&b.convex), abut_pose(ray.origin, abut_quat_identity())};
        if (far < 1e50 && far > 1e-50) {
            require_ray(&body, ray, 1e-7 * far);
            require_moved(&body, &moved, ray.way, 1e-6 * far);
        }
    }
    abut_polyhedron_free(a.hull);
    abut_polyhedron_free(b.hull);
    return 0;
}
