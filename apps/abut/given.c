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

/* Is one of the options given that stand in the first `length` characters of a text? */
static int has_one_of(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        char name[64];
        size_t word = strcspn(text + i, " ,:");
        snprintf(name, sizeof name, "%.*s", (int)word, text + i);
        if (strncmp(name, "--", 2) == 0 && cli_given(name))
            return 1;
        i += word + 1;
    }
    return 0;
}

/* "with --minima or --html: ..." needs one of the two. */
static int check_needs(const CliCommand *command, const CliOption *option)
{
    const char *others = option->help + strlen("with ");
    if (strncmp(option->help, "with --", strlen("with --")) != 0 || !cli_given(option->name))
        return CLI_GO;
    size_t length = strcspn(others, ":");
    if (has_one_of(others, length))
        return CLI_GO;
    return cli_error(command, "%s goes with %.*s, which is missing", option->name, (int)length, others);
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
        if (check_needs(command, &options[i]) != CLI_GO)
            return CLI_BAD;
    return cli_given("--list") ? check_list(command, options, count, operands, argv) : CLI_GO;
}
