/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the sub-commands: the table of commands, the option parser, and the printing of errors.
 * Results go to standard output, warnings and errors to standard error, one line each, starting with "abut COMMAND:".
 */
#ifndef ABUT_CLI_H
#define ABUT_CLI_H

#include <stddef.h>
#include <stdio.h>

#include "abut/abut.h"

/* Exit status of every command. */
enum {
    CLI_OK = 0,       /* done; "yes" where the question is yes or no */
    CLI_NO = 1,       /* the answer is no; or interrupted, with a partial result */
    CLI_BAD = 2,      /* bad input or usage */
    CLI_UNDECIDED = 3 /* not decided within the tolerance or the budget */
};

typedef struct CliCommand {
    const char *name;
    int (*run)(int argc, char **argv); /* argv holds what follows the name; gives the exit status */
    const char *usage;                 /* "FILE... [options]" */
    const char *summary;               /* one line */
    const char *help;                  /* the paragraphs of `abut help NAME`, ending in a newline */
} CliCommand;

/* The command that runs, or its form, as `plan check`; NULL: none yet. */
extern const CliCommand *cli_command;

/* One sub-command per file. */
int cli_info(int argc, char **argv), cli_make(int argc, char **argv), cli_manipulate(int argc, char **argv),
    cli_intersect(int argc, char **argv), cli_distance(int argc, char **argv), cli_collide(int argc, char **argv),
    cli_cast(int argc, char **argv), cli_toi(int argc, char **argv), cli_clearance(int argc, char **argv),
    cli_decompose(int argc, char **argv), cli_minkowski(int argc, char **argv), cli_volume(int argc, char **argv),
    cli_simulate(int argc, char **argv), cli_modes(int argc, char **argv), cli_robot(int argc, char **argv),
    cli_ik(int argc, char **argv), cli_plan(int argc, char **argv), cli_plan_check(int argc, char **argv),
    cli_plan_scenario(int argc, char **argv), cli_plan_bench(int argc, char **argv),
    cli_plan_batch(int argc, char **argv), cli_plan_roadmap(int argc, char **argv), cli_sweep(int argc, char **argv),
    cli_view(int argc, char **argv), cli_render(int argc, char **argv), cli_playground(int argc, char **argv),
    cli_reproduce(int argc, char **argv);

/* The whole tool; gives the exit status. */
int cli_main(int argc, char **argv);

/* Is there a command of this name? */
int cli_is_command(const char *name);

/* ---- errors: each ends the program with CLI_BAD after one line on standard error ---------------------------------- */

#define CLI_ENDS __attribute__((noreturn))

#define cli_error(...) (cli_say("", __VA_ARGS__), cli_end(CLI_BAD))

/* Unless it is ABUT_OK: the text of cli_why, which calls of the library fill; _of with "WHAT: " before it. */
extern AbutError cli_why;
void cli_need(AbutStatus status);
void cli_need_of(const char *what, AbutStatus status);

/* Zeroed memory for `count` things and one more; what abut_grow does. A command runs once in a process of its own: what
 * it takes, here and from the library, goes back when the process ends (cli_end). Only what a loop takes is freed. */
void *cli_room(size_t count, size_t size);
void *cli_grow(void *room, size_t *capacity, size_t count, size_t size);

/* The line alone, for work that goes on; cli_complain gives CLI_BAD. */
int cli_say(const char *kind, const char *format, ...) ABUT_PRINTF(2, 3);
#define cli_complain(...) cli_say("", __VA_ARGS__)
#define cli_warning(...) cli_say("warning: ", __VA_ARGS__)

/* Closes standard output; CLI_BAD when something written did not arrive, else `status`. cli_end then ends the program,
 * without half-written files; cli_at_end is called before, unless it is NULL. */
int cli_finish(int status);
void cli_end(int status) CLI_ENDS;
extern void (*cli_at_end)(void);

/* ---- options ----------------------------------------------------------------------------------------------------- */

typedef enum CliKind {
    CLI_FLAG,   /* int: set to 1; takes no argument */
    CLI_COUNT,  /* int: a whole number from 1 on */
    CLI_WHOLE,  /* int: a whole number from 0 on */
    CLI_REAL,   /* double */
    CLI_REALS,  /* CliReals: numbers with commas between */
    CLI_TEXT,   /* const char * */
    CLI_INPUT,  /* const char *: a file that is read, or a name */
    CLI_OUTPUT, /* const char *: a file that is written */
    CLI_WORD,   /* int: one of `words`, by its number */
    CLI_TEXTS,  /* CliTexts: the option may be given several times */
    CLI_POSE    /* AbutPose: x,y,z, with qw,qx,qy,qz behind it, or rpy: or axis: before it; see abut help */
} CliKind;

