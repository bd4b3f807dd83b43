/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planning: the input is looked at, attempts are made in groups until one is certified, and the certified motion of
 * least cost is timed and given. The groups do not depend on the number of threads, and each attempt has its own random
 * numbers and memory, so that the plan does not either.
 */
#include "base/system.h"
#include "plan/attempt.h"

#include <stdio.h>
#include <string.h>

const char *const abut_plan_status_names[ABUT_PLAN_STATUS_COUNT + 1] = {
    "certified", "certified_except", "clear_uncertified", "blocked", "budget", "infeasible_input", NULL};
const char *const abut_plan_attempt_names[ABUT_PLAN_ATTEMPT_KIND_COUNT + 1] = {
    "plain", "escape", "path", "bump", "thesis", "fast", NULL};
const char *const abut_plan_quality_names[ABUT_PLAN_QUALITY_COUNT + 1] = {"fast", "good", "best", NULL};
enum { GROUP = 2 };

AbutPlanSettings abut_plan_settings_default(void) {
    AbutPlanSettings s = {.level = 0.001,
        .points = 14,
        .attempts = ABUT_PLAN_ATTEMPTS,
        .quality = ABUT_PLAN_QUALITY_GOOD,
        .budget = 5.0,
        .speed = 2.0,
        .acceleration = 8.0,
        .threads = 1,
        .seed = 1};
    return s;
}

/* Control points, at least as many as the settings say, with which all parts can be met: postures close to an end or to
 * each other need more. */
static AbutStatus choose_points(
    const AbutPlanQuery *query, int32_t least, AbutPlanSpline *spline, int32_t *points, AbutError *error) {
    int32_t i = 0;
    for (*points = least; *points <= ABUT_SPLINE_MOST; ++*points) {
        abut_plan_spline_make(*points, spline);
        i = abut_plan_spline_unmet(spline, query->via_count, query->via_at);
        if (i < 0) return ABUT_OK;
    }
    return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "via",
        ": the part %g is too close to an end or to other parts, for %d control points too", query->via_at[i],
        ABUT_SPLINE_MOST);
}

/* ---- attempts ---------------------------------------------------------------------------------------------------- */

typedef struct Portfolio {
    const AbutPlanProblem *problem;
    const AbutPlanSettings *settings;
    AbutPlanSpline *spline;
    AbutPlanTask task;
    AbutPlanTry tries[ABUT_PLAN_ATTEMPTS];
    double *points; /* of all tries */
    double deadline;
    int32_t first; /* of the group */
    int quick;     /* 1: number 0 is the fast attempt */
} Portfolio;

static void run_group(int begin, int end, int worker, void *user) {
    Portfolio *p = user;
    (void)worker;
    for (int i = p->first + begin; i < p->first + end; ++i)
        if (i == 0 && p->quick)
            abut_plan_try_quick(p->problem, &p->task, p->settings, p->deadline, &p->tries[0]);
        else
            abut_plan_try(p->problem, p->spline, &p->task, p->settings, i, p->quick ? &p->tries[0] : NULL, p->deadline,
                &p->tries[i]);
}

/* Certified before clear before blocked; then the cheaper, of blocked ones the nearer. */
static int is_better(const AbutPlanTry *a, const AbutPlanTry *b) {
    if (a->report.status != b->report.status) return a->report.status < b->report.status;
    return a->report.status == ABUT_PLAN_BLOCKED ? a->report.violation < b->report.violation
                                                 : a->report.cost < b->report.cost;
}

static int32_t best_of(const Portfolio *p, int32_t count) {
    int32_t best = -1;
    for (int32_t i = 0; i < count; ++i)
        if (p->tries[i].done && (best < 0 || is_better(&p->tries[i], &p->tries[best]))) best = i;
    return best;
}

/* Attempts that are made even after a success, for the best of them. */
static int32_t attempts_wanted(const Portfolio *p) {
    static const int32_t wanted[2][ABUT_PLAN_QUALITY_COUNT] = {{1, 3, 6}, {1, 2, 6}};
    return wanted[p->quick][p->settings->quality];
}

