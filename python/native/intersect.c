/* SPDX-License-Identifier: Apache-2.0 */
/* Do two convex polyhedra, or two regions of half-spaces in up to eight dimensions, meet? With proof. */
#include <limits.h>
#include <string.h>

#include "abut/literature.h"
#include "bodies.h"
#include "records.h"
#include "rooms.h"

static const char *const methods[ABUT_INTERSECT_METHOD_COUNT] = {"default", "ren", "lp", "gjk"};

static int read_def(PyObject *const *args, AbutIntersectDef *out) {
    int method = read_word(args[0], "method", ABUT_INTERSECT_METHOD_COUNT, methods);
    out->method = (AbutIntersectMethod)(method < 0 ? 0 : method);
    out->search = abut_intersect_ren;
    return method < 0 ? -1 : read_length(args[1], "tolerance", &out->tolerance);
}

static const AbutPolyhedron *read_polyhedron(PyObject *value, const char *name) {
    const AbutConvex *c = read_convex(value, name);
    if (c && (c->kind != ABUT_CONVEX_POLYHEDRON || c->radius > 0.0))
        return raise_text(
                   ABUT_ERROR_UNSUPPORTED, "%s: expected a polyhedron without a radius; polyhedra() makes some", name),
               NULL;
    return c ? c->polyhedron : NULL;
}

/* Values that the outcome does not determine are unknown. */
static void unset_unknown(AbutIntersection *x) {
    int meet = x->outcome == ABUT_INTERSECT_MEET, apart = x->outcome == ABUT_INTERSECT_APART;
    for (int i = 0; i < ABUT_INTERSECT_MAX_DIMENSION; ++i) {
        x->witness[i] = meet ? x->witness[i] : NAN;
        x->plane[i] = apart ? x->plane[i] : NAN;
    }
    x->violation = meet ? x->violation : NAN;
    x->plane_offset = apart ? x->plane_offset : NAN;
    x->gap = apart ? x->gap : NAN;
}

typedef struct ManyMeetings {
    const AbutPolyhedron *a, *b;
    const Poses *poses;
    const AbutIntersectDef *def;
    size_t size;
    Meeting *out;
    int no_memory;
} ManyMeetings;

static void ask_meeting(Py_ssize_t i, void *user) {
    ManyMeetings *m = user;
    void *memory = abut_alloc(m->size);
    if (!memory) {
        m->no_memory = 1;
        return;
    }
    m->out[i].x = abut_intersect_polyhedra(m->a, m->b, get_pose(m->poses, i), m->def, memory, m->size);
    m->out[i].dimension = 3;
    unset_unknown(&m->out[i].x);
    abut_free(memory);
}

static PyObject *one_meeting(ManyMeetings *m) {
    Meeting answer;
    memset(&answer, 0, sizeof answer);
    m->out = &answer;
    Py_BEGIN_ALLOW_THREADS;
    ask_meeting(0, m);
    Py_END_ALLOW_THREADS;
    return m->no_memory ? PyErr_NoMemory() : record_new(&record_intersection, &answer);
}

static PyObject *many_meetings(ManyMeetings *m, int threads) {
    NewArray out;
    if (begin_records(&record_intersection, m->poses->count, &out) != 0) return NULL;
    memset(out.data, 0, (size_t)out.view.len);
    m->out = out.data;
    int status = ask_all(m->poses->count, threads, ask_meeting, m);
    if (status == 0 && m->no_memory) status = (PyErr_NoMemory(), -1);
    if (status != 0) return cancel_array(&out), NULL;
    return end_array(&out);
}

/* (a, b, pose, method, tolerance, threads) */
static PyObject *intersect(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutIntersectDef def = {0};
    ManyMeetings m = {.def = &def};
    Poses poses;
    int threads;
    if (expect_count("intersect", count, 6) != 0 || !(m.a = read_polyhedron(args[0], "a")) ||
        !(m.b = read_polyhedron(args[1], "b")) || read_def(args + 3, &def) != 0 ||
        read_count(args[5], "threads", &threads) != 0 || read_poses(args[2], "pose", &poses) != 0)
        return NULL;
    m.poses = &poses;
    m.size = abut_intersect_polyhedra_workspace_size(m.a, m.b);
    PyObject *out = poses.batch ? many_meetings(&m, threads) : one_meeting(&m);
    release_poses(&poses);
    return out;
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

typedef struct Rows {
    Doubles normals, offsets;
    AbutRegion region;
} Rows;

static void release_rows(Rows *rows) {
    release_doubles(&rows->normals);
    release_doubles(&rows->offsets);
}

static int read_rows(PyObject *normals, PyObject *offsets, const char *name, Rows *out) {
    out->normals.has_view = out->offsets.has_view = 0;
    if (read_matrix(normals, name, -1, -1, &out->normals) != 0 ||
        read_vector(offsets, name, out->normals.shape[0], &out->offsets) != 0)
        return -1;
    if (out->normals.shape[0] > INT_MAX / 64) return raise_text(ABUT_ERROR_LIMIT, "%s: too many rows", name), -1;
    out->region.count = (int)out->normals.shape[0];
    out->region.normal = out->normals.data, out->region.offset = out->offsets.data;
    return 0;
}

static PyObject *meet_regions(const Rows *a, const Rows *b, const AbutIntersectDef *def) {
    Py_ssize_t dimension = a->region.count ? a->normals.shape[1] : b->normals.shape[1];
    if (a->region.count && b->region.count && a->normals.shape[1] != b->normals.shape[1])
        return raise_text(
            ABUT_ERROR_ARGUMENT, "a has %zd dimensions, b has %zd", a->normals.shape[1], b->normals.shape[1]);
    size_t size = dimension < 1 || dimension > ABUT_INTERSECT_MAX_DIMENSION
                      ? 0
                      : abut_intersect_workspace_size((int)dimension, a->region.count + b->region.count);
    if (size == 0)
        return raise_text(
            ABUT_ERROR_LIMIT, "regions have 1 to %d dimensions, got %zd", ABUT_INTERSECT_MAX_DIMENSION, dimension);
    void *memory = abut_alloc(size);
    if (!memory) return PyErr_NoMemory();
    Meeting out;
    memset(&out, 0, sizeof out);
    out.dimension = (int32_t)dimension;
    Py_BEGIN_ALLOW_THREADS;
    out.x = abut_intersect_regions((int)dimension, &a->region, &b->region, def, memory, size);
    Py_END_ALLOW_THREADS;
    abut_free(memory);
    unset_unknown(&out.x);
    return record_new(&record_intersection, &out);
}

/* (normals_a, offsets_a, normals_b, offsets_b, method, tolerance) */
static PyObject *intersect_regions(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutIntersectDef def = {0};
    Rows a, b;
    PyObject *out = NULL;
    if (expect_count("intersect_regions", count, 6) != 0 || read_def(args + 4, &def) != 0) return NULL;
    b.normals.has_view = b.offsets.has_view = 0;
    if (read_rows(args[0], args[1], "a", &a) == 0 && read_rows(args[2], args[3], "b", &b) == 0)
        out = meet_regions(&a, &b, &def);
    release_rows(&a);
    release_rows(&b);
    return out;
}

PyMethodDef intersect_functions[] = {
    FAST("intersect", intersect),
    FAST("intersect_regions", intersect_regions),
    {NULL, NULL, 0, NULL},
};
