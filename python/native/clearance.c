/* SPDX-License-Identifier: Apache-2.0 */
/* Certified clearance of two moving bodies: the bracket, the curve, the minima, times of contact; many pairs. */
#include <float.h>
#include <string.h>

#include "bodies.h"
#include "abut/literature.h"
#include "interrupt.h"
#include "motions.h"
#include "records.h"
#include "rooms.h"

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* A tuple of convex bodies as one; an exception may be set. */
static AbutStatus body_of_tuple(PyObject *tuple, const char *name, AbutClearanceBody **out, AbutError *error) {
    Py_ssize_t n = PyTuple_Size(tuple);
    AbutSolid *list = n < INT32_MAX ? abut_alloc_array((size_t)n + 1, sizeof *list) : NULL;
    AbutStatus status = list ? ABUT_OK : abut_fail(error, ABUT_ERROR_MEMORY, "no memory for pieces");
    for (Py_ssize_t i = 0; i < n && status == ABUT_OK; ++i) {
        const AbutConvex *convex = read_convex(PyTuple_GetItem(tuple, i), name);
        if (convex)
            list[i] = abut_solid_convex(convex);
        else
            status = ABUT_ERROR_ARGUMENT;
    }
    if (status == ABUT_OK) status = abut_clearance_body_create((int32_t)n, list, out, error);
    abut_free(list);
    return status;
}

/* A mesh, a convex body, a tuple of such or pieces made ready; NULL with an exception. */
static AbutClearanceBody *read_clearance_body(PyObject *value, const char *name) {
    AbutClearanceBody *out = NULL;
    AbutError error;
    AbutStatus status;
    AbutSolid solid;
    if (PyTuple_Check(value)) {
        status = body_of_tuple(value, name, &out, &error);
    } else {
        if (read_solid(value, name, &solid) != 0) return NULL;
        Py_BEGIN_ALLOW_THREADS;
        status = abut_clearance_body_create(1, &solid, &out, &error);
        Py_END_ALLOW_THREADS;
    }
    if (status != ABUT_OK && !PyErr_Occurred()) raise_error(&error);
    return status == ABUT_OK ? out : NULL;
}

enum { SETTINGS = 7 };

/* Are the settings in their ranges? -1 with an exception that names the first that is not. */
static int check_settings(const double *x) {
    static const char *const names[SETTINGS] = {"start", "end", "eps", "relative", "care", "budget", "seconds"};
    const double least[SETTINGS] = {-1e60, x[0], 0.0, 0.0, 0.0, 0.0, 0.0};
    const double most[SETTINGS] = {1e60, 1e60, DBL_MAX, 1.0, DBL_MAX, INFINITY, INFINITY};
    for (int i = 0; i < SETTINGS; ++i)
        if (!(x[i] >= least[i] && x[i] <= most[i]) || (i == 3 && x[i] == 1.0))
            return raise_text(ABUT_ERROR_ARGUMENT, "%s: expected a number from %g to %s%g, got %g", names[i], least[i],
                       i == 3 ? "below " : "", most[i], x[i]),
                   -1;
    return 0;
}

/* (from, to, eps, relative, care, budget, seconds) */
static int read_settings(PyObject *value, AbutClearanceDef *out) {
    Doubles d;
    if (read_vector(value, "settings", SETTINGS, &d) != 0) return -1;
    if (check_settings(d.data) != 0) return release_doubles(&d), -1;
    *out = (AbutClearanceDef){.from = d.data[0],
        .to = d.data[1],
        .eps = d.data[2],
        .relative = d.data[3],
        .care = d.data[4],
        .budget = d.data[5] < 9e18 ? (int64_t)d.data[5] : INT64_MAX,
        .seconds = d.data[6]};
    release_doubles(&d);
    return 0;
}

/* One question about two moving bodies, which may outlive the call of Python that asked it. */
typedef struct Pair {
    AbutMover mover[2];
    AbutClearanceBody *body[2];
    PyObject *keep[4]; /* bodies and motions */
    AbutClearanceDef def;
    AbutClearanceSpace *space;
    AbutClearanceMethod method;
    double band, level, tolerance;
    int last;
    AbutClearance out;
    AbutClearanceSample *samples;
    size_t sample_count, sample_capacity;
    int no_memory;
    AbutClearanceMinimum *minima;
    int32_t minima_room, minima_count;
    AbutContactTime time;
} Pair;

