/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean": the nearest known name, or none. */
#include "support/check.h"

static const struct {
    int number;
    const char *name;
} table[] = {{1, "boxes"}, {2, "stack"}, {3, "n_t"}, {4, "tangents"}, {5, "tangent_rows"}};

static const char *suggest(const char *word) { return abut_suggest(word, 5, &table[0].name, sizeof table[0]); }

static void near_names_are_found(void **state) {
    (void)state;
    assert_string_equal(suggest("boxs"), "boxes");
    assert_string_equal(suggest("satck"), "stack");
    assert_string_equal(suggest("nt"), "n_t");
    assert_string_equal(suggest("tangnt"), "tangents");
    assert_string_equal(suggest("tangent_"), "tangent_rows"); /* begins so */
}

static void commands_are_found(void **state) {
    (void)state;
    static const char *const names[] = {"info", "make", "intersect", "distance", "volume"};
    static const struct {
        const char *word, *near;
    } cases[] = {{"inof", "info"}, {"mkae", "make"}, {"inter", "intersect"}, {"dist", "distance"},
        {"volumes", "volume"}, {"distnace", "distance"}, {"x", ""}, {"help", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *near = abut_suggest(cases[i].word, 5, names, sizeof names[0]);
        assert_string_equal(near ? near : "", cases[i].near);
    }
}

static void far_words_have_none(void **state) {
    (void)state;
    assert_null(suggest("xyzzy"));
    assert_null(suggest(""));
    assert_null(suggest("a_word_that_is_longer_than_any_name_may_be_here"));
    assert_null(abut_suggest("boxes", 0, NULL, 0));
}

static void words_and_their_numbers(void **state) {
    (void)state;
    static const char *const words[] = {"clear", "contact", NULL};
    assert_string_equal(abut_word(words, 0), "clear");
    assert_string_equal(abut_word(words, 1), "contact");
    assert_string_equal(abut_word(words, 2), "unknown");
    assert_string_equal(abut_word(words, -1), "unknown");
    assert_int_equal(abut_word_find(words, "contact"), 1);
    assert_int_equal(abut_word_find(words, "contacts"), -1);
    assert_int_equal(abut_word_find(words, NULL), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_names_are_found),
        cmocka_unit_test(commands_are_found),
        cmocka_unit_test(far_words_have_none),
        cmocka_unit_test(words_and_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
