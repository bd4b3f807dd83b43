/* SPDX-License-Identifier: Apache-2.0 */
/* solve: linear programs against all vertices, certificates, degenerate rows, scales, bad input, the largest ball. */
#include "support/check.h"

#include <string.h>

#include "literature/solve/chebyshev.h"
#include "oracle/lp_vertices.h"

static double memory[400000];

static AbutLpResult solve(int d, int n, const double *a, const double *b, const double *c) {
    AbutLp lp = {d, n, a, b, c, 1, 0.0};
    assert_true(abut_lp_workspace_size(d, n) <= sizeof memory);
    return abut_lp_solve(&lp, memory, abut_lp_workspace_size(d, n));
}

static double row_excess(int d, const double *row, double b, const double *x) {
    double sum = -b, size = fabs(b) + 1e-6, length = 0.0;
    for (int j = 0; j < d; ++j) sum += row[j] * x[j], size += fabs(row[j] * x[j]), length += row[j] * row[j];
    return length > 0.0 ? sum / size : 0.0;
}

static void check_point(int d, int n, const double *a, const double *b, const double *x, double tolerance) {
    for (int i = 0; i < n; ++i) CHECK(row_excess(d, a + i * d, b[i], x) <= tolerance);
}

/* y >= 0, y'A = 0, y'b < 0, at most d + 1 rows, each named once. */
static void check_conflict(int d, const double *a, const double *b, const AbutLpResult *r) {
    double sum[8] = {0}, bulk = 0.0, right = 0.0;
    CHECK(r->conflict_count >= 1 && r->conflict_count <= d + 1);
    for (int k = 0; k < r->conflict_count; ++k) {
        CHECK(r->multiplier[k] > 0.0);
        for (int l = 0; l < k; ++l) CHECK(r->conflict[l] != r->conflict[k]);
        for (int j = 0; j < d; ++j) {
            sum[j] += r->multiplier[k] * a[r->conflict[k] * d + j];
            bulk += fabs(r->multiplier[k] * a[r->conflict[k] * d + j]);
        }
        right += r->multiplier[k] * b[r->conflict[k]];
    }
    CHECK(right < 0.0);
    CHECK_NEAR(right, -r->gap, 1e-9 * r->gap + 1e-13);
    for (int j = 0; j < d; ++j) CHECK_NEAR(sum[j], 0.0, 1e-10 * bulk);
}

/* Active rows hold with equality, and no feasible step raises the objective: c is in the cone of all rows that touch x.
 */
static void check_optimal(int d, int n, const double *a, const double *b, const double *c, const AbutLpResult *r) {
    static double columns[8 * 600], y[600], work[20000];
    int tight[600], count = 0;
    double size = 0.0;
    for (int k = 0; k < r->active_count; ++k)
        CHECK_NEAR(row_excess(d, a + r->active[k] * d, b[r->active[k]], r->x), 0.0, 1e-8);
    for (int i = 0; i < n; ++i)
        if (row_excess(d, a + i * d, b[i], r->x) > -1e-8) tight[count++] = i;
    for (int k = 0; k < count; ++k)
        for (int j = 0; j < d; ++j) columns[j * count + k] = a[tight[k] * d + j];
    for (int j = 0; j < d; ++j) size += fabs(c[j]);
    if (count > 0) size = abut_nnls(d, count, columns, c, y, work, sizeof work).residual / (size + 1e-300);
    CHECK_NEAR(size, 0.0, 1e-8);
}

/* Ray: never leaves the rows, always raises the objective. */
static void check_ray(int d, int n, const double *a, const double *c, const AbutLpResult *r) {
    static const double zero[2000];
    double rise = 0.0;
    for (int j = 0; j < d; ++j) rise += c[j] * r->ray[j];
    CHECK(rise > 0.0);
    CHECK(r->value == INFINITY);
    check_point(d, n, a, zero, r->ray, 1e-9);
}

static int outcomes[4];

