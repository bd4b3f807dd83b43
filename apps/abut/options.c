/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The option parser. In: a table of options and the words of the command line. Out: values at the places the table
 * names. `--name value`, `--name=value` and `-n value` are all understood; "--" ends the options. An option that takes
 * an argument takes the next word whatever it looks like, so that numbers may be negative. Options that would be
 * ignored because another one is missing are refused.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

int cli_read_reals(const char *text, CliReals *out) {
    out->count = abut_numbers_parse(text, CLI_REALS_MAX, out->value);
    return out->count > 0;
}

const char *cli_bad_real(const char *text) {
    for (;;) {
        char number[ABUT_DOUBLE_TEXT * 4];
        double value;
        size_t length = strcspn(text, ",");
        if (length >= sizeof number) return text;
        snprintf(number, sizeof number, "%.*s", (int)length, text);
        if (abut_numbers_parse(number, 1, &value) != 1) return text;
        if (!text[length]) return NULL;
        text += length + 1;
    }
}

/* The range of the whole number of an option. */
static long least(const CliOption *option) {
    return option->high > option->low ? (long)option->low : option->kind == CLI_COUNT;
}

static long most(const CliOption *option) { return option->high > option->low ? (long)option->high : 2147483647; }

static int read_whole(const char *text, const CliOption *option) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < least(option) || value > most(option)) return 0;
    *(int *)option->to = (int)value;
    return 1;
}

static int read_word(const char *text, const CliOption *option) {
    int number = abut_word_find(option->words, text);
    if (number >= 0) *(int *)option->to = number;
    return number >= 0;
}

/* "thickness or moments" */
static const char *list_words(const CliOption *option, char *out, size_t size) {
    const char *const *w = option->words;
    size_t n = 0;
    int count = 0, said = 0;
    for (int i = 0; w[i]; ++i) count += w[i][0] != '(';
    for (int i = 0; w[i] && n < size; ++i)
        if (w[i][0] != '(') {
            const char *between = said == 0 ? "" : said + 1 < count ? ", " : " or ";
            n += (size_t)snprintf(out + n, size - n, "%s%s", between, w[i]);
            ++said;
        }
    return out;
}

/* Expected form of an option's argument, for the error message; the text holds until the next call. */
static const char *expected(const CliOption *option) {
    static char range[200];
    switch (option->kind) {
    case CLI_FLAG:
        return "no argument";
    case CLI_COUNT:
    case CLI_WHOLE:
        snprintf(range, sizeof range, "a whole number from %ld to %ld", least(option), most(option));
        return range;
    case CLI_WORD:
        return list_words(option, range, sizeof range);
    case CLI_REAL:
        return "a finite number";
    case CLI_REALS:
        return "1 to 16 finite numbers with commas between";
    case CLI_TEXT:
    case CLI_INPUT:
    case CLI_OUTPUT:
        return "a text that is not empty";
    case CLI_TEXTS:
        return "a text that is not empty, 64 times at most";
    case CLI_POSE:
        return "x,y,z, x,y,z,qw,qx,qy,qz, rpy:x,y,z,roll,pitch,yaw or axis:x,y,z,ax,ay,az,angle (radians) with a "
               "quaternion or axis that is not zero";
    }
    return "something else";
}

static int add_text(CliTexts *texts, const char *text) {
    if (texts->count == CLI_TEXTS_MAX) return 0;
    texts->value[texts->count++] = text;
    return 1;
}

static int store(const CliOption *option, const char *text) {
    switch (option->kind) {
    case CLI_FLAG:
        *(int *)option->to = 1;
        return 1;
    case CLI_COUNT:
    case CLI_WHOLE:
        return read_whole(text, option);
    case CLI_WORD:
        return read_word(text, option);
    case CLI_REAL:
        return abut_numbers_parse(text, 1, (double *)option->to) == 1;
    case CLI_REALS:
        return cli_read_reals(text, (CliReals *)option->to);
    case CLI_TEXT:
    case CLI_INPUT:
    case CLI_OUTPUT:
        *(const char **)option->to = text;
        return *text != 0;
    case CLI_TEXTS:
        return *text != 0 && add_text((CliTexts *)option->to, text);
    case CLI_POSE:
        return abut_pose_parse(text, (AbutPose *)option->to);
    }
    return 0;
}

/* ---- what was given ---------------------------------------------------------------------------------------------- */

/* Each option once, with its last argument; no command has more options than this. */
static struct { const char *option, *value; } given[CLI_OPTIONS_MAX];
static size_t given_count;

static size_t find(const char *option) {
    size_t i = 0;
    while (i < given_count && strcmp(given[i].option, option) != 0) ++i;
    return i;
}

static void note(const char *option, const char *value) {
    size_t i = find(option);
    if (i == sizeof given / sizeof *given) return;
    given_count += i == given_count;
    given[i].option = option;
    given[i].value = value;
}

int cli_given(const char *option) { return find(option) < given_count; }

