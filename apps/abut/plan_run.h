/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and result of `abut plan`. */
#ifndef ABUT_CLI_PLAN_RUN_H
#define ABUT_CLI_PLAN_RUN_H

#include "plan.h"

typedef struct PlanArgs {
    PlanSetup setup;
    const char *start, *goal, *via, *joints, *method, *mcd;
    CliTexts goal_pose;
    const char *output, *csv, *cert, *html, *picture;
    double rate;
    CliWithin points_within; /* of --points */
    int seed, points, attempts, threads, torque, retime, json;
    double smooth; /* duration before --retime; 0: it was not retimed */
    AbutPlanSettings settings;
    AbutPlan plan;
    const AbutPose *stand; /* of the support; NULL: where the state has it */
} PlanArgs;

enum { PLAN_GOALS = 4 };

/* Coordinates of the start, of goals (several where a pose was asked for) and of postures on the way. */
typedef struct PlanPostures {
    double *numbers; /* the memory of all */
    double *joints, *start, *goals, *via;
    double via_at[ABUT_PLAN_VIA_LIMIT];
    int32_t goal_count, via_count;
} PlanPostures;

/* Reads robot and obstacles, makes the problem and the postures. CLI_GO, or CLI_BAD after one line. Free the numbers.
 */
void plan_prepare(PlanArgs *args, PlanPostures *out);

/* Reads the postures, plans and writes the files. CLI_GO, or CLI_BAD after one line. */
void plan_run(PlanArgs *args);

/* The motion as a file, unless `path` is NULL. CLI_GO, or CLI_BAD after one line. */
void plan_write_trajectory(const PlanArgs *args, const char *path);

/* The words of --method into the settings. CLI_GO, or CLI_BAD after one line. */
void plan_take_method(PlanArgs *args);

/* The key `attempts`. */
void plan_put_attempts(AbutJson *json, int32_t count, const AbutPlanAttempt *attempts);

/* Prints the result; gives the exit status. */
int plan_print(const PlanArgs *args);

#endif
