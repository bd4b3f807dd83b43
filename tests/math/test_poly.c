/* SPDX-License-Identifier: Apache-2.0 */
/* math: polynomials against long double; bounds that enclose a million samples; roots that were built in. */
#include "support/check.h"
#include "math/poly.h"

static long double eval_long(const AbutPoly *p, long double t) {
    long double y = 0.0L;
    for (int i = p->degree; i >= 0; --i) y = y * t + p->c[i];
    return y;
}

static AbutPoly random_poly(AbutRng *rng, int degree, double scale) {
    AbutPoly p = {degree, {0}};
    for (int i = 0; i <= degree; ++i) p.c[i] = scale * abut_rng_normal(rng);
    return p;
}

/* Rounding of Horner in long double, so that a sample cannot blame a sound bound. */
static long double slack(const AbutPoly *p, long double t) {
    long double sum = 0.0L;
    for (int i = p->degree; i >= 0; --i) sum = sum * fabsl(t) + fabsl((long double)p->c[i]);
    return 60.0L * 0x1p-63L * sum;
}

static AbutPoly times(const AbutPoly *a, const AbutPoly *b) {
    AbutPoly out = {a->degree + b->degree, {0}};
    for (int i = 0; i <= a->degree; ++i)
        for (int j = 0; j <= b->degree; ++j) out.c[i + j] += a->c[i] * b->c[j];
    return out;
}

static double bernstein_at(const AbutBernstein *p, double t) {
    AbutBernstein left, right;
    abut_bernstein_split(p, (t - p->lo) / (p->hi - p->lo), &left, &right);
    return right.b[0];
}

static void bounds_enclose_samples(void **state) {
    (void)state;
    AbutRng rng = abut_rng(41, 0);
    int cases = check_cases(5000);
    for (int k = 0; k < cases; ++k) {
        double scale = k % 5 == 0 ? 1e100 : (k % 5 == 1 ? 1e-100 : 1.0);
        AbutPoly p = random_poly(&rng, (int)abut_rng_below(&rng, 25), scale);
        double lo = abut_rng_between(&rng, -2.0, 2.0),
               hi = lo + ldexp(abut_rng_unit(&rng), 1 - (int)abut_rng_below(&rng, 20));
        lo = k % 3 ? lo : 0.0;
        hi = k % 3 ? hi : 1.0;
        int levels = (int)abut_rng_below(&rng, 10);
        AbutInterval bounds = abut_poly_bounds(&p, lo, hi, levels);
        long double least = INFINITY, most = -INFINITY;
        for (int i = 0; i <= 200; ++i) {
            long double t = i == 200 ? hi : lo + (long double)(hi - lo) * i / 200, y = eval_long(&p, t);
            CHECK(y >= bounds.lo - slack(&p, t) && y <= bounds.hi + slack(&p, t));
            least = fminl(least, y), most = fmaxl(most, y);
        }
        /* and they are close to the range: the samples miss it by little */
        if (levels >= 8 && p.degree <= 6 && !(k % 3))
            CHECK(bounds.hi - bounds.lo <= 1.02 * (double)(most - least) + 1e-9 * scale);
        for (int deeper = 0; deeper < 3; ++deeper) { /* more halvings never loosen by more than rounding */
            AbutInterval again = abut_poly_bounds(&p, lo, hi, levels + deeper);
            double width = bounds.hi - bounds.lo;
            CHECK(again.hi - again.lo <= width * (1.0 + 1e-9));
        }
    }
}

static void bounds_hold_where_terms_cancel(void **state) {
    (void)state;
    /* (t - 1)^20 near t = 1: power coefficients up to 184756, values near 0 and never negative */
    AbutPoly p = {0, {1.0}}, factor = {1, {-1.0, 1.0}};
    for (int i = 0; i < 20; ++i) p = times(&p, &factor);
    AbutInterval b = abut_poly_bounds(&p, 0.9, 1.1, 8);
    CHECK(b.lo <= 0.0 && b.hi >= 1e-20 && b.hi - b.lo < 1e-7);
    /* the true minimum at a parabola's bottom, and the sharp ends of a line */
    AbutPoly parabola = {2, {1.0, -2.0, 1.0}}, line = {1, {3.0, 4.0}};
    b = abut_poly_bounds(&parabola, 0.0, 3.0, 20);
    CHECK(b.lo <= 0.0 && b.lo > -1e-5 && b.hi >= 4.0 && b.hi < 4.0 + 1e-13);
    b = abut_poly_bounds(&line, -1.0, 1.0, 0);
    CHECK(b.lo <= -1.0 && b.lo > -1.0 - 1e-14 && b.hi >= 7.0 && b.hi < 7.0 + 1e-14);
}

