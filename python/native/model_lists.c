/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of a model: adding it from dictionaries, and lists of dictionaries back. */
#include <limits.h>
#include <string.h>

#include "bodies.h"
#include "models.h"
#include "rooms.h"

/* ---- adding ------------------------------------------------------------------------------------------------------ */

/* (heights, half_x, half_y, bottom): the definition holds the geometry. */
static int fill_field(PyObject *tuple, AbutShapeDef *def) {
    AbutHeightField field;
    Doubles heights;
    AbutError error;
    if (PyTuple_Size(tuple) != 4)
        return raise_text(ABUT_ERROR_ARGUMENT, "field: expected (heights, half_x, half_y, bottom)"), -1;
    PyObject *const items[4] = {
        PyTuple_GetItem(tuple, 0), PyTuple_GetItem(tuple, 1), PyTuple_GetItem(tuple, 2), PyTuple_GetItem(tuple, 3)};
    if (read_height_field(items, &field, &heights) != 0) return -1;
    AbutGeometryDef form = {.kind = ABUT_SHAPE_HEIGHT_FIELD, .field = &field};
    AbutStatus status;
    UNLOCKED(status = abut_geometry_create(&form, &def->geometry, &error));
    release_doubles(&heights);
    if (status != ABUT_OK) return raise_error(&error), -1;
    def->form.kind = ABUT_SHAPE_HEIGHT_FIELD;
    def->form.field = def->geometry->field;
    return 0;
}

int fill_polyhedron(PyObject *convex, AbutShapeDef *def) {
    if (convex == Py_None) return 0;
    if (PyTuple_Check(convex) && PyTuple_Size(convex) == 2) { /* a hull and the mesh that it stands for */
        MeshObject *mesh = read_mesh(PyTuple_GetItem(convex, 1), "mesh");
        if (!mesh || fill_polyhedron(PyTuple_GetItem(convex, 0), def) != 0) return -1;
        def->form.surface = &mesh->mesh;
        return 0;
    }
    if (PyTuple_Check(convex)) return fill_field(convex, def);
    const AbutConvex *c = read_convex(convex, "convex");
    if (!c) return -1;
    if (c->kind != ABUT_CONVEX_POLYHEDRON || c->radius > 0.0)
        return raise_text(
                   ABUT_ERROR_ARGUMENT, "convex: expected a polyhedron without a radius; other kinds have a size"),
               -1;
    def->form.kind = ABUT_SHAPE_POLYHEDRON;
    def->form.polyhedron = c->polyhedron;
    return 0;
}

/* (model, dictionary; convex, tuple of a height field, or None) */
static PyObject *model_add_shape(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutShapeDef def = abut_shape_default();
    AbutError error;
    int32_t number;
    AbutModel *model;
    if (expect_count("model_add_shape", count, 3) != 0 || !(model = open_model(args[0])) ||
        fill_def(args[1], &shape_table, &def) != 0 || fill_polyhedron(args[2], &def) != 0)
        return NULL;
    AbutStatus status = abut_model_add_shape(model, &def, &number, &error);
    abut_geometry_release(def.geometry);
    return status == ABUT_OK ? PyLong_FromLong(number) : raise_error(&error);
}

