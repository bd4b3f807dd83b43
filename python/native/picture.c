/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures: rendered images of runs and of bodies, films, plots. */
#include <string.h>

#include "bodies.h"
#include "defs.h"
#include "interrupt.h"
#include "models.h"
#include "rooms.h"
#include "runs.h"
#include "worlds.h"

static const DefField render_fields[] = {
    DEF(AbutRenderDef, width, DEF_INT),
    DEF(AbutRenderDef, height, DEF_INT),
    DEF(AbutRenderDef, eye, DEF_VEC3),
    DEF(AbutRenderDef, target, DEF_VEC3),
    DEF(AbutRenderDef, view_angle, DEF_REAL),
    DEF(AbutRenderDef, background, DEF_UINT),
};

static const DefTable render_table = DEF_TABLE("render", render_fields);

/* An image as uint8 (height, width, 3). */
static PyObject *array_of_image(const AbutImage *image) {
    NewArray out;
    const Py_ssize_t shape[3] = {image->height, image->width, 3};
    int begun = begin_array_of("u1", 3, shape, &out) == 0;
    if (begun) memcpy(out.data, image->rgb, (size_t)out.view.len);
    return begun ? end_array(&out) : NULL;
}

/* View of the camera: as the settings say, the bodies of the step, or those of the whole run. */
enum { AIM_GIVEN = 0, AIM_STEP, AIM_RUN };

static AbutStatus draw_run(
    const AbutRun *run, int step, int forces, int aim, AbutRenderDef *def, AbutImage *image, AbutError *error) {
    AbutRunView *view = NULL;
    AbutStatus status = abut_run_view_create(run, &view, error);
    if (status == ABUT_OK && aim == AIM_STEP) abut_run_view_aim(view, step, def);
    if (status == ABUT_OK && aim == AIM_RUN) abut_run_view_aim(view, -1, def);
    if (status == ABUT_OK) status = abut_run_view_draw(view, step, forces, def, image, error);
    abut_run_view_free(view);
    return status;
}

/* A picture that is being drawn, which may outlive the call of Python. */
typedef struct Drawing {
    RunObject *run; /* busy; or */
    PyObject *meshes;
    AbutRenderItem *items;
    int32_t item_count;
    int step, forces, aim;
    AbutRenderDef def;
    AbutImage image;
    AbutStatus status;
    AbutError error;
} Drawing;

static void free_drawing(void *user) {
    Drawing *x = user;
    if (x->run) x->run->busy = 0;
    Py_XDECREF((PyObject *)x->run);
    Py_XDECREF(x->meshes);
    abut_free(x->items);
    abut_image_free(&x->image);
    abut_free(x);
}

/* NULL with an exception. */
static Drawing *open_drawing(PyObject *settings) {
    Drawing *x = abut_alloc(sizeof *x);
    if (!x) return (Drawing *)PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    x->def = abut_render_default();
    return fill_def(settings, &render_table, &x->def) == 0 ? x : (free_drawing(x), NULL);
}

static void draw(void *user) {
    Drawing *x = user;
    AbutRenderList list = {.items = x->items, .item_count = x->item_count};
    x->status = x->run ? draw_run(x->run->run, x->step, x->forces, x->aim, &x->def, &x->image, &x->error)
                       : abut_render(&list, &x->def, &x->image, &x->error);
}

static PyObject *run_drawing(Drawing *x) {
    if (run_or_leave(draw, free_drawing, x, NULL) != 0) return NULL;
    PyObject *out = x->status == ABUT_OK ? array_of_image(&x->image) : raise_error(&x->error);
    free_drawing(x);
    return out;
}

/* (run, step, forces, aim, settings) */
static PyObject *render_run(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RunObject *run;
    int step, forces, aim;
    Drawing *x;
    if (expect_count("render_run", count, 5) != 0 || !(run = read_run(args[0])) ||
        read_int(args[1], "step", &step) != 0 || read_int(args[2], "forces", &forces) != 0 ||
        read_int(args[3], "aim", &aim) != 0)
        return NULL;
    if (step < 0 || step >= run->run->steps)
        return raise_text(ABUT_ERROR_ARGUMENT, "step: expected 0 to %d, got %d", run->run->steps - 1, step);
    if (!(x = open_drawing(args[4]))) return NULL;
    x->run = (RunObject *)Py_NewRef(args[0]), x->step = step, x->forces = forces, x->aim = aim;
    run->busy = 1;
    return run_drawing(x);
}

/* One of the meshes with its pose and color; 0, or -1 with an exception. */
static int read_item(PyObject *const *args, Py_ssize_t i, AbutRenderItem *out) {
    MeshObject *mesh = read_mesh(PyList_GetItem(args[0], i), "meshes");
    if (!mesh || read_pose(PyList_GetItem(args[1], i), "pose", &out->pose) != 0) return -1;
    out->mesh = &mesh->mesh;
    out->color = (uint32_t)PyLong_AsUnsignedLong(PyList_GetItem(args[2], i));
    return PyErr_Occurred() ? -1 : 0;
}

/* (meshes, poses, colors, settings) */
static PyObject *render_meshes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Drawing *x = expect_count("render_meshes", count, 4) == 0 ? open_drawing(args[3]) : NULL;
    if (!x) return NULL;
    Py_ssize_t n = PyList_Size(args[0]);
    if (n < 0 || PyList_Size(args[1]) != n || PyList_Size(args[2]) != n)
        return free_drawing(x), PyErr_Format(PyExc_TypeError, "meshes: expected three lists of one length");
    x->meshes = Py_NewRef(args[0]), x->item_count = (int32_t)n;
    x->items = abut_alloc_array((size_t)n + 1, sizeof *x->items);
    if (!x->items) return free_drawing(x), PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; ++i)
        if (read_item(args, i, &x->items[i]) != 0) return free_drawing(x), NULL;
    return run_drawing(x);
}

