/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of a simulation beside its state: events of the steps of a call, contacts of one body; sleep, gravity,
 * and functions of Python that are asked in the middle of a step: the controller, and a rule about contacts. */
#include <string.h>

#include "rooms.h"
#include "worlds.h"

/* ---- events ------------------------------------------------------------------------------------------------------ */

AbutStatus keep_events(SimulationObject *self, AbutError *error) {
    int count;
    const AbutScene *scene = self->scene->scene;
    const AbutEvent *events = abut_simulation_events(self->simulation, &count);
    void *rows = self->events;
    if (count == 0) return ABUT_OK;
    int enough = abut_grow(&rows, &self->event_capacity, self->event_count + (size_t)count, sizeof *self->events);
    self->events = rows;
    if (!enough) return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for events");
    for (int i = 0; i < count; ++i)
        self->events[self->event_count++] = (EventRow){.kind = (int32_t)events[i].kind,
            .body_a = place_in_scene(scene, events[i].body_a),
            .body_b = place_in_scene(scene, events[i].body_b),
            .time = abut_simulation_time(self->simulation),
            .shape_a = shape_bits(events[i].shape_a),
            .shape_b = shape_bits(events[i].shape_b),
            .point = events[i].point,
            .normal = events[i].normal,
            .speed = events[i].speed};
    return ABUT_OK;
}

static PyObject *simulation_events(PyObject *module, PyObject *value) {
    (void)module;
    SimulationObject *self = read_simulation(value);
    return self ? array_of_records(&record_event, self->events, self->event_count) : NULL;
}

/* (simulation, body) -> array of Contact */
static PyObject *simulation_body_contacts(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    AbutBodyId body;
    if (expect_count("simulation_body_contacts", count, 2) != 0 || !(self = read_simulation(args[0])) ||
        read_body_id(args[1], &body) != 0)
        return NULL;
    int n = abut_simulation_body_contacts(self->simulation, body, 0, NULL);
    AbutContactList list = {.contacts = abut_alloc_array((size_t)n + 1, sizeof *list.contacts)};
    if (!list.contacts) return PyErr_NoMemory();
    list.count = abut_simulation_body_contacts(self->simulation, body, n, list.contacts);
    return array_of_contacts(self->scene->scene, &list);
}

int set_function(PyObject *value, PyObject **slot) {
    if (value != Py_None && !PyCallable_Check(value))
        return PyErr_Format(PyExc_TypeError, "call: expected a function, got %R", value), -1;
    PyObject *old = *slot;
    *slot = value == Py_None ? NULL : Py_NewRef(value);
    Py_XDECREF(old);
    return 0;
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* (simulation, gravity) */
static PyObject *simulation_set_gravity(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    AbutVec3 gravity;
    AbutError error;
    if (expect_count("simulation_set_gravity", count, 2) != 0 || !(self = read_simulation(args[0])) ||
        read_vec3(args[1], "gravity", &gravity) != 0)
        return NULL;
    return none_or_raise(abut_simulation_set_gravity(self->simulation, gravity, &error), &error);
}

/* (simulation, body) */
static PyObject *simulation_sleep(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    AbutBodyId body;
    AbutError error;
    if (expect_count("simulation_sleep", count, 2) != 0 || !(self = read_simulation(args[0])) ||
        read_body_id(args[1], &body) != 0)
        return NULL;
    return none_or_raise(abut_simulation_sleep(self->simulation, body, &error), &error);
}

/* Calls the function of Python in the middle of a step. Its exception stays with the thread and ends the step. */
static AbutStatus ask_controller(AbutSimulation *simulation, double time, void *user, AbutError *error) {
    (void)simulation;
    SimulationObject *self = user;
    PyGILState_STATE state = PyGILState_Ensure();
    self->scene->controlled = 1;
    PyObject *answer = PyObject_CallFunction(self->control, "d", time);
    self->scene->controlled = 0;
    int failed = !answer;
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return failed ? abut_fail(error, ABUT_ERROR_ARGUMENT, "the controller failed") : ABUT_OK;
}

/* (simulation, function of the time, or None) */
static PyObject *simulation_set_controller(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    if (expect_count("simulation_set_controller", count, 2) != 0 || !(self = read_simulation(args[0])) ||
        set_function(args[1], &self->control) != 0)
        return NULL;
    abut_simulation_set_controller(self->simulation, self->control ? ask_controller : NULL, self);
    Py_RETURN_NONE;
}

/* Answer of a rule: None or True, unchanged; False, no push; or (friction, kinetic friction, restitution). */
static int read_answer(PyObject *answer, AbutContactLaw *law) {
    if (answer == Py_None || answer == Py_True) return 1;
    if (answer == Py_False) return 0;
    Doubles d;
    if (read_vector(answer, "rule", 3, &d) != 0) return -1;
    *law = (AbutContactLaw){d.data[0], d.data[1], d.data[2]};
    release_doubles(&d);
    return 1;
}

/* The exception of a rule stays with the thread; a law out of its range ends the step. */
static int ask_rule(const AbutSimulation *simulation, const AbutContact *contact, AbutContactLaw *law, void *user) {
    (void)simulation;
    SimulationObject *self = user;
    const AbutScene *scene = self->scene->scene;
    PyGILState_STATE state = PyGILState_Ensure();
    ContactRow row =
        contact_row(contact, place_in_scene(scene, contact->body_a), place_in_scene(scene, contact->body_b));
    PyObject *answer = NULL;
    if (!PyErr_Occurred())
        answer = PyObject_CallFunction(self->rule, "Nddd", record_new(&record_contact, &row), law->friction,
            law->friction_kinetic, law->restitution);
    int pushes = answer ? read_answer(answer, law) : -1;
    Py_XDECREF(answer);
    PyGILState_Release(state);
    if (pushes < 0) law->friction = NAN;
    return pushes != 0;
}

/* (simulation, function, or None) */
static PyObject *simulation_set_contact_rule(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    if (expect_count("simulation_set_contact_rule", count, 2) != 0 || !(self = read_simulation(args[0])) ||
        set_function(args[1], &self->rule) != 0)
        return NULL;
    abut_simulation_set_contact_rule(self->simulation, self->rule ? ask_rule : NULL, self);
    Py_RETURN_NONE;
}

PyMethodDef simulation_event_functions[] = {
    {"simulation_events", simulation_events, METH_O, NULL},
    FAST("simulation_body_contacts", simulation_body_contacts),
    FAST("simulation_set_gravity", simulation_set_gravity),
    FAST("simulation_sleep", simulation_sleep),
    FAST("simulation_set_controller", simulation_set_controller),
    FAST("simulation_set_contact_rule", simulation_set_contact_rule),
    {NULL, NULL, 0, NULL},
};
