/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least distance of two pieces over one piece of a trajectory, as the thesis plans with it (Lee 2017, Fig. 6.6): by
 * golden section, which trusts that there is one valley; by advancing as far as a bound allows; by golden section
 * around the least of a few samples; or by halving the interval with the least bound until the bracket is narrow. The
 * last two find the right valley.
 */
#include "literature/plan/methods.h"

const char *const abut_plan_mcd_names[ABUT_PLAN_MCD_COUNT + 1] = {"gss", "ca", "hybrid", "as", NULL};
static const double EPS = 1e-3; /* m: width of the bracket, and what advancing may miss */
enum { GOLDEN_STEPS = 16, SAMPLES = 8, LEAVES = 64 };

typedef struct Search {
    const AbutPlanProblem *problem;
    const AbutTrajectory *trajectory;
    const AbutPlanItem *item;
    int32_t piece;
    AbutPlanMoment *moment;
    AbutConvexCache *cache;
    AbutPlanLeast best;
} Search;

static double value_at(Search *s, double x) {
    abut_plan_moment_set(s->problem, s->trajectory, s->piece, x, x, s->moment);
    double d = abut_plan_item_distance(s->problem, s->item, &s->moment->at, s->cache).distance;
    ++s->best.evaluations;
    if (!(d >= s->best.distance)) {
        s->best.distance = isnan(d) ? -1.0 : d;
        s->best.x = x;
    }
    return d;
}

/* A number that the distance is not below from `from` to `to`. */
static double bound_of(Search *s, double from, double to) {
    abut_plan_moment_set(s->problem, s->trajectory, s->piece, from, to, s->moment);
    AbutPlanDistance d = abut_plan_item_distance(s->problem, s->item, &s->moment->at, s->cache);
    double bend = abut_plan_item_bend(s->problem, s->item, s->moment), middle = 0.5 * (from + to);
    AbutVec3 n = abut_plan_item_normal(s->problem, s->item, &s->moment->at, &d);
    ++s->best.evaluations;
    if (!(d.distance >= s->best.distance)) {
        s->best.distance = isnan(d.distance) ? -1.0 : d.distance;
        s->best.x = middle;
    }
    return abut_plan_item_bound(s->problem, s->item, s->moment, n, bend);
}

static void golden(Search *s, double from, double to) {
    static const double PART = 0.6180339887498949;
    double x[2] = {to - PART * (to - from), from + PART * (to - from)}, d[2] = {value_at(s, x[0]), value_at(s, x[1])};
    for (int i = 0; i < GOLDEN_STEPS; ++i) {
        int left = d[0] < d[1];
        if (left)
            to = x[1];
        else
            from = x[0];
        x[left] = x[!left];
        d[left] = d[!left];
        x[!left] = left ? to - PART * (to - from) : from + PART * (to - from);
        d[!left] = value_at(s, x[!left]);
    }
}

/* From the begin, each time as far as nothing below the least so far can be missed. */
static void advance(Search *s) {
    double at = 0.0, step = 1.0;
    value_at(s, 0.0);
    value_at(s, 1.0);
    while (at < 1.0) {
        step = fmin(step, 1.0 - at);
        if (bound_of(s, at, at + step) >= s->best.distance - EPS || step < 1e-3) {
            at += step;
            step *= 2.0;
        } else {
            step *= 0.5;
        }
    }
}

static void around_samples(Search *s) {
    for (int i = 0; i <= SAMPLES; ++i) value_at(s, (double)i / SAMPLES);
    double x = s->best.x;
    golden(s, fmax(x - 1.0 / SAMPLES, 0.0), fmin(x + 1.0 / SAMPLES, 1.0));
}

/* The interval of the least bound is halved until that bound is near the least distance. */
static void subdivide(Search *s) {
    struct {
        double from, to, bound;
    } open[LEAVES] = {{0.0, 1.0, -INFINITY}};
    int count = 1;
    value_at(s, 0.0);
    value_at(s, 1.0);
    while (count > 0 && count + 1 < LEAVES) {
        int least = 0;
        for (int i = 1; i < count; ++i) least = open[i].bound < open[least].bound ? i : least;
        if (open[least].bound >= s->best.distance - EPS) return;
        double from = open[least].from, to = open[least].to, middle = 0.5 * (from + to);
        open[least] = open[--count];
        if (to - from < 1e-4) continue;
        for (int side = 0; side < 2; ++side) {
            open[count].from = side ? middle : from;
            open[count].to = side ? to : middle;
            open[count].bound = bound_of(s, open[count].from, open[count].to);
            ++count;
        }
    }
}

AbutPlanLeast abut_plan_item_mcd(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, AbutPlanMcd mcd,
    int32_t item, int32_t piece, AbutPlanMoment *moment, AbutConvexCache *cache) {
    Search s = {problem, trajectory, &problem->items[item], piece, moment, cache, {INFINITY, 0.0, 0}};
    switch (mcd) {
    case ABUT_PLAN_MCD_GOLDEN:
        golden(&s, 0.0, 1.0);
        break;
    case ABUT_PLAN_MCD_ADVANCE:
        advance(&s);
        break;
    case ABUT_PLAN_MCD_HYBRID:
        around_samples(&s);
        break;
    default:
        subdivide(&s);
        break;
    }
    return s.best;
}

AbutStatus abut_plan_mcd(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, AbutPlanMcd mcd,
    int32_t pair, int32_t piece, AbutPlanLeast *out, AbutError *error) {
    ABUT_ASSERT(problem && trajectory && out && (unsigned)mcd < ABUT_PLAN_MCD_COUNT && pair >= 0);
    ABUT_ASSERT(pair < problem->pair_count && piece >= 0 && piece < trajectory->piece_count);
    AbutPlanLeast best = {INFINITY, 0.0, 0};
    if (trajectory->joint_count != problem->model->joint_count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "trajectory: expected %d joints, got %d",
            (int)problem->model->joint_count, (int)trajectory->joint_count);
    void *memory = abut_alloc(abut_plan_moment_size(&problem->tree));
    if (!memory) return abut_fail_memory(error);
    AbutPlanMoment moment = abut_plan_moment_in(&problem->tree, memory);
    for (int32_t i = 0; i < problem->item_count; ++i) {
        AbutConvexCache cache = {0};
        if (problem->items[i].pair != pair) continue;
        AbutPlanLeast one = abut_plan_item_mcd(problem, trajectory, mcd, i, piece, &moment, &cache);
        one.evaluations += best.evaluations;
        if (!(one.distance < best.distance)) {
            best.evaluations = one.evaluations;
            continue;
        }
        best = one;
    }
    abut_free(memory);
    *out = best;
    return ABUT_OK;
}
