/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes: bodies in the world, their state as arrays, contacts and contact modes as they stand. */
#include <stdint.h>
#include <string.h>

#include "bodies.h"
#include "models.h"
#include "modes.h"
#include "rooms.h"
#include "worlds.h"

PyTypeObject *scene_type;

/* A filter may hold what holds the scene. */
static int scene_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((SceneObject *)self)->filter);
    Py_VISIT(((SceneObject *)self)->failed);
    return 0;
}

static int scene_clear(PyObject *self) {
    abut_scene_set_pair_filter(((SceneObject *)self)->scene, NULL, NULL);
    Py_CLEAR(((SceneObject *)self)->filter);
    Py_CLEAR(((SceneObject *)self)->failed);
    return 0;
}

static void scene_dealloc(PyObject *self) {
    PyObject_GC_UnTrack(self);
    Py_XDECREF(((SceneObject *)self)->filter);
    Py_XDECREF(((SceneObject *)self)->failed);
    abut_scene_free(((SceneObject *)self)->scene);
    free_collected(self);
}

SceneObject *look_at_scene(PyObject *value) {
    if (!PyObject_TypeCheck(value, scene_type))
        return PyErr_Format(PyExc_TypeError, "scene: expected an abut.Scene, got %R", value), NULL;
    SceneObject *scene = (SceneObject *)value;
    if (scene->busy && !scene->controlled)
        return raise_text(ABUT_ERROR_ARGUMENT, "this scene is in use by another thread, or by the call that asks this "
                                               "function"),
               NULL;
    return scene;
}

SceneObject *read_scene(PyObject *value) {
    SceneObject *scene = look_at_scene(value);
    if (scene && scene->controlled)
        return raise_text(ABUT_ERROR_ARGUMENT, "in the middle of a step: a controller may look at bodies and joints, "
                                               "and set controls, torques and forces"),
               NULL;
    return scene;
}

PyObject *number_of_body(AbutBodyId id) {
    return PyLong_FromUnsignedLongLong((unsigned long long)id.generation << 32 | id.index1);
}

int read_body_id(PyObject *value, AbutBodyId *out) {
    unsigned long long number = PyLong_AsUnsignedLongLong(value);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return PyErr_Format(PyExc_TypeError, "body: expected a number that the scene gave, got %R", value), -1;
    }
    *out = (AbutBodyId){(uint32_t)number, (uint32_t)(number >> 32)};
    return 0;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static PyObject *scene_new(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    AbutScene *scene = NULL;
    AbutError error;
    if (abut_scene_create(&scene, &error) != ABUT_OK) return raise_error(&error);
    SceneObject *self = PyObject_GC_New(SceneObject, scene_type);
    if (!self) return abut_scene_free(scene), NULL;
    self->scene = scene, self->busy = self->controlled = 0, self->filter = self->failed = NULL;
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

/* (scene, model, pose) -> list of bodies */
static PyObject *scene_add_model(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    ModelObject *model;
    AbutPose pose;
    AbutError error;
    if (expect_count("scene_add_model", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        !(model = read_model(args[1])) || read_pose(args[2], "pose", &pose) != 0)
        return NULL;
    int32_t n = model->model->body_count;
    AbutBodyId *ids = abut_alloc_array((size_t)n + 1, sizeof *ids);
    if (!ids) return PyErr_NoMemory();
    PyObject *list = NULL;
    begin_asking(scene);
    AbutStatus status;
    READING(model, status = abut_scene_add_model(scene->scene, model->model, pose, ids, &error));
    if (end_asking(scene) == 0) list = status == ABUT_OK ? PyList_New(n) : raise_error(&error);
    for (int32_t i = 0; list && i < n; ++i) PyList_SetItem(list, i, number_of_body(ids[i]));
    abut_free(ids);
    return list;
}

/* (scene, dictionary) */
static PyObject *scene_add_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutBodyDef def = abut_body_default();
    AbutBodyId id;
    AbutError error;
    if (expect_count("scene_add_body", count, 2) != 0 || !(scene = read_scene(args[0])) ||
        fill_def(args[1], &body_table, &def) != 0)
        return NULL;
    return abut_scene_add_body(scene->scene, &def, &id, &error) == ABUT_OK ? number_of_body(id) : raise_error(&error);
}

/* (scene, body, dictionary, convex or None) */
static PyObject *scene_add_shape(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutShapeDef def = abut_shape_default();
    AbutBodyId body;
    AbutShapeId shape;
    AbutError error;
    if (expect_count("scene_add_shape", count, 4) != 0 || !(scene = read_scene(args[0])) ||
        read_body_id(args[1], &body) != 0 || fill_def(args[2], &shape_table, &def) != 0 ||
        fill_polyhedron(args[3], &def) != 0)
        return NULL;
    AbutStatus status = abut_scene_add_shape(scene->scene, body, &def, &shape, &error);
    abut_geometry_release(def.geometry);
    return status == ABUT_OK ? number_of_shape(shape) : raise_error(&error);
}

/* (scene, body) */
static PyObject *scene_remove_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutBodyId body;
    AbutError error;
    if (expect_count("scene_remove_body", count, 2) != 0 || !(scene = read_scene(args[0])) ||
        read_body_id(args[1], &body) != 0)
        return NULL;
    return none_or_raise(abut_scene_remove_body(scene->scene, body, &error), &error);
}

