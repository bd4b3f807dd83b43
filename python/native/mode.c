/* SPDX-License-Identifier: Apache-2.0 */
/* Contact modes: systems from names, files, rows or contacts. A mode is its text of signs, as '00+0' and what follows.
 */
#include "modes.h"
#include "abut/literature.h"

#include <limits.h>
#include <string.h>

#include "records.h"
#include "rooms.h"

PyTypeObject *mode_system_type;

typedef struct ModeSystemObject {
    PyObject_HEAD AbutModeSystem system;
} ModeSystemObject;

PyObject *mode_system_take(AbutModeSystem *system) {
    ModeSystemObject *self = PyObject_New(ModeSystemObject, mode_system_type);
    if (!self) return abut_mode_system_free(system), NULL;
    self->system = *system;
    return (PyObject *)self;
}

static void mode_system_dealloc(PyObject *self) {
    abut_mode_system_free(&((ModeSystemObject *)self)->system);
    free_object(self);
}

const AbutModeSystem *read_mode_system(PyObject *value) {
    if (!PyObject_TypeCheck(value, mode_system_type))
        return PyErr_Format(PyExc_TypeError, "system: expected an abut.ModeSystem, got %R", value), NULL;
    return &((ModeSystemObject *)value)->system;
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

int make_mode(const AbutModeSystem *system, int nonlinear, ModeBits *out) {
    size_t words = (size_t)abut_mode_words(system, nonlinear);
    out->memory = abut_alloc_array(2 * words + 2, sizeof *out->memory);
    if (!out->memory) return PyErr_NoMemory(), -1;
    memset(out->memory, 0, (2 * words + 2) * sizeof *out->memory);
    out->mode = (AbutMode){out->memory, out->memory + words};
    return 0;
}

void free_mode(ModeBits *mode) { abut_free(mode->memory); }

int read_mode(const AbutModeSystem *system, int nonlinear, PyObject *text, ModeBits *out) {
    AbutError error;
    const char *signs = read_text(text, "mode");
    if (!signs || make_mode(system, nonlinear, out) != 0) return -1;
    if (abut_mode_parse(system, nonlinear, signs, out->mode, &error) == ABUT_OK) return 0;
    free_mode(out);
    raise_error(&error);
    return -1;
}

PyObject *mode_text(const AbutModeSystem *system, int nonlinear, AbutMode mode) {
    size_t length = abut_mode_text(system, nonlinear, mode, NULL, 0);
    char *text = PyMem_Malloc(length + 1);
    if (!text) return PyErr_NoMemory();
    abut_mode_text(system, nonlinear, mode, text, length + 1);
    PyObject *out = PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
    PyMem_Free(text);
    return out;
}

/* ---- makers ------------------------------------------------------------------------------------------------------ */

static PyObject *take_or_raise(AbutStatus status, AbutModeSystem *system, const AbutError *error) {
    return status == ABUT_OK ? mode_system_take(system) : raise_error(error);
}

static PyObject *mode_builtin(PyObject *module, PyObject *value) {
    (void)module;
    AbutModeSystem out = {0};
    AbutError error;
    const char *name = read_text(value, "name");
    AbutStatus status;
    if (!name) return NULL;
    UNLOCKED(status = abut_mode_builtin(name, &out, &error));
    return take_or_raise(status, &out, &error);
}

/* (bytes, name, lines) */
static PyObject *mode_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutModeSystem out = {0};
    AbutError error;
    FileBytes in;
    int lines;
    if (expect_count("mode_parse", count, 3) != 0 || read_file_bytes(args[0], args[1], &in) != 0 ||
        read_int(args[2], "lines", &lines) != 0)
        return NULL;
    AbutStatus status;
    UNLOCKED(status = abut_mode_system_read(in.name, in.data, in.size, lines, &out, &error));
    return take_or_raise(status, &out, &error);
}

/* A system that owns copies of its rows; `low`, unless empty, is what to add to every entry. */
static PyObject *copy_rows(const Doubles *n, const Doubles *t, const Doubles *low, int lines, double tolerance) {
    size_t all = (size_t)(n->count + t->count);
    double *rows = abut_alloc_array(2 * all + 1, sizeof *rows);
    if (!rows) return PyErr_NoMemory();
    memcpy(rows, n->data, (size_t)n->count * sizeof *rows);
    memcpy(rows + n->count, t->data, (size_t)t->count * sizeof *rows);
    if (low->count > 0) memcpy(rows + all, low->data, all * sizeof *rows);
    AbutModeSystem out = {.contacts = (int)n->shape[0],
        .dof = (int)n->shape[1],
        .lines = lines,
        .normal_rows = rows,
        .tangent_rows = rows + n->count,
        .memory = rows,
        .low_rows = low->count > 0 ? rows + all : NULL,
        .tolerance = tolerance};
    return mode_system_take(&out);
}

