/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sparse Cholesky factor of 6x6 blocks. In: the structure of the factor, the matrix by columns. Out: the factor in
 * place (inverse diagonal entries where a division would be), and solutions. Left-looking: a column first takes what
 * the columns before it leave there, then is divided by its diagonal block.
 */
#include "solve/block_factor.h"

#include <string.h>

void abut_blocks_sort_rows(int32_t count, const int32_t *first, int32_t *row, const int32_t *turn) {
    for (int32_t j = 0; j < count; ++j)
        for (int32_t i = first[j]; i < first[j + 1]; ++i) {
            int32_t key = turn[row[i]], k = i;
            for (; k > first[j] && row[k - 1] > key; --k) row[k] = row[k - 1];
            row[k] = key;
        }
}

void abut_blocks_list_columns(int32_t count, const int32_t *first, const int32_t *row, int32_t *up_first,
    int32_t *up_column, int32_t *up_at, int32_t *room) {
    memset(up_first, 0, ((size_t)count + 1) * sizeof *up_first);
    for (int32_t i = 0; i < first[count]; ++i) ++up_first[row[i] + 1];
    for (int32_t j = 0; j < count; ++j) up_first[j + 1] += up_first[j];
    memcpy(room, up_first, (size_t)count * sizeof *room);
    for (int32_t j = 0; j < count; ++j)
        for (int32_t i = first[j]; i < first[j + 1]; ++i) {
            int32_t to = room[row[i]]++;
            up_column[to] = j;
            up_at[to] = i;
        }
}

/* c -= a b^T */
static inline void subtract_product(AbutBlock *restrict c, const AbutBlock *a, const AbutBlock *b) {
    double t[6][6];
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k) t[k][i] = b->m[i][k];
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            for (int j = 0; j < 6; ++j) c->m[i][j] -= a->m[i][k] * t[k][j];
}

int abut_block_factorize(AbutBlock *b) {
    for (int j = 0; j < 6; ++j) {
        double d = b->m[j][j];
        for (int k = 0; k < j; ++k) d -= b->m[j][k] * b->m[j][k];
        if (!(d > 0.0) || !isfinite(d)) return 0;
        double inverse = 1.0 / sqrt(d);
        b->m[j][j] = inverse;
        for (int i = j + 1; i < 6; ++i) {
            double x = b->m[i][j];
            for (int k = 0; k < j; ++k) x -= b->m[i][k] * b->m[j][k];
            b->m[i][j] = x * inverse;
        }
    }
    return 1;
}

void abut_block_divide(AbutBlock *restrict b, const AbutBlock *l) {
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i) {
            double x = b->m[i][j];
            for (int k = 0; k < j; ++k) x -= b->m[i][k] * l->m[j][k];
            b->m[i][j] = x * l->m[j][j];
        }
}

/* Contribution of column e to column j, which is its row at `at`. */
static void subtract_column(const AbutBlocks *n, int32_t j, int32_t e, int32_t at) {
    int32_t to = n->first[j];
    subtract_product(&n->diagonal[j], &n->below[at], &n->below[at]);
    for (int32_t i = at + 1; i < n->first[e + 1]; ++i) {
        while (n->row[to] != n->row[i]) ++to;
        subtract_product(&n->below[to], &n->below[i], &n->below[at]);
    }
}

int abut_blocks_factorize(const AbutBlocks *n) {
    for (int32_t j = 0; j < n->count; ++j) {
        for (int32_t q = n->up_first[j]; q < n->up_first[j + 1]; ++q)
            subtract_column(n, j, n->up_column[q], n->up_at[q]);
        if (!abut_block_factorize(&n->diagonal[j])) return 0;
        for (int32_t i = n->first[j]; i < n->first[j + 1]; ++i) abut_block_divide(&n->below[i], &n->diagonal[j]);
    }
    return 1;
}

void abut_block_forward(const AbutBlock *l, double *x) {
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < i; ++k) x[i] -= l->m[i][k] * x[k];
        x[i] *= l->m[i][i];
    }
}

void abut_block_backward(const AbutBlock *l, double *x) {
    for (int i = 5; i >= 0; --i) {
        for (int k = i + 1; k < 6; ++k) x[i] -= l->m[k][i] * x[k];
        x[i] *= l->m[i][i];
    }
}

void abut_blocks_substitute(const AbutBlocks *n, double *solution) {
    for (int32_t j = 0; j < n->count; ++j) {
        double *x = solution + 6 * (size_t)j;
        abut_block_forward(&n->diagonal[j], x);
        for (int32_t i = n->first[j]; i < n->first[j + 1]; ++i) {
            double *y = solution + 6 * (size_t)n->row[i];
            for (int p = 0; p < 6; ++p)
                for (int q = 0; q < 6; ++q) y[p] -= n->below[i].m[p][q] * x[q];
        }
    }
    for (int32_t j = n->count - 1; j >= 0; --j) {
        double *x = solution + 6 * (size_t)j;
        for (int32_t i = n->first[j]; i < n->first[j + 1]; ++i) {
            const double *y = solution + 6 * (size_t)n->row[i];
            for (int p = 0; p < 6; ++p)
                for (int q = 0; q < 6; ++q) x[q] -= n->below[i].m[p][q] * y[p];
        }
        abut_block_backward(&n->diagonal[j], x);
    }
}
