/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers in. A contiguous array of float64 is read in place; short tuples and lists are read number by number;
 * everything else goes through numpy once, which also refuses what is no number. Shapes are checked by whoever knows
 * them, with a message that names the argument, what was expected and what came.
 */
#include "convert.h"

#include <string.h>

/* ---- arrays in --------------------------------------------------------------------------------------------------- */

static int is_double(const char *format) {
    if (!format) return 0;
    if (*format == '@' || *format == '=' || *format == '<') ++format;
    return format[0] == 'd' && format[1] == 0;
}

/* The view of `value` as it stands: 1; 0: not such an array. No exception is left. */
static int view_in_place(PyObject *value, Doubles *out) {
    if (PyObject_GetBuffer(value, &out->view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
        PyErr_Clear();
        return 0;
    }
    if (!is_double(out->view.format) || out->view.ndim > DIMENSIONS || out->view.itemsize != sizeof(double)) {
        PyBuffer_Release(&out->view);
        return 0;
    }
    out->has_view = 1;
    out->data = out->view.buf;
    out->dimensions = out->view.ndim;
    out->count = 1;
    for (int i = 0; i < out->dimensions; ++i) out->shape[i] = out->view.shape[i], out->count *= out->shape[i];
    return 1;
}

/* A flat tuple or list of a few numbers: 1; 0: something else. */
static int read_small(PyObject *value, Doubles *out) {
    int is_list = PyList_CheckExact(value);
    if (!is_list && !PyTuple_CheckExact(value)) return 0;
    Py_ssize_t count = is_list ? PyList_Size(value) : PyTuple_Size(value);
    if (count > SMALL) return 0;
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject *item = is_list ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i);
        if (!PyFloat_Check(item) && !PyLong_Check(item)) return 0;
        out->small[i] = PyFloat_AsDouble(item);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            return 0;
        }
    }
    out->data = out->small, out->dimensions = 1, out->shape[0] = out->count = count;
    return 1;
}

/* An array whose numbers mean what they say; those of other kinds, masked ones say, are left to numpy. */
static int is_plain(PyObject *value) {
    return PyObject_CheckBuffer(value) &&
           (Py_IS_TYPE(value, (PyTypeObject *)helpers.ndarray) || PyObject_IsInstance(value, helpers.ndarray) == 0);
}

int read_doubles(PyObject *value, const char *name, Doubles *out) {
    out->has_view = 0;
    if (read_small(value, out) || (is_plain(value) && view_in_place(value, out))) return 0;
    PyObject *array = PyObject_CallFunction(helpers.doubles, "Os", value, name);
    if (!array) return -1;
    int ok = view_in_place(array, out); /* the view keeps the array alive */
    Py_DECREF(array);
    if (!ok) PyErr_Format(PyExc_TypeError, "%s: expected numbers in up to %d dimensions", name, DIMENSIONS);
    return ok ? 0 : -1;
}

void release_doubles(Doubles *doubles) {
    if (doubles->has_view) PyBuffer_Release(&doubles->view);
    doubles->has_view = 0;
}

int fail_shape(const char *name, const char *expected, Doubles *got) {
    char text[64] = "()";
    const Py_ssize_t *s = got->shape;
    if (got->dimensions == 1)
        PyOS_snprintf(text, sizeof text, "(%zd,)", s[0]);
    else if (got->dimensions == 2)
        PyOS_snprintf(text, sizeof text, "(%zd, %zd)", s[0], s[1]);
    else if (got->dimensions == 3)
        PyOS_snprintf(text, sizeof text, "(%zd, %zd, %zd)", s[0], s[1], s[2]);
    release_doubles(got);
    raise_text(ABUT_ERROR_ARGUMENT, "%s: expected %s, got shape %s", name, expected, text);
    return -1;
}

static void name_length(char *text, size_t size, Py_ssize_t length) {
    if (length < 0)
        PyOS_snprintf(text, size, "n");
    else
        PyOS_snprintf(text, size, "%zd", length);
}

int read_matrix(PyObject *value, const char *name, Py_ssize_t rows, Py_ssize_t columns, Doubles *out) {
    char expected[64], r[24], c[24];
    if (read_doubles(value, name, out) != 0) return -1;
    int empty = out->dimensions == 1 && out->count == 0 && rows <= 0; /* [] has no second dimension to show */
    if (empty) out->dimensions = 2, out->shape[1] = columns;
    if (out->dimensions == 2 && (rows < 0 || out->shape[0] == rows) && (columns < 0 || out->shape[1] == columns))
        return 0;
    name_length(r, sizeof r, rows), name_length(c, sizeof c, columns);
    PyOS_snprintf(expected, sizeof expected, "shape (%s, %s)", r, c);
    return fail_shape(name, expected, out);
}

int read_vector(PyObject *value, const char *name, Py_ssize_t length, Doubles *out) {
    char expected[64], n[24];
    if (read_doubles(value, name, out) != 0) return -1;
    if (out->dimensions == 1 && (length < 0 || out->count == length)) return 0;
    name_length(n, sizeof n, length);
    PyOS_snprintf(expected, sizeof expected, "shape (%s,)", n);
    return fail_shape(name, expected, out);
}

