/* SPDX-License-Identifier: Apache-2.0 */
/* Roadmaps as Python objects: made from a problem or a file, written, looked at. */
#include <string.h>

#include "convert.h"
#include "defs.h"
#include "interrupt.h"
#include "problems.h"
#include "rooms.h"

static PyTypeObject *roadmap_type;

static void roadmap_dealloc(PyObject *self) {
    abut_roadmap_free(&((RoadmapObject *)self)->map);
    free_object(self);
}

RoadmapObject *read_roadmap(PyObject *value) {
    if (!PyObject_TypeCheck(value, roadmap_type))
        return PyErr_Format(PyExc_TypeError, "roadmap: expected an abut.Roadmap, got %R", value), NULL;
    return (RoadmapObject *)value;
}

/* Takes the map. */
static PyObject *roadmap_take(AbutRoadmap *map) {
    RoadmapObject *self = PyObject_New(RoadmapObject, roadmap_type);
    if (!self) return abut_roadmap_free(map), NULL;
    self->map = *map;
    return (PyObject *)self;
}

/* The making may outlive the call of Python that asked for it. */
typedef struct Making {
    ProblemObject *problem;
    int count;
    AbutPlanSettings settings;
    AbutRoadmap map;
    volatile int cancel;
    AbutStatus status;
    AbutError error;
} Making;

static void free_making(void *user) {
    Making *x = user;
    abut_roadmap_free(&x->map);
    Py_XDECREF((PyObject *)x->problem);
    abut_free(x);
}

static int go_on(int32_t attempts, double best_cost, void *user) {
    (void)attempts, (void)best_cost;
    return ((Making *)user)->cancel;
}

static void make(void *user) {
    Making *x = user;
    x->status = abut_roadmap_create(x->problem->problem, x->count, &x->settings, &x->map, &x->error);
}

/* (problem, count, level, threads, seed) */
static PyObject *roadmap_new(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ProblemObject *problem;
    if (expect_count("roadmap_new", count, 5) != 0 || !(problem = read_problem(args[0]))) return NULL;
    Making *x = abut_alloc(sizeof *x);
    if (!x) return PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    x->problem = (ProblemObject *)Py_NewRef((PyObject *)problem);
    x->settings = abut_plan_settings_default();
    x->settings.progress = go_on, x->settings.user = x;
    if (read_count(args[1], "count", &x->count) != 0 || read_real(args[2], "level", &x->settings.level) != 0 ||
        read_count(args[3], "threads", &x->settings.threads) != 0 || read_seed(args[4], &x->settings.seed) != 0)
        return free_making(x), NULL;
    if (run_or_leave(make, free_making, x, &x->cancel) != 0) return NULL;
    PyObject *out = NULL;
    if (x->status == ABUT_OK) {
        out = roadmap_take(&x->map);
        memset(&x->map, 0, sizeof x->map);
    } else {
        raise_error(&x->error);
    }
    free_making(x);
    return out;
}

/* (bytes, name) */
static PyObject *roadmap_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    FileBytes in;
    AbutRoadmap map;
    AbutError error;
    if (expect_count("roadmap_parse", count, 2) != 0 || read_file_bytes(args[0], args[1], &in) != 0) return NULL;
    return abut_roadmap_read(in.name, in.data, in.size, &map, &error) == ABUT_OK ? roadmap_take(&map)
                                                                                 : raise_error(&error);
}

/* (roadmap, path) */
static PyObject *roadmap_write(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RoadmapObject *self;
    const char *path;
    AbutError error;
    if (expect_count("roadmap_write", count, 2) != 0 || !(self = read_roadmap(args[0])) ||
        !(path = read_path(args[1], "path")))
        return NULL;
    return abut_roadmap_write(path, &self->map, &error) == ABUT_OK ? Py_NewRef(Py_None) : raise_error(&error);
}