/* (scene, a, b) */
static PyObject *scene_exclude(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutBodyId a, b;
    AbutError error;
    if (expect_count("scene_exclude", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        read_body_id(args[1], &a) != 0 || read_body_id(args[2], &b) != 0)
        return NULL;
    begin_asking(scene);
    AbutStatus status = abut_scene_exclude(scene->scene, a, b, &error);
    return end_asking(scene) == 0 ? none_or_raise(status, &error) : NULL;
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static PyObject *scene_bodies(PyObject *module, PyObject *value) {
    (void)module;
    SceneObject *scene = look_at_scene(value);
    PyObject *list = scene ? PyList_New(abut_scene_body_count(scene->scene)) : NULL;
    for (int i = 0; list && i < abut_scene_body_count(scene->scene); ++i)
        PyList_SetItem(list, i, number_of_body(abut_scene_body_at(scene->scene, i)));
    return list;
}

/* (scene, name) -> body or None */
static PyObject *scene_find_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    const char *name;
    if (expect_count("scene_find_body", count, 2) != 0 || !(scene = look_at_scene(args[0])) ||
        !(name = read_text(args[1], "body")))
        return NULL;
    AbutBodyId id = abut_scene_find_body(scene->scene, name);
    return id.index1 ? number_of_body(id) : Py_NewRef(Py_None);
}

static const DefField state_fields[] = {
    {"kind", DEF_WORD, offsetof(AbutBodyState, kind), ABUT_BODY_KIND_COUNT, abut_body_kind_names},
    DEF(AbutBodyState, name, DEF_TEXT),
    DEF(AbutBodyState, pose, DEF_POSE),
    DEF(AbutBodyState, center, DEF_VEC3),
    DEF(AbutBodyState, velocity, DEF_VEC3),
    DEF(AbutBodyState, spin, DEF_VEC3),
    DEF(AbutBodyState, mass, DEF_REAL),
    DEF(AbutBodyState, local_center, DEF_VEC3),
    DEF(AbutBodyState, inertia, DEF_MAT3),
    DEF(AbutBodyState, shape_count, DEF_INT),
    DEF(AbutBodyState, gravity_scale, DEF_REAL),
    DEF(AbutBodyState, damping, DEF_REAL),
    DEF(AbutBodyState, spin_damping, DEF_REAL),
    DEF(AbutBodyState, locked, DEF_UINT),
};

static const DefTable state_table = DEF_TABLE("body", state_fields);

/* (scene, body) -> dictionary */
static PyObject *scene_get_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutBodyId body;
    AbutBodyState state;
    if (expect_count("scene_get_body", count, 2) != 0 || !(scene = look_at_scene(args[0])) ||
        read_body_id(args[1], &body) != 0)
        return NULL;
    if (!abut_scene_get_body(scene->scene, body, &state))
        return raise_text(ABUT_ERROR_ARGUMENT, "body: there is no such body in the scene");
    return def_dict(&state_table, &state);
}

