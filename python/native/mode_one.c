/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about one contact mode: its velocities, its dimension, its neighbors; edges among many. */
#include <string.h>

#include "modes.h"
#include "records.h"
#include "rooms.h"

/* (system, velocity, tolerance) -> text, or None where it moves a contact into itself */
static PyObject *mode_of_velocity(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    Doubles v;
    ModeBits mode;
    AbutError error;
    double tolerance;
    if (expect_count("mode_of_velocity", count, 3) != 0 || !(s = read_mode_system(args[0])) ||
        read_real(args[2], "tolerance", &tolerance) != 0 || read_vector(args[1], "velocity", s->dof, &v) != 0)
        return NULL;
    if (make_mode(s, 0, &mode) != 0) return release_doubles(&v), NULL;
    AbutStatus status;
    UNLOCKED(status = abut_mode_of_velocity(s, v.data, tolerance, mode.mode, &error));
    PyObject *out = status == ABUT_OK            ? mode_text(s, 0, mode.mode)
                    : status == ABUT_ERROR_EMPTY ? Py_NewRef(Py_None)
                                                 : raise_error(&error);
    free_mode(&mode);
    release_doubles(&v);
    return out;
}

/* The system and the mode that two arguments are; NULL with an exception. To be freed with free_mode. */
static const AbutModeSystem *read_system_and_mode(PyObject *const *args, ModeBits *mode) {
    const AbutModeSystem *s = read_mode_system(args[0]);
    return s && read_mode(s, 0, args[1], mode) == 0 ? s : NULL;
}

/* (system, mode, seed or -1) -> a velocity inside the mode; seed: a random one */
static PyObject *mode_velocity(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    ModeBits mode;
    NewArray out;
    AbutError error;
    int seed;
    if (expect_count("mode_velocity", count, 3) != 0 || read_int(args[2], "seed", &seed) != 0 ||
        !(s = read_system_and_mode(args, &mode)))
        return NULL;
    const Py_ssize_t dof = s->dof;
    AbutStatus status = ABUT_ERROR_MEMORY;
    int begun = begin_array_of("f8", 1, &dof, &out) == 0;
    if (begun) {
        AbutRng rng = abut_rng((uint64_t)(seed < 0 ? 0 : seed), 0);
        UNLOCKED(status = seed < 0 ? abut_mode_velocity(s, mode.mode, out.data, &error)
                                   : abut_mode_sample(s, mode.mode, &rng, out.data, &error));
    }
    free_mode(&mode);
    if (!begun) return NULL;
    return status == ABUT_OK ? end_array(&out) : (cancel_array(&out), raise_error(&error));
}

/* (system, mode, desired, weight or None, nonlinear) -> (velocity, distance) */
static PyObject *mode_project(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    ModeBits mode;
    NewArray out;
    Doubles desired, weight = {0};
    AbutError error;
    double distance = 0.0;
    int nonlinear;
    if (expect_count("mode_project", count, 5) != 0 || !(s = read_mode_system(args[0])) ||
        read_int(args[4], "nonlinear", &nonlinear) != 0 || read_vector(args[2], "desired", s->dof, &desired) != 0)
        return NULL;
    const Py_ssize_t dof = s->dof;
    PyObject *result = NULL;
    if ((args[3] == Py_None || read_vector(args[3], "weight", s->dof, &weight) == 0) &&
        read_mode(s, nonlinear, args[1], &mode) == 0) {
        if (begin_array_of("f8", 1, &dof, &out) == 0) {
            AbutStatus status;
            UNLOCKED(status = abut_mode_project(
                         s, nonlinear, mode.mode, desired.data, weight.data, out.data, &distance, &error));
            if (status == ABUT_OK)
                result = Py_BuildValue("(Nd)", end_array(&out), distance);
            else
                cancel_array(&out), raise_error(&error);
        }
        free_mode(&mode);
    }
    release_doubles(&weight);
    release_doubles(&desired);
    return result;
}

/* (system, mode) */
static PyObject *mode_dimension(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    ModeBits mode;
    if (expect_count("mode_dimension", count, 2) != 0 || !(s = read_system_and_mode(args, &mode))) return NULL;
    int dimension;
    UNLOCKED((void)abut_mode_dimension(s, mode.mode, &dimension, NULL));
    free_mode(&mode);
    return PyLong_FromLong(dimension);
}

/* (system, a, b) */
static PyObject *mode_is_face(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    ModeBits a, b;
    if (expect_count("mode_is_face", count, 3) != 0 || !(s = read_system_and_mode(args, &a))) return NULL;
    if (read_mode(s, 0, args[2], &b) != 0) return free_mode(&a), NULL;
    int is;
    UNLOCKED(is = abut_mode_is_face(s, a.mode, b.mode));
    free_mode(&a);
    free_mode(&b);
    return PyBool_FromLong(is);
}

