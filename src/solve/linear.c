/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear systems: scaled Cholesky, LU with partial pivoting, symmetric eigenvalues, and the symmetric 6x6 solver that
 * falls from the first to the last. In: row-major matrices. Out: factors in place, solutions.
 * Scaling uses powers of two, so that it adds no rounding.
 */
#include "solve/solve.h"
#include "solve/tolerance.h"
#include "solve/vector.h"

#include <string.h>

enum { JACOBI_SWEEPS = 40 };

/* The power of two nearest to 1/sqrt(x) for finite x > 0. */
static double inverse_root_power(double x) {
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, -(exponent / 2));
}

/* Diagonal scale of a symmetric matrix (lower triangle read): by the diagonal, else by the row, else 1. */
static int diagonal_scale(int n, const double *a, double *scale) {
    for (int i = 0; i < n; ++i) {
        double size = fabs(a[i * n + i]), row = 0.0;
        for (int j = 0; j < n; ++j) {
            double entry = fabs(j <= i ? a[i * n + j] : a[j * n + i]);
            if (!isfinite(entry)) return 0;
            row = fmax(row, entry);
        }
        double use = size > 0.0 ? size : row;
        scale[i] = use > 0.0 ? inverse_root_power(use) : 1.0;
    }
    return 1;
}

int abut_cholesky_factor(int n, double *a, double *scale, double threshold) {
    ABUT_ASSERT(n >= 0 && a && scale);
    if (!diagonal_scale(n, a, scale)) return 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) a[i * n + j] = a[i * n + j] * scale[i] * scale[j];
    for (int j = 0; j < n; ++j) {
        double *row = a + j * n, pivot = row[j];
        for (int k = 0; k < j; ++k) pivot -= row[k] * row[k];
        if (!(pivot > threshold) || !isfinite(pivot)) return j;
        row[j] = sqrt(pivot);
        for (int i = j + 1; i < n; ++i) {
            double *below = a + i * n, sum = below[j];
            for (int k = 0; k < j; ++k) sum -= below[k] * row[k];
            below[j] = sum / row[j];
        }
    }
    return -1;
}

void abut_cholesky_forward(int n, const double *factor, const double *scale, double *x) {
    for (int i = 0; i < n; ++i) {
        double sum = x[i] * scale[i];
        for (int k = 0; k < i; ++k) sum -= factor[i * n + k] * x[k];
        x[i] = sum / factor[i * n + i];
    }
}

void abut_cholesky_backward(int n, const double *factor, const double *scale, double *x) {
    for (int i = n - 1; i >= 0; --i) {
        double sum = x[i];
        for (int k = i + 1; k < n; ++k) sum -= factor[k * n + i] * x[k];
        x[i] = sum / factor[i * n + i];
    }
    for (int i = 0; i < n; ++i) x[i] *= scale[i];
}

void abut_cholesky_solve(int n, const double *factor, const double *scale, double *x) {
    ABUT_ASSERT(n >= 0 && factor && scale && x);
    abut_cholesky_forward(n, factor, scale, x);
    abut_cholesky_backward(n, factor, scale, x);
}

/* ---- LU ---------------------------------------------------------------------------------------------------------- */

/* order[i] is the row of the input that became row i. Pivots are compared relative to the size of their row. */
int abut_lu_factor(int n, double *a, int *order) {
    ABUT_ASSERT(n >= 0 && n <= ABUT_LU_MAX_SIZE && a && order);
    double inverse[ABUT_LU_MAX_SIZE];
    if (n > ABUT_LU_MAX_SIZE) return 0;
    for (int i = 0; i < n; ++i) {
        double size = abut_row_largest_finite(n, a + i * n);
        if (!isfinite(size)) return 0;
        inverse[i] = size > 0.0 ? 1.0 / size : 0.0;
        order[i] = i;
    }
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(a[i * n + k]) * inverse[order[i]] > fabs(a[best * n + k]) * inverse[order[best]]) best = i;
        if (!(fabs(a[best * n + k]) * inverse[order[best]] > ABUT_SOLVE_LU_PIVOT)) return k;
        if (best != k) {
            int t = order[k];
            order[k] = order[best], order[best] = t;
            abut_row_swap(n, a + k * n, a + best * n);
        }
        for (int i = k + 1; i < n; ++i) {
            double f = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
        }
    }
    return -1;
}

void abut_lu_solve(int n, const double *factor, const int *order, const double *b, double *x) {
    ABUT_ASSERT(n >= 0 && n <= ABUT_LU_MAX_SIZE && factor && order && b && x && b != x);
    for (int i = 0; i < n; ++i) {
        double sum = b[order[i]];
        for (int k = 0; k < i; ++k) sum -= factor[i * n + k] * x[k];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; --i) {
        double sum = x[i];
        for (int k = i + 1; k < n; ++k) sum -= factor[i * n + k] * x[k];
        x[i] = sum / factor[i * n + i];
    }
}

