/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seven families of planning problems, drawn at random: three bookshelves, an open box, a cage, a table with things on
 * it and under it. Starts are the home of the robot or another goal, goals are postures that reach a thing. For arms of
 * six and of seven hinges, two arms, and the upper body of a humanoid.
 */
#ifndef ABUT_TESTS_PLAN_FAMILIES_H
#define ABUT_TESTS_PLAN_FAMILIES_H

#include "abut/plan.h"

enum { PLAN_FAMILIES = 7, PLAN_FAMILY_WIDTH = 32, PLAN_FAMILY_TOOLS = 2 };

extern const char *const plan_family_names[PLAN_FAMILIES];

typedef struct PlanFamilyRobot {
    AbutModel *model;
    AbutConfiguration *c;
    AbutPlanRobot *half;
    AbutPlanDef def;
    uint8_t held[64];
    AbutPair stands[2];   /* feet on the ground, which may meet */
    AbutVec3 shift;       /* of the scenes */
    int tool_count, aims; /* 1: tools point along the way to the thing */
    AbutIkTask tool[PLAN_FAMILY_TOOLS];
    int32_t width;
    double home[PLAN_FAMILY_WIDTH];
} PlanFamilyRobot;

/* "arm6", "arm7", "two-arms" or "humanoid". */
AbutStatus plan_family_robot_make(const char *name, PlanFamilyRobot *out, AbutError *error);
void plan_family_robot_free(PlanFamilyRobot *robot);

typedef struct PlanFamilyProblem {
    AbutModel *obstacles;
    AbutPlanProblem *problem;
    double start[PLAN_FAMILY_WIDTH], goal[PLAN_FAMILY_WIDTH];
} PlanFamilyProblem;

/* Draws until both ends are clear; `far` 1: the start is a goal too. EMPTY after many tries. */
AbutStatus plan_family_draw(
    const PlanFamilyRobot *robot, int family, int far, AbutRng *rng, PlanFamilyProblem *out, AbutError *error);
void plan_family_problem_free(PlanFamilyProblem *problem);

#endif
