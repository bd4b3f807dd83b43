/* SPDX-License-Identifier: Apache-2.0 */
/* Slow reference: the least amount by which half-space rows must be moved outward to have a common point. */
#ifndef ABUT_TESTS_ROW_CONFLICT_H
#define ABUT_TESTS_ROW_CONFLICT_H

/*
 * min over x of max over i of (p_i . x - q_i) / |p_i|, in long double, by trying every set of at most n + 1 rows whose
 * normals have a vanishing convex combination (n <= 8). -infinity when there is no such set: balls of any size fit.
 * rows: count x (n + 1) numbers, normal and offset; a zero normal with a negative
 * offset gives infinity, another zero normal is skipped.
 */
long double row_conflict(int n, int count, const double *rows);

#endif
