/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ctrl-C, requests to terminate and a terminal that goes away. Outside long runs they end the program with status 1,
 * and what was being written is removed. In a long run the first two ask it to end with what it has, so that a second
 * Ctrl-C in a hurry loses nothing; the third one ends the program.
 */
#ifndef ABUT_CLI_INTERRUPT_H
#define ABUT_CLI_INTERRUPT_H

/* Once, when the program starts. */
void interrupt_install(void);

/* Starts over with no interrupt so far; interrupts are caught until interrupt_release. */
void interrupt_catch(void);
void interrupt_release(void);

/* Non-zero after an interrupt. The place never changes, so that it can be handed to a long call as its `cancel`. */
const volatile int *interrupt_flag(void);

#endif
