/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Smallest sphere around points.
 *
 * In: points. Out: a sphere that contains every point, to rounding the smallest. Method: the smallest sphere is carried
 * by at most four points. Keep such a set, look for the point farthest outside its sphere, and find the smallest sphere
 * of the set with that point by trying every carrier that includes it; the radius grows each time, so it ends. Where
 * rounding stops it early, the sphere is widened to hold all points.
 */
#include "abut/shape.h"
#include "shape/tolerance.h"

enum { MAX_ROUNDS = 200 };

/* Sphere with the points of `c` on it and its center in their span; radius < 0 when they are (nearly) dependent. */
static AbutSphere carry(const AbutVec3 *c, int count) {
    AbutSphere none = {c[0], -1.0}, sphere = {c[0], 0.0};
    AbutVec3 u, offset = abut_zero();
    if (count == 2) {
        u = abut_sub(c[1], c[0]);
        offset = abut_scale(u, 0.5);
    } else if (count == 3) {
        u = abut_sub(c[1], c[0]);
        AbutVec3 w = abut_sub(c[2], c[0]), n = abut_cross(u, w);
        double nn = abut_length_sq(n), uu = abut_length_sq(u), ww = abut_length_sq(w);
        if (!(nn > ABUT_BALL_FLAT * uu * ww)) return none;
        offset = abut_scale(abut_add(abut_scale(abut_cross(w, n), uu), abut_scale(abut_cross(n, u), ww)), 0.5 / nn);
    } else if (count == 4) {
        u = abut_sub(c[1], c[0]);
        AbutVec3 v = abut_sub(c[2], c[0]), w = abut_sub(c[3], c[0]);
        double det = abut_triple(u, v, w), uu = abut_length_sq(u), vv = abut_length_sq(v), ww = abut_length_sq(w);
        if (!(det * det > ABUT_BALL_FLAT * uu * vv * ww)) return none;
        AbutVec3 sum = abut_add(abut_scale(abut_cross(v, w), uu), abut_scale(abut_cross(w, u), vv));
        offset = abut_scale(abut_add(sum, abut_scale(abut_cross(u, v), ww)), 0.5 / det);
    }
    sphere.center = abut_add(c[0], offset);
    sphere.radius = abut_length(offset);
    return sphere;
}

static int holds_all(AbutSphere sphere, const AbutVec3 *c, int count) {
    for (int i = 0; i < count; ++i)
        if (abut_point_distance(sphere.center, c[i]) > sphere.radius * ABUT_BALL_INSIDE) return 0;
    return 1;
}

/* Smallest sphere of the `count` <= 5 points of set, the last of which is on it. The set shrinks to its carrier. */
static AbutSphere smallest(AbutVec3 *set, int *count) {
    AbutSphere best = {set[0], -1.0};
    int best_mask = 0, others = *count - 1;
    for (int mask = 1; mask < 1 << others; ++mask) {
        AbutVec3 c[4];
        int n = 0;
        for (int i = 0; i < others && n < 4; ++i)
            if (mask >> i & 1) c[n++] = set[i];
        if (n == 4) continue;
        c[n++] = set[others];
        AbutSphere sphere = carry(c, n);
        if (sphere.radius >= 0.0 && (best.radius < 0.0 || sphere.radius < best.radius) &&
            holds_all(sphere, set, *count)) {
            best = sphere;
            best_mask = mask;
        }
    }
    if (best.radius < 0.0) return best;
    int n = 0;
    for (int i = 0; i < others; ++i)
        if (best_mask >> i & 1) set[n++] = set[i];
    set[n++] = set[others];
    *count = n;
    return best;
}

static int farthest(const AbutVec3 *points, int count, AbutVec3 from, double *distance) {
    int at = 0;
    double best = -1.0;
    for (int i = 0; i < count; ++i) {
        double d = abut_length_sq(abut_sub(points[i], from));
        if (d > best) {
            best = d;
            at = i;
        }
    }
    *distance = sqrt(fmax(best, 0.0));
    return at;
}

/* The carried sphere of least radius; its radius is the distance of the farthest point. */
static AbutSphere bound_finite(const AbutVec3 *points, int count) {
    double distance;
    AbutVec3 set[5] = {points[farthest(points, count, points[0], &distance)]};
    AbutSphere sphere = {set[0], 0.0};
    int n = 1;
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        int at = farthest(points, count, sphere.center, &distance);
        if (distance <= sphere.radius * ABUT_BALL_INSIDE) break;
        set[n++] = points[at];
        AbutSphere wider = smallest(set, &n);
        if (!(wider.radius > sphere.radius)) break;
        sphere = wider;
    }
    farthest(points, count, sphere.center, &distance);
    sphere.radius = distance;
    return sphere;
}

AbutSphere abut_bounding_sphere(const AbutVec3 *points, int count) {
    ABUT_ASSERT(points || count <= 0);
    AbutSphere none = {abut_zero(), 0.0}, endless = {abut_zero(), INFINITY};
    if (count <= 0) return none;
    for (int i = 0; i < count; ++i)
        if (!abut_is_finite(points[i])) return endless;
    AbutSphere sphere = bound_finite(points, count);
    sphere.radius *= ABUT_BALL_ROUNDING;
    return sphere;
}
