/* SPDX-License-Identifier: Apache-2.0 */
/* Runs as Python objects: bodies over time. */
#ifndef ABUT_PYTHON_RUNS_H
#define ABUT_PYTHON_RUNS_H

#include "native.h"

typedef struct RunObject {
    PyObject_HEAD AbutRun *run;
    PyObject *scene; /* that it follows; NULL: none */
    int grows;       /* 1: recorded, or filled by hand; 0: read from a file, and does not change */
    int busy;
} RunObject;

/* The run of an argument, not busy; NULL with an exception. */
RunObject *read_run(PyObject *value);

#endif
