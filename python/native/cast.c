/* SPDX-License-Identifier: Apache-2.0 */
/* Rays and moved bodies against a set of bodies; nearest points. One question or many. */
#include <limits.h>
#include <string.h>

#include "bodies.h"
#include "casts.h"
#include "records.h"

/* ---- sets of bodies ---------------------------------------------------------------------------------------------- */

typedef struct BodySetObject {
    PyObject_HEAD AbutBodySet set;
    AbutPlaced *placed;
    AbutBodyTree *tree;
    PyObject *bodies; /* the list, which keeps them alive */
} BodySetObject;

static PyTypeObject *body_set_type;

static void body_set_dealloc(PyObject *self) {
    BodySetObject *object = (BodySetObject *)self;
    abut_body_tree_free(object->tree);
    abut_free(object->placed);
    Py_XDECREF(object->bodies);
    free_object(self);
}

/* The bodies of a list at the poses of another; 0, or -1 with an exception. */
static int read_placed(PyObject *bodies, PyObject *poses, AbutPlaced *out) {
    for (Py_ssize_t i = 0; i < PyList_Size(bodies); ++i)
        if (read_solid(PyList_GetItem(bodies, i), "bodies", &out[i].solid) != 0 ||
            read_pose(PyList_GetItem(poses, i), "pose", &out[i].pose) != 0)
            return -1;
    return 0;
}

/* (list of bodies, list of poses, with a tree: 0 or 1) */
static PyObject *body_set(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutError error;
    int with_tree;
    if (expect_count("body_set", count, 3) != 0 || read_int(args[2], "tree", &with_tree) != 0) return NULL;
    Py_ssize_t n = PyList_Check(args[0]) && PyList_Check(args[1]) ? PyList_Size(args[0]) : -1;
    if (n < 0 || PyList_Size(args[1]) != n || n > INT_MAX)
        return PyErr_Format(PyExc_TypeError, "bodies: expected two lists of one length");
    BodySetObject *self = PyObject_New(BodySetObject, body_set_type);
    if (!self) return NULL;
    self->placed = abut_alloc_array((size_t)n, sizeof *self->placed);
    self->tree = NULL, self->bodies = PyList_AsTuple(args[0]);
    AbutStatus status = ABUT_OK;
    int bad = !self->placed ? (PyErr_NoMemory(), 1) : read_placed(args[0], args[1], self->placed) != 0;
    if (!bad && with_tree) UNLOCKED(status = abut_body_tree_create((int32_t)n, self->placed, &self->tree, &error));
    self->set = (AbutBodySet){.count = (int32_t)n, .bodies = self->placed, .tree = self->tree};
    if (!bad && self->bodies && status == ABUT_OK) return (PyObject *)self;
    if (status != ABUT_OK) raise_error(&error);
    Py_DECREF((PyObject *)self);
    return NULL;
}

static const AbutBodySet *read_set(PyObject *value) {
    if (!PyObject_TypeCheck(value, body_set_type))
        return PyErr_Format(PyExc_TypeError, "bodies: expected an abut.BodySet, got %R", value), NULL;
    return &((BodySetObject *)value)->set;
}

static PyType_Slot body_set_slots[] = {
    {Py_tp_dealloc, body_set_dealloc},
    {0, NULL},
};