static AbutStatus run_all(Portfolio *p, AbutPlan *plan, AbutError *error) {
    const AbutPlanSettings *s = p->settings;
    int32_t wanted = attempts_wanted(p);
    int32_t done = 0, stop = 0, most = abut_plan_is_solved_apart(s) ? 1 : s->attempts;
    while (done < most && !stop) {
        int32_t count = done == 0 && p->quick ? 1 : done < wanted ? wanted - done : GROUP;
        count = count < most - done ? count : most - done;
        p->first = done;
        abut_parallel_for(count, 1, s->threads, run_group, p);
        done += count;
        for (int32_t i = 0; i < done; ++i)
            if (p->tries[i].status) return abut_fail(error, p->tries[i].status, "no memory for attempt %d", (int)i);
        plan->best = best_of(p, done);
        stop = plan->best >= 0 && p->tries[plan->best].report.status == ABUT_PLAN_CERTIFIED && done >= wanted;
        if (s->progress && s->progress(done, plan->best < 0 ? INFINITY : p->tries[plan->best].report.cost, s->user))
            stop = 1;
        stop |= abut_clock() > p->deadline;
    }
    plan->attempt_count = done;
    plan->attempt_limit = most;
    plan->out_of_time = abut_clock() > p->deadline;
    for (int32_t i = 0; i < done; ++i) {
        plan->attempts[i] = p->tries[i].report;
        plan->iterations += p->tries[i].report.iterations;
    }
    return ABUT_OK;
}

/* ---- the result -------------------------------------------------------------------------------------------------- */

static double duration_of(const Portfolio *p, int32_t points, const double *control) {
    const AbutPlanSettings *s = p->settings;
    double least = 0.0;
    for (int32_t j = 0; j < p->problem->tree.joint_count; ++j) {
        double v = abut_plan_spline_steepest(p->problem, points, control, j, 1);
        double a = abut_plan_spline_steepest(p->problem, points, control, j, 2);
        least = fmax(least, v / abut_plan_rate_limit(p->problem, s, j, 1));
        least = fmax(least, sqrt(a / abut_plan_rate_limit(p->problem, s, j, 2)));
    }
    return s->duration > 0.0 ? s->duration : least > 1e-9 ? least : 1.0;
}

/* The trajectory with this duration. */
static AbutStatus set_duration(const Portfolio *p, AbutPlan *plan, double duration, AbutError *error) {
    abut_trajectory_free(&plan->trajectory);
    return abut_plan_spline_trajectory(p->problem, plan->point_count, plan->points, duration, &plan->trajectory, error);
}

/* Longer where balance in motion, or torques, ask for it. */
static AbutStatus time_plan(const Portfolio *p, AbutPlan *plan, AbutError *error) {
    double duration = duration_of(p, plan->point_count, plan->points);
    AbutStatus status = set_duration(p, plan, duration, error);
    if (status || (!p->problem->edge_count && !p->settings->torque)) return status;
    status = abut_plan_effort(p->problem, &plan->trajectory, &plan->effort, NULL, error);
    double longer = p->problem->edge_count && isfinite(plan->effort.zmp_duration) ? plan->effort.zmp_duration : 0.0;
    if (p->settings->torque && isfinite(plan->effort.torque_duration))
        longer = fmax(longer, plan->effort.torque_duration);
    longer *= 1.0 + 1e-6;
    if (status || p->settings->duration > 0.0 || longer <= duration) return status;
    status = set_duration(p, plan, longer, error);
    return status ? status : abut_plan_effort(p->problem, &plan->trajectory, &plan->effort, NULL, error);
}

