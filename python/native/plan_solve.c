/* SPDX-License-Identifier: Apache-2.0 */
/* Planning: from one posture to another, with the certificate of the plan. Ctrl-C ends the search. */
#include <string.h>

#include "defs.h"
#include "abut/literature.h"
#include "interrupt.h"
#include "plan_along.h"
#include "records.h"
#include "robots.h"
#include "rooms.h"
#include "trajectories.h"

/* Settings as Python gives them: the methods of the literature have words of their own. */
typedef struct GivenSettings {
    AbutPlanSettings settings;
    int32_t samples, thesis, mcd;
} GivenSettings;

static const DefField settings_fields[] = {
    DEF(AbutPlanSettings, level, DEF_REAL),
    DEF(AbutPlanSettings, points, DEF_INT),
    DEF(AbutPlanSettings, attempts, DEF_INT),
    {"quality", DEF_WORD, offsetof(AbutPlanSettings, quality), ABUT_PLAN_QUALITY_COUNT, abut_plan_quality_names},
    DEF(AbutPlanSettings, budget, DEF_REAL),
    DEF(AbutPlanSettings, speed, DEF_REAL),
    DEF(AbutPlanSettings, acceleration, DEF_REAL),
    DEF(AbutPlanSettings, duration, DEF_REAL),
    DEF(AbutPlanSettings, torque, DEF_FLAG),
    DEF(GivenSettings, samples, DEF_INT),
    DEF(GivenSettings, thesis, DEF_FLAG),
    {"mcd", DEF_WORD, offsetof(GivenSettings, mcd), ABUT_PLAN_MCD_COUNT, abut_plan_mcd_names},
    DEF(AbutPlanSettings, threads, DEF_INT),
};

static const DefTable settings_table = DEF_TABLE("plan", settings_fields);

/* 0, or -1 with an exception. */
static int read_plan_settings(PyObject *words, AbutPlanSettings *out) {
    GivenSettings given = {*out, 0, 0, ABUT_PLAN_MCD_GOLDEN};
    if (fill_def(words, &settings_table, &given) != 0) return -1;
    *out = given.settings;
    if (given.thesis)
        out->method = abut_plan_by_thesis((AbutPlanMcd)given.mcd);
    else if (given.samples)
        out->method = abut_plan_by_samples(given.samples);
    return 0;
}

/* A search, which may outlive the call of Python that asked for it: it ends at the next attempt then. */
typedef struct Search {
    ProblemObject *problem;
    RoadmapObject *roadmap; /* NULL: none */
    double *u, *via_at;     /* that the query stands on */
    AbutPlanQuery query;
    AbutPlanSettings settings;
    AbutPlan plan;
    volatile int cancel;
    AbutStatus status;
    AbutError error;
} Search;

static void free_search(void *user) {
    Search *x = user;
    if (x->status == ABUT_OK) abut_plan_free(&x->plan);
    abut_free(x->u);
    abut_free(x->via_at);
    Py_XDECREF((PyObject *)x->roadmap);
    Py_XDECREF((PyObject *)x->problem);
    abut_free(x);
}

static int go_on(int32_t attempts, double best_cost, void *user) {
    (void)attempts, (void)best_cost;
    return ((Search *)user)->cancel;
}

static void solve(void *user) {
    Search *x = user;
    x->status = abut_plan_solve(x->problem->problem, &x->query, &x->settings, &x->plan, &x->error);
}

/* [(kind, status, cost, violation, iterations, seconds)] */
static PyObject *tell_attempts(const AbutPlan *plan) {
    PyObject *list = PyList_New(plan->attempt_count);
    for (int32_t i = 0; list && i < plan->attempt_count; ++i) {
        const AbutPlanAttempt *a = &plan->attempts[i];
        PyList_SetItem(list, i,
            Py_BuildValue("{sssssdsdsLsd}", "kind", abut_word(abut_plan_attempt_names, a->kind), "status",
                abut_word(abut_plan_status_names, a->status), "cost", a->cost, "violation", a->violation, "iterations",
                (long long)a->iterations, "seconds", a->seconds));
    }
    return list;
}

