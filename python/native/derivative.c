/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of steps: one step with its matrices. */
#include <string.h>

#include "abut/derivative.h"
#include "models.h"
#include "rooms.h"
#include "worlds.h"

/* Rows (kind, axis, body or None, robot, number). */
static int read_parameter(PyObject *row, AbutDerivativeParameter *out) {
    PyObject *const item[5] = {PyTuple_GetItem(row, 0), PyTuple_GetItem(row, 1), PyTuple_GetItem(row, 2),
        PyTuple_GetItem(row, 3), PyTuple_GetItem(row, 4)};
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 5; ++i)
        if (!item[i]) return -1;
    if (read_int(item[0], "kind", &out->kind) != 0 || read_int(item[1], "axis", &out->axis) != 0 ||
        read_int(item[3], "robot", &out->robot) != 0 || read_int(item[4], "number", &out->number) != 0)
        return -1;
    return item[2] == Py_None ? 0 : read_body_id(item[2], &out->body);
}

static AbutDerivativeParameter *read_parameters(PyObject *rows, int32_t *count) {
    Py_ssize_t n = PyTuple_Size(rows);
    AbutDerivativeParameter *out = n >= 0 ? abut_alloc_array((size_t)n + 1, sizeof *out) : NULL;
    if (!out) return n >= 0 ? (PyErr_NoMemory(), NULL) : NULL;
    for (Py_ssize_t i = 0; i < n; ++i)
        if (read_parameter(PyTuple_GetItem(rows, i), &out[i]) != 0) return abut_free(out), NULL;
    *count = (int32_t)n;
    return out;
}

static PyObject *matrix_of(const double *numbers, Py_ssize_t rows, Py_ssize_t columns) {
    const Py_ssize_t shape[2] = {rows, columns};
    NewArray out;
    if (begin_array_of("f8", 2, shape, &out) != 0) return NULL;
    if (rows * columns > 0) memcpy(out.data, numbers, (size_t)(rows * columns) * sizeof *numbers);
    return end_array(&out);
}

/* -> (by_state, by_input, by_parameter, controls, smooth, why, contact, unique, residual) */
static PyObject *result_of(const AbutDerivativeResult *r) {
    Py_ssize_t rows = 2 * (Py_ssize_t)r->n;
    PyObject *state = matrix_of(r->by_state, rows, rows), *input = NULL, *parameter = NULL;
    if (state) input = matrix_of(r->by_input, rows, r->control_count + r->force_count);
    if (input) parameter = matrix_of(r->by_parameter, rows, r->parameter_count);
    if (!parameter) {
        Py_XDECREF(state);
        Py_XDECREF(input);
        return NULL;
    }
    return Py_BuildValue("(NNNiisiid)", state, input, parameter, (int)r->control_count, (int)r->smooth,
        abut_break_names[r->why], (int)r->contact, (int)r->unique, r->residual);
}

/* (simulation, dt, forces, smoothing, parameters): takes the step */
static PyObject *simulation_jacobian(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    AbutDerivativeDef def;
    AbutDerivative *d = NULL;
    AbutError error;
    double dt;
    memset(&def, 0, sizeof def);
    if (expect_count("simulation_jacobian", count, 5) != 0 || !(self = read_simulation(args[0])) ||
        read_real(args[1], "dt", &dt) != 0 || read_int(args[2], "forces", &def.forces) != 0 ||
        read_real(args[3], "smoothing", &def.smoothing) != 0)
        return NULL;
    AbutDerivativeParameter *parameters = read_parameters(args[4], &def.parameter_count);
    if (!parameters) return NULL;
    def.parameters = parameters;
    AbutStatus status;
    self->event_count = 0;
    ALONE(self->scene, status = abut_derivative_create(self->simulation, &def, &d, &error);
          if (status == ABUT_OK) status = abut_derivative_step(d, dt, NULL, &error));
    abut_free(parameters);
    PyObject *out = status == ABUT_OK && !PyErr_Occurred() ? NULL : PyErr_Occurred() ? NULL : raise_error(&error);
    if (status == ABUT_OK && !PyErr_Occurred()) {
        AbutDerivativeResult r = abut_derivative_result(d);
        out = result_of(&r);
    }
    abut_derivative_free(d);
    return out;
}

static PyObject *parameter_kinds(PyObject *module, PyObject *none) {
    (void)module;
    (void)none;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && abut_parameter_names[i]; ++i) {
        PyObject *name = PyUnicode_FromString(abut_parameter_names[i]);
        if (!name || PyList_Append(list, name) != 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

PyMethodDef derivative_functions[] = {
    FAST("simulation_jacobian", simulation_jacobian),
    {"parameter_kinds", parameter_kinds, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
