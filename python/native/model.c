/* SPDX-License-Identifier: Apache-2.0 */
/* Models: built in, read from MJCF and URDF, or put together from dictionaries; and what they hold, as dictionaries. */
#include "models.h"

#include <string.h>

#include "bodies.h"
#include "rooms.h"

PyTypeObject *model_type;

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static const char *body_kind(int i)
{
    return abut_body_kind_name((AbutBodyKind)i);
}

static const char *shape_kind(int i)
{
    return abut_shape_kind_name((AbutShapeKind)i);
}

static const char *joint_kind(int i)
{
    return abut_joint_kind_name((AbutJointKind)i);
}

static const char *target_kind(int i)
{
    return abut_target_name((AbutTarget)i);
}

static const char *equality_kind(int i)
{
    return abut_equality_kind_name((AbutEqualityKind)i);
}

static const DefField body_fields[] = {
    {"kind", DEF_WORD, offsetof(AbutBodyDef, kind), ABUT_BODY_KIND_COUNT, body_kind},
    DEF(AbutBodyDef, name, DEF_TEXT),
    DEF(AbutBodyDef, parent, DEF_INT),
    DEF(AbutBodyDef, pose, DEF_POSE),
    DEF(AbutBodyDef, velocity, DEF_VEC3),
    DEF(AbutBodyDef, spin, DEF_VEC3),
    DEF(AbutBodyDef, mass, DEF_REAL),
    DEF(AbutBodyDef, center, DEF_VEC3),
    DEF(AbutBodyDef, inertia, DEF_MAT3),
    DEF(AbutBodyDef, gravity_compensation, DEF_REAL),
    DEF(AbutBodyDef, joint_name, DEF_TEXT),
    DEF(AbutBodyDef, damping, DEF_REAL),
    DEF(AbutBodyDef, armature, DEF_REAL),
    DEF(AbutBodyDef, friction_loss, DEF_REAL),
    DEF(AbutBodyDef, never_sleeps, DEF_FLAG),
};

const DefTable body_table = DEF_TABLE("body", body_fields);

static const DefField shape_fields[] = {
    DEF(AbutShapeDef, body, DEF_INT),
    DEF(AbutShapeDef, name, DEF_TEXT),
    DEF(AbutShapeDef, pose, DEF_POSE),
    {"kind", DEF_WORD, offsetof(AbutShapeDef, form.kind), ABUT_SHAPE_KIND_COUNT, shape_kind},
    {"size", DEF_VEC3, offsetof(AbutShapeDef, form.size), 0, NULL},
    {"resolution", DEF_INT, offsetof(AbutShapeDef, form.resolution), 0, NULL},
    DEF(AbutShapeDef, density, DEF_REAL),
    {"friction", DEF_REAL, offsetof(AbutShapeDef, material.friction), 0, NULL},
    {"friction_kinetic", DEF_REAL, offsetof(AbutShapeDef, material.friction_kinetic), 0, NULL},
    {"restitution", DEF_REAL, offsetof(AbutShapeDef, material.restitution), 0, NULL},
    {"friction_spinning", DEF_REAL, offsetof(AbutShapeDef, material.friction_spinning), 0, NULL},
    {"friction_rolling", DEF_REAL, offsetof(AbutShapeDef, material.friction_rolling), 0, NULL},
    DEF(AbutShapeDef, category, DEF_UINT),
    DEF(AbutShapeDef, mask, DEF_UINT),
    DEF(AbutShapeDef, color, DEF_UINT),
    DEF(AbutShapeDef, margin, DEF_REAL),
    DEF(AbutShapeDef, visual, DEF_FLAG),
    DEF(AbutShapeDef, priority, DEF_INT),
};

const DefTable shape_table = DEF_TABLE("shape", shape_fields);

