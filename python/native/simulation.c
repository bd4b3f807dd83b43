/* SPDX-License-Identifier: Apache-2.0 */
/* Simulations of scenes: steps, contacts, saved states, and recording into runs. Ctrl-C ends a long row of steps. */
#include <string.h>
#include <time.h>

#include "defs.h"
#include "abut/literature.h"
#include "models.h"
#include "rooms.h"
#include "runs.h"
#include "worlds.h"

PyTypeObject *simulation_type;

/* A controller may hold what holds the simulation. */
static int simulation_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((SimulationObject *)self)->control);
    Py_VISIT(((SimulationObject *)self)->rule);
    Py_VISIT((PyObject *)((SimulationObject *)self)->scene);
    return 0;
}

static int simulation_clear(PyObject *self) {
    SimulationObject *object = (SimulationObject *)self;
    abut_simulation_set_controller(object->simulation, NULL, NULL);
    abut_simulation_set_contact_rule(object->simulation, NULL, NULL);
    Py_CLEAR(object->control);
    Py_CLEAR(object->rule);
    return 0;
}

static void simulation_dealloc(PyObject *self) {
    SimulationObject *object = (SimulationObject *)self;
    PyObject_GC_UnTrack(self);
    abut_simulation_free(object->simulation);
    abut_free(object->events);
    Py_XDECREF(object->control);
    Py_XDECREF(object->rule);
    Py_XDECREF((PyObject *)object->scene);
    free_collected(self);
}

SimulationObject *look_at_simulation(PyObject *value) {
    if (!PyObject_TypeCheck(value, simulation_type))
        return PyErr_Format(PyExc_TypeError, "simulation: expected an abut.Simulation, got %R", value), NULL;
    SimulationObject *self = (SimulationObject *)value;
    return look_at_scene((PyObject *)self->scene) ? self : NULL;
}

SimulationObject *read_simulation(PyObject *value) {
    SimulationObject *self = look_at_simulation(value);
    return self && read_scene((PyObject *)self->scene) ? self : NULL;
}

static const char
    *model_names[ABUT_CONTACT_MODEL_COUNT + 1]; /* those of literature/ are known once they are registered */
static const char *const fit_names[] = {"thickness", "moments", NULL};

static void fill_model_names(void) {
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i) model_names[i] = abut_contact_model_name(i);
}

static const DefField settings_fields[] = {
    DEF(AbutSimulationDef, gravity, DEF_VEC3),
    {"model", DEF_WORD, offsetof(AbutSimulationDef, model), ABUT_CONTACT_MODEL_COUNT, model_names},
    {"fit", DEF_WORD, offsetof(AbutSimulationDef, fit), 2, fit_names},
    DEF(AbutSimulationDef, iterations, DEF_INT),
    DEF(AbutSimulationDef, tolerance, DEF_REAL),
    DEF(AbutSimulationDef, beta, DEF_REAL),
    DEF(AbutSimulationDef, margin, DEF_REAL),
    DEF(AbutSimulationDef, slop, DEF_REAL),
    DEF(AbutSimulationDef, compliance, DEF_REAL),
    DEF(AbutSimulationDef, stick_speed, DEF_REAL),
    DEF(AbutSimulationDef, rolling, DEF_REAL),
    DEF(AbutSimulationDef, torsion_uniform, DEF_FLAG),
    DEF(AbutSimulationDef, generators, DEF_INT),
    DEF(AbutSimulationDef, threads, DEF_INT),
    DEF(AbutSimulationDef, sleeping, DEF_FLAG),
    DEF(AbutSimulationDef, features, DEF_FLAG),
    DEF(AbutSimulationDef, continuous, DEF_FLAG),
    DEF(AbutSimulationDef, pressure, DEF_REAL),
    DEF(AbutSimulationDef, reach, DEF_REAL),
    DEF(AbutSimulationDef, spacing, DEF_REAL),
};

const DefTable settings_table = DEF_TABLE("settings", settings_fields);

