/* SPDX-License-Identifier: Apache-2.0 */
/* Making a pair ready for a query: bounds, tolerances, vertices by number. */
#include "query/contract.h"
#include "query/support.h"
#include "query/tolerance.h"
#include "shape/polyhedron.h"

#include <float.h>

/* Above this many vertices climbing is cheaper than looking at all of them. */
enum { CLIMB_FROM = 1024 };

int32_t abut_polyhedron_climb(const AbutPolyhedron *p, AbutVec3 d, int32_t from) {
    const AbutVec3 *vertices = abut_polyhedron_vertices(p);
    const int32_t *start = abut_polyhedron_neighbor_start(p), *neighbors = abut_polyhedron_neighbors(p);
    double best = abut_dot(vertices[from], d);
    for (int32_t at = -1; at != from;) {
        at = from;
        for (int32_t k = start[at]; k < start[at + 1]; ++k) {
            double value = abut_dot(vertices[neighbors[k]], d);
            if (value > best) {
                best = value;
                from = neighbors[k];
            }
        }
    }
    return from;
}

AbutVec3 abut_convex_farthest(const AbutConvex *convex, AbutVec3 direction) {
    ABUT_ASSERT(abut_convex_is_set(convex));
    AbutBodyView body = {convex, NULL, 0, 0, -1, abut_zero(), 0.0, 0.0, 0.0};
    AbutVec3 point = abut_zero();
    if (abut_convex_is_unbounded(convex)) return abut_scale(convex->p[0], convex->p[1].x);
    if (convex->kind == ABUT_CONVEX_POLYHEDRON) {
        body.rows = abut_polyhedron_rows(convex->polyhedron);
        body.padded = convex->polyhedron->padded_count;
    }
    abut_body_farthest(&body, abut_scan(), direction, &point);
    return point;
}

/* Center and radius of a support function's body: from its extent along the axes. */
static void view_support_function(AbutBodyView *body) {
    AbutAabb box = abut_aabb_empty();
    for (int i = 0; i < 6; ++i)
        box = abut_aabb_add(
            box, body->convex->support(abut_scale(abut_axis(i / 2), (i & 1) ? 1.0 : -1.0), body->convex->user));
    body->center = abut_scale(abut_add(box.min, box.max), 0.5);
    body->reach = 0.5 * abut_point_distance(box.min, box.max);
}

/* Fills the view of one body; false when its data are not finite. */
static inline int view_body(AbutBodyView *body, const AbutConvex *c) {
    body->convex = c;
    body->rows = NULL;
    body->padded = body->climb = 0;
    body->hint = -1;
    body->inset = 0.0;
    switch (c->kind) {
    case ABUT_CONVEX_POINT:
        body->center = c->p[0];
        body->reach = 0.0;
        break;
    case ABUT_CONVEX_SEGMENT:
        body->center = abut_scale(abut_add(c->p[0], c->p[1]), 0.5);
        body->reach = 0.5 * abut_point_distance(c->p[0], c->p[1]);
        break;
    case ABUT_CONVEX_TRIANGLE:
        body->center = abut_scale(abut_add(abut_add(c->p[0], c->p[1]), c->p[2]), 1.0 / 3.0);
        body->reach = abut_larger(abut_point_distance(body->center, c->p[0]),
            abut_larger(abut_point_distance(body->center, c->p[1]), abut_point_distance(body->center, c->p[2])));
        break;
    case ABUT_CONVEX_BOX:
        body->center = abut_zero();
        body->reach = abut_length(c->p[0]);
        if (!(c->p[0].x >= 0.0 && c->p[0].y >= 0.0 && c->p[0].z >= 0.0)) return 0;
        break;
    case ABUT_CONVEX_POLYHEDRON:
        body->center = c->polyhedron->bound.center;
        body->reach = c->polyhedron->bound.radius;
        body->rows = abut_polyhedron_rows(c->polyhedron);
        body->padded = c->polyhedron->padded_count;
        body->climb = c->polyhedron->vertex_count > CLIMB_FROM;
        break;
    case ABUT_CONVEX_SUPPORT:
        if (!c->support) return 0;
        view_support_function(body);
        break;
    case ABUT_CONVEX_CYLINDER:
    case ABUT_CONVEX_CONE:
    case ABUT_CONVEX_ELLIPSOID:
        body->center = abut_zero();
        body->reach = abut_round_reach(c);
        body->inset = abut_round_inset(c);
        if (!abut_round_is_valid(c)) return 0;
        break;
    case ABUT_CONVEX_HALF_SPACE:
    case ABUT_CONVEX_PLANE:
        body->center = abut_scale(c->p[0], c->p[1].x); /* a point of the plane */
        body->reach = 0.0;
        if (!(fabs(abut_length_sq(c->p[0]) - 1.0) < ABUT_QUERY_UNIT)) return 0;
        break;
    default:
        return 0;
    }
    body->radius = c->radius + body->inset;
    return isfinite(body->reach) && abut_is_finite(body->center) && c->radius >= 0.0;
}

int abut_pair_view(AbutPairView *pair, const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a) {
    if (!view_body(&pair->a, a) || !view_body(&pair->b, b) || !abut_pose_is_finite(b_in_a)) return 0;
    double turn = abut_quat_dot(b_in_a.q, b_in_a.q);
    if (!(fabs(turn - 1.0) < ABUT_QUERY_UNIT_QUATERNION)) return 0;
    if (fabs(turn - 1.0) > 4.0 * DBL_EPSILON) b_in_a.q = abut_quat_normalize(b_in_a.q);
    pair->rotation = abut_quat_to_mat3(b_in_a.q);
    pair->position = b_in_a.p;
    pair->scan = abut_scan();
    pair->supports = 0;
    pair->budget = INT32_MAX;
    pair->beyond = INFINITY;
    pair->size = pair->a.reach + pair->b.reach;
    double far = abut_max_abs(pair->a.center) + abut_max_abs(pair->b.center) + abut_max_abs(b_in_a.p) + pair->size;
    pair->noise = ABUT_QUERY_NOISE * DBL_EPSILON * far + ABUT_QUERY_SMALLEST;
    pair->touch = ABUT_QUERY_TOUCH * pair->noise;
    int smooth = abut_pair_is_smooth(pair);
    pair->close = smooth ? ABUT_GJK_GAP_SMOOTH * pair->size : 0.0;
    pair->close_depth = smooth ? ABUT_EPA_GAP_SMOOTH * pair->size : 0.0;
    return far < ABUT_QUERY_LARGEST && a->radius < ABUT_QUERY_LARGEST && b->radius < ABUT_QUERY_LARGEST;
}

AbutVec3 abut_pair_between(const AbutPairView *pair) {
    AbutVec3 b = abut_add(abut_mat3_apply(pair->rotation, pair->b.center), pair->position);
    return abut_sub(b, pair->a.center);
}
