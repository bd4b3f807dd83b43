/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The option parser. In: a table of options and the words of the command line. Out: values at the places the table
 * names. `--name value`, `--name=value` and `-n value` are all understood; "--" ends the options. An option that takes
 * an argument takes the next word whatever it looks like, so that numbers may be negative.
 */
#include "given.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One line whatever the names in it hold: control characters are escaped. */
static void put_line(const char *text)
{
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n')
            fputs("\\n", stderr);
        else if (c < ' ' || c == 127)
            fprintf(stderr, "\\x%02x", c);
        else
            fputc(c, stderr);
    }
    fputc('\n', stderr);
}

static void say(const CliCommand *command, const char *kind, const char *format, va_list args)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "abut%s%s: %s", command ? " " : "", command ? command->name : "", kind);
    put_line(text);
}

int cli_error(const CliCommand *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command, "", format, args);
    va_end(args);
    return CLI_BAD;
}

void cli_warning(const CliCommand *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command, "warning: ", format, args);
    va_end(args);
}

int cli_json_end(const CliCommand *command, AbutJson *json, int status)
{
    AbutError error;
    AbutStatus done = abut_json_finish(json, &error);
    if (done != ABUT_OK && done != ABUT_ERROR_FILE) /* cli_finish tells that one, with its cause */
        status = cli_error(command, "standard output: %s", error.text);
    abut_json_free(json);
    return status;
}

int cli_answer(
    const CliCommand *command, int indent, const AbutRecord *record, const char *text, const void *data, int status)
{
    if (indent == CLI_AS_TEXT) {
        abut_record_print(stdout, record, text, data);
        return status;
    }
    AbutJson json = abut_json_to_file(stdout, indent);
    abut_record_put_object(&json, record, data);
    return cli_json_end(command, &json, status);
}

void cli_put_quat(AbutJson *json, const void *member)
{
    const AbutQuat *q = member;
    abut_json_begin_array(json);
    abut_json_number(json, q->w);
    abut_json_number(json, q->x);
    abut_json_number(json, q->y);
    abut_json_number(json, q->z);
    abut_json_end_array(json);
}

int cli_answers(const CliCommand *command, int indent, const AbutRecord *record, const void *rows, int count)
{
    AbutJson json = abut_json_to_file(stdout, indent);
    abut_json_begin_array(&json);
    for (int i = 0; i < count; ++i) {
        abut_record_put_object(&json, record, (const char *)rows + (size_t)i * record->size);
    }
    abut_json_end_array(&json);
    return cli_json_end(command, &json, CLI_OK);
}

/* Why standard output takes no more: what it says to one more byte. */
static const char *why_lost(void)
{
    errno = 0;
    return write(STDOUT_FILENO, "\n", 1) < 0 && errno ? strerror(errno) : "an earlier write failed";
}

int cli_finish(const CliCommand *command, int status)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_error(command, "standard output: the result could not be written: %s", why_lost());
    return status;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* One finite number at *text, which moves behind it; false when there is none. */
static int read_real(const char **text, double *out)
{
    char *end;
    if (**text == ' ' || **text == '\t' || **text == '\n')
        return 0;
    *out = strtod(*text, &end);
    if (end == *text || !isfinite(*out))
        return 0;
    *text = end;
    return 1;
}

int cli_read_reals(const char *text, CliReals *out)
{
    out->count = 0;
    for (;; ++text) {
        if (out->count == CLI_REALS_MAX || !read_real(&text, &out->value[out->count]))
            return 0;
        ++out->count;
        if (*text != ',')
            return *text == 0;
    }
}

const char *cli_bad_real(const char *text)
{
    for (;;) {
        const char *number = text;
        double value;
        if (!read_real(&text, &value) || (*text && *text != ','))
            return number;
        if (!*text++)
            return NULL;
    }
}

static int read_whole(const char *text, CliWithin within)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < within.low || value > within.high)
        return 0;
    *within.to = (int)value;
    return 1;
}

