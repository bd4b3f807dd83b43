/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of worlds: arrays over their memory, steps, resets, saved states. One thread at a time may use a batch. */
#include <string.h>

#include "models.h"
#include "rooms.h"
#include "worlds.h"

typedef struct BatchObject {
    PyObject_HEAD AbutBatch *batch;
    int busy;
} BatchObject;

static PyTypeObject *batch_type;

static void batch_dealloc(PyObject *self) {
    abut_batch_free(((BatchObject *)self)->batch);
    free_object(self);
}

static BatchObject *read_batch(PyObject *value) {
    if (!PyObject_TypeCheck(value, batch_type))
        return PyErr_Format(PyExc_TypeError, "batch: expected an abut.Batch, got %R", value), NULL;
    BatchObject *self = (BatchObject *)value;
    if (self->busy) return PyErr_SetString(PyExc_RuntimeError, "batch: expected one thread at a time, got two"), NULL;
    return self;
}

/* Pairs of numbers of bodies. To be freed; NULL with an exception. */
static AbutPair *read_watches(PyObject *list, int32_t *count) {
    Py_ssize_t length = PyList_Size(list);
    AbutPair *out = length < 0 ? NULL : abut_alloc_array((size_t)length, sizeof *out);
    if (length >= 0 && !out) return (AbutPair *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; out && i < length; ++i) {
        PyObject *pair = PyList_GetItem(list, i);
        int a, b;
        if (read_int(PyTuple_GetItem(pair, 0), "watch", &a) != 0 ||
            read_int(PyTuple_GetItem(pair, 1), "watch", &b) != 0)
            return abut_free(out), NULL;
        out[i] = (AbutPair){a, b};
    }
    *count = (int32_t)length;
    return out;
}

/* (model, worlds, list of pairs, settings) */
static PyObject *batch_new(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *model;
    AbutSimulationDef def = abut_simulation_default();
    AbutBatch *batch = NULL;
    AbutError error;
    int worlds;
    int32_t watch_count = 0;
    if (expect_count("batch_new", count, 4) != 0 || !(model = read_model(args[0])) ||
        read_int(args[1], "n", &worlds) != 0 || fill_def(args[3], &settings_table, &def) != 0)
        return NULL;
    AbutPair *watches = read_watches(args[2], &watch_count);
    if (!watches) return NULL;
    AbutStatus status;
    READING(model, status = abut_batch_create(model->model, worlds, &def, watch_count, watches, &batch, &error));
    abut_free(watches);
    if (status != ABUT_OK) return raise_error(&error);
    BatchObject *self = PyObject_New(BatchObject, batch_type);
    if (!self) return abut_batch_free(batch), NULL;
    self->batch = batch;
    self->busy = 0;
    return (PyObject *)self;
}

/* (batch, name of a field) */
static PyObject *batch_array(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    BatchObject *self;
    int32_t shape[3];
    int field;
    if (expect_count("batch_array", count, 2) != 0 || !(self = read_batch(args[0])) ||
        (field = read_word(args[1], "field", ABUT_BATCH_FIELD_COUNT, abut_batch_field_names)) < 0)
        return NULL;
    void *data = abut_batch_array(self->batch, field, shape);
    if (!data) return PyErr_NoMemory();
    const Py_ssize_t sizes[] = {shape[0], shape[1], shape[2]};
    int single = field == ABUT_BATCH_TIME || field == ABUT_BATCH_STATUS,
        deep = field == ABUT_BATCH_CONTACT || field == ABUT_BATCH_GAIN,
        dimensions = single ? 1
                     : deep ? 3
                            : 2;
    if (field == ABUT_BATCH_STATUS) return view_array(args[0], data, "i", sizeof(int32_t), 1, sizes);
    return shared_array(args[0], data, dimensions, sizes);
}

/* (batch, dt, substeps) */
static PyObject *batch_step(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    BatchObject *self;
    AbutError error;
    double dt;
    int substeps;
    if (expect_count("batch_step", count, 3) != 0 || !(self = read_batch(args[0])) ||
        read_real(args[1], "dt", &dt) != 0 || read_int(args[2], "substeps", &substeps) != 0)
        return NULL;
    AbutStatus status;
    ALONE(self, status = abut_batch_step(self->batch, dt, substeps, &error));
    return none_or_raise(status, &error);
}

