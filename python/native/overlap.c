/* SPDX-License-Identifier: Apache-2.0 */
/* The overlap of two convex bodies as a Python object that holds its workspace, and bounds of its volume. */
#include "overlaps.h"
#include "abut/literature.h"

#include <string.h>

#include "bodies.h"
#include "records.h"
#include "rooms.h"

typedef struct OverlapObject {
    PyObject_HEAD AbutOverlap overlap;
    void *memory;
    PyObject *a, *b; /* the question, for pickles */
    AbutPose pose;
    int by_duality;
} OverlapObject;

static PyTypeObject *overlap_type;

static const char *const outcomes[ABUT_OVERLAP_OUTCOME_COUNT] = {
    "volume", "touching", "disjoint", "capacity", "failed", "invalid", "unbounded", "unsupported"};

static void overlap_dealloc(PyObject *self) {
    OverlapObject *object = (OverlapObject *)self;
    abut_free(object->memory);
    Py_XDECREF(object->a);
    Py_XDECREF(object->b);
    free_object(self);
}

const AbutOverlap *read_overlap_of(PyObject *value) {
    if (!PyObject_TypeCheck(value, overlap_type))
        return PyErr_Format(PyExc_TypeError, "overlap: expected an abut.Overlap, got %R", value), NULL;
    return &((OverlapObject *)value)->overlap;
}

static int is_known(const AbutOverlap *x) {
    return x->outcome == ABUT_OVERLAP_VOLUME || x->outcome == ABUT_OVERLAP_TOUCHING ||
           x->outcome == ABUT_OVERLAP_DISJOINT;
}

/* Numbers that were not found are NaN; an unbounded volume is infinite. */
static AbutOverlap mark_unknown(AbutOverlap x) {
    const AbutVec3 none = {NAN, NAN, NAN};
    if (is_known(&x)) return x;
    x.volume = x.area = x.outcome == ABUT_OVERLAP_UNBOUNDED ? INFINITY : NAN;
    x.centroid = x.normal = x.area_vector = none;
    return x;
}

typedef struct OverlapQuestion {
    const AbutConvex *a, *b;
    AbutPose pose;
    size_t size;
    void *memory;
} OverlapQuestion;

static int read_overlap(PyObject *const *args, OverlapQuestion *out) {
    if (!(out->a = read_convex(args[0], "a")) || !(out->b = read_convex(args[1], "b"))) return -1;
    if (PyBytes_Check(args[2]) && PyBytes_Size(args[2]) == sizeof out->pose) /* of a pickle, bit for bit */
        memcpy(&out->pose, PyBytes_AsString(args[2]), sizeof out->pose);
    else if (read_pose(args[2], "pose", &out->pose) != 0)
        return -1;
    out->size = abut_overlap_workspace_size(out->a, out->b);
    out->memory = abut_alloc(out->size);
    if (!out->memory) PyErr_NoMemory();
    return out->memory ? 0 : -1;
}

static AbutOverlap find_overlap(
    const AbutConvex *a, const AbutConvex *b, AbutPose pose, int by_duality, void *memory, size_t size) {
    return mark_unknown(
        by_duality ? abut_overlap_by_duality(a, b, pose, memory, size) : abut_overlap(a, b, pose, NULL, memory, size));
}

