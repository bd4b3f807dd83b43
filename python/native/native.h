/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files of the extension: the stable Python interface, the library, errors, and the state of the module.
 * The extension is private: the modules of the package call its functions with positional arguments and hold the
 * documentation. Nothing of numpy's C interface is used; arrays come and go through the buffer protocol.
 */
#ifndef ABUT_PYTHON_NATIVE_H
#define ABUT_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include <abut/abut.h>

/* A function of the table of a module or of a type. */
#define FAST(name, function)                                                                                           \
    { name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL, NULL }
#define PLAIN(name, function)                                                                                          \
    { name, (PyCFunction)(function), METH_NOARGS, NULL }

/* Runs what may take longer than some 10 us without the interpreter's lock; to be used on what no other thread changes.
 */
#define UNLOCKED(...)                                                                                                  \
    do {                                                                                                               \
        Py_BEGIN_ALLOW_THREADS;                                                                                        \
        __VA_ARGS__;                                                                                                   \
        Py_END_ALLOW_THREADS;                                                                                          \
    } while (0)

/* As above, on an object that only one thread at a time may use; within a call of its own, with the lock. */
#define ALONE(object, ...)                                                                                             \
    do {                                                                                                               \
        if ((object)->busy) {                                                                                          \
            __VA_ARGS__;                                                                                               \
        } else {                                                                                                       \
            (object)->busy = 1;                                                                                        \
            UNLOCKED(__VA_ARGS__);                                                                                     \
            (object)->busy = 0;                                                                                        \
        }                                                                                                              \
    } while (0)

/* Python functions and classes that the package hands over when it is imported. */
typedef struct Helpers {
    PyObject *doubles; /* (value, name) -> contiguous array of float64, or TypeError */
    PyObject *asarray, *empty, *ndarray;
    PyObject *error; /* class abut.Error */
    PyObject *warn;  /* (text) */
} Helpers;

extern Helpers helpers;

/* Sets the exception for a failure of the library; NULL, so that `return raise_error(&error)` reads well. */
PyObject *raise_error(const AbutError *error);

/* None where all is well, else the exception. */
PyObject *none_or_raise(AbutStatus status, const AbutError *error);

/* As above, with a text of our own: abut.Error of the status. */
PyObject *raise_text(AbutStatus status, const char *format, ...) ABUT_PRINTF(2, 3);

/* Are there `count` arguments? TypeError otherwise. */
int expect_count(const char *name, Py_ssize_t got, Py_ssize_t count);

/* Makes a heap type and adds it to the module under the name behind the last dot. NULL on failure. */
PyTypeObject *add_type(PyObject *module, PyType_Spec *spec);

/* Ends an object of a heap type; of one that the garbage collector knows, which it no longer tracks. */
void free_object(PyObject *self);
void free_collected(PyObject *self);

#endif
