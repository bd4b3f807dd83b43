/* SPDX-License-Identifier: Apache-2.0 */
/* Runs filled by hand: steps, bodies that join later, contacts. */
#include <string.h>

#include "bodies.h"
#include "models.h"
#include "rooms.h"
#include "runs.h"
#include "worlds.h"

/* A run that steps may be added to. */
static RunObject *open_run(PyObject *value) {
    RunObject *run = read_run(value);
    if (run && (!run->grows || run->scene))
        return raise_text(ABUT_ERROR_ARGUMENT, "run: it %s, and nothing is added by hand",
                   run->grows ? "follows a simulation" : "was read from a file"),
               NULL;
    return run;
}

static void fill_body(const double *pose, const double *velocity, AbutRunBody *out) {
    AbutPose p = {{pose[0], pose[1], pose[2]}, {pose[3], pose[4], pose[5], pose[6]}};
    *out = (AbutRunBody){.pose = p, .island = -1};
    if (velocity) {
        out->velocity = abut_vec3(velocity[0], velocity[1], velocity[2]);
        out->spin = abut_vec3(velocity[3], velocity[4], velocity[5]);
    }
}

/* (run, time, poses (bodies, 7), velocities (bodies, 6) or None) */
static PyObject *run_add_step(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RunObject *run;
    AbutStepReport report = {0};
    AbutError error;
    Doubles poses, velocities = {0};
    if (expect_count("run_add_step", count, 4) != 0 || !(run = open_run(args[0])) ||
        read_real(args[1], "time", &report.time) != 0)
        return NULL;
    int32_t n = run->run->bodies;
    if (read_matrix(args[2], "poses", n, 7, &poses) != 0) return NULL;
    if (args[3] != Py_None && read_matrix(args[3], "velocities", n, 6, &velocities) != 0)
        return release_doubles(&poses), NULL;
    AbutRunBody *bodies = abut_alloc_array((size_t)n + 1, sizeof *bodies);
    for (int32_t k = 0; bodies && k < n; ++k)
        fill_body(
            poses.data + 7 * (Py_ssize_t)k, velocities.data ? velocities.data + 6 * (Py_ssize_t)k : NULL, &bodies[k]);
    AbutStatus status = bodies ? abut_run_add_step(run->run, &report, bodies, &error)
                               : abut_fail(&error, ABUT_ERROR_MEMORY, "no memory for a step");
    abut_free(bodies);
    release_doubles(&velocities);
    release_doubles(&poses);
    return none_or_raise(status, &error);
}

/* (run, dictionary of the body, [(dictionary of a shape, convex or None)]) -> its place */
static PyObject *run_add_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RunObject *run;
    AbutBodyDef def = abut_body_default();
    AbutError error;
    int32_t place;
    if (expect_count("run_add_body", count, 3) != 0 || !(run = open_run(args[0])) ||
        fill_def(args[1], &body_table, &def) != 0)
        return NULL;
    Py_ssize_t n = PyList_Size(args[2]);
    AbutShapeDef *shapes = n < 0 ? NULL : abut_alloc_array((size_t)n + 1, sizeof *shapes);
    if (!shapes) return n < 0 ? NULL : PyErr_NoMemory();
    int bad = 0;
    for (Py_ssize_t i = 0; i < n; ++i) shapes[i] = abut_shape_default();
    for (Py_ssize_t i = 0; i < n && !bad; ++i) {
        PyObject *item = PyList_GetItem(args[2], i);
        bad = fill_def(PyTuple_GetItem(item, 0), &shape_table, &shapes[i]) != 0 ||
              fill_polyhedron(PyTuple_GetItem(item, 1), &shapes[i]) != 0;
    }
    PyObject *out = NULL;
    if (!bad)
        out = abut_run_add_body(run->run, &def, shapes, (int)n, &place, &error) == ABUT_OK ? PyLong_FromLong(place)
                                                                                           : raise_error(&error);
    for (Py_ssize_t i = 0; i < n; ++i) abut_geometry_release(shapes[i].geometry);
    abut_free(shapes);
    return out;
}

/* The contact of a row as the library has it. */
static AbutContact contact_of(const ContactRow *row) {
    AbutContact c;
    memset(&c, 0, sizeof c);
    c.normal = row->normal, c.center = row->center, c.force = row->force, c.torque = row->torque;
    c.pressure_center = row->pressure_center;
    c.area = row->area, c.volume = row->volume, c.depth = row->depth;
    c.sliding = row->sliding, c.vertex_count = row->vertex_count;
    for (int i = 0; i < row->vertex_count; ++i) {
        c.vertex[i].point = row->vertex_point[i], c.vertex[i].force = row->vertex_force[i];
        c.vertex[i].pressure = row->vertex_pressure[i];
    }
    return c;
}

/* (run, contiguous array of Contact): contacts of the last step */
static PyObject *run_add_contacts(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RunObject *run;
    Py_buffer view;
    AbutError error;
    AbutStatus status = ABUT_OK;
    if (expect_count("run_add_contacts", count, 2) != 0 || !(run = open_run(args[0])) ||
        PyObject_GetBuffer(args[1], &view, PyBUF_C_CONTIGUOUS) != 0)
        return NULL;
    const ContactRow *rows = view.buf;
    if (view.len % (Py_ssize_t)sizeof *rows || run->run->steps == 0)
        status = abut_fail(&error, ABUT_ERROR_ARGUMENT, "contacts: expected an array of Contact, and a step before");
    for (Py_ssize_t i = 0; status == ABUT_OK && i < view.len / (Py_ssize_t)sizeof *rows; ++i) {
        if (rows[i].vertex_count < 0 || rows[i].vertex_count > ABUT_CONTACT_VERTICES || rows[i].body_a < -1 ||
            rows[i].body_a >= run->run->bodies || rows[i].body_b < -1 || rows[i].body_b >= run->run->bodies) {
            status = abut_fail(
                &error, ABUT_ERROR_ARGUMENT, "contacts: row %zd names a body or a vertex that is not there", i);
        } else {
            AbutContact contact = contact_of(&rows[i]);
            status = abut_run_add_contact(run->run, rows[i].body_a, rows[i].body_b, &contact, &error);
        }
    }
    PyBuffer_Release(&view);
    return none_or_raise(status, &error);
}

/* (run, step, body) */
static PyObject *run_has_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RunObject *run;
    int step, body;
    if (expect_count("run_has_body", count, 3) != 0 || !(run = read_run(args[0])) ||
        read_int(args[1], "step", &step) != 0 || read_int(args[2], "body", &body) != 0)
        return NULL;
    if (step < 0 || step >= run->run->steps || body < 0 || body >= run->run->bodies)
        return raise_text(ABUT_ERROR_ARGUMENT, "step, body: the run has %d steps of %d bodies, got %d and %d",
            run->run->steps, run->run->bodies, step, body);
    const double *pose = abut_run_f8(run->run, ABUT_RUN_POSE) + 7 * ((int64_t)step * run->run->bodies + body);
    return PyBool_FromLong(!isnan(pose[0]));
}

static PyObject *run_set_partial(PyObject *module, PyObject *value) {
    (void)module;
    RunObject *run = read_run(value);
    if (!run) return NULL;
    run->run->partial = 1;
    Py_RETURN_NONE;
}

PyMethodDef run_hand_functions[] = {
    FAST("run_add_step", run_add_step),
    FAST("run_add_body", run_add_body),
    FAST("run_add_contacts", run_add_contacts),
    FAST("run_has_body", run_has_body),
    {"run_set_partial", run_set_partial, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