/* (model, dictionary) -> number, for everything that is one struct */
#define ADDER(function, Type, table, initial, add)                                                                     \
    static PyObject *function(PyObject *module, PyObject *const *args, Py_ssize_t count) {                             \
        (void)module;                                                                                                  \
        Type def = initial;                                                                                            \
        AbutError error;                                                                                               \
        int32_t number;                                                                                                \
        AbutModel *model;                                                                                              \
        if (expect_count(#function, count, 2) != 0 || !(model = open_model(args[0])) ||                                \
            fill_def(args[1], &(table), &def) != 0)                                                                    \
            return NULL;                                                                                               \
        return add(model, &def, &number, &error) == ABUT_OK ? PyLong_FromLong(number) : raise_error(&error);           \
    }

ADDER(model_add_body, AbutBodyDef, body_table, abut_body_default(), abut_model_add_body)
ADDER(model_add_joint, AbutJointDef, joint_table, abut_joint_default(), abut_model_add_joint)
ADDER(model_add_frame, AbutFrameDef, frame_table, abut_frame_default(), abut_model_add_frame)
ADDER(model_add_actuator, AbutActuatorDef, actuator_table, abut_actuator_default(), abut_model_add_actuator)
ADDER(model_add_pair, AbutPairDef, pair_table, abut_pair_default(), abut_model_add_pair)
ADDER(model_add_sensor, AbutSensorDef, sensor_table,
    ((AbutSensorDef){.body = -1, .reference_body = -1, .zone = ABUT_SHAPE_SPHERE, .zone_size = {0.005, 0.005, 0.005}}),
    abut_model_add_sensor)
ADDER(model_add_equality, AbutEqualityDef, equality_table, abut_equality_default(), abut_model_add_equality)

/* (model, dictionary): gravity, timestep, time */
static PyObject *model_set(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutModel *model;
    if (expect_count("model_set", count, 2) != 0 || !(model = open_model(args[0])) ||
        fill_def(args[1], &model_table, model) != 0)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- what has arrays --------------------------------------------------------------------------------------------- */

/* Dictionaries of the parts of a path. To be freed; NULL with an exception. */
static AbutPathPoint *read_path_points(PyObject *list, int32_t *count) {
    Py_ssize_t length = PyList_Size(list);
    AbutPathPoint *path = length < 0 ? NULL : abut_alloc_array((size_t)length + 1, sizeof *path);
    if (length >= 0 && !path) return (AbutPathPoint *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; path && i < length; ++i) {
        path[i] = (AbutPathPoint){.body = -1, .pose = abut_pose_identity(), .side_body = -1, .divisor = 1.0};
        if (fill_def(PyList_GetItem(list, i), &path_table, &path[i]) != 0) return abut_free(path), NULL;
    }
    *count = (int32_t)length;
    return path;
}

/* (model, dictionary, joints (n,), coefficients (n,), list of the parts of a path) */
static PyObject *model_add_tendon(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutTendonDef def = {0};
    AbutError error;
    AbutModel *model;
    Doubles joints, coefficients;
    int32_t number;
    if (expect_count("model_add_tendon", count, 5) != 0 || !(model = open_model(args[0])) ||
        fill_def(args[1], &tendon_table, &def) != 0 || read_vector(args[2], "joints", -1, &joints) != 0)
        return NULL;
    if (read_vector(args[3], "coefficients", joints.count, &coefficients) != 0) return release_doubles(&joints), NULL;
    AbutPathPoint *path = read_path_points(args[4], &def.path_count);
    if (!path) return release_doubles(&coefficients), release_doubles(&joints), NULL;
    def.path = path;
    int32_t *numbers = joints.count < INT_MAX ? abut_alloc_array((size_t)joints.count + 1, sizeof *numbers) : NULL;
    for (Py_ssize_t i = 0; numbers && i < joints.count; ++i)
        numbers[i] = joints.data[i] >= 0.0 && joints.data[i] < INT_MAX ? (int32_t)joints.data[i] : -1;
    def.count = (int32_t)joints.count, def.joints = numbers, def.coefficients = coefficients.data;
    AbutStatus status = numbers ? abut_model_add_tendon(model, &def, &number, &error)
                                : abut_fail(&error, ABUT_ERROR_MEMORY, "no memory for a tendon");
    abut_free(numbers);
    abut_free(path);
    release_doubles(&coefficients);
    release_doubles(&joints);
    return status == ABUT_OK ? PyLong_FromLong(number) : raise_error(&error);
}

/* (model, dictionary, [positions, velocities, controls, activations]), each (n,) and empty where it is not stated */
static PyObject *model_add_keyframe(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    static const char *const names[4] = {"positions", "velocities", "controls", "activations"};
    AbutKeyframeDef def = {0};
    AbutError error;
    AbutModel *model;
    Doubles x[4];
    int32_t number;
    int begun = 0;
    if (expect_count("model_add_keyframe", count, 6) != 0 || !(model = open_model(args[0])) ||
        fill_def(args[1], &keyframe_table, &def) != 0)
        return NULL;
    while (begun < 4 && read_vector(args[2 + begun], names[begun], -1, &x[begun]) == 0) ++begun;
    PyObject *out = NULL;
    if (begun == 4) {
        def.position_count = (int32_t)x[0].count, def.positions = x[0].data;
        def.velocity_count = (int32_t)x[1].count, def.velocities = x[1].data;
        def.control_count = (int32_t)x[2].count, def.controls = x[2].data;
        def.activation_count = (int32_t)x[3].count, def.activations = x[3].data;
        out = abut_model_add_keyframe(model, &def, &number, &error) == ABUT_OK ? PyLong_FromLong(number)
                                                                               : raise_error(&error);
    }
    while (begun > 0) release_doubles(&x[--begun]);
    return out;
}

/* (model, section, tag, name, [(name, value)]) */
static PyObject *model_add_element(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutElement def = {0};
    AbutError error;
    AbutModel *model;
    int32_t number;
    if (expect_count("model_add_element", count, 5) != 0 || !(model = open_model(args[0])) ||
        !(def.section = read_text(args[1], "section")) || !(def.tag = read_text(args[2], "tag")) ||
        !(def.name = read_text(args[3], "name")))
        return NULL;
    Py_ssize_t n = PyList_Size(args[4]);
    AbutAttribute *list = n < 0 ? NULL : abut_alloc_array((size_t)n + 1, sizeof *list);
    if (!list) return n < 0 ? NULL : PyErr_NoMemory();
    int bad = 0;
    for (Py_ssize_t i = 0; i < n && !bad; ++i) {
        PyObject *pair = PyList_GetItem(args[4], i);
        bad = !PyTuple_Check(pair) || PyTuple_Size(pair) != 2 ||
              !(list[i].name = read_text(PyTuple_GetItem(pair, 0), "attributes")) ||
              !(list[i].value = read_text(PyTuple_GetItem(pair, 1), "attributes"));
    }
    def.attributes = list, def.attribute_count = (int32_t)n;
    PyObject *out = NULL;
    if (!bad)
        out = abut_model_add_element(model, &def, &number, &error) == ABUT_OK ? PyLong_FromLong(number)
                                                                              : raise_error(&error);
    abut_free(list);
    return out;
}

/* (model, name) */
static PyObject *model_set_name(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutModel *model;
    AbutError error;
    const char *name;
    if (expect_count("model_set_name", count, 2) != 0 || !(model = open_model(args[0])) ||
        !(name = read_text(args[1], "name")))
        return NULL;
    return none_or_raise(abut_model_set_name(model, name, &error), &error);
}

/* ---- lists -------------------------------------------------------------------------------------------------- */

static PyObject *list_of(const DefTable *table, int32_t count, const void *items, size_t size) {
    PyObject *list = PyList_New(count);
    for (int32_t i = 0; list && i < count; ++i) {
        PyObject *dict = def_dict(table, (const char *)items + (size_t)i * size);
        if (!dict)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, dict);
    }
    return list;
}

#define LISTER(function, table, things, number)                                                                        \
    static PyObject *function(PyObject *self, void *closure) {                                                         \
        (void)closure;                                                                                                 \
        const AbutModel *m = ((ModelObject *)self)->model;                                                             \
        return list_of(&(table), m->number, m->things, sizeof *m->things);                                             \
    }

LISTER(get_bodies, body_table, bodies, body_count)
LISTER(get_shapes, shape_table, shapes, shape_count)
LISTER(get_joints, joint_table, joints, joint_count)
LISTER(get_frames, frame_table, frames, frame_count)
LISTER(get_actuators, actuator_table, actuators, actuator_count)
LISTER(get_pairs, pair_table, pairs, pair_count)
LISTER(get_sensors, sensor_table, sensors, sensor_count)
LISTER(get_equalities, equality_table, equalities, equality_count)

/* Adds an array under a name to a dictionary, which is given up where that fails. */
static PyObject *with_array(PyObject *dict, const char *name, PyObject *array) {
    if (dict && (!array || PyDict_SetItemString(dict, name, array) != 0)) Py_CLEAR(dict);
    Py_XDECREF(array);
    return dict;
}

static PyObject *array_of_numbers(const double *data, Py_ssize_t count) { return array_of_doubles(data, 1, &count); }

static PyObject *tendon_dict(const AbutTendonDef *def) {
    PyObject *joints = PyList_New(def->count);
    for (int32_t i = 0; joints && i < def->count; ++i) PyList_SetItem(joints, i, PyLong_FromLong(def->joints[i]));
    PyObject *path = PyList_New(def->path_count);
    for (int32_t i = 0; path && i < def->path_count; ++i) {
        PyObject *point = def_dict(&path_table, &def->path[i]);
        if (!point || PyList_SetItem(path, i, point) != 0) Py_CLEAR(path);
    }
    PyObject *dict = with_array(def_dict(&tendon_table, def), "joints", joints);
    dict = with_array(dict, "path", path);
    return with_array(dict, "coefficients", array_of_numbers(def->coefficients, def->count));
}

static PyObject *keyframe_dict(const AbutKeyframeDef *def) {
    PyObject *dict = def_dict(&keyframe_table, def);
    dict = with_array(dict, "positions", array_of_numbers(def->positions, def->position_count));
    dict = with_array(dict, "velocities", array_of_numbers(def->velocities, def->velocity_count));
    dict = with_array(dict, "controls", array_of_numbers(def->controls, def->control_count));
    return with_array(dict, "activations", array_of_numbers(def->activations, def->activation_count));
}

static PyObject *element_dict(const AbutElement *def) {
    PyObject *attributes = PyDict_New();
    for (int32_t i = 0; attributes && i < def->attribute_count; ++i) {
        const char *name = def->attributes[i].name;
        attributes = with_array(attributes, name, PyUnicode_FromString(abut_element_attribute(def, name)));
    }
    return attributes ? Py_BuildValue("{sssssssN}", "section", def->section, "tag", def->tag, "name", def->name,
                            "attributes", attributes)
                      : NULL;
}

#define DICT_LISTER(function, dict_of, things, number)                                                                 \
    static PyObject *function(PyObject *self, void *closure) {                                                         \
        (void)closure;                                                                                                 \
        const AbutModel *m = ((ModelObject *)self)->model;                                                             \
        PyObject *list = PyList_New(m->number);                                                                        \
        for (int32_t i = 0; list && i < m->number; ++i) {                                                              \
            PyObject *dict = dict_of(&m->things[i]);                                                                   \
            if (!dict)                                                                                                 \
                Py_CLEAR(list);                                                                                        \
            else                                                                                                       \
                PyList_SetItem(list, i, dict);                                                                         \
        }                                                                                                              \
        return list;                                                                                                   \
    }

DICT_LISTER(get_keyframes, keyframe_dict, keyframes, keyframe_count)
DICT_LISTER(get_tendons, tendon_dict, tendons, tendon_count)
DICT_LISTER(get_elements, element_dict, elements, element_count)

/* ---- questions --------------------------------------------------------------------------------------------------- */

/* A body's number, in range; 0, or -1 with an exception. */
static int read_number(PyObject *value, const char *name, int32_t count, int *out) {
    if (read_int(value, name, out) != 0) return -1;
    if (*out >= 0 && *out < count) return 0;
    raise_text(ABUT_ERROR_ARGUMENT, "%s: expected a number from 0 to %d, got %d", name, count - 1, *out);
    return -1;
}

/* (model, body) -> (shapes, joints, is movable) */
static PyObject *model_of_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *self;
    int body, bad = 0;
    if (expect_count("model_of_body", count, 2) != 0 || !(self = read_model(args[0])) ||
        read_number(args[1], "body", self->model->body_count, &body) != 0)
        return NULL;
    int32_t (*const next[2])(const AbutModel *, int32_t, int32_t) = {abut_model_next_shape, abut_model_next_joint};
    PyObject *lists[2] = {PyList_New(0), PyList_New(0)};
    for (int k = 0; k < 2; ++k)
        for (int32_t i = next[k](self->model, body, -1); i >= 0 && lists[k] && !bad;
             i = next[k](self->model, body, i)) {
            PyObject *number = PyLong_FromLong(i);
            bad = !number || PyList_Append(lists[k], number) != 0;
            Py_XDECREF(number);
        }
    if (lists[0] && lists[1] && !bad)
        return Py_BuildValue("(NNN)", lists[0], lists[1], PyBool_FromLong(abut_model_is_movable(self->model, body)));
    Py_XDECREF(lists[0]);
    Py_XDECREF(lists[1]);
    return NULL;
}