enum { CLI_REALS_MAX = 16 };

typedef struct CliReals {
    double value[CLI_REALS_MAX];
    int count;
} CliReals;

enum { CLI_TEXTS_MAX = 64 };

typedef struct CliTexts {
    const char *value[CLI_TEXTS_MAX];
    int count;
} CliTexts;

typedef struct CliOption {
    const char *name; /* "--triangles" */
    CliKind kind;
    void *to;             /* of the type that `kind` says; keeps its value when the option is not given */
    const char *argument; /* name of the argument in the help, NULL for flags */
    const char *help; /* the help adds "(default: ...)" from the value at `to`, unless it stands here. One that begins
                         "with --one or --other: " is refused where none of these is given, and
                         "with --model this or that: " where that option has none of these values */
    double low, high; /* of numbers, where high is above low */
    const char *const *words; /* as abut_word takes them; those in parentheses have no option */
    const char *brief;        /* "-t", or NULL */
} CliOption;

/* Numbers with commas between, and nothing after them; 0 when it is something else. */
int cli_read_reals(const char *text, CliReals *out);

/* Where the first one that is no finite number begins; NULL: all are. */
const char *cli_bad_real(const char *text);

/* A row: name, kind, to, argument, help; what follows may be left out, as nothing does with a designator in front. */
#define OPTION(...)                                                                                                    \
    { .name = __VA_ARGS__ }

/* The row of an option that several commands take, by its name. */
CliOption cli_row(const char *name, void *to);

/* Copies rows into a table with room for CLI_OPTIONS_MAX of them; gives their number. */
enum { CLI_OPTIONS_MAX = 80 };
int cli_rows(CliOption *to, const CliOption *from, int count);

/*
 * Reads the options of a command. Arguments that are no options are moved to the front of argv; gives their number.
 * Answers --help. A bad argument is an error that names it and what was expected. Checks files: operands and CLI_INPUT
 * against CLI_OUTPUT (cli_check_files).
 */
int cli_parse(const CliOption *options, int option_count, int argc, char **argv);
#define CLI_ROWS(table) (int)(sizeof(table) / sizeof(table)[0])

/* After cli_parse: the argument of --html, NULL: none; *open: was --open given? */
const char *cli_page(int *open);

/* Outputs against inputs and each other, and whether they can be written, before anything is read, so that not one of
 * several is missing after the work; standard input at most once, standard output never. NULL: not given. */
void cli_check_files(int input_count, const char *const *inputs, int output_count, const char *const *outputs);

/* The name of a file without its folder, as titles of pages show it. */
const char *cli_base_name(const char *path);

/* Makes a folder unless it is there. */
void cli_make_folder(const char *folder);

/* A number that was given (not NaN) must lie within [low, high]. */
void cli_check_range(const char *option, double value, double low, double high);

/* After cli_parse: does the option, by its long name, stand on the command line? */
int cli_given(const char *option);

/* Refuses an option that was given and would be ignored: `why` says what makes it so. */
void cli_refuse(const char *option, const char *why);

/* A number of an option for a message: as it was written, or shortest where it was not given. */
typedef struct CliWritten {
    char text[ABUT_DOUBLE_TEXT];
} CliWritten;
CliWritten cli_written(const char *option, double value);

/* Is a source a file rather than a name: "-", with a folder in it, or there? */
int cli_is_file(const char *source);

/* Does a file name end so, in any case? `ending` is in lower case, as ".obj". */
int cli_has_ending(const char *file, const char *ending);

/* For people: `value`, or 0 when it is rounding noise beside `scale`; of a vector also beside its largest entry. */
double cli_calm(double value, double scale);
AbutVec3 cli_calm_vec(AbutVec3 v, double scale);

/* A line of an answer: the name, three calmed numbers, the unit (" m", or nothing). */
void cli_print_vec(const char *name, AbutVec3 v, double scale, const char *unit);

/* The answer of a command on standard output: JSON of a table, indented so, or with CLI_AS_TEXT the text with values in
 * it (abut_record_print). CLI_BAD when it could not be written, else `status`. */
enum { CLI_AS_TEXT = -1 };
int cli_answer(int indent, const AbutRecord *record, const char *text, const void *data, int status);

/* A JSON array of `count` structs of a table. */
int cli_answers(int indent, const AbutRecord *record, const void *rows, int count);

/* A quaternion as w, x, y, z: for rows of ABUT_FIELD_PUT. */
void cli_put_quat(AbutJson *json, const void *member);

/* Ends JSON text on standard output; CLI_BAD when it could not be written, else `status`. */
int cli_json_end(AbutJson *json, int status);

/* Prints "page: file:///..." on standard error when the file is there; `open` starts the browser, too. */
void cli_link_page(const char *path, int open);

#endif
