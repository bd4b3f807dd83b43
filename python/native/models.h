/* SPDX-License-Identifier: Apache-2.0 */
/* Models as Python objects, and the tables of what they hold. */
#ifndef ABUT_PYTHON_MODELS_H
#define ABUT_PYTHON_MODELS_H

#include "defs.h"

typedef struct ModelObject {
    PyObject_HEAD AbutModel *model;
    int frozen;  /* 1: a configuration stands on it, nothing may be added */
    int readers; /* calls under way that read it without the lock: nothing may be added meanwhile */
} ModelObject;

/* Reads a model without the interpreter's lock. */
#define READING(object, ...)                                                                                           \
    do {                                                                                                               \
        ++(object)->readers;                                                                                           \
        UNLOCKED(__VA_ARGS__);                                                                                         \
        --(object)->readers;                                                                                           \
    } while (0)

extern PyTypeObject *model_type;
extern const DefTable body_table, shape_table, material_table, joint_table, frame_table, actuator_table, pair_table;
extern const DefTable pair_law_table;
extern const DefTable equality_table, keyframe_table, tendon_table, path_table, sensor_table, model_table;
extern PyGetSetDef model_getset[];

/* "dynamic", "static", ... */

PyObject *model_take(AbutModel *model);
ModelObject *read_model(PyObject *value);

/* A model that may be changed. */
AbutModel *open_model(PyObject *value);

/* The polyhedron of a shape that is one: `convex` is a Convex or None; or the tuple of a height field, whose geometry
 * is to be released from the definition. 0, or -1 with an exception. */
int fill_polyhedron(PyObject *convex, AbutShapeDef *def);

#endif
