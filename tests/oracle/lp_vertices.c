/* SPDX-License-Identifier: Apache-2.0 */
/* Every choice of d planes is solved by Gauss elimination with full pivoting; a vertex counts when all rows accept it.
 */
#include "oracle/lp_vertices.h"

#include <math.h>
#include <string.h>

enum { D = LP_VERTICES_MAX_DIMENSION, N = LP_VERTICES_MAX_ROWS };

static int solve(int d, double m[D][D + 1], double *x) {
    int column[D];
    for (int k = 0; k < d; ++k) column[k] = k;
    for (int k = 0; k < d; ++k) {
        int pr = k, pc = k;
        for (int i = k; i < d; ++i)
            for (int j = k; j < d; ++j)
                if (fabs(m[i][j]) > fabs(m[pr][pc])) pr = i, pc = j;
        if (fabs(m[pr][pc]) < 1e-10) return 0;
        for (int j = 0; j <= d; ++j) {
            double t = m[k][j];
            m[k][j] = m[pr][j], m[pr][j] = t;
        }
        for (int i = 0; i < d; ++i) {
            double t = m[i][k];
            m[i][k] = m[i][pc], m[i][pc] = t;
        }
        int t = column[k];
        column[k] = column[pc], column[pc] = t;
        for (int i = 0; i < d; ++i) {
            if (i == k) continue;
            double f = m[i][k] / m[k][k];
            for (int j = k; j <= d; ++j) m[i][j] -= f * m[k][j];
        }
    }
    for (int k = 0; k < d; ++k) x[column[k]] = m[k][d] / m[k][k];
    return 1;
}

static int accepted(int d, int n, double a[N][D], const double *b, const double *x) {
    for (int i = 0; i < n; ++i) {
        double sum = -b[i], size = fabs(b[i]) + 1.0;
        for (int j = 0; j < d; ++j) sum += a[i][j] * x[j], size += fabs(a[i][j] * x[j]);
        if (sum > 1e-9 * size) return 0;
    }
    return 1;
}

static int next_choice(int d, int n, int *pick) {
    int k = d - 1;
    while (k >= 0 && pick[k] == n - d + k) --k;
    if (k < 0) return 0;
    ++pick[k];
    for (int j = k + 1; j < d; ++j) pick[j] = pick[j - 1] + 1;
    return 1;
}

int lp_vertices(
    int d, int n, const double *a, const double *b, const double *c, double box, double *value, double *best) {
    double rows[N][D] = {{0}}, side[N], x[D], m[D][D + 1];
    int pick[D], found = 0, all = n + 2 * d;
    for (int i = 0; i < n; ++i) {
        memcpy(rows[i], a + i * d, sizeof(double) * (size_t)d);
        side[i] = b[i];
    }
    for (int j = 0; j < 2 * d; ++j) {
        rows[n + j][j / 2] = j % 2 ? -1.0 : 1.0;
        side[n + j] = box;
    }
    for (int j = 0; j < d; ++j) pick[j] = j;
    do {
        for (int k = 0; k < d; ++k) {
            memcpy(m[k], rows[pick[k]], sizeof(double) * (size_t)d);
            m[k][d] = side[pick[k]];
        }
        if (!solve(d, m, x) || !accepted(d, all, rows, side, x)) continue;
        double v = 0.0;
        for (int j = 0; j < d; ++j) v += c[j] * x[j];
        if (!found || v > *value) {
            *value = v;
            memcpy(best, x, sizeof(double) * (size_t)d);
        }
        found = 1;
    } while (next_choice(d, all, pick));
    return found;
}
