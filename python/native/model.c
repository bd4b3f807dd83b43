/* SPDX-License-Identifier: Apache-2.0 */
/* Models: empty, built in, read from MJCF and URDF, copied; what a reader passes over becomes warnings. */
#include "models.h"

#include <string.h>

#include "bodies.h"
#include "rooms.h"

PyTypeObject *model_type;

/* ---- objects ----------------------------------------------------------------------------------------------------- */

PyObject *model_take(AbutModel *model) {
    ModelObject *self = PyObject_New(ModelObject, model_type);
    if (!self) return abut_model_free(model), NULL;
    self->model = model;
    self->frozen = self->readers = 0;
    return (PyObject *)self;
}

static void model_dealloc(PyObject *self) {
    abut_model_free(((ModelObject *)self)->model);
    free_object(self);
}

ModelObject *read_model(PyObject *value) {
    if (!PyObject_TypeCheck(value, model_type))
        return PyErr_Format(PyExc_TypeError, "model: expected an abut.Model, got %R", value), NULL;
    return (ModelObject *)value;
}

AbutModel *open_model(PyObject *value) {
    ModelObject *self = read_model(value);
    if (self && self->frozen)
        return raise_text(ABUT_ERROR_ARGUMENT, "model: a robot stands on it, so that nothing can be added"), NULL;
    if (self && self->readers) return raise_text(ABUT_ERROR_ARGUMENT, "this model is in use by another thread"), NULL;
    return self ? self->model : NULL;
}

/* ---- makers ------------------------------------------------------------------------------------------------------ */

static PyObject *model_new(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    AbutModel *model = NULL;
    AbutError error;
    return abut_model_create(&model, &error) == ABUT_OK ? model_take(model) : raise_error(&error);
}

/* (spec, seed) */
static PyObject *model_build(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutModel *model = NULL;
    AbutError error;
    AbutStatus status;
    const char *spec;
    uint64_t seed;
    if (expect_count("model_build", count, 2) != 0 || !(spec = read_text(args[0], "spec")) ||
        read_seed(args[1], &seed) != 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_model_build(spec, seed, &model, &error);
    Py_END_ALLOW_THREADS;
    return status == ABUT_OK ? model_take(model) : raise_error(&error);
}

/* Warnings of a reader, one a line, handed on when it is done. */
typedef struct Warnings {
    char *text;
    size_t count, capacity;
} Warnings;

static void keep_warning(const char *text, void *user) {
    Warnings *w = user;
    size_t length = strlen(text);
    void *memory = w->text;
    if (!abut_grow(&memory, &w->capacity, w->count + length + 2, 1)) return;
    w->text = memory;
    memcpy(w->text + w->count, text, length);
    w->count += length;
    w->text[w->count++] = '\n';
    w->text[w->count] = 0;
}

static int hand_on(const Warnings *w) {
    PyObject *done = w->text ? PyObject_CallFunction(helpers.warn, "s#", w->text, (Py_ssize_t)w->count - 1) : NULL;
    Py_XDECREF(done);
    return w->text && !done ? -1 : 0;
}

typedef struct ReadOptions {
    const char *folder;
    int without_meshes, convex_pieces, hulls, without_visuals, allow_outside, free_root, all_warnings, cache;
} ReadOptions;

static const DefField read_fields[] = {
    DEF(ReadOptions, folder, DEF_PATH),
    DEF(ReadOptions, without_meshes, DEF_FLAG),
    DEF(ReadOptions, convex_pieces, DEF_FLAG),
    DEF(ReadOptions, hulls, DEF_FLAG),
    DEF(ReadOptions, without_visuals, DEF_FLAG),
    DEF(ReadOptions, allow_outside, DEF_FLAG),
    DEF(ReadOptions, free_root, DEF_FLAG),
    DEF(ReadOptions, all_warnings, DEF_FLAG),
    DEF(ReadOptions, cache, DEF_FLAG),
};

static const DefTable read_table = DEF_TABLE("options", read_fields);

/* Folders of packages, or values of arguments, by name: a dictionary to an array; NULL with an exception. */
static AbutAttribute *read_packages(PyObject *dict, int32_t *count) {
    AbutAttribute *out = abut_alloc_array((size_t)PyDict_Size(dict) + 1, sizeof *out);
    PyObject *key, *value;
    Py_ssize_t at = 0;
    *count = 0;
    if (!out) return PyErr_NoMemory(), NULL;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = read_text(key, "packages"), *folder = name ? read_path(value, "packages") : NULL;
        if (!folder) return abut_free(out), NULL;
        out[(*count)++] = (AbutAttribute){name, folder};
    }
    return out;
}

