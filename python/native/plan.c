/* SPDX-License-Identifier: Apache-2.0 */
/* Plans: what of a robot must not meet what, the nearest pair at a posture, trajectories, and their certificate. */
#include <limits.h>
#include <string.h>

#include "models.h"
#include "problems.h"
#include "records.h"
#include "robots.h"
#include "rooms.h"

static PyTypeObject *problem_type;

static void problem_dealloc(PyObject *self)
{
    ProblemObject *object = (ProblemObject *)self;
    abut_plan_problem_free(object->problem);
    Py_XDECREF(object->robot);
    Py_XDECREF(object->obstacles);
    free_object(self);
}

ProblemObject *read_problem(PyObject *value)
{
    if (!PyObject_TypeCheck(value, problem_type))
        return PyErr_Format(PyExc_TypeError, "problem: expected an abut.PlanProblem, got %R", value), NULL;
    return (ProblemObject *)value;
}

/* (robot, obstacles model or None, margin, neighbours, near_joints) */
static PyObject *problem_new(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanProblem *problem = NULL;
    ModelObject *obstacles = NULL;
    AbutConfiguration *robot;
    AbutError error;
    double margin;
    int neighbours, near_joints;
    if (expect_count("problem_new", count, 5) != 0 || !(robot = read_robot(args[0])) ||
        (args[1] != Py_None && !(obstacles = read_model(args[1]))) || read_real(args[2], "margin", &margin) != 0 ||
        read_int(args[3], "neighbours", &neighbours) != 0 || read_int(args[4], "near_joints", &near_joints) != 0)
        return NULL;
    if (margin >= 0.0)
        def.margin = margin;
    if (neighbours >= 0)
        def.neighbours = neighbours;
    if (near_joints >= 0)
        def.near_joints = near_joints;
    if (abut_plan_problem_create(robot, obstacles ? obstacles->model : NULL, &def, &problem, &error) != ABUT_OK)
        return raise_error(&error);
    ProblemObject *self = PyObject_New(ProblemObject, problem_type);
    if (!self)
        return abut_plan_problem_free(problem), NULL;
    self->problem = problem;
    self->robot = Py_NewRef(args[0]), self->obstacles = Py_NewRef(args[1]);
    self->joints = abut_configuration_model(robot)->joint_count;
    if (obstacles)
        obstacles->frozen = 1;
    return (PyObject *)self;
}

/* -> (joints that move, pairs (n, 2), names of links, notes) */
static PyObject *problem_tell(PyObject *module, PyObject *value)
{
    (void)module;
    ProblemObject *self = read_problem(value);
    if (!self)
        return NULL;
    const AbutPlanProblem *p = self->problem;
    PyObject *joints = PyList_New(0), *pairs = PyList_New(0), *notes = PyList_New(0);
    int bad = !joints || !pairs || !notes;
    for (int32_t i = 0; !bad && i < abut_plan_joint_count(p); ++i) {
        PyObject *x = PyLong_FromLong(abut_plan_joint(p, i));
        bad = !x || PyList_Append(joints, x) != 0;
        Py_XDECREF(x);
    }
    for (int32_t i = 0; !bad && i < abut_plan_pair_count(p); ++i) {
        AbutPlanLinks links = abut_plan_pair(p, i);
        PyObject *x = Py_BuildValue("(ss)", abut_plan_link_name(p, links.a), abut_plan_link_name(p, links.b));
        bad = !x || PyList_Append(pairs, x) != 0;
        Py_XDECREF(x);
    }
    for (int32_t i = 0; !bad && i < abut_plan_note_count(p); ++i) {
        PyObject *x = PyUnicode_FromString(abut_plan_note(p, i));
        bad = !x || PyList_Append(notes, x) != 0;
        Py_XDECREF(x);
    }
    if (!bad)
        return Py_BuildValue("(NNN)", joints, pairs, notes);
    Py_XDECREF(joints);
    Py_XDECREF(pairs);
    Py_XDECREF(notes);
    return NULL;
}

/* (problem, joints (joints of the model,)) -> (pair, distance, point_a, point_b, normal, distances) */
static PyObject *problem_nearest(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    ProblemObject *self;
    AbutPlanNear near;
    AbutError error;
    Doubles q;
    NewArray out;
    if (expect_count("problem_nearest", count, 2) != 0 || !(self = read_problem(args[0])) ||
        read_vector(args[1], "joints", self->joints, &q) != 0)
        return NULL;
    const Py_ssize_t pairs = abut_plan_pair_count(self->problem);
    if (begin_array_of("f8", 1, &pairs, &out) != 0)
        return release_doubles(&q), NULL;
    AbutStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = abut_plan_nearest(self->problem, q.data, &near, out.data, &error);
    Py_END_ALLOW_THREADS;
    release_doubles(&q);
    if (status != ABUT_OK)
        return cancel_array(&out), raise_error(&error);
    return Py_BuildValue("(idNNNN)", (int)near.pair, near.distance, array_of_vec3(near.point_a),
        array_of_vec3(near.point_b), array_of_vec3(near.normal), end_array(&out));
}

