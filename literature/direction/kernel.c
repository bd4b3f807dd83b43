/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel direction of two convex bodies: the mean outward normal over the boundary of their Minkowski difference,
 * weighted by a Gaussian of the distance from the origin. In: a convolution of convex meshes, placed, and a width. Out:
 * direction and coherence. It does not depend on how faces are cut into triangles, and turns continuously with the
 * bodies.
 *
 * Each facet is cut into cells of at most 0.6 of the width, whose middles stand for them. Only where both bodies are
 * convex is the chain the boundary; elsewhere sheets inside it would count.
 */
#include "direction/tolerance.h"
#include "literature/minkowski/convolution.h"
#include "abut/literature.h"
#include "literature/direction/tolerance.h"
#include "math/functions.h"

#include <string.h>

typedef struct Sum {
    const AbutConvolution *c;
    double width, least; /* least: squared distance that counts as 1 */
    AbutVec3 vector;
    double weight;
} Sum;

/* Triangle a b c, cut evenly into n^2 cells. */
static void add_triangle(Sum *s, AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    double side =
        abut_larger(abut_point_distance(a, b), abut_larger(abut_point_distance(b, c), abut_point_distance(c, a)));
    int n = (int)abut_smaller(ceil(side / (ABUT_KERNEL_CELL * s->width)), ABUT_KERNEL_MOST_CELLS);
    n = n < 1 ? 1 : n;
    AbutVec3 u = abut_scale(abut_sub(b, a), 1.0 / n), w = abut_scale(abut_sub(c, a), 1.0 / n);
    AbutVec3 area = abut_scale(abut_cross(u, w), 0.5);
    double size = abut_length(area), per = 0.5 / (s->width * s->width);
    for (int i = 0; i < n; ++i)
        for (int j = 0; i + j < n; ++j)
            for (int upper = 0; upper < (i + j + 2 <= n ? 2 : 1); ++upper) {
                double third = upper ? 2.0 / 3.0 : 1.0 / 3.0;
                AbutVec3 p = abut_add_scaled(abut_add_scaled(a, u, i + third), w, j + third);
                double weight = abut_exp((s->least - abut_length_sq(p)) * per);
                s->vector = abut_add_scaled(s->vector, area, weight);
                s->weight += weight * size;
            }
}

static void add_facet(const AbutFacet *facet, void *user) {
    Sum *s = user;
    AbutFacetCorner p[4];
    int count = abut_facet_corners(s->c, facet, p);
    for (int k = 2; k < count; ++k) add_triangle(s, p[0].place, p[k - 1].place, p[k].place);
}

AbutKernelDirection abut_kernel_direction(const AbutConvolution *c, double distance, double width) {
    AbutKernelDirection out;
    ABUT_ASSERT(c);
    memset(&out, 0, sizeof out);
    if (!(width > 0.0) || !isfinite(width) || !isfinite(distance)) return out;
    Sum s = {c, width, distance * distance, abut_zero(), 0.0};
    abut_convolution_facets(c, abut_zero(), fabs(distance) + ABUT_KERNEL_REACH * width, 0, add_facet, &s);
    if (!(s.weight > 0.0) || !(abut_length(s.vector) > ABUT_SOFT_COHERENT * s.weight)) return out;
    out.vector = abut_scale(s.vector, 1.0 / s.weight);
    out.direction = abut_normalize(s.vector);
    out.coherence = abut_length(out.vector);
    return out;
}