static const DefField joint_fields[] = {
    {"kind", DEF_WORD, offsetof(AbutJointDef, kind), ABUT_JOINT_KIND_COUNT, joint_kind},
    DEF(AbutJointDef, name, DEF_TEXT),
    DEF(AbutJointDef, body, DEF_INT),
    DEF(AbutJointDef, position, DEF_VEC3),
    DEF(AbutJointDef, axis, DEF_VEC3),
    DEF(AbutJointDef, limited, DEF_FLAG),
    {"range", DEF_REALS, offsetof(AbutJointDef, range), 2, NULL},
    DEF(AbutJointDef, stiffness, DEF_REAL),
    DEF(AbutJointDef, damping, DEF_REAL),
    DEF(AbutJointDef, armature, DEF_REAL),
    DEF(AbutJointDef, friction_loss, DEF_REAL),
    DEF(AbutJointDef, reference, DEF_REAL),
    DEF(AbutJointDef, spring_reference, DEF_REAL),
    DEF(AbutJointDef, force_limited, DEF_FLAG),
    {"force_range", DEF_REALS, offsetof(AbutJointDef, force_range), 2, NULL},
};

static const DefTable joint_table = DEF_TABLE("joint", joint_fields);

static const DefField frame_fields[] = {
    DEF(AbutFrameDef, name, DEF_TEXT),
    DEF(AbutFrameDef, body, DEF_INT),
    DEF(AbutFrameDef, pose, DEF_POSE),
};

static const DefTable frame_table = DEF_TABLE("frame", frame_fields);

static const DefField actuator_fields[] = {
    DEF(AbutActuatorDef, name, DEF_TEXT),
    {"target", DEF_WORD, offsetof(AbutActuatorDef, target), ABUT_TARGET_COUNT, target_kind},
    DEF(AbutActuatorDef, number, DEF_INT),
    {"gear", DEF_REALS, offsetof(AbutActuatorDef, gear), 6, NULL},
    DEF(AbutActuatorDef, gain, DEF_REAL),
    {"bias", DEF_REALS, offsetof(AbutActuatorDef, bias), 3, NULL},
    DEF(AbutActuatorDef, control_limited, DEF_FLAG),
    DEF(AbutActuatorDef, force_limited, DEF_FLAG),
    {"control_range", DEF_REALS, offsetof(AbutActuatorDef, control_range), 2, NULL},
    {"force_range", DEF_REALS, offsetof(AbutActuatorDef, force_range), 2, NULL},
};

static const DefTable actuator_table = DEF_TABLE("actuator", actuator_fields);

static const DefField pair_fields[] = {
    DEF(AbutPairDef, exclude, DEF_FLAG),
    DEF(AbutPairDef, a, DEF_INT),
    DEF(AbutPairDef, b, DEF_INT),
    DEF(AbutPairDef, friction, DEF_REAL),
    DEF(AbutPairDef, friction_kinetic, DEF_REAL),
};

static const DefTable pair_table = DEF_TABLE("pair", pair_fields);

static const DefField equality_fields[] = {
    {"kind", DEF_WORD, offsetof(AbutEqualityDef, kind), ABUT_EQUALITY_KIND_COUNT, equality_kind},
    DEF(AbutEqualityDef, name, DEF_TEXT),
    DEF(AbutEqualityDef, a, DEF_INT),
    DEF(AbutEqualityDef, b, DEF_INT),
    {"polynomial", DEF_REALS, offsetof(AbutEqualityDef, polynomial), 5, NULL},
    DEF(AbutEqualityDef, pose_a, DEF_POSE),
    DEF(AbutEqualityDef, pose_b, DEF_POSE),
    DEF(AbutEqualityDef, inactive, DEF_FLAG),
};

static const DefTable equality_table = DEF_TABLE("equality", equality_fields);

static const DefField keyframe_fields[] = {
    DEF(AbutKeyframeDef, name, DEF_TEXT),
    DEF(AbutKeyframeDef, time, DEF_REAL),
};

static const DefTable keyframe_table = DEF_TABLE("keyframe", keyframe_fields);

