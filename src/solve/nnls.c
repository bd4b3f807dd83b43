/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Non-negative least squares: min |A x - b| over x >= 0.
 *
 * In: A row-major, b. Out: x, the residual and how it ended.
 * Method: Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23. A set of columns is free; the others are
 * zero. Free the column whose gradient is steepest, solve least squares on the free columns by Householder reflections,
 * walk towards that solution and zero what would turn negative. Columns are scaled by powers of two.
 * Against cycling: a column whose own value would not become positive, that depends on the free ones, or that brings no
 * progress is banned until another one brings some.
 */
#include "solve/solve.h"
#include "solve/tolerance.h"

#include <string.h>

typedef struct Nnls {
    int m, n, free_count;
    double *a;     /* m rows of n, columns scaled */
    double *q;     /* factored free columns */
    double *rhs;   /* m */
    double *rest;  /* b - A x */
    double *scale; /* n */
    double *norm;  /* n: of the scaled columns */
    double *along; /* n: gradient */
    double *z;     /* n, by position among the free columns */
    int *free, *state;
} Nnls;

enum { AT_ZERO = 0, FREE, BANNED };

size_t abut_nnls_workspace_size(int rows, int columns) {
    if (rows < 1 || columns < 1) return 0;
    size_t m = (size_t)rows, n = (size_t)columns, deepest = m < n ? m : n;
    return sizeof(double) * (m * n + m * (deepest + 1) + 2 * m + 4 * n) + sizeof(int) * 2 * n + 64;
}

static void bind(Nnls *s, int rows, int columns, double *workspace) {
    int deepest = rows < columns ? rows : columns;
    s->m = rows, s->n = columns, s->free_count = 0;
    s->a = workspace;
    s->q = s->a + rows * columns;
    s->rhs = s->q + rows * (deepest + 1);
    s->rest = s->rhs + rows;
    s->scale = s->rest + rows;
    s->norm = s->scale + columns;
    s->along = s->norm + columns;
    s->z = s->along + columns;
    s->free = (int *)(void *)(s->z + columns);
    s->state = s->free + columns;
}

/* Copies A, its columns divided by powers of two near their largest entries. False when a number is not finite. */
static int load(Nnls *s, const double *a, const double *b) {
    int m = s->m, n = s->n;
    double check = 0.0;
    for (int j = 0; j < n; ++j) s->norm[j] = s->along[j] = 0.0, s->state[j] = AT_ZERO;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double size = fabs(a[i * n + j]);
            s->along[j] = size > s->along[j] ? size : s->along[j];
            check += 0.0 * size;
        }
    for (int i = 0; i < m; ++i) check += 0.0 * b[i];
    if (!(check == 0.0)) return 0;
    for (int j = 0; j < n; ++j) {
        int exponent = 0;
        frexp(s->along[j], &exponent);
        s->scale[j] =
            s->along[j] > 0.0 ? ldexp(1.0, exponent > 1000 ? -1000 : (exponent < -1000 ? 1000 : -exponent)) : 1.0;
    }
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double x = a[i * n + j] * s->scale[j];
            s->a[i * n + j] = x;
            s->norm[j] += x * x;
        }
    for (int j = 0; j < n; ++j) s->norm[j] = sqrt(s->norm[j]);
    return 1;
}

/* Applies the reflection I - v v'/(v_k |v...|) kept in column v from entry k on. */
static void reflect(int m, int k, const double *v, double half_square, double *x) {
    double sum = 0.0;
    for (int i = k; i < m; ++i) sum += v[i] * x[i];
    sum /= half_square;
    for (int i = k; i < m; ++i) x[i] -= sum * v[i];
}

/*
 * Least squares on the free columns into z. Reduces one column after the other; the diagonal of R is kept in z until
 * the back substitution. False when the last column depends on those before it.
 */
static int solve_free(Nnls *s, const double *b) {
    int m = s->m, k = s->free_count;
    if (k > m) return 0;
    memcpy(s->rhs, b, sizeof(double) * (size_t)m);
    for (int j = 0; j < k; ++j)
        for (int i = 0; i < m; ++i) s->q[j * m + i] = s->a[i * s->n + s->free[j]];
    for (int j = 0; j < k; ++j) {
        double *v = s->q + j * m, square = 0.0;
        for (int i = j; i < m; ++i) square += v[i] * v[i];
        double norm = sqrt(square);
        if (!(norm > ABUT_NNLS_DEPENDENT)) return 0;
        s->z[j] = v[j] > 0.0 ? -norm : norm;
        double half_square = square + norm * fabs(v[j]);
        v[j] -= s->z[j];
        for (int l = j + 1; l < k; ++l) reflect(m, j, v, half_square, s->q + l * m);
        reflect(m, j, v, half_square, s->rhs);
    }
    for (int j = k - 1; j >= 0; --j) {
        double sum = s->rhs[j];
        for (int l = j + 1; l < k; ++l) sum -= s->q[l * m + j] * s->z[l];
        s->z[j] = sum / s->z[j];
    }
    return 1;
}

