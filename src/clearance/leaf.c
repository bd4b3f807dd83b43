/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact distance of two leaves at one time.
 *
 * In: a triangle or a piece of each body, and the place of A. Out: distance, witness points and the direction from B to
 * A, in the frame of B about its center. Two triangles by the routine of the mesh room, everything else by the distance
 * of convex bodies. Between a surface and a solid a depth is contact and no number.
 */
#include "clearance/search.h"
#include "mesh/triangle_pair.h"

static const double FINE = 1e-12; /* of the size of a pair: how far the depth of round pieces may be off in an answer */

/* The power of two that brings `size` into [0.5, 1). */
static double power_for(double size) {
    int exponent = 0;
    (void)frexp(size, &exponent);
    return size > 0.0 ? ldexp(1.0, -exponent) : 1.0;
}

static AbutLeafGap triangles(const AbutSearch *s, const AbutPlace *place, const AbutVec3 *a, const AbutVec3 *b) {
    AbutVec3 x[3], y[3];
    double far = abut_larger(abut_length(place->t) + s->a->reach, s->b->reach);
    double scale = power_for(far * (1.0 + 1e-12)), back = 1.0 / scale;
    for (int k = 0; k < 3; ++k) {
        x[k] = abut_scale(abut_add(place->t, abut_mat3_apply(place->r, a[k])), scale);
        y[k] = abut_scale(b[k], scale);
    }
    AbutTriangleGap gap = abut_triangle_gap(x, y);
    double length = sqrt(gap.square);
    AbutLeafGap out = {length * back, abut_scale(gap.a, back), abut_scale(gap.b, back), abut_zero(), 0.0, 0};
    if (length > 0.0) out.n = abut_normalize(abut_neg(gap.d));
    return out;
}

static AbutConvex convex_of(const AbutClearanceBody *body, int32_t leaf) {
    if (body->piece) return body->piece[leaf];
    const AbutVec3 *t = body->triangle[leaf];
    return abut_convex_triangle(
        abut_add(t[0], body->center), abut_add(t[1], body->center), abut_add(t[2], body->center), 0.0);
}

/* Do the cores of two pieces span no volume, so that no depth passes the sum of their radii? */
static int is_flat_pair(const AbutConvex *a, const AbutConvex *b) {
    return a->kind <= ABUT_CONVEX_SEGMENT && b->kind <= ABUT_CONVEX_SEGMENT;
}

static AbutLeafGap convexes(
    const AbutSearch *s, const AbutPlace *place, int32_t leaf_a, int32_t leaf_b, double tolerance) {
    AbutGapDef def = {.tolerance = tolerance};
    AbutConvex a = convex_of(s->a, leaf_a), b = convex_of(s->b, leaf_b);
    AbutVec3 p = abut_sub(abut_add(place->t, s->b->center), abut_mat3_apply(place->r, s->a->center));
    AbutPose a_in_b = abut_pose(p, abut_quat_from_mat3(place->r));
    AbutGap d = abut_convex_distance(&b, &a, a_in_b, &def, NULL);
    AbutLeafGap out = {
        d.distance, abut_sub(d.point_b, s->b->center), abut_sub(d.point_a, s->b->center), d.normal, 0.0, 0};
    if (d.outcome == ABUT_NOT_CONVERGED || d.distance < 0.0) out.off = d.error;
    out.d += out.off; /* still above the true distance */
    double cores = a.radius + b.radius;
    out.saturated = is_flat_pair(&a, &b) && cores > 0.0 && d.distance <= -cores * (1.0 - 1e-9);
    if (!s->solid && out.d <= 0.0) {
        out.d = out.off = 0.0; /* each point stays on its own body */
        out.n = abut_zero();
    }
    return out;
}

AbutLeafGap abut_leaf_gap(AbutSearch *s, const AbutPlace *place, int32_t leaf_a, int32_t leaf_b) {
    ++s->evaluations;
    if (s->a->triangle && s->b->triangle) return triangles(s, place, s->a->triangle[leaf_a], s->b->triangle[leaf_b]);
    return convexes(s, place, leaf_a, leaf_b, 0.0);
}

AbutLeafGap abut_leaf_gap_fine(AbutSearch *s, const AbutPlace *place, int32_t leaf_a, int32_t leaf_b) {
    AbutLeafGap gap = abut_leaf_gap(s, place, leaf_a, leaf_b);
    if (gap.off <= FINE * (s->a->reach + s->b->reach)) return gap;
    ++s->evaluations;
    AbutLeafGap fine = convexes(s, place, leaf_a, leaf_b, FINE);
    return fine.d <= gap.d ? fine : gap;
}

void abut_search_take(AbutSearch *s, double t, double d, int32_t leaf_a, int32_t leaf_b) {
    if (!(d < s->ub)) return;
    s->ub = d;
    s->t = t;
    s->witness.leaf_a = leaf_a;
    s->witness.leaf_b = leaf_b;
}
