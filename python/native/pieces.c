/* SPDX-License-Identifier: Apache-2.0 */
/* Convex pieces that cover a mesh, as a Python sequence of convex bodies. */
#include <string.h>

#include "bodies.h"
#include "interrupt.h"
#include "records.h"

PyTypeObject *pieces_type;

static PyObject *pieces_take(AbutPieces *pieces) {
    PiecesObject *self = PyObject_New(PiecesObject, pieces_type);
    if (!self) return abut_pieces_free(pieces), NULL;
    self->pieces = *pieces;
    return (PyObject *)self;
}

static void pieces_dealloc(PyObject *self) {
    abut_pieces_free(&((PiecesObject *)self)->pieces);
    free_object(self);
}

static const AbutPieces *read_pieces(PyObject *value, const char *name) {
    if (!PyObject_TypeCheck(value, pieces_type))
        return PyErr_Format(PyExc_TypeError, "%s: expected an abut.Pieces, got %R", name, value), NULL;
    return &((PiecesObject *)value)->pieces;
}

/* A decomposition under way. */
typedef struct Cutting {
    MeshObject *mesh;
    AbutDecomposeDef def;
    AbutPieces out;
    AbutStatus status;
    AbutError error;
} Cutting;

static void cut(void *user) {
    Cutting *x = user;
    x->status = abut_mesh_decompose(&x->mesh->mesh, &x->def, &x->out, &x->error);
}

static void free_cutting(void *user) {
    Cutting *x = user;
    Py_DECREF((PyObject *)x->mesh);
    abut_pieces_free(&x->out);
    abut_free(x);
}

/* (mesh, excess, max_pieces, threads) */
static PyObject *decompose(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutDecomposeDef def = {0};
    MeshObject *mesh;
    if (expect_count("decompose", count, 4) != 0 || !(mesh = read_mesh(args[0], "mesh")) ||
        read_real(args[1], "excess", &def.excess) != 0 || read_int(args[2], "max_pieces", &def.max_pieces) != 0 ||
        read_count(args[3], "threads", &def.threads) != 0)
        return NULL;
    Cutting *x = abut_alloc(sizeof *x);
    if (!x) return PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    x->mesh = (MeshObject *)Py_NewRef(args[0]), x->def = def;
    if (run_or_leave(cut, free_cutting, x, NULL) != 0) return NULL;
    PyObject *pieces = x->status == ABUT_OK ? pieces_take(&x->out) : raise_error(&x->error);
    memset(&x->out, 0, sizeof x->out);
    free_cutting(x);
    return pieces;
}

