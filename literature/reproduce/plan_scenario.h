/* SPDX-License-Identifier: Apache-2.0 */
/* The scenarios of `abut plan scenario`: robots, obstacles, starts and goals. */
#ifndef ABUT_CLI_PLAN_SCENARIO_H
#define ABUT_CLI_PLAN_SCENARIO_H

#include "plan.h"

typedef struct Scenario {
    const char *name, *summary;
    const char *robot; /* NULL: a file of --model */
    const char *key, *start, *goal, *goal_pose, *via, *joints, *support, *balance, *allow;
    const char *pairs; /* groups of links as of plan_expand_pairs; NULL: all */
    int capsules;      /* around the bodies, instead of them */
    const char *thin;  /* as of PlanSetup */
    int neighbors;     /* 0: as usual */
    AbutPose stand;    /* of the support, where `robot` is a file */
    AbutStatus (*obstacles)(AbutModel *model, AbutError *error); /* NULL: none */
    AbutStatus (*mesh)(AbutMesh *mesh, AbutError *error); /* triangles of the first obstacle, which its shapes stand for
                                                             in the search; NULL: it is its shapes */
} Scenario;

/* Obstacles in them. */
AbutStatus plan_make_posts(AbutModel *model, AbutError *error);
AbutStatus plan_make_shelf(AbutModel *model, AbutError *error);
AbutStatus plan_make_ring(AbutModel *model, AbutError *error);
AbutStatus plan_make_cup(AbutModel *model, AbutError *error);
AbutStatus plan_make_bar(AbutModel *model, AbutError *error);
AbutStatus plan_make_statues(AbutModel *model, AbutError *error);
AbutStatus plan_make_table(AbutModel *model, AbutError *error);
AbutStatus plan_make_mesh_ring(AbutModel *model, AbutError *error);
AbutStatus plan_make_ring_triangles(AbutMesh *mesh, AbutError *error);
AbutStatus plan_make_talos_ring(AbutModel *model, AbutError *error);
AbutStatus plan_make_talos_ring_tight(AbutModel *model, AbutError *error);
AbutStatus plan_make_talos_cup(AbutModel *model, AbutError *error);
AbutStatus plan_make_talos_bar(AbutModel *model, AbutError *error);
AbutStatus plan_make_talos_bar_high(AbutModel *model, AbutError *error);
AbutStatus plan_make_talos_statues(AbutModel *model, AbutError *error);

/* Pairs A:B,C:D of groups of links of TALOS (RH: the right hand with its gripper, ...) as pairs of links; a word that
 * is no group stays. To be freed; NULL: no memory. */
char *plan_expand_pairs(const char *text);

/* Problems of a scenario by a method, to be measured. */
typedef struct PlanTrial {
    const char *name, *model; /* model: file of scenarios that bring no robot */
    const char *method, *mcd; /* NULL: as usual */
    int count;
    double budget; /* seconds for each */
    /* looks at the last plan; NULL: nothing does */
    void (*look)(const PlanSetup *setup, const AbutTrajectory *trajectory, void *user);
    void *user;
} PlanTrial;

/* Times are seconds of the processor. */
typedef struct PlanMeasure {
    int count, certified;
    int overlapping; /* plans that are clear where it was looked at, and overlap between */
    double deepest;  /* of these, m */
    double seconds, median, longest, cost;
    double proof; /* median time of the certificate of a plan */
    int32_t coordinates, pairs;
} PlanMeasure;

void plan_measure(const PlanTrial *trial, PlanMeasure *out);

/* All of them. */
const Scenario *plan_scenarios(int *count);

#endif
