/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/clearance.h"

static const char *const clearance_reason[ABUT_CLEARANCE_REASON_COUNT + 1] = {
    "tolerance", "budget", "time", "rounding", "method", NULL};

static const AbutField clearance_fields[] = {
    {ABUT_FIELD_WORDS(AbutClearance, status, abut_clearance_status_names, "The result.")},
    {ABUT_FIELD(AbutClearance, certified, FLAG, "", "`ub - lb` is at most the tolerance.")},
    {ABUT_FIELD(AbutClearance, saturated, FLAG, "", "The cores of rounded bodies cross: no smaller distance exists.")},
    {ABUT_FIELD(AbutClearance, containment_known, FLAG, "", "False where a mesh is open.")},
    {ABUT_FIELD(AbutClearance, ub, REAL, "m", "At time `t` two points of the bodies are this far apart.")},
    {ABUT_FIELD(AbutClearance, t, REAL, "s", "Time of `ub`.")},
    {ABUT_FIELD(AbutClearance, lb, REAL, "m", "At no time are the bodies nearer than this.")},
    {ABUT_FIELD_VEC3(AbutClearance, point_a, "m", "Point of A at `t`.")},
    {ABUT_FIELD_VEC3(AbutClearance, point_b, "m", "Point of B at `t`.")},
    {ABUT_FIELD_VEC3(AbutClearance, normal, "", "Unit normal from A to B at `t`; zero where meshes meet.")},
    {ABUT_FIELD(AbutClearance, part_a, INT, "", "Triangle or piece of A.")},
    {ABUT_FIELD(AbutClearance, part_b, INT, "", "Triangle or piece of B.")},
    {ABUT_FIELD(AbutClearance, evaluations, LONG, "", "Exact distances that were computed.")},
    {ABUT_FIELD(AbutClearance, node_pairs, LONG, "", "Pairs of nodes that were bounded.")},
    {ABUT_FIELD(AbutClearance, intervals, INT, "", "Intervals of time that were looked at.")},
    {ABUT_FIELD_WORDS(AbutClearance, reason, clearance_reason, "Why the search ended.")},
};

const AbutRecord abut_clearance_record = ABUT_RECORD(
    "Clearance", "How near two moving bodies come over a whole motion, with proof.", AbutClearance, clearance_fields);

static const AbutField sample_fields[] = {
    {ABUT_FIELD_AS("start", AbutClearanceSample, from, REAL, "s", "Begin of the piece.")},
    {ABUT_FIELD_AS("end", AbutClearanceSample, to, REAL, "s", "End of the piece.")},
    {ABUT_FIELD(AbutClearanceSample, t, REAL, "s", "Its middle.")},
    {ABUT_FIELD(AbutClearanceSample, d, REAL, "m", "Distance at `t`.")},
    {ABUT_FIELD(AbutClearanceSample, lb, REAL, "m", "The distance is at least this over the piece.")},
    {ABUT_FIELD(AbutClearanceSample, beyond, FLAG, "", "`d` is only a lower bound.")},
};

const AbutRecord abut_clearance_sample_record =
    ABUT_RECORD("ClearanceSample", "A piece of the curve of distance.", AbutClearanceSample, sample_fields);

static const AbutField minimum_fields[] = {
    {ABUT_FIELD_WORDS(AbutClearanceMinimum, kind, abut_minimum_kind_names, "Where it lies.")},
    {ABUT_FIELD(AbutClearanceMinimum, polished, FLAG, "", "`t` is where the distance is stationary, to rounding.")},
    {ABUT_FIELD(AbutClearanceMinimum, t, REAL, "s", "Time of the minimum.")},
    {ABUT_FIELD(AbutClearanceMinimum, d, REAL, "m", "Distance at `t`.")},
    {ABUT_FIELD(AbutClearanceMinimum, lb, REAL, "m", "The distance is at least this over the valley.")},
    {ABUT_FIELD_AS("start", AbutClearanceMinimum, from, REAL, "s", "Begin of the valley.")},
    {ABUT_FIELD_AS("end", AbutClearanceMinimum, to, REAL, "s", "End of the valley.")},
    {ABUT_FIELD_VEC3(AbutClearanceMinimum, point_a, "m", "Point of A at `t`.")},
    {ABUT_FIELD_VEC3(AbutClearanceMinimum, point_b, "m", "Point of B at `t`.")},
    {ABUT_FIELD_VEC3(AbutClearanceMinimum, normal, "", "Unit normal from A to B at `t`.")},
    {ABUT_FIELD(AbutClearanceMinimum, part_a, INT, "", "Triangle or piece of A.")},
    {ABUT_FIELD(AbutClearanceMinimum, part_b, INT, "", "Triangle or piece of B.")},
};

const AbutRecord abut_clearance_minimum_record =
    ABUT_RECORD("ClearanceMinimum", "A local minimum of the distance over time.", AbutClearanceMinimum, minimum_fields);

static const AbutField contact_time_fields[] = {
    {ABUT_FIELD(
        AbutContactTime, found, FLAG, "", "Contact was met; false with `resolved`: proved that there is none.")},
    {ABUT_FIELD(AbutContactTime, resolved, FLAG, "", "`free` and `touching` are as near as requested.")},
    {ABUT_FIELD(AbutContactTime, free, REAL, "s", "Free until this time; for the last contact, from it on.")},
    {ABUT_FIELD(AbutContactTime, touching, REAL, "s", "In contact at this time.")},
};

const AbutRecord abut_contact_time_record =
    ABUT_RECORD("ContactTime", "The first or last time of contact.", AbutContactTime, contact_time_fields);
