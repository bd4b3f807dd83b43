/* SPDX-License-Identifier: Apache-2.0 */
/* Enumeration of contact modes: counted, collected, or handed to a Python function one by one. Ctrl-C ends it. */
#include <string.h>

#include "interrupt.h"
#include "abut/literature.h"
#include "modes.h"
#include "records.h"
#include "rooms.h"

/* Input and result of an enumeration. */
typedef struct Listing {
    const AbutModeSystem *system;
    AbutModeOptions options;
    const AbutModeForces *forces; /* NULL: all modes */
    PyObject *visit;              /* called with the text of each mode; NULL: collected in `list` */
    int collect;
    AbutModeList list;
    int8_t *cs;
    volatile int cancel;
    int raised; /* the Python function failed */
    PyObject *exception[3];
    AbutModeResult result;
    AbutStatus status;
    AbutError error;
} Listing;

/* On the thread of the enumeration: takes the interpreter's lock for the call. */
static int visit_python(AbutMode mode, void *user) {
    Listing *x = user;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *text = mode_text(x->system, x->options.nonlinear, mode);
    PyObject *answer = text ? PyObject_CallFunctionObjArgs(x->visit, text, NULL) : NULL;
    int stop = answer ? PyObject_IsTrue(answer) : -1;
    if (stop < 0) {
        PyErr_Fetch(&x->exception[0], &x->exception[1], &x->exception[2]);
        x->raised = 1;
    }
    Py_XDECREF(answer);
    Py_XDECREF(text);
    PyGILState_Release(state);
    return stop != 0;
}

static int visit_list(AbutMode mode, void *user) {
    AbutModeList *list = &((Listing *)user)->list;
    size_t words = (size_t)list->words, capacity = list->capacity;
    void *bits = list->bits;
    if (!abut_grow(&bits, &capacity, list->count + 1, 2 * words * sizeof(uint64_t))) return 1;
    list->bits = bits, list->capacity = capacity;
    memcpy(list->bits + 2 * words * list->count, mode.plus, words * sizeof(uint64_t));
    memcpy(list->bits + 2 * words * list->count + words, mode.minus, words * sizeof(uint64_t));
    ++list->count;
    return 0;
}

static void enumerate(void *user) {
    Listing *x = user;
    x->options.cancel = &x->cancel;
    x->options.user = x;
    x->options.visit = x->visit ? visit_python : x->collect ? visit_list : NULL;
    x->list.words = abut_mode_words(x->system, x->options.nonlinear);
    x->status = x->forces ? abut_mode_consistent(x->system, x->forces, &x->options, &x->result, &x->error)
                          : abut_mode_enumerate(x->system, &x->options, &x->result, &x->error);
}

/* The modes of a list as signs, int8 (n, signs). */
static PyObject *signs_of_list(const Listing *x) {
    NewArray out;
    const AbutModeSystem *s = x->system;
    Py_ssize_t width = s->contacts + (Py_ssize_t)s->contacts * (x->options.nonlinear ? 1 : s->lines);
    const Py_ssize_t shape[2] = {(Py_ssize_t)x->list.count, width};
    if (begin_array_of("i1", 2, shape, &out) != 0) return NULL;
    for (size_t i = 0; i < x->list.count; ++i)
        abut_mode_signs(
            s, x->options.nonlinear, abut_mode_list_get(&x->list, i), (int8_t *)out.data + (Py_ssize_t)i * width);
    return end_array(&out);
}

static PyObject *texts_of_list(const Listing *x) {
    PyObject *list = PyList_New((Py_ssize_t)x->list.count);
    for (size_t i = 0; list && i < x->list.count; ++i) {
        PyObject *text = mode_text(x->system, x->options.nonlinear, abut_mode_list_get(&x->list, i));
        if (!text)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, (Py_ssize_t)i, text);
    }
    return list;
}

/* How the answer is wanted. */
enum { GIVE_COUNT = 0, GIVE_TEXTS, GIVE_SIGNS, GIVE_CALLS };

static PyObject *run_listing(Listing *x, int form) {
    x->collect = form == GIVE_TEXTS || form == GIVE_SIGNS;
    int status = run_interruptible(enumerate, x, &x->cancel);
    PyObject *modes = NULL;
    if (status == 0 && x->raised)
        PyErr_Restore(x->exception[0], x->exception[1], x->exception[2]);
    else if (status == 0 && x->status != ABUT_OK)
        raise_error(&x->error);
    else if (status == 0 && x->collect && x->result.out_of_budget)
        raise_text(ABUT_ERROR_LIMIT,
            "the budget ended the enumeration after %llu modes: expected a larger budget, or a limit",
            (unsigned long long)x->result.modes);
    else if (status == 0)
        modes = form == GIVE_TEXTS ? texts_of_list(x) : form == GIVE_SIGNS ? signs_of_list(x) : Py_NewRef(Py_None);
    abut_free(x->list.bits);
    return modes ? Py_BuildValue("(NN)", modes, record_new(&record_mode_result, &x->result)) : NULL;
}

