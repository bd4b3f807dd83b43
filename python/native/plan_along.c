/* SPDX-License-Identifier: Apache-2.0 */
/* Answers along a trajectory: its certificate, the curve and the least distance of a pair, limits, what it takes. */
#include "plan_along.h"

#include <string.h>

#include "interrupt.h"
#include "records.h"
#include "rooms.h"
#include "trajectories.h"

void free_along(void *along) {
    Along *x = along;
    abut_trajectory_free(&x->trajectory);
    abut_trajectory_free(&x->fast);
    abut_free(x->rows);
    Py_XDECREF((PyObject *)x->problem);
    abut_free(x);
}

Along *open_along(PyObject *const *args) {
    ProblemObject *problem = read_problem(args[3]);
    Along *x = problem ? abut_alloc(sizeof *x) : NULL;
    if (!x) return problem ? (Along *)PyErr_NoMemory() : NULL;
    memset(x, 0, sizeof *x);
    x->problem = (ProblemObject *)Py_NewRef((PyObject *)problem);
    x->settings = abut_plan_settings_default();
    if (read_trajectory(args, &x->trajectory) != 0) return free_along(x), NULL;
    if (x->trajectory.joint_count == problem->joints) return x;
    raise_text(ABUT_ERROR_ARGUMENT, "joints: expected those of the model, %d, got %d", problem->joints,
        x->trajectory.joint_count);
    return free_along(x), NULL;
}

int run_along(void (*call)(void *), Along *along) { return run_or_leave(call, free_along, along, NULL); }

/* Memory for rows of the answer, zeroed; 0, or -1 with an exception, and `x` is freed. */
static int take_rows(Along *x, size_t count, size_t size) {
    x->rows = abut_alloc_array(count + 1, size);
    if (!x->rows) return PyErr_NoMemory(), free_along(x), -1;
    memset(x->rows, 0, (count + 1) * size);
    return 0;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static PyObject *tell_excess(const AbutPlanExcess *rows, int32_t count) {
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < count; ++i)
        if (append_made(
                list, Py_BuildValue("(isddd)", (int)rows[i].joint, abut_word(abut_plan_limit_names, rows[i].kind),
                          rows[i].value, rows[i].limit, rows[i].t)) != 0)
            Py_CLEAR(list);
    return list;
}

/* (times, joints, interpolation, problem) -> list of (joint, kind, value, limit, t) */
static PyObject *problem_check_limits(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int32_t found = 0;
    Along *x = expect_count("problem_check_limits", count, 4) == 0 ? open_along(args) : NULL;
    const int32_t room = x ? ABUT_PLAN_LIMIT_COUNT * x->problem->joints : 0;
    if (!x || take_rows(x, (size_t)room, sizeof(AbutPlanExcess)) != 0) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    x->status = abut_plan_check_limits(x->problem->problem, &x->trajectory, room, x->rows, &found, &x->error);
    Py_END_ALLOW_THREADS;
    PyObject *list = x->status == ABUT_OK ? tell_excess(x->rows, found < room ? found : room) : raise_error(&x->error);
    free_along(x);
    return list;
}

/* ---- certificate ------------------------------------------------------------------------------------------------- */

static void certify(void *user) {
    Along *x = user;
    x->status = abut_plan_certify(x->problem->problem, &x->trajectory, &x->level, &x->certificate, x->rows, &x->error);
}

/* (times, joints, interpolation, problem, level, budget) -> (Certificate, array of PairCertificate) */
static PyObject *problem_certify(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    double level;
    int budget;
    Along *x;
    if (expect_count("problem_certify", count, 6) != 0 || read_real(args[4], "level", &level) != 0 ||
        read_count(args[5], "budget", &budget) != 0 || !(x = open_along(args)))
        return NULL;
    const size_t pairs = (size_t)abut_plan_pair_count(x->problem->problem);
    x->level.level = level, x->level.budget = budget;
    if (take_rows(x, pairs, sizeof(AbutPairCertificate)) != 0 || run_along(certify, x) != 0) return NULL;
    PyObject *out = x->status != ABUT_OK ? raise_error(&x->error)
                                         : Py_BuildValue("(NN)", record_new(&record_certificate, &x->certificate),
                                               array_of_records(&record_pair_certificate, x->rows, pairs));
    free_along(x);
    return out;
}

