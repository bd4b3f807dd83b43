/* SPDX-License-Identifier: Apache-2.0 */
/* Acting on the bodies and shapes of a scene: a row of a table for each call on a body, whose numbers come in one
 * array; materials, filters and friction of shapes; shapes as they are kept. */
#include <string.h>

#include "models.h"
#include "rooms.h"
#include "worlds.h"

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

typedef AbutStatus Act(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error);

static AbutVec3 vector(const double *x) { return abut_vec3(x[0], x[1], x[2]); }

static AbutStatus add_force(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error) {
    return abut_scene_add_force(scene, body, vector(x), vector(x + 3), error);
}

static AbutStatus add_torque(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error) {
    return abut_scene_add_torque(scene, body, vector(x), error);
}

static AbutStatus add_impulse(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error) {
    return abut_scene_add_impulse(scene, body, vector(x), vector(x + 3), error);
}

static AbutStatus set_gravity_scale(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error) {
    return abut_scene_set_gravity_scale(scene, body, x[0], error);
}

static AbutStatus set_damping(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error) {
    return abut_scene_set_damping(scene, body, x[0], x[1], error);
}

static AbutStatus lock_axes(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error) {
    return abut_scene_lock_axes(scene, body, (uint32_t)x[0], error);
}

static AbutStatus wake(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error) {
    (void)x;
    return abut_scene_wake(scene, body, error);
}

static AbutStatus set_mass(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error) {
    AbutMat3 inertia = abut_mat3_transpose(abut_mat3(vector(x + 4), vector(x + 7), vector(x + 10)));
    return abut_scene_set_mass(scene, body, x[0], vector(x + 1), inertia, error);
}

static AbutStatus set_kind(AbutScene *scene, AbutBodyId body, const double *x, AbutError *error) {
    return abut_scene_set_kind(scene, body, (AbutBodyKind)x[0], error);
}

static const struct ActRow {
    const char *name;
    int count; /* of numbers */
    Act *act;
} acts[] = {
    {"add_force", 6, add_force}, /* these two also in the middle of a step */
    {"add_torque", 3, add_torque},
    {"add_impulse", 6, add_impulse},
    {"set_gravity_scale", 1, set_gravity_scale},
    {"set_damping", 2, set_damping},
    {"lock_axes", 1, lock_axes},
    {"wake", 0, wake},
    {"set_mass", 13, set_mass},
    {"set_kind", 1, set_kind},
};

enum { ACTS = sizeof acts / sizeof acts[0] };

/* (scene, name, body, numbers) */
static PyObject *scene_act(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutBodyId body;
    AbutError error;
    Doubles x;
    const char *words[ACTS];
    for (int i = 0; i < ACTS; ++i) words[i] = acts[i].name;
    if (expect_count("scene_act", count, 4) != 0) return NULL;
    int which = read_word(args[1], "name", ACTS, words);
    if (which < 0 || !(scene = which < 2 ? look_at_scene(args[0]) : read_scene(args[0])) ||
        read_body_id(args[2], &body) != 0 || read_vector(args[3], "numbers", acts[which].count, &x) != 0)
        return NULL;
    AbutStatus status = acts[which].act(scene->scene, body, x.data, &error);
    release_doubles(&x);
    return none_or_raise(status, &error);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

int64_t shape_bits(AbutShapeId id) { return (int64_t)((uint64_t)id.generation << 32 | id.index1); }

PyObject *number_of_shape(AbutShapeId id) { return PyLong_FromLongLong(shape_bits(id)); }

static int read_shape_id(PyObject *value, AbutShapeId *out) {
    unsigned long long number = PyLong_AsUnsignedLongLong(value);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return PyErr_Format(PyExc_TypeError, "shape: expected a number that the scene gave, got %R", value), -1;
    }
    *out = (AbutShapeId){(uint32_t)number, (uint32_t)(number >> 32)};
    return 0;
}

