/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/solid.h"

static const AbutField impact_fields[] = {
    {ABUT_FIELD_WORDS(AbutImpact, outcome, abut_impact_outcome_names, "The result.")},
    {ABUT_FIELD(AbutImpact, t, REAL, "s", "Time of the first contact; the end of the interval for none.")},
    {ABUT_FIELD(AbutImpact, t_lo, REAL, "s", "No contact until this time.")},
    {ABUT_FIELD(AbutImpact, t_hi, REAL, "s", "Contact at this time.")},
    {ABUT_FIELD(AbutImpact, distance, REAL, "m", "Distance at `t`.")},
    {ABUT_FIELD_VEC3(AbutImpact, normal, "", "Unit normal from A to B at `t`.")},
    {ABUT_FIELD_VEC3(AbutImpact, point_a, "m", "Point of A at `t`.")},
    {ABUT_FIELD_VEC3(AbutImpact, point_b, "m", "Point of B at `t`.")},
    {ABUT_FIELD(AbutImpact, part_a, INT, "", "Triangle or piece of A; -1 for a convex body.")},
    {ABUT_FIELD(AbutImpact, part_b, INT, "", "Triangle or piece of B; -1 for a convex body.")},
    {ABUT_FIELD(AbutImpact, rounds, INT, "", "Steps of the search.")},
};

const AbutRecord abut_impact_record =
    ABUT_RECORD("Impact", "First contact of two moving bodies, never late.", AbutImpact, impact_fields);

static const AbutField hit_fields[] = {
    {ABUT_FIELD_WORDS(AbutCastHit, outcome, abut_impact_outcome_names, "The result.")},
    {ABUT_FIELD(AbutCastHit, t, REAL, "", "Part of the way at the hit, 0 to 1; 1 for none.")},
    {ABUT_FIELD(AbutCastHit, t_lo, REAL, "", "Free until this part of the way.")},
    {ABUT_FIELD(AbutCastHit, t_hi, REAL, "", "In contact at this part of the way.")},
    {ABUT_FIELD_VEC3(AbutCastHit, point, "m", "Point on the body that was hit.")},
    {ABUT_FIELD_VEC3(AbutCastHit, normal, "", "Unit normal out of the body.")},
    {ABUT_FIELD(AbutCastHit, body, INT, "", "Number of the body; -1 for none.")},
    {ABUT_FIELD(AbutCastHit, feature, INT, "", "Triangle of a mesh, or face; -1 for none.")},
};

const AbutRecord abut_cast_hit_record = ABUT_RECORD(
    "CastHit", "Where a ray, or a body moved along a straight way, first meets a body.", AbutCastHit, hit_fields);
