/* SPDX-License-Identifier: Apache-2.0 */
/*
 * math: elementary functions within 1 ulp of the C library in long double, over wide ranges and at special values; and
 * their bits, which are the same everywhere.
 */
#include "support/check.h"
#include "math/functions.h"

#include <float.h>
#include <string.h>

typedef struct Function {
    const char *name;
    double (*ours)(double);
    long double (*truth)(long double);
    double low, high; /* arguments: of either sign and magnitudes 10^low .. 10^high; near: -high .. high */
    int positive;
} Function;

static const Function functions[] = {
    {"sin", abut_sin, sinl, -310, 308, 0},
    {"cos", abut_cos, cosl, -20, 308, 0},
    {"exp", abut_exp, expl, -20, 2.84, 0},
    {"log", abut_ln, logl, -323, 308, 1},
    {"cbrt", abut_cbrt, cbrtl, -323, 308, 0},
};

/* A unit in the last place of the double nearest to x. */
static long double ulp_of(long double x) {
    int e;
    frexpl(fabsl(x), &e);
    return ldexpl(1.0L, (e < -1021 ? -1021 : e) - DBL_MANT_DIG);
}

static void check_ulp(const char *name, double x, double y, double ours, long double truth) {
    if (isinf((double)truth) && isinf(ours) && (truth > 0) == (ours > 0)) return;
    long double off = fabsl((long double)ours - truth) / ulp_of(truth);
    if (!(off <= 1.0L)) fail_msg("%s(%a, %a) = %a, off by %Lg ulp", name, x, y, ours, off);
}

static double random_magnitude(AbutRng *rng, double low, double high) {
    return pow(10.0, abut_rng_between(rng, low, high));
}

static double random_argument(AbutRng *rng, const Function *f, int k) {
    double x = k % 2 ? random_magnitude(rng, f->low, f->high) : abut_rng_between(rng, 0.0, k % 4 ? 3.0 : 700.0);
    return f->positive || k % 3 ? x : -x;
}

static void skip_without_long_double(void) {
    if (LDBL_MANT_DIG < 64) skip();
}

static void functions_are_within_one_ulp(void **state) {
    (void)state;
    skip_without_long_double();
    AbutRng rng = abut_rng(71, 0);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        const Function *f = &functions[i];
        for (int k = 0; k < check_cases(400000); ++k) {
            double x = random_argument(&rng, f, k);
            check_ulp(f->name, x, 0.0, f->ours(x), f->truth(x));
        }
    }
}

/* The doubles nearest to multiples of pi / 2 and of pi / 4 are where the reduction is hardest. */
static void angles_near_quarters_are_reduced_well(void **state) {
    (void)state;
    skip_without_long_double();
    const double hard[] = {0x1.6ac5b262ca1ffp+849, 0x1p30, 0x1.fffffffffffffp29, 1e22, DBL_MAX, 0x1p1023, 0.78,
        0x1.921fb54442d18p-1, 0x1.921fb54442d19p-1};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; ++i)
        for (int sign = -1; sign <= 1; sign += 2) {
            check_ulp("sin", hard[i], 0.0, abut_sin(sign * hard[i]), sinl(sign * hard[i]));
            check_ulp("cos", hard[i], 0.0, abut_cos(sign * hard[i]), cosl(sign * hard[i]));
        }
    for (int k = 1; k <= check_cases(20000); ++k)
        for (int step = -1; step <= 1; ++step) {
            double x = 0.25 * ABUT_PI * k;
            x = step ? nextafter(x, step * 1e300) : x;
            check_ulp("sin", x, 0.0, abut_sin(x), sinl(x));
            check_ulp("cos", x, 0.0, abut_cos(x), cosl(x));
        }
}

static void functions_of_two_numbers_are_within_one_ulp(void **state) {
    (void)state;
    skip_without_long_double();
    AbutRng rng = abut_rng(72, 0);
    for (int k = 0; k < check_cases(400000); ++k) {
        double range = k % 2 ? 306.0 : 1.0, y = random_magnitude(&rng, -range, range),
               x = k % 5 ? random_magnitude(&rng, -range, range) : y * abut_rng_between(&rng, 0.5, 2.0);
        y = k & 4 ? -y : y;
        x = k & 8 ? -x : x;
        check_ulp("atan2", y, x, abut_atan2(y, x), atan2l(y, x));
        check_ulp("hypot", y, x, abut_hypot(y, x), hypotl(y, x));
    }
}

static int same(double a, double b) { return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b)); }

static void special_values_are_those_of_c(void **state) {
    (void)state;
    const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MAX};
    enum { COUNT = sizeof special / sizeof *special };
    for (int i = 0; i < COUNT; ++i) {
        double x = special[i];
        if (!isfinite(x) || x == 0.0) {
            CHECK(same(abut_sin(x), sin(x)) && same(abut_cos(x), cos(x)) && same(abut_exp(x), exp(x)));
            CHECK(same(abut_cbrt(x), cbrt(x)));
        }
        CHECK(same(abut_ln(x), log(x)));
        for (int j = 0; j < COUNT; ++j) {
            CHECK(same(abut_atan2(x, special[j]), atan2(x, special[j])));
            if (!isfinite(x) || !isfinite(special[j]) || fabs(x) < 1.0)
                CHECK(same(abut_hypot(x, special[j]), hypot(x, special[j])));
        }
    }
    CHECK(abut_exp(710.0) == INFINITY && abut_exp(-746.0) == 0.0 && abut_exp(-745.1) == DBL_TRUE_MIN);
    CHECK(abut_cbrt(-27.0) == -3.0 && abut_hypot(3.0, -4.0) == 5.0 && abut_ln(1.0) == 0.0);
    CHECK(abut_hypot(DBL_MAX, DBL_MAX) == INFINITY && abut_hypot(DBL_TRUE_MIN, 0.0) == DBL_TRUE_MIN);
}

static uint64_t add_bits(double x, uint64_t hash) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return abut_hash(&bits, sizeof bits, hash);
}

/* Every compiler, level of optimization and machine gives this number. */
static void bits_are_the_same_everywhere(void **state) {
    (void)state;
    AbutRng rng = abut_rng(73, 0);
    uint64_t hash = 0;
    for (int k = 0; k < 20000; ++k) {
        int exponent = (int)(abut_rng_u64(&rng) % 2000) - 990;
        double wide = ldexp(abut_rng_between(&rng, -1.0, 1.0), exponent), near = abut_rng_between(&rng, -20.0, 20.0),
               x = k % 2 ? wide : near;
        hash = add_bits(abut_sin(x), add_bits(abut_cos(x), add_bits(abut_exp(near), add_bits(abut_ln(fabs(x)), hash))));
        hash = add_bits(abut_cbrt(x), add_bits(abut_atan2(x, near), add_bits(abut_hypot(x, near), hash)));
    }
    if (hash != UINT64_C(0xac7fccf629fd469b)) fail_msg("the bits have the hash %llx", (unsigned long long)hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_within_one_ulp),
        cmocka_unit_test(angles_near_quarters_are_reduced_well),
        cmocka_unit_test(functions_of_two_numbers_are_within_one_ulp),
        cmocka_unit_test(special_values_are_those_of_c),
        cmocka_unit_test(bits_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
