/* SPDX-License-Identifier: Apache-2.0 */
/* Trajectories of joints: made of samples or of polynomials, read and written; controls and states from files. */
#include "trajectories.h"

#include <limits.h>
#include <string.h>

#include "models.h"
#include "robots.h"
#include "rooms.h"

/* ---- in ---------------------------------------------------------------------------------------------------------- */

/* Through samples: times (n,), values (n, joints). */
static int through(const Doubles *times, const Doubles *values, int kind, AbutTrajectory *out, AbutError *error) {
    AbutJointSamples samples = {.joint_count = (int32_t)values->shape[1],
        .count = (int32_t)times->count,
        .times = times->data,
        .values = values->data};
    AbutStatus status;
    UNLOCKED(status = abut_trajectory_interpolate((AbutInterpolation)kind, &samples, out, error));
    return status;
}

/* For polynomials: times (n + 1,), coefficients (n, joints, 6). */
static int of_pieces(const Doubles *times, const Doubles *values, AbutTrajectory *out, AbutError *error) {
    *out = (AbutTrajectory){.joint_count = (int32_t)values->shape[1],
        .piece_count = (int32_t)values->shape[0],
        .times = abut_alloc_array((size_t)times->count + 1, sizeof(double)),
        .coefficients = abut_alloc_array((size_t)values->count + 1, sizeof(double))};
    AbutStatus status = ABUT_OK;
    if (!out->times || !out->coefficients) {
        status = abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a trajectory");
    } else {
        memcpy(out->times, times->data, (size_t)times->count * sizeof(double));
        memcpy(out->coefficients, values->data, (size_t)values->count * sizeof(double));
        UNLOCKED(status = abut_trajectory_check(out, error));
    }
    if (status != ABUT_OK) abut_trajectory_free(out);
    return status;
}

static int read_interpolation(PyObject *value) {
    return read_word(value, "interpolation", ABUT_INTERPOLATION_COUNT, abut_interpolation_names);
}

/* Do the shapes go together? */
static int fits(const Doubles *times, const Doubles *values, int pieces) {
    if (times->count > INT_MAX - 1 || values->dimensions != (pieces ? 3 : 2) || values->shape[1] > INT_MAX) return 0;
    return pieces ? values->shape[2] == 6 && values->shape[0] == times->count - 1 : values->shape[0] == times->count;
}

