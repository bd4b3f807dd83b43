/* SPDX-License-Identifier: Apache-2.0 */
/* Long calls that can be canceled: they run on a thread of their own while this one looks out for Ctrl-C. */
#ifndef ABUT_PYTHON_INTERRUPT_H
#define ABUT_PYTHON_INTERRUPT_H

#include "native.h"

typedef void LongCall(void *user);

/* Runs `call`; at a signal whose handler raises, sets *cancel and waits for the call to end. 0, or -1 with an
 * exception. To be called with the interpreter's lock, which the call itself does not have. */
int run_interruptible(LongCall *call, void *user, volatile int *cancel);

/* Runs a call that need not be waited for; at such a signal *cancel is set, unless NULL, and the call is left behind:
 * it goes on to its end unseen, and `release` (with the lock) then frees `user`, which is the thread's from then on. 0:
 * done, `user` is still the caller's; -1 with an exception: it is gone. */
int run_or_leave(LongCall *call, LongCall *release, void *user, volatile int *cancel);

#endif
