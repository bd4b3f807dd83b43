/* SPDX-License-Identifier: Apache-2.0 */
/* The Phong distance of two meshes, and cases to compare directions on. */
#include <string.h>

#include "interrupt.h"
#include "abut/literature.h"
#include "minkowski.h"
#include "records.h"
#include "rooms.h"

/* ---- Phong distance ---------------------------------------------------------------------------------------------- */

typedef struct PhongObject {
    PyObject_HEAD AbutPhong *phong;
    int busy;
} PhongObject;

static PyTypeObject *phong_type;

static void phong_dealloc(PyObject *self) {
    abut_phong_free(((PhongObject *)self)->phong);
    free_object(self);
}

static PhongObject *read_phong(PyObject *value) {
    if (!PyObject_TypeCheck(value, phong_type))
        return PyErr_Format(PyExc_TypeError, "expected an abut.Phong, got %R", value), NULL;
    if (((PhongObject *)value)->busy)
        return raise_text(ABUT_ERROR_ARGUMENT, "this Phong distance is in use by another thread"), NULL;
    return (PhongObject *)value;
}

static void open_phong(void *user) {
    OfMeshes *x = user;
    AbutPhong *out = NULL;
    x->status = abut_phong_create(&x->a->mesh, &x->b->mesh, &out, &x->error);
    x->out = out;
}

static void drop_phong(void *phong) { abut_phong_free(phong); }

/* (mesh a, mesh b) */
static PyObject *phong_new(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPhong *out = expect_count("phong_new", count, 2) == 0 ? make_of_meshes(args, open_phong, drop_phong) : NULL;
    if (!out) return NULL;
    PhongObject *self = PyObject_New(PhongObject, phong_type);
    if (!self) return abut_phong_free(out), NULL;
    self->phong = out, self->busy = 0;
    return (PyObject *)self;
}

/* Questions one after the other, as each starts from the last; they may outlive the call of Python. */
typedef struct Path {
    PhongObject *self; /* busy */
    AbutPhongDef def;
    Poses poses;
    int has_poses;
    AbutPhongDistance *out;
    volatile int cancel;
} Path;

static void free_path(void *user) {
    Path *path = user;
    if (path->has_poses) release_poses(&path->poses);
    path->self->busy = 0;
    Py_DECREF((PyObject *)path->self);
    abut_free(path->out);
    abut_free(path);
}

static void follow(void *user) {
    Path *path = user;
    for (Py_ssize_t i = 0; i < path->poses.count && !path->cancel; ++i)
        path->out[i] = abut_phong_distance(path->self->phong, get_pose(&path->poses, i), &path->def);
}

/* Poses, and room for the answers; 0, or -1 with an exception. */
static int read_path_of(PyObject *pose, Path *path) {
    if (read_poses(pose, "pose", &path->poses) != 0) return -1;
    path->has_poses = 1;
    const size_t n = (size_t)path->poses.count + 1;
    path->out = abut_alloc_array(n, sizeof *path->out);
    if (!path->out) return PyErr_NoMemory(), -1;
    memset(path->out, 0, n * sizeof *path->out);
    return 0;
}

/* (phong, pose or poses in order, least, literal) -> PhongDistance or an array */
static PyObject *phong_distance(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    PhongObject *self;
    int least, literal;
    if (expect_count("phong_distance", count, 4) != 0 || !(self = read_phong(args[0])) ||
        read_int(args[2], "least", &least) != 0 || read_int(args[3], "literal", &literal) != 0)
        return NULL;
    Path *path = abut_alloc(sizeof *path);
    if (!path) return PyErr_NoMemory();
    memset(path, 0, sizeof *path);
    path->self = (PhongObject *)Py_NewRef(args[0]);
    self->busy = 1;
    path->def.mode = least ? ABUT_PHONG_LEAST : ABUT_PHONG_TRACK, path->def.literal = literal;
    if (read_path_of(args[1], path) != 0) return free_path(path), NULL;
    if (run_or_leave(follow, free_path, path, &path->cancel) != 0) return NULL;
    PyObject *out = path->poses.batch ? array_of_records(&record_phong, path->out, (size_t)path->poses.count)
                                      : record_new(&record_phong, path->out);
    free_path(path);
    return out;
}

static PyObject *phong_restart(PyObject *module, PyObject *value) {
    (void)module;
    PhongObject *self = read_phong(value);
    if (!self) return NULL;
    abut_phong_restart(self->phong);
    Py_RETURN_NONE;
}

static PyType_Slot phong_slots[] = {
    {Py_tp_dealloc, phong_dealloc},
    {0, NULL},
};

static PyType_Spec phong_spec = {"abut._abut.PhongHandle", sizeof(PhongObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, phong_slots};

int add_phong_type(PyObject *module) {
    phong_type = add_type(module, &phong_spec);
    return phong_type ? 0 : -1;
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

/* [(name, summary, tau)] */
static PyObject *direction_cases(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    int count;
    const AbutDirectionCase *cases = abut_direction_cases(&count);
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; ++i)
        PyList_SetItem(list, i, Py_BuildValue("(ssd)", cases[i].name, cases[i].summary, cases[i].tau));
    return list;
}

/* The number of a case, in range. */
static int read_case(PyObject *value, int *out) {
    int count;
    abut_direction_cases(&count);
    if (read_int(value, "case", out) != 0) return -1;
    if (*out >= 0 && *out < count) return 0;
    raise_text(ABUT_ERROR_ARGUMENT, "case: expected 0 to %d, got %d", count - 1, *out);
    return -1;
}

/* (number) -> (Mesh, Mesh) */
static PyObject *direction_case_meshes(PyObject *module, PyObject *value) {
    (void)module;
    AbutMesh a = {0}, b = {0};
    AbutError error;
    int number;
    if (read_case(value, &number) != 0) return NULL;
    AbutStatus status;
    UNLOCKED(status = abut_direction_case_meshes(number, &a, &b, &error));
    if (status != ABUT_OK) return raise_error(&error);
    return Py_BuildValue("(NN)", mesh_take(&a), mesh_take(&b));
}

/* (number, t) -> pose (7,), or (n, 7) */
static PyObject *direction_case_pose(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Doubles t;
    NewArray out;
    int number;
    if (expect_count("direction_case_pose", count, 2) != 0 || read_case(args[0], &number) != 0 ||
        read_doubles(args[1], "t", &t) != 0)
        return NULL;
    const Py_ssize_t shape[2] = {t.count, 7};
    int fits = t.dimensions <= 1;
    for (Py_ssize_t i = 0; i < t.count && fits; ++i) fits = t.data[i] >= 0.0 && t.data[i] <= 1.0;
    if (!fits) raise_text(ABUT_ERROR_ARGUMENT, "t: expected a number from 0 to 1, or shape (n,) of such");
    if (!fits || begin_array_of("f8", t.dimensions + 1, t.dimensions ? shape : shape + 1, &out) != 0)
        return release_doubles(&t), NULL;
    for (Py_ssize_t i = 0; i < t.count; ++i)
        write_pose(abut_direction_case_pose(number, t.data[i]), (double *)out.data + 7 * i);
    release_doubles(&t);
    return end_array(&out);
}

PyMethodDef phong_functions[] = {
    FAST("phong_new", phong_new),
    FAST("phong_distance", phong_distance),
    {"phong_restart", phong_restart, METH_O, NULL},
    PLAIN("direction_cases", direction_cases),
    {"direction_case_meshes", direction_case_meshes, METH_O, NULL},
    FAST("direction_case_pose", direction_case_pose),
    {NULL, NULL, 0, NULL},
};
