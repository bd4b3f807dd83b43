/* SPDX-License-Identifier: Apache-2.0 */
/* Triangle meshes as Python objects: made from arrays, files or by name; the tree of the queries is made when first
 * needed, once. */
#include <limits.h>
#include <string.h>

#include "bodies.h"
#include "interrupt.h"
#include "records.h"

PyTypeObject *mesh_type;

PyObject *mesh_take(AbutMesh *mesh) {
    MeshObject *self = PyObject_New(MeshObject, mesh_type);
    if (!self) return abut_mesh_free(mesh), NULL;
    self->mesh = *mesh;
    self->tree = NULL;
    self->core = NULL;
    memset(mesh, 0, sizeof *mesh);
    return (PyObject *)self;
}

static void mesh_dealloc(PyObject *self) {
    MeshObject *mesh = (MeshObject *)self;
    abut_mesh_tree_free(mesh->tree);
    abut_free(mesh->core);
    abut_mesh_free(&mesh->mesh);
    free_object(self);
}

MeshObject *read_mesh(PyObject *value, const char *name) {
    if (!PyObject_TypeCheck(value, mesh_type))
        return PyErr_Format(PyExc_TypeError, "%s: expected an abut.Mesh, got %R", name, value), NULL;
    return (MeshObject *)value;
}

int read_body(PyObject *value, const char *name, Body *out) {
    memset(out, 0, sizeof *out);
    if (PyObject_TypeCheck(value, convex_type)) {
        out->convex = &((ConvexObject *)value)->convex;
        return 0;
    }
    if (!PyObject_TypeCheck(value, mesh_type)) {
        PyErr_Format(PyExc_TypeError, "%s: expected an abut.Convex or an abut.Mesh, got %R", name, value);
        return -1;
    }
    out->mesh = (MeshObject *)value;
    out->tree = mesh_tree(out->mesh);
    return out->tree ? 0 : -1;
}

int read_solid(PyObject *value, const char *name, AbutSolid *out) {
    Body body;
    if (PyObject_TypeCheck(value, pieces_type)) {
        *out = abut_solid_pieces(&((PiecesObject *)value)->pieces);
        return 0;
    }
    if (read_body(value, name, &body) != 0) return -1;
    *out = body.tree ? abut_solid_mesh(body.tree) : abut_solid_convex(body.convex);
    return 0;
}

/* ---- makers ------------------------------------------------------------------------------------------------------ */

/* (vertices (n, 3) f8, triangles (m, 3) i4 contiguous) */
static PyObject *mesh_from_arrays(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Doubles d;
    Py_buffer triangles;
    AbutMesh mesh = {0};
    AbutMeshReport report;
    AbutError error;
    if (expect_count("mesh_from_arrays", count, 2) != 0 || read_matrix(args[0], "vertices", -1, 3, &d) != 0)
        return NULL;
    if (PyObject_GetBuffer(args[1], &triangles, PyBUF_C_CONTIGUOUS) != 0) return release_doubles(&d), NULL;
    Py_ssize_t n = triangles.len / (Py_ssize_t)sizeof(AbutTriangle);
    AbutStatus status = ABUT_ERROR_LIMIT;
    if (d.shape[0] > ABUT_MESH_LIMIT || n > ABUT_MESH_LIMIT)
        abut_fail(&error, status, "a mesh has at most %d vertices and triangles", ABUT_MESH_LIMIT);
    else
        status = abut_mesh_create((int)d.shape[0], (int)n, &mesh, &error);
    if (status == ABUT_OK) {
        memcpy(mesh.vertices, d.data, (size_t)d.count * sizeof(double));
        memcpy(mesh.triangles, triangles.buf, (size_t)n * sizeof(AbutTriangle));
        Py_BEGIN_ALLOW_THREADS;
        status = abut_mesh_report(&mesh, &report, &error); /* refuses bad indices and numbers */
        Py_END_ALLOW_THREADS;
    }
    PyBuffer_Release(&triangles);
    release_doubles(&d);
    if (status == ABUT_OK) return mesh_take(&mesh);
    abut_mesh_free(&mesh);
    return raise_error(&error);
}

static PyObject *with_info(AbutStatus status, AbutMesh *mesh, const AbutMeshFileInfo *info, const AbutError *error) {
    if (status != ABUT_OK) return raise_error(error);
    return Py_BuildValue("(Nsii)", mesh_take(mesh), info->format, info->polygons_split, info->elements_ignored);
}

/* (path) -> (mesh, format, polygons split, elements ignored) */
static PyObject *mesh_read(PyObject *module, PyObject *path) {
    (void)module;
    AbutMesh mesh = {0};
    AbutMeshFileInfo info = {0};
    AbutError error;
    AbutStatus status;
    const char *name = read_path(path, "path");
    if (!name) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_mesh_read(name, NULL, 0, &mesh, &info, &error);
    Py_END_ALLOW_THREADS;
    return with_info(status, &mesh, &info, &error);
}

