/* SPDX-License-Identifier: Apache-2.0 */
/* Linear programs by brute force: every vertex of the rows and a box. */
#ifndef ABUT_TESTS_LP_VERTICES_H
#define ABUT_TESTS_LP_VERTICES_H

enum { LP_VERTICES_MAX_ROWS = 32, LP_VERTICES_MAX_DIMENSION = 5 };

/*
 * max c.x over a_i.x <= b_i and |x_j| <= box. False when there is no point. Tolerance 1e-9 of 1 + |b| + |x|. Gives
 * the best value in *value and the point in x. The rows (n) and 2 d sides must fit LP_VERTICES_MAX_ROWS.
 */
int lp_vertices(int d, int n, const double *a, const double *b, const double *c, double box, double *value, double *x);

#endif
