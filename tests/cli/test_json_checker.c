/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON checker of these tests accepts what is JSON and refuses what is not. */
#include "support/check.h"
#include "support/json.h"

static void accepts_and_refuses(void **state) {
    (void)state;
    static const char *const good[] = {"0", " -1.5e-3 ", "\"a\\\\c\\u00e9\\\"\"", "[]", "{}", "[1, 2, [3]]",
        "{\"a\": {\"b\": null}, \"c\": [true, false]}\n"};
    static const char *const bad[] = {"", "nan", "01", "1.", ".5", "+1", "1e", "\"a", "\"\\x\"", "\"\\u12g4\"",
        "\"a\nb\"", "[1,]", "[1 2]", "{\"a\" 1}", "{\"a\": 1,}", "{a: 1}", "{\"a\": 1, \"a\": 2}", "1 2", "[",
        "{\"a\":", "tru", "\"\\"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
        if (!json_valid(good[i])) fail_msg("refused %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        if (json_valid(bad[i])) fail_msg("accepted %s", bad[i]);
}

static void finds_values(void **state) {
    (void)state;
    const char *text = "{\"a\": {\"b\": [1, {\"c\": -2.5}]}, \"d\": \"x\", \"e\": true}";
    CHECK_NEAR(json_number(text, "a.b.1.c"), -2.5, 0);
    CHECK(isnan(json_number(text, "a.b.2")) && isnan(json_number(text, "d")));
    assert_true(json_is(text, "d", "\"x\"") && json_is(text, "e", "true") && !json_is(text, "e", "false"));
    assert_int_equal(json_count(text, "a.b"), 2);
    assert_int_equal(json_count(text, ""), 3);
    assert_int_equal(json_count(text, "d"), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(accepts_and_refuses), cmocka_unit_test(finds_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
