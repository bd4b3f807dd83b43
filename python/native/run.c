/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: recorded from a simulation or read from a file; their columns as arrays; pages and pictures of them. */
#include "runs.h"

#include <string.h>

#include "models.h"
#include "rooms.h"
#include "worlds.h"

static PyTypeObject *run_type;

static PyObject *run_take(AbutRun *run, PyObject *scene, int grows) {
    RunObject *self = PyObject_New(RunObject, run_type);
    if (!self) return abut_run_free(run), NULL;
    self->run = run, self->scene = Py_XNewRef(scene), self->grows = grows, self->busy = 0;
    return (PyObject *)self;
}

static void run_dealloc(PyObject *self) {
    abut_run_free(((RunObject *)self)->run);
    Py_XDECREF(((RunObject *)self)->scene);
    free_object(self);
}

RunObject *read_run(PyObject *value) {
    if (!PyObject_TypeCheck(value, run_type))
        return PyErr_Format(PyExc_TypeError, "run: expected an abut.Run, got %R", value), NULL;
    if (((RunObject *)value)->busy)
        return raise_text(ABUT_ERROR_ARGUMENT, "this run is in use by another thread"), NULL;
    return (RunObject *)value;
}

/* ---- makers ------------------------------------------------------------------------------------------------------ */

/* (scene, model or None, settings, keep) */
static PyObject *run_of_scene(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    ModelObject *about = NULL;
    AbutRun *run = NULL;
    AbutError error;
    const char *settings;
    if (expect_count("run_of_scene", count, 4) != 0 || !(scene = read_scene(args[0])) ||
        (args[1] != Py_None && !(about = read_model(args[1]))) || !(settings = read_text(args[2], "settings")))
        return NULL;
    int keep = read_word(args[3], "keep", ABUT_RUN_KEEP_COUNT, abut_run_keep_names);
    if (keep < 0) return NULL;
    AbutStatus status;
    ALONE(scene, status = abut_run_create_of_scene(scene->scene, about ? about->model : NULL, settings, &run, &error));
    if (status != ABUT_OK) return raise_error(&error);
    run->keep = (AbutRunKeep)keep;
    return run_take(run, args[0], 1);
}

/* (bytes, name) */
static PyObject *run_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutRun *run = NULL;
    AbutError error;
    AbutStatus status;
    FileBytes in;
    if (expect_count("run_parse", count, 2) != 0 || read_file_bytes(args[0], args[1], &in) != 0) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_run_read(in.name, in.data, in.size, &run, &error);
    Py_END_ALLOW_THREADS;
    return status == ABUT_OK ? run_take(run, NULL, 0) : raise_error(&error);
}

/* (model): empty, to be filled by hand */
static PyObject *run_of_model(PyObject *module, PyObject *value) {
    (void)module;
    ModelObject *model = read_model(value);
    AbutRun *run = NULL;
    AbutError error;
    if (!model) return NULL;
    AbutStatus status;
    READING(model, status = abut_run_create(model->model, NULL, &run, &error));
    return status == ABUT_OK ? run_take(run, NULL, 1) : raise_error(&error);
}

