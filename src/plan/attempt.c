/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One attempt: a first motion of its kind, the SQP, and the certificate. Where the certificate finds a pair nearer than
 * the level, that pair gets more margin, the grid is refined, and the SQP goes on from there, four times at most.
 */
#include "base/system.h"
#include "plan/attempt.h"
#include "abut/plan.h"
#include "proof/certify.h"

#include <string.h>

/* Plain, path, escapes of rising rank, and further paths, every other one focused, and bumps between them; behind the
 * fast attempt the path that it found comes first. */
static const char ORDERS[2][ABUT_PLAN_ATTEMPTS + 1] = {"PREEEREEEBRBRBRBR", "FRPEEEREEEBRBRBRB"};
enum { STEPS = 30, REPAIR_STEPS = 20, REPAIRS = 4 };
/* A violation in meters that a repair makes good, of plans that must prove all of their margin. */
static const double NEARLY = 1e-5;

/* How many of this kind came before. */
static int rank_of(const char *order, int32_t number) {
    int rank = 0;
    for (int32_t i = 0; i < number; ++i) rank += order[i] == order[number];
    return rank;
}

static AbutPlanAttemptKind kind_of(char kind) {
    switch (kind) {
    case 'P':
        return ABUT_PLAN_PLAIN;
    case 'E':
        return ABUT_PLAN_ESCAPE;
    case 'R':
        return ABUT_PLAN_PATH;
    default:
        return ABUT_PLAN_BUMP;
    }
}

static AbutPlanSqp run_path(AbutPlanWork *work, int rank, const AbutPlanTry *fast) {
    static const int samples[3] = {4000, 8000, 12000};
    int known = rank == 0 && fast && fast->path;
    if (known) abut_plan_fit(work, fast->path_count, fast->path);
    int found = known ? 1 : abut_plan_find_path(work, samples[rank < 3 ? rank : 2], rank % 2);
    if (found <= 0) {
        AbutPlanSqp none = {0, INFINITY, INFINITY};
        return none;
    }
    AbutPlanSqp out = abut_plan_sqp(work, STEPS);
    return out.feasible ? out : abut_plan_escape(work, 0, STEPS);
}

static AbutPlanSqp run_kind(AbutPlanWork *work, int32_t number, const AbutPlanTry *fast) {
    const char *order = ORDERS[fast != NULL];
    int rank = rank_of(order, number);
    abut_plan_guess(work);
    if (abut_plan_is_solved_apart(work->settings)) return work->settings->method.row->solve(work);
    switch (kind_of(order[number])) {
    case ABUT_PLAN_PLAIN:
        return abut_plan_sqp(work, STEPS);
    case ABUT_PLAN_ESCAPE:
        return abut_plan_escape(work, rank, STEPS);
    case ABUT_PLAN_PATH:
        return run_path(work, rank, fast);
    default:
        abut_plan_bump(work, 0.25 + 0.1 * rank);
        return abut_plan_escape(work, 0, STEPS);
    }
}

/* ---- certificate ------------------------------------------------------------------------------------------------- */

static AbutStatus certify(AbutPlanWork *work, double level, AbutCertificate *out) {
    AbutTrajectory trajectory;
    AbutCertifyDef def = {level, 0, 0};
    AbutStatus status =
        abut_plan_spline_trajectory(work->problem, work->spline->points, work->control, 1.0, &trajectory, NULL);
    if (status) return status;
    status = abut_plan_certify(work->problem, &trajectory, &def, out, NULL, NULL);
    abut_trajectory_free(&trajectory);
    return status;
}

/* More margin for a pair that came too near, and a finer grid. */
static AbutPlanSqp repair(AbutPlanWork *work, const AbutCertificate *c, double level) {
    const AbutPlanProblem *p = work->problem;
    for (int32_t k = 0;
         k < p->item_count && c->status != ABUT_CERTIFICATE_CLEAR && c->status != ABUT_CERTIFICATE_CLEAR_EXCEPT; ++k)
        if (p->items[k].pair == c->pair) work->extra[k] += level - fmin(c->ub, level) + 5e-4;
    if (c->edge >= 0 && c->balance.status != ABUT_CERTIFICATE_CLEAR)
        work->extra[p->item_count + c->edge] += level - fmin(c->balance.ub, level) + 5e-4;
    work->grid = ABUT_PLAN_FINE;
    return abut_plan_sqp(work, REPAIR_STEPS);
}