/* rest = b - A x (x scaled); gives its length, and in *noise how much of it may be rounding. */
static double measure(Nnls *s, const double *b, const double *x, double *noise) {
    double square = 0.0, size = 0.0;
    for (int i = 0; i < s->m; ++i) {
        double sum = b[i], bulk = fabs(b[i]);
        for (int k = 0; k < s->free_count; ++k) {
            double term = s->a[i * s->n + s->free[k]] * x[s->free[k]];
            sum -= term, bulk += fabs(term);
        }
        s->rest[i] = sum;
        square += sum * sum;
        size = fmax(size, bulk);
    }
    *noise = ABUT_NNLS_NOISE * size;
    return sqrt(square);
}

/* The column at zero with the steepest way down, or -1. */
static int steepest(const Nnls *s, double noise) {
    int best = -1, n = s->n;
    double top = noise;
    for (int j = 0; j < n; ++j) s->along[j] = 0.0;
    for (int i = 0; i < s->m; ++i) {
        const double *row = s->a + i * n;
        double rest = s->rest[i];
        for (int j = 0; j < n; ++j) s->along[j] += row[j] * rest;
    }
    for (int j = 0; j < n; ++j) s->along[j] /= s->norm[j];
    for (int j = 0; j < n; ++j)
        if (s->along[j] > top && s->state[j] == AT_ZERO) top = s->along[j], best = j;
    return best;
}

/* From x towards z until a free value reaches zero; those at zero leave. True when z itself was reached. */
static int walk(Nnls *s, double *x) {
    double step = 1.0;
    int blocking = -1;
    for (int k = 0; k < s->free_count; ++k) {
        double from = x[s->free[k]];
        if (s->z[k] > 0.0) continue;
        double t = from > 0.0 ? from / (from - s->z[k]) : 0.0;
        if (blocking < 0 || t < step) step = t, blocking = k;
    }
    int kept = 0;
    for (int k = 0; k < s->free_count; ++k) {
        int j = s->free[k];
        x[j] = blocking < 0 ? s->z[k] : x[j] + step * (s->z[k] - x[j]);
        if (k == blocking || !(x[j] > 0.0)) {
            x[j] = 0.0;
            s->state[j] = AT_ZERO;
        } else {
            s->free[kept++] = j;
        }
    }
    s->free_count = kept;
    return blocking < 0;
}

/* Frees column j and moves x to the best point of the free columns. False when j had to be banned. */
static int free_column(Nnls *s, int j, const double *b, double *x) {
    s->free[s->free_count++] = j;
    s->state[j] = FREE;
    int solved = solve_free(s, b);
    if (!solved || !(s->z[s->free_count - 1] > 0.0)) {
        --s->free_count;
        s->state[j] = BANNED;
        return 0;
    }
    while (!walk(s, x) && s->free_count > 0)
        if (!solve_free(s, b)) break;
    return 1;
}

static void lift_bans(Nnls *s) {
    for (int k = 0; k < s->n; ++k)
        if (s->state[k] == BANNED) s->state[k] = AT_ZERO;
}

static AbutNnlsResult iterate(Nnls *s, const double *b, double *x) {
    AbutNnlsResult result = {ABUT_NNLS_ITERATION_CAP, 0, 0.0};
    double noise, before = measure(s, b, x, &noise);
    for (int cap = 10 * s->n + 30; result.iterations < cap; ++result.iterations) {
        int j = steepest(s, noise);
        if (j < 0) {
            result.outcome = ABUT_NNLS_OK;
            break;
        }
        if (!free_column(s, j, b, x)) continue;
        double now = measure(s, b, x, &noise);
        if (now < before)
            lift_bans(s), before = now;
        else if (s->state[j] == AT_ZERO)
            s->state[j] = BANNED;
    }
    result.residual = measure(s, b, x, &noise);
    return result;
}

AbutNnlsResult abut_nnls(
    int rows, int columns, const double *a, const double *b, double *x, void *workspace, size_t workspace_size) {
    ABUT_ASSERT(rows < 1 || columns < 1 || (a && b && x));
    AbutNnlsResult bad = {ABUT_NNLS_BAD_INPUT, 0, NAN};
    Nnls s;
    size_t need = abut_nnls_workspace_size(rows, columns);
    for (int j = 0; j < columns; ++j) x[j] = 0.0;
    if (need == 0 || !workspace || workspace_size < need) return bad;
    bind(&s, rows, columns, (double *)workspace);
    if (!load(&s, a, b)) return bad;
    AbutNnlsResult result = iterate(&s, b, x);
    for (int j = 0; j < columns; ++j) x[j] *= s.scale[j];
    return result;
}

AbutNnlsResult abut_nnls_again(int rows, int columns, const double *b, double *x, void *workspace) {
    Nnls s;
    bind(&s, rows, columns, (double *)workspace);
    for (int j = 0; j < columns; ++j) {
        s.state[j] = x[j] > 0.0 ? FREE : AT_ZERO;
        if (x[j] > 0.0) s.free[s.free_count++] = j;
        x[j] /= s.scale[j];
    }
    while (s.free_count > 0 && solve_free(&s, b) && !walk(&s, x)) continue;
    AbutNnlsResult result = iterate(&s, b, x);
    for (int j = 0; j < columns; ++j) x[j] *= s.scale[j];
    return result;
}
