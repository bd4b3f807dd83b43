/* SPDX-License-Identifier: Apache-2.0 */
/* Minkowski differences and sums as meshes; the convolution behind them. */
#include "minkowski.h"
#include "abut/literature.h"

#include <string.h>

#include "bodies.h"
#include "interrupt.h"
#include "records.h"
#include "rooms.h"
#include "values.h"

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* A computation that may outlive the call of Python that asked for it. */
typedef struct Minkowski {
    MeshObject *a, *b;
    AbutPose pose;
    AbutMinkowskiDef def;
    int sum;
    AbutMesh mesh;
    AbutMinkowskiReport report;
    AbutStatus status;
    AbutError error;
} Minkowski;

static void compute(void *user) {
    Minkowski *x = user;
    x->def.difference = !x->sum;
    x->status = abut_minkowski(&x->a->mesh, &x->b->mesh, x->pose, &x->def, &x->mesh, &x->report, &x->error);
}

static void free_minkowski(void *user) {
    Minkowski *x = user;
    abut_mesh_free(&x->mesh);
    Py_XDECREF((PyObject *)x->a);
    Py_XDECREF((PyObject *)x->b);
    abut_free(x);
}

/* The arguments of minkowski; 0, or -1 with an exception. */
static int read_minkowski(PyObject *const *args, Minkowski *x) {
    MeshObject *a, *b;
    int grid, threads, convolution;
    if (!(a = read_mesh(args[0], "a")) || !(b = read_mesh(args[1], "b")) || read_pose(args[2], "pose", &x->pose) != 0 ||
        read_count(args[3], "grid", &grid) != 0 || read_count(args[4], "threads", &threads) != 0 ||
        read_int(args[5], "sum", &x->sum) != 0 || read_int(args[6], "convolution", &convolution) != 0 ||
        read_vec3(args[7], "center", &x->def.center) != 0 || read_length(args[8], "radius", &x->def.radius) != 0)
        return -1;
    x->def.grid = grid, x->def.threads = threads, x->def.convolution = convolution;
    x->a = (MeshObject *)Py_NewRef((PyObject *)a), x->b = (MeshObject *)Py_NewRef((PyObject *)b);
    return 0;
}

/* (a, b, pose, grid, threads, sum, convolution, center, radius) -> (Mesh, exact, step, ConvolutionMeasure) */
static PyObject *minkowski(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (expect_count("minkowski", count, 9) != 0) return NULL;
    Minkowski *x = abut_alloc(sizeof *x);
    if (!x) return PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    if (read_minkowski(args, x) != 0) return free_minkowski(x), NULL;
    if (run_or_leave(compute, free_minkowski, x, NULL) != 0) return NULL;
    PyObject *out = x->status != ABUT_OK
                        ? raise_error(&x->error)
                        : Py_BuildValue("(NNdN)", mesh_take(&x->mesh), PyBool_FromLong(x->report.exact), x->report.step,
                              record_new(&record_measure, &x->report.chain));
    free_minkowski(x);
    return out;
}

/* ---- convolutions ------------------------------------------------------------------------------------------------ */

typedef struct ConvolutionObject {
    PyObject_HEAD AbutConvolution *convolution;
    int busy;
} ConvolutionObject;

static PyTypeObject *convolution_type;

static void convolution_dealloc(PyObject *self) {
    abut_convolution_free(((ConvolutionObject *)self)->convolution);
    free_object(self);
}

static void free_meshes(void *user) {
    OfMeshes *x = user;
    if (x->out) x->drop(x->out);
    Py_XDECREF((PyObject *)x->a);
    Py_XDECREF((PyObject *)x->b);
    abut_free(x);
}

void *make_of_meshes(PyObject *const *args, void (*make)(void *), void (*drop)(void *)) {
    MeshObject *a = read_mesh(args[0], "a"), *b = a ? read_mesh(args[1], "b") : NULL;
    OfMeshes *x = b ? abut_alloc(sizeof *x) : NULL;
    if (!x) return b ? PyErr_NoMemory() : NULL;
    memset(x, 0, sizeof *x);
    x->a = (MeshObject *)Py_NewRef(args[0]), x->b = (MeshObject *)Py_NewRef(args[1]), x->drop = drop;
    if (run_or_leave(make, free_meshes, x, NULL) != 0) return NULL;
    void *out = x->status == ABUT_OK ? x->out : raise_error(&x->error);
    x->out = NULL;
    free_meshes(x);
    return out;
}

static void fold(void *user) {
    OfMeshes *x = user;
    AbutConvolution *out = NULL;
    x->status = abut_convolution_create(&x->a->mesh, &x->b->mesh, &out, &x->error);
    x->out = out;
}

static void drop_convolution(void *convolution) { abut_convolution_free(convolution); }

/* (mesh a, mesh b) */
static PyObject *convolution_new(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConvolution *out =
        expect_count("convolution_new", count, 2) == 0 ? make_of_meshes(args, fold, drop_convolution) : NULL;
    if (!out) return NULL;
    ConvolutionObject *self = PyObject_New(ConvolutionObject, convolution_type);
    if (!self) return abut_convolution_free(out), NULL;
    self->convolution = out, self->busy = 0;
    return (PyObject *)self;
}