/* (bytes, name) -> the same */
static PyObject *mesh_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutMesh mesh = {0};
    AbutMeshFileInfo info = {0};
    AbutError error;
    AbutStatus status;
    FileBytes in;
    if (expect_count("mesh_parse", count, 2) != 0 || read_file_bytes(args[0], args[1], &in) != 0) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_mesh_read(in.name, in.data, in.size, &mesh, &info, &error);
    Py_END_ALLOW_THREADS;
    return with_info(status, &mesh, &info, &error);
}

/* The maker of a name; NULL with an exception. */
static const AbutMeshMaker *read_maker(PyObject *name) {
    enum { MOST = 64 };
    const char *words[MOST];
    int count;
    const AbutMeshMaker *maker = abut_mesh_makers(&count);
    for (int i = 0; i < count && i < MOST; ++i) words[i] = maker[i].name;
    int found = read_word(name, "name", count < MOST ? count : MOST, words);
    return found < 0 ? NULL : &maker[found];
}

/* A mesh that is being made, which may outlive the call of Python. */
typedef struct Making {
    const AbutMeshMaker *maker;
    int triangles, sized;
    double sizes[4];
    AbutMesh mesh;
    AbutStatus status;
    AbutError error;
} Making;

static void make(void *user) {
    Making *x = user;
    x->status = abut_mesh_make(x->maker->name, x->triangles, x->sized ? x->sizes : NULL, &x->mesh, &x->error);
}

static void free_making(void *user) {
    abut_mesh_free(&((Making *)user)->mesh);
    abut_free(user);
}

/* (name, triangles, sizes or None) */
static PyObject *mesh_make(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int triangles;
    const AbutMeshMaker *maker;
    Doubles d = {0};
    if (expect_count("mesh_make", count, 3) != 0 || !(maker = read_maker(args[0])) ||
        read_int(args[1], "triangles", &triangles) != 0 ||
        (args[2] != Py_None && read_vector(args[2], "sizes", -1, &d) != 0))
        return NULL;
    if (d.data && d.count != maker->size_count) {
        raise_text(
            ABUT_ERROR_ARGUMENT, "sizes: expected %d numbers (%s), got %zd", maker->size_count, maker->sizes, d.count);
        return release_doubles(&d), NULL;
    }
    Making *x = abut_alloc(sizeof *x);
    if (!x) return release_doubles(&d), PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    x->maker = maker, x->triangles = triangles, x->sized = d.data != NULL;
    for (int i = 0; i < 4 && x->sized && i < d.count; ++i) x->sizes[i] = d.data[i];
    release_doubles(&d);
    if (run_or_leave(make, free_making, x, NULL) != 0) return NULL;
    PyObject *out = x->status == ABUT_OK ? mesh_take(&x->mesh) : raise_error(&x->error);
    free_making(x);
    return out;
}

/* [(name, summary, sizes, triangles)] */
static PyObject *mesh_makers(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    int count;
    const AbutMeshMaker *maker = abut_mesh_makers(&count);
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; ++i)
        PyList_SetItem(list, i,
            Py_BuildValue("(sssi)", maker[i].name, maker[i].summary, maker[i].sizes, maker[i].triangles_default));
    return list;
}

int read_height_field(PyObject *const *args, AbutHeightField *field, Doubles *heights) {
    if (read_real(args[1], "half_x", &field->half_x) != 0 || read_real(args[2], "half_y", &field->half_y) != 0 ||
        read_real(args[3], "bottom", &field->bottom) != 0 || read_matrix(args[0], "heights", -1, -1, heights) != 0)
        return -1;
    if (heights->shape[0] > INT_MAX || heights->shape[1] > INT_MAX) {
        release_doubles(heights);
        return raise_text(ABUT_ERROR_LIMIT, "heights: too many"), -1;
    }
    field->rows = (int32_t)heights->shape[0], field->columns = (int32_t)heights->shape[1];
    field->heights = heights->data;
    return 0;
}

/* (heights (rows, columns), half_x, half_y, bottom) */
static PyObject *height_field(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutHeightField field = {0};
    AbutMesh mesh = {0};
    AbutError error;
    AbutStatus status;
    Doubles d;
    if (expect_count("height_field", count, 4) != 0 || read_height_field(args, &field, &d) != 0) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_height_field_mesh(&field, &mesh, &error);
    Py_END_ALLOW_THREADS;
    release_doubles(&d);
    return status == ABUT_OK ? mesh_take(&mesh) : raise_error(&error);
}

