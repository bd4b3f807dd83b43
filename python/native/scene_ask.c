/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to a scene in its state: rays, moved bodies, nearest points, distances of all pairs of bodies, and the
 * contact mode that they are in. */
#include <string.h>

#include "bodies.h"
#include "casts.h"
#include "modes.h"
#include "rooms.h"
#include "worlds.h"

/* ---- casts ------------------------------------------------------------------------------------------------------- */

/* Bodies that are passed over. */
typedef struct Skip {
    const AbutScene *scene;
    Py_ssize_t count;
    AbutBodyId *bodies;
} Skip;

static int not_skipped(AbutShapeId shape, void *user) {
    const Skip *skip = user;
    AbutBodyId body;
    if (!abut_scene_get_shape(skip->scene, shape, NULL, &body)) return 0;
    for (Py_ssize_t i = 0; i < skip->count; ++i)
        if (skip->bodies[i].index1 == body.index1) return 0;
    return 1;
}

/* Shared by all questions of a call. */
typedef struct Asking {
    SceneObject *scene;
    Skip skip;
    AbutPlaced moved;
    AbutCast cast;
    Rays rays;
    int nearest;
    char *out;
} Asking;

static void free_asking(Asking *a) {
    release_rays(&a->rays);
    abut_free(a->skip.bodies);
}

static int read_skip(PyObject *list, Skip *out) {
    out->bodies = abut_alloc_array((size_t)PyList_Size(list) + 1, sizeof *out->bodies);
    if (!out->bodies) return PyErr_NoMemory(), -1;
    for (; out->count < PyList_Size(list); ++out->count)
        if (read_body_id(PyList_GetItem(list, out->count), &out->bodies[out->count]) != 0) return -1;
    return 0;
}

/* (scene, origin, way, skip, moved or None, pose, tolerance) */
static int read_asking(PyObject *const *args, Asking *out) {
    memset(out, 0, sizeof *out);
    out->scene = read_scene(args[0]);
    if (!out->scene || !PyList_Check(args[3]) || read_length(args[6], "tolerance", &out->cast.tolerance) != 0 ||
        (args[4] != Py_None && read_solid(args[4], "moved", &out->moved.solid) != 0) ||
        read_pose(args[5], "pose", &out->moved.pose) != 0 || read_rays(args[1], "origin", args[2], &out->rays) != 0)
        return -1;
    if (read_skip(args[3], &out->skip) != 0) return free_asking(out), -1;
    out->skip.scene = out->scene->scene;
    out->cast.moved = args[4] == Py_None ? NULL : &out->moved;
    return 0;
}

static int (*filter_of(const Asking *a))(AbutShapeId shape, void *user) {
    return a->skip.count > 0 ? not_skipped : NULL;
}

static void ask_scene(Py_ssize_t i, void *user) {
    Asking *a = user;
    const AbutScene *scene = a->scene->scene;
    AbutCast cast = a->cast;
    cast.ray = get_ray(&a->rays, i);
    if (a->nearest) {
        AbutBodyId near = {0, 0};
        AbutShapeId shape;
        AbutNearestPoint found = abut_scene_nearest_point(scene, cast.ray.origin, filter_of(a), &a->skip, &shape);
        (void)abut_scene_get_shape(scene, shape, NULL, &near);
        found.body = place_in_scene(scene, near);
        ((AbutNearestPoint *)(void *)a->out)[i] = found;
    } else {
        AbutSceneHit found = abut_scene_cast(scene, &cast, filter_of(a), &a->skip);
        found.hit.body = place_in_scene(scene, found.body);
        ((AbutCastHit *)(void *)a->out)[i] = found.hit;
    }
}

static PyObject *ask_rays(Asking *a, int threads) {
    const Record *record = a->nearest ? &record_nearest : &record_cast;
    NewArray out;
    if (!a->rays.batch) {
        union {
            AbutCastHit hit;
            AbutNearestPoint nearest;
        } answer;
        memset(&answer, 0, sizeof answer);
        a->out = (char *)&answer;
        ask_scene(0, a);
        return record_new(record, &answer);
    }
    if (begin_records(record, a->rays.count, &out) != 0) return NULL;
    memset(out.data, 0, (size_t)out.view.len);
    a->out = out.data;
    a->scene->busy = 1;
    int status = ask_all(a->rays.count, threads, ask_scene, a);
    a->scene->busy = 0;
    return status == 0 ? end_array(&out) : (cancel_array(&out), NULL);
}

