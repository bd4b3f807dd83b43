/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases that users of other libraries reported, asked of the tool as a user would: cases.tsv has a command and what
 * must hold of its answer in each row. Conditions are joined by "; ": status N          the exit status; 0 where no row
 * says otherwise PATH is WORD      text or truth value of the JSON answer; "unit": a vector of length 1 PATH = X ~ E a
 * number within E of X PATH < X, PATH > X A path names members and elements, as normal.0; elements of `final` by the
 * name of the body, as final.ball.velocity.0.
 */
#include "support/cli.h"

#define COLUMNS 5
#define LINE 2000

typedef struct Case {
    char line[LINE];
    char *column[COLUMNS]; /* name, source, command, conditions, what went wrong elsewhere */
} Case;

static int read_case(FILE *file, Case *c) {
    do
        if (!fgets(c->line, sizeof c->line, file)) return 0;
    while (c->line[0] == '#');
    char *at = c->line;
    at[strcspn(at, "\n")] = 0;
    for (int i = 0; i < COLUMNS; ++i) {
        c->column[i] = at;
        at += strcspn(at, "\t");
        if ((*at == 0) != (i == COLUMNS - 1)) fail_msg("expected %d columns, got another number: %s", COLUMNS, c->line);
        *at++ = 0;
    }
    return 1;
}

/* The path with the name of a body of `final` replaced by its place there. */
static const char *numbered(const char *path) {
    static char out[200];
    char name[100], rest[100];
    if (sscanf(path, "final.%99[^.].%99s", name, rest) != 2) return path;
    for (int i = 0; i < json_count(tool.out, "final"); ++i) {
        char at[40], quoted[104];
        snprintf(at, sizeof at, "final.%d.name", i);
        snprintf(quoted, sizeof quoted, "\"%s\"", name);
        if (json_is(tool.out, at, quoted)) {
            snprintf(out, sizeof out, "final.%d.%s", i, rest);
            return out;
        }
    }
    return path;
}

static int is_word(const char *path, const char *word) {
    char quoted[104];
    if (strcmp(word, "unit") == 0) return fabs(abut_length(json_vec3(path)) - 1.0) < 1e-12;
    snprintf(quoted, sizeof quoted, "\"%s\"", word);
    return json_is(tool.out, path, word) || json_is(tool.out, path, quoted);
}

static int holds(const char *condition) {
    char path[100], relation[4], value[60], tilde[4];
    double error = 0.0;
    int status, words = sscanf(condition, "%99s %3s %59s %3s %lf", path, relation, value, tilde, &error);
    if (sscanf(condition, "status %d", &status) == 1) return tool.status == status;
    assert_true(words == 3 || (words == 5 && strcmp(relation, "=") == 0 && strcmp(tilde, "~") == 0));
    if (strcmp(relation, "is") == 0) return is_word(path, value);
    double is = json_number(tool.out, numbered(path)), wanted = strtod(value, NULL);
    return *relation == '<' ? is < wanted : *relation == '>' ? is > wanted : words == 5 && fabs(is - wanted) <= error;
}

/* Number of conditions that do not hold; each is printed. */
static int faults_of(Case *c) {
    int faults = 0, says_status = strstr(c->column[3], "status ") || strstr(c->column[3], "is grazing");
    tool_run(&tool, ABUT_CLI, "%s", c->column[2]);
    if (!says_status && tool.status != 0)
        ++faults, print_error("%s (%s): exit status %d: %s\n", c->column[0], c->column[1], tool.status, tool.err);
    for (char *at = c->column[3], *next; at; at = next) {
        next = strstr(at, "; ");
        if (next) *next = 0, next += 2;
        if (!holds(at))
            ++faults, print_error("%s (%s): not true: %s, of\nabut %s\n%s", c->column[0], c->column[1], at,
                          c->column[2], tool.out);
    }
    return faults;
}

/* What a simulated row may allow is set by its step of 1e-3 s and gravity, not by runs: a place at rest 10 g dt^2, a
 * speed 2 g dt, a depth 10 g dt^2. 0: the condition allows more. */
static int is_tight(const char *condition) {
    const double g = 10.0, dt = 1e-3;
    char path[100], value[60];
    double error = 0.0;
    if (sscanf(condition, "max_depth < %lf", &error) == 1) return error <= 10.0 * g * dt * dt * (1.0 + 1e-9);
    if (sscanf(condition, "final.%99s = %59s ~ %lf", path, value, &error) != 3) return 1;
    return error <= (strstr(path, ".position.") ? 10.0 * g * dt * dt : 2.0 * g * dt) * (1.0 + 1e-9);
}

/* A row names its report as owner/repository#number; simulated ones allow no more than their step explains. */
static int row_faults(const Case *c) {
    char owner[100], repository[100], rest[2];
    int number, faults = 0;
    if (sscanf(c->column[1], "%99[^/]/%99[^#]#%d%1s", owner, repository, &number, rest) != 3 || number <= 0)
        ++faults, print_error("%s: expected owner/repository#number, got %s\n", c->column[0], c->column[1]);
    for (const char *at = c->column[3]; strncmp(c->column[2], "simulate", 8) == 0 && at; at = strstr(at, "; ")) {
        at += strncmp(at, "; ", 2) == 0 ? 2 : 0;
        if (!is_tight(at)) ++faults, print_error("%s allows more than its step explains: %s\n", c->column[0], at);
    }
    return faults;
}

static void reported_cases_are_right(void **state) {
    (void)state;
    int cases = 0, faults = 0;
    Case c;
    FILE *file = fopen(ABUT_SOURCE_DIR "/tests/corpus/cases.tsv", "r");
    assert_non_null(file);
    assert_int_equal(
        tool_run(&tool, "/bin/cp", "%s/tests/corpus/*.obj %s/tests/corpus/*.xml .", ABUT_SOURCE_DIR, ABUT_SOURCE_DIR),
        0);
    while (read_case(file, &c)) ++cases, faults += row_faults(&c), faults += faults_of(&c);
    fclose(file);
    assert_true(cases >= 60);
    assert_int_equal(faults, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reported_cases_are_right, open_tool, close_tool)};
    return cmocka_run_group_tests_name("corpus/cases", tests, NULL, NULL);
}