/* One step of a rollout: where its rows go. */
typedef struct Rollout {
    AbutBatch *batch;
    const double *control; /* (worlds, steps, controls) */
    double *out, *sensors; /* (worlds, steps, time and state), (worlds, steps, values) or NULL */
    size_t worlds, steps, controls, width, values;
} Rollout;

static size_t put_row(const Rollout *r, int field, size_t world, double *to) {
    int32_t shape[3];
    const double *from = abut_batch_array(r->batch, field, shape);
    size_t width = field == ABUT_BATCH_TIME ? 1 : (size_t)shape[1];
    if (from && width) memcpy(to, from + world * width, width * sizeof *to);
    return width;
}

/* Rows of worlds that failed are not written. */
static void put_rows(const Rollout *r, size_t step) {
    static const int fields[] = {ABUT_BATCH_TIME, ABUT_BATCH_POSITIONS, ABUT_BATCH_VELOCITIES, ABUT_BATCH_ACTIVATIONS};
    int32_t shape[3];
    const int32_t *status = abut_batch_array(r->batch, ABUT_BATCH_STATUS, shape);
    for (size_t w = 0; w < r->worlds; ++w) {
        double *to = r->out + (w * r->steps + step) * r->width;
        for (int k = 0; k < 4 && status[w] == ABUT_OK; ++k) to += put_row(r, fields[k], w, to);
        if (r->sensors && status[w] == ABUT_OK)
            put_row(r, ABUT_BATCH_SENSORS, w, r->sensors + (w * r->steps + step) * r->values);
    }
}

static AbutStatus roll(const Rollout *r, double dt, AbutError *error) {
    int32_t shape[3];
    double *u = abut_batch_array(r->batch, ABUT_BATCH_CONTROLS, shape);
    AbutStatus status = ABUT_OK;
    for (size_t k = 0; k < r->steps && status == ABUT_OK; ++k) {
        for (size_t w = 0; w < r->worlds && r->controls; ++w)
            memcpy(u + w * r->controls, r->control + (w * r->steps + k) * r->controls, r->controls * sizeof *u);
        status = abut_batch_step(r->batch, dt, 1, error);
        put_rows(r, k);
    }
    return status;
}

/* (batch, controls (worlds, steps, controls), states (worlds, steps, ...), sensors (worlds, steps, values) or None,
 * dt): fills the two arrays, which the caller made in this shape. */
static PyObject *batch_rollout(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    BatchObject *self;
    AbutError error;
    Py_buffer view[3] = {{0}};
    double dt;
    if (expect_count("batch_rollout", count, 5) != 0 || !(self = read_batch(args[0])) ||
        read_real(args[4], "dt", &dt) != 0)
        return NULL;
    int wanted = args[3] == Py_None ? 2 : 3, got = 0;
    while (got < wanted &&
           PyObject_GetBuffer(args[got + 1], &view[got], PyBUF_C_CONTIGUOUS | (got ? PyBUF_WRITABLE : 0)) == 0)
        ++got;
    AbutStatus status = ABUT_ERROR_ARGUMENT;
    if (got == wanted) {
        Rollout r = {self->batch, view[0].buf, view[1].buf, wanted == 3 ? view[2].buf : NULL, (size_t)view[0].shape[0],
            (size_t)view[0].shape[1], (size_t)view[0].shape[2], (size_t)view[1].shape[2],
            wanted == 3 ? (size_t)view[2].shape[2] : 0};
        ALONE(self, status = roll(&r, dt, &error));
    }
    for (int i = 0; i < got; ++i) PyBuffer_Release(&view[i]);
    return got == wanted ? none_or_raise(status, &error) : NULL;
}

/* (batch, bytes of a mask or None, keyframe) */
static PyObject *batch_reset(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    BatchObject *self;
    AbutError error;
    const char *mask = NULL;
    size_t size;
    int keyframe;
    if (expect_count("batch_reset", count, 3) != 0 || !(self = read_batch(args[0])) ||
        (args[1] != Py_None && read_bytes(args[1], "mask", &mask, &size) != 0) ||
        read_int(args[2], "keyframe", &keyframe) != 0)
        return NULL;
    AbutStatus status;
    ALONE(self, status = abut_batch_reset(self->batch, (const uint8_t *)mask, keyframe, &error));
    return none_or_raise(status, &error);
}