/* (model, shape) -> Convex in the frame of the shape */
static PyObject *model_shape_convex(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *self;
    int shape;
    if (expect_count("model_shape_convex", count, 2) != 0 || !(self = read_model(args[0])) ||
        read_number(args[1], "shape", self->model->shape_count, &shape) != 0)
        return NULL;
    AbutConvex convex = abut_geometry_convex(self->model->shapes[shape].geometry);
    return convex_copy(&convex);
}

/* (model, shape) -> the mesh that its hull stands for; None: there is none */
static PyObject *model_shape_mesh(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *self;
    AbutMesh copy;
    AbutError error;
    int shape;
    if (expect_count("model_shape_mesh", count, 2) != 0 || !(self = read_model(args[0])) ||
        read_number(args[1], "shape", self->model->shape_count, &shape) != 0)
        return NULL;
    const AbutMesh *mesh = self->model->shapes[shape].geometry->surface;
    if (!mesh) Py_RETURN_NONE;
    if (abut_mesh_create(mesh->vertex_count, mesh->triangle_count, &copy, &error) != ABUT_OK)
        return raise_error(&error);
    memcpy(copy.vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *copy.vertices);
    memcpy(copy.triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *copy.triangles);
    return mesh_take(&copy);
}

/* (model, shape) -> (heights (rows, columns), half_x, half_y, bottom) of a height field, else None */
static PyObject *model_shape_field(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *self;
    int shape;
    if (expect_count("model_shape_field", count, 2) != 0 || !(self = read_model(args[0])) ||
        read_number(args[1], "shape", self->model->shape_count, &shape) != 0)
        return NULL;
    const AbutHeightField *f = self->model->shapes[shape].geometry->field;
    if (!f) Py_RETURN_NONE;
    const Py_ssize_t size[2] = {f->rows, f->columns};
    return Py_BuildValue("(Nddd)", array_of_doubles(f->heights, 2, size), f->half_x, f->half_y, f->bottom);
}

