/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of soft directions and of the certificates of plans. */
#include "records.h"

static const AbutField soft_fields[] = {
    WORD(AbutSoft, outcome, abut_soft_outcome_names),
    COUNT(AbutSoft, samples),
    VECTOR(AbutSoft, direction),
    VECTOR(AbutSoft, vector),
    REAL(AbutSoft, distance),
    VECTOR(AbutSoft, gradient_move),
    VECTOR(AbutSoft, gradient_turn),
    REAL(AbutSoft, nearest),
    REAL(AbutSoft, confidence),
    REAL(AbutSoft, coherence),
    REAL(AbutSoft, rate_move),
    REAL(AbutSoft, rate_turn),
    REAL(AbutSoft, tau),
    BIG_COUNT(AbutSoft, evaluations),
};

Record record_soft = RECORD("SoftDirection",
    "In which direction two bodies part, without jumps, in the frame of A.\n\n"
    "outcome: 'clear', 'undecided', 'none' or 'invalid'. direction (3,): unit; moving B along it parts the bodies.\n"
    "distance: soft distance, m, with gradient_move and gradient_turn (3,). nearest: signed distance, about.\n"
    "rate_move (rad/m), rate_turn (rad/rad): how fast the direction may turn. confidence, coherence: 1 for a clear\n"
    "contact.",
    AbutSoft, soft_fields);

Record record_certificate = RECORD_OF(abut_certificate_record);

Record record_pair_certificate = RECORD_OF(abut_pair_certificate_record);

Record record_plan_sample = RECORD_OF(abut_plan_sample_record);

Record record_effort = RECORD_OF(abut_plan_effort_record);
