/* SPDX-License-Identifier: Apache-2.0 */
/* Plans through contact: a task of a model as keyword numbers, its plan as an object that can be checked and run. */
#include <math.h>
#include <string.h>

#include "abut/manipulation.h"
#include "convert.h"
#include "interrupt.h"
#include "models.h"
#include "rooms.h"

/* A plan with all that it stands on. */
typedef struct ManipObject {
    PyObject_HEAD PyObject *model;
    AbutManipTask task;
    AbutManipPlan plan;
} ManipObject;

static PyTypeObject *manip_type;

static void manip_dealloc(PyObject *object) {
    ManipObject *self = (ManipObject *)object;
    abut_manip_plan_free(&self->plan);
    Py_XDECREF(self->model);
    free_object(object);
}

/* ---- tasks as dictionaries --------------------------------------------------------------------------------------- */

static PyObject *fields_of(const AbutManipTask *t) {
    PyObject *forbidden = PyList_New(0);
    for (int32_t i = 0; forbidden && i < t->forbidden_count; ++i) {
        PyObject *normal = array_of_vec3(t->forbidden[i]);
        if (!normal || PyList_Append(forbidden, normal) != 0) Py_CLEAR(forbidden);
        Py_XDECREF(normal);
    }
    if (!forbidden) return NULL;
    return Py_BuildValue("{sisNsdsdsNsNsNsdsdsisdsdsdsdsNsNsNsdsi}", "object", (int)t->object, "goal",
        array_of_pose(t->goal), "goal_distance", t->goal_distance, "goal_angle", t->goal_angle, "low",
        array_of_vec3(t->low), "high", array_of_vec3(t->high), "axis", array_of_vec3(t->axis), "angle_low",
        t->angle_low, "angle_high", t->angle_high, "fingers", (int)t->fingers, "finger_radius", t->finger_radius,
        "force", t->force, "force_least", t->force_least, "finger_friction", t->finger_friction, "finger_low",
        array_of_vec3(t->finger_low), "finger_high", array_of_vec3(t->finger_high), "forbidden", forbidden, "step",
        t->step, "falls", (int)t->falls);
}

static const struct {
    const char *name;
    size_t at;
} reals[] = {{"goal_distance", offsetof(AbutManipTask, goal_distance)},
    {"goal_angle", offsetof(AbutManipTask, goal_angle)}, {"angle_low", offsetof(AbutManipTask, angle_low)},
    {"angle_high", offsetof(AbutManipTask, angle_high)}, {"finger_radius", offsetof(AbutManipTask, finger_radius)},
    {"force", offsetof(AbutManipTask, force)}, {"finger_friction", offsetof(AbutManipTask, finger_friction)},
    {"force_least", offsetof(AbutManipTask, force_least)}, {"step", offsetof(AbutManipTask, step)}},
  vectors[] = {{"low", offsetof(AbutManipTask, low)}, {"high", offsetof(AbutManipTask, high)},
      {"axis", offsetof(AbutManipTask, axis)}, {"finger_low", offsetof(AbutManipTask, finger_low)},
      {"finger_high", offsetof(AbutManipTask, finger_high)}};

enum { REALS = sizeof reals / sizeof reals[0], VECTORS = sizeof vectors / sizeof vectors[0] };

static int read_forbidden(PyObject *value, AbutManipTask *t) {
    Doubles rows;
    if (read_matrix(value, "forbidden", -1, 3, &rows) != 0) return -1;
    t->forbidden_count = (int32_t)rows.shape[0];
    for (int32_t i = 0; i < t->forbidden_count && i < ABUT_MANIP_FORBIDDEN; ++i)
        t->forbidden[i] = abut_vec3(rows.data[3 * i], rows.data[3 * i + 1], rows.data[3 * i + 2]);
    release_doubles(&rows);
    return 0;
}

/* One field of a task by its name; 0, or -1 with an exception. */
static int read_field(const char *name, PyObject *value, AbutManipTask *t) {
    for (int i = 0; i < REALS; ++i)
        if (strcmp(name, reals[i].name) == 0)
            return read_real(value, name, (double *)(void *)((char *)t + reals[i].at));
    for (int i = 0; i < VECTORS; ++i)
        if (strcmp(name, vectors[i].name) == 0)
            return read_vec3(value, name, (AbutVec3 *)(void *)((char *)t + vectors[i].at));
    if (strcmp(name, "fingers") == 0) return read_int(value, name, &t->fingers);
    if (strcmp(name, "falls") == 0) return read_int(value, name, &t->falls);
    if (strcmp(name, "forbidden") == 0) return read_forbidden(value, t);
    if (strcmp(name, "goal") == 0) return read_pose(value, name, &t->goal);
    if (strcmp(name, "object") == 0) return read_int(value, name, &t->object);
    raise_text(ABUT_ERROR_ARGUMENT, "task: expected one of its fields, got '%s'", name);
    return -1;
}