/* (a, b, pose, by_duality) */
static PyObject *overlap(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    OverlapQuestion q;
    AbutOverlap found;
    int by_duality;
    if (expect_count("overlap", count, 4) != 0 || read_int(args[3], "by_duality", &by_duality) != 0 ||
        read_overlap(args, &q) != 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    found = find_overlap(q.a, q.b, q.pose, by_duality, q.memory, q.size);
    Py_END_ALLOW_THREADS;
    OverlapObject *self = PyObject_New(OverlapObject, overlap_type);
    if (!self) return abut_free(q.memory), NULL;
    self->overlap = found;
    self->memory = q.memory;
    self->a = Py_NewRef(args[0]), self->b = Py_NewRef(args[1]);
    self->pose = q.pose, self->by_duality = by_duality;
    return (PyObject *)self;
}

/* ---- many: volumes only ------------------------------------------------------------------------------------------ */

typedef struct ManyOverlaps {
    const AbutConvex *a, *b;
    const Poses *poses;
    size_t size;
    double *out; /* five numbers each: outcome, volume, centroid */
    int by_duality, no_memory;
} ManyOverlaps;

static void ask_overlap(Py_ssize_t i, void *user) {
    ManyOverlaps *many = user;
    void *memory = abut_alloc(many->size);
    if (!memory) {
        many->no_memory = 1;
        return;
    }
    AbutOverlap x = find_overlap(many->a, many->b, get_pose(many->poses, i), many->by_duality, memory, many->size);
    abut_free(memory);
    int has = x.outcome == ABUT_OVERLAP_VOLUME;
    double *row = many->out + 5 * i;
    row[0] = x.outcome;
    row[1] = has || !is_known(&x) ? x.volume : 0.0;
    row[2] = has ? x.centroid.x : NAN, row[3] = has ? x.centroid.y : NAN, row[4] = has ? x.centroid.z : NAN;
}

/* (a, b, poses, by_duality, threads) -> (n, 5) */
static PyObject *overlap_batch(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ManyOverlaps many = {0};
    Poses poses;
    NewArray out;
    int threads;
    if (expect_count("overlap_batch", count, 5) != 0 || !(many.a = read_convex(args[0], "a")) ||
        !(many.b = read_convex(args[1], "b")) || read_int(args[3], "by_duality", &many.by_duality) != 0 ||
        read_count(args[4], "threads", &threads) != 0 || read_poses(args[2], "pose", &poses) != 0)
        return NULL;
    const Py_ssize_t shape[2] = {poses.count, 5};
    many.poses = &poses, many.size = abut_overlap_workspace_size(many.a, many.b);
    int status = begin_array_of("f8", 2, shape, &out);
    if (status == 0) {
        many.out = out.data;
        status = ask_all(poses.count, threads, ask_overlap, &many);
        if (status == 0 && many.no_memory) status = (PyErr_NoMemory(), -1);
        if (status != 0) cancel_array(&out);
    }
    release_poses(&poses);
    return status == 0 ? end_array(&out) : NULL;
}

/* (a, b, pose, directions) -> (low, high) */
static PyObject *overlap_volume(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutConvex *a, *b;
    AbutPose pose;
    AbutVolume bounds;
    AbutError error;
    AbutStatus status;
    int directions;
    if (expect_count("overlap_volume", count, 4) != 0 || !(a = read_convex(args[0], "a")) ||
        !(b = read_convex(args[1], "b")) || read_pose(args[2], "pose", &pose) != 0 ||
        read_int(args[3], "directions", &directions) != 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_overlap_volume(abut_solid_convex(a), abut_solid_convex(b), pose, directions, &bounds, &error);
    Py_END_ALLOW_THREADS;
    return status == ABUT_OK ? Py_BuildValue("(dd)", bounds.low, bounds.high) : raise_error(&error);
}

PyMethodDef overlap_functions[] = {
    FAST("overlap", overlap),
    FAST("overlap_batch", overlap_batch),
    FAST("overlap_volume", overlap_volume),
    {NULL, NULL, 0, NULL},
};

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static PyObject *get_outcome(PyObject *self, void *closure) {
    (void)closure;
    return PyUnicode_FromString(outcomes[((OverlapObject *)self)->overlap.outcome]);
}

static PyObject *get_real(PyObject *self, void *closure) {
    const char *at = (const char *)&((OverlapObject *)self)->overlap + (size_t)closure;
    return PyFloat_FromDouble(*(const double *)(const void *)at);
}

static PyObject *get_vector(PyObject *self, void *closure) {
    const Py_ssize_t three = 3;
    const char *at = (const char *)&((OverlapObject *)self)->overlap + (size_t)closure;
    return view_array(self, at, "d", sizeof(double), 1, &three);
}

static PyObject *get_vertices(PyObject *self, void *closure) {
    (void)closure;
    const AbutOverlap *x = &((OverlapObject *)self)->overlap;
    const Py_ssize_t shape[2] = {x->vertex ? x->vertex_count : 0, 3};
    return view_array(self, x->vertex, "d", sizeof(double), 2, shape);
}

/* One face as a dictionary. */
static PyObject *face_dict(const AbutOverlap *x, const AbutOverlapFace *face) {
    PyObject *corners = PyTuple_New(face->count);
    for (int k = 0; corners && k < face->count; ++k)
        PyTuple_SetItem(corners, k, PyLong_FromLong(x->corner[face->first + k]));
    if (!corners) return NULL;
    return Py_BuildValue("{sNsNsdsdsssi}", "corners", corners, "normal", array_of_vec3(face->plane.normal), "offset",
        face->plane.offset, "area", face->area, "owner", face->owner ? "b" : "a", "source", (int)face->source);
}

static PyObject *get_faces(PyObject *self, void *closure) {
    (void)closure;
    const AbutOverlap *x = &((OverlapObject *)self)->overlap;
    int count = x->face ? x->face_count : 0;
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; ++i) {
        PyObject *face = face_dict(x, &x->face[i]);
        if (!face)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, face);
    }
    return list;
}

