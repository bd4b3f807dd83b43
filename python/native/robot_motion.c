/* SPDX-License-Identifier: Apache-2.0 */
/* Models that move: rows of positions over time, or a curve for each position, as one chain of joints whose links are
 * motions of their bodies. A motion keeps the chain alive. */
#include <limits.h>
#include <string.h>

#include "models.h"
#include "motions.h"
#include "rooms.h"

typedef struct RobotMotionObject {
    PyObject_HEAD AbutRobotMotion *motion;
    int32_t bodies, joints; /* of the model */
    PyObject *recipe;       /* (name of the maker, its arguments), for pickles */
} RobotMotionObject;

static PyTypeObject *robot_motion_type;

static void robot_motion_dealloc(PyObject *self) {
    abut_robot_motion_free(((RobotMotionObject *)self)->motion);
    Py_XDECREF(((RobotMotionObject *)self)->recipe);
    free_object(self);
}

static RobotMotionObject *read_robot_motion(PyObject *value) {
    if (!PyObject_TypeCheck(value, robot_motion_type))
        return PyErr_Format(PyExc_TypeError, "motion: expected an abut.RobotMotion, got %R", value), NULL;
    return (RobotMotionObject *)value;
}

/* Takes over the motion, and the reference to the recipe, also on failure. */
static PyObject *robot_motion_take(AbutRobotMotion *motion, const AbutModel *model, PyObject *recipe) {
    RobotMotionObject *self = recipe ? PyObject_New(RobotMotionObject, robot_motion_type) : NULL;
    if (!self) {
        abut_robot_motion_free(motion);
        Py_XDECREF(recipe);
        return NULL;
    }
    self->motion = motion, self->recipe = recipe;
    self->bodies = model->body_count, self->joints = model->joint_count;
    return (PyObject *)self;
}

static AbutStatus make_rows(
    const AbutModel *model, const Doubles *times, const Doubles *rows, AbutRobotMotion **out, AbutError *error) {
    const AbutTree *tree;
    AbutStatus status = abut_tree_create(model, &tree, error);
    if (status == ABUT_OK)
        status = abut_robot_motion_create(tree, (int32_t)times->count, times->data, rows->data, out, error);
    abut_tree_release(tree);
    return status;
}

