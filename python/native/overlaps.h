/* SPDX-License-Identifier: Apache-2.0 */
/* Overlaps as Python objects. */
#ifndef ABUT_PYTHON_OVERLAPS_H
#define ABUT_PYTHON_OVERLAPS_H

#include "native.h"

/* The overlap of an argument; NULL with an exception. */
const AbutOverlap *read_overlap_of(PyObject *value);

#endif
