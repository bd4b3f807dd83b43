/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts become a flag that long runs look at. */
#include "interrupt.h"

#include <signal.h>
#include <string.h>

static volatile int interrupted;
static struct sigaction before[2]; /* SIGINT, SIGTERM */

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void interrupt_catch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_interrupt;
    action.sa_flags = (int)SA_RESETHAND; /* the second interrupt ends the program at once */
    interrupted = 0;
    sigaction(SIGINT, &action, &before[0]);
    sigaction(SIGTERM, &action, &before[1]);
}

void interrupt_release(void)
{
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
}

const volatile int *interrupt_flag(void)
{
    return &interrupted;
}
