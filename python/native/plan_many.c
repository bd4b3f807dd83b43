/* SPDX-License-Identifier: Apache-2.0 */
/* Many questions of one problem at once: postures and edges that are proved free. */
#include <string.h>

#include "convert.h"
#include "interrupt.h"
#include "problems.h"
#include "rooms.h"

/* Postures, or edges between two rows of them; the call may outlive the one of Python that asked for it. */
typedef struct Edges {
    ProblemObject *problem;
    double level;
    int64_t count;
    int threads;
    double *from, *to; /* coordinates; to: NULL for postures */
    uint8_t *free;
    AbutStatus status;
    AbutError error;
} Edges;

static void free_edges(void *user) {
    Edges *x = user;
    abut_free(x->from);
    abut_free(x->to);
    abut_free(x->free);
    Py_XDECREF((PyObject *)x->problem);
    abut_free(x);
}

static void ask_edges(void *user) {
    Edges *x = user;
    x->status =
        abut_plan_free_batch(x->problem->problem, x->level, x->count, x->from, x->to, x->threads, x->free, &x->error);
}

/* Coordinates of rows of joints; NULL with an exception. `count` below 0: any number, which is put there. */
static double *read_rows(const ProblemObject *problem, PyObject *rows, const char *name, int64_t *count) {
    Doubles joints;
    const int32_t width = abut_plan_coordinate_count(problem->problem);
    if (read_matrix(rows, name, (Py_ssize_t)*count, problem->joints, &joints) != 0) return NULL;
    *count = joints.shape[0];
    double *out = abut_alloc_array((size_t)*count * (size_t)width + 1, sizeof *out);
    for (int64_t i = 0; out && i < *count; ++i)
        abut_plan_coordinates_of(problem->problem, joints.data + i * problem->joints, out + i * width);
    release_doubles(&joints);
    return out ? out : (double *)PyErr_NoMemory();
}

/* As of problem_free; 0, or -1 with an exception. */
static int read_edges(PyObject *const *args, Edges *x) {
    ProblemObject *problem = read_problem(args[0]);
    x->count = -1;
    if (!problem || read_real(args[3], "level", &x->level) != 0 || read_count(args[4], "threads", &x->threads) != 0)
        return -1;
    x->problem = (ProblemObject *)Py_NewRef(args[0]);
    x->from = read_rows(problem, args[1], "postures", &x->count);
    if (!x->from || (args[2] != Py_None && !(x->to = read_rows(problem, args[2], "to", &x->count)))) return -1;
    x->free = abut_alloc((size_t)x->count + 1);
    return x->free ? 0 : (PyErr_NoMemory(), -1);
}

/* (problem, postures (n, joints), to (n, joints) or None, level, threads) -> array (n,) of truths */
static PyObject *problem_free(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    NewArray out;
    if (expect_count("problem_free", count, 5) != 0) return NULL;
    Edges *x = abut_alloc(sizeof *x);
    if (!x) return PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    if (read_edges(args, x) != 0) return free_edges(x), NULL;
    if (run_or_leave(ask_edges, free_edges, x, NULL) != 0) return NULL;
    const Py_ssize_t rows = (Py_ssize_t)x->count;
    PyObject *answer = NULL;
    if (x->status != ABUT_OK) {
        raise_error(&x->error);
    } else if (begin_array_of("?", 1, &rows, &out) == 0) {
        if (rows > 0) memcpy(out.data, x->free, (size_t)rows);
        answer = end_array(&out);
    }
    free_edges(x);
    return answer;
}

PyMethodDef plan_many_functions[] = {
    FAST("problem_free", problem_free),
    {NULL, NULL, 0, NULL},
};
