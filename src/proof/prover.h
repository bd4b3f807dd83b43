/* SPDX-License-Identifier: Apache-2.0 */
/* Proofs of edges, which are straight lines in planned coordinates, as the search of plans asks for them. */
#ifndef ABUT_SRC_PROOF_PROVER_H
#define ABUT_SRC_PROOF_PROVER_H

#include "proof/certify.h"
#include "proof/lanes.h"

/* Part of an edge: its middle and half width, of 0 .. 1. */
typedef struct AbutPlanPart {
    double x, h;
} AbutPlanPart;

enum { ABUT_PLAN_PROVER_PARTS = 256 };

struct AbutPlanProver {
    const AbutPlanProblem *problem;
    double level, room;      /* distance to keep; distance of the center of mass from the edges of the support */
    AbutPlanBlock *block;    /* of an edge */
    AbutPlanBlock *postures; /* of eight postures */
    AbutPlanMoment moment;
    AbutConvexCache *caches; /* per item */
    AbutVec3 *normals;       /* per item, in the axes of piece b: the last that was of use; zero: none yet */
    AbutPlanPart *done;      /* per item: part of the edge over which it was settled; h below 0: none */
    int32_t *touched;        /* items with a part there */
    int32_t touched_count;
    int32_t rest_count, *rest; /* items and facings that blocks do not look at and that joints move */
    const uint8_t *free;       /* per pair: 1: may meet on this edge; NULL: none */
    int32_t still_pair;        /* the nearest pair that no joint moves and its distance; -1: there is none */
    double still;
    double *from, *way, *size, *q; /* per joint */
    int32_t top;
    AbutPlanPart *stack; /* ABUT_PLAN_PROVER_PARTS */
    void *memory;
};

/* Is every pair, and the center of mass, proved to keep its distance on the whole edge? The inside of closed surfaces
 * is left to abut_plan_prover_is_outside. */
int abut_plan_prove_edge(AbutPlanProver *prover, const double *from, const double *to);

/* Is no piece inside a closed surface at coordinates u? */
int abut_plan_prover_is_outside(AbutPlanProver *prover, const double *u);

/* As above, for up to eight postures; bits of those that are proved. */
uint32_t abut_plan_prove_postures(AbutPlanProver *prover, int count, const double *u);

#endif
