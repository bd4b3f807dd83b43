/* SPDX-License-Identifier: Apache-2.0 */
/* CSV tables and SVG plots: quoting, digits, whole files only; ticks, ranges, thinning and numbers that are no numbers.
 */
#include "support/check.h"
#include "support/tool.h"

#include <stdlib.h>
#include <string.h>

#include "abut/picture.h"

static Tool tool;
static char path[400];

static char *read_back(void) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = calloc(1, 1000000);
    assert_non_null(text);
    size_t count = fread(text, 1, 999999, file);
    text[count] = 0;
    fclose(file);
    return text;
}

static void at(const char *name) { snprintf(path, sizeof path, "%s/%s", tool.folder, name); }

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void table_is_quoted(void **state) {
    (void)state;
    AbutCsv *csv;
    AbutError error;
    at("table.csv");
    assert_int_equal(abut_csv_open(path, "a,b,c", &csv, &error), ABUT_OK);
    abut_csv_text(csv, "plain");
    abut_csv_text(csv, "with, comma");
    abut_csv_text(csv, "a \"quote\"\nand a line");
    abut_csv_end_row(csv);
    abut_csv_number(csv, 0.1);
    abut_csv_integer(csv, -7);
    abut_csv_text(csv, "");
    abut_csv_end_row(csv);
    abut_csv_number(csv, 1.0);
    abut_csv_number(csv, NAN);
    abut_csv_number(csv, INFINITY);
    abut_csv_end_row(csv);
    abut_csv_comment(csv, "end");
    char *text = read_back(); /* not there before the commit */
    assert_null(text);
    assert_int_equal(abut_csv_commit(csv, &error), ABUT_OK);
    text = read_back();
    assert_string_equal(
        text, "a,b,c\nplain,\"with, comma\",\"a \"\"quote\"\"\nand a line\"\n0.1,-7,\n1,nan,inf\n# end\n");
    free(text);
}

static void numbers_keep_every_bit(void **state) {
    (void)state;
    AbutCsv *csv;
    AbutError error;
    AbutRng rng = abut_rng(1, 0);
    enum { COUNT = 1000 };
    double value[COUNT];
    at("bits.csv");
    assert_int_equal(abut_csv_open(path, "x", &csv, &error), ABUT_OK);
    for (int i = 0; i < COUNT; ++i) {
        value[i] = ldexp(abut_rng_between(&rng, -1, 1), (int)abut_rng_below(&rng, 1000) - 500);
        abut_csv_number(csv, value[i]);
        abut_csv_end_row(csv);
    }
    assert_int_equal(abut_csv_commit(csv, &error), ABUT_OK);
    char *text = read_back(), *here = text + 2;
    for (int i = 0; i < COUNT; ++i) {
        assert_true(strtod(here, &here) == value[i]);
        ++here;
    }
    free(text);
}

static void canceled_and_unwritable(void **state) {
    (void)state;
    AbutCsv *csv;
    AbutError error;
    at("gone.csv");
    assert_int_equal(abut_csv_open(path, "x", &csv, &error), ABUT_OK);
    abut_csv_cancel(csv);
    abut_csv_cancel(NULL);
    assert_null(read_back());
    assert_int_equal(tool_run(&tool, "sh", "-c 'ls gone*'") != 0, 1);
    at("no/such/folder.csv");
    assert_int_equal(abut_csv_open(path, "x", &csv, &error), ABUT_ERROR_FILE);
    assert_null(csv);
    assert_non_null(strstr(error.text, "folder.csv"));
    assert_int_equal(abut_file_write(path, "x", 1, &error), ABUT_ERROR_FILE);
    at("whole.txt");
    assert_int_equal(abut_file_write(path, "two\nlines\n", 10, &error), ABUT_OK);
    char *text = read_back();
    assert_string_equal(text, "two\nlines\n");
    free(text);
}

/* ---- plots ------------------------------------------------------------------------------------------------------- */

static char *plot_of(const AbutPlot *plot) {
    AbutError error;
    at("plot.svg");
    assert_int_equal(abut_plot_write_svg(path, plot, &error), ABUT_OK);
    char *text = read_back();
    assert_non_null(text);
    assert_int_equal(strncmp(text, "<svg ", 5), 0);
    assert_non_null(strstr(text, "</svg>\n"));
    assert_null(strstr(text, "=\"nan"));
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, ">-0<"));
    return text;
}

static int count_of(const char *text, const char *what) {
    int count = 0;
    for (; (text = strstr(text, what)); ++text) ++count;
    return count;
}

