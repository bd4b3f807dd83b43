/* SPDX-License-Identifier: Apache-2.0 */
/* Planning problems as Python objects. */
#ifndef ABUT_PYTHON_PROBLEMS_H
#define ABUT_PYTHON_PROBLEMS_H

#include "native.h"

typedef struct ProblemObject {
    PyObject_HEAD AbutPlanProblem *problem;
    PyObject *robot, *obstacles, *meshes; /* what lives in them outlives the problem */
    int32_t joints;                       /* of the model */
} ProblemObject;

ProblemObject *read_problem(PyObject *value);

typedef struct RoadmapObject {
    PyObject_HEAD AbutRoadmap map;
} RoadmapObject;

RoadmapObject *read_roadmap(PyObject *value);

/* Appends what a function made to a list, and drops the reference to it; 0, or -1 with an exception. */
int append_made(PyObject *list, PyObject *item);

#endif
