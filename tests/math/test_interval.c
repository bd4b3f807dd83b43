/* SPDX-License-Identifier: Apache-2.0 */
/* math: every interval operation encloses the result in long double, on random and extreme input; NaN and empty. */
#include "support/check.h"
#include "math/interval.h"

#include <float.h>

/* A number of any kind: near one, any exponent, whole, or one of the extremes. */
static double any_number(AbutRng *rng) {
    static const double extremes[] = {
        0.0, -0.0, 1.0, -1.0, DBL_MAX, -DBL_MAX, DBL_MIN, 0x1p-1074, -0x1p-1074, 1e308, 1e-308};
    double sign = abut_rng_below(rng, 2) ? 1.0 : -1.0;
    switch (abut_rng_below(rng, 4)) {
    case 0:
        return abut_rng_normal(rng);
    case 1:
        return sign * ldexp(1.0 + abut_rng_unit(rng), (int)abut_rng_below(rng, 2090) - 1070);
    case 2:
        return sign * (double)abut_rng_below(rng, 10);
    default:
        return extremes[abut_rng_below(rng, 11)];
    }
}

static AbutInterval any_interval(AbutRng *rng) {
    double a = any_number(rng), b = abut_rng_below(rng, 3) ? any_number(rng) : a;
    return abut_interval(fmin(a, b), fmax(a, b));
}

/* A point of the interval: an end or between. */
static double point_of(AbutRng *rng, AbutInterval x) {
    uint32_t kind = abut_rng_below(rng, 4);
    double t = abut_rng_unit(rng), y = (1.0 - t) * x.lo + t * x.hi;
    return kind == 0 ? x.lo : (kind == 1 ? x.hi : fmin(fmax(y, x.lo), x.hi));
}

static void check_holds(AbutInterval x, long double value) {
    CHECK((long double)x.lo <= value && value <= (long double)x.hi);
}

static void arithmetic_encloses(void **state) {
    (void)state;
    AbutRng rng = abut_rng(31, 0);
    int divided = 0, cases = check_cases(300000);
    for (int k = 0; k < cases; ++k) {
        AbutInterval a = any_interval(&rng), b = any_interval(&rng);
        double x = point_of(&rng, a), y = point_of(&rng, b);
        check_holds(abut_interval_add(a, b), (long double)x + (long double)y);
        check_holds(abut_interval_sub(a, b), (long double)x - (long double)y);
        check_holds(abut_interval_mul(a, b), (long double)x * (long double)y);
        if (y != 0.0) {
            check_holds(abut_interval_div(a, b), (long double)x / (long double)y);
            divided += !abut_interval_contains(b, 0.0);
        }
    }
    CHECK(divided > cases / 4);
}

static void exact_results_stay_exact(void **state) {
    (void)state;
    AbutInterval two = abut_interval_point(2.0), sum = abut_interval_add(two, abut_interval_point(0.5));
    CHECK(sum.lo == 2.5 && sum.hi == 2.5);
    AbutInterval none = abut_interval_mul(abut_interval_whole(), abut_interval_point(0.0));
    CHECK(none.lo == 0.0 && none.hi == 0.0);
    AbutInterval third = abut_interval_div(abut_interval_point(1.0), abut_interval_point(3.0));
    CHECK(third.hi - third.lo <= 3e-16 && third.hi > third.lo);
}

static void is_whole(AbutInterval x) { CHECK(x.lo == -INFINITY && x.hi == INFINITY); }

static void special_input_has_an_outcome(void **state) {
    (void)state;
    AbutInterval one = abut_interval_point(1.0), unknown = abut_interval_point(NAN), empty = abut_interval_empty();
    is_whole(abut_interval_add(one, unknown));
    is_whole(abut_interval_sub(unknown, one));
    is_whole(abut_interval_mul(one, unknown));
    is_whole(abut_interval_div(unknown, one));
    is_whole(abut_interval_div(one, abut_interval(-1.0, 1.0)));
    is_whole(abut_interval_div(one, abut_interval_point(0.0)));
    AbutInterval (*two[])(AbutInterval, AbutInterval) = {
        abut_interval_add, abut_interval_sub, abut_interval_mul, abut_interval_div};
    for (int k = 0; k < 4; ++k)
        CHECK(abut_interval_is_empty(two[k](one, empty)) && abut_interval_is_empty(two[k](empty, one)));
    CHECK(!abut_interval_contains(one, NAN));
    AbutInterval infinite = abut_interval_div(abut_interval(1.0, INFINITY), abut_interval(1.0, INFINITY));
    CHECK(infinite.lo <= 0.0 && infinite.hi == INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_encloses),
        cmocka_unit_test(exact_results_stay_exact),
        cmocka_unit_test(special_input_has_an_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