CliWritten cli_written(const char *option, double value) {
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

void cli_check_range(const char *option, double value, double low, double high) {
    if (isnan(value) || (value >= low && value <= high)) return;
    char bound[2][ABUT_DOUBLE_TEXT];
    abut_format_double(bound[0], sizeof bound[0], low);
    abut_format_double(bound[1], sizeof bound[1], high);
    cli_error(
        "%s: expected a number from %s to %s, got %s", option, bound[0], bound[1], cli_written(option, value).text);
}

void cli_refuse(const char *option, const char *why) {
    if (cli_given(option)) cli_error("%s means nothing here: %s", option, why);
}

/* Word `number` of the text before the first ':', blanks, commas and "or" left out. 0: there is none. */
static int word_at(const char *text, int number, char *out, size_t size) {
    for (size_t length; *text && *text != ':'; text += length) {
        length = strcspn(text, " ,:");
        snprintf(out, size, "%.*s", (int)length, text);
        if (length > 0 && strcmp(out, "or") != 0 && number-- == 0) return 1;
        length += strspn(text + length, " ,");
    }
    return 0;
}

/* The text or word that an option holds, given or by default; NULL: none. */
static const char *text_at(const CliOption *option) {
    if (option->kind == CLI_WORD) {
        const char *word = *(int *)option->to < 0 ? NULL : abut_word(option->words, *(int *)option->to);
        return word && word[0] == '(' ? NULL : word;
    }
    return option->kind == CLI_TEXT || option->kind == CLI_INPUT || option->kind == CLI_OUTPUT
               ? *(const char *const *)option->to
               : NULL;
}

static const char *text_of(const CliOption *options, int count, const char *name) {
    for (int i = 0; i < count; ++i)
        if (strcmp(options[i].name, name) == 0) return text_at(&options[i]);
    return NULL;
}

/* "--minima or --html: ..." is met when one of these is given, "--model pressure or penalty: ..." when the option has
 * one of these values. *last is then, or else, the value of the last option. */
static int is_met(const CliOption *options, int count, const char *needs, const char **last) {
    char name[64] = "", word[64], next[64];
    *last = NULL;
    for (int i = 0; word_at(needs, i, word, sizeof word); ++i) {
        if (strncmp(word, "--", 2) != 0) {
            if (*last && strcmp(*last, word) == 0) return 1;
            continue;
        }
        strcpy(name, word);
        *last = NULL;
        if (!word_at(needs, i + 1, next, sizeof next) || strncmp(next, "--", 2) == 0) {
            if (cli_given(name)) return 1;
        } else {
            *last = text_of(options, count, name);
        }
    }
    return 0;
}

/* An option whose help begins "with --other: " has that one beside it, one whose help begins "with --other this or
 * that: " has it at one of these values. */
static void check_needs(const CliOption *options, int count, const CliOption *option) {
    const char *needs = option->help + strlen("with "), *value;
    if (strncmp(option->help, "with --", strlen("with --")) != 0 || !cli_given(option->name) ||
        is_met(options, count, needs, &value))
        return;
    int length = (int)strcspn(needs, ":");
    if (value) cli_error("%s goes with %.*s, not with %s", option->name, length, needs, value);
    cli_error("%s goes with %.*s, which is missing", option->name, length, needs);
}

/* Nothing goes with --list but --json. */
static void check_list(const CliOption *options, int count, int operands, char **argv) {
    for (int i = 0; i < count; ++i)
        if (cli_given(options[i].name) && strcmp(options[i].name, "--list") != 0 &&
            strcmp(options[i].name, "--json") != 0)
            cli_error("%s means nothing beside --list", options[i].name);
    if (operands) cli_error("--list takes no operand, got '%s'", argv[0]);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Does `word` name this option? *value is the text behind "=", if any. */
static int names(const CliOption *option, const char *word, const char **value) {
    size_t length = strlen(option->name);
    *value = NULL;
    if (option->brief && strcmp(word, option->brief) == 0) return 1;
    if (strncmp(word, option->name, length) != 0 || (word[length] && word[length] != '=')) return 0;
    if (word[length]) *value = word + length + 1;
    return 1;
}

static void unknown_option(const CliOption *options, int count, const char *word) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = abut_suggest(name, count, &options[0].name, sizeof options[0]);
    if (near) cli_error("unknown option '%s'; did you mean '%s'?", name, near);
    if (strchr(cli_command->name, ' ')) /* a form of a command */
        cli_error("unknown option '%s'; see 'abut %s --help'", name, cli_command->name);
    cli_error("unknown option '%s'; see 'abut help %s'", name, cli_command->name);
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

/* For this command: where --html puts its path, and whether --open was given. */
static struct {
    const char *const *path; /* of the command's own arguments: gone when it has ended */
    const char *given;
    int open;
} page;

const char *cli_page(int *open) {
    *open = page.open;
    return page.given;
}

/* Commands with --html have --open as well. */
static void note_page(const CliOption *options, int count) {
    for (int i = 0; i < count; ++i)
        if (options[i].kind == CLI_OUTPUT && strcmp(options[i].name, "--html") == 0) page.path = options[i].to;
}

/* ---- help ---------------------------------------------------------------------------------------------------------- */

/* " (default: 0.5)" from the value at `to`, or nothing where there is none or the help tells it in words. */
static void print_default(const CliOption *option) {
    char number[ABUT_DOUBLE_TEXT];
    if (strstr(option->help, "(default: ")) return;
    if (option->kind == CLI_COUNT && *(int *)option->to > 0) printf(" (default: %d)", *(int *)option->to);
    if (text_at(option)) printf(" (default: %s)", text_at(option));
    if (option->kind == CLI_REAL && isfinite(*(const double *)option->to)) {
        abut_format_double(number, sizeof number, *(const double *)option->to);
        printf(" (default: %s)", number);
    }
}

static void print_help(const CliOption *options, int count) {
    printf("abut %s: %s\n\nusage: abut %s %s\n\n%s", cli_command->name, cli_command->summary, cli_command->name,
        cli_command->usage, cli_command->help);
    printf("\noptions:\n");
    for (int i = 0; i < count; ++i) {
        char left[80];
        snprintf(left, sizeof left, "%s%s%s%s%s", options[i].brief ? options[i].brief : "",
            options[i].brief ? ", " : "", options[i].name, options[i].argument ? " " : "",
            options[i].argument ? options[i].argument : "");
        printf("  %-24s %s", left, options[i].help);
        print_default(&options[i]);
        putchar('\n');
    }
    if (page.path) printf("  %-24s %s\n", "--open", "show the page of --html in the browser");
    printf("  %-24s %s\n", "-h, --help", "this text");
}

/* ---- command line ------------------------------------------------------------------------------------------------ */

/* Handles the option at argv[*at], which moves on when it takes the next word. */
static void take_option(const CliOption *options, int count, int argc, char **argv, int *at) {
    const char *word = argv[*at], *value = NULL;
    int k = 0;
    if (page.path && strcmp(word, "--open") == 0) {
        page.open = 1;
        return;
    }
    while (k < count && !names(&options[k], word, &value)) ++k;
    if (k == count) unknown_option(options, count, word);
    const CliOption *option = &options[k];
    if (option->kind == CLI_FLAG && value) cli_error("%s takes no argument, got '%s'", option->name, value);
    if (option->kind != CLI_FLAG && !value) {
        if (*at + 1 >= argc) cli_error("%s needs an argument: %s", option->name, expected(option));
        value = argv[++*at];
    }
    if (!store(option, value)) cli_error("%s: expected %s, got '%s'", option->name, expected(option), value);
    note(option->name, value);
    if (option->kind == CLI_REAL && option->high > option->low)
        cli_check_range(option->name, *(double *)option->to, option->low, option->high);
}

/* Files that are read, operands among them, and files that are written. */
static void check_files(const CliOption *options, int count, int operands, char **argv) {
    const char **inputs = cli_room((size_t)(operands + 2 * count), sizeof *inputs),
               **outputs = inputs + operands + count;
    int ins = 0, outs = 0;
    for (; ins < operands; ++ins) inputs[ins] = argv[ins];
    for (int i = 0; i < count; ++i)
        if (options[i].kind == CLI_OUTPUT)
            outputs[outs++] = text_at(&options[i]);
        else if (options[i].kind == CLI_INPUT)
            inputs[ins++] = text_at(&options[i]);
    cli_check_files(ins, inputs, outs, outputs);
    abut_free(inputs);
}

/* Is there a --help that is not the argument of an option? It is answered first, while all values are the defaults. */
static int asks_for_help(const CliOption *options, int count, int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        const char *value;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
        for (int k = 0; k < count; ++k)
            if (names(&options[k], argv[i], &value)) {
                i += options[k].kind != CLI_FLAG && !value;
                break;
            }
    }
    return 0;
}

int cli_parse(const CliOption *options, int option_count, int argc, char **argv) {
    int only_operands = 0, operands = 0;
    note_page(options, option_count);
    if (asks_for_help(options, option_count, argc, argv)) {
        print_help(options, option_count);
        cli_end(CLI_OK);
    }
    for (int i = 0; i < argc; ++i) {
        if (only_operands || argv[i][0] != '-' || !argv[i][1])
            argv[operands++] = argv[i];
        else if (strcmp(argv[i], "--") == 0)
            only_operands = 1;
        else
            take_option(options, option_count, argc, argv, &i);
    }
    page.given = page.path ? *page.path : NULL;
    if (page.open && !*page.path) cli_error("--open shows the page of --html, which was not given");
    for (int i = 0; i < option_count; ++i) check_needs(options, option_count, &options[i]);
    if (cli_given("--list")) check_list(options, option_count, operands, argv);
    check_files(options, option_count, operands, argv);
    return operands;
}
