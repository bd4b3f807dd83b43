/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of robots that stand on feet: balance, the support polygon; limits of joints from files. */
#include <string.h>

#include "models.h"
#include "problems.h"
#include "records.h"
#include "robots.h"
#include "rooms.h"

/* (robot) -> numbers of the bodies that are its feet */
static PyObject *plan_find_feet(PyObject *module, PyObject *value) {
    (void)module;
    AbutConfiguration *robot = read_robot(value);
    int32_t feet[2] = {-1, -1};
    if (!robot) return NULL;
    int32_t n = abut_plan_find_feet(robot, feet);
    return n == 2   ? Py_BuildValue("[ii]", (int)feet[0], (int)feet[1])
           : n == 1 ? Py_BuildValue("[i]", (int)feet[0])
                    : PyList_New(0);
}

/* (problem) -> corners (n, 3) */
static PyObject *problem_polygon(PyObject *module, PyObject *value) {
    (void)module;
    ProblemObject *self = read_problem(value);
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    if (!self) return NULL;
    const Py_ssize_t shape[2] = {abut_plan_polygon(self->problem, corners), 3};
    return array_of_doubles(&corners[0].x, 2, shape);
}

/* (problem, joints) -> (center, inside, edge) */
static PyObject *problem_balance(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ProblemObject *self;
    AbutPlanBalance out;
    AbutError error;
    Doubles q;
    if (expect_count("problem_balance", count, 2) != 0 || !(self = read_problem(args[0])) ||
        read_vector(args[1], "joints", self->joints, &q) != 0)
        return NULL;
    AbutStatus status;
    UNLOCKED(status = abut_plan_balance(self->problem, q.data, &out, &error));
    release_doubles(&q);
    if (status != ABUT_OK) return raise_error(&error);
    return Py_BuildValue("(Ndi)", array_of_vec3(out.center), out.inside, (int)out.edge);
}

/* (Certificate) -> is it a proof? */
static PyObject *certificate_is_proof(PyObject *module, PyObject *value) {
    (void)module;
    const AbutCertificate *certificate = record_data(&record_certificate, value, "certificate");
    return certificate ? PyBool_FromLong(abut_certificate_is_proof(certificate)) : NULL;
}

/* (bytes, name, model) -> (joints, 5): lower, upper, speed, acceleration, torque */
static PyObject *limits_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *model;
    AbutError error;
    NewArray out;
    FileBytes in;
    if (expect_count("limits_parse", count, 3) != 0 || read_file_bytes(args[0], args[1], &in) != 0 ||
        !(model = read_model(args[2])))
        return NULL;
    const Py_ssize_t shape[2] = {model->model->joint_count, 5};
    if (begin_array_of("f8", 2, shape, &out) != 0) return NULL;
    AbutStatus status;
    READING(model, status = abut_limits_read(in.name, in.data, in.size, model->model, out.data, &error));
    if (status != ABUT_OK) return cancel_array(&out), raise_error(&error);
    return end_array(&out);
}

/* (bytes, name) -> (n, 3) */
static PyObject *points_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutVec3 *points = NULL;
    int64_t found;
    AbutStatus status;
    AbutError error;
    FileBytes in;
    if (expect_count("points_parse", count, 2) != 0 || read_file_bytes(args[0], args[1], &in) != 0) return NULL;
    UNLOCKED(status = abut_points_read(in.name, in.data, in.size, &found, &points, &error));
    if (status != ABUT_OK) return raise_error(&error);
    const Py_ssize_t shape[2] = {(Py_ssize_t)found, 3};
    PyObject *out = array_of_doubles(&points->x, 2, shape);
    abut_free(points);
    return out;
}

PyMethodDef plan_balance_functions[] = {
    {"plan_find_feet", plan_find_feet, METH_O, NULL},
    {"problem_polygon", problem_polygon, METH_O, NULL},
    FAST("problem_balance", problem_balance),
    {"certificate_is_proof", certificate_is_proof, METH_O, NULL},
    FAST("limits_parse", limits_parse),
    FAST("points_parse", points_parse),
    {NULL, NULL, 0, NULL},
};
