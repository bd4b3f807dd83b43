/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the sub-commands share: the table of commands, the option parser, and the way errors are said.
 * Results go to standard output, warnings and errors to standard error, one line each, starting with "abut COMMAND:".
 */
#ifndef ABUT_CLI_H
#define ABUT_CLI_H

#include <stddef.h>
#include <stdio.h>

#include "abut/abut.h"

/* Exit status of every command. */
enum {
    CLI_OK = 0,        /* done; "yes" where the question is yes or no */
    CLI_NO = 1,        /* the answer is no; or interrupted, with a partial result */
    CLI_BAD = 2,       /* bad input or usage */
    CLI_UNDECIDED = 3, /* not decided within the tolerance or the budget */
    CLI_GO = -1        /* from cli_parse: the command line is good, go on */
};

typedef struct CliCommand {
    const char *name;
    int (*run)(const struct CliCommand *command, int argc, char **argv); /* argv holds what follows the name */
    const char *usage;                                                   /* "FILE... [options]" */
    const char *summary;                                                 /* one line */
    const char *help; /* the paragraphs of `abut help NAME`, ending in a newline */
} CliCommand;

/* One sub-command per file. */
int cli_info(const CliCommand *command, int argc, char **argv);
int cli_make(const CliCommand *command, int argc, char **argv);
int cli_intersect(const CliCommand *command, int argc, char **argv);
int cli_distance(const CliCommand *command, int argc, char **argv);
int cli_collide(const CliCommand *command, int argc, char **argv);
int cli_cast(const CliCommand *command, int argc, char **argv);
int cli_toi(const CliCommand *command, int argc, char **argv);
int cli_clearance(const CliCommand *command, int argc, char **argv);
int cli_decompose(const CliCommand *command, int argc, char **argv);
int cli_minkowski(const CliCommand *command, int argc, char **argv);
int cli_volume(const CliCommand *command, int argc, char **argv);
int cli_simulate(const CliCommand *command, int argc, char **argv);
int cli_modes(const CliCommand *command, int argc, char **argv);
int cli_robot(const CliCommand *command, int argc, char **argv);
int cli_ik(const CliCommand *command, int argc, char **argv);
int cli_plan(const CliCommand *command, int argc, char **argv);
int cli_sweep(const CliCommand *command, int argc, char **argv);
int cli_view(const CliCommand *command, int argc, char **argv);
int cli_render(const CliCommand *command, int argc, char **argv);
int cli_playground(const CliCommand *command, int argc, char **argv);
int cli_reproduce(const CliCommand *command, int argc, char **argv);

/* The whole tool; gives the exit status. */
int cli_main(int argc, char **argv);

/* Is there a command of this name? */
int cli_is_command(const char *name);

/* ---- options ----------------------------------------------------------------------------------------------------- */

typedef enum CliKind {
    CLI_FLAG,   /* int: set to 1; takes no argument */
    CLI_COUNT,  /* int: a whole number from 1 on */
    CLI_WHOLE,  /* int: a whole number from 0 on */
    CLI_WITHIN, /* CliWithin: a whole number of a range */
    CLI_REAL,   /* double */
    CLI_REALS,  /* CliReals: numbers with commas between */
    CLI_TEXT,   /* const char * */
    CLI_TEXTS,  /* CliTexts: the option may be given several times */
    CLI_POSE    /* AbutPose: x,y,z, with qw,qx,qy,qz behind it, or rpy: or axis: before it; see abut help */
} CliKind;

typedef struct CliWithin {
    int *to;
    int low, high;
} CliWithin;

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
    const char *name;  /* "--triangles" */
    const char *brief; /* "-t", or NULL */
    CliKind kind;
    void *to;             /* of the type that `kind` says; keeps its value when the option is not given */
    const char *argument; /* name of the argument in the help, NULL for flags */
    const char *help; /* the help adds "(default: ...)" from the value at `to`, unless it stands here. One that begins
                         "with --one or --other: " is refused where none of these is given, and
                         "with --model this or that: " where that option has none of these values */
} CliOption;

/* Numbers with commas between, and nothing after them; 0 when it is something else. */
int cli_read_reals(const char *text, CliReals *out);

/* Where the first one that is no finite number begins; NULL: all are. */
const char *cli_bad_real(const char *text);

/*
 * Reads the options of a command. Arguments that are no options are moved to the front of argv and counted in
 * *operands. Gives CLI_GO, or the status to end with: CLI_OK after --help was answered, CLI_BAD after one line on
 * standard error that names the argument and what was expected.
 */
int cli_parse(
    const CliCommand *command, const CliOption *options, int option_count, int argc, char **argv, int *operands);

/* After cli_parse: the argument of --html, NULL: none; *open: was --open given? */
const char *cli_page(int *open);

/* Prints "abut COMMAND: text" (command may be NULL) to standard error and gives CLI_BAD. */
int cli_error(const CliCommand *command, const char *format, ...) ABUT_PRINTF(2, 3);
void cli_warning(const CliCommand *command, const char *format, ...) ABUT_PRINTF(2, 3);

/* Outputs against inputs and each other, and whether they can be written, before anything is read, so that not one of
 * several is missing after the work; standard input at most once, standard output never.
 * NULL: not given. CLI_GO, or CLI_BAD after one line. */
int cli_check_files(const CliCommand *command, int input_count, const char *const *inputs, int output_count,
    const char *const *outputs);

/* The name of a file without its folder, as titles of pages show it. */
const char *cli_base_name(const char *path);

/* Makes a folder unless it is there. CLI_GO, or CLI_BAD after one line. */
int cli_make_folder(const CliCommand *command, const char *folder);

/* A number that was given (not NaN) must lie within [low, high]: CLI_GO, or CLI_BAD after one line. */
int cli_check_range(const CliCommand *command, const char *option, double value, double low, double high);

/* After cli_parse: does the option, by its long name, stand on the command line? */
int cli_given(const char *option);

/* CLI_GO, or CLI_BAD where an option was given that would be ignored: `why` says what makes it so. */
int cli_refuse(const CliCommand *command, const char *option, const char *why);

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
int cli_answer(
    const CliCommand *command, int indent, const AbutRecord *record, const char *text, const void *data, int status);

/* A JSON array of `count` structs of a table. */
int cli_answers(const CliCommand *command, int indent, const AbutRecord *record, const void *rows, int count);

/* A quaternion as w, x, y, z: for rows of ABUT_FIELD_PUT. */
void cli_put_quat(AbutJson *json, const void *member);

/* Ends JSON text on standard output; CLI_BAD when it could not be written, else `status`. */
int cli_json_end(const CliCommand *command, AbutJson *json, int status);

/* Closes standard output; CLI_BAD when something written did not arrive, else `status`. */
int cli_finish(const CliCommand *command, int status);

#endif
