/* SPDX-License-Identifier: Apache-2.0 */
/* Motions: poses over time, from numbers, arrays of keyframes or files; and the time of impact of two moving bodies. */
#include "motions.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#include "bodies.h"
#include "records.h"
#include "rooms.h"

typedef struct MotionObject {
    PyObject_HEAD AbutMotion motion;
    AbutKeyframe *keys; /* owned; NULL where there are none */
    AbutMotion *parsed; /* owned; NULL likewise */
    PyObject *owner;    /* keeps the chain alive; NULL likewise */
    PyObject *recipe;   /* (name of the maker, its arguments), for pickles */
} MotionObject;

static PyTypeObject *motion_type;

static void motion_dealloc(PyObject *self) {
    MotionObject *object = (MotionObject *)self;
    abut_free(object->keys);
    abut_motion_free(object->parsed);
    Py_XDECREF(object->owner);
    Py_XDECREF(object->recipe);
    free_object(self);
}

int read_motion(PyObject *value, const char *name, AbutMotion *out) {
    AbutPose pose;
    if (PyObject_TypeCheck(value, motion_type)) {
        *out = ((MotionObject *)value)->motion;
        return 0;
    }
    if (read_pose(value, name, &pose) != 0) return -1;
    *out = abut_motion_static(pose);
    return 0;
}

/* ---- makers ------------------------------------------------------------------------------------------------------ */

PyObject *recipe_of(const char *maker, PyObject *const *args, Py_ssize_t count) {
    PyObject *tuple = PyTuple_New(count);
    for (Py_ssize_t i = 0; tuple && i < count; ++i) PyTuple_SetItem(tuple, i, Py_NewRef(args[i]));
    return tuple ? Py_BuildValue("(sN)", maker, tuple) : NULL;
}

static PyObject *motion_take(AbutMotion motion, AbutKeyframe *keys, AbutMotion *parsed, PyObject *recipe) {
    AbutError error;
    MotionObject *self = NULL;
    if (abut_motion_check(&motion, &error) != ABUT_OK)
        raise_error(&error);
    else if (recipe)
        self = PyObject_New(MotionObject, motion_type);
    if (!self) {
        abut_free(keys);
        abut_motion_free(parsed);
        Py_XDECREF(recipe);
        return NULL;
    }
    self->motion = motion, self->keys = keys, self->parsed = parsed, self->recipe = recipe;
    self->owner = NULL;
    return (PyObject *)self;
}

PyObject *motion_of_link(AbutMotion motion, PyObject *owner, PyObject *recipe) {
    PyObject *self = motion_take(motion, NULL, NULL, recipe);
    if (self) ((MotionObject *)self)->owner = Py_NewRef(owner);
    return self;
}

/* (from, start, center, path (3, 3), spin): the general record. */
static PyObject *motion_record(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutMotion m = abut_motion_static(abut_pose_identity());
    Doubles path;
    if (expect_count("motion_record", count, 5) != 0 || read_real(args[0], "start_time", &m.from) != 0 ||
        read_pose(args[1], "pose", &m.start) != 0 || read_vec3(args[2], "center", &m.center) != 0 ||
        read_vec3(args[4], "spin", &m.spin) != 0 || read_matrix(args[3], "path", 3, 3, &path) != 0)
        return NULL;
    memcpy(m.path, path.data, sizeof m.path);
    release_doubles(&path);
    return motion_take(m, NULL, NULL, recipe_of("motion_record", args, count));
}

/* (pose, point, axis, rate, speed) */
static PyObject *motion_screw(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPose pose;
    AbutVec3 point, axis;
    double rate, speed;
    if (expect_count("motion_screw", count, 5) != 0 || read_pose(args[0], "pose", &pose) != 0 ||
        read_vec3(args[1], "point", &point) != 0 || read_vec3(args[2], "axis", &axis) != 0 ||
        read_real(args[3], "rate", &rate) != 0 || read_real(args[4], "speed", &speed) != 0)
        return NULL;
    const double length = abut_length(axis);
    if (!(length > 0.0 && length <= DBL_MAX))
        return raise_text(ABUT_ERROR_ARGUMENT, "axis: expected a finite length above 0, got %g", length);
    AbutMotion m = abut_motion_screw(pose, point, abut_normalize(axis), rate, speed);
    return motion_take(m, NULL, NULL, recipe_of("motion_screw", args, count));
}

/* (times (n,), poses (n, 7)) */
static PyObject *motion_keyframes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Doubles times;
    Poses poses;
    AbutMotion m;
    AbutError error;
    if (expect_count("motion_keyframes", count, 2) != 0 || read_vector(args[0], "times", -1, &times) != 0) return NULL;
    if (read_poses(args[1], "poses", &poses) != 0) return release_doubles(&times), NULL;
    int fits = times.count == (poses.batch ? poses.count : -1) && times.count < INT_MAX;
    AbutKeyframe *keys = fits ? abut_alloc_array((size_t)times.count, sizeof *keys) : NULL;
    AbutStatus status;
    Py_BEGIN_ALLOW_THREADS;
    for (Py_ssize_t i = 0; keys && i < times.count; ++i) keys[i] = (AbutKeyframe){times.data[i], get_pose(&poses, i)};
    status = !fits
                 ? abut_fail(&error, ABUT_ERROR_ARGUMENT, "poses: expected one for each of the %zd times", times.count)
             : !keys ? abut_fail(&error, ABUT_ERROR_MEMORY, "no memory for keyframes")
                     : abut_motion_keyframes((int32_t)times.count, keys, &m, &error);
    Py_END_ALLOW_THREADS;
    release_doubles(&times);
    release_poses(&poses);
    if (status != ABUT_OK) return abut_free(keys), raise_error(&error);
    return motion_take(m, keys, NULL, recipe_of("motion_keyframes", args, count));
}

