/* SPDX-License-Identifier: Apache-2.0 */
/* Dictionaries to structs and back, by tables: see defs.h. */
#include "defs.h"

#include <string.h>

static int fill_word(PyObject *value, const DefField *f, int *out) {
    int found = read_word(value, f->name, f->count, f->words);
    if (found >= 0) *out = found;
    return found >= 0 ? 0 : -1;
}

static int fill_numbers(PyObject *value, const DefField *f, int count, double *out) {
    Doubles d;
    int matrix = f->kind == DEF_MAT3;
    if ((matrix ? read_matrix(value, f->name, 3, 3, &d) : read_vector(value, f->name, count, &d)) != 0) return -1;
    for (int i = 0; i < count; ++i) /* a matrix of the library is its columns */
        out[i] = d.data[matrix ? 3 * (i % 3) + i / 3 : i];
    release_doubles(&d);
    return 0;
}

static int fill_uint(PyObject *value, const DefField *f, uint32_t *out) {
    unsigned long number = PyLong_AsUnsignedLong(value);
    if (PyErr_Occurred() || number > UINT32_MAX) {
        PyErr_Clear();
        return PyErr_Format(PyExc_TypeError, "%s: expected a whole number from 0 to 2**32 - 1, got %R", f->name, value),
               -1;
    }
    *out = (uint32_t)number;
    return 0;
}

/* A pose with all its bits, as pickles have it. */
static int fill_exact(PyObject *value, const DefField *f, AbutPose *out) {
    if (PyBytes_Size(value) != (Py_ssize_t)sizeof *out)
        return raise_text(ABUT_ERROR_FORMAT, "%s: expected the %zu bytes of a pose", f->name, sizeof *out), -1;
    memcpy(out, PyBytes_AsString(value), sizeof *out);
    return 0;
}

static int fill_field(PyObject *value, const DefField *f, char *at) {
    void *to = at;
    switch (f->kind) {
    case DEF_REAL:
        return read_real(value, f->name, to);
    case DEF_INT:
    case DEF_FLAG:
        return read_int(value, f->name, to);
    case DEF_UINT:
        return fill_uint(value, f, to);
    case DEF_POSE:
        return PyBytes_Check(value) ? fill_exact(value, f, to) : read_pose(value, f->name, to);
    case DEF_TEXT:
        *(const char **)to = value == Py_None ? NULL : read_text(value, f->name);
        return PyErr_Occurred() ? -1 : 0;
    case DEF_PATH:
        *(const char **)to = value == Py_None ? NULL : read_path(value, f->name);
        return PyErr_Occurred() ? -1 : 0;
    case DEF_WORD:
        return fill_word(value, f, to);
    default:
        return fill_numbers(value, f, f->kind == DEF_VEC3 ? 3 : f->kind == DEF_MAT3 ? 9 : f->count, to);
    }
}

/* A name that the table does not have. */
static int fail_unknown(const DefTable *table, const char *key) {
    const char *near = abut_suggest(key, table->count, &table->fields[0].name, sizeof table->fields[0]);
    PyErr_Format(PyExc_TypeError, "%s: there is no '%s'%s%s%s", table->what, key, near ? "; did you mean '" : "",
        near ? near : "", near ? "'?" : "");
    return -1;
}

int fill_def(PyObject *dict, const DefTable *table, void *def) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = read_text(key, table->what);
        int i = 0;
        while (name && i < table->count && strcmp(table->fields[i].name, name) != 0) ++i;
        if (!name) return -1;
        if (i == table->count) return fail_unknown(table, name);
        if (fill_field(value, &table->fields[i], (char *)def + table->fields[i].offset) != 0) return -1;
    }
    return 0;
}

/* ---- back -------------------------------------------------------------------------------------------------------- */

static PyObject *get_mat3(const AbutMat3 *m) {
    const Py_ssize_t shape[2] = {3, 3};
    AbutMat3 rows = abut_mat3_transpose(*m);
    return array_of_doubles(&rows.x.x, 2, shape);
}

static PyObject *get_field(const DefField *f, const char *at) {
    const void *from = at;
    const Py_ssize_t count = f->count;
    switch (f->kind) {
    case DEF_REAL:
        return PyFloat_FromDouble(*(const double *)from);
    case DEF_REALS:
        return array_of_doubles(from, 1, &count);
    case DEF_INT:
        return PyLong_FromLong(*(const int *)from);
    case DEF_FLAG:
        return PyBool_FromLong(*(const int *)from);
    case DEF_UINT:
        return PyLong_FromUnsignedLong(*(const uint32_t *)from);
    case DEF_VEC3:
        return array_of_vec3(*(const AbutVec3 *)from);
    case DEF_POSE:
        return array_of_pose(*(const AbutPose *)from);
    case DEF_MAT3:
        return get_mat3(from);
    case DEF_TEXT:
    case DEF_PATH:
        return PyUnicode_FromString(*(const char *const *)from ? *(const char *const *)from : "");
    default:
        return PyUnicode_FromString(abut_word(f->words, *(const int *)from));
    }
}

PyObject *def_dict(const DefTable *table, const void *def) {
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < table->count; ++i) {
        const DefField *f = &table->fields[i];
        PyObject *value = get_field(f, (const char *)def + f->offset);
        if (!value || PyDict_SetItemString(dict, f->name, value) != 0) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}