static void release_pair(void *user) {
    Pair *p = user;
    abut_clearance_body_free(p->body[0]);
    abut_clearance_body_free(p->body[1]);
    abut_clearance_space_free(p->space);
    for (int i = 0; i < 4; ++i) Py_XDECREF(p->keep[i]);
    abut_free(p->samples);
    abut_free(p->minima);
    abut_free(p);
}

/* (a, b, motion_a, motion_b, settings, ...); 0, or -1 with an exception. */
static int read_pair(PyObject *const *args, Pair *out) {
    static const char *const names[2] = {"a", "b"}, *const motions[2] = {"motion_a", "motion_b"};
    AbutError error;
    int status = read_settings(args[4], &out->def);
    for (int k = 0; k < 2 && status == 0; ++k) {
        out->body[k] = read_clearance_body(args[k], names[k]);
        status = out->body[k] ? read_motion(args[2 + k], motions[k], &out->mover[k].motion) : -1;
        out->mover[k].solid = abut_solid_prepared(out->body[k]);
    }
    for (int i = 0; i < 4; ++i) out->keep[i] = Py_NewRef(args[i]);
    if (status == 0 && abut_clearance_space_create(0, &out->space, &error) != ABUT_OK)
        status = (raise_error(&error), -1);
    return status;
}

/* As above, in memory of its own, freed by release_pair; NULL with an exception. */
static Pair *open_pair(PyObject *const *args) {
    Pair *p = abut_alloc(sizeof *p);
    if (!p) return (Pair *)PyErr_NoMemory();
    memset(p, 0, sizeof *p);
    return read_pair(args, p) == 0 ? p : (release_pair(p), NULL);
}

/* ---- one pair ---------------------------------------------------------------------------------------------------- */

static void search(void *user) {
    Pair *p = user;
    p->out = abut_clearance_by(p->method, &p->mover[0], &p->mover[1], &p->def, p->space);
}

/* (a, b, motion_a, motion_b, settings, method) */
static PyObject *clearance(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const char *words[ABUT_CLEARANCE_METHOD_COUNT];
    for (int i = 0; i < ABUT_CLEARANCE_METHOD_COUNT; ++i) words[i] = abut_word(abut_clearance_method_names, i);
    if (expect_count("clearance", count, 6) != 0) return NULL;
    int method = read_word(args[5], "method", ABUT_CLEARANCE_METHOD_COUNT, words);
    Pair *p = method < 0 ? NULL : open_pair(args);
    if (!p) return NULL;
    p->method = (AbutClearanceMethod)method;
    if (run_or_leave(search, release_pair, p, NULL) != 0) return NULL;
    PyObject *out = record_new(&record_clearance, &p->out);
    release_pair(p);
    return out;
}

static int add_sample(const AbutClearanceSample *sample, void *user) {
    Pair *p = user;
    void *rows = p->samples;
    p->no_memory = !abut_grow(&rows, &p->sample_capacity, p->sample_count + 1, sizeof *p->samples);
    p->samples = rows;
    if (!p->no_memory) p->samples[p->sample_count++] = *sample;
    return p->no_memory;
}

static void trace(void *user) {
    Pair *p = user;
    p->out = abut_clearance_curve(&p->mover[0], &p->mover[1], &p->def, p->band, add_sample, p, p->space);
}

/* (a, b, motion_a, motion_b, settings, band) -> (Clearance, array of ClearanceSample) */
static PyObject *clearance_curve(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    double band;
    Pair *p;
    if (expect_count("clearance_curve", count, 6) != 0 || read_length(args[5], "band", &band) != 0 ||
        !(p = open_pair(args)))
        return NULL;
    p->band = band;
    if (run_or_leave(trace, release_pair, p, NULL) != 0) return NULL;
    PyObject *result = p->no_memory ? PyErr_NoMemory()
                                    : Py_BuildValue("(NN)", record_new(&record_clearance, &p->out),
                                          array_of_records(&record_sample, p->samples, p->sample_count));
    release_pair(p);
    return result;
}

static void find_minima(void *user) {
    Pair *p = user;
    p->out = abut_clearance_minima(
        &p->mover[0], &p->mover[1], &p->def, p->band, p->minima_room, p->minima, &p->minima_count, p->space);
}