/* Edges both ways, each behind its begin. */
static void list_edges(const int32_t *edges, Py_ssize_t count, AbutRoadmap *map) {
    memset(map->start, 0, ((size_t)map->count + 1) * sizeof *map->start);
    for (Py_ssize_t e = 0; e < 2 * count; ++e) ++map->start[edges[e]];
    for (int32_t i = 0, sum = 0; i <= map->count; ++i) map->start[i] = sum += map->start[i];
    for (Py_ssize_t e = 2 * count - 1; e >= 0; --e) map->to[--map->start[edges[e]]] = edges[e ^ 1];
}

/* (postures (n, coordinates), edges i4 (m, 2)), as of roadmap_tell -> roadmap: what was pickled */
static PyObject *roadmap_of(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Doubles postures;
    Py_buffer edges;
    AbutRoadmap map = {0};
    if (expect_count("roadmap_of", count, 2) != 0 || read_matrix(args[0], "postures", -1, -1, &postures) != 0)
        return NULL;
    if (PyObject_GetBuffer(args[1], &edges, PyBUF_C_CONTIGUOUS) != 0) return release_doubles(&postures), NULL;
    const Py_ssize_t ends = edges.len / (Py_ssize_t)sizeof(int32_t);
    int good = postures.shape[0] > 0 && postures.shape[0] <= ABUT_ROADMAP_POSTURES && ends % 2 == 0;
    for (Py_ssize_t i = 0; i < ends && good; ++i) {
        int32_t k = ((const int32_t *)edges.buf)[i];
        good = k >= 0 && k < postures.shape[0];
    }
    map.count = (int32_t)postures.shape[0], map.width = (int32_t)postures.shape[1];
    map.postures = abut_alloc_array((size_t)postures.count + 1, sizeof *map.postures);
    map.start = abut_alloc_array((size_t)map.count + 1, sizeof *map.start);
    map.to = abut_alloc_array((size_t)ends + 1, sizeof *map.to);
    int made = map.postures && map.start && map.to;
    if (good && made) {
        memcpy(map.postures, postures.data, (size_t)postures.count * sizeof *map.postures);
        list_edges(edges.buf, ends / 2, &map);
    }
    release_doubles(&postures);
    PyBuffer_Release(&edges);
    if (good && made) return roadmap_take(&map);
    abut_roadmap_free(&map);
    return made ? raise_text(ABUT_ERROR_ARGUMENT, "edges: expected numbers of postures, two for each")
                : PyErr_NoMemory();
}

/* (roadmap) -> (postures (n, coordinates), edges (m, 2), each once) */
static PyObject *roadmap_tell(PyObject *module, PyObject *value) {
    (void)module;
    RoadmapObject *self = read_roadmap(value);
    NewArray edges;
    if (!self) return NULL;
    const AbutRoadmap *map = &self->map;
    const Py_ssize_t shape[2] = {map->count, map->width};
    Py_ssize_t found[2] = {0, 2};
    for (int32_t i = 0; i < map->count; ++i)
        for (int32_t e = map->start[i]; e < map->start[i + 1]; ++e) found[0] += i < map->to[e];
    if (begin_array_of("i4", 2, found, &edges) != 0) return NULL;
    int32_t *out = edges.data;
    for (int32_t i = 0; i < map->count; ++i)
        for (int32_t e = map->start[i]; e < map->start[i + 1]; ++e)
            if (i < map->to[e]) *out++ = i, *out++ = map->to[e];
    return Py_BuildValue("(NN)", array_of_doubles(map->postures, 2, shape), end_array(&edges));
}

PyMethodDef roadmap_functions[] = {
    FAST("roadmap_new", roadmap_new),
    FAST("roadmap_parse", roadmap_parse),
    FAST("roadmap_write", roadmap_write),
    FAST("roadmap_of", roadmap_of),
    {"roadmap_tell", roadmap_tell, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot roadmap_slots[] = {
    {Py_tp_dealloc, roadmap_dealloc},
    {0, NULL},
};

static PyType_Spec roadmap_spec = {"abut._abut.RoadmapHandle", sizeof(RoadmapObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, roadmap_slots};

int add_roadmap_type(PyObject *module) {
    roadmap_type = add_type(module, &roadmap_spec);
    return roadmap_type ? 0 : -1;
}
