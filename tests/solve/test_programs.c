/* SPDX-License-Identifier: Apache-2.0 */
/* solve: non-negative least squares and quadratic programs against all active sets, and by their optimality conditions.
 */
#include "support/check.h"

#include <string.h>

#include "solve/solve.h"

static double memory[200000];

enum { BIG = 20 };

/* Gauss elimination with full pivoting; 0 when singular. */
static int eliminate(int n, double m[BIG][BIG + 1], double *x) {
    int column[BIG];
    for (int k = 0; k < n; ++k) column[k] = k;
    for (int k = 0; k < n; ++k) {
        int pr = k, pc = k;
        for (int i = k; i < n; ++i)
            for (int j = k; j < n; ++j)
                if (fabs(m[i][j]) > fabs(m[pr][pc])) pr = i, pc = j;
        if (fabs(m[pr][pc]) < 1e-9) return 0;
        for (int j = 0; j <= n; ++j) {
            double t = m[k][j];
            m[k][j] = m[pr][j], m[pr][j] = t;
        }
        for (int i = 0; i < n; ++i) {
            double t = m[i][k];
            m[i][k] = m[i][pc], m[i][pc] = t;
        }
        int c = column[k];
        column[k] = column[pc], column[pc] = c;
        for (int i = 0; i < n; ++i)
            for (int j = n; i != k && j >= k; --j) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
    }
    for (int k = 0; k < n; ++k) x[column[k]] = m[k][n] / m[k][k];
    return 1;
}

/* ---- non-negative least squares ---------------------------------------------------------------------------------- */

