/* SPDX-License-Identifier: Apache-2.0 */
/* Soft directions: bodies made ready, and in which direction two of them part, at one pose of B in A or many. */
#include <string.h>

#include "bodies.h"
#include "interrupt.h"
#include "motions.h"
#include "records.h"
#include "rooms.h"

typedef struct SoftBodyObject {
    PyObject_HEAD AbutSoftBody *body;
} SoftBodyObject;

static PyTypeObject *soft_type;

static PyObject *soft_take(AbutSoftBody *body) {
    SoftBodyObject *self = PyObject_New(SoftBodyObject, soft_type);
    if (!self) return abut_soft_body_free(body), NULL;
    self->body = body;
    return (PyObject *)self;
}

static void soft_dealloc(PyObject *self) {
    abut_soft_body_free(((SoftBodyObject *)self)->body);
    free_object(self);
}

const AbutSoftBody *read_soft(PyObject *value, const char *name) {
    if (!PyObject_TypeCheck(value, soft_type))
        return PyErr_Format(PyExc_TypeError, "%s: expected an abut.SoftBody, got %R", name, value), NULL;
    return ((SoftBodyObject *)value)->body;
}

/* A body that is being made, which may outlive the call of Python. */
typedef struct Softening {
    MeshObject *mesh;
    AbutSoftBodyDef def;
    AbutSoftBody *out;
    AbutStatus status;
    AbutError error;
} Softening;

static void soften(void *user) {
    Softening *x = user;
    x->status = abut_soft_body_create(&x->mesh->mesh, &x->def, &x->out, &x->error);
}

static void free_softening(void *user) {
    Softening *x = user;
    abut_soft_body_free(x->out);
    Py_XDECREF((PyObject *)x->mesh);
    abut_free(x);
}

/* (mesh, tau, step, margin, threads) */
static PyObject *soft_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutSoftBodyDef def = {0};
    int threads;
    if (expect_count("soft_body", count, 5) != 0 || !read_mesh(args[0], "mesh") ||
        read_real(args[1], "tau", &def.tau) != 0 || read_real(args[2], "step", &def.step) != 0 ||
        read_real(args[3], "margin", &def.margin) != 0 || read_count(args[4], "threads", &threads) != 0)
        return NULL;
    Softening *x = abut_alloc(sizeof *x);
    if (!x) return PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    def.threads = threads;
    x->mesh = (MeshObject *)Py_NewRef(args[0]), x->def = def;
    if (run_or_leave(soften, free_softening, x, NULL) != 0) return NULL;
    PyObject *out = x->status == ABUT_OK ? soft_take(x->out) : raise_error(&x->error);
    x->out = NULL;
    free_softening(x);
    return out;
}

/* (bytes): what `block` gave */
static PyObject *soft_from_block(PyObject *module, PyObject *value) {
    (void)module;
    AbutError error;
    const char *bytes;
    size_t size;
    if (read_bytes(value, "block", &bytes, &size) != 0) return NULL;
    void *block = abut_alloc(size);
    if (!block) return PyErr_NoMemory();
    memcpy(block, bytes, size);
    AbutStatus status;
    UNLOCKED(status = abut_soft_body_check(block, size, &error));
    if (status == ABUT_OK) return soft_take(block);
    abut_free(block);
    return raise_error(&error);
}

/* (mesh a, mesh b) */
static PyObject *soft_tau(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    MeshObject *a, *b;
    if (expect_count("soft_tau", count, 2) != 0 || !(a = read_mesh(args[0], "a")) || !(b = read_mesh(args[1], "b")))
        return NULL;
    double tau;
    UNLOCKED(tau = abut_soft_tau(&a->mesh, &b->mesh));
    return PyFloat_FromDouble(tau);
}

typedef struct Directions {
    const AbutSoftBody *a, *b;
    AbutSoftDef def;
    const Poses *poses;
    AbutSoft *out;
    int no_memory;
} Directions;

static void ask_direction(Py_ssize_t i, void *user) {
    Directions *x = user;
    void *workspace = abut_alloc(abut_soft_size(x->a, x->b));
    if (workspace)
        x->out[i] = abut_soft_direction(x->a, x->b, get_pose(x->poses, i), &x->def, workspace);
    else
        x->no_memory = 1;
    abut_free(workspace);
}