static void forms_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(42, 0);
    for (int k = 0; k < check_cases(2000); ++k) {
        AbutPoly p = random_poly(&rng, (int)abut_rng_below(&rng, 13), 1.0);
        double lo = abut_rng_between(&rng, -1.0, 1.0), hi = lo + abut_rng_between(&rng, 0.5, 1.5),
               t = abut_rng_between(&rng, lo, hi);
        AbutBernstein b = abut_bernstein_from_poly(&p, lo, hi), left, right;
        double size = (double)(slack(&p, 2.5) / (60.0L * 0x1p-63L)), step = 1e-5;
        CHECK_NEAR(abut_poly_eval(&p, t), (double)eval_long(&p, t), 1e-15 * size);
        CHECK(fabs(bernstein_at(&b, t) - (double)eval_long(&p, t)) <= b.error + 1e-12 * size);
        AbutPoly d = abut_poly_derivative(&p), twice = abut_poly_scale(&p, 2.0);
        long double slope = (eval_long(&p, t + step) - eval_long(&p, t - step)) / (2.0L * step);
        CHECK_NEAR(abut_poly_eval(&d, t), (double)slope, 1e-7 * size);
        CHECK_NEAR(abut_poly_eval(&twice, t), 2.0 * abut_poly_eval(&p, t), 1e-12 * size);
        abut_bernstein_split(&b, abut_rng_unit(&rng), &left, &right);
        CHECK(left.b[left.degree] == right.b[0] && left.hi == right.lo && left.b[0] == b.b[0]);
        CHECK_NEAR(bernstein_at(t < left.hi ? &left : &right, t), abut_poly_eval(&p, t), 1e-12 * size + left.error);
    }
}

static void roots_are_found(void **state) {
    (void)state;
    AbutRng rng = abut_rng(43, 0);
    int found = 0, cases = check_cases(2000);
    for (int k = 0; k < cases; ++k) {
        int n = 1 + (int)abut_rng_below(&rng, 6), inside = 0;
        AbutPoly p = {0, {1.0}};
        double root[6], got[24], at = -1.5;
        for (int i = 0; i < n; ++i) {
            at += 0.05 + 0.6 * abut_rng_unit(&rng);
            AbutPoly factor = {1, {-at, 1.0}};
            p = times(&p, &factor);
            if (at >= -1.0 && at <= 1.0) root[inside++] = at;
        }
        int count = abut_poly_roots(&p, -1.0, 1.0, got, 24);
        assert_int_equal(count, inside);
        for (int i = 0; i < count; ++i) CHECK_NEAR(got[i], root[i], 1e-9);
        found += count;
    }
    CHECK(found > cases);
    double got[4], square[] = {0.09, -0.6, 1.0}, zero[] = {0.0, 0.0}, end[] = {-1.0, 1.0}, bad[] = {NAN, 1.0};
    AbutPoly p = abut_poly(2, square); /* a double root at 0.3 */
    assert_int_equal(abut_poly_roots(&p, 0.0, 1.0, got, 4), 1);
    CHECK_NEAR(got[0], 0.3, 1e-6);
    p = abut_poly(1, zero);
    assert_int_equal(abut_poly_roots(&p, 0.0, 1.0, got, 4), 0);
    p = abut_poly(1, end);
    assert_int_equal(abut_poly_roots(&p, 0.0, 1.0, got, 4), 1);
    CHECK_NEAR(got[0], 1.0, 1e-12);
    assert_int_equal(abut_poly_roots(&p, 0.0, 2.0, got, 0), 0);
    p = abut_poly(1, bad);
    assert_int_equal(abut_poly_roots(&p, 0.0, 1.0, got, 4), 0);
}

static void special_input_has_an_outcome(void **state) {
    (void)state;
    double bad[] = {1.0, NAN}, large[] = {1e308, 1e308, 1e308}, one[] = {1.0, 1.0};
    AbutPoly p = abut_poly(1, bad);
    AbutInterval b = abut_poly_bounds(&p, 0.0, 1.0, 8);
    CHECK(b.lo == -INFINITY && b.hi == INFINITY);
    p = abut_poly(2, large);
    b = abut_poly_bounds(&p, 0.0, 100.0, 8);
    CHECK(b.lo == -INFINITY && b.hi == INFINITY);
    p = abut_poly(1, one);
    b = abut_poly_bounds(&p, NAN, 1.0, 8);
    CHECK(b.lo == -INFINITY && b.hi == INFINITY);
    b = abut_poly_bounds(&p, 2.0, 1.0, 8); /* ends in either order */
    CHECK_NEAR(b.lo, 2.0, 1e-14);
    CHECK_NEAR(b.hi, 3.0, 1e-14);
    b = abut_poly_bounds(&p, 1.0, 1.0, 8);
    CHECK(abut_interval_contains(b, 2.0));
    p = abut_poly(-3, one);
    assert_int_equal(p.degree, 0);
    double tiny[] = {0x1p-1074, 0x1p-1074, -0x1p-1074};
    p = abut_poly(2, tiny);
    b = abut_poly_bounds(&p, 0.0, 1.0, 8);
    CHECK(b.lo <= 0x1p-1074 && b.hi >= 0x1p-1074);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_enclose_samples),
        cmocka_unit_test(bounds_hold_where_terms_cancel),
        cmocka_unit_test(forms_agree),
        cmocka_unit_test(roots_are_found),
        cmocka_unit_test(special_input_has_an_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
