/* SPDX-License-Identifier: Apache-2.0 */
/* Types and tables of functions of the files that stand on the bodies, for module.c. */
#ifndef ABUT_PYTHON_ROOMS_H
#define ABUT_PYTHON_ROOMS_H

#include "native.h"

int add_overlap_type(PyObject *module);

extern PyMethodDef overlap_functions[], intersect_functions[];

#define ROOM_TYPES add_overlap_type
#define ROOM_FUNCTIONS overlap_functions, intersect_functions

#endif