static int read_cs(PyObject *value, Listing *x) {
    const char *text = read_text(value, "of");
    if (!text) return -1;
    if (strlen(text) != (size_t)x->system->contacts)
        return raise_text(ABUT_ERROR_ARGUMENT, "of: expected %d signs 0 or +, got '%s'", x->system->contacts, text), -1;
    x->cs = abut_alloc((size_t)x->system->contacts + 1);
    for (int i = 0; x->cs && i < x->system->contacts; ++i) x->cs[i] = text[i] != '0';
    x->options.cs = x->cs;
    x->options.kind = ABUT_MODES_OF_CS;
    return x->cs ? 0 : (PyErr_NoMemory(), -1);
}

/* (system, form, cs only, of or None, nonlinear, arithmetic, tolerance, limit, threads, visit, method, budget) */
static int read_listing(PyObject *const *args, int *form, Listing *x) {
    static const char *const forms[] = {"count", "texts", "signs", "calls"};
    static const char *const arithmetics[] = {"auto", "double", "exact", "double_double"};
    static const char *const methods[] = {"search", "paper"};
    int cs_only, arithmetic, method;
    x->options = abut_mode_options_default();
    if (!(x->system = read_mode_system(args[0])) || (*form = read_word(args[1], "form", 4, forms)) < 0 ||
        read_int(args[2], "cs", &cs_only) != 0 || read_int(args[4], "nonlinear", &x->options.nonlinear) != 0 ||
        (arithmetic = read_word(args[5], "arithmetic", 4, arithmetics)) < 0 ||
        read_real(args[6], "tolerance", &x->options.tolerance) != 0 ||
        read_count(args[8], "threads", &x->options.threads) != 0 ||
        (method = read_word(args[10], "method", 2, methods)) < 0)
        return -1;
    x->options.limit = PyLong_AsUnsignedLongLong(args[7]);
    if (!PyErr_Occurred()) x->options.budget = PyLong_AsUnsignedLongLong(args[11]);
    if (PyErr_Occurred()) return -1;
    x->options.kind = cs_only ? ABUT_MODES_CS : ABUT_MODES_FULL;
    x->options.arithmetic = (AbutModeArithmetic)arithmetic;
    x->options.method = method ? abut_mode_paper : NULL;
    x->visit = *form == GIVE_CALLS ? args[9] : NULL;
    return args[3] == Py_None ? 0 : read_cs(args[3], x);
}