/* (status, reason, cost, seconds, (times, coefficients (pieces, joints, 6)), Certificate, pairs, attempts, PlanEffort,
 * attempt_limit, out_of_time)
 */
static PyObject *tell_plan(const ProblemObject *problem, const AbutPlan *plan) {
    NewArray pairs;
    if (begin_records(&record_pair_certificate, plan->pairs ? abut_plan_pair_count(problem->problem) : 0, &pairs) != 0)
        return NULL;
    if (pairs.view.len > 0) memcpy(pairs.data, plan->pairs, (size_t)pairs.view.len);
    return Py_BuildValue("(ssddNNNNNii)", abut_word(abut_plan_status_names, plan->status), plan->reason, plan->cost,
        plan->seconds, tell_trajectory(&plan->trajectory), record_new(&record_certificate, &plan->certificate),
        end_array(&pairs), tell_attempts(plan), record_new(&record_effort, &plan->effort), (int)plan->attempt_limit,
        (int)plan->out_of_time);
}

/* Postures as coordinates, and when they are reached; 0, or -1 with an exception. */
static int copy_query(Search *x, const Doubles *postures, const Doubles *at) {
    const AbutPlanProblem *problem = x->problem->problem;
    const size_t n = (size_t)abut_plan_coordinate_count(problem);
    x->u = abut_alloc_array((size_t)postures->shape[0] * n + 1, sizeof *x->u);
    x->via_at = abut_alloc_array((size_t)at->count + 1, sizeof *x->via_at);
    if (!x->u || !x->via_at) return PyErr_NoMemory(), -1;
    for (Py_ssize_t i = 0; i < postures->shape[0]; ++i)
        abut_plan_coordinates_of(problem, postures->data + i * x->problem->joints, x->u + (size_t)i * n);
    for (Py_ssize_t i = 0; i < at->count; ++i) x->via_at[i] = at->data[i];
    x->query = (AbutPlanQuery){x->u, x->u + n, (int32_t)at->count, x->via_at, x->u + 2 * n};
    return 0;
}

/* 0, or -1 with an exception. */
static int read_query(PyObject *postures, PyObject *via_at, Search *x) {
    Doubles p, at;
    if (read_vector(via_at, "via_at", -1, &at) != 0) return -1;
    int status = -1;
    if (at.count > ABUT_PLAN_VIA_LIMIT) {
        raise_text(ABUT_ERROR_LIMIT, "via: at most %d postures", ABUT_PLAN_VIA_LIMIT);
    } else if (read_matrix(postures, "postures", 2 + at.count, x->problem->joints, &p) == 0) {
        status = copy_query(x, &p, &at);
        release_doubles(&p);
    }
    release_doubles(&at);
    return status;
}

/* None, or a roadmap that the search keeps; 0, or -1 with an exception. */
static int take_roadmap(PyObject *value, Search *x) {
    if (value == Py_None) return 0;
    RoadmapObject *roadmap = read_roadmap(value);
    if (!roadmap) return -1;
    x->roadmap = (RoadmapObject *)Py_NewRef(value);
    x->settings.roadmap = &roadmap->map;
    return 0;
}

/* (problem, postures (2 + n, joints): start, goal, on the way; parts of the time (n,), settings, seed, roadmap or None)
 */
static PyObject *problem_solve(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ProblemObject *problem;
    if (expect_count("problem_solve", count, 6) != 0 || !(problem = read_problem(args[0]))) return NULL;
    Search *x = abut_alloc(sizeof *x);
    if (!x) return PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    x->status = ABUT_ERROR_ARGUMENT; /* there is no plan yet */
    x->problem = (ProblemObject *)Py_NewRef((PyObject *)problem);
    x->settings = abut_plan_settings_default();
    x->settings.progress = go_on, x->settings.user = x;
    if (read_plan_settings(args[3], &x->settings) != 0 || read_seed(args[4], &x->settings.seed) != 0 ||
        read_query(args[1], args[2], x) != 0 || take_roadmap(args[5], x) != 0)
        return free_search(x), NULL;
    if (run_or_leave(solve, free_search, x, &x->cancel) != 0) return NULL;
    PyObject *out = x->status == ABUT_OK ? tell_plan(x->problem, &x->plan) : raise_error(&x->error);
    free_search(x);
    return out;
}