/* (path, rgb (height, width, 3) u1 contiguous, height, width) */
static PyObject *write_png(PyObject *module, PyObject *const *args, Py_ssize_t count) {
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
    AbutStatus status = ABUT_OK;
    if (view.len == (Py_ssize_t)3 * width * height)
        UNLOCKED(status = abut_image_write_png(path, &image, &error));
    else
        status = abut_fail(&error, ABUT_ERROR_ARGUMENT, "image: expected shape (height, width, 3)");
    PyBuffer_Release(&view);
    return none_or_raise(status, &error);
}

/* (path, list of images (height, width, 3) u1 contiguous, height, width, milliseconds) */
static PyObject *write_gif(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutGif *gif = NULL;
    AbutError error;
    const char *path;
    int height, width, delay;
    if (expect_count("write_gif", count, 5) != 0 || !(path = read_path(args[0], "path")) || !PyList_Check(args[1]) ||
        read_int(args[2], "height", &height) != 0 || read_int(args[3], "width", &width) != 0 ||
        read_int(args[4], "delay", &delay) != 0)
        return NULL;
    AbutStatus status = abut_gif_open(path, width, height, delay, &gif, &error);
    for (Py_ssize_t i = 0; status == ABUT_OK && i < PyList_Size(args[1]); ++i) {
        Py_buffer view;
        if (PyObject_GetBuffer(PyList_GetItem(args[1], i), &view, PyBUF_C_CONTIGUOUS) != 0)
            return abut_gif_cancel(gif), NULL;
        AbutImage image = {.width = width, .height = height, .rgb = view.buf};
        if (view.len == (Py_ssize_t)3 * width * height)
            UNLOCKED(status = abut_gif_add(gif, &image, &error));
        else
            status = abut_fail(&error, ABUT_ERROR_ARGUMENT, "frames: image %zd has another size", i);
        PyBuffer_Release(&view);
        if (status == ABUT_OK && PyErr_CheckSignals() != 0) return abut_gif_cancel(gif), NULL;
    }
    if (status != ABUT_OK) return abut_gif_cancel(gif), raise_error(&error);
    UNLOCKED(status = abut_gif_commit(gif, &error));
    return none_or_raise(status, &error);
}

static const DefField plot_fields[] = {
    DEF(AbutPlot, title, DEF_TEXT),
    DEF(AbutPlot, x_label, DEF_TEXT),
    DEF(AbutPlot, y_label, DEF_TEXT),
    DEF(AbutPlot, log_x, DEF_FLAG),
    DEF(AbutPlot, log_y, DEF_FLAG),
    DEF(AbutPlot, x_min, DEF_REAL),
    DEF(AbutPlot, x_max, DEF_REAL),
    DEF(AbutPlot, y_min, DEF_REAL),
    DEF(AbutPlot, y_max, DEF_REAL),
    DEF(AbutPlot, width, DEF_INT),
    DEF(AbutPlot, height, DEF_INT),
};

static const DefTable plot_table = DEF_TABLE("plot", plot_fields);

/* A line of a plot: (name, xy (2, n), markers). */
static int read_series(PyObject *value, Doubles *xy, AbutPlotSeries *out) {
    int markers;
    if (!PyTuple_Check(value) || PyTuple_Size(value) != 3 ||
        !(out->name = read_text(PyTuple_GetItem(value, 0), "name")) ||
        read_int(PyTuple_GetItem(value, 2), "markers", &markers) != 0 ||
        read_matrix(PyTuple_GetItem(value, 1), "series", 2, -1, xy) != 0)
        return -1;
    out->count = (int)xy->shape[1], out->x = xy->data, out->y = xy->data + xy->shape[1], out->markers = markers;
    return 0;
}

/* (path, settings, [(name, xy (2, n), markers)]) */
static PyObject *write_plot(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPlot plot = abut_plot_default();
    AbutError error;
    const char *path;
    if (expect_count("write_plot", count, 3) != 0 || !(path = read_path(args[0], "path")) || !PyList_Check(args[2]) ||
        fill_def(args[1], &plot_table, &plot) != 0)
        return NULL;
    size_t n = (size_t)PyList_Size(args[2]), read = 0;
    AbutPlotSeries *series = abut_alloc_array(n + 1, sizeof *series);
    Doubles *numbers = abut_alloc_array(n + 1, sizeof *numbers);
    PyObject *out = NULL;
    if (series && numbers) {
        memset(series, 0, (n + 1) * sizeof *series);
        while (read < n && read_series(PyList_GetItem(args[2], (Py_ssize_t)read), &numbers[read], &series[read]) == 0)
            ++read;
        plot.series = series, plot.series_count = (int)n;
        AbutStatus status;
        if (read == n) {
            UNLOCKED(status = abut_plot_write_svg(path, &plot, &error));
            out = none_or_raise(status, &error);
        }
    } else {
        PyErr_NoMemory();
    }
    while (numbers && read > 0) release_doubles(&numbers[--read]);
    abut_free(numbers);
    abut_free(series);
    return out;
}

PyMethodDef picture_functions[] = {
    FAST("render_run", render_run),
    FAST("render_meshes", render_meshes),
    FAST("write_png", write_png),
    FAST("write_gif", write_gif),
    FAST("write_plot", write_plot),
    {NULL, NULL, 0, NULL},
};