int read_vec3(PyObject *value, const char *name, AbutVec3 *out) {
    Doubles d;
    if (read_vector(value, name, 3, &d) != 0) return -1;
    *out = abut_vec3(d.data[0], d.data[1], d.data[2]);
    release_doubles(&d);
    return 0;
}

int read_real(PyObject *value, const char *name, double *out) {
    *out = PyFloat_AsDouble(value);
    if (*out != -1.0 || !PyErr_Occurred()) return 0;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: expected a number, got %R", name, value);
    return -1;
}

int read_int(PyObject *value, const char *name, int *out) {
    int overflow = 0;
    long number = PyLong_AsLongAndOverflow(value, &overflow);
    if (number == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: expected a whole number, got %R", name, value);
        return -1;
    }
    if (overflow || number > INT_MAX || number < INT_MIN) {
        raise_text(ABUT_ERROR_ARGUMENT, "%s: the number is too large", name);
        return -1;
    }
    *out = (int)number;
    return 0;
}

int read_seed(PyObject *value, uint64_t *out) {
    PyObject *number = PyNumber_Index(value); /* of any kind of integer, numpy's too */
    *out = number ? PyLong_AsUnsignedLongLong(number) : 0;
    Py_XDECREF(number);
    if (!PyErr_Occurred()) return 0;
    PyErr_Clear();
    PyErr_Format(
        number ? helpers.error : PyExc_TypeError, "seed: expected a whole number from 0 to 2**64 - 1, got %R", value);
    return -1;
}

int read_length(PyObject *value, const char *name, double *out) {
    if (read_real(value, name, out) != 0) return -1;
    return *out >= 0.0 ? 0 : (raise_text(ABUT_ERROR_ARGUMENT, "%s: expected 0 or above, got %g", name, *out), -1);
}

int read_count(PyObject *value, const char *name, int *out) {
    if (read_int(value, name, out) != 0) return -1;
    return *out >= 0 ? 0 : (raise_text(ABUT_ERROR_ARGUMENT, "%s: expected 0 or above, got %d", name, *out), -1);
}

const char *read_text(PyObject *value, const char *name) {
    Py_ssize_t size;
    if (!PyUnicode_Check(value)) return PyErr_Format(PyExc_TypeError, "%s: expected a text, got %R", name, value), NULL;
    const char *text = PyUnicode_AsUTF8AndSize(value, &size);
    if (!text) {
        PyErr_Clear();
        PyErr_Format(helpers.error, "%s: expected a text that can be written as UTF-8, got %R", name, value);
    }
    if (text && strlen(text) != (size_t)size)
        return raise_text(ABUT_ERROR_ARGUMENT, "%s: expected a text without the character NUL", name), NULL;
    return text;
}

const char *read_path(PyObject *value, const char *name) {
    if (!PyBytes_Check(value)) return read_text(value, name);
    const char *bytes = PyBytes_AsString(value);
    if (strlen(bytes) != (size_t)PyBytes_Size(value))
        return raise_text(ABUT_ERROR_ARGUMENT, "%s: expected a file name without the character NUL", name), NULL;
    return bytes;
}

int read_bytes(PyObject *value, const char *name, const char **data, size_t *size) {
    if (!PyBytes_Check(value)) return PyErr_Format(PyExc_TypeError, "%s: expected bytes, got %R", name, value), -1;
    *data = PyBytes_AsString(value);
    *size = (size_t)PyBytes_Size(value);
    return 0;
}

int read_file_bytes(PyObject *bytes, PyObject *name, FileBytes *out) {
    out->name = read_path(name, "path");
    return out->name ? read_bytes(bytes, "bytes", &out->data, &out->size) : -1;
}

