/* SPDX-License-Identifier: Apache-2.0 */
/* Configurations of a model: kinematics, Jacobians, dynamics, inverse kinematics; kinematics and dynamics of many
 * states at once. A configuration changes, so that one thread at a time may use it. */
#include <string.h>

#include "interrupt.h"
#include "models.h"
#include "records.h"
#include "robots.h"
#include "rooms.h"

typedef struct RobotObject {
    PyObject_HEAD AbutConfiguration *configuration;
    PyObject *model;
    int busy;
} RobotObject;

static PyTypeObject *robot_type;

static void robot_dealloc(PyObject *self) {
    RobotObject *object = (RobotObject *)self;
    abut_configuration_free(object->configuration);
    Py_XDECREF(object->model);
    free_object(self);
}

static RobotObject *open_robot(PyObject *value) {
    if (!PyObject_TypeCheck(value, robot_type))
        return PyErr_Format(PyExc_TypeError, "robot: expected an abut.Robot, got %R", value), NULL;
    if (((RobotObject *)value)->busy)
        return raise_text(ABUT_ERROR_ARGUMENT, "this robot is in use by another thread"), NULL;
    return (RobotObject *)value;
}

AbutConfiguration *read_robot(PyObject *value) {
    RobotObject *robot = open_robot(value);
    return robot ? robot->configuration : NULL;
}

void keep_robot(PyObject *robot, int busy) { ((RobotObject *)robot)->busy = busy; }

