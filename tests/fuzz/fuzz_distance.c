/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw bytes as two convex bodies of any kind, a pose and a cache. The distance must be a named outcome; unless that
 * says INVALID, every number is finite, the normal is a unit vector that proves the distance from both sides, the
 * witness points agree with it, no distance exceeds the extent of the pair, and swapping the bodies or starting from
 * any cache changes nothing beyond rounding.
 */
#include "abut/query.h"
#include "fuzz.h"
#include "input.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_POINTS = 20, WHOLE = 1, UNIT_POSE = 2 };

/* A body, and its vertices as plain points for the checks. */
typedef struct Body {
    AbutConvex convex;
    AbutPolyhedron *hull;
    AbutVec3 point[MAX_POINTS];
    int count;
} Body;

static int is_endless(const Body *body) {
    return body->convex.kind == ABUT_CONVEX_HALF_SPACE || body->convex.kind == ABUT_CONVEX_PLANE;
}

static int is_round(const Body *body) {
    return body->convex.kind >= ABUT_CONVEX_CYLINDER && body->convex.kind <= ABUT_CONVEX_ELLIPSOID;
}

static AbutVec3 farthest_point(AbutVec3 d, const void *user) {
    const Body *body = user;
    int best = 0;
    if (is_round(body)) return abut_convex_farthest(&body->convex, d);
    for (int i = 1; i < body->count; ++i)
        if (abut_dot(body->point[i], d) > abut_dot(body->point[best], d)) best = i;
    return body->point[best];
}

/* The next body; false when its points have no hull. */
static int next_body(Input *in, Body *body) {
    int kind = next_byte(in) % (ABUT_CONVEX_KIND_COUNT + 1); /* one past the end must be INVALID */
    int rounded = next_byte(in) % 4 == 0;
    body->hull = NULL;
    body->count = kind <= ABUT_CONVEX_TRIANGLE                                ? kind + 1
                  : kind == ABUT_CONVEX_BOX || kind >= ABUT_CONVEX_HALF_SPACE ? 1
                                                                              : 1 + next_byte(in) % MAX_POINTS;
    for (int i = 0; i < body->count; ++i) body->point[i] = next_vec3(in);
    double radius = rounded ? next_number(in) : 0.0;
    memset(&body->convex, 0, sizeof body->convex);
    body->convex.kind = (AbutConvexKind)kind;
    body->convex.radius = radius;
    for (int i = 0; i < body->count && i < 3; ++i) body->convex.p[i] = body->point[i];
    if (kind == ABUT_CONVEX_BOX) {
        AbutVec3 h = body->point[0];
        body->count = 8;
        for (int i = 0; i < 8; ++i)
            body->point[i] = abut_vec3((i & 1) ? h.x : -h.x, (i & 2) ? h.y : -h.y, (i & 4) ? h.z : -h.z);
    }
    if (is_endless(body)) { /* its point for the checks: the foot of the plane */
        AbutPlane plane = {in->tame != 0.0 ? abut_normalize(body->point[0]) : body->point[0], next_number(in)};
        body->convex = abut_convex_half_space(plane, radius);
        body->convex.kind = (AbutConvexKind)kind;
        body->point[0] = abut_scale(plane.normal, plane.offset);
    }
    if (kind == ABUT_CONVEX_SUPPORT) body->convex = abut_convex_support(farthest_point, body, radius);
    if (kind == ABUT_CONVEX_POLYHEDRON) {
        if (abut_polyhedron_from_points(body->point, body->count, NULL, &body->hull, NULL) != ABUT_OK) return 0;
        body->convex = abut_convex_polyhedron(body->hull, radius);
    }
    return 1;
}

static AbutPose next_pose(Input *in, int unit) {
    AbutPose pose;
    pose.p = next_vec3(in);
    pose.q.w = 1.0 + next_number(in);
    pose.q.x = next_number(in), pose.q.y = next_number(in), pose.q.z = next_number(in);
    if (unit) pose.q = abut_quat_normalize(pose.q);
    return pose;
}

/* ---- what must hold ---------------------------------------------------------------------------------------------- */

/* Largest distance between two points of a body, and its largest coordinate. */
static double extent(const Body *body, double *far) {
    double most = 0.0;
    *far = 0.0;
    if (is_round(body)) {
        *far = abut_length(body->convex.p[0]) + fabs(body->convex.p[0].x);
        return 2.0 * *far + 2.0 * body->convex.radius;
    }
    for (int i = 0; i < body->count; ++i) {
        most = fmax(most, abut_point_distance(body->point[i], body->point[0]));
        *far = fmax(*far, abut_max_abs(body->point[i]));
    }
    return 2.0 * most + 2.0 * body->convex.radius;
}

/* Least of n . b over B minus largest of n . a over A: the distance, if n is the right normal. */
static double slab(const Body *a, const Body *b, AbutPose pose, AbutVec3 n) {
    AbutVec3 nb = abut_quat_rotate_inv(pose.q, n);
    double top = abut_dot(n, farthest_point(n, a)), low = abut_dot(nb, farthest_point(abut_neg(nb), b));
    return low + abut_dot(n, pose.p) - top - a->convex.radius - b->convex.radius;
}

static void require_in_range(const Body *a, const Body *b, const AbutGap *d) {
    int endless = is_endless(a) && is_endless(b) && d->distance == -INFINITY; /* no move parts them */
    FUZZ_REQUIRE((unsigned)d->outcome <= ABUT_INVALID);
    if (d->outcome == ABUT_INVALID) return;
    FUZZ_REQUIRE((isfinite(d->distance) || endless) && abut_is_finite(d->point_a) && abut_is_finite(d->point_b));
    FUZZ_REQUIRE(fabs(abut_length(d->normal) - 1.0) < 1e-9);
    FUZZ_REQUIRE(d->error >= 0.0);
    FUZZ_REQUIRE(d->part_a.kind >= 1 && d->part_a.kind <= 3 && d->part_b.kind >= 1 && d->part_b.kind <= 3);
    if (d->outcome == ABUT_SEPARATED) FUZZ_REQUIRE(d->distance > 0.0);
    if (d->outcome == ABUT_PENETRATING) FUZZ_REQUIRE(d->distance < 0.0);
}