/* Where the whole number of an option goes, and its range. */
static CliWithin within(const CliOption *option)
{
    if (option->kind == CLI_WITHIN)
        return *(const CliWithin *)option->to;
    return (CliWithin){option->to, option->kind == CLI_COUNT, 2147483647};
}

/* A vector brought to size 1 in its largest number first, so that huge numbers are no special case; 0: it is zero. */
static int unit_size(double *v, int count)
{
    double size = 0.0;
    for (int i = 0; i < count; ++i)
        size = fmax(size, fabs(v[i]));
    for (int i = 0; i < count && size > 0.0; ++i)
        v[i] /= size;
    return size > 0.0;
}

static int quaternion(double *v, AbutQuat *out)
{
    if (!unit_size(v, 4))
        return 0;
    *out = abut_quat_normalize(abut_quat(v[0], v[1], v[2], v[3]));
    return 1;
}

/* Turns about the fixed axes x, then y, then z. */
static int roll_pitch_yaw(double *v, AbutQuat *out)
{
    AbutQuat x = abut_quat_axis_angle(abut_axis(0), v[0]), y = abut_quat_axis_angle(abut_axis(1), v[1]);
    *out = abut_quat_normalize(abut_quat_mul(abut_quat_axis_angle(abut_axis(2), v[2]), abut_quat_mul(y, x)));
    return 1;
}

static int axis_and_angle(double *v, AbutQuat *out)
{
    if (!unit_size(v, 3))
        return 0;
    *out = abut_quat_axis_angle(abut_normalize(abut_vec3(v[0], v[1], v[2])), v[3]);
    return 1;
}

/* The ways to say a rotation behind x,y,z. */
static const struct {
    const char *prefix;
    int numbers;
    int (*rotation)(double *v, AbutQuat *out);
} rotations[] = {{"rpy:", 3, roll_pitch_yaw}, {"axis:", 4, axis_and_angle}, {"", 4, quaternion}};

static int read_pose(const char *text, AbutPose *out)
{
    CliReals r;
    AbutPose pose = abut_pose_identity();
    int way = 0;
    while (strncmp(text, rotations[way].prefix, strlen(rotations[way].prefix)) != 0)
        ++way;
    if (!cli_read_reals(text + strlen(rotations[way].prefix), &r))
        return 0;
    pose.p = abut_vec3(r.value[0], r.value[1], r.value[2]);
    int plain = r.count == 3 && !*rotations[way].prefix;
    if (!plain && (r.count != 3 + rotations[way].numbers || !rotations[way].rotation(r.value + 3, &pose.q)))
        return 0;
    *out = pose;
    return 1;
}

/* What the argument of an option must look like, for the error message; the text holds until the next call. */
static const char *expected(const CliOption *option)
{
    static char range[80];
    switch (option->kind) {
    case CLI_FLAG:
        return "no argument";
    case CLI_COUNT:
    case CLI_WHOLE:
    case CLI_WITHIN:
        snprintf(range, sizeof range, "a whole number from %d to %d", within(option).low, within(option).high);
        return range;
    case CLI_REAL:
        return "a finite number";
    case CLI_REALS:
        return "1 to 16 finite numbers with commas between";
    case CLI_TEXT:
        return "a text that is not empty";
    case CLI_TEXTS:
        return "a text that is not empty, 64 times at most";
    case CLI_POSE:
        return "x,y,z, x,y,z,qw,qx,qy,qz, rpy:x,y,z,roll,pitch,yaw or axis:x,y,z,ax,ay,az,angle (radians) with a "
               "quaternion or axis that is not zero";
    }
    return "something else";
}

static int add_text(CliTexts *texts, const char *text)
{
    if (texts->count == CLI_TEXTS_MAX)
        return 0;
    texts->value[texts->count++] = text;
    return 1;
}

