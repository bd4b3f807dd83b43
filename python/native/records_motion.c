/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the answers about moving bodies: time of impact, clearance, its curve and minima, times of contact. */
#include "records.h"

NAMES(impact_outcome, abut_impact_outcome_name, AbutImpactOutcome, ABUT_IMPACT_OUTCOME_COUNT)
NAMES(clearance_status, abut_clearance_status_name, AbutClearanceStatus, ABUT_CLEARANCE_STATUS_COUNT)
NAMES(minimum_kind, abut_minimum_kind_name, AbutMinimumKind, ABUT_MINIMUM_KIND_COUNT)

static const Field impact_fields[] = {
    WORD(AbutImpact, outcome, impact_outcome),
    REAL(AbutImpact, t),
    REAL(AbutImpact, t_lo),
    REAL(AbutImpact, t_hi),
    REAL(AbutImpact, distance),
    VECTOR(AbutImpact, normal),
    VECTOR(AbutImpact, point_a),
    VECTOR(AbutImpact, point_b),
    COUNT(AbutImpact, part_a),
    COUNT(AbutImpact, part_b),
    COUNT(AbutImpact, rounds),
};

Record record_impact = RECORD("Impact",
    "First contact of two moving bodies, never late.\n\n"
    "outcome: 'none' (proved), 'hit', 'at_start', 'grazing', 'undecided' or 'invalid'. t: seconds; free until t_lo, "
    "in\n"
    "contact at t_hi. distance: at t, m. normal, point_a, point_b (3,): outer frame. part_a, part_b: triangle or "
    "piece,\n"
    "-1 for a convex body.",
    AbutImpact, impact_fields);

static const Field clearance_fields[] = {
    WORD(AbutClearance, status, clearance_status),
    FLAG(AbutClearance, certified),
    FLAG(AbutClearance, saturated),
    FLAG(AbutClearance, containment_known),
    REAL(AbutClearance, ub),
    REAL(AbutClearance, t),
    REAL(AbutClearance, lb),
    VECTOR(AbutClearance, point_a),
    VECTOR(AbutClearance, point_b),
    VECTOR(AbutClearance, normal),
    COUNT(AbutClearance, part_a),
    COUNT(AbutClearance, part_b),
    BIG_COUNT(AbutClearance, evaluations),
    BIG_COUNT(AbutClearance, node_pairs),
    COUNT(AbutClearance, intervals),
};

Record record_clearance = RECORD("Clearance",
    "How near two moving bodies come over a whole motion, with proof.\n\n"
    "status: 'clear', 'contact', 'contained', 'undecided', 'empty' or 'invalid'. At time t (s) two points really are "
    "ub\n"
    "apart, and at no time are the bodies nearer than lb (m). certified: ub - lb is at most eps.\n"
    "point_a, point_b, normal (3,): at t, outer frame. part_a, part_b: triangle or piece.",
    AbutClearance, clearance_fields);

static const Field sample_fields[] = {
    {"start", FIELD_F8, offsetof(AbutClearanceSample, from), 0, 0, NULL, 0},
    {"end", FIELD_F8, offsetof(AbutClearanceSample, to), 0, 0, NULL, 0},
    REAL(AbutClearanceSample, t),
    REAL(AbutClearanceSample, d),
    REAL(AbutClearanceSample, lb),
    FLAG(AbutClearanceSample, beyond),
};

Record record_sample = RECORD("ClearanceSample",
    "A piece of the curve: from start to end (s) the distance is at least lb everywhere, and d at the middle t.",
    AbutClearanceSample, sample_fields);

static const Field minimum_fields[] = {
    WORD(AbutClearanceMinimum, kind, minimum_kind),
    FLAG(AbutClearanceMinimum, polished),
    REAL(AbutClearanceMinimum, t),
    REAL(AbutClearanceMinimum, d),
    REAL(AbutClearanceMinimum, lb),
    {"start", FIELD_F8, offsetof(AbutClearanceMinimum, from), 0, 0, NULL, 0},
    {"end", FIELD_F8, offsetof(AbutClearanceMinimum, to), 0, 0, NULL, 0},
    VECTOR(AbutClearanceMinimum, point_a),
    VECTOR(AbutClearanceMinimum, point_b),
    VECTOR(AbutClearanceMinimum, normal),
    COUNT(AbutClearanceMinimum, part_a),
    COUNT(AbutClearanceMinimum, part_b),
};

Record record_minimum = RECORD("ClearanceMinimum",
    "A local minimum of the distance over time: d (m) at t (s); from start to end the distance is at least lb.",
    AbutClearanceMinimum, minimum_fields);

static const Field contact_time_fields[] = {
    FLAG(AbutContactTime, found),
    FLAG(AbutContactTime, resolved),
    REAL(AbutContactTime, free),
    REAL(AbutContactTime, touching),
};

Record record_contact_time = RECORD("ContactTime",
    "The first or last time of contact: free until `free` (for the last: after it), in contact at `touching`, "
    "seconds.\n"
    "found False with resolved True: proved that there is none.",
    AbutContactTime, contact_time_fields);
