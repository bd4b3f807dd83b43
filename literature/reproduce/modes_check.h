/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ABUT_CLI_REPRODUCE_MODES_CHECK_H
#define ABUT_CLI_REPRODUCE_MODES_CHECK_H

#include "reproduce.h"

typedef struct ModesChecked {
    uint64_t checked, proved;
} ModesChecked;

/* Velocities for `most` modes of the `modes` there are, evenly over their order; all when there are no more. */
AbutStatus modes_check(const AbutModeSystem *system, uint64_t modes, int most, ModesChecked *out, AbutError *error);

#endif
