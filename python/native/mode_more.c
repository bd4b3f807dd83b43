/* SPDX-License-Identifier: Apache-2.0 */
/* Contact modes: fewer velocities, modes along a motion, and what the rows were built from, for pages. */
#include <string.h>

#include "modes.h"
#include "rooms.h"

/* (system, basis (dof, k)) -> ModeSystem */
static PyObject *mode_restrict(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    AbutModeSystem out = {0};
    AbutError error;
    Doubles basis;
    if (expect_count("mode_restrict", count, 2) != 0 || !(s = read_mode_system(args[0])) ||
        read_matrix(args[1], "basis", s->dof, -1, &basis) != 0)
        return NULL;
    AbutStatus status = ABUT_OK;
    if (basis.shape[1] <= ABUT_MODE_SIZE)
        UNLOCKED(status = abut_mode_system_restrict(s, basis.data, (int)basis.shape[1], &out, &error));
    else
        status = abut_fail(&error, ABUT_ERROR_LIMIT, "basis: at most %d columns", ABUT_MODE_SIZE);
    release_doubles(&basis);
    return status == ABUT_OK ? mode_system_take(&out) : raise_error(&error);
}

/* ---- along a motion ---------------------------------------------------------------------------------------------- */

typedef struct Track {
    AbutModeTrack def;
    PyObject *motion, *events;
} Track;

/* Copies an array of the caller's function; 0, or -1 with an exception. */
static int take_numbers(PyObject *tuple, Py_ssize_t i, const char *name, Py_ssize_t count, double *out) {
    Doubles d;
    if (read_doubles(PyTuple_GetItem(tuple, i), name, &d) != 0) return -1;
    int fits = d.count == count;
    if (fits && count > 0)
        memcpy(out, d.data, (size_t)count * sizeof *out);
    else if (!fits)
        raise_text(ABUT_ERROR_ARGUMENT, "%s: expected %zd numbers, got %zd", name, count, d.count);
    release_doubles(&d);
    return fits ? 0 : -1;
}

static AbutStatus ask_motion(double time, double *normal, double *tangent, double *velocity, void *user) {
    const Track *t = user;
    const Py_ssize_t rows = t->def.contacts, dof = t->def.dof;
    PyObject *answer = PyObject_CallFunction(t->motion, "d", time);
    int ok = answer && PyTuple_Check(answer) && PyTuple_Size(answer) == 3;
    if (answer && !ok) PyErr_SetString(PyExc_TypeError, "motion: expected (normal_rows, tangent_rows, velocity)");
    ok = ok && take_numbers(answer, 0, "normal_rows", rows * dof, normal) == 0 &&
         take_numbers(answer, 1, "tangent_rows", rows * t->def.lines * dof, tangent) == 0 &&
         take_numbers(answer, 2, "velocity", dof, velocity) == 0;
    Py_XDECREF(answer);
    return ok && PyErr_CheckSignals() == 0 ? ABUT_OK : ABUT_ERROR_ARGUMENT;
}

static int add_event(double time, int allowed, AbutMode mode, void *user) {
    const Track *t = user;
    const AbutModeSystem shape = {.contacts = t->def.contacts, .dof = t->def.dof, .lines = t->def.lines};
    PyObject *text = allowed ? mode_text(&shape, 0, mode) : Py_NewRef(Py_None);
    PyObject *event = text ? Py_BuildValue("(dN)", time, text) : NULL;
    int bad = !event || PyList_Append(t->events, event) != 0;
    Py_XDECREF(event);
    return bad;
}

/* (motion, contacts, dof, lines, [begin, end, tolerance, time_tolerance], samples) -> [(time, mode or None)] */
static PyObject *mode_track(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Track t = {0};
    AbutError error;
    Doubles d;
    if (expect_count("mode_track", count, 6) != 0 || read_count(args[1], "contacts", &t.def.contacts) != 0 ||
        read_count(args[2], "dof", &t.def.dof) != 0 || read_count(args[3], "lines", &t.def.lines) != 0 ||
        read_int(args[5], "samples", &t.def.samples) != 0 || read_vector(args[4], "settings", 4, &d) != 0)
        return NULL;
    t.def.begin = d.data[0], t.def.end = d.data[1], t.def.tolerance = d.data[2], t.def.time_tolerance = d.data[3];
    release_doubles(&d);
    t.motion = args[0], t.events = PyList_New(0);
    t.def.motion = ask_motion, t.def.event = add_event, t.def.user = &t;
    AbutStatus status = t.events ? abut_mode_track(&t.def, &error) : ABUT_ERROR_MEMORY;
    if (status != ABUT_OK && !PyErr_Occurred()) raise_error(&error);
    if (PyErr_Occurred()) Py_CLEAR(t.events);
    return t.events;
}

