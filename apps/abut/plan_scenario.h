/* SPDX-License-Identifier: Apache-2.0 */
/* The scenarios of `abut plan scenario`: robots, obstacles, starts and goals. */
#ifndef ABUT_CLI_PLAN_SCENARIO_H
#define ABUT_CLI_PLAN_SCENARIO_H

#include "plan_run.h"

typedef struct Scenario {
    const char *name, *summary;
    const char *robot; /* NULL: a file of --model */
    const char *key, *start, *goal, *goal_pose, *via, *joints, *support, *allow;
    int neighbours;                                              /* 0: as usual */
    AbutPose stand;                                              /* of the support, where `robot` is a file */
    AbutStatus (*obstacles)(AbutModel *model, AbutError *error); /* NULL: none */
} Scenario;

/* All of them. */
const Scenario *plan_scenarios(int *count);

#endif
