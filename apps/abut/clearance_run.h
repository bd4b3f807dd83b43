/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut clearance` was asked, what came out, and the parts that show it. */
#ifndef ABUT_CLI_CLEARANCE_RUN_H
#define ABUT_CLI_CLEARANCE_RUN_H

#include "operands.h"

typedef struct ClearanceRun {
    Operands operands;
    double eps, band;   /* band NaN: not given */
    int budget, minima; /* 0: not given */
    double seconds;     /* 0: not given */
    int contact_times, json, method, soft;
    double tau;               /* of soft; NaN: not given */
    const char *curve, *page; /* files, or NULL */
    AbutMover a, b;
    AbutClearanceDef def;
    AbutClearanceSpace *space;
    AbutClearance answer;
    AbutGap depth;     /* of two meshes that meet; NaN where there is none */
    double depth_time; /* when */
    AbutClearanceMinimum *minimum;
    int32_t minimum_count;        /* how many there are; at most `minima` are kept */
    AbutContactTime touch[2];     /* first and last */
    AbutClearanceSample *samples; /* of the whole curve */
    int32_t sample_count;
    size_t sample_capacity;
} ClearanceRun;

double clearance_distance_at(const ClearanceRun *run, double t); /* at one time */

/* Prints the answer; gives the exit status. */
int clearance_print(const ClearanceRun *run);

/* The files of --curve and --html. */
void clearance_write_curve(const ClearanceRun *run);
void clearance_write_page(const ClearanceRun *run);

static inline int32_t clearance_minima_kept(const ClearanceRun *run)
{
    return run->minimum_count < run->minima ? run->minimum_count : run->minima;
}

#endif