static PyObject *mode_enumerate(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Listing x = {0};
    int form;
    if (expect_count("mode_enumerate", count, 12) != 0) return NULL;
    PyObject *out = read_listing(args, &form, &x) == 0 ? run_listing(&x, form) : NULL;
    abut_free(x.cs);
    return out;
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

/* Arrays behind an AbutModeForces. */
typedef struct Forces {
    AbutModeForces forces;
    Doubles force, mass, velocity, friction, least, most, motion;
} Forces;

static void release_forces(Forces *f) {
    release_doubles(&f->force);
    release_doubles(&f->mass);
    release_doubles(&f->velocity);
    release_doubles(&f->friction);
    release_doubles(&f->least);
    release_doubles(&f->most);
    release_doubles(&f->motion);
}

/* (least (contacts,) or None, most, motion (dof,) or None, number of the driven velocity or -1) */
static int read_limits(const AbutModeSystem *s, PyObject *const *args, Forces *f) {
    int driven;
    if ((args[0] != Py_None && read_vector(args[0], "least", s->contacts, &f->least) != 0) ||
        (args[1] != Py_None && read_vector(args[1], "most", s->contacts, &f->most) != 0) ||
        (args[2] != Py_None && read_vector(args[2], "motion", s->dof, &f->motion) != 0) ||
        read_int(args[3], "driven", &driven) != 0)
        return -1;
    f->forces.least = f->least.data, f->forces.most = f->most.data, f->forces.motion = f->motion.data;
    if (driven < -1 || driven >= s->dof)
        return raise_text(ABUT_ERROR_ARGUMENT, "driven: expected a velocity from 0 to %d, got %d", s->dof - 1, driven),
               -1;
    f->forces.driven1 = driven + 1;
    return 0;
}

/* (force (dof,), mass (dof, dof) or None, velocity or None, step, friction: a number or (contacts,), then limits) */
static int read_forces(const AbutModeSystem *s, PyObject *const *args, Forces *f) {
    memset(f, 0, sizeof *f);
    if (read_vector(args[0], "force", s->dof, &f->force) != 0 ||
        (args[1] != Py_None && read_matrix(args[1], "mass", s->dof, s->dof, &f->mass) != 0) ||
        (args[2] != Py_None && read_vector(args[2], "velocity", s->dof, &f->velocity) != 0) ||
        read_real(args[3], "step", &f->forces.step) != 0 || read_doubles(args[4], "friction", &f->friction) != 0)
        return -1;
    f->forces.force = f->force.data, f->forces.mass = f->mass.data, f->forces.velocity = f->velocity.data;
    if (f->friction.dimensions == 0)
        f->forces.default_friction = f->friction.data[0];
    else if (f->friction.dimensions == 1 && f->friction.count == s->contacts)
        f->forces.friction = f->friction.data;
    else
        return raise_text(ABUT_ERROR_ARGUMENT, "friction: expected a number or shape (%d,)", s->contacts), -1;
    return read_limits(s, args + 5, f);
}

/* (system, mode, force, mass, velocity, step, friction, limits) -> (ForceResult, velocity, contact forces (contacts,
 * 3)) */
static PyObject *mode_feasible(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    ModeBits mode;
    Forces f;
    NewArray velocity, force;
    AbutModeForceResult result;
    AbutError error;
    if (expect_count("mode_feasible", count, 11) != 0 || !(s = read_mode_system(args[0])) ||
        read_mode(s, 0, args[1], &mode) != 0)
        return NULL;
    const Py_ssize_t shape[2] = {s->contacts, 3}, dof = s->dof;
    int begun = 0;
    PyObject *out = NULL;
    if (read_forces(s, args + 2, &f) == 0 && begin_array_of("f8", 1, &dof, &velocity) == 0) {
        memset(velocity.data, 0, (size_t)velocity.view.len);
        begun = begin_array_of("f8", 2, shape, &force) == 0;
        if (!begun) cancel_array(&velocity);
    }
    if (begun) {
        memset(force.data, 0, (size_t)force.view.len);
        AbutStatus status;
        UNLOCKED(
            status = abut_mode_force_feasible(s, mode.mode, &f.forces, &result, velocity.data, force.data, &error));
        if (status == ABUT_OK) {
            out = Py_BuildValue(
                "(NNN)", record_new(&record_force_result, &result), end_array(&velocity), end_array(&force));
        } else {
            cancel_array(&velocity);
            cancel_array(&force);
            raise_error(&error);
        }
    }
    release_forces(&f);
    free_mode(&mode);
    return out;
}

/* (system, mode, the nine of forces, scale or None) -> margin */
static PyObject *mode_margin(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const AbutModeSystem *s;
    ModeBits mode;
    Forces f;
    Doubles scale = {0};
    AbutError error;
    double margin = 0.0;
    PyObject *out = NULL;
    if (expect_count("mode_margin", count, 12) != 0 || !(s = read_mode_system(args[0])) ||
        read_mode(s, 0, args[1], &mode) != 0)
        return NULL;
    if (read_forces(s, args + 2, &f) == 0 &&
        (args[11] == Py_None || read_vector(args[11], "scale", s->dof, &scale) == 0)) {
        AbutStatus status;
        UNLOCKED(status = abut_mode_margin(s, mode.mode, &f.forces, scale.data, &margin, &error));
        out = status == ABUT_OK ? PyFloat_FromDouble(margin) : raise_error(&error);
    }
    release_doubles(&scale);
    release_forces(&f);
    free_mode(&mode);
    return out;
}

/* (the arguments of mode_enumerate, then force, mass, velocity, step, friction, limits) */
static PyObject *mode_consistent(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Listing x = {0};
    Forces f;
    int form;
    if (expect_count("mode_consistent", count, 21) != 0) return NULL;
    memset(&f, 0, sizeof f);
    PyObject *out = NULL;
    if (read_listing(args, &form, &x) == 0 && read_forces(x.system, args + 12, &f) == 0) {
        x.forces = &f.forces;
        out = run_listing(&x, form);
    }
    release_forces(&f);
    abut_free(x.cs);
    return out;
}

PyMethodDef mode_list_functions[] = {
    FAST("mode_enumerate", mode_enumerate),
    FAST("mode_feasible", mode_feasible),
    FAST("mode_margin", mode_margin),
    FAST("mode_consistent", mode_consistent),
    {NULL, NULL, 0, NULL},
};
