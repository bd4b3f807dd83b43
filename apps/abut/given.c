/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was given. In: options as the parser meets them. Out: whether an option stands on the command line, its number
 * as it was written, and a refusal of options that would be ignored because another one is missing.
 */
#include "given.h"

#include <stdlib.h>
#include <string.h>

/* Each option once, with its last argument; a command has fewer options than this. */
static struct {
    const char *option, *value;
} given[80];
static size_t given_count;

static size_t find(const char *option)
{
    size_t i = 0;
    while (i < given_count && strcmp(given[i].option, option) != 0)
        ++i;
    return i;
}

void given_note(const char *option, const char *value)
{
    size_t i = find(option);
    if (i == sizeof given / sizeof *given)
        return;
    given_count += i == given_count;
    given[i].option = option;
    given[i].value = value;
}

int cli_given(const char *option)
{
    return find(option) < given_count;
}

CliWritten cli_written(const char *option, double value)
{
    CliWritten out;
    size_t i = find(option);
    abut_format_double(out.text, sizeof out.text, value);
    for (const char *at = i < given_count ? given[i].value : NULL; at && *at;) {
        size_t length = strcspn(at, ",");
        if (length < sizeof out.text && strtod(at, NULL) == value)
            snprintf(out.text, sizeof out.text, "%.*s", (int)length, at);
        at += length + (at[length] == ',');
    }
    return out;
}

int cli_refuse(const CliCommand *command, const char *option, const char *why)
{
    return cli_given(option) ? cli_error(command, "%s means nothing here: %s", option, why) : CLI_GO;
}

/* Word `number` of the text before the first ':', blanks, commas and "or" left out. 0: there is none. */
static int word_at(const char *text, int number, char *out, size_t size)
{
    for (size_t length; *text && *text != ':'; text += length) {
        length = strcspn(text, " ,:");
        snprintf(out, size, "%.*s", (int)length, text);
        if (length > 0 && strcmp(out, "or") != 0 && number-- == 0)
            return 1;
        length += strspn(text + length, " ,");
    }
    return 0;
}

/* The text that an option holds, given or by default; NULL: none. */
static const char *text_of(const CliOption *options, int count, const char *name)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(options[i].name, name) == 0 && options[i].kind == CLI_TEXT)
            return *(const char *const *)options[i].to;
    return NULL;
}

/* "--minima or --html: ..." is met when one of these is given, "--model pressure or penalty: ..." when the option has
 * one of these values. *last is then, or else, the value of the last option. */
static int is_met(const CliOption *options, int count, const char *needs, const char **last)
{
    char name[64] = "", word[64], next[64];
    *last = NULL;
    for (int i = 0; word_at(needs, i, word, sizeof word); ++i) {
        if (strncmp(word, "--", 2) != 0) {
            if (*last && strcmp(*last, word) == 0)
                return 1;
            continue;
        }
        strcpy(name, word);
        *last = NULL;
        if (!word_at(needs, i + 1, next, sizeof next) || strncmp(next, "--", 2) == 0) {
            if (cli_given(name))
                return 1;
        } else {
            *last = text_of(options, count, name);
        }
    }
    return 0;
}

static int check_needs(const CliCommand *command, const CliOption *options, int count, const CliOption *option)
{
    const char *needs = option->help + strlen("with "), *value;
    if (strncmp(option->help, "with --", strlen("with --")) != 0 || !cli_given(option->name) ||
        is_met(options, count, needs, &value))
        return CLI_GO;
    int length = (int)strcspn(needs, ":");
    return value ? cli_error(command, "%s goes with %.*s, not with %s", option->name, length, needs, value)
                 : cli_error(command, "%s goes with %.*s, which is missing", option->name, length, needs);
}

static int check_list(const CliCommand *command, const CliOption *options, int count, int operands, char **argv)
{
    for (int i = 0; i < count; ++i)
        if (cli_given(options[i].name) && strcmp(options[i].name, "--list") != 0 &&
            strcmp(options[i].name, "--json") != 0)
            return cli_error(command, "%s means nothing beside --list", options[i].name);
    return operands ? cli_error(command, "--list takes no operand, got '%s'", argv[0]) : CLI_GO;
}

int given_check(const CliCommand *command, const CliOption *options, int count, int operands, char **argv)
{
    for (int i = 0; i < count; ++i)
        if (check_needs(command, options, count, &options[i]) != CLI_GO)
            return CLI_BAD;
    return cli_given("--list") ? check_list(command, options, count, operands, argv) : CLI_GO;
}
