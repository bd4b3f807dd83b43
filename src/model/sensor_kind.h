/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of sensor kinds: tag, number of values, what it is mounted on, what its values are, and the function of
 * src/robot/sensors_read.c that computes them. A new sensor is one row here, and its function there.
 */
#ifndef ABUT_MODEL_SENSOR_KIND_H
#define ABUT_MODEL_SENSOR_KIND_H

#include <stdint.h>

typedef enum AbutSensorObject {
    ABUT_SENSOR_NONE = 0, /* the whole model */
    ABUT_SENSOR_JOINT,    /* a hinge or slide */
    ABUT_SENSOR_BALL,
    ABUT_SENSOR_LIMIT, /* a joint of any kind */
    ABUT_SENSOR_TENDON,
    ABUT_SENSOR_ACTUATOR,
    ABUT_SENSOR_SITE,  /* a frame */
    ABUT_SENSOR_FRAME, /* a frame, or a body or shape, seen from another one */
    ABUT_SENSOR_SUBTREE,
    ABUT_SENSOR_CONTACTS /* two sides */
} AbutSensorObject;

typedef enum AbutSensorData {
    ABUT_SENSOR_REAL = 0, /* a cutoff holds on both sides */
    ABUT_SENSOR_POSITIVE, /* from above alone */
    ABUT_SENSOR_UNIT      /* axes and quaternions: not at all */
} AbutSensorData;

#define ABUT_SENSOR_KINDS(ROW)                                                                                         \
    ROW("jointpos", 1, JOINT, REAL, joint_position)                                                                    \
    ROW("jointvel", 1, JOINT, REAL, joint_velocity)                                                                    \
    ROW("jointactuatorfrc", 1, JOINT, REAL, joint_actuator_force)                                                      \
    ROW("jointlimitpos", 1, LIMIT, REAL, joint_limit_position)                                                         \
    ROW("jointlimitvel", 1, LIMIT, REAL, joint_limit_velocity)                                                         \
    ROW("jointlimitfrc", 1, LIMIT, POSITIVE, joint_limit_force)                                                        \
    ROW("ballquat", 4, BALL, UNIT, ball_quaternion)                                                                    \
    ROW("ballangvel", 3, BALL, REAL, ball_velocity)                                                                    \
    ROW("tendonpos", 1, TENDON, REAL, tendon_position)                                                                 \
    ROW("tendonvel", 1, TENDON, REAL, tendon_velocity)                                                                 \
    ROW("tendonactuatorfrc", 1, TENDON, REAL, tendon_actuator_force)                                                   \
    ROW("tendonlimitpos", 1, TENDON, REAL, tendon_limit_position)                                                      \
    ROW("tendonlimitvel", 1, TENDON, REAL, tendon_limit_velocity)                                                      \
    ROW("tendonlimitfrc", 1, TENDON, POSITIVE, tendon_limit_force)                                                     \
    ROW("actuatorpos", 1, ACTUATOR, REAL, actuator_position)                                                           \
    ROW("actuatorvel", 1, ACTUATOR, REAL, actuator_velocity)                                                           \
    ROW("actuatorfrc", 1, ACTUATOR, REAL, actuator_force)                                                              \
    ROW("framepos", 3, FRAME, REAL, frame_position)                                                                    \
    ROW("framequat", 4, FRAME, UNIT, frame_quaternion)                                                                 \
    ROW("framexaxis", 3, FRAME, UNIT, frame_x_axis)                                                                    \
    ROW("frameyaxis", 3, FRAME, UNIT, frame_y_axis)                                                                    \
    ROW("framezaxis", 3, FRAME, UNIT, frame_z_axis)                                                                    \
    ROW("framelinvel", 3, FRAME, REAL, frame_linear_velocity)                                                          \
    ROW("frameangvel", 3, FRAME, REAL, frame_angular_velocity)                                                         \
    ROW("framelinacc", 3, FRAME, REAL, frame_linear_acceleration)                                                      \
    ROW("frameangacc", 3, FRAME, REAL, frame_angular_acceleration)                                                     \
    ROW("accelerometer", 3, SITE, REAL, accelerometer)                                                                 \
    ROW("gyro", 3, SITE, REAL, gyro)                                                                                   \
    ROW("velocimeter", 3, SITE, REAL, velocimeter)                                                                     \
    ROW("magnetometer", 3, SITE, REAL, magnetometer)                                                                   \
    ROW("force", 3, SITE, REAL, force)                                                                                 \
    ROW("torque", 3, SITE, REAL, torque)                                                                               \
    ROW("touch", 1, SITE, POSITIVE, touch)                                                                             \
    ROW("contact", 0, CONTACTS, REAL, contacts) /* its width is what is asked for */                                   \
    ROW("rangefinder", 1, SITE, POSITIVE, range_finder)                                                                \
    ROW("subtreecom", 3, SUBTREE, REAL, subtree_center)                                                                \
    ROW("subtreelinvel", 3, SUBTREE, REAL, subtree_velocity)                                                           \
    ROW("subtreeangmom", 3, SUBTREE, REAL, subtree_momentum)                                                           \
    ROW("clock", 1, NONE, REAL, clock_time)                                                                            \
    ROW("e_potential", 1, NONE, REAL, potential_energy)                                                                \
    ROW("e_kinetic", 1, NONE, REAL, kinetic_energy)

typedef struct AbutSensorRow {
    int32_t width;
    AbutSensorObject object;
    AbutSensorData data;
} AbutSensorRow;

extern const AbutSensorRow abut_sensor_rows[]; /* in the order of abut_sensor_kind_names */
int32_t abut_sensor_row(const char *kind);     /* -1: there is no such kind */

#endif
