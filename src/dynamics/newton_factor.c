/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sparse Cholesky factor of 6x6 blocks. In: the structure of an order, its matrix by columns. Out: the factor in place
 * (inverse diagonal entries where a division would be), and solutions. Left-looking: a column first takes what the
 * columns before it leave there, then is divided by its diagonal block.
 */
#include "dynamics/newton.h"

/* c -= a b^T */
static inline void subtract_product(AbutBlock *restrict c, const AbutBlock *a, const AbutBlock *b)
{
    double t[6][6];
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            t[k][i] = b->m[i][k];
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            for (int j = 0; j < 6; ++j)
                c->m[i][j] -= a->m[i][k] * t[k][j];
}

/* Lower triangle of a block; 0 when it is not positive. */
static int factorise_block(AbutBlock *b)
{
    for (int j = 0; j < 6; ++j) {
        double d = b->m[j][j];
        for (int k = 0; k < j; ++k)
            d -= b->m[j][k] * b->m[j][k];
        if (!(d > 0.0) || !isfinite(d))
            return 0;
        double inverse = 1.0 / sqrt(d);
        b->m[j][j] = inverse;
        for (int i = j + 1; i < 6; ++i) {
            double x = b->m[i][j];
            for (int k = 0; k < j; ++k)
                x -= b->m[i][k] * b->m[j][k];
            b->m[i][j] = x * inverse;
        }
    }
    return 1;
}

/* b <- b L^-T */
static void divide_block(AbutBlock *restrict b, const AbutBlock *l)
{
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i) {
            double x = b->m[i][j];
            for (int k = 0; k < j; ++k)
                x -= b->m[i][k] * l->m[j][k];
            b->m[i][j] = x * l->m[j][j];
        }
}

/* What column e leaves in column j, which is its row at `at`. */
static void subtract_column(AbutNewton *n, int32_t j, int32_t e, int32_t at)
{
    const AbutNewtonOrder *o = n->now;
    int32_t to = o->first[j];
    subtract_product(&n->diagonal[j], &n->below[at], &n->below[at]);
    for (int32_t i = at + 1; i < o->first[e + 1]; ++i) {
        while (o->row[to] != o->row[i])
            ++to;
        subtract_product(&n->below[to], &n->below[i], &n->below[at]);
    }
}

int abut_newton_factorise(AbutNewton *n)
{
    const AbutNewtonOrder *o = n->now;
    for (int32_t j = 0; j < o->count; ++j) {
        for (int32_t q = o->up_first[j]; q < o->up_first[j + 1]; ++q)
            subtract_column(n, j, o->up_column[q], o->up_at[q]);
        if (!factorise_block(&n->diagonal[j]))
            return 0;
        for (int32_t i = o->first[j]; i < o->first[j + 1]; ++i)
            divide_block(&n->below[i], &n->diagonal[j]);
    }
    return 1;
}

/* x <- L^-1 x and x <- L^-T x for a block of the diagonal. */
static void solve_forward(const AbutBlock *l, double *x)
{
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < i; ++k)
            x[i] -= l->m[i][k] * x[k];
        x[i] *= l->m[i][i];
    }
}

static void solve_backward(const AbutBlock *l, double *x)
{
    for (int i = 5; i >= 0; --i) {
        for (int k = i + 1; k < 6; ++k)
            x[i] -= l->m[k][i] * x[k];
        x[i] *= l->m[i][i];
    }
}

void abut_newton_substitute(AbutNewton *n)
{
    const AbutNewtonOrder *o = n->now;
    for (int32_t j = 0; j < o->count; ++j) {
        double *x = n->x + 6 * (size_t)j;
        solve_forward(&n->diagonal[j], x);
        for (int32_t i = o->first[j]; i < o->first[j + 1]; ++i) {
            double *y = n->x + 6 * (size_t)o->row[i];
            for (int p = 0; p < 6; ++p)
                for (int q = 0; q < 6; ++q)
                    y[p] -= n->below[i].m[p][q] * x[q];
        }
    }
    for (int32_t j = o->count - 1; j >= 0; --j) {
        double *x = n->x + 6 * (size_t)j;
        for (int32_t i = o->first[j]; i < o->first[j + 1]; ++i) {
            const double *y = n->x + 6 * (size_t)o->row[i];
            for (int p = 0; p < 6; ++p)
                for (int q = 0; q < 6; ++q)
                    x[q] -= n->below[i].m[p][q] * y[p];
        }
        solve_backward(&n->diagonal[j], x);
    }
}