static void compare_with_vertices(int d, int n, const double *a, const double *b, const double *c) {
    double value = 0.0, wider = 0.0, x[8];
    int feasible = lp_vertices(d, n, a, b, c, 1e4, &value, x);
    if (feasible) lp_vertices(d, n, a, b, c, 2e4, &wider, x);
    int unbounded = feasible && wider > value + 1e-3 * fabs(value) + 1e-3;
    AbutLpResult r = solve(d, n, a, b, c);
    ++outcomes[r.outcome];
    assert_int_equal(r.status, ABUT_OK);
    assert_int_equal(r.outcome, !feasible ? ABUT_LP_INFEASIBLE : (unbounded ? ABUT_LP_UNBOUNDED : ABUT_LP_OPTIMAL));
    if (r.outcome == ABUT_LP_INFEASIBLE) {
        check_conflict(d, a, b, &r);
        return;
    }
    check_point(d, n, a, b, r.x, 1e-9);
    if (r.outcome == ABUT_LP_OPTIMAL) {
        CHECK_NEAR(r.value, value, 1e-7 * (1.0 + fabs(value)));
        check_optimal(d, n, a, b, c, &r);
        return;
    }
    check_ray(d, n, a, c, &r);
}

static void agrees_with_all_vertices(void **state) {
    (void)state;
    AbutRng rng = abut_rng(11, 0);
    int cases = check_cases(12000);
    memset(outcomes, 0, sizeof outcomes);
    for (int k = 0; k < cases; ++k) {
        int d = 1 + (int)abut_rng_below(&rng, 4), n = (int)abut_rng_below(&rng, d == 4 ? 11 : 13);
        int whole = k % 2, toward = (int)abut_rng_below(&rng, 3);
        double a[64], b[16], c[8];
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < d; ++j)
                a[i * d + j] = whole ? (double)abut_rng_below(&rng, 5) - 2.0 : abut_rng_normal(&rng);
            /* around the origin, often feasible; or anywhere */
            b[i] = whole ? (double)abut_rng_below(&rng, 7) - (toward ? 1.0 : 3.0) : abut_rng_normal(&rng) + toward;
            if (i > 0 && abut_rng_below(&rng, 6) == 0) { /* a copy of another row, its opposite, or touching it */
                int from = (int)abut_rng_below(&rng, (uint32_t)i);
                double s = abut_rng_below(&rng, 2) ? 1.0 : -2.0;
                for (int j = 0; j < d; ++j) a[i * d + j] = s * a[from * d + j];
                b[i] = s * b[from];
            }
        }
        for (int j = 0; j < d; ++j) c[j] = whole ? (double)abut_rng_below(&rng, 5) - 2.0 : abut_rng_normal(&rng);
        compare_with_vertices(d, n, a, b, c);
    }
    CHECK(outcomes[ABUT_LP_OPTIMAL] > cases / 10);
    CHECK(outcomes[ABUT_LP_INFEASIBLE] > cases / 10);
    CHECK(outcomes[ABUT_LP_UNBOUNDED] > cases / 10);
    CHECK(outcomes[ABUT_LP_UNDECIDED] == 0);
}

/* Answers in all dimensions prove themselves: no oracle is needed. `shape` picks how the rows lie. */
static void proves_itself(int d, int n, int shape, AbutRng *rng) {
    static double a[8 * 600], b[600];
    double c[8], scale = shape == 3 ? 1e-150 : (shape == 4 ? 1e150 : 1.0);
    for (int i = 0; i < n; ++i) {
        double square = 0.0;
        for (int j = 0; j < d; ++j) {
            a[i * d + j] = abut_rng_normal(rng);
            square += a[i * d + j] * a[i * d + j];
        }
        b[i] = scale * (shape == 1 ? abut_rng_normal(rng) : 1.0 + abut_rng_unit(rng));
        if (shape == 2) b[i] = sqrt(square); /* tangent to the unit ball */
    }
    for (int j = 0; j < d; ++j) c[j] = abut_rng_normal(rng);
    AbutLpResult r = solve(d, n, a, b, c);
    ++outcomes[r.outcome];
    if (r.outcome == ABUT_LP_INFEASIBLE) check_conflict(d, a, b, &r);
    if (r.outcome == ABUT_LP_UNBOUNDED) check_ray(d, n, a, c, &r);
    for (int j = 0; j < d && scale != 1.0; ++j) r.x[j] /= scale;
    for (int i = 0; i < n && scale != 1.0; ++i) b[i] /= scale;
    if (r.outcome != ABUT_LP_INFEASIBLE) check_point(d, n, a, b, r.x, 1e-9);
    if (r.outcome == ABUT_LP_OPTIMAL) check_optimal(d, n, a, b, c, &r);
}