static int read_fields(PyObject *fields, AbutManipTask *t) {
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(fields, &at, &key, &value);) {
        const char *name = read_text(key, "a field");
        if (!name || read_field(name, value, t) != 0) return -1;
    }
    return 0;
}

/* (name) -> (model, fields) */
static PyObject *manip_build(PyObject *module, PyObject *value) {
    AbutManipTask task;
    AbutModel *model;
    AbutError error;
    (void)module;
    const char *name = read_text(value, "task");
    if (!name) return NULL;
    if (abut_manip_task_build(name, &task, &model, &error) != ABUT_OK) return raise_error(&error);
    PyObject *taken = model_take(model), *fields = taken ? fields_of(&task) : NULL;
    if (fields) return Py_BuildValue("(NN)", taken, fields);
    Py_XDECREF(taken);
    return NULL;
}

/* (model, object, goal) -> fields as usual */
static PyObject *manip_fields(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    ModelObject *model;
    AbutPose goal;
    int object;
    (void)module;
    if (expect_count("manip_fields", count, 3) != 0 || !(model = read_model(args[0])) ||
        read_int(args[1], "object", &object) != 0 || read_pose(args[2], "goal", &goal) != 0)
        return NULL;
    AbutManipTask task = abut_manip_task_of(model->model, object, goal);
    return fields_of(&task);
}

