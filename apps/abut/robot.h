/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut robot` and `abut ik` share: a model, a configuration of it, and the state it is set to. */
#ifndef ABUT_CLI_ROBOT_H
#define ABUT_CLI_ROBOT_H

#include "cli.h"

enum { ROBOT_WARNINGS = 200 };

typedef struct Robot {
    const char *source;      /* file or built-in scene */
    const char *state, *key; /* NULL: not given */
    int surfaces;            /* 1: shapes keep the meshes they stand for */
    int drawn;               /* 1: shapes that are only drawn are read, with their meshes */
    AbutModel *model;
    AbutConfiguration *c;
    double *dynamics;               /* rows of the mass matrix, then the bias; NULL: not asked for */
    char *warnings[ROBOT_WARNINGS]; /* what the reader skipped */
    int warning_count;
} Robot;

/* Number of a keyframe that is given by name or number. */
void robot_find_key(const AbutModel *model, const char *source, const char *key, int32_t *out);

/* Reads the model and sets the state. _warn prints what the reader skipped. The second sets the state alone. */
void robot_load(Robot *robot);
void robot_set_state(Robot *robot);
void robot_warn(const Robot *robot);

/* Mass matrix and bias of the state, all finite. */
void robot_find_dynamics(Robot *robot);

/* Center of mass and mass of all bodies. */
AbutVec3 robot_center(const Robot *robot, double *mass);

/* Number of the body and the pose in it that a name of a frame, or of a body, means. */
void robot_find_frame(const char *option, const Robot *robot, const char *name, int32_t *body, AbutPose *pose);

/* A task of inverse kinematics: the frame comes to x,y,z, or to x,y,z,qw,qx,qy,qz. */
AbutIkTask robot_task(
    const char *frame_option, const char *option, const Robot *robot, const char *frame, const CliReals *target);

/* A pair of bodies that may meet. */
typedef struct RobotPair {
    const char *a, *b; /* names */
    AbutSceneDistance d;
    double depth; /* of meshes that meet; NaN: not known */
} RobotPair;
extern const AbutRecord robot_pair_record;

/* All pairs, nearest first, in the state of the robot. */
RobotPair *robot_distances(const Robot *robot, int32_t *count);
void robot_print_distances(const RobotPair *pairs, int32_t count);

/* A capsule around the shapes of each body, as CSV where `path` is not NULL; and a page of the robot in its state with
 * these, and with lines between the nearest pairs, where `page` is not NULL. */
void robot_write_shapes(
    const Robot *robot, const char *path, const char *page, const RobotPair *pairs, int32_t pair_count);

#endif