/* A search of a smooth pair may end before its tolerance one way and not the other. */
static int same_outcome(const AbutGap *x, const AbutGap *y, int smooth) {
    int unsure = x->outcome == ABUT_NOT_CONVERGED || y->outcome == ABUT_NOT_CONVERGED;
    return x->outcome == y->outcome || (smooth && unsure);
}

static void require_distance(
    const Body *a, const Body *b, AbutPose pose, AbutPose inverse, const AbutConvexCache *raw) {
    AbutConvexCache cache = *raw;
    AbutGap d = abut_convex_distance(&a->convex, &b->convex, pose, NULL, NULL);
    require_in_range(a, b, &d);
    AbutGap swapped = abut_convex_distance(&b->convex, &a->convex, inverse, NULL, NULL);
    AbutGap warm = abut_convex_distance(&a->convex, &b->convex, pose, NULL, &cache);
    int meet = abut_convex_meet(&a->convex, &b->convex, pose, &cache);
    require_in_range(a, b, &swapped);
    require_in_range(a, b, &warm);
    FUZZ_REQUIRE((meet < 0) == (d.outcome == ABUT_INVALID) && (warm.outcome == ABUT_INVALID) == (meet < 0));
    if (d.outcome == ABUT_INVALID || swapped.outcome == ABUT_INVALID) return;
    if (d.distance == -INFINITY) {
        FUZZ_REQUIRE(swapped.distance == -INFINITY && warm.distance == -INFINITY && meet == 1);
        return;
    }
    int bounded = !is_endless(a) && !is_endless(b);
    double far_a, far_b, size = extent(a, &far_a) + extent(b, &far_b),
                         far = far_a + far_b + abut_max_abs(pose.p) + size;
    double noise = 64.0 * DBL_EPSILON * far + 1e-49, tolerance = 1e-8 * size + noise; /* a smaller hull is a point */
    int smooth =
        a->convex.kind == ABUT_CONVEX_SUPPORT || b->convex.kind == ABUT_CONVEX_SUPPORT || is_round(a) || is_round(b);
    if (smooth)
        tolerance = 3e-7 * size + noise + fmin(d.error + swapped.error + warm.error, size);
    else if (d.outcome == ABUT_NOT_CONVERGED || swapped.outcome == ABUT_NOT_CONVERGED ||
             warm.outcome == ABUT_NOT_CONVERGED)
        tolerance += fmin(
            d.error + swapped.error + warm.error, 1e-6 * size); /* needles of 1e9 times their thickness, at contact */
    double core = fabs(d.distance + a->convex.radius + b->convex.radius);
    double unsure = fmin(16.0 * far * noise / core, 1e-4 * size); /* the direction of a tiny vector is less sure */
    FUZZ_REQUIRE(fabs(slab(a, b, pose, d.normal) - d.distance) <= 2.0 * tolerance + unsure);
    FUZZ_REQUIRE(
        abut_point_distance(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, d.distance)) <= 4.0 * tolerance);
    FUZZ_REQUIRE(d.distance <= 2.0 * far + noise && (!bounded || d.distance >= -size - tolerance));
    FUZZ_REQUIRE(fabs(swapped.distance - d.distance) <= 2.0 * tolerance);
    FUZZ_REQUIRE(fabs(warm.distance - d.distance) <= 2.0 * tolerance);
    if (fabs(d.distance) <= 2.0 * tolerance) return;
    FUZZ_REQUIRE(meet == (d.distance < 0.0));
    FUZZ_REQUIRE(same_outcome(&d, &swapped, smooth) && same_outcome(&d, &warm, smooth));
}

static void require_derivative(const Body *a, const Body *b, AbutPose pose) {
    AbutGap d = abut_convex_distance(&a->convex, &b->convex, pose, NULL, NULL);
    AbutDistanceDerivative g = abut_distance_derivative(&a->convex, &b->convex, abut_pose_identity(), pose, &d);
    for (int k = 0; k < 12; ++k) FUZZ_REQUIRE(!g.valid || isfinite(g.distance[k]));
    for (int k = 0; k < 3; ++k)
        FUZZ_REQUIRE(!g.points_valid || (isfinite(g.point_a[k][k]) && isfinite(g.point_b[k][9 + k])));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {data, size, 0};
    int flags = next_byte(&in);
    Body a = {.hull = NULL}, b = {.hull = NULL};
    in.tame = flags & WHOLE ? 0.125 : 0.0;
    if (next_body(&in, &a) && next_body(&in, &b)) {
        AbutPose pose = next_pose(&in, flags & UNIT_POSE);
        AbutConvexCache cache = {0};
        memcpy(&cache, in.data, in.size < sizeof cache ? in.size : sizeof cache);
        if (flags & UNIT_POSE) {
            require_distance(&a, &b, pose, abut_pose_inv(pose), &cache);
        } else { /* a pose that is no pose: nothing but the range is promised */
            AbutGap d = abut_convex_distance(&a.convex, &b.convex, pose, NULL, &cache);
            require_in_range(&a, &b, &d);
        }
        require_derivative(&a, &b, pose);
    }
    abut_polyhedron_free(a.hull);
    abut_polyhedron_free(b.hull);
    return 0;
}
