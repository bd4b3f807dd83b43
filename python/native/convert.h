/* SPDX-License-Identifier: Apache-2.0 */
/* Python values to numbers of the library and back: arrays through the buffer protocol, vectors, poses, words. */
#ifndef ABUT_PYTHON_CONVERT_H
#define ABUT_PYTHON_CONVERT_H

#include "native.h"

enum { DIMENSIONS = 3, SMALL = 16 };

/* Numbers of an argument: those of the caller's array where it is contiguous float64, a converted copy otherwise. */
typedef struct Doubles {
    const double *data;
    int dimensions;
    Py_ssize_t shape[DIMENSIONS], count;
    int has_view;
    Py_buffer view;
    double small[SMALL]; /* of a short tuple or list */
} Doubles;

/* 0, or -1 with an exception that names the argument. To be released when 0. */
int read_doubles(PyObject *value, const char *name, Doubles *out);
void release_doubles(Doubles *doubles);

/* As above, with a check of the shape; -1 stands for any length. `expected` describes it in the message. */
int read_matrix(PyObject *value, const char *name, Py_ssize_t rows, Py_ssize_t columns, Doubles *out);
int read_vector(PyObject *value, const char *name, Py_ssize_t length, Doubles *out);

/* Raises "name: expected ..., got shape ..." and releases the array; -1. */
int fail_shape(const char *name, const char *expected, Doubles *got);

int read_vec3(PyObject *value, const char *name, AbutVec3 *out);
int read_real(PyObject *value, const char *name, double *out);
int read_int(PyObject *value, const char *name, int *out);
int read_length(PyObject *value, const char *name, double *out); /* 0 or above, infinity included */
int read_count(PyObject *value, const char *name, int *out);     /* 0 or above */

int read_seed(PyObject *value, uint64_t *out);

/* Place of a word in a list; -1 with an exception that lists them. */
int read_word(PyObject *value, const char *name, int count, const char *const *words);

/* A text as UTF-8, borrowed from the object; NULL with an exception. */
const char *read_text(PyObject *value, const char *name);

/* As above, for a file name: a text, or bytes as os.fsencode gives them. */
const char *read_path(PyObject *value, const char *name);

/* Bytes of an argument, borrowed from it; 0, or -1 with an exception. */
int read_bytes(PyObject *value, const char *name, const char **data, size_t *size);

/* Bytes of a file, and its name in messages; both borrowed. */
typedef struct FileBytes {
    const char *data, *name;
    size_t size;
} FileBytes;

int read_file_bytes(PyObject *bytes, PyObject *name, FileBytes *out);

/* One pose or many: numbers x, y, z, or with a quaternion w first, or 4 x 4 matrices; None is the identity.
 * Quaternions are brought to unit length; one that has none, or is not finite, is NaN in all its numbers, which the
 * queries answer as invalid. */
typedef struct Poses {
    int batch;
    Py_ssize_t count;
    int width; /* numbers per pose: 3, 7 or 16 */
    AbutPose one;
    Doubles numbers;
} Poses;

int read_poses(PyObject *value, const char *name, Poses *out);
int read_pose(PyObject *value, const char *name, AbutPose *out); /* one only */
AbutPose get_pose(const Poses *poses, Py_ssize_t i);
void release_poses(Poses *poses);

/* ---- arrays out -------------------------------------------------------------------------------------------------- */

/* A read-only array over memory that `owner` keeps alive and does not change. `format` is that of struct. */
PyObject *view_array(
    PyObject *owner, const void *data, const char *format, Py_ssize_t item, int dimensions, const Py_ssize_t *shape);

/* As above, for doubles, which the owner of the array may change as well. */
PyObject *shared_array(PyObject *owner, double *data, int dimensions, const Py_ssize_t *shape);

/* A new array that is being filled; `record`, unless NULL, is what its rows are (records.h). */
typedef struct NewArray {
    PyObject *array;
    Py_buffer view;
    void *data;
    const struct Record *record;
} NewArray;

/* `type` is a dtype or its name; 0, or -1 with an exception. */
int begin_array(PyObject *type, int dimensions, const Py_ssize_t *shape, NewArray *out);
int begin_array_of(const char *type, int dimensions, const Py_ssize_t *shape, NewArray *out);
PyObject *end_array(NewArray *array); /* gives the array away */
void cancel_array(NewArray *array);

/* Arrays of doubles from memory. */
PyObject *array_of_doubles(const double *data, int dimensions, const Py_ssize_t *shape);
PyObject *array_of_vec3(AbutVec3 v);
PyObject *array_of_pose(AbutPose pose); /* seven numbers */
void write_pose(AbutPose pose, double *seven);

extern PyMethodDef convert_functions[];

int add_view_type(PyObject *module);

#endif