static void proves_itself_in_all_dimensions(void **state) {
    (void)state;
    AbutRng rng = abut_rng(12, 0);
    int cases = check_cases(4000);
    memset(outcomes, 0, sizeof outcomes);
    for (int k = 0; k < cases; ++k) {
        int d = 1 + k % 8, n = (int)abut_rng_below(&rng, d <= 4 ? 600 : 100);
        proves_itself(d, n, k / 8 % 5, &rng);
    }
    CHECK(outcomes[ABUT_LP_OPTIMAL] > cases / 2);
    CHECK(outcomes[ABUT_LP_INFEASIBLE] > cases / 20);
    CHECK(outcomes[ABUT_LP_UNDECIDED] == 0);
}

static void touching_rows_are_feasible(void **state) {
    (void)state;
    /* two boxes that share a face, an edge, a corner; then apart by 1e-9 */
    for (int shared = 1; shared <= 3; ++shared)
        for (int apart = 0; apart <= 1; ++apart) {
            double a[36] = {0}, b[12];
            for (int i = 0; i < 12; ++i) {
                int axis = i % 6 / 2;
                a[i * 3 + axis] = i % 2 ? -1.0 : 1.0;
                double shift = i >= 6 && axis < shared ? 1.0 + (apart ? 1e-9 : 0.0) : 0.0;
                b[i] = i % 2 ? -shift : 1.0 + shift;
            }
            AbutLpResult r = solve(3, 12, a, b, NULL);
            assert_int_equal(r.outcome, apart ? ABUT_LP_INFEASIBLE : ABUT_LP_OPTIMAL);
            if (apart) {
                check_conflict(3, a, b, &r);
                CHECK_NEAR(r.gap, 0.5e-9, 1e-12);
                CHECK(r.conflict_count == 2);
            } else {
                check_point(3, 12, a, b, r.x, 1e-12);
            }
        }
}

static void objective_may_be_missing(void **state) {
    (void)state;
    double a[] = {1, 0, 0, 1, 0, 0}, b[] = {-5, 7}, zero[3] = {0};
    AbutLpResult r = solve(3, 2, a, b, NULL), again = solve(3, 2, a, b, zero);
    assert_int_equal(r.outcome, ABUT_LP_OPTIMAL);
    CHECK(r.x[0] <= -5.0 + 1e-9 && isfinite(r.x[1] + r.x[2]));
    CHECK(r.value == 0.0);
    assert_memory_equal(&r, &again, sizeof r);
    r = solve(3, 0, NULL, NULL, NULL);
    assert_int_equal(r.outcome, ABUT_LP_OPTIMAL);
    double c[3] = {1, 0, 0};
    assert_int_equal(solve(3, 0, NULL, NULL, c).outcome, ABUT_LP_UNBOUNDED);
}

static void bad_input_is_named(void **state) {
    (void)state;
    double a[] = {1, 0, 0, 1}, b[] = {1, 1}, c[] = {1, 1};
    AbutLp lp = {2, 2, a, b, c, 0, 0.0};
    size_t size = abut_lp_workspace_size(2, 2);
    CHECK_NEAR(abut_lp_solve(&lp, memory, size).value, 2.0, 1e-12);
    assert_int_equal(abut_lp_solve(&lp, memory, size - 1).status, ABUT_ERROR_MEMORY);
    assert_int_equal(abut_lp_solve(&lp, NULL, size).status, ABUT_ERROR_MEMORY);
    double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; ++k) {
        double *places[] = {&a[1], &b[1], &c[0]};
        for (int p = 0; p < 3; ++p) {
            double keep = *places[p];
            *places[p] = bad[k];
            AbutLpResult r = abut_lp_solve(&lp, memory, size);
            if (p == 1 && k == 1) { /* b = +infinity: no constraint */
                assert_int_equal(r.outcome, ABUT_LP_UNBOUNDED);
            } else {
                assert_int_equal(r.outcome, ABUT_LP_UNDECIDED);
                assert_int_equal(r.status, ABUT_ERROR_NUMBER);
            }
            *places[p] = keep;
        }
    }
    for (int d = -1; d <= 9; d += 10) {
        lp.dimension = d;
        assert_int_equal(abut_lp_workspace_size(d, 2), 0);
        assert_int_equal(abut_lp_solve(&lp, memory, size).status, ABUT_ERROR_ARGUMENT);
    }
    double zero_row[] = {0, 0, 1, 0}, negative[] = {-1, 1};
    AbutLpResult r = solve(2, 2, zero_row, negative, NULL);
    assert_int_equal(r.outcome, ABUT_LP_INFEASIBLE);
    CHECK(r.conflict_count == 1 && r.conflict[0] == 0 && r.multiplier[0] > 0.0);
}

