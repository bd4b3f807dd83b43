/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sequential quadratic programs with an exact penalty: steps of plan_qp.c are taken when the merit (cost + penalty *
 * sum of violations) falls as promised; lambda, the weight of keeping the motion where it is, follows how well it did.
 * The penalty rises where steps have ended and violations have not; a search whose violations no longer fall is given
 * up. The best motion without violation is kept.
 */
#include "plan/planner.h"

#include <string.h>

static const double TOLERANCE = 2e-4; /* m: violations below this do not count */
static const double TUNNEL = 300.0; /* times the first cost: the motion speeds through a thin thing, and stays there */

enum { PATIENCE = 6 };

typedef struct Search {
    AbutPlanWork *work;
    double lambda, penalty, cost, first_cost;
    double best_cost;
    int found, stalled;
    int at_best;                     /* the iterate is the best */
    double least_largest, least_sum; /* violations, when they last fell */
    int idle;                        /* steps since */
} Search;

static size_t bytes(const AbutPlanWork *work) {
    return (size_t)work->spline->points * (size_t)work->width * sizeof(double);
}

static double longest(const AbutPlanWork *work) {
    double most = 0.0;
    for (int32_t i = 0; i < work->spline->free * work->width; ++i) most = fmax(most, fabs(work->step[i]));
    return most;
}

static void keep_best(Search *s) {
    AbutPlanWork *w = s->work;
    s->at_best = w->now.largest < TOLERANCE && (!s->found || s->cost < s->best_cost);
    if (!s->at_best) return;
    s->found = 1;
    s->best_cost = s->cost;
    memcpy(w->best, w->control, bytes(w));
}

/* The trial becomes the iterate. */
static void accept(Search *s, double cost, double gain, double promised) {
    AbutPlanWork *w = s->work;
    double *control = w->control;
    AbutPlanRows rows = w->now;
    w->control = w->trial;
    w->trial = control;
    w->now = w->next;
    w->next = rows;
    s->cost = cost;
    if (gain > 0.7 * promised)
        s->lambda = fmax(s->lambda / 4.0, 1e-3);
    else if (gain < 0.25 * promised)
        s->lambda *= 2.0;
    keep_best(s);
}

/* After a step that was taken: is this the end? */
static int ends_after_step(Search *s, double promised, double length) {
    if (s->work->now.largest >= TOLERANCE && s->cost > TUNNEL * (s->first_cost + 0.1)) return 1;
    if (!(promised < 2e-3 * (s->cost + 0.01) || length < 2e-3)) return 0;
    if (s->work->now.largest < TOLERANCE) return 1;
    if (++s->stalled < 2) return 0;
    s->stalled = 0;
    s->penalty *= 10.0;
    return s->penalty > 1e6;
}

/* After a step that was not. */
static int ends_after_refusal(Search *s, double length) {
    s->lambda *= 4.0;
    if (!(s->lambda > 1e9 || length < 1e-6)) return 0;
    if (s->work->now.largest < TOLERANCE) return 1;
    s->penalty *= 10.0;
    s->lambda = 1000.0;
    return s->penalty > 1e6;
}

static void make_trial(AbutPlanWork *w) {
    memcpy(w->trial, w->control, bytes(w));
    for (int32_t i = 0; i < w->spline->free * w->width; ++i) w->trial[ABUT_SPLINE_ENDS * w->width + i] += w->step[i];
}

/* After a step, taken or not: have violations stayed what they are for too long? They fall in every few steps of a
 * motion that comes out of an obstacle, and not in one that is held on both sides of a thin one. */
static int is_stuck(Search *s) {
    const AbutPlanRows *now = &s->work->now;
    if (now->largest < 0.9 * s->least_largest || now->sum < 0.8 * s->least_sum) {
        s->least_largest = fmin(now->largest, s->least_largest);
        s->least_sum = fmin(now->sum, s->least_sum);
        s->idle = 0;
        return 0;
    }
    return now->largest >= TOLERANCE && ++s->idle == PATIENCE;
}

/* One step; 1: the search is over. */
static int advance(Search *s, int first) {
    AbutPlanWork *w = s->work;
    double promised, length;
    for (int retry = 0;; ++retry) {
        abut_plan_qp_step(w, s->lambda, s->penalty, &promised);
        length = longest(w);
        if (!(length > 1.0) || s->lambda >= 1e6 || retry > 20) break;
        s->lambda *= 4.0;
    }
    ++w->iterations;
    make_trial(w);
    abut_plan_collect(w, w->trial, 0, &w->next);
    double cost = abut_plan_spline_cost(w->spline, w->width, w->trial);
    double merit = s->cost + s->penalty * w->now.sum, gain = merit - cost - s->penalty * w->next.sum;
    int good = promised < 1e-9 * (1.0 + fabs(merit)) ? gain >= -1e-12 : gain > 0.05 * promised;
    if (!good && !(first && w->task->via_count)) return ends_after_refusal(s, length);
    accept(s, cost, gain, promised);
    return ends_after_step(s, promised, length);
}

AbutPlanSqp abut_plan_sqp(AbutPlanWork *work, int steps) {
    Search s = {.work = work, .lambda = 100.0, .penalty = 1000.0, .least_largest = INFINITY, .least_sum = INFINITY};
    abut_plan_collect(work, work->control, 0, &work->now);
    s.cost = s.first_cost = abut_plan_spline_cost(work->spline, work->width, work->control);
    if (!work->task->via_count) /* the first guess meets no posture on the way yet */
        keep_best(&s);
    for (int i = 0; i < steps && !abut_plan_is_over(work); ++i)
        if (advance(&s, i == 0) || is_stuck(&s)) break;
    if (s.found && !s.at_best) {
        memcpy(work->control, work->best, bytes(work));
        abut_plan_collect(work, work->control, 0, &work->now);
        s.cost = s.best_cost;
    }
    AbutPlanSqp out = {s.found && work->now.largest < 2.0 * TOLERANCE, s.cost, work->now.largest};
    return out;
}
