/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: a question about two soft bodies on its way, and its inner loops, which are compiled for each vector unit:
 * the walks through the samples, and the sums over those that count. All units give the same bits.
 */
#ifndef ABUT_SRC_DIRECTION_SOFT_QUERY_H
#define ABUT_SRC_DIRECTION_SOFT_QUERY_H

#include "direction/field.h"

/* One body as the other sees it. */
typedef struct AbutSoftSide {
    const AbutSoftBody *body;
    AbutSoftGrid other; /* field that its samples are looked up in */
    AbutMat3 to_other;  /* its coordinates to those of the other body */
    AbutVec3 offset;
    double slack; /* the other field differs from a 1-Lipschitz function by this, twice */
    _Alignas(32) double column[3][4], shift[4], low[4], high[4]; /* to_other, offset, origin and end of the grid */
} AbutSoftSide;

typedef struct AbutSoftSearch {
    AbutSoftSide side[2]; /* samples of A, samples of B */
    AbutMat3 r;           /* B to A */
    AbutVec3 p;
    double tau, nearest, cut;
    AbutAabb region;    /* of the hits, frame of A */
    double *phi, *area; /* of the hits */
    int32_t *item;      /* sample of A, or ~sample of B */
    int32_t hits;
    int64_t evaluations;
} AbutSoftSearch;

/* Sums over the hits with weight t^5 > 0. */
typedef struct AbutSoftSums {
    AbutVec3 force, move, turn;
    double moment[6], near_area, most;
    int32_t count;
} AbutSoftSums;

typedef struct AbutSoftUnit {
    const char *name;
    void (*find_nearest)(AbutSoftSearch *q, int samples_too); /* lowers `nearest` */
    void (*collect)(AbutSoftSearch *q);                       /* all samples up to `cut` above it */
    AbutSoftSums (*sum_up)(const AbutSoftSearch *q, double distance);
} AbutSoftUnit;

extern const AbutSoftUnit abut_soft_unit_plain, abut_soft_unit_avx2;

/* Fills the rates of an answer from its coherence and certificate (soft_turn.c). */
void abut_soft_set_rates(const AbutSoftBody *b, AbutPose b_in_a, AbutSoft *soft);

/* The best unit of this processor. */
const AbutSoftUnit *abut_soft_unit(void);

/* For tests: the unit to take from now on, NULL for the best. */
void abut_soft_unit_force(const AbutSoftUnit *unit);

#endif