int read_trajectory(PyObject *const *args, AbutTrajectory *out) {
    AbutError error;
    Doubles times, values;
    int pieces = args[2] == Py_None, kind = pieces ? 0 : read_interpolation(args[2]);
    if (kind < 0 || read_vector(args[0], "times", -1, &times) != 0) return -1;
    if (read_doubles(args[1], pieces ? "coefficients" : "joints", &values) != 0) return release_doubles(&times), -1;
    AbutStatus status;
    if (!fits(&times, &values, pieces))
        status = abut_fail(&error, ABUT_ERROR_ARGUMENT,
            pieces ? "coefficients: expected shape (%zd, joints, 6), one for each piece between the times"
                   : "joints: expected shape (%zd, joints), one row for each time",
            times.count - pieces);
    else
        status = pieces ? of_pieces(&times, &values, out, &error) : through(&times, &values, kind, out, &error);
    release_doubles(&values);
    release_doubles(&times);
    return status == ABUT_OK ? 0 : (raise_error(&error), -1);
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

PyObject *tell_trajectory(const AbutTrajectory *t) {
    const Py_ssize_t times = t->piece_count > 0 ? t->piece_count + 1 : 0;
    const Py_ssize_t shape[3] = {t->piece_count, t->joint_count, 6};
    return Py_BuildValue("(NN)", array_of_doubles(t->times, 1, &times), array_of_doubles(t->coefficients, 3, shape));
}

/* (times, joints or coefficients, interpolation or None) -> (times, coefficients) */
static PyObject *trajectory_make(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutTrajectory trajectory = {0};
    if (expect_count("trajectory_make", count, 3) != 0 || read_trajectory(args, &trajectory) != 0) return NULL;
    PyObject *out = tell_trajectory(&trajectory);
    abut_trajectory_free(&trajectory);
    return out;
}

/* (times, joints or coefficients, interpolation or None, at (m,), order) -> (m, joints) */
static PyObject *trajectory_values(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutTrajectory trajectory = {0};
    Doubles at;
    NewArray out;
    int order;
    if (expect_count("trajectory_values", count, 5) != 0 || read_int(args[4], "order", &order) != 0) return NULL;
    if (order < 0 || order > 5) return raise_text(ABUT_ERROR_ARGUMENT, "order: expected 0 to 5, got %d", order);
    if (read_vector(args[3], "at", -1, &at) != 0) return NULL;
    PyObject *answer = NULL;
    if (read_trajectory(args, &trajectory) == 0) {
        const Py_ssize_t shape[2] = {at.count, trajectory.joint_count};
        if (begin_array_of("f8", 2, shape, &out) == 0) {
            Py_BEGIN_ALLOW_THREADS;
            for (Py_ssize_t i = 0; i < at.count; ++i)
                abut_trajectory_value(&trajectory, at.data[i], order, (double *)out.data + i * shape[1]);
            Py_END_ALLOW_THREADS;
            answer = end_array(&out);
        }
        abut_trajectory_free(&trajectory);
    }
    release_doubles(&at);
    return answer;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* (bytes, name, robot, interpolation or None) -> (times, coefficients, given as bytes) */
static PyObject *trajectory_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *robot;
    AbutTrajectory out = {0};
    AbutError error;
    FileBytes in;
    if (expect_count("trajectory_parse", count, 4) != 0 || read_file_bytes(args[0], args[1], &in) != 0 ||
        !(robot = read_robot(args[2])))
        return NULL;
    int kind = args[3] == Py_None ? -1 : read_interpolation(args[3]);
    if (PyErr_Occurred()) return NULL;
    Py_ssize_t joints = abut_configuration_model(robot)->joint_count;
    uint8_t *given = abut_alloc((size_t)joints + 1);
    if (!given) return PyErr_NoMemory();
    AbutStatus status;
    keep_robot(args[2], 1);
    UNLOCKED(status = abut_trajectory_read(in.name, in.data, in.size, robot, kind, &out, given, &error));
    keep_robot(args[2], 0);
    PyObject *answer = NULL;
    if (status == ABUT_OK)
        answer = Py_BuildValue("(Ny#)", tell_trajectory(&out), (const char *)given, joints);
    else
        raise_error(&error);
    if (status == ABUT_OK) abut_trajectory_free(&out);
    abut_free(given);
    return answer;
}

/* (times, joints or coefficients, interpolation or None, path, model, given as bytes, rate) */
static PyObject *trajectory_write(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutTrajectory trajectory = {0};
    ModelObject *model;
    AbutError error;
    const char *given;
    size_t size;
    const char *path;
    double rate;
    if (expect_count("trajectory_write", count, 7) != 0 || !(path = read_path(args[3], "path")) ||
        !(model = read_model(args[4])) || read_bytes(args[5], "given", &given, &size) != 0 ||
        read_real(args[6], "rate", &rate) != 0 || read_trajectory(args, &trajectory) != 0)
        return NULL;
    AbutStatus status = ABUT_OK;
    if (trajectory.joint_count != model->model->joint_count || size != (size_t)trajectory.joint_count)
        status = abut_fail(&error, ABUT_ERROR_ARGUMENT, "joints: expected those of the model, %d, got %d",
            model->model->joint_count, trajectory.joint_count);
    else
        READING(model,
            status = abut_trajectory_write(path, model->model, &trajectory, (const uint8_t *)given, rate, &error));
    abut_trajectory_free(&trajectory);
    return none_or_raise(status, &error);
}

/* (bytes, name, model) -> (numbers of actuators, rows (n, 1 + actuators)) */
static PyObject *controls_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutControls controls = {0};
    ModelObject *model;
    AbutError error;
    FileBytes in;
    if (expect_count("controls_parse", count, 3) != 0 || read_file_bytes(args[0], args[1], &in) != 0 ||
        !(model = read_model(args[2])))
        return NULL;
    AbutStatus status;
    READING(model, status = abut_controls_read(in.name, in.data, in.size, model->model, &controls, &error));
    if (status != ABUT_OK) return raise_error(&error);
    PyObject *actuators = PyList_New(controls.actuator_count);
    for (int32_t i = 0; actuators && i < controls.actuator_count; ++i)
        PyList_SetItem(actuators, i, PyLong_FromLong(controls.actuators[i]));
    const Py_ssize_t shape[2] = {controls.row_count, controls.actuator_count + 1};
    PyObject *rows = actuators ? array_of_doubles(controls.numbers, 2, shape) : NULL;
    abut_controls_free(&controls);
    if (!rows) return Py_XDECREF(actuators), NULL;
    return Py_BuildValue("(NN)", actuators, rows);
}