/* (scene, origin, way, skip, moved or None, pose, tolerance, nearest, threads) */
static PyObject *scene_cast(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Asking a;
    int nearest, threads;
    if (expect_count("scene_cast", count, 9) != 0 || read_int(args[7], "nearest", &nearest) != 0 ||
        read_count(args[8], "threads", &threads) != 0 || read_asking(args, &a) != 0)
        return NULL;
    a.nearest = nearest;
    PyObject *out = ask_rays(&a, threads);
    free_asking(&a);
    return out;
}

/* The hits of one ray as an array; `hits` has room for `capacity`. */
static PyObject *hits_of(Asking *a, int32_t capacity, AbutSceneHit *hits) {
    NewArray out;
    int32_t found = abut_scene_cast_all(a->scene->scene, &a->cast, filter_of(a), &a->skip, capacity, hits);
    if (found < 0) return raise_text(ABUT_ERROR_NUMBER, "the ray, or the moved body, has numbers that mean nothing");
    if (begin_records(&record_cast, found, &out) != 0) return NULL;
    for (int32_t i = 0; i < found; ++i) {
        hits[i].hit.body = place_in_scene(a->scene->scene, hits[i].body);
        ((AbutCastHit *)out.data)[i] = hits[i].hit;
    }
    return end_array(&out);
}

