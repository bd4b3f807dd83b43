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

/* Middle and half sides of a box around a body; infinite sides around a half-space or plane. */
void abut_placed_box(const AbutPlacedBody *body, AbutVec3 *middle, AbutVec3 *half);

#endif
