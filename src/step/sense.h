/* SPDX-License-Identifier: Apache-2.0 */
/* Sensors of a simulation while they are read: what sensors.c has found, for the kinds that have files of their own. */
#ifndef ABUT_STEP_SENSE_H
#define ABUT_STEP_SENSE_H

#include "abut/query.h"
#include "dynamics/solver_tree.h"
#include "robot/sensors.h"

typedef struct AbutSensing {
    const AbutSimulation *sim;
    const AbutSceneRobot *robot;
    AbutBodyMotion *body;
    double *actuator, *limit, *sum, *tendon, *dof; /* dof: forces of actuators on frames and paths */
    const double *acceleration;
} AbutSensing;

/* The body of the model that a shape of the scene belongs to; -1: it is of another one. */
int32_t abut_sensed_body(const AbutSensing *w, AbutShapeId id);
AbutConvex abut_sensed_zone(const AbutSensorDef *d); /* of touch, and of contacts in a site */

/* sensors_contact.c: the rows of a sensor of contacts; out is zeroed. */
void abut_sense_contacts(const AbutSensed *s, const AbutSensorDef *d, double *out);

#endif