/* (scene, origin, way, skip, moved or None, pose, tolerance) -> array of CastHit */
static PyObject *scene_cast_all(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Asking a;
    if (expect_count("scene_cast_all", count, 7) != 0 || read_asking(args, &a) != 0) return NULL;
    PyObject *out = NULL;
    int32_t capacity = 0;
    for (int i = 0; i < abut_scene_body_count(a.scene->scene); ++i)
        capacity += abut_scene_shape_count(a.scene->scene, abut_scene_body_at(a.scene->scene, i));
    AbutSceneHit *hits = abut_alloc_array((size_t)capacity + 1, sizeof *hits);
    if (a.rays.batch)
        raise_text(ABUT_ERROR_ARGUMENT, "all: expected one ray, shape (3,)");
    else if (!hits)
        PyErr_NoMemory();
    else
        a.cast.ray = get_ray(&a.rays, 0), out = hits_of(&a, capacity, hits);
    abut_free(hits);
    free_asking(&a);
    return out;
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

static SceneDistanceRow distance_row(const AbutScene *scene, const AbutSceneDistance *d) {
    return (SceneDistanceRow){.body_a = place_in_scene(scene, d->body_a),
        .body_b = place_in_scene(scene, d->body_b),
        .shape_a = shape_bits(d->shape_a),
        .shape_b = shape_bits(d->shape_b),
        .distance = d->gap.distance,
        .normal = d->gap.normal,
        .point_a = d->gap.point_a,
        .point_b = d->gap.point_b};
}

/* (scene, within, triangles) -> array of SceneDistance */
static PyObject *scene_distances(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    NewArray out;
    double within;
    int32_t found = 0, room = 0;
    int triangles;
    if (expect_count("scene_distances", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        read_length(args[1], "within", &within) != 0 || (triangles = PyObject_IsTrue(args[2])) < 0)
        return NULL;
    AbutSceneDistance *rows = NULL;
    AbutSceneSurfaces *surfaces = NULL;
    AbutStatus status = ABUT_OK;
    begin_asking(scene);
    Py_BEGIN_ALLOW_THREADS;
    if (triangles) status = abut_scene_surfaces_create(scene->scene, 0, &surfaces, NULL);
    room = status == ABUT_OK ? abut_scene_distances(scene->scene, surfaces, within, 0, NULL) : 0;
    rows = status == ABUT_OK ? abut_alloc_array((size_t)room + 1, sizeof *rows) : NULL;
    if (rows) found = abut_scene_distances(scene->scene, surfaces, within, room, rows);
    abut_scene_surfaces_free(surfaces);
    Py_END_ALLOW_THREADS;
    if (end_asking(scene) != 0) return abut_free(rows), NULL;
    if (!rows) return PyErr_NoMemory();
    int begun = begin_records(&record_scene_distance, found, &out) == 0;
    for (int32_t i = 0; begun && i < found; ++i)
        ((SceneDistanceRow *)out.data)[i] = distance_row(scene->scene, &rows[i]);
    abut_free(rows);
    return begun ? end_array(&out) : NULL;
}

/* ---- the mode ---------------------------------------------------------------------------------------------------- */

/* The mode of a list of contacts as text; `system` is theirs. */
static PyObject *mode_of(
    const AbutScene *scene, const AbutContactList *list, int lines, double speed, const AbutModeSystem *system) {
    ModeBits mode;
    AbutError error;
    if (make_mode(system, 0, &mode) != 0) return NULL;
    AbutStatus status = abut_scene_mode(scene, list, lines, speed, mode.mode, &error);
    PyObject *text = status == ABUT_OK ? mode_text(system, 0, mode.mode) : raise_error(&error);
    free_mode(&mode);
    return text;
}

/* (scene, margin, lines, speed) -> text of signs */
static PyObject *scene_mode(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutContactList list = {0};
    AbutModeSystem system = {0};
    AbutError error;
    double speed;
    int lines;
    if (expect_count("scene_mode", count, 4) != 0 || !(scene = read_scene(args[0])) ||
        read_int(args[2], "lines", &lines) != 0 || read_length(args[3], "speed", &speed) != 0 ||
        contacts_of(scene, args[1], &list) != 0)
        return NULL;
    PyObject *text = NULL;
    AbutStatus status;
    ALONE(scene, status = abut_scene_mode_system(scene->scene, &list, lines, &system, &error));
    if (status == ABUT_OK)
        text = mode_of(scene->scene, &list, lines, speed, &system);
    else
        raise_error(&error);
    abut_mode_system_free(&system);
    abut_contact_list_free(&list);
    return text;
}

/* (scene) -> (dof, k): velocities that keep the equalities of robots */
static PyObject *scene_mode_basis(PyObject *module, PyObject *value) {
    (void)module;
    SceneObject *scene = read_scene(value);
    AbutError error;
    NewArray out;
    double *basis = NULL;
    int count = 0;
    if (!scene) return NULL;
    AbutStatus status;
    ALONE(scene, status = abut_scene_mode_basis(scene->scene, &basis, &count, &error));
    if (status != ABUT_OK) return raise_error(&error);
    const Py_ssize_t shape[2] = {abut_scene_mode_dof(scene->scene), count};
    int begun = begin_array_of("f8", 2, shape, &out) == 0;
    for (Py_ssize_t i = 0; begun && i < shape[0] * shape[1]; ++i) /* none: all velocities keep them */
        ((double *)out.data)[i] = basis ? basis[i] : i / count == i % count ? 1.0 : 0.0;
    abut_free(basis);
    return begun ? end_array(&out) : NULL;
}

/* The arrays and numbers of a grasp; frees it. */
static PyObject *tell_grasp(AbutGrasp *g) {
    const Py_ssize_t forces = 3 * (Py_ssize_t)g->contacts, contacts = g->contacts;
    const Py_ssize_t matrix[2] = {6, forces}, jacobian[2] = {forces, g->velocities};
    PyObject *out = Py_BuildValue("{sNsNsNsisdsN}", "matrix", array_of_doubles(g->matrix, 2, matrix), "jacobian",
        array_of_doubles(g->jacobian, 2, jacobian), "friction", array_of_doubles(g->friction, 1, &contacts), "rank",
        g->rank, "least_singular", g->least_singular, "closure", PyBool_FromLong(g->closure));
    abut_free(g->memory);
    return out;
}

/* (scene, margin, body) -> dictionary */
static PyObject *scene_grasp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutContactList list = {0};
    AbutGrasp grasp = {0};
    AbutBodyId body;
    AbutError error;
    if (expect_count("scene_grasp", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        read_body_id(args[2], &body) != 0 || contacts_of(scene, args[1], &list) != 0)
        return NULL;
    AbutStatus status;
    ALONE(scene, status = abut_scene_grasp(scene->scene, &list, body, &grasp, &error));
    abut_contact_list_free(&list);
    return status == ABUT_OK ? tell_grasp(&grasp) : raise_error(&error);
}

PyMethodDef scene_ask_functions[] = {
    {"scene_mode_basis", scene_mode_basis, METH_O, NULL},
    FAST("scene_grasp", scene_grasp),
    FAST("scene_cast", scene_cast),
    FAST("scene_cast_all", scene_cast_all),
    FAST("scene_distances", scene_distances),
    FAST("scene_mode", scene_mode),
    {NULL, NULL, 0, NULL},
};
