/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forces and activations of actuators, by MuJoCo's laws: D. Haeufle et al., Hill-type muscle model, 2014, has the idea
 * of the muscle; its curves are those of MuJoCo's documentation.
 */
#ifndef ABUT_ROBOT_ACTUATOR_H
#define ABUT_ROBOT_ACTUATOR_H

#include "abut/model.h"

/* force = given + by_length length + by_speed speed, before its range. */
typedef struct AbutActuatorLaw {
    double given, by_length, by_speed;
} AbutActuatorLaw;

/* `input` is the activation, or the clamped control. A muscle is linear in its speed about the one given. */
AbutActuatorLaw abut_actuator_law(const AbutActuatorDef *def, double input, double length, double speed);

/* The activation after the time h; the control is clamped to its range. */
double abut_activation_next(const AbutActuatorDef *def, double control, double activation, double h);

double abut_actuator_control(const AbutActuatorDef *def, double control); /* clamped */

/* The acceleration that a unit force of it gives at the reference, and its length range where that is not stated (both
 * ends equal): the least and the largest length within the limits of the joints. Fails where one has no limits. */
AbutStatus abut_actuator_measure(const AbutModel *model, AbutActuatorDef *def, AbutError *error);

/* The length of a tendon along a path where all joints are at their spring references. */
AbutStatus abut_tendon_rest(const AbutModel *model, const AbutTendonDef *def, double *out, AbutError *error);

/* Can its force resist motion, so that it takes part in the solution of a step? */
int abut_actuator_is_servo(const AbutActuatorDef *def);

#endif
