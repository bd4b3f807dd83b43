/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the verbs of this room. */
#ifndef ABUT_SRC_SOLID_SOLID_H
#define ABUT_SRC_SOLID_SOLID_H

#include "abut/solid.h"

/* Is the kind in the tables? That of a prepared solid is not. */
static inline int abut_solid_is_known(AbutSolid solid) { return (unsigned)solid.kind < ABUT_SOLID_KIND_COUNT; }

static inline int abut_solids_are_known(AbutSolid a, AbutSolid b) {
    return abut_solid_is_known(a) && abut_solid_is_known(b);
}

/* The outcome with the names of the bodies exchanged. */
static inline AbutGapOutcome abut_gap_outcome_swapped(AbutGapOutcome outcome) {
    return outcome == ABUT_A_IN_B ? ABUT_B_IN_A : outcome == ABUT_B_IN_A ? ABUT_A_IN_B : outcome;
}

/* The gap with the bodies exchanged; the frame stays. */
static inline AbutGap abut_gap_swapped(AbutGap gap) {
    AbutGap out = gap;
    out.outcome = abut_gap_outcome_swapped(gap.outcome);
    out.normal = abut_neg(gap.normal);
    out.plane = abut_neg(gap.plane);
    out.point_a = gap.point_b, out.point_b = gap.point_a;
    out.part_a = gap.part_b, out.part_b = gap.part_a;
    return out;
}

/* Is x, of A's piece of this number, better than the best so far? Then it is that, and `limits` follow. */
void abut_gap_keep_piece(AbutGap *best, const AbutGap *x, int32_t piece, AbutGapDef *limits);

#endif