/* (bytes, name, height: 0 as they are) -> (rows, columns) */
static PyObject *heights_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int32_t columns, rows;
    double *heights;
    AbutError error;
    FileBytes in;
    double height;
    if (expect_count("heights_parse", count, 3) != 0 || read_file_bytes(args[0], args[1], &in) != 0 ||
        read_length(args[2], "height", &height) != 0)
        return NULL;
    AbutStatus status;
    UNLOCKED(status = abut_heights_read(in.name, in.data, in.size, &columns, &rows, &heights, &error));
    if (status != ABUT_OK) return raise_error(&error);
    if (height > 0.0) abut_heights_scale((int64_t)columns * rows, heights, height);
    const Py_ssize_t shape[2] = {rows, columns};
    PyObject *out = array_of_doubles(heights, 2, shape);
    abut_free(heights);
    return out;
}

PyMethodDef mesh_functions[] = {
    FAST("heights_parse", heights_parse),
    FAST("mesh_from_arrays", mesh_from_arrays),
    {"mesh_read", mesh_read, METH_O, NULL},
    FAST("mesh_parse", mesh_parse),
    FAST("mesh_make", mesh_make),
    PLAIN("mesh_makers", mesh_makers),
    FAST("height_field", height_field),
    {NULL, NULL, 0, NULL},
};

/* ---- attributes and methods -------------------------------------------------------------------------------------- */

static PyObject *get_vertices(PyObject *self, void *closure) {
    (void)closure;
    const AbutMesh *mesh = &((MeshObject *)self)->mesh;
    const Py_ssize_t shape[2] = {mesh->vertex_count, 3};
    return view_array(self, mesh->vertices, "d", sizeof(double), 2, shape);
}

static PyObject *get_triangles(PyObject *self, void *closure) {
    (void)closure;
    const AbutMesh *mesh = &((MeshObject *)self)->mesh;
    const Py_ssize_t shape[2] = {mesh->triangle_count, 3};
    return view_array(self, mesh->triangles, "i", sizeof(int32_t), 2, shape);
}