/* Where balance or a torque is what is missing; 0: neither is. */
static int explain_static(const Portfolio *p, const AbutPlanTry *best, AbutPlan *plan, double t) {
    const AbutPlanProblem *problem = p->problem;
    const AbutPairCertificate *balance = &plan->certificate.balance;
    int32_t torque = best->worst - abut_plan_first_torque(problem);
    int blocked = best->report.status == ABUT_PLAN_BLOCKED;
    if (blocked && torque >= 0)
        snprintf(plan->reason, sizeof plan->reason,
            "%d attempts, none within limits: in the best gravity asks joint %s for more than its torque at %.3g s",
            (int)plan->attempt_count, problem->model->joints[problem->tree.joints[torque]].name, t);
    else if (blocked && best->worst >= problem->item_count)
        snprintf(plan->reason, sizeof plan->reason,
            "%d attempts, none balanced: in the best the center of mass is %.3g mm beyond the margin at %.3g s",
            (int)plan->attempt_count, 1e3 * best->report.violation, t);
    else if (!blocked &&
             (plan->certificate.status == ABUT_CERTIFICATE_CLEAR ||
                 plan->certificate.status == ABUT_CERTIFICATE_CLEAR_EXCEPT) &&
             (balance->status == ABUT_CERTIFICATE_CONTACT || balance->status == ABUT_CERTIFICATE_UNDECIDED))
        snprintf(plan->reason, sizeof plan->reason,
            "balance is not proved: the center of mass is %.3g mm inside at %.3g s", 1e3 * balance->ub, balance->t);
    else
        return 0;
    return 1;
}

static void explain(const Portfolio *p, const AbutPlanTry *best, AbutPlan *plan) {
    const AbutPlanProblem *problem = p->problem;
    int blocked = best->report.status == ABUT_PLAN_BLOCKED;
    int32_t pair = best->certificate.pair;
    double t = blocked ? best->worst_s * plan->trajectory.times[plan->trajectory.piece_count] : plan->certificate.t;
    if (best->report.status == ABUT_PLAN_CERTIFIED || explain_static(p, best, plan, t)) return;
    if (blocked) pair = best->worst < 0 ? -1 : problem->items[best->worst].pair;
    if (pair < 0) return;
    const char *a = abut_plan_link_name(problem, problem->pairs[pair].a);
    const char *b = abut_plan_link_name(problem, problem->pairs[pair].b);
    if (blocked)
        snprintf(plan->reason, sizeof plan->reason,
            "%d attempts, none clear: in the best %s and %s are %.3g mm nearer than the margin at %.3g s",
            (int)plan->attempt_count, a, b, 1e3 * best->report.violation, t);
    else
        snprintf(plan->reason, sizeof plan->reason, "%s: %s and %s %s by %.3g mm at %.3g s",
            abut_plan_fixed_times(p->settings) ? "clear at its samples alone" : "not proved", a, b,
            plan->certificate.ub < 0.0 ? "overlap" : "are apart", 1e3 * fabs(plan->certificate.ub), t);
}

/* The speed or acceleration that a given duration does not allow; 0: all are kept. */
static int find_rate(const Portfolio *p, AbutPlan *plan) {
    double T = p->settings->duration;
    for (int32_t j = 0; j < p->problem->tree.joint_count && T > 0.0; ++j)
        for (int order = 1; order <= 2; ++order) {
            double most = abut_plan_spline_steepest(p->problem, plan->point_count, plan->points, j, order);
            most /= order == 1 ? T : T * T;
            double limit = abut_plan_rate_limit(p->problem, p->settings, j, order);
            if (most > limit * (1.0 + 1e-6)) {
                snprintf(plan->reason, sizeof plan->reason,
                    "%.6g s are too short: the %s of joint %s is up to %.4g, its limit is %.4g", T,
                    order == 1 ? "speed" : "acceleration", p->problem->model->joints[p->problem->tree.joints[j]].name,
                    most, limit);
                return 1;
            }
        }
    return 0;
}

/* Torques beyond their limits where these count, or a zero moment point beyond the support; 0: neither. */
static int find_effort(const Portfolio *p, AbutPlan *plan) {
    const AbutPlanEffort *e = &plan->effort;
    if (p->settings->torque && e->joint >= 0 && e->part > 1.0 + 1e-6)
        snprintf(plan->reason, sizeof plan->reason, "the torque of joint %s is %.4g at %.3g s, %.3g times its limit",
            p->problem->model->joints[e->joint].name, e->torque, e->t, e->part);
    else if (e->samples && p->settings->duration > 0.0 && e->zmp < 0.0)
        snprintf(plan->reason, sizeof plan->reason,
            "%.6g s are too short for balance: the zero moment point is %.3g mm beyond the support at %.3g s; %.3g s "
            "would do",
            p->settings->duration, -1e3 * e->zmp, e->zmp_t, e->zmp_duration);
    else
        return 0;
    return 1;
}