static double residual_of(int m, int n, const double *a, const double *b, const double *x) {
    double square = 0.0;
    for (int i = 0; i < m; ++i) {
        double sum = -b[i];
        for (int j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
        square += sum * sum;
    }
    return sqrt(square);
}

/* Least residual over every choice of columns whose least squares solution is not negative. */
static double nnls_brute(int m, int n, const double *a, const double *b) {
    double best = INFINITY;
    for (int set = 0; set < 1 << n; ++set) {
        double normal[BIG][BIG + 1] = {{0}}, x[BIG] = {0}, full[BIG] = {0};
        int pick[BIG], k = 0, good = 1;
        for (int j = 0; j < n; ++j)
            if (set >> j & 1) pick[k++] = j;
        for (int p = 0; p < k; ++p)
            for (int i = 0; i < m; ++i) {
                for (int q = 0; q < k; ++q) normal[p][q] += a[i * n + pick[p]] * a[i * n + pick[q]];
                normal[p][k] += a[i * n + pick[p]] * b[i];
            }
        if (!eliminate(k, normal, x)) continue;
        for (int p = 0; p < k; ++p) full[pick[p]] = x[p], good &= x[p] >= -1e-9;
        if (good) best = fmin(best, residual_of(m, n, a, b, full));
    }
    return best;
}

static void nnls_agrees_with_all_active_sets(void **state) {
    (void)state;
    AbutRng rng = abut_rng(21, 0);
    int mixed = 0, cases = check_cases(3000);
    for (int k = 0; k < cases; ++k) {
        int m = 1 + (int)abut_rng_below(&rng, 8), n = 1 + (int)abut_rng_below(&rng, 7), whole = k % 3 == 0;
        double a[64], b[8], x[8];
        for (int i = 0; i < m * n; ++i) a[i] = whole ? (double)abut_rng_below(&rng, 3) - 1.0 : abut_rng_normal(&rng);
        for (int i = 0; i < m; ++i) b[i] = abut_rng_normal(&rng);
        AbutNnlsResult r = abut_nnls(m, n, a, b, x, memory, abut_nnls_workspace_size(m, n));
        assert_int_equal(r.outcome, ABUT_NNLS_OK);
        int positive = 0;
        for (int j = 0; j < n; ++j) {
            CHECK(x[j] >= 0.0);
            positive += x[j] > 0.0;
        }
        mixed += positive > 0 && positive < n;
        CHECK_NEAR(r.residual, residual_of(m, n, a, b, x), 1e-12);
        CHECK_NEAR(r.residual, nnls_brute(m, n, a, b), 1e-8);
        for (int turn = 0; turn < 3; ++turn) { /* other right sides, from the answer before */
            for (int i = 0; i < m; ++i) b[i] += turn ? abut_rng_normal(&rng) : 0.05 * abut_rng_normal(&rng);
            r = abut_nnls_again(m, n, b, x, memory);
            assert_int_equal(r.outcome, ABUT_NNLS_OK);
            for (int j = 0; j < n; ++j) CHECK(x[j] >= 0.0);
            CHECK_NEAR(r.residual, residual_of(m, n, a, b, x), 1e-12);
            CHECK_NEAR(r.residual, nnls_brute(m, n, a, b), 1e-8);
        }
    }
    CHECK(mixed > cases / 4);
}

/* Optimality at any size: A'(b - A x) is zero where x is positive and not positive elsewhere. */
static void nnls_is_optimal_at_scale(void **state) {
    (void)state;
    AbutRng rng = abut_rng(22, 0);
    static double a[60 * 80], b[60], x[80];
    for (int k = 0; k < check_cases(60); ++k) {
        int m = 60, n = 80 - k % 60;
        double scale = k % 3 == 0 ? 1.0 : (k % 3 == 1 ? 1e120 : 1e-120);
        for (int i = 0; i < m * n; ++i) a[i] = scale * (abut_rng_normal(&rng) + 0.3) * (i % n == 2 ? 1e20 : 1.0);
        for (int i = 0; i < m; ++i) b[i] = abut_rng_normal(&rng);
        AbutNnlsResult r = abut_nnls(m, n, a, b, x, memory, sizeof memory);
        assert_int_equal(r.outcome, ABUT_NNLS_OK);
        for (int j = 0; j < n; ++j) {
            double along = 0.0, length = 0.0;
            for (int i = 0; i < m; ++i) {
                double rest = b[i];
                for (int l = 0; l < n; ++l) rest -= a[i * n + l] * x[l];
                along += a[i * n + j] / scale * rest;
                length += fabs(a[i * n + j] / scale);
            }
            CHECK(x[j] > 0.0 ? fabs(along) <= 1e-10 * length : along <= 1e-10 * length);
        }
    }
}

static void nnls_names_bad_input(void **state) {
    (void)state;
    double a[] = {1, 0, 0, 1}, b[] = {1, -1}, x[] = {9, 9};
    size_t size = abut_nnls_workspace_size(2, 2);
    assert_int_equal(abut_nnls(2, 2, a, b, x, memory, size - 1).outcome, ABUT_NNLS_BAD_INPUT);
    CHECK(x[0] == 0.0 && x[1] == 0.0);
    assert_int_equal(abut_nnls(2, 2, a, b, x, memory, size).outcome, ABUT_NNLS_OK);
    CHECK(x[0] == 1.0 && x[1] == 0.0);
    a[2] = NAN;
    assert_int_equal(abut_nnls(2, 2, a, b, x, memory, size).outcome, ABUT_NNLS_BAD_INPUT);
    a[2] = 0, b[0] = INFINITY;
    assert_int_equal(abut_nnls(2, 2, a, b, x, memory, size).outcome, ABUT_NNLS_BAD_INPUT);
    assert_int_equal(abut_nnls(0, 2, a, b, x, memory, size).outcome, ABUT_NNLS_BAD_INPUT);
    double zero[4] = {0};
    b[0] = 1;
    assert_int_equal(abut_nnls(2, 2, zero, b, x, memory, size).outcome, ABUT_NNLS_OK);
}

/* ---- quadratic programs ------------------------------------------------------------------------------------------ */

static double objective(const AbutQp *q, const double *x) {
    double value = 0.0;
    int n = q->variables;
    for (int i = 0; i < n; ++i) {
        value += q->g[i] * x[i];
        for (int j = 0; j < n; ++j) value += 0.5 * x[i] * q->h[i * n + j] * x[j];
    }
    return value;
}

static double row_value(const AbutQp *q, int i, const double *x) {
    double sum = 0.0;
    for (int j = 0; j < q->variables; ++j) sum += q->a[i * q->variables + j] * x[j];
    return sum;
}

/* Every set of rows as equations; the least objective among feasible stationary points. INFINITY when there is none. */
static double qp_brute(const AbutQp *q) {
    int n = q->variables;
    double best = INFINITY;
    for (int set = 0; set < 1 << q->rows; ++set) {
        double kkt[BIG][BIG + 1] = {{0}}, z[BIG];
        int k = n, good = 1;
        for (int i = 0; i < n; ++i) {
            memcpy(kkt[i], q->h + i * n, sizeof(double) * (size_t)n);
        }
        for (int i = 0; i < q->equalities; ++i) good &= set >> i & 1;
        for (int i = 0; i < q->rows; ++i) k += set >> i & 1;
        if (k > 2 * n || !good) continue;
        for (int i = 0, at = n; i < q->rows; ++i) {
            if (!(set >> i & 1)) continue;
            for (int j = 0; j < n; ++j) kkt[at][j] = kkt[j][at] = q->a[i * n + j];
            kkt[at++][k] = q->b[i];
        }
        for (int i = 0; i < n; ++i) kkt[i][k] = -q->g[i];
        if (!eliminate(k, kkt, z)) continue;
        for (int i = 0; i < q->rows; ++i) {
            double over = row_value(q, i, z) - q->b[i];
            good &= (i < q->equalities ? fabs(over) : over) <= 1e-8;
        }
        if (good) best = fmin(best, objective(q, z));
    }
    return best;
}

/* H x + g + A'y = 0, y >= 0 where it must be, rows hold, y is zero on rows with room. */
static void check_optimality(const AbutQp *q, const double *x, const double *y, double tolerance) {
    int n = q->variables;
    double size = 1.0;
    for (int j = 0; j < n; ++j) size = fmax(size, fabs(x[j]));
    for (int i = 0; i < n; ++i) {
        double sum = q->g[i], bulk = fabs(q->g[i]);
        for (int j = 0; j < n; ++j) sum += q->h[i * n + j] * x[j], bulk += fabs(q->h[i * n + j] * x[j]);
        for (int r = 0; r < q->rows; ++r) sum += q->a[r * n + i] * y[r], bulk += fabs(q->a[r * n + i] * y[r]);
        CHECK_NEAR(sum, 0.0, tolerance * (bulk + 1.0));
    }
    for (int r = 0; r < q->rows; ++r) {
        double over = row_value(q, r, x) - q->b[r];
        CHECK((r < q->equalities ? fabs(over) : over) <= tolerance * (size + fabs(q->b[r])));
        CHECK(r < q->equalities || y[r] >= 0.0);
        CHECK(fabs(over) <= tolerance * (size + fabs(q->b[r])) || y[r] == 0.0);
    }
}

static void check_no_point(const AbutQp *q, const double *y) {
    double right = 0.0, top = 0.0;
    for (int r = 0; r < q->rows; ++r) {
        CHECK(r < q->equalities || y[r] >= 0.0);
        right += y[r] * q->b[r];
        top = fmax(top, fabs(y[r]));
    }
    CHECK(right < 0.0);
    for (int j = 0; j < q->variables; ++j) {
        double sum = 0.0;
        for (int r = 0; r < q->rows; ++r) sum += y[r] * q->a[r * q->variables + j];
        CHECK_NEAR(sum, 0.0, 1e-8 * top);
    }
}

static int outcomes[5];

/* rank < n gives a singular H */
static void random_qp(AbutRng *rng, int n, int m, int rank, int whole, double *h, double *g, double *a, double *b) {
    double f[64 * 64];
    for (int i = 0; i < n * rank; ++i) f[i] = whole ? (double)abut_rng_below(rng, 5) - 2.0 : abut_rng_normal(rng);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            h[i * n + j] = 0.0;
            for (int k = 0; k < rank; ++k) h[i * n + j] += f[i * rank + k] * f[j * rank + k];
        }
    for (int i = 0; i < n; ++i) g[i] = whole ? (double)abut_rng_below(rng, 7) - 3.0 : 2.0 * abut_rng_normal(rng);
    for (int i = 0; i < m * n; ++i) a[i] = whole ? (double)abut_rng_below(rng, 5) - 2.0 : abut_rng_normal(rng);
    for (int i = 0; i < m; ++i) b[i] = whole ? (double)abut_rng_below(rng, 5) - 1.0 : abut_rng_normal(rng) + 0.7;
}

