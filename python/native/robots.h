/* SPDX-License-Identifier: Apache-2.0 */
/* Robots as Python objects, for the files that plan with them. */
#ifndef ABUT_PYTHON_ROBOTS_H
#define ABUT_PYTHON_ROBOTS_H

#include "native.h"

/* The configuration of an argument, not busy; NULL with an exception. */
AbutConfiguration *read_robot(PyObject *value);

/* Marks it as in use, for a call without the interpreter's lock; and no longer. */
void keep_robot(PyObject *robot, int busy);

/* Tasks of inverse kinematics from a list of dictionaries: their number, at most ABUT_IK_TASKS; -1 with an exception.
 */
Py_ssize_t read_tasks(PyObject *list, AbutIkTask *out);

#endif
