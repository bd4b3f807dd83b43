/* SPDX-License-Identifier: Apache-2.0 */
/* Convex bodies as Python objects. In: a kind with its numbers, points, planes, or the bytes of a polyhedron. */
#include <string.h>

#include "bodies.h"
#include "interrupt.h"

PyTypeObject *convex_type;

static const char *const kinds[ABUT_CONVEX_KIND_COUNT] = {"point", "segment", "triangle", "box", "polyhedron",
    "support", "half_space", "cylinder", "cone", "ellipsoid", "plane"};

/* Bodies that no query would take are refused where they are made. */
static int is_valid(const AbutConvex *convex) {
    AbutConvex origin = abut_convex_point(abut_zero(), 0.0);
    return abut_convex_distance(convex, &origin, abut_pose_identity(), NULL, NULL).outcome != ABUT_INVALID;
}

/* `name` stands for it in messages. */
static PyObject *convex_make(AbutConvex convex, AbutPolyhedron *polyhedron, const char *name) {
    ConvexObject *self = NULL;
    if (is_valid(&convex))
        self = PyObject_New(ConvexObject, convex_type);
    else
        raise_text(ABUT_ERROR_ARGUMENT,
            "%s: expected sizes that are finite and not negative, up to 1e60, and a normal of unit length", name);
    if (!self) {
        abut_polyhedron_free(polyhedron);
        return NULL;
    }
    self->convex = convex;
    self->polyhedron = polyhedron;
    return (PyObject *)self;
}

PyObject *convex_of_polyhedron(AbutPolyhedron *polyhedron, double radius) {
    return convex_make(abut_convex_polyhedron(polyhedron, radius), polyhedron, "polyhedron");
}

PyObject *convex_copy(const AbutConvex *from) {
    AbutPolyhedron *copy = NULL;
    AbutConvex convex = *from;
    if (from->kind == ABUT_CONVEX_POLYHEDRON) {
        copy = abut_alloc((size_t)from->polyhedron->bytes);
        if (!copy) return PyErr_NoMemory();
        memcpy(copy, from->polyhedron, (size_t)from->polyhedron->bytes);
        convex.polyhedron = copy;
    }
    return convex_make(convex, copy, "body");
}

static void convex_dealloc(PyObject *self) {
    abut_polyhedron_free(((ConvexObject *)self)->polyhedron);
    free_object(self);
}

const AbutConvex *read_convex(PyObject *value, const char *name) {
    if (!PyObject_TypeCheck(value, convex_type))
        return PyErr_Format(PyExc_TypeError, "%s: expected an abut.Convex, got %R", name, value), NULL;
    return &((ConvexObject *)value)->convex;
}

/* ---- makers ------------------------------------------------------------------------------------------------------ */

/* (kind, numbers: nine, three points; radius; name in messages) */
static PyObject *convex_from_numbers(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConvex convex = {0};
    Doubles d;
    if (count != 3 && expect_count("convex_from_numbers", count, 4) != 0) return NULL;
    int kind = read_word(args[0], "kind", ABUT_CONVEX_KIND_COUNT, kinds);
    if (kind < 0 || read_real(args[2], "radius", &convex.radius) != 0 || read_vector(args[1], "numbers", 9, &d) != 0)
        return NULL;
    convex.kind = (AbutConvexKind)kind;
    memcpy(convex.p, d.data, sizeof convex.p);
    release_doubles(&d);
    if (kind == ABUT_CONVEX_POLYHEDRON || kind == ABUT_CONVEX_SUPPORT)
        return raise_text(ABUT_ERROR_ARGUMENT, "kind: '%s' has no numbers", kinds[kind]);
    const char *name = count == 4 ? read_text(args[3], "name") : kinds[kind];
    return name ? convex_make(convex, NULL, name) : NULL;
}

/* A polyhedron that is being made of points or planes; this may outlive the call of Python. */
typedef struct Hulling {
    Doubles numbers;
    AbutHullDef def;
    AbutPolyhedron *out;
    AbutStatus status;
    AbutError error;
} Hulling;