/* (a, b, motion_a, motion_b, settings, band, capacity) -> (Clearance, array of ClearanceMinimum, how many there are) */
static PyObject *clearance_minima(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    double band;
    int room;
    Pair *p;
    if (expect_count("clearance_minima", count, 7) != 0 || read_length(args[5], "band", &band) != 0 ||
        read_int(args[6], "limit", &room) != 0)
        return NULL;
    if (room < 1 || room > 1000000)
        return raise_text(ABUT_ERROR_ARGUMENT, "limit: expected 1 to 1000000, got %d", room);
    if (!(p = open_pair(args))) return NULL;
    p->band = band, p->minima_room = room;
    p->minima = abut_alloc_array((size_t)room, sizeof *p->minima);
    if (!p->minima) return release_pair(p), PyErr_NoMemory();
    memset(p->minima, 0, (size_t)room * sizeof *p->minima);
    if (run_or_leave(find_minima, release_pair, p, NULL) != 0) return NULL;
    int32_t found = p->minima_count;
    PyObject *out = Py_BuildValue("(NNi)", record_new(&record_clearance, &p->out),
        array_of_records(&record_minimum, p->minima, (size_t)(found < room ? found : room)), (int)found);
    release_pair(p);
    return out;
}

static void find_time(void *user) {
    Pair *p = user;
    p->time =
        abut_clearance_contact_time(&p->mover[0], &p->mover[1], &p->def, p->level, p->tolerance, p->last, p->space);
}

/* (a, b, motion_a, motion_b, settings, level, tolerance, last) */
static PyObject *contact_time(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    double level, tolerance;
    int last;
    Pair *p;
    if (expect_count("contact_time", count, 8) != 0 || read_length(args[5], "level", &level) != 0 ||
        read_length(args[6], "tolerance", &tolerance) != 0 || read_int(args[7], "last", &last) != 0 ||
        !(p = open_pair(args)))
        return NULL;
    p->level = level, p->tolerance = tolerance, p->last = last;
    if (run_or_leave(find_time, release_pair, p, NULL) != 0) return NULL;
    PyObject *out = record_new(&record_contact_time, &p->time);
    release_pair(p);
    return out;
}

/* ---- many pairs -------------------------------------------------------------------------------------------------- */

typedef struct Movers {
    Py_ssize_t count;
    AbutMover *mover;
    AbutClearanceBody **body;
} Movers;

static void free_movers(Movers *movers) {
    for (Py_ssize_t i = 0; movers->body && i < movers->count; ++i) abut_clearance_body_free(movers->body[i]);
    abut_free(movers->body);
    abut_free(movers->mover);
}

/* 0, or -1 with an exception; to be freed by free_movers in both cases. */
static int read_movers(PyObject *bodies, PyObject *motions, Movers *out) {
    Py_ssize_t n = PyList_Size(bodies);
    memset(out, 0, sizeof *out);
    if (n < 0 || PyList_Size(motions) != n)
        return PyErr_Format(PyExc_TypeError, "bodies: expected two lists of one length"), -1;
    out->mover = abut_alloc_array((size_t)n, sizeof *out->mover);
    out->body = abut_alloc_array((size_t)n, sizeof *out->body);
    if (!out->mover || !out->body) return PyErr_NoMemory(), -1;
    for (; out->count < n; ++out->count) {
        AbutClearanceBody *body = read_clearance_body(PyList_GetItem(bodies, out->count), "bodies");
        if (!body || read_motion(PyList_GetItem(motions, out->count), "motions", &out->mover[out->count].motion) != 0)
            return abut_clearance_body_free(body), -1;
        out->body[out->count] = body;
        out->mover[out->count].solid = abut_solid_prepared(body);
    }
    return 0;
}

/* A question about many pairs. */
typedef struct Many {
    Movers movers;
    PyObject *keep[2]; /* bodies, motions */
    Py_buffer pairs;
    AbutClearanceDef def;
    int only_worst, threads;
    int32_t count;
    AbutClearance *out; /* [count] */
    AbutClearanceWorst worst;
    AbutStatus status;
    AbutError error;
} Many;

