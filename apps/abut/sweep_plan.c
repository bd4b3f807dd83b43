/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which command lines there are. In: the command as one text with {name} in it, values per name, perhaps a file of
 * cases. Out: the words of every case. The last variable changes fastest; the rows of the file change slowest.
 */
#include "sweep.h"

#include <string.h>

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* One word from *text on, with quotes as a shell has them; 0: a quote is not closed. */
static int read_word(const char **text, SweepText *out)
{
    char quote = 0;
    const char *c = *text;
    sweep_text_add(out, "", 0);
    for (; *c && (quote || !is_space(*c)); ++c) {
        if (quote ? *c == quote : *c == '\'' || *c == '"')
            quote = quote ? 0 : *c;
        else if (*c == '\\' && quote != '\'' && c[1])
            sweep_text_add(out, ++c, 1);
        else
            sweep_text_add(out, c, 1);
    }
    *text = c;
    return !quote;
}

int sweep_plan_command(const CliCommand *cli, SweepPlan *plan, const char *text)
{
    for (;;) {
        SweepText word = {0};
        while (is_space(*text))
            ++text;
        if (!*text)
            break;
        int closed = read_word(&text, &word);
        if (!word.lost)
            sweep_words_add(&plan->command, word.text, word.count);
        plan->command.lost |= word.lost;
        sweep_text_free(&word);
        if (!closed)
            return cli_error(cli, "the command has a quote that is not closed");
    }
    SweepWords *words = &plan->command;
    if (words->count && strcmp(words->word[0], "abut") == 0)
        return cli_error(
            cli, "the command begins with the name of a command, as in \"simulate boxes:50\", without abut");
    return words->lost ? cli_error(cli, "out of memory") : CLI_GO;
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static int is_name(const char *name)
{
    return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")];
}

static SweepVariable *add_variable(const CliCommand *cli, SweepPlan *plan, const char *name)
{
    for (int i = 0; i < plan->variable_count; ++i)
        if (strcmp(plan->variable[i].name, name) == 0)
            return cli_error(cli, "%s is given values twice", name), NULL;
    if (strcmp(name, "case") == 0 || strcmp(name, "exit") == 0 || strcmp(name, "message") == 0)
        return cli_error(cli, "'%s' is a column of the table: give the variable another name", name), NULL;
    if (!is_name(name))
        return cli_error(cli, "'%s' cannot be the name of a variable: letters, digits, - and _", name), NULL;
    if (plan->variable_count == SWEEP_VARIABLES_MAX)
        return cli_error(cli, "more than %d variables", SWEEP_VARIABLES_MAX), NULL;
    SweepVariable *v = &plan->variable[plan->variable_count];
    *v = (SweepVariable){.name = abut_alloc(strlen(name) + 1), .stride = 1};
    if (!v->name)
        return cli_error(cli, "out of memory"), NULL;
    strcpy(v->name, name);
    ++plan->variable_count;
    return v;
}

int sweep_plan_values(const CliCommand *cli, SweepPlan *plan, const char *name, const char *values)
{
    SweepVariable *v = add_variable(cli, plan, name);
    return v ? sweep_values(cli, name, values, &v->value) : CLI_BAD;
}

/* ---- a file of cases --------------------------------------------------------------------------------------------- */

/* One field from *at on, quotes as CSV has them; moves behind its comma or stops at the end of the line. 0: its quote
 * is not closed. */
static int read_field(const char **at, SweepText *out)
{
    const char *c = *at;
    int quoted = *c == '"';
    sweep_text_add(out, "", 0);
    for (c += quoted; *c && (quoted || (*c != ',' && *c != '\n')); ++c) {
        if (quoted && *c == '"' && c[1] != '"')
            quoted = 0;
        else if (*c != '\r') {
            sweep_text_add(out, c, 1);
            c += quoted && *c == '"';
        }
    }
    *at = c;
    return !quoted;
}

/* The fields of the line at *at, which moves behind it; none when a quote is not closed. */
static SweepWords read_row(const char **at)
{
    SweepWords row = {0};
    for (;;) {
        SweepText field = {0};
        if (!read_field(at, &field)) {
            sweep_text_free(&field);
            sweep_words_free(&row);
            return row;
        }
        if (!field.lost)
            sweep_words_add(&row, field.text, field.count);
        row.lost |= field.lost;
        sweep_text_free(&field);
        if (**at != ',')
            break;
        ++*at;
    }
    *at += **at == '\n';
    return row;
}

static int count_lines(const char *from, const char *to)
{
    int lines = 0;
    for (; from < to; ++from)
        lines += *from == '\n';
    return lines;
}

/* The rows from `at` on, which is in that line of the file; a row takes more than one where a quote holds its end. */
static int read_rows(const CliCommand *cli, SweepPlan *plan, const char *path, const char *at, int line)
{
    while (*at) {
        const char *begin = at;
        SweepWords row = read_row(&at);
        int empty = row.count == 1 && !*row.word[0], fits = row.count == plan->file_count, count = row.count;
        for (int i = 0; i < row.count && fits && !empty; ++i)
            sweep_words_add(&plan->variable[i].value, row.word[i], strlen(row.word[i]));
        int lost = row.lost;
        sweep_words_free(&row);
        if (lost)
            return cli_error(cli, "out of memory");
        if (!count)
            return cli_error(cli, "%s:%d: a quote is not closed", path, line);
        if (!fits && !empty)
            return cli_error(cli, "%s:%d: expected %d fields, got %d", path, line, plan->file_count, count);
        line += count_lines(begin, at);
    }
    if (!plan->variable[0].value.count)
        return cli_error(cli, "%s: no cases: expected a line of names and a line of values per case", path);
    return CLI_GO;
}

int sweep_plan_cases(const CliCommand *cli, SweepPlan *plan, const char *path)
{
    AbutError error;
    char *bytes;
    size_t count;
    SweepText text = {0};
    if (abut_file_load(path, "cases", (size_t)1 << 30, &bytes, &count, &error) != ABUT_OK)
        return cli_error(cli, "%s", error.text);
    static const char mark[] = "\xef\xbb\xbf";
    size_t skip = count >= 3 && memcmp(bytes, mark, 3) == 0 ? 3 : 0;
    sweep_text_add(&text, bytes + skip, count - skip);
    abut_free(bytes);
    if (text.lost)
        return cli_error(cli, "out of memory");
    const char *at = text.text;
    SweepWords names = read_row(&at);
    int status = names.lost ? cli_error(cli, "out of memory") : CLI_GO;
    if (status == CLI_GO && !names.count)
        status = cli_error(cli, "%s:1: a quote is not closed", path);
    for (int i = 0; i < names.count && status == CLI_GO; ++i)
        status = add_variable(cli, plan, names.word[i]) ? CLI_GO : CLI_BAD;
    plan->file_count = plan->variable_count;
    sweep_words_free(&names);
    status = status == CLI_GO ? read_rows(cli, plan, path, at, 1 + count_lines(text.text, at)) : status;
    sweep_text_free(&text);
    return status;
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

const char *sweep_plan_value(const SweepPlan *plan, int variable, int64_t index)
{
    const SweepVariable *v = &plan->variable[variable];
    return v->value.word[index / v->stride % v->value.count];
}

/* The variable whose {name} stands at `at`; -1: none. */
static int variable_at(const SweepPlan *plan, const char *at)
{
    for (int i = 0; i < plan->variable_count; ++i) {
        size_t length = strlen(plan->variable[i].name);
        if (*at == '{' && strncmp(at + 1, plan->variable[i].name, length) == 0 && at[1 + length] == '}')
            return i;
    }
    return -1;
}

static void put_word(const SweepPlan *plan, const char *word, int64_t index, SweepText *out)
{
    while (*word) {
        int v = variable_at(plan, word);
        const char *value = v < 0 ? word : sweep_plan_value(plan, v, index);
        sweep_text_add(out, value, v < 0 ? 1 : strlen(value));
        word += v < 0 ? 1 : strlen(plan->variable[v].name) + 2;
    }
}

static void add_option(SweepWords *words, const char *name, const char *value)
{
    SweepText option = {0};
    sweep_text_add(&option, "--", 2);
    sweep_text_add(&option, name, strlen(name));
    words->lost |= option.lost;
    if (!option.lost)
        sweep_words_add(words, option.text, option.count);
    if (value)
        sweep_words_add(words, value, strlen(value));
    sweep_text_free(&option);
}

SweepWords sweep_plan_words(const SweepPlan *plan, int64_t index)
{
    SweepWords words = {0};
    int json = 0;
    for (int i = 0; i < plan->command.count; ++i) {
        SweepText word = {0};
        sweep_text_add(&word, "", 0);
        put_word(plan, plan->command.word[i], index, &word);
        words.lost |= word.lost;
        if (!word.lost)
            sweep_words_add(&words, word.text, word.count);
        json |= !word.lost && strcmp(word.text, "--json") == 0;
        sweep_text_free(&word);
    }
    for (int i = 0; i < plan->variable_count; ++i)
        if (!plan->variable[i].used)
            add_option(&words, plan->variable[i].name, sweep_plan_value(plan, i, index));
    if (!json)
        add_option(&words, "json", NULL);
    return words;
}

/* ---- closing ----------------------------------------------------------------------------------------------------- */

/* Marks the variables in the command; a {name} without values is an error. */
static int match_names(const CliCommand *cli, SweepPlan *plan)
{
    for (int i = 0; i < plan->command.count; ++i)
        for (const char *at = plan->command.word[i]; (at = strchr(at, '{')) != NULL; ++at) {
            int v = variable_at(plan, at), length = (int)strcspn(at + 1, "{}");
            if (v >= 0)
                plan->variable[v].used = 1;
            else if (!at[1 + length])
                return cli_error(cli, "'%s': a { that is not closed", plan->command.word[i]);
            else if (at[1 + length] == '}' && length > 0)
                return cli_error(cli, "{%.*s} stands in the command, but has no values: give --%.*s", length, at + 1,
                    length, at + 1);
        }
    return CLI_GO;
}

/* The file behind an option that writes one, as "--html FILE" or "--html=FILE"; NULL: word `i` is no such option. */
static const char *output_at(const SweepWords *words, int i)
{
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
static int tells_apart(const SweepPlan *plan, const char *file)
{
    for (int i = 0; i < plan->variable_count; ++i) {
        const SweepVariable *v = &plan->variable[i];
        int found = v->value.count == 1;
        for (const char *at = file; !found && (at = strchr(at, '{')) != NULL; ++at) {
            int there = variable_at(plan, at); /* columns of a file of cases change together: one of them is enough */
            found = there == i || (there >= 0 && there < plan->file_count && i < plan->file_count);
        }
        if (!found)
            return 0;
    }
    return 1;
}

static int has_twice(const SweepWords *values)
{
    for (int i = 0; i < values->count && values->count < 2000; ++i)
        for (int k = 0; k < i; ++k)
            if (strcmp(values->word[i], values->word[k]) == 0)
                return 1;
    return 0;
}

/* Cases that write the same file would destroy each other's. */
static int check_outputs(const CliCommand *cli, const SweepPlan *plan)
{
    int writes = 0;
    for (int i = 1; i < plan->command.count; ++i) {
        const char *file = output_at(&plan->command, i);
        writes |= file != NULL;
        if (file && plan->case_count > 1 && !tells_apart(plan, file))
            return cli_error(cli, "several cases would write %s: put a {name} of every variable into it", file);
    }
    for (int i = 0; i < plan->variable_count && writes; ++i)
        if (i >= plan->file_count && has_twice(&plan->variable[i].value))
            return cli_error(cli, "--%s has a value twice, and the cases write files", plan->variable[i].name);
    return CLI_GO;
}

/* The stride of a variable is the product of the counts behind it; columns of the file change together. */
static int count_cases(const CliCommand *cli, SweepPlan *plan)
{
    int64_t product = 1;
    for (int i = plan->variable_count - 1; i >= 0; --i) {
        SweepVariable *v = &plan->variable[i];
        v->stride = product;
        if (i >= plan->file_count || i == 0)
            product *= v->value.count;
        if (product > SWEEP_CASES_MAX)
            return cli_error(cli, "more than %d cases", SWEEP_CASES_MAX);
    }
    plan->case_count = product;
    return CLI_GO;
}

static uint64_t hash_cases(const SweepPlan *plan)
{
    uint64_t hash = 0;
    for (int i = 0; i < plan->command.count; ++i)
        hash = abut_hash(plan->command.word[i], strlen(plan->command.word[i]) + 1, hash);
    for (int i = 0; i < plan->variable_count; ++i) {
        const SweepVariable *v = &plan->variable[i];
        hash = abut_hash(v->name, strlen(v->name) + 1, hash);
        for (int k = 0; k < v->value.count; ++k)
            hash = abut_hash(v->value.word[k], strlen(v->value.word[k]) + 1, hash);
    }
    return hash;
}

int sweep_plan_close(const CliCommand *cli, SweepPlan *plan)
{
    if (!plan->command.count)
        return cli_error(cli, "the command is empty: expected one as \"simulate boxes:50 --seed {seed}\"");
    if (strcmp(plan->command.word[0], "sweep") == 0 || plan->command.word[0][0] == '-')
        return cli_error(cli, "'%s' cannot be swept", plan->command.word[0]);
    if (match_names(cli, plan) != CLI_GO || count_cases(cli, plan) != CLI_GO || check_outputs(cli, plan) != CLI_GO)
        return CLI_BAD;
    plan->hash = hash_cases(plan);
    return CLI_GO;
}

void sweep_plan_free(SweepPlan *plan)
{
    sweep_words_free(&plan->command);
    for (int i = 0; i < plan->variable_count; ++i) {
        abut_free(plan->variable[i].name);
        sweep_words_free(&plan->variable[i].value);
    }
    plan->variable_count = 0;
}
