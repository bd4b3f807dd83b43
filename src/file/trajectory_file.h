/* SPDX-License-Identifier: Apache-2.0 */
/* Between the formats of trajectories and what is made of them: a table of columns, each of one joint. */
#ifndef ABUT_SRC_FILE_TRAJECTORY_FILE_H
#define ABUT_SRC_FILE_TRAJECTORY_FILE_H

#include "abut/file.h"
#include "motion/trajectory.h"

/* Rows of joint_count values, speeds and accelerations; what no column gives is the posture, or 0. */
typedef struct AbutTrajectoryTable {
    const AbutModel *model;
    const char *name;
    int32_t count;
    size_t capacity;   /* rows for which there is memory */
    double *times;     /* per row */
    double *order[3];  /* values, speeds, accelerations: [count][joint_count] */
    uint8_t *given[3]; /* per joint: is there a column? */
    double *rest;      /* of all joints */
} AbutTrajectoryTable;

/* The joint that a column means, or -1 after an error that names `what` and the nearest joint. */
int32_t abut_trajectory_joint(
    const AbutModel *model, const char *what, const char *joint, size_t length, AbutError *error);

/* A new row with that time, filled with the posture; NULL: no memory. */
int abut_trajectory_add_row(AbutTrajectoryTable *table, double time);

AbutStatus abut_trajectory_parse_csv(
    const void *bytes, size_t count, const char *name, AbutTrajectoryTable *out, AbutError *error);

/* Messages of ROS, and whether a file looks like one. */
AbutStatus abut_trajectory_parse_ros(
    const void *bytes, size_t count, const char *name, AbutTrajectoryTable *out, AbutError *error);
int abut_trajectory_is_ros(const void *bytes, size_t count, const char *name);

/* From an archive; *exact is filled instead where it holds polynomials. */
AbutStatus abut_trajectory_parse_npz(const void *bytes, size_t count, const char *name, AbutTrajectoryTable *out,
    AbutTrajectory *exact, AbutError *error);

#endif
