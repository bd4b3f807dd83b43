/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which limits of joints a trajectory breaks. In: a problem with its limits, a trajectory of polynomials. Out: for each
 * joint and kind of limit that is broken the largest excess, and when. Method: a polynomial is largest at an end of its
 * piece, or where its derivative has a root. Where speeds jump between pieces the acceleration is infinite.
 */
#include "math/poly.h"
#include "proof/problem.h"

const char *const abut_plan_limit_names[ABUT_PLAN_LIMIT_COUNT + 1] = {"position", "speed", "acceleration", NULL};

/* Numbers of joints are not better known than this. */
static const double ROUNDING = 1e-9;

typedef struct Search {
    const AbutTrajectory *trajectory;
    double lower, upper;
    AbutPlanExcess worst;
    double beyond;
    int broken;
} Search;

static void look(Search *s, double value, double t) {
    double beyond = fmax(s->lower - value, value - s->upper);
    if (!(beyond > s->beyond)) return;
    s->beyond = beyond;
    s->broken = 1;
    s->worst.value = value;
    s->worst.t = t;
    s->worst.limit = value > s->upper ? s->upper : s->lower;
}

/* The derivative of this order of joint j over a piece, by time, as a polynomial of its x. */
static AbutPoly piece_poly(const AbutTrajectory *t, int32_t piece, int32_t j, int order) {
    double length = t->times[piece + 1] - t->times[piece];
    AbutPoly p = abut_poly(5, abut_trajectory_piece(t, piece, j));
    for (int i = 0; i < order; ++i) {
        p = abut_poly_derivative(&p);
        p = abut_poly_scale(&p, 1.0 / length);
    }
    return p;
}

static void look_at_piece(Search *s, int32_t piece, int32_t j, int order) {
    const AbutTrajectory *t = s->trajectory;
    double begin = t->times[piece], length = t->times[piece + 1] - begin, roots[8] = {0};
    AbutPoly p = piece_poly(t, piece, j, order), slope = abut_poly_derivative(&p);
    int count = abut_poly_roots(&slope, 0.0, 1.0, roots, 6);
    roots[count++] = 0.0;
    roots[count++] = 1.0;
    for (int i = 0; i < count; ++i) look(s, abut_poly_eval(&p, roots[i]), begin + roots[i] * length);
}

/* Speeds that jump at the end of a piece. */
static void look_at_joint(Search *s, int32_t piece, int32_t j) {
    AbutPoly one = piece_poly(s->trajectory, piece, j, 1), two = piece_poly(s->trajectory, piece + 1, j, 1);
    double before = abut_poly_eval(&one, 1.0), after = abut_poly_eval(&two, 0.0);
    double jump = after - before, size = fabs(before) + fabs(after) + 1.0;
    if (fabs(jump) > 1e-6 * size) look(s, jump > 0.0 ? INFINITY : -INFINITY, s->trajectory->times[piece + 1]);
}

static Search search(const AbutPlanProblem *problem, const AbutTrajectory *t, int32_t i, AbutPlanLimit kind) {
    const AbutPlanJointLimits *limits = &problem->limits[i];
    double most = kind == ABUT_PLAN_LIMIT_SPEED ? limits->speed : limits->acceleration;
    int32_t j = problem->tree.joints[i];
    Search s = {.trajectory = t, .lower = limits->lower, .upper = limits->upper, .worst = {.joint = j, .kind = kind}};
    if (kind != ABUT_PLAN_LIMIT_POSITION) {
        s.upper = isnan(most) ? INFINITY : most;
        s.lower = -s.upper;
    }
    s.beyond = ROUNDING * (1.0 + (isfinite(s.upper) ? fabs(s.upper) : 0.0));
    for (int32_t k = 0; k < t->piece_count && (isfinite(s.upper) || isfinite(s.lower)); ++k) {
        look_at_piece(&s, k, j, (int)kind);
        if (kind == ABUT_PLAN_LIMIT_ACCELERATION && k + 1 < t->piece_count) look_at_joint(&s, k, j);
    }
    return s;
}

AbutStatus abut_plan_check_limits(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, int32_t capacity,
    AbutPlanExcess *out, int32_t *count, AbutError *error) {
    ABUT_ASSERT(problem && trajectory && count && capacity >= 0 && (out || !capacity));
    AbutStatus status = abut_trajectory_check(trajectory, error);
    *count = 0;
    if (!status && trajectory->joint_count != problem->model->joint_count)
        status = abut_fail(error, ABUT_ERROR_ARGUMENT, "trajectory: expected %d joints, got %d",
            (int)problem->model->joint_count, (int)trajectory->joint_count);
    for (int32_t i = 0; i < problem->tree.joint_count && !status; ++i)
        for (int kind = 0; kind < ABUT_PLAN_LIMIT_COUNT; ++kind) {
            Search s = search(problem, trajectory, i, (AbutPlanLimit)kind);
            if (!s.broken) continue;
            if (*count < capacity) out[*count] = s.worst;
            ++*count;
        }
    return status;
}