/* (normal rows (n, dof), tangent rows (n * lines, dof), lines, low rows (n + n * lines, dof) or none of them,
 * tolerance): copied
 */
static PyObject *mode_rows(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Doubles n, t, low;
    PyObject *out = NULL;
    double tolerance;
    int lines;
    if (expect_count("mode_rows", count, 5) != 0 || read_int(args[2], "lines", &lines) != 0 ||
        read_length(args[4], "tolerance", &tolerance) != 0 || read_matrix(args[0], "normal_rows", -1, -1, &n) != 0)
        return NULL;
    if (lines < 0 || lines > ABUT_MODE_SIZE || n.shape[0] > ABUT_MODE_SIZE || n.shape[1] > ABUT_MODE_SIZE)
        raise_text(ABUT_ERROR_LIMIT, "contacts, velocities and lines: at most %d each", ABUT_MODE_SIZE);
    else if (read_matrix(args[1], "tangent_rows", n.shape[0] * lines, n.shape[1], &t) == 0) {
        if (read_matrix(args[3], "low_rows", -1, n.shape[1], &low) == 0) {
            if (low.count != 0 && low.count != n.count + t.count)
                raise_text(ABUT_ERROR_ARGUMENT, "low_rows: expected as many as there are rows");
            else
                out = copy_rows(&n, &t, &low, lines, tolerance);
            release_doubles(&low);
        }
        release_doubles(&t);
    }
    release_doubles(&n);
    return out;
}

/* A row of `bodies`: kind 0 fixed, 1 free, 2 planar, and the position. */
static int fill_bodies(const Doubles *d, AbutModeSystemDef *def, AbutModeBody *out) {
    memset(out, 0, ((size_t)d->shape[0] + 1) * sizeof *out);
    def->dof = 0;
    for (Py_ssize_t i = 0; i < d->shape[0]; ++i) {
        const double *x = d->data + 4 * i;
        out[i].kind = x[0] == 1.0 ? ABUT_MODE_BODY_FREE : x[0] == 2.0 ? ABUT_MODE_BODY_PLANAR : ABUT_MODE_BODY_FIXED;
        out[i].first_dof = def->dof;
        out[i].position = abut_vec3(x[1], x[2], x[3]);
        def->dof += out[i].kind == ABUT_MODE_BODY_FREE ? 6 : out[i].kind == ABUT_MODE_BODY_PLANAR ? 3 : 0;
    }
    return 0;
}

/* A row of `contacts`: point, normal, tangent_x or zeros, body_a, body_b. */
static void fill_contacts(const Doubles *d, AbutPointContact *out) {
    memset(out, 0, ((size_t)d->shape[0] + 1) * sizeof *out);
    for (Py_ssize_t i = 0; i < d->shape[0]; ++i) {
        const double *x = d->data + 11 * i;
        out[i].point = abut_vec3(x[0], x[1], x[2]);
        out[i].normal = abut_vec3(x[3], x[4], x[5]);
        out[i].tangent_x = abut_vec3(x[6], x[7], x[8]);
        if (abut_length(out[i].tangent_x) > 0.0) out[i].tangent_y = abut_cross(out[i].normal, out[i].tangent_x);
        out[i].body_a = (int)x[9], out[i].body_b = (int)x[10];
    }
}

/* (contacts (n, 11), bodies (m, 4), lines, planar, literal) */
static PyObject *mode_contacts(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutModeSystemDef def = {0};
    AbutModeSystem out = {0};
    AbutError error;
    Doubles c, b;
    if (expect_count("mode_contacts", count, 5) != 0 || read_int(args[2], "lines", &def.lines) != 0 ||
        read_int(args[3], "planar", &def.planar) != 0 || read_int(args[4], "literal", &def.literal) != 0 ||
        read_matrix(args[0], "contacts", -1, 11, &c) != 0)
        return NULL;
    if (read_matrix(args[1], "bodies", -1, 4, &b) != 0) return release_doubles(&c), NULL;
    int fits = c.shape[0] <= ABUT_MODE_SIZE && b.shape[0] <= ABUT_MODE_SIZE;
    AbutPointContact *contacts = abut_alloc_array(fits ? (size_t)c.shape[0] + 1 : 1, sizeof *contacts);
    AbutModeBody *bodies = abut_alloc_array(fits ? (size_t)b.shape[0] + 1 : 1, sizeof *bodies);
    AbutStatus status = abut_fail(&error, ABUT_ERROR_LIMIT, "contacts and bodies: at most %d", ABUT_MODE_SIZE);
    if (fits && contacts && bodies) {
        fill_bodies(&b, &def, bodies);
        fill_contacts(&c, contacts);
        def.contacts = contacts, def.contact_count = (int)c.shape[0];
        def.bodies = bodies, def.body_count = (int)b.shape[0];
        UNLOCKED(status = abut_mode_system_build(&def, &out, &error));
    }
    abut_free(contacts);
    abut_free(bodies);
    release_doubles(&c);
    release_doubles(&b);
    return take_or_raise(status, &out, &error);
}

