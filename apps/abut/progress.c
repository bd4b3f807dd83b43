/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock, the progress line, and interrupts: these become a flag that long runs look at; elsewhere they end the
 * program, without leaving half a file.
 */
#include "progress.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double LINE_SECONDS = 0.1;
enum { WATCH_NANOSECONDS = 500000000, SECOND = 1000000000 };

static double read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cli_clock(void) { return read_clock(CLOCK_MONOTONIC); }

double cli_processor_clock(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

static int is_shown; /* a line stands there */

void progress_clear(void) {
    if (is_shown) fputs("\r\033[K", stderr);
    is_shown = 0;
}

void progress_begin(Progress *progress) {
    memset(progress, 0, sizeof *progress);
    progress->started = cli_clock();
    progress->terminal = isatty(STDERR_FILENO);
}

void progress_begin_table(Progress *progress) {
    progress_begin(progress);
    progress->terminal = progress->terminal && !isatty(STDOUT_FILENO);
}

int progress_due(const Progress *progress) {
    return progress->terminal && cli_clock() - progress->shown >= LINE_SECONDS;
}

void progress_line(Progress *progress, const char *format, ...) {
    va_list args;
    progress->shown = cli_clock();
    is_shown = 1;
    fputc('\r', stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs(" \033[K", stderr);
    fflush(stderr);
}

void progress_bar(Progress *progress, double part, const char *format, ...) {
    enum { WIDTH = 32, TEXT = 200 };
    char bar[WIDTH + 1], text[TEXT];
    va_list args;
    if (!progress_due(progress)) return;
    double spent = cli_clock() - progress->started;
    int filled = (int)(part * WIDTH);
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)(filled < WIDTH ? filled : WIDTH));
    bar[WIDTH] = 0;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    progress_line(progress, "[%s] %3.0f %%  %s  %.0f s left", bar, 100.0 * part, text,
        part > 0.0 ? spent * (1.0 - part) / part : 0.0);
}

/* ---- thread ------------------------------------------------------------------------------------------------------ */

static void *watch(void *user) {
    Progress *progress = user;
    pthread_mutex_lock(&progress->lock);
    while (!progress->done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WATCH_NANOSECONDS;
        until.tv_sec += until.tv_nsec / SECOND;
        until.tv_nsec %= SECOND;
        if (pthread_cond_timedwait(&progress->wake, &progress->lock, &until) == ETIMEDOUT)
            progress->show(progress, progress->user);
    }
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

void progress_watch(Progress *progress, ProgressShow *show, void *user) {
    if (!progress->terminal) return;
    progress->show = show;
    progress->user = user;
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->wake, NULL);
    progress->running = pthread_create(&progress->thread, NULL, watch, progress) == 0;
}

void progress_end(Progress *progress) {
    if (progress->running) {
        pthread_mutex_lock(&progress->lock);
        progress->done = 1;
        pthread_cond_signal(&progress->wake);
        pthread_mutex_unlock(&progress->lock);
        pthread_join(progress->thread, NULL);
        progress->running = 0;
    }
    progress_clear();
    progress->shown = 0.0;
}

/* ---- interrupts -------------------------------------------------------------------------------------------------- */

enum { PATIENCE = 3 }; /* interrupts until a long run is ended */

static volatile int interrupted;
static volatile sig_atomic_t catching;

/* Only calls that a signal handler may make. */
static void end_now(void) {
    static const char text[] = "abut: interrupted\n";
    abut_file_out_discard();
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(CLI_NO);
}

static void note_interrupt(int number) {
    (void)number;
    interrupted = interrupted + 1;
    if (!catching || interrupted >= PATIENCE) end_now();
}

/* Whoever read standard output has gone: no half file stays, and the signal ends the program. */
static void end_by_pipe(int number) {
    abut_file_out_discard();
    signal(number, SIG_DFL);
    raise(number);
}

void interrupt_install(void) {
    signal(SIGPIPE, end_by_pipe); /* also where the caller ignores it: nobody reads on */
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); /* beyond the allowed size writing fails, which is an error of the file */
#endif
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
        struct sigaction action, before;
        memset(&action, 0, sizeof action);
        action.sa_handler = note_interrupt;
        action.sa_flags = SA_RESTART;
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup asks to go on */
            sigaction(signals[i], &action, NULL);
    }
}

void interrupt_catch(void) {
    interrupted = 0;
    catching = 1;
}

void interrupt_release(void) { catching = 0; }

const volatile int *interrupt_flag(void) { return &interrupted; }
