/* SPDX-License-Identifier: Apache-2.0 */
/* The motions of the two operands of a command: files of poses or of joints, or poses for all times. */
#ifndef ABUT_CLI_MOTION_OPERANDS_H
#define ABUT_CLI_MOTION_OPERANDS_H

#include "operands.h"

typedef struct MotionOperands {
    const char *name[2]; /* of --motion-a and --motion-b; NULL: not given */
    AbutMotionFile *file[2];
    AbutMotion motion[2];
    double from, to; /* NaN: not given; then what the files say */
} MotionOperands;

MotionOperands motion_operands_make(void);

/* Rows of an option table: --motion-a (which 0), --motion-b (which 1), --from, --to. */
CliOption motion_operands_file(MotionOperands *motions, int which);
CliOption motion_operands_from(MotionOperands *motions);
CliOption motion_operands_to(MotionOperands *motions);

/* Reads the files. CLI_GO, or CLI_BAD after one line. Free in both cases. */
void motion_operands_read(Operands *operands, MotionOperands *motions);
void motion_operands_free(MotionOperands *motions);

#endif