/* A plan in which pairs that are always near were left out says so, with their names. */
static void note_exceptions(const AbutPlanProblem *problem, AbutPlan *plan) {
    enum { NAMED = 3 };
    size_t size = sizeof plan->reason, used = 0;
    plan->status = ABUT_PLAN_CERTIFIED_EXCEPT;
    for (int32_t i = 0; i < problem->exception_count && i < NAMED && used < size; ++i)
        used += (size_t)snprintf(plan->reason + used, size - used, "%s%s:%s", i ? "," : "proved except for ",
            abut_plan_link_name(problem, problem->exceptions[i].a),
            abut_plan_link_name(problem, problem->exceptions[i].b));
    if (problem->exception_count > NAMED && used < size)
        used +=
            (size_t)snprintf(plan->reason + used, size - used, " and %d more", (int)problem->exception_count - NAMED);
    if (used < size)
        snprintf(plan->reason + used, size - used, ", always near each other: allow these pairs, or add them");
}

/* A plan that misses a posture on the way or a limit, or had no pair to look at, is not called certified. */
static void check_promises(const Portfolio *p, const AbutPlanTry *best, AbutPlan *plan) {
    if (best->missed >= 0 && plan->status != ABUT_PLAN_BLOCKED)
        snprintf(plan->reason, sizeof plan->reason, "via %d, at the part %g of the time, is missed by %.3g",
            (int)best->missed + 1, p->task.via_s[best->missed], best->miss);
    else if (p->problem->pair_count == 0)
        snprintf(plan->reason, sizeof plan->reason, "nothing to check: no pair of links is left");
    else if (plan->status != ABUT_PLAN_CERTIFIED || (!find_rate(p, plan) && !find_effort(p, plan))) {
        if (plan->status == ABUT_PLAN_CERTIFIED && p->problem->exception_count) note_exceptions(p->problem, plan);
        return;
    }
    plan->status = ABUT_PLAN_CLEAR_UNCERTIFIED;
}

/* A search that time ended without a proof says so, and then what is missing. */
static void note_budget(const Portfolio *p, AbutPlan *plan) {
    char rest[sizeof plan->reason];
    int proved = plan->status == ABUT_PLAN_CERTIFIED || plan->status == ABUT_PLAN_CERTIFIED_EXCEPT;
    if (!plan->out_of_time || proved) return;
    memcpy(rest, plan->reason, sizeof rest);
    snprintf(plan->reason, sizeof plan->reason, "budget: time ran out after %g s and %d of %d attempts%s%.250s",
        p->settings->budget, (int)plan->attempt_count, (int)plan->attempt_limit, rest[0] ? "; " : "", rest);
    plan->status = ABUT_PLAN_BUDGET;
}

