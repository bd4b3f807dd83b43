/* SPDX-License-Identifier: Apache-2.0 */
/* Pages: of runs, of two bodies at one pose or over time, of overlaps, plans and contact modes. */
#include <string.h>

#include "bodies.h"
#include "defs.h"
#include "models.h"
#include "overlaps.h"
#include "problems.h"
#include "rooms.h"
#include "runs.h"
#include "trajectories.h"

static const DefField head_fields[] = {
    DEF(AbutPageHead, title, DEF_TEXT),
    DEF(AbutPageHead, subtitle, DEF_TEXT),
    DEF(AbutPageHead, note, DEF_TEXT),
    DEF(AbutPageHead, outcome, DEF_TEXT),
    DEF(AbutPageHead, without_charts, DEF_FLAG),
    DEF(AbutPageHead, stages, DEF_FLAG),
};

static const DefTable head_table = DEF_TABLE("page", head_fields);

/* (path, head, run) -> (frame_stride, contact_stride) */
static PyObject *page_run(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPageHead head = {0};
    AbutPageReport report = {1, 1, 0};
    AbutError error;
    AbutStatus status;
    RunObject *run;
    const char *path;
    if (expect_count("page_run", count, 3) != 0 || !(path = read_path(args[0], "path")) ||
        fill_def(args[1], &head_table, &head) != 0 || !(run = read_run(args[2])))
        return NULL;
    run->busy = 1;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_page_write_run(path, &head, run->run, &report, &error);
    Py_END_ALLOW_THREADS;
    run->busy = 0;
    return status == ABUT_OK ? Py_BuildValue("(ii)", (int)report.frame_stride, (int)report.contact_stride)
                             : raise_error(&error);
}

/* (path, head, mesh_a, mesh_b, times, poses of B (n, 7), array of Distance) */
static PyObject *page_meshes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPageHead head = {0};
    AbutPageMeshes page = {.pose_a = abut_pose_identity()};
    AbutError error;
    MeshObject *a, *b;
    Doubles times;
    Poses poses;
    Py_buffer answers;
    const char *path;
    if (expect_count("page_meshes", count, 7) != 0 || !(path = read_path(args[0], "path")) ||
        fill_def(args[1], &head_table, &head) != 0 || !(a = read_mesh(args[2], "a")) ||
        !(b = read_mesh(args[3], "b")) || read_vector(args[4], "times", -1, &times) != 0)
        return NULL;
    if (read_poses(args[5], "poses", &poses) != 0) return release_doubles(&times), NULL;
    if (PyObject_GetBuffer(args[6], &answers, PyBUF_C_CONTIGUOUS) != 0)
        return release_doubles(&times), release_poses(&poses), NULL;
    AbutPose *list = abut_alloc_array((size_t)poses.count, sizeof *list);
    for (Py_ssize_t i = 0; list && i < poses.count; ++i) list[i] = get_pose(&poses, i);
    page.mesh[0] = &a->mesh, page.mesh[1] = &b->mesh;
    page.count = (int32_t)poses.count, page.times = times.data, page.pose_b = list, page.distance = answers.buf;
    int fits = times.count == poses.count && answers.len == poses.count * (Py_ssize_t)sizeof(AbutGap);
    AbutStatus status;
    UNLOCKED(status = !list   ? abut_fail(&error, ABUT_ERROR_MEMORY, "no memory for the page")
                      : !fits ? abut_fail(&error, ABUT_ERROR_ARGUMENT, "times, poses, answers: one of each")
                              : abut_page_write_meshes(path, &head, &page, &error));
    abut_free(list);
    PyBuffer_Release(&answers);
    release_poses(&poses);
    release_doubles(&times);
    return none_or_raise(status, &error);
}

static PyObject *page_available(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    return PyBool_FromLong(abut_page_available());
}

/* (path, head, model, overlap) */
static PyObject *page_overlap(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPageHead head = {0};
    AbutError error;
    ModelObject *model;
    const AbutOverlap *overlap;
    const char *path;
    if (expect_count("page_overlap", count, 4) != 0 || !(path = read_path(args[0], "path")) ||
        fill_def(args[1], &head_table, &head) != 0 || !(model = read_model(args[2])) ||
        !(overlap = read_overlap_of(args[3])))
        return NULL;
    AbutStatus status;
    READING(model, status = abut_page_write_overlap(path, &head, model->model, overlap, abut_pose_identity(), &error));
    return none_or_raise(status, &error);
}

/* ---- lists of texts ---------------------------------------------------------------------------------------------- */

/* The texts of a list, borrowed; NULL with an exception. To be freed with abut_free. */
static const char **read_texts(PyObject *list, const char *name) {
    Py_ssize_t n = PyList_Size(list);
    const char **out = n < 0 ? NULL : abut_alloc_array((size_t)n + 1, sizeof *out);
    for (Py_ssize_t i = 0; out && i < n; ++i)
        if (!(out[i] = read_text(PyList_GetItem(list, i), name))) return abut_free((void *)out), NULL;
    return out || PyErr_Occurred() ? out : (PyErr_NoMemory(), NULL);
}

/* Arrays of a page: what each must have. */
typedef struct Need {
    const char *name;
    Py_ssize_t count;
} Need;

