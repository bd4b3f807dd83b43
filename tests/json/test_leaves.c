/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a JSON text one after the other: paths, texts as they stand, long arrays, bad texts. */
#include <string.h>

#include "abut/json.h"
#include "support/check.h"

static char told[2000];

static void note(const AbutJsonLeaf *leaf, void *user) {
    int *calls = user;
    char line[600];
    snprintf(line, sizeof line, "%s=%.*s%s%d;", leaf->path, (int)leaf->count, leaf->text, leaf->is_string ? "s" : ":",
        leaf->elements);
    strncat(told, line, sizeof told - strlen(told) - 1);
    ++*calls;
}

static AbutStatus leaves(const char *text, int longest, int *calls, AbutError *error) {
    told[0] = 0;
    *calls = 0;
    return abut_json_leaves(text, strlen(text), "x.json", longest, note, calls, error);
}

static void values(void **state) {
    (void)state;
    int calls;
    assert_int_equal(leaves("{\"a\": 1.50, \"b\": {\"c\": [true, null, \"x\\n,\"]}, \"d\": [1, 2, 3, 4], \"e\": []}", 3,
                         &calls, NULL),
        ABUT_OK);
    assert_string_equal(told, "a=1.50:-1;b.c.0=true:-1;b.c.1=:-1;b.c.2=x\n,s-1;d=:4;");
    assert_int_equal(calls, 5);
    assert_int_equal(leaves(" -0e5 ", 3, &calls, NULL), ABUT_OK);
    assert_string_equal(told, "=-0e5:-1;");
}

static void bad_texts(void **state) {
    (void)state;
    static const char *const bad[] = {"", "{", "[1,]", "{\"a\": 1, \"a\": 2}", "[1e999]", "nul"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        AbutError error;
        int calls;
        assert_int_not_equal(leaves(bad[i], 3, &calls, &error), ABUT_OK);
        assert_non_null(strstr(error.text, "x.json"));
        assert_int_equal(calls, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bad_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