static AbutStatus finish(Portfolio *p, AbutPlan *plan, AbutError *error) {
    const AbutPlanTry *best = &p->tries[plan->best];
    AbutCertifyDef def = {p->settings->level, 0, 0};
    plan->status = best->report.status;
    plan->cost = best->report.cost;
    plan->point_count = best->point_count;
    plan->coordinate_count = p->problem->coordinate_count;
    size_t numbers = (size_t)plan->point_count * (size_t)plan->coordinate_count;
    plan->points = abut_alloc_array(numbers + 1, sizeof *plan->points);
    plan->pairs = abut_alloc_array((size_t)p->problem->pair_count + 1, sizeof *plan->pairs);
    if (!plan->points || !plan->pairs) return abut_fail_memory(error);
    memcpy(plan->points, best->points, numbers * sizeof *plan->points);
    AbutStatus status = time_plan(p, plan, error);
    if (!status)
        status = abut_plan_certify(p->problem, &plan->trajectory, &def, &plan->certificate, plan->pairs, error);
    if (!status) {
        explain(p, best, plan);
        check_promises(p, best, plan);
        note_budget(p, plan);
    }
    return status;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static void set_task(const AbutPlanProblem *problem, const AbutPlanQuery *query, AbutPlanTask *out) {
    out->start = query->start;
    out->goal = query->goal;
    out->via_count = query->via_count;
    for (int32_t i = 0; i < query->via_count; ++i) {
        out->via_s[i] = query->via_at[i];
        out->via[i] = query->via + i * problem->coordinate_count;
    }
}

static AbutStatus run_portfolio(const AbutPlanProblem *problem, const AbutPlanQuery *query,
    const AbutPlanSettings *settings, AbutPlan *plan, AbutError *error) {
    Portfolio *p = abut_alloc(sizeof *p);
    AbutPlanSpline *spline = abut_alloc(sizeof *spline);
    int32_t count = 0;
    if (p) memset(p, 0, sizeof *p);
    AbutStatus status =
        p && spline ? choose_points(query, settings->points, spline, &count, error) : abut_fail_memory(error);
    size_t numbers = (size_t)count * (size_t)problem->coordinate_count;
    double *points = status ? NULL : abut_alloc_array(ABUT_PLAN_ATTEMPTS * numbers, sizeof *points);
    if (!status && !points) status = abut_fail_memory(error);
    if (!status) {
        p->problem = problem;
        p->settings = settings;
        p->spline = spline;
        p->points = points;
        p->deadline = abut_clock() + settings->budget;
        for (int i = 0; i < ABUT_PLAN_ATTEMPTS; ++i) p->tries[i].points = points + (size_t)i * numbers;
        p->quick = abut_plan_is_quick(problem, query, settings);
        set_task(problem, query, &p->task);
    }
    if (!status) status = run_all(p, plan, error);
    if (!status) status = finish(p, plan, error);
    if (p) {
        abut_free(p->tries[0].own);
        abut_free(p->tries[0].path);
    }
    abut_free(p);
    abut_free(spline);
    abut_free(points);
    return status;
}

static AbutStatus check_roadmap(
    const AbutPlanProblem *problem, const AbutPlanQuery *query, const AbutPlanSettings *settings, AbutError *error) {
    const AbutRoadmap *map = settings->roadmap;
    if (map->width != problem->coordinate_count)
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "roadmap", ": expected %d coordinates, got %d",
            (int)problem->coordinate_count, (int)map->width);
    if (abut_plan_is_quick(problem, query, settings)) return ABUT_OK;
    return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "roadmap",
        ": expected no postures on the way, windows, balance, torques, duration or other method");
}

AbutStatus abut_plan_solve(const AbutPlanProblem *problem, const AbutPlanQuery *query, const AbutPlanSettings *settings,
    AbutPlan *out, AbutError *error) {
    ABUT_ASSERT(problem && query && query->start && query->goal && settings && out);
    double begin = abut_clock();
    memset(out, 0, sizeof *out);
    out->best = -1;
    out->certificate = (AbutCertificate){.status = ABUT_CERTIFICATE_NOTHING, .pair = -1, .edge = -1};
    out->certificate.balance.status = ABUT_CERTIFICATE_NOTHING;
    AbutStatus status = abut_plan_check_settings(problem, settings, error);
    if (!status) status = abut_plan_check_query(problem, query, error);
    if (!status && settings->roadmap) status = check_roadmap(problem, query, settings, error);
    if (!status) status = abut_plan_check_postures(problem, query, settings->torque, out, error);
    if (!status && out->status != ABUT_PLAN_INFEASIBLE_INPUT)
        status = run_portfolio(problem, query, settings, out, error);
    out->seconds = abut_clock() - begin;
    if (status) abut_plan_free(out);
    return status;
}

void abut_plan_free(AbutPlan *plan) {
    ABUT_ASSERT(plan);
    abut_free(plan->points);
    abut_free(plan->pairs);
    abut_trajectory_free(&plan->trajectory);
    memset(plan, 0, sizeof *plan);
}