/* Reads `n` arrays and checks their sizes; 0, or -1 with an exception and nothing to release. */
static int read_all(PyObject *const *args, int n, const Need *need, Doubles *out) {
    int read = 0;
    while (read < n && read_doubles(args[read], need[read].name, &out[read]) == 0 && ++read)
        if (out[read - 1].count != need[read - 1].count) {
            raise_text(ABUT_ERROR_ARGUMENT, "%s: expected %zd numbers, got %zd", need[read - 1].name,
                need[read - 1].count, out[read - 1].count);
            break;
        }
    if (!PyErr_Occurred()) return 0;
    while (read > 0) release_doubles(&out[--read]);
    return -1;
}

/* (path, head, problem, trajectory as read_trajectory takes it (three arguments), certificates of pairs as bytes) */
static PyObject *page_plan(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPageHead head = {0};
    AbutTrajectory trajectory;
    AbutError error;
    ProblemObject *problem;
    Py_buffer pairs;
    const char *path;
    if (expect_count("page_plan", count, 7) != 0 || !(path = read_path(args[0], "path")) ||
        fill_def(args[1], &head_table, &head) != 0 || !(problem = read_problem(args[2])) ||
        PyObject_GetBuffer(args[6], &pairs, PyBUF_C_CONTIGUOUS) != 0)
        return NULL;
    AbutStatus status = ABUT_OK;
    PyObject *out = NULL;
    Py_ssize_t want = abut_plan_pair_count(problem->problem) * (Py_ssize_t)sizeof(AbutPairCertificate);
    if (pairs.len != want)
        raise_text(ABUT_ERROR_ARGUMENT, "pairs: expected %zd bytes, got %zd", want, pairs.len);
    else if (read_trajectory(args + 3, &trajectory) == 0) {
        AbutPagePlan plan = {.problem = problem->problem, .trajectory = &trajectory, .pairs = pairs.buf};
        UNLOCKED(status = abut_page_write_plan(path, &head, &plan, &error));
        abut_trajectory_free(&trajectory);
        out = none_or_raise(status, &error);
    }
    PyBuffer_Release(&pairs);
    return out;
}

/* (path, head, model, texts, lines, contacts (n, 8): point, normal, body_a, body_b; ranks (modes,), feasible (modes,)
 * or empty, twists (modes, bodies, 6)) */
static PyObject *page_modes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPageHead head = {0};
    AbutError error;
    ModelObject *model;
    Doubles x[4];
    const char *path;
    int lines;
    if (expect_count("page_modes", count, 9) != 0 || !(path = read_path(args[0], "path")) ||
        fill_def(args[1], &head_table, &head) != 0 || !(model = read_model(args[2])) || !PyList_Check(args[3]) ||
        read_int(args[4], "lines", &lines) != 0)
        return NULL;
    Py_ssize_t contacts = PyObject_Length(args[5]), modes = PyList_Size(args[3]), told = PyObject_Length(args[7]);
    const Need need[4] = {{"contacts", contacts * 8}, {"ranks", modes}, {"feasible", told > 0 ? modes : 0},
        {"twists", modes * model->model->body_count * 6}};
    if (contacts < 0 || told < 0 || read_all(args + 5, 4, need, x) != 0) return NULL;
    AbutPointContact *points = abut_alloc_array((size_t)contacts + 1, sizeof *points);
    int32_t *ranks = abut_alloc_array((size_t)modes + 1, sizeof *ranks);
    int8_t *feasible = abut_alloc((size_t)modes + 1);
    const char **texts = read_texts(args[3], "modes");
    PyObject *out = NULL;
    if (points && ranks && feasible && texts) {
        memset(points, 0, ((size_t)contacts + 1) * sizeof *points);
        for (Py_ssize_t i = 0; i < contacts; ++i) {
            const double *c = x[0].data + 8 * i;
            points[i].point = abut_vec3(c[0], c[1], c[2]), points[i].normal = abut_vec3(c[3], c[4], c[5]);
            points[i].body_a = (int)c[6], points[i].body_b = (int)c[7];
        }
        for (Py_ssize_t i = 0; i < modes; ++i)
            ranks[i] = (int32_t)x[1].data[i], feasible[i] = told > 0 && x[2].data[i] > 0.0;
        AbutPageModes page = {.model = model->model,
            .contacts = points,
            .contact_count = (int32_t)contacts,
            .lines = lines,
            .mode_count = (int32_t)modes,
            .texts = texts,
            .ranks = ranks,
            .feasible = told > 0 ? feasible : NULL,
            .twists = x[3].data};
        AbutStatus status;
        READING(model, status = abut_page_write_modes(path, &head, &page, &error));
        out = none_or_raise(status, &error);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    abut_free(points);
    abut_free(ranks);
    abut_free(feasible);
    abut_free((void *)(uintptr_t)texts);
    for (int i = 0; i < 4; ++i) release_doubles(&x[i]);
    return out;
}

PyMethodDef page_functions[] = {
    FAST("page_run", page_run),
    FAST("page_meshes", page_meshes),
    FAST("page_overlap", page_overlap),
    FAST("page_plan", page_plan),
    FAST("page_modes", page_modes),
    PLAIN("page_available", page_available),
    {NULL, NULL, 0, NULL},
};