int read_word(PyObject *value, const char *name, int count, const char *const *words) {
    const char *word = read_text(value, name);
    if (!word) return -1;
    for (int i = 0; i < count; ++i)
        if (strcmp(word, words[i]) == 0) return i;
    char all[400] = "";
    for (int i = 0; i < count; ++i) {
        size_t used = strlen(all);
        PyOS_snprintf(all + used, sizeof all - used, "%s%s", i == 0 ? "" : ", ", words[i]);
    }
    raise_text(ABUT_ERROR_ARGUMENT, "%s: expected one of %s, got '%s'", name, all, word);
    return -1;
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

static AbutQuat unit_or_nan(AbutQuat q) {
    double sum = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (sum == 1.0) return q;
    AbutQuat none = {NAN, NAN, NAN, NAN};
    return sum > 0.0 && sum < INFINITY ? abut_quat_normalize(q) : none;
}

/* A 4 x 4 matrix, row by row; NaN where its upper left is no rotation, or its last row not 0, 0, 0, 1, to 1e-6. */
static AbutPose pose_of_matrix(const double *m) {
    AbutMat3 r = abut_mat3(abut_vec3(m[0], m[4], m[8]), abut_vec3(m[1], m[5], m[9]), abut_vec3(m[2], m[6], m[10]));
    AbutMat3 e = abut_mat3_sub(abut_mat3_mul_t(r, r), abut_mat3_identity());
    double off = abut_larger(abut_max_abs(e.x), abut_larger(abut_max_abs(e.y), abut_max_abs(e.z)));
    AbutQuat none = {NAN, NAN, NAN, NAN};
    int last = fabs(m[12]) < 1e-6 && fabs(m[13]) < 1e-6 && fabs(m[14]) < 1e-6 && fabs(m[15] - 1.0) < 1e-6;
    AbutQuat q = last && off < 1e-6 && abut_triple(r.x, r.y, r.z) > 0.0 ? abut_quat_from_mat3(r) : none;
    return abut_pose(abut_vec3(m[3], m[7], m[11]), q);
}

static AbutPose pose_of_numbers(const double *x, int width) {
    if (width == 16) return pose_of_matrix(x);
    AbutQuat q = width == 7 ? unit_or_nan(abut_quat(x[3], x[4], x[5], x[6])) : abut_quat_identity();
    return abut_pose(abut_vec3(x[0], x[1], x[2]), q);
}

int read_poses(PyObject *value, const char *name, Poses *out) {
    out->batch = 0, out->count = 1, out->width = 7;
    out->numbers.has_view = 0;
    out->one = abut_pose_identity();
    if (value == Py_None) return 0;
    Doubles *d = &out->numbers;
    if (read_doubles(value, name, d) != 0) return -1;
    if (d->dimensions == 1 && d->count == 0) { /* [] */
        out->batch = 1, out->count = 0;
        return 0;
    }
    Py_ssize_t last = d->dimensions > 0 ? d->shape[d->dimensions - 1] : 0;
    int matrix = d->dimensions >= 2 && last == 4 && d->shape[d->dimensions - 2] == 4;
    int flat = d->dimensions - (matrix ? 2 : 1);
    if ((!matrix && last != 3 && last != 7) || flat < 0 || flat > 1)
        return fail_shape(name, "a pose (3,), (7,) or (4, 4), or n of them", d);
    out->width = matrix ? 16 : (int)last;
    out->batch = flat == 1;
    out->count = out->batch ? d->shape[0] : 1;
    if (!out->batch) out->one = pose_of_numbers(d->data, out->width);
    return 0;
}

AbutPose get_pose(const Poses *poses, Py_ssize_t i) {
    return poses->batch ? pose_of_numbers(poses->numbers.data + i * poses->width, poses->width) : poses->one;
}

/* (poses, name) -> (7,) or (n, 7), quaternions of unit length; NaN where one has no length or a matrix is no rotation
 */
static PyObject *pose_numbers(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Poses poses;
    NewArray out;
    const char *name;
    if (expect_count("pose_numbers", count, 2) != 0 || !(name = read_text(args[1], "name")) ||
        read_poses(args[0], name, &poses) != 0)
        return NULL;
    const Py_ssize_t many[2] = {poses.count, 7}, one = 7;
    int status = begin_array_of("f8", poses.batch ? 2 : 1, poses.batch ? many : &one, &out);
    for (Py_ssize_t i = 0; status == 0 && i < poses.count; ++i)
        write_pose(get_pose(&poses, i), (double *)out.data + 7 * i);
    release_poses(&poses);
    return status == 0 ? end_array(&out) : NULL;
}

/* (place, rotation vector) -> pose (7,) by abut_quat_exp */
static PyObject *pose_exp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutVec3 place, turn;
    if (expect_count("pose_exp", count, 2) != 0 || read_vec3(args[0], "place", &place) != 0 ||
        read_vec3(args[1], "turn", &turn) != 0)
        return NULL;
    return array_of_pose(abut_pose(place, abut_quat_exp(turn)));
}

/* (a, b) -> the pose (7,) of b in the frame of a */
static PyObject *pose_between(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPose a = abut_pose_identity(), b = a;
    if (expect_count("pose_between", count, 2) != 0 || read_pose(args[0], "a", &a) != 0 ||
        read_pose(args[1], "b", &b) != 0)
        return NULL;
    return array_of_pose(abut_pose_between(a, b));
}

PyMethodDef convert_functions[] = {
    FAST("pose_between", pose_between),
    FAST("pose_exp", pose_exp),
    FAST("pose_numbers", pose_numbers),
    {NULL, NULL, 0, NULL},
};

void release_poses(Poses *poses) { release_doubles(&poses->numbers); }

int read_pose(PyObject *value, const char *name, AbutPose *out) {
    Poses poses;
    if (read_poses(value, name, &poses) != 0) return -1;
    if (poses.batch) return fail_shape(name, "one pose (3,), (7,) or (4, 4)", &poses.numbers);
    *out = poses.one;
    release_poses(&poses);
    return 0;
}