/* The simulation of (batch, world); NULL with an exception. */
static const AbutSimulation *world_of(PyObject *const *args, Py_ssize_t count, BatchObject **self, int *world) {
    if (expect_count("world", count, 2) != 0 || !(*self = read_batch(args[0])) ||
        read_int(args[1], "world", world) != 0)
        return NULL;
    const AbutSimulation *simulation = abut_batch_simulation((*self)->batch, *world);
    if (!simulation) raise_text(ABUT_ERROR_ARGUMENT, "world: expected the number of a world, got %d", *world);
    return simulation;
}

static PyObject *batch_reason(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    BatchObject *self;
    int world;
    if (!world_of(args, count, &self, &world)) return NULL;
    return PyUnicode_DecodeUTF8(
        abut_batch_reason(self->batch, world), (Py_ssize_t)strlen(abut_batch_reason(self->batch, world)), "replace");
}

static PyObject *batch_hash(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    BatchObject *self;
    int world;
    const AbutSimulation *simulation = world_of(args, count, &self, &world);
    return simulation ? PyLong_FromUnsignedLongLong(abut_simulation_hash(simulation)) : NULL;
}

static PyObject *batch_contacts(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    BatchObject *self;
    AbutContactList list;
    AbutError error;
    int world;
    const AbutSimulation *simulation = world_of(args, count, &self, &world);
    if (!simulation) return NULL;
    if (abut_simulation_get_contacts(simulation, &list, &error) != ABUT_OK) return raise_error(&error);
    return array_of_contacts(abut_simulation_scene(simulation), &list);
}

static PyObject *batch_model(PyObject *module, PyObject *value) {
    (void)module;
    AbutModel *copy;
    AbutError error;
    BatchObject *self = read_batch(value);
    if (!self) return NULL;
    return abut_model_copy(abut_batch_model(self->batch), &copy, &error) ? raise_error(&error) : model_take(copy);
}

static PyObject *batch_save(PyObject *module, PyObject *value) {
    (void)module;
    BatchObject *self = read_batch(value);
    if (!self) return NULL;
    size_t size = abut_batch_state_size(self->batch);
    void *state = abut_alloc(size);
    if (!state) return PyErr_NoMemory();
    ALONE(self, abut_batch_save(self->batch, state));
    PyObject *out = PyBytes_FromStringAndSize(state, (Py_ssize_t)size);
    abut_free(state);
    return out;
}

/* (batch, bytes) */
static PyObject *batch_restore(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    BatchObject *self;
    AbutError error;
    const char *bytes;
    size_t size;
    if (expect_count("batch_restore", count, 2) != 0 || !(self = read_batch(args[0])) ||
        read_bytes(args[1], "state", &bytes, &size) != 0)
        return NULL;
    void *state = abut_alloc(size); /* bytes of Python are not aligned */
    if (!state) return PyErr_NoMemory();
    memcpy(state, bytes, size);
    AbutStatus status;
    ALONE(self, status = abut_batch_restore(self->batch, state, size, &error));
    abut_free(state);
    return none_or_raise(status, &error);
}

PyMethodDef batch_functions[] = {
    FAST("batch_new", batch_new),
    FAST("batch_array", batch_array),
    FAST("batch_step", batch_step),
    FAST("batch_rollout", batch_rollout),
    FAST("batch_reset", batch_reset),
    FAST("batch_reason", batch_reason),
    FAST("batch_hash", batch_hash),
    FAST("batch_contacts", batch_contacts),
    {"batch_model", batch_model, METH_O, NULL},
    {"batch_save", batch_save, METH_O, NULL},
    FAST("batch_restore", batch_restore),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot batch_slots[] = {
    {Py_tp_dealloc, batch_dealloc},
    {0, NULL},
};

static PyType_Spec batch_spec = {"abut._abut.BatchHandle", sizeof(BatchObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, batch_slots};

int add_batch_type(PyObject *module) {
    batch_type = add_type(module, &batch_spec);
    return batch_type ? 0 : -1;
}