static void free_hulling(void *user) {
    Hulling *x = user;
    release_doubles(&x->numbers);
    abut_free(x->out);
    abut_free(x);
}

static void wrap_points(void *user) {
    Hulling *x = user;
    x->status = abut_polyhedron_from_points(
        (const AbutVec3 *)x->numbers.data, (int)x->numbers.shape[0], &x->def, &x->out, &x->error);
}

static void cut_planes(void *user) {
    Hulling *x = user;
    x->status =
        abut_polyhedron_from_planes((const AbutPlane *)x->numbers.data, (int)x->numbers.shape[0], &x->out, &x->error);
}

static PyObject *make_polyhedron(
    PyObject *rows, const char *name, int columns, AbutHullDef def, double radius, LongCall *call) {
    Hulling *x = abut_alloc(sizeof *x);
    if (!x) return PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    x->def = def;
    if (read_matrix(rows, name, -1, columns, &x->numbers) != 0) return abut_free(x), NULL;
    if (x->numbers.shape[0] > ABUT_MESH_LIMIT)
        return free_hulling(x), raise_text(ABUT_ERROR_LIMIT, "%s: more than %d", name, ABUT_MESH_LIMIT);
    if (run_or_leave(call, free_hulling, x, NULL) != 0) return NULL;
    PyObject *out = x->status == ABUT_OK ? convex_of_polyhedron(x->out, radius) : raise_error(&x->error);
    x->out = NULL;
    free_hulling(x);
    return out;
}

/* (points (n, 3), radius, solid, max_vertices) */
static PyObject *hull(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutHullDef def = {0};
    double radius;
    if (expect_count("hull", count, 4) != 0 || read_real(args[1], "radius", &radius) != 0 ||
        read_int(args[2], "solid", &def.solid_only) != 0 || read_int(args[3], "max_vertices", &def.max_vertices) != 0)
        return NULL;
    return make_polyhedron(args[0], "points", 3, def, radius, wrap_points);
}

/* (planes (n, 4): normal and offset, radius) */
static PyObject *from_planes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    double radius;
    if (expect_count("from_planes", count, 2) != 0 || read_real(args[1], "radius", &radius) != 0) return NULL;
    return make_polyhedron(args[0], "planes", 4, (AbutHullDef){0}, radius, cut_planes);
}

/* (name, count, a, b): "prism" and "cone" of sides, radius and height; "regular" of faces and radius. */
static PyObject *named_polyhedron(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    static const char *const names[] = {"prism", "cone", "regular"};
    AbutPolyhedron *out = NULL;
    AbutError error;
    int n;
    double a, b;
    if (expect_count("named_polyhedron", count, 4) != 0) return NULL;
    int which = read_word(args[0], "name", 3, names);
    if (which < 0 || read_int(args[1], which == 2 ? "faces" : "sides", &n) != 0 ||
        read_real(args[2], "radius", &a) != 0 || read_real(args[3], "height", &b) != 0)
        return NULL;
    AbutStatus status;
    UNLOCKED(status = which == 0   ? abut_polyhedron_prism(n, a, a, b, &out, &error)
                      : which == 1 ? abut_polyhedron_prism(n, a, 0.0, b, &out, &error)
                                   : abut_polyhedron_regular(n, a, &out, &error));
    return status == ABUT_OK ? convex_of_polyhedron(out, 0.0) : raise_error(&error);
}

/* (bytes, radius): what `block` gave. */
static PyObject *from_block(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutError error;
    const char *bytes;
    size_t size;
    double radius;
    if (expect_count("from_block", count, 2) != 0 || read_real(args[1], "radius", &radius) != 0 ||
        read_bytes(args[0], "block", &bytes, &size) != 0)
        return NULL;
    void *block = abut_alloc(size);
    if (!block) return PyErr_NoMemory();
    memcpy(block, bytes, size);
    AbutStatus status;
    UNLOCKED(status = abut_polyhedron_check(block, size, &error));
    if (status == ABUT_OK) return convex_of_polyhedron(block, radius);
    abut_free(block);
    return raise_error(&error);
}

