/* SPDX-License-Identifier: Apache-2.0 */
/* The module abut._abut: errors, types and the tables of functions of all files. */
#include <stdarg.h>
#include <string.h>

#include "bodies.h"
#include "abut/literature.h"
#include "records.h"
#include "rooms.h"

Helpers helpers;

/* ---- errors ------------------------------------------------------------------------------------------------------ */

PyObject *raise_error(const AbutError *error) {
    PyObject *text = PyUnicode_DecodeUTF8(error->text, (Py_ssize_t)strlen(error->text), "surrogateescape");
    PyObject *value = text ? PyObject_CallFunction(helpers.error, "Os", text, abut_status_text(error->status)) : NULL;
    Py_XDECREF(text);
    if (value) PyErr_SetObject(helpers.error, value);
    Py_XDECREF(value);
    return NULL;
}

PyObject *none_or_raise(AbutStatus status, const AbutError *error) {
    if (status != ABUT_OK) return raise_error(error);
    Py_RETURN_NONE;
}

PyObject *raise_text(AbutStatus status, const char *format, ...) {
    AbutError error = {.status = status};
    va_list list;
    va_start(list, format);
    PyOS_vsnprintf(error.text, sizeof error.text, format, list);
    va_end(list);
    return raise_error(&error);
}

int expect_count(const char *name, Py_ssize_t got, Py_ssize_t count) {
    if (got == count) return 0;
    PyErr_Format(PyExc_TypeError, "%s: expected %zd arguments, got %zd", name, count, got);
    return -1;
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

PyTypeObject *add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromSpec(spec);
    if (!type || PyModule_AddObjectRef(module, strrchr(spec->name, '.') + 1, type) != 0) {
        Py_XDECREF(type);
        return NULL;
    }
    return (PyTypeObject *)type;
}

void free_object(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

void free_collected(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

/* ---- the module -------------------------------------------------------------------------------------------------- */

/* (doubles, asarray, empty, error, warn) */
static PyObject *set_helpers(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    PyObject **slots[] = {
        &helpers.doubles, &helpers.asarray, &helpers.empty, &helpers.ndarray, &helpers.error, &helpers.warn};
    if (expect_count("set_helpers", count, sizeof slots / sizeof slots[0]) != 0) return NULL;
    for (Py_ssize_t i = 0; i < count; ++i) {
        Py_XDECREF(*slots[i]);
        *slots[i] = Py_NewRef(args[i]);
    }
    Py_RETURN_NONE;
}

static PyObject *version(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    return PyUnicode_FromString(abut_version());
}

/* (bytes, seed): abut_hash, to compare bits */
static PyObject *hash(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const char *bytes;
    size_t size;
    if (expect_count("hash", count, 2) != 0 || read_bytes(args[0], "bytes", &bytes, &size) != 0) return NULL;
    uint64_t seed;
    return read_seed(args[1], &seed) != 0 ? NULL : PyLong_FromUnsignedLongLong(abut_hash(bytes, size, seed));
}

static PyMethodDef module_functions[] = {
    FAST("hash", hash),
    FAST("set_helpers", set_helpers),
    PLAIN("version", version),
    {NULL, NULL, 0, NULL},
};

static int fill(PyObject *module) {
    static int filled;
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0 || filled) {
        PyErr_SetString(PyExc_ImportError, filled ? "abut is loaded already, and works in the main interpreter only"
                                                  : "abut works in the main interpreter only, not in subinterpreters");
        return -1;
    }
    filled = 1;
    int (*const types[])(PyObject *) = {
        add_view_type, add_records, add_convex_type, add_mesh_type, add_pieces_type, add_body_set_type, ROOM_TYPES};
    PyMethodDef *const tables[] = {module_functions, convert_functions, record_methods, convex_functions,
        mesh_functions, pieces_functions, query_functions, cast_functions, ROOM_FUNCTIONS};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        if (types[i](module) != 0) return -1;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i)
        if (PyModule_AddFunctions(module, tables[i]) != 0) return -1;
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, fill},
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "abut._abut",
    .m_doc = "The library behind the package abut. Private.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__abut(void);

PyMODINIT_FUNC PyInit__abut(void) {
    abut_literature_register();
    return PyModuleDef_Init(&definition);
}