static PyObject *manip_names(PyObject *module, PyObject *none) {
    PyObject *list = PyList_New(0);
    (void)module, (void)none;
    for (int i = 0; list && abut_manip_tasks[i]; ++i) {
        PyObject *name = PyUnicode_FromString(abut_manip_tasks[i]);
        if (!name || PyList_Append(list, name) != 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

typedef struct Search {
    ManipObject *object;
    AbutManipOptions options;
    volatile int cancel;
    AbutStatus status;
    AbutError error;
} Search;

static void search(void *user) {
    Search *s = user;
    s->status = abut_manip_plan(&s->object->task, &s->options, &s->object->plan, &s->error);
}

static int read_options(PyObject *const *args, AbutManipOptions *o) {
    int attempts, shortcuts;
    if (read_seed(args[0], &o->seed) != 0 || read_count(args[1], "attempts", &attempts) != 0 ||
        read_length(args[2], "seconds", &o->seconds) != 0 || read_int(args[3], "shortcuts", &shortcuts) != 0)
        return -1;
    o->attempts = attempts, o->shortcuts = shortcuts, o->jam_test = !PyObject_IsTrue(args[4]);
    if (o->seconds == INFINITY) o->seconds = 0.0;
    return 0;
}

/* (model, fields, seed, attempts, seconds, shortcuts, jam test) -> plan */
static PyObject *manip_plan(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    ModelObject *model;
    (void)module;
    if (expect_count("manip_plan", count, 7) != 0 || !(model = read_model(args[0]))) return NULL;
    ManipObject *self = PyObject_New(ManipObject, manip_type);
    if (!self) return NULL;
    memset(&self->plan, 0, sizeof self->plan);
    self->model = Py_NewRef(args[0]);
    self->task = abut_manip_task_of(model->model, 0, abut_pose_identity());
    Search s = {.object = self};
    s.options.cancel = &s.cancel;
    model->frozen = 1;
    if (read_fields(args[1], &self->task) == 0 && read_options(args + 2, &s.options) == 0 &&
        run_interruptible(search, &s, &s.cancel) == 0) {
        if (s.status == ABUT_OK) return (PyObject *)self;
        raise_error(&s.error);
    }
    Py_DECREF(self);
    return NULL;
}

static ManipObject *read_manip(PyObject *value) {
    if (PyObject_TypeCheck(value, manip_type)) return (ManipObject *)value;
    PyErr_SetString(PyExc_TypeError, "plan: expected an abut.ManipPlan");
    return NULL;
}

static PyObject *motion_of(const struct AbutManipMotion *m) {
    PyObject *fingers = PyList_New(0), *moved = PyList_New(0);
    for (int i = 0; fingers && moved && i < ABUT_MANIP_FINGERS; ++i) {
        PyObject *a = PyLong_FromLong(m->finger[i]), *b = PyLong_FromLong(m->relocation[i]);
        if (a && m->finger[i] >= 0) PyList_Append(fingers, a);
        if (b && i < m->relocation_count) PyList_Append(moved, b);
        Py_XDECREF(a);
        Py_XDECREF(b);
    }
    return Py_BuildValue(
        "(siiNNO)", m->mode, (int)m->first_step, (int)m->step_count, fingers, moved, m->falls ? Py_True : Py_False);
}

/* (plan) -> (found, attempts, states, modes, left, out of time, motions, poses, points) */
static PyObject *manip_content(PyObject *module, PyObject *value) {
    (void)module;
    ManipObject *self = read_manip(value);
    if (!self) return NULL;
    const AbutManipPlan *p = &self->plan;
    const Py_ssize_t poses[] = {p->step_count, 7}, points[] = {p->point_count, 6};
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < p->motion_count; ++i) {
        PyObject *motion = motion_of(&p->motions[i]);
        if (!motion || PyList_Append(list, motion) != 0) Py_CLEAR(list);
        Py_XDECREF(motion);
    }
    double *rows = abut_alloc_array((size_t)p->step_count + 1, 7 * sizeof *rows);
    if (!rows) return Py_XDECREF(list), PyErr_NoMemory();
    for (int32_t i = 0; i < p->step_count; ++i) write_pose(p->poses[i], rows + 7 * i);
    PyObject *pose_rows = array_of_doubles(rows, 2, poses);
    PyObject *point_rows = array_of_doubles((const double *)(const void *)p->points, 2, points);
    abut_free(rows);
    return Py_BuildValue("(OiiidONNN)", p->found ? Py_True : Py_False, (int)p->attempts, (int)p->states, (int)p->modes,
        p->left, p->out_of_time ? Py_True : Py_False, list, pose_rows, point_rows);
}

typedef struct Trial {
    const ManipObject *object;
    AbutManipTrial how;
    AbutManipReport report;
    volatile int cancel;
    AbutStatus status;
    AbutError error;
} Trial;

static int canceled(const AbutManipMoment *moment, void *user) {
    (void)moment;
    return ((Trial *)user)->cancel;
}

static void execute(void *user) {
    Trial *t = user;
    t->status = abut_manip_execute(&t->object->task, &t->object->plan, &t->how, &t->report, &t->error);
}

/* (plan, friction, mass) -> a dictionary */
static PyObject *manip_execute(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    Trial t = {.how = {.watch = canceled}};
    (void)module;
    t.how.user = &t;
    if (expect_count("manip_execute", count, 3) != 0 || !(t.object = read_manip(args[0])) ||
        read_real(args[1], "friction", &t.how.friction) != 0 || read_real(args[2], "mass", &t.how.mass) != 0 ||
        run_interruptible(execute, &t, &t.cancel) != 0)
        return NULL;
    if (t.status != ABUT_OK) return raise_error(&t.error);
    const AbutManipReport *r = &t.report;
    return Py_BuildValue("{sOsisdsdsdsdsdsdsd}", "arrives", r->arrives ? Py_True : Py_False, "motion", (int)r->motion,
        "distance", r->distance, "angle", r->angle, "off_distance", r->off_distance, "off_angle", r->off_angle,
        "most_distance", r->most_distance, "most_angle", r->most_angle, "time", r->time);
}

/* (plan) -> (places, unbalanced) */
static PyObject *manip_check(PyObject *module, PyObject *value) {
    AbutManipReport report;
    AbutError error;
    AbutStatus status;
    (void)module;
    ManipObject *self = read_manip(value);
    if (!self) return NULL;
    UNLOCKED(status = abut_manip_check(&self->task, &self->plan, &report, &error));
    if (status != ABUT_OK) return raise_error(&error);
    return Py_BuildValue("(ii)", (int)report.places, (int)report.unbalanced);
}

PyMethodDef manipulation_functions[] = {
    {"manip_build", manip_build, METH_O, NULL},
    {"manip_names", manip_names, METH_NOARGS, NULL},
    FAST("manip_fields", manip_fields),
    FAST("manip_plan", manip_plan),
    FAST("manip_execute", manip_execute),
    {"manip_content", manip_content, METH_O, NULL},
    {"manip_check", manip_check, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, manip_dealloc}, {0, NULL}};
static PyType_Spec spec = {
    "abut.ManipPlan", sizeof(ManipObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

int add_manipulation_type(PyObject *module) {
    manip_type = add_type(module, &spec);
    return manip_type ? 0 : -1;
}
