/* SPDX-License-Identifier: Apache-2.0 */
/* Systems of contacts as Python objects. */
#ifndef ABUT_PYTHON_MODES_H
#define ABUT_PYTHON_MODES_H

#include "convert.h"

extern PyTypeObject *mode_system_type;

/* A new object that takes over the system, also on failure. */
PyObject *mode_system_take(AbutModeSystem *system);

const AbutModeSystem *read_mode_system(PyObject *value);

/* A mode in memory of its own. */
typedef struct ModeBits {
    AbutMode mode;
    uint64_t *memory;
} ModeBits;

/* Room for a mode; from a text of signs. 0, or -1 with an exception; to be freed with free_mode. */
int make_mode(const AbutModeSystem *system, int nonlinear, ModeBits *out);
int read_mode(const AbutModeSystem *system, int nonlinear, PyObject *text, ModeBits *out);
void free_mode(ModeBits *mode);

/* A mode as text. */
PyObject *mode_text(const AbutModeSystem *system, int nonlinear, AbutMode mode);

#endif
