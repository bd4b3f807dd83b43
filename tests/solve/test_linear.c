/* SPDX-License-Identifier: Apache-2.0 */
/* solve: Cholesky, LU, eigenvalues and the 6x6 solver by their residuals; singular, scaled and bad input. */
#include "support/check.h"

#include <string.h>

#include "solve/solve.h"

enum { N = 24 };

/* F F' with `rank` columns. */
static void random_symmetric(AbutRng *rng, int n, int rank, double *a) {
    double f[N * N];
    for (int i = 0; i < n * rank; ++i) f[i] = abut_rng_normal(rng);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            a[i * n + j] = 0.0;
            for (int k = 0; k < rank; ++k) a[i * n + j] += f[i * rank + k] * f[j * rank + k];
        }
}

/* |A x - b| relative to the terms that make it up, the worst row. */
static double relative_residual(int n, const double *a, const double *x, const double *b) {
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        double sum = -b[i], bulk = fabs(b[i]);
        for (int j = 0; j < n; ++j) sum += a[i * n + j] * x[j], bulk += fabs(a[i * n + j] * x[j]);
        worst = fmax(worst, fabs(sum) / (bulk + 1e-300));
    }
    return worst;
}

static void cholesky_solves(void **state) {
    (void)state;
    AbutRng rng = abut_rng(51, 0);
    int solved = 0, cases = check_cases(2000);
    for (int k = 0; k < cases; ++k) {
        int n = 1 + (int)abut_rng_below(&rng, N);
        double a[N * N], factor[N * N], scale[N], b[N], x[N];
        random_symmetric(&rng, n, n, a);
        for (int i = 0; i < n; ++i) { /* units that differ by up to 10^80 */
            double s = pow(10.0, k % 2 ? abut_rng_between(&rng, -40, 40) : 0.0);
            for (int j = 0; j < n; ++j) a[i * n + j] *= s, a[j * n + i] *= s;
            b[i] = s * abut_rng_normal(&rng);
        }
        memcpy(factor, a, sizeof(double) * (size_t)(n * n));
        memcpy(x, b, sizeof(double) * (size_t)n);
        if (abut_cholesky_factor(n, factor, scale, 1e-14) >= 0) continue;
        abut_cholesky_solve(n, factor, scale, x);
        CHECK(relative_residual(n, a, x, b) < 1e-12);
        ++solved;
    }
    CHECK(solved > cases * 9 / 10);
    double indefinite[] = {1, 0, 0, 0, 4, 0, 0, 0, -1}, scale[3], bad[] = {1, 0, NAN, 1};
    assert_int_equal(abut_cholesky_factor(3, indefinite, scale, 1e-14), 2);
    assert_true(abut_cholesky_factor(2, bad, scale, 1e-14) >= 0);
    double singular[] = {1, 1, 1, 1};
    assert_int_equal(abut_cholesky_factor(2, singular, scale, 1e-14), 1);
}

static void lu_solves(void **state) {
    (void)state;
    AbutRng rng = abut_rng(52, 0);
    for (int k = 0; k < check_cases(2000); ++k) {
        int n = 1 + (int)abut_rng_below(&rng, 16), order[N];
        double a[N * N], factor[N * N], b[N], x[N];
        for (int i = 0; i < n; ++i) {
            double s = k % 2 ? pow(10.0, abut_rng_between(&rng, -100, 100)) : 1.0;
            for (int j = 0; j < n; ++j) a[i * n + j] = s * abut_rng_normal(&rng);
            b[i] = s * abut_rng_normal(&rng);
        }
        memcpy(factor, a, sizeof(double) * (size_t)(n * n));
        assert_int_equal(abut_lu_factor(n, factor, order), -1);
        abut_lu_solve(n, factor, order, b, x);
        CHECK(relative_residual(n, a, x, b) < 1e-11);
    }
    double swap[] = {0, 1, 1, 0}, b[] = {3, 4}, x[2], singular[] = {1, 2, 2, 4}, bad[] = {1, 0, 0, INFINITY};
    int order[2];
    assert_int_equal(abut_lu_factor(2, swap, order), -1);
    abut_lu_solve(2, swap, order, b, x);
    CHECK(x[0] == 4.0 && x[1] == 3.0);
    assert_int_equal(abut_lu_factor(2, singular, order), 1);
    assert_true(abut_lu_factor(2, bad, order) >= 0);
}

