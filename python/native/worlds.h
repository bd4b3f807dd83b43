/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes and simulations as Python objects. They change, so that one thread at a time may use them. */
#ifndef ABUT_PYTHON_WORLDS_H
#define ABUT_PYTHON_WORLDS_H

#include "defs.h"
#include "records.h"

typedef struct SceneObject {
    PyObject_HEAD AbutScene *scene;
    int busy;         /* a call of another thread, or of a simulation on it, is under way */
    int controlled;   /* within that, the controller of the simulation is asked: it may look, and push */
    PyObject *filter; /* function that forbids pairs of shapes; NULL: none */
    PyObject *failed; /* its exception in the call under way; NULL: none */
} SceneObject;

/* An event with the places of its bodies; shapes are their numbers, 0: none. */
typedef struct EventRow {
    int32_t kind, body_a, body_b, padding;
    double time;
    int64_t shape_a, shape_b;
    AbutVec3 point, normal;
    double speed;
} EventRow;

typedef struct SimulationObject {
    PyObject_HEAD AbutSimulation *simulation;
    SceneObject *scene;
    PyObject *control; /* function that is asked before each part of a step; NULL: none */
    PyObject *rule;    /* function that is asked about each contact; NULL: none */
    EventRow *events;  /* of the steps of the last call */
    size_t event_count, event_capacity;
} SimulationObject;

extern PyTypeObject *scene_type, *simulation_type;
extern const DefTable settings_table; /* of simulations */

/* The scene of an argument, not busy; NULL with an exception. */
SceneObject *read_scene(PyObject *value);
SimulationObject *read_simulation(PyObject *value);

/* As above, for calls that a controller may make within a step. */
SceneObject *look_at_scene(PyObject *value);
SimulationObject *look_at_simulation(PyObject *value);

/* Around calls that may ask the filter of pairs: nobody else uses the scene meanwhile. The end raises what the filter
 * failed with; 0, or -1 with the exception. */
void begin_asking(SceneObject *scene);
int end_asking(SceneObject *scene);

/* As above, for failures of the filter so far in a call that goes on. */
int check_filter(SceneObject *scene);

/* Puts a function, or NULL for None, in the place of another one; 0, or -1 with an exception. */
int set_function(PyObject *value, PyObject **slot);

/* Keeps the events of the step that was made. */
AbutStatus keep_events(SimulationObject *self, AbutError *error);

/* Bodies are numbers in Python: place and generation of the id. */
PyObject *number_of_body(AbutBodyId id);
int read_body_id(PyObject *value, AbutBodyId *out);
int64_t shape_bits(AbutShapeId id);
PyObject *number_of_shape(AbutShapeId id);

/* Place of a body in the order of the scene; -1: none. */
int32_t place_in_scene(const AbutScene *scene, AbutBodyId id);

/* Contact points on the true bodies of the scene as it stands; 0, or -1 with an exception. Free with
 * abut_contact_list_free. */
int contacts_of(SceneObject *scene, PyObject *margin, AbutContactList *out);

/* A contact with the places of its bodies in the order of the scene; -1: none. */
typedef struct ContactRow {
    int32_t body_a, body_b;
    AbutVec3 normal, center, force, torque, pressure_center;
    double area, volume, depth;
    int32_t sliding, vertex_count;
    AbutVec3 vertex_point[ABUT_CONTACT_VERTICES], vertex_force[ABUT_CONTACT_VERTICES];
    double vertex_pressure[ABUT_CONTACT_VERTICES];
} ContactRow;

/* A distance in the same way; shapes are their numbers. */
typedef struct SceneDistanceRow {
    int32_t body_a, body_b;
    int64_t shape_a, shape_b;
    double distance;
    AbutVec3 normal, point_a, point_b;
} SceneDistanceRow;

ContactRow contact_row(const AbutContact *contact, int32_t body_a, int32_t body_b);

/* Contacts as a structured array; frees the list. */
PyObject *array_of_contacts(const AbutScene *scene, AbutContactList *list);

#endif
