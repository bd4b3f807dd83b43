/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input of sensors: how every body of a model moves, the joint coordinates, and forces that others have found. A
 * configuration or a simulation fills it; the functions of sensors_read.c compute the values from nothing else. World
 * axes throughout.
 */
#ifndef ABUT_ROBOT_SENSORS_H
#define ABUT_ROBOT_SENSORS_H

#include "model/mass.h"
#include "robot/configuration.h"

/* A body at the origin of its frame. Accelerations are those that an accelerometer feels: less gravity. */
typedef struct AbutBodyMotion {
    AbutPose pose;
    AbutVec3 v, w, a, spin; /* spin: angular acceleration */
    AbutVec3 force, torque; /* from contacts, joins and callers; the torque about the world's origin */
    AbutRigid rigid;        /* own mass in the body frame */
} AbutBodyMotion;

/* Forces are NULL where nobody knows them; a sensor that needs them then reads NaN. */
typedef struct AbutSensed {
    const AbutModel *model;
    AbutVec3 gravity;
    double time;
    int accelerated;                       /* 1: accelerations of the bodies are known */
    AbutBodyMotion *body;                  /* per body */
    const double *q, *v;                   /* of the model */
    const int32_t *joint_q, *joint_v;      /* per joint: first places there */
    const double *actuator_force;          /* per actuator, before the gear */
    const double *joint_limit, *joint_sum; /* per joint: force of its limits; of the actuators on it */
    const double *tendon_limit;            /* per tendon */
    /* Known to a scene only; NULL: there is none. */
    double (*touch)(const struct AbutSensed *, const AbutSensorDef *);
    void (*contacts)(const struct AbutSensed *, const AbutSensorDef *, double *out);
    double (*range)(const struct AbutSensed *, const AbutSensorDef *);
    const void *user;
} AbutSensed;

/* All values of all sensors, cut off. */
void abut_sensors_read(const AbutSensed *s, double *out);

/* The pose of a frame on a body (-1: the world). */
AbutPose abut_sensed_frame(const AbutSensed *s, int32_t body, AbutPose pose);

/* Length and speed of a tendon, and of what an actuator drives, the gear included. */
double abut_sensed_tendon(const AbutSensed *s, int32_t tendon, double *speed);
double abut_sensed_length(const AbutSensed *s, const AbutTendonDef *def, double *speed);
double abut_sensed_target(const AbutSensed *s, const AbutActuatorDef *actuator, double *speed);

/* Bodies, joints and coordinates of a configuration; the memory is that of the pool. 0: no memory. After a change of
 * its state, abut_sense_again. */
int abut_sense_configuration(AbutConfiguration *c, AbutPool *pool, AbutSensed *out);
void abut_sense_again(const AbutConfiguration *c, AbutSensed *s);

/* Data of a tree about one of its bodies. `place` is its place there. */
void abut_sense_link(const AbutConfiguration *c, const AbutBodyPlace *place, int accelerated, AbutBodyMotion *out);

#endif