typedef struct Neighbors {
    const AbutModeSystem *system;
    PyObject *list;
} Neighbors;

static int add_neighbor(AbutMode mode, void *user) {
    Neighbors *x = user;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *text = mode_text(x->system, 0, mode);
    int failed = !text || PyList_Append(x->list, text) != 0;
    Py_XDECREF(text);
    PyGILState_Release(state);
    return failed;
}

/* (system, mode, side: -1 facets, 1 cofaces) */
static PyObject *mode_neighbors(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Neighbors x = {0};
    ModeBits mode;
    AbutError error;
    int side;
    if (expect_count("mode_neighbors", count, 3) != 0 || read_int(args[2], "side", &side) != 0 ||
        !(x.system = read_system_and_mode(args, &mode)))
        return NULL;
    x.list = PyList_New(0);
    AbutStatus status = ABUT_OK;
    if (x.list)
        UNLOCKED(status = abut_mode_neighbors(x.system, mode.mode, side < 0 ? ABUT_MODE_FACETS : ABUT_MODE_COFACES,
                     add_neighbor, &x, NULL, &error));
    free_mode(&mode);
    if (status != ABUT_OK && !PyErr_Occurred()) raise_error(&error);
    if (PyErr_Occurred()) Py_CLEAR(x.list);
    return x.list;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* The modes of a Python list of texts; to be freed with abut_mode_list_free. */
static int read_list(const AbutModeSystem *s, PyObject *texts, AbutModeList *out) {
    Py_ssize_t n = PyList_Size(texts);
    size_t words = (size_t)abut_mode_words(s, 0);
    memset(out, 0, sizeof *out);
    if (n < 0) return -1;
    out->words = (int)words;
    out->bits = abut_alloc_array(2 * words * (size_t)n + 1, sizeof *out->bits);
    out->capacity = (size_t)n;
    for (; out->bits && out->count < (size_t)n; ++out->count) {
        ModeBits mode;
        if (read_mode(s, 0, PyList_GetItem(texts, (Py_ssize_t)out->count), &mode) != 0)
            return abut_mode_list_free(out), -1;
        memcpy(out->bits + 2 * words * out->count, mode.memory, 2 * words * sizeof *out->bits);
        free_mode(&mode);
    }
    return out->bits ? 0 : (PyErr_NoMemory(), -1);
}

/* (system, list of modes) -> edges (n, 2): row (face, of) */
static PyObject *mode_hasse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    AbutModeList list;
    AbutPair *edges = NULL;
    AbutError error;
    AbutStatus status;
    NewArray out;
    size_t n = 0;
    if (expect_count("mode_hasse", count, 2) != 0 || !(s = read_mode_system(args[0])) ||
        read_list(s, args[1], &list) != 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_mode_hasse(s, &list, &n, &edges, &error);
    Py_END_ALLOW_THREADS;
    abut_mode_list_free(&list);
    if (status != ABUT_OK) return raise_error(&error);
    const Py_ssize_t shape[2] = {(Py_ssize_t)n, 2};
    int begun = begin_array_of("u4", 2, shape, &out) == 0;
    if (begun && n) memcpy(out.data, edges, n * sizeof *edges);
    abut_free(edges);
    return begun ? end_array(&out) : NULL;
}

/* (system, list of modes) -> those that stay */
static PyObject *mode_merge(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    AbutModeList list;
    AbutError error;
    if (expect_count("mode_merge", count, 2) != 0 || !(s = read_mode_system(args[0])) ||
        read_list(s, args[1], &list) != 0)
        return NULL;
    PyObject *out = NULL;
    AbutStatus status;
    UNLOCKED(status = abut_mode_merge(s, &list, &error));
    if (status != ABUT_OK)
        raise_error(&error);
    else
        out = PyList_New((Py_ssize_t)list.count);
    for (size_t i = 0; out && i < list.count; ++i) {
        PyObject *text = mode_text(s, 0, abut_mode_list_get(&list, i));
        if (!text)
            Py_CLEAR(out);
        else
            PyList_SetItem(out, (Py_ssize_t)i, text);
    }
    abut_mode_list_free(&list);
    return out;
}

PyMethodDef mode_one_functions[] = {
    FAST("mode_of_velocity", mode_of_velocity),
    FAST("mode_velocity", mode_velocity),
    FAST("mode_project", mode_project),
    FAST("mode_dimension", mode_dimension),
    FAST("mode_is_face", mode_is_face),
    FAST("mode_neighbors", mode_neighbors),
    FAST("mode_hasse", mode_hasse),
    FAST("mode_merge", mode_merge),
    {NULL, NULL, 0, NULL},
};
