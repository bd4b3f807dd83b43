/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of soft directions and of the certificates of plans. */
#include "records.h"

NAMES(soft_outcome, abut_soft_outcome_name, AbutSoftOutcome, ABUT_SOFT_OUTCOME_COUNT)
NAMES(certificate_status, abut_certificate_status_name, AbutCertificateStatus, ABUT_CERTIFICATE_STATUS_COUNT)

static const Field soft_fields[] = {
    WORD(AbutSoft, outcome, soft_outcome),
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

static const Field certificate_fields[] = {
    WORD(AbutCertificate, status, certificate_status),
    COUNT(AbutCertificate, pair),
    REAL(AbutCertificate, lb),
    REAL(AbutCertificate, ub),
    REAL(AbutCertificate, t),
    BIG_COUNT(AbutCertificate, poses),
    BIG_COUNT(AbutCertificate, distances),
    BIG_COUNT(AbutCertificate, bounds),
    REAL(AbutCertificate, shortest),
};

Record record_certificate = RECORD("Certificate",
    "Does a trajectory keep clear at all times?\n\n"
    "status: 'clear' (proved), 'contact' or 'undecided'. pair: the one that is told, -1 for none. lb: no nearer at "
    "any\n"
    "time, m. ub, t: the least distance that was evaluated, m, and when, s.",
    AbutCertificate, certificate_fields);

static const Field pair_fields[] = {
    WORD(AbutPairCertificate, status, certificate_status),
    REAL(AbutPairCertificate, lb),
    REAL(AbutPairCertificate, ub),
    REAL(AbutPairCertificate, t),
    REAL(AbutPairCertificate, first),
    REAL(AbutPairCertificate, undecided_at),
};

Record record_pair_certificate = RECORD("PairCertificate",
    "The certificate of one pair; first: when contact was first seen, s.", AbutPairCertificate, pair_fields);

static const Field plan_sample_fields[] = {
    {"start", FIELD_F8, offsetof(AbutPlanSample, from), 0, 0, NULL, 0},
    {"end", FIELD_F8, offsetof(AbutPlanSample, to), 0, 0, NULL, 0},
    REAL(AbutPlanSample, t),
    REAL(AbutPlanSample, distance),
    REAL(AbutPlanSample, lb),
};

Record record_plan_sample = RECORD("PlanSample",
    "The distance of a pair around a time: from start to end, s, it is at least lb, m, and `distance` at the middle t.",
    AbutPlanSample, plan_sample_fields);