static PyObject *one_direction(Directions *x) {
    AbutSoft answer;
    memset(&answer, 0, sizeof answer);
    x->out = &answer;
    Py_BEGIN_ALLOW_THREADS;
    ask_direction(0, x);
    Py_END_ALLOW_THREADS;
    return x->no_memory ? PyErr_NoMemory() : record_new(&record_soft, &answer);
}

static PyObject *many_directions(Directions *x, int threads) {
    NewArray out;
    if (begin_records(&record_soft, x->poses->count, &out) != 0) return NULL;
    memset(out.data, 0, (size_t)out.view.len);
    x->out = out.data;
    int status = ask_all(x->poses->count, threads, ask_direction, x);
    if (status == 0 && x->no_memory) status = (PyErr_NoMemory(), -1);
    if (status != 0) return cancel_array(&out), NULL;
    return end_array(&out);
}

/* (a, b, pose, tau, adaptive, threads) */
static PyObject *soft_direction(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Directions x;
    Poses poses;
    int threads, adaptive;
    memset(&x, 0, sizeof x);
    if (expect_count("soft_direction", count, 6) != 0 || !(x.a = read_soft(args[0], "a")) ||
        !(x.b = read_soft(args[1], "b")) || read_real(args[3], "tau", &x.def.tau) != 0 ||
        read_int(args[4], "adaptive", &adaptive) != 0 || read_count(args[5], "threads", &threads) != 0 ||
        read_poses(args[2], "pose", &poses) != 0)
        return NULL;
    x.def.adaptive = adaptive, x.poses = &poses;
    PyObject *out = poses.batch ? many_directions(&x, threads) : one_direction(&x);
    release_poses(&poses);
    return out;
}

/* (b, SoftDirection at `from`, from, to) -> radians */
static PyObject *soft_turn_bound(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutSoftBody *b;
    const AbutSoft *soft;
    AbutPose from, to;
    if (expect_count("soft_turn_bound", count, 4) != 0 || !(b = read_soft(args[0], "b")) ||
        !(soft = record_data(&record_soft, args[1], "soft")) || read_pose(args[2], "start", &from) != 0 ||
        read_pose(args[3], "end", &to) != 0)
        return NULL;
    return PyFloat_FromDouble(abut_soft_turn_bound(b, soft, from, NULL, to));
}

/* (b, first, from, last, to) -> radians */
static PyObject *soft_turn_between(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutSoftBody *b;
    const AbutSoft *first, *last;
    AbutPose from, to;
    if (expect_count("soft_turn_between", count, 5) != 0 || !(b = read_soft(args[0], "b")) ||
        !(first = record_data(&record_soft, args[1], "first")) || read_pose(args[2], "start", &from) != 0 ||
        !(last = record_data(&record_soft, args[3], "last")) || read_pose(args[4], "end", &to) != 0)
        return NULL;
    return PyFloat_FromDouble(abut_soft_turn_bound(b, first, from, last, to));
}

/* (mesh, tau, step, margin) -> number */
static PyObject *soft_source(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutSoftBodyDef def = {0};
    MeshObject *mesh;
    if (expect_count("soft_source", count, 4) != 0 || !(mesh = read_mesh(args[0], "mesh")) ||
        read_real(args[1], "tau", &def.tau) != 0 || read_real(args[2], "step", &def.step) != 0 ||
        read_real(args[3], "margin", &def.margin) != 0)
        return NULL;
    uint64_t source;
    UNLOCKED(source = abut_soft_body_source(&mesh->mesh, &def));
    return PyLong_FromUnsignedLongLong(source);
}

/* (u, v) -> radians */
static PyObject *angle_between(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutVec3 u, v;
    if (expect_count("angle_between", count, 2) != 0 || read_vec3(args[0], "u", &u) != 0 ||
        read_vec3(args[1], "v", &v) != 0)
        return NULL;
    return PyFloat_FromDouble(abut_angle_between(u, v));
}

/* A SoftBody, which has samples, or a Convex, which has none. */
static int read_pressing(PyObject *value, const char *name, AbutPressureBody *out) {
    *out = (AbutPressureBody){0};
    if (PyObject_TypeCheck(value, convex_type))
        out->solid = &((ConvexObject *)value)->convex;
    else
        out->surface = read_soft(value, name);
    return out->solid || out->surface ? 0 : -1;
}

