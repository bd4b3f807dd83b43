/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Penetration of two boxes: the facets of their Minkowski difference have only fifteen directions (three face
 * directions of each box, nine products of edges), each in two senses, and the sense that faces the other box is the
 * nearer one. The least support value over them is the depth. Edge directions win only when they are better by more
 * than rounding, so that faces are preferred when both describe the same facet.
 */
#include "query/pair.h"
#include "query/tolerance.h"

/* Half extent of a box with half sizes h along n, the box axes being the columns of r. */
static inline double extent(AbutVec3 h, AbutMat3 r, AbutVec3 n)
{
    return h.x * fabs(abut_dot(r.x, n)) + h.y * fabs(abut_dot(r.y, n)) + h.z * fabs(abut_dot(r.z, n));
}

static inline double extent_axes(AbutVec3 h, AbutVec3 n)
{
    return h.x * fabs(n.x) + h.y * fabs(n.y) + h.z * fabs(n.z);
}

/* Least overlap over the fifteen directions and the direction it is found in; stops at the first gap when asked. */
static double least_overlap(const AbutPairView *pair, int stop_at_gap, AbutVec3 *normal)
{
    AbutVec3 ha = pair->a.convex->p[0], hb = pair->b.convex->p[0], c = pair->position;
    AbutMat3 r = pair->rotation;
    AbutVec3 axis_b[3] = {r.x, r.y, r.z};
    double best = INFINITY, slack = ABUT_QUERY_BOX_FACE * pair->noise;
    for (int i = 0; i < 6; ++i) {
        AbutVec3 n = i < 3 ? abut_axis(i) : axis_b[i - 3];
        double middle = abut_dot(n, c), depth = extent_axes(ha, n) + extent(hb, r, n) - fabs(middle);
        if (depth < best) {
            best = depth;
            *normal = middle < 0.0 ? abut_neg(n) : n;
            if (stop_at_gap && best < -pair->touch)
                return best;
        }
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            AbutVec3 n = abut_cross(abut_axis(i), axis_b[j]);
            double length = abut_length(n);
            if (length < ABUT_QUERY_NO_EDGE_PAIR)
                continue; /* parallel edges span nothing */
            n = abut_scale(n, 1.0 / length);
            double middle = abut_dot(n, c), depth = extent_axes(ha, n) + extent(hb, r, n) - fabs(middle);
            if (depth < best - slack) {
                best = depth;
                *normal = middle < 0.0 ? abut_neg(n) : n;
            }
        }
    return best;
}

/* Overlap along a unit direction. */
static double overlap_along(const AbutPairView *pair, AbutVec3 n)
{
    return extent_axes(pair->a.convex->p[0], n) + extent(pair->b.convex->p[0], pair->rotation, n) -
           fabs(abut_dot(n, pair->position));
}

int abut_boxes_meet(const AbutPairView *pair, AbutVec3 *normal)
{
    if (abut_length_sq(*normal) > 0.0 && overlap_along(pair, *normal) < -pair->touch)
        return 0;
    return least_overlap(pair, 1, normal) >= -pair->touch;
}

AbutFacet abut_box_facet(AbutPairView *pair)
{
    AbutFacet out;
    out.found = 1;
    out.gap = 0.0;
    out.simplex.count = 0;
    out.depth = least_overlap(pair, 1, &out.normal);
    if (out.depth >= -pair->touch)
        out.simplex = abut_facet_witness(pair, out.normal, out.depth);
    return out;
}
