/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut plan` and its forms share: a robot, obstacles, the pairs that count, and what is said of a certificate. */
#ifndef ABUT_CLI_PLAN_H
#define ABUT_CLI_PLAN_H

#include "operands.h"
#include "robot.h"

typedef struct PlanSetup {
    Robot robot;
    const char *obstacle_file; /* NULL: none */
    const char *allow, *pairs; /* texts A:B,C:D; NULL: not given */
    const char *support;       /* name of a body; NULL: none */
    int neighbours;
    double margin;
    uint8_t *held; /* per joint of the model; NULL: none is */
    AbutModel *obstacles;
    AbutPlanProblem *problem;
} PlanSetup;

PlanSetup plan_setup_make(void);
void plan_setup_free(PlanSetup *setup);

/* Rows of an option table. */
CliOption plan_obstacles_option(PlanSetup *setup);
CliOption plan_allow_option(PlanSetup *setup);
CliOption plan_pairs_option(PlanSetup *setup);
CliOption plan_support_option(PlanSetup *setup);
CliOption plan_neighbours_option(PlanSetup *setup);

/* Reads the robot and the obstacles; warnings are printed. CLI_GO, or CLI_BAD after one line. */
int plan_setup_read(const CliCommand *command, PlanSetup *setup);

/* Makes the problem from the robot as it stands; what was left out is told. CLI_GO, or CLI_BAD after one line. */
int plan_setup_problem(const CliCommand *command, PlanSetup *setup);

/* A message of the library about a setting, with the name of its option instead. CLI_BAD. */
int plan_setting_error(const CliCommand *command, const char *text);

/* "wrist and table". The text holds until the next call. */
const char *plan_pair_text(const AbutPlanProblem *problem, int32_t pair);

/* "clearance": {lb, ub, pair, t}. */
void plan_put_clearance(AbutJson *json, const AbutPlanProblem *problem, const AbutCertificate *certificate);

/* "left_out": [texts]. */
void plan_put_notes(AbutJson *json, const AbutPlanProblem *problem);

/* The certificate as a file: every pair with its bounds. CLI_GO, or CLI_BAD after one line. */
int plan_write_certificate(const CliCommand *command, const char *path, const PlanSetup *setup, double level,
    const AbutTrajectory *trajectory, const AbutCertificate *certificate, const AbutPairCertificate *pairs);

/* The forms. */
int plan_check(const CliCommand *command, int argc, char **argv);
int plan_scenario(const CliCommand *command, int argc, char **argv);

#endif