static void eigenvalues_have_small_residuals(void **state) {
    (void)state;
    AbutRng rng = abut_rng(53, 0);
    for (int k = 0; k < check_cases(600); ++k) {
        int n = 1 + (int)abut_rng_below(&rng, 12);
        double a[N * N], work[N * N], value[N], vectors[N * N], scale = pow(10.0, (k % 7 - 3) * 45.0), size = 0.0;
        random_symmetric(&rng, n, k % 3 ? n : (n + 1) / 2, a);
        for (int i = 0; i < n * n; ++i) a[i] *= scale, work[i] = a[i], size = fmax(size, fabs(a[i]));
        assert_true(abut_eigen_symmetric(n, work, value, vectors));
        for (int p = 0; p < n; ++p) {
            CHECK(p == 0 || value[p - 1] <= value[p]);
            for (int i = 0; i < n; ++i) {
                double sum = -value[p] * vectors[p * n + i];
                for (int j = 0; j < n; ++j) sum += a[i * n + j] * vectors[p * n + j];
                CHECK_NEAR(sum / size, 0.0, 1e-13 * n);
            }
            for (int q = 0; q <= p; ++q) {
                double dot = 0.0;
                for (int j = 0; j < n; ++j) dot += vectors[p * n + j] * vectors[q * n + j];
                CHECK_NEAR(dot, p == q ? 1.0 : 0.0, 1e-13);
            }
        }
    }
    double bad[] = {1, NAN, NAN, 1}, value[2], vectors[4];
    assert_false(abut_eigen_symmetric(2, bad, value, vectors));
    double zero[4] = {0};
    assert_true(abut_eigen_symmetric(2, zero, value, vectors));
    CHECK(value[0] == 0.0 && vectors[0] == 1.0);
}

static void six_by_six_takes_the_right_path(void **state) {
    (void)state;
    AbutRng rng = abut_rng(54, 0);
    int paths[3] = {0}, cases = check_cases(3000);
    for (int k = 0; k < cases; ++k) {
        AbutMat6 m;
        int rank = 1 + (int)abut_rng_below(&rng, 6);
        double b[6] = {0}, x[6], want[6], unit[6];
        random_symmetric(&rng, 6, rank, &m.m[0][0]);
        for (int i = 0; i < 6; ++i) { /* lengths in another unit for the last three */
            unit[i] = i < 3 ? 1.0 : (k % 3 == 0 ? 1e6 : (k % 3 == 1 ? 1e-6 : 1.0));
            want[i] = abut_rng_normal(&rng);
            for (int j = 0; j < 6; ++j) m.m[i][j] *= unit[i], m.m[j][i] *= unit[i];
        }
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j) b[i] += m.m[i][j] * want[j] / unit[j];
        int found;
        AbutSolvePath path = abut_mat6_solve(&m, b, x, &found);
        ++paths[path];
        assert_int_equal(found, rank);
        CHECK(path == ABUT_SOLVE_PSEUDO_INVERSE || rank == 6);
        CHECK(relative_residual(6, &m.m[0][0], x, b) < 1e-8); /* consistent: solved on either path */
        double again[6];
        assert_int_equal(abut_mat6_solve(&m, b, again, NULL), path);
        assert_memory_equal(x, again, sizeof x);
    }
    CHECK(paths[ABUT_SOLVE_CHOLESKY] > cases / 10 && paths[ABUT_SOLVE_PSEUDO_INVERSE] > cases / 2);
}

static void six_by_six_special_input(void **state) {
    (void)state;
    AbutMat6 m = {{{0}}};
    double b[6] = {1, 2, 3, 4, 5, 6}, x[6];
    assert_int_equal(abut_mat6_solve(&m, b, x, NULL), ABUT_SOLVE_PSEUDO_INVERSE);
    for (int i = 0; i < 6; ++i) CHECK(x[i] == 0.0);
    for (int i = 0; i < 6; ++i) m.m[i][i] = i < 4 ? 2.0 : 0.0;
    m.m[3][3] = -2.0; /* indefinite and singular: least squares on the rest */
    assert_int_equal(abut_mat6_solve(&m, b, x, NULL), ABUT_SOLVE_PSEUDO_INVERSE);
    CHECK_NEAR(x[3], -2.0, 1e-14);
    CHECK(x[4] == 0.0 && x[5] == 0.0);
    m.m[2][1] = NAN;
    assert_int_equal(abut_mat6_solve(&m, b, x, NULL), ABUT_SOLVE_FAILED);
    CHECK(x[0] == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cholesky_solves),
        cmocka_unit_test(lu_solves),
        cmocka_unit_test(eigenvalues_have_small_residuals),
        cmocka_unit_test(six_by_six_takes_the_right_path),
        cmocka_unit_test(six_by_six_special_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
