/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of numbers: their products and largest entries. */
#ifndef ABUT_SOLVE_VECTOR_H
#define ABUT_SOLVE_VECTOR_H

#include <math.h>

static inline double abut_row_dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* to += scale from */
static inline void abut_row_add(int n, double *to, const double *from, double scale) {
    for (int i = 0; i < n; ++i) to[i] += scale * from[i];
}

static inline void abut_row_swap(int n, double *a, double *b) {
    for (int i = 0; i < n; ++i) {
        double t = a[i];
        a[i] = b[i], b[i] = t;
    }
}

/* The largest size of an entry; those that are NaN do not count. */
static inline double abut_row_largest(int n, const double *x) {
    double size = 0.0;
    for (int i = 0; i < n; ++i) size = fmax(size, fabs(x[i]));
    return size;
}

/* The same; NaN when an entry is not finite. */
static inline double abut_row_largest_finite(int n, const double *x) {
    double bad = 0.0;
    for (int i = 0; i < n; ++i) bad += 0.0 * x[i];
    return abut_row_largest(n, x) + bad;
}

#endif