/* The posture on the way that is missed by more than rounding, and by most. */
static void find_missed(AbutPlanWork *work, AbutPlanTry *out) {
    static const double MISS = 1e-6;
    out->missed = -1;
    out->miss = MISS;
    for (int32_t i = 0; i < work->task->via_count; ++i) {
        abut_plan_spline_at(work->spline, work->width, work->control, work->task->via_s[i], work->coordinates);
        for (int32_t c = 0; c < work->width; ++c)
            if (fabs(work->coordinates[c] - work->task->via[i][c]) > out->miss) {
                out->miss = fabs(work->coordinates[c] - work->task->via[i][c]);
                out->missed = i;
            }
    }
}

static AbutStatus prove(AbutPlanWork *work, const AbutPlanSettings *settings, AbutPlanTry *out) {
    AbutStatus status = certify(work, settings->level, &out->certificate);
    for (int i = 0; i < REPAIRS && !status && !settings->method.row && !abut_plan_is_proved(&out->certificate) &&
                    out->certificate.status != ABUT_CERTIFICATE_NOTHING && !abut_plan_is_over(work);
         ++i) {
        repair(work, &out->certificate, settings->level);
        status = certify(work, settings->level, &out->certificate);
    }
    find_missed(work, out);
    out->report.status =
        abut_plan_is_proved(&out->certificate) && out->missed < 0 ? ABUT_PLAN_CERTIFIED : ABUT_PLAN_CLEAR_UNCERTIFIED;
    return status;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static void run(
    AbutPlanWork *work, const AbutPlanSettings *settings, int32_t number, const AbutPlanTry *fast, AbutPlanTry *out) {
    AbutPlanSqp result = run_kind(work, number, fast);
    out->report.status = ABUT_PLAN_BLOCKED;
    out->report.violation = result.violation;
    out->missed = -1;
    if (result.violation == INFINITY) { /* no path, no motion */
        abut_plan_guess(work);
        abut_plan_collect(work, work->control, 1, &work->now);
        out->report.violation = work->now.largest;
    }
    out->worst = work->now.worst;
    out->worst_s = work->now.worst_s;
    if (result.violation < fmax(work->problem->margin - settings->level, NEARLY))
        out->status = prove(work, settings, out);
    out->report.cost = abut_plan_spline_cost(work->spline, work->width, work->control);
    out->report.iterations = work->iterations;
    out->point_count = work->spline->points;
    memcpy(out->points, work->control, (size_t)work->spline->points * (size_t)work->width * sizeof *out->points);
}

void abut_plan_try(const AbutPlanProblem *problem, const AbutPlanSpline *spline, const AbutPlanTask *task,
    const AbutPlanSettings *settings, int32_t number, const AbutPlanTry *fast, double deadline, AbutPlanTry *out) {
    AbutPlanWork work;
    double begin = abut_clock();
    int32_t times = abut_plan_fixed_times(settings), most = times > ABUT_PLAN_FINE ? times : ABUT_PLAN_FINE;
    out->report.kind = abut_plan_is_solved_apart(settings) ? ABUT_PLAN_THESIS : kind_of(ORDERS[fast != NULL][number]);
    out->status = abut_plan_work_make(problem, spline, task, settings, most, &work, NULL);
    if (out->status) return;
    work.grid = times > 0 ? times : ABUT_PLAN_GRID;
    work.sampled = times > 0;
    work.deadline = deadline;
    work.rng = abut_rng(settings->seed, (uint64_t)number);
    run(&work, settings, number, fast, out);
    abut_plan_work_free(&work);
    out->report.seconds = abut_clock() - begin;
    out->done = 1;
}