/* (scene, settings) */
static PyObject *simulation_new(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutSimulationDef def = abut_simulation_default();
    AbutSimulation *simulation = NULL;
    AbutError error;
    if (expect_count("simulation_new", count, 2) != 0 || !(scene = read_scene(args[0])) ||
        fill_def(args[1], &settings_table, &def) != 0)
        return NULL;
    AbutStatus status;
    ALONE(scene, status = abut_simulation_create(scene->scene, &def, &simulation, &error));
    if (status != ABUT_OK) return raise_error(&error);
    SimulationObject *self = PyObject_GC_New(SimulationObject, simulation_type);
    if (!self) return abut_simulation_free(simulation), NULL;
    self->simulation = simulation;
    self->scene = (SceneObject *)Py_NewRef(args[0]);
    self->control = self->rule = NULL, self->events = NULL;
    self->event_count = self->event_capacity = 0;
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

/* (simulation, or None for the defaults) */
static PyObject *simulation_settings(PyObject *module, PyObject *value) {
    (void)module;
    SimulationObject *self = NULL;
    if (value != Py_None && !(self = look_at_simulation(value))) return NULL;
    AbutSimulationDef def = self ? abut_simulation_settings(self->simulation) : abut_simulation_default();
    return def_dict(&settings_table, &def);
}

/* (simulation, dictionary): others stay */
static PyObject *simulation_set_settings(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    AbutError error;
    if (expect_count("simulation_set_settings", count, 2) != 0 || !(self = read_simulation(args[0]))) return NULL;
    AbutSimulationDef def = abut_simulation_settings(self->simulation);
    if (fill_def(args[1], &settings_table, &def) != 0) return NULL;
    AbutStatus status;
    ALONE(self->scene, status = abut_simulation_set_settings(self->simulation, &def, &error));
    return none_or_raise(status, &error);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

typedef struct Steps {
    SimulationObject *self;
    AbutRun *run; /* NULL: nothing is recorded */
    double dt;
    int count, every, done;
    AbutStepReport report;
    AbutStatus status;
    AbutError error;
} Steps;

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Steps for some 10 ms, without the interpreter's lock. */
static void step_a_while(Steps *s) {
    double end = seconds_now() + 0.01;
    do {
        s->status = abut_simulation_step(s->self->simulation, s->dt, &s->report, &s->error);
        ++s->done;
        if (s->status == ABUT_OK) s->status = keep_events(s->self, &s->error);
        if (s->status == ABUT_OK && s->run && (s->done % s->every == 0 || s->done == s->count))
            s->status = abut_run_record(s->run, s->self->simulation, &s->report, &s->error);
    } while (s->status == ABUT_OK && !s->self->scene->failed && s->done < s->count && seconds_now() < end);
}

/* The state before the first step is the first row of a run. */
static void record_start(Steps *s) {
    AbutStepReport report;
    memset(&report, 0, sizeof report);
    report.time = abut_simulation_time(s->self->simulation);
    abut_simulation_energy(s->self->simulation, &report.kinetic, &report.potential);
    s->status = abut_run_record(s->run, s->self->simulation, &report, &s->error);
}

static int run_steps(Steps *s) {
    int signaled = 0;
    if (s->run) record_start(s);
    while (s->status == ABUT_OK && s->done < s->count && !signaled) {
        Py_BEGIN_ALLOW_THREADS;
        step_a_while(s);
        Py_END_ALLOW_THREADS;
        signaled = PyErr_Occurred() || check_filter(s->self->scene) != 0 || PyErr_CheckSignals() != 0;
    }
    if (s->status != ABUT_OK && !PyErr_Occurred()) /* a controller may have left its own */
        raise_error(&s->error);
    return signaled || s->status != ABUT_OK ? -1 : 0;
}

/* (simulation, dt, count, run or None, every) -> StepReport of the last step */
static PyObject *simulation_step(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    RunObject *run = NULL;
    Steps s;
    memset(&s, 0, sizeof s);
    if (expect_count("simulation_step", count, 5) != 0 || !(self = read_simulation(args[0])) ||
        read_real(args[1], "dt", &s.dt) != 0 || read_int(args[2], "count", &s.count) != 0 ||
        (args[3] != Py_None && !(run = read_run(args[3]))) || read_int(args[4], "every", &s.every) != 0)
        return NULL;
    if (s.count < 1 || s.every < 1)
        return raise_text(ABUT_ERROR_ARGUMENT, "%s: expected at least 1, got %d", s.count < 1 ? "count" : "every",
            s.count < 1 ? s.count : s.every);
    s.self = self, s.run = run ? run->run : NULL;
    self->event_count = 0;
    self->scene->busy = 1;
    if (run) run->busy = 1;
    int status = run_steps(&s);
    self->scene->busy = 0;
    if (run) run->busy = 0;
    return status == 0 ? record_new(&record_step, &s.report) : NULL;
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static PyObject *simulation_contacts(PyObject *module, PyObject *value) {
    (void)module;
    SimulationObject *self = read_simulation(value);
    AbutContactList list = {0};
    AbutError error;
    if (!self) return NULL;
    AbutStatus status;
    ALONE(self->scene, status = abut_simulation_get_contacts(self->simulation, &list, &error));
    if (status != ABUT_OK) return raise_error(&error);
    return array_of_contacts(self->scene->scene, &list);
}

static PyObject *simulation_time(PyObject *module, PyObject *value) {
    (void)module;
    const SimulationObject *self = look_at_simulation(value);
    return self ? PyFloat_FromDouble(abut_simulation_time(self->simulation)) : NULL;
}

/* -> (kinetic, potential) */
static PyObject *simulation_energy(PyObject *module, PyObject *value) {
    (void)module;
    SimulationObject *self = look_at_simulation(value);
    double kinetic = 0.0, potential = 0.0;
    if (!self) return NULL;
    ALONE(self->scene, abut_simulation_energy(self->simulation, &kinetic, &potential));
    return Py_BuildValue("(dd)", kinetic, potential);
}

static PyObject *simulation_hash(PyObject *module, PyObject *value) {
    (void)module;
    SimulationObject *self = look_at_simulation(value);
    uint64_t hash = 0;
    if (!self) return NULL;
    ALONE(self->scene, hash = abut_simulation_hash(self->simulation));
    return PyLong_FromUnsignedLongLong(hash);
}

/* -> int32 (n, 2): asleep, island */
static PyObject *simulation_activity(PyObject *module, PyObject *value) {
    (void)module;
    SimulationObject *self = look_at_simulation(value);
    NewArray out;
    if (!self) return NULL;
    const AbutScene *scene = self->scene->scene;
    const Py_ssize_t shape[2] = {abut_scene_body_count(scene), 2};
    if (begin_array_of("i4", 2, shape, &out) != 0) return NULL;
    for (int i = 0; i < shape[0]; ++i) {
        int32_t *row = (int32_t *)out.data + 2 * i;
        abut_simulation_get_activity(self->simulation, abut_scene_body_at(scene, i), &row[0], &row[1]);
    }
    return end_array(&out);
}

static PyObject *simulation_save(PyObject *module, PyObject *value) {
    (void)module;
    SimulationObject *self = read_simulation(value);
    if (!self) return NULL;
    size_t size = abut_simulation_state_size(self->simulation);
    void *state = abut_alloc(size);
    if (!state) return PyErr_NoMemory();
    ALONE(self->scene, abut_simulation_save(self->simulation, state));
    PyObject *out = PyBytes_FromStringAndSize(state, (Py_ssize_t)size);
    abut_free(state);
    return out;
}

/* (simulation, bytes) */
static PyObject *simulation_restore(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    AbutError error;
    const char *bytes;
    size_t size;
    if (expect_count("simulation_restore", count, 2) != 0 || !(self = read_simulation(args[0])) ||
        read_bytes(args[1], "state", &bytes, &size) != 0)
        return NULL;
    void *state = abut_alloc(size); /* bytes of Python are not aligned */
    if (!state) return PyErr_NoMemory();
    memcpy(state, bytes, size);
    AbutStatus status;
    ALONE(self->scene, status = abut_simulation_restore(self->simulation, state, size, &error));
    abut_free(state);
    return none_or_raise(status, &error);
}

PyMethodDef simulation_functions[] = {
    FAST("simulation_new", simulation_new),
    {"simulation_settings", simulation_settings, METH_O, NULL},
    FAST("simulation_set_settings", simulation_set_settings),
    FAST("simulation_step", simulation_step),
    {"simulation_contacts", simulation_contacts, METH_O, NULL},
    {"simulation_time", simulation_time, METH_O, NULL},
    {"simulation_energy", simulation_energy, METH_O, NULL},
    {"simulation_hash", simulation_hash, METH_O, NULL},
    {"simulation_activity", simulation_activity, METH_O, NULL},
    {"simulation_save", simulation_save, METH_O, NULL},
    FAST("simulation_restore", simulation_restore),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot simulation_slots[] = {
    {Py_tp_traverse, simulation_traverse},
    {Py_tp_clear, simulation_clear},
    {Py_tp_dealloc, simulation_dealloc},
    {0, NULL},
};

static PyType_Spec simulation_spec = {"abut._abut.SimulationHandle", sizeof(SimulationObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_HAVE_GC, simulation_slots};

int add_simulation_type(PyObject *module) {
    fill_model_names();
    simulation_type = add_type(module, &simulation_spec);
    return simulation_type ? 0 : -1;
}