/* ---- trajectories ------------------------------------------------------------------------------------------------ */

/* (times (n,), joints (n, joints), interpolation) to a trajectory; 0, or -1 with an exception. */
static int read_trajectory(PyObject *const *args, AbutTrajectory *out)
{
    AbutJointSamples samples = {0};
    AbutError error;
    Doubles times, values;
    const char *words[ABUT_INTERPOLATION_COUNT];
    for (int i = 0; i < ABUT_INTERPOLATION_COUNT; ++i)
        words[i] = abut_interpolation_name((AbutInterpolation)i);
    int kind = read_word(args[2], "interpolation", ABUT_INTERPOLATION_COUNT, words);
    if (kind < 0 || read_vector(args[0], "times", -1, &times) != 0)
        return -1;
    int status = -1;
    if (read_matrix(args[1], "joints", times.count, -1, &values) == 0) {
        samples.count = (int32_t)times.count, samples.joint_count = (int32_t)values.shape[1];
        samples.times = times.data, samples.values = values.data;
        if (times.count > INT_MAX || values.shape[1] > INT_MAX)
            raise_text(ABUT_ERROR_LIMIT, "joints: too many samples");
        else if (abut_trajectory_interpolate((AbutInterpolation)kind, &samples, out, &error) == ABUT_OK)
            status = 0;
        else
            raise_error(&error);
        release_doubles(&values);
    }
    release_doubles(&times);
    return status;
}

/* (times, joints, interpolation, at (m,), order) -> (m, joints) */
static PyObject *trajectory_values(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    AbutTrajectory trajectory = {0};
    Doubles at;
    NewArray out;
    int order;
    if (expect_count("trajectory_values", count, 5) != 0 || read_int(args[4], "order", &order) != 0)
        return NULL;
    if (order < 0 || order > 5)
        return raise_text(ABUT_ERROR_ARGUMENT, "order: expected 0 to 5, got %d", order);
    if (read_vector(args[3], "at", -1, &at) != 0)
        return NULL;
    PyObject *answer = NULL;
    if (read_trajectory(args, &trajectory) == 0) {
        const Py_ssize_t shape[2] = {at.count, trajectory.joint_count};
        if (begin_array_of("f8", 2, shape, &out) == 0) {
            for (Py_ssize_t i = 0; i < at.count; ++i)
                abut_trajectory_value(&trajectory, at.data[i], order, (double *)out.data + i * shape[1]);
            answer = end_array(&out);
        }
        abut_trajectory_free(&trajectory);
    }
    release_doubles(&at);
    return answer;
}

/* (times, joints, interpolation, problem, level, budget) -> (Certificate, array of PairCertificate) */
static PyObject *problem_certify(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    ProblemObject *self;
    AbutTrajectory trajectory = {0};
    AbutCertifyDef def = {0};
    AbutCertificate certificate;
    AbutError error;
    NewArray pairs;
    int budget;
    if (expect_count("problem_certify", count, 6) != 0 || !(self = read_problem(args[3])) ||
        read_real(args[4], "level", &def.level) != 0 || read_int(args[5], "budget", &budget) != 0 ||
        read_trajectory(args, &trajectory) != 0)
        return NULL;
    def.budget = budget;
    int fits = trajectory.joint_count == self->joints;
    if (!fits)
        raise_text(ABUT_ERROR_ARGUMENT, "joints: expected shape (n, %d), the joints of the model, got %d", self->joints,
            trajectory.joint_count);
    if (!fits || begin_records(&record_pair_certificate, abut_plan_pair_count(self->problem), &pairs) != 0)
        return abut_trajectory_free(&trajectory), NULL;
    AbutStatus status;
    memset(&certificate, 0, sizeof certificate);
    memset(pairs.data, 0, (size_t)pairs.view.len);
    Py_BEGIN_ALLOW_THREADS;
    status = abut_plan_certify(self->problem, &trajectory, &def, &certificate, pairs.data, &error);
    Py_END_ALLOW_THREADS;
    abut_trajectory_free(&trajectory);
    if (status != ABUT_OK)
        return cancel_array(&pairs), raise_error(&error);
    return Py_BuildValue("(NN)", record_new(&record_certificate, &certificate), end_array(&pairs));
}

PyMethodDef plan_functions[] = {
    FAST("problem_new", problem_new),
    {"problem_tell", problem_tell, METH_O, NULL},
    FAST("problem_nearest", problem_nearest),
    FAST("trajectory_values", trajectory_values),
    FAST("problem_certify", problem_certify),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot problem_slots[] = {
    {Py_tp_dealloc, problem_dealloc},
    {0, NULL},
};

static PyType_Spec problem_spec = {"abut._abut.ProblemHandle", sizeof(ProblemObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, problem_slots};

int add_problem_type(PyObject *module)
{
    problem_type = add_type(module, &problem_spec);
    return problem_type ? 0 : -1;
}