/* ---- postures ---------------------------------------------------------------------------------------------------- */

typedef struct Reach {
    ProblemObject *problem;
    AbutIkTask tasks[ABUT_IK_TASKS];
    AbutPlanReach wanted;
    int capacity;
    double *u; /* the start, then what is found */
    int32_t found;
    AbutStatus status;
    AbutError error;
} Reach;

static void free_reach(void *user) {
    Reach *x = user;
    abut_free(x->u);
    Py_XDECREF((PyObject *)x->problem);
    abut_free(x);
}

static void reach(void *user) {
    Reach *x = user;
    double *found = x->u + abut_plan_coordinate_count(x->problem->problem);
    x->status = abut_plan_reach(x->problem->problem, &x->wanted, x->capacity, found, &x->found, &x->error);
}

/* As of problem_reach; 0, or -1 with an exception. */
static int read_reach(PyObject *const *args, Reach *x) {
    Doubles start;
    ProblemObject *problem = read_problem(args[0]);
    if (!problem || read_count(args[3], "tries", &x->wanted.tries) != 0 || read_seed(args[4], &x->wanted.seed) != 0 ||
        read_count(args[5], "limit", &x->capacity) != 0 ||
        (x->wanted.task_count = (int)read_tasks(args[2], x->tasks)) < 0 ||
        read_vector(args[1], "start", problem->joints, &start) != 0)
        return -1;
    x->problem = (ProblemObject *)Py_NewRef(args[0]);
    x->u = abut_alloc_array(
        (size_t)abut_plan_coordinate_count(problem->problem) * ((size_t)x->capacity + 1) + 1, sizeof *x->u);
    if (x->u) abut_plan_coordinates_of(problem->problem, start.data, x->u);
    release_doubles(&start);
    x->wanted.start = x->u, x->wanted.tasks = x->tasks;
    return x->u ? 0 : (PyErr_NoMemory(), -1);
}

static PyObject *tell_postures(const Reach *x) {
    const Py_ssize_t shape[2] = {x->found, x->problem->joints};
    const ptrdiff_t n = abut_plan_coordinate_count(x->problem->problem);
    NewArray out;
    if (begin_array_of("f8", 2, shape, &out) != 0) return NULL;
    for (Py_ssize_t i = 0; i < shape[0]; ++i)
        abut_plan_joints_of(x->problem->problem, x->u + n * (i + 1), (double *)out.data + i * shape[1]);
    return end_array(&out);
}

/* (problem, start joints, tasks, tries, seed, capacity) -> postures (n, joints), nearest first */
static PyObject *problem_reach(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (expect_count("problem_reach", count, 6) != 0) return NULL;
    Reach *x = abut_alloc(sizeof *x);
    if (!x) return PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    if (read_reach(args, x) != 0) return free_reach(x), NULL;
    if (run_or_leave(reach, free_reach, x, NULL) != 0) return NULL;
    PyObject *out = x->status == ABUT_OK ? tell_postures(x) : raise_error(&x->error);
    free_reach(x);
    return out;
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static void retime(void *user) {
    Along *x = user;
    x->status = abut_plan_retime(x->problem->problem, &x->trajectory, &x->settings, &x->fast, &x->error);
}

/* (times, joints, interpolation, problem, settings) -> (times, coefficients (pieces, joints, 6)) in the least time */
static PyObject *problem_retime(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Along *x = expect_count("problem_retime", count, 5) == 0 ? open_along(args) : NULL;
    if (!x) return NULL;
    if (read_plan_settings(args[4], &x->settings) != 0) return free_along(x), NULL;
    if (run_along(retime, x) != 0) return NULL;
    PyObject *out = x->status == ABUT_OK ? tell_trajectory(&x->fast) : raise_error(&x->error);
    free_along(x);
    return out;
}

PyMethodDef plan_solve_functions[] = {
    FAST("problem_solve", problem_solve),
    FAST("problem_reach", problem_reach),
    FAST("problem_retime", problem_retime),
    {NULL, NULL, 0, NULL},
};