static void solve_and_check(const AbutQp *q, double tolerance) {
    double x[64], y[130];
    AbutQpResult r = abut_qp_solve(q, x, y, memory, abut_qp_workspace_size(q->variables, q->rows));
    ++outcomes[r.outcome];
    if (r.outcome == ABUT_QP_OK) {
        check_optimality(q, x, y, tolerance);
        CHECK_NEAR(r.value, objective(q, x), 1e-9 * (1.0 + fabs(r.value)));
    } else if (r.outcome == ABUT_QP_INFEASIBLE) {
        check_no_point(q, y);
    } else if (r.outcome == ABUT_QP_UNBOUNDED) {
        double slope = 0.0, size = 0.0;
        for (int j = 0; j < q->variables; ++j) slope += q->g[j] * x[j], size = fmax(size, fabs(x[j]));
        CHECK(slope < 0.0);
        for (int i = 0; i < q->rows; ++i) CHECK(row_value(q, i, x) <= 1e-7 * size);
    }
    if (q->rows <= 7 && q->variables <= 5 && r.outcome != ABUT_QP_UNBOUNDED) {
        double best = qp_brute(q);
        if (r.outcome == ABUT_QP_INFEASIBLE) CHECK(best == INFINITY);
        if (best < INFINITY) CHECK_NEAR(r.value, best, 1e-6 * (1.0 + fabs(best)));
    }
}