/* (model, 'positions' | 'velocities' | 'forces') -> names */
static PyObject *model_number_names(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    static const char *const words[] = {"positions", "velocities", "forces"};
    ModelObject *self;
    if (expect_count("model_number_names", count, 2) != 0 || !(self = read_model(args[0]))) return NULL;
    int which = read_word(args[1], "which", 3, words);
    PyObject *list = which < 0 ? NULL : PyList_New(0);
    char name[200];
    for (int32_t i = 0; list && abut_model_number_name(self->model, which, i, sizeof name, name); ++i) {
        PyObject *text = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace");
        if (!text || PyList_Append(list, text) != 0) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

PyMethodDef model_list_functions[] = {
    FAST("model_number_names", model_number_names),
    FAST("model_add_body", model_add_body),
    FAST("model_add_shape", model_add_shape),
    FAST("model_add_joint", model_add_joint),
    FAST("model_add_frame", model_add_frame),
    FAST("model_add_actuator", model_add_actuator),
    FAST("model_add_pair", model_add_pair),
    FAST("model_add_equality", model_add_equality),
    FAST("model_add_sensor", model_add_sensor),
    FAST("model_add_tendon", model_add_tendon),
    FAST("model_add_keyframe", model_add_keyframe),
    FAST("model_add_element", model_add_element),
    FAST("model_set", model_set),
    FAST("model_set_name", model_set_name),
    FAST("model_of_body", model_of_body),
    FAST("model_shape_convex", model_shape_convex),
    FAST("model_shape_field", model_shape_field),
    FAST("model_shape_mesh", model_shape_mesh),
    {NULL, NULL, 0, NULL},
};

static PyObject *get_options(PyObject *self, void *closure) {
    (void)closure;
    return def_dict(&model_table, ((ModelObject *)self)->model);
}

PyGetSetDef model_getset[] = {
    {"options", get_options, NULL, "dict of gravity and magnetic (3,), timestep and time, s; 0: not stated", NULL},
    {"bodies", get_bodies, NULL, "list of dicts", NULL},
    {"shapes", get_shapes, NULL, "list of dicts", NULL},
    {"joints", get_joints, NULL, "list of dicts", NULL},
    {"frames", get_frames, NULL, "list of dicts", NULL},
    {"actuators", get_actuators, NULL, "list of dicts", NULL},
    {"pairs", get_pairs, NULL, "list of dicts", NULL},
    {"sensors", get_sensors, NULL, "list of dicts, with the place and width of their values", NULL},
    {"equalities", get_equalities, NULL, "list of dicts", NULL},
    {"keyframes", get_keyframes, NULL, "list of dicts, with positions, velocities and controls", NULL},
    {"tendons", get_tendons, NULL, "list of dicts, with joints and coefficients", NULL},
    {"elements", get_elements, NULL, "list of dicts: elements of its file that have no structure of their own", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