static const DefField tendon_fields[] = {
    DEF(AbutTendonDef, name, DEF_TEXT),
    DEF(AbutTendonDef, limited, DEF_FLAG),
    {"range", DEF_REALS, offsetof(AbutTendonDef, range), 2, NULL},
    DEF(AbutTendonDef, stiffness, DEF_REAL),
    DEF(AbutTendonDef, damping, DEF_REAL),
    DEF(AbutTendonDef, friction_loss, DEF_REAL),
};

static const DefTable tendon_table = DEF_TABLE("tendon", tendon_fields);

static const DefField model_fields[] = {
    DEF(AbutModel, gravity, DEF_VEC3),
    DEF(AbutModel, timestep, DEF_REAL),
    DEF(AbutModel, time, DEF_REAL),
};

static const DefTable model_table = DEF_TABLE("model", model_fields);

/* ---- objects ----------------------------------------------------------------------------------------------------- */

PyObject *model_take(AbutModel *model)
{
    ModelObject *self = PyObject_New(ModelObject, model_type);
    if (!self)
        return abut_model_free(model), NULL;
    self->model = model;
    self->frozen = 0;
    self->recipe = PyList_New(0);
    return (PyObject *)self;
}

static void model_dealloc(PyObject *self)
{
    abut_model_free(((ModelObject *)self)->model);
    Py_XDECREF(((ModelObject *)self)->recipe);
    free_object(self);
}

ModelObject *read_model(PyObject *value)
{
    if (!PyObject_TypeCheck(value, model_type))
        return PyErr_Format(PyExc_TypeError, "model: expected an abut.Model, got %R", value), NULL;
    return (ModelObject *)value;
}

/* A model that may be changed. */
static AbutModel *open_model(PyObject *value)
{
    ModelObject *self = read_model(value);
    if (self && self->frozen)
        return raise_text(ABUT_ERROR_ARGUMENT, "model: a robot stands on it, so that nothing can be added"), NULL;
    return self ? self->model : NULL;
}

/* ---- makers ------------------------------------------------------------------------------------------------------ */

static PyObject *model_new(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    AbutModel *model = NULL;
    AbutError error;
    return abut_model_create(&model, &error) == ABUT_OK ? model_take(model) : raise_error(&error);
}

/* (spec, seed) */
static PyObject *model_build(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutModel *model = NULL;
    AbutError error;
    AbutStatus status;
    const char *spec;
    if (expect_count("model_build", count, 2) != 0 || !(spec = read_text(args[0], "spec")))
        return NULL;
    unsigned long long seed = PyLong_AsUnsignedLongLong(args[1]);
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        return raise_text(ABUT_ERROR_ARGUMENT, "seed: expected a whole number from 0 to 2**64 - 1");
    }
    if (PyErr_Occurred())
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_model_build(spec, seed, &model, &error);
    Py_END_ALLOW_THREADS;
    return status == ABUT_OK ? model_take(model) : raise_error(&error);
}

/* Warnings of a reader, one a line, handed on when it is done. */
typedef struct Warnings {
    char *text;
    size_t count, capacity;
} Warnings;

static void keep_warning(const char *text, void *user)
{
    Warnings *w = user;
    size_t length = strlen(text);
    void *memory = w->text;
    if (!abut_grow(&memory, &w->capacity, w->count + length + 2, 1))
        return;
    w->text = memory;
    memcpy(w->text + w->count, text, length);
    w->count += length;
    w->text[w->count++] = '\n';
    w->text[w->count] = 0;
}

static int hand_on(const Warnings *w)
{
    PyObject *done = w->text ? PyObject_CallFunction(helpers.warn, "s#", w->text, (Py_ssize_t)w->count - 1) : NULL;
    Py_XDECREF(done);
    return w->text && !done ? -1 : 0;
}

typedef struct ReadOptions {
    const char *folder;
    int without_meshes, convex_pieces, without_visuals, free_root;
} ReadOptions;

