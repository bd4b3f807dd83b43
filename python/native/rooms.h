/* SPDX-License-Identifier: Apache-2.0 */
/* Types and tables of functions of the files that stand on the bodies, for module.c. */
#ifndef ABUT_PYTHON_ROOMS_H
#define ABUT_PYTHON_ROOMS_H

#include "native.h"

int add_overlap_type(PyObject *module);
int add_motion_type(PyObject *module);
int add_mode_type(PyObject *module);

extern PyMethodDef overlap_functions[], intersect_functions[], motion_functions[], clearance_functions[];
extern PyMethodDef mode_functions[], mode_list_functions[], mode_one_functions[];

#define ROOM_TYPES add_overlap_type, add_motion_type, add_mode_type
#define ROOM_FUNCTIONS                                                                                                 \
    overlap_functions, intersect_functions, motion_functions, clearance_functions, mode_functions,                     \
        mode_list_functions, mode_one_functions

#endif
