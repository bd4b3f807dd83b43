/* SPDX-License-Identifier: Apache-2.0 */
/* Robots as Python objects, for the files that plan with them. */
#ifndef ABUT_PYTHON_ROBOTS_H
#define ABUT_PYTHON_ROBOTS_H

#include "native.h"

/* The configuration of an argument, not busy; NULL with an exception. */
AbutConfiguration *read_robot(PyObject *value);

#endif