PyMethodDef convex_functions[] = {
    FAST("convex_from_numbers", convex_from_numbers),
    FAST("hull", hull),
    FAST("from_planes", from_planes),
    FAST("named_polyhedron", named_polyhedron),
    FAST("from_block", from_block),
    {NULL, NULL, 0, NULL},
};

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static PyObject *get_kind(PyObject *self, void *closure) {
    (void)closure;
    return PyUnicode_FromString(kinds[((ConvexObject *)self)->convex.kind]);
}

static PyObject *get_radius(PyObject *self, void *closure) {
    (void)closure;
    return PyFloat_FromDouble(((ConvexObject *)self)->convex.radius);
}

static PyObject *get_numbers(PyObject *self, void *closure) {
    (void)closure;
    const Py_ssize_t nine = 9;
    return view_array(self, ((ConvexObject *)self)->convex.p, "d", sizeof(double), 1, &nine);
}

static const AbutPolyhedron *need_polyhedron(PyObject *self) {
    const AbutPolyhedron *p = ((ConvexObject *)self)->polyhedron;
    if (!p)
        raise_text(ABUT_ERROR_UNSUPPORTED, "a %s has no faces or vertices: to_mesh() makes some",
            kinds[((ConvexObject *)self)->convex.kind]);
    return p;
}

static PyObject *get_vertices(PyObject *self, void *closure) {
    (void)closure;
    const AbutPolyhedron *p = need_polyhedron(self);
    if (!p) return NULL;
    const Py_ssize_t shape[2] = {p->vertex_count, 3};
    return view_array(self, abut_polyhedron_vertices(p), "d", sizeof(double), 2, shape);
}

static PyObject *get_planes(PyObject *self, void *closure) {
    (void)closure;
    const AbutPolyhedron *p = need_polyhedron(self);
    NewArray out;
    if (!p) return NULL;
    const Py_ssize_t shape[2] = {p->face_count, 4};
    if (begin_array_of("f8", 2, shape, &out) != 0) return NULL;
    for (int i = 0; i < p->face_count; ++i) ((AbutPlane *)out.data)[i] = abut_polyhedron_faces(p)[i].plane;
    return end_array(&out);
}

static PyObject *get_faces(PyObject *self, void *closure) {
    (void)closure;
    const AbutPolyhedron *p = need_polyhedron(self);
    PyObject *list = p ? PyList_New(p->face_count) : NULL;
    for (int i = 0; list && i < p->face_count; ++i) {
        const AbutFace *face = &abut_polyhedron_faces(p)[i];
        PyObject *corners = PyTuple_New(face->count);
        for (int k = 0; corners && k < face->count; ++k)
            PyTuple_SetItem(corners, k, PyLong_FromLong(abut_polyhedron_half_edges(p)[face->first + k].origin));
        if (!corners)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, corners);
    }
    return list;
}

static PyObject *get_dimension(PyObject *self, void *closure) {
    (void)closure;
    const AbutPolyhedron *p = need_polyhedron(self);
    return p ? PyLong_FromLong(p->dimension) : NULL;
}