/* (scene, body) -> list of shapes */
static PyObject *scene_shapes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutBodyId body;
    if (expect_count("scene_shapes", count, 2) != 0 || !(scene = read_scene(args[0])) ||
        read_body_id(args[1], &body) != 0)
        return NULL;
    int n = abut_scene_shape_count(scene->scene, body);
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; ++i)
        PyList_SetItem(list, i, number_of_shape(abut_scene_shape_at(scene->scene, body, i)));
    return list;
}

/* The shape of an argument as it is kept; 0, or -1 with an exception. */
static int open_shape(SceneObject *scene, PyObject *value, AbutShapeId *id, AbutShapeDef *shape, AbutBodyId *body) {
    if (read_shape_id(value, id) != 0) return -1;
    if (abut_scene_get_shape(scene->scene, *id, shape, body)) return 0;
    raise_text(ABUT_ERROR_ARGUMENT, "shape: there is no such shape in the scene");
    return -1;
}

/* (scene, shape) -> (dictionary, body) */
static PyObject *scene_get_shape(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutShapeId id;
    AbutShapeDef shape;
    AbutBodyId body;
    if (expect_count("scene_get_shape", count, 2) != 0 || !(scene = read_scene(args[0])) ||
        open_shape(scene, args[1], &id, &shape, &body) != 0)
        return NULL;
    return Py_BuildValue("(NN)", def_dict(&shape_table, &shape), number_of_body(body));
}