static void qp_agrees_with_all_active_sets(void **state) {
    (void)state;
    AbutRng rng = abut_rng(23, 0);
    int cases = check_cases(6000);
    memset(outcomes, 0, sizeof outcomes);
    for (int k = 0; k < cases; ++k) {
        double h[25], g[5], a[40], b[8];
        int n = 1 + (int)abut_rng_below(&rng, 5), m = (int)abut_rng_below(&rng, 8), whole = k % 2;
        int rank = k % 3 ? n : (int)abut_rng_below(&rng, (uint32_t)n + 1), equal = k % 5 == 0 && m > 0;
        random_qp(&rng, n, m, rank, whole, h, g, a, b);
        AbutQp q = {n, m, equal, h, g, a, b};
        solve_and_check(&q, 1e-7);
    }
    CHECK(outcomes[ABUT_QP_OK] > cases / 2);
    CHECK(outcomes[ABUT_QP_INFEASIBLE] > cases / 50);
    CHECK(outcomes[ABUT_QP_UNBOUNDED] > cases / 50);
    CHECK(outcomes[ABUT_QP_BAD_INPUT] == 0 && outcomes[ABUT_QP_ITERATION_CAP] == 0);
}

static void qp_is_optimal_at_size(void **state) {
    (void)state;
    AbutRng rng = abut_rng(24, 0);
    static double h[64 * 64], g[64], a[128 * 64], b[128];
    int cases = check_cases(60);
    memset(outcomes, 0, sizeof outcomes);
    for (int k = 0; k < cases; ++k) {
        int n = 64 - k % 30, m = 128 - k % 50;
        random_qp(&rng, n, m, k % 2 ? n : n / 2, 0, h, g, a, b);
        for (int i = 0; i < m; ++i) b[i] = fabs(b[i]);
        AbutQp q = {n, m, k % 4, h, g, a, b};
        solve_and_check(&q, 1e-7);
    }
    CHECK(outcomes[ABUT_QP_OK] == cases);
}

static void qp_names_bad_input(void **state) {
    (void)state;
    double h[] = {1, 0, 0, 1}, g[] = {-1, -1}, a[] = {1, 1, 0, 0}, b[] = {1, 0}, x[2], y[2];
    AbutQp q = {2, 2, 0, h, g, a, b};
    size_t size = abut_qp_workspace_size(2, 2);
    assert_int_equal(abut_qp_solve(&q, x, y, memory, size).outcome, ABUT_QP_OK);
    CHECK_NEAR(x[0], 0.5, 1e-14);
    CHECK_NEAR(y[0], 0.5, 1e-14);
    b[1] = -1; /* 0 <= -1 */
    assert_int_equal(abut_qp_solve(&q, x, y, memory, size).outcome, ABUT_QP_INFEASIBLE);
    CHECK(y[0] == 0.0 && y[1] == 1.0);
    b[1] = 0;
    assert_int_equal(abut_qp_solve(&q, x, y, memory, size - 1).outcome, ABUT_QP_BAD_INPUT);
    double *places[] = {&h[0], &g[1], &a[2], &b[0]};
    for (int k = 0; k < 4; ++k) {
        double keep = *places[k];
        *places[k] = k % 2 ? NAN : INFINITY;
        assert_int_equal(abut_qp_solve(&q, x, y, memory, size).outcome, ABUT_QP_BAD_INPUT);
        *places[k] = keep;
    }
    h[0] = -1;
    assert_int_equal(abut_qp_solve(&q, x, y, memory, size).outcome, ABUT_QP_BAD_INPUT);
    q.variables = 0;
    assert_int_equal(abut_qp_solve(&q, x, y, memory, size).outcome, ABUT_QP_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nnls_agrees_with_all_active_sets),
        cmocka_unit_test(nnls_is_optimal_at_scale),
        cmocka_unit_test(nnls_names_bad_input),
        cmocka_unit_test(qp_agrees_with_all_active_sets),
        cmocka_unit_test(qp_is_optimal_at_size),
        cmocka_unit_test(qp_names_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
