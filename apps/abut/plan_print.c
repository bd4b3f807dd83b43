/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut plan` says of a plan. */
#include "plan.h"

#include <math.h>

int plan_exit_status(AbutPlanStatus status) {
    if (status == ABUT_PLAN_CERTIFIED_EXCEPT || status == ABUT_PLAN_CLEAR_UNCERTIFIED || status == ABUT_PLAN_BUDGET)
        return CLI_UNDECIDED;
    return status == ABUT_PLAN_CERTIFIED ? CLI_OK : CLI_NO;
}

void plan_put_attempts(AbutJson *json, int32_t count, const AbutPlanAttempt *attempts) {
    abut_json_key(json, "attempts");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < count; ++i) abut_record_put_object(json, &abut_plan_attempt_record, &attempts[i]);
    abut_json_end_array(json);
}

typedef struct Effort {
    const char *joint;
    AbutPlanEffort x;
} Effort;

static const AbutField torque_fields[] = {
    {ABUT_FIELD(Effort, joint, TEXT, "", "Joint with the largest part of its limit.")},
    {ABUT_FIELD_OF(Effort, x, abut_plan_effort_record, "torque part t samples")},
};
static const AbutRecord torque_record = ABUT_RECORD("torque", "", Effort, torque_fields);

static const AbutField zmp_fields[] = {
    {ABUT_FIELD_OF(Effort, x, abut_plan_effort_record, "inside=zmp t=zmp_t samples")},
};
static const AbutRecord zmp_record = ABUT_RECORD("zmp", "", Effort, zmp_fields);

typedef struct Answer {
    AbutPlanStatus status;
    int certified, found, out_of_time; /* found: there is a trajectory */
    const char *reason;
    double cost, duration, smooth_duration, time, margin, level;
    PlanProof proof;
    const Effort *torque, *zmp; /* NULL: none */
    int32_t coordinates, pairs, best, attempt_count, attempt_limit;
    int64_t iterations;
    const AbutPlanAttempt *attempts;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD_WORDS(Answer, status, abut_plan_status_names, "The result.")},
    {ABUT_FIELD(Answer, certified, FLAG, "", "The plan is proved.")},
    {ABUT_FIELD(Answer, reason, TEXT, "", "Why it is not; null when it is.")},
    {ABUT_FIELD(Answer, cost, REAL, "", "Integral of jerk.")},
    {ABUT_FIELD(Answer, duration, REAL, "s", "Length of the motion.")},
    {ABUT_FIELD(Answer, smooth_duration, REAL, "s", "Length before `--retime`; null without.")},
    {ABUT_FIELD(Answer, time, REAL, "s", "Wall time of the search.")},
    {ABUT_FIELD(Answer, margin, REAL, "m", "Distance that the search keeps.")},
    {ABUT_FIELD(Answer, level, REAL, "m", "Distance that is proved.")},
    {ABUT_FIELD_OF(Answer, proof, plan_proof_record, "clearance balance"), .shown_at = offsetof(Answer, found)},
    {ABUT_FIELD_AT(Answer, torque, torque_record, "Torques, by samples; null without limits."),
        .shown_at = offsetof(Answer, found)},
    {ABUT_FIELD_AT(Answer, zmp, zmp_record, "How far the zero moment point is inside the support polygon; or null."),
        .shown_at = offsetof(Answer, found)},
    {ABUT_FIELD(Answer, coordinates, INT, "", "Coordinates of the problem.")},
    {ABUT_FIELD(Answer, pairs, INT, "", "Pairs that are checked.")},
    {ABUT_FIELD_OF(Answer, proof, plan_proof_record, "left_out")},
    {ABUT_FIELD(Answer, iterations, LONG, "", "Iterations of all attempts.")},
    {ABUT_FIELD(Answer, out_of_time, FLAG, "", "The budget was over when the search ended.")},
    {ABUT_FIELD(Answer, attempt_count, INT, "", "Attempts that were made.")},
    {ABUT_FIELD(Answer, attempt_limit, INT, "", "Attempts that would have been made at most.")},
    {ABUT_FIELD(Answer, best, INT, "", "Number of the attempt that is given; -1: none.")},
    {ABUT_FIELD_AT(Answer, attempts, abut_plan_attempt_record, "All attempts."),
        .count_at = offsetof(Answer, attempt_count)},
};
const AbutRecord cli_plan_answer = ABUT_RECORD("plan", "", Answer, answer_fields);

void plan_print_balance(const AbutCertificate *x) {
    if (x->balance.status == ABUT_CERTIFICATE_CLEAR)
        printf("  %-12s the center of mass at least %.6g m inside, at all times\n", "balance", x->balance.lb);
    else if (x->balance.status != ABUT_CERTIFICATE_NOTHING)
        printf("  %-12s the center of mass %.6g m inside at %.6g s\n", "balance", x->balance.ub, x->balance.t);
}

void plan_print_clearance(const PlanSetup *setup, const AbutCertificate *x) {
    if (x->pair < 0) return;
    printf("  %-12s %s\n", "pair", plan_pair_text(setup->problem, x->pair));
    if (x->status == ABUT_CERTIFICATE_CLEAR || x->status == ABUT_CERTIFICATE_CLEAR_EXCEPT)
        printf("  %-12s at least %.6g m, %s\n", "distance", x->lb,
            setup->has_windows ? "at all times when they may not meet" : "at all times");
    else
        printf("  %-12s %.6g m at %.6g s\n", "distance", x->ub, x->t);
}

static const char effort_text[] =
    "  torque       {torque.torque:.4g} of joint {torque.joint} at {torque.t:.4g} s, {torque.part:.3g} of its limit "
    "(looked "
    "at {torque.samples} times)\n"
    "  zero moment  {zmp.inside:.4g} m inside the support at {zmp.t:.4g} s (looked at {zmp.samples} times)\n";

static int print_text(const PlanArgs *args, const Answer *a) {
    const AbutRecord *record = &cli_plan_answer;
    abut_record_print(stdout, record,
        "  status       {status}\n"
        "  reason       {reason}\n"
        "  problem      {coordinates} coordinates, {pairs} pairs\n",
        a);
    if (a->found) {
        plan_print_clearance(&args->setup, &a->proof.certificate);
        plan_print_balance(&a->proof.certificate);
        abut_record_print(stdout, record, effort_text, a);
        abut_record_print(stdout, record, "  cost         {cost:.6g}\n  duration     {duration:.6g} s", a);
        if (args->smooth > 0.0) printf(", retimed from %.6g s", args->smooth);
        printf("\n");
    }
    if (a->best >= 0)
        printf("  %-12s %d attempt%s, the best by %s%s\n", "found in", (int)a->attempt_count,
            a->attempt_count == 1 ? "" : "s", abut_word(abut_plan_attempt_names, a->attempts[a->best].kind),
            a->out_of_time ? "; time ran out" : "");
    return plan_exit_status(a->status);
}

int plan_print(const PlanArgs *args) {
    const AbutPlan *plan = &args->plan;
    const AbutPlanProblem *problem = args->setup.problem;
    const int32_t joint = plan->effort.joint;
    const Effort effort = {joint < 0 ? NULL : args->setup.robot.model->joints[joint].name, plan->effort};
    const Answer a = {.status = plan->status,
        .certified = plan->status == ABUT_PLAN_CERTIFIED,
        .found = plan->trajectory.times != NULL,
        .reason = plan->reason[0] ? plan->reason : NULL,
        .cost = plan->cost,
        .duration = plan->trajectory.times ? plan->trajectory.times[plan->trajectory.piece_count] : 0.0,
        .smooth_duration = args->smooth > 0.0 ? args->smooth : NAN,
        .time = plan->seconds,
        .margin = args->setup.margin,
        .level = args->settings.level,
        .proof = plan_proof(&args->setup, &plan->certificate),
        .torque = joint < 0 ? NULL : &effort,
        .zmp = isfinite(plan->effort.zmp) ? &effort : NULL,
        .coordinates = abut_plan_coordinate_count(problem),
        .pairs = abut_plan_pair_count(problem),
        .best = plan->best,
        .attempt_count = plan->attempt_count,
        .attempt_limit = plan->attempt_limit,
        .out_of_time = plan->out_of_time,
        .iterations = plan->iterations,
        .attempts = plan->attempts};
    return args->json ? cli_answer(2, &cli_plan_answer, NULL, &a, plan_exit_status(plan->status))
                      : print_text(args, &a);
}