/* (scene, shape, dictionary): fields of the material; others stay */
static PyObject *scene_set_material(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutShapeId id;
    AbutShapeDef shape;
    AbutError error;
    if (expect_count("scene_set_material", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        open_shape(scene, args[1], &id, &shape, NULL) != 0 || fill_def(args[2], &material_table, &shape.material) != 0)
        return NULL;
    return none_or_raise(abut_scene_set_material(scene->scene, id, &shape.material, &error), &error);
}

static const DefField filter_fields[] = {
    DEF(AbutShapeDef, category, DEF_UINT),
    DEF(AbutShapeDef, mask, DEF_UINT),
};

static const DefTable filter_table = DEF_TABLE("filter", filter_fields);

/* (scene, shape, dictionary): category, mask */
static PyObject *scene_set_filter(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutShapeId id;
    AbutShapeDef shape;
    AbutError error;
    if (expect_count("scene_set_filter", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        open_shape(scene, args[1], &id, &shape, NULL) != 0 || fill_def(args[2], &filter_table, &shape) != 0)
        return NULL;
    begin_asking(scene);
    AbutStatus status = abut_scene_set_filter(scene->scene, id, shape.category, shape.mask, &error);
    return end_asking(scene) == 0 ? none_or_raise(status, &error) : NULL;
}

/* (scene, shape, shape, friction, kinetic friction) */
static PyObject *scene_set_pair_friction(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutShapeId a, b;
    AbutError error;
    double friction, kinetic;
    if (expect_count("scene_set_pair_friction", count, 5) != 0 || !(scene = read_scene(args[0])) ||
        read_shape_id(args[1], &a) != 0 || read_shape_id(args[2], &b) != 0 ||
        read_real(args[3], "friction", &friction) != 0 || read_real(args[4], "friction_kinetic", &kinetic) != 0)
        return NULL;
    return none_or_raise(abut_scene_set_pair_friction(scene->scene, a, b, friction, kinetic, &error), &error);
}

/* (scene, shape, shape, dictionary): friction of all kinds, restitution, margin */
static PyObject *scene_set_pair(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutShapeId a, b;
    AbutError error;
    AbutPairDef def = abut_pair_default();
    if (expect_count("scene_set_pair", count, 4) != 0 || !(scene = read_scene(args[0])) ||
        read_shape_id(args[1], &a) != 0 || read_shape_id(args[2], &b) != 0 ||
        fill_def(args[3], &pair_law_table, &def) != 0)
        return NULL;
    return none_or_raise(abut_scene_set_pair(scene->scene, a, b, &def, &error), &error);
}

/* (scene, shape) */
static PyObject *scene_remove_shape(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutShapeId shape;
    AbutError error;
    if (expect_count("scene_remove_shape", count, 2) != 0 || !(scene = read_scene(args[0])) ||
        read_shape_id(args[1], &shape) != 0)
        return NULL;
    return none_or_raise(abut_scene_remove_shape(scene->scene, shape, &error), &error);
}

/* (scene, shape, dictionary: kind, size, resolution, pose; convex or None) */
static PyObject *scene_set_form(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutShapeId shape;
    AbutShapeDef def = abut_shape_default();
    AbutError error;
    if (expect_count("scene_set_form", count, 4) != 0 || !(scene = read_scene(args[0])) ||
        read_shape_id(args[1], &shape) != 0 || fill_def(args[2], &shape_table, &def) != 0 ||
        fill_polyhedron(args[3], &def) != 0)
        return NULL;
    AbutStatus status = abut_scene_set_form(scene->scene, shape, &def.form, def.pose, &error);
    abut_geometry_release(def.geometry);
    return none_or_raise(status, &error);
}

/* Keeps the exception for the call that asked; that may have threads of its own. */
static void keep_failure(SceneObject *self) {
    PyObject *type, *trace;
    PyErr_Fetch(&type, &self->failed, &trace);
    PyErr_NormalizeException(&type, &self->failed, &trace);
    if (trace) PyException_SetTraceback(self->failed, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
}

int check_filter(SceneObject *scene) {
    if (!scene->failed) return 0;
    PyObject *failed = scene->failed;
    scene->failed = NULL;
    PyErr_SetObject((PyObject *)Py_TYPE(failed), failed);
    Py_DECREF(failed);
    return -1;
}

void begin_asking(SceneObject *scene) { scene->busy = 1; }

int end_asking(SceneObject *scene) {
    scene->busy = 0;
    return check_filter(scene);
}

/* Asks the function of Python. A pair is let through where that fails, and others are not asked about any more. */
static int ask_filter(const AbutScene *scene, AbutShapeId a, AbutShapeId b, void *user) {
    (void)scene;
    SceneObject *self = user;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = NULL;
    if (!self->failed) answer = PyObject_CallFunction(self->filter, "NN", number_of_shape(a), number_of_shape(b));
    int may = answer ? PyObject_IsTrue(answer) : -1;
    if (may < 0 && !self->failed) keep_failure(self);
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return may != 0;
}

/* (scene, function of two shapes, or None) */
static PyObject *scene_set_pair_filter(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    if (expect_count("scene_set_pair_filter", count, 2) != 0 || !(scene = read_scene(args[0])) ||
        set_function(args[1], &scene->filter) != 0)
        return NULL;
    begin_asking(scene);
    abut_scene_set_pair_filter(scene->scene, scene->filter ? ask_filter : NULL, scene);
    return end_asking(scene) == 0 ? Py_NewRef(Py_None) : NULL;
}

/* (scene, body, model) -> its number in the model */
static PyObject *scene_describe_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutModel *model;
    AbutBodyId body;
    AbutError error;
    int32_t number;
    if (expect_count("scene_describe_body", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        read_body_id(args[1], &body) != 0 || !(model = open_model(args[2])))
        return NULL;
    return abut_scene_describe_body(scene->scene, body, model, &number, &error) == ABUT_OK ? PyLong_FromLong(number)
                                                                                           : raise_error(&error);
}

PyMethodDef scene_act_functions[] = {
    FAST("scene_act", scene_act),
    FAST("scene_shapes", scene_shapes),
    FAST("scene_get_shape", scene_get_shape),
    FAST("scene_set_material", scene_set_material),
    FAST("scene_set_filter", scene_set_filter),
    FAST("scene_set_pair_friction", scene_set_pair_friction),
    FAST("scene_set_pair", scene_set_pair),
    FAST("scene_remove_shape", scene_remove_shape),
    FAST("scene_set_form", scene_set_form),
    FAST("scene_set_pair_filter", scene_set_pair_filter),
    FAST("scene_describe_body", scene_describe_body),
    {NULL, NULL, 0, NULL},
};
