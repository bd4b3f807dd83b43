/* SPDX-License-Identifier: Apache-2.0 */
/* Planning: from one posture to another, with the certificate of the plan. Ctrl-C ends the search. */
#include <string.h>

#include "defs.h"
#include "interrupt.h"
#include "problems.h"
#include "records.h"
#include "rooms.h"

static const DefField settings_fields[] = {
    DEF(AbutPlanSettings, level, DEF_REAL),
    DEF(AbutPlanSettings, points, DEF_INT),
    DEF(AbutPlanSettings, attempts, DEF_INT),
    DEF(AbutPlanSettings, always, DEF_INT),
    DEF(AbutPlanSettings, budget, DEF_REAL),
    DEF(AbutPlanSettings, speed, DEF_REAL),
    DEF(AbutPlanSettings, acceleration, DEF_REAL),
    DEF(AbutPlanSettings, duration, DEF_REAL),
    DEF(AbutPlanSettings, samples, DEF_INT),
    DEF(AbutPlanSettings, threads, DEF_INT),
};

static const DefTable settings_table = DEF_TABLE("plan", settings_fields);

typedef struct Search {
    const AbutPlanProblem *problem;
    AbutPlanQuery query;
    AbutPlanSettings settings;
    AbutPlan plan;
    volatile int cancel;
    AbutStatus status;
    AbutError error;
} Search;

static int go_on(int32_t attempts, double best_cost, void *user)
{
    (void)attempts, (void)best_cost;
    return ((Search *)user)->cancel;
}

static void solve(void *user)
{
    Search *x = user;
    x->status = abut_plan_solve(x->problem, &x->query, &x->settings, &x->plan, &x->error);
}

/* (status, reason, cost, seconds, times, coefficients (pieces, joints, 6), Certificate, pairs) */
static PyObject *tell_plan(const ProblemObject *problem, const AbutPlan *plan)
{
    const AbutTrajectory *t = &plan->trajectory;
    const Py_ssize_t times = t->piece_count > 0 ? t->piece_count + 1 : 0;
    const Py_ssize_t shape[3] = {t->piece_count, t->joint_count, 6};
    NewArray pairs;
    if (begin_records(&record_pair_certificate, plan->pairs ? abut_plan_pair_count(problem->problem) : 0, &pairs) != 0)
        return NULL;
    if (pairs.view.len > 0)
        memcpy(pairs.data, plan->pairs, (size_t)pairs.view.len);
    return Py_BuildValue("(ssddNNNN)", abut_plan_status_name(plan->status), plan->reason, plan->cost, plan->seconds,
        array_of_doubles(t->times, 1, &times), array_of_doubles(t->coefficients, 3, shape),
        record_new(&record_certificate, &plan->certificate), end_array(&pairs));
}

/* (problem, start joints, goal joints, settings, seed) */
static PyObject *problem_solve(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    ProblemObject *self;
    Search x;
    Doubles start, goal;
    memset(&x, 0, sizeof x);
    x.settings = abut_plan_settings_default();
    if (expect_count("problem_solve", count, 5) != 0 || !(self = read_problem(args[0])) ||
        fill_def(args[3], &settings_table, &x.settings) != 0)
        return NULL;
    x.settings.seed = PyLong_AsUnsignedLongLong(args[4]);
    if (PyErr_Occurred() || read_vector(args[1], "start", self->joints, &start) != 0)
        return NULL;
    if (read_vector(args[2], "goal", self->joints, &goal) != 0)
        return release_doubles(&start), NULL;
    size_t n = (size_t)abut_plan_coordinate_count(self->problem);
    double *u = abut_alloc_array(2 * n + 1, sizeof *u);
    if (u) {
        abut_plan_coordinates_of(self->problem, start.data, u);
        abut_plan_coordinates_of(self->problem, goal.data, u + n);
    }
    release_doubles(&start);
    release_doubles(&goal);
    if (!u)
        return PyErr_NoMemory();
    x.problem = self->problem, x.query.start = u, x.query.goal = u + n;
    x.settings.progress = go_on, x.settings.user = &x;
    int interrupted = run_interruptible(solve, &x, &x.cancel) != 0;
    abut_free(u);
    PyObject *out = NULL;
    if (!interrupted)
        out = x.status == ABUT_OK ? tell_plan(self, &x.plan) : raise_error(&x.error);
    if (x.status == ABUT_OK)
        abut_plan_free(&x.plan);
    return out;
}

PyMethodDef plan_solve_functions[] = {
    FAST("problem_solve", problem_solve),
    {NULL, NULL, 0, NULL},
};
