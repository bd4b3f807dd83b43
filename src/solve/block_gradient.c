/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conjugate gradients preconditioned by the diagonal blocks. In: the matrix A and a right-hand side. Out: the solution,
 * up to a part of it that was asked for, or as far as the rounds went.
 *
 * Method: with D = L L^T the diagonal blocks, the rounds are those of the plain method for L^-1 A L^-T, which has ones
 * on its diagonal: they need neither the diagonal nor a division, and give the same as rounds with the preconditioner
 * D. A row of a product is added up in the order of its columns, sums of products over pieces of 64 columns and then
 * over the pieces, so the bits do not depend on the number of threads.
 * Reference: M. Hestenes, E. Stiefel, Methods of conjugate gradients for solving linear systems, 1952.
 */
#include "solve/block_gradient.h"

#include <string.h>

enum { PIECE = 64, LEAST_FOR_THREADS = 512 };

/* b <- L^-1 b */
static void divide_left(AbutBlock *b, const AbutBlock *l) {
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < i; ++k)
            for (int j = 0; j < 6; ++j) b->m[i][j] -= l->m[i][k] * b->m[k][j];
        for (int j = 0; j < 6; ++j) b->m[i][j] *= l->m[i][i];
    }
}

/* The blocks in the scale in which the diagonal is one; 0: not positive. */
static int scale_blocks(const AbutBlocks *n, double *x) {
    for (int32_t j = 0; j < n->count; ++j) {
        if (!abut_block_factorize(&n->diagonal[j])) return 0;
        abut_block_forward(&n->diagonal[j], x + 6 * (size_t)j);
    }
    for (int32_t j = 0; j < n->count; ++j)
        for (int32_t i = n->first[j]; i < n->first[j + 1]; ++i) {
            abut_block_divide(&n->below[i], &n->diagonal[j]);
            divide_left(&n->below[i], &n->diagonal[n->row[i]]);
        }
    return 1;
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

typedef struct Product {
    const AbutBlocks *blocks;
    const double *p;
    double *q, *sum; /* sum: p.q of each piece */
} Product;

/* y += b x and y += b^T x */
static inline void add_product(double *restrict y, const AbutBlock *b, const double *x) {
    for (int i = 0; i < 6; ++i) {
        double s = 0.0;
        for (int j = 0; j < 6; ++j) s += b->m[i][j] * x[j];
        y[i] += s;
    }
}

static inline void add_transposed(double *restrict y, const AbutBlock *b, const double *x) {
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) y[j] += b->m[i][j] * x[i];
}

static double multiply_row(const Product *to, int32_t j) {
    const AbutBlocks *n = to->blocks;
    double y[6], sum = 0.0;
    memcpy(y, to->p + 6 * (size_t)j, sizeof y);
    for (int32_t k = n->up_first[j]; k < n->up_first[j + 1]; ++k)
        add_product(y, &n->below[n->up_at[k]], to->p + 6 * (size_t)n->up_column[k]);
    for (int32_t k = n->first[j]; k < n->first[j + 1]; ++k)
        add_transposed(y, &n->below[k], to->p + 6 * (size_t)n->row[k]);
    for (int i = 0; i < 6; ++i) sum += to->p[6 * (size_t)j + (size_t)i] * y[i];
    memcpy(to->q + 6 * (size_t)j, y, sizeof y);
    return sum;
}

static void multiply_rows(int begin, int end, int worker, void *user) {
    const Product *to = user;
    double sum = 0.0;
    (void)worker;
    for (int32_t j = begin; j < end; ++j) sum += multiply_row(to, j);
    to->sum[begin / PIECE] = sum;
}

/* q = A p; gives p.q */
static double multiply(const Product *to, int threads) {
    double sum = 0.0;
    int32_t count = to->blocks->count;
    abut_parallel_for(count, PIECE, count < LEAST_FOR_THREADS ? 1 : threads, multiply_rows, (void *)(uintptr_t)to);
    for (int32_t i = 0; i < (count + PIECE - 1) / PIECE; ++i) sum += to->sum[i];
    return sum;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

static double length_sq(const double *r, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) sum += r[i] * r[i];
    return sum;
}

/* x from 0 on, r from the right-hand side; gives the square of what is left. */
static double go_round(const Product *to, double *x, double *r, double *p, double start, AbutGradient *run) {
    size_t n = 6 * (size_t)to->blocks->count;
    double left = start;
    for (; run->done < run->most && left > run->part * run->part * start; ++run->done) {
        double curved = multiply(to, run->threads);
        if (!(curved > 0.0)) break;
        double a = left / curved;
        for (size_t i = 0; i < n; ++i) {
            x[i] += a * p[i];
            r[i] -= a * to->q[i];
        }
        double now = length_sq(r, n), b = now / left;
        for (size_t i = 0; i < n; ++i) p[i] = r[i] + b * p[i];
        left = now;
    }
    return left;
}

int abut_blocks_gradient(const AbutBlocks *n, double *x, AbutGradient *run) {
    size_t size = 6 * (size_t)n->count;
    double *r = run->room, *p = r + size, *q = p + size;
    run->done = 0;
    run->left = 0.0;
    if (!scale_blocks(n, x)) return 0;
    memcpy(r, x, size * sizeof *r);
    memcpy(p, x, size * sizeof *p);
    memset(x, 0, size * sizeof *x);
    double start = length_sq(r, size);
    if (!isfinite(start)) return 0;
    Product product = {n, p, q, q + size};
    double left = go_round(&product, x, r, p, start, run);
    run->left = start > 0.0 ? sqrt(left / start) : 0.0;
    for (int32_t j = 0; j < n->count; ++j) abut_block_backward(&n->diagonal[j], x + 6 * (size_t)j);
    return isfinite(left);
}