static void release_many(void *user) {
    Many *m = user;
    free_movers(&m->movers);
    if (m->pairs.obj) PyBuffer_Release(&m->pairs);
    Py_XDECREF(m->keep[0]);
    Py_XDECREF(m->keep[1]);
    abut_free(m->out);
    abut_free(m);
}

static void search_many(void *user) {
    Many *m = user;
    const AbutPair *pairs = m->pairs.buf;
    const int32_t movers = (int32_t)m->movers.count;
    m->status =
        m->only_worst
            ? abut_clearance_worst(movers, m->movers.mover, m->count, pairs, &m->def, m->threads, &m->worst, &m->error)
            : abut_clearance_pairs(movers, m->movers.mover, m->count, pairs, &m->def, m->out, m->threads, &m->error);
}

/* 0, or -1 with an exception. */
static int read_many(PyObject *const *args, Many *m) {
    if (read_settings(args[3], &m->def) != 0 || read_int(args[4], "worst", &m->only_worst) != 0 ||
        read_count(args[5], "threads", &m->threads) != 0 || read_movers(args[0], args[1], &m->movers) != 0 ||
        PyObject_GetBuffer(args[2], &m->pairs, PyBUF_C_CONTIGUOUS) != 0)
        return -1;
    m->keep[0] = Py_NewRef(args[0]), m->keep[1] = Py_NewRef(args[1]);
    const AbutPair *pairs = m->pairs.buf;
    Py_ssize_t n = m->pairs.len / (Py_ssize_t)sizeof *pairs;
    for (Py_ssize_t i = 0; i < n; ++i)
        if (pairs[i].a < 0 || pairs[i].b < 0 || pairs[i].a >= m->movers.count || pairs[i].b >= m->movers.count)
            return raise_text(ABUT_ERROR_ARGUMENT, "pairs: row %zd names a body that is not there", i), -1;
    m->count = (int32_t)n;
    m->out = abut_alloc_array((size_t)n + 1, sizeof *m->out);
    return m->out ? 0 : (PyErr_NoMemory(), -1);
}

/* (bodies, motions, pairs (n, 2) i4, settings, worst, threads) -> array of Clearance, or (pair, certified, lb,
 * Clearance) */
static PyObject *clearance_pairs(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (expect_count("clearance_pairs", count, 6) != 0) return NULL;
    Many *m = abut_alloc(sizeof *m);
    if (!m) return PyErr_NoMemory();
    memset(m, 0, sizeof *m);
    if (read_many(args, m) != 0) return release_many(m), NULL;
    if (run_or_leave(search_many, release_many, m, NULL) != 0) return NULL;
    PyObject *out = m->status != ABUT_OK ? raise_error(&m->error)
                    : m->only_worst ? Py_BuildValue("(iNdN)", (int)m->worst.pair, PyBool_FromLong(m->worst.certified),
                                          m->worst.lb, record_new(&record_clearance, &m->worst.clearance))
                                    : array_of_records(&record_clearance, m->out, (size_t)m->count);
    release_many(m);
    return out;
}

/* ---- what a planner asks ----------------------------------------------------------------------------------------- */

/* Room for the derivatives by the joints of a motion, or None where it has no chain. */
static int begin_gradient(const AbutMotion *motion, NewArray *out) {
    const Py_ssize_t shape[2] = {motion->chain ? motion->chain->joint_count : 0, 3};
    return begin_array_of("f8", 2, shape, out);
}

/* (one row of an array of ClearanceMinimum, motion_a, motion_b) -> ((joints of a, 3), (joints of b, 3)) */
static PyObject *clearance_gradient(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutMotion a, b;
    AbutClearanceMinimum minimum;
    Py_buffer row;
    NewArray by_a, by_b;
    if (expect_count("clearance_gradient", count, 3) != 0 || read_motion(args[1], "motion_a", &a) != 0 ||
        read_motion(args[2], "motion_b", &b) != 0 || PyObject_GetBuffer(args[0], &row, PyBUF_C_CONTIGUOUS) != 0)
        return NULL;
    int fits = row.len == (Py_ssize_t)sizeof minimum;
    if (fits) memcpy(&minimum, row.buf, sizeof minimum);
    PyBuffer_Release(&row);
    if (!fits) return PyErr_Format(PyExc_TypeError, "minimum: expected a row of what clearance_minima gave");
    if (begin_gradient(&a, &by_a) != 0) return NULL;
    if (begin_gradient(&b, &by_b) != 0) return cancel_array(&by_a), NULL;
    if (a.chain) abut_chain_gradient(a.chain, a.link, minimum.t, minimum.point_a, abut_neg(minimum.normal), by_a.data);
    if (b.chain) abut_chain_gradient(b.chain, b.link, minimum.t, minimum.point_b, minimum.normal, by_b.data);
    return Py_BuildValue("(NN)", end_array(&by_a), end_array(&by_b));
}