/* (path, options, packages, package_path, args) */
static PyObject *model_read(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ReadOptions o = {0};
    Warnings warnings = {0};
    AbutModel *model = NULL;
    AbutError error;
    AbutStatus status;
    int32_t packages, arguments;
    const char *path, *package_path;
    char folder[4096];
    if (expect_count("model_read", count, 5) != 0 || !(path = read_path(args[0], "path")) ||
        fill_def(args[1], &read_table, &o) != 0 || !(package_path = read_path(args[3], "package_path")))
        return NULL;
    AbutAttribute *list = read_packages(args[2], &packages), *given = list ? read_packages(args[4], &arguments) : NULL;
    if (!given) return abut_free(list), NULL;
    AbutModelReadOptions options = {.folder = o.folder,
        .warn = keep_warning,
        .user = &warnings,
        .without_meshes = o.without_meshes,
        .convex_pieces = o.convex_pieces,
        .hulls = o.hulls,
        .without_visuals = o.without_visuals,
        .allow_outside = o.allow_outside,
        .free_root = o.free_root,
        .all_warnings = o.all_warnings,
        .cache = o.cache && abut_cache_folder(folder, sizeof folder) ? folder : NULL,
        .package_count = packages,
        .packages = list,
        .package_path = package_path,
        .argument_count = arguments,
        .arguments = given};
    Py_BEGIN_ALLOW_THREADS;
    status = abut_model_read(path, &options, &model, &error);
    Py_END_ALLOW_THREADS;
    abut_free(list);
    abut_free(given);
    int told = hand_on(&warnings);
    abut_free(warnings.text);
    if (told != 0) return abut_model_free(model), NULL;
    return status == ABUT_OK ? model_take(model) : raise_error(&error);
}

/* Names and summaries of the built-in scenes and robots. */
static PyObject *builtin_names(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    int scenes, robots;
    const AbutBuiltinScene *scene = abut_builtin_scenes(0, &scenes), *robot = abut_builtin_scenes(1, &robots);
    PyObject *list = PyList_New(scenes + robots);
    for (int i = 0; list && i < scenes + robots; ++i) {
        const AbutBuiltinScene *x = i < scenes ? &scene[i] : &robot[i - scenes];
        PyList_SetItem(list, i, Py_BuildValue("(sss)", x->name, x->argument, x->summary));
    }
    return list;
}

/* (model): one that may be changed */
static PyObject *model_copy(PyObject *module, PyObject *value) {
    (void)module;
    ModelObject *self = read_model(value);
    AbutModel *copy = NULL;
    AbutError error;
    if (!self) return NULL;
    AbutStatus status;
    READING(self, status = abut_model_copy(self->model, &copy, &error));
    return status == ABUT_OK ? model_take(copy) : raise_error(&error);
}

/* (model) -> name */
static PyObject *model_name(PyObject *module, PyObject *value) {
    (void)module;
    ModelObject *self = read_model(value);
    return self ? PyUnicode_FromString(self->model->name) : NULL;
}

PyMethodDef model_functions[] = {
    PLAIN("model_new", model_new),
    FAST("model_build", model_build),
    FAST("model_read", model_read),
    PLAIN("builtin_names", builtin_names),
    {"model_copy", model_copy, METH_O, NULL},
    {"model_name", model_name, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot model_slots[] = {
    {Py_tp_getset, model_getset},
    {Py_tp_dealloc, model_dealloc},
    {0, NULL},
};

static PyType_Spec model_spec = {
    "abut.Model", sizeof(ModelObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, model_slots};

int add_model_type(PyObject *module) {
    model_type = add_type(module, &model_spec);
    return model_type ? 0 : -1;
}
