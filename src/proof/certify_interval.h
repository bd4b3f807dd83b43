/* SPDX-License-Identifier: Apache-2.0 */
/* A proof while it is being made, and what it asks about one interval. */
#ifndef ABUT_SRC_PROOF_CERTIFY_INTERVAL_H
#define ABUT_SRC_PROOF_CERTIFY_INTERVAL_H

#include "proof/certify.h"

/* For a piece of the trajectory. */
typedef struct AbutProofPart {
    int32_t piece;
    double from, to;
} AbutProofPart;

typedef struct AbutProof {
    const AbutPlanProblem *problem;
    const AbutTrajectory *trajectory;
    double level;
    int64_t budget;
    AbutPlanMoment moment;
    double from, to;             /* the interval, as parts of the whole time */
    AbutConvexCache *caches;     /* per item */
    AbutVec3 *normals;           /* per item, in the axes of piece b: the last that was of use; zero: none yet */
    AbutProofPart *done;         /* per item and facing: the last part over which it was settled */
    int32_t *open;               /* room for lists */
    AbutPairCertificate *pairs;  /* times in the trajectory's */
    AbutPlanCenterMotion center; /* over the interval, where edges are open */
    AbutCertificate *out;
} AbutProof;

/* Time at x = 0 .. 1 of a piece. */
double abut_proof_time(const AbutProof *proof, int32_t piece, double x);

/* Makes this the interval that is asked about. */
void abut_proof_set_part(AbutProof *proof, const AbutProofPart *part);

/* May a pair meet in all of the interval? */
int abut_proof_may_meet(const AbutProof *proof, int32_t pair);

/* Is a lower bound of a pair above the level? If so it is noted, with time t where none is known. */
int abut_proof_take_bound(AbutPairCertificate *pair, double bound, double level, double t);

/* Is nothing more to be asked about an item in this interval, with middle t? Items are counted first, then facings,
 * then edges. */
int abut_proof_is_done(AbutProof *proof, int32_t i, double t);

/* Asks about `count` numbers of `open`, in order, and of what is left about both halves. Behind them there is room for
 * as many for each level to come. */
void abut_proof_halve(AbutProof *proof, int32_t piece, double from, double to, int32_t *open, int32_t count);

/* Finds pieces that are inside a closed surface at the beginning, or when they may no longer meet. */
void abut_proof_look_inside(AbutProof *proof);

#endif