/* (model, times (n,), positions (n, nq)) */
static PyObject *robot_motion_rows(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *model;
    AbutRobotMotion *motion = NULL;
    AbutError error;
    Doubles times, rows;
    if (expect_count("robot_motion_rows", count, 3) != 0 || !(model = read_model(args[0])) ||
        read_vector(args[1], "times", -1, &times) != 0)
        return NULL;
    if (read_matrix(args[2], "positions", times.count, abut_model_number_count(model->model, ABUT_NUMBERS_POSITIONS),
            &rows) != 0)
        return release_doubles(&times), NULL;
    AbutStatus status = ABUT_OK;
    if (times.count > INT_MAX)
        status = abut_fail(&error, ABUT_ERROR_LIMIT, "times: too many");
    else
        READING(model, status = make_rows(model->model, &times, &rows, &motion, &error));
    release_doubles(&times);
    release_doubles(&rows);
    return status == ABUT_OK ? robot_motion_take(motion, model->model, recipe_of("robot_motion_rows", args, count))
                             : raise_error(&error);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

typedef struct Curves {
    Py_ssize_t count;
    AbutCurve *curve;
    Doubles *pieces; /* that the curves stand on */
} Curves;

static void free_curves(Curves *c) {
    for (Py_ssize_t i = 0; i < c->count; ++i) release_doubles(&c->pieces[i]);
    abut_free(c->curve);
    abut_free(c->pieces);
}

/* (pieces (n, 7), end), or None: the position stays as it is. */
static int read_curve(PyObject *value, AbutCurve *out, Doubles *pieces) {
    memset(out, 0, sizeof *out);
    pieces->has_view = 0;
    if (value == Py_None) return 0;
    if (!PyTuple_Check(value) || PyTuple_Size(value) != 2)
        return PyErr_Format(PyExc_TypeError, "curves: expected an abut.Curve or None, got %R", value), -1;
    if (read_real(PyTuple_GetItem(value, 1), "end", &out->to) != 0 ||
        read_matrix(PyTuple_GetItem(value, 0), "pieces", -1, CURVE_PIECE, pieces) != 0)
        return -1;
    out->piece_count = (int32_t)pieces->shape[0];
    out->pieces = (const AbutCurvePiece *)(const void *)pieces->data;
    return 0;
}

/* 0, or -1 with an exception; to be freed when 0. */
static int read_curves(PyObject *list, Curves *out) {
    Py_ssize_t n = PyList_Size(list);
    if (n < 0 || n > INT_MAX) return PyErr_Format(PyExc_TypeError, "curves: expected a list, got %R", list), -1;
    *out = (Curves){
        0, abut_alloc_array((size_t)n + 1, sizeof *out->curve), abut_alloc_array((size_t)n + 1, sizeof *out->pieces)};
    if (!out->curve || !out->pieces) return free_curves(out), PyErr_NoMemory(), -1;
    for (; out->count < n; ++out->count)
        if (read_curve(PyList_GetItem(list, out->count), &out->curve[out->count], &out->pieces[out->count]) != 0)
            return free_curves(out), -1;
    return 0;
}

static AbutStatus make_curves(const AbutModel *model, const Curves *curves, AbutRobotMotion **out, AbutError *error) {
    const AbutTree *tree;
    AbutStatus status = abut_tree_create(model, &tree, error);
    if (status == ABUT_OK)
        status = abut_robot_motion_create_curves(tree, (int32_t)curves->count, curves->curve, out, error);
    abut_tree_release(tree);
    return status;
}

/* (model, list of (pieces (n, 7), end) or None, one for each position) */
static PyObject *robot_motion_curves(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *model;
    AbutRobotMotion *motion = NULL;
    AbutError error;
    Curves curves;
    if (expect_count("robot_motion_curves", count, 2) != 0 || !(model = read_model(args[0])) ||
        read_curves(args[1], &curves) != 0)
        return NULL;
    AbutStatus status;
    READING(model, status = make_curves(model->model, &curves, &motion, &error));
    free_curves(&curves);
    return status == ABUT_OK ? robot_motion_take(motion, model->model, recipe_of("robot_motion_curves", args, count))
                             : raise_error(&error);
}

/* ---- what it tells ----------------------------------------------------------------------------------------------- */

/* A number from 0 to below `most`. */
static int read_number(PyObject *value, const char *name, int32_t most, int *out) {
    if (read_int(value, name, out) != 0) return -1;
    return *out >= 0 && *out < most
               ? 0
               : (raise_text(ABUT_ERROR_ARGUMENT, "%s: expected 0 to %d, got %d", name, most - 1, *out), -1);
}

/* (motion, body) -> Motion */
static PyObject *robot_motion_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const RobotMotionObject *self;
    int body;
    if (expect_count("robot_motion_body", count, 2) != 0 || !(self = read_robot_motion(args[0])) ||
        read_number(args[1], "body", self->bodies, &body) != 0)
        return NULL;
    return motion_of_link(
        abut_robot_motion_body(self->motion, body), args[0], recipe_of("robot_motion_body", args, count));
}

/* (motion, joint) -> its number in the chain */
static PyObject *robot_motion_joint(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    const RobotMotionObject *self;
    int joint;
    if (expect_count("robot_motion_joint", count, 2) != 0 || !(self = read_robot_motion(args[0])) ||
        read_number(args[1], "joint", self->joints, &joint) != 0)
        return NULL;
    return PyLong_FromLong(abut_robot_motion_joint(self->motion, joint));
}

PyMethodDef robot_motion_functions[] = {
    FAST("robot_motion_rows", robot_motion_rows),
    FAST("robot_motion_curves", robot_motion_curves),
    FAST("robot_motion_body", robot_motion_body),
    FAST("robot_motion_joint", robot_motion_joint),
    {NULL, NULL, 0, NULL},
};

static PyObject *get_recipe(PyObject *self, void *closure) {
    (void)closure;
    return Py_NewRef(((RobotMotionObject *)self)->recipe);
}

static PyGetSetDef robot_motion_getset[] = {
    {"recipe", get_recipe, NULL, "what it was made of, for pickles", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot robot_motion_slots[] = {
    {Py_tp_getset, robot_motion_getset},
    {Py_tp_dealloc, robot_motion_dealloc},
    {Py_tp_doc, "A model that moves: motions of its bodies, for clearance and time of impact. Immutable."},
    {0, NULL},
};

static PyType_Spec robot_motion_spec = {"abut.RobotMotion", sizeof(RobotMotionObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, robot_motion_slots};

int add_robot_motion_type(PyObject *module) {
    robot_motion_type = add_type(module, &robot_motion_spec);
    return robot_motion_type ? 0 : -1;
}