/* (run, path) */
static PyObject *run_write(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RunObject *run;
    AbutError error;
    AbutStatus status;
    const char *path;
    if (expect_count("run_write", count, 2) != 0 || !(run = read_run(args[0])) || !(path = read_path(args[1], "path")))
        return NULL;
    run->busy = 1;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_run_write(path, run->run, &error);
    Py_END_ALLOW_THREADS;
    run->busy = 0;
    return none_or_raise(status, &error);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static PyObject *run_column_names(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    PyObject *list = PyList_New(ABUT_RUN_COLUMN_COUNT);
    for (int i = 0; list && i < ABUT_RUN_COLUMN_COUNT; ++i) {
        const AbutRunColumnInfo *info = abut_run_column_info((AbutRunColumn)i);
        PyList_SetItem(list, i, Py_BuildValue("(sss)", info->name, info->unit, info->text));
    }
    return list;
}

/* Shape of a column, in dimensions. */
static int shape_of(const AbutRun *run, AbutRunColumn column, Py_ssize_t *shape) {
    const AbutRunColumnInfo *info = abut_run_column_info(column);
    int n = 0;
    switch (info->row) {
    case ABUT_RUN_PER_STEP:
        shape[n++] = run->steps;
        break;
    case ABUT_RUN_PER_BODY:
        shape[n++] = run->steps, shape[n++] = run->bodies;
        break;
    case ABUT_RUN_PER_CONTACT:
        shape[n++] = (Py_ssize_t)run->contacts;
        break;
    case ABUT_RUN_PER_VERTEX:
        shape[n++] = (Py_ssize_t)run->vertices;
        break;
    case ABUT_RUN_PER_CONTACT_START:
        shape[n++] = run->steps + 1;
        break;
    case ABUT_RUN_PER_VERTEX_START:
        shape[n++] = (Py_ssize_t)run->contacts + 1;
        break;
    default: /* numbers of robots */
        shape[n++] = run->steps, shape[n++] = abut_run_number_count(run, column);
        break;
    }
    if (info->width > 0) shape[n++] = info->width;
    return n;
}

static const void *numbers_of(const AbutRun *run, AbutRunColumn column, AbutArrayType type) {
    return type == ABUT_ARRAY_F8   ? (const void *)abut_run_f8(run, column)
           : type == ABUT_ARRAY_I8 ? (const void *)abut_run_i8(run, column)
                                   : (const void *)abut_run_i4(run, column);
}

/* (run, number of a column) -> array, a view of a run that does not change any more; None where it is not kept */
static PyObject *run_column(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RunObject *run;
    int column;
    if (expect_count("run_column", count, 2) != 0 || !(run = read_run(args[0])) ||
        read_int(args[1], "column", &column) != 0)
        return NULL;
    if (column < 0 || column >= ABUT_RUN_COLUMN_COUNT)
        return PyErr_Format(PyExc_IndexError, "there is no column %d", column);
    const AbutRunColumnInfo *info = abut_run_column_info((AbutRunColumn)column);
    const void *data = numbers_of(run->run, (AbutRunColumn)column, info->type);
    Py_ssize_t shape[DIMENSIONS];
    int dimensions = shape_of(run->run, (AbutRunColumn)column, shape);
    if (!data) Py_RETURN_NONE;
    const char *format = info->type == ABUT_ARRAY_F8 ? "d" : info->type == ABUT_ARRAY_I8 ? "q" : "i";
    PyObject *view = view_array(args[0], data, format, info->type == ABUT_ARRAY_I4 ? 4 : 8, dimensions, shape);
    if (!view || !run->grows) return view;
    PyObject *copy = PyObject_CallMethod(view, "copy", NULL);
    Py_DECREF(view);
    return copy;
}

/* (run, number of a column) -> names of its numbers per step */
static PyObject *run_number_names(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RunObject *run;
    int column;
    if (expect_count("run_number_names", count, 2) != 0 || !(run = read_run(args[0])) ||
        read_int(args[1], "column", &column) != 0)
        return NULL;
    if (column < 0 || column >= ABUT_RUN_COLUMN_COUNT)
        return PyErr_Format(PyExc_IndexError, "there is no column %d", column);
    int32_t n = abut_run_number_count(run->run, (AbutRunColumn)column);
    PyObject *list = PyList_New(n);
    for (int32_t i = 0; list && i < n; ++i) {
        char name[200];
        abut_run_number_name(run->run, (AbutRunColumn)column, i, sizeof name, name);
        PyList_SetItem(list, i, PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace"));
    }
    return list;
}

static PyObject *run_summary(PyObject *module, PyObject *value) {
    (void)module;
    RunObject *run = read_run(value);
    if (!run) return NULL;
    const AbutRun *r = run->run;
    PyObject *names = PyList_New(r->model->body_count);
    for (int32_t i = 0; names && i < r->model->body_count; ++i)
        PyList_SetItem(names, i, PyUnicode_FromString(r->model->bodies[i].name));
    return Py_BuildValue("{sisisLsLsNssszsN}", "steps", (int)r->steps, "bodies", (int)r->bodies, "contacts",
        (long long)r->contacts, "vertices", (long long)r->vertices, "partial", PyBool_FromLong(r->partial), "keep",
        abut_word(abut_run_keep_names, r->keep), "settings", r->settings, "names", names);
}

/* A copy of the model of its bodies. */
static PyObject *run_model(PyObject *module, PyObject *value) {
    (void)module;
    RunObject *run = read_run(value);
    AbutModel *model = NULL;
    AbutError error;
    if (!run) return NULL;
    return abut_model_copy(run->run->model, &model, &error) == ABUT_OK ? model_take(model) : raise_error(&error);
}

PyMethodDef run_functions[] = {
    FAST("run_of_scene", run_of_scene),
    {"run_of_model", run_of_model, METH_O, NULL},
    FAST("run_parse", run_parse),
    FAST("run_write", run_write),
    PLAIN("run_column_names", run_column_names),
    FAST("run_column", run_column),
    FAST("run_number_names", run_number_names),
    {"run_summary", run_summary, METH_O, NULL},
    {"run_model", run_model, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot run_slots[] = {
    {Py_tp_dealloc, run_dealloc},
    {0, NULL},
};

static PyType_Spec run_spec = {
    "abut._abut.RunHandle", sizeof(RunObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, run_slots};

int add_run_type(PyObject *module) {
    run_type = add_type(module, &run_spec);
    return run_type ? 0 : -1;
}