static const DefField read_fields[] = {
    DEF(ReadOptions, folder, DEF_PATH),
    DEF(ReadOptions, without_meshes, DEF_FLAG),
    DEF(ReadOptions, convex_pieces, DEF_FLAG),
    DEF(ReadOptions, without_visuals, DEF_FLAG),
    DEF(ReadOptions, free_root, DEF_FLAG),
};

static const DefTable read_table = DEF_TABLE("options", read_fields);

/* Folders of packages by name: a dictionary to an array; NULL with an exception. */
static AbutPackage *read_packages(PyObject *dict, int32_t *count)
{
    AbutPackage *out = abut_alloc_array((size_t)PyDict_Size(dict) + 1, sizeof *out);
    PyObject *key, *value;
    Py_ssize_t at = 0;
    *count = 0;
    if (!out)
        return PyErr_NoMemory(), NULL;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = read_text(key, "packages"), *folder = name ? read_path(value, "packages") : NULL;
        if (!folder)
            return abut_free(out), NULL;
        out[(*count)++] = (AbutPackage){name, folder};
    }
    return out;
}

/* (path, options, packages) */
static PyObject *model_read(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    ReadOptions o = {0};
    Warnings warnings = {0};
    AbutModel *model = NULL;
    AbutError error;
    AbutStatus status;
    int32_t packages;
    const char *path;
    if (expect_count("model_read", count, 3) != 0 || !(path = read_path(args[0], "path")) ||
        fill_def(args[1], &read_table, &o) != 0)
        return NULL;
    AbutPackage *list = read_packages(args[2], &packages);
    if (!list)
        return NULL;
    AbutModelReadOptions options = {.folder = o.folder,
        .warn = keep_warning,
        .user = &warnings,
        .without_meshes = o.without_meshes,
        .convex_pieces = o.convex_pieces,
        .without_visuals = o.without_visuals,
        .free_root = o.free_root,
        .package_count = packages,
        .packages = list};
    Py_BEGIN_ALLOW_THREADS;
    status = abut_model_read(path, &options, &model, &error);
    Py_END_ALLOW_THREADS;
    abut_free(list);
    int told = hand_on(&warnings);
    abut_free(warnings.text);
    if (told != 0)
        return abut_model_free(model), NULL;
    return status == ABUT_OK ? model_take(model) : raise_error(&error);
}

