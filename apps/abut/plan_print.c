/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut plan` says of a plan. */
#include "plan_run.h"

#include <math.h>

static int exit_status(AbutPlanStatus status)
{
    return status == ABUT_PLAN_CERTIFIED ? CLI_OK : status == ABUT_PLAN_CLEAR_UNCERTIFIED ? CLI_UNDECIDED : CLI_NO;
}

static double duration(const AbutPlan *plan)
{
    return plan->trajectory.times ? plan->trajectory.times[plan->trajectory.piece_count] : 0.0;
}

void plan_put_attempts(AbutJson *json, int32_t count, const AbutPlanAttempt *attempts)
{
    abut_json_key(json, "attempts");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < count; ++i) {
        const AbutPlanAttempt *a = &attempts[i];
        abut_json_begin_object(json);
        abut_json_put_string(json, "kind", abut_plan_attempt_name(a->kind));
        abut_json_put_string(json, "status", abut_plan_status_name(a->status));
        abut_json_put_number(json, "cost", a->cost);
        abut_json_put_number(json, "violation", a->violation);
        abut_json_put_integer(json, "iterations", a->iterations);
        abut_json_put_number(json, "time", a->seconds);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
}

static void put_effort(AbutJson *json, const PlanArgs *args)
{
    const AbutPlanEffort *e = &args->plan.effort;
    abut_json_key(json, "torque");
    if (e->joint < 0) {
        abut_json_null(json);
    } else {
        abut_json_begin_object(json);
        abut_json_put_string(json, "joint", args->setup.robot.model->joints[e->joint].name);
        abut_json_put_number(json, "torque", e->torque);
        abut_json_put_number(json, "part", e->part);
        abut_json_put_number(json, "t", e->t);
        abut_json_put_integer(json, "samples", e->samples);
        abut_json_end_object(json);
    }
    abut_json_key(json, "zmp");
    if (!isfinite(e->zmp)) {
        abut_json_null(json);
        return;
    }
    abut_json_begin_object(json);
    abut_json_put_number(json, "inside", e->zmp);
    abut_json_put_number(json, "t", e->zmp_t);
    abut_json_put_integer(json, "samples", e->samples);
    abut_json_end_object(json);
}

static int print_json(const CliCommand *command, const PlanArgs *args)
{
    const AbutPlan *plan = &args->plan;
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "status", abut_plan_status_name(plan->status));
    abut_json_put_bool(&json, "certified", plan->status == ABUT_PLAN_CERTIFIED);
    abut_json_put_string(&json, "reason", plan->reason[0] ? plan->reason : NULL);
    abut_json_put_number(&json, "cost", plan->cost);
    abut_json_put_number(&json, "duration", duration(plan));
    abut_json_put_number(&json, "smooth_duration", args->smooth > 0.0 ? args->smooth : NAN);
    abut_json_put_number(&json, "time", plan->seconds);
    abut_json_put_number(&json, "margin", args->setup.margin);
    abut_json_put_number(&json, "level", args->settings.level);
    if (plan->trajectory.times) {
        plan_put_clearance(&json, args->setup.problem, &plan->certificate);
        plan_put_balance(&json, &plan->certificate);
        put_effort(&json, args);
    }
    abut_json_put_integer(&json, "coordinates", abut_plan_coordinate_count(args->setup.problem));
    abut_json_put_integer(&json, "pairs", abut_plan_pair_count(args->setup.problem));
    plan_put_notes(&json, args->setup.problem);
    abut_json_put_integer(&json, "iterations", plan->iterations);
    abut_json_put_integer(&json, "best", plan->best);
    plan_put_attempts(&json, plan->attempt_count, plan->attempts);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, exit_status(plan->status));
}

void plan_print_balance(const AbutCertificate *x)
{
    if (x->balance.status == ABUT_CERTIFICATE_CLEAR)
        printf("  %-12s the centre of mass at least %.6g m inside, at all times\n", "balance", x->balance.lb);
    else if (x->balance.status != ABUT_CERTIFICATE_NOTHING)
        printf("  %-12s the centre of mass %.6g m inside at %.6g s\n", "balance", x->balance.ub, x->balance.t);
}

/* What the motion asks of the joints and of the ground. */
static void print_effort(const PlanArgs *args)
{
    const AbutPlanEffort *e = &args->plan.effort;
    if (e->joint >= 0)
        printf("  %-12s %.4g of joint %s at %.4g s, %.3g of its limit (looked at %d times)\n", "torque", e->torque,
            args->setup.robot.model->joints[e->joint].name, e->t, e->part, (int)e->samples);
    if (isfinite(e->zmp))
        printf("  %-12s %.4g m inside the support at %.4g s (looked at %d times)\n", "zero moment", e->zmp, e->zmp_t,
            (int)e->samples);
}

static void print_clearance(const PlanArgs *args)
{
    const AbutCertificate *x = &args->plan.certificate;
    if (x->pair < 0)
        return;
    printf("  %-12s %s\n", "pair", plan_pair_text(args->setup.problem, x->pair));
    if (x->status == ABUT_CERTIFICATE_CLEAR)
        printf("  %-12s at least %.6g m, %s\n", "distance", x->lb, plan_when(&args->setup));
    else
        printf("  %-12s %.6g m at %.6g s\n", "distance", x->ub, x->t);
}

static int print_text(const PlanArgs *args)
{
    const AbutPlan *plan = &args->plan;
    printf("  %-12s %s\n", "status", abut_plan_status_name(plan->status));
    if (plan->reason[0])
        printf("  %-12s %s\n", "reason", plan->reason);
    printf("  %-12s %d coordinates, %d pairs\n", "problem", (int)abut_plan_coordinate_count(args->setup.problem),
        (int)abut_plan_pair_count(args->setup.problem));
    if (plan->trajectory.times) {
        print_clearance(args);
        plan_print_balance(&plan->certificate);
        print_effort(args);
        printf("  %-12s %.6g\n  %-12s %.6g s", "cost", plan->cost, "duration", duration(plan));
        if (args->smooth > 0.0)
            printf(", retimed from %.6g s", args->smooth);
        printf("\n");
    }
    if (plan->best >= 0)
        printf("  %-12s %d attempt%s, the best by %s\n", "found in", (int)plan->attempt_count,
            plan->attempt_count == 1 ? "" : "s", abut_plan_attempt_name(plan->attempts[plan->best].kind));
    return exit_status(plan->status);
}

int plan_print(const CliCommand *command, const PlanArgs *args)
{
    return args->json ? print_json(command, args) : print_text(args);
}