/* (bytes, name) */
static PyObject *motion_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutMotion *parsed = NULL;
    AbutError error;
    FileBytes in;
    if (expect_count("motion_parse", count, 2) != 0 || read_file_bytes(args[0], args[1], &in) != 0) return NULL;
    AbutStatus status;
    UNLOCKED(status = abut_motion_parse(in.data, in.size, in.name, &parsed, NULL, &error));
    if (status != ABUT_OK) return raise_error(&error);
    return motion_take(*parsed, NULL, parsed, recipe_of("motion_parse", args, count));
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

/* pose_at(t): (7,), or (n, 7) for times (n,). */
static PyObject *pose_at(PyObject *self, PyObject *t) {
    const AbutMotion *motion = &((MotionObject *)self)->motion;
    Doubles times;
    NewArray out;
    if (read_doubles(t, "t", &times) != 0) return NULL;
    const Py_ssize_t shape[2] = {times.count, 7};
    if (times.dimensions > 1) {
        release_doubles(&times);
        return raise_text(ABUT_ERROR_ARGUMENT, "t: expected a time or shape (n,)");
    }
    if (begin_array_of("f8", times.dimensions + 1, times.dimensions ? shape : shape + 1, &out) != 0)
        return release_doubles(&times), NULL;
    Py_BEGIN_ALLOW_THREADS;
    for (Py_ssize_t i = 0; i < times.count; ++i)
        write_pose(abut_motion_pose(motion, times.data[i]), (double *)out.data + 7 * i);
    Py_END_ALLOW_THREADS;
    release_doubles(&times);
    return end_array(&out);
}

static PyObject *get_span(PyObject *self, void *closure) {
    (void)closure;
    double from, to;
    abut_motion_span(&((MotionObject *)self)->motion, &from, &to);
    return Py_BuildValue("(dd)", from, to);
}

static PyObject *get_recipe(PyObject *self, void *closure) {
    (void)closure;
    return Py_NewRef(((MotionObject *)self)->recipe);
}

/* speed(a, b, around, radius) */
static PyObject *speed(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    AbutVec3 around;
    double a, b, radius;
    if (expect_count("speed", count, 4) != 0 || read_real(args[0], "a", &a) != 0 || read_real(args[1], "b", &b) != 0 ||
        read_vec3(args[2], "around", &around) != 0 || read_real(args[3], "radius", &radius) != 0)
        return NULL;
    return PyFloat_FromDouble(abut_motion_speed(&((MotionObject *)self)->motion, a, b, NULL, around, radius));
}

static PyGetSetDef motion_getset[] = {
    {"span", get_span, NULL, "(from, to) seconds: first and last keyframe; (0, 0) where there is none", NULL},
    {"recipe", get_recipe, NULL, "what it was made of, for pickles", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef motion_methods[] = {
    {"pose_at", pose_at, METH_O, "pose_at(t): pose (7,) at a time in seconds, or (n, 7) at times (n,)."},
    {"speed", (PyCFunction)(void (*)(void))speed, METH_FASTCALL,
        "speed(a, b, around, radius): upper bound, m/s, for points within radius of `around` over the times a to b."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot motion_slots[] = {
    {Py_tp_getset, motion_getset},
    {Py_tp_methods, motion_methods},
    {Py_tp_dealloc, motion_dealloc},
    {Py_tp_doc, "Poses over time. Immutable."},
    {0, NULL},
};

static PyType_Spec motion_spec = {
    "abut.Motion", sizeof(MotionObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, motion_slots};

int add_motion_type(PyObject *module) {
    motion_type = add_type(module, &motion_spec);
    return motion_type ? 0 : -1;
}

/* ---- time of impact ---------------------------------------------------------------------------------------------- */

/* (a, b, motion_a, motion_b, from, to, tolerance, rounds) */
static PyObject *time_of_impact(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    static const char *const names[2] = {"a", "b"}, *const motions[2] = {"motion_a", "motion_b"};
    AbutMover moving[2];
    AbutImpactDef def = {0};
    AbutImpact out;
    int rounds;
    if (expect_count("time_of_impact", count, 8) != 0 || read_real(args[4], "start", &def.from) != 0 ||
        read_real(args[5], "end", &def.to) != 0 || read_real(args[6], "tolerance", &def.tolerance) != 0 ||
        read_int(args[7], "rounds", &rounds) != 0)
        return NULL;
    def.round_limit = rounds;
    for (int k = 0; k < 2; ++k)
        if (read_solid(args[k], names[k], &moving[k].solid) != 0 ||
            read_motion(args[2 + k], motions[k], &moving[k].motion) != 0)
            return NULL;
    memset(&out, 0, sizeof out);
    Py_BEGIN_ALLOW_THREADS;
    out = abut_time_of_impact(&moving[0], &moving[1], &def);
    Py_END_ALLOW_THREADS;
    return record_new(&record_impact, &out);
}

PyMethodDef motion_functions[] = {
    FAST("motion_record", motion_record),
    FAST("motion_screw", motion_screw),
    FAST("motion_keyframes", motion_keyframes),
    FAST("motion_parse", motion_parse),
    FAST("time_of_impact", time_of_impact),
    {NULL, NULL, 0, NULL},
};
