/* SPDX-License-Identifier: Apache-2.0 */
/* Private: entries of height fields in the tables of this room. */
#ifndef ABUT_SOLID_FIELD_H
#define ABUT_SOLID_FIELD_H

#include "solid/solid.h"

/* In the frame of the field. */
AbutCastHit abut_field_ray(AbutSolid field, AbutRay ray, double touch);
AbutNearestPoint abut_field_nearest(AbutSolid field, AbutVec3 point);

AbutAabb abut_field_box(AbutSolid field, AbutPose pose); /* around its grid */

/* In the world. */
AbutCastHit abut_field_moved(const AbutPlaced *field, const AbutPlaced *moved, AbutVec3 way, double tolerance);

/* A field against a solid of another kind; no cache. */
AbutGap abut_field_distance(
    const AbutSolid *field, const AbutSolid *b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache);
AbutCollision abut_field_collide(const AbutSolid *field, const AbutSolid *b, AbutPose b_in_a, AbutGapCache *cache);

#endif