static PyObject *robot_new(PyObject *module, PyObject *value) {
    (void)module;
    ModelObject *model = read_model(value);
    const AbutTree *tree;
    AbutConfiguration *configuration = NULL;
    AbutError error;
    if (!model) return NULL;
    AbutStatus status = abut_tree_create(model->model, &tree, &error);
    if (status == ABUT_OK) status = abut_configuration_create(tree, &configuration, &error);
    abut_tree_release(tree);
    if (status != ABUT_OK) return raise_error(&error);
    RobotObject *self = PyObject_New(RobotObject, robot_type);
    if (!self) return abut_configuration_free(configuration), NULL;
    self->configuration = configuration, self->model = Py_NewRef(value), self->busy = 0;
    model->frozen = 1;
    return (PyObject *)self;
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

/* (robot, positions, velocities or None) */
static PyObject *robot_set(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *c;
    AbutError error;
    Doubles q, v = {0};
    if (expect_count("robot_set", count, 3) != 0 || !(c = read_robot(args[0])) ||
        read_vector(args[1], "q", abut_configuration_position_count(c), &q) != 0)
        return NULL;
    if (args[2] != Py_None && read_vector(args[2], "v", abut_configuration_velocity_count(c), &v) != 0)
        return release_doubles(&q), NULL;
    AbutStatus status = abut_configuration_set(c, (int32_t)q.count, q.data, (int32_t)v.count, v.data, &error);
    release_doubles(&q);
    release_doubles(&v);
    return none_or_raise(status, &error);
}

/* (robot, keyframe or -1: the reference) */
static PyObject *robot_reset(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *c;
    AbutError error;
    int keyframe;
    if (expect_count("robot_reset", count, 2) != 0 || !(c = read_robot(args[0])) ||
        read_int(args[1], "keyframe", &keyframe) != 0)
        return NULL;
    if (keyframe < 0)
        abut_configuration_reset(c);
    else if (keyframe >= abut_configuration_model(c)->keyframe_count)
        return raise_text(ABUT_ERROR_ARGUMENT, "keyframe: the model has no number %d", keyframe);
    else if (abut_configuration_set_keyframe(c, keyframe, &error) != ABUT_OK)
        return raise_error(&error);
    Py_RETURN_NONE;
}

/* Meaning of a vector or a number of a robot. */
enum {
    TELL_POSITIONS = 0,
    TELL_VELOCITIES,
    TELL_BIAS,
    TELL_PASSIVE,
    TELL_MASS_MATRIX,
    TELL_CENTER_JACOBIAN,
    TELL_MOMENTUM_MATRIX,
    TELL_CENTER,
    TELL_CENTER_VELOCITY,
    TELL_MOMENTUM,
    TELL_COUNT
};

static const char *const tell_words[TELL_COUNT] = {"positions", "velocities", "bias", "passive", "mass_matrix",
    "center_jacobian", "momentum_matrix", "center", "center_velocity", "momentum"};

static void tell_into(AbutConfiguration *c, int what, double *out) {
    AbutVec3 v = abut_zero();
    AbutTwist twist;
    switch (what) {
    case TELL_POSITIONS:
        memcpy(out, abut_configuration_positions(c), (size_t)abut_configuration_position_count(c) * sizeof *out);
        return;
    case TELL_VELOCITIES:
        memcpy(out, abut_configuration_velocities(c), (size_t)abut_configuration_velocity_count(c) * sizeof *out);
        return;
    case TELL_BIAS:
        abut_configuration_bias(c, out);
        return;
    case TELL_PASSIVE:
        abut_configuration_passive(c, out);
        return;
    case TELL_MASS_MATRIX:
        abut_configuration_mass_matrix(c, out);
        return;
    case TELL_CENTER_JACOBIAN:
        abut_configuration_center_jacobian(c, out);
        return;
    case TELL_MOMENTUM_MATRIX:
        abut_configuration_momentum_matrix(c, out);
        return;
    case TELL_MOMENTUM:
        twist = abut_configuration_momentum(c);
        memcpy(out, &twist, sizeof twist);
        return;
    default:
        v = what == TELL_CENTER ? abut_configuration_center(c) : abut_configuration_center_velocity(c);
        memcpy(out, &v, sizeof v);
    }
}

/* (robot, word) -> array */
static PyObject *robot_tell(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *c;
    NewArray out;
    if (expect_count("robot_tell", count, 2) != 0 || !(c = read_robot(args[0]))) return NULL;
    int what = read_word(args[1], "what", TELL_COUNT, tell_words);
    if (what < 0) return NULL;
    Py_ssize_t n = abut_configuration_velocity_count(c), shape[2] = {n, n};
    int dimensions = what == TELL_MASS_MATRIX || what == TELL_CENTER_JACOBIAN || what == TELL_MOMENTUM_MATRIX ? 2 : 1;
    if (what == TELL_POSITIONS) shape[0] = abut_configuration_position_count(c);
    if (what == TELL_CENTER || what == TELL_CENTER_VELOCITY || what == TELL_CENTER_JACOBIAN) shape[0] = 3;
    if (what == TELL_MOMENTUM || what == TELL_MOMENTUM_MATRIX) shape[0] = 6;
    if (begin_array_of("f8", dimensions, shape, &out) != 0) return NULL;
    tell_into(c, what, out.data);
    return end_array(&out);
}

/* (robot, accelerations (nv,) or None) -> (sensor_values,) */
static PyObject *robot_sensors(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *c;
    AbutError error;
    NewArray out;
    Doubles a = {0};
    if (expect_count("robot_sensors", count, 2) != 0 || !(c = read_robot(args[0]))) return NULL;
    const Py_ssize_t n = abut_configuration_model(c)->sensor_values;
    int some = args[1] != Py_None;
    if (some && read_vector(args[1], "accelerations", abut_configuration_velocity_count(c), &a) != 0) return NULL;
    if (begin_array_of("f8", 1, &n, &out) != 0) return some ? release_doubles(&a), NULL : NULL;
    AbutStatus status = abut_configuration_sensors(c, some ? a.data : NULL, out.data, &error);
    if (some) release_doubles(&a);
    if (status == ABUT_OK) return end_array(&out);
    cancel_array(&out);
    return raise_error(&error);
}

/* (robot) -> (positions, velocities, mass, kinetic, potential) */
static PyObject *robot_numbers(PyObject *module, PyObject *value) {
    (void)module;
    AbutConfiguration *c = read_robot(value);
    if (!c) return NULL;
    return Py_BuildValue("(iiddd)", (int)abut_configuration_position_count(c),
        (int)abut_configuration_velocity_count(c), abut_configuration_mass(c), abut_configuration_kinetic_energy(c),
        abut_configuration_potential_energy(c));
}

/* (robot, joint) -> (first position, first velocity) */
static PyObject *robot_joint_place(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *c;
    int joint;
    if (expect_count("robot_joint_place", count, 2) != 0 || !(c = read_robot(args[0])) ||
        read_int(args[1], "joint", &joint) != 0)
        return NULL;
    if (joint < 0 || joint >= abut_configuration_model(c)->joint_count)
        return raise_text(ABUT_ERROR_ARGUMENT, "joint: the model has no number %d", joint);
    return Py_BuildValue("(ii)", (int)abut_configuration_joint_place(c, joint, ABUT_NUMBERS_POSITIONS),
        (int)abut_configuration_joint_place(c, joint, ABUT_NUMBERS_VELOCITIES));
}

/* (robot, q, v, h) and (robot, a, b): along the tangent space */
static PyObject *robot_integrate(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *c;
    NewArray out;
    Doubles q, v;
    double h;
    if (expect_count("robot_integrate", count, 4) != 0 || !(c = read_robot(args[0])) ||
        read_real(args[3], "h", &h) != 0 || read_vector(args[1], "q", abut_configuration_position_count(c), &q) != 0)
        return NULL;
    PyObject *answer = NULL;
    if (read_vector(args[2], "v", abut_configuration_velocity_count(c), &v) == 0) {
        if (begin_array_of("f8", 1, &q.count, &out) == 0) {
            abut_configuration_integrate(c, q.data, v.data, h, out.data);
            answer = end_array(&out);
        }
        release_doubles(&v);
    }
    release_doubles(&q);
    return answer;
}

static PyObject *robot_difference(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *c;
    NewArray out;
    Doubles a, b;
    if (expect_count("robot_difference", count, 3) != 0 || !(c = read_robot(args[0])) ||
        read_vector(args[1], "a", abut_configuration_position_count(c), &a) != 0)
        return NULL;
    PyObject *answer = NULL;
    const Py_ssize_t n = abut_configuration_velocity_count(c);
    if (read_vector(args[2], "b", abut_configuration_position_count(c), &b) == 0) {
        if (begin_array_of("f8", 1, &n, &out) == 0) {
            abut_configuration_difference(c, a.data, b.data, out.data);
            answer = end_array(&out);
        }
        release_doubles(&b);
    }
    release_doubles(&a);
    return answer;
}

/* ---- kinematics -------------------------------------------------------------------------------------------------- */

static int check_number(const AbutConfiguration *c, int frame, int number) {
    const AbutModel *model = abut_configuration_model(c);
    if (number >= 0 && number < (frame ? model->frame_count : model->body_count)) return 0;
    raise_text(ABUT_ERROR_ARGUMENT, "%s: the model has no number %d", frame ? "frame" : "body", number);
    return -1;
}

static AbutPose pose_of(const AbutConfiguration *c, int frame, int number) {
    return frame ? abut_configuration_frame_pose(c, number) : abut_configuration_body_pose(c, number);
}

typedef struct ManyPoses {
    AbutConfiguration *c;
    int frame, number; /* number -1: all bodies */
    const Doubles *q;
    double *out;
    AbutStatus status;
    AbutError error;
} ManyPoses;

/* For one of the states; the configuration is left there. */
static void find_poses(Py_ssize_t i, void *user) {
    ManyPoses *x = user;
    int32_t bodies = abut_configuration_model(x->c)->body_count;
    if (x->status == ABUT_OK)
        x->status =
            abut_configuration_set(x->c, (int32_t)x->q->shape[1], x->q->data + i * x->q->shape[1], 0, NULL, &x->error);
    if (x->number >= 0) write_pose(pose_of(x->c, x->frame, x->number), x->out + 7 * i);
    for (int32_t k = 0; x->number < 0 && k < bodies; ++k)
        write_pose(abut_configuration_body_pose(x->c, k), x->out + 7 * (i * bodies + k));
}

/* (robot, frame: 0 or 1, number or -1, positions (n, nq) or None) -> (7,), (bodies, 7), (n, 7) or (n, bodies, 7) */
static PyObject *robot_poses(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RobotObject *robot;
    ManyPoses x = {0};
    Doubles q;
    NewArray out;
    if (expect_count("robot_poses", count, 4) != 0 || !(robot = open_robot(args[0])) ||
        read_int(args[1], "frame", &x.frame) != 0 || read_int(args[2], "number", &x.number) != 0)
        return NULL;
    x.c = robot->configuration;
    int32_t bodies = abut_configuration_model(x.c)->body_count;
    if (x.number >= 0 && check_number(x.c, x.frame, x.number) != 0) return NULL;
    if (args[3] == Py_None) {
        const Py_ssize_t shape[2] = {bodies, 7};
        if (x.number >= 0) return array_of_pose(pose_of(x.c, x.frame, x.number));
        if (begin_array_of("f8", 2, shape, &out) != 0) return NULL;
        for (int32_t k = 0; k < bodies; ++k)
            write_pose(abut_configuration_body_pose(x.c, k), (double *)out.data + 7 * (ptrdiff_t)k);
        return end_array(&out);
    }
    if (read_matrix(args[3], "q", -1, abut_configuration_position_count(x.c), &q) != 0) return NULL;
    const Py_ssize_t shape[3] = {q.shape[0], x.number >= 0 ? 7 : bodies, 7};
    if (begin_array_of("f8", x.number >= 0 ? 2 : 3, shape, &out) != 0) return release_doubles(&q), NULL;
    x.q = &q, x.out = out.data;
    robot->busy = 1;
    int ended = ask_all(q.shape[0], 1, find_poses, &x);
    robot->busy = 0;
    release_doubles(&q);
    if (ended == 0 && x.status == ABUT_OK) return end_array(&out);
    cancel_array(&out);
    return ended == 0 ? raise_error(&x.error) : NULL;
}

/* (robot, frame: 0 or 1, number, point or None) -> (6, nv) */
static PyObject *robot_jacobian(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *c;
    AbutVec3 point;
    NewArray out;
    int frame, number;
    if (expect_count("robot_jacobian", count, 4) != 0 || !(c = read_robot(args[0])) ||
        read_int(args[1], "frame", &frame) != 0 || read_int(args[2], "number", &number) != 0 ||
        check_number(c, frame, number) != 0)
        return NULL;
    point = pose_of(c, frame, number).p;
    if (args[3] != Py_None && read_vec3(args[3], "point", &point) != 0) return NULL;
    const Py_ssize_t shape[2] = {6, abut_configuration_velocity_count(c)};
    if (begin_array_of("f8", 2, shape, &out) != 0) return NULL;
    if (frame)
        abut_configuration_frame_jacobian(c, number, out.data);
    else
        abut_configuration_jacobian(c, number, point, out.data);
    return end_array(&out);
}

/* ---- dynamics ---------------------------------------------------------------------------------------------------- */

enum { INVERSE = 0, FORWARD, SOLVE };

typedef struct Dynamics {
    AbutConfiguration *c;
    int kind;
    int method;
    const double *q, *v, *given; /* q NULL: the state as it is */
    Py_ssize_t count;
    double *out;
    AbutStatus status;
    AbutError error;
} Dynamics;

/* About one of the states. */
static void answer_dynamics(Py_ssize_t i, void *user) {
    Dynamics *d = user;
    int32_t nq = abut_configuration_position_count(d->c), nv = abut_configuration_velocity_count(d->c);
    double *out = d->out + i * nv;
    if (d->q && d->status == ABUT_OK)
        d->status =
            abut_configuration_set(d->c, nq, d->q + i * nq, d->v ? nv : 0, d->v ? d->v + i * nv : NULL, &d->error);
    if (d->kind == INVERSE)
        abut_configuration_inverse_dynamics(d->c, d->given + i * nv, out);
    else if (d->kind == FORWARD)
        abut_configuration_forward_dynamics(d->c, d->method, d->given + i * nv, out);
    else
        memcpy(out, d->given + i * nv, (size_t)nv * sizeof *out), abut_configuration_solve(d->c, out);
}

/* (robot, kind, method, given (nv,) or (n, nv), q (n, nq) or None, v (n, nv) or None) */
static PyObject *robot_dynamics(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    static const char *const kinds[] = {"inverse", "forward", "solve"};
    static const char *const methods[] = {"automatic", "factor", "articulated"};
    RobotObject *robot;
    Dynamics d = {0};
    Doubles given = {0}, q = {0}, v = {0};
    NewArray out;
    int method;
    if (expect_count("robot_dynamics", count, 6) != 0 || !(robot = open_robot(args[0])) ||
        (d.kind = read_word(args[1], "kind", 3, kinds)) < 0 || (method = read_word(args[2], "method", 3, methods)) < 0)
        return NULL;
    d.c = robot->configuration, d.method = method;
    Py_ssize_t nq = abut_configuration_position_count(d.c), nv = abut_configuration_velocity_count(d.c);
    int many = args[4] != Py_None, status = 0;
    status = many ? read_matrix(args[3], "given", -1, nv, &given) : read_vector(args[3], "given", nv, &given);
    if (status == 0 && many) status = read_matrix(args[4], "q", given.shape[0], nq, &q);
    if (status == 0 && args[5] != Py_None) status = read_matrix(args[5], "v", given.shape[0], nv, &v);
    if (status == 0) status = begin_array_of("f8", many ? 2 : 1, given.shape, &out);
    if (status == 0) {
        d.given = given.data, d.q = q.data, d.v = v.data, d.out = out.data, d.count = many ? given.shape[0] : 1;
        robot->busy = 1;
        status = ask_all(d.count, 1, answer_dynamics, &d);
        robot->busy = 0;
        if (status != 0) cancel_array(&out);
    }
    release_doubles(&given);
    release_doubles(&q);
    release_doubles(&v);
    if (status != 0) return NULL;
    return d.status == ABUT_OK ? end_array(&out) : (cancel_array(&out), raise_error(&d.error));
}

/* (robot, kind, given) -> (accelerations or None, by position, by velocity) */
static PyObject *robot_derivatives(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    static const char *const kinds[] = {"inverse", "forward"};
    AbutConfiguration *c;
    Doubles given;
    NewArray first, second, third;
    if (expect_count("robot_derivatives", count, 3) != 0 || !(c = read_robot(args[0]))) return NULL;
    int kind = read_word(args[1], "kind", 2, kinds);
    const Py_ssize_t n = abut_configuration_velocity_count(c), shape[2] = {n, n};
    if (kind < 0 || read_vector(args[2], "given", n, &given) != 0) return NULL;
    PyObject *answer = NULL;
    if (begin_array_of("f8", 1, shape, &first) == 0) {
        int a = begin_array_of("f8", 2, shape, &second) == 0, b = a && begin_array_of("f8", 2, shape, &third) == 0;
        if (b && kind == FORWARD)
            ALONE((RobotObject *)args[0],
                abut_configuration_forward_derivatives(c, given.data, first.data, second.data, third.data));
        else if (b)
            ALONE(
                (RobotObject *)args[0], abut_configuration_inverse_derivatives(c, given.data, second.data, third.data));
        if (b && kind == INVERSE) memcpy(first.data, given.data, (size_t)n * sizeof(double));
        if (b)
            answer = Py_BuildValue("(NNN)", end_array(&first), end_array(&second), end_array(&third));
        else
            cancel_array(&first);
        if (a && !b) cancel_array(&second);
    }
    release_doubles(&given);
    return answer;
}

/* ---- inverse kinematics ------------------------------------------------------------------------------------------ */

static const char *const ik_kinds[ABUT_IK_KIND_COUNT + 1] = {
    "position", "pose", "rotation", "upright", "look_at", "center", NULL};

static const DefField task_fields[] = {
    {"kind", DEF_WORD, offsetof(AbutIkTask, kind), ABUT_IK_KIND_COUNT, ik_kinds},
    DEF(AbutIkTask, body, DEF_INT),
    DEF(AbutIkTask, pose, DEF_POSE),
    DEF(AbutIkTask, target, DEF_POSE),
    DEF(AbutIkTask, axis, DEF_VEC3),
    DEF(AbutIkTask, direction, DEF_VEC3),
    DEF(AbutIkTask, weight, DEF_REAL),
};

static const DefTable task_table = DEF_TABLE("task", task_fields);

static const DefField ik_fields[] = {
    DEF(AbutIkSettings, tolerance_position, DEF_REAL),
    DEF(AbutIkSettings, tolerance_rotation, DEF_REAL),
    DEF(AbutIkSettings, length, DEF_REAL),
    DEF(AbutIkSettings, iterations, DEF_INT),
    DEF(AbutIkSettings, restarts, DEF_INT),
};

static const DefTable ik_table = DEF_TABLE("ik", ik_fields);

Py_ssize_t read_tasks(PyObject *list, AbutIkTask *out) {
    Py_ssize_t n = PyList_Size(list);
    if (n > ABUT_IK_TASKS) return raise_text(ABUT_ERROR_LIMIT, "tasks: at most %d", ABUT_IK_TASKS), -1;
    for (Py_ssize_t i = 0; i < n; ++i) {
        out[i] = abut_ik_task_default();
        PyObject *task = PyList_GetItem(list, i);
        if (!PyDict_Check(task)) return PyErr_Format(PyExc_TypeError, "tasks: expected dictionaries, got %R", task), -1;
        if (fill_def(task, &task_table, &out[i]) != 0) return -1;
    }
    return n;
}

/* A search, which may outlive the call of Python; the robot is busy until it ends. */
typedef struct Ik {
    RobotObject *robot;
    AbutIkTask tasks[ABUT_IK_TASKS];
    int32_t task_count;
    AbutIkSettings settings;
    AbutIkResult result;
    AbutStatus status;
    AbutError error;
} Ik;

static void free_ik(void *user) {
    Ik *x = user;
    x->robot->busy = 0;
    Py_DECREF((PyObject *)x->robot);
    abut_free(x);
}

static void search_ik(void *user) {
    Ik *x = user;
    x->status =
        abut_configuration_ik(x->robot->configuration, x->task_count, x->tasks, &x->settings, &x->result, &x->error);
}

/* (robot, list of tasks, settings, seed) -> IkResult; the robot is left at the best state */
static PyObject *robot_ik(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    RobotObject *robot = expect_count("robot_ik", count, 4) == 0 ? open_robot(args[0]) : NULL;
    Ik *x = robot ? abut_alloc(sizeof *x) : NULL;
    if (!x) return robot ? PyErr_NoMemory() : NULL;
    memset(x, 0, sizeof *x);
    x->robot = (RobotObject *)Py_NewRef(args[0]), x->settings = abut_ik_default();
    robot->busy = 1;
    if (fill_def(args[2], &ik_table, &x->settings) != 0 || read_seed(args[3], &x->settings.seed) != 0 ||
        (x->task_count = (int32_t)read_tasks(args[1], x->tasks)) < 0)
        return free_ik(x), NULL;
    if (run_or_leave(search_ik, free_ik, x, NULL) != 0) return NULL;
    PyObject *out = x->status == ABUT_OK ? record_new(&record_ik, &x->result) : raise_error(&x->error);
    free_ik(x);
    return out;
}

/* (robot, body) -> (first position, first velocity), -1 where it has none */
static PyObject *robot_body_place(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConfiguration *c;
    int body;
    if (expect_count("robot_body_place", count, 2) != 0 || !(c = read_robot(args[0])) ||
        read_int(args[1], "body", &body) != 0)
        return NULL;
    if (body < 0 || body >= abut_configuration_model(c)->body_count)
        return raise_text(ABUT_ERROR_ARGUMENT, "body: the model has no number %d", body);
    return Py_BuildValue("(ii)", (int)abut_configuration_body_place(c, body, ABUT_NUMBERS_POSITIONS),
        (int)abut_configuration_body_place(c, body, ABUT_NUMBERS_VELOCITIES));
}

PyMethodDef robot_functions[] = {
    {"robot_new", robot_new, METH_O, NULL},
    FAST("robot_set", robot_set),
    FAST("robot_reset", robot_reset),
    FAST("robot_tell", robot_tell),
    FAST("robot_sensors", robot_sensors),
    {"robot_numbers", robot_numbers, METH_O, NULL},
    FAST("robot_joint_place", robot_joint_place),
    FAST("robot_integrate", robot_integrate),
    FAST("robot_difference", robot_difference),
    FAST("robot_poses", robot_poses),
    FAST("robot_jacobian", robot_jacobian),
    FAST("robot_dynamics", robot_dynamics),
    FAST("robot_derivatives", robot_derivatives),
    FAST("robot_ik", robot_ik),
    FAST("robot_body_place", robot_body_place),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot robot_slots[] = {
    {Py_tp_dealloc, robot_dealloc},
    {0, NULL},
};

static PyType_Spec robot_spec = {"abut._abut.RobotHandle", sizeof(RobotObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, robot_slots};

int add_robot_type(PyObject *module) {
    robot_type = add_type(module, &robot_spec);
    return robot_type ? 0 : -1;
}
