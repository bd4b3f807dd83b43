/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command, many runs. A plan says which command lines there are; a runner hands them out, each to a process of its
 * own; a journal keeps every answer as soon as it is there; a table is made of journals at the end. The table depends
 * on the answers alone, not on who gave them when.
 */
#ifndef ABUT_SWEEP_H
#define ABUT_SWEEP_H

#include "cli.h"
#include "progress.h"

/* ---- texts ------------------------------------------------------------------------------------------------------- */

typedef struct SweepText {
    char *text; /* zero-terminated, NULL while empty */
    size_t count, capacity;
} SweepText;

void sweep_text_add(SweepText *to, const char *bytes, size_t count);
void sweep_text_put(SweepText *to, const char *text);
void sweep_text_free(SweepText *text);

typedef struct SweepWords {
    char **word; /* word[count] is NULL */
    int count;
    size_t capacity;
} SweepWords;

void sweep_words_add(SweepWords *words, const char *bytes, size_t count);
void sweep_words_take(SweepWords *words, SweepText *text); /* the text is empty then */
void sweep_words_free(SweepWords *words);

/* ---- plan -------------------------------------------------------------------------------------------------------- */

enum { SWEEP_VARIABLES_MAX = 16, SWEEP_CASES_MAX = 10000000 };

/* A name and the values it takes: value[(case / stride) % count]. Columns of a file of cases share their stride. */
typedef struct SweepVariable {
    char *name;
    SweepWords value;
    int64_t stride;
    int used; /* stands in the command as {name}; else it is added as an option --name */
} SweepVariable;

typedef struct SweepPlan {
    SweepWords command; /* with {name} in the words */
    SweepVariable variable[SWEEP_VARIABLES_MAX];
    int variable_count, file_count; /* the first file_count are columns of a file of cases */
    int64_t case_count;
    uint64_t hash; /* of all command lines */
} SweepPlan;

/* Input from the command line. */
void sweep_plan_command(SweepPlan *plan, const char *text);
void sweep_plan_values(SweepPlan *plan, const char *name, const char *values);
void sweep_plan_cases(SweepPlan *plan, const char *path);
/* After all of them: names against the command, number of cases, files that every case would write. */
void sweep_plan_close(SweepPlan *plan);

const char *sweep_plan_value(const SweepPlan *plan, int variable, int64_t index);
/* The command line of one case, without the program. */
SweepWords sweep_plan_words(const SweepPlan *plan, int64_t index);

/* Values of one variable: "1..9", "1..9/3" (evenly spaced), "a,b,c". */
void sweep_values(const char *name, const char *text, SweepWords *out);

/* ---- one case ---------------------------------------------------------------------------------------------------- */

enum { SWEEP_TIMED_OUT = 124, SWEEP_NOT_STARTED = 127 };

typedef struct SweepAnswer {
    int exit; /* of the process, SWEEP_TIMED_OUT, SWEEP_NOT_STARTED, or minus the signal that ended it */
    int canceled;
    SweepText out, err;
} SweepAnswer;

/* Runs this very program with `words`; `seconds` 0: no limit. A process that is killed from outside is run again. */
SweepAnswer sweep_case_run(char *const *words, double seconds, const volatile int *cancel);
void sweep_answer_free(SweepAnswer *answer);

/* ---- journal ----------------------------------------------------------------------------------------------------- */

typedef struct SweepEntry {
    int64_t at; /* offset of the line; -1: not there */
    int32_t size, file;
} SweepEntry;

typedef struct SweepJournal {
    char *path;
    FILE *file;
    SweepText header; /* its first line */
    SweepWords names; /* of the variables */
    char command[32]; /* its name */
    int64_t case_count, done_count;
    int shard, shards;
    SweepEntry *entry; /* per case */
} SweepJournal;

/* Opens or goes on with the journal of a plan; a last line that was cut off is dropped. */
void sweep_journal_open(
    SweepJournal *journal, const char *path, const SweepPlan *plan, int shard, int shards, int fresh);
/* Opens one to read. */
void sweep_journal_read(SweepJournal *journal, const char *path);
/* One line, on the disk when this returns; CLI_BAD: it could not be written. *failed: is the answer none? */
int sweep_journal_add(SweepJournal *journal, const SweepPlan *plan, int64_t index, const SweepAnswer *a, int *failed);
void sweep_journal_close(SweepJournal *journal);

/* ---- table ------------------------------------------------------------------------------------------------------- */

typedef struct SweepTable {
    int64_t rows, failed;
    int columns;
    char left_out[200]; /* keys of long arrays, of which only the number of elements is told */
} SweepTable;

/* Makes the table of journals that have all cases between them. */
void sweep_table_write(SweepJournal *journals, int count, const char *path, int times, SweepTable *about);

/* ---- runners ----------------------------------------------------------------------------------------------------- */

typedef struct Sweep {
    SweepPlan plan;
    SweepJournal journal;
    int jobs;
    double seconds; /* limit for a case, 0: none */
    const volatile int *cancel;
    int64_t next, todo, given, failed;
    int broken; /* the journal cannot be written */
    pthread_mutex_t lock;
    Progress progress;
} Sweep;

/* The next case that is not done, -1: none is left or the sweep was interrupted. Any thread. */
int64_t sweep_take(Sweep *sweep);
/* Keeps an answer and frees it. Any thread. */
void sweep_give(Sweep *sweep, int64_t index, SweepAnswer *answer);

/* Runs all cases that are left; the default hands them to `jobs` threads. */
typedef void SweepRunner(Sweep *sweep);
void sweep_run_here(Sweep *sweep);
extern SweepRunner *sweep_runner;

#endif