/* ---- the largest ball -------------------------------------------------------------------------------------------- */

static AbutLpResult ball(int d, int n, const double *a, const double *b) {
    AbutLp lp = {d, n, a, b, NULL, 3, 0.0};
    return abut_lp_chebyshev(&lp, memory, abut_lp_chebyshev_workspace_size(d, n));
}

static void largest_ball_of_known_sets(void **state) {
    (void)state;
    double a[18] = {1, 0, 0, -3, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 2, 0, 0, -1};
    double b[6] = {4, 0, 5, 0, 12, 0}; /* a box 4 x 5 x 6 */
    AbutLpResult r = ball(3, 6, a, b);
    assert_int_equal(r.outcome, ABUT_LP_OPTIMAL);
    CHECK_NEAR(r.value, 2.0, 1e-11);
    CHECK_NEAR(r.x[0], 2.0, 1e-11);
    b[0] = 0.0; /* flat */
    r = ball(3, 6, a, b);
    assert_int_equal(r.outcome, ABUT_LP_OPTIMAL);
    CHECK_NEAR(r.value, 0.0, 1e-11);
    check_point(3, 6, a, b, r.x, 1e-9);
    b[0] = -1.0; /* empty by 1: each side must give 0.5 */
    r = ball(3, 6, a, b);
    assert_int_equal(r.outcome, ABUT_LP_INFEASIBLE);
    CHECK_NEAR(r.value, -0.5, 1e-11);
    check_conflict(3, a, b, &r);
    r = ball(3, 1, a, b); /* half-space x <= -1 */
    assert_int_equal(r.outcome, ABUT_LP_UNBOUNDED);
    CHECK(r.x[0] < -1.0);
    AbutLp wide = {8, 0, NULL, NULL, NULL, 0, 0.0};
    assert_int_equal(abut_lp_chebyshev(&wide, memory, sizeof memory).status, ABUT_ERROR_ARGUMENT);
}

static void largest_ball_touches_enough_rows(void **state) {
    (void)state;
    AbutRng rng = abut_rng(13, 0);
    int bounded = 0, cases = check_cases(500);
    for (int k = 0; k < cases; ++k) {
        double a[200 * 3], b[200];
        int n = 4 + (int)abut_rng_below(&rng, 190), touching = 0;
        for (int i = 0; i < n; ++i) {
            AbutVec3 u = abut_random_direction(&rng);
            a[i * 3] = u.x, a[i * 3 + 1] = u.y, a[i * 3 + 2] = u.z;
            b[i] = 1.0 + abut_rng_unit(&rng);
        }
        AbutLpResult r = ball(3, n, a, b);
        if (r.outcome != ABUT_LP_OPTIMAL) continue;
        ++bounded;
        for (int i = 0; i < n; ++i) {
            double room = b[i] - a[i * 3] * r.x[0] - a[i * 3 + 1] * r.x[1] - a[i * 3 + 2] * r.x[2];
            CHECK(room >= r.value - 1e-10);
            touching += room <= r.value + 1e-9;
        }
        CHECK(touching >= 2);
        CHECK(r.value >= 1.0 - 1e-12);
    }
    CHECK(bounded > cases / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_all_vertices),
        cmocka_unit_test(proves_itself_in_all_dimensions),
        cmocka_unit_test(touching_rows_are_feasible),
        cmocka_unit_test(objective_may_be_missing),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(largest_ball_of_known_sets),
        cmocka_unit_test(largest_ball_touches_enough_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
