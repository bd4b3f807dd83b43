/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of inverse kinematics as rows: error e and Jacobian J with J dq = e where the task is met. */
#ifndef ABUT_ROBOT_IK_TASK_H
#define ABUT_ROBOT_IK_TASK_H

#include "robot/configuration.h"

/* Errors of all tasks, and what the search works with: weighted rows, turns counted as `length` meters. */
typedef struct AbutIkRows {
    int32_t count;
    double error[ABUT_IK_ROWS];
    double position, rotation; /* largest errors in meters and radians, without weights */
} AbutIkRows;

AbutStatus abut_ik_check(const AbutConfiguration *c, int32_t count, const AbutIkTask *tasks, AbutError *error);

/* How far the frames of the tasks can be from the roots of their robots, m; 1 where nothing tells. */
double abut_ik_reach(const AbutConfiguration *c, int32_t count, const AbutIkTask *tasks);

/* Fills the rows c->ik_rows [count][nv] too. */
void abut_ik_rows(AbutConfiguration *c, int32_t count, const AbutIkTask *tasks, double length, AbutIkRows *out);

#endif
