/* SPDX-License-Identifier: Apache-2.0 */
/* Curves: one number over time, as an array of polynomials; and what the chain of a motion tells. */
#include <limits.h>
#include <string.h>

#include "motions.h"
#include "rooms.h"

/* (start, end, coefficients (degree + 1,)) -> piece (7,): its start and powers of t - start */
static PyObject *curve_bernstein(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Doubles b;
    double from, to;
    const Py_ssize_t shape = CURVE_PIECE;
    if (expect_count("curve_bernstein", count, 3) != 0 || read_real(args[0], "start", &from) != 0 ||
        read_real(args[1], "end", &to) != 0 || read_vector(args[2], "coefficients", -1, &b) != 0)
        return NULL;
    int fits = b.count >= 1 && b.count <= ABUT_CURVE_DEGREE + 1 && to > from;
    AbutCurvePiece piece = {0};
    if (fits) piece = abut_curve_bernstein(from, to, (int)b.count - 1, b.data);
    release_doubles(&b);
    if (!fits)
        return raise_text(ABUT_ERROR_ARGUMENT, "coefficients: expected 1 to %d of them, and an end after the start",
            ABUT_CURVE_DEGREE + 1);
    return array_of_doubles(&piece.from, 1, &shape);
}

/* (degree, knots, control) -> (pieces (n, 7), end) */
static PyObject *curve_spline(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Doubles knots, control;
    AbutCurve curve = {0};
    AbutError error;
    int degree;
    if (expect_count("curve_spline", count, 3) != 0 || read_int(args[0], "degree", &degree) != 0 ||
        read_vector(args[2], "control", -1, &control) != 0)
        return NULL;
    if (degree < 1 || degree > ABUT_CURVE_DEGREE || control.count <= degree || control.count > INT_MAX / 2) {
        release_doubles(&control);
        return raise_text(
            ABUT_ERROR_ARGUMENT, "degree: expected 1 to %d, and more control values than that", ABUT_CURVE_DEGREE);
    }
    if (read_vector(args[1], "knots", control.count + degree + 1, &knots) != 0) return release_doubles(&control), NULL;
    AbutCurvePiece *pieces = abut_alloc_array((size_t)control.count, sizeof *pieces);
    AbutStatus status = ABUT_OK;
    if (pieces)
        UNLOCKED(status = abut_curve_spline(
                     degree, (int32_t)control.count, knots.data, control.data, pieces, &curve, &error));
    else
        status = abut_fail(&error, ABUT_ERROR_MEMORY, "no memory for a curve");
    release_doubles(&knots);
    release_doubles(&control);
    const Py_ssize_t shape[2] = {curve.piece_count, CURVE_PIECE};
    PyObject *out = status == ABUT_OK ? Py_BuildValue("(Nd)", array_of_doubles(&pieces->from, 2, shape), curve.to)
                                      : raise_error(&error);
    abut_free(pieces);
    return out;
}

/* (pieces (n, 7), end, t) -> value, or values (n,) */
static PyObject *curve_value(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Doubles pieces, t;
    NewArray out;
    AbutError error;
    AbutCurve curve = {0};
    if (expect_count("curve_value", count, 3) != 0 || read_real(args[1], "end", &curve.to) != 0 ||
        read_matrix(args[0], "pieces", -1, CURVE_PIECE, &pieces) != 0)
        return NULL;
    if (read_doubles(args[2], "t", &t) != 0) return release_doubles(&pieces), NULL;
    curve.piece_count = (int32_t)pieces.shape[0], curve.pieces = (const AbutCurvePiece *)(const void *)pieces.data;
    PyObject *answer = NULL;
    if (abut_curve_check(&curve, &error) != ABUT_OK)
        raise_error(&error);
    else if (t.dimensions == 0)
        answer = PyFloat_FromDouble(abut_curve_value(&curve, t.data[0]));
    else if (begin_array_of("f8", t.dimensions, t.shape, &out) == 0) {
        Py_BEGIN_ALLOW_THREADS;
        for (Py_ssize_t i = 0; i < t.count; ++i) ((double *)out.data)[i] = abut_curve_value(&curve, t.data[i]);
        Py_END_ALLOW_THREADS;
        answer = end_array(&out);
    }
    release_doubles(&t);
    release_doubles(&pieces);
    return answer;
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* (motion, t) -> seconds, infinity for none */
static PyObject *motion_next_break(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutMotion motion;
    double t;
    if (expect_count("motion_next_break", count, 2) != 0 || read_motion(args[0], "motion", &motion) != 0 ||
        read_real(args[1], "t", &t) != 0)
        return NULL;
    return PyFloat_FromDouble(abut_motion_next_break(&motion, t));
}

/* (motion, a, b, n, around, radius) -> m/s */
static PyObject *motion_speed_along(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutMotion motion;
    AbutVec3 n, around;
    double a, b, radius;
    if (expect_count("motion_speed_along", count, 6) != 0 || read_motion(args[0], "motion", &motion) != 0 ||
        read_real(args[1], "a", &a) != 0 || read_real(args[2], "b", &b) != 0 ||
        read_vec3(args[3], "direction", &n) != 0 || read_vec3(args[4], "around", &around) != 0 ||
        read_length(args[5], "radius", &radius) != 0)
        return NULL;
    return PyFloat_FromDouble(abut_motion_speed(&motion, a, b, &n, around, radius));
}

/* (motion of a chain, t, point, direction) -> (joints, 3) */
static PyObject *motion_gradient(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutMotion motion;
    AbutVec3 point, direction;
    NewArray out;
    double t;
    if (expect_count("motion_gradient", count, 4) != 0 || read_motion(args[0], "motion", &motion) != 0 ||
        read_real(args[1], "t", &t) != 0 || read_vec3(args[2], "point", &point) != 0 ||
        read_vec3(args[3], "direction", &direction) != 0)
        return NULL;
    if (!motion.chain) return raise_text(ABUT_ERROR_ARGUMENT, "motion: expected one of a chain of joints");
    const Py_ssize_t shape[2] = {motion.chain->joint_count, 3};
    if (begin_array_of("f8", 2, shape, &out) != 0) return NULL;
    abut_chain_gradient(motion.chain, motion.link, t, point, direction, out.data);
    return end_array(&out);
}

PyMethodDef curve_functions[] = {
    FAST("curve_bernstein", curve_bernstein),
    FAST("curve_spline", curve_spline),
    FAST("curve_value", curve_value),
    FAST("motion_next_break", motion_next_break),
    FAST("motion_speed_along", motion_speed_along),
    FAST("motion_gradient", motion_gradient),
    {NULL, NULL, 0, NULL},
};
