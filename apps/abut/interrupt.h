/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C and requests to terminate: the first one asks a command to end with what it has, the second one ends it. */
#ifndef ABUT_CLI_INTERRUPT_H
#define ABUT_CLI_INTERRUPT_H

/* Starts over with no interrupt so far; interrupts are caught until interrupt_release. */
void interrupt_catch(void);
void interrupt_release(void);

/* Non-zero after an interrupt. The place never changes, so that it can be handed to a long call as its `cancel`. */
const volatile int *interrupt_flag(void);

#endif
