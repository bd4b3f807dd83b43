/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/plan.h"

static const AbutField effort_fields[] = {
    {ABUT_FIELD(AbutPlanEffort, samples, INT, "", "Times that were evaluated.")},
    {ABUT_FIELD(AbutPlanEffort, joint, INT, "", "Joint with the largest part of its torque limit; -1: none.")},
    {ABUT_FIELD(AbutPlanEffort, part, REAL, "", "That part: 1 is the limit.")},
    {ABUT_FIELD(AbutPlanEffort, torque, REAL, "N m or N", "Torque of that joint.")},
    {ABUT_FIELD(AbutPlanEffort, t, REAL, "s", "Time of `torque`.")},
    {ABUT_FIELD(AbutPlanEffort, zmp, REAL, "m", "How far the zero moment point stays inside the support polygon.")},
    {ABUT_FIELD(AbutPlanEffort, zmp_t, REAL, "s", "Time of `zmp`.")},
    {ABUT_FIELD(AbutPlanEffort, torque_duration, REAL, "s", "Shortest duration within the torque limits.")},
    {ABUT_FIELD(AbutPlanEffort, zmp_duration, REAL, "s", "Shortest duration that keeps balance.")},
};

const AbutRecord abut_plan_effort_record =
    ABUT_RECORD("PlanEffort", "What a motion takes, by samples.", AbutPlanEffort, effort_fields);

static const AbutField attempt_fields[] = {
    {ABUT_FIELD_WORDS(AbutPlanAttempt, kind, abut_plan_attempt_names, "How the attempt started.")},
    {ABUT_FIELD_WORDS(AbutPlanAttempt, status, abut_plan_status_names, "What it found.")},
    {ABUT_FIELD(AbutPlanAttempt, cost, REAL, "", "Integral of jerk.")},
    {ABUT_FIELD(AbutPlanAttempt, violation, REAL, "m", "Violation of the margin.")},
    {ABUT_FIELD(AbutPlanAttempt, iterations, LONG, "", "Iterations of the optimizer.")},
    {ABUT_FIELD_AS("time", AbutPlanAttempt, seconds, REAL, "s", "Wall time.")},
};

const AbutRecord abut_plan_attempt_record =
    ABUT_RECORD("PlanAttempt", "One attempt of a search for a plan.", AbutPlanAttempt, attempt_fields);
