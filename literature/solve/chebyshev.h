/* SPDX-License-Identifier: Apache-2.0 */
/* Private: the largest ball inside a set of half-spaces, by which overlap by duality begins. */
#ifndef ABUT_LITERATURE_SOLVE_CHEBYSHEV_H
#define ABUT_LITERATURE_SOLVE_CHEBYSHEV_H

#include "solve/solve.h"

/*
 * The largest ball inside {x : a_i.x <= b_i}, dimension 1..7; lp->c is not read. optimal: center x, radius `value` (0:
 * the set has no interior). unbounded: balls of any size fit, x is inside. infeasible: the set is empty; `value` is
 * then the least amount, negative, by which the rows must be moved outward to meet.
 */
size_t abut_lp_chebyshev_workspace_size(int dimension, int rows);
AbutLpResult abut_lp_chebyshev(const AbutLp *lp, void *workspace, size_t workspace_size);

#endif
