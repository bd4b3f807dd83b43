/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut clearance` was asked, and the parts that answer it. */
#ifndef ABUT_CLI_CLEARANCE_RUN_H
#define ABUT_CLI_CLEARANCE_RUN_H

#include "operands.h"

typedef struct ClearanceArgs {
    Operands operands;
    MotionOperands motions;
    double eps, band;   /* band NaN: not given */
    int budget, minima; /* 0: not given */
    double seconds;     /* 0: not given */
    int contact_times, pieces, json;
    const char *pieces_folder[2]; /* of --pieces-a and --pieces-b; NULL: none */
    const char *method;
    const char *distance;     /* exact or soft */
    double tau;               /* of soft; NaN: not given */
    const char *curve, *page; /* files, or NULL */
} ClearanceArgs;

/* What was asked about, and what came out. */
typedef struct ClearanceRun {
    const ClearanceArgs *args;
    AbutMover a, b;
    AbutClearanceDef def;
    AbutClearanceSpace *space;
    const AbutPieces *pieces; /* of both bodies with --pieces, a count of 0 for a body in words; else NULL */
    AbutClearance answer;
    AbutGap depth;     /* of two meshes that meet; NaN where there is none */
    double depth_time; /* when */
    AbutClearanceMinimum *minima;
    int32_t minimum_count; /* how many there are; at most args->minima are kept */
    AbutContactTime first, last;
    AbutClearanceSample *samples; /* of the whole curve */
    int32_t sample_count;
    size_t sample_capacity;
} ClearanceRun;

double clearance_distance_at(const ClearanceRun *run, double t); /* at one time */

/* Reads the bodies and answers. Gives the exit status. */
int clearance_run(ClearanceArgs *args);

int clearance_run_soft(ClearanceArgs *args); /* of --distance soft */

/* Prints the answer; gives the exit status. */
int clearance_print(const ClearanceRun *run);

/* The files of --curve and --html. */
void clearance_write_curve(const ClearanceRun *run);
void clearance_write_page(const ClearanceRun *run);

static inline int32_t clearance_minima_kept(const ClearanceRun *run)
{
    return run->minimum_count < run->args->minima ? run->minimum_count : run->args->minima;
}

#endif