/* ---- symmetric eigenvalues --------------------------------------------------------------------------------------- */

/* Zeroes a[p][q] by a rotation of rows and columns p, q; rows p, q of v turn with it. */
static void jacobi_rotate(int n, double *a, double *v, int p, int q) {
    double apq = a[p * n + q], theta = 0.5 * (a[q * n + q] - a[p * n + p]) / apq;
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < n; ++k) {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; ++k) {
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
        x = v[p * n + k], y = v[q * n + k];
        v[p * n + k] = c * x - s * y, v[q * n + k] = s * x + c * y;
    }
    a[p * n + q] = a[q * n + p] = 0.0;
}

/* One pass over the upper triangle; true when an entry was still above rounding of its two diagonal entries. */
static int jacobi_sweep(int n, double *a, double *v) {
    int turned = 0;
    for (int p = 0; p < n; ++p)
        for (int q = p + 1; q < n; ++q) {
            double size = fabs(a[p * n + q]);
            if (size <= ABUT_SOLVE_JACOBI_LEAST ||
                size <= ABUT_SOLVE_JACOBI_DONE * sqrt(fabs(a[p * n + p]) * fabs(a[q * n + q])))
                continue;
            jacobi_rotate(n, a, v, p, q);
            turned = 1;
        }
    return turned;
}

static void sort_ascending(int n, double *value, double *vectors) {
    for (int i = 0; i < n; ++i) {
        int least = i;
        for (int k = i + 1; k < n; ++k)
            if (value[k] < value[least]) least = k;
        double t = value[i];
        value[i] = value[least], value[least] = t;
        abut_row_swap(least == i ? 0 : n, vectors + i * n, vectors + least * n);
    }
}

int abut_eigen_symmetric(int n, double *a, double *value, double *vectors) {
    ABUT_ASSERT(n >= 0 && a && value && vectors);
    double size = abut_row_largest_finite(n * n, a);
    int exponent = 0;
    memset(vectors, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; ++i) value[i] = 0.0, vectors[i * n + i] = 1.0;
    if (!isfinite(size)) return 0;
    frexp(size, &exponent);
    for (int i = 0; i < n * n; ++i) a[i] = ldexp(a[i], -exponent);
    for (int sweep = 0; sweep < JACOBI_SWEEPS && jacobi_sweep(n, a, vectors); ++sweep) {
    }
    for (int i = 0; i < n; ++i) value[i] = ldexp(a[i * n + i], exponent);
    sort_ascending(n, value, vectors);
    return 1;
}

/* ---- symmetric 6x6 ----------------------------------------------------------------------------------------------- */

/* By the eigenvalues of S m S, those that are small left out: least squares, and of all answers the smallest scaled
 * one. Gives the rank; -1: not finite. */
static int solve_pseudo_inverse(const AbutMat6 *m, const double scale[6], const double b[6], double x[6]) {
    double a[36], value[6], vectors[36];
    int rank = 0;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) a[i * 6 + j] = (j <= i ? m->m[i][j] : m->m[j][i]) * scale[i] * scale[j];
    if (!abut_eigen_symmetric(6, a, value, vectors)) return -1;
    double largest = abut_row_largest(6, value);
    for (int k = 0; k < 6; ++k) {
        double along = 0.0;
        if (!(fabs(value[k]) > ABUT_SOLVE_EIGENVALUE6 * largest)) continue;
        for (int i = 0; i < 6; ++i) along += vectors[k * 6 + i] * scale[i] * b[i];
        for (int i = 0; i < 6; ++i) x[i] += vectors[k * 6 + i] * scale[i] * along * (1.0 / value[k]);
        ++rank;
    }
    return rank;
}

AbutSolvePath abut_mat6_solve(const AbutMat6 *m, const double b[6], double x[6], int *rank) {
    ABUT_ASSERT(m && b && x);
    double factor[36], scale[6], y[6] = {0};
    AbutSolvePath path = ABUT_SOLVE_FAILED;
    int found = 0;
    memcpy(factor, m->m, sizeof factor);
    if (diagonal_scale(6, factor, scale)) {
        path = abut_cholesky_factor(6, factor, scale, ABUT_SOLVE_PIVOT6) < 0 ? ABUT_SOLVE_CHOLESKY
                                                                             : ABUT_SOLVE_PSEUDO_INVERSE;
        found = path == ABUT_SOLVE_CHOLESKY ? 6 : solve_pseudo_inverse(m, scale, b, y);
        path = found < 0 ? ABUT_SOLVE_FAILED : path;
    }
    if (path == ABUT_SOLVE_CHOLESKY) {
        memcpy(y, b, sizeof y);
        abut_cholesky_solve(6, factor, scale, y);
    }
    memcpy(x, y, sizeof y);
    if (rank) *rank = found;
    return path;
}
