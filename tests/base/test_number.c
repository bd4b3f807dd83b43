/* SPDX-License-Identifier: Apache-2.0 */
/* io: decimal text to double and back, against the C library in the C locale. */
#include "abut/file.h"
#include "base/number.h"
#include "support/check.h"

#include <float.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static int same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static double random_double(AbutRng *rng) {
    for (;;) {
        uint64_t bits = abut_rng_u64(rng);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) return value;
    }
}

/* Our reading of `text` must be strtod's, or not finite where strtod overflows. */
static void agrees_with_strtod(const char *text) {
    double expected = strtod(text, NULL), got = -1.0;
    const char *at = text;
    AbutNumber kind = abut_parse_double(&at, text + strlen(text), &got);
    if (isinf(expected)) {
        assert_int_equal(kind, ABUT_NUMBER_NOT_FINITE);
        return;
    }
    if (kind != ABUT_NUMBER_OK || !same_bits(got, expected))
        fail_msg("'%.60s': kind %d, %a instead of %a", text, kind, got, expected);
    assert_ptr_equal(at, text + strlen(text));
}

static void hard_decimals_are_rounded_right(void **state) {
    (void)state;
    static const char *const texts[] = {"0", "-0", "+1", ".5", "5.", "1e0", "1E+2", "00012.50", "9007199254740993",
        "9007199254740992.5", "9007199254740993.00000000000000000000000000000000001", "0.1", "0.3",
        "123456789012345678", "1e22", "1e23", "2.2250738585072011e-308", "2.2250738585072012e-308",
        "2.2250738585072014e-308", "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
        "2.47e-324", "1e-400", "1e-999999999999999999999", "0e999999", "1.7976931348623157e308",
        "1.7976931348623158e308", "1.7976931348623159e308", "1e308", "1e309", "1e999",
        "179769313486231580793728971405301e276", "6.02214076e23", "8.5e-19", "18446744073709551615",
        "18446744073709551616e1", "9999999999999999999e19", "9999999999999999999e-19", "1e-19", "1e19",
        "0.000000000000000000000000000000000001", "7.2057594037927933e+16",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000e-80"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) agrees_with_strtod(texts[i]);
}

static void random_decimals_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(11, 0);
    int cases = check_cases(400000);
    for (int i = 0; i < cases; ++i) {
        char text[128];
        double value =
            i % 2 ? random_double(&rng) : abut_rng_normal(&rng) * pow(10.0, abut_rng_between(&rng, -6.0, 6.0));
        snprintf(text, sizeof text, "%.*e", (int)abut_rng_below(&rng, 30), value);
        agrees_with_strtod(text);
        if (fabs(value) < 1e9) {
            snprintf(text, sizeof text, "%.*f", (int)abut_rng_below(&rng, 25), value);
            agrees_with_strtod(text);
        }
    }
}

/* The exact middle between two neighbors, and a last digit more or less: the hardest decimals there are. */
static void midpoints_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(12, 0);
    int cases = check_cases(2000);
    for (int i = 0; i < cases; ++i) {
        double a = fabs(random_double(&rng)), b = nextafter(a, INFINITY);
        if (i % 4 == 0) a = ldexp((double)abut_rng_below(&rng, 1000), -1074), b = nextafter(a, INFINITY);
        if (isinf(b) || sizeof(long double) <= sizeof(double)) continue;
        char text[1600];
        int n = snprintf(text, sizeof text, "%.1150Lf", ((long double)a + (long double)b) / 2);
        assert_true(n > 0 && n < (int)sizeof text);
        agrees_with_strtod(text);
        text[n - 1] = '1';
        agrees_with_strtod(text);
    }
}

static void very_long_numbers_agree(void **state) {
    (void)state;
    static char text[20100];
    memset(text, '0', sizeof text);
    text[1] = '.', text[20000] = '7';
    strcpy(text + 20001, "e20000");
    agrees_with_strtod(text);
    memset(text, '3', 20000);
    strcpy(text + 20000, "e-19990");
    agrees_with_strtod(text);
    strcpy(text, "9007199254740993");
    memset(text + 16, '0', 10000);
    strcpy(text + 10016, "1e-10001");
    agrees_with_strtod(text);
}

