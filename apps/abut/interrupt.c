/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts become a flag that long runs look at; elsewhere they end the program, without leaving half a file. */
#include "progress.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { PATIENCE = 3 }; /* interrupts until a long run is ended */

static volatile int interrupted;
static volatile sig_atomic_t catching;

/* Only calls that a signal handler may make. */
static void end_now(void)
{
    static const char text[] = "abut: interrupted\n";
    abut_file_out_discard();
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(CLI_NO);
}

static void note_interrupt(int number)
{
    (void)number;
    interrupted = interrupted + 1;
    if (!catching || interrupted >= PATIENCE)
        end_now();
}

/* Whoever read standard output has gone: no half file stays, and the signal ends the program. */
static void end_by_pipe(int number)
{
    abut_file_out_discard();
    signal(number, SIG_DFL);
    raise(number);
}

void interrupt_install(void)
{
    signal(SIGPIPE, end_by_pipe); /* also where the caller ignores it: nobody reads on */
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

void interrupt_catch(void)
{
    interrupted = 0;
    catching = 1;
}

void interrupt_release(void)
{
    catching = 0;
}

const volatile int *interrupt_flag(void)
{
    return &interrupted;
}