static PyGetSetDef convex_getset[] = {
    {"kind", get_kind, NULL, "'point', 'segment', 'triangle', 'box', 'polyhedron', 'half_space', ...", NULL},
    {"radius", get_radius, NULL, "radius of the ball that the body is rounded with, m", NULL},
    {"numbers", get_numbers, NULL, "(9,) the numbers of the kind: three points, sizes, or a plane", NULL},
    {"vertices", get_vertices, NULL, "(n, 3) vertices of a polyhedron, m", NULL},
    {"planes", get_planes, NULL, "(m, 4) outward unit normal and offset of each face", NULL},
    {"faces", get_faces, NULL, "list of tuples: vertices of each face, counter-clockwise", NULL},
    {"dimension", get_dimension, NULL, "3, or less for a flat polyhedron", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static PyObject *farthest(PyObject *self, PyObject *direction) {
    AbutVec3 v;
    if (read_vec3(direction, "direction", &v) != 0) return NULL;
    return array_of_vec3(abut_convex_farthest(&((ConvexObject *)self)->convex, v));
}

/* Mass of a body that has one; 0, or -1 with an exception. */
static int find_mass(const ConvexObject *self, AbutMass *out) {
    const AbutConvex *c = &self->convex;
    AbutError error;
    AbutStatus status = abut_convex_mass(c, out, &error);
    if (status == ABUT_ERROR_UNSUPPORTED)
        return raise_text(status, "the mass of a %s%s is not known", c->radius > 0.0 ? "rounded " : "", kinds[c->kind]),
               -1;
    return status == ABUT_OK ? 0 : (raise_error(&error), -1);
}

static PyObject *mass(PyObject *self, PyObject *unused) {
    (void)unused;
    AbutMass m;
    if (find_mass((ConvexObject *)self, &m) != 0) return NULL;
    const Py_ssize_t shape[2] = {3, 3};
    return Py_BuildValue(
        "(ddNN)", m.volume, m.area, array_of_vec3(m.centroid), array_of_doubles(&m.inertia.x.x, 2, shape));
}

/* The polyhedra inside and around, in so many directions. */
static PyObject *polyhedra(PyObject *self, PyObject *directions) {
    AbutPolyhedron *inside = NULL, *around = NULL;
    AbutError error;
    AbutStatus status;
    int n;
    if (read_int(directions, "directions", &n) != 0) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_convex_polyhedra(&((ConvexObject *)self)->convex, n, &inside, &around, &error);
    Py_END_ALLOW_THREADS;
    if (status != ABUT_OK) return raise_error(&error);
    PyObject *a = convex_of_polyhedron(inside, 0.0), *b = convex_of_polyhedron(around, 0.0);
    if (a && b) return Py_BuildValue("(NN)", a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return NULL;
}

static PyObject *faces_to_mesh(PyObject *self, PyObject *unused) {
    (void)unused;
    const AbutPolyhedron *p = need_polyhedron(self);
    AbutMesh out = {0};
    AbutError error;
    if (!p) return NULL;
    AbutStatus status;
    UNLOCKED(status = abut_polyhedron_to_mesh(p, &out, &error));
    return status == ABUT_OK ? mesh_take(&out) : raise_error(&error);
}

static PyObject *block(PyObject *self, PyObject *unused) {
    (void)unused;
    const AbutPolyhedron *p = need_polyhedron(self);
    return p ? PyBytes_FromStringAndSize((const char *)p, (Py_ssize_t)p->bytes) : NULL;
}

static PyMethodDef convex_methods[] = {
    {"farthest", farthest, METH_O, "farthest(direction): (3,) a point of the body farthest along a direction."},
    {"mass_properties", mass, METH_NOARGS,
        "mass_properties(): (volume, area, centroid (3,), inertia (3, 3) about the centroid) of density 1, SI units."},
    {"polyhedra", polyhedra, METH_O,
        "polyhedra(directions): the polyhedra inside and around the body; 0: 512 directions."},
    {"faces_to_mesh", faces_to_mesh, METH_NOARGS, "faces_to_mesh(): the faces of a polyhedron as triangles."},
    {"block", block, METH_NOARGS, "block(): the polyhedron as bytes."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot convex_slots[] = {
    {Py_tp_getset, convex_getset},
    {Py_tp_methods, convex_methods},
    {Py_tp_dealloc, convex_dealloc},
    {Py_tp_doc, "A convex body, possibly rounded by a ball. Immutable."},
    {0, NULL},
};

static PyType_Spec convex_spec = {
    "abut.Convex", sizeof(ConvexObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, convex_slots};

int add_convex_type(PyObject *module) {
    convex_type = add_type(module, &convex_spec);
    return convex_type ? 0 : -1;
}
