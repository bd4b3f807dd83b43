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
    {"balance", FIELD_WORD, offsetof(AbutCertificate, balance.status), 0, 0, certificate_status, 0},
    {"balance_lb", FIELD_F8, offsetof(AbutCertificate, balance.lb), 0, 0, NULL, 0},
    {"balance_ub", FIELD_F8, offsetof(AbutCertificate, balance.ub), 0, 0, NULL, 0},
    {"balance_t", FIELD_F8, offsetof(AbutCertificate, balance.t), 0, 0, NULL, 0},
    COUNT(AbutCertificate, edge),
    BIG_COUNT(AbutCertificate, poses),
    BIG_COUNT(AbutCertificate, distances),
    BIG_COUNT(AbutCertificate, bounds),
    REAL(AbutCertificate, shortest),
};

Record record_certificate = RECORD("Certificate",
    "Does a trajectory keep clear at all times?\n\n"
    "status: 'clear' (proved), 'contact', 'undecided' or 'nothing to check'. pair: the one that is told, -1 for none. "
    "lb: no nearer at "
    "any\n"
    "time, m. ub, t: the least distance that was evaluated, m, and when, s.\n"
    "balance, balance_lb, balance_ub, balance_t: the same of the centre of mass inside the support polygon.",
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

static const Field effort_fields[] = {
    COUNT(AbutPlanEffort, samples),
    COUNT(AbutPlanEffort, joint),
    REAL(AbutPlanEffort, part),
    REAL(AbutPlanEffort, torque),
    REAL(AbutPlanEffort, t),
    REAL(AbutPlanEffort, zmp),
    REAL(AbutPlanEffort, zmp_t),
    REAL(AbutPlanEffort, torque_duration),
    REAL(AbutPlanEffort, zmp_duration),
};

Record record_effort = RECORD("PlanEffort",
    "What a motion takes, by samples.\n\n"
    "joint: with the largest part of its torque limit, -1 for none; part: 1 is the limit; torque (N m or N), t (s). "
    "zmp:\n"
    "how far the zero moment point stays inside the support polygon, m, at zmp_t. torque_duration, zmp_duration: the\n"
    "shortest with which they hold along the same path, s.",
    AbutPlanEffort, effort_fields);
