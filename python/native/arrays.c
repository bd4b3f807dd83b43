/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers out: read-only arrays over the memory of an object, which they keep alive, and new arrays to be filled. */
#include <string.h>

#include "records.h"

/* ---- views ------------------------------------------------------------------------------------------------------- */

/* Exports memory of `owner`; numpy makes arrays of it. */
typedef struct View {
    PyObject_HEAD PyObject *owner;
    const void *data;
    const char *format;
    Py_ssize_t item, length;
    int dimensions, writable;
    Py_ssize_t shape[DIMENSIONS], strides[DIMENSIONS];
} View;

static PyTypeObject *view_type;

static int get_buffer(PyObject *self, Py_buffer *out, int flags) {
    View *view = (View *)self;
    if (flags & PyBUF_WRITABLE && !view->writable) {
        PyErr_SetString(PyExc_BufferError, "results of abut are read-only");
        return -1;
    }
    out->obj = Py_NewRef(self);
    out->buf = (void *)(uintptr_t)view->data;
    out->len = view->length;
    out->readonly = !view->writable;
    out->itemsize = view->item;
    out->format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)view->format : NULL;
    out->ndim = view->dimensions;
    out->shape = view->shape;
    out->strides = view->strides;
    out->suboffsets = NULL;
    out->internal = NULL;
    return 0;
}

static void view_dealloc(PyObject *self) {
    Py_XDECREF(((View *)self)->owner);
    free_object(self);
}

static PyType_Slot view_slots[] = {
    {Py_bf_getbuffer, get_buffer},
    {Py_tp_dealloc, view_dealloc},
    {0, NULL},
};

static PyType_Spec view_spec = {
    "abut._abut.View", sizeof(View), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, view_slots};

int add_view_type(PyObject *module) {
    view_type = add_type(module, &view_spec);
    return view_type ? 0 : -1;
}

static PyObject *array_over(PyObject *owner, const void *data, const char *format, Py_ssize_t item, int dimensions,
    const Py_ssize_t *shape, int writable) {
    static const double nothing = 0.0;
    View *view = PyObject_New(View, view_type);
    if (!view) return NULL;
    view->owner = Py_NewRef(owner);
    view->data = data ? data : &nothing;
    view->format = format, view->item = item, view->dimensions = dimensions;
    view->length = item;
    view->writable = writable;
    for (int i = dimensions - 1; i >= 0; --i) {
        view->shape[i] = shape[i], view->strides[i] = view->length;
        view->length *= shape[i];
    }
    PyObject *array = PyObject_CallFunctionObjArgs(helpers.asarray, (PyObject *)view, NULL);
    Py_DECREF(view);
    return array;
}

PyObject *view_array(
    PyObject *owner, const void *data, const char *format, Py_ssize_t item, int dimensions, const Py_ssize_t *shape) {
    return array_over(owner, data, format, item, dimensions, shape, 0);
}

PyObject *shared_array(PyObject *owner, double *data, int dimensions, const Py_ssize_t *shape) {
    return array_over(owner, data, "d", sizeof *data, dimensions, shape, 1);
}

/* ---- new arrays -------------------------------------------------------------------------------------------------- */

int begin_array(PyObject *type, int dimensions, const Py_ssize_t *shape, NewArray *out) {
    PyObject *tuple = PyTuple_New(dimensions);
    for (int i = 0; tuple && i < dimensions; ++i) PyTuple_SetItem(tuple, i, PyLong_FromSsize_t(shape[i]));
    out->array = tuple ? PyObject_CallFunctionObjArgs(helpers.empty, tuple, type, NULL) : NULL;
    Py_XDECREF(tuple);
    if (!out->array) return -1;
    if (PyObject_GetBuffer(out->array, &out->view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) != 0) {
        Py_CLEAR(out->array);
        return -1;
    }
    out->data = out->view.buf;
    out->record = NULL;
    return 0;
}

int begin_array_of(const char *type, int dimensions, const Py_ssize_t *shape, NewArray *out) {
    PyObject *name = PyUnicode_FromString(type);
    int status = name ? begin_array(name, dimensions, shape, out) : -1;
    Py_XDECREF(name);
    return status;
}

PyObject *end_array(NewArray *array) {
    if (array->record) clear_gaps(array);
    PyBuffer_Release(&array->view);
    return array->array;
}

void cancel_array(NewArray *array) {
    PyBuffer_Release(&array->view);
    Py_CLEAR(array->array);
}

PyObject *array_of_doubles(const double *data, int dimensions, const Py_ssize_t *shape) {
    NewArray out;
    if (begin_array_of("f8", dimensions, shape, &out) != 0) return NULL;
    if (out.view.len > 0) memcpy(out.data, data, (size_t)out.view.len);
    return end_array(&out);
}

PyObject *array_of_vec3(AbutVec3 v) {
    const Py_ssize_t three = 3;
    return array_of_doubles(&v.x, 1, &three);
}

void write_pose(AbutPose pose, double *seven) {
    const double numbers[7] = {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    memcpy(seven, numbers, sizeof numbers);
}

PyObject *array_of_pose(AbutPose pose) {
    double numbers[7];
    const Py_ssize_t seven = 7;
    write_pose(pose, numbers);
    return array_of_doubles(numbers, 1, &seven);
}
