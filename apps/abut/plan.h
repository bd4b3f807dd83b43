/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut plan` and its forms share: a robot, obstacles, the pairs that count, and what is said of a certificate. */
#ifndef ABUT_CLI_PLAN_H
#define ABUT_CLI_PLAN_H

#include "operands.h"
#include "robot.h"

typedef struct PlanSetup {
    Robot robot;
    const char *obstacle_file;                         /* NULL: none */
    const char *allow, *pairs, *add;                   /* texts A:B,C:D, or files; NULL: not given */
    const char *support;                               /* word or name of a body; NULL: none */
    const char *balance, *limits_file, *shapes, *thin; /* thin: LINK=RADIUS,.. of capsules; NULL: not given */
    int32_t support_body, other_body;                  /* -1: none */
    int neighbours;
    double margin, balance_margin;
    int quiet;     /* 1: warnings are not printed */
    uint8_t *held; /* per joint of the model; NULL: none is */
    AbutPlanObstacles obstacles;
    int proof_only; /* 1: nothing is searched, and meshes need no convex pieces */
    AbutPlanProblem *problem;
    int has_windows; /* 1: pairs may meet at times */
    int retimed;     /* 1: the motion is retimed, and parts of its time are not known */
} PlanSetup;

PlanSetup plan_setup_make(void);
void plan_setup_free(PlanSetup *setup);

/* Rows of an option table. */
CliOption plan_obstacles_option(PlanSetup *setup);
CliOption plan_allow_option(PlanSetup *setup);
CliOption plan_pairs_option(PlanSetup *setup);
CliOption plan_add_option(PlanSetup *setup);
const char *plan_pair_file(const char *text); /* of --pairs, --add or --allow: the file that it names; NULL: none */
CliOption plan_support_option(PlanSetup *setup);
CliOption plan_balance_option(PlanSetup *setup);
CliOption plan_balance_margin_option(PlanSetup *setup);
CliOption plan_shapes_option(PlanSetup *setup);
CliOption plan_neighbours_option(PlanSetup *setup);

/* Reads the robot and the obstacles; warnings are printed. CLI_GO, or CLI_BAD after one line. */
void plan_setup_read(PlanSetup *setup);

/* Triangles of all obstacles. */
int64_t plan_triangles(const PlanSetup *setup);

/* The obstacles from a mesh file, or from a model. CLI_GO, or CLI_BAD after one line. */
void plan_read_mesh(PlanSetup *setup);
void plan_read_obstacles(PlanSetup *setup);

/* The bodies that --support means. CLI_GO, or CLI_BAD after one line. */
void plan_find_support(PlanSetup *setup);

/* Moves the free base so that the support stands there. CLI_GO, or CLI_BAD after one line. */
void plan_place_support(PlanSetup *setup, AbutPose stand);

/* Support and balance; `corners` is room for ABUT_PLAN_CORNERS. CLI_GO, or CLI_BAD after one line. */
void plan_take_stand(const PlanSetup *setup, AbutVec3 *corners, AbutPlanDef *def);

/* Makes the problem from the robot as it stands; what was left out is told. CLI_GO, or CLI_BAD after one line. */
void plan_setup_problem(PlanSetup *setup);

/* A message of the library about a setting, with the name of its option instead. CLI_BAD. */
void plan_setting_error(const AbutError *error);

/* When a proof holds: "at all times", or those when pairs may not meet. */
const char *plan_when(const PlanSetup *setup);

/* "wrist and table". The text holds until the next call. */
const char *plan_pair_text(const AbutPlanProblem *problem, int32_t pair);

/* Two links of a problem, for rows of ABUT_FIELD_PUT: their names, null for none. */
typedef struct PlanPair {
    const AbutPlanProblem *problem;
    int32_t number; /* -1: none */
} PlanPair;
void plan_put_pair(AbutJson *json, const void *member);

/* What a certificate tells: "clearance", "balance", "left_out", counts of work. Points into the certificate. */
typedef struct PlanProof {
    AbutCertificate certificate;
    PlanPair pair;
    const AbutPairCertificate *balance; /* NULL: none */
    int64_t triangles;
} PlanProof;
PlanProof plan_proof(const PlanSetup *setup, const AbutCertificate *certificate);
extern const AbutRecord plan_proof_record, plan_certificate_file;

/* Balance as a line of text; nothing without balance. */
void plan_print_balance(const AbutCertificate *certificate);

/* The certificate as a file: every pair with its bounds. CLI_GO, or CLI_BAD after one line. */
void plan_write_certificate(const char *path, const PlanSetup *setup, double level, const AbutTrajectory *trajectory,
    const AbutCertificate *certificate, const AbutPairCertificate *pairs);

/* The forms. */
int plan_check(int argc, char **argv);
int plan_scenario(int argc, char **argv);
int plan_bench(int argc, char **argv);

#endif
