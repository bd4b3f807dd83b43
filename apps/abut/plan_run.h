/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and result of `abut plan`. */
#ifndef ABUT_CLI_PLAN_RUN_H
#define ABUT_CLI_PLAN_RUN_H

#include "plan.h"

typedef struct PlanArgs {
    PlanSetup setup;
    const char *start, *goal, *goal_pose, *via, *joints, *method;
    const char *output, *csv, *cert;
    double rate;
    int seed, points, attempts, threads, json;
    AbutPlanSettings settings;
    AbutPlan plan;
    int32_t goals; /* postures that reach the pose of a goal */
} PlanArgs;

/* Reads the postures, plans and writes the files. CLI_GO, or CLI_BAD after one line. */
int plan_run(const CliCommand *command, PlanArgs *args);

/* Prints the result; gives the exit status. */
int plan_print(const CliCommand *command, const PlanArgs *args);

#endif
