/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of a pair with the names of its bodies exchanged. In: outcome or gap. Out: the same, the other way round.
 */
#ifndef ABUT_SOLID_SWAP_H
#define ABUT_SOLID_SWAP_H

#include "abut/query.h"

/* The outcome with the names of the bodies exchanged. */
static inline AbutGapOutcome abut_gap_outcome_swapped(AbutGapOutcome outcome)
{
    return outcome == ABUT_A_IN_B ? ABUT_B_IN_A : outcome == ABUT_B_IN_A ? ABUT_A_IN_B : outcome;
}

/* The same gap with the names of the bodies exchanged; the frame stays. */
static inline AbutGap abut_gap_swapped(AbutGap gap)
{
    AbutGap out = gap;
    out.outcome = abut_gap_outcome_swapped(gap.outcome);
    out.normal = abut_neg(gap.normal);
    out.plane = abut_neg(gap.plane);
    out.point_a = gap.point_b, out.point_b = gap.point_a;
    out.part_a = gap.part_b, out.part_b = gap.part_a;
    return out;
}

#endif