/* Why an overlap has no mesh. */
static PyObject *fail_unknown(AbutOverlapOutcome outcome) {
    static const char *const reasons[ABUT_OVERLAP_OUTCOME_COUNT] = {
        [ABUT_OVERLAP_CAPACITY] = "it has too many faces",
        [ABUT_OVERLAP_FAILED] = "rounding kept it from being found",
        [ABUT_OVERLAP_INVALID] = "the pose is not finite, or too far away",
        [ABUT_OVERLAP_UNBOUNDED] = "it has no bounds",
        [ABUT_OVERLAP_UNSUPPORTED] = "boxes, polyhedra and half-spaces without a radius have one; overlap_volume() "
                                     "bounds the volume of others",
    };
    AbutStatus status = outcome == ABUT_OVERLAP_UNSUPPORTED ? ABUT_ERROR_UNSUPPORTED : ABUT_ERROR_ARGUMENT;
    return raise_text(
        status, "there is no mesh of this overlap, which is '%s': %s", outcomes[outcome], reasons[outcome]);
}

static PyObject *to_mesh(PyObject *self, PyObject *pose) {
    AbutMesh out = {0};
    AbutPose at;
    AbutError error;
    if (read_pose(pose, "pose", &at) != 0) return NULL;
    if (!is_known(&((OverlapObject *)self)->overlap)) return fail_unknown(((OverlapObject *)self)->overlap.outcome);
    AbutStatus status;
    UNLOCKED(status = abut_overlap_to_mesh(&((OverlapObject *)self)->overlap, at, &out, &error));
    return status == ABUT_OK ? mesh_take(&out) : raise_error(&error);
}

/* The arguments of `overlap` that ask the same again. */
static PyObject *question(PyObject *self, PyObject *unused) {
    (void)unused;
    const OverlapObject *x = (OverlapObject *)self;
    return Py_BuildValue("(OOy#i)", x->a, x->b, (const char *)&x->pose, (Py_ssize_t)sizeof x->pose, x->by_duality);
}

#define OVERLAP_AT(member) (void *)offsetof(AbutOverlap, member)

static PyGetSetDef overlap_getset[] = {
    {"outcome", get_outcome, NULL, "'volume', 'touching', 'disjoint', 'failed', 'invalid', 'unbounded', ...", NULL},
    {"volume", get_real, NULL, "m^3; NaN where it is not known", OVERLAP_AT(volume)},
    {"area", get_real, NULL, "m^2; NaN where it is not known", OVERLAP_AT(area)},
    {"centroid", get_vector, NULL, "(3,) m", OVERLAP_AT(centroid)},
    {"normal", get_vector, NULL, "(3,) unit, from A to B", OVERLAP_AT(normal)},
    {"area_vector", get_vector, NULL, "(3,) sum of area times normal over the faces of A, m^2",
        OVERLAP_AT(area_vector)},
    {"vertices", get_vertices, NULL, "(n, 3) m", NULL},
    {"faces", get_faces, NULL, "list of dicts: corners, normal, offset, area, owner ('a' or 'b'), source", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef overlap_methods[] = {
    {"mesh_at", to_mesh, METH_O, "mesh_at(pose): Mesh of the overlap, moved by a pose (None: as it is)."},
    {"question", question, METH_NOARGS, "question(): the arguments that the answer was found from."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot overlap_slots[] = {
    {Py_tp_getset, overlap_getset},
    {Py_tp_methods, overlap_methods},
    {Py_tp_dealloc, overlap_dealloc},
    {Py_tp_doc, "The set of points that two convex bodies have in common, in the frame of A."},
    {0, NULL},
};

static PyType_Spec overlap_spec = {
    "abut.Overlap", sizeof(OverlapObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, overlap_slots};

int add_overlap_type(PyObject *module) {
    overlap_type = add_type(module, &overlap_spec);
    return overlap_type ? 0 : -1;
}
