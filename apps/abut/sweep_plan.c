/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which command lines there are. In: the command as one text with {name} in it, values per name, perhaps a file of
 * cases. Out: the words of every case. The last variable changes fastest; the rows of the file change slowest.
 */
#include "sweep.h"

#include <string.h>

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/* One word from *text on, with quotes as a shell has them. */
static SweepText read_word(const char **text) {
    SweepText out = {0};
    char quote = 0;
    const char *c = *text;
    for (; *c && (quote || !is_space(*c)); ++c) {
        if (quote ? *c == quote : *c == '\'' || *c == '"')
            quote = quote ? 0 : *c;
        else
            sweep_text_add(&out, *c == '\\' && quote != '\'' && c[1] ? ++c : c, 1);
    }
    *text = c;
    if (quote) cli_error("the command has a quote that is not closed");
    return out;
}

void sweep_plan_command(SweepPlan *plan, const char *text) {
    for (;;) {
        while (is_space(*text)) ++text;
        if (!*text) break;
        SweepText word = read_word(&text);
        sweep_words_take(&plan->command, &word);
    }
    if (plan->command.count && strcmp(plan->command.word[0], "abut") == 0)
        cli_error("the command begins with the name of a command, as in \"simulate boxes:50\", without abut");
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static int is_name(const char *name) {
    return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")];
}

static SweepVariable *add_variable(SweepPlan *plan, const char *name) {
    for (int i = 0; i < plan->variable_count; ++i)
        if (strcmp(plan->variable[i].name, name) == 0) cli_error("%s is given values twice", name);
    if (strcmp(name, "case") == 0 || strcmp(name, "exit") == 0 || strcmp(name, "message") == 0)
        cli_error("'%s' is a column of the table: give the variable another name", name);
    if (!is_name(name)) cli_error("'%s' cannot be the name of a variable: letters, digits, - and _", name);
    if (plan->variable_count == SWEEP_VARIABLES_MAX) cli_error("more than %d variables", SWEEP_VARIABLES_MAX);
    SweepVariable *v = &plan->variable[plan->variable_count++];
    *v = (SweepVariable){.name = strcpy(cli_room(strlen(name), 1), name), .stride = 1};
    return v;
}

void sweep_plan_values(SweepPlan *plan, const char *name, const char *values) {
    sweep_values(name, values, &add_variable(plan, name)->value);
}

/* ---- a file of cases --------------------------------------------------------------------------------------------- */

/* One field from *at on, quotes as CSV has them; stops at its comma or the end of the line. */
static SweepText read_field(const char **at, const char *path, int line) {
    SweepText out = {0};
    const char *c = *at;
    int quoted = *c == '"';
    for (c += quoted; *c && (quoted || (*c != ',' && *c != '\n')); ++c) {
        if (quoted && *c == '"' && c[1] != '"')
            quoted = 0;
        else if (*c != '\r') {
            sweep_text_add(&out, c, 1);
            c += quoted && *c == '"';
        }
    }
    if (quoted) cli_error("%s:%d: a quote is not closed", path, line);
    *at = c;
    return out;
}

/* The fields of the line at *at, which moves behind it. */
static SweepWords read_row(const char **at, const char *path, int line) {
    SweepWords row = {0};
    for (;; ++*at) {
        SweepText field = read_field(at, path, line);
        sweep_words_take(&row, &field);
        if (**at != ',') break;
    }
    *at += **at == '\n';
    return row;
}

static int count_lines(const char *from, const char *to) {
    int lines = 0;
    for (; from < to; ++from) lines += *from == '\n';
    return lines;
}

/* The rows from `at` on, which is in that line of the file; a row takes more than one where a quote holds its end. */
static void read_rows(SweepPlan *plan, const char *path, const char *at, int line) {
    while (*at) {
        const char *begin = at;
        SweepWords row = read_row(&at, path, line);
        int empty = row.count == 1 && !*row.word[0];
        if (!empty && row.count != plan->file_count)
            cli_error("%s:%d: expected %d fields, got %d", path, line, plan->file_count, row.count);
        for (int i = 0; i < row.count && !empty; ++i)
            sweep_words_add(&plan->variable[i].value, row.word[i], strlen(row.word[i]));
        sweep_words_free(&row);
        line += count_lines(begin, at);
    }
    if (!plan->variable[0].value.count)
        cli_error("%s: no cases: expected a line of names and a line of values per case", path);
}

void sweep_plan_cases(SweepPlan *plan, const char *path) {
    static const char mark[] = "\xef\xbb\xbf";
    char *bytes;
    size_t count;
    SweepText text = {0};
    cli_need(abut_file_load(path, "cases", (size_t)1 << 30, &bytes, &count, &cli_why));
    size_t skip = count >= 3 && memcmp(bytes, mark, 3) == 0 ? 3 : 0;
    sweep_text_add(&text, bytes + skip, count - skip);
    const char *at = text.text;
    SweepWords names = read_row(&at, path, 1);
    for (int i = 0; i < names.count; ++i) add_variable(plan, names.word[i]);
    plan->file_count = plan->variable_count;
    read_rows(plan, path, at, 1 + count_lines(text.text, at));
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

const char *sweep_plan_value(const SweepPlan *plan, int variable, int64_t index) {
    const SweepVariable *v = &plan->variable[variable];
    return v->value.word[index / v->stride % v->value.count];
}

/* The variable whose {name} stands at `at`; -1: none. */
static int variable_at(const SweepPlan *plan, const char *at) {
    for (int i = 0; i < plan->variable_count; ++i) {
        size_t length = strlen(plan->variable[i].name);
        if (*at == '{' && strncmp(at + 1, plan->variable[i].name, length) == 0 && at[1 + length] == '}') return i;
    }
    return -1;
}

static void put_word(const SweepPlan *plan, const char *word, int64_t index, SweepText *out) {
    while (*word) {
        int v = variable_at(plan, word);
        const char *value = v < 0 ? word : sweep_plan_value(plan, v, index);
        sweep_text_add(out, value, v < 0 ? 1 : strlen(value));
        word += v < 0 ? 1 : strlen(plan->variable[v].name) + 2;
    }
}

static void add_option(SweepWords *words, const char *name, const char *value) {
    SweepText option = {0};
    sweep_text_put(&option, "--");
    sweep_text_put(&option, name);
    sweep_words_take(words, &option);
    if (value) sweep_words_add(words, value, strlen(value));
}

SweepWords sweep_plan_words(const SweepPlan *plan, int64_t index) {
    SweepWords words = {0};
    int json = 0;
    for (int i = 0; i < plan->command.count; ++i) {
        SweepText word = {0};
        put_word(plan, plan->command.word[i], index, &word);
        sweep_words_take(&words, &word);
        json |= strcmp(words.word[i], "--json") == 0;
    }
    for (int i = 0; i < plan->variable_count; ++i)
        if (!plan->variable[i].used) add_option(&words, plan->variable[i].name, sweep_plan_value(plan, i, index));
    if (!json) add_option(&words, "json", NULL);
    return words;
}

/* ---- closing ----------------------------------------------------------------------------------------------------- */

/* Marks the variables in the command; a {name} without values is an error. */
static void match_names(SweepPlan *plan) {
    for (int i = 0; i < plan->command.count; ++i)
        for (const char *at = plan->command.word[i]; (at = strchr(at, '{')) != NULL; ++at) {
            int v = variable_at(plan, at), length = (int)strcspn(at + 1, "{}");
            if (v >= 0)
                plan->variable[v].used = 1;
            else if (!at[1 + length])
                cli_error("'%s': a { that is not closed", plan->command.word[i]);
            else if (at[1 + length] == '}' && length > 0)
                cli_error(
                    "{%.*s} stands in the command, but has no values: give --%.*s", length, at + 1, length, at + 1);
        }
}

/* The file behind an option that writes one, as "--html FILE" or "--html=FILE"; NULL: word `i` is no such option. */
static const char *output_at(const SweepWords *words, int i) {
    static const char *const outputs[] = {"-o", "--output", "--html", "--contacts", "--curve", "--csv", "--cert",
        "--lattice", "--joints", "--picture", "--capsules"};
    const char *word = words->word[i];
    size_t length = strcspn(word, "=");
    for (size_t k = 0; k < sizeof outputs / sizeof outputs[0]; ++k)
        if (strlen(outputs[k]) == length && strncmp(word, outputs[k], length) == 0)
            return word[length] ? word + length + 1 : words->word[i + 1];
    return NULL;
}

/* Does the name hold every variable that has more than one value? Then no two cases write the same file. */
static int tells_apart(const SweepPlan *plan, const char *file) {
    for (int i = 0; i < plan->variable_count; ++i) {
        const SweepVariable *v = &plan->variable[i];
        int found = v->value.count == 1;
        for (const char *at = file; !found && (at = strchr(at, '{')) != NULL; ++at) {
            int there = variable_at(plan, at); /* columns of a file of cases change together: one of them is enough */
            found = there == i || (there >= 0 && there < plan->file_count && i < plan->file_count);
        }
        if (!found) return 0;
    }
    return 1;
}

static int has_twice(const SweepWords *values) {
    for (int i = 0; i < values->count && values->count < 2000; ++i)
        for (int k = 0; k < i; ++k)
            if (strcmp(values->word[i], values->word[k]) == 0) return 1;
    return 0;
}

/* Cases that write the same file would destroy each other's. */
static void check_outputs(const SweepPlan *plan) {
    int writes = 0;
    for (int i = 1; i < plan->command.count; ++i) {
        const char *file = output_at(&plan->command, i);
        writes |= file != NULL;
        if (file && plan->case_count > 1 && !tells_apart(plan, file))
            cli_error("several cases would write %s: put a {name} of every variable into it", file);
    }
    for (int i = 0; i < plan->variable_count && writes; ++i)
        if (i >= plan->file_count && has_twice(&plan->variable[i].value))
            cli_error("--%s has a value twice, and the cases write files", plan->variable[i].name);
}

/* The stride of a variable is the product of the counts behind it; columns of the file change together. */
static void count_cases(SweepPlan *plan) {
    int64_t product = 1;
    for (int i = plan->variable_count - 1; i >= 0; --i) {
        SweepVariable *v = &plan->variable[i];
        v->stride = product;
        if (i >= plan->file_count || i == 0) product *= v->value.count;
        if (product > SWEEP_CASES_MAX) cli_error("more than %d cases", SWEEP_CASES_MAX);
    }
    plan->case_count = product;
}

static uint64_t hash_cases(const SweepPlan *plan) {
    uint64_t hash = 0;
    for (int i = 0; i < plan->command.count; ++i)
        hash = abut_hash(plan->command.word[i], strlen(plan->command.word[i]) + 1, hash);
    for (int i = 0; i < plan->variable_count; ++i) {
        const SweepVariable *v = &plan->variable[i];
        hash = abut_hash(v->name, strlen(v->name) + 1, hash);
        for (int k = 0; k < v->value.count; ++k) hash = abut_hash(v->value.word[k], strlen(v->value.word[k]) + 1, hash);
    }
    return hash;
}

void sweep_plan_close(SweepPlan *plan) {
    if (!plan->command.count) cli_error("the command is empty: expected one as \"simulate boxes:50 --seed {seed}\"");
    if (strcmp(plan->command.word[0], "sweep") == 0 || plan->command.word[0][0] == '-')
        cli_error("'%s' cannot be swept", plan->command.word[0]);
    match_names(plan);
    count_cases(plan);
    check_outputs(plan);
    plan->hash = hash_cases(plan);
}