/* (a, b, pose, pressure, reach, power, derivative) -> (Pressure, points (n, 11)) */
static PyObject *pressure_force(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPressureBody a, b;
    AbutPressureDef def = {0};
    AbutPressure out;
    AbutPose pose;
    int power, derivative;
    if (expect_count("pressure_force", count, 7) != 0 || read_pressing(args[0], "a", &a) != 0 ||
        read_pressing(args[1], "b", &b) != 0 || read_pose(args[2], "pose", &pose) != 0 ||
        read_real(args[3], "pressure", &def.pressure) != 0 || read_real(args[4], "reach", &def.reach) != 0 ||
        read_int(args[5], "power", &power) != 0 || read_int(args[6], "derivative", &derivative) != 0)
        return NULL;
    def.power = power, def.derivative = derivative;
    memset(&out, 0, sizeof out);
    Py_BEGIN_ALLOW_THREADS;
    out = abut_pressure_force(a, b, pose, &def);
    Py_END_ALLOW_THREADS;
    const Py_ssize_t shape[2] = {out.valid ? out.point_count : 0, sizeof out.point[0] / sizeof(double)};
    return Py_BuildValue("(NN)", record_new(&record_pressure, &out), array_of_doubles(&out.point[0].place.x, 2, shape));
}

/* (SoftDirection, stiffness, reach) -> (energy, force, torque) */
static PyObject *soft_potential(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutSoft *soft;
    double stiffness, reach;
    if (expect_count("soft_potential", count, 3) != 0 || !(soft = record_data(&record_soft, args[0], "soft")) ||
        read_real(args[1], "stiffness", &stiffness) != 0 || read_real(args[2], "reach", &reach) != 0)
        return NULL;
    AbutVec3 force, torque;
    double energy = abut_soft_potential(soft, stiffness, reach, &force, &torque);
    return Py_BuildValue("(dNN)", energy, array_of_vec3(force), array_of_vec3(torque));
}

PyMethodDef direction_functions[] = {
    FAST("soft_body", soft_body),
    {"soft_from_block", soft_from_block, METH_O, NULL},
    FAST("soft_tau", soft_tau),
    FAST("soft_direction", soft_direction),
    FAST("soft_turn_bound", soft_turn_bound),
    FAST("soft_turn_between", soft_turn_between),
    FAST("soft_source", soft_source),
    FAST("angle_between", angle_between),
    FAST("pressure_force", pressure_force),
    FAST("soft_potential", soft_potential),
    {NULL, NULL, 0, NULL},
};

static PyObject *block(PyObject *self, PyObject *unused) {
    (void)unused;
    const AbutSoftBody *body = ((SoftBodyObject *)self)->body;
    return PyBytes_FromStringAndSize((const char *)body, (Py_ssize_t)body->bytes);
}

/* field(point): (signed distance, gradient (3,)) */
static PyObject *field(PyObject *self, PyObject *value) {
    AbutVec3 point, gradient;
    if (read_vec3(value, "point", &point) != 0) return NULL;
    double distance = abut_soft_field(((SoftBodyObject *)self)->body, point, &gradient);
    return Py_BuildValue("(dN)", distance, array_of_vec3(gradient));
}

static PyObject *get_tau(PyObject *self, void *closure) {
    (void)closure;
    return PyFloat_FromDouble(((SoftBodyObject *)self)->body->tau);
}

static PyObject *get_source(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromUnsignedLongLong(((SoftBodyObject *)self)->body->source);
}

static PyGetSetDef soft_getset[] = {
    {"source", get_source, NULL, "number of the mesh and the settings it was made of, as soft_source gives it", NULL},
    {"tau", get_tau, NULL, "smoothing length, m", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef soft_methods[] = {
    {"block", block, METH_NOARGS, "block(): the body as bytes."},
    {"field", field, METH_O, "field(point): (signed distance, m, smoothed; gradient (3,)) at a point of its frame."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot soft_slots[] = {
    {Py_tp_getset, soft_getset},
    {Py_tp_methods, soft_methods},
    {Py_tp_dealloc, soft_dealloc},
    {0, NULL},
};

static PyType_Spec soft_spec = {
    "abut.SoftBody", sizeof(SoftBodyObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, soft_slots};

int add_soft_type(PyObject *module) {
    soft_type = add_type(module, &soft_spec);
    return soft_type ? 0 : -1;
}
