/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut clearance` was asked, and the parts that answer it. */
#ifndef ABUT_CLI_CLEARANCE_RUN_H
#define ABUT_CLI_CLEARANCE_RUN_H

#include "motion_operands.h"

typedef struct ClearanceArgs {
    Operands operands;
    MotionOperands motions;
    double eps;
    int budget; /* 0: not given */
    int json;
} ClearanceArgs;

/* Reads the meshes and answers. Gives the exit status. */
int clearance_run(const CliCommand *command, ClearanceArgs *args);

#endif