static int store(const CliOption *option, const char *text)
{
    switch (option->kind) {
    case CLI_FLAG:
        *(int *)option->to = 1;
        return 1;
    case CLI_COUNT:
    case CLI_WHOLE:
    case CLI_WITHIN:
        return read_whole(text, within(option));
    case CLI_REAL:
        return read_real(&text, (double *)option->to) && *text == 0;
    case CLI_REALS:
        return cli_read_reals(text, (CliReals *)option->to);
    case CLI_TEXT:
        *(const char **)option->to = text;
        return *text != 0;
    case CLI_TEXTS:
        return *text != 0 && add_text((CliTexts *)option->to, text);
    case CLI_POSE:
        return read_pose(text, (AbutPose *)option->to);
    }
    return 0;
}

static int count_dashes(int count, const char *const *names)
{
    int dashes = 0;
    for (int k = 0; k < count; ++k)
        dashes += names[k] && strcmp(names[k], "-") == 0;
    return dashes;
}

/* Can the file be written? Devices and pipes are not opened for that. */
static int check_output(const CliCommand *command, const char *path)
{
    struct stat about;
    AbutFileOut probe;
    AbutError error;
    int exists = path && stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode))
        return cli_error(command, "%s: cannot be written: it is a folder", path);
    if (!path || (exists && !S_ISREG(about.st_mode)))
        return CLI_GO;
    if (abut_file_out_open(&probe, path, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    abut_file_out_cancel(&probe);
    return CLI_GO;
}

int cli_check_files(
    const CliCommand *command, int input_count, const char *const *inputs, int output_count, const char *const *outputs)
{
    AbutError error;
    if (count_dashes(input_count, inputs) > 1)
        return cli_error(command, "'-' stands for two inputs: standard input can be read only once");
    if (count_dashes(output_count, outputs) > 0)
        return cli_error(
            command, "output '-': files are not written to standard output; name a file, or ./- for one of that name");
    if (abut_file_check_outputs(input_count, inputs, output_count, outputs, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int status = CLI_GO;
    for (int i = 0; i < output_count && status == CLI_GO; ++i)
        status = check_output(command, outputs[i]);
    if (status == CLI_GO)
        abut_file_reserve_outputs(output_count, outputs);
    return status;
}

int cli_check_range(const CliCommand *command, const char *option, double value, double low, double high)
{
    if (isnan(value) || (value >= low && value <= high))
        return CLI_GO;
    char bound[2][ABUT_DOUBLE_TEXT];
    abut_format_double(bound[0], sizeof bound[0], low);
    abut_format_double(bound[1], sizeof bound[1], high);
    return cli_error(command, "%s: expected a number from %s to %s, got %s", option, bound[0], bound[1],
        cli_written(option, value).text);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

int cli_has_ending(const char *file, const char *ending)
{
    size_t n = strlen(file), m = strlen(ending);
    for (size_t i = 0; i < m && m < n; ++i)
        if (tolower((unsigned char)file[n - m + i]) != ending[i])
            return 0;
    return m < n;
}

int cli_is_file(const char *source)
{
    return strcmp(source, "-") == 0 || strchr(source, '/') || access(source, F_OK) == 0;
}

/* Does `word` name this option? *value is the text behind "=", if any. */
static int names(const CliOption *option, const char *word, const char **value)
{
    size_t length = strlen(option->name);
    *value = NULL;
    if (option->brief && strcmp(word, option->brief) == 0)
        return 1;
    if (strncmp(word, option->name, length) != 0 || (word[length] && word[length] != '='))
        return 0;
    if (word[length])
        *value = word + length + 1;
    return 1;
}

static int unknown_option(const CliCommand *command, const CliOption *options, int count, const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = abut_suggest(name, count, &options[0].name, sizeof options[0]);
    if (near)
        return cli_error(command, "unknown option '%s'; did you mean '%s'?", name, near);
    if (strchr(command->name, ' ')) /* a form of a command */
        return cli_error(command, "unknown option '%s'; see 'abut %s --help'", name, command->name);
    return cli_error(command, "unknown option '%s'; see 'abut help %s'", name, command->name);
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

/* Of the command at hand: where --html puts its path, and whether --open was given. */
static struct {
    const char *const *path; /* of the command's own arguments: gone when it has ended */
    const char *given;
    int open;
} page;

const char *cli_page(int *open)
{
    *open = page.open;
    return page.given;
}

/* Commands with --html have --open as well. */
static void note_page(const CliOption *options, int count)
{
    for (int i = 0; i < count; ++i)
        if (options[i].kind == CLI_TEXT && strcmp(options[i].name, "--html") == 0)
            page.path = options[i].to;
}

/* ---- help ---------------------------------------------------------------------------------------------------------- */

/* " (default: 0.5)" from the value at `to`, or nothing where there is none or the help tells it in words. */
static void print_default(const CliOption *option)
{
    char number[ABUT_DOUBLE_TEXT];
    if (strstr(option->help, "(default: "))
        return;
    if ((option->kind == CLI_COUNT || option->kind == CLI_WITHIN) && *within(option).to > 0)
        printf(" (default: %d)", *within(option).to);
    if (option->kind == CLI_TEXT && *(const char *const *)option->to)
        printf(" (default: %s)", *(const char *const *)option->to);
    if (option->kind == CLI_REAL && isfinite(*(const double *)option->to)) {
        abut_format_double(number, sizeof number, *(const double *)option->to);
        printf(" (default: %s)", number);
    }
}

static void print_help(const CliCommand *command, const CliOption *options, int count)
{
    printf("abut %s: %s\n\nusage: abut %s %s\n\n%s", command->name, command->summary, command->name, command->usage,
        command->help);
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
    if (page.path)
        printf("  %-24s %s\n", "--open", "show the page of --html in the browser");
    printf("  %-24s %s\n", "-h, --help", "this text");
}

/* ---- command line ------------------------------------------------------------------------------------------------ */

/* Handles the option at argv[*at], which moves on when it takes the next word. */
static int take_option(const CliCommand *command, const CliOption *options, int count, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *value = NULL;
    int k = 0;
    if (page.path && strcmp(word, "--open") == 0) {
        page.open = 1;
        return CLI_GO;
    }
    while (k < count && !names(&options[k], word, &value))
        ++k;
    if (k == count)
        return unknown_option(command, options, count, word);
    const CliOption *option = &options[k];
    if (option->kind == CLI_FLAG && value)
        return cli_error(command, "%s takes no argument, got '%s'", option->name, value);
    if (option->kind != CLI_FLAG && !value) {
        if (*at + 1 >= argc)
            return cli_error(command, "%s needs an argument: %s", option->name, expected(option));
        value = argv[++*at];
    }
    if (!store(option, value))
        return cli_error(command, "%s: expected %s, got '%s'", option->name, expected(option), value);
    given_note(option->name, value);
    return CLI_GO;
}

/* Is there a --help that is not the argument of an option? It is answered first, while all values are the defaults. */
static int asks_for_help(const CliOption *options, int count, int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        const char *value;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
        for (int k = 0; k < count; ++k)
            if (names(&options[k], argv[i], &value)) {
                i += options[k].kind != CLI_FLAG && !value;
                break;
            }
    }
    return 0;
}

int cli_parse(
    const CliCommand *command, const CliOption *options, int option_count, int argc, char **argv, int *operands)
{
    int only_operands = 0;
    *operands = 0;
    note_page(options, option_count);
    if (asks_for_help(options, option_count, argc, argv)) {
        print_help(command, options, option_count);
        return CLI_OK;
    }
    for (int i = 0; i < argc; ++i) {
        char *word = argv[i];
        if (only_operands || word[0] != '-' || !word[1]) {
            argv[(*operands)++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = 1;
        } else {
            int status = take_option(command, options, option_count, argc, argv, &i);
            if (status != CLI_GO)
                return status;
        }
    }
    page.given = page.path ? *page.path : NULL;
    if (page.open && !*page.path)
        return cli_error(command, "--open shows the page of --html, which was not given");
    return given_check(command, options, option_count, *operands, argv);
}