static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const char *const none[] = {"", "-", "+", ".", "-.", "e5", "abc", "1e", "1e+", "--1", " 1"};
    static const char *const infinite[] = {
        "nan", "NaN", "-nan(ind)", "inf", "+Infinity", "1.#QNAN", "-1.#IND", "1e309"};
    double value;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i) {
        const char *at = none[i];
        assert_int_equal(abut_parse_double(&at, at + strlen(at), &value), ABUT_NUMBER_NONE);
        assert_ptr_equal(at, none[i]);
    }
    for (size_t i = 0; i < sizeof infinite / sizeof infinite[0]; ++i) {
        const char *at = infinite[i];
        assert_int_equal(abut_parse_double(&at, at + strlen(at), &value), ABUT_NUMBER_NOT_FINITE);
    }
}

static void integers_are_cut_to_a_range(void **state) {
    (void)state;
    const char *text = "-12/", *at = text;
    int64_t value;
    assert_int_equal(abut_parse_integer(&at, text + 4, &value), ABUT_NUMBER_OK);
    assert_int_equal(value, -12);
    assert_ptr_equal(at, text + 3);
    text = at = "99999999999999999999999999999999999999999999";
    assert_int_equal(abut_parse_integer(&at, text + strlen(text), &value), ABUT_NUMBER_OK);
    assert_true(value == INT64_C(100000000000000000));
    assert_int_equal(abut_parse_integer(&at, at, &value), ABUT_NUMBER_NONE);
}

static void shortest_text_reads_back(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } known[] = {{0.0, "0"}, {-0.0, "-0"}, {0.1, "0.1"}, {1.0 / 3.0, "0.3333333333333333"}, {-42.0, "-42"},
        {1e-7, "1e-07"}, {1e300, "1e+300"}, {5e-324, "5e-324"}, {DBL_MAX, "1.7976931348623157e+308"}, {INFINITY, "inf"},
        {-INFINITY, "-inf"}, {NAN, "nan"}, {123456789.0, "123456789"}, {0.30000000000000004, "0.30000000000000004"}};
    char text[ABUT_DOUBLE_TEXT];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        assert_int_equal(abut_format_double(text, sizeof text, known[i].value), (int)strlen(known[i].text));
        assert_string_equal(text, known[i].text);
    }
    AbutRng rng = abut_rng(13, 0);
    int cases = check_cases(100000), longest = 0;
    for (int i = 0; i < cases; ++i) {
        double value = i % 3 ? random_double(&rng) : abut_rng_normal(&rng);
        int n = abut_format_double(text, sizeof text, value);
        longest = n > longest ? n : longest;
        assert_true(same_bits(strtod(text, NULL), value));
    }
    assert_true(longest < ABUT_DOUBLE_TEXT);
    assert_int_equal(abut_format_double(text, 3, 0.125), 5);
    assert_string_equal(text, "0.");
}

static void locale_changes_nothing(void **state) {
    (void)state;
    static const char *const names[] = {
        "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8", "it_IT.UTF-8"};
    int found = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; ++i)
        found = setlocale(LC_NUMERIC, names[i]) != NULL && strcmp(localeconv()->decimal_point, ",") == 0;
    if (!found) {
        setlocale(LC_NUMERIC, "C");
        print_message("no locale with a decimal comma is here\n");
        skip();
    }
    char text[ABUT_DOUBLE_TEXT];
    double value = 0.0;
    abut_format_double(text, sizeof text, 0.1);
    const char *at = "2.5", *wide = "1.2345678901234567890123e-30";
    AbutNumber kind = abut_parse_double(&at, at + 3, &value);
    double slow = 0.0;
    abut_parse_double(&wide, wide + strlen(wide), &slow);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "0.1");
    assert_int_equal(kind, ABUT_NUMBER_OK);
    assert_true(value == 2.5 && slow == 1.2345678901234567890123e-30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_decimals_are_rounded_right),
        cmocka_unit_test(random_decimals_agree),
        cmocka_unit_test(midpoints_agree),
        cmocka_unit_test(very_long_numbers_agree),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(integers_are_cut_to_a_range),
        cmocka_unit_test(shortest_text_reads_back),
        cmocka_unit_test(locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