/* Twelve control points and a radius. */
static int read_path_of_capsule(
    PyObject *points, const char *name, PyObject *radius, const char *radius_name, AbutCapsulePath *out) {
    Doubles d;
    if (read_length(radius, radius_name, &out->radius) != 0 || read_matrix(points, name, 12, 3, &d) != 0) return -1;
    memcpy(out->a, d.data, sizeof out->a);
    memcpy(out->b, d.data + 18, sizeof out->b);
    release_doubles(&d);
    return 0;
}

/* (points_a (12, 3), radius_a, points_b (12, 3), radius_b, start, end, eps) -> Clearance */
static PyObject *clearance_capsules(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutCapsulePath a, b;
    AbutClearance out;
    double from, to, eps;
    if (expect_count("clearance_capsules", count, 7) != 0 ||
        read_path_of_capsule(args[0], "a", args[1], "radius_a", &a) != 0 ||
        read_path_of_capsule(args[2], "b", args[3], "radius_b", &b) != 0 || read_real(args[4], "start", &from) != 0 ||
        read_real(args[5], "end", &to) != 0 || read_real(args[6], "eps", &eps) != 0)
        return NULL;
    memset(&out, 0, sizeof out);
    Py_BEGIN_ALLOW_THREADS;
    out = abut_clearance_capsules(&a, &b, from, to, eps);
    Py_END_ALLOW_THREADS;
    return record_new(&record_clearance, &out);
}

typedef struct SoftPair {
    const AbutSoftBody *body[2];
    AbutMotion motion[2];
    PyObject *keep[4]; /* bodies and motions */
    AbutClearanceDef def;
    AbutClearance out;
    AbutStatus status;
    AbutError error;
} SoftPair;

static void release_soft_pair(void *user) {
    SoftPair *p = user;
    for (int i = 0; i < 4; ++i) Py_XDECREF(p->keep[i]);
    abut_free(p);
}

static void search_soft(void *user) {
    SoftPair *p = user;
    p->status = abut_clearance_soft(p->body[0], &p->motion[0], p->body[1], &p->motion[1], &p->def, &p->out, &p->error);
}

/* (a, b, motion_a, motion_b, settings) */
static PyObject *clearance_soft(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutSoftBody *a, *b;
    AbutMotion motion_a, motion_b;
    AbutClearanceDef def;
    if (expect_count("clearance_soft", count, 5) != 0 || !(a = read_soft(args[0], "a")) ||
        !(b = read_soft(args[1], "b")) || read_motion(args[2], "motion_a", &motion_a) != 0 ||
        read_motion(args[3], "motion_b", &motion_b) != 0 || read_settings(args[4], &def) != 0)
        return NULL;
    SoftPair *p = abut_alloc(sizeof *p);
    if (!p) return PyErr_NoMemory();
    *p = (SoftPair){.body = {a, b}, .motion = {motion_a, motion_b}, .def = def};
    for (int i = 0; i < 4; ++i) p->keep[i] = Py_NewRef(args[i]);
    if (run_or_leave(search_soft, release_soft_pair, p, NULL) != 0) return NULL;
    PyObject *out = p->status == ABUT_OK ? record_new(&record_clearance, &p->out) : raise_error(&p->error);
    release_soft_pair(p);
    return out;
}

PyMethodDef clearance_functions[] = {
    FAST("clearance_soft", clearance_soft),
    FAST("clearance", clearance),
    FAST("clearance_curve", clearance_curve),
    FAST("clearance_minima", clearance_minima),
    FAST("contact_time", contact_time),
    FAST("clearance_pairs", clearance_pairs),
    FAST("clearance_gradient", clearance_gradient),
    FAST("clearance_capsules", clearance_capsules),
    {NULL, NULL, 0, NULL},
};