/* (system, lines) */
static PyObject *mode_set_lines(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutModeSystem out = {0};
    AbutError error;
    const AbutModeSystem *from;
    int lines;
    if (expect_count("mode_set_lines", count, 2) != 0 || !(from = read_mode_system(args[0])) ||
        read_int(args[1], "lines", &lines) != 0)
        return NULL;
    AbutStatus status;
    UNLOCKED(status = abut_mode_system_set_lines(from, lines, &out, &error));
    return take_or_raise(status, &out, &error);
}

PyMethodDef mode_functions[] = {
    {"mode_builtin", mode_builtin, METH_O, NULL},
    FAST("mode_parse", mode_parse),
    FAST("mode_rows", mode_rows),
    FAST("mode_contacts", mode_contacts),
    FAST("mode_set_lines", mode_set_lines),
    {NULL, NULL, 0, NULL},
};

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static PyObject *get_count(PyObject *self, void *closure) {
    const char *at = (const char *)&((ModeSystemObject *)self)->system + (size_t)closure;
    return PyLong_FromLong(*(const int *)(const void *)at);
}

static PyObject *get_tolerance(PyObject *self, void *closure) {
    (void)closure;
    return PyFloat_FromDouble(((ModeSystemObject *)self)->system.tolerance);
}

static PyObject *get_normal_rows(PyObject *self, void *closure) {
    (void)closure;
    const AbutModeSystem *s = &((ModeSystemObject *)self)->system;
    const Py_ssize_t shape[2] = {s->contacts, s->dof};
    return view_array(self, s->normal_rows, "d", sizeof(double), 2, shape);
}

static PyObject *get_tangent_rows(PyObject *self, void *closure) {
    (void)closure;
    const AbutModeSystem *s = &((ModeSystemObject *)self)->system;
    const Py_ssize_t shape[2] = {(Py_ssize_t)s->contacts * s->lines, s->dof};
    return view_array(self, s->tangent_rows, "d", sizeof(double), 2, shape);
}

static PyObject *get_low_rows(PyObject *self, void *closure) {
    (void)closure;
    const AbutModeSystem *s = &((ModeSystemObject *)self)->system;
    const Py_ssize_t shape[2] = {s->low_rows ? (Py_ssize_t)s->contacts * (1 + s->lines) : 0, s->dof};
    return view_array(self, s->low_rows ? s->low_rows : s->normal_rows, "d", sizeof(double), 2, shape);
}

#define SYSTEM_AT(member) (void *)offsetof(AbutModeSystem, member)

static PyGetSetDef mode_system_getset[] = {
    {"contacts", get_count, NULL, "number of contacts", SYSTEM_AT(contacts)},
    {"dof", get_count, NULL, "number of velocities", SYSTEM_AT(dof)},
    {"lines", get_count, NULL, "lines that divide the tangent plane of each contact", SYSTEM_AT(lines)},
    {"tolerance", get_tolerance, NULL, "relative error of the rows; 0: rounding alone", NULL},
    {"normal_rows", get_normal_rows, NULL, "(contacts, dof)", NULL},
    {"tangent_rows", get_tangent_rows, NULL, "(contacts * lines, dof)", NULL},
    {"low_rows", get_low_rows, NULL, "what to add to every entry, normal rows, then tangent rows; empty: nothing",
        NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot mode_system_slots[] = {
    {Py_tp_getset, mode_system_getset},
    {Py_tp_dealloc, mode_system_dealloc},
    {0, NULL},
};

static PyType_Spec mode_system_spec = {"abut.ModeSystem", sizeof(ModeSystemObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, mode_system_slots};

int add_mode_type(PyObject *module) {
    mode_system_type = add_type(module, &mode_system_spec);
    return mode_system_type ? 0 : -1;
}