/* ---- one pair ---------------------------------------------------------------------------------------------------- */

static void trace(void *user) {
    Along *x = user;
    x->status = abut_plan_curve(x->problem->problem, &x->trajectory, x->pair, x->cells, x->rows, &x->error);
}

/* (times, joints, interpolation, problem, pair, cells) -> array of PlanSample */
static PyObject *problem_curve(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int pair, cells;
    Along *x;
    if (expect_count("problem_curve", count, 6) != 0 || read_int(args[4], "pair", &pair) != 0 ||
        read_int(args[5], "cells", &cells) != 0 || !(x = open_along(args)))
        return NULL;
    const int pairs = abut_plan_pair_count(x->problem->problem);
    const size_t rows = (size_t)cells * (size_t)x->trajectory.piece_count;
    x->pair = pair, x->cells = cells;
    if (pair < 0 || pair >= pairs || cells < 1 || cells > 100000)
        return free_along(x),
               raise_text(ABUT_ERROR_ARGUMENT, "pair: expected 0 to %d, and cells from 1 to 100000", pairs - 1);
    if (take_rows(x, rows, sizeof(AbutClearanceSample)) != 0 || run_along(trace, x) != 0) return NULL;
    PyObject *out =
        x->status == ABUT_OK ? array_of_records(&record_plan_sample, x->rows, rows) : raise_error(&x->error);
    free_along(x);
    return out;
}

static void find_least(void *user) {
    Along *x = user;
    x->status = abut_plan_mcd(x->problem->problem, &x->trajectory, x->method, x->pair, x->piece, &x->least, &x->error);
}

/* (times, joints, interpolation, problem, method, pair, piece) -> (distance, x, evaluations) */
static PyObject *problem_least(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int pair, piece;
    if (expect_count("problem_least", count, 7) != 0 || read_int(args[5], "pair", &pair) != 0 ||
        read_int(args[6], "piece", &piece) != 0)
        return NULL;
    int method = read_word(args[4], "method", ABUT_PLAN_MCD_COUNT, abut_plan_mcd_names);
    Along *x = method < 0 ? NULL : open_along(args);
    if (!x) return NULL;
    const int pairs = abut_plan_pair_count(x->problem->problem), pieces = x->trajectory.piece_count;
    if (pair < 0 || pair >= pairs || piece < 0 || piece >= pieces)
        return free_along(x),
               raise_text(ABUT_ERROR_ARGUMENT, "pair, piece: expected 0 to %d and 0 to %d, got %d and %d", pairs - 1,
                   pieces - 1, pair, piece);
    x->method = (AbutPlanMcd)method, x->pair = pair, x->piece = piece;
    if (run_along(find_least, x) != 0) return NULL;
    PyObject *out = x->status == ABUT_OK
                        ? Py_BuildValue("(ddL)", x->least.distance, x->least.x, (long long)x->least.evaluations)
                        : raise_error(&x->error);
    free_along(x);
    return out;
}

/* ---- effort ------------------------------------------------------------------------------------------------------ */

static void find_effort(void *user) {
    Along *x = user;
    x->status = abut_plan_effort(x->problem->problem, &x->trajectory, &x->effort, x->rows, &x->error);
}

/* (times, joints, interpolation, problem) -> (PlanEffort, torques (samples, joints that move)) */
static PyObject *problem_effort(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Along *x = expect_count("problem_effort", count, 4) == 0 ? open_along(args) : NULL;
    const Py_ssize_t shape[2] = {ABUT_PLAN_EFFORT_SAMPLES, x ? abut_plan_joint_count(x->problem->problem) : 0};
    if (!x || take_rows(x, (size_t)(shape[0] * shape[1]), sizeof(double)) != 0 || run_along(find_effort, x) != 0)
        return NULL;
    PyObject *out = x->status != ABUT_OK ? raise_error(&x->error)
                                         : Py_BuildValue("(NN)", record_new(&record_effort, &x->effort),
                                               array_of_doubles(x->rows, 2, shape));
    free_along(x);
    return out;
}

PyMethodDef plan_along_functions[] = {
    FAST("problem_check_limits", problem_check_limits),
    FAST("problem_certify", problem_certify),
    FAST("problem_curve", problem_curve),
    FAST("problem_least", problem_least),
    FAST("problem_effort", problem_effort),
    {NULL, NULL, 0, NULL},
};
