/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/row_conflict.h"

#include <math.h>

enum { MAX = 9 };

/*
 * Weights w with sum w = 1 and sum w p = 0 for `k` unit rows, if there is exactly one solution and it is not negative.
 * Gives -sum w q, or -infinity.
 */
static long double combine(int n, int k, long double (*row)[MAX + 1]) {
    long double m[MAX][MAX + 1];
    for (int r = 0; r <= n; ++r) {
        for (int c = 0; c < k; ++c) m[r][c] = r < n ? row[c][r] : 1.0L;
        m[r][k] = r < n ? 0.0L : 1.0L;
    }
    for (int c = 0; c < k; ++c) {
        int best = c;
        for (int r = c; r <= n; ++r)
            if (fabsl(m[r][c]) > fabsl(m[best][c])) best = r;
        if (fabsl(m[best][c]) < 1e-12L) return -INFINITY;
        for (int j = 0; j <= k; ++j) {
            long double t = m[c][j];
            m[c][j] = m[best][j];
            m[best][j] = t;
        }
        for (int r = 0; r <= n; ++r) {
            long double f = r == c ? 0.0L : m[r][c] / m[c][c];
            for (int j = c; j <= k; ++j) m[r][j] -= f * m[c][j];
        }
    }
    for (int r = k; r <= n; ++r)
        if (fabsl(m[r][k]) > 1e-13L) return -INFINITY;
    long double value = 0.0L;
    for (int c = 0; c < k; ++c) {
        long double w = m[c][k] / m[c][c];
        if (w < -1e-15L) return -INFINITY;
        value -= w * row[c][n];
    }
    return value;
}

static long double search(int n, int count, const double *rows, int from, int k, long double (*row)[MAX + 1]) {
    long double best = k > 0 ? combine(n, k, row) : -INFINITY;
    if (k > n) return best;
    for (int i = from; i < count; ++i) {
        const double *p = rows + i * (n + 1);
        long double length = 0.0L;
        for (int c = 0; c < n; ++c) length += (long double)p[c] * p[c];
        if (!(length > 0.0L)) continue;
        length = sqrtl(length);
        for (int c = 0; c <= n; ++c) row[k][c] = p[c] / length;
        best = fmaxl(best, search(n, count, rows, i + 1, k + 1, row));
    }
    return best;
}

long double row_conflict(int n, int count, const double *rows) {
    long double row[MAX + 1][MAX + 1];
    for (int i = 0; i < count; ++i) {
        int zero = rows[i * (n + 1) + n] < 0.0;
        for (int c = 0; c < n; ++c) zero &= rows[i * (n + 1) + c] == 0.0;
        if (zero) return INFINITY;
    }
    return search(n, count, rows, 0, 0, row);
}