/* The numbers of actuators of a list; NULL with an exception. */
static int32_t *read_numbers(PyObject *list, int32_t limit) {
    Py_ssize_t n = PyList_Size(list);
    int32_t *out = n < 0 ? NULL : abut_alloc_array((size_t)n + 1, sizeof *out);
    for (Py_ssize_t i = 0; out && i < n; ++i) {
        int number;
        if (read_int(PyList_GetItem(list, i), "actuators", &number) != 0 || number < 0 || number >= limit) {
            if (!PyErr_Occurred())
                raise_text(ABUT_ERROR_ARGUMENT, "actuators: expected 0 to %d, got %d", limit - 1, number);
            return abut_free(out), NULL;
        }
        out[i] = number;
    }
    return out || PyErr_Occurred() ? out : (PyErr_NoMemory(), NULL);
}

/* (actuators, rows (n, 1 + actuators), time, controls (m,)) -> controls (m,) at that time */
static PyObject *controls_at(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Doubles rows, before;
    AbutControls controls = {0};
    double time;
    if (expect_count("controls_at", count, 4) != 0 || read_real(args[2], "time", &time) != 0 ||
        read_vector(args[3], "controls", -1, &before) != 0)
        return NULL;
    PyObject *out = array_of_doubles(before.data, 1, &before.count);
    Py_ssize_t limit = before.count;
    release_doubles(&before);
    controls.actuators = out && limit < INT_MAX ? read_numbers(args[0], (int32_t)limit) : NULL;
    if (controls.actuators && read_matrix(args[1], "rows", -1, PyList_Size(args[0]) + 1, &rows) == 0) {
        Py_buffer view;
        controls.actuator_count = (int32_t)PyList_Size(args[0]), controls.row_count = (int32_t)rows.shape[0];
        controls.numbers = (double *)(uintptr_t)rows.data;
        if (PyObject_GetBuffer(out, &view, PyBUF_WRITABLE) == 0) {
            abut_controls_at(&controls, time, view.buf);
            PyBuffer_Release(&view);
        }
        release_doubles(&rows);
    }
    abut_free(controls.actuators);
    if (PyErr_Occurred()) Py_CLEAR(out);
    return out;
}

/* (robot, bytes, name) */
static PyObject *robot_parse_state(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *robot;
    AbutError error;
    FileBytes in;
    if (expect_count("robot_parse_state", count, 3) != 0 || !(robot = read_robot(args[0])) ||
        read_file_bytes(args[1], args[2], &in) != 0)
        return NULL;
    AbutStatus status;
    keep_robot(args[0], 1);
    UNLOCKED(status = abut_state_read(in.name, in.data, in.size, robot, &error));
    keep_robot(args[0], 0);
    return none_or_raise(status, &error);
}

/* [(format, element, attributes, note)] */
static PyObject *import_table(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    int count;
    const AbutImportRow *row = abut_import_table(&count);
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; ++i)
        PyList_SetItem(list, i, Py_BuildValue("(ssss)", row[i].format, row[i].element, row[i].attributes, row[i].note));
    return list;
}

PyMethodDef trajectory_functions[] = {
    FAST("trajectory_make", trajectory_make),
    FAST("trajectory_values", trajectory_values),
    FAST("trajectory_parse", trajectory_parse),
    FAST("trajectory_write", trajectory_write),
    FAST("controls_parse", controls_parse),
    FAST("controls_at", controls_at),
    FAST("robot_parse_state", robot_parse_state),
    PLAIN("import_table", import_table),
    {NULL, NULL, 0, NULL},
};
