/* SPDX-License-Identifier: Apache-2.0 */
/* abut reproduce: the files of the quick run, what they show, bad input. */
#include "support/cli.h"

#include <stdlib.h>
#include <string.h>

static void quick_run_writes_all(void **state) {
    (void)state;
    static const struct {
        const char *name, *begins;
        int lines;
    } tables[] = {
        {"all/volumetric/figure4.csv", "t,\"point, bare\",\"point, with margin\"\n", 2001},
        {"all/volumetric/figure5.csv", "t,\"vol, bare\",\"vol, with margin\"\n", 2001},
        {"all/volumetric/figure6.csv", "t,\"vol, 10 iterations\",\"vol, 100 iterations\",\"direct\"\n", 100},
        {"all/volumetric/figure8.csv", "n,model,contacts,us_per_step,us_solve\n", 7},
    };
    static const char *const plots[] = {"all/volumetric/figure4.svg", "all/volumetric/figure5.svg",
        "all/volumetric/figure6.svg", "all/volumetric/figure8.svg"};
    for (int i = 0; i < 4; ++i) {
        char *text = tool_text(&tool, tables[i].name);
        assert_non_null(text);
        assert_int_equal(strncmp(text, tables[i].begins, strlen(tables[i].begins)), 0);
        CHECK(lines_of(text) >= tables[i].lines);
        free(text);
        text = tool_text(&tool, plots[i]);
        assert_non_null(text);
        assert_int_equal(strncmp(text, "<svg ", 5), 0);
        assert_non_null(strstr(text, "</svg>\n"));
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        free(text);
    }
    char *text = tool_text(&tool, "all/volumetric/summary.md");
    assert_non_null(text);
    assert_non_null(strstr(text, "| vol, 10 iterations | 0.43"));
    assert_non_null(strstr(text, "Not reproducible as printed"));
    const char *paper = strstr(text, "| paper, 10 iterations |");
    assert_non_null(paper);
    assert_non_null(strstr(paper, "blows up"));
    assert_null(strstr(text, "nan"));
    free(text);
    assert_int_equal(tool_run(&tool, "sh", "-c 'ls all/*.part all/*/*.part'") != 0, 1);
}

static void methods_of_clearance_are_compared(void **state) {
    (void)state;
    char *text = tool_text(&tool, "all/mcd/mcd.csv");
    assert_non_null(text);
    assert_int_equal(strncmp(text, "set,motion,method,ub,error,certified,distances,seconds\n", 55), 0);
    assert_non_null(strstr(text, "as-thesis"));
    assert_int_equal(lines_of(text), 1 + 9 * (20 + 4 + 2 + 2) + 3 * 1);
    free(text);
    char *planning = tool_text(&tool, "all/planning/summary.md");
    assert_non_null(planning);
    assert_non_null(strstr(planning, "| twist | certified | 1 of 1 |"));
    assert_non_null(strstr(planning, "| capsules | gss | 0.74 |"));
    free(planning);
    text = tool_text(&tool, "all/mcd/summary.md");
    assert_non_null(text);
    assert_non_null(strstr(text, "| capsules | front | 20 | 20 | 0 |"));
    assert_non_null(strstr(text, "| capsules | sampling | 20 | 20 | 0 |"));
    assert_non_null(strstr(text, "| capsules | gss | 20 | 0 |"));
    assert_non_null(strstr(text, "| ball in its socket | front | 1 | 1 | 0 |"));
    assert_non_null(strstr(text, "- capsules: "));
    assert_non_null(strstr(text, " times fewer distances"));
    assert_non_null(strstr(text, "| 3.475 to 4.170 | 0.5557 to 0.5561 | 0.5561 | 0.5561 | 0.5561 | 0.5142 |"));
    assert_null(strstr(text, "nan"));
    free(text);
    static const char *const pictures[3] = {"all/mcd/golden.svg", "all/mcd/methods.svg", "all/mcd/approximated.svg"};
    for (int i = 0; i < 3; ++i) {
        text = tool_text(&tool, pictures[i]);
        assert_true(text && strncmp(text, "<svg ", 5) == 0 && !strstr(text, "nan"));
        free(text);
    }
}

static void depths_are_compared(void **state) {
    (void)state;
    char *text = tool_text(&tool, "all/depth/depth.csv");
    assert_non_null(text);
    assert_int_equal(strncmp(text, "pair,frame,method,depth,verified,seconds\n", 41), 0);
    assert_non_null(strstr(text, "\"sweep, coherent\""));
    assert_true(lines_of(text) % 4 == 1 && lines_of(text) > 40);
    free(text);
    text = tool_text(&tool, "all/depth/summary.md");
    assert_non_null(text);
    assert_non_null(strstr(text, "| cup / finger | 200 | classic |"));
    assert_null(strstr(text, "nan"));
    free(text);
}

