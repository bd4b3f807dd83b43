/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the columns of a run: docs/reference/run_log.md shows it, charts and shapes agree with it. */
#include "support/check.h"

#include <string.h>

#include "file/run.h"

/* The row of docs/reference/run_log.md about a column. */
static void make_row(AbutRunColumn column, char *out, size_t room) {
    static const char *const types[] = {
        [ABUT_ARRAY_F8] = "f8", [ABUT_ARRAY_F4] = "f4", [ABUT_ARRAY_I4] = "i4", [ABUT_ARRAY_I8] = "i8"};
    static const char *const rows[] = {[ABUT_RUN_PER_STEP] = "T",
        [ABUT_RUN_PER_BODY] = "T, N",
        [ABUT_RUN_PER_CONTACT] = "M",
        [ABUT_RUN_PER_VERTEX] = "V",
        [ABUT_RUN_PER_CONTACT_START] = "T + 1",
        [ABUT_RUN_PER_VERTEX_START] = "M + 1",
        [ABUT_RUN_PER_POSITION] = "T, Q",
        [ABUT_RUN_PER_VELOCITY] = "T, W",
        [ABUT_RUN_PER_ACTUATOR] = "T, U",
        [ABUT_RUN_PER_SENSOR] = "T, S",
        [ABUT_RUN_PER_ACTIVATION] = "T, A"};
    const AbutRunColumnInfo *about = abut_run_column_info(column);
    char width[16] = "";
    if (about->width) snprintf(width, sizeof width, ", %d", about->width);
    snprintf(out, room, "| `%s` | %s [%s%s] | %s | %s |\n", about->name, types[about->type], rows[about->row], width,
        about->unit, about->text);
}

static char *read_doc(void) {
    FILE *file = fopen(ABUT_SOURCE_DIR "/docs/reference/run_log.md", "rb");
    assert_non_null(file);
    char *text = calloc(1 << 16, 1);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 1000);
    fclose(file);
    return text;
}

static void the_document_shows_the_table(void **state) {
    (void)state;
    char *text = read_doc();
    int missing = 0;
    for (int i = 0; i < ABUT_RUN_COLUMN_COUNT; ++i) {
        char row[400];
        make_row((AbutRunColumn)i, row, sizeof row);
        if (!strstr(text, row)) {
            print_error("docs/reference/run_log.md must have the row\n%s", row);
            ++missing;
        }
    }
    free(text);
    assert_int_equal(missing, 0);
}

static void the_table_is_whole(void **state) {
    (void)state;
    AbutRunSize size = {5, 7, 11, 13, 17, 19, 23, 29, 31};
    for (int i = 0; i < ABUT_RUN_COLUMN_COUNT; ++i) {
        const AbutRunColumnInfo *about = abut_run_column_info((AbutRunColumn)i);
        AbutArray array = abut_run_array((AbutRunColumn)i, size);
        assert_true(about->name && about->unit && about->text && strlen(about->name) < ABUT_ARRAY_NAME);
        assert_true(array.dimensions >= 1 && array.shape[0] >= 5);
        assert_int_equal(about->chart.title != NULL, about->chart.scale > 0.0);
        int per_step = about->row == ABUT_RUN_PER_STEP || about->row >= ABUT_RUN_PER_POSITION;
        assert_true(!about->chart.title || (per_step && about->type != ABUT_ARRAY_I8));
        for (int k = 0; k < i; ++k) assert_string_not_equal(about->name, abut_run_column_info((AbutRunColumn)k)->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_shows_the_table), cmocka_unit_test(the_table_is_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
