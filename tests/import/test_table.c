/* SPDX-License-Identifier: Apache-2.0 */
/* docs/howto/robots.md holds the table of the readers, row by row; a row that is missing is printed. States are read.
 */
#include "support/check.h"

#include <string.h>

#include "abut/import.h"
#include "support/random_trees.h"
#include "support/tree_of.h"

static void test_documented(void **state) {
    (void)state;
    char *page, row[1200], attributes[800];
    size_t size;
    int count, missing = 0;
    AbutError error = {0};
    good(abut_file_load(ABUT_SOURCE_DIR "/docs/howto/robots.md", "text", 1 << 20, &page, &size, &error), &error);
    page[size - 1] = 0;
    const AbutImportRow *rows = abut_import_table(&count);
    for (int i = 0; i < count; ++i) {
        snprintf(attributes, sizeof attributes, "%s%s%s", *rows[i].attributes ? "`" : "", rows[i].attributes,
            *rows[i].attributes ? "`" : "");
        for (char *p; (p = strchr(attributes, ' '));) { /* a b: `a`, `b` */
            memmove(p + 4, p + 1, strlen(p + 1) + 1);
            memcpy(p, "`,\x01`", 4);
        }
        for (char *p = attributes; *p; ++p) *p = *p == '\x01' ? ' ' : *p;
        snprintf(row, sizeof row, "| %s | `%s` | %s | %s |", rows[i].format, rows[i].element, attributes, rows[i].note);
        if (!strstr(page, row)) {
            print_error("%s\n", row);
            ++missing;
        }
    }
    abut_free(page);
    assert_int_equal(missing, 0);
    assert_true(count > 30);
}

static void refuse(AbutConfiguration *c, const char *text, const char *part) {
    AbutError error = {0};
    assert_int_not_equal(abut_state_read("s.json", text, strlen(text), c, &error), ABUT_OK);
    if (!strstr(error.text, part)) fail_msg("%s gave '%s'", text, error.text);
}

static void test_states(void **state) {
    (void)state;
    AbutModel *model = hinge_chain(2);
    AbutConfiguration *c;
    AbutError error = {0};
    const char *good_text = "{\"qpos\": [1, -2], \"qvel\": [3, 4]}";
    good(configuration_of(model, &c, &error), &error);
    good(abut_state_read("s.json", good_text, strlen(good_text), c, &error), &error);
    CHECK_NEAR(abut_configuration_positions(c)[1], -2.0, 0);
    CHECK_NEAR(abut_configuration_velocities(c)[0], 3.0, 0);
    refuse(c, "{\"qpos\": [1]}", "qpos: expected 2 numbers, got 1 values");
    refuse(c, "{\"qpos\": [1, 2, 3]}", "2 numbers");
    refuse(c, "{\"qpos\": \"x\"}", "qpos: expected 2 numbers, got a string");
    refuse(c, "{\"qpos\": [1, true]}", "expected a number, got");
    refuse(c, "{\"qpos\": [1, 2], \"qvel\": [1]}", "qvel");
    refuse(c, "{\"qpos\": [1, 2], \"qvek\": [1, 2]}", "did you mean");
    refuse(c, "{\"qvel\": [1, 2]}", "expected an object with qpos");
    refuse(c, "[1, 2]", "expected an object with qpos");
    refuse(c, "{", "");
    assert_int_equal(abut_state_read("/nowhere/s.json", NULL, 0, c, &error), ABUT_ERROR_FILE);
    CHECK_NEAR(abut_configuration_positions(c)[1], -2.0, 0);
    abut_configuration_free(c);
    abut_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_documented), cmocka_unit_test(test_states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
