/* SPDX-License-Identifier: Apache-2.0 */
/* What the casts of this room share. */
#ifndef ABUT_MOTION_CAST_H
#define ABUT_MOTION_CAST_H

#include "abut/motion.h"

/* A cast that says nothing but its outcome. */
static inline AbutCastHit abut_cast_without(AbutImpactOutcome outcome)
{
    AbutCastHit out = {outcome, 1.0, 1.0, 1.0, abut_zero(), abut_zero(), -1, -1};
    return out;
}

/* Ray against a convex body in the frame of the body; `body` of the answer is 0 where there is one. */
AbutCastHit abut_ray_convex(const AbutConvex *c, AbutRay ray);

/* Is there something to report: contact, or contact that could not be ruled out? */
int abut_cast_is_hit(AbutCastHit hit);

/* Adds a hit to those found so far, of which the first `capacity` in order of t are kept; equal ones in order of
 * arrival. *count counts all. */
void abut_cast_sort_in(AbutCastHit hit, int32_t capacity, AbutCastHit *hits, int32_t *count);

#endif
