/* SPDX-License-Identifier: Apache-2.0 */
/* Minkowski differences and sums as meshes; the convolution behind them; the Phong distance; cases to compare on. */
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

static void compute(void *user)
{
    Minkowski *x = user;
    x->status = (x->sum ? abut_minkowski_sum : abut_minkowski_difference)(
        &x->a->mesh, &x->b->mesh, x->pose, &x->def, &x->mesh, &x->report, &x->error);
}

static void free_minkowski(void *user)
{
    Minkowski *x = user;
    abut_mesh_free(&x->mesh);
    Py_XDECREF((PyObject *)x->a);
    Py_XDECREF((PyObject *)x->b);
    abut_free(x);
}

/* The arguments of minkowski; 0, or -1 with an exception. */
static int read_minkowski(PyObject *const *args, Minkowski *x)
{
    MeshObject *a, *b;
    int grid, threads;
    if (!(a = read_mesh(args[0], "a")) || !(b = read_mesh(args[1], "b")) || read_pose(args[2], "pose", &x->pose) != 0 ||
        read_int(args[3], "grid", &grid) != 0 || read_count(args[4], "threads", &threads) != 0 ||
        read_int(args[5], "sum", &x->sum) != 0)
        return -1;
    x->def.grid = grid, x->def.threads = threads;
    x->a = (MeshObject *)Py_NewRef((PyObject *)a), x->b = (MeshObject *)Py_NewRef((PyObject *)b);
    return 0;
}

/* (a, b, pose, grid, threads, sum) -> (Mesh, exact, step) */
static PyObject *minkowski(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (expect_count("minkowski", count, 6) != 0)
        return NULL;
    Minkowski *x = abut_alloc(sizeof *x);
    if (!x)
        return PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    if (read_minkowski(args, x) != 0)
        return free_minkowski(x), NULL;
    if (run_or_leave(compute, free_minkowski, x) != 0)
        return NULL;
    PyObject *out = x->status != ABUT_OK
                        ? raise_error(&x->error)
                        : Py_BuildValue("(NNd)", mesh_take(&x->mesh), PyBool_FromLong(x->report.exact), x->report.step);
    free_minkowski(x);
    return out;
}

/* ---- convolutions ------------------------------------------------------------------------------------------------ */

typedef struct ConvolutionObject {
    PyObject_HEAD AbutConvolution *convolution;
    int busy;
} ConvolutionObject;

static PyTypeObject *convolution_type;

static void convolution_dealloc(PyObject *self)
{
    abut_convolution_free(((ConvolutionObject *)self)->convolution);
    free_object(self);
}

/* (mesh a, mesh b) */
static PyObject *convolution_new(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutConvolution *out = NULL;
    AbutError error;
    AbutStatus status;
    MeshObject *a, *b;
    if (expect_count("convolution_new", count, 2) != 0 || !(a = read_mesh(args[0], "a")) ||
        !(b = read_mesh(args[1], "b")))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_convolution_create(&a->mesh, &b->mesh, &out, &error);
    Py_END_ALLOW_THREADS;
    if (status != ABUT_OK)
        return raise_error(&error);
    ConvolutionObject *self = PyObject_New(ConvolutionObject, convolution_type);
    if (!self)
        return abut_convolution_free(out), NULL;
    self->convolution = out, self->busy = 0;
    return (PyObject *)self;
}

/* The convolution of an argument with B at a pose; NULL with an exception. */
static ConvolutionObject *place(PyObject *value, PyObject *pose)
{
    AbutPose b_in_a;
    if (!PyObject_TypeCheck(value, convolution_type))
        return PyErr_Format(PyExc_TypeError, "expected an abut.Convolution, got %R", value), NULL;
    ConvolutionObject *self = (ConvolutionObject *)value;
    if (self->busy)
        return raise_text(ABUT_ERROR_ARGUMENT, "this convolution is in use by another thread"), NULL;
    if (read_pose(pose, "pose", &b_in_a) != 0)
        return NULL;
    if (!abut_convolution_place(self->convolution, b_in_a))
        return raise_text(ABUT_ERROR_NUMBER, "pose: not finite, or a quaternion without length"), NULL;
    return self;
}

typedef struct Facets {
    const AbutConvolution *convolution;
    FacetRow *rows;
    size_t count, capacity;
    int no_memory;
} Facets;

static void add_facet(const AbutFacet *facet, void *user)
{
    Facets *f = user;
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
    row->corner_count = abut_facet_corners(f->convolution, facet, corners);
    for (int i = 0; i < row->corner_count; ++i)
        row->corners[i] = corners[i].place, row->vertex_a[i] = corners[i].a, row->vertex_b[i] = corners[i].b;
}

