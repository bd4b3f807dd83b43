/* SPDX-License-Identifier: Apache-2.0 */
/* Planning: from one posture to another, with the certificate of the plan. Ctrl-C ends the search. */
#include <string.h>

#include "defs.h"
#include "interrupt.h"
#include "problems.h"
#include "records.h"
#include "robots.h"
#include "rooms.h"
#include "trajectories.h"

NAMES(mcd_word, abut_plan_mcd_name, AbutPlanMcd, ABUT_PLAN_MCD_COUNT)

static const DefField settings_fields[] = {
    DEF(AbutPlanSettings, level, DEF_REAL),
    DEF(AbutPlanSettings, points, DEF_INT),
    DEF(AbutPlanSettings, attempts, DEF_INT),
    DEF(AbutPlanSettings, always, DEF_INT),
    DEF(AbutPlanSettings, budget, DEF_REAL),
    DEF(AbutPlanSettings, speed, DEF_REAL),
    DEF(AbutPlanSettings, acceleration, DEF_REAL),
    DEF(AbutPlanSettings, duration, DEF_REAL),
    DEF(AbutPlanSettings, torque, DEF_FLAG),
    DEF(AbutPlanSettings, samples, DEF_INT),
    DEF(AbutPlanSettings, thesis, DEF_FLAG),
    {"mcd", DEF_WORD, offsetof(AbutPlanSettings, mcd), ABUT_PLAN_MCD_COUNT, mcd_word},
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

/* [(kind, status, cost, violation, iterations, seconds)] */
static PyObject *tell_attempts(const AbutPlan *plan)
{
    PyObject *list = PyList_New(plan->attempt_count);
    for (int32_t i = 0; list && i < plan->attempt_count; ++i) {
        const AbutPlanAttempt *a = &plan->attempts[i];
        PyList_SetItem(list, i,
            Py_BuildValue("{sssssdsdsLsd}", "kind", abut_plan_attempt_name(a->kind), "status",
                abut_plan_status_name(a->status), "cost", a->cost, "violation", a->violation, "iterations",
                (long long)a->iterations, "seconds", a->seconds));
    }
    return list;
}

/* (status, reason, cost, seconds, (times, coefficients (pieces, joints, 6)), Certificate, pairs, attempts, PlanEffort)
 */
static PyObject *tell_plan(const ProblemObject *problem, const AbutPlan *plan)
{
    NewArray pairs;
    if (begin_records(&record_pair_certificate, plan->pairs ? abut_plan_pair_count(problem->problem) : 0, &pairs) != 0)
        return NULL;
    if (pairs.view.len > 0)
        memcpy(pairs.data, plan->pairs, (size_t)pairs.view.len);
    return Py_BuildValue("(ssddNNNNN)", abut_plan_status_name(plan->status), plan->reason, plan->cost, plan->seconds,
        tell_trajectory(&plan->trajectory), record_new(&record_certificate, &plan->certificate), end_array(&pairs),
        tell_attempts(plan), record_new(&record_effort, &plan->effort));
}

/* (problem, postures (2 + n, joints): start, goal, on the way; parts of the time (n,), settings, seed) */
static PyObject *problem_solve(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    ProblemObject *self;
    Search x;
    Doubles postures, at;
    memset(&x, 0, sizeof x);
    x.settings = abut_plan_settings_default();
    if (expect_count("problem_solve", count, 5) != 0 || !(self = read_problem(args[0])) ||
        fill_def(args[3], &settings_table, &x.settings) != 0)
        return NULL;
    x.settings.seed = PyLong_AsUnsignedLongLong(args[4]);
    if (PyErr_Occurred() || read_vector(args[2], "via_at", -1, &at) != 0)
        return NULL;
    if (at.count > ABUT_PLAN_VIA_LIMIT ||
        read_matrix(args[1], "postures", 2 + at.count, self->joints, &postures) != 0) {
        if (!PyErr_Occurred())
            raise_text(ABUT_ERROR_LIMIT, "via: at most %d postures", ABUT_PLAN_VIA_LIMIT);
        return release_doubles(&at), NULL;
    }
    size_t n = (size_t)abut_plan_coordinate_count(self->problem);
    double *u = abut_alloc_array((size_t)postures.shape[0] * n + 1, sizeof *u);
    for (Py_ssize_t i = 0; u && i < postures.shape[0]; ++i)
        abut_plan_coordinates_of(self->problem, postures.data + i * self->joints, u + (size_t)i * n);
    x.problem = self->problem, x.query.start = u, x.query.goal = u ? u + n : NULL;
    x.query.via_count = (int32_t)at.count, x.query.via_at = at.data, x.query.via = u ? u + 2 * n : NULL;
    x.settings.progress = go_on, x.settings.user = &x;
    int interrupted = !u ? (PyErr_NoMemory(), 1) : run_interruptible(solve, &x, &x.cancel) != 0;
    abut_free(u);
    release_doubles(&postures);
    release_doubles(&at);
    PyObject *out = NULL;
    if (!interrupted)
        out = x.status == ABUT_OK ? tell_plan(self, &x.plan) : raise_error(&x.error);
    if (x.status == ABUT_OK)
        abut_plan_free(&x.plan);
    return out;
}

/* (problem, robot, start joints, tasks, tries, seed, capacity) -> postures (n, joints), nearest first */
static PyObject *problem_reach(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    ProblemObject *self;
    AbutConfiguration *robot;
    AbutIkTask tasks[ABUT_IK_TASKS];
    AbutError error;
    Doubles start;
    NewArray out;
    int tries, capacity;
    int32_t found = 0;
    if (expect_count("problem_reach", count, 7) != 0 || !(self = read_problem(args[0])) ||
        !(robot = read_robot(args[1])) || read_int(args[4], "tries", &tries) != 0 ||
        read_count(args[6], "limit", &capacity) != 0)
        return NULL;
    unsigned long long seed = PyLong_AsUnsignedLongLong(args[5]);
    Py_ssize_t task_count = PyErr_Occurred() ? -1 : read_tasks(args[3], tasks);
    if (task_count < 0 || read_vector(args[2], "start", self->joints, &start) != 0)
        return NULL;
    size_t n = (size_t)abut_plan_coordinate_count(self->problem);
    double *u = abut_alloc_array(n * ((size_t)capacity + 1) + 1, sizeof *u);
    AbutStatus status = u ? ABUT_OK : abut_fail(&error, ABUT_ERROR_MEMORY, "no memory for postures");
    if (u) {
        abut_plan_coordinates_of(self->problem, start.data, u);
        keep_robot(args[1], 1);
        Py_BEGIN_ALLOW_THREADS;
        status = abut_plan_reach(
            self->problem, robot, u, (int32_t)task_count, tasks, tries, seed, capacity, u + n, &found, &error);
        Py_END_ALLOW_THREADS;
        keep_robot(args[1], 0);
    }
    release_doubles(&start);
    const Py_ssize_t shape[2] = {found, self->joints};
    PyObject *answer = NULL;
    if (status != ABUT_OK)
        raise_error(&error);
    else if (begin_array_of("f8", 2, shape, &out) == 0) {
        for (int32_t i = 0; i < found; ++i)
            abut_plan_joints_of(
                self->problem, u + n * (size_t)(i + 1), (double *)out.data + (Py_ssize_t)i * self->joints);
        answer = end_array(&out);
    }
    abut_free(u);
    return answer;
}

/* (times, joints, interpolation, problem, settings) -> (times, coefficients (pieces, joints, 6)) in the least time */
static PyObject *problem_retime(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    ProblemObject *self;
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutTrajectory trajectory = {0}, fast = {0};
    AbutError error;
    AbutStatus status;
    if (expect_count("problem_retime", count, 5) != 0 || !(self = read_problem(args[3])) ||
        fill_def(args[4], &settings_table, &settings) != 0 || read_trajectory(args, &trajectory) != 0)
        return NULL;
    if (trajectory.joint_count != self->joints) {
        raise_text(ABUT_ERROR_ARGUMENT, "joints: expected those of the model, %d, got %d", self->joints,
            trajectory.joint_count);
        return abut_trajectory_free(&trajectory), NULL;
    }
    Py_BEGIN_ALLOW_THREADS;
    status = abut_plan_retime(self->problem, &trajectory, &settings, &fast, &error);
    Py_END_ALLOW_THREADS;
    abut_trajectory_free(&trajectory);
    PyObject *out = status == ABUT_OK ? tell_trajectory(&fast) : raise_error(&error);
    abut_trajectory_free(&fast);
    return out;
}

PyMethodDef plan_solve_functions[] = {
    FAST("problem_solve", problem_solve),
    FAST("problem_reach", problem_reach),
    FAST("problem_retime", problem_retime),
    {NULL, NULL, 0, NULL},
};
