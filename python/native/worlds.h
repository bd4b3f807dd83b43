/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes and simulations as Python objects. They change, so that one thread at a time may use them. */
#ifndef ABUT_PYTHON_WORLDS_H
#define ABUT_PYTHON_WORLDS_H

#include "records.h"

typedef struct SceneObject {
    PyObject_HEAD AbutScene *scene;
    int busy; /* a call of another thread, or of a simulation on it, is under way */
} SceneObject;

typedef struct SimulationObject {
    PyObject_HEAD AbutSimulation *simulation;
    SceneObject *scene;
} SimulationObject;

extern PyTypeObject *scene_type, *simulation_type;

/* The scene of an argument, not busy; NULL with an exception. */
SceneObject *read_scene(PyObject *value);
SimulationObject *read_simulation(PyObject *value);

/* Bodies are numbers in Python: place and generation of the id. */
PyObject *number_of_body(AbutBodyId id);
int read_body_id(PyObject *value, AbutBodyId *out);

/* A contact with the places of its bodies in the order of the scene; -1: none. */
typedef struct ContactRow {
    int32_t body_a, body_b;
    AbutVec3 normal, center, force, torque, pressure_center;
    double area, volume, depth;
    int32_t sliding, vertex_count;
    AbutVec3 vertex_point[ABUT_CONTACT_VERTICES], vertex_force[ABUT_CONTACT_VERTICES];
    double vertex_pressure[ABUT_CONTACT_VERTICES];
} ContactRow;

ContactRow contact_row(const AbutContact *contact, int32_t body_a, int32_t body_b);

/* Contacts as a structured array; frees the list. */
PyObject *array_of_contacts(const AbutScene *scene, AbutContactList *list);

#endif