/* (scene) -> (poses (n, 7), velocities (n, 6)): of the frames; of the centers of mass, and angular */
static PyObject *scene_state(PyObject *module, PyObject *value) {
    (void)module;
    SceneObject *scene = look_at_scene(value);
    NewArray poses, velocities;
    if (!scene) return NULL;
    int n = abut_scene_body_count(scene->scene);
    const Py_ssize_t seven[2] = {n, 7}, six[2] = {n, 6};
    if (begin_array_of("f8", 2, seven, &poses) != 0) return NULL;
    if (begin_array_of("f8", 2, six, &velocities) != 0) return cancel_array(&poses), NULL;
    for (int i = 0; i < n; ++i) {
        AbutBodyState state;
        abut_scene_get_body(scene->scene, abut_scene_body_at(scene->scene, i), &state);
        write_pose(state.pose, (double *)poses.data + 7 * i);
        AbutVec3 *v = (AbutVec3 *)velocities.data + 2 * (ptrdiff_t)i;
        v[0] = state.velocity, v[1] = state.spin;
    }
    return Py_BuildValue("(NN)", end_array(&poses), end_array(&velocities));
}

/* (scene, body, pose) */
static PyObject *scene_set_pose(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutBodyId body;
    AbutPose pose;
    AbutError error;
    if (expect_count("scene_set_pose", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        read_body_id(args[1], &body) != 0 || read_pose(args[2], "pose", &pose) != 0)
        return NULL;
    return none_or_raise(abut_scene_set_pose(scene->scene, body, pose, &error), &error);
}

/* (scene, body, velocity, spin) */
static PyObject *scene_set_velocity(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutBodyId body;
    AbutVec3 velocity, spin;
    AbutError error;
    if (expect_count("scene_set_velocity", count, 4) != 0 || !(scene = read_scene(args[0])) ||
        read_body_id(args[1], &body) != 0 || read_vec3(args[2], "velocity", &velocity) != 0 ||
        read_vec3(args[3], "spin", &spin) != 0)
        return NULL;
    return none_or_raise(abut_scene_set_velocity(scene->scene, body, velocity, spin, &error), &error);
}

static PyObject *scene_model(PyObject *module, PyObject *value) {
    (void)module;
    SceneObject *scene = read_scene(value);
    AbutModel *model = NULL;
    AbutError error;
    if (!scene) return NULL;
    return abut_scene_model(scene->scene, &model, &error) == ABUT_OK ? model_take(model) : raise_error(&error);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

int32_t place_in_scene(const AbutScene *scene, AbutBodyId id) {
    int count = abut_scene_body_count(scene), low = 0, high = count;
    while (low < high) { /* the order is that of the slots */
        int middle = (low + high) / 2;
        if (abut_scene_body_at(scene, middle).index1 < id.index1)
            low = middle + 1;
        else
            high = middle;
    }
    return id.index1 && low < count && abut_scene_body_at(scene, low).index1 == id.index1 ? low : -1;
}

PyObject *array_of_contacts(const AbutScene *scene, AbutContactList *list) {
    NewArray out;
    int begun = begin_records(&record_contact, list->count, &out) == 0;
    for (int32_t i = 0; begun && i < list->count; ++i)
        ((ContactRow *)out.data)[i] = contact_row(&list->contacts[i], place_in_scene(scene, list->contacts[i].body_a),
            place_in_scene(scene, list->contacts[i].body_b));
    abut_contact_list_free(list);
    return begun ? end_array(&out) : NULL;
}

/* (scene, margin) */
static PyObject *scene_find_contacts(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutContactList list = {0};
    AbutError error;
    AbutStatus status;
    double margin;
    int features;
    if (expect_count("scene_find_contacts", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        read_real(args[1], "margin", &margin) != 0 || read_int(args[2], "features", &features) != 0)
        return NULL;
    begin_asking(scene);
    Py_BEGIN_ALLOW_THREADS;
    status = abut_scene_find_contacts(scene->scene, margin, features, &list, &error);
    Py_END_ALLOW_THREADS;
    if (end_asking(scene) != 0) return abut_contact_list_free(&list), NULL;
    return status == ABUT_OK ? array_of_contacts(scene->scene, &list) : raise_error(&error);
}

int contacts_of(SceneObject *scene, PyObject *margin, AbutContactList *out) {
    AbutError error;
    double wide;
    if (read_real(margin, "margin", &wide) != 0) return -1;
    begin_asking(scene);
    AbutStatus status;
    UNLOCKED(status = abut_scene_find_contacts(scene->scene, wide, 1, out, &error));
    if (end_asking(scene) != 0) return abut_contact_list_free(out), -1;
    return status == ABUT_OK ? 0 : (raise_error(&error), -1);
}

/* (scene, margin, lines) -> ModeSystem */
static PyObject *scene_mode_system(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutContactList list = {0};
    AbutModeSystem out = {0};
    AbutError error;
    int lines;
    if (expect_count("scene_mode_system", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        read_int(args[2], "lines", &lines) != 0 || contacts_of(scene, args[1], &list) != 0)
        return NULL;
    AbutStatus status;
    ALONE(scene, status = abut_scene_mode_system(scene->scene, &list, lines, &out, &error));
    abut_contact_list_free(&list);
    return status == ABUT_OK ? mode_system_take(&out) : raise_error(&error);
}

/* (scene, margin, gravity) -> (force (dof,), velocity (dof,), mass (dof, dof), friction
 * (vertices,)) */
static PyObject *scene_mode_forces(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutContactList list = {0};
    AbutVec3 gravity;
    NewArray out[4];
    int begun = 0;
    if (expect_count("scene_mode_forces", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        read_vec3(args[2], "gravity", &gravity) != 0 || contacts_of(scene, args[1], &list) != 0)
        return NULL;
    AbutError error;
    double *basis = NULL;
    int velocities;
    if (abut_scene_mode_basis(scene->scene, &basis, &velocities, &error) != ABUT_OK)
        return abut_contact_list_free(&list), raise_error(&error);
    abut_free(basis);
    const Py_ssize_t dof = velocities, square[2] = {dof, dof};
    Py_ssize_t vertices = 0;
    for (int32_t k = 0; k < list.count; ++k) vertices += list.contacts[k].vertex_count;
    const Py_ssize_t *const shapes[4] = {&dof, &dof, square, &vertices};
    while (begun < 4 && begin_array_of("f8", begun == 2 ? 2 : 1, shapes[begun], &out[begun]) == 0) ++begun;
    PyObject *answer = NULL;
    if (begun == 4) {
        AbutSceneForces forces = {
            .force = out[0].data, .velocity = out[1].data, .mass = out[2].data, .friction = out[3].data};
        if (abut_scene_mode_forces(scene->scene, &list, gravity, &forces, &error) == ABUT_OK)
            answer =
                Py_BuildValue("(NNNN)", end_array(&out[0]), end_array(&out[1]), end_array(&out[2]), end_array(&out[3]));
        else
            raise_error(&error);
    }
    for (int i = 0; !answer && i < begun; ++i) cancel_array(&out[i]);
    abut_contact_list_free(&list);
    return answer;
}

PyMethodDef scene_functions[] = {
    PLAIN("scene_new", scene_new),
    FAST("scene_add_model", scene_add_model),
    FAST("scene_add_body", scene_add_body),
    FAST("scene_add_shape", scene_add_shape),
    FAST("scene_remove_body", scene_remove_body),
    FAST("scene_exclude", scene_exclude),
    {"scene_bodies", scene_bodies, METH_O, NULL},
    FAST("scene_find_body", scene_find_body),
    FAST("scene_get_body", scene_get_body),
    {"scene_state", scene_state, METH_O, NULL},
    FAST("scene_set_pose", scene_set_pose),
    FAST("scene_set_velocity", scene_set_velocity),
    {"scene_model", scene_model, METH_O, NULL},
    FAST("scene_find_contacts", scene_find_contacts),
    FAST("scene_mode_system", scene_mode_system),
    FAST("scene_mode_forces", scene_mode_forces),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot scene_slots[] = {
    {Py_tp_traverse, scene_traverse},
    {Py_tp_clear, scene_clear},
    {Py_tp_dealloc, scene_dealloc},
    {0, NULL},
};

static PyType_Spec scene_spec = {"abut._abut.SceneHandle", sizeof(SceneObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_HAVE_GC, scene_slots};

int add_scene_type(PyObject *module) {
    scene_type = add_type(module, &scene_spec);
    return scene_type ? 0 : -1;
}