/* (convolution, pose, center, radius, whole) -> array of Facet */
static PyObject *convolution_facets(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    Facets f = {0};
    ConvolutionObject *self;
    AbutVec3 center;
    double radius;
    int whole;
    if (expect_count("convolution_facets", count, 5) != 0 || read_vec3(args[2], "center", &center) != 0 ||
        read_length(args[3], "radius", &radius) != 0 || read_int(args[4], "whole", &whole) != 0 ||
        !(self = place(args[0], args[1])))
        return NULL;
    f.convolution = self->convolution;
    self->busy = 1;
    Py_BEGIN_ALLOW_THREADS;
    abut_convolution_facets(self->convolution, center, radius, whole, add_facet, &f);
    Py_END_ALLOW_THREADS;
    self->busy = 0;
    PyObject *out = f.no_memory ? PyErr_NoMemory() : array_of_records(&record_facet, f.rows, f.count);
    abut_free(f.rows);
    return out;
}

/* (convolution, pose) -> ConvolutionMeasure */
static PyObject *convolution_measure(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    ConvolutionObject *self;
    AbutConvolutionMeasure out;
    if (expect_count("convolution_measure", count, 2) != 0 || !(self = place(args[0], args[1])))
        return NULL;
    self->busy = 1;
    Py_BEGIN_ALLOW_THREADS;
    out = abut_convolution_measure(self->convolution);
    Py_END_ALLOW_THREADS;
    self->busy = 0;
    return record_new(&record_measure, &out);
}

/* (convolution, pose, distance, width) -> KernelDirection */
static PyObject *kernel_direction(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    ConvolutionObject *self;
    AbutKernelDirection out;
    double distance, width;
    if (expect_count("kernel_direction", count, 4) != 0 || read_real(args[2], "distance", &distance) != 0 ||
        read_real(args[3], "width", &width) != 0 || !(self = place(args[0], args[1])))
        return NULL;
    if (!(width > 0.0) || !isfinite(width) || !isfinite(distance))
        return raise_text(ABUT_ERROR_ARGUMENT, "width: expected a length above 0, and a finite distance");
    self->busy = 1;
    Py_BEGIN_ALLOW_THREADS;
    out = abut_kernel_direction(self->convolution, distance, width);
    Py_END_ALLOW_THREADS;
    self->busy = 0;
    return record_new(&record_kernel, &out);
}

static PyType_Slot convolution_slots[] = {
    {Py_tp_dealloc, convolution_dealloc},
    {0, NULL},
};

