/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least soft distance over a motion, with proof. In: two soft bodies, their motions, an interval of time. Out: a
 * bracket, and when.
 *
 * Method: subdivision with the cone of a speed bound (Piyavskii, Shubert). D follows a weighted mean of field values at
 * samples, those within 6 tau of it; fields change by at most 1.2 per meter. A sample of A that counts lies in the ball
 * around A, and no farther from B than its field value allows, which outside of the grid is at least 1 / sqrt(2) of the
 * distance. So between two times D falls by no more than 1.2 times the ways of all points in a ball around A, and in
 * one around B, as large as the larger D of both ends asks for: where D rises above that it has to come back to it.
 */
#include "abut/clearance.h"

#include <string.h>

#include "clearance/search.h"
#include "direction/tolerance.h"

enum { FIRST_CUTS = 16, BUDGET = 100000 };

typedef struct Mover {
    const AbutSoftBody *body;
    const AbutMotion *motion;
} Mover;

typedef struct Search {
    Mover a, b;
    void *workspace;
    double eps, shortest, deadline;
    int64_t budget;
    int late; /* the deadline has passed */
    int invalid;
    AbutClearance *out;
} Search;

typedef struct End {
    double t, d;
} End;

static End look(Search *s, double t) {
    AbutPose a = abut_motion_pose(s->a.motion, t), b = abut_motion_pose(s->b.motion, t);
    AbutSoft soft = abut_soft_direction(s->a.body, s->b.body, abut_pose_between(a, b), NULL, s->workspace);
    End end = {t, soft.distance};
    ++s->out->evaluations;
    s->invalid |= soft.outcome == ABUT_SOFT_INVALID;
    if (end.d < s->out->ub) {
        s->out->ub = end.d;
        s->out->t = t;
        s->out->normal = abut_quat_rotate(a.q, soft.direction);
    }
    return end;
}

/* Ways of the points of one body that can count. */
static double way_of(const Mover *m, const End *a, const End *e, double beyond) {
    double reach = m->body->radius + 1.4143 * abut_larger(beyond, 0.0) + 2.0 * m->body->step;
    return (e->t - a->t) * abut_motion_speed(m->motion, a->t, e->t, NULL, m->body->center, reach);
}

static double lower_bound(const Search *s, const End *a, const End *e) {
    double tau = abut_larger(s->a.body->tau, s->b.body->tau);
    double beyond = abut_larger(a->d, e->d) + ABUT_SOFT_SUPPORT * tau;
    double way = way_of(&s->a, a, e, beyond) + way_of(&s->b, a, e, beyond);
    return 0.5 * (a->d + e->d - ABUT_SOFT_LIPSCHITZ * way);
}

static void divide(Search *s, const End *a, const End *e) {
    double lb = lower_bound(s, a, e);
    s->late |= abut_search_is_late(s->deadline);
    int spent = s->out->evaluations >= s->budget || s->invalid || s->late;
    ++s->out->intervals;
    if (lb > s->out->ub - s->eps || spent || e->t - a->t <= s->shortest) {
        s->out->lb = abut_smaller(s->out->lb, lb);
        return;
    }
    End middle = look(s, 0.5 * (a->t + e->t));
    int later = e->d < a->d; /* the nearer half first */
    divide(s, later ? &middle : a, later ? e : &middle);
    divide(s, later ? a : &middle, later ? &middle : e);
}

static void search(Search *s, double from, double to) {
    End end[FIRST_CUTS + 1];
    int cuts = to > from ? FIRST_CUTS : 0;
    s->out->lb = INFINITY;
    for (int k = 0; k <= cuts; ++k) end[k] = look(s, k == cuts ? to : from + (to - from) * k / FIRST_CUTS);
    for (int k = 0; k < cuts; ++k) divide(s, &end[k], &end[k + 1]);
    s->out->lb = abut_smaller(s->out->lb, s->out->ub);
}

static int is_good(const AbutClearanceDef *def) {
    return isfinite(def->from) && isfinite(def->to) && def->to >= def->from && def->eps >= 0.0 && isfinite(def->eps) &&
           def->budget >= 0 && def->seconds >= 0.0;
}

static void judge(const Search *s, double eps) {
    AbutClearance *x = s->out;
    x->certified = x->ub - x->lb <= eps;
    x->reason = abut_search_reason(x->certified, s->late, x->evaluations >= s->budget);
    x->status = x->lb > 0.0 ? ABUT_CLEARANCE_CLEAR : x->ub <= 0.0 ? ABUT_CLEARANCE_CONTACT : ABUT_CLEARANCE_UNDECIDED;
    if (s->invalid) *x = abut_clearance_invalid();
}

AbutStatus abut_clearance_soft(const AbutSoftBody *a, const AbutMotion *motion_a, const AbutSoftBody *b,
    const AbutMotion *motion_b, const AbutClearanceDef *def, AbutClearance *out, AbutError *error) {
    ABUT_ASSERT(a && motion_a && b && motion_b && def && out);
    *out = abut_clearance_invalid();
    if (!is_good(def)) return ABUT_OK;
    double eps = def->eps > 0.0 ? def->eps : 1e-3;
    Search s = {
        .a = {a, motion_a}, .b = {b, motion_b}, .eps = eps, .shortest = 1e-12 * (def->to - def->from), .out = out};
    s.budget = def->budget > 0 ? def->budget : BUDGET;
    s.deadline = abut_search_deadline(def->seconds);
    s.workspace = abut_alloc(abut_soft_size(a, b));
    if (!s.workspace) return abut_fail_memory(error);
    *out = abut_clearance_nothing(ABUT_CLEARANCE_UNDECIDED, INFINITY);
    out->containment_known = 1;
    search(&s, def->from, def->to);
    abut_free(s.workspace);
    judge(&s, eps);
    return ABUT_OK;
}
