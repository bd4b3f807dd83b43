/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The distance field of a body: quadratic B-splines of the signed distances at the nodes of a grid.
 *
 * In: a place in the frame of the body. Out: value, or value and gradient. The field has a continuous gradient inside
 * the grid, takes 27 nodes, and reproduces linear functions. Outside the box the place is clamped to it: with the value
 * v there and the way e from there, sqrt(v^2 + e^2), which is continuous and never above the distance by more than the
 * field inside is.
 *
 * Two bounds hold for any mesh, since the nodes hold a function that changes by at most 1 per meter. The weights have
 * variance 1/4 of a step along each axis, so that the value is within sqrt(3/4) of a step of that function. And the
 * derivative along a unit vector d is a signed measure on the 27 nodes; what a 1-Lipschitz function can make of it is
 * its transport distance, which is largest at the corner of a cell along the diagonal: 1.183. ABUT_SOFT_LIPSCHITZ is
 * above it, ABUT_SOFT_FIELD_OFF above sqrt(3/4).
 *
 * The grid of a lazy body holds NaN where it was not asked yet. A row is filled when one of its nodes is; threads that
 * come at the same time both do so, and write the same bits. Nodes are read and written one by one, without order:
 * whoever reads a NaN fills the row himself, so that nobody waits.
 */
#ifndef ABUT_SRC_DIRECTION_FIELD_H
#define ABUT_SRC_DIRECTION_FIELD_H

#include "direction/soft_body.h"
#include "direction/tolerance.h"

/* Inputs of an evaluation, close together in memory. */
typedef struct AbutSoftGrid {
    const float *node;
    ptrdiff_t row, layer;  /* floats from one row to the next, and from one layer */
    AbutVec3 origin, high; /* high: largest place, in steps */
    double step, per_step;
    const AbutSoftBody *lazy; /* a body whose grid is filled where it is first asked; NULL: it is full */
} AbutSoftGrid;

static inline AbutSoftGrid abut_soft_grid_open(const AbutSoftBody *b) {
    AbutSoftGrid g = {abut_soft_grid(b), b->grid_count[0], (ptrdiff_t)b->grid_count[0] * b->grid_count[1],
        b->grid_origin, {b->grid_count[0] - 2.0, b->grid_count[1] - 2.0, b->grid_count[2] - 2.0}, b->step,
        1.0 / b->step, b->lazy ? b : NULL};
    return g;
}

/* Place along one axis: first node of three, weights, and how far outside. */
typedef struct AbutSoftAxis {
    ptrdiff_t first;
    double t, outside;
} AbutSoftAxis;

static inline AbutSoftAxis abut_soft_axis(double x, double origin, double per_step, double high) {
    double q = (x - origin) * per_step;
    double c = abut_smaller(abut_larger(q, 1.0), high);
    ptrdiff_t i = (ptrdiff_t)(c + 0.5);
    i = (double)i > high ? i - 1 : i; /* the upper end belongs to the last cell */
    AbutSoftAxis axis = {i - 1, c - (double)i, q - c};
    return axis;
}

static inline void abut_soft_weights(double t, double w[4]) {
    w[0] = 0.5 * (0.5 - t) * (0.5 - t);
    w[1] = 0.75 - t * t;
    w[2] = 0.5 * (0.5 + t) * (0.5 + t);
    w[3] = 0.0;
}

static inline void abut_soft_slopes(double t, double d[4]) {
    d[0] = t - 0.5;
    d[1] = -2.0 * t;
    d[2] = t + 0.5;
    d[3] = 0.0;
}

/* The three coordinates of a place. */
static inline void abut_soft_place(const AbutSoftGrid *g, AbutVec3 p, AbutSoftAxis axis[3]) {
    axis[0] = abut_soft_axis(p.x, g->origin.x, g->per_step, g->high.x);
    axis[1] = abut_soft_axis(p.y, g->origin.y, g->per_step, g->high.y);
    axis[2] = abut_soft_axis(p.z, g->origin.z, g->per_step, g->high.z);
}

/* Value at a place whose 27 nodes are there, the first of them at `at`. */
static inline double abut_soft_blend(const AbutSoftGrid *g, const AbutSoftAxis axis[3], const float *at) {
    double wx[4], wy[4], wz[4], sum[4] = {0.0, 0.0, 0.0, 0.0};
    abut_soft_weights(axis[0].t, wx);
    abut_soft_weights(axis[1].t, wy);
    abut_soft_weights(axis[2].t, wz);
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 3; ++y) {
            const float *r = at + z * g->layer + y * g->row;
            double w = wz[z] * wy[y];
            for (int k = 0; k < 4; ++k) sum[k] += w * (double)r[k];
        }
    double inside = (wx[0] * sum[0] + wx[1] * sum[1]) + wx[2] * sum[2];
    double out =
        axis[0].outside * axis[0].outside + axis[1].outside * axis[1].outside + axis[2].outside * axis[2].outside;
    if (ABUT_LIKELY(out == 0.0)) return inside;
    inside = abut_larger(inside, 0.0);
    return sqrt(inside * inside + out * (g->step * g->step));
}

/* The 27 nodes of a place in a grid that is filled where it is asked, in rows of 4; `out` is a grid of them alone. Any
 * number of threads may ask. */
enum { ABUT_SOFT_NODES_AROUND = 36 };
void abut_soft_fetch(const AbutSoftGrid *g, const AbutSoftAxis axis[3], float node[ABUT_SOFT_NODES_AROUND]);

static inline AbutSoftGrid abut_soft_nodes_around(
    const AbutSoftGrid *g, const AbutSoftAxis axis[3], float node[ABUT_SOFT_NODES_AROUND]) {
    AbutSoftGrid out = *g;
    abut_soft_fetch(g, axis, node);
    out.node = node, out.row = 4, out.layer = 12, out.lazy = NULL;
    return out;
}

static inline const float *abut_soft_first_node(const AbutSoftGrid *g, const AbutSoftAxis axis[3]) {
    return g->node + axis[2].first * g->layer + axis[1].first * g->row + axis[0].first;
}

static inline double abut_soft_value(const AbutSoftGrid *g, AbutVec3 p) {
    AbutSoftAxis axis[3];
    abut_soft_place(g, p, axis);
    if (ABUT_LIKELY(!g->lazy)) return abut_soft_blend(g, axis, abut_soft_first_node(g, axis));
    float node[ABUT_SOFT_NODES_AROUND];
    AbutSoftGrid around = abut_soft_nodes_around(g, axis, node);
    return abut_soft_blend(&around, axis, node);
}

/* Value and gradient; the value has the same bits as abut_soft_value. */
double abut_soft_value_gradient(const AbutSoftGrid *g, AbutVec3 p, AbutVec3 *gradient);

#endif