static PyType_Spec convolution_spec = {"abut._abut.ConvolutionHandle", sizeof(ConvolutionObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, convolution_slots};

/* ---- Phong distance ---------------------------------------------------------------------------------------------- */

typedef struct PhongObject {
    PyObject_HEAD AbutPhong *phong;
    int busy;
} PhongObject;

static PyTypeObject *phong_type;

static void phong_dealloc(PyObject *self)
{
    abut_phong_free(((PhongObject *)self)->phong);
    free_object(self);
}

static PhongObject *read_phong(PyObject *value)
{
    if (!PyObject_TypeCheck(value, phong_type))
        return PyErr_Format(PyExc_TypeError, "expected an abut.Phong, got %R", value), NULL;
    if (((PhongObject *)value)->busy)
        return raise_text(ABUT_ERROR_ARGUMENT, "this Phong distance is in use by another thread"), NULL;
    return (PhongObject *)value;
}

/* (mesh a, mesh b) */
static PyObject *phong_new(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutPhong *out = NULL;
    AbutError error;
    AbutStatus status;
    MeshObject *a, *b;
    if (expect_count("phong_new", count, 2) != 0 || !(a = read_mesh(args[0], "a")) || !(b = read_mesh(args[1], "b")))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_phong_create(&a->mesh, &b->mesh, &out, &error);
    Py_END_ALLOW_THREADS;
    if (status != ABUT_OK)
        return raise_error(&error);
    PhongObject *self = PyObject_New(PhongObject, phong_type);
    if (!self)
        return abut_phong_free(out), NULL;
    self->phong = out, self->busy = 0;
    return (PyObject *)self;
}

typedef struct Path {
    AbutPhong *phong;
    AbutPhongDef def;
    const Poses *poses;
    AbutPhongDistance *out;
} Path;

static void ask_phong(Py_ssize_t i, void *user)
{
    Path *path = user;
    path->out[i] = abut_phong_distance(path->phong, get_pose(path->poses, i), &path->def);
}

/* (phong, pose or poses in order, least, literal) -> PhongDistance or an array */
static PyObject *phong_distance(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    PhongObject *self;
    Poses poses;
    Path path = {0};
    AbutPhongDistance one;
    NewArray out;
    int least, literal;
    if (expect_count("phong_distance", count, 4) != 0 || !(self = read_phong(args[0])) ||
        read_int(args[2], "least", &least) != 0 || read_int(args[3], "literal", &literal) != 0 ||
        read_poses(args[1], "pose", &poses) != 0)
        return NULL;
    path.phong = self->phong, path.poses = &poses;
    path.def.mode = least ? ABUT_PHONG_LEAST : ABUT_PHONG_TRACK, path.def.literal = literal;
    if (poses.batch && begin_records(&record_phong, poses.count, &out) != 0)
        return release_poses(&poses), NULL;
    path.out = poses.batch ? out.data : &one;
    self->busy = 1;
    int status = ask_all(poses.count, 1, ask_phong, &path); /* one after the other: each starts from the last */
    self->busy = 0;
    release_poses(&poses);
    if (!poses.batch)
        return status == 0 ? record_new(&record_phong, &one) : NULL;
    return status == 0 ? end_array(&out) : (cancel_array(&out), NULL);
}

static PyObject *phong_restart(PyObject *module, PyObject *value)
{
    (void)module;
    PhongObject *self = read_phong(value);
    if (!self)
        return NULL;
    abut_phong_restart(self->phong);
    Py_RETURN_NONE;
}

static PyType_Slot phong_slots[] = {
    {Py_tp_dealloc, phong_dealloc},
    {0, NULL},
};

static PyType_Spec phong_spec = {"abut._abut.PhongHandle", sizeof(PhongObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, phong_slots};

int add_minkowski_types(PyObject *module)
{
    convolution_type = add_type(module, &convolution_spec);
    phong_type = add_type(module, &phong_spec);
    return convolution_type && phong_type ? 0 : -1;
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

/* [(name, summary, tau)] */
static PyObject *direction_cases(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    int count;
    const AbutDirectionCase *cases = abut_direction_cases(&count);
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; ++i)
        PyList_SetItem(list, i, Py_BuildValue("(ssd)", cases[i].name, cases[i].summary, cases[i].tau));
    return list;
}

/* The number of a case, in range. */
static int read_case(PyObject *value, int *out)
{
    int count;
    abut_direction_cases(&count);
    if (read_int(value, "case", out) != 0)
        return -1;
    if (*out >= 0 && *out < count)
        return 0;
    raise_text(ABUT_ERROR_ARGUMENT, "case: expected 0 to %d, got %d", count - 1, *out);
    return -1;
}

/* (number) -> (Mesh, Mesh) */
static PyObject *direction_case_meshes(PyObject *module, PyObject *value)
{
    (void)module;
    AbutMesh a = {0}, b = {0};
    AbutError error;
    int number;
    if (read_case(value, &number) != 0)
        return NULL;
    if (abut_direction_case_meshes(number, &a, &b, &error) != ABUT_OK)
        return raise_error(&error);
    return Py_BuildValue("(NN)", mesh_take(&a), mesh_take(&b));
}

/* (number, t) -> pose (7,), or (n, 7) */
static PyObject *direction_case_pose(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    Doubles t;
    NewArray out;
    int number;
    if (expect_count("direction_case_pose", count, 2) != 0 || read_case(args[0], &number) != 0 ||
        read_doubles(args[1], "t", &t) != 0)
        return NULL;
    const Py_ssize_t shape[2] = {t.count, 7};
    int fits = t.dimensions <= 1;
    for (Py_ssize_t i = 0; i < t.count && fits; ++i)
        fits = t.data[i] >= 0.0 && t.data[i] <= 1.0;
    if (!fits)
        raise_text(ABUT_ERROR_ARGUMENT, "t: expected a number from 0 to 1, or shape (n,) of such");
    if (!fits || begin_array_of("f8", t.dimensions + 1, t.dimensions ? shape : shape + 1, &out) != 0)
        return release_doubles(&t), NULL;
    for (Py_ssize_t i = 0; i < t.count; ++i)
        write_pose(abut_direction_case_pose(number, t.data[i]), (double *)out.data + 7 * i);
    release_doubles(&t);
    return end_array(&out);
}

PyMethodDef minkowski_functions[] = {
    FAST("minkowski", minkowski),
    FAST("convolution_new", convolution_new),
    FAST("convolution_facets", convolution_facets),
    FAST("convolution_measure", convolution_measure),
    FAST("kernel_direction", kernel_direction),
    FAST("phong_new", phong_new),
    FAST("phong_distance", phong_distance),
    {"phong_restart", phong_restart, METH_O, NULL},
    PLAIN("direction_cases", direction_cases),
    {"direction_case_meshes", direction_case_meshes, METH_O, NULL},
    FAST("direction_case_pose", direction_case_pose),
    {NULL, NULL, 0, NULL},
};
