/* SPDX-License-Identifier: Apache-2.0 */
/* How long it takes: a clock, and a line on the terminal that is written over until the work is done. */
#ifndef ABUT_CLI_PROGRESS_H
#define ABUT_CLI_PROGRESS_H

#include <pthread.h>

#include "cli.h"

/* Seconds of a clock that never goes back. */
double cli_clock(void);

/* Processor time of all threads, s: what a busy machine does meanwhile does not count. */
double cli_processor_clock(void);

typedef struct Progress Progress;
typedef void ProgressShow(Progress *progress, void *user);

struct Progress {
    double started, shown; /* clock; shown is 0 before the first line */
    int terminal;          /* standard error is one; otherwise nothing is shown */
    ProgressShow *show;    /* of the thread */
    void *user;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int running, done;
};

void progress_begin(Progress *progress);

/* As above, beside printed rows: nothing is shown where these go to a terminal as well. */
void progress_begin_table(Progress *progress);

/* Is it time for a new line? Ten times a second at most, and only on a terminal. */
int progress_due(const Progress *progress);

/* Writes the line over the one before. */
void progress_line(Progress *progress, const char *format, ...) ABUT_PRINTF(2, 3);

/* A bar and the time left in front of the rest of the line, where it is time for a new line. `part` is 0 to 1. */
void progress_bar(Progress *progress, double part, const char *format, ...) ABUT_PRINTF(3, 4);

/* For work that cannot say how far it is: a thread calls `show` twice a second, which calls progress_line. */
void progress_watch(Progress *progress, ProgressShow *show, void *user);

/* Takes the line away, so that another one can be written. */
void progress_clear(void);

/* Takes the line away, and ends the thread. */
void progress_end(Progress *progress);

/* Once, when the program starts. */
void interrupt_install(void);

/* Starts over with no interrupt so far; interrupts are caught until interrupt_release. */
void interrupt_catch(void);
void interrupt_release(void);

/* Non-zero after an interrupt. The place never changes, so that it can be handed to a long call as its `cancel`. */
const volatile int *interrupt_flag(void);

#endif
