/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/proof.h"

static const AbutField certificate_fields[] = {
    {ABUT_FIELD_WORDS(
        AbutCertificate, status, abut_certificate_status_names, "Whether the trajectory is proved clear.")},
    {ABUT_FIELD(AbutCertificate, pair, INT, "", "Pair that decides: in contact, undecided, or nearest; -1: none.")},
    {ABUT_FIELD(AbutCertificate, lb, REAL, "m", "No nearer than this at any time.")},
    {ABUT_FIELD(AbutCertificate, ub, REAL, "m", "Least distance that was evaluated.")},
    {ABUT_FIELD(AbutCertificate, t, REAL, "s", "Time of `ub`.")},
    {ABUT_FIELD_AS("balance", AbutCertificate, balance.status, WORD, "", "Whether balance is proved."),
        .words = abut_certificate_status_names},
    {ABUT_FIELD_AS("balance_lb", AbutCertificate, balance.lb, REAL, "m",
        "The center of mass is at least this far inside the support polygon at all times.")},
    {ABUT_FIELD_AS("balance_ub", AbutCertificate, balance.ub, REAL, "m", "Least such distance that was evaluated.")},
    {ABUT_FIELD_AS("balance_t", AbutCertificate, balance.t, REAL, "s", "Time of `balance_ub`.")},
    {ABUT_FIELD(AbutCertificate, edge, INT, "", "Edge of the support polygon that it comes nearest to; -1: none.")},
    {ABUT_FIELD(AbutCertificate, poses, LONG, "", "Postures that were evaluated.")},
    {ABUT_FIELD(AbutCertificate, distances, LONG, "", "Distances that were evaluated.")},
    {ABUT_FIELD(AbutCertificate, bounds, LONG, "", "Bounds of pairs over intervals that were computed.")},
    {ABUT_FIELD(AbutCertificate, shortest, REAL, "", "Shortest interval, as part of its piece.")},
};

const AbutRecord abut_certificate_record =
    ABUT_RECORD("Certificate", "Does a trajectory keep clear at all times?", AbutCertificate, certificate_fields);

static const AbutField pair_fields[] = {
    {ABUT_FIELD_WORDS(AbutPairCertificate, status, abut_certificate_status_names, "Whether the pair is proved clear.")},
    {ABUT_FIELD(AbutPairCertificate, lb, REAL, "m", "No nearer than this at any time.")},
    {ABUT_FIELD(AbutPairCertificate, ub, REAL, "m", "Least distance that was evaluated.")},
    {ABUT_FIELD(AbutPairCertificate, t, REAL, "s", "Time of `ub`.")},
    {ABUT_FIELD(AbutPairCertificate, first, REAL, "s", "Time at which contact was first seen.")},
    {ABUT_FIELD(AbutPairCertificate, undecided_at, REAL, "s", "A time that is undecided; NaN for none.")},
};

const AbutRecord abut_pair_certificate_record =
    ABUT_RECORD("PairCertificate", "The certificate of one pair.", AbutPairCertificate, pair_fields);

static const AbutField sample_fields[] = {
    {ABUT_FIELD_AS("start", AbutClearanceSample, from, REAL, "s", "Begin of the interval.")},
    {ABUT_FIELD_AS("end", AbutClearanceSample, to, REAL, "s", "End of the interval.")},
    {ABUT_FIELD(AbutClearanceSample, t, REAL, "s", "Its middle.")},
    {ABUT_FIELD_AS("distance", AbutClearanceSample, d, REAL, "m", "Distance at `t`.")},
    {ABUT_FIELD(AbutClearanceSample, lb, REAL, "m", "The distance is at least this over the interval.")},
};

const AbutRecord abut_plan_sample_record =
    ABUT_RECORD("PlanSample", "The distance of a pair around a time.", AbutClearanceSample, sample_fields);

static const AbutField excess_fields[] = {
    {ABUT_FIELD(AbutPlanExcess, joint, INT, "", "Number of the joint.")},
    {ABUT_FIELD_WORDS(AbutPlanExcess, kind, abut_plan_limit_names, "Which limit is broken.")},
    {ABUT_FIELD(AbutPlanExcess, value, REAL, "", "Value farthest beyond the limit; null: the speed jumps.")},
    {ABUT_FIELD(AbutPlanExcess, limit, REAL, "", "The limit.")},
    {ABUT_FIELD(AbutPlanExcess, t, REAL, "s", "Time of `value`.")},
};

const AbutRecord abut_plan_excess_record =
    ABUT_RECORD("PlanExcess", "A limit of a joint that a trajectory breaks.", AbutPlanExcess, excess_fields);
