/* SPDX-License-Identifier: Apache-2.0 */
/* Inverse kinematics of robots that stand. */
#ifndef ABUT_SRC_PLAN_REACH_H
#define ABUT_SRC_PLAN_REACH_H

#include "abut/plan.h"
#include "proof/problem.h"

/* Bytes of memory that it takes; and 1 when u, moved from where it is, reaches the targets (positions and poses). */
size_t abut_plan_stand_size(const AbutPlanProblem *problem);
int abut_plan_stand_ik(
    const AbutPlanProblem *problem, int32_t task_count, const AbutIkTask *tasks, void *memory, double *u);

#endif