/* The convolution of an argument with B at a pose; NULL with an exception. */
static ConvolutionObject *place(PyObject *value, PyObject *pose) {
    AbutPose b_in_a;
    if (!PyObject_TypeCheck(value, convolution_type))
        return PyErr_Format(PyExc_TypeError, "expected an abut.Convolution, got %R", value), NULL;
    ConvolutionObject *self = (ConvolutionObject *)value;
    if (self->busy) return raise_text(ABUT_ERROR_ARGUMENT, "this convolution is in use by another thread"), NULL;
    if (read_pose(pose, "pose", &b_in_a) != 0) return NULL;
    if (!abut_convolution_place(self->convolution, b_in_a))
        return raise_text(ABUT_ERROR_NUMBER, "pose: not finite, or a quaternion without length"), NULL;
    return self;
}

/* A question about a convolution, which is busy until it is answered; it may outlive the call of Python. */
typedef struct Folded {
    ConvolutionObject *self;
    AbutVec3 center;
    double radius, distance, width;
    int whole;
    FacetRow *rows;
    size_t count, capacity;
    int no_memory;
    AbutConvolutionMeasure measure;
    AbutKernelDirection kernel;
} Folded;

static void free_folded(void *user) {
    Folded *f = user;
    f->self->busy = 0;
    Py_DECREF((PyObject *)f->self);
    abut_free(f->rows);
    abut_free(f);
}

/* NULL with an exception. */
static Folded *open_folded(PyObject *value, PyObject *pose) {
    ConvolutionObject *self = place(value, pose);
    Folded *f = self ? abut_alloc(sizeof *f) : NULL;
    if (!f) return self ? (Folded *)PyErr_NoMemory() : NULL;
    memset(f, 0, sizeof *f);
    f->self = (ConvolutionObject *)Py_NewRef(value);
    self->busy = 1;
    return f;
}

static void add_facet(const AbutFacet *facet, void *user) {
    Folded *f = user;
    AbutFacetCorner corners[4];
    void *rows = f->rows;
    if (f->no_memory || !abut_grow(&rows, &f->capacity, f->count + 1, sizeof *f->rows)) {
        f->no_memory = 1;
        return;
    }
    f->rows = rows;
    FacetRow *row = &f->rows[f->count++];
    memset(row, 0, sizeof *row);
    row->kind = (int32_t)facet->kind, row->a = facet->a, row->b = facet->b, row->sign = facet->sign;
    row->normal = facet->normal;
    row->corner_count = abut_facet_corners(f->self->convolution, facet, corners);
    for (int i = 0; i < row->corner_count; ++i)
        row->corners[i] = corners[i].place, row->vertex_a[i] = corners[i].a, row->vertex_b[i] = corners[i].b;
}

static void list_facets(void *user) {
    Folded *f = user;
    abut_convolution_facets(f->self->convolution, f->center, f->radius, f->whole, add_facet, f);
}

/* (convolution, pose, center, radius, whole) -> array of Facet */
static PyObject *convolution_facets(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutVec3 center;
    double radius;
    int whole;
    Folded *f;
    if (expect_count("convolution_facets", count, 5) != 0 || read_vec3(args[2], "center", &center) != 0 ||
        read_length(args[3], "radius", &radius) != 0 || read_int(args[4], "whole", &whole) != 0 ||
        !(f = open_folded(args[0], args[1])))
        return NULL;
    f->center = center, f->radius = radius, f->whole = whole;
    if (run_or_leave(list_facets, free_folded, f, NULL) != 0) return NULL;
    PyObject *out = f->no_memory ? PyErr_NoMemory() : array_of_records(&record_facet, f->rows, f->count);
    free_folded(f);
    return out;
}

static void measure(void *user) {
    Folded *f = user;
    f->measure = abut_convolution_measure(f->self->convolution);
}

/* (convolution, pose) -> ConvolutionMeasure */
static PyObject *convolution_measure(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Folded *f = expect_count("convolution_measure", count, 2) == 0 ? open_folded(args[0], args[1]) : NULL;
    if (!f || run_or_leave(measure, free_folded, f, NULL) != 0) return NULL;
    PyObject *out = record_new(&record_measure, &f->measure);
    free_folded(f);
    return out;
}

static void average(void *user) {
    Folded *f = user;
    f->kernel = abut_kernel_direction(f->self->convolution, f->distance, f->width);
}

/* (convolution, pose, distance, width) -> KernelDirection */
static PyObject *kernel_direction(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    double distance, width;
    Folded *f;
    if (expect_count("kernel_direction", count, 4) != 0 || read_real(args[2], "distance", &distance) != 0 ||
        read_real(args[3], "width", &width) != 0)
        return NULL;
    if (!(width > 0.0) || !isfinite(width) || !isfinite(distance))
        return raise_text(ABUT_ERROR_ARGUMENT, "width: expected a length above 0, and a finite distance");
    if (!(f = open_folded(args[0], args[1]))) return NULL;
    f->distance = distance, f->width = width;
    if (run_or_leave(average, free_folded, f, NULL) != 0) return NULL;
    PyObject *out = record_new(&record_kernel, &f->kernel);
    free_folded(f);
    return out;
}

static PyType_Slot convolution_slots[] = {
    {Py_tp_dealloc, convolution_dealloc},
    {0, NULL},
};

static PyType_Spec convolution_spec = {"abut._abut.ConvolutionHandle", sizeof(ConvolutionObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, convolution_slots};

int add_convolution_type(PyObject *module) {
    convolution_type = add_type(module, &convolution_spec);
    return convolution_type ? 0 : -1;
}

PyMethodDef minkowski_functions[] = {
    FAST("minkowski", minkowski),
    FAST("convolution_new", convolution_new),
    FAST("convolution_facets", convolution_facets),
    FAST("convolution_measure", convolution_measure),
    FAST("kernel_direction", kernel_direction),
    {NULL, NULL, 0, NULL},
};