static void directions_are_compared(void **state) {
    (void)state;
    char *text = tool_text(&tool, "all/phong/phong.csv");
    assert_non_null(text);
    assert_int_equal(strncmp(text, "pair,method,t,found,distance,ux,uy,uz\n", 38), 0);
    assert_int_equal(lines_of(text), 1 + 4 * 3 * 17);
    free(text);
    text = tool_text(&tool, "all/phong/summary.md");
    assert_non_null(text);
    assert_non_null(strstr(text, "| cone/axis | soft |"));
    assert_non_null(strstr(text, "| torus/torus | phong |"));
    double phong, soft;
    const char *theorem = strstr(text, "the Phong direction changes by **");
    assert_non_null(theorem);
    assert_int_equal(sscanf(theorem, "the Phong direction changes by **%lf", &phong), 1);
    assert_int_equal(sscanf(strstr(theorem, "the soft one by "), "the soft one by %lf", &soft), 1);
    CHECK(phong > 1.0 && soft < 1e-3);
    assert_null(strstr(text, "nan"));
    free(text);
    text = tool_text(&tool, "all/phong/turn4.svg");
    assert_true(text && strncmp(text, "<svg ", 5) == 0);
    free(text);
}

static void intersections_are_compared(void **state) {
    (void)state;
    char *text = tool_text(&tool, "all/intersection/table.csv");
    assert_non_null(text);
    assert_int_equal(strncmp(text, "rows_a,rows_b,instances,meeting,", 32), 0);
    assert_int_equal(lines_of(text), 1 + 3 * 3);
    free(text);
    text = tool_text(&tool, "all/intersection/summary.md");
    assert_non_null(text);
    assert_non_null(strstr(text, "| 80, 80 |"));
    assert_non_null(strstr(text, "(0, 0, -2) of A and (-0.5, 0.5, 0.5) of B"));
    assert_non_null(strstr(text, "As printed the answer is **no**"));
    assert_null(strstr(text, "Not as printed"));
    free(text);
}

/* A page that needs no other file, with all pictures and tables of the summaries. */
static void page_holds_all(const char *file, int pictures, const char *words) {
    char *text = tool_text(&tool, file);
    assert_non_null(text);
    int found = 0;
    for (const char *at = text; (at = strstr(at, "<img alt=")) != NULL; ++at) ++found;
    assert_int_equal(found, pictures);
    assert_true(
        has(text, "src=\"data:image/") && !strstr(text, "src=\"http") && !strstr(text, "![") && has(text, words));
    assert_true(has(text, "<strong>Published</strong>") && has(text, "</html>"));
    free(text);
}

static void pages(void **state) {
    (void)state;
    page_holds_all("all/volumetric/index.html", 6, "<th>peak force</th>");
    page_holds_all("all/index.html", 21, "<a href=\"#modes-1\">Contact modes: published, true and measured</a>");
    page_holds_all("all/index.html", 21, "<strong>9945</strong>");
    char *text = tool_text(&tool, "all/volumetric/figure7.png");
    assert_true(text && memcmp(text, "\x89PNG", 4) == 0);
    free(text);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "reproduce intersection --quick -o meet"), 0);
    assert_true(has(tool.out, "meet/index.html"));
}

/* Counts as proved, and a velocity for every mode that was looked at. */
static void modes_have_velocities(void **state) {
    (void)state;
    char *text = tool_text(&tool, "all/modes/summary.md");
    assert_non_null(text);
    assert_true(has(text, "| 196 | 196 | 196 | 196 | 196 | 196 of 196 |"));
    assert_true(has(text, "| **9945** | 9996 | 9996 | 9996 | 9996 | 2000 of 2000 |"));
    free(text);
}

/* Wrong published numbers whose cause is known come out as published; the others are said not to be explained. */
static void published_faults_are_repeated(void **state) {
    (void)state;
    char *text = tool_text(&tool, "all/modes/summary.md");
    assert_non_null(text);
    assert_true(has(text, "| box-1 | 196 | 196 | 196 | the published number is right |"));
    assert_true(has(text, "| box-2 | **764** | 228 | 274 | cause not known |"));
    assert_true(has(text, "| box-3 | **2386** | 136 | 253 | cause not known |"));
    assert_true(has(text, "| box-4 | **12** | 10 | 12 | cause known: the published number |"));
    assert_true(has(text, "| box-5 | 2 | 2 | 2 | the published number is right |"));
    assert_true(has(text, "| peg-in-hole-8 | 9 | 9 | 9 | the published number is right |"));
    assert_true(has(text, "| box-box-1 | **9945** | 9996 | 9945 | cause known: the published number |"));
    assert_true(has(text, "| box-box-2 | **168746** | 29046 | 51017 | cause not known |"));
    free(text);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "reproduce depth --as-printed"), 2);
    assert_non_null(strstr(tool.err, "--as-printed is for modes and all, not depth"));
}

static void bad_input_is_named(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "reproduce"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "reproduce other"), 2);
    assert_non_null(strstr(tool.err, "volumetric"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "reproduce volumetric --quick -o no/such/folder"), 2);
    assert_non_null(strstr(tool.err, "no/such/folder"));
    tool_file(&tool, "file", "x");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "reproduce volumetric --quick -o file"), 2);
    assert_non_null(strstr(tool.err, "not a folder"));
}

/* All papers once: the tests look at what is there then. */
static int run_all(void **state) {
    open_tool(state);
    return tool_run(&tool, ABUT_CLI, "reproduce all --quick --as-printed -o all");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quick_run_writes_all),
        cmocka_unit_test(methods_of_clearance_are_compared),
        cmocka_unit_test(depths_are_compared),
        cmocka_unit_test(directions_are_compared),
        cmocka_unit_test(intersections_are_compared),
        cmocka_unit_test(modes_have_velocities),
        cmocka_unit_test(published_faults_are_repeated),
        cmocka_unit_test(pages),
        cmocka_unit_test(bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, run_all, close_tool);
}
