/* SPDX-License-Identifier: Apache-2.0 */
/* Motions as Python objects. They do not change once made. */
#ifndef ABUT_PYTHON_MOTIONS_H
#define ABUT_PYTHON_MOTIONS_H

#include "convert.h"

/* The motion behind an argument: a Motion, or a pose that is kept; 0, or -1 with an exception. Borrowed. */
int read_motion(PyObject *value, const char *name, AbutMotion *out);
const AbutSoftBody *read_soft(PyObject *value, const char *name); /* NULL: another type, and an error is set */

int add_motion_type(PyObject *module);

#endif
