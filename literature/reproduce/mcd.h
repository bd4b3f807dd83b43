/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of `abut reproduce mcd`. */
#ifndef ABUT_REPRODUCE_MCD_H
#define ABUT_REPRODUCE_MCD_H

#include "abut/clearance.h"

#include <stdio.h>

/* The distance over time, with what is proved about it; good when zeroed. */
typedef struct McdCurve {
    double *t, *d, *lower;
    size_t capacity[3];
    size_t count;
} McdCurve;

int mcd_keep_sample(const AbutClearanceSample *sample, void *curve); /* for abut_clearance_curve */
void mcd_curve_free(McdCurve *curve);

/* Least distances of the parts of a motion, by several means. */
enum { MCD_INTERVALS = 6, MCD_METHODS = 3 };

typedef struct McdIntervals {
    AbutClearance certified[MCD_INTERVALS];
    double method[MCD_METHODS][MCD_INTERVALS];
    double approximated[MCD_INTERVALS];
    double off, off_half; /* the largest error of approximated trajectories, and over parts half as long */
} McdIntervals;

/* Fills *out and draws methods.svg and approximated.svg in the folder. */
AbutStatus mcd_intervals(const char *folder, McdIntervals *out, AbutError *error);
void mcd_put_intervals(FILE *to, const McdIntervals *r);

#endif