static void plot_has_ticks_and_legend(void **state) {
    (void)state;
    const double x[] = {0, 1, 2, 3}, y[] = {0.1, 0.3, 0.2, 0.4}, z[] = {1, 10, 100, 1000};
    AbutPlotSeries series[] = {{"a < b & c", x, y, 4, 1, 0}, {"second", x, z, 4, 0, 0x123456}};
    AbutPlot plot = abut_plot_default();
    plot.title = "Title";
    plot.x_label = "time, s";
    plot.series = series;
    plot.series_count = 1;
    char *text = plot_of(&plot);
    assert_non_null(strstr(text, ">Title<"));
    assert_non_null(strstr(text, ">time, s<"));
    assert_non_null(strstr(text, ">a &lt; b &amp; c<"));
    assert_non_null(strstr(text, ">0.5<"));
    assert_non_null(strstr(text, ">0.3<")); /* not 0.30000000000000004 */
    assert_int_equal(count_of(text, "<circle"), 4);
    free(text);
    plot.series_count = 2;
    plot.log_y = 1;
    text = plot_of(&plot);
    assert_non_null(strstr(text, ">0.1<"));
    assert_non_null(strstr(text, ">1000<"));
    assert_non_null(strstr(text, "#123456"));
    free(text);
}

/* The pixels of a known range: 0 .. 10 over the frame from x = 84 to 736, y = 384 to 64. */
static void points_are_where_they_belong(void **state) {
    (void)state;
    const double x[] = {0, 5, 10}, y[] = {0, 10, 5};
    AbutPlotSeries series = {"s", x, y, 3, 0, 0};
    AbutPlot plot = abut_plot_default();
    plot.series = &series;
    plot.series_count = 1;
    plot.x_max = plot.y_max = 10;
    char *text = plot_of(&plot);
    assert_non_null(strstr(text, "d=\"M84 384h0L410 64 736 224\""));
    free(text);
}

static void long_series_are_thinned(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    double *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
    assert_true(x && y);
    for (int i = 0; i < COUNT; ++i) {
        x[i] = i;
        y[i] = i == 123456 ? 50.0 : sin(0.1 * i); /* one spike, which must stay */
    }
    AbutPlotSeries series = {"s", x, y, COUNT, 0, 0};
    AbutPlot plot = abut_plot_default();
    plot.series = &series;
    plot.series_count = 1;
    plot.y_min = -50;
    plot.y_max = 50;
    char *text = plot_of(&plot);
    CHECK(strlen(text) < 150000);
    assert_non_null(strstr(text, " 64")); /* the spike reaches the top */
    free(text);
    free(x);
    free(y);
}

static void odd_data_is_plotted(void **state) {
    (void)state;
    static const double sets[][4] = {{NAN, NAN, NAN, NAN}, {INFINITY, -INFINITY, 1, 2}, {5, 5, 5, 5}, {0, 0, 0, 0},
        {-1, -2, 0, -3}, {1e308, -1e308, 1e-308, 0}, {1e-320, 2e-320, 3e-320, 0}, {1, NAN, 2, NAN},
        {1e15, 1e15 + 1, 1e15 + 2, 1e15 + 3}};
    int cases = 0;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; ++i)
        for (size_t j = 0; j < sizeof sets / sizeof sets[0]; ++j)
            for (int log = 0; log < 4; ++log) {
                AbutPlotSeries series = {"s", sets[i], sets[j], 4, 1, 0};
                AbutPlot plot = abut_plot_default();
                plot.series = &series;
                plot.series_count = 1;
                plot.log_x = log & 1;
                plot.log_y = log >> 1;
                free(plot_of(&plot));
                ++cases;
            }
    assert_int_equal(cases, 324);
    AbutPlot empty = abut_plot_default();
    free(plot_of(&empty));
    empty.title = empty.x_label = empty.y_label = NULL;
    free(plot_of(&empty));
    AbutError error;
    empty.width = 10;
    assert_int_equal(abut_plot_write_svg(path, &empty, &error), ABUT_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_quoted),
        cmocka_unit_test(numbers_keep_every_bit),
        cmocka_unit_test(canceled_and_unwritable),
        cmocka_unit_test(plot_has_ticks_and_legend),
        cmocka_unit_test(points_are_where_they_belong),
        cmocka_unit_test(long_series_are_thinned),
        cmocka_unit_test(odd_data_is_plotted),
    };
    tool = tool_open();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tool_close(&tool);
    return failed;
}