static PyType_Spec body_set_spec = {"abut._abut.BodySetHandle", sizeof(BodySetObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, body_set_slots};

int add_body_set_type(PyObject *module) {
    body_set_type = add_type(module, &body_set_spec);
    return body_set_type ? 0 : -1;
}

/* ---- many rays --------------------------------------------------------------------------------------------------- */

static int check_rows(Doubles *d, const char *name) {
    if ((d->dimensions == 1 && d->shape[0] == 3) || (d->dimensions == 2 && d->shape[1] == 3)) return 0;
    return fail_shape(name, "shape (3,) or (n, 3)", d);
}

void release_rays(Rays *rays) {
    release_doubles(&rays->origin);
    release_doubles(&rays->way);
}

int read_rays(PyObject *origin, const char *name, PyObject *way, Rays *out) {
    out->origin.has_view = out->way.has_view = 0;
    if (read_doubles(origin, name, &out->origin) != 0 || read_doubles(way, "way", &out->way) != 0)
        return release_rays(out), -1;
    if (check_rows(&out->origin, name) != 0 || check_rows(&out->way, "way") != 0) return release_rays(out), -1;
    Py_ssize_t a = out->origin.dimensions == 2 ? out->origin.shape[0] : -1;
    Py_ssize_t b = out->way.dimensions == 2 ? out->way.shape[0] : -1;
    out->batch = a >= 0 || b >= 0;
    out->count = a >= 0 ? a : b >= 0 ? b : 1;
    if (a < 0 || b < 0 || a == b) return 0;
    raise_text(ABUT_ERROR_ARGUMENT, "way: expected %zd rows, as many as of %s, got %zd", a, name, b);
    return release_rays(out), -1;
}

static AbutVec3 row_of(const Doubles *d, Py_ssize_t i) {
    const double *x = d->data + (d->dimensions == 2 ? 3 * i : 0);
    return abut_vec3(x[0], x[1], x[2]);
}

AbutRay get_ray(const Rays *rays, Py_ssize_t i) { return (AbutRay){row_of(&rays->origin, i), row_of(&rays->way, i)}; }

typedef struct Casts {
    const AbutBodySet *set;
    const Rays *rays;
    const AbutPlaced *moved; /* NULL: rays */
    double tolerance;
    int nearest; /* 1: nearest points of the origins */
    char *out;
} Casts;

static void ask_cast(Py_ssize_t i, void *user) {
    Casts *c = user;
    AbutRay ray = get_ray(c->rays, i);
    AbutCast cast = {ray, c->moved, c->tolerance};
    if (c->nearest)
        abut_nearest_point_batch(c->set, 1, &ray.origin, (AbutNearestPoint *)(void *)c->out + i, 1);
    else
        abut_cast_batch(c->set, 1, &cast, (AbutCastHit *)(void *)c->out + i, 1);
}

static PyObject *cast_one(Casts *c, const Record *record) {
    union {
        AbutCastHit hit;
        AbutNearestPoint nearest;
    } answer;
    memset(&answer, 0, sizeof answer);
    c->out = (char *)&answer;
    Py_BEGIN_ALLOW_THREADS;
    ask_cast(0, c);
    Py_END_ALLOW_THREADS;
    return record_new(record, &answer);
}

static PyObject *cast_many(Casts *c, const Record *record, int threads) {
    NewArray out;
    if (begin_records(record, c->rays->count, &out) != 0) return NULL;
    memset(out.data, 0, (size_t)out.view.len);
    c->out = out.data;
    if (ask_all(c->rays->count, threads, ask_cast, c) != 0) return cancel_array(&out), NULL;
    return end_array(&out);
}

static PyObject *cast_run(PyObject *set, Casts *c, PyObject *origin, PyObject *way, int threads) {
    Rays rays;
    const Record *record = c->nearest ? &record_nearest : &record_cast;
    c->set = read_set(set);
    if (!c->set || read_rays(origin, c->nearest ? "points" : c->moved ? "way" : "origin", way, &rays) != 0) return NULL;
    c->rays = &rays;
    PyObject *out = rays.batch ? cast_many(c, record, threads) : cast_one(c, record);
    release_rays(&rays);
    return out;
}

/* (set, origin, way, threads) */
static PyObject *cast_ray(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Casts c = {0};
    int threads;
    if (expect_count("cast_ray", count, 4) != 0 || read_count(args[3], "threads", &threads) != 0) return NULL;
    return cast_run(args[0], &c, args[1], args[2], threads);
}

/* (set, points, threads) */
static PyObject *nearest_point(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Casts c = {.nearest = 1};
    int threads;
    if (expect_count("nearest_point", count, 3) != 0 || read_count(args[2], "threads", &threads) != 0) return NULL;
    return cast_run(args[0], &c, args[1], args[1], threads);
}

/* (set, moved, pose of moved, way, tolerance, threads) */
static PyObject *cast_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Casts c = {0};
    AbutPlaced moved = {0};
    int threads;
    if (expect_count("cast_body", count, 6) != 0 || read_solid(args[1], "moved", &moved.solid) != 0 ||
        read_pose(args[2], "pose", &moved.pose) != 0 || read_length(args[4], "tolerance", &c.tolerance) != 0 ||
        read_count(args[5], "threads", &threads) != 0)
        return NULL;
    c.moved = &moved;
    return cast_run(args[0], &c, args[3], args[3], threads);
}

/* ---- all hits ---------------------------------------------------------------------------------------------------- */

/* (set, origin, way, moved or None, pose of moved, tolerance) -> array of CastHit */
static PyObject *cast_all(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutBodySet *set;
    AbutCast cast = {0};
    AbutPlaced moved = {0};
    NewArray out;
    if (expect_count("cast_all", count, 6) != 0 || read_vec3(args[1], "origin", &cast.ray.origin) != 0 ||
        read_vec3(args[2], "way", &cast.ray.way) != 0 ||
        (args[3] != Py_None && read_solid(args[3], "moved", &moved.solid) != 0) ||
        read_pose(args[4], "pose", &moved.pose) != 0 || read_length(args[5], "tolerance", &cast.tolerance) != 0 ||
        !(set = read_set(args[0])) || begin_records(&record_cast, set->count, &out) != 0)
        return NULL;
    cast.moved = args[3] == Py_None ? NULL : &moved;
    int32_t found;
    Py_BEGIN_ALLOW_THREADS;
    memset(out.data, 0, (size_t)out.view.len);
    found = abut_cast_all(set, &cast, set->count, out.data);
    Py_END_ALLOW_THREADS;
    if (found < 0) return cancel_array(&out), raise_text(ABUT_ERROR_NUMBER, "a body, a pose or the ray is invalid");
    return Py_BuildValue("(Ni)", end_array(&out), (int)found);
}

PyMethodDef cast_functions[] = {
    FAST("body_set", body_set),
    FAST("cast_ray", cast_ray),
    FAST("cast_body", cast_body),
    FAST("nearest_point", nearest_point),
    FAST("cast_all", cast_all),
    {NULL, NULL, 0, NULL},
};
