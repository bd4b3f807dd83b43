/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ABUT_CLI_REPRODUCE_MODES_PRINTED_H
#define ABUT_CLI_REPRODUCE_MODES_PRINTED_H

#include "reproduce.h"

typedef struct ModesPrinted {
    int ran; /* 0: a hull has more vertices than the search takes */
    uint64_t cs, modes;
} ModesPrinted;

/* Counts with the faults of the authors' program; `drop_lifted`: the pattern in which most contacts separate is lost.
 */
AbutStatus modes_printed(const AbutModeSystem *system, int drop_lifted, ModesPrinted *out, AbutError *error);

#endif
