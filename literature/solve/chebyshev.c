/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The largest ball inside a set of half-spaces. In: rows a_i.x <= b_i. Out: its center and radius, by a linear program
 * in one dimension more: max r subject to a_i.x + |a_i| r <= b_i.
 */
#include "literature/solve/chebyshev.h"
#include "solve/lp_core.h"

size_t abut_lp_chebyshev_workspace_size(int dimension, int rows) {
    size_t inner = dimension < ABUT_LP_MAX_DIMENSION ? abut_lp_workspace_size(dimension + 1, rows) : 0;
    return inner && dimension >= 1 ? inner + sizeof(double) * (size_t)rows * (size_t)(dimension + 1) : 0;
}

/* Along the ray until the radius, the last coordinate, is positive and comparable with the other coordinates. */
static void move_inside(int d, AbutLpResult *out) {
    double size = 0.0;
    for (int j = 0; j < d; ++j) size = fmax(size, fabs(out->x[j]));
    double want = size > 0.0 ? 0.5 * size : 1.0, step = (want - out->x[d]) / out->ray[d];
    for (int j = 0; j <= d && step > 0.0; ++j) out->x[j] += step * out->ray[j];
}

AbutLpResult abut_lp_chebyshev(const AbutLp *lp, void *workspace, size_t workspace_size) {
    ABUT_ASSERT(lp);
    AbutLpResult out = {.outcome = ABUT_LP_UNDECIDED, .status = ABUT_ERROR_ARGUMENT};
    int d = lp->dimension, n = lp->rows;
    size_t need = abut_lp_chebyshev_workspace_size(d, n);
    if (need == 0 || (n > 0 && (!lp->a || !lp->b))) return out;
    out.status = ABUT_ERROR_MEMORY;
    if (!workspace || workspace_size < need) return out;
    double *wider = (double *)workspace, c[ABUT_LP_MAX_DIMENSION] = {0};
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < d; ++j) wider[i * (d + 1) + j] = lp->a[i * d + j];
        wider[i * (d + 1) + d] = abut_lp_row_length(d, lp->a + (size_t)i * (size_t)d);
    }
    c[d] = 1.0;
    AbutLp ball = {d + 1, n, wider, lp->b, c, lp->seed, lp->tolerance};
    out = abut_lp_solve(&ball, wider + n * (d + 1), workspace_size - sizeof(double) * (size_t)n * (size_t)(d + 1));
    if (out.outcome == ABUT_LP_UNBOUNDED) move_inside(d, &out);
    if (out.outcome != ABUT_LP_OPTIMAL || out.value >= 0.0) return out;
    /* no ball fits: empty, or touching within the tolerance */
    double radius = out.value;
    AbutLp plain = {d, n, lp->a, lp->b, NULL, lp->seed, lp->tolerance};
    AbutLpResult point = abut_lp_solve(&plain, workspace, workspace_size);
    if (point.outcome == ABUT_LP_OPTIMAL) return out.value = 0.0, out;
    point.value = radius;
    return point;
}
