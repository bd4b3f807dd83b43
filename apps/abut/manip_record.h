/* SPDX-License-Identifier: Apache-2.0 */
/* A plan through contact while it is carried out: the run, the plan beside it, and the lines of its page. */
#ifndef ABUT_CLI_MANIP_RECORD_H
#define ABUT_CLI_MANIP_RECORD_H

#include "abut/file.h"
#include "abut/manipulation.h"
#include "abut/picture.h"

enum { MANIP_LINES = 4 + 4 * ABUT_MANIP_FINGERS };

typedef struct ManipRecord {
    const AbutManipTask *task;
    const AbutManipPlan *plan;
    AbutRun *run, *planned; /* NULL before the first step */
    int step;               /* of the simulation */
    int32_t line_count;
    struct AbutPageLine line[MANIP_LINES];
    char name[MANIP_LINES][24];
    double *values[MANIP_LINES];
    size_t capacity[MANIP_LINES];
} ManipRecord;

/* For AbutManipTrial.watch, with a ManipRecord as user: keeps every tenth step. */
int manip_record(const AbutManipMoment *moment, void *user);
/* Fills line and line_count with what fingers did in the simulation too. */
void manip_record_finish(ManipRecord *record);
void manip_record_free(ManipRecord *record);

#endif
