/* SPDX-License-Identifier: Apache-2.0 */
/* Motions as Python objects. They do not change once made. */
#ifndef ABUT_PYTHON_MOTIONS_H
#define ABUT_PYTHON_MOTIONS_H

#include "convert.h"

/* The motion behind an argument: a Motion, or a pose that is kept; 0, or -1 with an exception. Borrowed. */
int read_motion(PyObject *value, const char *name, AbutMotion *out);
const AbutSoftBody *read_soft(PyObject *value, const char *name); /* NULL: another type, and an error is set */

/* How an object is made again: (name of the maker, its arguments). NULL with an exception. */
PyObject *recipe_of(const char *maker, PyObject *const *args, Py_ssize_t count);

/* The motion of a link of a chain that `owner` keeps alive; takes over the reference to the recipe, also on failure. */
PyObject *motion_of_link(AbutMotion motion, PyObject *owner, PyObject *recipe);

/* Numbers of a piece of a curve. */
enum { CURVE_PIECE = sizeof(AbutCurvePiece) / sizeof(double) };

int add_motion_type(PyObject *module);

#endif