/* Names and summaries of the built-in scenes and robots. */
static PyObject *builtin_names(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    int scenes, robots;
    const AbutBuiltinScene *scene = abut_builtin_scenes(&scenes), *robot = abut_builtin_robots(&robots);
    PyObject *list = PyList_New(scenes + robots);
    for (int i = 0; list && i < scenes + robots; ++i) {
        const AbutBuiltinScene *x = i < scenes ? &scene[i] : &robot[i - scenes];
        PyList_SetItem(list, i, Py_BuildValue("(sss)", x->name, x->argument, x->summary));
    }
    return list;
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

int fill_polyhedron(PyObject *convex, AbutShapeDef *def)
{
    if (convex == Py_None)
        return 0;
    const AbutConvex *c = read_convex(convex, "convex");
    if (!c)
        return -1;
    if (c->kind != ABUT_CONVEX_POLYHEDRON || c->radius > 0.0)
        return raise_text(
                   ABUT_ERROR_ARGUMENT, "convex: expected a polyhedron without a radius; other kinds have a size"),
               -1;
    def->form.kind = ABUT_SHAPE_POLYHEDRON;
    def->form.polyhedron = c->polyhedron;
    return 0;
}

/* (model, dictionary, convex or None) */
static PyObject *model_add_shape(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutShapeDef def = abut_shape_default();
    AbutError error;
    int32_t number;
    AbutModel *model;
    if (expect_count("model_add_shape", count, 3) != 0 || !(model = open_model(args[0])) ||
        fill_def(args[1], &shape_table, &def) != 0 || fill_polyhedron(args[2], &def) != 0)
        return NULL;
    return abut_model_add_shape(model, &def, &number, &error) == ABUT_OK ? PyLong_FromLong(number)
                                                                         : raise_error(&error);
}

/* (model, dictionary) -> number, for everything that is one struct */
#define ADDER(function, Type, table, initial, add)                                                                     \
    static PyObject *function(PyObject *module, PyObject *const *args, Py_ssize_t count)                               \
    {                                                                                                                  \
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

static const AbutPairDef no_pair = {.friction = -1.0, .friction_kinetic = -1.0};

ADDER(model_add_body, AbutBodyDef, body_table, abut_body_default(), abut_model_add_body)
ADDER(model_add_joint, AbutJointDef, joint_table, abut_joint_default(), abut_model_add_joint)
ADDER(model_add_frame, AbutFrameDef, frame_table, abut_frame_default(), abut_model_add_frame)
ADDER(model_add_actuator, AbutActuatorDef, actuator_table, abut_actuator_default(), abut_model_add_actuator)
ADDER(model_add_pair, AbutPairDef, pair_table, no_pair, abut_model_add_pair)
ADDER(model_add_equality, AbutEqualityDef, equality_table, abut_equality_default(), abut_model_add_equality)

/* (model, dictionary): gravity, timestep, time */
static PyObject *model_set(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutModel *model;
    if (expect_count("model_set", count, 2) != 0 || !(model = open_model(args[0])) ||
        fill_def(args[1], &model_table, model) != 0)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef model_functions[] = {
    PLAIN("model_new", model_new),
    FAST("model_build", model_build),
    FAST("model_read", model_read),
    PLAIN("builtin_names", builtin_names),
    FAST("model_add_body", model_add_body),
    FAST("model_add_shape", model_add_shape),
    FAST("model_add_joint", model_add_joint),
    FAST("model_add_frame", model_add_frame),
    FAST("model_add_actuator", model_add_actuator),
    FAST("model_add_pair", model_add_pair),
    FAST("model_add_equality", model_add_equality),
    FAST("model_set", model_set),
    {NULL, NULL, 0, NULL},
};

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static PyObject *list_of(const DefTable *table, int32_t count, const void *items, size_t size)
{
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
    static PyObject *function(PyObject *self, void *closure)                                                           \
    {                                                                                                                  \
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
LISTER(get_equalities, equality_table, equalities, equality_count)
LISTER(get_keyframes, keyframe_table, keyframes, keyframe_count)
LISTER(get_tendons, tendon_table, tendons, tendon_count)

static PyObject *get_name(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((ModelObject *)self)->model->name);
}

static PyObject *get_options(PyObject *self, void *closure)
{
    (void)closure;
    return def_dict(&model_table, ((ModelObject *)self)->model);
}

static PyObject *get_recipe(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(((ModelObject *)self)->recipe);
}

static PyGetSetDef model_getset[] = {
    {"name", get_name, NULL, "name of the model", NULL},
    {"options", get_options, NULL, "dict of gravity (3,), timestep and time, s; 0: not stated", NULL},
    {"bodies", get_bodies, NULL, "list of dicts", NULL},
    {"shapes", get_shapes, NULL, "list of dicts", NULL},
    {"joints", get_joints, NULL, "list of dicts", NULL},
    {"frames", get_frames, NULL, "list of dicts", NULL},
    {"actuators", get_actuators, NULL, "list of dicts", NULL},
    {"pairs", get_pairs, NULL, "list of dicts", NULL},
    {"equalities", get_equalities, NULL, "list of dicts", NULL},
    {"keyframes", get_keyframes, NULL, "list of dicts", NULL},
    {"tendons", get_tendons, NULL, "list of dicts", NULL},
    {"recipe", get_recipe, NULL, "calls that make it again, for pickles", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot model_slots[] = {
    {Py_tp_getset, model_getset},
    {Py_tp_dealloc, model_dealloc},
    {0, NULL},
};

static PyType_Spec model_spec = {
    "abut.Model", sizeof(ModelObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, model_slots};

int add_model_type(PyObject *module)
{
    model_type = add_type(module, &model_spec);
    return model_type ? 0 : -1;
}