static PyGetSetDef mesh_getset[] = {
    {"vertices", get_vertices, NULL, "(n, 3) float64, m; read-only", NULL},
    {"triangles", get_triangles, NULL, "(m, 3) int32, counter-clockwise seen from outside; read-only", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *report(PyObject *self, PyObject *unused) {
    (void)unused;
    AbutMeshReport out;
    AbutError error;
    AbutStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_mesh_report(&((MeshObject *)self)->mesh, &out, &error);
    Py_END_ALLOW_THREADS;
    return status == ABUT_OK ? record_new(&record_report, &out) : raise_error(&error);
}

static PyObject *mesh_hull(PyObject *self, PyObject *unused) {
    (void)unused;
    AbutPolyhedron *out = NULL;
    AbutError error;
    AbutStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_polyhedron_from_points(
        ((MeshObject *)self)->mesh.vertices, ((MeshObject *)self)->mesh.vertex_count, NULL, &out, &error);
    Py_END_ALLOW_THREADS;
    return status == ABUT_OK ? convex_of_polyhedron(out, 0.0) : raise_error(&error);
}

/* None where the mesh is the surface of its hull; else why not. */
static PyObject *why_not_convex(PyObject *self, PyObject *unused) {
    (void)unused;
    const AbutMesh *mesh = &((MeshObject *)self)->mesh;
    AbutPolyhedron *hull = NULL;
    AbutConvexity found = ABUT_CONVEXITY_CONVEX;
    AbutError error;
    AbutStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, &hull, &error);
    if (status == ABUT_OK) status = abut_mesh_convexity(mesh, hull, &found, NULL, &error);
    Py_END_ALLOW_THREADS;
    abut_polyhedron_free(hull);
    if (status != ABUT_OK) return raise_error(&error);
    if (found == ABUT_CONVEXITY_CONVEX) Py_RETURN_NONE;
    return PyUnicode_FromString(abut_word(abut_convexity_names, found));
}

static PyObject *mesh_write(PyObject *self, PyObject *path) {
    AbutError error;
    AbutStatus status;
    const char *name = read_path(path, "path");
    if (!name) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_mesh_write(name, &((MeshObject *)self)->mesh, &error);
    Py_END_ALLOW_THREADS;
    return none_or_raise(status, &error);
}

static PyObject *capsule(PyObject *self, PyObject *unused) {
    (void)unused;
    const AbutMesh *mesh = &((MeshObject *)self)->mesh;
    AbutCapsule c;
    AbutError error;
    AbutStatus status;
    UNLOCKED(status = abut_capsule_around(mesh->vertices, mesh->vertex_count, &c, &error));
    if (status != ABUT_OK) return raise_error(&error);
    return Py_BuildValue("(NNd)", array_of_vec3(c.a), array_of_vec3(c.b), c.radius);
}

static PyObject *neighbors(PyObject *self, PyObject *unused) {
    (void)unused;
    AbutTriangle *found = NULL;
    AbutError error;
    AbutStatus status;
    NewArray out;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_mesh_adjacency(&((MeshObject *)self)->mesh, &found, &error);
    Py_END_ALLOW_THREADS;
    if (status != ABUT_OK) return raise_error(&error);
    const Py_ssize_t shape[2] = {((MeshObject *)self)->mesh.triangle_count, 3};
    int begun = begin_array_of("i4", 2, shape, &out) == 0;
    if (begun && out.view.len > 0) memcpy(out.data, found, (size_t)out.view.len);
    abut_free(found);
    return begun ? end_array(&out) : NULL;
}

/* A copy of a mesh; the vertices may be others. */
static AbutStatus copy_mesh(const AbutMesh *from, const double *vertices, AbutMesh *out, AbutError *error) {
    AbutStatus status = abut_mesh_create(from->vertex_count, from->triangle_count, out, error);
    if (status != ABUT_OK) return status;
    memcpy(out->vertices, vertices ? (const void *)vertices : (const void *)from->vertices,
        (size_t)from->vertex_count * sizeof *out->vertices);
    memcpy(out->triangles, from->triangles, (size_t)from->triangle_count * sizeof *out->triangles);
    return ABUT_OK;
}

static PyObject *welded(PyObject *self, PyObject *unused) {
    (void)unused;
    AbutMesh out = {0};
    AbutError error;
    AbutStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = copy_mesh(&((MeshObject *)self)->mesh, NULL, &out, &error);
    if (status == ABUT_OK) status = abut_mesh_weld(&out, &error);
    Py_END_ALLOW_THREADS;
    if (status == ABUT_OK) return mesh_take(&out);
    abut_mesh_free(&out);
    return raise_error(&error);
}

/* The tree of `self` fitted to new places of the vertices. */
static AbutStatus refit(const AbutMeshTree *from, const AbutMesh *mesh, AbutMeshTree **out, AbutError *error) {
    *out = abut_alloc((size_t)from->bytes);
    if (!*out) return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the tree of a mesh");
    memcpy(*out, from, (size_t)from->bytes);
    return abut_mesh_tree_refit(*out, mesh, 1, error);
}

/* deformed(vertices) */
static PyObject *deformed(PyObject *self, PyObject *vertices) {
    MeshObject *from = (MeshObject *)self;
    const AbutMeshTree *tree = mesh_tree(from);
    AbutMesh mesh = {0};
    AbutMeshTree *fitted = NULL;
    AbutError error;
    AbutStatus status;
    Doubles d;
    if (!tree || read_matrix(vertices, "vertices", from->mesh.vertex_count, 3, &d) != 0) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = copy_mesh(&from->mesh, d.data, &mesh, &error);
    if (status == ABUT_OK) status = refit(tree, &mesh, &fitted, &error);
    Py_END_ALLOW_THREADS;
    release_doubles(&d);
    PyObject *out = status == ABUT_OK ? mesh_take(&mesh) : raise_error(&error);
    if (out) {
        ((MeshObject *)out)->tree = fitted;
    } else {
        abut_mesh_tree_free(fitted);
        abut_mesh_free(&mesh);
    }
    return out;
}

static PyMethodDef mesh_methods[] = {
    {"report", report, METH_NOARGS, "report(): MeshReport: closed, oriented, mass, bounds."},
    {"hull", mesh_hull, METH_NOARGS, "hull(): Convex, the convex hull of the vertices."},
    {"why_not_convex", why_not_convex, METH_NOARGS,
        "why_not_convex(): None for a mesh that is the surface of its hull, else what keeps it from being so."},
    {"write", mesh_write, METH_O, "write(path): .obj, .stl (binary) or .stla (ascii STL)."},
    {"welded", welded, METH_NOARGS, "welded(): Mesh whose vertices with equal coordinates are joined."},
    {"neighbors", neighbors, METH_NOARGS,
        "neighbors(): (m, 3) int32, the triangle across side i of each, -1 at a boundary, -2 where more than two "
        "meet."},
    {"deformed", deformed, METH_O,
        "deformed(vertices): Mesh of the same triangles with vertices (n, 3), m, elsewhere; its tree is fitted, which "
        "is "
        "cheaper than to make it anew."},
    {"capsule_around", capsule, METH_NOARGS, "capsule_around(): (a (3,), b (3,), radius) of a capsule around it, m."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot mesh_slots[] = {
    {Py_tp_getset, mesh_getset},
    {Py_tp_methods, mesh_methods},
    {Py_tp_dealloc, mesh_dealloc},
    {0, NULL},
};

static PyType_Spec mesh_spec = {
    "abut.Mesh", sizeof(MeshObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, mesh_slots};

int add_mesh_type(PyObject *module) {
    mesh_type = add_type(module, &mesh_spec);
    return mesh_type ? 0 : -1;
}