/* ---- what the rows were built from ------------------------------------------------------------------------------- */

/* The description of a system; NULL with an exception where it has none. */
static const AbutModeSystemDef *read_def(PyObject *value) {
    const AbutModeSystem *s = read_mode_system(value);
    if (s && !s->def)
        raise_text(ABUT_ERROR_ARGUMENT, "system: it was made of rows, and does not know where its contacts are");
    return s ? s->def : NULL;
}

/* -> (contacts (n, 8): point, normal, body_a, body_b; positions of the bodies (m, 3)) */
static PyObject *mode_geometry(PyObject *module, PyObject *value) {
    (void)module;
    const AbutModeSystemDef *def = read_def(value);
    NewArray contacts, positions;
    if (!def) return NULL;
    const Py_ssize_t eight[2] = {def->contact_count, 8}, three[2] = {def->body_count, 3};
    if (begin_array_of("f8", 2, eight, &contacts) != 0) return NULL;
    if (begin_array_of("f8", 2, three, &positions) != 0) return cancel_array(&contacts), NULL;
    for (int i = 0; i < def->contact_count; ++i) {
        const AbutPointContact *c = &def->contacts[i];
        AbutVec3 normal = abut_normalize(c->normal);
        const double row[8] = {c->point.x, c->point.y, c->point.z, normal.x, normal.y, normal.z, c->body_a, c->body_b};
        memcpy((double *)contacts.data + 8 * (ptrdiff_t)i, row, sizeof row);
    }
    for (int i = 0; i < def->body_count; ++i) ((AbutVec3 *)positions.data)[i] = def->bodies[i].position;
    return Py_BuildValue("(NN)", end_array(&contacts), end_array(&positions));
}

/* Velocity of the frame of a body and its angular velocity, world axes. */
static void twist_of(const AbutModeBody *body, const double *x, int dof, AbutVec3 out[2]) {
    const double *own = x + body->first_dof;
    out[0] = out[1] = abut_zero();
    if (body->kind == ABUT_MODE_BODY_FREE)
        out[0] = abut_vec3(own[0], own[1], own[2]), out[1] = abut_vec3(own[3], own[4], own[5]);
    if (body->kind == ABUT_MODE_BODY_PLANAR)
        out[0] = abut_vec3(own[0], own[1], 0.0), out[1] = abut_vec3(0.0, 0.0, own[2]);
    if (body->kind != ABUT_MODE_BODY_JACOBIAN) return;
    double local[6] = {0};
    for (int k = 0; k < 6; ++k)
        for (int j = 0; j < dof; ++j) local[k] += body->jacobian[(size_t)k * (size_t)dof + (size_t)j] * x[j];
    out[0] = abut_mat3_apply(body->rotation, abut_vec3(local[0], local[1], local[2]));
    out[1] = abut_mat3_apply(body->rotation, abut_vec3(local[3], local[4], local[5]));
}

/* (system, velocity (dof,)) -> (bodies, 6): of their positions, and angular */
static PyObject *mode_twists(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystemDef *def;
    Doubles v;
    NewArray out;
    if (expect_count("mode_twists", count, 2) != 0 || !(def = read_def(args[0])) ||
        read_vector(args[1], "velocity", def->dof, &v) != 0)
        return NULL;
    const Py_ssize_t shape[2] = {def->body_count, 6};
    int begun = begin_array_of("f8", 2, shape, &out) == 0;
    for (int i = 0; begun && i < def->body_count; ++i)
        twist_of(&def->bodies[i], v.data, def->dof, (AbutVec3 *)out.data + 2 * (ptrdiff_t)i);
    release_doubles(&v);
    return begun ? end_array(&out) : NULL;
}

PyMethodDef mode_more_functions[] = {
    FAST("mode_restrict", mode_restrict),
    FAST("mode_track", mode_track),
    {"mode_geometry", mode_geometry, METH_O, NULL},
    FAST("mode_twists", mode_twists),
    {NULL, NULL, 0, NULL},
};