/* (a, b, pose) -> Gap */
static PyObject *pieces_distance(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutPieces *a, *b;
    AbutPose pose;
    AbutGap out;
    if (expect_count("pieces_distance", count, 3) != 0 || !(a = read_pieces(args[0], "a")) ||
        !(b = read_pieces(args[1], "b")) || read_pose(args[2], "pose", &pose) != 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    out = abut_distance(abut_solid_pieces(a), abut_solid_pieces(b), pose, NULL, NULL);
    Py_END_ALLOW_THREADS;
    return record_new(&record_gap, &out);
}

/* (a, b, pose) -> (low, high, centroid) */
static PyObject *pieces_volume(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutPieces *a, *b;
    AbutPose pose;
    AbutVolume out;
    AbutError error;
    AbutStatus status;
    if (expect_count("pieces_volume", count, 3) != 0 || !(a = read_pieces(args[0], "a")) ||
        !(b = read_pieces(args[1], "b")) || read_pose(args[2], "pose", &pose) != 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_overlap_volume(abut_solid_pieces(a), abut_solid_pieces(b), pose, 0, &out, &error);
    Py_END_ALLOW_THREADS;
    if (status != ABUT_OK) return raise_error(&error);
    return Py_BuildValue("(ddN)", out.low, out.high, array_of_vec3(out.centroid));
}

/* (pieces, mesh) -> (uncovered, vertex, farthest) */
static PyObject *pieces_cover(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutPieces *pieces;
    MeshObject *mesh;
    int32_t uncovered, vertex;
    double farthest;
    if (expect_count("pieces_cover", count, 2) != 0 || !(pieces = read_pieces(args[0], "pieces")) ||
        !(mesh = read_mesh(args[1], "mesh")))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    uncovered = abut_pieces_cover(pieces, &mesh->mesh, &vertex, &farthest);
    Py_END_ALLOW_THREADS;
    return Py_BuildValue("(iid)", uncovered, vertex, farthest);
}

/* (list of polyhedra, closed, target_met, mesh_volume, volume, excess): for pickles, and pieces of the caller's own. */
static PyObject *pieces_from(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPieces out = {0};
    int closed, met;
    if (expect_count("pieces_from", count, 6) != 0 || read_int(args[1], "closed", &closed) != 0 ||
        read_int(args[2], "target_met", &met) != 0 || read_real(args[3], "mesh_volume", &out.mesh_volume) != 0 ||
        read_real(args[4], "volume", &out.volume) != 0 || read_real(args[5], "excess", &out.excess) != 0)
        return NULL;
    Py_ssize_t n = PyList_Size(args[0]);
    if (n < 0 || n > ABUT_PIECES_MAX)
        return n < 0 ? NULL : raise_text(ABUT_ERROR_LIMIT, "pieces: at most %d", ABUT_PIECES_MAX);
    out.closed = closed, out.target_met = met;
    out.piece = abut_alloc_array((size_t)n, sizeof *out.piece);
    for (; out.piece && out.count < n; ++out.count) {
        const AbutConvex *c = read_convex(PyList_GetItem(args[0], out.count), "pieces");
        if (c && (c->kind != ABUT_CONVEX_POLYHEDRON || c->radius > 0.0))
            c = (raise_text(ABUT_ERROR_ARGUMENT, "pieces: expected polyhedra without a radius"), NULL);
        AbutPolyhedron *copy = c ? abut_alloc((size_t)c->polyhedron->bytes) : NULL;
        if (!copy) {
            abut_pieces_free(&out);
            return c ? PyErr_NoMemory() : NULL;
        }
        memcpy(copy, c->polyhedron, (size_t)c->polyhedron->bytes);
        out.piece[out.count] = copy;
    }
    return out.piece ? pieces_take(&out) : PyErr_NoMemory();
}

/* Appends a copy of a piece to a Python list. */
static AbutStatus add_piece(const AbutPolyhedron *piece, void *list, AbutError *error) {
    AbutConvex convex = abut_convex_polyhedron(piece, 0.0);
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *copy = convex_copy(&convex);
    int bad = !copy || PyList_Append(list, copy) != 0;
    Py_XDECREF(copy);
    PyGILState_Release(state);
    return bad ? abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a piece") : ABUT_OK;
}

/* (heights (rows, columns), half_x, half_y, bottom) -> list of polyhedra */
static PyObject *height_field_pieces(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutHeightField field = {0};
    AbutError error;
    Doubles d;
    if (expect_count("height_field_pieces", count, 4) != 0 || read_height_field(args, &field, &d) != 0) return NULL;
    PyObject *list = PyList_New(0);
    AbutStatus status = ABUT_OK;
    if (list) UNLOCKED(status = abut_height_field_pieces(&field, add_piece, list, &error));
    if (status != ABUT_OK) {
        if (!PyErr_Occurred()) raise_error(&error);
        Py_CLEAR(list);
    }
    release_doubles(&d);
    return list;
}

PyMethodDef pieces_functions[] = {
    FAST("decompose", decompose),
    FAST("pieces_distance", pieces_distance),
    FAST("pieces_volume", pieces_volume),
    FAST("pieces_cover", pieces_cover),
    FAST("pieces_from", pieces_from),
    FAST("height_field_pieces", height_field_pieces),
    {NULL, NULL, 0, NULL},
};

/* ---- the sequence ------------------------------------------------------------------------------------------------ */

static Py_ssize_t length(PyObject *self) { return ((PiecesObject *)self)->pieces.count; }

static PyObject *get_item(PyObject *self, Py_ssize_t i) {
    const AbutPieces *pieces = &((PiecesObject *)self)->pieces;
    if (i < 0 || i >= pieces->count) return PyErr_Format(PyExc_IndexError, "there are %d pieces", (int)pieces->count);
    AbutConvex convex = abut_convex_polyhedron(pieces->piece[i], 0.0);
    return convex_copy(&convex);
}

static PyObject *get_summary(PyObject *self, void *closure) {
    (void)closure;
    const AbutPieces *p = &((PiecesObject *)self)->pieces;
    return Py_BuildValue(
        "(NNddd)", PyBool_FromLong(p->closed), PyBool_FromLong(p->target_met), p->mesh_volume, p->volume, p->excess);
}

static PyGetSetDef pieces_getset[] = {
    {"summary", get_summary, NULL, "(closed, target_met, mesh_volume, volume, excess)", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot pieces_slots[] = {
    {Py_tp_getset, pieces_getset},
    {Py_sq_length, length},
    {Py_sq_item, get_item},
    {Py_tp_dealloc, pieces_dealloc},
    {Py_tp_doc, "Convex pieces that cover a body: a sequence of Convex. Immutable."},
    {0, NULL},
};

static PyType_Spec pieces_spec = {
    "abut.Pieces", sizeof(PiecesObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, pieces_slots};

int add_pieces_type(PyObject *module) {
    pieces_type = add_type(module, &pieces_spec);
    return pieces_type ? 0 : -1;
}
