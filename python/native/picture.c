/* SPDX-License-Identifier: Apache-2.0 */
/* Pages and pictures: of runs, and of two bodies at one pose or over time. */
#include <string.h>

#include "bodies.h"
#include "defs.h"
#include "models.h"
#include "rooms.h"
#include "runs.h"
#include "worlds.h"

static const DefField head_fields[] = {
    DEF(AbutPageHead, title, DEF_TEXT),
    DEF(AbutPageHead, subtitle, DEF_TEXT),
    DEF(AbutPageHead, note, DEF_TEXT),
    DEF(AbutPageHead, without_charts, DEF_FLAG),
};

static const DefTable head_table = DEF_TABLE("page", head_fields);

/* (path, head, run) -> (frame_stride, contact_stride) */
static PyObject *page_run(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutPageHead head = {0};
    AbutPageReport report = {1, 1};
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
static PyObject *page_meshes(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
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
    if (read_poses(args[5], "poses", &poses) != 0)
        return release_doubles(&times), NULL;
    if (PyObject_GetBuffer(args[6], &answers, PyBUF_C_CONTIGUOUS) != 0)
        return release_doubles(&times), release_poses(&poses), NULL;
    AbutPose *list = abut_alloc_array((size_t)poses.count, sizeof *list);
    for (Py_ssize_t i = 0; list && i < poses.count; ++i)
        list[i] = get_pose(&poses, i);
    page.mesh[0] = &a->mesh, page.mesh[1] = &b->mesh;
    page.count = (int32_t)poses.count, page.times = times.data, page.pose_b = list, page.distance = answers.buf;
    int fits = times.count == poses.count && answers.len == poses.count * (Py_ssize_t)sizeof(AbutDistance);
    AbutStatus status = !list   ? abut_fail(&error, ABUT_ERROR_MEMORY, "no memory for the page")
                        : !fits ? abut_fail(&error, ABUT_ERROR_ARGUMENT, "times, poses, answers: one of each")
                                : abut_page_write_meshes(path, &head, &page, &error);
    abut_free(list);
    PyBuffer_Release(&answers);
    release_poses(&poses);
    release_doubles(&times);
    return none_or_raise(status, &error);
}

static PyObject *page_available(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyBool_FromLong(abut_page_available());
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static const DefField render_fields[] = {
    DEF(AbutRenderDef, width, DEF_INT),
    DEF(AbutRenderDef, height, DEF_INT),
    DEF(AbutRenderDef, eye, DEF_VEC3),
    DEF(AbutRenderDef, target, DEF_VEC3),
    DEF(AbutRenderDef, view_angle, DEF_REAL),
    DEF(AbutRenderDef, background, DEF_UINT),
};

static const DefTable render_table = DEF_TABLE("render", render_fields);

/* An image as uint8 (height, width, 3); frees it. */
static PyObject *array_of_image(AbutImage *image)
{
    NewArray out;
    const Py_ssize_t shape[3] = {image->height, image->width, 3};
    int begun = begin_array_of("u1", 3, shape, &out) == 0;
    if (begun)
        memcpy(out.data, image->rgb, (size_t)out.view.len);
    abut_image_free(image);
    return begun ? end_array(&out) : NULL;
}

static AbutStatus draw_run(
    const AbutRun *run, int step, int forces, int aim, AbutRenderDef *def, AbutImage *image, AbutError *error)
{
    AbutRunView *view = NULL;
    AbutStatus status = abut_run_view_create(run, &view, error);
    if (status == ABUT_OK && aim)
        abut_run_view_aim(view, step, def);
    if (status == ABUT_OK)
        status = abut_run_view_draw(view, step, forces, def, image, error);
    abut_run_view_free(view);
    return status;
}

/* (run, step, forces, aim, settings) */
static PyObject *render_run(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutRenderDef def = abut_render_default();
    AbutImage image = {0};
    AbutError error;
    AbutStatus status;
    RunObject *run;
    int step, forces, aim;
    if (expect_count("render_run", count, 5) != 0 || !(run = read_run(args[0])) ||
        read_int(args[1], "step", &step) != 0 || read_int(args[2], "forces", &forces) != 0 ||
        read_int(args[3], "aim", &aim) != 0 || fill_def(args[4], &render_table, &def) != 0)
        return NULL;
    if (step < 0 || step >= run->run->steps)
        return raise_text(ABUT_ERROR_ARGUMENT, "step: expected 0 to %d, got %d", run->run->steps - 1, step);
    run->busy = 1;
    Py_BEGIN_ALLOW_THREADS;
    status = draw_run(run->run, step, forces, aim, &def, &image, &error);
    Py_END_ALLOW_THREADS;
    run->busy = 0;
    return status == ABUT_OK ? array_of_image(&image) : raise_error(&error);
}

/* (meshes, poses, colors, settings) */
static PyObject *render_meshes(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutRenderDef def = abut_render_default();
    AbutImage image = {0};
    AbutError error;
    AbutStatus status;
    if (expect_count("render_meshes", count, 4) != 0 || fill_def(args[3], &render_table, &def) != 0)
        return NULL;
    Py_ssize_t n = PyList_Size(args[0]);
    if (n < 0 || PyList_Size(args[1]) != n || PyList_Size(args[2]) != n)
        return PyErr_Format(PyExc_TypeError, "meshes: expected three lists of one length");
    AbutRenderItem *items = abut_alloc_array((size_t)n + 1, sizeof *items);
    for (Py_ssize_t i = 0; items && i < n; ++i) {
        MeshObject *mesh = read_mesh(PyList_GetItem(args[0], i), "meshes");
        if (!mesh || read_pose(PyList_GetItem(args[1], i), "pose", &items[i].pose) != 0)
            return abut_free(items), NULL;
        items[i].mesh = &mesh->mesh;
        items[i].color = (uint32_t)PyLong_AsUnsignedLong(PyList_GetItem(args[2], i));
        if (PyErr_Occurred())
            return abut_free(items), NULL;
    }
    if (!items)
        return PyErr_NoMemory();
    AbutRenderList list = {.items = items, .item_count = (int32_t)n};
    Py_BEGIN_ALLOW_THREADS;
    status = abut_render(&list, &def, &image, &error);
    Py_END_ALLOW_THREADS;
    abut_free(items);
    return status == ABUT_OK ? array_of_image(&image) : raise_error(&error);
}

/* (path, rgb (height, width, 3) u1 contiguous, height, width) */
static PyObject *write_png(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    Py_buffer view;
    AbutError error;
    const char *path;
    int height, width;
    if (expect_count("write_png", count, 4) != 0 || !(path = read_path(args[0], "path")) ||
        read_int(args[2], "height", &height) != 0 || read_int(args[3], "width", &width) != 0 ||
        PyObject_GetBuffer(args[1], &view, PyBUF_C_CONTIGUOUS) != 0)
        return NULL;
    AbutImage image = {.width = width, .height = height, .rgb = view.buf};
    AbutStatus status = view.len == (Py_ssize_t)3 * width * height
                            ? abut_image_write_png(path, &image, &error)
                            : abut_fail(&error, ABUT_ERROR_ARGUMENT, "image: expected shape (height, width, 3)");
    PyBuffer_Release(&view);
    return none_or_raise(status, &error);
}

PyMethodDef picture_functions[] = {
    FAST("page_run", page_run),
    FAST("page_meshes", page_meshes),
    PLAIN("page_available", page_available),
    FAST("render_run", render_run),
    FAST("render_meshes", render_meshes),
    FAST("write_png", write_png),
    {NULL, NULL, 0, NULL},
};
